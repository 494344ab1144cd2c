//! Alpha-beta as programs play by it: iterative deepening (D. Slate and L. Atkin, Chess 4.5, 1977), principal variation search (T. Marsland and
//! M. Campbell, 1982), a transposition table, ordering, and the selective methods, which all are off unless asked for: they can err, alpha-beta cannot.
//!
//! Values inside are seen from who is to move (negamax). A value is `whole` if no line that it rests on was cut short by an estimate.

use std::hash::Hash;

use super::ordering::Ordering;
use super::table::{Bound, Entry, Table};
use super::{Count, Found, actions, after, sign};
use crate::game::Game;

/// What is known about a game beyond its rules.
pub trait Heuristic<G: Game> {
    /// An estimate of what an unfinished state is worth to player 0, strictly between the worst and the best utility: wins rank above every estimate.
    fn evaluate(&mut self, state: &G) -> f32;

    /// The actions that must still be tried where the search would end, because no estimate is worth anything in the middle of an exchange (quiescence
    /// search; L. Harris, 1975): none in a quiet state.
    fn tactical(&mut self, _state: &G, actions: &mut Vec<G::Action>) {
        actions.clear();
    }
}

/// Knows nothing: every unfinished state is worth 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ignorance;

impl<G: Game> Heuristic<G> for Ignorance {
    fn evaluate(&mut self, _state: &G) -> f32 {
        0.0
    }
}

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Most plies, quiescence not counted.
    pub depth: u32,
    /// States after which no deeper iteration is begun and the running one is given up.
    pub states: u64,
    /// Places of the transposition table.
    pub table: usize,
    /// Singular extension (T. Anantharaman and others, 1990): the table's action is searched a ply deeper if, by a search of half the depth, every other
    /// is worse by this margin. Proofs stay proofs.
    pub singular: Option<f32>,
    /// Late move reduction: from the fourth action on, a ply less at first. Can miss what a full search sees.
    pub late_moves: bool,
    /// ProbCut (M. Buro, 1995): what a search two plies shallower finds above the window by this margin is taken to be above it. Can err.
    pub prob_cut: Option<f32>,
}

impl Default for Options {
    fn default() -> Self {
        Self { depth: u32::MAX, states: u64::MAX, table: 1 << 16, singular: None, late_moves: false, prob_cut: None }
    }
}

/// Depth from which the selective methods work: below, they cost more than they save.
const SELECTIVE_FROM: u32 = 3;

/// A search with its table, which later searches of the same game profit from.
pub struct Searcher<G: Game + Eq + Hash, H> {
    heuristic: H,
    options: Options,
    table: Table<G, Entry<G::Action>>,
    ordering: Ordering<G::Action>,
    count: Count,
    /// Whether the running iteration met its depth anywhere.
    met_depth: bool,
}

/// A value from the side of who is to move.
#[derive(Clone, Copy)]
struct Value {
    value: f32,
    whole: bool,
}

/// The search was given up.
struct OutOfStates;

impl<G: Game + Eq + Hash, H: Heuristic<G>> Searcher<G, H> {
    /// A search that knows what `heuristic` knows.
    pub fn new(heuristic: H, options: Options) -> Self {
        let ordering = Ordering::new(G::ACTIONS);
        Self { heuristic, options, table: Table::new(options.table), ordering, count: Count::default(), met_depth: false }
    }

    /// Searches a ply deeper each time, until the value is proved or a limit is reached; gives what the deepest finished iteration found, and whether that
    /// is proved. An iteration's best action is tried first in the next.
    pub fn search(&mut self, root: &G) -> (Found<G::Action>, bool) {
        self.count = Count::default();
        let mut found = (Found { value: 0.0, action: actions(root).first().copied(), count: self.count }, false);
        for depth in 1..=self.options.depth {
            self.met_depth = false;
            let Ok(Value { value, whole }) = self.look(root, depth, 0, f32::NEG_INFINITY, f32::INFINITY) else { break };
            let action = self.table.get(root).and_then(|entry| entry.best);
            found = (Found { value: sign(root.player()) * value, action, count: self.count }, whole);
            // Where selective methods left something out, a deeper search may find no more and still prove nothing.
            if whole || !self.met_depth || self.count.states >= self.options.states {
                break;
            }
        }
        found.0.count = self.count;
        found
    }

    /// One search to `depth` plies with a window, seen from player 0; a result outside of the window is a bound.
    pub fn search_within(&mut self, root: &G, depth: u32, alpha: f32, beta: f32) -> Option<Found<G::Action>> {
        let sign = sign(root.player());
        let (alpha, beta) = if sign > 0.0 { (alpha, beta) } else { (-beta, -alpha) };
        let Value { value, .. } = self.look(root, depth, 0, alpha, beta).ok()?;
        let action = self.table.get(root).and_then(|entry| entry.best);
        Some(Found { value: sign * value, action, count: self.count })
    }

    fn look(&mut self, state: &G, depth: u32, ply: usize, mut alpha: f32, beta: f32) -> Result<Value, OutOfStates> {
        self.count.states += 1;
        if self.count.states > self.options.states {
            return Err(OutOfStates);
        }
        // In this order: over, known, deep enough.
        if state.is_terminal() {
            self.count.leaves += 1;
            return Ok(Value { value: sign(state.player()) * state.utility(), whole: true });
        }
        let known = self.table.get(state).copied();
        if let Some((entry, value)) = known.and_then(|entry| Some((entry, entry.cut_off(depth, alpha, beta)?))) {
            return Ok(Value { value, whole: entry.depth == u32::MAX });
        }
        if depth == 0 {
            return self.quiesce(state, alpha, beta);
        }
        if let Some(value) = self.prob_cut(state, depth, ply, beta)? {
            return Ok(Value { value, whole: false });
        }
        let first = known.and_then(|entry| entry.best);
        let extended = match known {
            Some(entry) => self.singular(state, &entry, depth, ply)?,
            None => false,
        };
        let mut actions = actions(state);
        self.ordering.sort(state, &mut actions, first, ply);
        let lowest = alpha;
        let (mut best, mut action, mut whole) = (f32::NEG_INFINITY, None, true);
        for (number, &candidate) in actions.iter().enumerate() {
            let next = after(state, candidate);
            let deeper = depth - 1 + u32::from(extended && number == 0);
            let found = self.try_action(state, &next, deeper, ply, number, alpha, beta)?;
            whole &= found.whole;
            if found.value > best {
                (best, action) = (found.value, Some(candidate));
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                // The bound rests on this line alone.
                whole = found.whole;
                self.ordering.note_cut(state, candidate, ply, depth);
                break;
            }
        }
        let bound = match () {
            () if best >= beta => Bound::Lower,
            () if best <= lowest => Bound::Upper,
            () => Bound::Exact,
        };
        let depth = if whole { u32::MAX } else { depth };
        self.table.insert(state, Entry { value: best, bound, depth, best: action });
        Ok(Value { value: best, whole })
    }

    /// Principal variation search: after the first action, one is only asked whether it is better, by a window of nothing; if so it is searched again.
    #[expect(clippy::too_many_arguments, reason = "all of a node's state")]
    fn try_action(
        &mut self,
        state: &G,
        next: &G,
        depth: u32,
        ply: usize,
        number: usize,
        alpha: f32,
        beta: f32,
    ) -> Result<Value, OutOfStates> {
        if number == 0 || alpha == f32::NEG_INFINITY {
            return self.reply(state, next, depth, ply, alpha, beta);
        }
        let above = alpha.next_up();
        if self.options.late_moves && number >= 3 && depth >= SELECTIVE_FROM {
            let reduced = self.reply(state, next, depth - 1, ply, alpha, above)?;
            if reduced.value <= alpha {
                return Ok(Value { whole: false, ..reduced });
            }
        }
        let better = self.reply(state, next, depth, ply, alpha, above)?;
        if better.value > alpha && better.value < beta { self.reply(state, next, depth, ply, alpha, beta) } else { Ok(better) }
    }

    /// The value of `next` to the player to move in `state`.
    fn reply(&mut self, state: &G, next: &G, depth: u32, ply: usize, alpha: f32, beta: f32) -> Result<Value, OutOfStates> {
        if next.player() == state.player() {
            return self.look(next, depth, ply + 1, alpha, beta);
        }
        let Value { value, whole } = self.look(next, depth, ply + 1, -beta, -alpha)?;
        Ok(Value { value: -value, whole })
    }

    /// An estimate, or what the exchange that is going on leads to. Who is to move may leave off at any time.
    fn quiesce(&mut self, state: &G, mut alpha: f32, beta: f32) -> Result<Value, OutOfStates> {
        self.count.leaves += 1;
        self.met_depth = true;
        let mut best = sign(state.player()) * self.heuristic.evaluate(state);
        let mut actions = Vec::new();
        self.heuristic.tactical(state, &mut actions);
        for action in actions {
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
            let next = after(state, action);
            self.count.states += 1;
            let value = if next.is_terminal() {
                sign(state.player()) * next.utility()
            } else if next.player() == state.player() {
                self.quiesce(&next, alpha, beta)?.value
            } else {
                -self.quiesce(&next, -beta, -alpha)?.value
            };
            best = best.max(value);
        }
        Ok(Value { value: best, whole: false })
    }

    fn prob_cut(&mut self, state: &G, depth: u32, ply: usize, beta: f32) -> Result<Option<f32>, OutOfStates> {
        let Some(margin) = self.options.prob_cut.filter(|_| depth > SELECTIVE_FROM && beta.is_finite()) else { return Ok(None) };
        let bar = beta + margin;
        let shallow = self.look(state, depth - 2, ply, bar.next_down(), bar)?;
        Ok((shallow.value >= bar).then_some(beta))
    }

    /// True if the table's action is the only good one.
    fn singular(&mut self, state: &G, entry: &Entry<G::Action>, depth: u32, ply: usize) -> Result<bool, OutOfStates> {
        let (Some(margin), Some(best)) = (self.options.singular, entry.best) else { return Ok(false) };
        if depth < SELECTIVE_FROM || entry.bound == Bound::Upper {
            return Ok(false);
        }
        let bar = entry.value - margin;
        for action in actions(state).into_iter().filter(|&action| action != best) {
            let other = self.reply(state, &after(state, action), depth / 2, ply, bar.next_down(), bar)?;
            if other.value >= bar {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
