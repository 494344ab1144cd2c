//! Who wins at two passes. Engines may pass with dead stones on the board, so somebody has to say which stones are dead.
//!
//! In this order: under Tromp-Taylor rules the board counts as it stands, as these rules have it. Else, if both engines list the same dead stones, they
//! are taken off and the board is counted. Else, a third engine, where there is one, gives its final score. Else the board counts
//! as it stands.

use std::fmt;

use super::Settings;
use super::game::Table;
use super::player::Player;
use super::record::Way;
use crate::board::PointSet;
use crate::clock::TimeControl;
use crate::rules::{Position, Tax};

/// A score and where it comes from.
pub(super) struct Judgement {
    /// Points for Black, komi included.
    pub score: f32,
    /// Where it comes from.
    pub way: Way,
    /// Stones taken off the board as dead.
    dead: usize,
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.way {
            Way::TrompTaylor => f.write_str("counted as it stands, by Tromp-Taylor rules"),
            Way::Agreed if self.dead == 0 => f.write_str("counted; both engines called all stones alive"),
            Way::Agreed => write!(f, "counted without the dead stones that both engines named, {} in all", self.dead),
            Way::Judge => f.write_str("the engines did not agree about dead stones; scored by the judge"),
            Way::AsItStands => f.write_str("the engines did not agree about dead stones; counted as it stands"),
        }
    }
}

/// The score of a game that has ended.
pub(super) fn judge(settings: &Settings, position: &Position, table: &mut Table) -> Judgement {
    let as_it_stands = |way| Judgement { score: position.judged_score(&PointSet::EMPTY, &PointSet::EMPTY), way, dead: 0 };
    if position.rules().counts_as_it_stands() {
        return as_it_stands(Way::TrompTaylor);
    }
    if let Some(dead) = agreed(settings, &mut table.players, "dead") {
        let taxed = position.rules().tax != Tax::None;
        let seki = if taxed { agreed(settings, &mut table.players, "seki") } else { None };
        let score = position.judged_score(&dead, &seki.unwrap_or(PointSet::EMPTY));
        return Judgement { score, way: Way::Agreed, dead: dead.len() };
    }
    let third = table.judge.as_mut().and_then(|judge| ask_third(settings, position, judge));
    third.map_or_else(|| as_it_stands(Way::AsItStands), |score| Judgement { score, way: Way::Judge, dead: 0 })
}

/// The stones with `status`, if both engines name the same.
fn agreed(settings: &Settings, players: &mut [Player; 2], status: &str) -> Option<PointSet> {
    let [a, b] = players.each_mut().map(|player| player.status_list(settings, status));
    a.filter(|list| b.as_ref() == Some(list))
}

fn ask_third(settings: &Settings, position: &Position, judge: &mut Player) -> Option<f32> {
    if judge.begin(settings, TimeControl::None, position.moves()).is_err() {
        judge.dismiss();
        return None;
    }
    judge.final_score()
}
