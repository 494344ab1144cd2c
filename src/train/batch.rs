//! Rows side by side, as plain numbers.

use crate::board::Size;
use crate::nn::{GLOBALS, PLANES, Symmetry};
use crate::rows::Row;

/// Half points beyond the board's area that the score's distribution has a place for, as the rows have it.
const SCORE_MARGIN: usize = 60;
/// The input planes of the last moves, from the last on, which go out with [`Targets::history`](crate::rows::Targets::history).
const HISTORY: usize = 9;
/// The global input that is 1 where each group pays two points.
const TAX_ON_ALL: usize = 11;
/// What stands for 1 in [`Row::scoring`].
const SCORING_UNIT: f32 = 120.0;
/// The input plane of ladders; after it come those of one and two moves ago.
const LADDERS: usize = 14;

/// How much each target of a row counts: [`Weights`](crate::rows::Weights), multiplied by the row's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Weight {
    /// The player's move.
    Policy,
    /// The opponent's reply.
    Reply,
    /// How the game ended.
    Value,
    /// Averages over later turns.
    Averages,
    /// Ownership, final score and its distribution.
    Outcome,
    /// The lead.
    Lead,
    /// The boards to come.
    Future,
    /// What each point scores.
    Scoring,
}

/// Number of weights of a row.
pub const WEIGHTS: usize = 8;

/// Rows with boards of one size, and so of tensors that are all board. Each field runs through the rows in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// The board of all rows.
    pub board: Size,
    /// Number of rows.
    pub rows: usize,
    /// Input planes, `[row][y][x][plane]`.
    pub planes: Vec<f32>,
    /// Global inputs, `[row][19]`.
    pub globals: Vec<f32>,
    /// Probabilities of the player's moves, `[row][points + 1]`, the pass last.
    pub policy: Vec<f32>,
    /// Those of the opponent's reply.
    pub reply: Vec<f32>,
    /// Win, loss and no result, `[row][3]`.
    pub value: Vec<f32>,
    /// The same as averaged over later turns, `[row][far, middle, near][3]`.
    pub averages: Vec<f32>,
    /// Final score in points, `[row]`.
    pub score: Vec<f32>,
    /// Probabilities of scores, `[row][`[`score_places`]`]`; place i stands for i - length / 2 + 0.5 points.
    pub places: Vec<f32>,
    /// Lead in points, `[row]`.
    pub lead: Vec<f32>,
    /// When the win rate changes, in turns, `[row]`.
    pub variance_time: Vec<f32>,
    /// Whose each point is, -1 to 1, `[row][y][x]`.
    pub ownership: Vec<f32>,
    /// What each point scores, -1 to 1, `[row][y][x]`.
    pub scoring: Vec<f32>,
    /// The stones 8 and 32 moves on, -1 to 1, `[row][2][y][x]`.
    pub future: Vec<f32>,
    /// How much each target counts, `[`[`Weight`]`][row]`.
    pub weights: [Vec<f32>; WEIGHTS],
}

/// Places of the score's distribution on a board.
pub fn score_places(board: Size) -> usize {
    2 * (board.area() + SCORE_MARGIN)
}

/// How rows become targets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// How much of a search's (or a teacher's) opinion of the position itself is in the value's target, 0 to 1; the rest is how the game ended.
    pub search: f32,
}

impl Batch {
    /// No rows yet, with memory for `rows`.
    pub fn new(board: Size, rows: usize) -> Self {
        let area = board.area();
        let room = |each: usize| Vec::with_capacity(rows * each);
        Self {
            board,
            rows: 0,
            planes: room(area * PLANES),
            globals: room(GLOBALS),
            policy: room(area + 1),
            reply: room(area + 1),
            value: room(3),
            averages: room(9),
            score: room(1),
            places: room(score_places(board)),
            lead: room(1),
            variance_time: room(1),
            ownership: room(area),
            scoring: room(area),
            future: room(2 * area),
            weights: std::array::from_fn(|_| room(1)),
        }
    }

    /// Adds a row, turned by `symmetry` (as far as the board allows).
    ///
    /// # Panics
    /// If the row's board is another one.
    pub fn push(&mut self, row: &Row, symmetry: Symmetry, blend: Blend) {
        assert_eq!(row.board, self.board, "rows of a batch have boards of one size");
        self.rows += 1;
        let turn = Turn::new(row, symmetry);
        self.push_inputs(row, &turn);
        turn.moves(&row.policy, &mut self.policy);
        turn.moves(&row.reply, &mut self.reply);
        // What a teacher expects stands in `scoring` to the hundredth, in `ownership` as drawn by lot. They mean the same unless groups pay tax.
        if row.targets.weights.scoring > 0.0 && row.globals[TAX_ON_ALL] == 0.0 {
            turn.points(&row.scoring, SCORING_UNIT, &mut self.ownership);
        } else {
            turn.points(&row.ownership, 1.0, &mut self.ownership);
        }
        turn.points(&row.scoring, SCORING_UNIT, &mut self.scoring);
        row.future.iter().for_each(|plane| turn.points(plane, 1.0, &mut self.future));
        self.push_score(&row.score);
        let targets = &row.targets;
        let weights = &targets.weights;
        let share = if weights.averages > 0.0 { blend.search } else { 0.0 };
        let mix = |result: f32, now: f32| result + (now - result) * share;
        self.value.extend([
            mix(targets.result.win, targets.now.win),
            mix(targets.result.loss, targets.now.loss),
            mix(targets.result.no_result, targets.now.no_result),
        ]);
        self.averages.extend(targets.averages.iter().flat_map(|values| [values.win, values.loss, values.no_result]));
        self.score.push(targets.final_score);
        self.lead.push(targets.lead);
        self.variance_time.push(targets.variance_time);
        let all = [
            weights.policy,
            weights.reply,
            weights.value,
            weights.averages,
            weights.outcome,
            weights.lead,
            weights.future,
            weights.scoring,
        ];
        for (column, weight) in self.weights.iter_mut().zip(all) {
            column.push(weight * weights.row);
        }
    }

    /// The batch in `count` parts of about as many rows each, fewer if there are not as many rows.
    pub fn split(&self, count: usize) -> Vec<Self> {
        let count = count.clamp(1, self.rows.max(1));
        (0..count).map(|part| self.part(self.rows * part / count..self.rows * (part + 1) / count)).collect()
    }

    fn part(&self, rows: std::ops::Range<usize>) -> Self {
        let of = |values: &Vec<f32>| {
            let each = values.len() / self.rows.max(1);
            values[rows.start * each..rows.end * each].to_vec()
        };
        Self {
            board: self.board,
            rows: rows.len(),
            planes: of(&self.planes),
            globals: of(&self.globals),
            policy: of(&self.policy),
            reply: of(&self.reply),
            value: of(&self.value),
            averages: of(&self.averages),
            score: of(&self.score),
            places: of(&self.places),
            lead: of(&self.lead),
            variance_time: of(&self.variance_time),
            ownership: of(&self.ownership),
            scoring: of(&self.scoring),
            future: of(&self.future),
            weights: std::array::from_fn(|weight| of(&self.weights[weight])),
        }
    }

    fn push_inputs(&mut self, row: &Row, turn: &Turn) {
        let (start, bytes, history) = (self.planes.len(), row.plane_bytes(), row.targets.history);
        self.planes.resize(start + self.board.area() * PLANES, 0.0);
        let planes = &mut self.planes[start..];
        for (plane, packed) in row.planes.chunks_exact(bytes).enumerate() {
            // A plane of a move that is not shown is empty, ladders are shown as of the last board that is.
            let packed = match plane {
                HISTORY.. if plane < LADDERS && !history[plane - HISTORY] => continue,
                _ if plane > LADDERS && plane <= LADDERS + 2 => {
                    let shown = (0..plane - LADDERS).take_while(|&ago| history[ago]).count();
                    &row.planes[(LADDERS + shown) * bytes..][..bytes]
                }
                _ => packed,
            };
            for &(from, to) in &turn.places {
                if packed[from / 8] >> (7 - from % 8) & 1 == 1 {
                    planes[to * PLANES + plane] = 1.0;
                }
            }
        }
        let globals = row.globals.iter().enumerate();
        self.globals.extend(globals.map(|(i, &value)| if history.get(i) == Some(&false) { 0.0 } else { value }));
    }

    /// Cuts the distribution to what this board has places for; what lies beyond goes to the ends.
    fn push_score(&mut self, hundredths: &[i8]) {
        let (start, length) = (self.places.len(), score_places(self.board));
        self.places.resize(start + length, 0.0);
        let places = &mut self.places[start..];
        let cut = (hundredths.len() as isize - length as isize) / 2;
        for (place, &share) in hundredths.iter().enumerate() {
            let to = (place as isize - cut).clamp(0, length as isize - 1);
            places[to as usize] += f32::from(share) / 100.0;
        }
    }
}

/// A row's board, turned.
struct Turn {
    /// Where each point lies in the row's tensor, and where in the batch's.
    places: Vec<(usize, usize)>,
    pass: usize,
}

impl Turn {
    fn new(row: &Row, symmetry: Symmetry) -> Self {
        let board = row.board;
        let from = Symmetry::IDENTITY.places(board, row.side);
        let to = symmetry.within(board).places(board, board.width());
        Self { places: from.zip(to).collect(), pass: row.side * row.side }
    }

    /// Visits as probabilities. Where there are none, all moves are alike: such a target counts nothing, but has to be one.
    fn moves(&self, visits: &[i16], out: &mut Vec<f32>) {
        let (start, area) = (out.len(), self.places.len());
        out.resize(start + area + 1, 0.0);
        let moves = &mut out[start..];
        let visits = |place: usize| f32::from(visits[place].max(0));
        self.places.iter().for_each(|&(from, to)| moves[to] = visits(from));
        moves[area] = visits(self.pass);
        let sum: f32 = moves.iter().sum();
        if sum > 0.0 {
            for share in moves {
                *share /= sum;
            }
        } else {
            moves.fill(1.0 / (area + 1) as f32);
        }
    }

    fn points(&self, values: &[i8], unit: f32, out: &mut Vec<f32>) {
        let start = out.len();
        out.resize(start + self.places.len(), 0.0);
        self.places.iter().for_each(|&(from, to)| out[start + to] = f32::from(values[from]) / unit);
    }
}
