//! Rows of a finished game: what each full search's position is to teach.

use super::record::{Ending, GameRecord, Turn};
use crate::board::{Board, Color, Size};
use crate::nn::{FeatureOptions, Features, Inputs, Symmetry};
use crate::rows::{GameKind, Row, Values};
use crate::rules::{Outcome, Position};
use crate::util::Rng;

/// How far ahead the boards are that a network is to foresee.
const AHEAD: [usize; 2] = [8, 32];

/// What rows have in common.
#[derive(Clone, Copy, Debug)]
pub struct RowOptions {
    /// Width and height of the tensors; no board is larger.
    pub tensor: Size,
    /// How pass-alive areas are shown: [`FeatureOptions::prefer_pass_alive`].
    pub prefer_pass_alive: bool,
}

/// A row for each full search of `record`, which is known as `game` among the rows.
pub fn rows(record: &GameRecord, game: u128, options: &RowOptions, rng: &mut Rng) -> Vec<Row> {
    let moves = record.end.moves();
    let mut boards: Vec<Board> = Vec::with_capacity(moves.len() + 1);
    let mut position = record.start.clone();
    for &(_, mv) in moves {
        boards.push(position.board().clone());
        position.play_unchecked(mv);
    }
    boards.push(position.board().clone());

    let mut maker = Maker { record, game, options, boards, features: Features::new(), inputs: Inputs::new(options.tensor), rng };
    let mut rows = Vec::new();
    let mut position = record.start.clone();
    for (number, &(_, mv)) in moves.iter().enumerate() {
        if let Some(turn) = number.checked_sub(record.opening).filter(|&turn| record.turns[turn].is_full) {
            rows.push(maker.row(&position, turn));
        }
        position.play_unchecked(mv);
    }
    rows
}

/// Makes the rows of a game.
struct Maker<'a> {
    record: &'a GameRecord,
    game: u128,
    options: &'a RowOptions,
    /// The board before each move, and at the end.
    boards: Vec<Board>,
    features: Features,
    inputs: Inputs,
    rng: &'a mut Rng,
}

impl Maker<'_> {
    /// The row of `position`, in which `turn` begins.
    fn row(&mut self, position: &Position, turn: usize) -> Row {
        let Self { record, game, options, .. } = *self;
        let (to_move, searched) = (position.to_move(), &record.turns[turn]);
        let features = FeatureOptions { prefer_pass_alive: options.prefer_pass_alive, ..FeatureOptions::default() };
        self.features.encode(position, &features, options.tensor, Symmetry::IDENTITY, &mut self.inputs);
        let mut row = Row::new(&self.inputs);
        row.set_turn(position, game);
        row.draw_history(self.rng);
        row.set_policy(&searched.policy);
        if let Some(reply) = record.turns.get(turn + 1) {
            row.set_reply(&reply.policy);
        }
        row.set_q_values(&searched.q_values);
        row.targets.set_values(&series(record, turn), position.size().area());
        match record.ending {
            // Nobody leads in a game without result.
            Ending::Finished(Outcome::NoResult) => {}
            Ending::Finished(Outcome::Score(_)) => {
                row.set_ending(&record.end, to_move);
                row.targets.set_lead(searched.lead);
            }
            Ending::Sure(_) | Ending::TooLong => row.targets.set_lead(searched.lead),
        }
        row.targets.finished = matches!(record.ending, Ending::Finished(_));
        if row.targets.finished {
            let last = self.boards.len() - 1;
            let ahead = AHEAD.map(|moves| &self.boards[(record.opening + turn + moves).min(last)]);
            row.set_future(ahead, to_move);
        }
        self.set_facts(&mut row, position, searched);
        row
    }

    /// Sets what serves statistics.
    fn set_facts(&self, row: &mut Row, position: &Position, searched: &Turn) {
        let Self { record, options, .. } = self;
        let stones = record.start.handicap_stones();
        let targets = &mut row.targets;
        targets.too_long = record.ending == Ending::TooLong;
        targets.first_turn = record.opening as f32;
        targets.extra_black = stones.saturating_sub(1) as f32;
        targets.kind = if stones > 0 { GameKind::Handicap } else { GameKind::Normal };
        targets.visits = searched.visits as f32;
        targets.bonus = -position.to_move().sign() * (record.end.white_bonus() - position.white_bonus());
        targets.prefers_pass_alive = options.prefer_pass_alive;
        targets.policy_entropy = entropy(searched);
        if let Some(raw) = searched.raw {
            (targets.raw_win_loss, targets.raw_score) = (raw.win_loss, raw.score);
            (targets.prior_entropy, targets.policy_surprise) = (raw.entropy, raw.surprise);
        }
    }
}

/// What the searches from `turn` on said, and last how the game ended, all from the side of who is to move in `turn`.
fn series(record: &GameRecord, turn: usize) -> Vec<Values> {
    let to_move = record.mover(turn);
    let seen = |by: Color, values: Values| if by == to_move { values } else { values.opposite() };
    let searched = (turn..record.turns.len()).map(|turn| seen(record.mover(turn), values(&record.turns[turn])));
    searched.chain([seen(Color::Black, end_values(record))]).collect()
}

/// What a search said, to who was to move.
fn values(turn: &Turn) -> Values {
    Values { win: turn.winrate, loss: 1.0 - turn.winrate, no_result: 0.0, score: turn.score }
}

/// How the game ended, to Black. Where nobody counted, the score is what the last search expected.
fn end_values(record: &GameRecord) -> Values {
    let last = record.turns.len().checked_sub(1).map(|turn| (record.mover(turn), values(&record.turns[turn])));
    let expected = match last {
        Some((Color::Black, values)) => values,
        Some((Color::White, values)) => values.opposite(),
        None => Values { win: 0.5, loss: 0.5, ..Values::default() },
    };
    match record.ending {
        Ending::Finished(Outcome::Score(score)) => Values::of_score(score),
        Ending::Finished(Outcome::NoResult) => Values { no_result: 1.0, ..Values::default() },
        Ending::Sure(winner) => Values { score: expected.score, ..Values::of_score(winner.sign()) },
        Ending::TooLong => expected,
    }
}

/// Entropy of a search's policy, in nats.
fn entropy(turn: &Turn) -> f32 {
    let visits: u32 = turn.policy.iter().map(|(_, visits)| visits).sum();
    let shares = turn.policy.iter().map(|&(_, own)| own as f32 / visits.max(1) as f32);
    shares.filter(|&share| share > 0.0).map(|share| -share * libm::logf(share)).sum()
}
