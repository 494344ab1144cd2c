//! One façade over position, search and judgement: set up, play, think, judge.

mod choose;
mod judge;
pub(crate) mod mirror;
mod network;
mod opening;
mod reading;

use std::sync::Arc;
use std::time::{Duration, Instant};

pub use choose::{Decision, Ending};
pub use judge::{Judgement, judge};
pub use network::NoNetwork;

use crate::board::{Color, Move, Size};
use crate::book::Book;
use crate::clock::Budget;
use crate::eval::{Evaluator, Playouts};
use crate::nn::{FeatureOptions, LoadedNetwork, NetEvaluator, Outputs, PolicyOptions, Question, Symmetry};
use crate::params::{MIB, NetworkParams, PlayoutParams, Settings};
use crate::rules::{IllegalMove, Position, Rules};
use crate::search::{Limits, Listener, Report, Restriction, Search, SearchOptions};
use crate::solve::{Reader, Vital};
use crate::util::{Rng, StopFlag};
use network::NetworkSlot;
use reading::Knowing;

/// An engine: a game, and what it takes to think about it.
pub struct Engine {
    settings: Settings,
    /// The game's start, for taking moves back.
    start: Position,
    position: Position,
    search: Search<Position>,
    network: NetworkSlot,
    /// Of human play, asked beside it.
    human_model: NetworkSlot,
    book: Option<Book>,
    reader: Reader,
    /// Seed of all chance, from the settings or the clock.
    seed: u64,
    /// Searches so far: each has its own random numbers.
    searches: u64,
    /// How many moves in a row each colour found its game hopeless, and the number of the last one.
    hopeless: [(u32, usize); 2],
    grown_under: Conditions,
    judgement: Option<((u64, Rules, PlayoutParams), Judgement)>,
    /// How long the last judging took.
    judging: Duration,
}

/// What a tree is grown under. Utilities of different conditions do not mix.
#[derive(Clone, Debug, Default, PartialEq)]
struct Conditions {
    restrictions: Vec<Restriction>,
    /// Points that Black owes.
    offset: f32,
    /// How a network is asked.
    network: NetworkParams,
    /// Who has the network's doubling advantage, if anybody.
    advantaged: Option<Color>,
    /// What the score is worth with a network: factors, and the centre's weight and scale.
    score: [f32; 4],
}

impl Conditions {
    fn new(settings: &Settings, color: Color, restrictions: &[Restriction], offset: f32) -> Self {
        let search = &settings.search;
        Self {
            restrictions: restrictions.to_vec(),
            offset,
            network: settings.network.clone(),
            advantaged: (settings.network.doubling_advantage != 0.0).then_some(color),
            score: [
                search.static_score_utility,
                search.dynamic_score_utility,
                search.dynamic_score_zero_weight,
                search.dynamic_score_scale,
            ],
        }
    }
}

impl Engine {
    /// An engine with `position` set up. Takes no time: a network is read in the background, threads and memory come with the first
    /// search.
    pub fn new(settings: Settings, position: Position) -> Self {
        let network = NetworkSlot::begin(&settings.network, cache_memory(&settings), position.size());
        Self::with_slot(settings, position, network)
    }

    /// An engine that judges by a network which is there already, whatever the settings say. Engines can share one.
    pub fn with_network(settings: Settings, position: Position, network: Arc<LoadedNetwork>) -> Self {
        let mut engine = Self::with_slot(settings, position, NetworkSlot::Ready(network));
        engine.recover();
        engine
    }

    fn with_slot(settings: Settings, position: Position, network: NetworkSlot) -> Self {
        let clock = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |now| now.as_nanos() as u64);
        let mut engine = Self {
            seed: settings.search.seed.unwrap_or_else(clock),
            search: Search::new(position.clone(), tree_memory(&settings, None)),
            network,
            human_model: NetworkSlot::begin_human(&settings.network, position.size()),
            book: None,
            reader: Reader::default(),
            start: position.clone(),
            position,
            settings,
            searches: 0,
            hopeless: [(0, 0); 2],
            grown_under: Conditions::default(),
            judgement: None,
            judging: Duration::ZERO,
        };
        engine.position.set_cleanup_played(false);
        engine.start.set_cleanup_played(false);
        engine
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The settings, to change them: the next search takes them up.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// The network, if the settings name one: waits until it is read. Every search does so, and judges by playouts if there is none; who
    /// would rather not must ask here first.
    ///
    /// # Errors
    /// If it cannot be had.
    pub fn network(&mut self) -> Result<Option<&Arc<LoadedNetwork>>, NoNetwork> {
        if self.network.wait() {
            // A fresh tree, as the network takes its part of the memory.
            self.recover();
            if let Some(network) = self.network.get()
                && tree_memory(&self.settings, Some(network)) < self.settings.search.memory.0 / 4
            {
                let (allowed, taken) = (self.settings.search.memory, network.memory() / MIB);
                log::warn!(
                    "the network takes {taken} MiB of {allowed}, which leaves little for the tree: allow more with --memory"
                );
            }
        }
        match &self.network {
            NetworkSlot::Failed(error) => Err(error.clone()),
            slot => Ok(slot.get()),
        }
    }

    /// The network of human play, if the settings name one: waits until it is read.
    ///
    /// # Errors
    /// If it cannot be had.
    pub fn human_model(&mut self) -> Result<Option<&Arc<LoadedNetwork>>, NoNetwork> {
        self.human_model.wait();
        match &self.human_model {
            NetworkSlot::Failed(error) => Err(error.clone()),
            slot => Ok(slot.get()),
        }
    }

    /// What `network` says of the game as it stands, `color` to move, seen from `color`: without a search, and without the caution that
    /// a search asks with. `optimism` is the share of the optimistic policy, 0 to 1.
    pub fn ask(&self, network: &Arc<LoadedNetwork>, color: Color, symmetry: Symmetry, optimism: f32) -> Option<Outputs> {
        let mut position = self.position.clone();
        position.set_to_move(color);
        let mut evaluator = NetEvaluator::new(Arc::clone(network), &self.settings.network, Rng::new(0));
        let prefer_pass_alive = network.prefers_pass_alive();
        let side = position.size().width().max(position.size().height());
        let question = Question {
            position: &position,
            features: FeatureOptions { prefer_pass_alive, ..FeatureOptions::default() },
            symmetry,
            tensor: Size::square(side).expect("a side of a board is the side of a square one"),
            policy: PolicyOptions { optimism, ..PolicyOptions::default() },
        };
        evaluator.ask(&[question]).pop()
    }

    /// The game as it stands.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Sets up another game, or the same one with other rules. (The tree is kept if the next search finds its root in it.)
    pub fn set_position(&mut self, position: Position) {
        if position.size() != self.position.size() {
            self.network.prepare(position.size());
        }
        self.start = position;
        self.start.set_cleanup_played(false);
        self.position.clone_from(&self.start);
        self.hopeless = [(0, 0); 2];
        self.searches = 0;
    }

    /// Changes komi, during a game too.
    pub fn set_komi(&mut self, komi: f32) {
        self.start.set_komi(komi);
        self.position.set_komi(komi);
    }

    /// Plays a move of either colour.
    ///
    /// # Errors
    /// If the rules forbid it; nothing changes then.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        self.position.play_as(color, mv)
    }

    /// Takes the last move back. False if there is none.
    pub fn undo(&mut self) -> bool {
        let Some((_, before)) = self.position.moves().split_last() else { return false };
        let mut position = self.start.clone();
        for &(color, mv) in &before[self.start.moves().len().min(before.len())..] {
            position.play_as(color, mv).expect("the moves of the game were legal when they were played");
        }
        self.position = position;
        true
    }

    /// Looks at the game with `color` to move until a limit is reached or `stop` is set.
    pub fn analyze(
        &mut self,
        color: Color,
        limits: &Limits,
        options: &SearchOptions,
        stop: &StopFlag,
        listener: Option<Listener<'_, Move>>,
    ) -> Report {
        self.await_network();
        let options = SearchOptions { wide_root_noise: self.settings.search.wide_root_noise, ..options.clone() };
        self.look(color, 0.0, limits, &options, stop, listener)
    }

    /// Waits for the network. Its error is for who asks: [`Engine::network`].
    fn await_network(&mut self) {
        let _ = self.network();
    }

    /// Searches; `offset` points are taken from Black before it is seen who wins a playout.
    fn look(
        &mut self,
        color: Color,
        offset: f32,
        limits: &Limits,
        options: &SearchOptions,
        stop: &StopFlag,
        listener: Option<Listener<'_, Move>>,
    ) -> Report {
        let begun = Instant::now();
        self.aim(color, offset, &options.restrictions);
        let (vital, most) = self.read_fights(limits);
        let mut evaluators = self.evaluators();
        if !vital.is_empty() {
            // The first one judges the root.
            let inner = evaluators.remove(0);
            evaluators.insert(0, Box::new(Knowing { inner, vital, most }));
        }
        let budget = limits.budget.map(|budget| self.ends_in_time(budget.less(begun.elapsed())));
        let limits = Limits { budget, ..*limits };
        mirror::run(&mut self.search, &mut evaluators, &self.settings.search, &limits, options, stop, listener)
    }

    /// What is vital in the position at the search's root, and how many of the moves a search by a network is to be told: a small part of its effort goes into that.
    fn read_fights(&mut self, limits: &Limits) -> (Vec<Vital>, usize) {
        let is_asked = self.settings.search.read_fights && self.settings.play.level == HIGHEST_LEVEL;
        let visits = stricter(limits.visits, limits.playouts).unwrap_or(u64::MAX);
        let most = (visits / VOUCH_SHARE).min(MOST_VOUCHED) as usize;
        if !is_asked || most == 0 || self.network.get().is_none() {
            return (Vec::new(), most);
        }
        let end = limits.budget.map(|budget| Instant::now() + budget.soft / READ_SHARE);
        (self.reader.read(self.search.root(), visits.saturating_mul(READ_FOR_VISIT).min(MOST_READ), end), most)
    }

    /// The budget of a search whose last evaluations, once begun, are finished. Half of the time is searched in any case, however slow
    /// the network seems.
    fn ends_in_time(&self, budget: Budget) -> Budget {
        let area = self.position.size().area();
        let evaluation = self.network.get().map_or(Duration::ZERO, |network| network.evaluation_time(area));
        budget.capped(budget.hard.saturating_sub(evaluation).max(budget.hard / 2))
    }

    /// Thinks about the game as it stands until `stop` is set, so that the next search begins ahead. A lower level does not: it would
    /// play above itself.
    pub fn ponder(&mut self, stop: &StopFlag) {
        if !self.position.is_over() && self.settings.play.level == HIGHEST_LEVEL {
            self.await_network();
            let offset = self.fair_offset();
            self.look(self.position.to_move(), offset, &Limits::default(), &SearchOptions::default(), stop, None);
        }
    }

    /// Which stones of the game as it stands are dead, and the score that makes.
    pub fn judge(&mut self) -> &Judgement {
        let key = (self.position.situation_hash(), *self.position.rules(), self.settings.playout.clone());
        if self.judgement.as_ref().is_none_or(|(judged, _)| *judged != key) {
            let begun = Instant::now();
            self.judgement = Some((key, judge(&self.position, &self.settings.playout)));
            self.judging = begun.elapsed();
        }
        &self.judgement.as_ref().expect("it was just made").1
    }

    /// Forgets what was learnt of the game.
    pub fn clear_cache(&mut self) {
        self.search.restart(self.search.root().clone());
        if let Some(network) = self.network.get() {
            network.clear_cache();
        }
        self.judgement = None;
    }

    /// Begins anew with an empty tree, whatever state a fault has left it in.
    pub fn recover(&mut self) {
        self.search = Search::new(self.position.clone(), tree_memory(&self.settings, self.network.get().map(Arc::as_ref)));
        self.judgement = None;
    }

    /// Points the search at the game as it stands, `color` to move, keeping the part of the tree that is still of use.
    fn aim(&mut self, color: Color, offset: f32, restrictions: &[Restriction]) {
        let target = searched(&self.position, color);
        let mut conditions = Conditions::new(&self.settings, color, restrictions, offset);
        if (self.grown_under.offset - offset).abs() < OFFSET_STEP {
            conditions.offset = self.grown_under.offset;
        }
        let same_aims = self.grown_under == conditions;
        self.grown_under = conditions;
        let root = self.search.root();
        let same_game = same_aims && std::ptr::eq(root.start_board(), target.start_board()) && root.rules() == target.rules();
        // Nodes behind two passes belong to the formal cleanup, and to no game that people play on.
        let passed_twice = |moves: &[(Color, Move)]| moves.windows(2).any(|pair| pair.iter().all(|(_, mv)| mv.is_pass()));
        if same_game
            && target.moves().starts_with(root.moves())
            && !passed_twice(&target.moves()[root.moves().len().saturating_sub(1)..])
        {
            let since: Vec<Move> = target.moves()[root.moves().len()..].iter().map(|&(_, mv)| mv).collect();
            self.search.advance(target, &since);
        } else {
            self.search.restart(target);
        }
    }

    /// An evaluator for each thread, with random numbers that no search had before.
    fn evaluators(&mut self) -> Vec<Box<dyn Evaluator<Position>>> {
        if let Some(seed) = self.settings.search.seed.filter(|&seed| seed != self.seed) {
            (self.seed, self.searches) = (seed, 0);
        }
        self.searches += 1;
        let (offset, to_move) = (self.grown_under.offset, self.search.root().to_move());
        let seed = self.seed.wrapping_add(self.searches);
        let evaluator = |stream| -> Box<dyn Evaluator<Position>> {
            let rng = Rng::for_stream(seed, stream);
            match self.network.get() {
                Some(network) => Box::new(NetEvaluator::new(Arc::clone(network), &self.settings.network, rng).for_root(to_move)),
                None => Box::new(Playouts::new(&self.settings, rng, offset)),
            }
        };
        (0..self.settings.search.threads as usize).map(evaluator).collect()
    }

    /// A random number in [0, 1).
    fn random(&mut self) -> f32 {
        self.searches += 1;
        Rng::new(self.seed.wrapping_add(self.searches)).unit()
    }

    /// Points that Black owes White before the game is fair: in handicap games, a stone's worth for each handicap stone beyond the first
    /// move, fading until the middle of the game (linear dynamic komi; P. Baudiš, Balancing MCTS by Dynamically Adjusting the Komi Value, 2011).
    /// None with a network, which sees by the score what is worth thinking about.
    fn fair_offset(&self) -> f32 {
        if self.network.get().is_some() {
            return 0.0;
        }
        let game = &self.position;
        let stones = game.handicap_stones().min(MOST_STONES) as f32;
        let progress = game.moves().len() as f32 / (FADE * game.size().area() as f32);
        STONE * stones * (1.0 - progress).max(0.0)
    }
}

/// What is searched for a move of `color` in `position`: the formal game goes on through its cleanup phases, and after the end with the
/// stones as they stand.
pub(crate) fn searched(position: &Position, color: Color) -> Position {
    let mut target = position.clone();
    target.set_cleanup_played(true);
    target.set_to_move(color);
    if target.is_over() { Position::from_board(target.board().clone(), color, *target.rules()) } else { target }
}

/// Points that a handicap stone is worth in playouts (Pachi has 7 to 8).
const STONE: f32 = 7.0;
/// More black stones than these were set up for another reason than a handicap.
const MOST_STONES: u32 = 9;
/// Points by which the offset must have changed before the tree is grown anew: results of different offsets do not mix.
const OFFSET_STEP: f32 = 3.0;
/// Moves for each point of the board after which the handicap should have been worn off.
const FADE: f32 = 0.55;

/// What the tree may take of the memory allowed: the program itself, its threads' scratch memory and the lists made in pruning take the
/// rest (measured with 256 MiB and 10 million playouts on two threads: 7 MiB), and a network with what it has said.
pub(crate) fn tree_memory(settings: &Settings, network: Option<&LoadedNetwork>) -> u64 {
    let allowed = settings.search.memory.0;
    let network = network.map_or(0, |network| network.memory() + cache_memory(settings) + NETWORK_SCRATCH);
    (allowed - allowed / 32 - 4 * MIB).saturating_sub(network)
}

/// What a network's answers may take of the memory allowed. An answer is small beside the nodes that it makes in the tree.
pub(crate) fn cache_memory(settings: &Settings) -> u64 {
    settings.search.memory.0 / CACHE_SHARE
}

/// What a network takes besides: the threads' scratch memory, and what reading the file leaves behind. (g170-b6c96 on 9x9 with 128 MiB and two
/// threads took 137 without it.)
const NETWORK_SCRATCH: u64 = 12 * MIB;

/// Positions that are read for each visit of a search by a network, which takes some twenty times as long as that.
const READ_FOR_VISIT: u64 = 10;
/// One part of so many of a move's time may be for reading.
const READ_SHARE: u32 = 50;
/// Most moves that reading vouches for, and how many visits there must be for each: of a search of fewer, none is to spare.
const MOST_VOUCHED: u64 = 4;
const VOUCH_SHARE: u64 = 8;
/// Most positions that are read before a search: some hundredth of a second, and later in a game, when most of them are known, far less.
const MOST_READ: u64 = 3_000;

/// One part of so many is for a network's answers.
const CACHE_SHARE: u64 = 8;

/// The level that plays as well as it can.
const HIGHEST_LEVEL: u32 = 10;

/// The stricter of two limits.
fn stricter<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    a.into_iter().chain(b).min()
}

/// The limits of a search for a move, by a network or not: those asked for, and those of the settings.
fn limits(settings: &Settings, by_network: bool, asked: &Limits) -> Limits {
    let level = level_playouts(settings.play.level, by_network);
    Limits {
        visits: stricter(asked.visits, settings.search.max_visits),
        playouts: stricter(stricter(asked.playouts, settings.search.max_playouts), level),
        budget: asked.budget.map(|budget| settings.time.max_time.map_or(budget, |most| Budget::capped(budget, most))),
    }
}

/// Playouts of a level below the highest: each level doubles them, which is about two ranks. With a network, of which a single look plays
/// well already, from one on.
fn level_playouts(level: u32, by_network: bool) -> Option<u64> {
    (level < HIGHEST_LEVEL).then(|| if by_network { 1 << (level - 1) } else { 20 << level })
}
