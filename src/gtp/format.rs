//! Reports as the clients want them written.

use std::fmt::Write;

use serde_json::{Value, json};

use super::analyze::Wishes;
use crate::board::{Move, Size};
use crate::search::{Candidate, Report};

/// Whose way of writing a line of analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Leela Zero's: shares in whole ten thousandths.
    LeelaZero,
    /// KataGo's: numbers with a decimal point, and more of them.
    KataGo,
}

/// A line of analysis; empty if no move was looked at yet.
pub(crate) fn line(report: &Report, size: Size, style: Style, wishes: &Wishes) -> String {
    let report = &report.seen_from(wishes.perspective);
    let mut out = String::new();
    let visited = report.candidates.iter().filter(|candidate| candidate.visits > 0).count();
    let shown = visited.max(wishes.min_moves).max(1).min(wishes.max_moves.unwrap_or(usize::MAX).max(1));
    for candidate in report.candidates.iter().take(shown) {
        let gap = if out.is_empty() { "" } else { " " };
        let _ = write!(out, "{gap}info move {} visits {}", size.vertex(candidate.mv), candidate.visits);
        match style {
            Style::LeelaZero => leela_zero_figures(&mut out, candidate),
            Style::KataGo => katago_figures(&mut out, candidate, wishes),
        }
        if let Some(of) = candidate.mirrors.filter(|_| style == Style::KataGo) {
            let _ = write!(out, " isSymmetryOf {}", size.vertex(of));
        }
        if let Some(games) = report.book_games.filter(|_| style == Style::KataGo && candidate.order == 0) {
            let _ = write!(out, " bookGames {games}");
        }
        let told = candidate.pv.len().min(wishes.pv_moves.unwrap_or(usize::MAX));
        let _ = write!(out, " order {} pv {}", candidate.order, moves(&candidate.pv[..told], size));
        if style == Style::LeelaZero {
            continue;
        }
        for key in [wishes.pv_visits.then_some("pvVisits"), wishes.pv_edge_visits.then_some("pvEdgeVisits")].into_iter().flatten()
        {
            let _ = write!(out, " {key}");
            candidate.pv_visits[..told].iter().for_each(|visits| {
                let _ = write!(out, " {visits}");
            });
        }
        if let Some(ownership) = candidate.ownership.as_ref().filter(|_| wishes.moves_ownership) {
            numbers(&mut out, " movesOwnership", ownership);
        }
        if let Some(stdev) = candidate.ownership_stdev.as_ref().filter(|_| wishes.moves_ownership_stdev) {
            numbers(&mut out, " movesOwnershipStdev", stdev);
        }
    }
    if style == Style::KataGo && !out.is_empty() {
        if wishes.root_info {
            root_figures(&mut out, report);
        }
        if wishes.ownership {
            numbers(&mut out, " ownership", &report.ownership);
        }
        if wishes.ownership_stdev {
            numbers(&mut out, " ownershipStdev", &report.ownership_stdev);
        }
    }
    out
}

fn leela_zero_figures(out: &mut String, candidate: &Candidate) {
    let share = |x: f32| (x * 10_000.0).round() as i64;
    let _ = write!(out, " winrate {} prior {} lcb {}", share(candidate.winrate), share(candidate.prior), share(candidate.lcb));
}

fn katago_figures(out: &mut String, candidate: &Candidate, wishes: &Wishes) {
    let lead = decimal(candidate.lead);
    let _ = write!(
        out,
        " utility {} winrate {} scoreMean {lead} scoreStdev {} scoreLead {lead} scoreSelfplay {} prior {} lcb {} utilityLcb {}",
        decimal(candidate.utility),
        decimal(candidate.winrate),
        decimal(candidate.score_stdev),
        decimal(candidate.score_mean),
        decimal(candidate.prior),
        decimal(candidate.lcb),
        decimal(candidate.utility_lcb),
    );
    if wishes.no_result {
        let _ = write!(out, " noResultValue {}", decimal(candidate.no_result));
    }
}

fn root_figures(out: &mut String, report: &Report) {
    let lead = decimal(report.lead);
    let _ = write!(
        out,
        " rootInfo visits {} utility {} winrate {} scoreMean {lead} scoreStdev {} scoreLead {lead} scoreSelfplay {}",
        report.visits,
        decimal(report.utility),
        decimal(report.winrate),
        decimal(report.score_stdev),
        decimal(report.score_mean),
    );
    let doubts = report.raw.as_ref().map(|raw| raw.doubts).unwrap_or_default();
    // From the scale of results to that of win rates.
    let winrate_doubt = doubts.result.map(|error| 0.5 * error);
    let doubts = [("rawStWrError", winrate_doubt), ("rawStScoreError", doubts.score), ("rawVarTimeLeft", doubts.time_left)];
    for (key, doubt) in doubts {
        if let Some(doubt) = doubt {
            let _ = write!(out, " {key} {}", decimal(doubt));
        }
    }
}

fn numbers(out: &mut String, key: &str, values: &[f32]) {
    *out += key;
    for &value in values {
        out.push(' ');
        *out += &decimal(value);
    }
}

/// Names of moves with blanks between.
pub(crate) fn moves(moves: &[Move], size: Size) -> String {
    moves.iter().map(|&mv| size.vertex(mv)).collect::<Vec<_>>().join(" ")
}

/// A plain number of at most six decimals and at least one, as every client reads it: no exponent, no negative zero.
pub(crate) fn decimal(x: f32) -> String {
    if !x.is_finite() {
        return "0.0".to_owned();
    }
    let text = format!("{x:.6}");
    let text = text.trim_end_matches('0');
    let text = if text.ends_with('.') { format!("{text}0") } else { text.to_owned() };
    if text == "-0.0" { "0.0".to_owned() } else { text }
}

/// Like `{:.N}`, without negative zero.
fn rounded(x: f32, decimals: usize) -> String {
    let text = format!("{x:.decimals$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.bytes().all(|byte| matches!(byte, b'0' | b'.')) => zero.to_owned(),
        _ => text,
    }
}

/// The line on stderr that gtp2ogs shows to the spectators.
pub(crate) fn malkovich(report: &Report, size: Size) -> String {
    let pv = report.candidates.first().map(|best| moves(&best.pv, size)).unwrap_or_default();
    format!(
        "MALKOVICH:Visits {} Winrate {}% ScoreLead {} ScoreStdev {} PV {pv}",
        report.visits,
        rounded(report.winrate * 100.0, 2),
        rounded(report.lead, 1),
        rounded(report.score_stdev, 1),
    )
    .trim_end()
    .to_owned()
}

/// The one line of JSON that CGOS keeps with a move (its move analysis extension).
pub(crate) fn cgos(report: &Report, size: Size) -> String {
    let candidates: Vec<Value> = report
        .candidates
        .iter()
        .map(|candidate| {
            json!({
                "move": size.vertex(candidate.mv),
                "visits": candidate.visits,
                "winrate": number(candidate.winrate),
                "score": number(candidate.lead),
                "prior": number(candidate.prior),
                "pv": moves(candidate.pv.get(1..).unwrap_or_default(), size),
            })
        })
        .collect();
    json!({
        "winrate": number(report.winrate),
        "score": number(report.lead),
        "visits": report.visits,
        "moves": candidates,
        "ownership": report.ownership.iter().map(|&owner| owner_letter(owner)).collect::<String>(),
        "comment": sentence(report, size),
    })
    .to_string()
}

/// Four decimals are plenty, and an f32 has no more to say.
fn number(x: f32) -> f64 {
    let rounded = (f64::from(x) * 1e4).round() / 1e4;
    if rounded.is_finite() { rounded + 0.0 } else { 0.0 }
}

/// CGOS's letter for an expected owner from -1 to 1.
fn owner_letter(owner: f32) -> char {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let share = f32::midpoint(owner, 1.0).clamp(0.0, 1.0);
    LETTERS[(share * 62.0).round_ties_even() as usize] as char
}

/// That a move is none of the engine's own.
pub(crate) fn from_book(games: u32) -> String {
    match games {
        0 => "The move is from the opening book, marked by hand.".to_owned(),
        1 => "The move is from the opening book, played in one game.".to_owned(),
        _ => format!("The move is from the opening book, played in {games} games."),
    }
}

/// The engine's view of the game, for people.
pub(crate) fn sentence(report: &Report, size: Size) -> String {
    let leader = if report.lead < 0.0 { !report.to_move } else { report.to_move };
    let share = (report.winrate * 100.0).round();
    let score = match rounded(report.lead.abs(), 1).as_str() {
        "0.0" => "The score is even".to_owned(),
        points => format!("{leader} is ahead by {points}"),
    };
    let best = report.candidates.first().map(|best| format!(", and expect {}", moves(&best.pv[..best.pv.len().min(5)], size)));
    let book = report.book_games.map(|games| format!(" {}", from_book(games)));
    let (best, book) = (best.unwrap_or_default(), book.unwrap_or_default());
    format!("{score}; I give {} {share:.0}% after {} visits{best}.{book}", report.to_move, report.visits)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Style, cgos, decimal, line, malkovich, rounded, sentence};
    use crate::board::{Color, Move, Size};
    use crate::gtp::analyze::Wishes;
    use crate::params::Perspective;
    use crate::search::{Candidate, Report};

    fn size() -> Size {
        Size::new(3, 2).unwrap()
    }

    fn report() -> Report {
        let at = |name| size().parse_vertex(name).unwrap();
        let best = Candidate {
            mv: at("B2"),
            mirrors: None,
            order: 0,
            visits: 39,
            winrate: 0.58114,
            lead: 0.735_614,
            score_mean: 0.5,
            score_stdev: 12.0,
            no_result: 0.0,
            prior: 0.37906,
            lcb: -0.0123,
            utility_lcb: -0.25,
            utility: 0.155_838,
            pv: vec![at("B2"), at("C1"), Move::PASS],
            pv_visits: vec![39, 20, 4],
            ownership: Some(vec![1.0, -1.0, 0.0, 0.25, -0.000_000_01, 0.5]),
            ownership_stdev: Some(vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.25]),
        };
        let second = Candidate { mv: Move::PASS, order: 1, visits: 1, pv: vec![Move::PASS], pv_visits: vec![1], ..best.clone() };
        Report {
            to_move: Color::White,
            visits: 41,
            playouts: 40,
            winrate: 0.9984,
            lead: 11.94,
            score_mean: 11.5,
            score_stdev: 6.06,
            no_result: 0.0,
            raw: None,
            utility: 0.5,
            candidates: vec![best, second],
            ownership: vec![-1.0, -0.5, 0.0, 0.5, 1.0, 7.0],
            ownership_stdev: vec![0.1; 6],
            elapsed: Duration::from_secs(1),
            book_games: None,
        }
    }

    #[test]
    fn leela_zero_lines() {
        let wishes = Wishes { ownership: true, pv_visits: true, root_info: true, ..Wishes::default() };
        assert_eq!(
            line(&report(), size(), Style::LeelaZero, &wishes),
            "info move B2 visits 39 winrate 5811 prior 3791 lcb -123 order 0 pv B2 C1 pass \
             info move pass visits 1 winrate 5811 prior 3791 lcb -123 order 1 pv pass"
        );
    }

    #[test]
    fn katago_lines() {
        let plain = Wishes { max_moves: Some(1), ..Wishes::default() };
        let info = "info move B2 visits 39 utility 0.155838 winrate 0.58114 scoreMean 0.735614 scoreStdev 12.0 scoreLead 0.735614 \
                    scoreSelfplay 0.5 prior 0.37906 lcb -0.0123 utilityLcb -0.25 order 0 pv B2 C1 pass";
        assert_eq!(line(&report(), size(), Style::KataGo, &plain), info);
        let all = Wishes {
            root_info: true,
            ownership: true,
            ownership_stdev: true,
            moves_ownership: true,
            moves_ownership_stdev: true,
            pv_visits: true,
            pv_edge_visits: true,
            ..plain.clone()
        };
        let expected = format!(
            "{info} pvVisits 39 20 4 pvEdgeVisits 39 20 4 movesOwnership 1.0 -1.0 0.0 0.25 0.0 0.5 \
             movesOwnershipStdev 0.0 0.0 0.0 0.0 0.0 0.25 rootInfo visits 41 utility 0.5 winrate 0.9984 \
             scoreMean 11.94 scoreStdev 6.06 scoreLead 11.94 scoreSelfplay 11.5 ownership -1.0 -0.5 0.0 0.5 1.0 7.0 \
             ownershipStdev 0.1 0.1 0.1 0.1 0.1 0.1"
        );
        assert_eq!(line(&report(), size(), Style::KataGo, &all), expected);
        let black = Wishes { perspective: Perspective::Black, pv_moves: Some(2), no_result: true, ..plain };
        let seen = line(&report(), size(), Style::KataGo, &black);
        let expected = "info move B2 visits 39 utility -0.155838 winrate 0.41886 scoreMean -0.735614 scoreStdev 12.0 scoreLead -0.735614 \
                        scoreSelfplay -0.5 prior 0.37906 lcb 1.0123 utilityLcb 0.25 noResultValue 0.0 order 0 pv B2 C1";
        assert_eq!(seen, expected);
        let from_book = Report { book_games: Some(71), ..report() };
        let seen = line(&from_book, size(), Style::KataGo, &Wishes::default());
        assert!(seen.contains(" utilityLcb -0.25 bookGames 71 order 0 ") && seen.matches("bookGames").count() == 1, "{seen}");
        assert!(!line(&from_book, size(), Style::LeelaZero, &Wishes::default()).contains("book"));
        let image = Candidate { mirrors: Some(size().parse_vertex("B1").unwrap()), ..report().candidates.remove(0) };
        let mirrored = Report { candidates: vec![image], ..report() };
        let seen = line(&mirrored, size(), Style::KataGo, &Wishes::default());
        assert!(seen.contains(" utilityLcb -0.25 isSymmetryOf B1 order 0 "), "{seen}");
        assert!(!line(&mirrored, size(), Style::LeelaZero, &Wishes::default()).contains("isSymmetryOf"));
        let untried = |candidate: &Candidate| Candidate { visits: 0, ..candidate.clone() };
        let fresh = Report { candidates: report().candidates.iter().map(untried).collect(), ..report() };
        let infos =
            |min_moves| line(&fresh, size(), Style::KataGo, &Wishes { min_moves, ..Wishes::default() }).matches("info ").count();
        assert_eq!([infos(0), infos(2), infos(30)], [1, 2, 2]);
        let nothing = Report { candidates: Vec::new(), ..report() };
        assert_eq!(line(&nothing, size(), Style::KataGo, &all), "");
    }

    #[test]
    fn cgos_line() {
        let json: serde_json::Value = serde_json::from_str(&cgos(&report(), size())).unwrap();
        assert_eq!(json["winrate"], 0.9984);
        assert_eq!(json["score"], 11.94);
        assert_eq!(json["visits"], 41);
        assert_eq!(json["moves"][0]["move"], "B2");
        assert_eq!(json["moves"][0]["winrate"], 0.5811);
        assert_eq!(json["moves"][0]["pv"], "C1 pass");
        assert_eq!(json["ownership"], "AQfu++");
        let keys: Vec<&String> = json["moves"][0].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["move", "visits", "winrate", "score", "prior", "pv"]);
        assert!(!cgos(&report(), size()).contains('\n'));
    }

    #[test]
    fn lines_for_people() {
        assert_eq!(
            malkovich(&report(), size()),
            "MALKOVICH:Visits 41 Winrate 99.84% ScoreLead 11.9 ScoreStdev 6.1 PV B2 C1 pass"
        );
        assert_eq!(
            sentence(&report(), size()),
            "White is ahead by 11.9; I give White 100% after 41 visits, and expect B2 C1 pass."
        );
        let behind = Report { lead: -2.5, winrate: 0.2, candidates: Vec::new(), ..report() };
        assert_eq!(sentence(&behind, size()), "Black is ahead by 2.5; I give White 20% after 41 visits.");
        let from_book = Report { book_games: Some(2), ..report() };
        assert!(sentence(&from_book, size()).ends_with("B2 C1 pass. The move is from the opening book, played in 2 games."));
        assert!(sentence(&Report { lead: -0.04, ..report() }, size()).starts_with("The score is even;"));
    }

    #[test]
    fn numbers() {
        let texts = [0.0, -0.0, 1.0, -0.000_000_4, 0.123_456_78, 1e-20, 1e20, f32::NAN, f32::INFINITY].map(decimal);
        assert_eq!(texts, ["0.0", "0.0", "1.0", "0.0", "0.123457", "0.0", "100000002004087734272.0", "0.0", "0.0"]);
        assert_eq!([rounded(-0.04, 1), rounded(-0.06, 1), rounded(0.0, 2)], ["0.0", "-0.1", "0.00"]);
    }
}
