//! A report as an answer.

use serde_json::{Map, Value, json};

use super::hash::hashes;
use super::query::Show;
use crate::board::Move;
use crate::eval::Evaluation;
use crate::pool::Job;
use crate::rules::Position;
use crate::search::{Candidate, Report};

/// The answer to the query `id` about the position of `job`, where `people` would play so.
pub(super) fn answer(
    id: &str,
    job: &Job,
    during: bool,
    report: &Report,
    people: Option<&Evaluation<Move>>,
    show: &Show,
) -> Value {
    let report = &report.seen_from(show.perspective);
    let position = &job.line.position(job.turn);
    let view = View { position, report, people, show };
    let shown = report.candidates.iter().filter(|candidate| candidate.visits > 0);
    let mut answer = json!({
        "id": id,
        "turnNumber": job.turn,
        "isDuringSearch": during,
        "moveInfos": shown.map(|candidate| view.move_info(candidate)).collect::<Vec<_>>(),
        "rootInfo": view.root_info(),
    });
    if show.ownership {
        answer["ownership"] = numbers(report.ownership.iter().copied());
    }
    if show.ownership_stdev {
        answer["ownershipStdev"] = numbers(report.ownership_stdev.iter().copied());
    }
    if show.policy {
        answer["policy"] = view.policy(report.raw.as_ref());
        if let Some(people) = people {
            answer["humanPolicy"] = view.policy(Some(people));
        }
    }
    answer
}

/// The final answer about a position that was never looked at.
pub(super) fn no_results(id: &str, turn: usize) -> Value {
    json!({ "id": id, "turnNumber": turn, "isDuringSearch": false, "noResults": true })
}

/// A report as it is to be shown.
struct View<'a> {
    position: &'a Position,
    report: &'a Report,
    people: Option<&'a Evaluation<Move>>,
    show: &'a Show,
}

impl View<'_> {
    fn move_info(&self, candidate: &Candidate) -> Value {
        let size = self.position.size();
        let visits = candidate.visits;
        let most = self.report.candidates.iter().map(|candidate| candidate.visits).max().unwrap_or(0);
        // The choice is the move with the most; a bound may have chosen another than the most visited one.
        let selection = if candidate.order == 0 { most } else { visits };
        let shown = candidate.pv.len().min(self.show.pv_moves);
        let mut info = json!({
            "move": size.vertex(candidate.mv),
            "visits": visits,
            "edgeVisits": visits,
            "weight": visits as f64,
            "edgeWeight": visits as f64,
            "playSelectionValue": selection as f64,
            "winrate": number(candidate.winrate),
            "scoreMean": number(candidate.lead),
            "scoreLead": number(candidate.lead),
            "scoreSelfplay": number(candidate.score_mean),
            "scoreStdev": number(candidate.score_stdev),
            "utility": number(candidate.utility),
            "lcb": number(candidate.lcb),
            "utilityLcb": number(candidate.utility_lcb),
            "prior": number(candidate.prior),
            "order": candidate.order,
            "pv": candidate.pv[..shown].iter().map(|&mv| size.vertex(mv)).collect::<Vec<_>>(),
        });
        if let Some(of) = candidate.mirrors {
            info["isSymmetryOf"] = json!(size.vertex(of));
        }
        if let Some(people) = self.people {
            let prior = people.priors.iter().find(|prior| prior.action == candidate.mv);
            info["humanPrior"] = number(prior.map_or(0.0, |prior| prior.policy));
        }
        if self.show.no_result {
            info["noResultValue"] = number(candidate.no_result);
        }
        if self.show.pv_visits {
            // In a tree, each position has one way to it.
            info["pvVisits"] = json!(candidate.pv_visits[..shown]);
            info["pvEdgeVisits"] = json!(candidate.pv_visits[..shown]);
        }
        if let Some(ownership) = candidate.ownership.as_ref().filter(|_| self.show.moves_ownership) {
            info["ownership"] = numbers(ownership.iter().copied());
        }
        if let Some(stdev) = candidate.ownership_stdev.as_ref().filter(|_| self.show.moves_ownership_stdev) {
            info["ownershipStdev"] = numbers(stdev.iter().copied());
        }
        info
    }

    fn root_info(&self) -> Value {
        let report = self.report;
        let (this_hash, sym_hash) = hashes(self.position);
        let mut info = Map::from_iter([
            ("currentPlayer".to_owned(), json!(report.to_move.letter().to_string())),
            ("visits".to_owned(), json!(report.visits)),
            ("weight".to_owned(), json!(report.visits as f64)),
            ("winrate".to_owned(), number(report.winrate)),
            ("scoreLead".to_owned(), number(report.lead)),
            ("scoreSelfplay".to_owned(), number(report.score_mean)),
            ("scoreStdev".to_owned(), number(report.score_stdev)),
            ("utility".to_owned(), number(report.utility)),
            ("thisHash".to_owned(), json!(this_hash)),
            ("symHash".to_owned(), json!(sym_hash)),
        ]);
        if let Some(raw) = &report.raw {
            self.add_raw(raw, &mut info);
        }
        if let Some(people) = self.people {
            self.add_people(people, &mut info);
        }
        Value::Object(info)
    }

    /// What a network said without a search, which is seen from Black.
    fn add_raw(&self, raw: &Evaluation<Move>, info: &mut Map<String, Value>) {
        let sign = self.report.side(self.show.perspective).sign();
        let mut add = |key: &str, figure: f32| drop(info.insert(key.to_owned(), number(figure)));
        add("rawWinrate", f32::midpoint(sign * raw.result, 1.0));
        add("rawLead", sign * raw.lead);
        add("rawScoreSelfplay", sign * raw.score_mean);
        add("rawScoreSelfplayStdev", raw.score_stdev);
        add("rawNoResultProb", raw.no_result);
        let doubts = [
            // From the scale of results to that of win rates.
            ("rawStWrError", raw.doubts.result.map(|error| 0.5 * error)),
            ("rawStScoreError", raw.doubts.score),
            ("rawVarTimeLeft", raw.doubts.time_left),
        ];
        for (key, figure) in doubts {
            if let Some(figure) = figure {
                add(key, figure);
            }
        }
    }

    /// What a network of human play said, which is seen from Black.
    fn add_people(&self, people: &Evaluation<Move>, info: &mut Map<String, Value>) {
        let sign = self.report.side(self.show.perspective).sign();
        let figures = [
            ("humanWinrate", Some(f32::midpoint(sign * people.result, 1.0))),
            ("humanScoreMean", Some(sign * people.score_mean)),
            ("humanScoreStdev", Some(people.score_stdev)),
            ("humanStWrError", people.doubts.result.map(|error| 0.5 * error)),
            ("humanStScoreError", people.doubts.score),
        ];
        info.extend(figures.into_iter().filter_map(|(key, figure)| Some((key.to_owned(), number(figure?)))));
    }

    /// A network's policy or, without one, that before any search, row by row from the top left, then of the pass; -1 where no move is legal.
    fn policy(&self, told: Option<&Evaluation<Move>>) -> Value {
        let position = self.position;
        let size = position.size();
        let mut policy = vec![-1.0; size.area() + 1];
        let place = |mv: Move| mv.point().map_or(size.area(), |point| size.dense(point));
        position.legal_moves().for_each(|mv| policy[place(mv)] = 0.0);
        match told {
            Some(raw) => raw.priors.iter().for_each(|prior| policy[place(prior.action)] = prior.policy),
            None => self.report.candidates.iter().for_each(|candidate| policy[place(candidate.mv)] = candidate.prior),
        }
        numbers(policy.into_iter())
    }
}

/// A number as JSON has it.
fn number(figure: f32) -> Value {
    json!(if figure.is_finite() { f64::from(figure) + 0.0 } else { 0.0 })
}

fn numbers(figures: impl Iterator<Item = f32>) -> Value {
    figures.map(number).collect()
}
