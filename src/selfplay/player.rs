//! The one who plays both sides of a game: a search on one thread, by a network or by playouts.

use std::sync::Arc;

use super::params::Settings;
use crate::board::Move;
use crate::eval::{Evaluation, Evaluator, Evidence, Playouts, Request};
use crate::nn::{LoadedNetwork, NetEvaluator};
use crate::params;
use crate::params::MIB;
use crate::rules::Position;
use crate::search::{Limits, Report, Search, SearchOptions};
use crate::util::{Rng, StopFlag};

/// Most memory of a game's tree. It takes what its visits need, which is far less.
const TREE: u64 = 256 * MIB;
/// Playouts that tell the lead where there is no network: it is then known to a point or two.
const PLAYOUTS: u32 = 200;

/// What judges positions in self-play.
#[derive(Clone)]
pub enum Judge {
    /// A network, which all games share.
    Network(Arc<LoadedNetwork>),
    /// Playouts, for a cold start.
    Playouts,
}

impl Judge {
    /// Its name in records.
    pub fn name(&self) -> &str {
        match self {
            Self::Network(network) => network.name(),
            Self::Playouts => "playouts",
        }
    }

    /// How pass-alive areas are shown to the network, and so in rows: [`FeatureOptions::prefer_pass_alive`](crate::nn::FeatureOptions).
    pub(super) fn prefers_pass_alive(&self) -> bool {
        match self {
            Self::Network(network) => network.prefers_pass_alive(),
            Self::Playouts => false,
        }
    }

    /// Evaluations so far by the network, if there is one.
    pub(super) fn evaluations(&self) -> Option<u64> {
        match self {
            Self::Network(network) => Some(network.evaluations()),
            Self::Playouts => None,
        }
    }
}

/// How much work a move gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// A full search, with noise, which makes a row.
    Full,
    /// A cheap one, which plays as well as it can.
    Cheap,
}

/// What a search found.
pub(super) struct Found {
    pub(super) report: Report,
    /// Its visits for each move, those that were only forced taken off.
    pub(super) policy: Vec<(Move, u32)>,
}

/// Plays one game.
pub(super) struct Player<'a> {
    settings: &'a Settings,
    engine: params::Settings,
    search: Search<Position>,
    evaluators: [Box<dyn Evaluator<Position>>; 1],
    pub(super) rng: Rng,
}

impl<'a> Player<'a> {
    /// A player of a game that begins on the board of `position`; all its chance follows from `rng`, unless games share a network's answers.
    pub(super) fn new(settings: &'a Settings, judge: &Judge, position: &Position, mut rng: Rng) -> Self {
        let engine = engine_settings(settings);
        let chance = Rng::new(rng.next_u64());
        let evaluator: Box<dyn Evaluator<Position>> = match judge {
            Judge::Network(network) => Box::new(NetEvaluator::new(Arc::clone(network), &engine.network, chance)),
            Judge::Playouts => Box::new(Playouts::new(&engine, chance, 0.0)),
        };
        Self { settings, engine, search: Search::new(position.clone(), TREE), evaluators: [evaluator], rng }
    }

    /// Whether a network judges.
    pub(super) fn has_network(&self) -> bool {
        self.evaluators[0].evidence() == Evidence::Network
    }

    /// What is thought of `position` without a search.
    pub(super) fn judge(&mut self, position: &Position) -> Evaluation<Move> {
        let mut evaluation = [Evaluation::default()];
        self.evaluators[0].evaluate(&[Request { state: position, priors: true, root: true }], &mut evaluation);
        let [evaluation] = evaluation;
        evaluation
    }

    /// The points that Black is ahead by in `position`.
    pub(super) fn lead(&mut self, position: &Position) -> f32 {
        if self.has_network() {
            return self.judge(position).lead;
        }
        (0..PLAYOUTS).map(|_| self.judge(position).lead).sum::<f32>() / PLAYOUTS as f32
    }

    /// Searches `position`, in which so much of the `opening` is left: 1 at the start of a game, towards 0 at its end. Nothing if `stop` is
    /// set before the search is over.
    pub(super) fn look(&mut self, position: &Position, effort: Effort, opening: f32, stop: &StopFlag) -> Option<Found> {
        let settings = &self.settings.search;
        let is_full = effort == Effort::Full;
        let search = &mut self.engine.search;
        search.seed = Some(self.rng.next_u64());
        search.root_noise = is_full;
        search.root_policy_temperature =
            if is_full { between(settings.policy_temperature, settings.policy_temperature_early, opening) } else { 1.0 };
        let options =
            SearchOptions { forced_playouts: if is_full { settings.forced_playouts } else { 0.0 }, ..Default::default() };
        let limits = Limits { visits: Some(if is_full { settings.visits } else { settings.cheap() }), ..Limits::default() };
        // A fresh tree, so that all of it grew under the same noise. What the network has said already, it says again at no cost.
        self.search.restart(position.clone());
        let report = self.search.run(&mut self.evaluators, search, &limits, &options, stop, None);
        if stop.is_set() {
            return None;
        }
        let policy = self.search.policy_target(search, &options);
        Some(Found { report, policy: policy.into_iter().map(|(mv, visits)| (mv, visits.round() as u32)).collect() })
    }

    /// One of the moves that a search found, the more visits the likelier, sharpened by the temperature that the `opening` asks for.
    pub(super) fn pick(&mut self, policy: &[(Move, u32)], opening: f32) -> Move {
        let settings = &self.settings.search;
        pick(policy, between(settings.move_temperature, settings.move_temperature_early, opening), &mut self.rng)
    }
}

/// The engine's settings for self-play.
fn engine_settings(settings: &Settings) -> params::Settings {
    let mut engine = params::Settings::default();
    // The plain policy is what it learns, and it shall see what passing leads to.
    (engine.network.optimism, engine.network.root_optimism) = (0.0, 0.0);
    (engine.network.passing_hacks, engine.network.conservative_pass) = (false, false);
    engine.search.threads = 1;
    engine.search.root_noise_concentration = settings.search.noise_concentration;
    engine.search.root_noise_weight = settings.search.noise_weight;
    engine
}

/// From `end` (where `share` is 0) to `start` (1).
fn between(end: f32, start: f32, share: f32) -> f32 {
    end + (start - end) * share
}

/// One of the moves, each with its weight to the power of 1 / `temperature`; at 0 the first of the greatest weight. A pass if there are none.
pub(super) fn pick(weights: &[(Move, u32)], temperature: f32, rng: &mut Rng) -> Move {
    let Some(&(best, most)) = weights.iter().rev().max_by_key(|(_, weight)| *weight) else { return Move::PASS };
    if temperature <= 0.0 {
        return best;
    }
    let power = |weight: u32| libm::powf(weight as f32 / most.max(1) as f32, 1.0 / temperature);
    let mut left = rng.unit() * weights.iter().map(|&(_, weight)| power(weight)).sum::<f32>();
    let passed = |&&(_, weight): &&(Move, u32)| {
        left -= power(weight);
        left < 0.0
    };
    weights.iter().find(passed).map_or(best, |&(mv, _)| mv)
}

#[cfg(test)]
mod tests {
    use super::pick;
    use crate::board::{Move, Size};
    use crate::util::Rng;

    #[test]
    fn temperature_sharpens_and_evens_out() {
        let size = Size::square(5).unwrap();
        let moves: Vec<Move> = ["A1", "B1", "C1"].iter().map(|name| size.parse_vertex(name).unwrap()).collect();
        let weights = [(moves[0], 10), (moves[1], 30), (moves[2], 0)];
        let mut rng = Rng::new(1);
        let mut share = |temperature: f32| {
            let picked = (0..4_000).filter(|_| pick(&weights, temperature, &mut rng) == moves[0]).count();
            picked as f32 / 4_000.0
        };
        // By hand: 1/4; the root of 1/3 to 1; 1/9 to 1.
        for (temperature, expected) in [(1.0, 0.25), (2.0, 0.366), (0.5, 0.1), (0.0, 0.0), (0.01, 0.0)] {
            assert!((share(temperature) - expected).abs() < 0.03, "{temperature}");
        }
        assert_eq!(pick(&[], 1.0, &mut rng), Move::PASS);
    }
}
