//! One position: what a network is shown, and what it should have said.

use crate::board::{Board, Color, Coord, Move, Point, PointSet, Size};
use crate::nn::{GLOBALS, Inputs, META_INPUTS, PLANES};
use crate::rules::{self, Phase, Position, Scoring, Tax};
use crate::util::Rng;

use super::score;
use super::targets::{MOST_SCORE, Targets};

/// Most visits that a move is given; where a search has more, all are scaled.
const MOST_VISITS: u32 = 30_000;
/// What stands for 1 in [`Row::scoring`].
const SCORING_UNIT: f32 = 120.0;
/// What stands for a sure win in [`QValues::win_loss`].
const WIN_UNIT: f32 = 32_000.0;
/// What stands for a point in [`QValues::score`].
const POINT_UNIT: f32 = 60.0;

/// A position for training. All planes are those of the tensor, a square of `side` by `side` points whose upper left corner is the board, row by
/// row from the top; off the board they are zero. Everything is seen from the player to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The tensor's width and height.
    pub side: usize,
    /// The board.
    pub board: Size,
    /// The [`PLANES`] input planes one after the other, each of [`Row::plane_bytes`], with eight points a byte, the first in the highest bit.
    pub planes: Vec<u8>,
    /// The global inputs.
    pub globals: [f32; GLOBALS],
    /// Who is playing, if the file says so.
    pub meta: Option<Box<[f32; META_INPUTS]>>,
    /// Visits of each point, and last of the pass. All 1 if unknown.
    pub policy: Vec<i16>,
    /// The same of the next turn, the opponent's.
    pub reply: Vec<i16>,
    /// The final score's distribution, in hundredths. Place i stands for i - length / 2 + 0.5 points.
    pub score: Vec<i8>,
    /// Whose each point is in the end: 1, -1 the opponent's, 0 nobody's.
    pub ownership: Vec<i8>,
    /// Points that one side surrounds in the end, but that do not count for it.
    pub seki: Vec<i8>,
    /// The stones 8 moves and 32 moves on, or at the end if that is sooner: 1, -1 the opponent's.
    pub future: [Vec<i8>; 2],
    /// What each point scores in the end, from -120 to 120, with group tax.
    pub scoring: Vec<i8>,
    /// What a search found each move to be worth.
    pub q_values: Option<QValues>,
    /// All other targets, and how much each counts.
    pub targets: Targets,
}

/// What a search found each move to be worth: each point's, and last the pass's.
#[derive(Clone, Debug, PartialEq)]
pub struct QValues {
    /// Win less loss, from -32000 to 32000.
    pub win_loss: Vec<i16>,
    /// Score, in sixtieths of a point.
    pub score: Vec<i16>,
    /// Visits; where there are none the others mean nothing.
    pub visits: Vec<i16>,
}

impl QValues {
    /// No visits.
    pub(super) fn none(length: usize) -> Self {
        Self { win_loss: vec![0; length], score: vec![0; length], visits: vec![0; length] }
    }
}

impl Row {
    /// A row of what [`Features`](crate::nn::Features) made, with no target known: all weights are zero but the row's own.
    ///
    /// # Panics
    /// If the tensor is no square.
    pub fn new(inputs: &Inputs) -> Self {
        let side = inputs.tensor.width();
        assert_eq!(side, inputs.tensor.height(), "a row's tensor is a square");
        let area = side * side;
        let bytes = plane_bytes(side);
        let mut planes = vec![0; PLANES * bytes];
        for (place, point) in inputs.spatial.chunks_exact(PLANES).enumerate() {
            for (plane, _) in point.iter().enumerate().filter(|&(_, &value)| value != 0.0) {
                planes[plane * bytes + place / 8] |= 0x80 >> (place % 8);
            }
        }
        let mut targets = Targets { history: [true; 5], ..Targets::default() };
        targets.weights.row = 1.0;
        Self {
            side,
            board: inputs.board,
            planes,
            globals: inputs.global,
            meta: inputs.meta.clone(),
            policy: vec![1; area + 1],
            reply: vec![1; area + 1],
            score: score::unknown(area),
            ownership: vec![0; area],
            seki: vec![0; area],
            future: [vec![0; area], vec![0; area]],
            scoring: vec![0; area],
            q_values: None,
            targets,
        }
    }

    /// Bytes of one input plane.
    pub fn plane_bytes(&self) -> usize {
        plane_bytes(self.side)
    }

    /// Where a move stands in `policy`, and a point in the planes.
    pub fn place(&self, mv: Move) -> usize {
        mv.point().map_or(self.side * self.side, |point| place(self.board, self.side, point))
    }

    /// Writes the input planes as numbers, `[plane][y][x]`, into `out`, which is [`PLANES`] * side * side long.
    pub fn unpack(&self, out: &mut [f32]) {
        let (area, bytes) = (self.side * self.side, self.plane_bytes());
        for (plane, packed) in out.chunks_exact_mut(area).zip(self.planes.chunks_exact(bytes)) {
            for (place, value) in plane.iter_mut().enumerate() {
                *value = f32::from(packed[place / 8] >> (7 - place % 8) & 1);
            }
        }
    }

    /// The inputs as a backend takes them.
    pub fn inputs(&self) -> Inputs {
        let tensor = Size::square(self.side).expect("a row's tensor has the side of a board");
        let mut inputs = Inputs { board: self.board, global: self.globals, meta: self.meta.clone(), ..Inputs::new(tensor) };
        let area = self.side * self.side;
        let mut planes = vec![0.0; PLANES * area];
        self.unpack(&mut planes);
        for (place, point) in inputs.spatial.chunks_exact_mut(PLANES).enumerate() {
            for (plane, value) in point.iter_mut().enumerate() {
                *value = planes[plane * area + place];
            }
        }
        inputs
    }

    /// Says what turn of which game this is: komi, rules' kind of counting and the number of the turn.
    pub fn set_turn(&mut self, position: &Position, game: u128) {
        let targets = &mut self.targets;
        targets.game = game;
        targets.komi = -position.to_move().sign() * position.white_bonus();
        targets.counts_area = position.rules().scoring == Scoring::Area || position.phase() == Phase::Cleanup2;
        targets.turn = position.moves().len() as f32;
    }

    /// Draws whether the last five moves should be shown: each with the chance of 98 % if the one after it is, as KataGo does it, so that a
    /// network can do without.
    pub fn draw_history(&mut self, rng: &mut Rng) {
        let mut shown = true;
        self.targets.history = std::array::from_fn(|_| {
            shown &= rng.percent(98);
            shown
        });
    }

    /// Sets what the player should have played, as visits. Nothing changes if there are none.
    pub fn set_policy(&mut self, visits: &[(Move, u32)]) {
        if let Some(policy) = self.spread(visits) {
            self.policy = policy;
            self.targets.weights.policy = 1.0;
        }
    }

    /// Sets what the opponent should have played in reply, as visits. Nothing changes if there are none.
    pub fn set_reply(&mut self, visits: &[(Move, u32)]) {
        if let Some(reply) = self.spread(visits) {
            self.reply = reply;
            self.targets.weights.reply = 1.0;
        }
    }

    fn spread(&self, visits: &[(Move, u32)]) -> Option<Vec<i16>> {
        let most = visits.iter().map(|&(_, visits)| visits).max().filter(|&most| most > 0)?;
        let scale = |visits: u32| {
            if most <= MOST_VISITS {
                visits as i16
            } else {
                (f64::from(visits) * f64::from(MOST_VISITS) / f64::from(most)).round() as i16
            }
        };
        let mut spread = vec![0; self.side * self.side + 1];
        for &(mv, visits) in visits {
            spread[self.place(mv)] = scale(visits);
        }
        Some(spread)
    }

    /// Sets what the search found each move to be worth to the player to move: win less loss, score and visits.
    pub fn set_q_values(&mut self, moves: &[(Move, f32, f32, u32)]) {
        let mut values = QValues::none(self.side * self.side + 1);
        for &(mv, win_loss, score, visits) in moves {
            let place = self.place(mv);
            values.win_loss[place] = (win_loss.clamp(-1.0, 1.0) * WIN_UNIT).round() as i16;
            values.score[place] = (score.clamp(-MOST_SCORE, MOST_SCORE) * POINT_UNIT).round() as i16;
            values.visits[place] = visits.min(WIN_UNIT as u32) as i16;
        }
        self.q_values = Some(values);
    }

    /// Sets how the game ended, from the end's position, in which the stones stand that count. Figures of draws and games without result are the
    /// caller's to leave out. `to_move` is the player of this row.
    pub fn set_ending(&mut self, end: &Position, to_move: Color) {
        let suicide = end.rules().suicide;
        let (owners, area) = (end.formal_owners(suicide), rules::area(end.board(), suicide));
        self.set_owners(end, |point| owners.owner(point), |point| area.owner(point), to_move);
        self.set_final_score(end.formal_score() * to_move.sign());
    }

    /// Sets whose each point is in the end, and whose it looks, both without the tax that groups pay; `end` has the stones.
    pub fn set_owners(
        &mut self,
        end: &Position,
        owner: impl Fn(Point) -> Option<Color>,
        surrounds: impl Fn(Point) -> Option<Color>,
        to_move: Color,
    ) {
        let (board, side) = (self.board, self.side);
        let seen = |color: Color| if color == to_move { 1 } else { -1 };
        for point in board.points() {
            let place = place(board, side, point);
            self.ownership[place] = owner(point).map_or(0, seen);
            self.seki[place] = if owner(point).is_none() { surrounds(point).map_or(0, seen) } else { 0 };
            self.scoring[place] = self.ownership[place] * SCORING_UNIT as i8;
        }
        if end.rules().tax == Tax::All {
            self.tax_groups(end.board(), &owner);
        }
        (self.targets.weights.outcome, self.targets.weights.scoring) = (1.0, 1.0);
    }

    /// Spreads the two points that each group pays over its territory.
    fn tax_groups(&mut self, board: &Board, owner: &impl Fn(Point) -> Option<Color>) {
        let mut seen = PointSet::EMPTY;
        for first in board.size().points() {
            let Some(color) = owner(first).filter(|_| seen.insert(first)) else { continue };
            let mut group = vec![first];
            let mut done = 0;
            while done < group.len() {
                let near = board.neighbors(group[done]).filter(|&near| owner(near) == Some(color) && seen.insert(near));
                group.extend(near);
                done += 1;
            }
            group.retain(|&point| board.stone(point) != Some(color));
            let left = (group.len() as f32 - 2.0).max(0.0) / group.len() as f32;
            for point in group {
                let place = place(self.board, self.side, point);
                self.scoring[place] = (f32::from(self.scoring[place]) * left).round() as i8;
            }
        }
    }

    /// Sets the final score from the side of the player to move, in points.
    pub fn set_final_score(&mut self, score: f32) {
        self.score = score::at(score, self.side * self.side);
        self.targets.final_score = score.clamp(-MOST_SCORE, MOST_SCORE);
    }

    /// Sets what somebody expects of the end: whose each point of the board will be, -1 to 1, row by row, and the score with its standard
    /// deviation. `ownership` gets whole numbers, drawn so that they are right in the mean; `scoring` keeps the fractions.
    pub fn set_expected_ending(&mut self, ownership: &[f32], score: f32, stdev: f32, rng: &mut Rng) {
        for (point, &owner) in self.board.points().zip(ownership) {
            let place = place(self.board, self.side, point);
            let sure = i8::from(rng.unit() < owner.abs());
            self.ownership[place] = if owner < 0.0 { -sure } else { sure };
            self.scoring[place] = (owner.clamp(-1.0, 1.0) * SCORING_UNIT).round() as i8;
        }
        self.score = score::normal(score, stdev, self.side * self.side);
        self.targets.final_score = score.clamp(-MOST_SCORE, MOST_SCORE);
        (self.targets.weights.outcome, self.targets.weights.scoring) = (1.0, 1.0);
    }

    /// Sets the boards 8 and 32 moves on, or that at the end if it comes sooner. `to_move` is the player of this row.
    pub fn set_future(&mut self, boards: [&Board; 2], to_move: Color) {
        for (plane, board) in self.future.iter_mut().zip(boards) {
            for point in self.board.points() {
                let stone = board.stone(point).map_or(0, |color| if color == to_move { 1 } else { -1 });
                plane[place(self.board, self.side, point)] = stone;
            }
        }
        self.targets.weights.future = 1.0;
    }
}

pub(super) fn plane_bytes(side: usize) -> usize {
    (side * side).div_ceil(8)
}

fn place(board: Size, side: usize, point: Point) -> usize {
    let Coord { x, y } = board.coord(point);
    usize::from(y) * side + usize::from(x)
}
