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

#[cfg(test)]
mod tests {
    use super::{Batch, Blend, Weight, score_places};
    use crate::board::{Move, Size};
    use crate::nn::{FeatureOptions, Features, Inputs, PLANES, Symmetry};
    use crate::rows::{Row, Values};
    use crate::rules::{Position, Rules};
    use crate::util::Rng;

    const PLAIN: Blend = Blend { search: 0.0 };

    /// A position with some history, and its row in a tensor that is larger than the board.
    fn example(board: Size) -> (Position, Row) {
        let mut position = Position::new(board, Rules::parse("tromp-taylor").unwrap());
        let mut rng = Rng::new(2);
        while position.moves().len() < 14 {
            let moves: Vec<Move> = board.points().map(Move::from).filter(|&mv| position.is_legal(mv)).collect();
            position.play(moves[rng.below(moves.len())]).unwrap();
        }
        let mut inputs = Inputs::new(Size::square(9).unwrap());
        Features::new().encode(&position, &FeatureOptions::default(), inputs.tensor, Symmetry::IDENTITY, &mut inputs);
        let mut row = Row::new(&inputs);
        row.set_policy(&[(Move::from(board.point(1, 0).unwrap()), 3), (Move::PASS, 1)]);
        row.set_expected_ending(&vec![0.25; board.area()], 4.0, 1.0, &mut rng);
        row.ownership[2 * 9 + 1] = 1;
        row.future[1][2 * 9 + 1] = -1;
        (position, row)
    }

    #[test]
    fn inputs_and_targets_turn_alike() {
        let board = Size::square(6).unwrap();
        let (position, row) = example(board);
        for symmetry in Symmetry::ALL {
            let mut batch = Batch::new(board, 1);
            batch.push(&row, symmetry, PLAIN);
            let mut turned = Inputs::new(board);
            Features::new().encode(&position, &FeatureOptions::default(), board, symmetry, &mut turned);
            assert_eq!(batch.planes, turned.spatial, "{symmetry:?}");
            assert_eq!(batch.globals, turned.global);
            let place = |x, y| {
                let there = symmetry.turn(board, board.coord(board.point(x, y).unwrap()));
                usize::from(there.y) * 6 + usize::from(there.x)
            };
            assert_eq!((batch.policy[place(1, 0)], batch.policy[36]), (0.75, 0.25), "{symmetry:?}");
            assert_eq!(batch.policy.iter().sum::<f32>(), 1.0);
            assert_eq!(batch.future[36 + place(1, 2)], -1.0);
            // What was expected, to the hundredth, rather than what was drawn.
            assert!(batch.ownership.iter().all(|owner| (owner - 0.25).abs() < 0.01));
        }
    }

    #[test]
    fn boards_that_are_no_squares_are_not_laid_on_their_sides() {
        let board = Size::new(4, 6).unwrap();
        let (_, row) = example(board);
        let [turned, flipped] = [7, 3].map(|bits| {
            let mut batch = Batch::new(board, 1);
            batch.push(&row, Symmetry::from_bits(bits).unwrap(), PLAIN);
            batch
        });
        assert_eq!(turned, flipped);
        assert_eq!(turned.planes.len(), 24 * PLANES);
    }

    #[test]
    fn scores_and_weights_fit_the_board() {
        let board = Size::square(6).unwrap();
        let (_, mut row) = example(board);
        row.targets.weights.row = 0.5;
        let mut batch = Batch::new(board, 2);
        batch.push(&row, Symmetry::IDENTITY, PLAIN);
        let mean = |batch: &Batch| {
            let half = score_places(board) as f32 / 2.0;
            batch.places.iter().enumerate().map(|(place, share)| share * (place as f32 - half + 0.5)).sum::<f32>()
        };
        assert!((mean(&batch) - 4.0).abs() < 0.1 && (batch.places.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert_eq!(batch.weights[Weight::Policy as usize], [0.5]);
        assert_eq!(batch.weights[Weight::Lead as usize], [0.0]);
        // Beyond the last place there is the last place.
        let mut far = Batch::new(board, 1);
        row.set_final_score(130.0);
        far.push(&row, Symmetry::IDENTITY, PLAIN);
        assert_eq!(far.places.last(), Some(&1.0));
    }

    #[test]
    fn a_teachers_opinion_is_part_of_the_value() {
        let board = Size::square(6).unwrap();
        let (_, mut row) = example(board);
        let now = Values { win: 0.8, loss: 0.2, no_result: 0.0, score: 0.0 };
        row.targets.set_values(&[now, Values::of_score(-2.0)], board.area());
        for (search, win) in [(0.0, 0.0), (0.5, 0.4), (1.0, 0.8)] {
            let mut batch = Batch::new(board, 1);
            batch.push(&row, Symmetry::IDENTITY, Blend { search });
            assert!((batch.value[0] - win).abs() < 1e-6 && (batch.value.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn parts_make_the_whole() {
        let board = Size::square(6).unwrap();
        let (_, row) = example(board);
        let mut batch = Batch::new(board, 5);
        Symmetry::ALL[..5].iter().for_each(|&symmetry| batch.push(&row, symmetry, PLAIN));
        let parts = batch.split(3);
        assert_eq!(parts.iter().map(|part| part.rows).collect::<Vec<_>>(), [1, 2, 2]);
        assert_eq!(parts.iter().flat_map(|part| part.planes.clone()).collect::<Vec<_>>(), batch.planes);
        assert_eq!(parts.iter().flat_map(|part| part.weights[4].clone()).collect::<Vec<_>>(), batch.weights[4]);
        assert_eq!(batch.split(9).len(), 5);
    }
}
