//! Input planes and globals: a position as KataGo's networks see it (input set V7).
//!
//! What each plane means is public in KataGo's source; here it follows from [`Position`], which knows the rules. Everything is from the side
//! of the player to move. The numbers of planes and globals in these files are theirs.

mod globals;
mod ladders;

use crate::board::{Board, Color, GRID, Move, Point, PointSet, Size, Symmetry};
use crate::rules::{Owners, Phase, Position, Scoring};

use super::backend::{Inputs, PLANES};
use ladders::{Ladders, Memory};

/// What a network is told beside the position, and what is kept from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeatureOptions {
    /// Most past moves that are shown, 0 to 5. KataGo's GTP engine shows 5, its analysis engine none.
    pub history: usize,
    /// Hides that a pass would end the game if the end would not be a win, so that a network that is behind does not pass early.
    pub passing_hacks: bool,
    /// Hides that a pass would end the game, whatever the count. For the root of a search that must not rely on it.
    pub conservative_pass: bool,
    /// What a draw is worth to White, 0 to 1.
    pub draw_equivalent_wins_for_white: f32,
    /// How many times twice the visits White has, -3 to 3; negative if Black has more. 0 is an even game.
    pub playout_doubling_advantage: f32,
    /// [`Network::prefer_pass_alive`](super::Network::prefer_pass_alive) of the network asked.
    pub prefer_pass_alive: bool,
}

impl Default for FeatureOptions {
    fn default() -> Self {
        Self {
            history: MOST_HISTORY,
            passing_hacks: false,
            conservative_pass: false,
            draw_equivalent_wins_for_white: 0.5,
            playout_doubling_advantage: 0.0,
            prefer_pass_alive: false,
        }
    }
}

/// Past moves that have a plane.
const MOST_HISTORY: usize = 5;

/// The planes, or the first of several.
mod plane {
    pub(super) const ON_BOARD: usize = 0;
    /// The player to move's, then the opponent's.
    pub(super) const STONES: usize = 1;
    /// Chains with one liberty, two, three.
    pub(super) const LIBERTIES: usize = 3;
    pub(super) const KO_BARRED: usize = 6;
    pub(super) const KO_BLOCKED: usize = 7;
    /// The last move, the one before it, and so on.
    pub(super) const HISTORY: usize = 9;
    /// Ladders now, a move ago, two moves ago.
    pub(super) const LADDERS: usize = 14;
    pub(super) const LADDER_MOVES: usize = 17;
    /// The player to move's, then the opponent's.
    pub(super) const AREA: usize = 18;
    /// The player to move's, then the opponent's.
    pub(super) const SECOND_CLEANUP: usize = 20;
}

/// Turns positions into inputs. Each thread has its own: it keeps scratch memory, and remembers the ladders of the boards it saw last.
pub struct Features {
    places: Places,
    ladders: Memory,
}

/// Where the points of a board lie in the tensor.
struct Places {
    made_for: Option<(Size, Size, Symmetry)>,
    /// By grid index: where the planes of the point begin.
    first: [u32; GRID],
}

impl Places {
    fn prepare(&mut self, board: Size, tensor: Size, symmetry: Symmetry) {
        let wanted = Some((board, tensor, symmetry));
        if self.made_for != wanted {
            for (point, place) in board.points().zip(symmetry.places(board, tensor.width())) {
                self.first[point.index()] = (place * PLANES) as u32;
            }
            self.made_for = wanted;
        }
    }
}

/// The planes being filled.
struct Canvas<'a> {
    spatial: &'a mut [f32],
    first: &'a [u32; GRID],
}

impl Canvas<'_> {
    fn set(&mut self, plane: usize, point: Point) {
        self.spatial[self.first[point.index()] as usize + plane] = 1.0;
    }

    fn set_all(&mut self, plane: usize, points: &PointSet) {
        for point in points.iter() {
            self.set(plane, point);
        }
    }
}

impl Default for Features {
    fn default() -> Self {
        Self::new()
    }
}

impl Features {
    /// Remembers nothing yet.
    pub fn new() -> Self {
        Self { places: Places { made_for: None, first: [0; GRID] }, ladders: Memory::new() }
    }

    /// Writes what a network is to see of `position` into `out`, all but [`Inputs::meta`], which stays. The board is turned by `symmetry`
    /// (without the transposition if the tensor is no square). `tensor` is at least as large as the turned board.
    pub fn encode(&mut self, position: &Position, options: &FeatureOptions, tensor: Size, symmetry: Symmetry, out: &mut Inputs) {
        let (size, to_move) = (position.size(), position.to_move());
        let symmetry = symmetry.within(tensor);
        out.board = symmetry.size(size);
        out.tensor = tensor;
        debug_assert!(out.board.width() <= tensor.width() && out.board.height() <= tensor.height(), "{size} in {tensor}");
        out.spatial.clear();
        out.spatial.resize(tensor.area() * PLANES, 0.0);
        self.places.prepare(size, tensor, symmetry);
        let mut canvas = Canvas { spatial: &mut out.spatial, first: &self.places.first };

        draw_stones(&mut canvas, position.board(), to_move);
        draw_kos(&mut canvas, position);
        let score = draw_area(&mut canvas, position, options);
        let pass = Pass::of(position, options, score);
        let history = shown_history(position, options, pass);
        for (age, mv) in history.iter().rev().map(|&(_, mv)| mv).enumerate() {
            if let Some(point) = mv.point() {
                canvas.set(plane::HISTORY + age, point);
            }
        }
        self.ladders.read_last_three(position, history.len(), |age, ladders| draw_ladders(&mut canvas, ladders, age, to_move));
        if position.phase() == Phase::Cleanup2 {
            for point in size.points() {
                if let Some(color) = position.second_cleanup_start(point) {
                    canvas.set(plane::SECOND_CLEANUP + usize::from(color != to_move), point);
                }
            }
        }
        out.global = globals::globals(position, options, history, pass);
    }
}

/// What a pass now would do, as the network is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// Nothing but leave the turn.
    GoesOn,
    /// It would end the phase, or the game.
    Ends,
    /// It would end the game, but the network is not to know.
    EndsSecretly,
}

impl Pass {
    /// `score` is the count of the board as it stands, from the side of the player to move, if the rules count at this stage.
    fn of(position: &Position, options: &FeatureOptions, score: Option<f32>) -> Self {
        if !position.pass_would_end_phase() {
            return Self::GoesOn;
        }
        let no_win = score.is_some_and(|score| score <= 0.0);
        let secret = options.conservative_pass || is_friendly_pass(position) || (options.passing_hacks && no_win);
        if position.pass_would_end_game() && secret { Self::EndsSecretly } else { Self::Ends }
    }
}

/// True if a pass would be taken for an offer to agree on what is dead: under rules that allow that, it does not end the game in a search.
fn is_friendly_pass(position: &Position) -> bool {
    let rules = position.rules();
    rules.friendly_pass && rules.scoring == Scoring::Area && position.passes() == 1 && !position.pass_would_repeat()
}

/// The last moves that the network is shown, oldest first: at most five, none from an earlier phase or before the history last started,
/// and of a finished game just the last.
fn shown_history<'a>(position: &'a Position, options: &FeatureOptions, pass: Pass) -> &'a [(Color, Move)] {
    let most = match pass {
        Pass::EndsSecretly => 0,
        _ if position.is_over() => 1,
        _ => MOST_HISTORY,
    };
    let moves = position.connected_moves();
    &moves[moves.len().saturating_sub(most.min(options.history))..]
}

fn draw_stones(canvas: &mut Canvas, board: &Board, to_move: Color) {
    for point in board.size().points() {
        canvas.set(plane::ON_BOARD, point);
        let Some(color) = board.stone(point) else { continue };
        canvas.set(plane::STONES + usize::from(color != to_move), point);
        if board.head(point) == point {
            let liberties = board.liberties::<4>(point).len();
            if liberties < 4 {
                for stone in board.chain(point) {
                    canvas.set(plane::LIBERTIES + liberties - 1, stone);
                }
            }
        }
    }
}

fn draw_kos(canvas: &mut Canvas, position: &Position) {
    for &point in position.board().empties() {
        if position.is_barred(point) {
            canvas.set(plane::KO_BARRED, point);
        }
    }
    if position.phase() != Phase::Main {
        for point in position.size().points().filter(|&point| position.is_blocked(point)) {
            canvas.set(plane::KO_BLOCKED, point);
        }
    }
}

/// Draws whose area is where, and counts it from the side of the player to move, komi and all bonuses included: nothing where stones are
/// not counted yet, which under territory scoring is before the second cleanup phase.
fn draw_area(canvas: &mut Canvas, position: &Position, options: &FeatureOptions) -> Option<f32> {
    if position.rules().scoring == Scoring::Territory && position.phase() != Phase::Cleanup2 {
        return None;
    }
    let to_move = position.to_move();
    let (owners, tax): (Owners, i32) = position.formal_count(position.rules().suicide || options.prefer_pass_alive);
    canvas.set_all(plane::AREA, owners.of(to_move));
    canvas.set_all(plane::AREA + 1, owners.of(!to_move));
    let balance = (owners.balance() + tax) as f32 * to_move.sign();
    Some(balance + globals::self_komi(position, options))
}

fn draw_ladders(canvas: &mut Canvas, ladders: &Ladders, age: usize, to_move: Color) {
    canvas.set_all(plane::LADDERS + age, &ladders.caught);
    if age == 0 {
        canvas.set_all(plane::LADDER_MOVES, ladders.capturing_moves(to_move));
    }
}
