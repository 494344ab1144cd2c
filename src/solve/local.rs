//! Local problems: can stones be captured? Life and death, capture, connection to safety and races are all this question, asked by df-pn on a [`Field`] whose surroundings
//! stay as they are. (A. Kishimoto and M. Müller, Df-pn in Go: application to the one-eye problem, 2003; Search versus knowledge for solving life and death problems
//! in Go, 2005.)
//!
//! The attacker has to take all stones of the target; the defender to keep one of them, by two eyes (Benson), by reaching what cannot be captured, or in seki: an attacker
//! who may not pass has nothing left to play. Ko is a question of its own, asked by letting one side retake every ko at once and repeat what was before, as if it had endless
//! threats, and the other never.

use std::time::Instant;

use super::basis::{Basis, hash};
use super::field::{Field, Stones, bits};
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    stones: Stones,
    /// What of the target is left.
    target: u64,
    player: usize,
    /// Where simple ko forbids a move of the side that is not free.
    ko: u64,
}

/// Proof and disproof numbers of the capture.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    proof: u32,
    disproof: u32,
    /// What the proof or disproof leans on, once there is one.
    basis: Basis,
}

/// More than any sum of numbers.
const NEVER: u32 = 1 << 28;
/// Longest line: a bit each in [`Basis`].
const LONGEST: usize = 120;
/// The pass; others are bits of the field.
pub(super) const PASS: u8 = 64;

impl Numbers {
    const CAPTURED: Self = Self { proof: 0, disproof: NEVER, basis: Basis::NOTHING };
    const SAVED: Self = Self { proof: NEVER, disproof: 0, basis: Basis::NOTHING };

    fn is_solved(&self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

struct Child {
    mv: u8,
    state: State,
    numbers: Numbers,
}

#[derive(Clone, Copy)]
struct Entry {
    state: State,
    path: u64,
    numbers: Numbers,
}

/// Memory that an entry takes.
pub(super) const ENTRY_BYTES: usize = size_of::<Option<Entry>>();

/// A search of one question.
pub(super) struct Local<'a> {
    field: &'a Field,
    defender: usize,
    free: usize,
    table: Vec<Option<Entry>>,
    path: Vec<Stones>,
    path_hash: u64,
    /// Positions looked at.
    pub(super) nodes: u64,
    most_nodes: u64,
    deadline: Option<Instant>,
    stop: &'a StopFlag,
    /// The first moves, as the search left them. (A table may not say all that was known here.)
    root: Vec<Child>,
    /// Costs of the first moves, by bit, where something is known of them (a network's opinion).
    pub(super) costs: Option<Vec<u32>>,
}

/// What came out.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// Whether the target is captured; nothing if the limit came first.
    pub(super) captured: Option<bool>,
    /// The first player's moves (the pass is 64), the most promising first.
    pub(super) moves: Vec<u8>,
    /// Those proved to reach what the first player wants, in the same order.
    pub(super) winning: Vec<u8>,
}

impl<'a> Local<'a> {
    /// A search with so many `places` for what it finds, ended by any of the limits.
    pub(super) fn new(
        field: &'a Field,
        question: &Question,
        places: usize,
        most_nodes: u64,
        deadline: Option<Instant>,
        stop: &'a StopFlag,
    ) -> Self {
        let Question { defender, free, .. } = *question;
        let table = vec![None; places.max(1)];
        let (path, path_hash, nodes, root, costs) = (Vec::new(), 0, 0, Vec::new(), None);
        Self { field, defender, free, table, path, path_hash, nodes, most_nodes, deadline, stop, root, costs }
    }

    /// Answers the question. What an earlier one left in the table is used; both must have the same defender and free side.
    pub(super) fn ask(&mut self, question: &Question) -> Found {
        let Question { stones, target, first, ko, .. } = *question;
        let state = State { stones, target, player: first, ko: if first == self.free { 0 } else { ko } };
        self.path.clear();
        self.path_hash = 0;
        self.enter(stones);
        let limits = (NEVER, NEVER);
        let numbers = self.judge(&state).unwrap_or_else(|| self.look(&state, limits));
        let captured = match numbers {
            Numbers { proof: 0, .. } => Some(true),
            Numbers { disproof: 0, .. } => Some(false),
            _ => None,
        };
        let attacks = first != self.defender;
        let mut children = std::mem::take(&mut self.root);
        if children.is_empty() {
            children = self.children(&state).0;
        }
        let cost = |child: &Child| {
            if attacks {
                (child.numbers.proof, NEVER - child.numbers.disproof)
            } else {
                (child.numbers.disproof, NEVER - child.numbers.proof)
            }
        };
        children.sort_by_key(cost);
        let wins = |child: &&Child| if attacks { child.numbers.proof == 0 } else { child.numbers.disproof == 0 };
        Found {
            captured,
            moves: children.iter().map(|child| child.mv).collect(),
            winning: children.iter().filter(wins).map(|child| child.mv).collect(),
        }
    }

    fn is_over(&self) -> bool {
        self.nodes >= self.most_nodes
            || (self.nodes.is_multiple_of(512) && (self.stop.is_set() || self.deadline.is_some_and(|end| Instant::now() >= end)))
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
        for bit in bits(self.field.all() & !(state.stones[0] | state.stones[1]) & !state.ko) {
            let Some(played) = self.field.play(state.stones, player, bit) else { continue };
            if !is_free && let Some(place) = self.path.iter().rposition(|&stones| stones == played.stones) {
                forbidden |= 1 << place;
                continue;
            }
            let ko = if player == self.free { played.ko } else { 0 };
            let target = state.target & !(if player == self.defender { 0 } else { played.captured });
            let next = State { stones: played.stones, target, player: 1 - player, ko };
            let cost = self.cost(state, bit, &next, played.captured);
            children.push(self.child(bit as u8, next, cost));
        }
        if player == self.defender {
            let next = State { player: 1 - player, ko: 0, ..*state };
            children.push(self.child(PASS, next, 4));
        }
        (children, forbidden)
    }

    fn child(&self, mv: u8, state: State, cost: u32) -> Child {
        let fresh = || {
            // Cheap to prove for who made the move.
            let numbers = if state.player == self.defender { (cost, 1) } else { (1, cost) };
            Numbers { proof: numbers.0, disproof: numbers.1, basis: Basis::NOTHING }
        };
        let numbers = self.known(&state).or_else(|| self.judge(&state)).unwrap_or_else(fresh);
        Child { mv, state, numbers }
    }

    /// How unlikely a move is to be the one, from 1: vital points, captures and long liberties first.
    fn cost(&self, state: &State, bit: usize, next: &State, captured: u64) -> u32 {
        if self.path.len() == 1
            && let Some(costs) = &self.costs
        {
            return costs[bit];
        }
        let (player, point) = (state.player, 1u64 << bit);
        let own = self.field.connected(point, next.stones[player]);
        let liberties = self.field.liberties(own, next.stones).count_ones();
        let near = self.field.near(bit);
        let empty = self.field.all() & !(state.stones[0] | state.stones[1]);
        let room = (near & empty).count_ones();
        let to_target = near & state.target != 0 || self.field.around(near & empty) & state.target != 0;
        let eye = near & !state.stones[player] == 0;
        let mut cost = 4;
        if captured != 0 {
            cost -= 2;
        }
        if room >= 2 {
            cost -= 1;
        }
        if to_target {
            cost -= 1;
        } else {
            cost += 2;
        }
        if liberties == 1 && captured == 0 && !self.field.is_anchored(own, player) {
            cost += 2;
        }
        if eye {
            cost += 4;
        }
        cost.max(1) as u32
    }

    fn place(&self, state: &State, path: u64) -> usize {
        let turn = (state.player as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ state.target.rotate_left(17)
            ^ state.ko.rotate_left(41);
        ((hash(state.stones) ^ turn.wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ path) % self.table.len() as u64) as usize
    }

    fn entry(&self, state: &State, path: u64) -> Option<&Entry> {
        self.table[self.place(state, path)].as_ref().filter(|entry| entry.path == path && entry.state == *state)
    }

    /// What is known of a state to which the last move would lead from the path's end.
    fn known(&self, state: &State) -> Option<Numbers> {
        let longer = self.path_hash.wrapping_add(hash(state.stones));
        if let Some(entry) = self.entry(state, longer) {
            let basis = entry.numbers.basis.leaning((1 << self.path.len()) - 1);
            return Some(Numbers { basis, ..entry.numbers });
        }
        let entry = self.entry(state, 0)?;
        let holds = !entry.numbers.is_solved() || !self.path.iter().any(|&stones| entry.numbers.basis.may_make(stones));
        holds.then_some(entry.numbers)
    }

    fn store(&mut self, state: &State, numbers: Numbers) {
        let path = if numbers.is_solved() && numbers.basis.leans != 0 { self.path_hash } else { 0 };
        let place = self.place(state, path);
        self.table[place] = Some(Entry { state: *state, path, numbers });
    }

    /// Works below `state`, the path's end, until one of its numbers reaches its threshold.
    fn look(&mut self, state: &State, limits: (u32, u32)) -> Numbers {
        self.nodes += 1;
        if self.path.len() >= LONGEST {
            return Numbers { proof: NEVER - 1, disproof: NEVER - 1, basis: Basis::NOTHING };
        }
        let attacks = state.player != self.defender;
        let (mut children, forbidden) = self.children(state);
        loop {
            let mut numbers = combine(attacks, &children);
            if numbers.is_solved() {
                numbers.basis = self.basis(attacks == (numbers.proof == 0), &children, forbidden);
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
            let next = children[best].state;
            self.enter(next.stones);
            children[best].numbers = self.look(&next, limits);
            self.leave();
        }
    }

    fn keep_root(&mut self, children: Vec<Child>) {
        if self.path.len() == 1 {
            self.root = children;
        }
    }

    /// What the answer leans on: of who is to move and wins, one move; of who loses, all.
    fn basis(&self, mover_wins: bool, children: &[Child], forbidden: u128) -> Basis {
        let mover_is_free = children.first().map(|child| 1 - child.state.player) == Some(self.free);
        let mut basis = if mover_wins {
            let attacks = children.first().is_some_and(|child| child.state.player == self.defender);
            let wins = |child: &&Child| if attacks { child.numbers.proof == 0 } else { child.numbers.disproof == 0 };
            let simplest = children.iter().filter(wins).min_by_key(|child| child.numbers.basis.leans.count_ones());
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

/// The numbers of a state from its children's: who chooses needs one, who does not needs all. Sums count many a line twice, so the largest stands for all, and one more for each
/// of the others (T. Ueda and others, Weak proof-number search, 2008).
fn combine(attacks: bool, children: &[Child]) -> Numbers {
    let least = |number: fn(&Numbers) -> u32| children.iter().map(|child| number(&child.numbers)).min().unwrap_or(NEVER);
    let most = |number: fn(&Numbers) -> u32| {
        let open = children.iter().map(|child| number(&child.numbers)).filter(|&number| number > 0);
        let (count, most) = open.fold((0, 0), |(count, most), number| (count + 1, number.max(most)));
        if count == 0 || most >= NEVER { most } else { (most + count - 1).min(NEVER - 1) }
    };
    let (proof, disproof) =
        if attacks { (least(|n| n.proof), most(|n| n.disproof)) } else { (most(|n| n.proof), least(|n| n.disproof)) };
    Numbers { proof, disproof, basis: Basis::NOTHING }
}

/// The most proving child, and the thresholds at which to come back from it.
fn choose(attacks: bool, children: &[Child], numbers: &Numbers, limits: (u32, u32)) -> (usize, (u32, u32)) {
    let cost = |child: &Child| if attacks { child.numbers.proof } else { child.numbers.disproof };
    let other = |child: &Child| if attacks { child.numbers.disproof } else { child.numbers.proof };
    let mut order: Vec<usize> = (0..children.len()).collect();
    order.sort_by_key(|&place| (cost(&children[place]), other(&children[place])));
    let best = order[0];
    let second = order.get(1).map_or(NEVER, |&place| cost(&children[place]));
    // A quarter more than the second best, so as not to change too often.
    let at_most = |limit: u32| limit.min(second.saturating_add(1 + second / 4)).min(NEVER);
    let rest = |limit: u32, sum: u32| {
        limit.saturating_sub(sum.saturating_sub(other(&children[best]))).max(other(&children[best]) + 1).min(NEVER)
    };
    let limits = if attacks {
        (at_most(limits.0), rest(limits.1, numbers.disproof))
    } else {
        (rest(limits.0, numbers.proof), at_most(limits.1))
    };
    (best, limits)
}
