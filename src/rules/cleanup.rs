//! Kos in the cleanup phases of territory scoring, where every part of the board is to be settled as if it were alone.
//!
//! (KataGo's public rules document, version 2.) Taking a ko bars its retaking until the opponent gives up a move to lift the bar: a
//! "pass for ko". And nobody may take a ko twice on the very same board.

use crate::board::{Board, Color, Point, PointSet};

/// The state of the kos since the phase began.
#[derive(Debug, Default)]
pub(super) struct Cleanup {
    /// Stones that took a ko and may not be retaken.
    pub(super) blocked: PointSet,
    takes: Vec<KoTake>,
    /// Stones that stood when the second phase began, by colour.
    pub(super) start: [PointSet; 2],
    /// White's points for stones placed in the main phase and the first cleanup phase, as they stood when the second phase began.
    pub(super) placed: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct KoTake {
    color: Color,
    point: Point,
    /// Hash of the stones before the capture.
    stones: u64,
}

impl Clone for Cleanup {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, from: &Self) {
        let Self { blocked, takes, start, placed } = from;
        self.blocked = *blocked;
        self.takes.clone_from(takes);
        self.start = *start;
        self.placed = *placed;
    }
}

impl Cleanup {
    /// A phase begins: no ko is barred.
    pub(super) fn begin(&mut self) {
        self.blocked = PointSet::EMPTY;
        self.takes.clear();
    }

    /// The second phase begins on `board`.
    pub(super) fn begin_second(&mut self, board: &Board) {
        self.start = [PointSet::EMPTY; 2];
        for point in board.size().points() {
            if let Some(color) = board.stone(point) {
                self.start[color.index()].insert(point);
            }
        }
        self.placed = placed(board);
    }

    /// If a move of `color` on `point` is a pass for ko, the stone whose bar it lifts: `point` is that stone, or where it would be taken.
    pub(super) fn pass_for_ko(&self, board: &Board, color: Color, point: Point) -> Option<Point> {
        let stone = match board.stone(point) {
            None => board.ko_capture(color, point)?,
            Some(_) => point,
        };
        let takeable = board.stone(stone) == Some(!color) && board.chain_length(stone) == 1 && board.in_atari(stone);
        (self.blocked.contains(stone) && takeable).then_some(stone)
    }

    /// True if `color` has taken a ko on `point` before on this very board.
    pub(super) fn took_before(&self, board: &Board, color: Color, point: Point) -> bool {
        self.takes.contains(&KoTake { color, point, stones: board.hash() })
    }

    /// `color` has played on `point`, before which the hash of the stones was `stones`. Turns the board's simple ko into a bar here.
    pub(super) fn after_play(&mut self, board: &mut Board, color: Color, point: Point, stones: u64) {
        if board.ko().is_some() {
            board.clear_ko();
            self.blocked.insert(point);
            self.takes.push(KoTake { color, point, stones });
        }
        if !self.blocked.is_empty() {
            self.blocked = self.blocked.iter().filter(|&point| !board.is_empty(point)).collect();
        }
    }
}

/// White's points for stones placed, under territory scoring: one for each black stone set up or played, captured ones too, and one less
/// for each white. So counting area gives the same as territory and prisoners.
pub(super) fn placed(board: &Board) -> i32 {
    let placed = |color: Color| (board.stones(color) + board.captures(!color)) as i32;
    placed(Color::Black) - placed(Color::White)
}
