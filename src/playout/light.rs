//! The light policy: what a playout answers to the last moves, before it falls back to chance.

use arrayvec::ArrayVec;

use crate::board::{Board, Cell, Color, Point, Shapes};
use crate::params::PlayoutParams;
use crate::util::Rng;

use super::moves::{self, Ladders, Moves};

/// Moves after the taking of a ko within which it is worth taking back.
const KO_AGE: usize = 3;

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
    if let Some(ko) = retaking(board, color, recent)
        && rng.percent(params.ko)
    {
        return Some(ko);
    }
    let scene = Scene::new(board, recent.last);
    let mut search = Search { board, color, scene, self_atari: params.self_atari, rng };
    search
        .one_of(params.nakade, nakade)
        .or_else(|| search.one_of(params.capture, captures))
        .or_else(|| search.one_of(params.atari, attacks))
        .or_else(|| search.one_of(params.liberties, defenses))
        .or_else(|| search.one_of(params.eye, eyes))
        .or_else(|| search.one_of(params.pattern, shapes))
}

/// One search for a reply.
struct Search<'a> {
    board: &'a mut Board,
    color: Color,
    scene: Scene,
    /// How often bad self-atari is refused, in percent.
    self_atari: u32,
    rng: &'a mut Rng,
}

impl Search<'_> {
    /// With a chance of `percent`: any fit one of the moves that `suggest` finds.
    #[inline(always)]
    fn one_of(&mut self, percent: u32, suggest: impl FnOnce(&mut Board, Color, &Scene, &mut Moves)) -> Option<Point> {
        if !self.rng.percent(percent) {
            return None;
        }
        let mut moves = Moves::new();
        suggest(self.board, self.color, &self.scene, &mut moves);
        while !moves.is_empty() {
            let mv = moves.swap_remove(self.rng.below(moves.len()));
            if self.is_fit(mv) {
                return Some(mv);
            }
        }
        None
    }

    /// True if a suggested move may be played: it is legal, fills no eye, and is no bad self-atari or gets away with it.
    fn is_fit(&mut self, mv: Point) -> bool {
        self.board.is_legal(self.color, mv)
            && !self.board.is_true_eye(self.color, mv)
            && !(moves::is_bad_self_atari(self.board, self.color, mv) && self.rng.percent(self.self_atari))
    }
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
            let places = [last.index(), a, b, c, d];
            // All five are tested before any is looked at: each alone goes both ways too often to be guessed.
            let in_danger = |&near: &usize| board.cell(near).is_stone() & board.has_few_liberties(Point::from_index(near));
            for place in set_bits(places.each_ref().map(in_danger)) {
                let near = Point::from_index(places[place]);
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

/// The point that takes back a ko taken a short while ago.
fn retaking(board: &Board, color: Color, recent: &Recent) -> Option<Point> {
    let (mouth, taken) = recent.ko?;
    (recent.turn - taken <= KO_AGE && board.is_legal(color, mouth) && board.ko_capture(color, mouth).is_some()).then_some(mouth)
}

/// The vital points of small eye spaces beside the last move.
fn nakade(board: &mut Board, _: Color, scene: &Scene, found: &mut Moves) {
    let Some(&last) = scene.last.first() else { return };
    let around = board.around(last.index());
    let is_empty = around.map(|near| board.cell(near) == Cell::EMPTY);
    // A stone with more room around it is at the edge of no small eye space.
    if is_empty.iter().filter(|&&empty| empty).count() <= 2 {
        for place in set_bits(is_empty) {
            if let Some(point) = moves::vital_point(board, Point::from_index(around[place])) {
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
    let good = Shapes::all();
    for &last in &scene.last {
        let places = board.eight_around(last.index());
        for place in set_bits(places.each_ref().map(|&near| board.cell(near) == Cell::EMPTY)) {
            let near = Point::from_index(places[place]);
            if good.fit(board, near) {
                moves::suggest(found, near);
            }
        }
    }
}

/// The places at which `tests` hold, found with one branch for each instead of one for every test.
#[inline]
fn set_bits<const N: usize>(tests: [bool; N]) -> impl Iterator<Item = usize> {
    let mut bits = tests.iter().rev().fold(0_u32, |bits, &test| bits << 1 | u32::from(test));
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let place = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            place
        })
    })
}
