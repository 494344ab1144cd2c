//! Commands about the network: which it is, and what it says without a search. The forms are KataGo's.

use std::fmt::Write;
use std::sync::Arc;

use super::{Arguments, Reply, Session};
use crate::board::{Color, Size};
use crate::gtp::refusal::Refusal;
use crate::nn::{LoadedNetwork, Outputs, Symmetry};
use crate::params::Profile;

/// `kata-get-models`: the networks that are loaded, as a JSON list.
pub(super) fn get_models(session: &mut Session<'_>, _: &mut Arguments<'_>) -> Reply {
    let mut models = Vec::new();
    models.extend(session.engine.network().map_err(Refusal::other)?.map(|network| network.to_json()));
    models.extend(session.engine.human_model().map_err(Refusal::other)?.map(|network| network.to_json()));
    Ok(serde_json::Value::from(models).to_string())
}

/// `kata-raw-nn [COLOUR] SYMMETRY|all [OPTIMISM]`: what the network says of the position, turned in one way or in all.
pub(super) fn raw_nn(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let color = arguments.optional_color().unwrap_or(session.engine.position().to_move());
    let symmetries = symmetries(arguments)?;
    let optimism = if arguments.is_empty() {
        session.engine.settings().network.root_optimism
    } else {
        arguments.number("an optimism from 0 to 1")? as f32
    };
    if !(0.0..=1.0).contains(&optimism) {
        return Err(Refusal::syntax(format!("'{optimism}' is not an optimism from 0 to 1")));
    }
    end(arguments, "[COLOUR] SYMMETRY|all [OPTIMISM]")?;
    let network = session.engine.network().map_err(Refusal::other)?.cloned();
    let network = network.ok_or_else(|| {
        Refusal::other("no network is loaded: this engine judges by playouts; start it with --net FILE to play by a network")
    })?;
    Ok(answers(session, &network, color, &symmetries, optimism))
}

/// `kata-raw-human-nn [COLOUR] [SYMMETRY|all]`: what the network of human play says of the position.
pub(super) fn raw_human_nn(session: &mut Session<'_>, arguments: &mut Arguments<'_>) -> Reply {
    let color = arguments.optional_color().unwrap_or(session.engine.position().to_move());
    let symmetries = if arguments.is_empty() { Symmetry::ALL.to_vec() } else { symmetries(arguments)? };
    end(arguments, "[COLOUR] [SYMMETRY|all]")?;
    let network = session.engine.human_model().map_err(Refusal::other)?.cloned();
    let network =
        network.ok_or_else(|| Refusal::other("no network of human play is loaded: start the engine with --human-model FILE"))?;
    if network.imitates_people() && session.engine.settings().network.human_profile == Profile::None {
        return Err(Refusal::other("nobody is named to be imitated: set humanSLProfile first, to rank_5k say"));
    }
    Ok(answers(session, &network, color, &symmetries, 0.0))
}

fn end(arguments: &mut Arguments<'_>, takes: &str) -> Result<(), Refusal> {
    match arguments.next() {
        Some(word) => Err(Refusal::syntax(format!("'{word}' is too much: this takes {takes}"))),
        None => Ok(()),
    }
}

/// What `network` says of the position turned in each of the ways.
fn answers(session: &Session<'_>, network: &Arc<LoadedNetwork>, color: Color, symmetries: &[Symmetry], optimism: f32) -> String {
    let answer = |&symmetry: &Symmetry| {
        let outputs = session.engine.ask(network, color, symmetry, optimism)?;
        Some(told(&outputs.seen_by(Color::White, color), symmetry, session.size()))
    };
    symmetries.iter().filter_map(answer).collect()
}

fn symmetries(arguments: &mut Arguments<'_>) -> Result<Vec<Symmetry>, Refusal> {
    let word = arguments.word("a symmetry (0 to 7, or all)")?;
    if word.eq_ignore_ascii_case("all") {
        return Ok(Symmetry::ALL.to_vec());
    }
    let symmetry = word.parse().ok().and_then(Symmetry::from_bits);
    Ok(vec![symmetry.ok_or_else(|| Refusal::syntax(format!("'{word}' is not a symmetry (0 to 7, or all)")))?])
}

/// What the network says, seen from White, as KataGo tells it.
fn told(outputs: &Outputs, symmetry: Symmetry, size: Size) -> String {
    let unknown = |value: Option<f32>| value.unwrap_or(-1.0);
    let mut text = format!("symmetry {}\n", symmetry.bits());
    let chances = [("whiteWin", outputs.win), ("whiteLoss", outputs.loss), ("noResult", outputs.no_result)];
    for (key, value) in chances {
        let _ = writeln!(text, "{key} {value:.6}");
    }
    let figures = [
        ("whiteLead", outputs.lead),
        ("whiteScoreSelfplay", outputs.score_mean),
        ("whiteScoreSelfplaySq", outputs.score_square()),
        ("varTimeLeft", unknown(outputs.time_left_variance)),
        ("shorttermWinlossError", unknown(outputs.shortterm_value_error)),
        ("shorttermScoreError", unknown(outputs.shortterm_score_error)),
    ];
    for (key, value) in figures {
        let _ = writeln!(text, "{key} {value:.3}");
    }
    let probability = |&p: &f32| if p == Outputs::ILLEGAL { "    NAN".to_owned() } else { format!("{p:8.6}") };
    text += "policy\n";
    rows(&mut text, &outputs.policy, size, probability);
    let _ = writeln!(text, "policyPass {}", probability(&outputs.pass));
    text += "whiteOwnership\n";
    rows(&mut text, &outputs.ownership, size, |owner| format!("{owner:9.7}"));
    text
}

fn rows(text: &mut String, values: &[f32], size: Size, write: impl Fn(&f32) -> String) {
    for row in values.chunks(size.width()) {
        *text += &row.iter().map(&write).collect::<Vec<_>>().join(" ");
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::{Outputs, Symmetry, told};
    use crate::board::Size;

    #[test]
    fn it_is_told_as_katago_tells_it() {
        let outputs = Outputs {
            policy: vec![0.25, Outputs::ILLEGAL, 0.000_000_4, 0.125],
            pass: 0.624_999_6,
            win: 0.75,
            loss: 0.25,
            no_result: 0.0,
            score_mean: -1.5,
            score_stdev: 2.0,
            lead: -1.234_56,
            time_left_variance: Some(12.0),
            shortterm_value_error: None,
            shortterm_score_error: Some(0.25),
            ownership: vec![1.0, -0.5, 0.0, 0.123_456_78],
        };
        let expected = "symmetry 3\nwhiteWin 0.750000\nwhiteLoss 0.250000\nnoResult 0.000000\nwhiteLead -1.235\nwhiteScoreSelfplay -1.500\n\
                        whiteScoreSelfplaySq 6.250\nvarTimeLeft 12.000\nshorttermWinlossError -1.000\nshorttermScoreError 0.250\npolicy\n\
                        0.250000     NAN\n0.000000 0.125000\npolicyPass 0.625000\nwhiteOwnership\n1.0000000 -0.5000000\n0.0000000 0.1234568\n";
        let symmetry = Symmetry::from_bits(3).unwrap();
        assert_eq!(told(&outputs, symmetry, Size::square(2).unwrap()), expected);
    }
}
