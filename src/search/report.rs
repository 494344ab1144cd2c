//! What a search found, in figures that clients show.

use std::borrow::Cow;
use std::time::Duration;

use super::harvest::{Harvest, Ownership};
use super::lcb::Bounds;
use super::node::{Node, Outcome};
use super::select::Permits;
use super::tree::{ROOT, Tree};
use crate::board::{Color, Move};
use crate::eval::Evaluation;
use crate::game::Game;
use crate::params::Perspective;

/// Longest principal variation that is told: the most that `analysisPVLen` can ask for, and the first move.
const LONGEST_PV: usize = 1001;

/// A move that the search looked at. All figures are seen from the player to move at the root.
#[derive(Clone, Debug)]
pub struct Candidate<A = Move> {
    /// The move.
    pub mv: A,
    /// In a symmetric position, the move that was searched in place of this one, which mirrors it: all figures are that one's.
    pub mirrors: Option<A>,
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
    /// Mean of the final score, in points. Networks tell it apart from the lead. Of a move that was not looked at, the root's.
    pub score_mean: f32,
    /// Standard deviation of the final score, in points. Of a move that was not looked at, the root's.
    pub score_stdev: f32,
    /// Probability that the game ends without result. Of a move that was not looked at, the root's.
    pub no_result: f32,
    /// Probability that was given to the move before the search.
    pub prior: f32,
    /// Lower bound of the win rate: of playouts two standard errors down, of a network as its choice of a move takes it.
    pub lcb: f32,
    /// Lower bound of the utility, in the same way.
    pub utility_lcb: f32,
    /// The principal variation, this move first.
    pub pv: Vec<A>,
    /// Visits of each of its moves.
    pub pv_visits: Vec<u64>,
    /// As [`Report::ownership`], after the move; only if asked for, and if the move was looked at.
    pub ownership: Option<Vec<f32>>,
    /// The standard deviation of each.
    pub ownership_stdev: Option<Vec<f32>>,
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
    /// Probability that the game ends without result.
    pub no_result: f32,
    /// What a network said of the root by itself, seen from player 0, with the policy of all moves; nothing in a search by playouts.
    pub raw: Option<Evaluation<A>>,
    /// The moves, the search's choice first: by visits, then by utility. With a network the one of the best bound comes first.
    pub candidates: Vec<Candidate<A>>,
    /// For each point, row by row from the top left, how much the player to move owns it, -1 to 1. Empty where nothing was searched.
    pub ownership: Vec<f32>,
    /// The standard deviation of each.
    pub ownership_stdev: Vec<f32>,
    /// Time since the search began.
    pub elapsed: Duration,
    /// If the first candidate was not found by the search but is out of an opening book: in how many of its games it was played.
    pub book_games: Option<u32>,
}

impl<A: Clone> Report<A> {
    /// The same with all figures seen from another side: what the opponent loses is won, and a lower bound becomes an upper one.
    pub fn seen_from(&self, perspective: Perspective) -> Cow<'_, Self> {
        if self.side(perspective) == self.to_move {
            return Cow::Borrowed(self);
        }
        let mut report = self.clone();
        report.winrate = 1.0 - report.winrate;
        for figure in [&mut report.utility, &mut report.lead, &mut report.score_mean].into_iter().chain(&mut report.ownership) {
            *figure = -*figure;
        }
        for candidate in &mut report.candidates {
            candidate.winrate = 1.0 - candidate.winrate;
            candidate.lcb = 1.0 - candidate.lcb;
            let Candidate { utility, utility_lcb, lead, score_mean, ownership, .. } = candidate;
            for figure in [utility, utility_lcb, lead, score_mean].into_iter().chain(ownership.iter_mut().flatten()) {
                *figure = -*figure;
            }
        }
        Cow::Owned(report)
    }
}

impl<A: Clone + PartialEq> Report<A> {
    /// Puts a move of an opening book first, which was played in so many of its games. One that the search has not heard of is worth what the root is.
    pub(crate) fn begin_with_book(&mut self, mv: A, games: u32) {
        self.book_games = Some(games);
        let place = self.candidates.iter().position(|candidate| candidate.mv == mv);
        let first = match place {
            Some(place) => self.candidates.remove(place),
            None => Candidate {
                pv: vec![mv.clone()],
                mv,
                mirrors: None,
                order: 0,
                visits: 0,
                winrate: self.winrate,
                utility: self.utility,
                lead: self.lead,
                score_mean: self.score_mean,
                score_stdev: self.score_stdev,
                no_result: self.no_result,
                prior: 0.0,
                lcb: self.winrate,
                utility_lcb: self.utility,
                pv_visits: vec![0],
                ownership: None,
                ownership_stdev: None,
            },
        };
        self.candidates.insert(0, first);
        self.candidates.iter_mut().enumerate().for_each(|(order, candidate)| candidate.order = order);
    }
}

impl<A> Report<A> {
    /// Whose side `perspective` means.
    pub fn side(&self, perspective: Perspective) -> Color {
        match perspective {
            Perspective::SideToMove => self.to_move,
            Perspective::Black => Color::Black,
            Perspective::White => Color::White,
        }
    }

    /// The search's choice; nothing if there was nothing to choose.
    pub fn best(&self) -> Option<&Candidate<A>> {
        self.candidates.first()
    }
}

/// The report of searches of the game that stands at the tree's root with `player` to move, which have seen `harvest`. A network search has
/// `bounds`. Whoever knows the last search adds [`Report::playouts`], [`Report::elapsed`] and [`Report::raw`].
pub(super) fn report<G: Game>(
    tree: &Tree,
    player: usize,
    permits: &Permits,
    bounds: Option<&Bounds>,
    harvest: &Harvest,
) -> Report<G::Action> {
    let root = tree.node(ROOT);
    let sign = if player == 0 { 1.0 } else { -1.0 };
    let mean = root.mean().times(-1.0);
    let ranking = Ranking { bounds, untried: mean, sign, harvest };
    let all = &harvest.all;
    Report {
        to_move: Color::ALL[player],
        visits: root.visits() as u64,
        playouts: 0,
        winrate: winrate(mean),
        utility: mean.utility,
        lead: if bounds.is_some() { mean.lead } else { sign * all.lead() },
        score_mean: sign * all.score_mean(),
        score_stdev: all.score_stdev(),
        no_result: all.no_result(),
        raw: None,
        candidates: candidates::<G>(tree, root, |child| permits.permit(0, player, child.action()), &ranking),
        ownership: all.ownership.mean(sign),
        ownership_stdev: all.ownership.stdev(),
        elapsed: Duration::ZERO,
        book_games: None,
    }
}

/// How candidates are ranked and shown.
struct Ranking<'a> {
    /// A network search's bounds.
    bounds: Option<&'a Bounds>,
    /// What a network search takes an untried move for: the root's mean, for the player to move.
    untried: Outcome,
    /// 1 if player 0 is to move, else -1.
    sign: f32,
    harvest: &'a Harvest,
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

    /// How far below the win rate, and the utility, of `child` its lower bound is.
    fn radii(&self, child: &Node, winrate: f32) -> (f32, f32) {
        if let Some(bounds) = self.bounds {
            return (bounds.winrate_radius(child), bounds.radius(child));
        }
        // The standard error of a share of n games, with one game more so that it is not 0 for the few that all went one way.
        let games = child.visits() as f32 + 1.0;
        let radius = 2.0 * ((winrate * (1.0 - winrate) + 0.25 / games) / games).sqrt();
        (radius, 2.0 * radius)
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
        let (radius, utility_radius) = ranking.radii(child, winrate(outcome));
        let below = ranking.harvest.by_move.get(&child.action());
        let seen = below.unwrap_or(&ranking.harvest.all);
        let ownership = below.map(|below| &below.ownership).filter(|ownership| ownership.is_told());
        Candidate {
            mv: G::action(child.action()),
            mirrors: None,
            order,
            visits: child.visits() as u64,
            winrate: winrate(outcome),
            utility: outcome.utility,
            lead: outcome.lead,
            score_mean: ranking.sign * seen.score_mean(),
            score_stdev: seen.score_stdev(),
            no_result: seen.no_result(),
            prior: child.policy(),
            lcb: winrate(outcome) - radius,
            utility_lcb: outcome.utility - utility_radius,
            pv,
            pv_visits,
            ownership: ownership.map(|ownership| ownership.mean(ranking.sign)),
            ownership_stdev: ownership.map(Ownership::stdev),
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
