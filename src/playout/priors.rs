//! What is thought of each move before it was tried: the generator's suggestions, all over the board, as prior games.
//!
//! Weights are in units of the even prior, since only their proportion matters. Where nothing else is said they follow michi (P. Baudis,
//! a minimal Go engine, 2015), tuned there against GNU Go on 9x9 to 19x19.

use crate::board::{Board, Cell, Color, GRID, Move, Point, Shapes, Size};

use super::moves::{self, Atari, Ladders, Moves};

/// A move and what is thought of it, from the side of the player to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PriorMove {
    /// The move.
    pub mv: Move,
    /// How many games the opinion is worth.
    pub games: f32,
    /// The share of these games that the player wins, from 0 to 1.
    pub value: f32,
    /// Probability that a good player chooses the move; the policies of a position sum to 1.
    pub policy: f32,
}

/// What each piece of knowledge is worth, in even priors; more for the stones at stake (see [`at_stake`]).
mod weight {
    /// Taking a chain in atari, saving an own one.
    pub(super) const CAPTURE: f32 = 1.5;
    /// An atari that catches its chain, a move that frees one from being caught.
    pub(super) const CATCH: f32 = 1.0;
    /// An atari from which its chain gets away.
    pub(super) const CHASE: f32 = 0.2;
    /// Running from atari though there is no way out, against.
    pub(super) const LOST_ESCAPE: f32 = 1.5;
    /// Self-atari for nothing, against.
    pub(super) const SELF_ATARI: f32 = 1.0;
    /// The vital point of a small eye space, the last diagonal of an eye.
    pub(super) const VITAL: f32 = 1.5;
    /// A good shape.
    pub(super) const SHAPE: f32 = 1.0;
    /// Nearness to the last move by 1, 2, 3, 4 steps. (michi has 2.4, 2.2, 0.8 and nothing beyond.)
    pub(super) const NEAR: [f32; 4] = [2.0, 1.8, 0.8, 0.4];
    /// Far from all stones: first and second line, against; third and fourth line, for.
    pub(super) const EMPTY_EDGE: f32 = 1.0;
    /// A pass while there is something to play, against.
    pub(super) const PASS: f32 = 1.0;
}

/// Distance within which a stone makes an area not empty.
const EMPTY_AREA: usize = 3;
/// From this short side on the board has room for openings along the third and fourth line.
const OPENING_SIDE: usize = 11;
/// Opinion, in even priors, that makes a move e times as likely in the policy.
const POLICY_SCALE: f32 = 1.0;

/// Thinks of moves. One for each thread: it has a board of its own to read ladders on.
pub struct Priors {
    board: Board,
    /// By grid index: opinions for and against, in even priors.
    good: [f32; GRID],
    bad: [f32; GRID],
}

impl Default for Priors {
    fn default() -> Self {
        Self { board: Board::new(Size::STANDARD), good: [0.0; GRID], bad: [0.0; GRID] }
    }
}

impl Priors {
    /// One that has not thought yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Fills `out` with every sensible move of `to_move` on `board`: those that `is_legal` allows, but into own true eyes, and the pass. `even` is
    /// the number of games with even result that each starts with; `last_moves` are the moves that led here, the latest first.
    pub fn think(
        &mut self,
        board: &Board,
        to_move: Color,
        last_moves: [Move; 2],
        even: f32,
        is_legal: impl Fn(Point) -> bool,
        out: &mut Vec<PriorMove>,
    ) {
        self.board.clone_from(board);
        self.good[..board.size().grid()].fill(0.0);
        self.bad[..board.size().grid()].fill(0.0);
        self.judge_chains(to_move);
        self.judge_points(to_move);
        if let Some(last) = last_moves[0].point() {
            self.judge_surroundings(to_move, last);
        }
        out.clear();
        let sensible = board.size().points().filter(|&point| is_legal(point) && !board.is_true_eye(to_move, point));
        out.extend(sensible.map(|point| prior(point.into(), even, self.good[point.index()], self.bad[point.index()])));
        let against = if out.is_empty() { 0.0 } else { weight::PASS };
        out.push(prior(Move::PASS, even, 0.0, against));
        let total: f32 = out.iter().map(|prior| prior.policy).sum();
        for prior in out {
            prior.policy /= total;
        }
    }

    fn favor(&mut self, point: Point, weight: f32) {
        self.good[point.index()] += weight;
    }

    fn favor_all(&mut self, points: &[Point], weight: f32) {
        for &point in points {
            self.favor(point, weight);
        }
    }

    fn oppose(&mut self, point: Point, weight: f32) {
        self.bad[point.index()] += weight;
    }

    /// Captures, saves, ataris and ladders, chain by chain.
    fn judge_chains(&mut self, to_move: Color) {
        for chain in self.board.size().points() {
            let Some(color) = self.board.stone(chain).filter(|_| self.board.head(chain) == chain) else { continue };
            let stake = at_stake(self.board.chain_length(chain));
            let mut found = Moves::new();
            if let Some(liberty) = self.board.atari_liberty(chain) {
                moves::settle_atari(&mut self.board, to_move, chain, Ladders::Everywhere, &mut found);
                self.favor_all(&found, weight::CAPTURE * stake);
                if color == to_move && !found.contains(&liberty) {
                    self.oppose(liberty, weight::LOST_ESCAPE * stake);
                }
            } else if let Some(liberties) = self.board.two_liberties(chain) {
                if color == to_move {
                    moves::defenses(&mut self.board, to_move, chain, liberties, Ladders::Everywhere, &mut found);
                    self.favor_all(&found, weight::CATCH * stake);
                } else {
                    self.judge_ataris(to_move, chain, liberties, stake);
                }
            }
        }
    }

    fn judge_ataris(&mut self, to_move: Color, chain: Point, [a, b]: [Point; 2], stake: f32) {
        for pair in [[a, b], [b, a]] {
            match moves::atari(&mut self.board, to_move, chain, pair, Ladders::Everywhere) {
                Some(Atari::Catches) => self.favor(pair[0], weight::CATCH * stake),
                Some(Atari::Chases) => self.favor(pair[0], weight::CHASE),
                None => {}
            }
        }
    }

    /// Shapes, self-ataris, eye spaces and lines, point by point.
    fn judge_points(&mut self, to_move: Color) {
        let size = self.board.size();
        let shapes = Shapes::all();
        let opening = size.width().min(size.height()) >= OPENING_SIDE;
        for point in size.points().filter(|&point| self.board.is_empty(point)).collect::<arrayvec::ArrayVec<_, GRID>>() {
            if shapes.fit(&self.board, point) {
                self.favor(point, weight::SHAPE);
            }
            if moves::is_bad_self_atari(&self.board, to_move, point) {
                let own = self.board.neighbors(point).filter(|&near| self.board.stone(near) == Some(to_move));
                let stones = own.map(|near| self.board.chain_length(near)).max().unwrap_or(0);
                self.oppose(point, weight::SELF_ATARI * at_stake(stones + 1));
            }
            if moves::vital_point(&self.board, point) == Some(point) {
                self.favor(point, weight::VITAL);
            }
            let line = line(size, point);
            if line <= 4 && is_area_empty(&self.board, point) {
                match line {
                    1 | 2 => self.oppose(point, weight::EMPTY_EDGE),
                    3 => self.favor(point, weight::EMPTY_EDGE),
                    _ if opening => self.favor(point, weight::EMPTY_EDGE),
                    _ => {}
                }
            }
        }
    }

    /// What the last move calls for: replies near it, and the eyes it threatens.
    fn judge_surroundings(&mut self, to_move: Color, last: Point) {
        if let Some(keeper) = moves::eye_keeper(&self.board, to_move, last) {
            self.favor(keeper, weight::VITAL);
        }
        let good = &mut self.good;
        for_each_near(&self.board, last, |point, steps| good[point.index()] += weight::NEAR[steps - 1]);
    }
}

/// The opinions `good` and `bad`, in even priors, as a prior whose policy is not yet normalised.
fn prior(mv: Move, even: f32, good: f32, bad: f32) -> PriorMove {
    let games = even * (1.0 + good + bad);
    let value = (0.5 + good) / (1.0 + good + bad);
    PriorMove { mv, games, value, policy: ((good - bad) / POLICY_SCALE).exp() }
}

/// How much more a move matters if so many stones hang on it: from 1 for a single one to 2 for many.
fn at_stake(stones: usize) -> f32 {
    2.0 - 1.0 / stones.max(1) as f32
}

/// Which line from the nearest edge `point` is on, from 1.
fn line(size: Size, point: Point) -> usize {
    let coord = size.coord(point);
    let (x, y) = (coord.x as usize, coord.y as usize);
    1 + x.min(y).min(size.width() - 1 - x).min(size.height() - 1 - y)
}

/// True if there is no stone within [`EMPTY_AREA`] steps of the empty point `point`.
fn is_area_empty(board: &Board, point: Point) -> bool {
    let size = board.size();
    let coord = size.coord(point);
    let (x, y) = (coord.x as usize, coord.y as usize);
    let rows = y.saturating_sub(EMPTY_AREA)..=(y + EMPTY_AREA).min(size.height() - 1);
    rows.into_iter().all(|row| {
        let reach = EMPTY_AREA - row.abs_diff(y);
        let mut columns = x.saturating_sub(reach)..=(x + reach).min(size.width() - 1);
        columns.all(|column| size.point(column, row).is_none_or(|near| board.is_empty(near)))
    })
}

/// Calls `visit` for each empty point that is one to four steps away from `last`, with that number. Steps are those of the common fate
/// graph, in which a chain is one node (T. Graepel et al., Learning on Graphs in the Game of Go, 2001).
fn for_each_near(board: &Board, last: Point, mut visit: impl FnMut(Point, usize)) {
    let mut seen = crate::board::PointSet::EMPTY;
    let mut reached: arrayvec::ArrayVec<Point, GRID> = arrayvec::ArrayVec::new();
    for stone in board.chain(last) {
        seen.insert(stone);
        reached.push(stone);
    }
    let mut start = 0;
    for steps in 1..=weight::NEAR.len() {
        let end = reached.len();
        for done in start..end {
            for near in board.around(reached[done].index()) {
                if board.cell(near) == Cell::BORDER || seen.contains(Point::from_index(near)) {
                    continue;
                }
                // A stone brings its whole chain; an empty point is a chain of itself.
                for point in board.chain(Point::from_index(near)) {
                    seen.insert(point);
                    reached.push(point);
                }
            }
        }
        for &point in reached[end..].iter().filter(|&&point| board.is_empty(point)) {
            visit(point, steps);
        }
        start = end;
    }
}

#[cfg(test)]
mod tests {
    use super::{PriorMove, Priors};
    use crate::board::{Board, Color, Move};

    const EVEN: f32 = 14.0;

    fn think(drawing: &str, last: &str) -> (Board, Vec<PriorMove>) {
        let board = Board::from_drawing(drawing).unwrap();
        let last = board.size().parse_vertex(last).unwrap();
        let mut out = Vec::new();
        Priors::new().think(
            &board,
            Color::Black,
            [last, Move::PASS],
            EVEN,
            |point| board.is_legal(Color::Black, point),
            &mut out,
        );
        (board, out)
    }

    fn of(board: &Board, priors: &[PriorMove], vertex: &str) -> Option<PriorMove> {
        let mv = board.size().parse_vertex(vertex).unwrap();
        priors.iter().copied().find(|prior| prior.mv == mv)
    }

    #[test]
    fn policies_sum_to_one_and_values_are_shares() {
        let (board, priors) = think(". . . . .\n. X O . .\n. O . . .\n. . . . .\n. . . . .", "B3");
        assert_eq!(priors.len(), board.empties().len() + 1);
        assert!((priors.iter().map(|prior| prior.policy).sum::<f32>() - 1.0).abs() < 1e-5);
        assert!(priors.iter().all(|prior| prior.games >= EVEN && (0.0..=1.0).contains(&prior.value)));
        assert!(priors.iter().map(|prior| prior.mv).collect::<std::collections::HashSet<_>>().len() == priors.len());
    }

    #[test]
    fn own_eyes_are_left_out_and_a_pass_is_even_when_nothing_else_is_left() {
        let (board, priors) = think(". X . X O\nX X X X O\nO O O O O\n. O O O .\nO O O O O", "pass");
        assert!(of(&board, &priors, "A5").is_none() && of(&board, &priors, "C5").is_none());
        assert_eq!(priors.len(), 1);
        let pass = of(&board, &priors, "pass").unwrap();
        assert_eq!((pass.games, pass.value, pass.policy), (EVEN, 0.5, 1.0));
    }

    #[test]
    fn captures_outrank_quiet_moves_and_larger_ones_smaller() {
        // Black can take the single stone at A7 or the three at the right.
        let drawing = "
            O X . . . X O
            . . . . . X O
            . . . . . X O
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .";
        let (board, priors) = think(drawing, "pass");
        let [one, three, quiet] = ["A6", "G4", "C3"].map(|name| of(&board, &priors, name).unwrap());
        assert!(three.games > one.games && one.value > quiet.value && three.policy > one.policy && one.policy > quiet.policy);
    }

    #[test]
    fn a_lost_ladder_is_not_run_from_and_a_working_one_is_played() {
        let ladder = |last_row: &str| {
            format!(
                ". . . . . . . . .\n. . O O . . . . .\n. O X . . . . . .\n. . O . . . . . .\n. . . . . . . . .\n. . . . . . . . .\n\
                 . . . . . . {last_row} . .\n. . . . . . . . .\n. . . . . . . . ."
            )
        };
        let (board, lost) = think(&ladder("."), "C6");
        assert!(
            of(&board, &lost, "D7").unwrap().value
                < of(&think(&ladder("X"), "C6").0, &think(&ladder("X"), "C6").1, "D7").unwrap().value
        );
        let working = ". . . . . . . . .\n. . X X . . . . .\n. X O . . . . . .\n. . . . . . . . .\n. . . . . . . . .\n. . . . . . . . .\n\
                       . . . . . . . . .\n. . . . . . . . .\n. . . . . . . . .";
        let (board, priors) = think(working, "pass");
        let [works, fails] = ["C6", "D7"].map(|name| of(&board, &priors, name).unwrap());
        assert!(works.value > fails.value && works.policy > fails.policy);
    }

    #[test]
    fn self_atari_is_disfavored_and_the_opening_is_on_the_third_line() {
        let (board, priors) = think(". O . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .", "pass");
        assert!(of(&board, &priors, "A5").unwrap().value < 0.5);
        let empty = ". . . . . . . . . . . . .\n".repeat(13);
        let (board, priors) = think(&empty, "pass");
        let [first, second, third, fourth, center] =
            ["G1", "G2", "G3", "G4", "G7"].map(|name| of(&board, &priors, name).unwrap().value);
        assert!(first < center && second < center && third > center && fourth > center && center == 0.5);
    }

    #[test]
    fn near_the_last_move_means_along_chains() {
        // D5 is four steps from A5 by foot, but two by the chain that A5 touches.
        let far = ". O . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .";
        let chained = "O X X X X . .\n. . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .";
        let near = |drawing: &str, last: &str, name: &str| {
            let (board, priors) = think(drawing, last);
            let with = of(&board, &priors, name).unwrap();
            let without = of(&board, &think(drawing, "pass").1, name).unwrap();
            (with.games - without.games) / EVEN
        };
        assert!((near(far, "B7", "C7") - super::weight::NEAR[0]).abs() < 1e-4);
        assert!((near(far, "B7", "F7") - super::weight::NEAR[3]).abs() < 1e-4);
        assert!(near(far, "B7", "G7").abs() < 1e-4);
        assert!((near(chained, "A7", "F7") - super::weight::NEAR[1]).abs() < 1e-4);
    }
}
