//! Fights read out in a moment: which chains can be taken or saved by whoever moves first there. A ladder is read across the board, a race or an eye by proof within
//! a few points around the chain, where all else stands as it is.

use std::collections::HashMap;
use std::time::Instant;

use super::local::{Limits, Local};
use super::memory::Memory;
use super::region::{Region, narrow};
use super::site::Site;
use crate::board::{Board, Color, Point, PointSet};
use crate::playout::moves::{Atari, Ladders, Moves, atari, defenses, settle_atari};
use crate::rules::{Phase, Position};
use crate::util::StopFlag;

/// Chains of more liberties than this are not in question.
const MOST_LIBERTIES: usize = 4;
/// Positions looked at for a question. Fights of up to five moves are proved by so many, most of the time.
const NODES: u64 = 600;
/// Bytes for what is remembered within a question.
const MEMORY: u64 = 1 << 17;
/// Answers kept. When there are more, all are forgotten.
const MOST_KNOWN: usize = 4_000;

/// Moves that settle what becomes of stones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vital {
    /// How many stones hang on it.
    pub stones: usize,
    /// Each takes them, or saves them, as far as was read. If the opponent moves first instead, that is no longer so.
    pub moves: Vec<Point>,
}

/// All that an answer follows from. What is far away is not among it, so that an answer holds until somebody plays nearby.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Question {
    target: PointSet,
    region: PointSet,
    /// The stones of each colour in the region and next to it.
    stones: [PointSet; 2],
    ko: Option<Point>,
    to_move: Color,
    suicide: bool,
}

/// What is vital about one chain, and the positions that it took.
#[derive(Clone, Debug, Default)]
struct Answer {
    moves: Vec<Point>,
    nodes: u64,
}

/// Reads, and remembers what it has read.
pub struct Reader {
    known: HashMap<Question, Answer>,
    memory: Memory,
}

impl Default for Reader {
    fn default() -> Self {
        Self { known: HashMap::new(), memory: Memory::new(MEMORY) }
    }
}

impl Reader {
    /// What is vital for the player to move in `position`. Ends after so many positions, those of answers that were known counted too, so that the same is found
    /// whatever was read before; or at `end`.
    pub fn read(&mut self, position: &Position, nodes: u64, end: Option<Instant>) -> Vec<Vital> {
        if position.phase() != Phase::Main {
            return Vec::new();
        }
        if self.known.len() > MOST_KNOWN {
            self.known.clear();
        }
        let board = position.board();
        let mut vital = Vec::new();
        let mut left = nodes;
        for chain in weak_chains(board) {
            if left == 0 || end.is_some_and(|end| Instant::now() >= end) {
                break;
            }
            let mut moves = ladders(board, position.to_move(), chain);
            let answer = self.fight(position, chain);
            left = left.saturating_sub(answer.nodes);
            moves.extend(answer.moves);
            moves.sort_unstable();
            moves.dedup();
            moves.retain(|&point| position.is_legal(point.into()));
            if !moves.is_empty() {
                vital.push(Vital { stones: board.chain_length(chain), moves });
            }
        }
        vital
    }

    /// What a proof says about the chain at `chain`.
    fn fight(&mut self, position: &Position, chain: Point) -> Answer {
        let board = position.board();
        let Some(defender) = board.stone(chain) else { return Answer::default() };
        let region = narrow(board, chain, defender);
        let around: PointSet = region.points.iter().flat_map(|point| board.neighbors(point).chain([point])).collect();
        let stones = Color::ALL.map(|color| around.iter().filter(|&point| board.stone(point) == Some(color)).collect());
        let question = Question {
            target: region.target,
            region: region.points,
            stones,
            ko: board.ko().filter(|&ko| around.contains(ko)),
            to_move: position.to_move(),
            suicide: position.rules().suicide,
        };
        if let Some(answer) = self.known.get(&question) {
            return answer.clone();
        }
        let answer = self.prove(position, &region);
        self.known.insert(question, answer.clone());
        answer
    }

    /// Asks whether who moves first decides, with all kos against the player to move.
    fn prove(&mut self, position: &Position, region: &Region) -> Answer {
        let Ok(site) = Site::new(position, region) else { return Answer::default() };
        let (me, defender) = (position.to_move(), region.defender);
        let attacker = !defender;
        let (mut nodes, stop) = (0, StopFlag::new());
        let mut ask = |first: Color| {
            let question = site.question(first, !me);
            let limits = Limits { nodes: NODES, deadline: None, stop: &stop };
            let mut local = Local::new(&site.field, &question, &mut self.memory, limits);
            let found = local.ask(&question);
            nodes += local.nodes;
            found
        };
        // Nothing is at stake where even the first move does not take it.
        let attack = ask(attacker);
        let mut moves = Vec::new();
        if attack.captured == Some(true) {
            let defense = ask(defender);
            // An attack is for nothing where a defence fails, too.
            let winning = match (me == attacker, defense.captured) {
                (true, Some(true)) => Vec::new(),
                (true, _) => attack.winning,
                (false, _) => defense.winning,
            };
            moves = winning.into_iter().filter_map(|mv| site.read_move(mv).point()).collect();
        }
        Answer { moves, nodes }
    }
}

/// The chains that may be in question, those first on which most hangs.
fn weak_chains(board: &Board) -> Vec<Point> {
    let heads = board.size().points().filter(|&point| !board.is_empty(point) && board.head(point) == point);
    let mut chains: Vec<Point> = heads.filter(|&head| board.liberty_count(head) <= MOST_LIBERTIES).collect();
    chains.sort_by_key(|&head| std::cmp::Reverse(board.chain_length(head)));
    chains
}

/// Moves of `color` that settle a ladder of the chain at `chain`.
fn ladders(board: &Board, color: Color, chain: Point) -> Vec<Point> {
    let (mut board, mut found) = (board.clone(), Moves::new());
    if board.in_atari(chain) {
        settle_atari(&mut board, color, chain, Ladders::Everywhere, &mut found);
    } else if let Some([a, b]) = board.two_liberties(chain) {
        if board.stone(chain) == Some(color) {
            defenses(&mut board, color, chain, [a, b], Ladders::Everywhere, &mut found);
        } else {
            let catches = |pair: &[Point; 2]| atari(&mut board, color, chain, *pair, Ladders::Everywhere) == Some(Atari::Catches);
            found.extend([[a, b], [b, a]].into_iter().filter(catches).map(|pair| pair[0]));
        }
    }
    found.to_vec()
}
