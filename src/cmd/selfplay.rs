//! `tengen selfplay`: games that an engine plays against itself, and rows for training.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;

use super::engine_args::BackendArgs;
use super::progress_bar;
use super::values::at_least_1;
use crate::params::{MIB, Table};
use crate::selfplay::{GameRecord, Judge, Plan, Progress, Settings, run};
use crate::util::StopFlag;

/// Memory for what the network has said: some 300,000 positions of 9x9, or 80,000 of 19x19.
const CACHE: u64 = 256 * MIB;

/// Play games against itself and keep them as training rows
///
/// Plays many games at once until there are enough in the folder, or for ever. A few of the searches are full and make a row each, the others
/// are cheap; boards, rules, komi, handicap and openings are drawn at random. All settings have their reasons in `tengen params --selfplay`.
///
/// The folder gets train/ and val/ (rows as KataGo's trainer reads them, a file a game) and games/ (SGF). Whenever the program is stopped or killed, only
/// games in progress are lost; the same command goes on. Several runs may share a folder.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    judge: JudgeArgs,

    /// Folder for rows and games; what is there is kept and counted
    #[arg(long, short = 'o', value_name = "FOLDER")]
    out: PathBuf,

    /// End when there are so many games in the folder [default: never]
    #[arg(long, short = 'n', value_name = "N", value_parser = at_least_1)]
    games: Option<usize>,

    /// Boards and their weights, such as 9:4,13:1
    #[arg(long, value_name = "SIDE[:WEIGHT],...")]
    sizes: Option<String>,

    #[command(flatten)]
    backend: BackendArgs,

    /// Visits of a full search
    #[arg(long, short = 'v', value_name = "N", conflicts_with = "playouts")]
    visits: Option<String>,

    /// Games at a time, a thread each [default: one a core, with a network on a GPU 64]
    #[arg(long, short = 'c', value_name = "N", value_parser = at_least_1)]
    concurrency: Option<usize>,

    /// Seed of all chance: in an empty folder and with one game at a time, the same games come again
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Take settings from a file; `tengen params --selfplay --toml` writes one to start from
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Set any parameter of `tengen params --selfplay`; may be given again and again
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
}

/// Who plays.
#[derive(Clone, Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct JudgeArgs {
    /// Judge by a network in KataGo's format, or by the program's own: embedded
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,

    /// Judge by playouts, this many a full search: for a cold start, without a network
    #[arg(long, value_name = "N", value_parser = at_least_1)]
    playouts: Option<usize>,
}

const EXAMPLES: &str = "\
Examples:
  tengen selfplay --playouts 200 --sizes 7 --games 500 --out data/0      the first rows, from nothing
  tengen selfplay --net best.bin.gz --sizes 9:4,13:1 --visits 300 --games 2000 --out data/1
  tengen selfplay --net best.bin.gz --out data/1 --set rules=japanese --set playOnProb=1";

impl Args {
    /// Plays until there are enough games or `stop` is set.
    ///
    /// # Errors
    /// If settings or network are no good, or games cannot be kept.
    pub fn run(self, stop: &StopFlag) -> anyhow::Result<()> {
        let plan = self.plan()?;
        let bar = progress_bar(plan.games.unwrap_or(0) as u64);
        if plan.games.is_none() {
            bar.unset_length();
        }
        let watch = |game: Option<&GameRecord>, progress: &Progress| {
            if let Some(game) = game.filter(|_| bar.is_hidden()) {
                eprintln!("{} {} {} ({})", game.name, game.start.size(), game.result(), line(progress));
            }
            bar.set_position(progress.finished as u64);
            bar.set_message(line(progress));
        };
        let progress = run(&plan, stop, &watch)?;
        bar.finish_and_clear();
        super::print(&format!("{} games in {}; of this run {}\n", progress.finished, plan.out.display(), line(&progress)))?;
        if progress.played_on > 0 {
            let Progress { played_on, turned, .. } = progress;
            super::print(&format!("Of {played_on} games that went on though both sides were sure, {turned} ended otherwise.\n"))?;
        }
        if stop.is_set() {
            eprintln!("Stopped; the same command goes on.");
        }
        Ok(())
    }

    fn plan(self) -> anyhow::Result<Plan> {
        let settings = self.settings()?;
        let judge = match &self.judge.net {
            Some(file) => {
                let network = self.backend.network(file, CACHE)?;
                anyhow::ensure!(
                    !network.imitates_people(),
                    "{} imitates people, who teach nothing about good play",
                    file.display()
                );
                Judge::Network(Arc::new(network))
            }
            None => Judge::Playouts,
        };
        let at_once = self.concurrency.unwrap_or_else(|| self.backend.at_once());
        Ok(Plan { settings, judge, out: self.out, games: self.games, at_once, seed: self.seed })
    }

    /// The settings: a config file's, then those of flags, then those of `--set`.
    fn settings(&self) -> anyhow::Result<Settings> {
        let mut settings = Settings::default();
        if let Some(path) = &self.config {
            let text =
                std::fs::read_to_string(path).with_context(|| format!("cannot read the config file {}", path.display()))?;
            settings.read_toml(&text).with_context(|| format!("in the config file {}", path.display()))?;
        }
        let visits = self.judge.playouts.map(|playouts| playouts.to_string()).or_else(|| self.visits.clone());
        for (name, value) in [("sizes", &self.sizes), ("visits", &visits)] {
            if let Some(value) = value {
                settings.set(name, value)?;
            }
        }
        for text in &self.set {
            let (name, value) =
                text.split_once('=').with_context(|| format!("--set takes NAME=VALUE, such as fullProb=0.5, and not {text}"))?;
            settings.set(name.trim(), value)?;
        }
        Ok(settings)
    }
}

/// How a run stands.
fn line(progress: &Progress) -> String {
    let seconds = progress.elapsed.as_secs_f64().max(1e-3);
    let Progress { games, rows, evaluations, .. } = *progress;
    format!(
        "{games} games ({:.1} a minute), {rows} rows, {:.0} evaluations a second",
        games as f64 * 60.0 / seconds,
        evaluations as f64 / seconds
    )
}

#[cfg(test)]
mod tests {
    use super::Args;
    use clap::Parser;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        args: Args,
    }

    fn settings(flags: &[&str]) -> Result<super::Settings, String> {
        let words = ["program", "--out", "x"].iter().chain(flags);
        let program = Program::try_parse_from(words).map_err(|error| error.to_string())?;
        program.args.settings().map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn flags_set_parameters() {
        let plain = settings(&["--playouts", "60"]).unwrap();
        assert_eq!((plain.search.visits, plain.search.cheap()), (60, 10));
        let set = settings(&["--net", "x", "--visits", "90", "--sizes", "9:2,7", "--set", "cheapVisits=5"]).unwrap();
        assert_eq!((set.search.visits, set.search.cheap(), set.game.sizes.largest()), (90, 5, 9));
        assert_eq!(set.tensor().map(crate::board::Size::width), Some(9));
    }

    #[test]
    fn bad_flags_say_what_would_do() {
        for (flags, hint) in [
            (&[][..], "--net"),
            (&["--net", "x", "--playouts", "5"], "cannot be used with"),
            (&["--playouts", "0"], "from 1"),
            (&["--playouts", "5", "--set", "fullProb"], "NAME=VALUE"),
            (&["--playouts", "5", "--set", "fullprob=1"], "did you mean fullProb?"),
            (&["--playouts", "5", "--sizes", "30"], "sizes cannot be '30'"),
        ] {
            let error = settings(flags).unwrap_err();
            assert!(error.contains(hint), "{flags:?}: {error}");
        }
    }
}
