//! Whole small boards under area scoring and superko: is Black's lead at least so much? Two provers look at once, one for each side, deeper and deeper, until one has its proof.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use super::Unsolved;
use super::field::{Field, Stones};
use super::prover::{DEEPEST, Prover};
use super::table::{ENTRY_BYTES, Goal, State};
use crate::board::Size;
use crate::nn::Symmetry;
use crate::util::StopFlag;

/// Two provers with what they have found.
pub(super) struct Small<'a> {
    provers: [Prover<'a>; 2],
    situational: bool,
    /// Raised when one has its proof.
    decided: &'a StopFlag,
}

/// What two provers share.
pub(super) struct Ground {
    /// The board.
    pub(super) field: Field,
    symmetries: Vec<Vec<u8>>,
    decided: StopFlag,
}

/// A question that came up in a game: the positions so far, its own last, with who was to move; and its state.
pub(super) struct Asked<'a> {
    /// The positions.
    pub(super) path: &'a [(Stones, usize)],
    /// The state.
    pub(super) state: State,
}

/// A prover looks two moves deeper each time: its own last move decides nothing before the answer to it.
const STEP: usize = 2;

impl<'a> Small<'a> {
    /// Provers for a board with so many bytes for what they find; they stop at the deadline, or when `stop` is up.
    pub(super) fn new(ground: &'a Ground, situational: bool, memory: u64, deadline: Option<Instant>, stop: &'a StopFlag) -> Self {
        // No more than there can be states, with room to spare.
        let states = 3_u64.saturating_pow(ground.field.all().count_ones()).saturating_mul(8);
        let places = (memory / 2 / ENTRY_BYTES as u64).min(states) as usize;
        let prover = |side| Prover::new(&ground.field, &ground.symmetries, side, places, deadline, [stop, &ground.decided]);
        Self { provers: [prover(0), prover(1)], situational, decided: &ground.decided }
    }

    /// States looked at.
    pub(super) fn nodes(&self) -> u64 {
        self.provers.iter().map(|prover| prover.nodes).sum()
    }

    /// What `side` is to have so that Black's lead is at least `bar`, or less.
    fn goal(&self, side: usize, bar: i16) -> Goal {
        let lead = if side == 0 { i32::from(bar) } else { 1 - i32::from(bar) };
        Goal { lead, situational: self.situational }
    }

    /// Whether Black's lead will be at least `bar`. `tell` hears of each depth that is done with, and of states looked at.
    ///
    /// # Errors
    /// If it was stopped, or there is no proof for either side.
    pub(super) fn is_at_least(&mut self, asked: &Asked<'_>, bar: i16, tell: &mut dyn FnMut(u8, u64)) -> Result<bool, Unsolved> {
        self.decided.clear();
        let nodes = AtomicU64::new(0);
        let goals = [0, 1].map(|side| self.goal(side, bar));
        let decided = self.decided;
        let [black, white] = &mut self.provers;
        let look = |prover: &mut Prover<'_>, goal: Goal, tell: &mut dyn FnMut(u8, u64)| {
            for depth in (1..=DEEPEST).step_by(STEP) {
                let before = prover.nodes;
                let answer = prover.proves(asked.path, asked.state, goal, depth);
                let all = nodes.fetch_add(prover.nodes - before, Ordering::Relaxed) + prover.nodes - before;
                if answer?.is_some() {
                    decided.set();
                    return Ok(());
                }
                tell(depth, all);
            }
            Err(Unsolved::Refused(format!("there is no proof within {DEEPEST} moves")))
        };
        let (for_black, for_white) = thread::scope(|scope| {
            let other = scope.spawn(|| look(white, goals[1], &mut |_, _| ()));
            let own = look(black, goals[0], tell);
            (own, other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        match (for_black, for_white) {
            (Ok(()), _) => Ok(true),
            (_, Ok(())) => Ok(false),
            (Err(error), _) => Err(error),
        }
    }

    /// A move of `side`, which is to move and is proved to have Black's lead at least `bar` (Black), or less (White), that keeps it so. The pass is [`PASS`](super::prover::PASS).
    ///
    /// # Errors
    /// If it was stopped, or there is no such move within what the search can see.
    pub(super) fn keeping_move(&mut self, asked: &Asked<'_>, bar: i16) -> Result<u8, Unsolved> {
        self.decided.clear();
        let side = asked.state.player;
        let goal = self.goal(side, bar);
        for depth in (1..=DEEPEST).step_by(STEP) {
            if let Some(mv) = self.provers[side].proves(asked.path, asked.state, goal, depth)? {
                return Ok(mv);
            }
        }
        Err(Unsolved::Refused(format!("there is no proof within {DEEPEST} moves")))
    }
}

impl Ground {
    /// A whole board of `size`, which `field` has.
    pub(super) fn new(size: Size, field: Field) -> Self {
        let fits = |&symmetry: &Symmetry| symmetry.within(size) == symmetry;
        let turned = |symmetry: Symmetry| {
            let lies = |bit| {
                let coord = symmetry.turn(size, size.coord(field.point(bit)));
                size.at(coord).and_then(|point| field.bit(point)).map_or(0, |bit| bit as u8)
            };
            (0..size.area()).map(lies).collect()
        };
        let symmetries = Symmetry::ALL.into_iter().filter(fits).map(turned).collect();
        Self { field, symmetries, decided: StopFlag::new() }
    }
}
