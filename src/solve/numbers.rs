//! Proof and disproof numbers of a capture, and the choice of what to look at next.

use super::basis::Basis;
use super::local::State;

/// How much is needed, at the least, to prove that the target is captured, and that it is not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    /// 0 once the capture is proved.
    pub(super) proof: u32,
    /// 0 once it is proved that there is none.
    pub(super) disproof: u32,
    /// What the proof or disproof leans on, once there is one.
    pub(super) basis: Basis,
}

/// More than any sum of numbers.
pub(super) const NEVER: u32 = 1 << 28;

impl Numbers {
    /// The target is taken.
    pub(super) const CAPTURED: Self = Self { proof: 0, disproof: NEVER, basis: Basis::NOTHING };
    /// It is safe.
    pub(super) const SAVED: Self = Self { proof: NEVER, disproof: 0, basis: Basis::NOTHING };
    /// The line is too long to go on.
    pub(super) const TOO_LONG: Self = Self { proof: NEVER - 1, disproof: NEVER - 1, basis: Basis::NOTHING };

    /// Those of a new state after a move of the defender, or the attacker, that costs so much: cheap to prove for who made it, but to the attacker no cheaper than the
    /// `distance` to the capture.
    pub(super) fn fresh(defends: bool, cost: u32, distance: u32) -> Self {
        let (proof, disproof) = if defends { (distance, cost) } else { (cost + distance - 1, 1) };
        Self { proof, disproof, basis: Basis::NOTHING }
    }

    /// Whether it is proved either way.
    pub(super) fn is_solved(&self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// A move with what is known of where it leads.
pub(super) struct Child {
    /// A bit of the field, or the pass.
    pub(super) mv: u8,
    /// The state after it.
    pub(super) state: State,
    /// Whether it takes stones off the board.
    pub(super) captures: bool,
    /// What is known.
    pub(super) numbers: Numbers,
}

impl Child {
    /// Whether it is proved to reach what the attacker, or the defender, wants who plays it.
    pub(super) fn wins(&self, attacks: bool) -> bool {
        if attacks { self.numbers.proof == 0 } else { self.numbers.disproof == 0 }
    }
}

/// The numbers of a state from its children's: who chooses needs one, who does not needs all. Sums count many a line twice, so the largest stands for all, and one more for each
/// of the others (T. Ueda and others, Weak proof-number search, 2008).
pub(super) fn combine(attacks: bool, children: &[Child]) -> Numbers {
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
pub(super) fn choose(attacks: bool, children: &[Child], numbers: &Numbers, limits: (u32, u32)) -> (usize, (u32, u32)) {
    let cost = |child: &Child| if attacks { child.numbers.proof } else { child.numbers.disproof };
    let other = |child: &Child| if attacks { child.numbers.disproof } else { child.numbers.proof };
    let key = |child: &Child| (cost(child), other(child));
    let (mut best, mut second) = (0, NEVER);
    for (place, child) in children.iter().enumerate().skip(1) {
        if key(child) < key(&children[best]) {
            (best, second) = (place, cost(&children[best]));
        } else {
            second = second.min(cost(child));
        }
    }
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
