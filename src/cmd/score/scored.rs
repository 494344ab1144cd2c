//! The scoring itself: under which rules and komi, which stones are dead, and what that makes.

use crate::board::{Color, PointSet};
use crate::engine::{Judgement, judge};
use crate::params::PlayoutParams;
use crate::rules::{Outcome, Owners, Position, Scoring};
use crate::sgf::{GameResult, Margin, Record, ReplayError, Terms};

/// A scored game.
pub(super) struct Scored {
    pub(super) record: Record,
    pub(super) terms: Terms,
    /// Number of moves up to the position that is scored.
    pub(super) moves: usize,
    pub(super) position: Position,
    /// Stones taken off.
    pub(super) dead: PointSet,
    /// Living stones without two eyes.
    pub(super) seki: PointSet,
    /// Whose each point is.
    pub(super) owners: Owners,
    /// Stones whose fate is in doubt, though it was decided.
    pub(super) doubtful: PointSet,
    pub(super) outcome: Outcome,
    /// The outcome if all doubts turned out well for Black, and for White.
    pub(super) at_best: [Outcome; 2],
}

/// A line of the count: what it is, and what each side gets by it; nothing where it never gets any.
pub(super) type Row = (&'static str, [Option<f32>; 2]);

impl Scored {
    /// Plays `moves` moves of the record, and counts.
    pub(super) fn new(record: Record, terms: Terms, moves: usize) -> Result<Self, ReplayError> {
        let rules = terms.to_replay();
        let position = record.replay_moves(rules, moves)?;
        let judgement = (!rules.counts_as_it_stands()).then(|| judge(&position, &PlayoutParams::default()));
        let stones = |which: fn(&Judgement) -> PointSet| judgement.as_ref().map_or(PointSet::EMPTY, which);
        let (dead, seki, doubtful) = (stones(|all| all.dead), stones(|all| all.seki), stones(|all| all.doubtful));
        let outcome = match position.result() {
            Some(Outcome::NoResult) => Outcome::NoResult,
            _ => Outcome::Score(position.judged_score(&dead, &seki)),
        };
        let at_best = |color| judgement.as_ref().map_or(outcome, |all| Outcome::Score(all.score_at_best(&position, color)));
        let at_best = Color::ALL.map(at_best);
        let owners = position.judged_owners(&dead, &seki);
        Ok(Self { record, terms, moves, position, dead, seki, owners, doubtful, outcome, at_best })
    }

    /// The living stones of `color`.
    pub(super) fn stones(&self, color: Color) -> usize {
        self.points(color).0
    }

    /// The empty points of `color`, and those under dead stones.
    pub(super) fn territory(&self, color: Color) -> usize {
        self.points(color).1
    }

    fn points(&self, color: Color) -> (usize, usize) {
        let owned = self.owners.of(color);
        let stones = owned.iter().filter(|&point| self.position.board().stone(point) == Some(color)).count();
        (stones, owned.len() - stones)
    }

    /// The points that nobody owns.
    pub(super) fn neutral(&self) -> usize {
        self.position.size().area() - Color::ALL.map(|color| self.owners.of(color).len()).iter().sum::<usize>()
    }

    /// Enemy stones that `color` took during the game, and those that are dead.
    pub(super) fn prisoners(&self, color: Color) -> usize {
        let board = self.position.board();
        board.captures(color) + self.dead.iter().filter(|&point| board.stone(point) == Some(!color)).count()
    }

    /// The count, line by line. The difference of the columns' sums is the score.
    pub(super) fn rows(&self) -> Vec<Row> {
        let rules = &self.terms.rules;
        let both = |count: &dyn Fn(Color) -> usize| Color::ALL.map(|color| Some(count(color) as f32));
        let only = |color: Color, points: f32| Color::ALL.map(|side| (side == color).then_some(points));
        let first = match rules.scoring {
            Scoring::Area => ("Stones", both(&|color| self.stones(color))),
            Scoring::Territory => ("Prisoners", both(&|color| self.prisoners(color))),
        };
        let mut rows = vec![first, ("Territory", both(&|color| self.territory(color))), ("Komi", only(Color::White, rules.komi))];
        let handicap = rules.handicap_bonus.points(self.position.handicap_stones()) as f32;
        let button = match rules.scoring {
            Scoring::Area => rules.komi + handicap - self.position.white_bonus(),
            Scoring::Territory => 0.0,
        };
        let points_to = |points: f32| only(if points > 0.0 { Color::Black } else { Color::White }, points.abs());
        let more = [("Handicap", only(Color::White, handicap)), ("Button", points_to(button))];
        rows.extend(
            more.into_iter().filter(|(_, points)| points.iter().any(|points| points.is_some_and(|points| points != 0.0))),
        );
        // What the rules with group tax take from one side more than from the other.
        let tax = self.judged_score() - balance(&rows);
        if tax != 0.0 {
            rows.push(("Group tax", points_to(tax)));
        }
        rows
    }

    /// Black's points less White's.
    fn judged_score(&self) -> f32 {
        self.position.judged_score(&self.dead, &self.seki)
    }

    /// Whether the record's result is this one; nothing if it names none, the game did not end by counting, or this is not its end.
    pub(super) fn agrees(&self) -> Option<bool> {
        let whole = self.moves == self.record.moves().count();
        match self.record.result {
            _ if !whole => None,
            GameResult::Draw => Some(self.outcome == Outcome::Score(0.0)),
            GameResult::Void => Some(self.outcome == Outcome::NoResult),
            GameResult::Win(winner, Margin::Unknown) => Some(self.outcome.winner() == Some(winner)),
            GameResult::Win(winner, Margin::Points(points)) => {
                Some(matches!(self.outcome, Outcome::Score(score) if (score * winner.sign() - points).abs() < 0.01))
            }
            GameResult::Win(_, Margin::Resignation | Margin::Time | Margin::Forfeit) | GameResult::Unknown => None,
        }
    }
}

/// Black's column less White's.
fn balance(rows: &[Row]) -> f32 {
    rows.iter().map(|(_, [black, white])| black.unwrap_or(0.0) - white.unwrap_or(0.0)).sum()
}
