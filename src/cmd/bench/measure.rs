//! The measurements.

use std::time::{Duration, Instant};

use crate::board::{Board, Color, Move, Size};
use crate::clock::Budget;
use crate::engine::Engine;
use crate::params::{PlayoutParams, PlayoutPolicy, Settings};
use crate::playout::{Playout, Trace};
use crate::rules::Position;
use crate::search::{Limits, Report, SearchOptions};
use crate::util::{Rng, StopFlag};

/// Playouts between two looks at the clock.
const BATCH: u32 = 16;

/// Playouts a second of one thread from the empty board, measured for `time`.
pub(super) fn playout_rate(size: Size, policy: PlayoutPolicy, time: Duration, stop: &StopFlag) -> f64 {
    let board = Board::new(size);
    let mut playout = Playout::new(PlayoutParams { policy, ..PlayoutParams::default() });
    let (mut rng, mut trace) = (Rng::new(1), Trace::new());
    let (begun, mut count) = (Instant::now(), 0);
    loop {
        for _ in 0..BATCH {
            playout.run(&board, Color::Black, [Move::PASS; 2], &mut rng, &mut trace);
        }
        count += BATCH;
        let elapsed = begun.elapsed();
        if elapsed >= time || stop.is_set() {
            return f64::from(count) / elapsed.as_secs_f64();
        }
    }
}

/// Playouts a second of a fresh search of `position`, measured for `time`.
pub(super) fn search_rate(position: &Position, settings: Settings, time: Duration, stop: &StopFlag) -> f64 {
    let limits = Limits { budget: Some(Budget::exactly(time)), ..Limits::default() };
    let report = search(position, settings, &limits, stop);
    report.playouts as f64 / report.elapsed.as_secs_f64()
}

/// A number made of the moves and visits that searches of all `positions` end with, one after the other from fresh trees.
pub(super) fn signature(positions: &[Position], settings: &Settings, playouts: u64, stop: &StopFlag) -> u64 {
    let limits = Limits { playouts: Some(playouts), ..Limits::default() };
    let mut hash = Fnv::default();
    for position in positions {
        for candidate in search(position, settings.clone(), &limits, stop).candidates {
            hash.add(candidate.mv.index() as u64);
            hash.add(candidate.visits);
        }
    }
    hash.0
}

fn search(position: &Position, settings: Settings, limits: &Limits, stop: &StopFlag) -> Report {
    let mut engine = Engine::new(settings, position.clone());
    engine.analyze(position.to_move(), limits, &SearchOptions::default(), stop, None)
}

/// The 64-bit hash FNV-1a (G. Fowler, L. C. Noll, P. Vo): the standard library promises no hash that stays the same.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, number: u64) {
        for byte in number.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
