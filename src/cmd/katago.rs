//! KataGo's command line and config files, so that Tengen can be started in its place.

use anyhow::{Context, bail};
use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use crate::params::{Fate, Settings};
use crate::rules::Rules;

/// KataGo's flags, which have one dash, and what they are here.
const FLAGS: [(&str, &str); 6] = [
    ("-model", "--net"),
    ("-config", "--katago-config"),
    ("-override-config", "--override-config"),
    ("-human-model", "--human-model"),
    ("-analysis-threads", "--analysis-threads"),
    ("-quit-without-waiting", "--quit-without-waiting"),
];

/// The commands that KataGo has too.
const COMMANDS: [&str; 3] = ["gtp", "analysis", "version"];

/// Config files that include one another may be so deep.
const DEEPEST: usize = 8;

/// The rules' settings one by one, and what `Rules` calls them.
const RULES: [(&str, &str); 7] = [
    ("koRule", "ko"),
    ("scoringRule", "scoring"),
    ("taxRule", "tax"),
    ("multiStoneSuicideLegal", "suicide"),
    ("hasButton", "hasButton"),
    ("whiteHandicapBonus", "whiteHandicapBonus"),
    ("friendlyPassOk", "friendlyPassOk"),
];

/// What only KataGo's command line has.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct KatagoArgs {
    /// KataGo's -config: a config file of KataGo's
    #[arg(long, hide = true, value_name = "FILE")]
    katago_config: Vec<PathBuf>,

    /// KataGo's -override-config: settings that win over the file's
    #[arg(long, hide = true, value_name = "KEY=VALUE,...")]
    override_config: Vec<String>,

    /// A network of human play, asked beside the one that judges about those whom humanSLProfile names; KataGo's -human-model
    #[arg(long, value_name = "FILE")]
    human_model: Option<PathBuf>,

    /// KataGo's -analysis-threads: positions that are searched at once
    #[arg(long, hide = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=16384))]
    analysis_threads: Option<u32>,
}

/// Rewrites a command line of KataGo's as one of ours; others stay.
pub fn translate(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut args: Vec<OsString> = args.into_iter().collect();
    if args.get(1).is_some_and(|command| COMMANDS.iter().any(|known| command == known)) {
        for arg in args.iter_mut().skip(2) {
            if let Some((_, ours)) = FLAGS.iter().find(|(theirs, _)| arg == theirs) {
                *arg = ours.into();
            }
        }
    }
    args
}

/// A setting of KataGo's.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    key: String,
    value: String,
    /// Where it was found.
    place: String,
}

/// The settings of a command line and its files; later ones win.
#[derive(Debug, Default)]
pub struct KatagoConfig(Vec<Entry>);

impl KatagoArgs {
    /// Reads the files, and names on standard error what has no meaning here.
    ///
    /// # Errors
    /// If a file cannot be read, or a line is no setting.
    pub fn read(&self) -> anyhow::Result<KatagoConfig> {
        let mut entries = Vec::new();
        for file in &self.katago_config {
            read_file(file, DEEPEST, &mut entries)?;
        }
        for text in &self.override_config {
            for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
                entries.push(entry(part, || "-override-config".to_owned())?);
            }
        }
        if let Some(threads) = self.analysis_threads {
            let (key, value) = ("numAnalysisThreads".to_owned(), threads.to_string());
            entries.push(Entry { key, value, place: "-analysis-threads".to_owned() });
        }
        if let Some(file) = &self.human_model {
            let (key, value) = ("humanModel".to_owned(), file.to_string_lossy().into_owned());
            entries.push(Entry { key, value, place: "--human-model".to_owned() });
        }
        let config = KatagoConfig(entries);
        let unknown = config.apply(&mut Settings::for_machine())?;
        if !unknown.is_empty() {
            log::warn!("settings of KataGo's that mean nothing here: {}", unknown.join(", "));
        }
        Ok(config)
    }
}

impl KatagoConfig {
    /// Changes `settings`, whose number of threads is the most that the machine has use for. Returns the keys that mean nothing here, each
    /// once.
    ///
    /// # Errors
    /// If a value does not fit its setting.
    pub fn apply(&self, settings: &mut Settings) -> anyhow::Result<Vec<&str>> {
        let most = settings.search.threads;
        let (mut positions, mut threads) = (None, None);
        let mut unknown: Vec<&str> = Vec::new();
        for Entry { key, value, place } in &self.0 {
            let bad = || format!("{place}: {key} cannot be '{value}'");
            match key.as_str() {
                "numAnalysisThreads" => positions = Some(value.parse::<u32>().with_context(bad)?),
                "numSearchThreads" | "numSearchThreadsPerAnalysisThread" => {
                    threads = Some(value.parse::<u32>().with_context(bad)?);
                }
                "resignThreshold" => {
                    let utility: f32 = value.parse().with_context(bad)?;
                    settings.play.resign_winrate = f32::midpoint(utility, 1.0).clamp(0.0, 0.5);
                }
                // KataGo's is any text.
                "searchRandSeed" => settings.search.seed = Some(value.parse().unwrap_or_else(|_| hash(value))),
                key if let Some((_, ours)) = RULES.iter().find(|(theirs, _)| *theirs == key) => {
                    let rules = Rules::parse(&settings.game.rules).and_then(|rules| rules.with_setting(ours, value));
                    settings.game.rules = rules.with_context(bad)?.to_json();
                }
                _ => {
                    let fate = settings.set_katago(key, value, false).with_context(|| place.clone())?;
                    if fate == Fate::Unknown && !unknown.contains(&key.as_str()) {
                        unknown.push(key);
                    }
                }
            }
        }
        // KataGo's numbers suit a GPU; beyond the machine's own, threads wait for one another.
        if positions.is_some() || threads.is_some() {
            settings.search.threads = positions.unwrap_or(1).saturating_mul(threads.unwrap_or(1)).clamp(1, most);
        }
        Ok(unknown)
    }
}

/// The settings in a file, and in those that it includes.
fn read_file(file: &Path, depth: usize, entries: &mut Vec<Entry>) -> anyhow::Result<()> {
    if depth == 0 {
        bail!("{}: config files include one another too deep", file.display());
    }
    let bytes = fs::read(file).with_context(|| format!("cannot read the config file {}", file.display()))?;
    for (number, line) in String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').lines().enumerate() {
        let place = || format!("{}:{}", file.display(), number + 1);
        let line = without_comment(line).trim();
        if let Some(included) = line.strip_prefix("@include") {
            let included = unquoted(included.trim());
            let folder = file.parent().unwrap_or(Path::new(""));
            read_file(&folder.join(included), depth - 1, entries)?;
        } else if !line.is_empty() {
            entries.push(entry(line, place)?);
        }
    }
    Ok(())
}

/// `KEY = VALUE`
fn entry(text: &str, place: impl Fn() -> String) -> anyhow::Result<Entry> {
    let Some((key, value)) = text.split_once('=') else { bail!("{}: '{text}' is no KEY = VALUE", place()) };
    Ok(Entry { key: key.trim().to_owned(), value: unquoted(value.trim()), place: place() })
}

/// What stands before a `#` outside quotes.
fn without_comment(line: &str) -> &str {
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in line.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '#' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

/// A value without its quotes; within them a backslash takes the next character as it is.
fn unquoted(value: &str) -> String {
    let Some(inner) = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return value.to_owned() };
    let mut chars = inner.chars();
    let mut text = String::new();
    while let Some(c) = chars.next() {
        text.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
    }
    text
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::{Entry, KatagoArgs, KatagoConfig, Settings, read_file, translate, unquoted, without_comment};
    use crate::params::Perspective;

    fn args(line: &str) -> Vec<OsString> {
        translate(line.split(' ').map(OsString::from))
    }

    fn config(text: &str) -> KatagoConfig {
        let read = KatagoArgs { override_config: vec![text.replace('\n', ",")], ..KatagoArgs::default() }.read();
        read.unwrap()
    }

    #[test]
    fn single_dashes_are_katago_s() {
        let ours = "tengen analysis --net a.bin.gz --katago-config c.cfg --quit-without-waiting --override-config x=1";
        assert_eq!(args("tengen analysis -model a.bin.gz -config c.cfg -quit-without-waiting -override-config x=1"), args(ours));
        for same in ["tengen gtp --threads 2 -v 5", "tengen bench -model", "tengen", "-model gtp"] {
            assert_eq!(args(same), same.split(' ').map(OsString::from).collect::<Vec<_>>());
        }
    }

    #[test]
    fn keys_with_a_meaning_hold_and_others_are_named_once() {
        let config = config(
            "reportAnalysisWinratesAs = BLACK\nmaxVisits=77\nmaxTime = 2.5\nlogDir = logs\nlogDir = x\nresignThreshold = -0.9\n\
             rules = japanese\nkoRule = SITUATIONAL\nwideRootNoise = 0\nsearchRandSeed = abc\nnumSearchThreads = 500",
        );
        let mut settings = Settings::default();
        settings.search.threads = 4;
        assert_eq!(config.apply(&mut settings).unwrap(), ["logDir"]);
        assert_eq!(settings.analysis.perspective, Perspective::Black);
        assert_eq!((settings.search.max_visits, settings.search.threads), (Some(77), 4));
        assert!((settings.play.resign_winrate - 0.05).abs() < 1e-6 && settings.search.seed.is_some());
        assert!(settings.game.rules.contains("SITUATIONAL") && settings.game.rules.contains("TERRITORY"));
    }

    #[test]
    fn positions_times_threads_are_threads_up_to_the_machine_s() {
        let threads = |text: &str| {
            let mut settings = Settings::default();
            settings.search.threads = 8;
            config(text).apply(&mut settings).unwrap();
            settings.search.threads
        };
        assert_eq!(threads("numAnalysisThreads=2,numSearchThreadsPerAnalysisThread=3"), 6);
        assert_eq!(threads("numAnalysisThreads=16,numSearchThreads=16"), 8);
        assert_eq!(threads("numSearchThreads=1"), 1);
        assert_eq!(threads("maxVisits=1"), 8);
    }

    #[test]
    fn bad_values_are_told_with_their_place() {
        for bad in ["maxVisits=0", "numSearchThreads=x", "koRule=SOMETIMES", "reportAnalysisWinratesAs=ME", "nonsense"] {
            let read = KatagoArgs { override_config: vec![bad.to_owned()], ..KatagoArgs::default() }.read();
            let error = format!("{:#}", read.unwrap_err());
            assert!(error.contains("-override-config"), "{error}");
        }
    }

    #[test]
    fn files_have_comments_quotes_and_includes() {
        let folder = std::env::temp_dir().join(format!("tengen ö katago {}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (outer, inner) = (folder.join("outer.cfg"), folder.join("inner file.cfg"));
        std::fs::write(&outer, "# A comment\r\n\r\nmaxVisits = 5 # more\r\n@include \"inner file.cfg\"\r\n").unwrap();
        std::fs::write(&inner, "logDir = \"a # \\\"b\\\" \" # c\n").unwrap();
        let mut entries = Vec::new();
        read_file(&outer, 2, &mut entries).unwrap();
        let found: Vec<_> = entries.iter().map(|Entry { key, value, .. }| (key.as_str(), value.as_str())).collect();
        assert_eq!(found, [("maxVisits", "5"), ("logDir", "a # \"b\" ")]);
        assert!(entries[0].place.ends_with("outer.cfg:3"));
        std::fs::write(&inner, "@include outer.cfg\n").unwrap();
        assert!(read_file(&outer, 8, &mut Vec::new()).unwrap_err().to_string().contains("too deep"));
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(read_file(&outer, 8, &mut Vec::new()).unwrap_err().to_string().contains("cannot read"));
    }

    #[test]
    fn quotes_and_comments() {
        assert_eq!(without_comment("a = \"#\" # b"), "a = \"#\" ");
        assert_eq!(without_comment("a = ü"), "a = ü");
        assert_eq!(unquoted("\"a\\\\b\""), "a\\b");
        assert_eq!(unquoted("\""), "\"");
    }
}
