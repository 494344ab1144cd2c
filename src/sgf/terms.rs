//! Under which rules and komi a game is looked at, and who says so.

use super::record::Record;
use crate::rules::Rules;

/// Rules of a game that names none.
const ASSUMED: &str = "chinese";

/// Where rules or komi come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Whoever asks.
    Flag,
    /// The record.
    Record,
    /// What is usual, since the record names none, or none that is known.
    Assumed,
}

/// The rules and komi of a game, and where they come from.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    /// The rules to count by, komi included.
    pub rules: Rules,
    /// Who says so.
    pub rules_from: Source,
    /// Who says what the komi is.
    pub komi_from: Source,
    /// The rules that the moves have to follow.
    legal: Rules,
}

impl Terms {
    /// The record's terms, but for what is asked for: `rules`, and `komi` points for White.
    pub fn of(record: &Record, rules: Option<Rules>, komi: Option<f32>) -> Self {
        let own = record.rules.as_deref().and_then(Rules::from_sgf);
        let chosen = rules.or(own).unwrap_or_else(|| Rules::parse(ASSUMED).expect("a known name"));
        let source = |asked: bool, said: bool| match (asked, said) {
            (true, _) => Source::Flag,
            (false, true) => Source::Record,
            (false, false) => Source::Assumed,
        };
        let (rules_from, komi_from) = (source(rules.is_some(), own.is_some()), source(komi.is_some(), record.komi.is_some()));
        let rules = chosen.with_komi(komi.unwrap_or_else(|| record.komi_under(&chosen)));
        Self { rules, rules_from, komi_from, legal: own.unwrap_or(rules) }
    }

    /// The rules to replay the moves by. A game is counted by other rules than its own without asking whether its moves were legal under
    /// them.
    pub fn to_replay(&self) -> Rules {
        Rules { ko: self.legal.ko, suicide: self.legal.suicide, ..self.rules }
    }

    /// Rules and komi of `record`, and why these, as two sentences.
    pub fn in_words(&self, record: &Record) -> String {
        let rules = self.rules.name().map_or_else(|| self.rules.to_json(), str::to_owned);
        let rules_why = match (self.rules_from, &record.rules) {
            (Source::Flag, _) => "as asked".to_owned(),
            (Source::Record, _) => "as the record says".to_owned(),
            (Source::Assumed, None) => "assumed, since the record names none".to_owned(),
            (Source::Assumed, Some(said)) => format!("assumed, since the record's '{said}' are not known"),
        };
        let komi_why = match self.komi_from {
            Source::Flag => "as asked",
            Source::Record => "as the record says",
            Source::Assumed if record.handicap > 0 => "usual with a handicap, since the record names none",
            Source::Assumed => "usual under these rules, since the record names none",
        };
        format!("Rules: {rules}, {rules_why}. Komi: {}, {komi_why}.", self.rules.komi)
    }
}
