//! Many positions looked at together, so that all cores have work to the end.
//!
//! Who has positions hands them in as a batch ([`Pool::submit`]) and is told of each, by its place in the batch, when it is done. Each
//! position has a search of its own; all share the network and what it has said. As long as there are more positions than cores, each is
//! searched by one thread, which is the most visits a second and the best use of them; the last ones get the threads that are left over.
//!
//! Which position comes first: the one of higher priority; then that of the batch with fewer visits left to do, so that nobody waits long for
//! a little, unless as many as another has left were done since that came, so that nobody waits for ever; then the older one. A newcomer that goes before a running search by far takes its place: a search can be interrupted after any
//! evaluation, keeps its tree, and goes on later (`queue.rs`). `task.rs` is the search of one position.

mod line;
mod queue;
mod task;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use crate::board::Size;
use crate::engine::{cache_memory, searched, tree_memory};
use crate::nn::{LoadedNetwork, NetEvaluator, NotLoaded};
use crate::params::{MIB, NetworkFile, NetworkParams, Settings};
use crate::rules::Position;
use crate::search::{Report, SearchOptions};
pub use line::{BadLine, Line};
use queue::Queue;
use task::{Batch, Task, Tools};

/// Bytes for what a network of human play has said: it is asked about roots alone, but again with each report.
const HUMAN_CACHE: u64 = 4 * MIB;

/// A position to look at.
#[derive(Clone, Debug)]
pub struct Job {
    /// The game.
    pub line: Arc<Line>,
    /// The position: that after so many moves. A move of its player to move is looked for.
    pub turn: usize,
    /// Whether to keep from the network which moves led there.
    pub hide_history: bool,
    /// How to search. Of limits, threads and memory nothing is taken from here.
    pub settings: Arc<Settings>,
    /// Visits after which it is done, at least 1.
    pub visits: u64,
    /// Time of searching after which it is done.
    pub time: Option<Duration>,
    /// What the search may look at.
    pub options: SearchOptions,
    /// The highest comes first.
    pub priority: i64,
    /// The most threads that it may be searched by, at least 1. By one, a search with a seed repeats exactly.
    pub most_threads: usize,
    /// When to tell about the search while it works.
    pub glances: Option<Glances>,
}

impl Job {
    /// The position, as a search sees it.
    pub fn root(&self) -> Position {
        let mut position = self.line.position(self.turn);
        if self.hide_history {
            position.hide_moves();
        }
        searched(&position, position.to_move())
    }
}

/// When to tell about a search that is at work, in time of searching.
#[derive(Clone, Copy, Debug)]
pub struct Glances {
    /// The first time.
    pub first: Duration,
    /// From one time to the next.
    pub every: Duration,
}

/// What is told of a position.
#[derive(Debug)]
pub enum Event {
    /// How its search stands.
    Glance(Report),
    /// That it is done, with what was found: nothing if it was ended before it began. Comes once, and after all else.
    Done(Option<Report>),
}

/// Takes what is told of each position of a batch, by its place in the batch; on any thread, of one position in order.
pub type Tell = Arc<dyn Fn(usize, Event) + Send + Sync>;

/// A batch that was handed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(u64);

/// Threads that look at positions.
pub struct Pool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
    batches: AtomicU64,
}

/// What the threads share.
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
    tools: Tools,
}

impl Pool {
    /// As many threads as the settings say, and the memory that they allow. What judges is `network`, or playouts if there is none.
    pub fn new(settings: &Settings, network: Option<Arc<LoadedNetwork>>) -> Self {
        let cores = settings.search.threads as usize;
        // Some interrupted searches keep their trees meanwhile.
        let tree = tree_memory(settings, network.as_deref()) / (2 * cores as u64);
        let tools = Tools { network, tree };
        let shared = Arc::new(Shared { queue: Mutex::new(Queue::new(cores)), changed: Condvar::new(), tools });
        let worker = |number| {
            let shared = Arc::clone(&shared);
            let builder = thread::Builder::new().name(format!("analysis {number}"));
            builder.spawn(move || shared.serve()).expect("the system lets a program have its threads")
        };
        let workers = (0..cores).map(worker).collect();
        Self { shared, workers, batches: AtomicU64::new(0) }
    }

    /// Hands in positions; `tell` is told of each.
    pub fn submit(&self, jobs: Vec<Job>, tell: Tell) -> Ticket {
        let number = self.batches.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let left = jobs.iter().fold(0, |sum: u64, job| sum.saturating_add(job.visits));
        let mut queue = self.shared.queue.lock();
        let batch = Arc::new(Batch { number, born: queue.visits(), left: AtomicU64::new(left), tell });
        for (index, job) in jobs.into_iter().enumerate() {
            queue.add(|order| Task::new(order, index, Arc::clone(&batch), job));
        }
        queue.rebalance();
        self.shared.changed.notify_all();
        Ticket(number)
    }

    /// Ends the positions of a batch that `which` picks by their places, with what was found so far. Those that are done are done.
    pub fn terminate(&self, ticket: Ticket, which: impl Fn(usize) -> bool) {
        let dropped = self.shared.queue.lock().terminate(|batch, index| batch == ticket.0 && which(index));
        for task in dropped {
            task.tell_end();
        }
    }

    /// Waits until all positions are done.
    pub fn finish(mut self) {
        self.shared.queue.lock().close();
        self.join();
    }

    /// Ends at once; of positions that are not done nothing is told any more.
    pub fn abandon(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.shared.queue.lock().abandon();
        self.join();
    }

    fn join(&mut self) {
        self.shared.changed.notify_all();
        for worker in self.workers.drain(..) {
            // A panic was told on standard error.
            let _ = worker.join();
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if !self.workers.is_empty() {
            self.end();
        }
    }
}

impl Shared {
    /// A worker's life.
    fn serve(&self) {
        let mut queue = self.queue.lock();
        while !queue.is_over() {
            let Some((mut task, threads)) = queue.take() else {
                queue.rebalance();
                self.changed.wait(&mut queue);
                continue;
            };
            drop(queue);
            let (is_done, visits) = task.work(threads, &self.tools);
            queue = self.queue.lock();
            let task = queue.put_back(task, is_done, visits);
            self.changed.notify_all();
            if let Some(task) = task {
                drop(queue);
                task.tell_end();
                queue = self.queue.lock();
            }
        }
    }
}

/// The network that judges, if the settings name one, read and made ready for boards of `size`.
///
/// # Errors
/// If it cannot be had.
pub fn load_network(settings: &Settings, size: Size) -> Result<Option<Arc<LoadedNetwork>>, NotLoaded> {
    load(&settings.network.file, settings, cache_memory(settings), size)
}

/// The network of human play that is asked beside it, in the same way.
///
/// # Errors
/// If it cannot be had.
pub fn load_human_model(settings: &Settings, size: Size) -> Result<Option<Arc<LoadedNetwork>>, NotLoaded> {
    load(&settings.network.human_model, settings, HUMAN_CACHE, size)
}

fn load(file: &NetworkFile, settings: &Settings, cache: u64, size: Size) -> Result<Option<Arc<LoadedNetwork>>, NotLoaded> {
    let NetworkParams { backend, device, .. } = &settings.network;
    if *file == NetworkFile::None {
        return Ok(None);
    }
    let network = Arc::new(LoadedNetwork::named(file, *backend, *device, cache)?);
    NetEvaluator::warm_up(&network, size);
    Ok(Some(network))
}
