//! Whole small boards under area scoring and superko: is Black's lead at least so much? Two provers look at once, one for each side, deeper and deeper, until one has its proof.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::Unsolved;
use super::field::{Field, Stones};
use super::findings::{ENTRY_BYTES, Goal, State};
use super::prover::{DEEPEST, Ends, Prover};
use super::reach::Reach;
use super::turns::Turns;
use crate::board::Size;
use crate::util::StopFlag;

/// Time between two looks at how far the provers are.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// Two provers with what they have found.
pub(super) struct Small<'a> {
    provers: [Prover<'a>; 2],
    situational: bool,
    ground: &'a Ground,
}

/// What two provers share.
pub(super) struct Ground {
    size: Size,
    /// The board.
    pub(super) field: Field,
    turns: Turns,
    reach: Reach,
    /// Raised when one has its proof.
    decided: StopFlag,
    /// States looked at, now and then.
    nodes: AtomicU64,
    /// How deep each looks.
    depths: [AtomicU8; 2],
}

/// How far it is: each prover's depth in moves, Black's first; and states looked at.
pub type Progress = ([u8; 2], u64);

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
        let ends = Ends { deadline, stops: [stop, &ground.decided], nodes: &ground.nodes };
        let prover = |side| Prover::new((&ground.field, &ground.turns, &ground.reach), side, places, ends);
        Self { provers: [prover(0), prover(1)], situational, ground }
    }

    /// From now on keeps what is proved in files of `folder`, and has what is there.
    ///
    /// # Errors
    /// If that cannot be done, or it is about another board.
    pub(super) fn keep(&mut self, folder: &Path) -> Result<(), Unsolved> {
        let refused = |error| Unsolved::Refused(format!("there can be no folder {}: {error}", folder.display()));
        fs::create_dir_all(folder).map_err(refused)?;
        for (prover, side) in self.provers.iter_mut().zip(["black", "white"]) {
            let ko = if self.situational { "situational" } else { "positional" };
            let suicide = if self.ground.field.has_suicide() { "with" } else { "without" };
            let title = format!("Tengen's turned proofs for {side}, {}, {ko} superko, {suicide} suicide", self.ground.size);
            prover.keep(folder.join(format!("{side}.proofs")), &title)?;
        }
        Ok(())
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

    /// Whether Black's lead will be at least `bar`. `tell` hears now and then how far it is.
    ///
    /// # Errors
    /// If it was stopped, or there is no proof for either side.
    pub(super) fn is_at_least(&mut self, asked: &Asked<'_>, bar: i16, tell: &mut dyn FnMut(Progress)) -> Result<bool, Unsolved> {
        let goals = [0, 1].map(|side| self.goal(side, bar));
        let Self { provers: [black, white], ground, .. } = self;
        let ground = *ground;
        ground.decided.clear();
        let waiting = thread::current();
        let look = |prover: &mut Prover<'_>, side: usize| {
            let answer = deepen(prover, asked, goals[side], &ground.depths[side]);
            if decides(&answer) {
                ground.decided.set();
            }
            let saved = prover.save();
            waiting.unpark();
            answer.and_then(|mv| saved.map(|()| mv))
        };
        let answers = thread::scope(|scope| {
            let looks = [scope.spawn(|| look(black, 0)), scope.spawn(|| look(white, 1))];
            while !looks.iter().all(thread::ScopedJoinHandle::is_finished) {
                thread::park_timeout(TELL_EVERY);
                let depths = [0, 1].map(|side: usize| ground.depths[side].load(Ordering::Relaxed));
                tell((depths, ground.nodes.load(Ordering::Relaxed)));
            }
            looks.map(|look| look.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        conclude(answers)
    }

    /// A move of `side`, which is to move and is proved to have Black's lead at least `bar` (Black), or less (White), that keeps it so. The pass is [`PASS`](super::prover::PASS).
    ///
    /// # Errors
    /// If it was stopped, or there is no such move within what the search can see.
    pub(super) fn keeping_move(&mut self, asked: &Asked<'_>, bar: i16) -> Result<u8, Unsolved> {
        self.ground.decided.clear();
        let side = asked.state.player;
        let goal = self.goal(side, bar);
        deepen(&mut self.provers[side], asked, goal, &self.ground.depths[side])?.ok_or_else(no_proof)
    }
}

/// A prover's answer: the first move of its proof, if the prover is to move; nothing if it has none as deep as it can look.
type Answer = Result<Option<u8>, Unsolved>;

/// Whether a prover's answer ends the other's search too: a proof, or a fault. Having none does not: the other's may take longer.
fn decides(answer: &Answer) -> bool {
    !matches!(answer, Ok(None))
}

/// Whether Black has the proof, of Black's and White's answers.
fn conclude(answers: [Answer; 2]) -> Result<bool, Unsolved> {
    match answers {
        [Ok(Some(_)), _] => Ok(true),
        [_, Ok(Some(_))] => Ok(false),
        // What one was stopped for is the other's fault.
        [Err(Unsolved::Stopped) | Ok(None), Err(error)] | [Err(error), _] => Err(error),
        [Ok(None), Ok(None)] => Err(no_proof()),
    }
}

fn no_proof() -> Unsolved {
    Unsolved::Refused(format!("there is no proof within {DEEPEST} moves"))
}

/// Looks deeper and deeper until there is a proof.
fn deepen(prover: &mut Prover<'_>, asked: &Asked<'_>, goal: Goal, at: &AtomicU8) -> Answer {
    for depth in (1..=DEEPEST).step_by(STEP) {
        at.store(depth, Ordering::Relaxed);
        if let Some(mv) = prover.proves(asked.path, asked.state, goal, depth)? {
            return Ok(Some(mv));
        }
    }
    Ok(None)
}

impl Ground {
    /// A whole board of `size`, which `field` has.
    pub(super) fn new(size: Size, field: Field) -> Self {
        Self {
            turns: Turns::new(size, &field),
            reach: Reach::new(),
            size,
            field,
            decided: StopFlag::new(),
            nodes: AtomicU64::new(0),
            depths: [const { AtomicU8::new(0) }; 2],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{conclude, decides};
    use crate::solve::Unsolved;

    #[test]
    fn a_prover_without_a_proof_leaves_the_other_its_time() {
        assert!(!decides(&Ok(None)));
        assert!(decides(&Ok(Some(3))) && decides(&Err(Unsolved::Stopped)));
        assert_eq!(conclude([Ok(Some(3)), Err(Unsolved::Stopped)]), Ok(true));
        assert_eq!(conclude([Ok(None), Ok(Some(3))]), Ok(false));
        assert_eq!(conclude([Ok(None), Err(Unsolved::Stopped)]), Err(Unsolved::Stopped));
        let fault = || Unsolved::Refused("the disk is full".to_owned());
        for answers in [[Err(Unsolved::Stopped), Err(fault())], [Err(fault()), Err(Unsolved::Stopped)], [Ok(None), Err(fault())]]
        {
            assert_eq!(conclude(answers), Err(fault()));
        }
        assert!(conclude([Ok(None), Ok(None)]).unwrap_err().to_string().contains("no proof"));
    }
}
