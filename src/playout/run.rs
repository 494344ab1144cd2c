//! The playout itself.

use crate::board::{Board, Color, Move, Point, Size};
use crate::params::{PlayoutParams, PlayoutPolicy};
use crate::util::Rng;

use super::light::{self, Recent};
use super::moves;
use super::trace::Trace;

/// Plays games to their end. One for each thread: it owns the board that it plays on.
pub struct Playout {
    board: Board,
    params: PlayoutParams,
}

impl Playout {
    /// A player of playouts that chooses moves as `params` say.
    pub fn new(params: PlayoutParams) -> Self {
        Self { board: Board::new(Size::STANDARD), params }
    }

    /// Plays on from `start`, `to_move` first, until both pass in turn (or far too long), and leaves moves, owners and score in
    /// `trace`. `last_moves` are the two moves that led to `start`, the latest first, passes where there are none: replies are looked for
    /// around them; passes among them do not count towards the end. Returns the score: Black's area minus White's, without komi.
    pub fn run(&mut self, start: &Board, to_move: Color, last_moves: [Move; 2], rng: &mut Rng, trace: &mut Trace) -> i32 {
        self.board.clone_from(start);
        trace.start(to_move);
        let mut color = to_move;
        let mut recent = Recent { last: last_moves.map(Move::point), ko: self.board.ko().map(|mouth| (mouth, 0)), turn: 0 };
        let mut passes = 0;
        while recent.turn < Trace::longest(start) && passes < 2 {
            let mv = self.choose(color, &recent, rng);
            recent.turn += 1;
            recent.last = [mv, recent.last[0]];
            if let Some(point) = mv {
                self.board.play(color, point);
                passes = 0;
            } else {
                self.board.clear_ko();
                passes += 1;
            }
            if let Some(mouth) = self.board.ko() {
                recent.ko = Some((mouth, recent.turn));
            }
            trace.push(mv.map_or(Move::PASS, Move::from));
            color = !color;
        }
        trace.finish(&self.board);
        trace.score()
    }

    /// The board as the last playout left it.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The next move of `color`; nothing for a pass.
    #[inline]
    fn choose(&mut self, color: Color, recent: &Recent, rng: &mut Rng) -> Option<Point> {
        match self.params.policy {
            PlayoutPolicy::Uniform => self.random_move(color, false, rng),
            PlayoutPolicy::Light => light::reply(&mut self.board, &self.params, color, recent, rng).or_else(|| {
                let strict = rng.percent(self.params.self_atari_random);
                self.random_move(color, strict, rng)
            }),
        }
    }

    /// Any move but into an own eye, and if `strict` but bad self-ataris, each equally likely; nothing if there is none.
    #[inline]
    fn random_move(&mut self, color: Color, strict: bool, rng: &mut Rng) -> Option<Point> {
        self.board.random_empty(rng, |board, point| {
            // Next to an empty point there is no suicide and no eye to fill.
            (if board.empty_neighbors(point) > 0 {
                board.ko() != Some(point)
            } else {
                !board.is_true_eye(color, point) && board.is_legal(color, point)
            }) && !(strict && moves::is_bad_self_atari(board, color, point))
        })
    }
}
