//! What raw outputs mean in the game. The formulas are KataGo's, which differ by the version of the network's format.

use crate::board::{Color, Move, Size};
use crate::rules::{KoRule, Position, Scoring};

use super::{Multipliers, Network, RawOutputs, Symmetry};

/// What a network says of a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outputs {
    /// Probability that a good player plays there, a point each, row by row from the top left; [`Outputs::ILLEGAL`] where no move is
    /// legal. All sum to 1 with `pass`.
    pub policy: Vec<f32>,
    /// Probability of a pass.
    pub pass: f32,
    /// Probability of a win.
    pub win: f32,
    /// Probability of a loss.
    pub loss: f32,
    /// Probability of a game without result. The three sum to 1.
    pub no_result: f32,
    /// Mean of the final score of play like that which trained the network, in points; a game without result counts 0.
    pub score_mean: f32,
    /// Its standard deviation, in points.
    pub score_stdev: f32,
    /// The komi that would make the game even, in points: what one is ahead by.
    pub lead: f32,
    /// How uncertain it is how long the game lasts, as a variance, in turns. From version 9 on.
    pub time_left_variance: Option<f32>,
    /// How far the win rate is likely off what a short search finds, from 0. From version 9 on.
    pub shortterm_value_error: Option<f32>,
    /// How far the score is likely off what a short search finds, in points. From version 9 on.
    pub shortterm_score_error: Option<f32>,
    /// Whose each point will be, row by row from the top left: 1 for sure one's own, -1 the opponent's.
    pub ownership: Vec<f32>,
}

impl Outputs {
    /// The policy where no move is legal.
    pub const ILLEGAL: f32 = -1.0;

    /// Mean of the square of the final score.
    pub fn score_square(&self) -> f32 {
        self.score_mean * self.score_mean + self.score_stdev * self.score_stdev
    }

    /// The same seen by `side`, from what a decoder gives: it sees everything from the side of `to_move`. The policy stays.
    pub fn seen_by(mut self, side: Color, to_move: Color) -> Self {
        if side != to_move {
            std::mem::swap(&mut self.win, &mut self.loss);
            self.score_mean = -self.score_mean;
            self.lead = -self.lead;
            self.ownership.iter_mut().for_each(|owner| *owner = -*owner);
        }
        self
    }
}

/// How a policy is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicyOptions {
    /// Share of the optimistic policy, 0 to 1, that looks for moves which turn out better than expected. Networks that have none, and those
    /// that imitate people, ignore it. KataGo takes 1.0 in the tree and 0.2 at the root.
    pub optimism: f32,
    /// Above 1 flattens the policy, below 1 sharpens it. More than 0.
    pub temperature: f32,
    /// Keeps a pass from more than 95 %, so that a search looks at other moves too.
    pub cap_pass: bool,
}

impl Default for PolicyOptions {
    fn default() -> Self {
        Self { optimism: 0.0, temperature: 1.0, cap_pass: false }
    }
}

/// The most a pass may be to all other moves together, if it is capped.
const PASS_CAP: f32 = 19.0;

/// Gives raw outputs of one network their meaning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decoder {
    version: u32,
    multipliers: Multipliers,
    imitates_people: bool,
}

impl Decoder {
    /// A decoder for what `network` says.
    pub fn new(network: &Network) -> Self {
        Self { version: network.version, multipliers: network.multipliers, imitates_people: network.trunk.meta.is_some() }
    }

    /// What `raw` means for the player to move in `position`, which was shown turned by `symmetry` in a tensor of size `tensor`, as
    /// [`Features::encode`](super::Features::encode) does it.
    pub fn decode(
        &self,
        raw: &RawOutputs,
        position: &Position,
        tensor: Size,
        symmetry: Symmetry,
        options: &PolicyOptions,
    ) -> Outputs {
        let mut outputs = Outputs::default();
        let places = symmetry.within(tensor).places(position.size(), tensor.width());
        self.policy(raw, position, places.clone(), tensor.area(), options, &mut outputs);
        self.value(raw, position, &mut outputs);
        outputs.ownership = places.map(|place| raw.ownership[place].tanh()).collect();
        outputs
    }

    fn policy(
        &self,
        raw: &RawOutputs,
        position: &Position,
        places: impl Iterator<Item = usize>,
        channel: usize,
        options: &PolicyOptions,
        outputs: &mut Outputs,
    ) {
        let optimism = if self.imitates_people || raw.pass.len() < 2 { 0.0 } else { options.optimism };
        let logit = |normal: f32, optimistic: Option<&f32>| {
            let logit = optimistic.map_or(normal, |optimistic| normal + (optimistic - normal) * optimism);
            logit / options.temperature
        };
        let pass = logit(raw.pass[0], raw.pass.get(1));
        let points = position.size().points().zip(places);
        let board: Vec<Option<f32>> = points
            .map(|(point, place)| {
                let legal = position.is_legal(Move::from(point));
                legal.then(|| logit(raw.policy[place], raw.policy.get(channel + place)))
            })
            .collect();
        let most = board.iter().flatten().copied().fold(pass, f32::max);
        let weight = |logit: f32| (logit - most).exp();
        let others: f32 = board.iter().flatten().copied().map(weight).sum();
        let mut pass = weight(pass);
        if options.cap_pass && others > 0.0 {
            pass = pass.min(PASS_CAP * others);
        }
        let sum = others + pass;
        outputs.policy = board.into_iter().map(|logit| logit.map_or(Outputs::ILLEGAL, |logit| weight(logit) / sum)).collect();
        outputs.pass = pass / sum;
    }

    /// Everything but policy and ownership. In double precision, as there are few numbers and some are squared.
    fn value(&self, raw: &RawOutputs, position: &Position, outputs: &mut Outputs) {
        let logits = raw.value.map(f64::from);
        let most = logits.into_iter().fold(f64::MIN, f64::max);
        let [win, loss, mut no_result] = logits.map(|logit| (logit - most).exp());
        let rules = position.rules();
        if rules.ko != KoRule::Simple && rules.scoring != Scoring::Territory {
            no_result = 0.0; // Superko lets no game repeat itself.
        }
        let sum = win + loss + no_result;
        let result = 1.0 - no_result / sum;
        (outputs.win, outputs.loss, outputs.no_result) = ((win / sum) as f32, (loss / sum) as f32, (no_result / sum) as f32);

        let [mean, stdev, lead, time, value_error, score_error] = raw.score.map(f64::from);
        let by = self.multipliers;
        let mean = mean * f64::from(by.score_mean);
        let stdev = softplus(stdev) * f64::from(by.score_stdev);
        // Games without result count as 0 points.
        let square = (mean * mean + stdev * stdev) * result;
        let mean = mean * result;
        outputs.score_mean = mean as f32;
        outputs.score_stdev = (square - mean * mean).max(0.0).sqrt() as f32;
        outputs.lead = (lead * f64::from(by.lead) * result) as f32;
        if self.version >= 9 {
            outputs.time_left_variance = Some((softplus(time) * f64::from(by.variance_time)) as f32);
            outputs.shortterm_value_error = Some(self.error(value_error, by.shortterm_value_error, 1.0) as f32);
            outputs.shortterm_score_error = Some(self.error(score_error, by.shortterm_score_error, 10.0) as f32);
        }
    }

    /// A short-term error. Version 9 gives it directly, in units of `unit`; later ones its square, in units of `square_unit`.
    fn error(&self, raw: f64, square_unit: f32, unit: f64) -> f64 {
        match self.version {
            ..=9 => softplus(raw) * unit,
            10..=13 => (softplus(raw) * f64::from(square_unit)).sqrt(),
            14.. => softplus(raw / 2.0) * f64::from(square_unit).sqrt(),
        }
    }
}

/// ln(1 + e^x), kept from overflow.
fn softplus(x: f64) -> f64 {
    if x > 40.0 { x } else { x.exp().ln_1p() }
}

#[cfg(test)]
mod tests {
    use super::{Decoder, Outputs, PolicyOptions};
    use crate::board::{Color, Coord, Size};
    use crate::nn::{Multipliers, RawOutputs, Symmetry};
    use crate::rules::{Position, Rules};

    fn decoder(version: u32) -> Decoder {
        Decoder { version, multipliers: Multipliers::default(), imitates_people: false }
    }

    /// A board of 2 columns and 3 rows with a black stone in the upper left corner, White to move.
    fn position(rules: &str) -> Position {
        let size = Size::new(2, 3).unwrap();
        let mut position = Position::new(size, Rules::parse(rules).unwrap());
        position.play(size.point(0, 0).unwrap().into()).unwrap();
        position
    }

    /// Two channels over a tensor of 3 by 4: logits are the logarithms of 0, 1, 2 ... 11, and of 1 and 11, 10 ... 0.
    fn raw() -> RawOutputs {
        let numbers = (0..12).chain((0..12).rev());
        RawOutputs {
            policy: numbers.map(|n| (n as f32).ln()).collect(),
            pass: vec![1f32.ln(), 2f32.ln()],
            value: [3f32.ln(), 1f32.ln(), 4f32.ln()],
            score: [0.5, -1.0, 0.25, 1.0, 1.5, 2.0],
            ownership: (0..12).map(|n| n as f32 / 10.0).collect(),
        }
    }

    fn decode(version: u32, rules: &str, options: &PolicyOptions) -> Outputs {
        let tensor = Size::new(3, 4).unwrap();
        decoder(version).decode(&raw(), &position(rules), tensor, Symmetry::IDENTITY, options)
    }

    #[track_caller]
    fn assert_close(found: impl IntoIterator<Item = f32>, expected: impl IntoIterator<Item = f32>) {
        let (found, expected): (Vec<_>, Vec<_>) = (found.into_iter().collect(), expected.into_iter().collect());
        let close = found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(found.len() == expected.len() && close, "{found:?} is not {expected:?}");
    }

    #[test]
    fn the_policy_sums_to_one_over_legal_moves() {
        let outputs = decode(12, "chinese", &PolicyOptions::default());
        // Rows of the tensor begin at 0, 3, 6; the stone is at 0; a pass weighs 1.
        assert_close(outputs.policy, [-1.0, 1.0 / 22.0, 3.0 / 22.0, 4.0 / 22.0, 6.0 / 22.0, 7.0 / 22.0]);
        assert_close([outputs.pass], [1.0 / 22.0]);

        let optimistic = decode(12, "chinese", &PolicyOptions { optimism: 1.0, ..PolicyOptions::default() });
        assert_close(optimistic.policy, [-1.0, 10.0 / 36.0, 8.0 / 36.0, 7.0 / 36.0, 5.0 / 36.0, 4.0 / 36.0]);
        assert_close([optimistic.pass], [2.0 / 36.0]);

        let flat = decode(12, "chinese", &PolicyOptions { temperature: 2.0, ..PolicyOptions::default() });
        assert_close([flat.policy[3] / flat.policy[1]], [2.0]);
    }

    #[test]
    fn people_are_not_optimistic() {
        let decoder = Decoder { imitates_people: true, ..decoder(15) };
        let options = PolicyOptions { optimism: 1.0, ..PolicyOptions::default() };
        let tensor = Size::new(3, 4).unwrap();
        let outputs = decoder.decode(&raw(), &position("chinese"), tensor, Symmetry::IDENTITY, &options);
        assert_close(outputs.policy, decode(12, "chinese", &PolicyOptions::default()).policy);
    }

    #[test]
    fn a_pass_is_capped_on_demand() {
        let tensor = Size::new(3, 4).unwrap();
        let raw = RawOutputs { pass: vec![30.0], ..raw() };
        let pass = |cap_pass| {
            let options = PolicyOptions { cap_pass, ..PolicyOptions::default() };
            decoder(8).decode(&raw, &position("chinese"), tensor, Symmetry::IDENTITY, &options).pass
        };
        assert_close([pass(false), pass(true)], [1.0, 0.95]);
    }

    #[test]
    fn outputs_are_turned_back() {
        let (tensor, board) = (Size::square(4).unwrap(), Size::new(2, 3).unwrap());
        let raw = RawOutputs { policy: vec![0.0; 16], pass: vec![0.0], ownership: numbered(16), ..raw() };
        for symmetry in Symmetry::ALL {
            let outputs = decoder(8).decode(&raw, &position("chinese"), tensor, symmetry, &PolicyOptions::default());
            let expected = board.points().map(|point| {
                let Coord { x, y } = symmetry.turn(board, board.coord(point));
                f32::from(y * 4 + x) / 10.0
            });
            assert_close(outputs.ownership, expected.map(f32::tanh));
        }
    }

    fn numbered(count: usize) -> Vec<f32> {
        (0..count).map(|n| n as f32 / 10.0).collect()
    }

    #[test]
    fn games_without_result_need_simple_ko_or_territory() {
        let figures = |rules| {
            let outputs = decode(8, rules, &PolicyOptions::default());
            [outputs.win, outputs.loss, outputs.no_result, outputs.score_mean, outputs.lead]
        };
        assert_close(figures("chinese"), [0.375, 0.125, 0.5, 5.0, 2.5]);
        assert_close(figures("japanese"), [0.375, 0.125, 0.5, 5.0, 2.5]);
        assert_close(figures("tromp-taylor"), [0.75, 0.25, 0.0, 10.0, 5.0]);
    }

    #[test]
    fn the_score_square_shrinks_with_games_without_result() {
        // softplus(-1) = 0.313262
        let square = 100.0 + (20.0 * 0.313_262f32).powi(2);
        for (rules, share) in [("tromp-taylor", 1.0), ("chinese", 0.5)] {
            assert_close([decode(8, rules, &PolicyOptions::default()).score_square() / square], [share]);
        }
    }

    /// softplus(1) = 1.313262, of 1.5: 1.701413, of 2: 2.126928, of 0.75: 1.136871.
    #[test]
    fn errors_go_by_version() {
        for (version, time, value, score) in [
            (9, 52.530_46, 1.701_413, 21.269_28),
            (10, 52.530_46, (1.701_413f32 / 4.0).sqrt(), (2.126_928f32 * 30.0).sqrt()),
            (13, 52.530_46, (1.701_413f32 / 4.0).sqrt(), (2.126_928f32 * 30.0).sqrt()),
            (14, 52.530_46, 1.136_871 / 2.0, 1.313_262 * 30f32.sqrt()),
        ] {
            let outputs = decode(version, "chinese", &PolicyOptions::default());
            let found = [outputs.time_left_variance, outputs.shortterm_value_error, outputs.shortterm_score_error];
            assert_close(found.map(Option::unwrap), [time, value, score]);
        }
        let old = decode(8, "chinese", &PolicyOptions::default());
        assert_eq!((old.time_left_variance, old.shortterm_value_error, old.shortterm_score_error), (None, None, None));
    }

    #[test]
    fn the_other_side_sees_the_opposite() {
        let white = decode(8, "chinese", &PolicyOptions::default());
        assert_eq!(white.clone().seen_by(Color::White, Color::White), white);
        let black = white.clone().seen_by(Color::Black, Color::White);
        assert_eq!((black.win, black.loss, black.no_result), (white.loss, white.win, white.no_result));
        assert_eq!((black.score_mean, black.lead, black.ownership[5]), (-white.score_mean, -white.lead, -white.ownership[5]));
        assert_eq!((black.score_stdev, black.policy), (white.score_stdev, white.policy));
    }
}
