//! A game's position: the board, the rules, and all of the past that the rules look at.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::cleanup::{Cleanup, placed};
use super::history::History;
use super::outcome::Outcome;
use super::ruleset::{Rules, Scoring};
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
    pub(super) start: Arc<Board>,
    pub(super) moves: Vec<(Color, Move)>,
    /// Where in `moves` the history starts.
    pub(super) restart: usize,
    /// Where [`Position::connected_moves`] start.
    pub(super) connected: usize,
    /// What takes back the last moves since the restart, the latest last.
    pub(super) recent: ArrayVec<Step, 2>,
    pub(super) history: History,
    pub(super) cleanup: Cleanup,
    /// Passes in a row that count towards an end.
    pub(super) passes: u32,
    /// Whether the button is there to take.
    pub(super) button: bool,
    pub(super) button_taken: Option<Color>,
    pub(super) handicap: Handicap,
    pub(super) cleanup_played: bool,
    pub(super) awaits_judgement: bool,
    pub(super) outcome: Option<Outcome>,
}

/// Takes a move back from the board.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Stone(Undo),
    /// A pass, or a pass for ko, and the ko point before it.
    Pass(Option<Point>),
}

/// Counts Black's handicap stones: those that stood at the start, and Black's moves before White's first, for free placement is often
/// sent as moves with passes between. None if White has stones at the start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handicap {
    stones: u32,
    counting: bool,
}

impl Handicap {
    pub(super) fn new(board: &Board) -> Self {
        let counting = board.stones(Color::White) == 0;
        Self { stones: if counting { board.stones(Color::Black) as u32 } else { 0 }, counting }
    }

    pub(super) fn after_play(&mut self, color: Color) {
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
            connected: 0,
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

    /// The moves that the present situation follows from without a break: since the present phase began or the history restarted and,
    /// if a finished game was played on, from the move that finished it.
    pub fn connected_moves(&self) -> &[(Color, Move)] {
        &self.moves[self.connected..]
    }

    /// Forgets of [`Position::connected_moves`] those so far. All that the rules look at stays.
    pub fn hide_moves(&mut self) {
        self.connected = self.moves.len();
    }

    /// The board that the history started with.
    pub fn start_board(&self) -> &Board {
        &self.start
    }

    /// Makes `board` the board as it was `moves` (0 to 2) moves ago, with its ko point; the starting board if there were fewer since the
    /// restart.
    pub fn copy_board_before(&self, moves: usize, board: &mut Board) {
        debug_assert!(moves <= 2, "only the last two moves can be taken back");
        board.clone_from(&self.board);
        for step in self.recent.iter().rev().take(moves) {
            match step {
                Step::Stone(undo) => board.undo(undo),
                Step::Pass(ko) => board.restore_ko(*ko),
            }
        }
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
        let Self { rules, to_move, phase, restart, connected, .. } = *from;
        (self.rules, self.to_move, self.phase, self.restart, self.connected) = (rules, to_move, phase, restart, connected);
        let Self { passes, button, button_taken, handicap, cleanup_played, awaits_judgement, outcome, .. } = *from;
        (self.passes, self.button, self.button_taken, self.handicap) = (passes, button, button_taken, handicap);
        (self.cleanup_played, self.awaits_judgement, self.outcome) = (cleanup_played, awaits_judgement, outcome);
    }
}
