//! Exact answers about Go: who wins a small board by how much, and (in `local`) whether stones live, connect or are captured.
//!
//! `field` is the board of the solvers; `small` solves whole boards fast under area scoring and superko (`turns` makes one of positions that mirror each other), `slow` tiny ones under any rules, `check` replays proofs.
//! `endgames` knows every position of a board of at most nine points. `problem` is
//! a local question: `survey` sees by `contest`, a tree search, what is at stake, `region` makes questions of it, `inquiry` asks them, `local` answers one (on a `site`), and `replay` plays its proofs out. `basis` says why a proof
//! may be used again. `reading` asks the same in a moment about every weak chain of a game.

mod basis;
mod chains;
mod check;
mod contest;
mod endgames;
mod field;
mod findings;
mod frame;
mod grounds;
mod inquiry;
mod kept;
mod local;
mod memory;
mod numbers;
mod problem;
mod prover;
mod reach;
mod reading;
mod region;
mod replay;
mod site;
mod slow;
mod small;
mod survey;
mod turns;

pub use endgames::{LONGEST_SIDE, NoTable, Table, Terms};
pub use problem::{Checked, LocalAnswer, LocalTask, Status, solve_local};
pub use reading::{Reader, Vital};
pub use small::Progress;

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::board::{Color, Move};
use crate::rules::{HandicapBonus, KoRule, Position, Scoring, Tax};
use crate::util::StopFlag;
use check::{check, stones};
use field::{Field, Stones};
use findings::State;
use prover::PASS;
use slow::Slow;
use small::{Asked, Ground, Small};

/// A whole board, solved.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Black's lead at the end if both play their best, komi and all bonuses counted.
    pub value: f32,
    /// How the game then goes, as far as it matters.
    pub pv: Vec<Move>,
    /// States looked at.
    pub nodes: u64,
    /// Positions of the proofs that the checker played out; 0 if it was not asked.
    pub checked: u64,
    /// Time it took, without the check.
    pub time: Duration,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsolved {
    /// Stopped, or out of time.
    #[error("stopped before it was solved")]
    Stopped,
    /// There is no method for this question, or no question.
    #[error("{0}")]
    Refused(String),
    /// The checker had too much to do.
    #[error("the proof has more than {0} positions to check")]
    TooManyLines(u64),
    /// The checker found a hole: an error in this program.
    #[error("the proof has a hole, after {0}")]
    Broken(String),
}

/// How to solve a board.
pub struct BoardTask<'a> {
    /// Time it may take.
    pub time: Option<Duration>,
    /// Asks for an end.
    pub stop: &'a StopFlag,
    /// Most positions for the checker to play out, of each of the two proofs; 0 to leave it out.
    pub check: u64,
    /// Bytes for what is remembered.
    pub memory: u64,
    /// Only whether Black's lead on the board is at least this is asked; the solution's value is then this, or one less.
    pub bar: Option<i16>,
    /// A folder in which to keep what is proved of a board under superko, every minute; what is there already is made use of.
    pub keep: Option<&'a Path>,
    /// Is told the question (Black's lead on the board) and how far it is, several times a second.
    pub tell: &'a mut dyn FnMut(i16, Progress),
}

/// Most points of a board that is solved whole.
pub const MOST_POINTS: usize = 25;
/// Most points where the rules allow nothing better than looking at every line.
const MOST_POINTS_SLOWLY: usize = 6;

/// Solves the whole board from `position`, with its history.
///
/// # Errors
/// If it is too large, it was stopped, or the checker finds fault.
pub fn solve_board(position: &Position, task: &mut BoardTask<'_>) -> Result<Solution, Unsolved> {
    let rules = position.rules();
    let fast = rules.scoring == Scoring::Area
        && rules.ko != KoRule::Simple
        && rules.tax == Tax::None
        && rules.handicap_bonus == HandicapBonus::Zero
        && !rules.button;
    let area = position.size().area();
    if fast {
        if area > MOST_POINTS {
            return Err(Unsolved::Refused(format!(
                "a whole board of more than {MOST_POINTS} points is too large to solve; name a point for a local problem"
            )));
        }
        return solve_fast(position, task);
    }
    if task.bar.is_some() {
        return Err(Unsolved::Refused("whether a lead is reached can be asked under area scoring with superko only".to_owned()));
    }
    if area > MOST_POINTS_SLOWLY {
        return Err(Unsolved::Refused(format!(
            "under these rules every line must be looked at, which takes a board of at most {MOST_POINTS_SLOWLY} points; area scoring with superko takes {MOST_POINTS}"
        )));
    }
    solve_slowly(position, task)
}

/// Searches for the highest bar that is reached: `reaches` says whether a bar is, and it is known that one of `low` and up to `high` is the last. Bars are far apart
/// where nothing is known: `first`, then 1 more, then 2 more, 4 more.
fn highest(
    mut low: i16,
    mut high: i16,
    first: i16,
    mut reaches: impl FnMut(i16) -> Result<bool, Unsolved>,
) -> Result<i16, Unsolved> {
    let mut bar = first.clamp(low + 1, high);
    let (mut step, mut bounded) = (1, false);
    while low < high {
        if reaches(bar)? {
            low = bar;
        } else {
            high = bar - 1;
            bounded = true;
        }
        bar = if bounded { low + (high - low + 1) / 2 } else { (low + step).min(high) };
        step *= 2;
    }
    Ok(low)
}

fn solve_fast(position: &Position, task: &mut BoardTask<'_>) -> Result<Solution, Unsolved> {
    let begun = Instant::now();
    let size = position.size();
    let (field, _) = Field::whole(position.board(), position.rules().suicide);
    let ground = Ground::new(size, field);
    let deadline = task.time.map(|time| begun + time);
    let situational = position.rules().ko == KoRule::Situational;
    let mut solver = Small::new(&ground, situational, task.memory, deadline, task.stop);
    if let Some(folder) = task.keep {
        solver.keep(folder)?;
    }
    let path = path(&ground.field, position);
    let asked = Asked { path: &path, state: state(&ground.field, position) };
    let area = size.area() as i16;
    let (low, high) = task.bar.map_or((-area, area), |bar| (bar - 1, bar));
    let value = highest(low, high, 1, |bar| solver.is_at_least(&asked, bar, &mut |progress| (task.tell)(bar, progress)))?;
    let (nodes, time) = (solver.nodes(), begun.elapsed());
    let proofs = [(value, Color::Black), (value + 1, Color::White)];
    // A bar has one proof; the opponent has none to go by.
    let proofs = proofs.iter().filter(|(bar, _)| task.bar.is_none_or(|asked| asked == *bar));
    let pv = if task.bar.is_none() { variation(&mut solver, &ground.field, position, &path, value)? } else { Vec::new() };
    let mut checked = 0;
    if task.check > 0 {
        for &(bar, winner) in proofs {
            checked += check(&mut solver, &ground.field, position, &path, (bar, winner), task.check)?;
        }
    }
    Ok(Solution { value: f32::from(value) - position.rules().komi, pv, nodes, checked, time })
}

/// Where the game stands.
fn state(field: &Field, position: &Position) -> State {
    State { stones: stones(field, position.board()), player: position.to_move().index(), passed: position.passes() > 0, ko: 0 }
}

/// The positions since the history began, each with the player to move.
fn path(field: &Field, position: &Position) -> Vec<(Stones, usize)> {
    let moves = position.moves_since_restart();
    let first = moves.first().map_or(position.to_move(), |&(color, _)| color);
    let mut replayed = Position::from_board(position.start_board().clone(), first, *position.rules());
    let mut path = vec![(stones(field, replayed.board()), first.index())];
    for &(_, mv) in moves {
        replayed.play_unchecked(mv);
        path.push((stones(field, replayed.board()), replayed.to_move().index()));
    }
    path
}

/// Most moves of a principal variation.
const LONGEST_PV: usize = 60;

fn variation(
    solver: &mut Small<'_>,
    field: &Field,
    position: &Position,
    path: &[(Stones, usize)],
    value: i16,
) -> Result<Vec<Move>, Unsolved> {
    let (mut position, mut path, mut pv) = (position.clone(), path.to_vec(), Vec::new());
    while !position.is_over() && pv.len() < LONGEST_PV {
        let bar = if position.to_move() == Color::Black { value } else { value + 1 };
        let mv = solver.keeping_move(&Asked { path: &path, state: state(field, &position) }, bar)?;
        let mv = read_move(field, mv);
        position.play_unchecked(mv);
        path.push((stones(field, position.board()), position.to_move().index()));
        pv.push(mv);
    }
    Ok(pv)
}

/// A prover's move on the board.
fn read_move(field: &Field, mv: u8) -> Move {
    if mv == PASS { Move::PASS } else { Move::from(field.point(mv as usize)) }
}

/// Solves a tiny board by looking at every line with its whole history: what [`solve_board`] does where the rules leave nothing better, and what it is compared with.
///
/// # Errors
/// If it was stopped.
pub fn solve_slowly(position: &Position, task: &mut BoardTask<'_>) -> Result<Solution, Unsolved> {
    let begun = Instant::now();
    let mut slow = Slow { nodes: 0, deadline: task.time.map(|time| begun + time), stop: task.stop };
    // Lines are long and positions large: more than a thread's usual stack.
    let look = move || {
        let (value, pv) = look_at_every_line(position, &mut slow)?;
        Ok(Solution { value, pv, nodes: slow.nodes, checked: 0, time: begun.elapsed() })
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, look);
        let thread = thread.map_err(|error| Unsolved::Refused(format!("no thread can be started: {error}")))?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Stack of the search that looks at every line, in bytes.
const STACK: usize = 1 << 28;

/// Black's lead, and how it comes about.
fn look_at_every_line(position: &Position, slow: &mut Slow<'_>) -> Result<(f32, Vec<Move>), Unsolved> {
    // Scores go by halves; twice the board and what the rules may add is more than any.
    let most = 4 * position.size().area() as i16 + (2.0 * position.white_bonus().abs()).ceil() as i16 + 8;
    let halves = highest(-most, most, 1, |bar| slow.is_at_least(position, f32::from(bar) / 2.0).map(|(reached, _)| reached))?;
    let value = f32::from(halves) / 2.0;
    let (mut position, mut pv) = (position.clone(), Vec::new());
    while !position.is_over() && pv.len() < LONGEST_PV {
        let bar = if position.to_move() == Color::Black { value } else { value + 0.5 };
        let (_, Some(mv)) = slow.is_at_least(&position, bar)? else { break };
        position.play_unchecked(mv);
        pv.push(mv);
    }
    Ok((value, pv))
}
