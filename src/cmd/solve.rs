//! `tengen solve`: proofs about small boards, and about stones on large ones.

use std::cmp::Reverse;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

use super::print;
use super::values::{read_komi, read_seconds, read_size};
use crate::board::{Color, Move, Point, PointSet, Size};
use crate::eval::Evaluator;
use crate::nn::{LoadedNetwork, NetEvaluator};
use crate::params::{Bytes, Settings};
use crate::rules::{Position, Rules};
use crate::sgf::{self, Record};
use crate::solve::{BoardTask, Checked, LocalAnswer, LocalTask, MOST_POINTS, Progress, Status, solve_board, solve_local};
use crate::util::{Rng, StopFlag};

/// Prove who wins a small board, or whether stones live
///
/// Of a small board: by how much Black wins if both play their best, and how. Of a larger one, a local problem: whether a group can be captured when either side
/// moves first, and by which move; with --at, the chain there, otherwise the group that seems to be the problem. The stones around it are taken to stand, and it is said within which points.
/// An answer is proved, or it says that it is not.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A board's size, such as 3 or 4x3, or a game record
    #[arg(value_name = "SIZE|FILE.sgf")]
    what: String,

    /// Of a record, the position after this many moves instead of the last one
    #[arg(long, value_name = "N")]
    moves: Option<usize>,

    /// Rules
    #[arg(long, value_name = "RULES", default_value = "tromp-taylor", value_parser = Rules::parse)]
    rules: Rules,

    /// Komi
    #[arg(long, value_name = "POINTS", default_value = "0", allow_hyphen_values = true, value_parser = read_komi)]
    komi: f32,

    /// A stone of the chain to ask about
    #[arg(long, value_name = "VERTEX")]
    at: Option<String>,

    /// Where may be played in a local problem: vertices with commas between
    #[arg(long, value_name = "VERTICES", value_delimiter = ',')]
    region: Vec<String>,

    /// Of a local problem, who moves first [default: either]
    #[arg(long, value_name = "COLOR")]
    first: Option<Color>,

    /// Of a local problem, what answers this first move
    #[arg(long, value_name = "VERTEX", requires = "first")]
    refute: Option<String>,

    /// Time for each question; without it a board is solved however long it takes, and a local question has ten seconds
    #[arg(long, value_name = "SECONDS", value_parser = read_seconds)]
    time: Option<Duration>,

    /// Of a board, ask only whether Black's lead on it is at least this
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true, value_parser = clap::value_parser!(i16).range(-25..=25))]
    lead: Option<i16>,

    /// Most memory for what is proved of a board, such as 4GiB [default: 256MiB]
    #[arg(long, value_name = "SIZE")]
    memory: Option<Bytes>,

    /// Keep what is proved of a board in this folder, every minute, and go on from what is there
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,

    /// Play proofs out by an independent checker, of at most so many positions
    #[arg(long, value_name = "POSITIONS", default_value = "0")]
    check: u64,

    /// A network, by which the tree search goes that stands beside the proofs of a local problem; without one it goes by playouts
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  tengen solve 3                              3x3: Black wins by 9
  tengen solve 2x3 --check 1000000            and the proof is played out
  tengen solve centre.sgf --lead 25 --memory 4GiB --keep proofs
                                              5x5 takes long; after Ctrl-C the same command goes on
  tengen solve problem.sgf                    what becomes of the group in question
  tengen solve game.sgf --moves 120 --at D4   of the chain at D4
  tengen solve problem.sgf --first b --refute C1";

/// Time between two lines about how far it is.
const TELL_EVERY: Duration = Duration::from_secs(10);
/// Time for a local question.
const LOCAL_TIME: Duration = Duration::from_secs(10);
/// Memory for what is remembered of a board, in bytes.
const BOARD_MEMORY: u64 = 1 << 28;
/// And of a local problem.
const LOCAL_MEMORY: u64 = 1 << 28;

impl Args {
    /// Solves, and prints the answer.
    ///
    /// # Errors
    /// If the record cannot be read, a vertex is none of the board's, the board is too large, or it was stopped.
    pub fn run(self, stop: &StopFlag) -> anyhow::Result<()> {
        let position = self.position()?;
        let size = position.size();
        let whole = self.at.is_none() && self.region.is_empty() && self.first.is_none() && size.area() <= MOST_POINTS;
        if whole { self.board(&position, stop) } else { self.local(position, stop) }
    }

    fn position(&self) -> anyhow::Result<Position> {
        let rules = self.rules.with_komi(self.komi);
        if let Ok(size) = read_size(&self.what) {
            return Ok(Position::new(size, rules));
        }
        let bytes =
            fs::read(&self.what).with_context(|| format!("{} is no size of a board, and not to be read as a file", self.what))?;
        let collection = sgf::parse(&bytes).with_context(|| self.what.clone())?;
        let record = Record::from_tree(&collection.games[0])?;
        let moves = record.moves().count();
        if let Some(wanted) = self.moves.filter(|&wanted| wanted > moves) {
            bail!("it has {moves} moves, so there is none after --moves {wanted}");
        }
        Ok(record.replay_moves(rules, self.moves.unwrap_or(moves))?)
    }

    fn board(&self, position: &Position, stop: &StopFlag) -> anyhow::Result<()> {
        let (begun, mut told) = (Instant::now(), Duration::ZERO);
        let mut tell = |bar: i16, (depths, nodes): Progress| {
            let time = begun.elapsed();
            if time >= told + TELL_EVERY {
                told = time;
                let [black, white] = depths;
                let (millions, seconds) = (nodes / 1_000_000, time.as_secs());
                eprintln!(
                    "Black by {bar}? Black looks {black} moves deep, White {white}; {millions} million positions, {seconds} s"
                );
            }
        };
        let mut task = BoardTask {
            time: self.time,
            stop,
            check: self.check,
            memory: self.memory.map_or(BOARD_MEMORY, |memory| memory.0),
            bar: self.lead,
            keep: self.keep.as_deref(),
            tell: &mut tell,
        };
        let solution = solve_board(position, &mut task)?;
        let mut text = match self.lead {
            Some(lead) => {
                let reached = solution.value + self.komi >= f32::from(lead);
                format!("Black's lead on the board is {} {lead}\n", if reached { "at least" } else { "less than" })
            }
            None => format!("{}\n{}\n", winner(solution.value), line(position.size(), position.to_move(), &solution.pv)),
        };
        let _ = writeln!(text, "{} positions, {:.2} s", solution.nodes, solution.time.as_secs_f64());
        if self.check > 0 && solution.checked > 0 {
            let _ = writeln!(text, "played out: {} positions", solution.checked);
        }
        print(&text)
    }

    fn local(&self, mut position: Position, stop: &StopFlag) -> anyhow::Result<()> {
        position.set_cleanup_played(false);
        let size = position.size();
        let at = self.at.as_deref().map(|at| vertex(size, at)).transpose()?;
        if let Some(at) = at {
            ensure!(!position.board().is_empty(at), "there is no stone at {}", size.vertex(at));
        }
        let region: Vec<Point> = self.region.iter().map(|text| vertex(size, text)).collect::<anyhow::Result<_>>()?;
        let region = (!region.is_empty()).then(|| region.into_iter().collect::<PointSet>());
        let network = self.net.as_deref().map(|file| LoadedNetwork::read(file, 0)).transpose()?.map(Arc::new);
        let settings = Settings::for_machine();
        let ask = |position: &Position, at: Option<Point>, first: Color| -> anyhow::Result<LocalAnswer> {
            let task = LocalTask {
                at,
                region,
                first,
                time: self.time.unwrap_or(LOCAL_TIME),
                memory: LOCAL_MEMORY,
                threads: settings.search.threads as usize,
                settings: &settings,
                check: self.check,
                stop,
            };
            let evaluator = network.as_ref().map(|network| {
                |number| -> Box<dyn Evaluator<Position>> {
                    Box::new(NetEvaluator::new(Arc::clone(network), &settings.network, Rng::for_stream(0, number)))
                }
            });
            Ok(solve_local(position, &task, evaluator.as_ref().map(|make| make as _))?)
        };
        let firsts = self.first.map_or(Color::ALL.to_vec(), |first| vec![first]);
        let mut at = at;
        for first in firsts {
            let answer = ask(&position, at, first)?;
            // Both questions are about the same stones.
            at = at.or_else(|| answer.target.iter().max_by_key(|&stone| position.board().chain_length(stone)));
            print(&sentence(&position, first, &answer))?;
            if let Some(refuted) = &self.refute {
                let mv = Move::from(vertex(size, refuted)?);
                let mut after = position.clone();
                after.play_as(first, mv)?;
                let at = at.filter(|&at| !after.board().is_empty(at));
                let reply = ask(&after, at, !first)?;
                print(&format!("After {}: {}", size.vertex(mv), sentence(&after, !first, &reply)))?;
            }
        }
        Ok(())
    }
}

fn vertex(size: Size, text: &str) -> anyhow::Result<Point> {
    size.parse_vertex(text)?.point().with_context(|| format!("'{text}' is no point of the board"))
}

/// Who wins by how much.
fn winner(value: f32) -> String {
    match value {
        value if value > 0.0 => format!("Black wins by {value}"),
        value if value < 0.0 => format!("White wins by {}", -value),
        _ => "a draw".to_owned(),
    }
}

/// `Black B2, White pass`.
fn line(size: Size, first: Color, moves: &[Move]) -> String {
    let colors = [first, !first].into_iter().cycle();
    let moves: Vec<String> = colors.zip(moves).map(|(color, &mv)| format!("{color} {}", size.vertex(mv))).collect();
    moves.join(", ")
}

/// What was found, for a person: the answer, and of which question it is one.
fn sentence(position: &Position, first: Color, answer: &LocalAnswer) -> String {
    let (size, board) = (position.size(), position.board());
    let names = |points: &mut dyn Iterator<Item = Move>| points.map(|mv| size.vertex(mv)).collect::<Vec<_>>();
    let mut heads: Vec<Point> = answer.target.iter().filter(|&stone| board.head(stone) == stone).collect();
    heads.sort_by_key(|&head| Reverse(board.chain_length(head)));
    let are = if heads.len() > 1 { "are all" } else { "are" };
    let some = if heads.len() > 1 { "are not all captured" } else { "are safe" };
    let what = format!(
        "{first} first: {}'s stones at {}",
        answer.defender,
        names(&mut heads.iter().map(|&head| Move::from(head))).join(" and ")
    );
    let winning = names(&mut answer.winning.iter().copied());
    let by = if winning.is_empty() { ", whatever is played".to_owned() } else { format!(" by {}", winning.join(" or ")) };
    let checked = match answer.checked {
        Some(Checked::Whole(positions)) => format!("; played out: {positions} positions"),
        Some(Checked::Part(positions)) => format!("; played out in part: {positions} positions, no fault"),
        Some(Checked::Unfit) => "; not played out: the stones around cannot be laid out so that they stand".to_owned(),
        None => String::new(),
    };
    let effort = format!("{} positions, {:.2} s{checked}", answer.nodes, answer.time.as_secs_f64());
    let told = match answer.status {
        Status::Captured => format!("{what} {are} captured{by} ({effort})"),
        Status::Saved => format!("{what} {some}{by} ({effort})"),
        Status::Ko => format!("{what} hang on a ko{by} ({effort})"),
        Status::Open => {
            let likely = names(&mut answer.likely.iter().copied().take(3)).join(" ");
            return format!("{what}: not proved in time; perhaps {likely} ({effort})\n");
        }
    };
    let region = names(&mut answer.region.iter().map(Move::from)).join(",");
    let held = names(&mut answer.closed.iter().map(Move::from)).join(",");
    let held = if held.is_empty() { held } else { format!(", and {held} as {}'s", !answer.defender) };
    format!("{told}\n  within --region {region}; who gets out of it is safe, and the stones around it are taken to stand{held}\n")
}
