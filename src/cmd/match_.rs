//! `tengen match`: a match between two engines.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;

use super::progress_bar;
use super::values::{at_least_1, read_komi, read_seconds, read_size, read_sprt};
use crate::board::Size;
use crate::clock::TimeControl;
use crate::referee::stats::Sprt;
use crate::referee::{GameRecord, Openings, Settings, Summary, read_time_control, run};
use crate::rules::Rules;
use crate::util::StopFlag;

/// Games of a match that no one gave a number: enough to see a difference of 100 Elo.
const GAMES: usize = 100;
/// Most games of a sequential test that no one gave a number; it ends long before, as a rule.
const SPRT_GAMES: usize = 100_000;
/// Moves a game may have for each point of the board, if no one says: three times what a full board takes.
const MOVES_PER_POINT: usize = 3;

/// Let two engines play a match
///
/// Starts the two programs, which speak GTP, and has them play each other with alternating colours; every opening is played twice, so that
/// neither gains by it. The referee checks all moves, keeps the clocks and counts the board itself. An engine that crashes, hangs, exceeds its
/// time or plays an illegal move loses that game and is started again for the next one.
///
/// When both have passed, the stones that both engines call dead (final_status_list) are taken off and the area is counted. If they do not
/// agree, the --judge gives the score (final_score); without one all stones on the board count as alive. Under tromp-taylor rules they always do.
///
/// With --out the games are kept as SGF, with a summary in summary.json and a line a game in games.jsonl. A match that was stopped goes on
/// when the same command is given again.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Command line of the first engine, in quotes
    #[arg(value_name = "ENGINE A")]
    a: String,

    /// Command line of the second engine, in quotes
    #[arg(value_name = "ENGINE B")]
    b: String,

    /// Number of games [default: 100; with --sprt at most 100000]
    #[arg(long, short = 'n', value_name = "N", value_parser = at_least_1)]
    games: Option<usize>,

    /// Play until it is clear whether A is ELO1 or only ELO0 stronger than B (error rates ALPHA and BETA, 0.05 each if not given)
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA]", allow_hyphen_values = true, value_parser = read_sprt)]
    sprt: Option<Sprt>,

    /// Games at a time
    #[arg(long, short = 'c', value_name = "N", default_value = "1", value_parser = at_least_1)]
    concurrency: usize,

    /// Board: one number for a square, or WIDTHxHEIGHT; 2 to 25
    #[arg(long, help_heading = "Game", value_name = "SIZE", default_value = "19", value_parser = read_size)]
    size: Size,

    /// Rules: tromp-taylor, chinese, japanese, korean, aga, new-zealand and others that KataGo knows, or its JSON
    #[arg(long, help_heading = "Game", value_name = "RULES", default_value = "chinese", value_parser = Rules::parse)]
    rules: Rules,

    /// Points that White gets for moving second [default: usual under the rules]
    #[arg(long, help_heading = "Game", value_name = "POINTS", allow_hyphen_values = true, value_parser = read_komi)]
    komi: Option<f32>,

    /// Time for each side: 1s/move, 10m (sudden death), 10m+30s/20 (Canadian), 10m+3x30s (byo-yomi), 5m+2s (Fischer), or none
    #[arg(long, help_heading = "Game", value_name = "TIME", default_value = "none", value_parser = read_time_control)]
    time: TimeControl,

    /// Time for B, where it is not the same. Some engines change their level with the time they are told, GNU Go among them
    #[arg(long, help_heading = "Game", value_name = "TIME", value_parser = read_time_control)]
    time_b: Option<TimeControl>,

    /// Openings: so many random moves off the edge, or the games of an SGF file
    #[arg(long, help_heading = "Game", value_name = "N|FILE.sgf", default_value = "2")]
    openings: PathBuf,

    /// Seed of the random openings
    #[arg(long, help_heading = "Game", value_name = "N", default_value = "1")]
    seed: u64,

    /// Stop a game after this many moves, and count it [default: 3 for each point]
    #[arg(long, help_heading = "Game", value_name = "N", value_parser = at_least_1)]
    max_moves: Option<usize>,

    /// Engine that scores games whose dead stones A and B do not agree about
    #[arg(long, help_heading = "Referee", value_name = "ENGINE")]
    judge: Option<String>,

    /// Overrun of a clock that is forgiven, once in the main time and once a period
    #[arg(long, help_heading = "Referee", value_name = "SECONDS", default_value = "0.5", value_parser = read_seconds)]
    margin: Duration,

    /// How long an engine may take to start, to answer anything but a move, or to move without a clock
    #[arg(long, help_heading = "Referee", value_name = "SECONDS", default_value = "120", value_parser = read_seconds)]
    patience: Duration,

    /// Folder for records and summary; a match that was stopped there goes on
    #[arg(long, short = 'o', help_heading = "Referee", value_name = "FOLDER")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  tengen match \"tengen gtp\" \"gnugo --mode gtp --level 10\" --size 9 --time 1s/move --time-b none --out gnugo-9x9
  tengen match \"./new gtp\" \"./old gtp\" --sprt 0,10 --size 9 --time 10s -c 4 --out new-against-old
  tengen match \"tengen gtp\" \"'C:\\Program Files\\KataGo\\katago.exe' gtp\" --games 20 --rules tromp-taylor
  tengen match \"gnugo --mode gtp\" \"tengen gtp\" --judge \"gnugo --mode gtp --chinese-rules\"";

impl Args {
    /// Plays the match, or goes on with it, until it is over or `stop` is set.
    ///
    /// # Errors
    /// If the flags do not fit together, an engine does not start, or games cannot be kept.
    pub fn run(self, stop: &StopFlag) -> anyhow::Result<()> {
        let settings = self.settings()?;
        let bar = progress_bar(settings.games as u64);
        let watch = |game: Option<&GameRecord>, summary: &Summary| {
            if let Some(game) = game.filter(|game| game.end.is_failure() || bar.is_hidden()) {
                bar.suspend(|| report(game));
            }
            bar.set_message(summary.line());
            bar.set_position(summary.games as u64);
        };
        let summary = run(&settings, stop, &watch)?;
        bar.finish_and_clear();
        super::print(&format!("{summary}\n"))?;
        if stop.is_set() {
            let again = if settings.out.is_some() { "; the same command goes on with it" } else { "" };
            eprintln!("Stopped{again}.");
        }
        Ok(())
    }

    fn settings(self) -> anyhow::Result<Settings> {
        let komi = self.komi.unwrap_or(self.rules.komi);
        let games = self.games.unwrap_or(if self.sprt.is_some() { SPRT_GAMES } else { GAMES });
        Ok(Settings {
            engines: [self.a, self.b],
            judge: self.judge,
            size: self.size,
            rules: self.rules.with_komi(komi),
            times: [self.time, self.time_b.unwrap_or(self.time)],
            margin: self.margin,
            patience: self.patience,
            max_moves: self.max_moves.unwrap_or(MOVES_PER_POINT * self.size.area()),
            openings: openings(&self.openings, self.size, self.rules)?,
            seed: self.seed,
            games,
            sprt: self.sprt,
            concurrency: self.concurrency,
            out: self.out,
        })
    }
}

/// Tells a finished game on standard error.
fn report(game: &GameRecord) {
    eprintln!("Game {}, {:?} is Black: {} ({})", game.number, game.black, game.result, game.detail);
    for line in game.log.lines() {
        eprintln!("    | {line}");
    }
}

/// Openings as the command line has them: a number of random moves, or a file.
fn openings(source: &Path, size: Size, rules: Rules) -> anyhow::Result<Openings> {
    if let Some(moves) = source.to_str().and_then(|text| text.parse().ok()) {
        return Ok(Openings::Random(moves));
    }
    let bytes = std::fs::read(source);
    let bytes = bytes.with_context(|| format!("--openings takes a number or an SGF file; cannot read {}", source.display()))?;
    Openings::read_sgf(&bytes, size, rules).with_context(|| format!("no openings in {}", source.display()))
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
        let words = ["program", "a gtp", "b gtp"].iter().chain(flags);
        let program = Program::try_parse_from(words).map_err(|error| error.to_string())?;
        program.args.settings().map_err(|error| error.to_string())
    }

    #[test]
    fn defaults_follow_from_rules_and_size() {
        let plain = settings(&[]).unwrap();
        assert_eq!((plain.games, plain.max_moves, plain.rules.komi), (100, 1083, 7.5));
        assert_eq!(plain.rules.name(), Some("chinese"));
        let other = settings(&["--size", "9x13", "--rules", "japanese", "--komi", "-3.5", "--sprt", "-5,5"]).unwrap();
        assert_eq!((other.games, other.max_moves, other.rules.komi), (100_000, 351, -3.5));
        assert_eq!(other.rules.name(), Some("japanese"));
    }

    #[test]
    fn bad_flags_say_what_would_do() {
        for (flags, hint) in [
            (["--games", "0"], "from 1"),
            (["--size", "30"], "from 2 to 25"),
            (["--time", "soon"], "10m+3x30s"),
            (["--rules", "chess"], "tromp-taylor"),
            (["--komi", "NaN"], "such as 7.5"),
            (["--margin", "much"], "such as 0.5"),
            (["--patience", "inf s"], "such as 0.5"),
            (["--sprt", "5"], "0,10"),
        ] {
            let error = settings(&flags).unwrap_err();
            assert!(error.contains(hint), "{flags:?}: {error}");
        }
    }
}
