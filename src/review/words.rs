//! A review in sentences.

use super::Review;
use super::look::{Choice, Look};
use super::stakes::stakes;
use super::verdict::{Class, Verdict};
use crate::board::{Color, Move, Size};

/// Moves of a line that are told.
const TOLD: usize = 6;
/// Points below which a loss is not worth a word.
const SMALL: f32 = 0.5;

/// How the game stands: `Black wins 61 %, leads by 3.4`.
pub(super) fn standing(look: &Look) -> String {
    let ahead = if look.winrate >= 0.5 { Color::Black } else { Color::White };
    let percent = percent(look.winrate_of(ahead));
    match lead(look.lead) {
        (None, _) => format!("{ahead} wins {percent}, the score is even"),
        (Some(leader), points) if leader == ahead => format!("{ahead} wins {percent} and leads by {points}"),
        (Some(leader), points) => format!("{ahead} wins {percent}, {leader} leads by {points}"),
    }
}

/// Who leads, and by how many points; nobody if it is less than a tenth of a point.
fn lead(black: f32) -> (Option<Color>, String) {
    let leader = if black >= 0.05 {
        Some(Color::Black)
    } else if black <= -0.05 {
        Some(Color::White)
    } else {
        None
    };
    (leader, format!("{:.1}", black.abs()))
}

/// A share as whole percent.
pub(super) fn percent(share: f32) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// So many points, with one decimal.
pub(super) fn points(number: f32) -> String {
    format!("{number:.1} points")
}

/// The first moves of a line, as a player reads them.
pub(super) fn line(size: Size, moves: &[Move]) -> String {
    moves.iter().take(TOLD).map(|&mv| size.vertex(mv)).collect::<Vec<_>>().join(" ")
}

impl Review {
    /// What is said of a move: how the game stands after it, and what it was worth.
    pub(super) fn comment(&self, verdict: &Verdict) -> String {
        let standing = standing(&self.looks[verdict.number]);
        format!("{standing}. {}", self.judged(verdict))
    }

    /// What a move was worth, in a sentence or some.
    pub(super) fn judged(&self, verdict: &Verdict) -> String {
        let size = self.game.record.size;
        let mv = size.vertex(verdict.mv);
        let Some(lost) = verdict.lost else { return format!("{mv} cannot be judged: stones were set up after it.") };
        if verdict.rank == Some(1) {
            return format!("{mv} is the first choice.");
        }
        let before = &self.looks[verdict.number - 1];
        let Some(best) = before.best().filter(|_| lost >= SMALL) else { return format!("{mv} is fine.") };
        let drop = match verdict.winrate_lost.unwrap_or(0.0) {
            drop if drop < 0.01 => String::new(),
            _ => {
                let shares = [verdict.number - 1, verdict.number].map(|place| self.looks[place].winrate_of(verdict.color));
                format!(", and the chance to win falls from {} to {}", percent(shares[0]), percent(shares[1]))
            }
        };
        let kind = match verdict.class {
            Class::Fine => String::new(),
            Class::Inaccuracy => ", an inaccuracy".to_owned(),
            class => format!(", a {}", class.word()),
        };
        let parts = [
            format!("{mv} loses {}{kind}{drop}.", points(lost)),
            better(size, best),
            self.consequences(verdict),
            self.punishment(verdict),
        ];
        parts.iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// Whose stones a move put in danger or let live.
    pub(super) fn consequences(&self, verdict: &Verdict) -> String {
        if verdict.class == Class::Fine {
            return String::new();
        }
        let (before, after) = (&self.looks[verdict.number - 1], &self.looks[verdict.number]);
        let board = &self.boards[verdict.number];
        let sentence = |stake: super::stakes::Stake| {
            let whose = format!("{}'s {} stones at {}", stake.color, stake.stones, board.size().vertex(stake.at));
            if stake.lives { format!("It lets {whose} live.") } else { format!("It leaves {whose} in danger.") }
        };
        stakes(board, verdict.color, before, after).into_iter().map(sentence).collect::<Vec<_>>().join(" ")
    }

    /// How the opponent makes use of a mistake.
    fn punishment(&self, verdict: &Verdict) -> String {
        let answer = self.looks[verdict.number].best().filter(|_| verdict.class >= Class::Mistake);
        let told = |answer: &Choice| format!("Now {} has {}.", !verdict.color, line(self.game.record.size, &answer.line));
        answer.map_or_else(String::new, told)
    }
}

/// What would have been better.
fn better(size: Size, best: &Choice) -> String {
    let first = size.vertex(best.mv);
    match best.line.get(1..).filter(|rest| !rest.is_empty()) {
        Some(rest) => format!("Better is {first}, then {}.", line(size, &rest[..rest.len().min(TOLD - 1)])),
        None => format!("Better is {first}."),
    }
}

#[cfg(test)]
mod tests {
    use super::{lead, percent, standing};
    use crate::board::Color;
    use crate::review::Look;

    #[test]
    fn standings() {
        let look = |winrate: f32, lead: f32| {
            standing(&Look {
                to_move: Color::White,
                visits: 1,
                winrate,
                lead,
                score_stdev: 0.0,
                choices: Vec::new(),
                policy: Vec::new(),
                ownership: Vec::new(),
            })
        };
        assert_eq!(look(0.612, 3.44), "Black wins 61 % and leads by 3.4");
        assert_eq!(look(0.2, -12.0), "White wins 80 % and leads by 12.0");
        assert_eq!(look(0.52, -0.2), "Black wins 52 %, White leads by 0.2");
        assert_eq!(look(0.49, 0.01), "White wins 51 %, the score is even");
        assert_eq!(lead(-0.04).0, None);
        assert_eq!(percent(1.0), "100 %");
    }
}
