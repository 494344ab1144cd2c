//! The light policy: what a playout answers to the last moves, before it falls back to chance.

use arrayvec::ArrayVec;

use crate::board::{Board, Cell, Color, Point};
use crate::params::PlayoutParams;
use crate::util::Rng;

use super::moves::{self, Ladders, Moves};

/// Moves after the taking of a ko within which it is worth taking back.
const KO_AGE: usize = 3;

/// Adds what one kind of knowledge suggests to the list.
type Suggest = fn(&mut Board, Color, &Scene, &mut Moves);

/// A playout's state beyond its board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recent {
    /// The last two points played, the latest first; nothing for a pass.
    pub(super) last: [Option<Point>; 2],
    /// The last ko's mouth and the turn at which it was taken.
    pub(super) ko: Option<(Point, usize)>,
    /// Moves played so far.
    pub(super) turn: usize,
}

/// A reply by `color` to what just happened: each kind of move in turn has its chance, the urgent first, and of several moves of one kind
/// each is equally likely. Nothing if there is none.
pub(super) fn reply(board: &mut Board, params: &PlayoutParams, color: Color, recent: &Recent, rng: &mut Rng) -> Option<Point> {
    let kinds: [(u32, Suggest); 6] = [
        (params.nakade, nakade),
        (params.capture, captures),
        (params.atari, attacks),
        (params.liberties, defenses),
        (params.eye, eyes),
        (params.pattern, shapes),
    ];
    if let Some(ko) = retaking(board, color, recent)
        && rng.percent(params.ko)
    {
        return Some(ko);
    }
    let scene = Scene::new(board, recent.last);
    let mut moves = Moves::new();
    for (percent, suggest) in kinds {
        if rng.percent(percent) {
            suggest(board, color, &scene, &mut moves);
            let choice = choose(&mut moves, rng, |mv, rng| is_fit(board, color, mv, params.self_atari, rng));
            if choice.is_some() {
                return choice;
            }
        }
    }
    None
}

/// Where to look: the last two moves and the chains in danger at and beside them.
struct Scene {
    last: ArrayVec<Point, 2>,
    /// Chains in atari at and beside both moves; some may be named twice.
    in_atari: ArrayVec<Point, 10>,
    /// Chains of two liberties at and beside the latest move.
    with_two: ArrayVec<(Point, [Point; 2]), 5>,
}

impl Scene {
    #[inline]
    fn new(board: &Board, last: [Option<Point>; 2]) -> Self {
        let mut scene = Self { last: last.into_iter().flatten().collect(), in_atari: ArrayVec::new(), with_two: ArrayVec::new() };
        for (age, last) in last.into_iter().enumerate() {
            let Some(last) = last else { continue };
            let [a, b, c, d] = board.around(last.index());
            for near in [last.index(), a, b, c, d] {
                let near = Point::from_index(near);
                if board.cell(near.index()).color().is_none() || !board.has_few_liberties(near) {
                    continue;
                }
                let head = board.head(near);
                if board.in_atari(head) {
                    scene.in_atari.push(head);
                } else if age == 0
                    && let Some(liberties) = board.two_liberties(head)
                    && !scene.with_two.iter().any(|&(other, _)| other == head)
                {
                    scene.with_two.push((head, liberties));
                }
            }
        }
        scene
    }
}

/// True if a suggested move may be played: it is legal, fills no eye, and is no bad self-atari or gets away with it.
fn is_fit(board: &Board, color: Color, mv: Point, percent_refused: u32, rng: &mut Rng) -> bool {
    board.is_legal(color, mv)
        && !board.is_true_eye(color, mv)
        && !(moves::is_bad_self_atari(board, color, mv) && rng.percent(percent_refused))
}

/// Any fit one of `moves`, each equally likely. `moves` is then empty.
fn choose(moves: &mut Moves, rng: &mut Rng, mut is_fit: impl FnMut(Point, &mut Rng) -> bool) -> Option<Point> {
    while !moves.is_empty() {
        let mv = moves.swap_remove(rng.below(moves.len()));
        if is_fit(mv, rng) {
            moves.clear();
            return Some(mv);
        }
    }
    None
}

/// The point that takes back a ko taken a short while ago.
fn retaking(board: &Board, color: Color, recent: &Recent) -> Option<Point> {
    let (mouth, taken) = recent.ko?;
    (recent.turn - taken <= KO_AGE && board.is_legal(color, mouth) && board.ko_capture(color, mouth).is_some()).then_some(mouth)
}

/// The vital points of small eye spaces beside the last move.
fn nakade(board: &mut Board, _: Color, scene: &Scene, found: &mut Moves) {
    let Some(&last) = scene.last.first() else { return };
    let is_empty = |&near: &usize| board.cell(near) == Cell::EMPTY;
    let around = board.around(last.index());
    // A stone with more room around it is at the edge of no small eye space.
    if around.iter().filter(|near| is_empty(near)).count() <= 2 {
        for near in around.into_iter().filter(is_empty) {
            if let Some(point) = moves::vital_point(board, Point::from_index(near)) {
                moves::suggest(found, point);
            }
        }
    }
}

/// Captures and saves of the chains in atari.
fn captures(board: &mut Board, color: Color, scene: &Scene, found: &mut Moves) {
    for &chain in &scene.in_atari {
        moves::settle_atari(board, color, chain, Ladders::AtTheEdge, found);
    }
}

/// Catching of enemy chains of two liberties.
fn attacks(board: &mut Board, color: Color, scene: &Scene, found: &mut Moves) {
    for &(chain, liberties) in &scene.with_two {
        if board.stone(chain) != Some(color) {
            moves::attacks(board, color, chain, liberties, found);
        }
    }
}

/// Freeing of own chains of two liberties.
fn defenses(board: &mut Board, color: Color, scene: &Scene, found: &mut Moves) {
    for &(chain, liberties) in &scene.with_two {
        if board.stone(chain) == Some(color) {
            moves::defenses(board, color, chain, liberties, Ladders::AtTheEdge, found);
        }
    }
}

/// Eyes that the last move threatens.
fn eyes(board: &mut Board, color: Color, scene: &Scene, found: &mut Moves) {
    let keeper = scene.last.first().and_then(|&last| moves::eye_keeper(board, color, last));
    if let Some(point) = keeper {
        moves::suggest(found, point);
    }
}

/// Good shapes next to the last moves.
fn shapes(board: &mut Board, _: Color, scene: &Scene, found: &mut Moves) {
    for &last in &scene.last {
        for near in board.eight_around(last.index()) {
            if board.cell(near) == Cell::EMPTY && board.has_shape(Point::from_index(near)) {
                moves::suggest(found, Point::from_index(near));
            }
        }
    }
}
