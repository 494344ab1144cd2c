//! Tests of the settings as a whole.

use super::{BadParam, Bytes, MIB, Settings, Table, markdown, summary, text, toml};
use std::time::Duration;

#[test]
fn every_entry_is_sound() {
    let settings = Settings::default();
    for param in Settings::PARAMS {
        assert!(param.name.chars().all(|c| c.is_ascii_alphanumeric()), "{}", param.name);
        assert_eq!(Settings::PARAMS.iter().filter(|other| other.name == param.name).count(), 1, "{} is there twice", param.name);
        assert!(param.reason().ends_with('.') && !param.reason().contains("  "), "{}: {}", param.name, param.reason());
        assert!(Settings::GROUPS.iter().any(|group| group.name == param.group));
        if let Some(range) = param.range {
            assert!(range.low < range.high, "{}", param.name);
        }
        // The default is in its own range and survives being written and read.
        let shown = settings.get(param.name).unwrap();
        let mut again = settings.clone();
        again.set(param.name, &shown).unwrap();
        assert_eq!(again, settings, "{}", param.name);
    }
}

#[test]
fn values_are_set_by_name() {
    let mut settings = Settings::default();
    settings.set("numSearchThreads", "7").unwrap();
    settings.set("maxVisits", " 800 ").unwrap();
    settings.set("maxTime", "2.5").unwrap();
    settings.set("memory", "256MiB").unwrap();
    settings.set("komi", "-0.5").unwrap();
    assert_eq!(settings.search.threads, 7);
    assert_eq!(settings.search.max_visits, Some(800));
    assert_eq!(settings.time.max_time, Some(Duration::from_millis(2500)));
    assert_eq!(settings.search.memory, Bytes(256 * MIB));
    assert_eq!(settings.game.komi, Some(-0.5));
    settings.set("maxVisits", "none").unwrap();
    assert_eq!(settings.search.max_visits, None);
    assert_eq!(settings.get("maxTime").unwrap(), "2.5");
}

#[test]
fn errors_name_the_parameter_the_value_and_what_it_takes() {
    let mut settings = Settings::default();
    let say = |result: Result<(), BadParam>| result.unwrap_err().to_string();
    let expected = "numSearchThreads cannot be '0': it takes a whole number from 1 to 1024 (threads)";
    assert_eq!(say(settings.set("numSearchThreads", "0")), expected);
    assert_eq!(say(settings.set("ponderingEnabled", "yes")), "ponderingEnabled cannot be 'yes': it takes true or false");
    assert_eq!(say(settings.set("playoutPolicy", "dark")), "playoutPolicy cannot be 'dark': it takes uniform or light");
    assert_eq!(say(settings.set("memory", "1KiB")), "memory cannot be '1KiB': it takes an amount of memory from 16MiB to 1TiB");
    assert_eq!(
        say(settings.set("maxVisits", "-3")),
        "maxVisits cannot be '-3': it takes a whole number from 1 up (visits), or none"
    );
    let expected = "unknown parameter 'maxvisits' (did you mean maxVisits?); `tengen params` lists them all";
    assert_eq!(say(settings.set("maxvisits", "3")), expected);
    assert_eq!(say(settings.set("flavour", "3")), "unknown parameter 'flavour'; `tengen params` lists them all");
    assert_eq!(say(settings.set_live("memory", "1GiB")), "memory can only be set at the start: by a flag or in the config file");
    assert_eq!(settings, Settings::default());
}

#[test]
fn a_config_file_sets_all_or_nothing() {
    let mut settings = Settings::default();
    settings
        .read_toml("# mine\nmaxVisits = 100\nlagBuffer = 1\nmemory = \"64MiB\"\nponderingEnabled = true\nkomi = 6.5\n")
        .unwrap();
    assert_eq!(settings.search.max_visits, Some(100));
    assert_eq!(settings.time.lag_margin, Duration::from_secs(1));
    assert_eq!(settings.search.memory, Bytes(64 * MIB));
    assert!(settings.search.ponder);
    let before = settings.clone();
    let bad = settings.read_toml("maxVisits = 5\nnumSearchThreads = 1.5\n").unwrap_err();
    assert!(bad.to_string().starts_with("numSearchThreads cannot be '1.5'"), "{bad}");
    let bad = settings.read_toml("maxVisits = \n").unwrap_err();
    assert!(bad.to_string().contains("line 1"), "{bad}");
    assert_eq!(settings, before);
}

#[test]
fn the_printed_config_file_reads_back() {
    let mut written = Settings::default();
    written.set("maxVisits", "12").unwrap();
    written.set("rules", r#"{"ko":"SIMPLE"}"#).unwrap();
    written.set("playoutPolicy", "uniform").unwrap();
    written.set("searchRandSeed", &u64::MAX.to_string()).unwrap();
    let mut file = String::new();
    for line in toml(&written).lines() {
        file += line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')).unwrap_or("");
        file.push('\n');
    }
    let mut read = Settings::default();
    read.read_toml(&file).unwrap();
    assert_eq!(read, written);
    assert_eq!(Settings::default(), {
        let mut untouched = Settings::default();
        untouched.read_toml(&toml(&written)).unwrap();
        untouched
    });
}

#[test]
fn every_form_shows_every_parameter() {
    let settings = Settings::default();
    for page in [text(&settings), toml(&settings), markdown(&settings)] {
        for param in Settings::PARAMS {
            assert!(page.contains(param.name) && page.contains(param.reason()), "{}", param.name);
        }
    }
}

#[test]
fn the_summary_has_a_line_a_group() {
    let mut settings = Settings::default();
    settings.set("maxVisits", "77").unwrap();
    let summary = summary(&settings);
    assert_eq!(summary.lines().count(), Settings::GROUPS.len());
    assert!(summary.contains("maxVisits 77") && summary.lines().all(|line| line.starts_with("settings, ")), "{summary}");
}

#[test]
fn flags_are_checked_before_the_start() {
    let threads = Settings::param("numSearchThreads").unwrap();
    assert!(threads.check("4").is_ok() && threads.check("x").is_err());
}

#[test]
fn the_machine_has_its_say() {
    let settings = Settings::for_machine();
    assert!(settings.search.threads >= 1);
    assert_eq!(settings.play, Settings::default().play);
}
