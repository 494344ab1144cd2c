//! `tengen label`: training rows out of game records.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::available_parallelism;

use anyhow::ensure;
use indicatif::HumanDuration;
use parking_lot::Mutex;

use super::engine_args::BackendArgs;
use super::progress_bar;
use super::values::at_least_1;
use crate::label::{Policy, Progress, Settings, Teacher, run};
use crate::util::{Pace, StopFlag};

/// No memory for what the teacher said: every position is asked about once.
const NO_CACHE: u64 = 0;

/// Make training rows from game records
///
/// Takes positions at random from many games and writes them as rows for `tengen train` or KataGo's trainer: what a network is shown, and what it
/// should say. Without a teacher that is the move that was played and how the game ended; if it ended by two passes and the record agrees with
/// Tengen's judgement of the end, also whose each point was.
///
/// With --teacher a network of KataGo's or ours judges every position: its policy, win rate, lead, score and ownership become the targets. That
/// teaches far more a row, and takes an evaluation for each (with --symmetries several, which are averaged).
///
/// The rows go to FOLDER/train; those of held-out games, which are chosen by their moves alone whatever else is asked, to FOLDER/val. The command can be stopped or killed
/// at any time: given again it goes on where it was, and with more --rows it adds to them. Several can share a folder: with different seeds, or
/// each with its --part of the games.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Game records: SGF files, tables (.tsv, .tsv.gz), or folders of them
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,

    /// Folder for the rows
    #[arg(long, short = 'o', value_name = "FOLDER")]
    out: PathBuf,

    /// Rows to make in all
    #[arg(long, short = 'n', value_name = "N", default_value = "10000", value_parser = at_least_1)]
    rows: usize,

    /// Network whose opinion is to be learnt; the program's own: embedded
    #[arg(long, help_heading = "Teacher", value_name = "FILE")]
    teacher: Option<PathBuf>,

    #[command(flatten, next_help_heading = "Teacher")]
    backend: BackendArgs,

    /// In how many of the eight symmetries the teacher is asked; its answers are averaged
    #[arg(long, help_heading = "Teacher", value_name = "N", default_value = "1", value_parser = clap::value_parser!(u8).range(1..=8), requires = "teacher")]
    symmetries: u8,

    /// Whose moves are to be learnt [default: the teacher's, if there is one]
    #[arg(long, help_heading = "Teacher", value_name = "WHOSE", value_enum)]
    policy: Option<Whose>,

    /// Share of the games that the teacher is shown under rules and komi drawn at random, so that a network learns what they mean
    #[arg(long, help_heading = "Teacher", value_name = "SHARE", default_value = "0.25", value_parser = read_whole_share, requires = "teacher")]
    random_rules: f32,

    /// Share of the positions that one to three random moves are played in first, so that a network learns what mistakes cost
    #[arg(long, help_heading = "Teacher", value_name = "SHARE", default_value = "0", value_parser = read_whole_share, requires = "teacher")]
    astray: f32,

    /// Positions to take of a game before the next one's turn
    #[arg(long, help_heading = "Choice", value_name = "N", default_value = "4", value_parser = at_least_1)]
    per_game: usize,

    /// Share of the games that are held out for validation
    #[arg(long, help_heading = "Choice", value_name = "SHARE", default_value = "0.1", value_parser = read_share)]
    held_out: f64,

    /// Share of the rows that are of held-out games
    #[arg(long, help_heading = "Choice", value_name = "SHARE", default_value = "0.02", value_parser = read_share)]
    validation: f64,

    /// Seed of the random choice of games and positions
    #[arg(long, help_heading = "Choice", value_name = "N", default_value = "1")]
    seed: u64,

    /// Take only the I-th of N parts of the games, so that N programs share the work
    #[arg(long, help_heading = "Choice", value_name = "I/N", default_value = "1/1", value_parser = read_part)]
    part: (usize, usize),

    /// Width and height of the rows' tensors; games on larger boards are left out. 9 makes rows of 9x9 games that train four times as fast
    #[arg(long, help_heading = "Files", value_name = "SIDE", default_value = "19", value_parser = clap::value_parser!(u8).range(2..=25))]
    tensor: u8,

    /// Rows of a file; what a kill can lose
    #[arg(long, help_heading = "Files", value_name = "N", default_value = "1024", value_parser = at_least_1)]
    rows_per_file: usize,

    /// Threads [default: one a core, with a teacher on a GPU 64]
    #[arg(long, short = 't', value_name = "N", value_parser = at_least_1)]
    threads: Option<usize>,
}

/// Whose moves are to be learnt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Whose {
    /// The teacher's: every move with its probability
    Teacher,
    /// The record's: the move that was played
    Record,
    /// Half the teacher's, half the record's: brings a network nearer to strong players' moves
    Both,
}

impl Whose {
    fn policy(self) -> Policy {
        match self {
            Self::Teacher => Policy::Teacher,
            Self::Record => Policy::Record,
            Self::Both => Policy::Both,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  tengen label games/ --out rows --rows 1000000
  tengen label games/19x19-pro.tsv.gz --teacher b15c192.bin.gz --per-game 1 --rows 100000 --out rows
  tengen label games/9x9-dan.tsv.gz --tensor 9 --teacher b15c192.bin.gz --symmetries 4 --out rows9
  tengen label games/ --teacher b15c192.bin.gz --part 2/8 --rows 20000 --out /shared/rows";

impl Args {
    /// Makes rows, or goes on with it, until there are enough or `stop` is set.
    ///
    /// # Errors
    /// If the flags do not fit together, games or teacher cannot be read, or rows cannot be kept.
    pub fn run(self, stop: &StopFlag) -> anyhow::Result<()> {
        let settings = self.settings()?;
        let bar = progress_bar(settings.rows as u64);
        let pace = Mutex::new(Pace::default());
        let watch = |progress: Progress| {
            let line = line(&mut pace.lock(), progress, settings.rows);
            bar.set_position((progress.kept + progress.pending) as u64);
            if progress.pending == 0 && bar.is_hidden() {
                eprintln!("{} of {} rows, {line}", progress.kept, settings.rows);
            }
            bar.set_message(line);
        };
        let done = run(&settings, stop, &watch)?;
        bar.finish_and_clear();
        let Progress { kept, validation, games, broken, .. } = done;
        let unread = if broken > 0 { format!("; {broken} records could not be read") } else { String::new() };
        super::print(&format!(
            "{kept} rows in {}, {validation} of them for validation; {games} games{unread}\n",
            settings.out.display()
        ))?;
        if stop.is_set() {
            eprintln!("Stopped; the same command goes on with it.");
        } else if kept < settings.rows {
            eprintln!("The games have no more positions.");
        }
        Ok(())
    }

    fn settings(self) -> anyhow::Result<Settings> {
        let whose = self.policy.filter(|&whose| whose != Whose::Record);
        ensure!(self.teacher.is_some() || whose.is_none(), "this --policy needs a --teacher; without one it is the record's");
        let at_once =
            if self.teacher.is_some() { self.backend.at_once() } else { available_parallelism().map_or(1, NonZero::get) };
        let network = self.teacher.map(|name| self.backend.network(&name, NO_CACHE)).transpose()?;
        let teacher = network.map(|network| Teacher {
            network: Arc::new(network),
            symmetries: usize::from(self.symmetries),
            policy: self.policy.map_or(Policy::Teacher, Whose::policy),
            random_rules: self.random_rules,
            astray: self.astray,
        });
        Ok(Settings {
            games: self.games,
            out: self.out,
            rows: self.rows,
            per_game: self.per_game,
            rows_per_file: self.rows_per_file,
            side: usize::from(self.tensor),
            held_out: self.held_out,
            validation: if self.held_out > 0.0 { self.validation } else { 0.0 },
            seed: self.seed,
            part: self.part,
            threads: self.threads.unwrap_or(at_once),
            teacher,
        })
    }
}

/// How fast rows are made, and how long the rest will take.
fn line(pace: &mut Pace, progress: Progress, wanted: usize) -> String {
    let made = progress.kept + progress.pending;
    match (pace.rate(made), pace.left(made, wanted)) {
        (Some(rate), Some(left)) => format!("{rate:.1} rows/s, {} left", HumanDuration(left)),
        _ => "rows".to_owned(),
    }
}

fn read_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..1.0).contains(share));
    share.ok_or_else(|| "this takes a number from 0 to below 1, such as 0.02".to_owned())
}

fn read_whole_share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "this takes a number from 0 to 1, such as 0.25".to_owned())
}

fn read_part(text: &str) -> Result<(usize, usize), String> {
    let numbers = text.split_once('/').and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
    let numbers = numbers.filter(|(part, parts): &(usize, usize)| (1..=*parts).contains(part));
    let (part, parts) = numbers.ok_or("this takes a part and a number of parts, such as 2/8")?;
    Ok((part - 1, parts))
}
