//! The checker of local proofs, on small boards drawn at random and some that are known.

use std::time::Duration;

use super::*;
use crate::board::draw;
use crate::rules::Rules;
use crate::solve::local::PASS;
use crate::util::Rng;

/// A question on a small board.
struct Case {
    position: Position,
    region: Region,
    site: Site,
    laid: Option<Board>,
}

impl Case {
    fn new(board: &Board, points: PointSet, target: Point, closed: PointSet, suicide: bool) -> Self {
        let defender = board.stone(target).unwrap();
        let target = board.chain(target).filter(|&stone| points.contains(stone)).collect();
        let region = Region { points, target, defender, closed, weight: 1.0 };
        let rules = Rules { suicide, ..Rules::parse("tromp-taylor").unwrap() };
        let position = Position::from_board(board.clone(), Color::Black, rules);
        let site = Site::new(&position, &region).unwrap();
        let laid = lay_out(board, &region);
        Self { position, region, site, laid }
    }

    /// Who wins when one side is free to retake, if that is proved soon, and what the checker says if `claimed` is.
    fn check(&self, first: Color, free: Color, claimed: Color) -> Option<(Color, Played)> {
        let question = self.site.question(first, free);
        let (mut memory, stop) = (Memory::new(1 << 22), StopFlag::new());
        let limits = Limits { nodes: 20_000, deadline: None, stop: &stop };
        let mut local = Local::new(&self.site.field, &question, &mut memory, limits);
        let captured = local.ask(&question).captured?;
        let winner = if captured { !self.region.defender } else { self.region.defender };
        let mut reply = |path: &[Stones], state: State| known(&local.ask_later(path, state, 20_000), &self.site);
        Some((winner, self.replay(Claim { first, free: claimed, winner }, &mut reply, 5_000)))
    }

    /// A point of the region that is empty, or else the pass.
    fn any_move(&self, state: State, rng: &mut Rng) -> Known {
        let empty = self.site.field.all() & !(state.stones[0] | state.stones[1]);
        let bits: Vec<u8> = (0..64).filter(|&bit| empty >> bit & 1 == 1).collect();
        let mv = bits.get(rng.below(bits.len().max(1))).map_or(PASS, |&bit| bit);
        Known::Wins(self.site.read_move(mv))
    }

    fn replay(&self, claim: Claim, reply: &mut Reply<'_>, positions: u64) -> Played {
        let Self { position, region, site, laid } = self;
        let start = Start { board: laid.as_ref().unwrap(), position, site, region };
        let stop = StopFlag::new();
        let bounds = Bounds { positions, deadline: Instant::now() + Duration::from_secs(60), stop: &stop };
        replay(&start, claim, &[], reply, bounds)
    }
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let board = self.position.board();
        let mark = |point| board.stone(point).map_or('.', |color| if color == Color::Black { 'X' } else { 'O' });
        let names = |set: &PointSet| set.iter().map(|point| board.size().vertex(point)).collect::<Vec<_>>().join(" ");
        let Region { points, target, closed, .. } = &self.region;
        writeln!(f, "{}", draw(board.size(), mark))?;
        write!(f, "target {}; in {}; closed {}", names(target), names(points), names(closed))
    }
}

/// Stones at random on a small board, a part of it as the region, and a chain there.
fn random(rng: &mut Rng) -> Option<Case> {
    let size = Size::square(6).unwrap();
    let share = 4 + rng.below(5);
    let mut board = Board::new(size);
    for point in size.points() {
        let color = Color::ALL[rng.below(2)];
        if rng.below(10) < share && board.is_legal(color, point) {
            board.play(color, point);
        }
    }
    let (width, height) = (3 + rng.below(3), 3 + rng.below(2));
    let is_in = |&point: &Point| {
        let coord = size.coord(point);
        usize::from(coord.x) < width && usize::from(coord.y) < height
    };
    let points: PointSet = size.points().filter(is_in).collect();
    let stones: Vec<Point> = points.iter().filter(|&point| !board.is_empty(point)).collect();
    let target = *stones.get(rng.below(stones.len().max(1)))?;
    let is_next = |&point: &Point| board.is_empty(point) && !points.contains(point);
    let closed = size.points().filter(is_next).filter(|_| rng.below(2) == 0).collect();
    Some(Case::new(&board, points, target, closed, rng.below(4) == 0))
}

/// Half a second in all.
const RANDOM: usize = 300;

#[test]
fn proofs_of_random_problems_can_be_played_out() {
    let mut rng = Rng::new(7);
    let (mut whole, mut part, mut kos, mut caught) = (0, 0, 0, 0);
    for _ in 0..RANDOM {
        let Some(case) = random(&mut rng).filter(|case| case.laid.is_some()) else { continue };
        for first in Color::ALL {
            let winners = Color::ALL.map(|free| {
                let (winner, checked) = case.check(first, free, free)?;
                let (_, ended) = checked.unwrap_or_else(|error| panic!("{first} first, {free} free: {error}\n{case}"));
                whole += u32::from(ended);
                part += u32::from(!ended);
                // Nobody can play out the contrary.
                let claim = Claim { first, free, winner: !winner };
                let wrong = case.replay(claim, &mut |_, state| case.any_move(state, &mut rng), 5_000);
                assert!(!matches!(wrong, Ok((_, true))), "{claim:?}\n{case}");
                caught += u32::from(wrong.is_err());
                Some(winner)
            });
            kos += u32::from(winners[0].is_some() && winners[1].is_some() && winners[0] != winners[1]);
        }
    }
    println!("{whole} proofs played out, {part} in part, {caught} wrong claims caught; {kos} questions hang on a ko");
    assert!(whole > 1000 && caught > 1000 && kos >= 3, "{whole}, {caught}, {kos}");
}

#[test]
fn who_wins_by_a_ko_does_not_win_without() {
    // White's eye at A6 is a ko.
    let board = Board::from_drawing(
        "
        . O X . . .
        O X X . . .
        O O X . . .
        . O X . . .
        O O X . . .
        X X X . . .",
    )
    .unwrap();
    let size = board.size();
    let at = |vertex: &str| size.parse_vertex(vertex).unwrap().point().unwrap();
    let points = ["A6", "B6", "A5", "B5", "A4", "B4", "A3", "B3", "A2", "B2"].map(at).into_iter().collect();
    let case = Case::new(&board, points, at("A4"), PointSet::EMPTY, false);
    for free in Color::ALL {
        let (winner, checked) = case.check(Color::Black, free, free).unwrap();
        assert!(winner == free && checked.as_ref().is_ok_and(|&(_, ended)| ended), "{free} free: {winner} wins, {checked:?}");
        let (_, checked) = case.check(Color::Black, free, !free).unwrap();
        assert!(matches!(checked, Err(Unsolved::Broken(_))), "{free} free: {checked:?}");
    }
}
