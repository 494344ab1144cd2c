//! `tengen review`: what every move of a game was worth.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use indicatif::{HumanDuration, ProgressBar};

use super::engine_args::EngineArgs;
use super::values::read_komi;
use super::{print, progress_bar};
use crate::board::Color;
use crate::review::{Game, Look, NotReviewed, Plan, Progress, Review, Watcher, games, journals, run};
use crate::rules::Rules;
use crate::util::{Pace, StopFlag, write_whole};

/// Review games: what every move was worth, and what would have been better
///
/// Looks at every position, prints a summary with a graph of the game, and writes the review to a folder: as a page to step through in any browser,
/// without a network connection, and as a record with win rates, comments and better moves for Sabaki, KaTrain, Lizzie and others; or as tables.
///
/// Each core looks at a position of its own: --visits and --time are for one position on one core. Without either it is 100 visits with a network, and 2000
/// playouts without one, which is no more than a hint. What is found stays in the folder, in .tengen-review, so that a command that was stopped goes on
/// where it was when it is given again, and other formats cost nothing; delete it when you are done.
///
/// Rules and komi are the record's; where it names none, Chinese rules and the usual komi, and the review says so.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Game records: SGF, GIB, NGF or UGF
    #[arg(value_name = "GAME.sgf", required = true)]
    files: Vec<PathBuf>,

    /// Folder for the reviews; each has its record's name
    #[arg(long, short = 'o', value_name = "FOLDER", default_value = "review")]
    out: PathBuf,

    /// What to write, parted by commas
    #[arg(long, short = 'f', value_name = "FORMATS", value_enum, value_delimiter = ',', default_value = "html,sgf")]
    formats: Vec<Format>,

    /// Tell of this player's mistakes only
    #[arg(long, value_name = "COLOR")]
    player: Option<Color>,

    /// Rules to judge by, instead of the record's: chinese, japanese, tromp-taylor and others, as for `tengen gtp`
    #[arg(long, value_name = "RULES", value_parser = Rules::parse)]
    rules: Option<Rules>,

    /// Komi, instead of the record's
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true, value_parser = read_komi)]
    komi: Option<f32>,

    #[command(flatten)]
    engine: EngineArgs,
}

/// A form in which a review is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A page for a browser, which needs nothing else
    Html,
    /// The record with the review in it, for Go programs
    Sgf,
    /// A summary, and a row a move
    Json,
    /// A row a move
    Csv,
}

const EXAMPLES: &str = "\
Examples:
  tengen review game.sgf --net b6c96.bin.gz
  tengen review games/*.sgf --net b15c192.bin.gz --visits 400 --out reviews
  tengen review game.sgf --net b6c96.bin.gz --player white --time 0.5
  tengen review game.sgf --net b6c96.bin.gz --formats json,csv --rules japanese --komi 6.5";

impl Format {
    /// The end of its files' names.
    fn end(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Sgf => "sgf",
            Self::Json => "json",
            Self::Csv => "csv",
        }
    }

    fn write(self, review: &Review) -> String {
        match self {
            Self::Html => review.to_html(),
            Self::Sgf => review.to_sgf(),
            Self::Json => review.to_json(),
            Self::Csv => review.to_csv(),
        }
    }
}

impl Args {
    /// Reviews the games. One that cannot be reviewed does not keep the others from it.
    ///
    /// # Errors
    /// If a game could not be reviewed, the network cannot be had, or a file cannot be written.
    pub fn run(self, stop: &StopFlag) -> anyhow::Result<()> {
        let settings = self.engine.settings([])?;
        let (mut names, mut read, mut failed) = (HashSet::new(), Vec::new(), 0);
        for file in &self.files {
            match self.read(file) {
                Ok(found) => {
                    let several = found.len() > 1;
                    for (number, game) in found.into_iter().enumerate() {
                        match game {
                            Ok(game) => read.push((game, self.place(file, several.then_some(number + 1), &mut names)?)),
                            Err(error) => {
                                failed += 1;
                                let which = if several { format!(", game {}", number + 1) } else { String::new() };
                                eprintln!("tengen: {}{which}: {error}", file.display());
                            }
                        }
                    }
                }
                Err(error) => {
                    failed += 1;
                    eprintln!("tengen: {}: {error:#}", file.display());
                }
            }
        }
        let (games, places): (Vec<Game>, Vec<PathBuf>) = read.into_iter().unzip();
        if !games.is_empty() {
            fs::create_dir_all(&self.out).with_context(|| format!("cannot make the folder {}", self.out.display()))?;
        }
        let bar = progress_bar(games.iter().map(Game::positions).sum::<usize>() as u64);
        let plan = Plan { settings, journals: journals(&self.out) };
        let mut writer = Writer { args: &self, games: &games, places: &places, bar, pace: Pace::default(), written: 0 };
        run(&games, &plan, stop, &mut writer)?;
        writer.bar.finish_and_clear();
        if writer.written < games.len() {
            bail!("stopped after {} of {} games; the same command goes on with it", writer.written, games.len());
        }
        match (failed, games.len() + failed) {
            (0, _) => Ok(()),
            (failed, all) => bail!("{failed} of {all} games could not be reviewed"),
        }
    }

    fn read(&self, file: &Path) -> anyhow::Result<Vec<Result<Game, NotReviewed>>> {
        let bytes = fs::read(file).context("cannot read the file")?;
        Ok(games(&bytes, &file.display().to_string(), self.rules, self.komi)?)
    }

    /// The path of a game's reviews, without the format's end. No two have the same, and none is a record's.
    fn place(&self, file: &Path, number: Option<usize>, names: &mut HashSet<PathBuf>) -> anyhow::Result<PathBuf> {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let name = number.map_or_else(|| stem.to_string(), |number| format!("{stem}-{number}"));
        let path = |count: usize| self.out.join(if count < 2 { name.clone() } else { format!("{name}-{count}") });
        let place = (1..=names.len() + 1).map(path).find(|path| !names.contains(path)).expect("one more than there are is free");
        names.insert(place.clone());
        for format in &self.formats {
            let whole = whole(&place, *format);
            let same = |record: &&PathBuf| match (fs::canonicalize(record), fs::canonicalize(&whole)) {
                (Ok(record), Ok(whole)) => record == whole,
                _ => false,
            };
            if let Some(record) = self.files.iter().find(same) {
                bail!("the review would overwrite {}: choose another folder with --out", record.display());
            }
        }
        Ok(place)
    }
}

/// A place with the end of a format.
fn whole(place: &Path, format: Format) -> PathBuf {
    let mut whole = place.as_os_str().to_owned();
    whole.push(format!(".{}", format.end()));
    PathBuf::from(whole)
}

/// Writes reviews as they are finished.
struct Writer<'a> {
    args: &'a Args,
    games: &'a [Game],
    places: &'a [PathBuf],
    bar: ProgressBar,
    pace: Pace,
    written: usize,
}

impl Watcher for Writer<'_> {
    fn progress(&mut self, progress: Progress) {
        let left = self.pace.left(progress.done, progress.all);
        self.bar.set_position(progress.done as u64);
        self.bar.set_message(left.map_or_else(|| "positions".to_owned(), |left| format!("{} left", HumanDuration(left))));
    }

    fn finished(&mut self, game: usize, looks: Vec<Look>, judge: &str) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let review = Review::new(self.games[game].clone(), looks, judge.to_owned(), self.args.player);
        let mut files = Vec::new();
        for &format in &self.args.formats {
            let path = whole(&self.places[game], format);
            write_whole(&path, format.write(&review).as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
            files.push(path.display().to_string());
        }
        let gap = if self.written > 0 { "\n" } else { "" };
        let page = format!("{gap}{}\n{}\nWritten: {}\n", review.game.source, review.summary(), files.join(", "));
        self.written += 1;
        self.bar.suspend(|| print(&page))?;
        Ok(())
    }
}
