//! The numbers of a row's global targets, by name.

/// Numbers of a row in globalTargetsNC.
pub(super) const TARGETS: usize = 80;
/// Numbers of a row in files of data format 2. The others are zero in them.
pub(super) const OLD_TARGETS: usize = 64;
/// The data format that is written.
const FORMAT: f32 = 3.0;
/// Scores are cut off here: the points of 19x19 and 60 more, as KataGo does it.
pub(super) const MOST_SCORE: f32 = 421.0;
/// How much the nearest of the averages over later turns weighs the present turn: 1 / (1 + points of the board * this).
const AVERAGES: [f64; 3] = [0.176, 0.056, 0.016];

/// What a position is worth to the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Values {
    /// Probability of a win; half a draw.
    pub win: f32,
    /// Probability of a loss; half a draw.
    pub loss: f32,
    /// Probability of a game without result.
    pub no_result: f32,
    /// Final score, in points.
    pub score: f32,
}

impl Values {
    /// The values of a finished game, by its score from the side of the player to move. A draw is half a win.
    pub fn of_score(score: f32) -> Self {
        let win = if score == 0.0 { 0.5 } else { f32::from(u8::from(score > 0.0)) };
        Self { win, loss: 1.0 - win, no_result: 0.0, score }
    }

    /// The same for the other side.
    pub fn opposite(self) -> Self {
        Self { win: self.loss, loss: self.win, no_result: self.no_result, score: 0.0 - self.score }
    }
}

/// How much each target counts, 0 to 1. KataGo's name for the place of each in globalTargetsNC is in brackets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weights {
    /// The row as a whole \[25\].
    pub row: f32,
    /// The player's move \[26\].
    pub policy: f32,
    /// The opponent's reply \[28\].
    pub reply: f32,
    /// Win, loss or no result: [`Targets::result`] \[1 - 35\].
    pub value: f32,
    /// The averages over later turns \[1 - 24\].
    pub averages: f32,
    /// Ownership, seki, the final score and its distribution \[27\].
    pub outcome: f32,
    /// The lead \[29\].
    pub lead: f32,
    /// The boards to come \[33\].
    pub future: f32,
    /// What each point scores \[34\].
    pub scoring: f32,
}

/// How a game began \[55\].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum GameKind {
    /// Self-play from an opening.
    #[default]
    Normal = 0,
    /// In a cleanup phase.
    Cleanup = 1,
    /// From a position of another self-play game.
    Fork = 2,
    /// With a handicap.
    Handicap = 3,
    /// From a position of a game record, or the record itself.
    Record = 4,
    /// From a position that was given as a hint.
    Hint = 5,
    /// From a game that began with a hint.
    HintFork = 6,
    /// With more visits for one side.
    Uneven = 7,
}

impl GameKind {
    const ALL: [Self; 8] =
        [Self::Normal, Self::Cleanup, Self::Fork, Self::Handicap, Self::Record, Self::Hint, Self::HintFork, Self::Uneven];
}

/// What is kept of the cheap search that a full one replaced after the game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reanalysis {
    /// How much its policy differed from the network's \[65\].
    pub policy_surprise: f32,
    /// How much its value differed from the network's \[66\].
    pub value_surprise: f32,
    /// Its visits \[67\].
    pub visits: f32,
}

/// The global targets of a row. The place of each in globalTargetsNC is in brackets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Targets {
    /// How the game ended, and its score \[0 to 3\].
    pub result: Values,
    /// Averages of what the searches of this turn and the later ones said, which reach the less far the later they stand \[4 to 15, KataGo's order:
    /// the farthest first\].
    pub averages: [Values; 3],
    /// What the search of this turn said \[16 to 19\].
    pub now: Values,
    /// The final score \[20\]. Like `result.score`, but zero if `weights.outcome` is.
    pub final_score: f32,
    /// The lead \[21\], in points.
    pub lead: f32,
    /// When the changes of the win rate come, as the sum of their squares times the turns until then \[22\].
    pub variance_time: f32,
    /// How much each target counts.
    pub weights: Weights,
    /// How much the search's policy differs from the network's \[30\]. For statistics, as all that follows.
    pub policy_surprise: f32,
    /// Entropy of the search's policy \[31\].
    pub policy_entropy: f32,
    /// Entropy of the search \[32\].
    pub search_entropy: f32,
    /// Whether the last move should be shown, the one before it and so on, 5 in all \[36 to 40\]. Random; KataGo's present trainer draws anew.
    pub history: [bool; 5],
    /// Says which game it was \[41 to 46\].
    pub game: u128,
    /// Komi and what else the player to move gets beyond the board \[47\].
    pub komi: f32,
    /// Whether area counts now: under area scoring, and in the second cleanup phase \[48\].
    pub counts_area: bool,
    /// Whether an earlier network began the game \[49\].
    pub changed_network: bool,
    /// How many networks earlier than the last the one was that played this move \[50\].
    pub networks_behind: f32,
    /// Moves since the start of the game \[51\].
    pub turn: f32,
    /// Whether the game ended because it was too long \[52\].
    pub too_long: bool,
    /// The first turn that was played by self-play \[53\].
    pub first_turn: f32,
    /// Black's extra moves at the start \[54\].
    pub extra_black: f32,
    /// How the game began.
    pub kind: GameKind,
    /// The number of the move that `turn` 0 was \[56\].
    pub initial_turn: f32,
    /// What the network alone says: win less loss \[57\].
    pub raw_win_loss: f32,
    /// What the network alone says of the score \[58\].
    pub raw_score: f32,
    /// Entropy of the network's policy \[59\].
    pub prior_entropy: f32,
    /// Visits of the search \[60\].
    pub visits: f32,
    /// Bonus points that the player to move is still to get \[61\].
    pub bonus: f32,
    /// Whether the game was played to its end, and this position is part of it \[62\].
    pub finished: bool,
    /// Set if a full search replaced a cheap one after the game \[64 to 67\].
    pub reanalysis: Option<Reanalysis>,
    /// Whether pass-alive areas are shown as if suicide was allowed, though it is not \[68\].
    pub prefers_pass_alive: bool,
}

impl Targets {
    /// Sets result, averages and the present turn's values. `series` is what the searches of this turn and the later ones said and, as its last
    /// entry, how the game ended, all from the side of the player to move in this row. `area`: points of the board.
    pub fn set_values(&mut self, series: &[Values], area: usize) {
        let (Some(&now), Some(&result)) = (series.first(), series.last()) else { return };
        self.result = cut(result);
        self.now = cut(now);
        self.averages = AVERAGES.map(|pace| cut(average(series, 1.0 / (1.0 + area as f64 * pace))));
        let value = |values: &Values| values.win - values.loss;
        let changes = series.windows(2).map(|pair| f64::from(value(&pair[1]) - value(&pair[0])));
        self.variance_time = (1..).zip(changes).map(|(turns, change)| f64::from(turns) * change * change).sum::<f64>() as f32;
        (self.weights.value, self.weights.averages) = (1.0, 1.0);
    }

    /// Sets the lead from the side of the player to move, in points.
    pub fn set_lead(&mut self, lead: f32) {
        self.lead = lead.clamp(-MOST_SCORE, MOST_SCORE);
        self.weights.lead = 1.0;
    }

    /// The row of globalTargetsNC.
    pub(super) fn to_array(self) -> [f32; TARGETS] {
        let mut array = [0.0; TARGETS];
        let values = [self.result, self.averages[0], self.averages[1], self.averages[2], self.now];
        for (place, values) in array.chunks_exact_mut(4).zip(values) {
            place.copy_from_slice(&[values.win, values.loss, values.no_result, values.score]);
        }
        let weights = self.weights;
        array[20..23].copy_from_slice(&[self.final_score, self.lead, self.variance_time]);
        array[24..30].copy_from_slice(&[
            1.0 - weights.averages,
            weights.row,
            weights.policy,
            weights.outcome,
            weights.reply,
            weights.lead,
        ]);
        array[30..36].copy_from_slice(&[
            self.policy_surprise,
            self.policy_entropy,
            self.search_entropy,
            weights.future,
            weights.scoring,
            1.0 - weights.value,
        ]);
        array[36..41].copy_from_slice(&self.history.map(flag));
        array[41..47].copy_from_slice(&pieces(self.game));
        array[47..57].copy_from_slice(&[
            self.komi,
            flag(self.counts_area),
            flag(self.changed_network),
            self.networks_behind,
            self.turn,
            flag(self.too_long),
            self.first_turn,
            self.extra_black,
            f32::from(self.kind as u8),
            self.initial_turn,
        ]);
        array[57..64].copy_from_slice(&[
            self.raw_win_loss,
            self.raw_score,
            self.prior_entropy,
            self.visits,
            self.bonus,
            flag(self.finished),
            FORMAT,
        ]);
        if let Some(Reanalysis { policy_surprise, value_surprise, visits }) = self.reanalysis {
            array[64..68].copy_from_slice(&[1.0, policy_surprise, value_surprise, visits]);
        }
        array[68] = flag(self.prefers_pass_alive);
        array
    }

    /// Reads a row of globalTargetsNC.
    pub(super) fn from_array(array: &[f32; TARGETS]) -> Self {
        let values = |at: usize| Values { win: array[at], loss: array[at + 1], no_result: array[at + 2], score: array[at + 3] };
        let set = |at: usize| array[at] > 0.5;
        Self {
            result: values(0),
            averages: [values(4), values(8), values(12)],
            now: values(16),
            final_score: array[20],
            lead: array[21],
            variance_time: array[22],
            weights: Weights {
                row: array[25],
                policy: array[26],
                reply: array[28],
                value: 1.0 - array[35],
                averages: 1.0 - array[24],
                outcome: array[27],
                lead: array[29],
                future: array[33],
                scoring: array[34],
            },
            policy_surprise: array[30],
            policy_entropy: array[31],
            search_entropy: array[32],
            history: std::array::from_fn(|age| set(36 + age)),
            game: together([array[41], array[42], array[43], array[44], array[45], array[46]]),
            komi: array[47],
            counts_area: set(48),
            changed_network: set(49),
            networks_behind: array[50],
            turn: array[51],
            too_long: set(52),
            first_turn: array[53],
            extra_black: array[54],
            kind: GameKind::ALL.get(array[55] as usize).copied().unwrap_or_default(),
            initial_turn: array[56],
            raw_win_loss: array[57],
            raw_score: array[58],
            prior_entropy: array[59],
            visits: array[60],
            bonus: array[61],
            finished: set(62),
            reanalysis: set(64).then(|| Reanalysis { policy_surprise: array[65], value_surprise: array[66], visits: array[67] }),
            prefers_pass_alive: set(68),
        }
    }
}

fn flag(set: bool) -> f32 {
    f32::from(u8::from(set))
}

/// The mean of a series in which each turn takes `share` of the weight that is left, and the last one the rest.
fn average(series: &[Values], share: f64) -> Values {
    let mut sums = [0.0; 4];
    let mut left = 1.0;
    for (turn, values) in series.iter().enumerate() {
        let weight = if turn + 1 == series.len() { left } else { left * share };
        for (sum, value) in sums.iter_mut().zip([values.win, values.loss, values.no_result, values.score]) {
            *sum += weight * f64::from(value);
        }
        left -= weight;
    }
    let [win, loss, no_result, score] = sums.map(|sum| sum as f32);
    Values { win, loss, no_result, score }
}

fn cut(values: Values) -> Values {
    Values { score: values.score.clamp(-MOST_SCORE, MOST_SCORE), ..values }
}

/// Bits of each piece that a game's hash is cut into, as a float holds 24 at most.
const PIECES: [u32; 6] = [22, 22, 20, 22, 22, 20];

fn pieces(mut hash: u128) -> [f32; 6] {
    PIECES.map(|bits| {
        let piece = hash & ((1 << bits) - 1);
        hash >>= bits;
        piece as f32
    })
}

fn together(pieces: [f32; 6]) -> u128 {
    let high_first = PIECES.iter().zip(pieces).rev();
    high_first.fold(0, |hash, (bits, piece)| hash << bits | piece as u128 & ((1 << bits) - 1))
}
