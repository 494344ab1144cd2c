//! A tree search about some stones: the game of Go in which nothing counts but what becomes of them. Far cheaper to win than a whole game, and what a search by network or playouts
//! knows of life and death it shows here without the rest of the board between.

use std::sync::Arc;

use crate::board::{Board, Color, Move, Point, PointSet};
use crate::eval::{Evaluation, Evaluator, Evidence, Request};
use crate::game::Game;
use crate::params::SearchParams;
use crate::rules::Position;
use crate::search::{Limits, Report, Restriction, Search, SearchOptions};
use crate::util::StopFlag;

/// A stone that counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stake {
    /// Where it stands.
    pub(super) point: Point,
    /// Whose it is.
    pub(super) color: Color,
    /// How much it counts, above 0.
    pub(super) weight: f32,
}

/// Most stones that count: a bit each.
const MOST_STAKES: usize = 128;

/// A state of the contest.
#[derive(Clone)]
pub(super) struct Contest {
    position: Position,
    stakes: Arc<[Stake]>,
    /// A bit for each stake that was not captured.
    left: u128,
    passes: u8,
}

impl Contest {
    /// The contest about `stakes`, of which the weightiest are taken if there are too many.
    pub(super) fn new(position: Position, mut stakes: Vec<Stake>) -> Self {
        stakes.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        stakes.truncate(MOST_STAKES);
        let left = u128::MAX >> (MOST_STAKES - stakes.len().max(1));
        Self { position, stakes: stakes.into(), left, passes: 0 }
    }

    /// What Black has of the stakes, from -1 to 1, if `owner` says whose each point is: the captured ones are lost for good.
    fn worth(&self, owner: impl Fn(Point) -> f32) -> f32 {
        let (mut sum, mut all) = (0.0, f32::MIN_POSITIVE);
        for (place, stake) in self.stakes.iter().enumerate() {
            let is_left = self.left >> place & 1 == 1;
            sum += stake.weight * if is_left { owner(stake.point) } else { -stake.color.sign() };
            all += stake.weight;
        }
        (sum / all).clamp(-1.0, 1.0)
    }

    /// Whose stone is on `point`, as an owner.
    fn stone(&self, point: Point) -> f32 {
        self.position.board().stone(point).map_or(0.0, Color::sign)
    }
}

impl Game for Contest {
    type Action = Move;
    const ACTIONS: usize = Point::INDICES;

    fn index(action: Move) -> usize {
        Position::index(action)
    }

    fn action(index: usize) -> Move {
        Position::action(index)
    }

    fn player(&self) -> usize {
        self.position.to_move().index()
    }

    fn actions(&self, actions: &mut Vec<Move>) {
        self.position.actions(actions);
    }

    fn apply(&mut self, action: Move) {
        self.position.play_unchecked(action);
        if action.is_pass() {
            self.passes += 1;
            return;
        }
        self.passes = 0;
        let board = self.position.board();
        for (place, stake) in self.stakes.iter().enumerate() {
            if self.left >> place & 1 == 1 && board.stone(stake.point) != Some(stake.color) {
                self.left &= !(1 << place);
            }
        }
    }

    /// Nothing is left to fight about, or both passed: then what stands stands.
    fn is_terminal(&self) -> bool {
        self.left == 0 || self.passes >= 2 || self.position.is_over()
    }

    fn utility(&self) -> f32 {
        self.worth(|point| self.stone(point))
    }

    fn ownership(&self, ownership: &mut Vec<f32>) {
        ownership.clear();
        ownership.extend(self.position.size().points().map(|point| self.stone(point)));
    }

    fn area(&self) -> usize {
        self.position.size().area()
    }
}

/// Judges a contest by who owns the stakes, as an evaluator of Go tells.
pub(super) struct Judge(pub(super) Box<dyn Evaluator<Position>>);

impl Evaluator<Contest> for Judge {
    fn evidence(&self) -> Evidence {
        self.0.evidence()
    }

    fn evaluate(&mut self, requests: &[Request<'_, Contest>], out: &mut [Evaluation<Move>]) {
        let positions: Vec<Request<'_, Position>> = requests
            .iter()
            .map(|request| Request { state: &request.state.position, priors: request.priors, root: request.root })
            .collect();
        self.0.evaluate(&positions, out);
        for (request, evaluation) in requests.iter().zip(out) {
            let size = request.state.position.size();
            let worth = request.state.worth(|point| evaluation.ownership.get(size.dense(point)).copied().unwrap_or(0.0));
            evaluation.set_final(worth, worth, 0.0);
        }
    }
}

/// What is searched: a fight on a part of the board.
#[derive(Clone)]
pub(super) struct Fight<'a> {
    /// The position.
    pub(super) position: &'a Position,
    /// The stones that count.
    pub(super) stakes: Vec<Stake>,
    /// Where both sides play; besides where stones stand, for these may be captured.
    pub(super) area: PointSet,
}

/// Who searches fights, a thread for each judge.
pub(super) struct Searchers<'a> {
    /// They judge positions.
    pub(super) judges: &'a mut [Box<dyn Evaluator<Contest>>],
    /// How the tree is searched.
    pub(super) params: &'a SearchParams,
    /// Ends it.
    pub(super) stop: &'a StopFlag,
}

impl Searchers<'_> {
    /// Searches a fight within `limits`, with a tree of so many bytes. Who owns each point after each first move is told.
    pub(super) fn search(&mut self, fight: Fight<'_>, memory: u64, limits: &Limits) -> Report<Move> {
        let Fight { position, stakes, area } = fight;
        let board = position.board();
        let first: Vec<Move> = area.iter().map(Move::from).collect();
        let at_once = Restriction { player: position.to_move().index(), actions: first, only: true, until_depth: 1 };
        let stones = position.size().points().filter(|&point| !board.is_empty(point));
        // Later, somebody may have nothing left to do.
        let actions: Vec<Move> = area.iter().chain(stones).map(Move::from).chain([Move::PASS]).collect();
        let later = |player| Restriction { player, actions: actions.clone(), only: true, until_depth: usize::MAX };
        let options =
            SearchOptions { restrictions: vec![at_once, later(0), later(1)], moves_ownership: true, ..SearchOptions::default() };
        let mut search = Search::new(Contest::new(position.clone(), stakes), memory);
        search.run(self.judges, self.params, limits, &options, self.stop, None)
    }
}

/// The empty points within `reach` steps of any of `points`.
pub(super) fn near(board: &Board, points: &PointSet, reach: usize) -> PointSet {
    let mut near = *points;
    for _ in 0..reach {
        near.extend(&near.iter().flat_map(|point| board.neighbors(point)).collect());
    }
    near.iter().filter(|&point| board.is_empty(point)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    #[test]
    fn a_captured_stake_is_lost_for_good() {
        let board = Board::from_drawing(
            "
            . O X .
            . X . .
            . . . .
            . . . O",
        )
        .unwrap();
        let size = board.size();
        let at = |vertex: &str| size.parse_vertex(vertex).unwrap().point().unwrap();
        let stakes = [("B4", 3.0), ("D1", 1.0)].map(|(vertex, weight)| Stake { point: at(vertex), color: Color::White, weight });
        let position = Position::from_board(board, Color::Black, Rules::parse("tromp-taylor").unwrap());
        let mut contest = Contest::new(position, stakes.to_vec());
        assert_eq!(contest.utility(), -1.0);
        contest.apply(Move::from(at("A4")));
        assert_eq!(contest.utility(), 0.5, "three parts of four are Black's, and it is not over");
        assert!(!contest.is_terminal());
        // A white stone there now is not the one in question.
        assert_eq!(contest.worth(|_| -1.0), 0.5);
        contest.apply(Move::PASS);
        contest.apply(Move::PASS);
        assert!(contest.is_terminal());
    }
}
