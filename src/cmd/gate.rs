//! `tengen gate`: a match of a new network against the best one, whose place it takes if it is better.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};

use super::progress_bar;
use super::values::{at_least_1, read_komi, read_size, read_sprt};
use crate::board::Size;
use crate::clock::TimeControl;
use crate::gtp::controller;
use crate::nn::Network;
use crate::referee::stats::{Sprt, Verdict};
use crate::referee::{GameRecord, Openings, Settings, Summary, run};
use crate::rules::Rules;
use crate::util::{StopFlag, write_whole};

/// Overrun of a clock that is forgiven. There are no clocks here.
const MARGIN: Duration = Duration::from_millis(500);
/// How long a move may take: searches of few visits never come near it.
const PATIENCE: Duration = Duration::from_secs(300);
/// Moves a game may have for each point of the board.
const MOVES_PER_POINT: usize = 2;

/// Put a new network in the place of the best one, if it is better
///
/// Lets this program play a match against itself, CANDIDATE against BEST, until a sequential test (SPRT) knows whether the candidate is the stronger one.
/// If it is, the candidate's file is copied over the best's, whole or not at all. Where there is no best network yet, the candidate becomes it
/// without a game.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The new network
    #[arg(value_name = "CANDIDATE")]
    candidate: PathBuf,

    /// The best network so far; its file is replaced if the candidate is better
    #[arg(value_name = "BEST")]
    best: PathBuf,

    /// What the test decides between, in Elo, and its error rates (0.05 each if not given)
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA]", default_value = "0,35", allow_hyphen_values = true, value_parser = read_sprt)]
    sprt: Sprt,

    /// Most games; a test still open then installs nothing
    #[arg(long, short = 'n', value_name = "N", default_value = "800", value_parser = at_least_1)]
    games: usize,

    /// Visits of each search
    #[arg(long, short = 'v', value_name = "N", default_value = "100", value_parser = at_least_1)]
    visits: usize,

    /// Games at a time [default: one a core]
    #[arg(long, short = 'c', value_name = "N", value_parser = at_least_1)]
    concurrency: Option<usize>,

    /// Board: one number for a square, or WIDTHxHEIGHT; 2 to 25
    #[arg(long, value_name = "SIZE", default_value = "9", value_parser = read_size)]
    size: Size,

    /// Rules: tromp-taylor, chinese, japanese and others that KataGo knows, or its JSON
    #[arg(long, value_name = "RULES", default_value = "tromp-taylor", value_parser = Rules::parse)]
    rules: Rules,

    /// Points that White gets for moving second [default: usual under the rules]
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true, value_parser = read_komi)]
    komi: Option<f32>,

    /// Random moves that each pair of games begins with
    #[arg(long, value_name = "N", default_value = "4")]
    openings: usize,

    /// Seed of the openings
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// Folder for the games; a match that was stopped there goes on. One folder a candidate
    #[arg(long, short = 'o', value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Only tell who is better
    #[arg(long)]
    dry_run: bool,
}

const EXAMPLES: &str = "\
Examples:
  tengen gate run/net.bin.gz best.bin.gz
  tengen gate run/net.bin.gz best.bin.gz --size 7 --komi 8.5 --visits 50 --sprt 0,50 --out gate-1";

impl Args {
    /// Plays the match, or goes on with it, and installs the candidate if it is better.
    ///
    /// # Errors
    /// If a file is no network, games cannot be played or kept, the match was stopped, or the file cannot be copied.
    pub fn run(self, stop: &StopFlag) -> anyhow::Result<()> {
        // Both are read before hours of play.
        Network::read(&self.candidate)?;
        if !self.best.exists() {
            eprintln!("There is no {} yet: the candidate needs no match.", self.best.display());
            return self.install();
        }
        Network::read(&self.best)?;
        let settings = self.settings(&std::env::current_exe().context("cannot find this program's own file")?)?;
        let bar = progress_bar(settings.games as u64);
        let watch = |game: Option<&GameRecord>, summary: &Summary| {
            if let Some(game) = game.filter(|game| game.end.is_failure()) {
                bar.suspend(|| eprintln!("Game {}: {} ({})", game.number, game.result, game.detail));
            }
            bar.set_message(summary.line());
            bar.set_position(summary.games as u64);
        };
        let summary = run(&settings, stop, &watch)?;
        bar.finish_and_clear();
        super::print(&format!("{summary}\n"))?;
        match summary.sprt.map(|sprt| sprt.verdict) {
            Some(Verdict::Better) => self.install(),
            Some(Verdict::Open) | None if stop.is_set() => bail!("stopped before it was clear who is better"),
            _ => super::print(&format!("{} stays.\n", self.best.display())),
        }
    }

    /// Copies the candidate to the best's place.
    fn install(&self) -> anyhow::Result<()> {
        let (from, to) = (self.candidate.display(), self.best.display());
        if self.dry_run {
            return super::print(&format!("{from} would take the place of {to}.\n"));
        }
        let bytes = std::fs::read(&self.candidate).with_context(|| format!("cannot read {from}"))?;
        write_whole(&self.best, &bytes).with_context(|| format!("cannot write {to}"))?;
        super::print(&format!("{from} is the best network now: copied to {to}.\n"))
    }

    /// The match, between two copies of `program`.
    fn settings(&self, program: &Path) -> anyhow::Result<Settings> {
        let engine = |network: &Path| {
            let visits = self.visits.to_string();
            // One thread each: games are what is played side by side, and a search of one thread is stronger visit for visit.
            let words = ["gtp", "--threads", "1", "--visits", &visits, "--set", "ponderingEnabled=false", "--net"];
            Ok::<_, anyhow::Error>(format!("{} {} {}", word(program)?, words.join(" "), word(network)?))
        };
        Ok(Settings {
            engines: [engine(&self.candidate)?, engine(&self.best)?],
            judge: None,
            size: self.size,
            rules: self.rules.with_komi(self.komi.unwrap_or(self.rules.komi)),
            times: [TimeControl::None; 2],
            margin: MARGIN,
            patience: PATIENCE,
            max_moves: MOVES_PER_POINT * self.size.area(),
            openings: Openings::Random(self.openings),
            seed: self.seed,
            games: self.games,
            sprt: Some(self.sprt),
            concurrency: self.concurrency.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
            out: self.out.clone(),
        })
    }
}

/// A path as a word of a command line.
fn word(path: &Path) -> anyhow::Result<String> {
    let text = path.to_str().with_context(|| format!("{} cannot be passed on: its name is no UTF-8", path.display()))?;
    Ok(controller::quote(text))
}

#[cfg(test)]
mod tests {
    use super::Args;
    use crate::gtp::controller;
    use clap::Parser;
    use std::path::Path;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn both_engines_are_this_program_with_its_own_network() {
        let words = ["program", "new net.bin.gz", "the \"best\".bin.gz", "--size", "7", "--visits", "30"];
        let settings = Program::try_parse_from(words).unwrap().args.settings(Path::new("/opt/go engines/tengen")).unwrap();
        let [a, b] = settings.engines.map(|command| controller::split(&command).unwrap());
        assert_eq!((a[0].as_str(), a.last().unwrap().as_str()), ("/opt/go engines/tengen", "new net.bin.gz"));
        assert_eq!(b.last().unwrap(), "the \"best\".bin.gz");
        assert_eq!(a[1..a.len() - 1], b[1..b.len() - 1]);
        assert!(a.windows(2).any(|pair| pair == ["--visits", "30"]));
        assert_eq!((settings.size.to_string().as_str(), settings.games), ("7x7", 800));
        assert!(settings.sprt.is_some());
    }
}
