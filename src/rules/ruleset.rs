//! Rule sets: what can differ between the rules of Go in use, the names they go by, and their JSON form.
//!
//! The choices, names and JSON keys are KataGo's (its public document GTP_Extensions), because every client knows them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What forbids, or ends, the repetition of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum KoRule {
    /// A ko may not be retaken at once. A longer cycle without a pass ends the game with no result.
    Simple,
    /// No move may bring back an earlier pattern of stones.
    Positional,
    /// No move may bring back an earlier pattern of stones with the same player to move.
    Situational,
}

/// What counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Scoring {
    /// Stones and surrounded points.
    Area,
    /// Prisoners and surrounded points.
    Territory,
}

/// Which surrounded points do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Tax {
    /// All count.
    None,
    /// Those in seki do not.
    Seki,
    /// Those in seki do not, and every living group pays two points.
    All,
}

/// What White gets for N handicap stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum HandicapBonus {
    /// Nothing.
    #[serde(rename = "0")]
    Zero,
    /// A point for each stone but the first.
    #[serde(rename = "N-1")]
    NMinusOne,
    /// A point for each stone.
    #[serde(rename = "N")]
    N,
}

impl HandicapBonus {
    /// Points for White when Black has `stones` handicap stones.
    pub fn points(self, stones: u32) -> u32 {
        match self {
            Self::Zero => 0,
            Self::NMinusOne => stones.saturating_sub(1),
            Self::N => stones,
        }
    }
}

/// A rule set with its komi. The JSON form leaves komi out, as GTP has a command of its own for that.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Whether the first pass takes a button worth half a point. Only with area scoring.
    #[serde(rename = "hasButton")]
    pub button: bool,
    /// The rule against repetition.
    pub ko: KoRule,
    /// What counts.
    #[serde(alias = "score")]
    pub scoring: Scoring,
    /// Whether a move may take away its own chain of two stones or more. One stone alone never may.
    pub suicide: bool,
    /// Which surrounded points do not count.
    pub tax: Tax,
    /// What White gets for handicap stones.
    #[serde(rename = "whiteHandicapBonus")]
    pub handicap_bonus: HandicapBonus,
    /// Whether one may pass before all dead stones are taken off, and be trusted that they are dead.
    #[serde(rename = "friendlyPassOk")]
    pub friendly_pass: bool,
    /// Points for White. Any number; usually a multiple of a half.
    #[serde(skip)]
    pub komi: f32,
}

impl Default for Rules {
    /// Tromp-Taylor rules, which need no agreement between the players.
    fn default() -> Self {
        TROMP_TAYLOR
    }
}

/// A text that is no rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRules {
    /// No known name and no JSON object.
    #[error("'{0}' is no rule set; use one of {list}, or a JSON object like {example}", list = names(), example = Rules::default().to_json())]
    Unknown(String),
    /// Broken JSON, an unknown key or value.
    #[error("bad rules: {0}")]
    Json(String),
    /// A button under territory scoring.
    #[error("hasButton goes with AREA scoring only")]
    ButtonWithTerritory,
}

impl Rules {
    /// Reads a name (see [`Rules::names`]; case, spaces, hyphens and underscores do not matter) or a JSON object.
    ///
    /// Keys left out of the object are as under Tromp-Taylor rules, `tax` under territory scoring is `SEKI`. The komi is the one
    /// customary under these rules.
    ///
    /// # Errors
    /// If the text is neither; the error lists what is valid.
    pub fn parse(text: &str) -> Result<Self, BadRules> {
        let text = text.trim();
        if !text.starts_with('{') {
            return preset(text).ok_or_else(|| BadRules::Unknown(text.to_owned()));
        }
        let mut object: Map<String, Value> = serde_json::from_str(text).map_err(|error| BadRules::Json(error.to_string()))?;
        object.values_mut().for_each(upper_case);
        let territory = ["scoring", "score"].iter().any(|&key| object.get(key).is_some_and(|value| value == "TERRITORY"));
        if territory && !object.contains_key("tax") {
            object.insert("tax".to_owned(), "SEKI".into());
        }
        let mut rules = Self::from_object(object)?;
        rules.komi = match (rules.scoring, rules.button) {
            (Scoring::Territory, _) => 6.5,
            (Scoring::Area, true) => 7.0,
            (Scoring::Area, false) => 7.5,
        };
        Ok(rules)
    }

    /// The rules with one setting, by its JSON key, changed: `ko` to `SIMPLE`, `suicide` to `true`. Komi stays.
    ///
    /// # Errors
    /// If there is no such key or value, or the rules would not fit together; the error lists what is valid.
    pub fn with_setting(self, key: &str, value: &str) -> Result<Self, BadRules> {
        let Value::Object(mut object) = self.to_value() else { unreachable!("rules are a JSON object") };
        let key = if key == "score" { "scoring" } else { key };
        let mut value = match value.trim().to_ascii_lowercase().as_str() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            other => Value::from(other),
        };
        upper_case(&mut value);
        object.insert(key.to_owned(), value);
        Ok(Self { komi: self.komi, ..Self::from_object(object)? })
    }

    fn from_object(object: Map<String, Value>) -> Result<Self, BadRules> {
        let rules: Self = serde_json::from_value(Value::Object(object)).map_err(|error| BadRules::Json(error.to_string()))?;
        if rules.button && rules.scoring == Scoring::Territory {
            return Err(BadRules::ButtonWithTerritory);
        }
        Ok(rules)
    }

    /// The JSON form, on one line, without komi.
    pub fn to_json(&self) -> String {
        self.to_value().to_string()
    }

    fn to_value(self) -> Value {
        serde_json::to_value(self).expect("plain settings have a JSON form")
    }

    /// The same rules with another komi.
    pub fn with_komi(self, komi: f32) -> Self {
        Self { komi, ..self }
    }

    /// True if two passes end the game with the stones as they stand, dead ones too, as under Tromp-Taylor rules.
    pub fn counts_as_it_stands(&self) -> bool {
        self.scoring == Scoring::Area && !self.friendly_pass
    }

    /// The first name of these rules, komi aside, if they have one.
    pub fn name(&self) -> Option<&'static str> {
        PRESETS.iter().find(|preset| preset.rules.with_komi(self.komi) == *self).map(|preset| preset.names[0])
    }

    /// Every name that [`Rules::parse`] knows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        PRESETS.iter().flat_map(|preset| preset.names).copied()
    }

    /// The rules KGS means by `chinese`, `aga`, `japanese` or `new_zealand`: as [`Rules::parse`], but Chinese with superko.
    ///
    /// # Errors
    /// If the text is no rule set.
    pub fn parse_kgs(text: &str) -> Result<Self, BadRules> {
        if text.trim().eq_ignore_ascii_case("chinese") { Self::parse("chinese-kgs") } else { Self::parse(text) }
    }

    /// What an SGF file's RU property most likely means: a name, maybe among other words or in Chinese or Japanese, or the compact
    /// form of KataGo's own game records (`koSIMPLEscoreAREAtaxNONEsui0whbN`). Nothing if it says nothing known.
    pub fn from_sgf(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(rules) = parse_compact(text) {
            return Some(rules);
        }
        if let Ok(rules) = Self::parse(text) {
            return Some(rules);
        }
        let lower = text.to_lowercase();
        let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
        SGF_WORDS
            .iter()
            .find(|(word, _)| if word.len() <= 3 && word.is_ascii() { words.contains(word) } else { lower.contains(word) })
            .and_then(|(_, name)| preset(name))
    }
}

fn upper_case(value: &mut Value) {
    if let Value::String(text) = value {
        *text = text.trim().to_ascii_uppercase();
    }
}

/// Words of RU texts and the rule set each stands for; the first found decides. Short ones must stand alone.
const SGF_WORDS: &[(&str, &str)] = &[
    ("japan", "japanese"),
    ("jp", "japanese"),
    ("日本", "japanese"),
    ("日韩", "japanese"),
    ("korea", "korean"),
    ("韩国", "korean"),
    ("韓國", "korean"),
    ("chin", "chinese"),
    ("cn", "chinese"),
    ("中国", "chinese"),
    ("中國", "chinese"),
    ("aga", "aga"),
    ("american", "aga"),
    ("bga", "bga"),
    ("british", "bga"),
    ("french", "french"),
    ("zealand", "new-zealand"),
    ("nz", "new-zealand"),
    ("tromp", "tromp-taylor"),
    ("goe", "ing"),
    ("ing", "ing"),
    ("应氏", "ing"),
    ("應氏", "ing"),
    ("stone", "stone-scoring"),
];

/// Reads KataGo's compact form: settings written one after the other without separators.
fn parse_compact(text: &str) -> Option<Rules> {
    if text.is_empty() {
        return None;
    }
    let mut object = Map::new();
    let mut rest = text;
    let mut komi = None;
    'settings: while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("komi") {
            let end = after.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(after.len());
            komi = Some(after[..end].trim().parse().ok()?);
            rest = after[end..].trim_start();
            continue;
        }
        for (prefix, key, values) in COMPACT {
            let Some(after) = rest.strip_prefix(prefix) else { continue };
            let value = values.iter().find(|value| after.starts_with(**value))?;
            let json =
                if matches!(*key, "suicide" | "hasButton" | "friendlyPassOk") { (*value == "1").into() } else { (*value).into() };
            object.insert((*key).to_owned(), json);
            rest = after[value.len()..].trim_start();
            continue 'settings;
        }
        return None;
    }
    let rules = Rules::parse(&Value::Object(object).to_string()).ok()?;
    Some(rules.with_komi(komi.unwrap_or(rules.komi)))
}

/// Prefix, JSON key and values of each setting of the compact form. A longer prefix or value stands before what it begins with.
const COMPACT: &[(&str, &str, &[&str])] = &[
    ("ko", "ko", &["SIMPLE", "POSITIONAL", "SITUATIONAL"]),
    ("scoring", "scoring", &["AREA", "TERRITORY"]),
    ("score", "scoring", &["AREA", "TERRITORY"]),
    ("tax", "tax", &["NONE", "SEKI", "ALL"]),
    ("sui", "suicide", &["0", "1"]),
    ("button", "hasButton", &["0", "1"]),
    ("whb", "whiteHandicapBonus", &["0", "N-1", "N"]),
    ("fpok", "friendlyPassOk", &["0", "1"]),
];

struct Preset {
    names: &'static [&'static str],
    rules: Rules,
}

fn preset(name: &str) -> Option<Rules> {
    let plain = |text: &str| text.to_lowercase().replace([' ', '-', '_'], "");
    let wanted = plain(name);
    PRESETS.iter().find(|preset| preset.names.iter().any(|name| plain(name) == wanted)).map(|preset| preset.rules)
}

fn names() -> String {
    Rules::names().collect::<Vec<_>>().join(", ")
}

const TROMP_TAYLOR: Rules = Rules {
    button: false,
    ko: KoRule::Positional,
    scoring: Scoring::Area,
    suicide: true,
    tax: Tax::None,
    handicap_bonus: HandicapBonus::Zero,
    friendly_pass: false,
    komi: 7.5,
};
const CHINESE: Rules =
    Rules { ko: KoRule::Simple, suicide: false, handicap_bonus: HandicapBonus::N, friendly_pass: true, ..TROMP_TAYLOR };
const JAPANESE: Rules =
    Rules { ko: KoRule::Simple, scoring: Scoring::Territory, suicide: false, tax: Tax::Seki, komi: 6.5, ..TROMP_TAYLOR };
const AGA: Rules = Rules {
    ko: KoRule::Situational,
    suicide: false,
    handicap_bonus: HandicapBonus::NMinusOne,
    friendly_pass: true,
    ..TROMP_TAYLOR
};

/// KataGo's rule sets, each with the komi customary under it.
const PRESETS: &[Preset] = &[
    Preset { names: &["tromp-taylor"], rules: TROMP_TAYLOR },
    Preset { names: &["chinese"], rules: CHINESE },
    Preset { names: &["chinese-ogs", "chinese-kgs"], rules: Rules { ko: KoRule::Positional, ..CHINESE } },
    Preset { names: &["japanese", "korean"], rules: JAPANESE },
    Preset {
        names: &["stone-scoring", "ancient-area"],
        rules: Rules { tax: Tax::All, handicap_bonus: HandicapBonus::Zero, ..CHINESE },
    },
    Preset { names: &["ancient-territory"], rules: Rules { tax: Tax::All, ..JAPANESE } },
    Preset { names: &["aga", "bga", "french"], rules: AGA },
    Preset { names: &["aga-button"], rules: Rules { button: true, komi: 7.0, ..AGA } },
    Preset {
        names: &["new-zealand", "nz"],
        rules: Rules { ko: KoRule::Situational, friendly_pass: true, komi: 7.0, ..TROMP_TAYLOR },
    },
    Preset { names: &["ing", "goe"], rules: Rules { friendly_pass: true, ..TROMP_TAYLOR } },
];
