//! The checker: plays a proof out against every answer, by the rules of [`Position`] with the whole history, and shares nothing with the search but the question which
//! move to play.

use super::field::{Field, Stones};
use super::small::{Asked, Small};
use super::{Unsolved, read_move, state};
use crate::board::{Board, Color, Move};
use crate::rules::{Outcome, Position, pass_alive};

/// Checks that the winner of the question "has Black at least so much?" (komi aside), which `asked` tells, has it by the solver's moves, whatever the loser does; gives how many positions that
/// took.
///
/// # Errors
/// If a line breaks the proof, if there are more than `most` positions, or it was stopped.
pub(super) fn check(
    solver: &mut Small<'_>,
    field: &Field,
    position: &Position,
    path: &[(Stones, usize)],
    (bar, winner): (i16, Color),
    most: u64,
) -> Result<u64, Unsolved> {
    let mut check = Check { solver, field, bar, winner, most, seen: 0 };
    check.walk(position, &mut path.to_vec())?;
    Ok(check.seen)
}

/// The stones of a board as a field has them.
pub(super) fn stones(field: &Field, board: &Board) -> Stones {
    let of = |color: Color| {
        let points = board.size().points().filter(|&point| board.stone(point) == Some(color));
        points.filter_map(|point| field.bit(point)).fold(0, |set, bit| set | 1 << bit)
    };
    [of(Color::Black), of(Color::White)]
}

struct Check<'a, 'b> {
    solver: &'a mut Small<'b>,
    field: &'a Field,
    bar: i16,
    winner: Color,
    most: u64,
    seen: u64,
}

impl Check<'_, '_> {
    fn walk(&mut self, position: &Position, path: &mut Vec<(Stones, usize)>) -> Result<(), Unsolved> {
        self.seen += 1;
        if self.seen > self.most {
            return Err(Unsolved::TooManyLines(self.most));
        }
        if let Some(outcome) = position.result() {
            let Outcome::Score(score) = outcome else { return Err(broken(position)) };
            let reached = score + position.rules().komi >= f32::from(self.bar);
            return if reached == (self.winner == Color::Black) { Ok(()) } else { Err(broken(position)) };
        }
        if self.is_settled(position) {
            return Ok(());
        }
        let mover = position.to_move();
        let moves: Vec<Move> = if mover == self.winner {
            let asked = Asked { path: &*path, state: state(self.field, position) };
            let mv = match self.solver.keeping_move(&asked, self.bar) {
                Ok(mv) => read_move(self.field, mv),
                Err(Unsolved::Stopped) => return Err(Unsolved::Stopped),
                Err(_) => return Err(broken(position)),
            };
            if !position.is_legal(mv) {
                return Err(broken(position));
            }
            vec![mv]
        } else {
            position.legal_moves().collect()
        };
        for mv in moves {
            let mut next = position.clone();
            next.play_unchecked(mv);
            path.push((stones(self.field, next.board()), next.to_move().index()));
            self.walk(&next, path)?;
            path.pop();
        }
        Ok(())
    }

    /// True if what the winner has for certain is enough.
    fn is_settled(&self, position: &Position) -> bool {
        let found = pass_alive(position.board(), self.winner, position.rules().suicide);
        let sure = 2 * (found.stones.len() + found.territory.len()) as i32 - position.size().area() as i32;
        let bar = i32::from(self.bar);
        if self.winner == Color::Black { sure >= bar } else { -sure < bar }
    }
}

/// The line that has led to `position` breaks the proof.
fn broken(position: &Position) -> Unsolved {
    let moves: Vec<String> = position.moves().iter().map(|&(_, mv)| position.size().vertex(mv)).collect();
    Unsolved::Broken(moves.join(" "))
}
