//! Symmetric positions: of moves that are one another's mirror images, one is searched and tells of the others.

use crate::board::{Color, Coord, Move, Size, Symmetry};
use crate::eval::Evaluator;
use crate::params::SearchParams;
use crate::rules::{Phase, Position};
use crate::search::{Candidate, Limits, Listener, Report, Restriction, Search, SearchOptions};
use crate::util::StopFlag;

/// [`Search::run`], but if the settings say so, and nothing is restricted, with one move for all that mirror it.
pub(crate) fn run(
    search: &mut Search<Position>,
    evaluators: &mut [Box<dyn Evaluator<Position>>],
    params: &SearchParams,
    limits: &Limits,
    options: &SearchOptions,
    stop: &StopFlag,
    listener: Option<Listener<'_, Move>>,
) -> Report {
    let mirror = Mirror::of(search.root());
    if !params.prune_symmetry || !options.restrictions.is_empty() || mirror.images.is_empty() {
        return search.run(evaluators, params, limits, options, stop, listener);
    }
    let left_out = Restriction {
        player: search.root().to_move().index(),
        actions: mirror.images.iter().map(|image| image.mv).collect(),
        only: false,
        until_depth: 1,
    };
    let options = SearchOptions { restrictions: vec![left_out], ..options.clone() };
    let mut telling = listener.map(|listener| {
        let mirror = &mirror;
        let tell = move |report: &Report| (listener.tell)(&mirror.complete(report.clone()));
        (listener.interval, tell)
    });
    let listener = telling.as_mut().map(|(interval, tell)| Listener { interval: *interval, tell });
    let report = search.run(evaluators, params, limits, &options, stop, listener);
    mirror.complete(report)
}

/// What is symmetric in a position.
struct Mirror {
    size: Size,
    /// The symmetries that leave it as it is, the identity not among them.
    symmetries: Vec<Symmetry>,
    images: Vec<Image>,
}

/// A move that another one stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Image {
    mv: Move,
    /// The one that is searched.
    of: Move,
    /// What turns that into this.
    by: Symmetry,
}

impl Mirror {
    /// Of moves that mirror each other Black's is the one towards the upper right and White's the one towards the lower left, as games are
    /// written by custom. Ko and superko count as far as they forbid a move now.
    fn of(position: &Position) -> Self {
        let size = position.size();
        let mut mirror = Self { size, symmetries: Vec::new(), images: Vec::new() };
        if position.phase() != Phase::Main {
            return mirror;
        }
        let turns = Symmetry::ALL.into_iter().skip(1).filter(|symmetry| symmetry.size(size) == size);
        mirror.symmetries = turns.filter(|&symmetry| is_symmetric(position, symmetry)).collect();
        if mirror.symmetries.is_empty() {
            return mirror;
        }
        let sign = if position.to_move() == Color::Black { 1 } else { -1 };
        let custom = |mv: &Move| {
            let Coord { x, y } = mv.point().map_or(Coord { x: 0, y: 0 }, |point| size.coord(point));
            let (right, up) = (sign * i32::from(x), -sign * i32::from(y));
            (right + up, right)
        };
        for mv in position.legal_moves() {
            let others = mirror.symmetries.iter().map(|&by| (turned(size, mv, by.inverse()), by));
            if let Some((of, by)) = others.max_by_key(|(of, _)| custom(of)).filter(|(of, _)| custom(of) > custom(&mv)) {
                mirror.images.push(Image { mv, of, by });
            }
        }
        mirror
    }

    /// The report with each move's images behind it, and what is said of points the same for all that mirror each other.
    fn complete(&self, report: Report) -> Report {
        let mut candidates = Vec::with_capacity(report.candidates.len() + self.images.len());
        for candidate in report.candidates {
            let images = self.images.iter().filter(|image| image.of == candidate.mv);
            let copies: Vec<Candidate> = images.map(|image| self.copy(&candidate, image)).collect();
            candidates.push(candidate);
            candidates.extend(copies);
        }
        candidates.iter_mut().enumerate().for_each(|(order, candidate)| candidate.order = order);
        Report {
            candidates,
            ownership: self.evened(&report.ownership),
            ownership_stdev: self.evened(&report.ownership_stdev),
            ..report
        }
    }

    fn copy(&self, candidate: &Candidate, image: &Image) -> Candidate {
        let points = |figures: &Vec<f32>| self.turned(figures, image.by);
        Candidate {
            mv: image.mv,
            mirrors: Some(image.of),
            pv: candidate.pv.iter().map(|&mv| turned(self.size, mv, image.by)).collect(),
            ownership: candidate.ownership.as_ref().map(points),
            ownership_stdev: candidate.ownership_stdev.as_ref().map(points),
            ..candidate.clone()
        }
    }

    /// The mean over all symmetries.
    fn evened(&self, figures: &[f32]) -> Vec<f32> {
        let mut sum = figures.to_vec();
        for &symmetry in &self.symmetries {
            sum.iter_mut().zip(self.turned(figures, symmetry)).for_each(|(sum, figure)| *sum += figure);
        }
        sum.into_iter().map(|sum| sum / (1.0 + self.symmetries.len() as f32)).collect()
    }

    /// Figures of points, row by row, on the turned board.
    fn turned(&self, figures: &[f32], by: Symmetry) -> Vec<f32> {
        let mut turned = figures.to_vec();
        for (&figure, place) in figures.iter().zip(by.places(self.size, self.size.width())) {
            turned[place] = figure;
        }
        turned
    }
}

/// A move on the turned board, which has the same size.
fn turned(size: Size, mv: Move, by: Symmetry) -> Move {
    let point = mv.point().and_then(|point| size.at(by.turn(size, size.coord(point))));
    point.map_or(Move::PASS, Move::from)
}

/// Whether a position is its own mirror image by `symmetry`: the stones, and what may be played.
fn is_symmetric(position: &Position, symmetry: Symmetry) -> bool {
    let (size, board) = (position.size(), position.board());
    let pairs = || {
        let there = |point| size.at(symmetry.turn(size, size.coord(point)));
        size.points().filter_map(move |point| Some((point, there(point)?)))
    };
    pairs().all(|(point, there)| board.stone(point) == board.stone(there))
        && pairs().all(|(point, there)| position.is_legal(point.into()) == position.is_legal(there.into()))
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeMap;

    use super::{Mirror, run};
    use crate::board::{Board, Color, Size};
    use crate::eval::{Evaluator, Uniform};
    use crate::params::{Settings, Table};
    use crate::rules::{Position, Rules};
    use crate::search::{Limits, Listener, Report, Search, SearchOptions};
    use crate::util::{Rng, StopFlag};

    /// The game with these moves, by their names.
    pub(crate) fn after(size: Size, moves: &[&str]) -> Position {
        let mut position = Position::new(size, Rules::default());
        for mv in moves {
            position.play(size.parse_vertex(mv).unwrap()).unwrap();
        }
        position
    }

    /// How many images there are, and of how many moves.
    fn images(size: Size, moves: &[&str]) -> (usize, usize) {
        let mirror = Mirror::of(&after(size, moves));
        let mut originals: Vec<_> = mirror.images.iter().map(|image| image.of).collect();
        originals.sort();
        originals.dedup();
        assert!(mirror.images.iter().all(|image| !originals.contains(&image.mv)));
        (mirror.images.len(), originals.len())
    }

    #[test]
    fn of_moves_that_mirror_each_other_one_is_left() {
        let (five, oblong) = (Size::square(5).unwrap(), Size::new(5, 4).unwrap());
        // An eighth of the board: six points of 25, one of which is its own image.
        assert_eq!(images(five, &[]), (19, 5));
        assert_eq!(images(oblong, &[]), (14, 6));
        // By one diagonal.
        assert_eq!(images(five, &["D4"]), (10, 10));
        assert_eq!(images(five, &["C3"]), (19, 5));
        assert_eq!(images(five, &["C4"]), (10, 10));
        assert_eq!(images(five, &["B4", "C2"]), (0, 0));
        // Half a turn.
        assert_eq!(images(five, &["A2", "C3", "E4"]), (11, 11));
    }

    #[test]
    fn what_ko_forbids_is_not_symmetric() {
        let drawing = ". . X O . . . O X . .\n. X . X O . O . O X .\n. . X O . . . O X . .";
        let mut position = Position::from_board(Board::from_drawing(drawing).unwrap(), Color::Black, Rules::default());
        // Black takes on the right as on the left, but only on the right White may not take back at once.
        position.play(position.size().point(7, 1).unwrap().into()).unwrap();
        assert_eq!(Mirror::of(&position).symmetries.len(), 1, "top and bottom");
        let board = position.board().clone();
        assert_eq!(Mirror::of(&Position::from_board(board, Color::White, Rules::default())).symmetries.len(), 3);
    }

    #[test]
    fn black_plays_on_the_right_and_white_on_the_left() {
        let size = Size::STANDARD;
        let black = Mirror::of(&after(size, &[]));
        let white = Mirror::of(&after(size, &["K10"]));
        let original = |mirror: &Mirror, name: &str| {
            let mv = size.parse_vertex(name).unwrap();
            let of = mirror.images.iter().find(|image| image.mv == mv).map_or(mv, |image| image.of);
            size.vertex(of)
        };
        for name in ["D3", "C4", "C16", "D17", "Q17", "R16", "R4", "Q3"] {
            assert_eq!((original(&black, name), original(&white, name)), ("R16".to_owned(), "C4".to_owned()), "{name}");
        }
    }

    #[test]
    fn points_are_evened_out_and_turned() {
        let size = Size::new(3, 2).unwrap();
        let mirror = Mirror::of(&after(size, &["B1"]));
        assert_eq!(mirror.symmetries.len(), 1);
        let figures = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        assert_eq!(mirror.turned(&figures, mirror.symmetries[0]), [3.0, 2.0, 1.0, 6.0, 5.0, 4.0]);
        assert_eq!(mirror.evened(&figures), [2.0, 2.0, 2.0, 5.0, 5.0, 5.0]);
        assert!(mirror.evened(&[]).is_empty());
    }

    #[test]
    fn one_is_searched_and_tells_of_all() {
        let size = Size::square(5).unwrap();
        let root = after(size, &[]);
        let mut settings = Settings::default();
        let mut look = |prune: &str| {
            settings.set("rootSymmetryPruning", prune).unwrap();
            let mut evaluators: [Box<dyn Evaluator<Position>>; 1] = [Box::new(Uniform::new(Rng::new(1)))];
            let mut search = Search::new(root.clone(), 4 << 20);
            let (limits, stop) = (Limits { visits: Some(400), ..Limits::default() }, StopFlag::new());
            let options = SearchOptions { moves_ownership: true, ..SearchOptions::default() };
            let mut told = 0;
            let mut tell = |report: &Report| told = told.max(report.candidates.len());
            let listener = Listener { interval: std::time::Duration::ZERO, tell: &mut tell };
            let report = run(&mut search, &mut evaluators, &settings.search, &limits, &options, &stop, Some(listener));
            assert!(told == 0 || told == 26);
            report
        };
        let (report, all) = (look("true"), look("false"));
        assert_eq!((report.candidates.len(), all.candidates.len()), (26, 26));
        assert!(all.candidates.iter().all(|candidate| candidate.mirrors.is_none()));
        let by_move: BTreeMap<_, _> = report.candidates.iter().map(|candidate| (candidate.mv, candidate)).collect();
        assert_eq!(by_move.len(), 26);
        let searched = report.candidates.iter().filter(|candidate| candidate.mirrors.is_none());
        assert_eq!(searched.map(|candidate| candidate.visits).sum::<u64>(), report.visits);
        for (order, candidate) in report.candidates.iter().enumerate() {
            assert_eq!(candidate.order, order);
            assert_eq!(candidate.pv[0], candidate.mv);
            let Some(of) = candidate.mirrors else { continue };
            let original = by_move[&of];
            assert!(original.mirrors.is_none() && original.order < order);
            assert_eq!(
                (candidate.visits, candidate.winrate, candidate.pv.len()),
                (original.visits, original.winrate, original.pv.len())
            );
        }
    }
}
