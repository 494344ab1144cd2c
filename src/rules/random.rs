//! Rules drawn at random, for networks to learn what rules mean.

use super::ruleset::{HandicapBonus, KoRule, Rules, Scoring, Tax};
use crate::util::Rng;

impl Rules {
    /// Rules in which every setting is drawn, with the komi of the default. `territory` is the chance of territory scoring; what people play without
    /// comes oftener. Two passes end the game by the formal count: nobody is there to agree with about dead stones.
    pub fn random(territory: f32, rng: &mut Rng) -> Self {
        let scoring = if rng.chance(territory) { Scoring::Territory } else { Scoring::Area };
        Self {
            ko: [KoRule::Simple, KoRule::Positional, KoRule::Situational][rng.below(3)],
            scoring,
            tax: [Tax::None, Tax::None, Tax::Seki, Tax::Seki, Tax::All][rng.below(5)],
            suicide: rng.chance(0.5),
            button: scoring == Scoring::Area && rng.chance(1.0 / 3.0),
            handicap_bonus: [HandicapBonus::Zero, HandicapBonus::NMinusOne, HandicapBonus::N][rng.below(3)],
            friendly_pass: false,
            komi: Self::default().komi,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crate::rules::{Rules, Scoring};
    use crate::util::Rng;

    #[test]
    fn every_setting_comes_up() {
        let mut rng = Rng::new(3);
        let drawn: Vec<Rules> = (0..2000).map(|_| Rules::random(0.25, &mut rng)).collect();
        let territory = drawn.iter().filter(|rules| rules.scoring == Scoring::Territory).count();
        assert!((420..580).contains(&territory), "{territory}");
        assert!(drawn.iter().all(|rules| Rules::parse(&rules.to_json()).is_ok()), "all fit together");
        // Ko, tax, suicide and bonus are free: 54 sets under territory, twice as many under area scoring, with or without the button.
        assert_eq!(drawn.iter().map(Rules::to_json).collect::<HashSet<_>>().len(), 54 * 3);
    }
}
