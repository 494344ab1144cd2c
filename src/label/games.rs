//! The games that there are, and in which order they come.

use rayon::prelude::*;

use super::{LabelError, Settings};
use crate::sgf::{self, Kept, Record};
use crate::util::Rng;

/// All games of a run that fit the tensor, each once.
pub(super) struct Games {
    games: Vec<Game>,
    /// Records that could not be read, or hold no game that can be used.
    pub(super) broken: usize,
}

/// Where a game is kept, and what tells it from others.
struct Game {
    hash: u128,
    kept: Kept,
}

/// The games of one of the two sets, in the order in which their turn comes.
pub(super) struct Order(Vec<usize>);

impl Games {
    pub(super) fn read(settings: &Settings) -> Result<Self, LabelError> {
        let (mut games, mut broken) = (Vec::new(), 0);
        for file in sgf::find(&settings.games)? {
            let visited = sgf::visit(&file, |record, kept| usable(record, settings.side, kept))?;
            games.extend(visited.found.into_iter().flatten());
            broken += visited.broken;
        }
        games.par_sort_by_key(|game| game.hash);
        games.dedup_by_key(|game| game.hash);
        if games.is_empty() {
            return Err(LabelError::NoGames { side: settings.side, broken });
        }
        Ok(Self { games, broken })
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.games.len()
    }

    /// A number that tells these games from others.
    pub(super) fn fingerprint(&self) -> String {
        let sum = self.games.iter().fold(0u128, |sum, game| sum.wrapping_add(game.hash));
        format!("{sum:032x}")
    }

    /// A number that tells the game from others, wherever it is recorded.
    pub(super) fn hash(&self, game: usize) -> u128 {
        self.games[game].hash
    }

    /// The game; nothing if its file has changed.
    pub(super) fn record(&self, game: usize) -> Option<Record> {
        self.games[game].kept.record()
    }

    /// The games of this run that are for validation, or those that are not, in the order of its seed.
    pub(super) fn order(&self, settings: &Settings, validation: bool) -> Order {
        let (part, parts) = settings.part;
        let chosen = |&game: &usize| {
            let hash = self.hash(game);
            // Whether a game is held out depends on nothing but its moves, so that no run trains on what another is validated with.
            let held_out = (((hash >> 96) as u32) as f64) < settings.held_out * 2f64.powi(32);
            held_out == validation && (((hash >> 64) as u32) as usize) % parts == part
        };
        let mut order: Vec<usize> = (0..self.len()).filter(chosen).collect();
        order.sort_by_cached_key(|&game| Rng::new(settings.seed ^ self.hash(game) as u64).next_u64());
        Order(order)
    }
}

impl Order {
    /// How many games there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The game whose turn is number `turn`, and how many times all had theirs before; nothing if there are no games.
    pub(super) fn game(&self, turn: usize) -> Option<(usize, usize)> {
        let round = turn.checked_div(self.len())?;
        Some((self.0[turn % self.len()], round))
    }
}

/// The game, if its board fits and it can be used: it has moves, and nothing is set up after the first.
fn usable(record: &Record, side: usize, kept: Kept) -> Option<Game> {
    let fits = record.size.width().max(record.size.height()) <= side;
    let first = record.steps.iter().position(|step| step.mv.is_some());
    let plain = first.is_some_and(|first| record.steps[first + 1..].iter().all(|step| step.setup.is_empty()));
    (fits && plain).then(|| Game { hash: record.fingerprint(), kept })
}
