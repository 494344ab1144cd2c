//! The rules against a slow reference, and against known numbers.

#[path = "common/reference.rs"]
mod reference;
#[path = "common/reference_score.rs"]
mod reference_score;

use reference::{End, Ko, RefRules, Reference};
use tengen::board::{Board, Color, Move, Point, Size};
use tengen::rules::{KoRule, Outcome, Phase, Position, Rules, Scoring, Tax, legal_positions, pass_alive, perft};
use tengen::util::Rng;

/// Two games that must stay the same.
struct Pair {
    real: Position,
    slow: Reference,
    points: Vec<Point>,
}

fn stone(color: Option<Color>) -> u8 {
    color.map_or(0, |color| color.index() as u8 + 1)
}

impl Pair {
    fn new(width: usize, height: usize, rules: RefRules) -> Self {
        let size = Size::new(width, height).unwrap();
        let ko = match rules.ko {
            Ko::Simple => KoRule::Simple,
            Ko::Positional => KoRule::Positional,
            Ko::Situational => KoRule::Situational,
        };
        let real = Rules {
            ko,
            suicide: rules.suicide,
            scoring: if rules.territory { Scoring::Territory } else { Scoring::Area },
            button: rules.button,
            tax: [Tax::None, Tax::Seki, Tax::All][rules.tax as usize],
            komi: 0.0,
            ..Rules::default()
        };
        Self { real: Position::new(size, real), slow: Reference::new(width, height, rules), points: size.points().collect() }
    }

    fn random(rng: &mut Rng) -> Self {
        // Mostly small boards, where kos and captures crowd.
        let longest = [4, 6, 6, 8, 8, 13, 25][rng.below(7)];
        let (width, height) = (2 + rng.below(longest - 1), 2 + rng.below(longest - 1));
        let territory = rng.percent(50);
        let rules = RefRules {
            ko: [Ko::Simple, Ko::Positional, Ko::Situational][rng.below(3)],
            suicide: rng.percent(40),
            territory,
            button: !territory && rng.percent(30),
            tax: rng.below(3) as u8,
        };
        Self::new(width, height, rules)
    }

    /// A move that both games call legal, or a pass: now and then, and when a few tries find none.
    fn choose(&self, rng: &mut Rng, passes: u32) -> Option<usize> {
        if rng.percent(passes) {
            return None;
        }
        for _ in 0..12 {
            let number = rng.below(self.points.len());
            let legal = self.check_legal(number);
            // Mostly leave own eyes alone, or nothing ever lives.
            let own_eye = self.slow.near(number).all(|near| self.slow.now.cells[near] == self.slow.now.to_move);
            if legal && (!own_eye || rng.percent(10)) {
                return Some(number);
            }
        }
        None
    }

    fn check_legal(&self, number: usize) -> bool {
        let legal = self.real.is_legal(self.points[number].into());
        assert_eq!(legal, self.slow.is_legal(number), "{}", self.story(Some(number)));
        legal
    }

    fn story(&self, number: Option<usize>) -> String {
        let size = self.real.size();
        let moves: Vec<String> =
            self.real.moves().iter().map(|&(color, mv)| format!("{}{}", color.letter(), size.vertex(mv))).collect();
        let point = number.map_or(Move::PASS, |number| self.points[number].into());
        format!(
            "{:?} {:?} at {}, after {}\n{}",
            self.slow.rules,
            self.real.phase(),
            size.vertex(point),
            moves.join(" "),
            self.real.board()
        )
    }

    fn play(&mut self, number: Option<usize>) {
        let mv = number.map_or(Move::PASS, |number| self.points[number].into());
        let after = self.real.board().hash_after(self.real.to_move(), self.points[number.unwrap_or(0)]);
        let lifts_bar = number.is_some_and(|number| self.slow.unblocks(number).is_some());
        self.real.play(mv).unwrap();
        self.slow.play(number);
        assert!(mv.is_pass() || lifts_bar || self.real.board().hash() == after, "{}", self.story(number));
        self.check_stones();
    }

    /// What is cheap to compare after every move.
    fn check_stones(&self) {
        let board = self.real.board();
        for (&point, &cell) in self.points.iter().zip(&self.slow.now.cells) {
            assert_eq!(stone(board.stone(point)), cell, "{}", self.story(None));
        }
        assert_eq!([board.captures(Color::Black), board.captures(Color::White)], self.slow.captures);
        let ended = self.real.result().map(|outcome| if outcome == Outcome::NoResult { End::NoResult } else { End::Scored });
        assert_eq!(ended, self.slow.end, "{}", self.story(None));
        assert_eq!(self.real.phase() as usize, self.slow.phase, "{}", self.story(None));
        assert_eq!(self.real.button(), self.slow.now.button);
    }

    /// The rest: liberties and hash of the whole board, legality of every point, score.
    fn check_all(&self) {
        let board = self.real.board();
        let stones: Vec<_> = self.points.iter().map(|&point| (point, board.stone(point))).collect();
        let mut fresh = Board::new(board.size());
        fresh.set_up(&stones).unwrap();
        assert_eq!(fresh.hash(), board.hash());
        for (number, &point) in self.points.iter().enumerate() {
            self.check_legal(number);
            if self.slow.now.cells[number] != 0 {
                let (chain, liberties) = self.slow.chain(&self.slow.now.cells, number);
                assert_eq!(board.chain_length(point), chain.len(), "{}", self.story(Some(number)));
                assert_eq!(board.liberty_count(point), liberties.len(), "{}", self.story(Some(number)));
                assert_eq!(board.in_atari(point), liberties.len() == 1, "{}", self.story(Some(number)));
            }
        }
        if !self.slow.now.button {
            assert_eq!(self.real.formal_score(), self.slow.score(), "{}", self.story(None));
        }
        for color in Color::ALL {
            let found = pass_alive(board, color, self.slow.rules.suicide);
            let (chains, regions) = self.slow.pass_alive(stone(Some(color)));
            let alive: usize = chains.iter().map(Vec::len).sum();
            let settled: usize = regions.iter().filter(|(_, small)| *small).map(|(region, _)| region.len()).sum();
            assert_eq!((found.stones.len(), found.territory.len()), (alive, settled), "{color} {}", self.story(None));
        }
    }
}

/// Plays `total` random moves in games under all rules, comparing everything; returns how often rare things came up.
fn play_random(seed: u64, total: usize) -> Seen {
    let mut rng = Rng::new(seed);
    let mut seen = Seen::default();
    while seen.moves < total {
        let mut pair = Pair::random(&mut rng);
        let area = pair.points.len();
        let passes = [1, 5, 30][rng.below(3)];
        for turn in 0..4 * area + 10 {
            let choice = pair.choose(&mut rng, passes);
            seen.lifted += usize::from(choice.is_some_and(|number| pair.slow.unblocks(number).is_some()));
            pair.play(choice);
            seen.moves += 1;
            if turn % (area / 2 + 3) == 0 || pair.slow.end.is_some() {
                pair.check_all();
            }
            seen.cleanup += usize::from(pair.real.phase() != Phase::Main);
            if pair.slow.end.is_some() {
                seen.scored += usize::from(pair.slow.end == Some(End::Scored));
                seen.void += usize::from(pair.slow.end == Some(End::NoResult));
                break;
            }
        }
        seen.alive += usize::from(!pass_alive(pair.real.board(), Color::Black, false).stones.is_empty());
    }
    seen
}

#[derive(Default, Debug)]
struct Seen {
    moves: usize,
    scored: usize,
    void: usize,
    cleanup: usize,
    lifted: usize,
    alive: usize,
}

#[test]
fn a_million_random_moves_agree_with_the_reference() {
    let seen = play_random(1, 1_000_000);
    println!("{seen:?}");
    assert!(seen.scored > 1_000 && seen.void > 10 && seen.cleanup > 50_000 && seen.lifted > 100 && seen.alive > 100, "{seen:?}");
}

#[test]
fn numbers_of_legal_positions() {
    for (width, height, known) in [(2, 2, 57), (3, 3, 12_675), (2, 3, 489), (3, 4, 321_689)] {
        assert_eq!(legal_positions(Size::new(width, height).unwrap()), known, "{width}x{height}");
    }
}

#[test]
#[ignore = "slow"]
fn number_of_legal_positions_on_4x4() {
    assert_eq!(legal_positions(Size::square(4).unwrap()), 24_318_165);
}

fn slow_perft(slow: &Reference, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    if slow.end.is_some() {
        return 0;
    }
    let points = (0..slow.now.cells.len()).filter(|&point| slow.is_legal(point)).map(Some);
    points
        .chain([None])
        .map(|choice| {
            let mut next = slow.clone();
            next.play(choice);
            slow_perft(&next, depth - 1)
        })
        .sum()
}

#[test]
fn game_trees_have_the_reference_sizes() {
    for (width, height, depth) in [(2, 2, 8), (3, 2, 6), (3, 3, 4), (9, 9, 2)] {
        for ko in [Ko::Simple, Ko::Positional, Ko::Situational] {
            for (suicide, territory) in [(false, false), (true, false), (false, true)] {
                let pair = Pair::new(width, height, RefRules { ko, suicide, territory, button: false, tax: 0 });
                assert_eq!(perft(&pair.real, depth), slow_perft(&pair.slow, depth), "{width}x{height} {:?}", pair.slow.rules);
            }
        }
    }
}
