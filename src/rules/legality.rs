//! What may be played, what a pass would do, and the hash of a situation.

use super::position::{Phase, Position};
use super::ruleset::{KoRule, Scoring};
use crate::board::{Color, Move, Point};

impl Position {
    /// True if the player to move may play `mv`: a pass, always; a stone, by all rules.
    ///
    /// In the cleanup phases a move on, or into, a ko whose retaking is barred is legal too: it lifts the bar and does nothing else.
    /// After the end of the game the same holds as before it.
    pub fn is_legal(&self, mv: Move) -> bool {
        let Some(point) = mv.point() else { return true };
        if self.phase == Phase::Main {
            self.board.ko() != Some(point) && self.stays(self.to_move, point) && !self.repeats(point)
        } else {
            self.cleanup.pass_for_ko(&self.board, self.to_move, point).is_some()
                || (self.stays(self.to_move, point) && !self.cleanup.took_before(&self.board, self.to_move, point))
        }
    }

    /// All legal moves of the player to move, row by row from the top left, the pass last.
    pub fn legal_moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.size().points().map(Move::from).chain([Move::PASS]).filter(|&mv| self.is_legal(mv))
    }

    /// True if a stone of `color` on `point` is possible, repetition aside: the point is empty, and the stone makes no suicide that
    /// the rules forbid. Suicide of one stone, which changes nothing, always is forbidden.
    pub(super) fn stays(&self, color: Color, point: Point) -> bool {
        self.board.is_empty(point)
            && (!self.board.is_suicide(color, point)
                || (self.rules.suicide && self.board.neighbors(point).any(|near| self.board.stone(near) == Some(color))))
    }

    /// True if superko forbids the player to move the otherwise possible move on the empty point `point`.
    fn repeats(&self, point: Point) -> bool {
        if self.rules.ko == KoRule::Simple {
            return false;
        }
        // A stone where none ever was makes a new pattern, if it stays.
        if !self.history.was_occupied(point) && !self.board.is_suicide(self.to_move, point) {
            return false;
        }
        let after = self.board.hash_after(self.to_move, point) ^ self.player_key(!self.to_move);
        self.history.contains(after)
    }

    /// True if `point`, though the stone could stay there, is barred to the player to move: by simple ko or superko, or in a cleanup
    /// phase because that player took a ko there before on this very board.
    pub fn is_barred(&self, point: Point) -> bool {
        if self.phase != Phase::Main {
            return self.cleanup.took_before(&self.board, self.to_move, point);
        }
        self.board.ko() == Some(point) || (self.stays(self.to_move, point) && self.repeats(point))
    }

    /// True if the stone on `point` took a ko in this cleanup phase and may not be retaken before someone passes for it.
    pub fn is_blocked(&self, point: Point) -> bool {
        self.cleanup.blocked.contains(point)
    }

    /// True if a pass now would be the second in a row or, with simple ko and in the cleanup phases, a second one by the same player
    /// in the same situation, and so would end the phase.
    pub fn pass_would_end_phase(&self) -> bool {
        !self.button && (self.passes + 1 >= 2 || self.pass_would_repeat())
    }

    /// True if a pass now would end the game, and not only a phase before its last.
    pub fn pass_would_end_game(&self) -> bool {
        self.pass_would_end_phase() && (self.rules.scoring == Scoring::Area || self.phase == Phase::Cleanup2)
    }

    /// True if the player to move has passed in this very situation before, where that ends a phase.
    pub fn pass_would_repeat(&self) -> bool {
        self.counts_repetition() && self.history.passed_in(self.situation(self.to_move))
    }

    /// Passes in a row that count towards the end of the phase.
    pub fn passes(&self) -> u32 {
        self.passes
    }

    /// Hash of what repetition compares, were `to_move` to move: the stones, where it matters the player, and barred kos.
    pub(super) fn situation(&self, to_move: Color) -> u64 {
        let hash = self.board.hash() ^ self.player_key(to_move);
        if self.phase == Phase::Main {
            return hash;
        }
        self.cleanup.blocked.iter().fold(hash, |hash, point| hash ^ key(Kind::Blocked, point.index()))
    }

    /// The part of [`Position::situation`] that tells the players apart: none under positional superko.
    fn player_key(&self, to_move: Color) -> u64 {
        let told_apart = self.rules.ko != KoRule::Positional || self.phase != Phase::Main;
        if told_apart { key(Kind::ToMove, to_move.index()) } else { 0 }
    }

    /// Hash of all that decides how the game can go on from here, for recognising transpositions within one game: stones, player to
    /// move, points barred by ko, phase and kos in it, passes, button, and what each side has scored so far beyond the board.
    ///
    /// Not part of it is which earlier situations may be repeated later: two positions with equal hashes have the same legal moves,
    /// but deeper down superko or repetition may treat them differently.
    pub fn situation_hash(&self) -> u64 {
        let mut hash = self.board.hash() ^ key(Kind::ToMove, self.to_move.index()) ^ key(Kind::Phase, self.phase as usize);
        hash ^= key(Kind::Passes, self.passes.min(2) as usize) ^ key(Kind::Bonus, self.white_bonus().to_bits() as usize);
        if self.button {
            hash ^= key(Kind::Button, 0);
        }
        if self.pass_would_end_phase() {
            hash ^= key(Kind::PassEnds, 0);
        }
        for &point in self.board.empties() {
            if self.is_barred(point) {
                hash ^= key(Kind::Barred, point.index());
            }
        }
        if self.phase != Phase::Main {
            hash ^= self.cleanup.blocked.iter().fold(0, |hash, point| hash ^ key(Kind::Blocked, point.index()));
        }
        if self.phase == Phase::Cleanup2 {
            for (color, stones) in self.cleanup.start.iter().enumerate() {
                hash = stones.iter().fold(hash, |hash, point| hash ^ key(Kind::Start, 2 * point.index() + color));
            }
        }
        match self.outcome {
            None => hash,
            Some(_) => hash ^ key(Kind::Over, 0),
        }
    }
}

/// What a hash key stands for.
#[derive(Clone, Copy)]
enum Kind {
    ToMove,
    Phase,
    Passes,
    Bonus,
    Button,
    PassEnds,
    Barred,
    Blocked,
    Start,
    Over,
}

/// A hash key: splitmix64's mixing (S. Vigna, public domain reference) of what it stands for.
fn key(kind: Kind, number: usize) -> u64 {
    let mut z = ((kind as u64 + 1) << 56 ^ number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
