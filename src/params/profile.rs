//! Whose play a network of human play is to imitate, by KataGo's names.

use std::fmt;

use super::value::{Kind, Value};

/// A rank, as steps below professionals: 1 is 9 dan, 9 is 1 dan, 10 is 1 kyu, 29 is 20 kyu.
pub type InverseRank = u8;

/// Dan ranks, and kyu ranks.
const DANS: u8 = 9;
const KYUS: u8 = 20;
/// Years whose professionals can be imitated.
const YEARS: std::ops::RangeInclusive<u16> = 1800..=2023;

/// Whom a network of human play imitates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Nobody in particular.
    #[default]
    None,
    /// Players of these ranks, Black's and White's: `rank_5k`, `rank_9d_20k`, or with openings of before AlphaZero `preaz_5k`.
    Ranks {
        /// Whether openings are those of 2016.
        before_alphazero: bool,
        /// Black's.
        black: InverseRank,
        /// White's.
        white: InverseRank,
    },
    /// Professionals of a year: `proyear_1990`.
    Professionals(u16),
}

fn parse_rank(text: &str) -> Option<InverseRank> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let number: u8 = number.parse().ok().filter(|_| !number.starts_with(['0', '+']))?;
    match unit {
        "d" if number <= DANS => Some(DANS + 1 - number),
        "k" if number <= KYUS => Some(DANS + number),
        _ => None,
    }
}

fn show_rank(rank: InverseRank) -> String {
    if rank <= DANS { format!("{}d", DANS + 1 - rank) } else { format!("{}k", rank - DANS) }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::None => Ok(()),
            Self::Professionals(year) => write!(f, "proyear_{year}"),
            Self::Ranks { before_alphazero, black, white } => {
                let name = if before_alphazero { "preaz" } else { "rank" };
                write!(f, "{name}_{}", show_rank(black))?;
                if white == black { Ok(()) } else { write!(f, "_{}", show_rank(white)) }
            }
        }
    }
}

impl Value for Profile {
    const KIND: Kind = Kind::Words(
        "rank_20k to rank_9d, preaz_20k to preaz_9d, proyear_1800 to proyear_2023, rank_9d_20k for Black and White, or nothing",
    );

    fn parse(text: &str) -> Option<Self> {
        // KataGo takes these for nothing; config files cannot hold an empty word.
        if ["", "_", "\"\""].contains(&text) {
            return Some(Self::None);
        }
        let (name, rest) = text.split_once('_')?;
        if name == "proyear" {
            return rest.parse().ok().filter(|year| YEARS.contains(year)).map(Self::Professionals);
        }
        let before_alphazero = match name {
            "rank" => false,
            "preaz" => true,
            _ => return None,
        };
        let (black, white) = rest.split_once('_').unwrap_or((rest, rest));
        Some(Self::Ranks { before_alphazero, black: parse_rank(black)?, white: parse_rank(white)? })
    }

    fn number(&self) -> Option<f64> {
        None
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_read_and_shown() {
        for (text, black, white) in
            [("rank_9d", 1, 1), ("rank_1d", 9, 9), ("rank_1k", 10, 10), ("rank_20k", 29, 29), ("rank_9d_5k", 1, 14)]
        {
            let profile = Profile::parse(text).unwrap();
            assert_eq!(profile, Profile::Ranks { before_alphazero: false, black, white });
            assert_eq!(profile.show(), text);
        }
        assert_eq!(Profile::parse("preaz_3k"), Some(Profile::Ranks { before_alphazero: true, black: 12, white: 12 }));
        assert_eq!(Profile::parse("proyear_1846").map(|profile| profile.show()), Some("proyear_1846".to_owned()));
        for nothing in ["", "_", "\"\""] {
            assert_eq!(Profile::parse(nothing), Some(Profile::None));
        }
        let bad = [
            "rank",
            "rank_",
            "rank_0d",
            "rank_10d",
            "rank_21k",
            "rank_05k",
            "rank_5",
            "rank_5k_",
            "rank_5k_3k_1k",
            "proyear_1799",
            "proyear_2024",
            "5k",
            "rank_ü",
            "rank_+5k",
        ];
        for bad in bad {
            assert_eq!(Profile::parse(bad), None, "{bad}");
        }
    }
}
