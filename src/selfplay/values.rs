//! Types that only self-play's parameters have.

use crate::board::Size;
use crate::params::Kind;
use crate::params::value::Value;
use crate::rules::Rules;
use crate::util::Rng;

/// Square boards, each with the weight that it is drawn by: as text `9:4,13:1`.
#[derive(Clone, Debug, PartialEq)]
pub struct SizeWeights(Vec<(Size, f32)>);

/// The least and the greatest side of a board in self-play. Training rows have room for 19.
const SIDES: std::ops::RangeInclusive<usize> = 2..=19;

impl Default for SizeWeights {
    /// All boards from 7x7 to 19x19, most of them those that people play on.
    fn default() -> Self {
        let weights = [1, 1, 6, 1, 2, 1, 5, 1, 2, 1, 2, 1, 10];
        let square = |side| Size::square(side).expect("these are sides of boards");
        Self((7..).map(square).zip(weights.map(|weight| weight as f32)).collect())
    }
}

impl SizeWeights {
    /// A board, drawn by the weights.
    pub fn draw(&self, rng: &mut Rng) -> Size {
        let mut left = rng.unit() * self.0.iter().map(|(_, weight)| weight).sum::<f32>();
        let passed = |&&(_, weight): &&(Size, f32)| {
            left -= weight;
            left < 0.0
        };
        self.0.iter().find(passed).unwrap_or(&self.0[0]).0
    }

    /// The side of the largest board.
    pub fn largest(&self) -> usize {
        self.0.iter().map(|(size, _)| size.width()).max().expect("there is a board")
    }
}

impl Value for SizeWeights {
    const KIND: Kind = Kind::Text;

    /// Sides, each with a weight behind a colon or the weight 1, and commas between.
    fn parse(text: &str) -> Option<Self> {
        let board = |part: &str| {
            let (side, weight) = part.split_once(':').unwrap_or((part, "1"));
            let side = side.trim().parse().ok().filter(|side| SIDES.contains(side))?;
            let weight = weight.trim().parse().ok().filter(|&weight: &f32| weight > 0.0 && weight <= 1e6)?;
            Some((Size::square(side).ok()?, weight))
        };
        text.split(',').map(board).collect::<Option<_>>().map(Self)
    }

    fn number(&self) -> Option<f64> {
        None
    }

    fn show(&self) -> String {
        self.0.iter().map(|(size, weight)| format!("{}:{weight}", size.width())).collect::<Vec<_>>().join(",")
    }
}

/// Which rules games are played by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RulesChoice {
    /// Any.
    Random,
    /// These.
    Given(Rules),
}

impl Value for RulesChoice {
    const KIND: Kind = Kind::Text;

    /// `random`, or a rule set as [`Rules::parse`] takes it.
    fn parse(text: &str) -> Option<Self> {
        if text == "random" { Some(Self::Random) } else { Rules::parse(text).ok().map(Self::Given) }
    }

    fn number(&self) -> Option<f64> {
        None
    }

    fn show(&self) -> String {
        match self {
            Self::Random => "random".to_owned(),
            Self::Given(rules) => rules.name().map_or_else(|| rules.to_json(), str::to_owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{RulesChoice, SizeWeights};
    use crate::params::value::Value;
    use crate::util::Rng;

    #[test]
    fn boards_come_by_their_weights() {
        let weights = SizeWeights::parse("9:3, 13").unwrap();
        assert_eq!((weights.show(), weights.largest()), ("9:3,13:1".to_owned(), 13));
        let mut rng = Rng::new(1);
        let nines = (0..4_000).filter(|_| weights.draw(&mut rng).width() == 9).count();
        assert!((2_850..3_150).contains(&nines), "{nines}");
        for bad in ["", "1", "20", "9:0", "9:-1", "9:nan", "9:1:2", "9;13", "x"] {
            assert_eq!(SizeWeights::parse(bad), None, "{bad}");
        }
        let usual = SizeWeights::default();
        assert_eq!(SizeWeights::parse(&usual.show()), Some(usual.clone()));
        assert!(usual.show().starts_with("7:1,") && usual.show().ends_with("19:10"));
    }

    #[test]
    fn rules_are_random_or_given() {
        for text in ["random", "japanese", "aga-button"] {
            assert_eq!(RulesChoice::parse(text).unwrap().show(), text);
        }
        assert_eq!(RulesChoice::parse("chess"), None);
    }
}
