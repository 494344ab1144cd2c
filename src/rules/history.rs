//! What a game remembers in order to forbid or end repetition.

use crate::board::{Board, Point, PointSet};

/// Hashes of past situations. What a situation is (stones, or also the player to move and barred kos) is for the position to say.
#[derive(Debug)]
pub(super) struct History {
    /// Situations since the start, the present one last. Emptied where the rules forget: by taking the button, by the start of a
    /// cleanup phase, and by passes under rules that count repetitions rather than forbid them.
    seen: Vec<u64>,
    /// Has the bit set that the top twelve bits of each situation number: most that never were are known by one look.
    marks: [u64; 64],
    /// Situations that someone passed in. The player to move is part of them.
    passed: Vec<u64>,
    /// Points that ever held a stone since the start, or were played on. A stone on any other point makes a new situation.
    occupied: PointSet,
}

impl Default for History {
    fn default() -> Self {
        Self { seen: Vec::new(), marks: [0; 64], passed: Vec::new(), occupied: PointSet::EMPTY }
    }
}

/// Word and bit of `marks` for a situation.
fn mark(situation: u64) -> (usize, u64) {
    ((situation >> 58) as usize, 1 << (situation >> 52 & 63))
}

impl Clone for History {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, from: &Self) {
        let Self { seen, marks, passed, occupied } = from;
        self.seen.clone_from(seen);
        self.marks = *marks;
        self.passed.clone_from(passed);
        self.occupied = *occupied;
    }
}

impl History {
    /// Begins with `board`, in `situation`.
    pub(super) fn restart(&mut self, board: &Board, situation: u64) {
        self.forget();
        self.occupied = board.size().points().filter(|&point| !board.is_empty(point)).collect();
        self.add(situation);
    }

    /// Begins a new phase in `situation`.
    pub(super) fn forget_all_but(&mut self, situation: u64) {
        self.forget();
        self.add(situation);
    }

    /// Forgets all situations and passes.
    pub(super) fn forget(&mut self) {
        self.forget_situations();
        self.passed.clear();
    }

    /// Forgets all situations, but not where there were passes.
    pub(super) fn forget_situations(&mut self) {
        self.seen.clear();
        self.marks = [0; 64];
    }

    /// Adds the situation after a move.
    pub(super) fn add(&mut self, situation: u64) {
        self.seen.push(situation);
        let (word, bit) = mark(situation);
        self.marks[word] |= bit;
    }

    /// True if `situation` was there before.
    pub(super) fn contains(&self, situation: u64) -> bool {
        let (word, bit) = mark(situation);
        // Counting has no early exit, so the compiler compares several at a time.
        self.marks[word] & bit != 0 && self.occurrences(situation) > 0
    }

    /// How often `situation` was there.
    pub(super) fn occurrences(&self, situation: u64) -> usize {
        self.seen.iter().filter(|&&seen| seen == situation).count()
    }

    /// Adds a pass in `situation`; true if it was the first there.
    pub(super) fn add_pass(&mut self, situation: u64) -> bool {
        let first = !self.passed_in(situation);
        self.passed.push(situation);
        first
    }

    /// True if the player to move in `situation` has passed there before.
    pub(super) fn passed_in(&self, situation: u64) -> bool {
        self.passed.contains(&situation)
    }

    /// Notes that `point` was played on; true if it never held a stone before.
    pub(super) fn occupy(&mut self, point: Point) -> bool {
        self.occupied.insert(point)
    }

    /// True if `point` ever held a stone or was played on.
    pub(super) fn was_occupied(&self, point: Point) -> bool {
        self.occupied.contains(point)
    }
}
