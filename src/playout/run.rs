//! The playout itself.

use crate::board::{Board, Color, Move, Point, Size};
use crate::util::Rng;

use super::Trace;
use crate::params::PlayoutParams;

/// Plays games to their end. One for each thread: it owns the board that it plays on.
pub struct Playout {
    board: Board,
    #[expect(dead_code, reason = "the light policy comes next")]
    params: PlayoutParams,
}

impl Playout {
    /// A player of playouts that chooses moves as `params` say.
    pub fn new(params: PlayoutParams) -> Self {
        Self { board: Board::new(Size::STANDARD), params }
    }

    /// Plays on from `start`, `to_move` first, until both pass in turn (or far too long), and leaves moves, owners and score in
    /// `trace`. `_last_moves` are the two moves that led to `start`, the latest first, passes where there are none: replies are looked for
    /// around them; passes among them do not count towards the end. Returns the score: Black's area minus White's, without komi.
    pub fn run(&mut self, start: &Board, to_move: Color, _last_moves: [Move; 2], rng: &mut Rng, trace: &mut Trace) -> i32 {
        self.board.clone_from(start);
        trace.start(to_move);
        let mut color = to_move;
        let mut passes = 0;
        for _ in 0..Trace::longest(start) {
            let mv = self.random_move(color, rng);
            if let Some(point) = mv.point() {
                self.board.play(color, point);
                passes = 0;
            } else {
                self.board.clear_ko();
                passes += 1;
            }
            trace.push(mv);
            if passes == 2 {
                break;
            }
            color = !color;
        }
        trace.finish(&self.board);
        trace.score()
    }

    /// The board as the last playout left it.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Any move but into an own eye, each equally likely; a pass if there is none.
    #[inline]
    fn random_move(&mut self, color: Color, rng: &mut Rng) -> Move {
        let playable = |board: &Board, point: Point| board.is_legal(color, point) && !board.is_true_eye(color, point);
        self.board.random_empty(rng, playable).map_or(Move::PASS, Move::from)
    }
}
