//! Rows from files, shuffled and put into batches by a thread of their own.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use serde::{Deserialize, Serialize};

use super::batch::{Batch, Blend};
use crate::board::Size;
use crate::board::Symmetry;
use crate::rows::{BadShard, Row, Shard};
use crate::util::Rng;

/// Rows that wait in memory to be drawn from at random: more mix files better. A row takes about 6 kB on 19x19.
const POOL: usize = 50_000;
/// Batches made ahead of time.
const AHEAD: usize = 3;

/// Where in the stream of batches a run is: how many it has had of which pass through which files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Passes that are over.
    pub pass: u64,
    /// Batches of this pass.
    pub batches: u64,
    /// The files of this pass; empty before the first.
    pub files: Vec<PathBuf>,
}

/// What rows are drawn, and how.
#[derive(Clone, Debug)]
pub struct FeedSettings {
    /// Folders of files of rows, with those below them. Files that come later are found in the next pass.
    pub folders: Vec<PathBuf>,
    /// Rows of a batch.
    pub batch: usize,
    /// Seed of the order and of the symmetries.
    pub seed: u64,
    /// How rows become targets.
    pub blend: Blend,
}

/// Why there are no more batches.
#[derive(Debug, thiserror::Error)]
pub enum BadFeed {
    /// A folder or a file cannot be read.
    #[error(transparent)]
    Shard(#[from] BadShard),
    /// There is nothing to train on.
    #[error("no rows in {}", list(.0))]
    Empty(Vec<PathBuf>),
}

fn list(folders: &[PathBuf]) -> String {
    folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// A batch, and how far the stream is with it.
pub type Fed = Result<(Batch, Progress), BadFeed>;

/// Batches without end, from where `progress` was. The thread that makes them ends with the receiver, or after an error.
pub fn feed(settings: FeedSettings, progress: Progress) -> Receiver<Fed> {
    let (sender, receiver) = sync_channel(AHEAD);
    thread::spawn(move || {
        let mut progress = progress;
        let fault = loop {
            match Pass::new(&settings, &mut progress).and_then(|mut pass| pass.run(&mut progress, &sender)) {
                Ok(true) => progress = Progress { pass: progress.pass + 1, ..Progress::default() },
                Ok(false) => return,
                Err(error) => break error,
            }
        };
        // If nobody listens, nobody need know.
        _ = sender.send(Err(fault));
    });
    receiver
}

/// All rows once.
struct Pass<'a> {
    settings: &'a FeedSettings,
    rng: Rng,
    /// Files to come, the next last.
    files: Vec<PathBuf>,
    pool: Vec<Row>,
    /// Rows that wait until there is a batch of their size.
    waiting: HashMap<Size, Vec<Row>>,
    /// Batches that were made before the run was resumed.
    done: u64,
}

impl<'a> Pass<'a> {
    fn new(settings: &'a FeedSettings, progress: &mut Progress) -> Result<Self, BadFeed> {
        let mut rng = Rng::for_stream(settings.seed, progress.pass as usize);
        if progress.files.is_empty() {
            for folder in &settings.folders {
                progress.files.extend(Shard::files(folder)?);
            }
            progress.files.sort_unstable();
        }
        if progress.files.is_empty() {
            return Err(BadFeed::Empty(settings.folders.clone()));
        }
        let mut files = progress.files.clone();
        shuffle(&mut files, &mut rng);
        let done = std::mem::take(&mut progress.batches);
        Ok(Self { settings, rng, files, pool: Vec::new(), waiting: HashMap::new(), done })
    }

    /// Sends all batches of the pass; false if nobody wants more.
    fn run(&mut self, progress: &mut Progress, sender: &SyncSender<Fed>) -> Result<bool, BadFeed> {
        let mut any = false;
        while let Some(row) = self.draw()? {
            any = true;
            let rows = self.waiting.entry(row.board).or_default();
            rows.push(row);
            if rows.len() == self.settings.batch {
                let rows = std::mem::take(rows);
                if !self.send(&rows, progress, sender) {
                    return Ok(false);
                }
            }
        }
        // Sizes in a fixed order, as a map has none.
        let mut left: Vec<(Size, Vec<Row>)> = self.waiting.drain().filter(|(_, rows)| !rows.is_empty()).collect();
        left.sort_by_key(|(size, _)| (size.width(), size.height()));
        if !any {
            return Err(BadFeed::Empty(self.settings.folders.clone()));
        }
        Ok(left.iter().all(|(_, rows)| self.send(rows, progress, sender)))
    }

    /// A random row of those in the pool, which is filled from the next file when it runs low.
    fn draw(&mut self) -> Result<Option<Row>, BadShard> {
        while self.pool.len() < POOL {
            let Some(file) = self.files.pop() else { break };
            self.pool.extend(Shard::read(&file)?.into_rows());
        }
        if self.pool.is_empty() {
            return Ok(None);
        }
        let drawn = self.rng.below(self.pool.len());
        Ok(Some(self.pool.swap_remove(drawn)))
    }

    fn send(&self, rows: &[Row], progress: &mut Progress, sender: &SyncSender<Fed>) -> bool {
        progress.batches += 1;
        if progress.batches <= self.done {
            return true;
        }
        let batch = assemble(rows, self.settings, progress);
        sender.send(Ok((batch, progress.clone()))).is_ok()
    }
}

/// The rows as a batch, each turned at random; the same again for the same place in the stream.
fn assemble(rows: &[Row], settings: &FeedSettings, progress: &Progress) -> Batch {
    let mut rng = Rng::for_place(!settings.seed, progress.pass << 32 | progress.batches);
    let mut batch = Batch::new(rows[0].board, rows.len());
    for row in rows {
        batch.push(row, Symmetry::ALL[rng.below(8)], settings.blend);
    }
    batch
}

fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, rng.below(last + 1));
    }
}

/// All rows of a folder in order, unturned, in batches; at most `most` rows.
///
/// # Errors
/// If a file cannot be read, or there are no rows.
pub fn read_all(folder: &Path, most: usize, batch: usize, blend: Blend) -> Result<Vec<Batch>, BadFeed> {
    let mut batches: Vec<Batch> = Vec::new();
    let mut open: HashMap<Size, Batch> = HashMap::new();
    let mut count = 0;
    let mut files = Shard::files(folder)?;
    files.sort_unstable();
    for file in files {
        for row in Shard::read(&file)?.into_rows().into_iter().take(most - count) {
            count += 1;
            let filling = open.entry(row.board).or_insert_with(|| Batch::new(row.board, batch));
            filling.push(&row, Symmetry::IDENTITY, blend);
            if filling.rows == batch {
                batches.push(std::mem::replace(filling, Batch::new(row.board, batch)));
            }
        }
    }
    let mut open: Vec<Batch> = open.into_values().filter(|batch| batch.rows > 0).collect();
    open.sort_by_key(|batch| (batch.board.width(), batch.board.height()));
    batches.extend(open);
    if batches.is_empty() { Err(BadFeed::Empty(vec![folder.to_owned()])) } else { Ok(batches) }
}
