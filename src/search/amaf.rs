//! Who plays where first, for all-moves-as-first statistics.
//! (B. Brügmann, Monte Carlo Go, 1993; S. Gelly and D. Silver, Combining Online and Offline Knowledge in UCT, 2007.)

/// For each action the player who does it first, in a game whose actions are noted from the last back to the first.
pub(super) struct FirstPlays {
    /// Marks of this game; what differs in the upper bits is from an older one.
    game: u32,
    marks: Vec<u32>,
}

impl FirstPlays {
    /// For actions whose index is below `actions`.
    pub(super) fn new(actions: usize) -> Self {
        Self { game: 0, marks: vec![0; actions] }
    }

    /// Begins a new game.
    pub(super) fn clear(&mut self) {
        self.game = self.game.wrapping_add(1) & (u32::MAX >> 2);
        if self.game == 0 {
            self.marks.fill(0);
            self.game = 1;
        }
    }

    /// Notes that `player` does the action before all that is noted so far.
    #[inline]
    pub(super) fn note(&mut self, player: usize, action: usize) {
        self.marks[action] = self.game << 1 | player as u32;
    }

    /// True if `player` is the first to do the action.
    #[inline]
    pub(super) fn is_first(&self, player: usize, action: usize) -> bool {
        self.marks[action] == (self.game << 1 | player as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::FirstPlays;

    #[test]
    fn the_earliest_play_counts_and_games_do_not_mix() {
        let mut plays = FirstPlays::new(4);
        plays.clear();
        plays.note(0, 3);
        plays.note(1, 3);
        assert!(plays.is_first(1, 3) && !plays.is_first(0, 3) && !plays.is_first(0, 2));
        plays.clear();
        assert!(!plays.is_first(1, 3));
    }
}
