//! Small games whose values are known.

use tengen::adversarial::{Chance, Hidden, Several};
use tengen::game::Game;
use tengen::util::Rng;

use crate::common::tictactoe::TicTacToe;

impl Chance for TicTacToe {}

/// Implements what is the same in all games whose actions are small numbers.
macro_rules! numbered_actions {
    ($count:expr) => {
        type Action = u8;
        const ACTIONS: usize = $count;

        fn index(action: u8) -> usize {
            action as usize
        }

        fn action(index: usize) -> u8 {
            index as u8
        }
    };
}

/// Nim with up to three piles of up to seven: who takes the last object wins. The action 8 p + n takes n from pile p. Won by the player to move unless the
/// piles' exclusive or is 0 (C. Bouton, 1901).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nim {
    pub piles: [u8; 3],
    pub player: usize,
}

impl Nim {
    pub fn new(piles: [u8; 3]) -> Self {
        Self { piles, player: 0 }
    }

    /// What Bouton's theorem says.
    pub fn known_value(&self) -> f32 {
        let to_move_wins = self.piles.iter().fold(0, |sum, pile| sum ^ pile) != 0;
        if to_move_wins == (self.player == 0) { 1.0 } else { -1.0 }
    }
}

impl Game for Nim {
    numbered_actions!(24);

    fn player(&self) -> usize {
        self.player
    }

    fn actions(&self, actions: &mut Vec<u8>) {
        actions.clear();
        for (number, &pile) in self.piles.iter().enumerate() {
            actions.extend((1..=pile).map(|taken| 8 * number as u8 + taken));
        }
    }

    fn apply(&mut self, action: u8) {
        self.piles[action as usize / 8] -= action % 8;
        self.player = 1 - self.player;
    }

    fn is_terminal(&self) -> bool {
        self.piles == [0; 3]
    }

    fn utility(&self) -> f32 {
        // Who is to move did not take the last one.
        if self.player == 0 { -1.0 } else { 1.0 }
    }
}

impl Chance for Nim {}

/// Three players take one or two from a pile in turn; who takes the last gets all.
#[derive(Clone, Copy, Debug)]
pub struct ThreeTake {
    pub pile: u8,
    pub player: usize,
}

impl Game for ThreeTake {
    numbered_actions!(3);

    fn player(&self) -> usize {
        self.player
    }

    fn actions(&self, actions: &mut Vec<u8>) {
        actions.clear();
        actions.extend(1..=self.pile.min(2));
    }

    fn apply(&mut self, action: u8) {
        *self = Self { pile: self.pile - action, player: (self.player + 1) % 3 };
    }

    fn is_terminal(&self) -> bool {
        self.pile == 0
    }

    fn utility(&self) -> f32 {
        self.utilities()[0]
    }
}

impl Several for ThreeTake {
    const PLAYERS: usize = 3;

    fn utilities(&self) -> Vec<f32> {
        (0..3).map(|player| f32::from(u8::from(player == (self.player + 2) % 3))).collect()
    }
}

/// A die is thrown; player 0 keeps it (action 0) or throws again (action 1), once. Utility: a sixth of what lies there. Best is to throw again at 3 or less,
/// for a mean of 4.25 sixths.
#[derive(Clone, Copy, Debug, Default)]
pub struct OneMoreThrow {
    die: u8,
    throws: u8,
    thrown: bool,
    kept: bool,
}

impl Game for OneMoreThrow {
    numbered_actions!(7);

    fn player(&self) -> usize {
        0
    }

    fn actions(&self, actions: &mut Vec<u8>) {
        actions.clear();
        actions.extend([0, 1]);
    }

    fn apply(&mut self, action: u8) {
        if self.thrown {
            (self.kept, self.thrown) = (action == 0, action == 0);
        } else {
            *self = Self { die: action, throws: self.throws + 1, thrown: true, kept: self.throws == 1 };
        }
    }

    fn is_terminal(&self) -> bool {
        self.kept
    }

    fn utility(&self) -> f32 {
        f32::from(self.die) / 6.0
    }
}

impl Chance for OneMoreThrow {
    fn outcomes(&self, outcomes: &mut Vec<(u8, f32)>) {
        outcomes.clear();
        if !self.thrown {
            outcomes.extend((1..=6).map(|face| (face, 1.0 / 6.0)));
        }
    }
}

/// Road A leads to a pot of gold. Road B leads to a fork; on one side are two pots, on the other a bus comes. Actions: 0 is A, then the left side; 1 is B, then
/// the right side. Nobody told the walker which side is which.
#[derive(Clone, Copy, Debug)]
pub struct Roads {
    pub gold_on_the_left: bool,
    walked: [Option<u8>; 2],
}

impl Roads {
    pub fn new(gold_on_the_left: bool) -> Self {
        Self { gold_on_the_left, walked: [None; 2] }
    }
}

impl Game for Roads {
    numbered_actions!(2);

    fn player(&self) -> usize {
        0
    }

    fn actions(&self, actions: &mut Vec<u8>) {
        actions.clear();
        actions.extend([0, 1]);
    }

    fn apply(&mut self, action: u8) {
        *self.walked.iter_mut().find(|step| step.is_none()).unwrap() = Some(action);
    }

    fn is_terminal(&self) -> bool {
        self.walked[0] == Some(0) || self.walked[1].is_some()
    }

    fn utility(&self) -> f32 {
        match self.walked {
            [Some(0), _] => 1.0,
            [_, Some(side)] if (side == 0) == self.gold_on_the_left => 2.0,
            _ => -100.0,
        }
    }
}

impl Hidden for Roads {
    fn possible(&self, rng: &mut Rng) -> Self {
        Self { gold_on_the_left: rng.chance(0.5), ..*self }
    }
}

/// Tic-tac-toe in which each sees its own marks only. An action on a square that the opponent has shows that square and leaves the turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phantom {
    pub board: TicTacToe,
    /// Squares of the opponent that each player has found.
    found: [u16; 2],
}

impl Game for Phantom {
    numbered_actions!(9);

    fn player(&self) -> usize {
        self.board.player()
    }

    fn actions(&self, actions: &mut Vec<u8>) {
        let known = self.board.squares(self.player()) | self.found[self.player()];
        actions.clear();
        actions.extend((0..9).filter(|square| known & (1 << square) == 0));
    }

    fn apply(&mut self, action: u8) {
        let player = self.player();
        if self.board.squares(1 - player) & (1 << action) == 0 {
            self.board.apply(action);
        } else {
            self.found[player] |= 1 << action;
        }
    }

    fn is_terminal(&self) -> bool {
        self.board.is_terminal()
    }

    fn utility(&self) -> f32 {
        self.board.utility()
    }
}

impl Hidden for Phantom {
    fn possible(&self, rng: &mut Rng) -> Self {
        let player = self.player();
        let (own, found) = (self.board.squares(player), self.found[player]);
        let hidden = self.board.squares(1 - player).count_ones() - found.count_ones();
        loop {
            let mut enemy = found;
            while enemy.count_ones() < found.count_ones() + hidden {
                let square = 1 << rng.below(9);
                enemy |= square & !own;
            }
            let squares = if player == 0 { [own, enemy] } else { [enemy, own] };
            let board = TicTacToe::from_squares(squares);
            // The game goes on, so the opponent has no line.
            if !board.is_terminal() {
                return Self { board, ..*self };
            }
        }
    }
}
