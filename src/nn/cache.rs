//! What a network has said, so that it need not say it twice: a position comes up again by transposition, and in the next search.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use parking_lot::Mutex;

use super::features::FeatureOptions;
use super::outputs::{Outputs, PolicyOptions};
use crate::board::{Color, Move};
use crate::eval::{Doubts, Evaluation, Prior};
use crate::params::Profile;
use crate::rules::Position;

/// Parts with a lock each: so many that threads hardly ever meet.
const SHARDS: usize = 64;
/// What an entry takes besides its numbers: allocations, its places in the table and the queue.
const OVERHEAD: usize = 160;
/// Steps in which an ownership of 1 is kept.
const OWNERSHIP_STEPS: f32 = 127.0;

/// A network's answers to the last questions, as many as the memory holds. Any number of threads use it at once.
pub(super) struct Cache {
    shards: Vec<Mutex<Shard>>,
    /// Bytes that a shard may take.
    room: usize,
    hits: AtomicU64,
}

#[derive(Default)]
struct Shard {
    entries: HashMap<u64, Arc<Answer>>,
    /// The keys of the entries, the oldest first.
    queue: VecDeque<u64>,
    bytes: usize,
}

impl Cache {
    /// An empty cache that takes at most `memory` bytes.
    pub(super) fn new(memory: u64) -> Self {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        Self { shards, room: memory as usize / SHARDS, hits: AtomicU64::new(0) }
    }

    /// The answer under `key`, if it is there.
    pub(super) fn get(&self, key: u64) -> Option<Arc<Answer>> {
        let found = self.shard(key).lock().entries.get(&key).cloned();
        self.hits.fetch_add(u64::from(found.is_some()), Relaxed);
        found
    }

    /// Keeps `answer` under `key`; the oldest answers make room for it.
    pub(super) fn insert(&self, key: u64, answer: Arc<Answer>) {
        let mut shard = self.shard(key).lock();
        let bytes = answer.bytes();
        if let Some(old) = shard.entries.insert(key, answer) {
            // Two threads had the same question.
            shard.bytes = shard.bytes + bytes - old.bytes();
            return;
        }
        shard.queue.push_back(key);
        shard.bytes += bytes;
        while shard.bytes > self.room {
            let Some(oldest) = shard.queue.pop_front() else { break };
            if let Some(gone) = shard.entries.remove(&oldest) {
                shard.bytes -= gone.bytes();
            }
        }
    }

    /// Forgets all answers.
    pub(super) fn clear(&self) {
        for shard in &self.shards {
            *shard.lock() = Shard::default();
        }
    }

    /// How many answers were found so far.
    pub(super) fn hits(&self) -> u64 {
        self.hits.load(Relaxed)
    }

    /// How many answers it holds.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.lock().entries.len()).sum()
    }

    fn shard(&self, key: u64) -> &Mutex<Shard> {
        // Keys are hashes, so any of their bits will do.
        &self.shards[(key >> 58) as usize]
    }
}

/// What is worth keeping of a network's answer, seen from Black.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    value: f32,
    lead: f32,
    score_mean: f32,
    score_stdev: f32,
    no_result: f32,
    doubts: Doubts,
    /// Each point's probability, row by row from the top left, then the pass's; [`Outputs::ILLEGAL`] where no move is legal.
    policy: Box<[f32]>,
    /// Each point's ownership, row by row from the top left, in steps.
    ownership: Box<[i8]>,
}

impl Answer {
    /// Keeps `outputs`, which are seen from `to_move`.
    pub(super) fn new(outputs: &Outputs, to_move: Color) -> Self {
        let sign = to_move.sign();
        // A network of absurd weights may say what is no number; the search must not hear of it.
        let sound = |x: f32| if x.is_finite() { x } else { 0.0 };
        let step = |owner: &f32| (sign * owner * OWNERSHIP_STEPS).round() as i8;
        let mut policy: Box<[f32]> = outputs.policy.iter().copied().chain([outputs.pass]).collect();
        if !policy.iter().all(|p| p.is_finite()) {
            let legal = policy.iter().filter(|&&p| p != Outputs::ILLEGAL).count();
            policy.iter_mut().filter(|p| **p != Outputs::ILLEGAL).for_each(|p| *p = 1.0 / legal as f32);
        }
        Self {
            value: sound(sign * (outputs.win - outputs.loss)),
            lead: sound(sign * outputs.lead),
            score_mean: sound(sign * outputs.score_mean),
            score_stdev: sound(outputs.score_stdev),
            no_result: sound(outputs.no_result),
            doubts: Doubts {
                result: outputs.shortterm_value_error.map(sound),
                score: outputs.shortterm_score_error.map(sound),
                time_left: outputs.time_left_variance.map(sound),
            },
            policy,
            ownership: outputs.ownership.iter().map(step).collect(),
        }
    }

    /// Tells a search what it says of `position`.
    pub(super) fn tell(&self, position: &Position, priors: bool, evaluation: &mut Evaluation<Move>) {
        (evaluation.value, evaluation.result) = (self.value, self.value);
        (evaluation.lead, evaluation.score_mean, evaluation.score_stdev) = (self.lead, self.score_mean, self.score_stdev);
        (evaluation.no_result, evaluation.doubts) = (self.no_result, self.doubts);
        evaluation.ownership.clear();
        evaluation.ownership.extend(self.ownership.iter().map(|&step| f32::from(step) / OWNERSHIP_STEPS));
        evaluation.trace.clear();
        evaluation.priors.clear();
        if priors {
            let moves = position.size().points().map(Move::from).chain([Move::PASS]);
            let legal = moves.zip(&self.policy).filter(|&(_, &policy)| policy >= 0.0);
            evaluation.priors.extend(legal.map(|(action, &policy)| Prior { action, policy, games: 0.0, value: 0.5 }));
        }
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.policy) + size_of_val(&*self.ownership) + size_of::<Self>() + OVERHEAD
    }
}

/// A number for a question: all that the answer depends on, but for the last moves and the board of two moves ago. (Without these,
/// positions reached by different moves are the same, which is worth more. KataGo leaves them out too.)
pub(super) fn key(position: &Position, features: &FeatureOptions, policy: &PolicyOptions, profile: Profile) -> u64 {
    let (rules, size) = (position.rules(), position.size());
    let mut hasher = DefaultHasher::new();
    (position.situation_hash(), size.width(), size.height()).hash(&mut hasher);
    // Komi and handicap are in the situation, as what White gets.
    (rules.ko, rules.scoring, rules.tax, rules.suicide, rules.button, rules.friendly_pass).hash(&mut hasher);
    let FeatureOptions { history, passing_hacks, conservative_pass, prefer_pass_alive, .. } = *features;
    (history, passing_hacks, conservative_pass, prefer_pass_alive).hash(&mut hasher);
    let numbers =
        [features.draw_equivalent_wins_for_white, features.playout_doubling_advantage, policy.optimism, policy.temperature];
    (numbers.map(f32::to_bits), policy.cap_pass).hash(&mut hasher);
    (position.is_over(), profile).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Answer, Cache, SHARDS, key};
    use crate::board::{Color, Move, Size};
    use crate::eval::Evaluation;
    use crate::nn::{FeatureOptions, Outputs, PolicyOptions};
    use crate::params::Profile;
    use crate::rules::{Position, Rules};

    fn answer(area: usize, value: f32) -> Arc<Answer> {
        let outputs = Outputs { policy: vec![0.0; area], ownership: vec![0.0; area], win: value, ..Outputs::default() };
        Arc::new(Answer::new(&outputs, Color::Black))
    }

    #[test]
    fn what_was_put_in_comes_out_until_it_is_forgotten() {
        let cache = Cache::new(1 << 20);
        cache.insert(7, answer(81, 0.25));
        cache.insert(7, answer(81, 0.5));
        assert_eq!(cache.get(8), None);
        assert_eq!(cache.get(7), Some(answer(81, 0.5)));
        assert_eq!((cache.hits(), cache.len()), (1, 1));
        cache.clear();
        assert_eq!((cache.get(7), cache.hits()), (None, 1));
    }

    #[test]
    fn the_oldest_make_room() {
        let answer = answer(361, 0.0);
        let cache = Cache::new((3 * answer.bytes() * SHARDS) as u64);
        for number in 0..10 {
            cache.insert(number, Arc::clone(&answer));
        }
        let left: Vec<u64> = (0..10).filter(|&number| cache.get(number).is_some()).collect();
        assert_eq!(left, [7, 8, 9], "they fall into one shard, which has room for three");
        let none = Cache::new(0);
        none.insert(1, answer);
        assert_eq!(none.len(), 0);
    }

    fn position(size: Size, komi: f32, moves: &[&str]) -> Position {
        let mut position = Position::new(size, Rules::parse("chinese").unwrap().with_komi(komi));
        for mv in moves {
            position.play(size.parse_vertex(mv).unwrap()).unwrap();
        }
        position
    }

    #[test]
    fn transpositions_are_one_position_and_other_games_are_not() {
        let nine = Size::square(9).unwrap();
        let of = |position: &Position| key(position, &FeatureOptions::default(), &PolicyOptions::default(), Profile::None);
        let one = of(&position(nine, 7.0, &["C3", "G7", "D4", "E5"]));
        assert_eq!(one, of(&position(nine, 7.0, &["D4", "E5", "C3", "G7"])));
        assert_ne!(one, of(&position(nine, 6.0, &["C3", "G7", "D4", "E5"])));
        assert_ne!(one, of(&position(nine, 7.0, &["C3", "G7", "D4", "E5", "pass"])));
        assert_ne!(of(&position(nine, 7.0, &[])), of(&position(Size::square(10).unwrap(), 7.0, &[])));
        let root = FeatureOptions { conservative_pass: true, ..FeatureOptions::default() };
        assert_ne!(one, key(&position(nine, 7.0, &["C3", "G7", "D4", "E5"]), &root, &PolicyOptions::default(), Profile::None));
        let people = Profile::Professionals(1990);
        let start = position(nine, 7.0, &[]);
        assert_ne!(of(&start), key(&start, &FeatureOptions::default(), &PolicyOptions::default(), people));
        let japanese = Position::new(nine, Rules::parse("japanese").unwrap().with_komi(7.0));
        assert_ne!(of(&position(nine, 7.0, &[])), of(&japanese));
    }

    #[test]
    fn what_is_no_number_is_not_told() {
        let two = Size::square(2).unwrap();
        let outputs = Outputs {
            policy: vec![f32::NAN, Outputs::ILLEGAL, f32::NAN, f32::NAN],
            pass: f32::NAN,
            win: f32::NAN,
            lead: f32::INFINITY,
            ownership: vec![f32::NAN, 0.5, -1.0, 1.0],
            ..Outputs::default()
        };
        let mut evaluation = Evaluation::default();
        Answer::new(&outputs, Color::White).tell(&position(two, 0.0, &["pass"]), true, &mut evaluation);
        assert_eq!((evaluation.value, evaluation.lead), (0.0, 0.0));
        let priors: Vec<(Move, f32)> = evaluation.priors.iter().map(|prior| (prior.action, prior.policy)).collect();
        let a2 = two.parse_vertex("A2").unwrap();
        assert_eq!((priors.len(), priors[0], priors[3]), (4, (a2, 0.25), (Move::PASS, 0.25)));
        assert_eq!(evaluation.ownership.iter().map(|o| (o * 100.0).round()).collect::<Vec<_>>(), [0.0, -50.0, 100.0, -100.0]);
    }
}
