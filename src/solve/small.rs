//! Whole small boards under area scoring and superko: is Black's score at least so much? Alpha-beta with windows of nothing, a ply deeper each time, until
//! the answer is proved. (E. van der Werf and others, Solving Go on small boards, 2003.)
//!
//! Proofs that lean on what lay above (`basis`) are kept for that history only; others wherever nothing that the winner makes was there before.

use std::time::Instant;

use super::basis::{Basis, hash};
use super::field::{Field, Stones, bits};
use crate::util::StopFlag;

/// Whether Black has what is asked.
#[derive(Clone, Copy)]
struct Verdict {
    black: bool,
    /// If not, the answer is a guess.
    proved: bool,
    basis: Basis,
}

/// A state: the stones, who is to move, and whether the last move was a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// The stones.
    pub(super) stones: Stones,
    /// Who is to move: 0 Black, 1 White.
    pub(super) player: usize,
    /// Whether a pass would end the game.
    pub(super) passed: bool,
}

#[derive(Clone, Copy)]
struct Entry {
    state: State,
    /// The path it was found on, if it leans on that; 0 if it holds on others.
    path: u64,
    /// Answers so far: the most that Black is proved to have, and the least that Black is proved not to have, each with what the proof leans on.
    at_least: (i16, Basis),
    below: (i16, Basis),
    guess: Option<Guess>,
    best: Option<u8>,
}

/// Memory that an entry takes.
pub(super) const ENTRY_BYTES: usize = size_of::<Option<Entry>>();

#[derive(Clone, Copy)]
struct Guess {
    bar: i16,
    depth: u16,
    /// Guesses of earlier searches are no good: a deeper one might be answered by them for ever.
    round: u32,
    black: bool,
}

/// A pass as a move; others are bits of the field.
const PASS: u8 = 64;
/// Scores lie within this.
const BEYOND: i16 = 1000;

/// The search was stopped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// A search with what it has proved so far.
pub(super) struct Small<'a> {
    field: &'a Field,
    /// Whether repetition counts the player to move.
    situational: bool,
    table: Vec<Option<Entry>>,
    /// Positions since the start, with the player to move, and a hash of them all.
    path: Vec<(Stones, usize)>,
    path_hash: u64,
    /// States looked at.
    pub(super) nodes: u64,
    deadline: Option<Instant>,
    stop: &'a StopFlag,
    /// Which search this is: counts depths.
    round: u32,
    killers: Vec<[u8; 2]>,
    history: [[u32; 65]; 2],
}

/// Longest path: a bit each in [`Basis::leans`].
const LONGEST: usize = 127;

impl<'a> Small<'a> {
    /// A solver with so many `places` for what it finds.
    pub(super) fn new(field: &'a Field, situational: bool, places: usize, deadline: Option<Instant>, stop: &'a StopFlag) -> Self {
        Self {
            field,
            situational,
            table: vec![None; places.max(1)],
            path: Vec::new(),
            path_hash: 0,
            nodes: 0,
            deadline,
            stop,
            round: 0,
            killers: vec![[PASS; 2]; 2 * LONGEST],
            history: [[0; 65]; 2],
        }
    }

    /// Whether Black's score will be at least `bar`, in a game that came to `state` through the positions of `path` (its own last).
    ///
    /// # Errors
    /// If it was stopped.
    pub(super) fn is_at_least(
        &mut self,
        path: &[(Stones, usize)],
        state: State,
        bar: i16,
        tell: &mut dyn FnMut(u16, u64),
    ) -> Result<bool, Stopped> {
        self.path = path.to_vec();
        self.path_hash = path.iter().fold(0_u64, |sum, &(stones, player)| sum.wrapping_add(self.situation_hash(stones, player)));
        for depth in 1.. {
            self.round += 1;
            let verdict = self.look(state, bar, depth, 0)?;
            if verdict.proved {
                return Ok(verdict.black);
            }
            tell(depth, self.nodes);
            if depth as usize > 2 * LONGEST {
                break;
            }
        }
        Err(Stopped)
    }

    fn situation_hash(&self, stones: Stones, player: usize) -> u64 {
        hash(stones).rotate_left(if self.situational { player as u32 } else { 0 })
    }

    /// Where on the path this was before.
    fn place_on_path(&self, stones: Stones, player: usize) -> Option<usize> {
        self.path.iter().rposition(|&(other, mover)| other == stones && (!self.situational || mover == player))
    }

    fn look(&mut self, state: State, bar: i16, depth: u16, ply: usize) -> Result<Verdict, Stopped> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(4096) && (self.stop.is_set() || self.deadline.is_some_and(|end| Instant::now() >= end)) {
            return Err(Stopped);
        }
        let State { stones, player, passed } = state;
        let wants = player == 0;
        let answer = |black, proved| Verdict { black, proved, basis: Basis::NOTHING };
        // Who is ahead may end the game.
        if passed && (self.field.area_score(stones) >= i32::from(bar)) == wants {
            return Ok(answer(wants, true));
        }
        if let Some(verdict) = self.known(state, bar, depth) {
            return Ok(verdict);
        }
        if let Some(black) = self.settled(stones, bar) {
            return Ok(answer(black, true));
        }
        if depth == 0 || self.path.len() >= LONGEST {
            return Ok(answer(self.guess(stones, player) >= i32::from(bar), false));
        }
        let (moves, forbidden) = self.moves(state, ply);
        let mut all = Verdict { black: !wants, proved: true, basis: Basis::NOTHING.leaning(forbidden) };
        let mut best = None;
        for &(mv, after) in &moves {
            let verdict = self.after(state, mv, after, bar, depth, ply)?;
            if verdict.black == wants {
                let basis = if mv == PASS { verdict.basis } else { verdict.basis.with(after) };
                all = Verdict { basis, ..verdict };
                best = Some(mv);
                break;
            }
            all.proved &= verdict.proved;
            all.basis = all.basis.join(verdict.basis);
        }
        if let Some(mv) = best {
            self.killers[ply] = [mv, if self.killers[ply][0] == mv { self.killers[ply][1] } else { self.killers[ply][0] }];
            self.history[player][mv as usize] += u32::from(depth) * u32::from(depth);
        }
        // What this position itself forbids, it forbids in every game that comes here.
        all.basis.leans &= (1 << (self.path.len() - 1)) - 1;
        self.store(state, bar, depth, &all, best);
        Ok(all)
    }

    fn after(&mut self, state: State, mv: u8, stones: Stones, bar: i16, depth: u16, ply: usize) -> Result<Verdict, Stopped> {
        let player = 1 - state.player;
        if mv == PASS {
            if state.passed {
                let black = self.field.area_score(stones) >= i32::from(bar);
                return Ok(Verdict { black, proved: true, basis: Basis::NOTHING });
            }
            if !self.situational {
                return self.look(State { stones, player, passed: true }, bar, depth - 1, ply + 1);
            }
        }
        let hash = self.situation_hash(stones, player);
        self.path.push((stones, player));
        self.path_hash = self.path_hash.wrapping_add(hash);
        let verdict = self.look(State { stones, player, passed: mv == PASS }, bar, depth - 1, ply + 1);
        self.path.pop();
        self.path_hash = self.path_hash.wrapping_sub(hash);
        verdict
    }

    /// Whether what nobody can lose any more decides.
    fn settled(&self, stones: Stones, bar: i16) -> Option<bool> {
        let area = self.field.all().count_ones() as i32;
        let sure = |color: usize| {
            let (alive, territory) = self.field.pass_alive(stones, color);
            (alive | territory).count_ones() as i32
        };
        let bar = i32::from(bar);
        if 2 * sure(0) - area >= bar {
            Some(true)
        } else if area - 2 * sure(1) < bar {
            Some(false)
        } else {
            None
        }
    }

    /// The score that is likely: stones, and empty points next to one colour only.
    fn guess(&self, stones: Stones, player: usize) -> i32 {
        let empty = self.field.all() & !(stones[0] | stones[1]);
        let near = [0, 1].map(|color| self.field.around(stones[color]) & empty);
        let side = |color: usize| {
            let doomed: u32 = self
                .field
                .chains(stones[color])
                .filter(|&chain| self.field.liberties(chain, stones).is_power_of_two())
                .map(u64::count_ones)
                .sum();
            let doomed = if color == player { 0 } else { 2 * doomed };
            (stones[color].count_ones() + (near[color] & !near[1 - color]).count_ones()) as i32 - doomed as i32
        };
        side(0) - side(1)
    }

    /// The moves, the most promising first, each with the stones after it; and the places on the path that forbid others.
    fn moves(&self, state: State, ply: usize) -> (Vec<(u8, Stones)>, u128) {
        let State { stones, player, .. } = state;
        let mut forbidden = 0;
        let mut moves = Vec::with_capacity(self.field.all().count_ones() as usize + 1);
        let first = self.entry(state, 0).or_else(|| self.entry(state, self.path_hash)).and_then(|entry| entry.best);
        for bit in bits(self.field.all() & !(stones[0] | stones[1])) {
            let Some(played) = self.field.play(stones, player, bit) else { continue };
            if let Some(place) = self.place_on_path(played.stones, 1 - player) {
                forbidden |= 1 << place;
                continue;
            }
            let own = self.field.connected(1 << bit, played.stones[player]);
            let liberties = self.field.liberties(own, played.stones).count_ones();
            let eye = self.field.near(bit) & !stones[player] == 0;
            let value = played.captured.count_ones() * 40 + 4 * liberties.min(6) + self.field.near(bit).count_ones() * 2;
            let worse = u32::from(eye) * 30 + u32::from(liberties == 1) * 15;
            let rank = self.rank(first, bit as u8, player, ply) + 100 + value as i64 - i64::from(worse);
            moves.push((rank, bit as u8, played.stones));
        }
        moves.push((self.rank(first, PASS, player, ply) + if state.passed { 50 } else { 0 }, PASS, stones));
        moves.sort_by_key(|&(rank, ..)| std::cmp::Reverse(rank));
        (moves.into_iter().map(|(_, mv, stones)| (mv, stones)).collect(), forbidden)
    }

    fn rank(&self, first: Option<u8>, mv: u8, player: usize, ply: usize) -> i64 {
        let known = if first == Some(mv) { 1 << 40 } else { 0 };
        let killer = self.killers[ply].iter().position(|&killer| killer == mv).map_or(0, |place| 60 - 20 * place as i64);
        known + if mv == PASS { 0 } else { killer + i64::from(32 - self.history[player][mv as usize].leading_zeros()) * 4 }
    }

    fn place(&self, state: State, path: u64) -> usize {
        let turn = state.player as u64 * 2 + u64::from(state.passed);
        let hash = (hash(state.stones) ^ path).wrapping_add(turn.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        (hash % self.table.len() as u64) as usize
    }

    fn entry(&self, state: State, path: u64) -> Option<&Entry> {
        self.table[self.place(state, path)].as_ref().filter(|entry| entry.state == state && entry.path == path)
    }

    /// What is known here: a proof that holds on this path too, or a guess that was deep enough.
    fn known(&self, state: State, bar: i16, depth: u16) -> Option<Verdict> {
        let above = &self.path[..self.path.len() - 1];
        let holds = |basis: &Basis| !above.iter().any(|&(stones, _)| basis.may_make(stones));
        for path in [0, self.path_hash] {
            let Some(entry) = self.entry(state, path) else { continue };
            for (black, answers, basis) in
                [(true, bar <= entry.at_least.0, entry.at_least.1), (false, bar >= entry.below.0, entry.below.1)]
            {
                if answers && (path != 0 || holds(&basis)) {
                    // The same positions lay above, but perhaps in another order: it may lean on any of them.
                    let leans = if path == 0 { 0 } else { (1 << above.len()) - 1 };
                    return Some(Verdict { black, proved: true, basis: basis.leaning(leans) });
                }
            }
            if let Some(guess) = entry.guess.filter(|guess| guess.bar == bar && guess.depth >= depth && guess.round == self.round)
            {
                return Some(Verdict { black: guess.black, proved: false, basis: Basis::NOTHING });
            }
        }
        None
    }

    fn store(&mut self, state: State, bar: i16, depth: u16, verdict: &Verdict, best: Option<u8>) {
        let path = if verdict.proved && verdict.basis.leans != 0 { self.path_hash } else { 0 };
        let place = self.place(state, path);
        let none = (BEYOND, Basis::NOTHING);
        let fresh = Entry { state, path, at_least: (-BEYOND, Basis::NOTHING), below: none, guess: None, best: None };
        let mut entry = self.entry(state, path).copied().unwrap_or(fresh);
        if !verdict.proved {
            entry.guess = Some(Guess { bar, depth, round: self.round, black: verdict.black });
        } else if verdict.black {
            entry.at_least = (bar, verdict.basis);
        } else {
            entry.below = (bar, verdict.basis);
        }
        entry.best = best.or(entry.best);
        self.table[place] = Some(entry);
    }

    /// A move of the player to move that keeps what is proved: of Black, to have at least `bar`, of White, that Black has less. The pass is 64.
    ///
    /// # Errors
    /// If it was stopped.
    pub(super) fn keeping_move(
        &mut self,
        path: &[(Stones, usize)],
        state: State,
        bar: i16,
    ) -> Result<Option<(u8, Stones)>, Stopped> {
        let wants = state.player == 0;
        if self.is_at_least(path, state, bar, &mut |_, _| ())? != wants {
            return Ok(None);
        }
        self.path = path.to_vec();
        self.path_hash = path.iter().fold(0_u64, |sum, &(stones, player)| sum.wrapping_add(self.situation_hash(stones, player)));
        let (mut moves, _) = self.moves(state, 0);
        if state.passed && (self.field.area_score(state.stones) >= i32::from(bar)) == wants {
            return Ok(Some((PASS, state.stones)));
        }
        if self.settled(state.stones, bar) == Some(wants) {
            // Nothing is needed any more; passing keeps it.
            return Ok(Some((PASS, state.stones)));
        }
        for (mv, stones) in std::mem::take(&mut moves) {
            if mv == PASS && state.passed {
                continue;
            }
            let mut longer = path.to_vec();
            if mv != PASS || self.situational {
                longer.push((stones, 1 - state.player));
            }
            let next = State { stones, player: 1 - state.player, passed: mv == PASS };
            if self.is_at_least(&longer, next, bar, &mut |_, _| ())? == wants {
                return Ok(Some((mv, stones)));
            }
        }
        Ok(None)
    }
}
