//! Local problems: can stones be captured? Life and death, capture, connection to safety and races are all this question, asked by df-pn on a [`Field`] whose surroundings
//! stay as they are. (A. Kishimoto and M. Müller, Df-pn in Go: application to the one-eye problem, 2003; Search versus knowledge for solving life and death problems
//! in Go, 2005.)
//!
//! The attacker has to take all stones of the target; the defender to keep one of them, by two eyes (Benson), by reaching what cannot be captured, or in seki: an attacker
//! who may not pass has nothing left to play. Ko is a question of its own, asked by letting one side retake every ko at once and repeat what was before, as if it had endless
//! threats, and the other never.

use std::time::Instant;

use super::basis::{Basis, hash};
use super::chains::{Chain, Chains, Step};
use super::field::{Field, Stones, bits};
use super::memory::Memory;
use super::numbers::{Child, NEVER, Numbers, choose, combine};
use crate::util::StopFlag;

/// A question about stones of a field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    /// The stones at first.
    pub(super) stones: Stones,
    /// Stones that the attacker has to take all of.
    pub(super) target: u64,
    /// Whose they are.
    pub(super) defender: usize,
    /// Who moves first.
    pub(super) first: usize,
    /// Who may retake every ko and repeat.
    pub(super) free: usize,
    /// Where simple ko forbids the first move.
    pub(super) ko: u64,
}

impl Question {
    /// The state in which it is asked.
    fn state(&self) -> State {
        State {
            stones: self.stones,
            target: self.target,
            player: self.first,
            ko: if self.first == self.free { 0 } else { self.ko },
        }
    }
}

/// A state of the fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) stones: Stones,
    /// What of the target is left.
    pub(super) target: u64,
    pub(super) player: usize,
    /// Where simple ko forbids a move of the side that is not free.
    pub(super) ko: u64,
}

/// Longest line: a bit each in [`Basis`].
pub(super) const LONGEST: usize = 120;
/// The pass; others are bits of the field.
pub(super) const PASS: u8 = 64;
/// No move.
const NONE: u8 = 255;

/// So many liberties of the target count like one more position to prove.
const LIBERTIES: u32 = 3;

/// When a search ends without an answer.
#[derive(Clone, Copy)]
pub(super) struct Limits<'a> {
    /// Positions looked at.
    pub(super) nodes: u64,
    /// The time, if that is limited.
    pub(super) deadline: Option<Instant>,
    /// Asks for an end.
    pub(super) stop: &'a StopFlag,
}

/// A search of one question.
pub(super) struct Local<'a> {
    field: &'a Field,
    defender: usize,
    free: usize,
    table: &'a mut Memory,
    path: Vec<Stones>,
    path_hash: u64,
    /// Captures on the path.
    captures: usize,
    /// The move that last won at each depth: likely to win against other moves too.
    killers: [u8; LONGEST + 2],
    /// Whether any proof in the table leans on its path.
    leaning: bool,
    /// Positions looked at.
    pub(super) nodes: u64,
    limits: Limits<'a>,
    /// Where on the path the question is asked: after so many positions.
    asked_at: usize,
    /// The moves there, as the search left them. (A table may not say all that was known here.)
    root: Vec<Child>,
    /// Costs of the first moves, by bit, where something is known of them (a network's opinion).
    pub(super) costs: Option<Vec<u32>>,
}

/// What came out.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// Whether the target is captured; nothing if the limit came first.
    pub(super) captured: Option<bool>,
    /// The first player's moves (the pass is 64) that are proved to reach what it wants.
    pub(super) winning: Vec<u8>,
    /// Those that are proved to fail.
    pub(super) failing: Vec<u8>,
}

impl<'a> Local<'a> {
    /// A search that remembers in `table`, whose old content goes, and is ended by any of the limits.
    pub(super) fn new(field: &'a Field, question: &Question, table: &'a mut Memory, limits: Limits<'a>) -> Self {
        table.clear();
        let Question { defender, free, .. } = *question;
        Self {
            field,
            defender,
            free,
            table,
            limits,
            path: Vec::new(),
            path_hash: 0,
            captures: 0,
            killers: [NONE; LONGEST + 2],
            leaning: false,
            nodes: 0,
            asked_at: 1,
            root: Vec::new(),
            costs: None,
        }
    }

    /// Answers the question.
    pub(super) fn ask(&mut self, question: &Question) -> Found {
        self.find(&[question.stones], question.state())
    }

    /// Answers the question at a later state, to which `path` leads from the question's stones, by so many positions more at the most. What was found before helps.
    pub(super) fn ask_later(&mut self, path: &[Stones], state: State, nodes: u64) -> Found {
        self.limits.nodes = self.nodes + nodes;
        self.find(path, state)
    }

    /// What can be reached in `state`, the end of `path`.
    fn find(&mut self, path: &[Stones], state: State) -> Found {
        self.path.clear();
        self.path_hash = 0;
        for &stones in path {
            self.enter(stones);
        }
        self.asked_at = path.len();
        // There may have been some, where there were moves.
        self.captures = usize::from(path.len() > 1);
        self.root.clear();
        let limits = (NEVER, NEVER);
        let numbers = self.judge(&state).unwrap_or_else(|| self.look(&state, limits));
        let captured = match numbers {
            Numbers { proof: 0, .. } => Some(true),
            Numbers { disproof: 0, .. } => Some(false),
            _ => None,
        };
        let attacks = state.player != self.defender;
        let mut children = std::mem::take(&mut self.root);
        if children.is_empty() {
            // The answer was plain.
            children = self.children(&state).0;
        }
        let fails = |child: &&Child| child.numbers.is_solved() && !child.wins(attacks);
        Found {
            captured,
            winning: children.iter().filter(|child| child.wins(attacks)).map(|child| child.mv).collect(),
            failing: children.iter().filter(fails).map(|child| child.mv).collect(),
        }
    }

    fn is_over(&self) -> bool {
        let Limits { nodes, deadline, stop } = self.limits;
        let is_late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.nodes >= nodes || (self.nodes.is_multiple_of(512) && (stop.is_set() || is_late()))
    }

    fn enter(&mut self, stones: Stones) {
        self.path.push(stones);
        self.path_hash = self.path_hash.wrapping_add(hash(stones));
    }

    fn leave(&mut self) {
        if let Some(stones) = self.path.pop() {
            self.path_hash = self.path_hash.wrapping_sub(hash(stones));
        }
    }

    /// The answer if it is plain.
    fn judge(&self, state: &State) -> Option<Numbers> {
        let defender = self.defender;
        let left = state.target & state.stones[defender];
        if left == 0 {
            return Some(Numbers::CAPTURED);
        }
        let own = state.stones[defender];
        let reach = self.field.connected(left, own);
        // Only a move of its own makes a group live.
        let lives = || state.player != defender && self.field.pass_alive(state.stones, defender).0 & left != 0;
        if self.field.is_anchored(reach, defender) || lives() {
            return Some(Numbers::SAVED);
        }
        // A chain that can be taken now, if it is all that is left.
        let first = self.field.connected(left & left.wrapping_neg(), own);
        if state.player != defender && left & !first == 0 {
            let liberties = self.field.liberties(first, state.stones);
            if liberties.is_power_of_two() && state.ko & liberties == 0 && (self.free != defender || first.count_ones() > 1) {
                let captures = self.field.play(state.stones, 1 - defender, liberties.trailing_zeros() as usize);
                // What it makes must not have been there before.
                if captures.is_some_and(|played| self.free != defender || !self.path.contains(&played.stones)) {
                    let basis = captures
                        .filter(|_| self.free == defender)
                        .map_or(Basis::NOTHING, |played| Basis::NOTHING.with(played.stones));
                    return Some(Numbers { basis, ..Numbers::CAPTURED });
                }
            }
        }
        None
    }

    /// What can be done, with what is known of it, and the places on the path that forbid other moves.
    fn children(&self, state: &State) -> (Vec<Child>, u128) {
        let mut forbidden = 0;
        let mut children = Vec::with_capacity(24);
        let player = state.player;
        let is_free = player == self.free;
        let chains = Chains::new(self.field, state.stones);
        let empty = self.field.all() & !(state.stones[0] | state.stones[1]);
        // Where a stone is next to the target or to a liberty of it.
        let liberties = self.field.around(state.target) & empty;
        let close = liberties | self.field.around(liberties);
        for bit in bits(empty & !state.ko) {
            let Some(step) = chains.play(self.field, player, bit) else { continue };
            // Without a capture on the way nothing repeats.
            if !is_free
                && self.captures > 0
                && let Some(place) = self.path.iter().rposition(|&stones| stones == step.stones)
            {
                forbidden |= 1 << place;
                continue;
            }
            let ko = if is_free { step.ko } else { 0 };
            // Whoever takes them off.
            let target = state.target & step.stones[self.defender];
            let next = State { stones: step.stones, target, player: 1 - player, ko };
            let numbers = self.judge_step(&next, &chains, &step).or_else(|| self.known(&next)).unwrap_or_else(|| {
                let cost = self.cost(state, bit, &step, close, empty);
                Numbers::fresh(player == self.defender, cost, self.distance(&next))
            });
            let captures = step.captured != 0 || step.stones[player] >> bit & 1 == 0;
            children.push(Child { mv: bit as u8, state: next, captures, numbers });
        }
        if player == self.defender {
            let next = State { player: 1 - player, ko: 0, ..*state };
            let cost = if self.killers[self.path.len()] == PASS { 1 } else { 4 };
            let fresh = || Numbers::fresh(true, cost, self.distance(&next));
            let numbers = self.known(&next).or_else(|| self.judge(&next)).unwrap_or_else(fresh);
            children.push(Child { mv: PASS, state: next, captures: false, numbers });
        }
        (children, forbidden)
    }

    /// The answer after a step to `state`, if it is plain: as [`Local::judge`], which the state before was no case of.
    fn judge_step(&self, state: &State, chains: &Chains, step: &Step) -> Option<Numbers> {
        let left = state.target & state.stones[self.defender];
        if left == 0 {
            return Some(Numbers::CAPTURED);
        }
        if state.player == self.defender {
            return None;
        }
        if step.own.anchored && step.own.stones & left != 0 {
            return Some(Numbers::SAVED);
        }
        // What is left, if it is one chain, and has one liberty.
        let last = if step.own.stones & left != 0 {
            step.own
        } else {
            let chain = chains.of(self.defender).iter().find(|chain| chain.stones & left != 0)?;
            Chain { liberties: self.field.liberties(chain.stones, state.stones), ..*chain }
        };
        if left & !last.stones == 0 && last.liberties.is_power_of_two() {
            return self.judge(state);
        }
        (self.field.pass_alive(state.stones, self.defender).0 & left != 0).then_some(Numbers::SAVED)
    }

    /// How unlikely a move is to be the one, from 1: what won elsewhere, captures and room first; `close` is what is next to the target's liberties.
    fn cost(&self, state: &State, bit: usize, step: &Step, close: u64, empty: u64) -> u32 {
        if self.path.len() == 1
            && let Some(costs) = &self.costs
        {
            return costs[bit];
        }
        let ply = self.path.len();
        if self.killers[ply] == bit as u8 {
            return 1;
        }
        let near = self.field.near(bit);
        let room = (near & empty).count_ones();
        let mut cost = 4;
        if step.captured != 0 {
            cost -= 2;
        }
        if room >= 2 {
            cost -= 1;
        }
        cost += if close >> bit & 1 == 1 { -1 } else { 2 };
        if step.own.liberties.is_power_of_two() && step.captured == 0 && !step.own.anchored {
            cost += 2;
        }
        if near & !state.stones[state.player] == 0 {
            cost += 4;
        }
        // The enemy's vital point is one's own.
        if self.killers[ply + 1] == bit as u8 {
            cost -= 2;
        }
        cost.max(1) as u32
    }

    /// How far the attacker seems from taking the target: it fills liberties.
    fn distance(&self, state: &State) -> u32 {
        let own = state.stones[self.defender];
        let chains = self.field.connected(state.target & own, own);
        1 + self.field.liberties(chains, state.stones).count_ones() / LIBERTIES
    }

    /// What is known of a state to which the last move would lead from the path's end.
    fn known(&self, state: &State) -> Option<Numbers> {
        if self.leaning {
            let longer = self.path_hash.wrapping_add(hash(state.stones));
            if let Some(numbers) = self.table.get(state, longer) {
                let basis = numbers.basis.leaning((1 << self.path.len()) - 1);
                return Some(Numbers { basis, ..numbers });
            }
        }
        let numbers = self.table.get(state, 0)?;
        let holds = !numbers.is_solved() || !self.path.iter().any(|&stones| numbers.basis.may_make(stones));
        holds.then_some(numbers)
    }

    fn store(&mut self, state: &State, numbers: Numbers) {
        let leans = numbers.is_solved() && numbers.basis.leans != 0;
        self.leaning |= leans;
        self.table.put(state, if leans { self.path_hash } else { 0 }, numbers);
    }

    /// Works below `state`, the path's end, until one of its numbers reaches its threshold.
    fn look(&mut self, state: &State, limits: (u32, u32)) -> Numbers {
        self.nodes += 1;
        if self.path.len() >= LONGEST {
            return Numbers::TOO_LONG;
        }
        let attacks = state.player != self.defender;
        let (mut children, forbidden) = self.children(state);
        loop {
            let mut numbers = combine(attacks, &children);
            if numbers.is_solved() {
                let mover_wins = attacks == (numbers.proof == 0);
                numbers.basis = self.basis(mover_wins, &children, forbidden);
                if mover_wins {
                    let won = children.iter().find(|child| child.wins(attacks));
                    self.killers[self.path.len()] = won.map_or(NONE, |child| child.mv);
                }
                self.store(state, numbers);
                self.keep_root(children);
                return numbers;
            }
            if numbers.proof >= limits.0 || numbers.disproof >= limits.1 || self.is_over() {
                self.store(state, numbers);
                self.keep_root(children);
                return numbers;
            }
            let (best, limits) = choose(attacks, &children, &numbers, limits);
            let (next, captures) = (children[best].state, usize::from(children[best].captures));
            self.enter(next.stones);
            self.captures += captures;
            children[best].numbers = self.look(&next, limits);
            self.captures -= captures;
            self.leave();
        }
    }

    fn keep_root(&mut self, children: Vec<Child>) {
        if self.path.len() == self.asked_at {
            self.root = children;
        }
    }

    /// What the answer leans on: of who is to move and wins, one move; of who loses, all.
    fn basis(&self, mover_wins: bool, children: &[Child], forbidden: u128) -> Basis {
        let mover_is_free = children.first().map(|child| 1 - child.state.player) == Some(self.free);
        let mut basis = if mover_wins {
            let attacks = children.first().is_some_and(|child| child.state.player == self.defender);
            let simplest =
                children.iter().filter(|child| child.wins(attacks)).min_by_key(|child| child.numbers.basis.leans.count_ones());
            simplest.map_or(Basis::NOTHING, |child| {
                if mover_is_free || child.mv == PASS { child.numbers.basis } else { child.numbers.basis.with(child.state.stones) }
            })
        } else {
            let all = children.iter().fold(Basis::NOTHING, |all, child| all.join(child.numbers.basis));
            all.leaning(all.leans | forbidden)
        };
        basis.leans &= (1 << (self.path.len() - 1)) - 1;
        basis
    }
}
