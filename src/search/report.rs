//! What a search found, in figures that clients show.

use std::time::Duration;

use super::harvest::Harvest;
use super::lcb::Bounds;
use super::node::{Node, Outcome};
use super::select::Permits;
use super::tree::{ROOT, Tree};
use crate::board::{Color, Move};
use crate::game::Game;

/// Longest principal variation that is told.
const LONGEST_PV: usize = 40;

/// A move that the search looked at. All figures are seen from the player to move at the root.
#[derive(Clone, Debug)]
pub struct Candidate<A = Move> {
    /// The move.
    pub mv: A,
    /// Its rank, 0 being the search's choice.
    pub order: usize,
    /// Visits.
    pub visits: u64,
    /// Expected share of won games, 0 to 1.
    pub winrate: f32,
    /// Expected utility, -1 to 1; with a network, the utility of the score on top.
    pub utility: f32,
    /// Expected lead in points.
    pub lead: f32,
    /// Standard deviation of the final score, in points.
    pub score_stdev: f32,
    /// Probability that was given to the move before the search.
    pub prior: f32,
    /// Lower bound of the win rate: of playouts two standard errors down, of a network as its choice of a move takes it.
    pub lcb: f32,
    /// The principal variation, this move first.
    pub pv: Vec<A>,
    /// Visits of each of its moves.
    pub pv_visits: Vec<u64>,
    /// As [`Report::ownership`], after the move; only if asked for, and if this search looked at the move.
    pub ownership: Option<Vec<f32>>,
}

/// What a search found. All figures are seen from the player to move.
#[derive(Clone, Debug)]
pub struct Report<A = Move> {
    /// The player to move; in games without colours, Black is player 0.
    pub to_move: Color,
    /// Visits of the root, those kept from earlier searches included.
    pub visits: u64,
    /// Evaluations of this search.
    pub playouts: u64,
    /// Expected share of won games, 0 to 1.
    pub winrate: f32,
    /// Expected utility, -1 to 1; with a network, the utility of the score on top.
    pub utility: f32,
    /// Expected lead in points.
    pub lead: f32,
    /// Mean of the final score, in points. Networks tell it apart from the lead.
    pub score_mean: f32,
    /// Standard deviation of the final score, in points.
    pub score_stdev: f32,
    /// The moves, the search's choice first: by visits, then by utility. With a network the one of the best bound comes first.
    pub candidates: Vec<Candidate<A>>,
    /// For each point, row by row from the top left, how much the player to move owns it, -1 to 1. Empty where nothing was searched.
    pub ownership: Vec<f32>,
    /// The standard deviation of each.
    pub ownership_stdev: Vec<f32>,
    /// Time since the search began.
    pub elapsed: Duration,
}

impl<A> Report<A> {
    /// The search's choice; nothing if there was nothing to choose.
    pub fn best(&self) -> Option<&Candidate<A>> {
        self.candidates.first()
    }
}

/// The report of a search of the game that stands at the tree's root with `player` to move. A network search has `bounds`.
pub(super) fn report<G: Game>(
    tree: &Tree,
    player: usize,
    permits: &Permits,
    bounds: Option<&Bounds>,
    harvest: &Harvest,
    elapsed: Duration,
) -> Report<G::Action> {
    let root = tree.node(ROOT);
    let sign = if player == 0 { 1.0 } else { -1.0 };
    let (lead, score_mean, score_stdev) = harvest.scores();
    let mean = root.mean().times(-1.0);
    let ranking = Ranking { bounds, untried: mean, score_stdev };
    Report {
        to_move: Color::ALL[player],
        visits: root.visits() as u64,
        playouts: harvest.count,
        winrate: winrate(mean),
        utility: mean.utility,
        lead: if bounds.is_some() { mean.lead } else { sign * lead },
        score_mean: sign * score_mean,
        score_stdev,
        candidates: candidates::<G>(
            tree,
            root,
            |child| permits.permit(0, player, child.action()),
            |child| harvest.by_move.get(&child.action()).map(|below| below.mean(sign)),
            &ranking,
        ),
        ownership: harvest.ownership.mean(sign),
        ownership_stdev: harvest.ownership.stdev(),
        elapsed,
    }
}

/// How candidates are ranked and shown.
struct Ranking<'a> {
    /// A network search's bounds.
    bounds: Option<&'a Bounds>,
    /// What a network search takes an untried move for: the root's mean, for the player to move.
    untried: Outcome,
    score_stdev: f32,
}

impl Ranking<'_> {
    /// What is expected of `child`.
    fn outcome(&self, child: &Node) -> Outcome {
        match self.bounds {
            _ if child.visits() > 0 => child.mean(),
            Some(_) => self.untried,
            None => {
                let thought = 2.0 * child.opinion().value - 1.0;
                Outcome { utility: thought, result: thought, lead: 0.0 }
            }
        }
    }

    /// How far below the win rate of `child` its lower bound is.
    fn radius(&self, child: &Node, winrate: f32) -> f32 {
        if let Some(bounds) = self.bounds {
            return bounds.winrate_radius(child);
        }
        // The standard error of a share of n games, with one game more so that it is not 0 for the few that all went one way.
        let games = child.visits() as f32 + 1.0;
        2.0 * ((winrate * (1.0 - winrate) + 0.25 / games) / games).sqrt()
    }
}

/// Share of won games, 0 to 1.
fn winrate(outcome: Outcome) -> f32 {
    f32::midpoint(outcome.result, 1.0)
}

fn candidates<G: Game>(
    tree: &Tree,
    root: &Node,
    permitted: impl Fn(&Node) -> bool,
    ownership: impl Fn(&Node) -> Option<Vec<f32>>,
    ranking: &Ranking<'_>,
) -> Vec<Candidate<G::Action>> {
    let mut children = ranked(tree, root);
    // An earlier search of the same tree may have been free to look at more. If nothing is permitted, all is, as in the search.
    if children.iter().any(|child| permitted(child)) {
        children.retain(|child| permitted(child));
    }
    if let (Some(bounds), Some((_, all))) = (ranking.bounds, tree.children(root)) {
        bounds.choose(root, all, &mut children);
    }
    let candidate = |(order, child): (usize, &Node)| {
        let outcome = ranking.outcome(child);
        let (pv, pv_visits) = principal_variation::<G>(tree, child);
        Candidate {
            mv: G::action(child.action()),
            order,
            visits: child.visits() as u64,
            winrate: winrate(outcome),
            utility: outcome.utility,
            lead: outcome.lead,
            score_stdev: ranking.score_stdev,
            prior: child.policy(),
            lcb: winrate(outcome) - ranking.radius(child, winrate(outcome)),
            pv,
            pv_visits,
            ownership: ownership(child),
        }
    };
    children.into_iter().enumerate().map(candidate).collect()
}

/// The children of `node`, the most visited first, among equals the one that wins more.
fn ranked<'a>(tree: &'a Tree, node: &Node) -> Vec<&'a Node> {
    let mut children: Vec<&Node> = tree.children(node).map(|(_, children)| children.iter().collect()).unwrap_or_default();
    // A snapshot of the keys: other threads go on counting, and a sort wants an order that stands still. (Bits of floats above 0 have
    // their order.)
    let key = |child: &Node| (child.visits(), (2.0 + 0.5 * child.mean_utility() + child.policy()).to_bits());
    children.sort_by_cached_key(|child| std::cmp::Reverse(key(child)));
    children
}

/// From `node` on by the most visited children.
fn principal_variation<G: Game>(tree: &Tree, node: &Node) -> (Vec<G::Action>, Vec<u64>) {
    let (mut moves, mut visits) = (Vec::new(), Vec::new());
    let mut next = Some(node);
    while let Some(node) = next.filter(|node| moves.is_empty() || node.visits() > 0) {
        moves.push(G::action(node.action()));
        visits.push(node.visits() as u64);
        next = tree.children(node).and_then(|(_, children)| children.iter().max_by_key(|child| child.visits()));
        if moves.len() == LONGEST_PV {
            break;
        }
    }
    (moves, visits)
}
