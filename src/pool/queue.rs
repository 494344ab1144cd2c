//! Which position is searched next, by how many threads, and which search must make room.

use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use super::task::{Batch, Task};
use crate::util::StopFlag;

/// Visits that a thread must have before it to be worth starting.
const VISITS_A_THREAD: u64 = 8;
/// A newcomer of the same priority takes a running search's place if its batch has less than one part in so many left to do.
const BY_FAR: u64 = 2;

/// The tasks of a pool, and what its cores do.
pub(super) struct Queue {
    cores: usize,
    waiting: Vec<Task>,
    running: Vec<Running>,
    /// Number of the next task.
    next: u64,
    /// Visits that were made.
    visits: u64,
    /// No more tasks will come.
    closed: bool,
    /// Nobody wants to know any more.
    abandoned: bool,
}

/// A task that some thread works on.
struct Running {
    order: u64,
    index: usize,
    batch: Arc<Batch>,
    priority: i64,
    /// Its threads.
    threads: usize,
    /// The most threads that it has use for.
    most: usize,
    pause: StopFlag,
    terminate: StopFlag,
}

/// The order in which tasks are served: the least first.
type Rank = (Reverse<i64>, u64, u64);

impl Queue {
    pub(super) fn new(cores: usize) -> Self {
        Self { cores, waiting: Vec::new(), running: Vec::new(), next: 0, visits: 0, closed: false, abandoned: false }
    }

    /// Visits made so far, for all batches together.
    pub(super) fn visits(&self) -> u64 {
        self.visits
    }

    /// Adds the task that `make` makes of its number.
    pub(super) fn add(&mut self, make: impl FnOnce(u64) -> Task) {
        self.waiting.push(make(self.next));
        self.next += 1;
    }

    /// Whether no work is left, nor will come.
    pub(super) fn is_over(&self) -> bool {
        self.abandoned || (self.closed && self.waiting.is_empty() && self.running.is_empty())
    }

    /// No more tasks will come.
    pub(super) fn close(&mut self) {
        self.closed = true;
    }

    /// Drops what waits and stops what runs.
    pub(super) fn abandon(&mut self) {
        self.abandoned = true;
        self.waiting.clear();
        self.running.iter().for_each(Running::end);
    }

    /// The task to work on now, and by how many threads; nothing if there is none or all cores are busy.
    pub(super) fn take(&mut self) -> Option<(Task, usize)> {
        let free = self.free();
        if free == 0 {
            return None;
        }
        let place = (0..self.waiting.len()).min_by_key(|&place| rank(&self.waiting[place]))?;
        let share = free.div_ceil(self.waiting.len());
        let task = self.waiting.swap_remove(place);
        let most = self.cores.min(task.job.most_threads) as u64;
        let most = (task.left() / VISITS_A_THREAD).clamp(1, most.max(1)) as usize;
        let threads = share.min(most);
        task.pause.clear();
        self.running.push(Running {
            order: task.order,
            index: task.index,
            batch: Arc::clone(&task.batch),
            priority: task.job.priority,
            threads,
            most,
            pause: task.pause.clone(),
            terminate: task.terminate.clone(),
        });
        Some((task, threads))
    }

    /// Takes back a task that was worked on, for so many visits: returns it if it is done, else it waits for more work.
    pub(super) fn put_back(&mut self, task: Task, is_done: bool, visits: u64) -> Option<Task> {
        self.visits += visits;
        self.running.retain(|running| running.order != task.order);
        if self.abandoned {
            return None;
        }
        // It may have been ended just after its work was over.
        if is_done || task.terminate.is_set() {
            return Some(task);
        }
        self.waiting.push(task);
        None
    }

    /// Ends the tasks that `which` picks by batch and place. Those that are not being worked on are returned.
    pub(super) fn terminate(&mut self, which: impl Fn(u64, usize) -> bool) -> Vec<Task> {
        let picked = |batch: &Batch, index| which(batch.number, index);
        self.running.iter().filter(|running| picked(&running.batch, running.index)).for_each(Running::end);
        self.waiting.extract_if(.., |task| picked(&task.batch, task.index)).collect()
    }

    /// Interrupts a search whose cores are better used otherwise: it comes back at once, and the cores are shared out anew. One at a time is
    /// enough, as each that comes back leads here again.
    pub(super) fn rebalance(&mut self) {
        let free = self.free();
        if self.running.iter().any(|running| running.pause.is_set()) {
            return;
        }
        let Some(first) = self.waiting.iter().min_by_key(|task| rank(task)) else {
            // Cores are left over: somebody gets more threads.
            let share = self.cores.div_ceil(self.running.len().max(1));
            let narrow = self.running.iter().filter(|running| running.threads < share.min(running.most));
            if let Some(running) = narrow.min_by_key(|running| running.threads).filter(|_| free > 0) {
                running.pause.set();
            }
            return;
        };
        if free > 0 {
            return;
        }
        let widest = self.running.iter().max_by_key(|running| running.threads).filter(|running| running.threads > 1);
        let last = self.running.iter().max_by_key(|running| running.rank()).filter(|running| running.yields_to(first));
        if let Some(running) = widest.or(last) {
            running.pause.set();
        }
    }

    /// Cores without work.
    fn free(&self) -> usize {
        self.cores.saturating_sub(self.running.iter().map(|running| running.threads).sum())
    }
}

impl Running {
    fn rank(&self) -> Rank {
        (Reverse(self.priority), self.batch.turn(), self.order)
    }

    fn yields_to(&self, task: &Task) -> bool {
        // What was done since this batch came counts against one that came later.
        let is_far_less = || task.batch.turn() < self.batch.born.saturating_add(self.batch.left.load(Relaxed) / BY_FAR);
        task.job.priority > self.priority || (task.job.priority == self.priority && is_far_less())
    }

    fn end(&self) {
        self.terminate.set();
        self.pause.set();
    }
}

fn rank(task: &Task) -> Rank {
    (Reverse(task.job.priority), task.batch.turn(), task.order)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicU64;

    use super::{Batch, Queue, Task};
    use crate::board::Size;
    use crate::params::Settings;
    use crate::pool::{Job, Line};
    use crate::rules::{Position, Rules};
    use crate::search::SearchOptions;

    fn add(queue: &mut Queue, batch: u64, positions: usize, visits: u64, priority: i64) {
        let line = Arc::new(Line::new(Position::new(Size::square(2).unwrap(), Rules::default()), Vec::new()).unwrap());
        let left = AtomicU64::new(positions as u64 * visits);
        let batch = Arc::new(Batch { number: batch, born: queue.visits(), left, tell: Arc::new(|_, _| {}) });
        for index in 0..positions {
            let job = Job {
                line: Arc::clone(&line),
                turn: 0,
                hide_history: false,
                settings: Arc::new(Settings::default()),
                visits,
                time: None,
                options: SearchOptions::default(),
                priority,
                most_threads: usize::MAX,
                glances: None,
            };
            queue.add(|order| Task::new(order, index, Arc::clone(&batch), job));
        }
    }

    /// What is taken: batch, place and threads.
    fn take(queue: &mut Queue) -> Option<(Task, (u64, usize, usize))> {
        let (task, threads) = queue.take()?;
        let what = (task.batch.number, task.index, threads);
        Some((task, what))
    }

    #[test]
    fn the_most_urgent_come_first_and_cores_are_shared_out() {
        let mut queue = Queue::new(4);
        add(&mut queue, 0, 2, 1000, 0);
        add(&mut queue, 1, 1, 100, 0);
        add(&mut queue, 2, 1, 5000, 1);
        let taken: Vec<_> = std::iter::from_fn(|| take(&mut queue)).collect();
        let what: Vec<_> = taken.iter().map(|(_, what)| *what).collect();
        assert_eq!(what, [(2, 0, 1), (1, 0, 1), (0, 0, 1), (0, 1, 1)]);
        queue.rebalance();
        assert!(taken.iter().all(|(task, _)| !task.pause.is_set()));
        // As they end, those that are left get the cores.
        let mut taken = taken.into_iter().map(|(task, _)| task);
        let (first, second) = (taken.next().unwrap(), taken.next().unwrap());
        assert!(queue.put_back(first, true, 0).is_some() && queue.put_back(second, true, 0).is_some());
        queue.rebalance();
        let left: Vec<Task> = taken.collect();
        assert_eq!(left.iter().filter(|task| task.pause.is_set()).count(), 1, "one at a time");
        for task in left {
            if task.pause.is_set() {
                assert!(queue.put_back(task, false, 0).is_none());
            }
        }
        assert_eq!(take(&mut queue).unwrap().1.2, 3);
    }

    #[test]
    fn a_thread_must_have_something_to_do() {
        let mut queue = Queue::new(8);
        add(&mut queue, 0, 1, 25, 0);
        let (task, what) = take(&mut queue).unwrap();
        assert_eq!(what, (0, 0, 3), "25 visits are work for three");
        queue.rebalance();
        assert!(!task.pause.is_set());
    }

    #[test]
    fn nobody_gets_more_threads_than_it_may_have() {
        let mut queue = Queue::new(4);
        add(&mut queue, 0, 1, 1000, 0);
        queue.waiting[0].job.most_threads = 1;
        let (task, what) = take(&mut queue).unwrap();
        assert_eq!(what, (0, 0, 1));
        queue.rebalance();
        assert!(!task.pause.is_set(), "there is nothing to gain");
    }

    #[test]
    fn newcomers_get_a_core() {
        let mut queue = Queue::new(2);
        add(&mut queue, 0, 1, 1000, 5);
        let (wide, what) = take(&mut queue).unwrap();
        assert_eq!(what.2, 2);
        add(&mut queue, 1, 1, 1000, 0);
        queue.rebalance();
        assert!(wide.pause.is_set(), "one of its two cores is another's");
        queue.put_back(wide, false, 0);
        let [first, second] = [(); 2].map(|()| take(&mut queue).unwrap());
        assert_eq!((first.1, second.1), ((0, 0, 1), (1, 0, 1)));
        // No core is shared any more: only who is far more urgent takes one.
        add(&mut queue, 2, 1, 600, 0);
        queue.rebalance();
        assert!(!first.0.pause.is_set() && !second.0.pause.is_set());
        add(&mut queue, 3, 1, 400, 0);
        queue.rebalance();
        assert!(!first.0.pause.is_set() && second.0.pause.is_set());
        queue.put_back(second.0, false, 0);
        assert_eq!(take(&mut queue).unwrap().1.0, 3);
        add(&mut queue, 4, 1, 9000, 6);
        queue.rebalance();
        assert!(!first.0.pause.is_set(), "the last in rank makes room");
    }

    #[test]
    fn who_waits_long_is_not_overtaken_for_ever() {
        let mut queue = Queue::new(1);
        add(&mut queue, 0, 1, 1000, 0);
        let mut small = 0;
        // Little ones of 100 visits come again and again, each before the one before it is done.
        let served = loop {
            small += 1;
            add(&mut queue, small, 1, 100, 0);
            let (task, (batch, ..)) = take(&mut queue).unwrap();
            if batch == 0 {
                break small;
            }
            assert!(queue.put_back(task, true, 100).is_some());
        };
        assert_eq!(served, 10, "a thousand visits of others, and then its turn");
        // Nor is it interrupted for the next one.
        add(&mut queue, 99, 1, 100, 0);
        queue.rebalance();
        assert!(queue.running.iter().all(|running| !running.pause.is_set()));
    }

    #[test]
    fn it_is_over_when_all_are_back() {
        let mut queue = Queue::new(1);
        add(&mut queue, 0, 2, 10, 0);
        queue.close();
        let (task, _) = take(&mut queue).unwrap();
        assert!(take(&mut queue).is_none() && !queue.is_over());
        let dropped = queue.terminate(|batch, index| (batch, index) == (0, 1));
        assert_eq!(dropped.len(), 1);
        assert!(!task.terminate.is_set() && !queue.is_over());
        queue.terminate(|_, _| true);
        assert!(task.terminate.is_set() && task.pause.is_set());
        assert!(queue.put_back(task, false, 0).is_some(), "what is terminated does not wait for more work");
        assert!(queue.is_over());
    }
}
