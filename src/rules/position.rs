//! A game's position: the board, the rules, and all of the past that the rules look at.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::cleanup::{Cleanup, placed};
use super::history::History;
use super::outcome::Outcome;
use super::ruleset::{KoRule, Rules, Scoring};
use crate::board::{Board, Color, Move, Point, Size, Undo};

/// Part of a game. Only territory scoring has the cleanup phases, in which what is dead is played out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// The game as people know it.
    Main,
    /// Kos are cut off from threats elsewhere (see the `cleanup` module); a move costs its point as before.
    Cleanup1,
    /// Moves are free of cost, so that dead stones can be captured.
    Cleanup2,
}

/// A move that the rules forbid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("illegal move: {color} {vertex}")]
pub struct IllegalMove {
    color: Color,
    vertex: String,
}

/// A game's position with its history.
///
/// Set-up stones are no moves. If a player moves out of turn ([`Position::play_as`]), the history starts anew with the stones on the
/// board. A finished game can be played on. Copying with `clone_from` reuses the memory of the old copy.
#[derive(Debug)]
pub struct Position {
    pub(super) rules: Rules,
    pub(super) board: Board,
    pub(super) to_move: Color,
    pub(super) phase: Phase,
    start: Arc<Board>,
    moves: Vec<(Color, Move)>,
    /// Where in `moves` the history and the present phase start.
    restart: usize,
    phase_start: usize,
    /// What takes back the last moves since the restart, the latest last.
    recent: ArrayVec<Step, 2>,
    pub(super) history: History,
    pub(super) cleanup: Cleanup,
    /// Passes in a row that count towards an end.
    pub(super) passes: u32,
    /// Whether the button is there to take.
    pub(super) button: bool,
    button_taken: Option<Color>,
    handicap: Handicap,
    cleanup_played: bool,
    awaits_judgement: bool,
    pub(super) outcome: Option<Outcome>,
}

/// Takes a move back from the board.
#[derive(Clone, Debug)]
enum Step {
    Stone(Undo),
    /// A pass, or a pass for ko, and the ko point before it.
    Pass(Option<Point>),
}

/// Counts Black's handicap stones: those that stood at the start, and Black's moves before White's first, for free placement is often
/// sent as moves with passes between. None if White has stones at the start.
#[derive(Clone, Copy, Debug)]
struct Handicap {
    stones: u32,
    counting: bool,
}

impl Handicap {
    fn new(board: &Board) -> Self {
        let counting = board.stones(Color::White) == 0;
        Self { stones: if counting { board.stones(Color::Black) as u32 } else { 0 }, counting }
    }

    fn after_play(&mut self, color: Color) {
        match color {
            Color::White => self.counting = false,
            Color::Black if self.counting => self.stones += 1,
            Color::Black => {}
        }
    }
}

impl Position {
    /// An empty board, Black to move.
    pub fn new(size: Size, rules: Rules) -> Self {
        Self::from_board(Board::new(size), Color::Black, rules)
    }

    /// A game that starts with the stones on `board`.
    pub fn from_board(mut board: Board, to_move: Color, rules: Rules) -> Self {
        board.clear_ko();
        let mut position = Self {
            rules,
            to_move,
            phase: Phase::Main,
            start: Arc::new(board.clone()),
            moves: Vec::new(),
            restart: 0,
            phase_start: 0,
            recent: ArrayVec::new(),
            history: History::default(),
            cleanup: Cleanup::default(),
            passes: 0,
            button: rules.button,
            button_taken: None,
            handicap: Handicap::new(&board),
            cleanup_played: true,
            awaits_judgement: false,
            outcome: None,
            board,
        };
        position.history.restart(&position.board, position.situation(to_move));
        position
    }

    /// The stones.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The rules.
    #[inline]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The board's width and height.
    #[inline]
    pub fn size(&self) -> Size {
        self.board.size()
    }

    /// Who moves next.
    #[inline]
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// The phase of the game.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// All moves played, oldest first.
    pub fn moves(&self) -> &[(Color, Move)] {
        &self.moves
    }

    /// The moves since the history last started: since set-up, or since a player last moved out of turn.
    pub fn moves_since_restart(&self) -> &[(Color, Move)] {
        &self.moves[self.restart..]
    }

    /// The moves since the present phase began.
    pub fn moves_in_phase(&self) -> &[(Color, Move)] {
        &self.moves[self.phase_start..]
    }

    /// The board that the history started with.
    pub fn start_board(&self) -> &Board {
        &self.start
    }

    /// The board as it was `moves` (0 to 2) moves ago, with its ko point; the starting board if there were fewer since the restart.
    pub fn board_before(&self, moves: usize) -> Board {
        debug_assert!(moves <= 2, "only the last two moves can be taken back");
        let mut board = self.board.clone();
        for step in self.recent.iter().rev().take(moves) {
            match step {
                Step::Stone(undo) => board.undo(undo),
                Step::Pass(ko) => board.restore_ko(*ko),
            }
        }
        board
    }

    /// The result of the finished game: by the formal count, or void by repetition.
    #[inline]
    pub fn result(&self) -> Option<Outcome> {
        self.outcome
    }

    /// True if the game has ended for people: it is finished, or two passes have ended the main phase and the cleanup phases are not
    /// played ([`Position::set_cleanup_played`]), so that someone has to say which stones are dead.
    pub fn is_over(&self) -> bool {
        self.outcome.is_some() || self.awaits_judgement
    }

    /// True if the main phase of territory scoring has ended and the cleanup phases are not played.
    pub fn awaits_judgement(&self) -> bool {
        self.awaits_judgement
    }

    /// Whether the main phase of territory scoring is followed by the cleanup phases, as at first (a search needs that), or by a judge
    /// (people do).
    pub fn set_cleanup_played(&mut self, played: bool) {
        self.cleanup_played = played;
    }

    /// Whether the button is there for the first pass to take.
    pub fn button(&self) -> bool {
        self.button
    }

    /// Number of handicap stones: black stones set up, or played before White's first move. 0 rather than 1.
    pub fn handicap_stones(&self) -> u32 {
        if self.handicap.stones > 1 { self.handicap.stones } else { 0 }
    }

    /// What White gets beyond its points in a formal count: komi, handicap bonus, the button if taken, and under territory scoring a
    /// point for each black stone placed less one for each white (but for those of the second cleanup phase).
    pub fn white_bonus(&self) -> f32 {
        let handicap = self.rules.handicap_bonus.points(self.handicap_stones()) as f32;
        let placed = match (self.rules.scoring, self.phase) {
            (Scoring::Area, _) => 0,
            (Scoring::Territory, Phase::Cleanup2) => self.cleanup.placed,
            (Scoring::Territory, _) => placed(&self.board),
        };
        let button = self.button_taken.map_or(0.0, |color| -0.5 * color.sign());
        self.rules.komi + handicap + placed as f32 + button
    }

    /// The colour of the stone on `point` when the second cleanup phase began; nothing before that.
    pub fn second_cleanup_start(&self, point: Point) -> Option<Color> {
        let stood = |color: &Color| self.phase == Phase::Cleanup2 && self.cleanup.start[color.index()].contains(point);
        Color::ALL.into_iter().find(stood)
    }

    /// Changes komi. The result of a finished game changes with it.
    pub fn set_komi(&mut self, komi: f32) {
        if let Some(Outcome::Score(score)) = &mut self.outcome {
            *score += self.rules.komi - komi;
        }
        self.rules.komi = komi;
    }

    /// The move as an error.
    fn illegal(&self, color: Color, mv: Move) -> IllegalMove {
        IllegalMove { color, vertex: self.size().vertex(mv) }
    }

    /// Plays for the player to move.
    ///
    /// # Errors
    /// If the rules forbid the move; the position stays as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            return Err(self.illegal(self.to_move, mv));
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays for either player. If it is not that player's turn, the history starts anew just before the move: ko bars, superko and
    /// passes are forgotten, the button is back, and the stones on the board count as set up. The phase stays.
    ///
    /// # Errors
    /// If the rules forbid the move; the position stays as it was.
    pub fn play_as(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        if color != self.to_move {
            if mv.point().is_some_and(|point| !self.stays(color, point)) {
                return Err(self.illegal(color, mv));
            }
            self.restart(color);
        }
        self.play(mv)
    }

    /// Plays for either player as [`Position::play_as`] does, but lets pass what only some rules forbid: retaking a ko, superko, suicide
    /// of several stones. For records of games that were played under other rules.
    ///
    /// # Errors
    /// If the point is taken or the move is suicide of one stone; the position stays as it was.
    pub fn play_leniently(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        if let Some(point) = mv.point() {
            let own = self.board.neighbors(point).any(|near| self.board.stone(near) == Some(color));
            let possible = self.board.is_empty(point) && (own || !self.board.is_suicide(color, point));
            if !possible && !(color == self.to_move && self.is_legal(mv)) {
                return Err(self.illegal(color, mv));
            }
        }
        self.set_to_move(color);
        self.advance(mv);
        Ok(())
    }

    /// Makes `to_move` move next. If it was not its turn, the history starts anew, as in [`Position::play_as`].
    pub fn set_to_move(&mut self, to_move: Color) {
        if to_move != self.to_move {
            self.restart(to_move);
        }
    }

    fn restart(&mut self, to_move: Color) {
        self.to_move = to_move;
        self.board.clear_ko();
        self.start = Arc::new(self.board.clone());
        self.restart = self.moves.len();
        self.phase_start = self.moves.len();
        self.recent.clear();
        self.passes = 0;
        self.button = self.rules.button && self.phase == Phase::Main;
        self.button_taken = None;
        self.handicap = Handicap::new(&self.board);
        self.awaits_judgement = false;
        self.outcome = None;
        self.cleanup.begin();
        if self.phase == Phase::Cleanup2 {
            self.cleanup.begin_second(&self.board);
        }
        self.history.restart(&self.board, self.situation(to_move));
    }

    /// Plays a move that is known to be legal for the player to move.
    pub fn play_unchecked(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{} {}\n{:?}", self.to_move, self.size().vertex(mv), self.board);
        self.advance(mv);
    }

    fn advance(&mut self, mv: Move) {
        let color = self.to_move;
        self.outcome = None;
        self.awaits_judgement = false;
        let (phase_ends, may_repeat) = match mv.point() {
            None => (self.pass(), false),
            Some(point) => {
                self.passes = 0;
                let step = self.put_stone(color, point);
                self.remember(step);
                self.handicap.after_play(color);
                // A stone that stays where none ever was makes a new situation.
                let new = self.history.occupy(point) && !self.board.is_empty(point);
                (false, !new)
            }
        };
        self.moves.push((color, mv));
        self.to_move = !color;
        let situation = self.situation(!color);
        self.history.add(situation);
        if phase_ends {
            self.end_phase();
        }
        if may_repeat && self.counts_repetition() && self.history.occurrences(situation) >= 3 {
            self.outcome = Some(Outcome::NoResult);
        }
    }

    /// The bookkeeping of a pass; true if it ends the phase.
    fn pass(&mut self) -> bool {
        let step = Step::Pass(self.board.ko());
        self.remember(step);
        self.board.clear_ko();
        if self.button {
            self.button = false;
            self.button_taken = Some(self.to_move);
            self.passes = 0;
            self.history.forget();
            return false;
        }
        let before = self.situation(self.to_move);
        let first = self.history.add_pass(before);
        if self.counts_repetition() {
            self.history.forget_situations();
        }
        self.passes += 1;
        self.passes >= 2 || (self.counts_repetition() && !first)
    }

    fn put_stone(&mut self, color: Color, point: Point) -> Step {
        if self.phase == Phase::Main {
            return Step::Stone(self.board.play_undoable(color, point));
        }
        if let Some(stone) = self.cleanup.pass_for_ko(&self.board, color, point) {
            self.cleanup.blocked.remove(stone);
            return Step::Pass(None);
        }
        let stones = self.board.hash();
        let undo = self.board.play_undoable(color, point);
        self.cleanup.after_play(&mut self.board, color, point, stones);
        Step::Stone(undo)
    }

    fn remember(&mut self, step: Step) {
        if self.recent.is_full() {
            self.recent.remove(0);
        }
        self.recent.push(step);
    }

    fn end_phase(&mut self) {
        let next = match (self.rules.scoring, self.phase) {
            (Scoring::Area, _) | (_, Phase::Cleanup2) => {
                self.outcome = Some(Outcome::Score(self.formal_score()));
                return;
            }
            (_, Phase::Main) if !self.cleanup_played => {
                self.awaits_judgement = true;
                return;
            }
            (_, Phase::Main) => Phase::Cleanup1,
            (_, Phase::Cleanup1) => Phase::Cleanup2,
        };
        self.phase = next;
        self.phase_start = self.moves.len();
        self.passes = 0;
        self.cleanup.begin();
        if next == Phase::Cleanup2 {
            self.cleanup.begin_second(&self.board);
        }
        self.history.forget_all_but(self.situation(self.to_move));
    }

    /// True where repetition is counted rather than forbidden: with simple ko, and in the cleanup phases.
    pub(super) fn counts_repetition(&self) -> bool {
        self.rules.ko == KoRule::Simple || self.phase != Phase::Main
    }
}

impl Clone for Position {
    fn clone(&self) -> Self {
        let mut copy = Self {
            start: Arc::clone(&self.start),
            board: self.board.clone(),
            moves: Vec::new(),
            recent: ArrayVec::new(),
            history: History::default(),
            cleanup: Cleanup::default(),
            ..*self
        };
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, from: &Self) {
        if !Arc::ptr_eq(&self.start, &from.start) {
            self.start = Arc::clone(&from.start);
        }
        self.board.clone_from(&from.board);
        self.moves.clone_from(&from.moves);
        self.recent.clone_from(&from.recent);
        self.history.clone_from(&from.history);
        self.cleanup.clone_from(&from.cleanup);
        let Self { rules, to_move, phase, restart, phase_start, .. } = *from;
        (self.rules, self.to_move, self.phase, self.restart, self.phase_start) = (rules, to_move, phase, restart, phase_start);
        let Self { passes, button, button_taken, handicap, cleanup_played, awaits_judgement, outcome, .. } = *from;
        (self.passes, self.button, self.button_taken, self.handicap) = (passes, button, button_taken, handicap);
        (self.cleanup_played, self.awaits_judgement, self.outcome) = (cleanup_played, awaits_judgement, outcome);
    }
}
