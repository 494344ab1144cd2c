//! What a search found of one position, in the form that reviews keep.

use crate::board::{Color, Move, Size};
use crate::search::{Candidate, Report};

/// Choices that are kept, besides those that mirror them: more than anybody reads.
const MOST_CHOICES: usize = 10;
/// Longest line that is kept.
const LONGEST_LINE: usize = 16;
/// Least probability of a move that is kept, in the policy.
const LEAST_POLICY: f32 = 0.001;
/// Steps that ownership is kept in, on either side.
const STEPS: f32 = 31.0;

/// What a search found of one position. All figures are seen from Black.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Who was to move.
    pub to_move: Color,
    /// Visits of the search.
    pub visits: u64,
    /// Black's expected share of won games, 0 to 1.
    pub winrate: f32,
    /// Black's expected lead in points.
    pub lead: f32,
    /// Standard deviation of the final score, in points.
    pub score_stdev: f32,
    /// The moves that the search thought of, the best first. At least one.
    pub choices: Vec<Choice>,
    /// How likely each move was before the search, the likeliest first, without those of less than one in a thousand.
    pub policy: Vec<(Move, f32)>,
    /// How much Black owns each point, row by row from the top left, in steps of 1/31 from -31 to 31. Empty if it is not known.
    pub ownership: Vec<i8>,
}

/// A move that a search thought of. All figures are seen from Black.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// Whether it mirrors a choice before it, whose figures these are ([`Candidate::mirrors`](crate::search::Candidate::mirrors)).
    pub mirrors: bool,
    /// Visits.
    pub visits: u64,
    /// Black's expected share of won games, 0 to 1.
    pub winrate: f32,
    /// Black's expected lead in points.
    pub lead: f32,
    /// How likely the move was before the search, 0 to 1.
    pub prior: f32,
    /// How the game is expected to go on, this move first.
    pub line: Vec<Move>,
}

impl Look {
    /// What `report` says.
    pub(super) fn of(report: &Report) -> Self {
        let color = report.to_move;
        let winrate = |own: f32| if color == Color::Black { own } else { 1.0 - own };
        let mut kept = 0;
        let is_worth_it = |candidate: &&Candidate| {
            kept += usize::from(candidate.mirrors.is_none());
            kept == 1 || (kept <= MOST_CHOICES && candidate.visits > 0)
        };
        let choices = report.candidates.iter().take_while(is_worth_it).map(|candidate| Choice {
            mv: candidate.mv,
            mirrors: candidate.mirrors.is_some(),
            visits: candidate.visits,
            winrate: winrate(candidate.winrate),
            lead: color.sign() * candidate.lead,
            prior: candidate.prior,
            line: candidate.pv.iter().copied().take(LONGEST_LINE).collect(),
        });
        let likely = report.candidates.iter().filter(|candidate| candidate.prior >= LEAST_POLICY);
        let mut policy: Vec<(Move, f32)> = likely.map(|candidate| (candidate.mv, candidate.prior)).collect();
        policy.sort_by(|a, b| b.1.total_cmp(&a.1));
        Self {
            to_move: color,
            visits: report.visits,
            winrate: winrate(report.winrate),
            lead: color.sign() * report.lead,
            score_stdev: report.score_stdev,
            choices: choices.collect(),
            policy,
            ownership: report.ownership.iter().map(|owned| (color.sign() * owned * STEPS).round() as i8).collect(),
        }
    }

    /// The expected share of games that `color` wins, 0 to 1.
    pub fn winrate_of(&self, color: Color) -> f32 {
        share_of(self.winrate, color)
    }

    /// The search's choice; nothing if there was nothing to choose.
    pub fn best(&self) -> Option<&Choice> {
        self.choices.first()
    }

    /// The place of a move among the choices, from 1, those that mirror each other being one; nothing if it is none of them.
    pub fn rank(&self, mv: Move) -> Option<usize> {
        let place = self.choices.iter().position(|choice| choice.mv == mv)?;
        Some(self.choices[..=place].iter().filter(|choice| !choice.mirrors).count())
    }

    /// How much Black owns the point of this row-major number, -1 to 1; 0 if it is not known.
    pub fn owned(&self, place: usize) -> f32 {
        f32::from(self.ownership.get(place).copied().unwrap_or(0)) / STEPS
    }

    /// Ownership as text, a letter of `A-Za-z0-9+/` a point: the 32nd is nobody's, the 63rd Black's. (CGOS has the same form.)
    pub(super) fn ownership_text(&self) -> String {
        self.ownership.iter().map(|&step| char::from(LETTERS[(i32::from(step) + STEPS as i32) as usize])).collect()
    }

    /// Reads what [`Look::ownership_text`] writes, for a board of `size`; nothing if it is something else.
    pub(super) fn read_ownership(text: &str, size: Size) -> Option<Vec<i8>> {
        let step = |letter: u8| LETTERS.iter().position(|&known| known == letter).map(|place| place as i8 - STEPS as i8);
        let steps: Vec<i8> = text.bytes().map(step).collect::<Option<_>>()?;
        (steps.is_empty() || steps.len() == size.area()).then_some(steps)
    }
}

impl Choice {
    /// The expected share of games that `color` wins, 0 to 1.
    pub fn winrate_of(&self, color: Color) -> f32 {
        share_of(self.winrate, color)
    }
}

fn share_of(black: f32, color: Color) -> f32 {
    if color == Color::Black { black } else { 1.0 - black }
}

/// One for each step of ownership.
const LETTERS: &[u8; 63] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+";

#[cfg(test)]
mod tests {
    use super::{Choice, Look};
    use crate::board::{Color, Size};

    #[test]
    fn moves_that_mirror_each_other_have_one_rank() {
        let size = Size::square(3).unwrap();
        let choice = |(name, mirrors): (&str, bool)| {
            let mv = size.parse_vertex(name).unwrap();
            Choice { mv, mirrors, visits: 1, winrate: 0.5, lead: 0.0, prior: 0.1, line: vec![mv] }
        };
        let choices = [("A1", false), ("C1", true), ("A3", true), ("B2", false)].map(choice).to_vec();
        let look = Look {
            to_move: Color::Black,
            visits: 4,
            winrate: 0.5,
            lead: 0.0,
            score_stdev: 0.0,
            choices,
            policy: Vec::new(),
            ownership: Vec::new(),
        };
        let ranks = ["A1", "A3", "B2", "B1"].map(|name| look.rank(size.parse_vertex(name).unwrap()));
        assert_eq!(ranks, [Some(1), Some(1), Some(2), None]);
    }

    #[test]
    fn ownership_goes_into_letters_and_back() {
        let size = Size::new(3, 2).unwrap();
        let look = Look {
            to_move: Color::Black,
            visits: 1,
            winrate: 0.5,
            lead: 0.0,
            score_stdev: 0.0,
            choices: Vec::new(),
            policy: Vec::new(),
            ownership: vec![-31, -30, 0, 1, 30, 31],
        };
        assert_eq!(look.ownership_text(), "ABfg9+");
        assert_eq!(Look::read_ownership("ABfg9+", size).unwrap(), look.ownership);
        assert_eq!(Look::read_ownership("", size), Some(Vec::new()));
        for bad in ["ABfg9", "ABfg9/", "ABfg9é"] {
            assert_eq!(Look::read_ownership(bad, size), None, "{bad}");
        }
        assert_eq!((look.owned(0), look.owned(5), look.owned(9)), (-1.0, 1.0, 0.0));
    }
}
