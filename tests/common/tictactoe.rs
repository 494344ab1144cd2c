//! Tic-tac-toe, a game whose values are known.

use tengen::game::Game;

/// A tic-tac-toe board: player 0 has X and begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TicTacToe {
    /// Squares of each player, a bit each, row by row.
    squares: [u16; 2],
}

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl TicTacToe {
    /// Reads a drawing of nine of `X`, `O` and `.`; blanks are ignored.
    pub fn from_drawing(drawing: &str) -> Self {
        let mut game = Self::default();
        for (square, mark) in drawing.chars().filter(|mark| !mark.is_whitespace()).enumerate() {
            match mark {
                'X' => game.squares[0] |= 1 << square,
                'O' => game.squares[1] |= 1 << square,
                _ => {}
            }
        }
        game
    }

    /// Squares of each player, a bit each, row by row.
    pub fn from_squares(squares: [u16; 2]) -> Self {
        Self { squares }
    }

    /// The squares of `player`, a bit each, row by row.
    pub fn squares(&self, player: usize) -> u16 {
        self.squares[player]
    }

    fn has_line(&self, player: usize) -> bool {
        LINES.iter().any(|line| self.squares[player] & line == *line)
    }
}

impl Game for TicTacToe {
    type Action = u8;
    const ACTIONS: usize = 9;

    fn index(action: u8) -> usize {
        action as usize
    }

    fn action(index: usize) -> u8 {
        index as u8
    }

    fn player(&self) -> usize {
        usize::from(self.squares[0].count_ones() > self.squares[1].count_ones())
    }

    fn actions(&self, actions: &mut Vec<u8>) {
        actions.clear();
        actions.extend((0..9).filter(|square| (self.squares[0] | self.squares[1]) & (1 << square) == 0));
    }

    fn apply(&mut self, action: u8) {
        self.squares[self.player()] |= 1 << action;
    }

    fn is_terminal(&self) -> bool {
        self.has_line(0) || self.has_line(1) || self.squares[0] | self.squares[1] == 0o777
    }

    fn utility(&self) -> f32 {
        f32::from(u8::from(self.has_line(0))) - f32::from(u8::from(self.has_line(1)))
    }
}

/// The value of `game` to player 0, by looking at everything.
pub fn minimax<G: Game>(game: &G) -> f32 {
    tengen::adversarial::minimax(game).value
}
