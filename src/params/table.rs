//! The table of all parameters. To add one, add its entry here and nothing else: the field, its default, the flag of
//! `kata-set-param`, the config file's key, `tengen params` and the docs all follow from the entry.
//!
//! An entry reads: the reason (its doc), the public name, the field, type, default, range, unit, and when it may change:
//! `live` (also during a game, by `kata-set-param`) or `start` (by flag or config file only).
//! Names are KataGo's where the meaning is KataGo's, so that its clients and config files find what they look for.

use std::path::PathBuf;
use std::time::Duration;

use super::profile::Profile;
use super::schema::settings;
use super::value::{BackendKind, Bytes, Device, MIB, NetworkFile, Perspective, PlayoutPolicy};

settings! {
    /// All settings of an engine.
    Settings, listed by "tengen params", read by "tengen gtp --config FILE";

    /// The game that a fresh engine has set up; GTP commands change it later.
    game: GameParams {
        /// Rules of the game: a name that `kata-set-rules` knows, or its JSON form.
        "rules" => rules: String = "chinese".to_owned(), any, "", start;
        /// Points added to White's score; `none` takes what is usual under the rules.
        "komi" => komi: Option<f32> = None, (-1000, 1000), "points", start;
        /// Side of the board.
        "boardSize" => board_size: u32 = 19, (2, 25), "points", start;
    }

    /// When to stop thinking, and how the clock is kept.
    time: TimeParams {
        /// Longest search for one move, whatever the clock would allow.
        "maxTime" => max_time: Option<Duration> = None, (0.001, 1e20), "s", live;
        /// Time for a move if neither a clock nor any other limit is set, so that every genmove ends.
        "defaultTime" => default_time: Duration = Duration::from_secs(5), (0.001, 1e20), "s", live;
        /// Kept back for what the clock sees and the engine does not: the way to the server, a busy machine. Over the
        /// internet, 1 is safer.
        "lagBuffer" => lag_margin: Duration = Duration::from_millis(150), (0, 60), "s", live;
    }

    /// The network that judges positions, and how it is asked. A change during a game begins the tree anew.
    network: NetworkParams {
        /// File of a network in KataGo's format; or `embedded`, the one that the program carries, which is the default at the start if it
        /// carries one; or `none`: then the engine judges by playouts.
        "net" => file: NetworkFile = NetworkFile::None, any, "", start;
        /// What computes the network: `cpu`, the program's own kernels; `torch`, libtorch, for which it must be built; or `auto`, libtorch if
        /// that has a GPU, else the CPU.
        "backend" => backend: BackendKind = BackendKind::Auto, any, "", start;
        /// Where libtorch computes: `cpu`, `cuda` (the first GPU), `cuda:1`; or `auto`, a GPU if there is one.
        "device" => device: Device = Device::Auto, any, "", start;
        /// Shows the network each position turned or mirrored at random, so that its errors even out over a search.
        "nnRandomize" => random_symmetry: bool = true, any, "", live;
        /// How much the search looks for moves that turn out better than expected, with networks that know such; KataGo's default.
        "policyOptimism" => optimism: f32 = 1.0, (0, 1), "", live;
        /// The same at the root of the search, where priors should be sober; KataGo's default.
        "rootPolicyOptimism" => root_optimism: f32 = 0.2, (0, 1), "", live;
        /// Keeps from the network that a pass would end a game that is not won, and a pass below 95 %, so that it does not pass early.
        "enablePassingHacks" => passing_hacks: bool = true, any, "", live;
        /// Tells networks that know such what the player to move at the root can see more than its opponent: so many times twice the visits, negative
        /// if fewer. It plays for more than it would get against its equal, as in handicap games.
        "playoutDoublingAdvantage" => doubling_advantage: f32 = 0.0, (-3, 3), "doublings", live;
        /// Keeps from the network at the root that a pass would end the game: it captures what is dead rather than rely on the count.
        "conservativePass" => conservative_pass: bool = true, any, "", live;
        /// File of a network of human play, such as KataGo's b18c384nbt-humanv0, which is asked beside the one that judges; or `none`.
        "humanModel" => human_model: NetworkFile = NetworkFile::None, any, "", start;
        /// Whom networks of human play imitate, by KataGo's names: players of a rank (`rank_5k`, `rank_3d`, `rank_9d_20k` for Black and White), the same with openings of 2016
        /// (`preaz_5k`), professionals of a year (`proyear_1990`).
        "humanSLProfile" => human_profile: Profile = Profile::None, any, "", live;
    }

    /// The tree search.
    search: SearchParams {
        /// Threads that search together. The best is one a core, which is the default at the start, but with a network on a GPU 64.
        "numSearchThreads" => threads: u32 = 1, (1, 1024), "threads", live;
        /// Visits of the root, those kept from earlier searches included, after which a search stops.
        "maxVisits" => max_visits: Option<u64> = None, (1, 1u64 << 50), "visits", live;
        /// Playouts after which a search stops; unlike maxVisits, visits of earlier searches do not count.
        "maxPlayouts" => max_playouts: Option<u64> = None, (1, 1u64 << 50), "playouts", live;
        /// Most memory the engine may take, nearly all of it for the tree, or with a network what its weights and an
        /// eighth for its answers leave; a full tree is pruned and searched on. The default at the
        /// start is 1GiB, on Linux a quarter of the machine's memory up to 2GiB.
        "memory" => memory: Bytes = Bytes(1024 * MIB), (16 * MIB, 1024 * 1024 * MIB), "bytes", start;
        /// Seed of all chance. With a seed and one thread the same moves come again; `none` takes a fresh one each time.
        "searchRandSeed" => seed: Option<u64> = None, any, "", live;
        /// Think while the opponent thinks.
        "ponderingEnabled" => ponder: bool = false, any, "", live;
        /// By playouts: lost games that a thread adds to each node on its way, so that the other threads look elsewhere. With a network it is
        /// one visit.
        "numVirtualLossesPerThread" => virtual_loss: u32 = 3, (0, 100), "games", live;
        /// How long all-moves-as-first results count: E in RAVE's weight r / (r + n + n r / E), of a move with n visits and r
        /// such results; 0 is without RAVE. Pachi has 3000 on small boards and 4000 on large ones.
        "raveEquivalence" => rave_equivalence: f32 = 3500.0, (0, 1_000_000), "visits", live;
        /// Weight of the exploration term, which favours moves of high prior with few visits. Small, since all-moves-as-first
        /// results explore well; above 0, so that no move is overlooked for ever.
        "explorationConstant" => exploration: f32 = 0.2, (0, 10), "win rate", live;
        /// Visits of a leaf before its moves become nodes: lower looks deeper, higher saves memory.
        "expandVisits" => expand_at: u32 = 8, (1, 1_000_000), "visits", live;
        /// Weight of the even result that every new move starts with, which keeps first results from deciding.
        "priorEven" => prior_even: f32 = 14.0, (0, 1000), "games", live;
        /// With a network: weight of exploration by policy. This and what follows is as in KataGo, whose defaults these are.
        "cpuctExploration" => cpuct: f32 = 1.0, (0, 10), "utility", live;
        /// With a network: how much exploration grows with the logarithm of the visits.
        "cpuctExplorationLog" => cpuct_log: f32 = 0.45, (0, 10), "utility", live;
        /// With a network: how much exploration follows the spread of the utilities below a node; 0 is not at all.
        "cpuctUtilityStdevScale" => cpuct_stdev_scale: f32 = 0.85, (0, 1), "", live;
        /// With a network: how far below its parent's utility an untried move is taken to be, once most of the policy is tried.
        "fpuReductionMax" => fpu_reduction: f32 = 0.2, (0, 2), "utility", live;
        /// The same at the root, where it is less so that more moves are seen; with rootNoiseEnabled it is 0.
        "rootFpuReductionMax" => root_fpu_reduction: f32 = 0.1, (0, 2), "utility", live;
        /// With a network: a child worse than the mean of its parent's children counts the less in the parent's value, the higher this is.
        "valueWeightExponent" => value_weight_exponent: f32 = 0.25, (0, 1), "", live;
        /// With a network: visits to unlikely moves that proved worse than likelier ones count less in the parent's value.
        "useNoisePruning" => prune_noise: bool = true, any, "", live;
        /// With a network: the move of the best lower confidence bound is chosen, rather than the most visited one.
        "useLcbForSelection" => use_lcb: bool = true, any, "", live;
        /// How many standard errors below its mean utility a move's bound is.
        "lcbStdevs" => lcb_stdevs: f32 = 5.0, (0, 100), "standard errors", live;
        /// A move is chosen by its bound only from this share of the most visited move's visits.
        "minVisitPropForLCB" => lcb_least_share: f32 = 0.15, (0, 1), "", live;
        /// With a network: what the score is worth besides the win, about a score of 0; a won game is worth 1. A
        /// change of this or the next three begins the tree anew.
        "staticScoreUtilityFactor" => static_score_utility: f32 = 0.1, (0, 0.5), "utility", live;
        /// With a network: what the score is worth besides the win, about the score that is expected.
        "dynamicScoreUtilityFactor" => dynamic_score_utility: f32 = 0.3, (0, 0.5), "utility", live;
        /// How far that centre is drawn from the expected score towards 0.
        "dynamicScoreCenterZeroWeight" => dynamic_score_zero_weight: f32 = 0.2, (0, 1), "", live;
        /// The score, from the expected one, at which half of what can be won by it is won; in roots of the board's area.
        "dynamicScoreCenterScale" => dynamic_score_scale: f32 = 0.75, (0.1, 50), "board sides", live;
        /// In a symmetric position one of the moves that mirror each other is searched and stands for the others, where nothing is restricted.
        "rootSymmetryPruning" => prune_symmetry: bool = true, any, "", live;
        /// With a network: ladders, races and eyes are read out around weak chains before a search, and a few moves that decide them are looked at first. Finds more captures in
        /// searches of few visits, and costs next to nothing.
        "readFights" => read_fights: bool = true, any, "", live;
        /// With a network: noise on the root's priors, so that unlikely moves are tried; for self-play.
        "rootNoiseEnabled" => root_noise: bool = false, any, "", live;
        /// How even that noise is: the total concentration of the Dirichlet distribution that it is drawn from.
        "rootDirichletNoiseTotalConcentration" => root_noise_concentration: f32 = 10.83, (0.001, 10_000), "", live;
        /// Share of the noise in the root's priors.
        "rootDirichletNoiseWeight" => root_noise_weight: f32 = 0.25, (0, 1), "", live;
        /// With a network: how far analysis tries moves beyond what choosing one takes, so that it has more to tell; 0 is not at all.
        "analysisWideRootNoise" => wide_root_noise: f32 = 0.04, (0, 5), "utility", live;
        /// With a network: above 1 the root's priors are evened out, below 1 sharpened.
        "rootPolicyTemperature" => root_policy_temperature: f32 = 1.0, (0.01, 100), "", live;
    }

    /// Moves out of an opening book, which are played without a search.
    book: BookParams {
        /// File of an opening book, as `tengen book` makes it; a move that it knows is played at once. It counts where the komi is within a point of
        /// its games' and the scoring is the same.
        "book" => file: Option<PathBuf> = None, any, "", start;
        /// Fewest games in which a move of the book was played for it to be played again, unless it is marked by hand: what a few
        /// played may be a mistake of theirs.
        "bookMinGames" => min_games: u32 = 5, (1, 1_000_000_000), "games", live;
        /// How much less than the best one a move of the book may have won. Below this lies what luck and other players' strength explain.
        "bookMostWorse" => most_worse: f32 = 0.1, (0, 1), "share of games", live;
        /// Variety: 0 always plays the move of the book that was played most, 1 picks each as often as it was played.
        "bookVariety" => variety: f32 = 1.0, (0, 5), "", live;
    }

    /// What an analysis tells, and of what.
    analysis: AnalysisParams {
        /// Whose win rates, leads and ownership an analysis tells, by GTP or JSON.
        "reportAnalysisWinratesAs" => perspective: Perspective = Perspective::SideToMove, any, "", live;
        /// Most moves of a principal variation that an analysis tells, besides the first.
        "analysisPVLen" => pv_length: u32 = 15, (1, 1000), "moves", live;
        /// In JSON analysis a network is not shown which moves led to the position, so that bad ones do not mislead it; ko and superko
        /// hold all the same.
        "ignorePreRootHistory" => hide_history: bool = true, any, "", live;
        /// JSON analysis warns of a query's fields that mean nothing to it, which are misspelt most of the time.
        "warnUnusedFields" => warn_unused: bool = true, any, "", start;
    }

    /// The moves of a playout, tried in this order around the last move, each with its probability. Those not given here are
    /// Pachi's, of its public sources.
    playout: PlayoutParams {
        /// How playouts choose their moves: `uniform` at random, or `light` by the rules below.
        "playoutPolicy" => policy: PlayoutPolicy = PlayoutPolicy::Light, any, "", live;
        /// How often a ko taken within the last three moves is taken back.
        "playoutKo" => ko: u32 = 40, (0, 100), "%", live;
        /// How often a chain in atari is captured, or saved.
        "playoutCapture" => capture: u32 = 90, (0, 100), "%", live;
        /// How often an enemy chain of two liberties is caught, where it can be.
        "playoutAtari" => atari: u32 = 85, (0, 100), "%", live;
        /// How often an own chain of two liberties is freed, where it would be caught.
        "playoutLiberties" => liberties: u32 = 80, (0, 100), "%", live;
        /// How often the last diagonal of an eye is taken, when the one before it went.
        "playoutEye" => eye: u32 = 100, (0, 100), "%", live;
        /// How often the vital point of a small eye space is played.
        "playoutNakade" => nakade: u32 = 80, (0, 100), "%", live;
        /// How often a 3x3 pattern beside the last move is played.
        "playoutPattern" => pattern: u32 = 100, (0, 100), "%", live;
        /// How often a suggested move that is self-atari for nothing is rejected. Throw-ins and nakade do not
        /// count; Pachi rejects 60 % of all.
        "playoutSelfAtari" => self_atari: u32 = 90, (0, 100), "%", live;
        /// How often a random move that is self-atari for nothing is rejected. So high that sekis last: of 541 recorded ends 515 are
        /// judged right. michi has 50 %, of all self-ataris.
        "playoutSelfAtariRandom" => self_atari_random: u32 = 90, (0, 100), "%", live;
    }

    /// How it plays: strength, variety, resigning.
    play: PlayParams {
        /// Strength from 1 to 10, all it can. A level below has half the playouts of the next: 40 at level 1, a beginner's, but with a
        /// network 1, which plays as well as the network guesses.
        "level" => level: u32 = 10, (1, 10), "", live;
        /// Variety in the opening: 0 always plays the move it likes best, 1 picks moves as often as the search visited them.
        "openingTemperature" => opening_temperature: f32 = 0.0, (0, 5), "", live;
        /// Whether it resigns at all.
        "allowResignation" => resign: bool = true, any, "", live;
        /// It resigns when its win rate stays below this.
        "resignWinrate" => resign_winrate: f32 = 0.05, (0, 0.5), "win rate", live;
        /// How many of its own moves in a row must be that hopeless.
        "resignConsecTurns" => resign_turns: u32 = 3, (1, 1000), "moves", live;
        /// No resigning before this many moves for each point of the board.
        "resignMinMovesPerBoardArea" => resign_min_moves: f32 = 0.15, (0, 10), "moves a point", live;
    }
}
