//! Rows out of one game.

use std::collections::BTreeMap;

use super::teacher::{Opinion, Teaching};
use super::{Policy, Settings};
use crate::board::{Color, Coord, Move, Size};
use crate::engine::{Judgement, judge};
use crate::nn::{FeatureOptions, Features, Inputs, Symmetry};
use crate::params::PlayoutParams;
use crate::rows::{GameKind, Row, Values};
use crate::rules::{Position, Rules};
use crate::sgf::{GameResult, Margin, Record};
use crate::util::Rng;

/// How many moves on the boards are that a network is to foresee.
const FUTURE: [usize; 2] = [8, 32];
/// A judgement of the end is believed if its score is that near the record's, in points.
const NEAR: f32 = 3.0;

/// Of rules drawn at random, the share with territory scoring.
const TERRITORY: f32 = 0.4;
/// One komi in so many is far from the game's.
const FAR_KOMI: usize = 4;
/// How far a komi drawn at random is from the game's at most, in points, on 19x19; on smaller boards less.
const CLOSE: f32 = 8.0;
/// The same for one that is far.
const FAR: f32 = 40.0;

/// Random moves that lead a position astray, at most.
const MOST_ASTRAY: usize = 3;
/// How far from the last move one near it is at most, along either axis.
const NEAR_LAST: u8 = 2;

/// Makes rows. Each thread has its own.
pub(super) struct Sampler<'a> {
    settings: &'a Settings,
    teaching: Option<Teaching>,
    features: Features,
    inputs: Inputs,
}

/// What a record says that holds for all its positions.
struct Facts {
    hash: u128,
    moves: Vec<(Color, Move)>,
    /// Black's result, if the record tells it and it tells something about the position.
    result: Option<Values>,
    /// The end and its judgement, if that can be believed.
    end: Option<(Position, Judgement)>,
}

impl<'a> Sampler<'a> {
    pub(super) fn new(settings: &'a Settings, teaching: Option<Teaching>) -> Self {
        let tensor = Size::square(settings.side).expect("the side was checked when it was read");
        Self { settings, teaching, features: Features::new(), inputs: Inputs::new(tensor) }
    }

    /// Rows of some of a game's positions: in round 0 of the first few of a random order, in round 1 of the next. None if the game breaks
    /// the rules, or all its positions had their turn.
    pub(super) fn rows(&mut self, record: &Record, hash: u128, round: usize) -> Vec<Row> {
        let moves: Vec<(Color, Move)> = record.moves().collect();
        let per_game = self.settings.per_game;
        let seed = self.settings.seed ^ (hash >> 64) as u64;
        let turns = shuffled(moves.len(), &mut Rng::new(seed));
        let turns: Vec<usize> = turns.into_iter().skip(round * per_game).take(per_game).collect();
        let mut rng = Rng::for_stream(seed, round + 1);
        let mut rules = record.rules_or(Rules::parse("japanese").expect("a rule set of that name"));
        if self.settings.teacher.as_ref().is_some_and(|teacher| rng.unit() < teacher.random_rules) {
            rules = other_rules(rules.komi, record.size, &mut rng);
        }
        let Some(positions) = positions(record, rules, &moves, &turns, self.teaching.is_none()) else { return Vec::new() };
        let end = if self.teaching.is_none() { positions.get(&moves.len()) } else { None };
        let facts = Facts { hash, result: result(record), end: end.and_then(|end| ending(record, end)), moves };
        let mut rows = Vec::new();
        for turn in turns {
            rows.extend(self.row(&facts, &positions, turn, &mut rng));
        }
        rows
    }

    /// The row of the position before a move; nothing if the game was over there.
    fn row(&mut self, facts: &Facts, positions: &BTreeMap<usize, Position>, turn: usize, rng: &mut Rng) -> Option<Row> {
        let position = &positions[&turn];
        if position.is_over() {
            return None;
        }
        if self.settings.teacher.as_ref().is_some_and(|teacher| teacher.astray > 0.0 && rng.unit() < teacher.astray) {
            return self.row_astray(facts, position.clone(), rng);
        }
        let (to_move, tensor) = (position.to_move(), self.inputs.tensor);
        self.features.encode(position, &FeatureOptions::default(), tensor, Symmetry::IDENTITY, &mut self.inputs);
        let mut row = Row::new(&self.inputs);
        row.set_turn(position, facts.hash);
        row.draw_history(rng);
        row.targets.kind = GameKind::Record;
        row.set_policy(&[(facts.moves[turn].1, 1)]);
        if let Some(&(color, mv)) = facts.moves.get(turn + 1).filter(|(color, _)| *color != to_move) {
            debug_assert_ne!(color, to_move);
            row.set_reply(&[(mv, 1)]);
        }
        let last = facts.moves.len();
        row.set_future(FUTURE.map(|ahead| positions[&(turn + ahead).min(last)].board()), to_move);
        if let Some(teaching) = &mut self.teaching {
            let opinion = teaching.ask(position, rng);
            match teaching.policy() {
                Policy::Teacher => row.set_policy(&opinion.visits()),
                Policy::Record => {}
                Policy::Both => row.set_policy(&opinion.visits_and(facts.moves[turn].1)),
            }
            teach(&mut row, &opinion, rng);
        } else {
            facts.tell(&mut row, to_move);
        }
        Some(row)
    }
}

impl Sampler<'_> {
    /// The row of a position that random moves led away from the game. The record says nothing of what comes after it.
    fn row_astray(&mut self, facts: &Facts, mut position: Position, rng: &mut Rng) -> Option<Row> {
        let teaching = self.teaching.as_mut()?;
        for _ in 0..=rng.below(MOST_ASTRAY) {
            stray(&mut position, rng)?;
        }
        self.features.encode(&position, &FeatureOptions::default(), self.inputs.tensor, Symmetry::IDENTITY, &mut self.inputs);
        let mut row = Row::new(&self.inputs);
        row.set_turn(&position, facts.hash);
        row.draw_history(rng);
        row.targets.kind = GameKind::Record;
        let opinion = teaching.ask(&position, rng);
        row.set_policy(&opinion.visits());
        teach(&mut row, &opinion, rng);
        Some(row)
    }
}

/// Plays a random move on the board, near the last one as often as not. Nothing if there is none, or the game is over.
fn stray(position: &mut Position, rng: &mut Rng) -> Option<()> {
    let size = position.size();
    let last = position.moves().last().and_then(|(_, mv)| mv.point()).filter(|_| rng.below(2) == 0).map(|last| size.coord(last));
    let near = |point| {
        let at = size.coord(point);
        last.is_none_or(|last: Coord| at.x.abs_diff(last.x).max(at.y.abs_diff(last.y)) <= NEAR_LAST)
    };
    let moves: Vec<Move> = position.legal_moves().filter(|mv| mv.point().is_some_and(near)).collect();
    let mv = *moves.get(rng.below(moves.len().max(1)))?;
    position.play(mv).ok()?;
    (!position.is_over()).then_some(())
}

/// Gives a row a teacher's opinion, but for the policy, as its targets.
fn teach(row: &mut Row, opinion: &Opinion, rng: &mut Rng) {
    let Opinion { values, lead, score_stdev, .. } = *opinion;
    row.targets.set_values(&[values], row.board.area());
    row.targets.variance_time = opinion.variance_time;
    row.targets.set_lead(lead);
    row.set_expected_ending(&opinion.ownership, values.score, score_stdev, rng);
    row.targets.raw_win_loss = values.win - values.loss;
    row.targets.raw_score = values.score;
    row.targets.prior_entropy = opinion.entropy();
}

impl Facts {
    /// Gives a row the result of the game, and its end if that is known.
    fn tell(&self, row: &mut Row, to_move: Color) {
        let Some(result) = self.result else { return };
        let seen = |values: Values| if to_move == Color::Black { values } else { values.opposite() };
        let mut values = seen(result);
        if let Some((end, judgement)) = &self.end {
            values.score = judgement.score * to_move.sign();
            let owner = |point| judgement.owners.owner(point);
            row.set_owners(end, owner, owner, to_move);
            row.set_final_score(values.score);
            row.targets.finished = true;
        }
        row.targets.set_values(&[values], row.board.area());
    }
}

/// Rules drawn at random, with a komi near `komi`: mostly so near that the teacher's lead tells who wins, sometimes far off.
fn other_rules(komi: f32, size: Size, rng: &mut Rng) -> Rules {
    let most = if rng.below(FAR_KOMI) == 0 { FAR } else { CLOSE } * size.width() as f32 / 19.0;
    let komi = komi + most * (2.0 * rng.unit() - 1.0);
    Rules::random(TERRITORY, rng).with_komi((2.0 * komi).round() / 2.0)
}

/// The positions before the moves of these numbers, and those that their rows show as the future; with `end`, the last one too. Nothing if the
/// record breaks the rules.
fn positions(
    record: &Record,
    rules: Rules,
    moves: &[(Color, Move)],
    turns: &[usize],
    end: bool,
) -> Option<BTreeMap<usize, Position>> {
    let mut position = record.replay_moves(rules, 0).ok()?;
    let ahead = |&turn: &usize| [turn, turn + FUTURE[0], turn + FUTURE[1]].map(|turn| turn.min(moves.len()));
    let mut wanted: Vec<usize> = turns.iter().flat_map(ahead).chain(end.then_some(moves.len())).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut positions = BTreeMap::new();
    for turn in 0..=wanted.last().copied()? {
        if let Some(&(color, _)) = moves.get(turn) {
            position.set_to_move(color);
        }
        if wanted.binary_search(&turn).is_ok() {
            positions.insert(turn, position.clone());
        }
        if let Some(&(color, mv)) = moves.get(turn) {
            position.play_as(color, mv).ok()?;
        }
    }
    Some(positions)
}

/// Black's result. Nothing if it is unknown, or the loser lost on the clock or by a rule, which says little of the position.
fn result(record: &Record) -> Option<Values> {
    match record.result {
        GameResult::Unknown | GameResult::Win(_, Margin::Time | Margin::Forfeit) => None,
        GameResult::Draw => Some(Values::of_score(0.0)),
        GameResult::Void => Some(Values { no_result: 1.0, ..Values::default() }),
        GameResult::Win(winner, _) => Some(Values { score: 0.0, ..Values::of_score(winner.sign()) }),
    }
}

/// The end of a game with its judgement, if it ended by two passes and the record agrees about the winner and, if it tells it, about the score.
fn ending(record: &Record, end: &Position) -> Option<(Position, Judgement)> {
    let GameResult::Win(winner, margin @ (Margin::Points(_) | Margin::Unknown)) = record.result else { return None };
    if !end.is_over() {
        return None;
    }
    let judgement = judge(end, &PlayoutParams::default());
    let score = judgement.score * winner.sign();
    let agrees = match margin {
        Margin::Points(points) => (score - points).abs() <= NEAR,
        _ => true,
    };
    (score > 0.0 && agrees).then(|| (end.clone(), judgement))
}

/// The numbers below `count` in random order.
fn shuffled(count: usize, rng: &mut Rng) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    for at in (1..count).rev() {
        numbers.swap(at, rng.below(at + 1));
    }
    numbers
}
