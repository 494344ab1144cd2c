//! When a running search ends.

use std::cmp::Reverse;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::harvest::Harvest;
use super::lcb::Bounds;
use super::limits::Limits;
use super::node::Node;
use super::select::Permits;
use super::tree::{ROOT, Tree};
use super::{Signals, TICK};
use crate::util::StopFlag;

/// Decides when a running search ends.
pub(super) struct Watch<'a> {
    /// Who is to move at the root.
    pub(super) player: usize,
    pub(super) begun: Instant,
    pub(super) limits: &'a Limits,
    /// Iterations, at most.
    pub(super) most: u64,
    pub(super) stop: &'a StopFlag,
    pub(super) permits: &'a Permits,
    /// Of a network search.
    pub(super) bounds: Option<&'a Bounds>,
    pub(super) harvests: &'a [Mutex<Harvest>],
    pub(super) signals: &'a Signals,
}

impl Watch<'_> {
    /// True if it must end: somebody asks for it, or the time is used up.
    pub(super) fn is_over(&self) -> bool {
        self.stop.is_set() || self.limits.budget.is_some_and(|budget| self.begun.elapsed() >= budget.hard)
    }

    /// True if at least this much time is left, or there is no limit.
    pub(super) fn has_left(&self, time: Duration) -> bool {
        self.limits.budget.is_none_or(|budget| self.begun.elapsed() + time < budget.hard)
    }

    /// An endless search has ended by itself only because the counters are full: it waits to be stopped.
    pub(super) fn hold_if_endless(&self) {
        let Limits { visits, playouts, budget } = *self.limits;
        while visits.is_none() && playouts.is_none() && budget.is_none() && !self.stop.is_set() {
            thread::sleep(TICK);
        }
    }

    /// True if it may end: there is nothing to choose, the leader cannot be caught, or the planned time is over and the choice stands.
    pub(super) fn is_decided(&self, tree: &Tree) -> bool {
        let Some(budget) = self.limits.budget else { return false };
        let root = tree.node(ROOT);
        let Some((_, all)) = tree.children(root) else { return false };
        let mut children: Vec<&Node> = all.iter().filter(|child| self.permits.permit(0, self.player, child.action())).collect();
        let visits: u64 = self.harvests.iter().map(|harvest| harvest.lock().all.count).sum();
        if visits == 0 {
            return false;
        }
        if children.len() == 1 && budget.saves {
            return true;
        }
        let elapsed = self.begun.elapsed();
        children.sort_by_cached_key(|child| Reverse(child.visits()));
        let Some(&leader) = children.first() else { return true };
        let second = children.get(1).map_or(0, |child| child.visits());
        let choice = self.bounds.map(|bounds| {
            bounds.choose(root, all, &mut children);
            children[0]
        });
        let is_led = choice.is_none_or(|choice| std::ptr::eq(choice, leader));
        if elapsed < budget.soft {
            let left = budget.soft.saturating_sub(elapsed).as_secs_f64();
            let rate = visits as f64 / elapsed.as_secs_f64().max(1e-3);
            // A tenth of the time is always spent: before, the rate is not known.
            return budget.saves
                && is_led
                && elapsed * 10 > budget.soft
                && f64::from(leader.visits().saturating_sub(second)) > rate * left;
        }
        if let Some(choice) = choice {
            // Unstable: what would be chosen has yet to win visits from the leader.
            return is_led || choice.visits() * 2 >= leader.visits();
        }
        // Unstable: another move that was tried in earnest wins more often than the leader.
        let share = |visits: f32, wins: f32| wins / visits.max(1.0);
        let leader_tally = leader.tally(0.0);
        let bar = share(leader_tally.visits, leader_tally.wins);
        !children.iter().any(|child| {
            let tally = child.tally(0.0);
            tally.visits * 4.0 > leader_tally.visits && share(tally.visits, tally.wins) > bar + 0.002
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Budget;
    use crate::params::SearchParams;
    use crate::rules::Position;
    use crate::search::node::{Opinion, Outcome};

    /// Whether a search may end in which a move of 400 visits leads one that is better, with `visits`.
    fn is_decided(visits: usize, budget: Budget) -> bool {
        let tree = Tree::new(1 << 22);
        let root = tree.node(ROOT);
        assert!(root.claim());
        let opinion = Opinion { policy: 0.5, ..Opinion::default() };
        tree.expand(root, [(0, opinion), (1, opinion)].into_iter()).unwrap();
        let (_, children) = tree.children(root).unwrap();
        for (child, visits, utility) in [(&children[0], 400, 0.1), (&children[1], visits, 0.3)] {
            for number in 0..visits {
                let utility = utility + if number % 2 == 0 { 0.1 } else { -0.1 };
                child.add_result(Outcome { utility, ..Outcome::default() });
                root.add_result(Outcome { utility: -utility, ..Outcome::default() });
            }
        }
        let harvests = [Mutex::new(Harvest::default())];
        harvests[0].lock().all.count = 10;
        let watch = Watch {
            player: 0,
            begun: Instant::now().checked_sub(Duration::from_secs(10)).unwrap(),
            limits: &Limits { budget: Some(budget), ..Limits::default() },
            most: u64::MAX,
            stop: &StopFlag::new(),
            permits: &Permits::new::<Position>(&[]),
            bounds: Some(&Bounds::new(&SearchParams::default(), 1.4)),
            harvests: &harvests,
            signals: &Signals::default(),
        };
        watch.is_decided(&tree)
    }

    #[test]
    fn the_clock_goes_by_the_move_that_would_be_played() {
        let budget = |soft| Budget { soft: Duration::from_secs(soft), hard: Duration::from_secs(60), saves: true };
        assert!(is_decided(20, budget(20)), "the leader cannot be caught, and is the choice");
        assert!(!is_decided(100, budget(20)), "it cannot be caught, but is not the choice");
        assert!(!is_decided(100, budget(5)), "the choice has few visits");
        assert!(is_decided(300, budget(5)), "the choice has many");
    }
}
