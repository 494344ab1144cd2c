//! Names and JSON of rule sets, against KataGo's public table.

use tengen::rules::{BadRules, KoRule, Rules, Scoring, Tax};

/// Name, ko, scoring, suicide, tax, bonus, friendly pass, button. From KataGo's GTP_Extensions; where that page and the engine
/// differ (friendly passes under Japanese rules), the engine counts.
const TABLE: &[(&str, &str)] = &[
    ("tromp-taylor", "POSITIONAL AREA true NONE 0 false false"),
    ("chinese", "SIMPLE AREA false NONE N true false"),
    ("chinese-ogs", "POSITIONAL AREA false NONE N true false"),
    ("chinese-kgs", "POSITIONAL AREA false NONE N true false"),
    ("japanese", "SIMPLE TERRITORY false SEKI 0 false false"),
    ("korean", "SIMPLE TERRITORY false SEKI 0 false false"),
    ("stone-scoring", "SIMPLE AREA false ALL 0 true false"),
    ("ancient-territory", "SIMPLE TERRITORY false ALL 0 false false"),
    ("aga", "SITUATIONAL AREA false NONE N-1 true false"),
    ("bga", "SITUATIONAL AREA false NONE N-1 true false"),
    ("new-zealand", "SITUATIONAL AREA true NONE 0 true false"),
    ("aga-button", "SITUATIONAL AREA false NONE N-1 true true"),
];

#[test]
fn every_name_means_what_katago_says() {
    for (name, row) in TABLE {
        let rules = Rules::parse(name).unwrap();
        let json: serde_json::Value = serde_json::from_str(&rules.to_json()).unwrap();
        let text = |key: &str| match &json[key] {
            serde_json::Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let keys = ["ko", "scoring", "suicide", "tax", "whiteHandicapBonus", "friendlyPassOk", "hasButton"];
        assert_eq!(keys.map(text).join(" "), *row, "{name}");
        assert_eq!(json.as_object().unwrap().len(), keys.len());
        assert_eq!(Rules::parse(&rules.to_json()).unwrap().with_komi(0.0), rules.with_komi(0.0), "{name}");
    }
}

#[test]
fn names_are_read_in_any_dress() {
    for (one, other) in [
        ("new zealand", "new_zealand"),
        ("Stone_Scoring", "stone-scoring"),
        ("TrompTaylor", "tromp-taylor"),
        (" Chinese-OGS ", "chinesekgs"),
        ("nz", "new-zealand"),
    ] {
        assert_eq!(Rules::parse(one).unwrap(), Rules::parse(other).unwrap());
    }
    assert_eq!(Rules::parse("korean").unwrap().with_komi(-3.25).name(), Some("japanese"));
    for name in Rules::names() {
        assert!(Rules::parse(name).is_ok(), "{name}");
    }
}

#[test]
fn json_fills_in_what_is_left_out() {
    let rules = Rules::parse(r#"{"scoring":"territory","ko":"SIMPLE","suicide":false}"#).unwrap();
    assert_eq!(rules, Rules::parse("japanese").unwrap());
    assert_eq!(Rules::parse(r#"{"score":"AREA"}"#).unwrap(), Rules::default());
    assert_eq!(Rules::parse(r#"{"hasButton":true}"#).unwrap().komi, 7.0);
}

#[test]
fn errors_list_what_is_valid() {
    let error = |text: &str| Rules::parse(text).unwrap_err().to_string();
    assert!(error("checkers").contains("tromp-taylor, chinese,"));
    assert!(error("").contains("japanese"));
    assert!(error(r#"{"ko":"EVERLASTING"}"#).contains("`SIMPLE`"));
    assert!(error(r#"{"komi":7}"#).contains("`whiteHandicapBonus`"));
    assert!(error(r#"{"ko":3}"#).contains("bad rules"));
    assert!(error("{").contains("bad rules"));
    assert_eq!(Rules::parse(r#"{"hasButton":true,"scoring":"TERRITORY"}"#), Err(BadRules::ButtonWithTerritory));
}

#[test]
fn one_setting_changes_alone() {
    let rules = Rules::parse("chinese").unwrap().with_komi(3.0);
    let changed = rules.with_setting("ko", "situational").unwrap();
    assert_eq!(changed, Rules { ko: KoRule::Situational, ..rules });
    assert_eq!(rules.with_setting("suicide", "TRUE").unwrap(), Rules { suicide: true, ..rules });
    assert_eq!(rules.with_setting("score", "TERRITORY").unwrap(), Rules { scoring: Scoring::Territory, ..rules });
    assert_eq!(rules.with_setting("whiteHandicapBonus", "N-1").unwrap().handicap_bonus.points(3), 2);
    assert!(rules.with_setting("suicide", "maybe").is_err());
    assert!(rules.with_setting("colour", "blue").unwrap_err().to_string().contains("`friendlyPassOk`"));
}

#[test]
fn kgs_chinese_has_superko() {
    assert_eq!(Rules::parse_kgs("chinese").unwrap().ko, KoRule::Positional);
    for name in ["aga", "japanese", "new_zealand"] {
        assert_eq!(Rules::parse_kgs(name), Rules::parse(name));
    }
}

#[test]
fn rule_texts_of_game_records() {
    for (text, name) in [
        ("Japanese", "japanese"),
        ("Japanese Rules", "japanese"),
        ("AGA (Territory)", "aga"),
        ("New Zealand", "new-zealand"),
        ("NZ", "new-zealand"),
        ("GOE", "ing"),
        ("中国规则", "chinese"),
        ("日本ルール", "japanese"),
        ("Chinese, 7.5 komi", "chinese"),
        ("cn", "chinese"),
        ("KOREAN", "korean"),
        ("koSIMPLEscoreAREAtaxNONEsui0whbNfpok1", "chinese"),
        ("koPOSITIONALscoringAREAtaxNONEsui1", "tromp-taylor"),
    ] {
        assert_eq!(Rules::from_sgf(text), Rules::parse(name).ok(), "{text}");
    }
    let compact = Rules::from_sgf("koSITUATIONALscoreAREAtaxALLsui0button1whbN-1komi6.5").unwrap();
    assert_eq!((compact.tax, compact.button, compact.handicap_bonus.points(4), compact.komi), (Tax::All, true, 3, 6.5));
    for text in ["", "koBANANA", "no idea", "komisch", "playing"] {
        assert_eq!(Rules::from_sgf(text), None, "{text}");
    }
}
