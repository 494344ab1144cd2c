//! Which stones a move saved or lost, by how much of them each side was expected to own.

use super::look::Look;
use crate::board::{Board, Color, Point};

/// Chains whose fate a mistake changed, in words: at most so many.
const MOST_NAMED: usize = 2;
/// A chain's fate has changed if its ownership moved by at least this, of 2 from dead to alive.
const TURN: f32 = 0.6;
/// Ownership above which a chain is thought to live, and below whose negative it is not.
const ALIVE: f32 = 0.15;
/// Fewer stones are not worth a sentence.
const FEWEST: usize = 2;

/// A chain whose fate has changed.
pub(super) struct Stake {
    /// Whose stones.
    pub(super) color: Color,
    /// How many.
    pub(super) stones: usize,
    /// One of them.
    pub(super) at: Point,
    /// Whether they live now.
    pub(super) lives: bool,
}

/// What a move of `color` cost it, with the board and the looks `before` and `after`: its own stones that are in danger now, and those of the
/// opponent that live now. The largest first.
pub(super) fn stakes(board: &Board, color: Color, before: &Look, after: &Look) -> Vec<Stake> {
    let size = board.size();
    if before.ownership.is_empty() || after.ownership.is_empty() {
        return Vec::new();
    }
    let mut stakes = Vec::new();
    for head in size.points().filter(|&point| board.head(point) == point && board.chain_length(point) >= FEWEST) {
        let Some(owner) = board.stone(head) else { continue };
        let stones = board.chain_length(head);
        let owned = |look: &Look| {
            let sum: f32 = board.chain(head).map(|stone| look.owned(size.dense(stone))).sum();
            owner.sign() * sum / stones as f32
        };
        let (was, is) = (owned(before), owned(after));
        let lost = owner == color && was > ALIVE && is < ALIVE && was - is > TURN;
        let lives = owner != color && is > ALIVE && was < ALIVE && is - was > TURN;
        if lost || lives {
            stakes.push(Stake { color: owner, stones, at: head, lives });
        }
    }
    stakes.sort_by_key(|stake| std::cmp::Reverse(stake.stones));
    stakes.truncate(MOST_NAMED);
    stakes
}

#[cfg(test)]
mod tests {
    use super::stakes;
    use crate::board::{Board, Color};
    use crate::review::Look;

    #[test]
    fn chains_that_change_hands_are_named() {
        let board = Board::from_drawing("X X . .\n. . . O\nO O . .\nX . . .").unwrap();
        let look = |first: i8, third: i8| Look {
            to_move: Color::Black,
            visits: 1,
            winrate: 0.5,
            lead: 0.0,
            score_stdev: 0.0,
            choices: Vec::new(),
            policy: Vec::new(),
            ownership: [[first; 4], [0; 4], [third; 4], [0; 4]].concat(),
        };
        let found = |before: &Look, after: &Look, color| -> Vec<(char, usize, bool)> {
            stakes(&board, color, before, after).iter().map(|stake| (stake.color.letter(), stake.stones, stake.lives)).collect()
        };
        let (before, after) = (look(20, 20), look(-20, -20));
        // Black lost its two stones, and let White's two live.
        assert_eq!(found(&before, &after, Color::Black), [('B', 2, false), ('W', 2, true)]);
        assert_eq!(found(&before, &after, Color::White), []);
        assert_eq!(found(&before, &look(15, 15), Color::Black), []);
        let unknown = Look { ownership: Vec::new(), ..before.clone() };
        assert_eq!(found(&unknown, &after, Color::Black), []);
    }
}
