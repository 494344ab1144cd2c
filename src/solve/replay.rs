//! The checker of local proofs: plays a proof out against every answer, by the rules of [`Position`] with the whole history, on a board whose surroundings are laid out to stand as the question takes
//! them to. It shares nothing with the search but the question which move to play.
//!
//! Superko is positional here. Who is free to retake every ko does so as if a threat elsewhere had been answered: the whole board is then a new one, and nothing of before can come again. The other side
//! repeats nothing since the question was put.

use std::collections::HashMap;
use std::thread;
use std::time::Instant;

use super::check::stones;
use super::field::{Field, Stones};
use super::local::{Found, LONGEST, Limits, Local, State};
use super::memory::Memory;
use super::problem::{Checked, LocalAnswer, LocalTask, Status};
use super::region::Region;
use super::site::Site;
use super::{STACK, Unsolved};
use crate::board::{Board, Color, Move, Point, PointSet, Size};
use crate::rules::{KoRule, Position, pass_alive_beside};
use crate::util::StopFlag;

/// Positions that the search may look at for one move of the winner's.
const MOVE_NODES: u64 = 300_000;
/// The check may take so many times as long as the answer was allowed to.
const PATIENCE: u32 = 4;

/// What is claimed of a question.
#[derive(Clone, Copy, Debug)]
struct Claim {
    first: Color,
    /// Who may retake every ko.
    free: Color,
    /// Who gets what it wants.
    winner: Color,
}

/// Plays the proofs of `answer` out.
///
/// # Errors
/// If one is broken.
pub(super) fn check_answer(position: &Position, answer: &LocalAnswer, task: &LocalTask<'_>) -> Result<Option<Checked>, Unsolved> {
    let first = task.first;
    let claim = |free: Color, winner: Color| Claim { first, free, winner };
    // Without a ko, or even with all of them.
    let claims = match (answer.status, answer.winning.is_empty()) {
        (Status::Open, _) => return Ok(None),
        (Status::Ko, _) => vec![claim(first, first), claim(!first, !first)],
        (Status::Captured | Status::Saved, true) => vec![claim(first, !first)],
        (Status::Captured | Status::Saved, false) => vec![claim(!first, first)],
    };
    let LocalAnswer { target, defender, region: points, closed, .. } = *answer;
    let region = Region { points, target, defender, closed, weight: 0.0 };
    let Some(board) = lay_out(position.board(), &region) else { return Ok(Some(Checked::Unfit)) };
    let site = Site::new(position, &region)?;
    let mut memory = Memory::new(task.memory);
    let (mut seen, mut whole) = (0, true);
    for claim in claims {
        let question = site.question(first, claim.free);
        let deadline = Instant::now() + task.time * PATIENCE;
        let limits = Limits { nodes: u64::MAX, deadline: Some(deadline), stop: task.stop };
        let mut local = Local::new(&site.field, &question, &mut memory, limits);
        local.ask(&question);
        let mut reply = |path: &[Stones], state: State| known(&local.ask_later(path, state, MOVE_NODES), &site);
        let start = Start { board: &board, position, site: &site, region: &region };
        let limits = Bounds { positions: task.check.saturating_sub(seen), deadline, stop: task.stop };
        let named = if claim.winner == first { &answer.winning[..] } else { &[] };
        let (positions, ended) = replay(&start, claim, named, &mut reply, limits)?;
        seen += positions;
        whole &= ended;
    }
    Ok(Some(if whole { Checked::Whole(seen) } else { Checked::Part(seen) }))
}

fn known(found: &Found, site: &Site) -> Known {
    match found.winning.first() {
        Some(&mv) => Known::Wins(site.read_move(mv)),
        None if found.captured.is_none() => Known::Open,
        None => Known::Fails,
    }
}

/// The board of a question: in `region` as it is, around it the stones next to it, which stand, and nothing else, so that nothing there is ever short of liberties. None if a
/// stone next to it would be.
fn lay_out(board: &Board, region: &Region) -> Option<Board> {
    let inside = &region.points;
    let is_next = |point: Point| board.neighbors(point).any(|near| inside.contains(near));
    let outside = || board.size().points().filter(|&point| !inside.contains(point));
    let stone = |point: Point| if region.closed.contains(point) { Some(!region.defender) } else { board.stone(point) };
    let changes: Vec<_> = outside().map(|point| (point, stone(point).filter(|_| is_next(point)))).collect();
    let mut laid = board.clone();
    laid.set_up(&changes).ok()?;
    let stands = outside().all(|point| laid.is_empty(point) || gets_out(&laid, inside, point));
    stands.then_some(laid)
}

/// Whether the chain at `stone` has a liberty outside, where nobody plays.
fn gets_out(board: &Board, inside: &PointSet, stone: Point) -> bool {
    board.chain(stone).any(|stone| board.neighbors(stone).any(|near| board.is_empty(near) && !inside.contains(near)))
}

/// Where a question is put.
#[derive(Clone, Copy)]
struct Start<'a> {
    /// The board as it is laid out.
    board: &'a Board,
    /// The game.
    position: &'a Position,
    site: &'a Site,
    region: &'a Region,
}

/// When a check ends unfinished.
#[derive(Clone, Copy)]
struct Bounds<'a> {
    positions: u64,
    deadline: Instant,
    stop: &'a StopFlag,
}

/// What the search knows of a state in which the winner is to move.
#[derive(Clone, Copy, Debug)]
enum Known {
    /// A move that wins.
    Wins(Move),
    /// Nothing in time.
    Open,
    /// That nothing wins.
    Fails,
}

/// Tells what is known of a state, the last of the line of stones.
type Reply<'a> = dyn FnMut(&[Stones], State) -> Known + Send + 'a;

/// How many positions there were, and whether that was all.
type Played = Result<(u64, bool), Unsolved>;

/// Plays a claim out, each of the first moves that are `named`, if there are any.
fn replay(start: &Start<'_>, claim: Claim, named: &[Move], reply: &mut Reply<'_>, bounds: Bounds<'_>) -> Played {
    let Start { board, position, site, region } = *start;
    let mut rules = *position.rules();
    rules.ko = KoRule::Positional;
    let begin = Position::from_board(board.clone(), claim.first, rules);
    let here = stones(&site.field, board);
    let target = stones_of(here, region.defender) & site.question(claim.first, claim.free).target;
    let ko = position.board().ko().filter(|_| claim.first == position.to_move());
    let mut replay = Replay {
        size: board.size(),
        field: &site.field,
        region,
        claim,
        reply,
        ko,
        known: HashMap::new(),
        line: vec![here],
        moves: Vec::new(),
        bounds,
        seen: 0,
    };
    let walk = move || {
        let walked = if named.is_empty() {
            replay.walk(&begin, target).map(drop)
        } else {
            named.iter().try_for_each(|&mv| replay.play_won(&begin, target, mv).map(drop))
        };
        match walked {
            Ok(()) => Ok((replay.seen, true)),
            Err(Unsolved::TooManyLines(_) | Unsolved::Stopped) => Ok((replay.seen, false)),
            Err(error) => Err(error),
        }
    };
    // Lines are long and positions large: more than a thread's usual stack.
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, walk);
        let thread = thread.map_err(|error| Unsolved::Refused(format!("no thread can be started: {error}")))?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn stones_of(stones: Stones, color: Color) -> u64 {
    stones[color.index()]
}

/// What a part of the check, that below one position, leans on besides that position.
#[derive(Clone, Copy)]
struct Leans {
    /// The first place on the line whose repetition was forbidden to the loser.
    first: usize,
    /// Stones that are there in all positions that the winner makes, if it must not repeat any.
    fixed: Stones,
}

impl Leans {
    const NOTHING: Self = Self { first: usize::MAX, fixed: [u64::MAX; 2] };

    fn join(self, other: Self) -> Self {
        Self { first: self.first.min(other.first), fixed: [0, 1].map(|color| self.fixed[color] & other.fixed[color]) }
    }
}

/// A check at work.
struct Replay<'a, 'b> {
    size: Size,
    field: &'a Field,
    region: &'a Region,
    claim: Claim,
    reply: &'a mut Reply<'b>,
    /// Where simple ko forbids the very first move.
    ko: Option<Point>,
    /// What was played out before, and nothing above it mattered: by stones, player and what is left of the target, the stones that are in all positions that the winner makes.
    known: HashMap<(Stones, usize, u64), Stones>,
    /// The stones since the question was put, and the moves.
    line: Vec<Stones>,
    moves: Vec<Move>,
    bounds: Bounds<'a>,
    seen: u64,
}

impl Replay<'_, '_> {
    /// Plays on from `position`, the end of the line, where so much of the target is left.
    fn walk(&mut self, position: &Position, target: u64) -> Result<Leans, Unsolved> {
        self.seen += 1;
        let Bounds { positions, deadline, stop } = self.bounds;
        if self.seen > positions || self.line.len() >= LONGEST {
            return Err(Unsolved::TooManyLines(positions));
        }
        if stop.is_set() || Instant::now() >= deadline {
            return Err(Unsolved::Stopped);
        }
        let attacks = self.claim.winner != self.region.defender;
        if target == 0 {
            return if attacks { Ok(Leans::NOTHING) } else { Err(self.broken()) };
        }
        if !attacks && self.is_safe(position, target) {
            return Ok(Leans::NOTHING);
        }
        let place = self.line.len() - 1;
        let key = (self.line[place], position.to_move().index(), target);
        if let Some(&fixed) = self.known.get(&key) {
            // The winner makes nothing that is on this line.
            let may_be_made = |&stones: &Stones| (0..2).all(|color| fixed[color] & !stones[color] == 0);
            if !self.line[..place].iter().any(may_be_made) {
                return Ok(Leans { fixed, ..Leans::NOTHING });
            }
        }
        let leans = if position.to_move() == self.claim.winner {
            self.follow(position, target)?
        } else {
            self.try_all(position, target)?
        };
        if leans.first >= place {
            self.known.insert(key, leans.fixed);
        }
        Ok(leans)
    }

    /// Plays the winner's proved move.
    fn follow(&mut self, position: &Position, target: u64) -> Result<Leans, Unsolved> {
        let Claim { free, winner, .. } = self.claim;
        let ko = position.board().ko().filter(|_| free != winner).and_then(|point| self.field.bit(point));
        let stones = self.line[self.line.len() - 1];
        let state = State { stones, target, player: winner.index(), ko: ko.map_or(0, |bit| 1 << bit) };
        match (self.reply)(&self.line, state) {
            Known::Wins(mv) => self.play_won(position, target, mv),
            Known::Open => Err(Unsolved::Stopped),
            Known::Fails => Err(self.broken()),
        }
    }

    /// Plays a move of the winner's, and on.
    fn play_won(&mut self, position: &Position, target: u64, mv: Move) -> Result<Leans, Unsolved> {
        let Claim { free, winner, .. } = self.claim;
        self.moves.push(mv);
        let is_barred = self.line.len() == 1 && mv.point().is_some() && mv.point() == self.ko;
        let mut next = Box::new(position.clone());
        if is_barred || !position.is_legal(mv) {
            *next = Position::from_board(position.board().clone(), winner, *position.rules());
            if free != winner || !next.is_legal(mv) {
                return Err(self.broken());
            }
        }
        let is_inside = mv.point().map_or(winner == self.region.defender, |point| self.region.points.contains(point));
        if !is_inside {
            return Err(self.broken());
        }
        next.play_unchecked(mv);
        let leans = self.go_on(&next, target)?;
        if free != winner && !mv.is_pass() {
            let made = stones(self.field, next.board());
            return Ok(leans.join(Leans { fixed: made, ..Leans::NOTHING }));
        }
        Ok(leans)
    }

    /// Plays all moves of the loser's. If it attacks and passes, the other passes too, and what is left is saved; so it need not.
    fn try_all(&mut self, position: &Position, target: u64) -> Result<Leans, Unsolved> {
        let loser = !self.claim.winner;
        let pass = (loser == self.region.defender).then_some(Move::PASS);
        let moves: Vec<Move> = self.region.points.iter().map(Move::from).chain(pass).collect();
        let mut leans = Leans::NOTHING;
        for mv in moves {
            let is_barred = self.line.len() == 1 && mv.point().is_some() && mv.point() == self.ko;
            let mut next = Box::new(position.clone());
            let is_new = !is_barred && position.is_legal(mv);
            if !is_new {
                *next = Position::from_board(position.board().clone(), loser, *position.rules());
                if !next.is_legal(mv) {
                    continue;
                }
            }
            next.play_unchecked(mv);
            if self.claim.free != loser && !mv.is_pass() {
                let made = stones(self.field, next.board());
                // Where only history forbids a move and this line does not tell, it is from before the question.
                let before = self.line.iter().position(|&stones| stones == made).or((!is_new).then_some(0));
                if let Some(place) = before {
                    leans.first = leans.first.min(place);
                    continue;
                }
            }
            self.moves.push(mv);
            leans = leans.join(self.go_on(&next, target)?);
        }
        Ok(leans)
    }

    /// Walks on to `next`, to which the last of the moves leads.
    fn go_on(&mut self, next: &Position, target: u64) -> Result<Leans, Unsolved> {
        let after = stones(self.field, next.board());
        self.line.push(after);
        let leans = self.walk(next, target & stones_of(after, self.region.defender))?;
        self.line.pop();
        self.moves.pop();
        Ok(leans)
    }

    /// Whether nothing can happen to what is left of the target: it has a liberty where nobody plays, or lives though its owner passes for ever.
    fn is_safe(&self, position: &Position, target: u64) -> bool {
        let (board, inside) = (position.board(), &self.region.points);
        let is_left = |point: Point| self.field.bit(point).is_some_and(|bit| target >> bit & 1 == 1);
        if self.region.target.iter().any(|point| is_left(point) && gets_out(board, inside, point)) {
            return true;
        }
        let sure = |head: Point| gets_out(board, inside, head);
        let alive = pass_alive_beside(board, self.region.defender, position.rules().suicide, sure).stones;
        self.region.target.iter().any(|point| is_left(point) && alive.contains(point))
    }

    /// The line breaks the proof.
    fn broken(&self) -> Unsolved {
        let moves: Vec<String> = self.moves.iter().map(|&mv| self.size.vertex(mv)).collect();
        Unsolved::Broken(moves.join(" "))
    }
}

#[cfg(test)]
mod tests;
