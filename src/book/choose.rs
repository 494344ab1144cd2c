//! Which move of a book is played.

use super::{BookMove, Mark};
use crate::params::BookParams;

/// Games of the position's average luck that every move is given beside its own, so that a few lucky ones say little.
const DOUBT: f32 = 20.0;

/// The probability of each move of a position ([`super::Book::moves`]) to be played; all 0 if none is good enough.
///
/// Moves marked to be played go before all others. Of the rest those count that were played often enough and won hardly less than the best one; the more
/// often one was played, the likelier it is.
pub fn chances(moves: &[BookMove], params: &BookParams) -> Vec<f32> {
    let marked = moves.iter().any(|known| known.mark == Mark::Play);
    let luck = Luck::of(moves);
    let plays = |known: &BookMove| match known.mark {
        Mark::Play => true,
        Mark::Avoid => false,
        Mark::None => !marked && known.figures.games >= params.min_games,
    };
    let best = moves.iter().filter(|known| plays(known)).map(|known| luck.won(known)).fold(0.0, f32::max);
    let good = |known: &BookMove| plays(known) && (marked || luck.won(known) >= best - params.most_worse);
    let most = moves.iter().filter(|known| good(known)).map(|known| known.figures.games).max().unwrap_or(0).max(1) as f32;
    let weight = |known: &BookMove| {
        let share = known.figures.games.max(1) as f32 / most;
        // Without variety only the most played has a weight.
        if good(known) { share.powf(1.0 / params.variety) } else { 0.0 }
    };
    let weights: Vec<f32> = moves.iter().map(weight).collect();
    let sum: f32 = weights.iter().sum();
    if sum > 0.0 { weights.into_iter().map(|weight| weight / sum).collect() } else { weights }
}

/// What the moves of a position won on average.
struct Luck(f32);

impl Luck {
    fn of(moves: &[BookMove]) -> Self {
        let sum = |figure: fn(&BookMove) -> u32| moves.iter().map(|known| figure(known) as f32).sum::<f32>();
        let (wins, losses) = (sum(|known| known.figures.wins), sum(|known| known.figures.losses));
        Self(if wins + losses > 0.0 { wins / (wins + losses) } else { 0.5 })
    }

    /// Share of games that a move wins, as far as its own games say.
    fn won(&self, known: &BookMove) -> f32 {
        let (wins, losses) = (known.figures.wins as f32, known.figures.losses as f32);
        (wins + DOUBT * self.0) / (wins + losses + DOUBT)
    }
}
