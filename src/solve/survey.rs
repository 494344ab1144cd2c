//! Which stones a local problem is about. Two short searches of everything near stones, one with each side moving first, tell who owns what in the end: chains whose
//! fate differs are what the question is about, those that stand in either case are its surroundings.

use super::contest::{Fight, Searchers, Stake, near};
use crate::board::{Board, Color, Move, Point, PointSet};
use crate::rules::Position;
use crate::search::{Limits, Report};

/// Points further than this from any stone are not played.
const REACH: usize = 2;
/// Memory of a tree, in bytes.
const TREE: u64 = 1 << 25;

/// What was seen.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    /// All chains, those first on which most hangs.
    pub(super) chains: Vec<Fate>,
    /// For each colour moving first, Black's ownership of each point after the best move, from -1 to 1; row by row.
    owners: [Vec<f32>; 2],
    /// For each colour moving first, the share of the visits that each of its moves got.
    shares: [Vec<(Move, f32)>; 2],
}

/// What becomes of a chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fate {
    /// A stone of it.
    pub(super) head: Point,
    /// Whose it is.
    pub(super) color: Color,
    /// How many stones it has.
    pub(super) stones: usize,
    /// Its owner's share when its owner moves first, from -1 (captured) to 1.
    pub(super) best: f32,
    /// The same when the other side does.
    pub(super) worst: f32,
}

impl Fate {
    /// How much hangs on who moves first, 0 to 2.
    pub(super) fn swing(&self) -> f32 {
        (self.best - self.worst).max(0.0)
    }
}

impl Survey {
    /// Looks at `position` with each side moving first, each within `limits`.
    pub(super) fn new(position: &Position, searchers: &mut Searchers<'_>, limits: &Limits) -> Self {
        let (board, size) = (position.board(), position.size());
        let stakes: Vec<Stake> =
            size.points().filter_map(|point| board.stone(point).map(|color| Stake { point, color, weight: 1.0 })).collect();
        let stones: PointSet = stakes.iter().map(|stake| stake.point).collect();
        let area = near(board, &stones, REACH);
        let [(black, black_shares), (white, white_shares)] = Color::ALL.map(|first| {
            let mut position = position.clone();
            position.set_to_move(first);
            let fight = Fight { position: &position, stakes: stakes.clone(), area };
            let report = searchers.search(fight, TREE, limits);
            (owners(&report, first), shares(&report))
        });
        Self::from_parts(board, [black, white], [black_shares, white_shares])
    }

    /// The survey that found these owners and shares for Black and White moving first.
    pub(super) fn from_parts(board: &Board, owners: [Vec<f32>; 2], shares: [Vec<(Move, f32)>; 2]) -> Self {
        let mut survey = Self { chains: Vec::new(), owners, shares };
        survey.chains = board
            .size()
            .points()
            .filter(|&point| !board.is_empty(point) && board.head(point) == point)
            .filter_map(|head| survey.fate(board, head))
            .collect();
        let weight = |fate: &Fate| fate.swing() * (fate.stones as f32).sqrt();
        survey.chains.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
        survey
    }

    fn fate(&self, board: &Board, head: Point) -> Option<Fate> {
        let color = board.stone(head)?;
        let stones = board.chain_length(head);
        let share = |first: Color| {
            let sum: f32 = board.chain(head).map(|stone| self.owner(board, stone, first)).sum();
            sum * color.sign() / stones as f32
        };
        Some(Fate { head, color, stones, best: share(color), worst: share(!color) })
    }

    /// What this survey and another of the same position say, each as much as the other.
    pub(super) fn joined(self, board: &Board, other: &Self) -> Self {
        let mut owners = self.owners;
        for (all, more) in owners.iter_mut().zip(&other.owners) {
            all.iter_mut().zip(more).for_each(|(owner, more)| *owner = (*owner + more) / 2.0);
        }
        let mut shares = self.shares;
        for (all, more) in shares.iter_mut().zip(&other.shares) {
            for &(mv, share) in more {
                match all.iter_mut().find(|(other, _)| *other == mv) {
                    Some((_, sum)) => *sum += share,
                    None => all.push((mv, share)),
                }
            }
            for (_, share) in all {
                *share /= 2.0;
            }
        }
        Self::from_parts(board, owners, shares)
    }

    /// The share of the visits that each move of `first` got.
    pub(super) fn shares(&self, first: Color) -> &[(Move, f32)] {
        &self.shares[first.index()]
    }

    /// How likely `mv` seems for `first`, from 0 to 1.
    pub(super) fn share(&self, first: Color, mv: Move) -> f32 {
        self.shares[first.index()].iter().find(|(other, _)| *other == mv).map_or(0.0, |&(_, share)| share)
    }

    /// Black's ownership of `point` after the best first move of `first`.
    pub(super) fn owner(&self, board: &Board, point: Point, first: Color) -> f32 {
        self.owners[first.index()].get(board.size().dense(point)).copied().unwrap_or(0.0)
    }
}

/// The share of the visits that each move got.
pub(super) fn shares(report: &Report<Move>) -> Vec<(Move, f32)> {
    let all = report.visits.max(1) as f32;
    report.candidates.iter().map(|candidate| (candidate.mv, candidate.visits as f32 / all)).collect()
}

/// Black's ownership after the best move of `first`.
fn owners(report: &Report<Move>, first: Color) -> Vec<f32> {
    let best = report.candidates.first().and_then(|candidate| candidate.ownership.as_ref());
    best.unwrap_or(&report.ownership).iter().map(|owner| owner * first.sign()).collect()
}
