//! One side's search for a proof that it has so much of a whole small board, whatever the other side does: can it be forced within so many moves?
//!
//! Asked like that, with one side and a depth, the answer to nearly every position is the same however the game came there, so that a table serves: a proof within fewer moves is
//! one within more, and who cannot force it within more cannot within fewer. What does hang on the history, `grounds` tells. Only proofs are relied on: a failure that another
//! history had brought about can only lead to a deeper search.
//!
//! (E. van der Werf, J. van den Herik and J. Uiterwijk, Solving Go on small boards, 2003, for settled stones at the leaves and how far this reaches.)

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use arrayvec::ArrayVec;

use super::Unsolved;
use super::field::{Field, Stones, bits};
use super::findings::{Entry, Findings, Goal, NONE, State};
use super::grounds::{Few, Grounds, few, mark};
use super::kept::Kept;
use super::reach::Reach;
use super::turns::{Histories, Key, Sums, Turns};
use crate::util::StopFlag;

/// A pass as a move; others are bits of the field.
pub(super) const PASS: u8 = 64;
/// Deepest search, in moves.
pub(super) const DEEPEST: u8 = 126;
/// Most moves of a state: a place each, and the pass.
const MOST_MOVES: usize = super::MOST_POINTS + 1;
/// In searches of more moves than so many a point, failures count only after the same history. Boards that need no unusual ko are solved before.
const PATIENT_FROM: u32 = 3;
/// States between two looks at the clock.
const LOOK_UP_EVERY: u64 = 4096;
/// Whether so many of the prover's last moves can be enough is asked before they are searched; of more that takes longer than it saves.
const REACH: u8 = 3;
/// In shallower searches it is not asked: the table would take longer than they.
const REACH_FROM: u8 = 13;
/// Below so many moves it does not pay to look all answers up first.
const LOOK_UP_FROM: u8 = 3;

#[derive(Clone, Copy)]
struct Candidate {
    rank: i32,
    mv: u8,
    state: State,
    sums: Sums,
    key: Key,
}

/// A prover, with all that it has found.
pub(super) struct Prover<'a> {
    field: &'a Field,
    /// 0 Black, 1 White.
    side: usize,
    goal: Goal,
    turns: &'a Turns,
    table: Findings,
    path: Vec<Step>,
    /// What moves in a row can reach.
    reach: &'a Reach,
    /// Whether that is asked.
    asks_reach: bool,
    /// Whether failures count only after the same history: where short searches found nothing.
    patient: bool,
    /// What the proof that was found last stands on.
    found: Grounds,
    /// Within how many moves what failed last is known to fail: at least as many as were asked for.
    fails_within: u8,
    history: [[u32; PASS as usize + 1]; 2],
    killers: [[u8; 2]; DEEPEST as usize + 2],
    /// The move that the last proof begins with.
    first_move: u8,
    /// States looked at.
    pub(super) nodes: u64,
    ends: Ends<'a>,
    kept: Option<Kept>,
}

/// When a prover stops, and who watches it.
#[derive(Clone, Copy)]
pub(super) struct Ends<'a> {
    /// When to give up.
    pub(super) deadline: Option<Instant>,
    /// Each asks for an end.
    pub(super) stops: [&'a StopFlag; 2],
    /// States looked at by all provers, now and then.
    pub(super) nodes: &'a AtomicU64,
}

/// A position that was there.
#[derive(Clone, Copy)]
struct Step {
    stones: Few,
    player: usize,
    mark: u64,
    /// The marks of this and all before.
    marks: u64,
    /// Hashes of this and all before.
    all: Histories,
}

impl<'a> Prover<'a> {
    /// A prover for `side` (0 Black, 1 White) with so many `places` in its table, on a board with its symmetries and what can be reached there.
    pub(super) fn new(board: (&'a Field, &'a Turns, &'a Reach), side: usize, places: usize, ends: Ends<'a>) -> Self {
        let (field, turns, reach) = board;
        Self {
            field,
            side,
            goal: Goal { lead: 0, situational: false },
            turns,
            table: Findings::new(places),
            path: Vec::new(),
            reach,
            asks_reach: false,
            patient: false,
            found: Grounds::NONE,
            fails_within: 0,
            history: [[0; PASS as usize + 1]; 2],
            killers: [[NONE; 2]; DEEPEST as usize + 2],
            first_move: NONE,
            nodes: 0,
            ends,
            kept: None,
        }
    }

    /// Whether the prover has its goal within `depth` moves, in a game that came to `state` through the positions of `path`, its own last; and if it is to move, by which move.
    ///
    /// # Errors
    /// If it was stopped.
    pub(super) fn proves(
        &mut self,
        path: &[(Stones, usize)],
        state: State,
        goal: Goal,
        depth: u8,
    ) -> Result<Option<u8>, Unsolved> {
        self.goal = goal;
        self.patient = u32::from(depth) > PATIENT_FROM * self.field.all().count_ones();
        self.asks_reach = depth >= REACH_FROM && goal.lead == self.field.all().count_ones() as i32 && Reach::knows(self.field);
        self.path.clear();
        for &(stones, player) in path {
            let sums = self.turns.sums(stones);
            self.enter(stones, player, &sums, sums.key());
        }
        self.first_move = PASS;
        let symmetric = |&turn: &usize| path.iter().all(|&(stones, _)| self.turns.keeps(turn, stones));
        let symmetries = (0..self.turns.len()).filter(symmetric).fold(0, |set, turn| set | 1 << turn);
        let sums = self.turns.sums(state.stones);
        let proved = self.look(state, (sums, sums.key()), depth.min(DEEPEST), 0, symmetries)?;
        Ok(proved.then_some(self.first_move))
    }

    fn enter(&mut self, stones: Stones, player: usize, sums: &Sums, key: Key) {
        let (marks, mut all) = self.path.last().map_or((0, Histories::default()), |step| (step.marks, step.all));
        sums.follow(&mut all);
        let mark = mark(key.hash);
        let step = Step { stones: few(stones), player, mark, marks: marks | mark, all };
        self.path.push(step);
    }

    /// What failures are kept with: a hash of the history, turned as the entry lies, if it matters, else 0.
    fn history_key(&self, turn: u8) -> u32 {
        if self.patient { self.path.last().map_or(1, |step| step.all.of(turn) | 1) } else { 0 }
    }

    /// Whether a position was there, `player` to move.
    fn was_there(&self, stones: Few, player: usize, hash: u64) -> bool {
        self.path.last().is_some_and(|step| step.marks & mark(hash) != 0)
            && self.path.iter().any(|step| step.stones == stones && (!self.goal.situational || step.player == player))
    }

    /// Whether a proof holds of a position with this history above it.
    fn holds(&self, grounds: &Grounds, above: &[Step]) -> bool {
        // The opponent makes positions in which the prover is to move, and the other way round.
        let met =
            |need: &Few| above.iter().any(|step| step.stones == *need && (!self.goal.situational || step.player == self.side));
        let broken =
            |step: &Step| (!self.goal.situational || step.player != self.side) && grounds.may_make(step.stones, step.mark);
        grounds.needs().iter().all(met)
            && (!above.last().is_some_and(|step| grounds.may_make_any(step.marks)) || !above.iter().any(broken))
    }

    /// From now on keeps what it finds in a file, and has what is there; the `title` says what it is about.
    ///
    /// # Errors
    /// If that cannot be done.
    pub(super) fn keep(&mut self, path: PathBuf, title: &str) -> Result<(), Unsolved> {
        let turns = self.turns;
        self.kept = Some(Kept::open(path, title, &mut self.table, |stones| turns.sums(stones).key().hash)?);
        Ok(())
    }

    /// Saves what it has found, if it keeps it.
    ///
    /// # Errors
    /// If that cannot be done.
    pub(super) fn save(&mut self) -> Result<(), Unsolved> {
        self.kept.as_mut().map_or(Ok(()), |kept| kept.save(&self.table))
    }

    /// Counts a state, and now and then looks up.
    fn count(&mut self) -> Result<(), Unsolved> {
        self.nodes += 1;
        if !self.nodes.is_multiple_of(LOOK_UP_EVERY) {
            return Ok(());
        }
        self.ends.nodes.fetch_add(LOOK_UP_EVERY, Ordering::Relaxed);
        if let Some(kept) = &mut self.kept {
            kept.save_now_and_then(&self.table)?;
        }
        let stopped = self.ends.stops.iter().any(|stop| stop.is_set());
        let late = self.ends.deadline.is_some_and(|end| Instant::now() >= end);
        if stopped || late { Err(Unsolved::Stopped) } else { Ok(()) }
    }

    /// What the table knows of a state: with the board turned as the key says.
    fn get(&self, state: &State, key: Key) -> Option<Entry> {
        self.table.get(&state.turned(self.turns, key.turn), key.hash)
    }

    /// Whether the prover has its goal within `depth` moves from the path's end, which is known by `known_by`. `symmetries` are those that leave all of the path as it is, a bit each.
    fn look(&mut self, state: State, known_by: (Sums, Key), depth: u8, ply: usize, symmetries: u8) -> Result<bool, Unsolved> {
        let (sums, key) = known_by;
        self.count()?;
        let State { stones, player, passed, .. } = state;
        let mine = player == self.side;
        self.found = Grounds::NONE;
        // Who is ahead may end the game.
        if passed && (self.lead(stones) >= self.goal.lead) == mine {
            self.fails_within = u8::MAX;
            return Ok(mine);
        }
        if depth == 0 {
            self.fails_within = 0;
            return Ok(self.is_settled(stones) == Some(true));
        }
        let known = self.get(&state, key);
        let first = known.map_or(NONE, |entry| self.turns.mv(self.turns.back(key.turn), entry.best));
        if let Some(proved) = known.and_then(|entry| self.known(&entry, key, depth)) {
            self.note(ply, first);
            return Ok(proved);
        }
        if let Some(settled) = self.is_settled(stones) {
            if !settled {
                self.fails_within = u8::MAX;
                self.store(&state, key, u8::MAX, None, NONE);
            }
            return Ok(settled);
        }
        if self.is_out_of_reach(&state, depth) {
            self.fails_within = depth;
            self.store(&state, key, depth, None, first);
            return Ok(false);
        }
        let (mut moves, mut grounds, forbidden) = self.moves(&state, (sums, key), first, ply, symmetries);
        if depth >= LOOK_UP_FROM
            && let Some((proved, mv)) = self.known_answer(mine, &moves, depth)
        {
            if proved {
                self.found.meet(few(stones));
            }
            let grounds = proved.then_some(self.found);
            self.fails_within = self.fails_within.saturating_add(1);
            let within = if proved { depth } else { self.fails_within };
            self.store(&state, key, within, grounds, mv);
            self.note(ply, mv);
            return Ok(proved);
        }
        let (mut best, mut proved) = (NONE, !mine);
        // What superko forbids here it may allow elsewhere.
        let mut fails_within = if forbidden { depth - 1 } else { u8::MAX };
        // Few are looked at, so they are not sorted.
        while let Some(next) = (0..moves.len()).max_by_key(|&other| moves[other].rank) {
            let candidate = moves.swap_remove(next);
            if self.follow(&candidate, depth, ply, symmetries)? == mine {
                (best, proved) = (candidate.mv, mine);
                if mine {
                    grounds = self.found;
                    if candidate.mv != PASS {
                        grounds.make(few(candidate.state.stones), mark(candidate.key.hash));
                    }
                }
                break;
            }
            if mine {
                fails_within = fails_within.min(self.fails_within);
            } else {
                grounds.join(&self.found);
            }
        }
        if !mine {
            fails_within = self.fails_within;
        }
        self.fails_within = fails_within.saturating_add(1);
        if best != NONE {
            self.remember(player, best, depth, ply);
        }
        grounds.meet(few(stones));
        self.found = grounds;
        self.store(&state, key, if proved { depth } else { self.fails_within }, proved.then_some(grounds), best);
        self.note(ply, best);
        Ok(proved)
    }

    /// Whether the prover would not have its goal within `depth` moves even if its opponent passed all the time. (Who is behind may not: a pass after a pass ends the game.)
    fn is_out_of_reach(&self, state: &State, depth: u8) -> bool {
        let mine = state.player == self.side;
        let moves = if mine { depth.div_ceil(2) } else { depth / 2 };
        let [own, enemy] = [self.side, 1 - self.side].map(|color| state.stones[color]);
        self.asks_reach
            && moves <= REACH
            && (mine || !state.passed)
            && !self.reach.can_have_all(self.field, own, enemy, moves.into())
    }

    /// Looks at what a move leads to.
    fn follow(&mut self, candidate: &Candidate, depth: u8, ply: usize, symmetries: u8) -> Result<bool, Unsolved> {
        let Candidate { state, sums, key, mv, .. } = *candidate;
        let same = |turn: &usize| symmetries >> turn & 1 != 0 && self.turns.keeps(*turn, state.stones);
        let symmetries = match symmetries {
            1 => 1,
            _ => (0..self.turns.len()).filter(same).fold(0, |set, turn| set | 1 << turn),
        };
        // A pass makes a new situation, but no new position.
        let enters = mv != PASS || self.goal.situational;
        if enters {
            self.enter(state.stones, state.player, &sums, key);
        }
        let answer = self.look(state, (sums, key), depth - 1, ply + 1, symmetries);
        if enters {
            self.path.pop();
        }
        answer
    }

    /// The first move of what was found at the root.
    fn note(&mut self, ply: usize, mv: u8) {
        if ply == 0 && mv != NONE {
            self.first_move = mv;
        }
    }

    /// The lead on the board as it stands, seen from the prover.
    fn lead(&self, stones: Stones) -> i32 {
        let lead = self.field.area_score(stones);
        if self.side == 0 { lead } else { -lead }
    }

    /// Whether what nobody can lose any more decides.
    fn is_settled(&self, stones: Stones) -> Option<bool> {
        let area = self.field.all().count_ones() as i32;
        let sure = |color: usize| {
            let (alive, territory) = self.field.pass_alive(stones, color);
            (alive | territory).count_ones() as i32
        };
        if 2 * sure(self.side) - area >= self.goal.lead {
            Some(true)
        } else if area - 2 * sure(1 - self.side) < self.goal.lead {
            Some(false)
        } else {
            None
        }
    }

    /// The answer that the entry under `key` has, if it is good here; with the grounds left in `found`.
    fn known(&mut self, entry: &Entry, key: Key, depth: u8) -> Option<bool> {
        if self.goal.lead <= i32::from(entry.proved.0) {
            let grounds = entry.grounds.turned(self.turns, self.turns.back(key.turn));
            if self.holds(&grounds, &self.path[..self.path.len() - 1]) {
                self.found = grounds;
                return Some(true);
            }
        }
        self.fails_within = entry.failed.1;
        entry.fails(self.goal, depth, self.history_key(key.turn)).then_some(false)
    }

    /// A move whose consequence is in the table and decides.
    fn known_answer(&mut self, mine: bool, moves: &[Candidate], depth: u8) -> Option<(bool, u8)> {
        let stones = || moves.iter().filter(|candidate| candidate.mv != PASS);
        // The table is far larger than any cache: the waits for its entries overlap.
        let turned = |candidate: &Candidate| candidate.state.turned(self.turns, candidate.key.turn);
        stones().for_each(|candidate| self.table.prefetch(&turned(candidate), candidate.key.hash));
        for candidate in stones() {
            let Some(entry) = self.get(&candidate.state, candidate.key) else { continue };
            if !mine {
                if !self.patient && entry.fails(self.goal, depth - 1, 0) {
                    self.fails_within = entry.failed.1;
                    return Some((false, candidate.mv));
                }
            } else if self.goal.lead <= i32::from(entry.proved.0) {
                let grounds = entry.grounds.turned(self.turns, self.turns.back(candidate.key.turn));
                if !self.holds(&grounds, &self.path) {
                    continue;
                }
                self.found = grounds;
                self.found.make(few(candidate.state.stones), mark(candidate.key.hash));
                return Some((true, candidate.mv));
            }
        }
        None
    }

    /// The moves, unsorted, and what the opponent may not make. Of moves that a symmetry turns into one another there is one.
    fn moves(
        &self,
        state: &State,
        here: (Sums, Key),
        first: u8,
        ply: usize,
        symmetries: u8,
    ) -> (ArrayVec<Candidate, MOST_MOVES>, Grounds, bool) {
        let (mut moves, mut grounds, mut forbidden) = (ArrayVec::new(), Grounds::NONE, false);
        let State { stones, player, passed, ko } = *state;
        let mine = player == self.side;
        let free = self.field.all() & !(stones[0] | stones[1] | if mine { 0 } else { ko });
        for bit in bits(if symmetries == 1 { free } else { self.one_of_each(free, symmetries) }) {
            let Some(played) = self.field.play(stones, player, bit) else { continue };
            let sums = self.turns.next(&here.0, stones, played.stones);
            let key = sums.key();
            if self.was_there(few(played.stones), 1 - player, key.hash) {
                if mine {
                    forbidden = true;
                } else {
                    grounds.need(few(played.stones));
                }
                continue;
            }
            let own = self.field.connected(1 << bit & played.stones[player], played.stones[player]);
            let liberties = self.field.liberties(own, played.stones).count_ones() as i32;
            let near = self.field.near(bit);
            // Weights found by counting states on 4x4 and 5x5.
            let mut rank = 30 * played.captured.count_ones() as i32 + 4 * liberties.min(6) + 6 * near.count_ones() as i32;
            rank -= if near & !stones[player] == 0 { 30 } else { 0 };
            rank -= if liberties == 1 { 15 } else { 0 };
            rank += self.rank(first, bit as u8, player, ply);
            let state = State { stones: played.stones, player: 1 - player, passed: false, ko: if mine { played.ko } else { 0 } };
            moves.push(Candidate { rank, mv: bit as u8, state, sums, key });
        }
        // A second pass ends the game: who is ahead has done so already, who is behind will not.
        if !passed {
            let rank = self.rank(first, PASS, player, ply) - 50;
            let state = State { player: 1 - player, passed: true, ko: 0, ..*state };
            moves.push(Candidate { rank, mv: PASS, state, sums: here.0, key: here.1 });
        }
        (moves, grounds, forbidden)
    }

    fn rank(&self, first: u8, mv: u8, player: usize, ply: usize) -> i32 {
        let killer = self.killers[ply].iter().position(|&killer| killer == mv).map_or(0, |place| 20 - 10 * place as i32);
        let known = if first == mv { 100_000 } else { 0 };
        known + if mv == PASS { 0 } else { killer + 10 * (32 - self.history[player][mv as usize].leading_zeros() as i32) }
    }

    /// A move decided.
    fn remember(&mut self, player: usize, mv: u8, depth: u8, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != mv {
            *killers = [mv, killers[0]];
        }
        let history = &mut self.history[player][mv as usize];
        *history = history.saturating_add(u32::from(depth) * u32::from(depth));
    }

    /// Of points that these symmetries turn into one another, the one with the lowest bit.
    fn one_of_each(&self, points: u64, symmetries: u8) -> u64 {
        let least = |bit: usize| {
            let turned = (0..self.turns.len()).filter(|turn| symmetries >> turn & 1 != 0);
            turned.map(|turn| usize::from(self.turns.bit(turn as u8, bit as u8))).min() == Some(bit)
        };
        bits(points).filter(|&bit| least(bit)).fold(0, |set, bit| set | 1 << bit)
    }

    /// Keeps an answer.
    fn store(&mut self, state: &State, key: Key, depth: u8, proof: Option<Grounds>, best: u8) {
        if proof.is_some_and(|grounds| !grounds.can_be_kept()) {
            return;
        }
        let state = &state.turned(self.turns, key.turn);
        let mut entry = self.table.entry(state, key.hash);
        let lead = self.goal.lead as i8;
        if let Some(grounds) = proof {
            (entry.proved, entry.grounds) = ((lead, depth), grounds.turned(self.turns, key.turn));
        } else {
            (entry.failed, entry.failed_after) = ((lead, depth), self.history_key(key.turn));
        }
        if best != NONE {
            entry.best = self.turns.mv(key.turn, best);
        }
        self.table.put(state, key.hash, entry);
    }
}
