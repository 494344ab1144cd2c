//! Which of several questions about a fight can be proved: all are asked in turn, with more and more effort, those first on which most hangs.

use std::time::Instant;

use super::Unsolved;
use super::field::Field;
use super::local::{Found, Limits, Local};
use super::memory::Memory;
use super::problem::{LocalAnswer, Status};
use super::region::Region;
use super::site::Site;
use super::survey::Survey;
use crate::board::{Color, Move};
use crate::rules::Position;
use crate::util::StopFlag;

/// What is asked for all questions.
pub(super) struct Inquiry<'a> {
    /// The position.
    pub(super) position: &'a Position,
    /// What was seen before.
    pub(super) survey: &'a Survey,
    /// Who moves first.
    pub(super) first: Color,
    /// Bytes for what is remembered.
    pub(super) memory: u64,
    /// When it ends.
    pub(super) end: Instant,
    /// Asks for an end.
    pub(super) stop: &'a StopFlag,
}

/// What came out. In the answers, those moves that are proved to fail stand in place of likely ones.
pub(super) struct Proofs {
    /// Answers with a move that reaches what is asked, the best first.
    pub(super) wins: Vec<Win>,
    /// The answer if none of them counts: of the first question that is open, or else of the first.
    pub(super) other: LocalAnswer,
    /// Positions looked at.
    pub(super) nodes: u64,
}

/// An answer with a move that reaches what is asked.
pub(super) struct Win {
    /// The answer.
    pub(super) answer: LocalAnswer,
    /// False if more hangs on something else that is open, or far more on anything, or perhaps nothing on who moves first.
    pub(super) is_sure: bool,
}

/// Positions looked at for each question, round by round.
const ROUNDS: [u64; 4] = [10_000, 60_000, 400_000, u64::MAX];
/// The part of what is left of the time that a question of the last round takes, if others follow.
const LAST_SHARE: f64 = 0.6;
/// What is proved of something is an answer by itself if it weighs as much as this part of the largest question.
const LARGE: f32 = 0.5;
/// The part of the effort for what is seldom found.
const SELDOM: u64 = 4;

/// How far a question is answered.
#[derive(Clone)]
struct State {
    answer: Option<LocalAnswer>,
    /// Whether it matters who moves first, once that is proved.
    matters: Option<bool>,
}

impl State {
    fn status(&self) -> Status {
        self.answer.as_ref().map_or(Status::Open, |answer| answer.status)
    }

    /// Whether who moves first reaches something, wholly or by ko.
    fn wins(&self, first: Color) -> bool {
        self.matters != Some(false)
            && self.answer.as_ref().is_some_and(|answer| good(answer.status, first != answer.defender) > 0)
    }

    fn is_decided(&self) -> bool {
        self.matters == Some(false) || self.status() != Status::Open
    }
}

/// How good a status is for who attacks, or defends.
fn good(status: Status, attacks: bool) -> u8 {
    match status {
        Status::Ko => 1,
        Status::Captured => 2 * u8::from(attacks),
        Status::Saved => 2 * u8::from(!attacks),
        Status::Open => 0,
    }
}

impl Inquiry<'_> {
    /// Asks about all `regions`, of which there is one at least.
    pub(super) fn ask(&self, regions: &[Region]) -> Result<Proofs, Unsolved> {
        let mut states = vec![State { answer: None, matters: None }; regions.len()];
        let (mut nodes, mut memory) = (0, Memory::new(self.memory));
        for most_nodes in ROUNDS {
            for (place, region) in regions.iter().enumerate() {
                if states[place].is_decided() {
                    continue;
                }
                if self.is_over() {
                    break;
                }
                let others = states[place + 1..].iter().any(|state| !state.is_decided());
                let left = self.end.saturating_duration_since(Instant::now());
                let until = if others { Instant::now() + left.mul_f64(LAST_SHARE) } else { self.end };
                let answer = self.answer(region, self.first, most_nodes, until, &mut memory)?;
                nodes += answer.nodes;
                let reached = good(answer.status, self.first != region.defender);
                states[place].answer = Some(answer);
                if reached > 0 && regions.len() > 1 {
                    let other = self.answer(region, !self.first, most_nodes, until, &mut memory)?;
                    nodes += other.nodes;
                    let same = good(other.status, self.first != region.defender) >= reached;
                    states[place].matters = (other.status != Status::Open).then_some(!same);
                }
                if (0..=place).any(|place| self.is_sure(regions, &states, place)) {
                    return self.conclude(regions, &states, nodes);
                }
            }
        }
        self.conclude(regions, &states, nodes)
    }

    /// Whether it is time to end.
    pub(super) fn is_over(&self) -> bool {
        self.stop.is_set() || Instant::now() >= self.end
    }

    /// Whether the answer to a question is a move to play: it matters, nothing on which more hangs is open, nor far more hangs on anything.
    fn is_sure(&self, regions: &[Region], states: &[State], place: usize) -> bool {
        let is_large = regions[place].weight >= LARGE * regions[0].weight;
        let matters = regions.len() == 1 || states[place].matters == Some(true);
        is_large && matters && states[place].wins(self.first) && states[..place].iter().all(State::is_decided)
    }

    /// What there is.
    fn conclude(&self, regions: &[Region], states: &[State], nodes: u64) -> Result<Proofs, Unsolved> {
        let open = states.iter().position(|state| !state.is_decided());
        let mut wins: Vec<Win> = states
            .iter()
            .enumerate()
            .filter(|(_, state)| state.wins(self.first))
            .filter_map(|(place, state)| {
                Some(Win { answer: state.answer.clone()?, is_sure: open.is_none_or(|open| place < open) })
            })
            .collect();
        // Without a ko is better than by one.
        wins.sort_by_key(|win| win.answer.status == Status::Ko);
        let place = open.unwrap_or(0);
        let other = match &states[place].answer {
            Some(answer) => answer.clone(),
            None => self.answer(&regions[place], self.first, 1, self.end, &mut Memory::new(0))?,
        };
        Ok(Proofs { wins, other, nodes })
    }

    /// What becomes of the target of `region` when `first` moves first.
    fn answer(
        &self,
        region: &Region,
        first: Color,
        most_nodes: u64,
        until: Instant,
        memory: &mut Memory,
    ) -> Result<LocalAnswer, Unsolved> {
        let begun = Instant::now();
        let site = Site::new(self.position, region)?;
        let attacks = first != region.defender;
        let costs = self.costs(&site.field, first);
        let mut nodes = 0;
        let mut ask = |free: Color, share: f64, most_nodes: u64| {
            let question = site.question(first, free);
            let deadline = begun + until.saturating_duration_since(begun).mul_f64(share);
            let limits = Limits { nodes: most_nodes, deadline: Some(deadline), stop: self.stop };
            let mut local = Local::new(&site.field, &question, memory, limits);
            local.costs = Some(costs.clone());
            let found = local.ask(&question);
            nodes += local.nodes;
            found
        };
        // First whether the first player can do it without a ko, all kos being the other's.
        let wanted = |found: &Found| found.captured.map(|captured| captured == attacks);
        let clean = ask(!first, 0.7, most_nodes);
        let (done, failed) = if attacks { (Status::Captured, Status::Saved) } else { (Status::Saved, Status::Captured) };
        let (found, status) = match wanted(&clean) {
            Some(true) => (clean, done),
            known => {
                // Where it is open, the only answer is that it cannot be done even with all kos: that is seldom found.
                let by_ko = ask(first, 1.0, if known.is_none() { most_nodes / SELDOM } else { most_nodes });
                match (known, wanted(&by_ko)) {
                    (_, Some(false)) => (by_ko, failed),
                    (Some(false), Some(true)) => (by_ko, Status::Ko),
                    (Some(false), None) => (by_ko, Status::Open),
                    (None, _) => (clean, Status::Open),
                    (Some(true), Some(true) | None) => (clean, done),
                }
            }
        };
        let moves = |moves: &[u8]| moves.iter().map(|&mv| site.read_move(mv)).collect();
        Ok(LocalAnswer {
            target: region.target,
            defender: region.defender,
            region: region.points,
            closed: region.closed,
            status,
            winning: if status == Status::Open || status == failed { Vec::new() } else { moves(&found.winning) },
            likely: if status == Status::Open { moves(&found.failing) } else { Vec::new() },
            nodes,
            time: begun.elapsed(),
            checked: None,
        })
    }

    /// Costs of first moves by bit, from how likely they seem: 1 for a likely one, 2 more for each factor of e.
    fn costs(&self, field: &Field, first: Color) -> Vec<u32> {
        let bits = field.all().count_ones() as usize;
        let cost = |bit| {
            let share = self.survey.share(first, Move::from(field.point(bit))).clamp(0.01, 1.0);
            1 + (-2.0 * share.ln()) as u32
        };
        (0..bits).map(cost).collect()
    }
}
