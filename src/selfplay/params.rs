//! The table of self-play's parameters, made as the engine's is (`params/table.rs` says how to read an entry).
//!
//! Where nothing else is said, defaults are KataGo's of its public configurations and its paper (D. Wu, Accelerating Self-Play Learning in Go,
//! 2019), scaled to shorter searches.

use super::values::{RulesChoice, SizeWeights};
use crate::board::Size;
use crate::params::schema::settings;

settings! {
    /// All settings of self-play.
    Settings, listed by "tengen params --selfplay", read by "tengen selfplay --config FILE";

    /// What is played: boards, rules, komi, and how a game begins.
    game: GameParams {
        /// Boards, each with its weight: `9:4,13:1` plays four games in five on 9x9. A network learns what it sees, and small boards are cheap.
        "sizes" => sizes: SizeWeights = SizeWeights::default(), any, "", start;
        /// Rules of all games, or `random`: any combination of ko rule, scoring, tax, suicide and button, so that a network plays under each.
        "rules" => rules: RulesChoice = RulesChoice::Random, any, "", start;
        /// Of random rules: share of the games that count territory, and so are played on through the formal cleanup phases.
        "territoryShare" => territory_share: f32 = 0.5, (0, 1), "", start;
        /// Points for White in every game; with `none` what makes the game even by the network's or the playouts' lead, and some noise.
        "komi" => komi: Option<f32> = None, (-400, 400), "points", start;
        /// Standard deviation of the noise on an even komi: enough to teach what a point is worth.
        "komiStdev" => komi_stdev: f32 = 1.0, (0, 100), "points", start;
        /// Share of the games with much more noise, so that lopsided games are known too.
        "komiBigStdevProb" => komi_big_share: f32 = 0.05, (0, 1), "", start;
        /// Standard deviation of that noise on 19x19; on other boards in proportion to their sides.
        "komiBigStdev" => komi_big_stdev: f32 = 12.0, (0, 400), "points", start;
        /// Mean number of opening moves for each point of the board, drawn from the policy without a search: games that begin alike teach little.
        "openingMoves" => opening_moves: f32 = 0.04, (0, 1), "moves a point", start;
        /// Above 1 evens out the policy that they are drawn from, below 1 sharpens it.
        "openingTemperature" => opening_temperature: f32 = 1.0, (0.01, 100), "", start;
        /// Share of the games whose komi makes the position after the opening even, rather than the one before it.
        "komiAfterOpeningProb" => komi_after_opening: f32 = 0.5, (0, 1), "", start;
        /// Share of the games with handicap stones: from 2 to a third of the board's side, drawn from the policy.
        "handicapProb" => handicap_share: f32 = 0.1, (0, 1), "", start;
        /// Share of the handicap games whose komi makes up for the stones.
        "handicapCompensateKomiProb" => handicap_fair_share: f32 = 0.6, (0, 1), "", start;
        /// Moves for each point of the board at which a game is broken off, without a result: weak networks may never end it.
        "maxMoves" => most_moves: f32 = 4.0, (1, 100), "moves a point", start;
    }

    /// How moves are found. Few searches are full and make rows; the others are cheap, so that games are many (playout cap randomisation).
    search: SearchParams {
        /// Visits of a full search: enough to be better than the network that it asks, which is what a network learns from.
        "visits" => visits: u64 = 600, (1, 1u64 << 30), "visits", start;
        /// Visits of a cheap search; with `none` a sixth of a full one's.
        "cheapVisits" => cheap_visits: Option<u64> = None, (1, 1u64 << 30), "visits", start;
        /// Share of the searches that are full.
        "fullProb" => full_share: f32 = 0.25, (0, 1), "", start;
        /// k of the forced playouts of a full search: a tried move of policy P gets the root of k P W of W visits, which are taken off what the
        /// policy learns, unless they were deserved.
        "forcedPlayouts" => forced_playouts: f32 = 2.0, (0, 100), "visits", start;
        /// How even the noise on a full search's policy is: the total concentration of its Dirichlet distribution.
        "noiseConcentration" => noise_concentration: f32 = 10.83, (0.001, 10_000), "", start;
        /// Share of the noise in a full search's policy.
        "noiseWeight" => noise_weight: f32 = 0.25, (0, 1), "", start;
        /// Temperature of a full search's policy at the start of a game.
        "policyTemperatureEarly" => policy_temperature_early: f32 = 1.25, (0.01, 100), "", start;
        /// The same at its end. Above 1, as else a policy that learns from its own searches grows ever sharper.
        "policyTemperature" => policy_temperature: f32 = 1.1, (0.01, 100), "", start;
        /// Temperature at the start of a game of the choice among the moves that a search visited; 1 takes them as often as they were visited.
        "moveTemperatureEarly" => move_temperature_early: f32 = 0.75, (0, 10), "", start;
        /// The same at its end; 0 takes the most visited move.
        "moveTemperature" => move_temperature: f32 = 0.15, (0, 10), "", start;
        /// Moves on 19x19, on other boards in proportion to their sides, in which temperatures come half of the way from start to end.
        "temperatureHalflife" => halflife: f32 = 19.0, (0.01, 10_000), "moves", start;
    }

    /// When a game ends before its end.
    end: EndParams {
        /// Win rate from which a side is sure to win.
        "sureWinrate" => sure_winrate: f32 = 0.97, (0.5, 1), "win rate", start;
        /// Searches in a row, of both sides together, that must be sure of the same.
        "sureTurns" => sure_turns: u32 = 6, (1, 1000), "moves", start;
        /// Moves for each point of the board before which nobody is sure: early on, sure networks are mostly wrong ones.
        "sureMinMoves" => sure_min_moves: f32 = 0.25, (0, 100), "moves a point", start;
        /// Share of the games that are played on to their end though both sides are sure: they show whether that was right, and only they teach
        /// ownership and score.
        "playOnProb" => play_on_share: f32 = 0.6, (0, 1), "", start;
        /// Share of the full searches that stay full once both sides are sure: there is less to learn.
        "sureFullShare" => sure_full_share: f32 = 0.3, (0, 1), "", start;
    }

    /// What becomes of the rows.
    rows: RowParams {
        /// Share of the games whose rows a network is tested by, not taught.
        "valShare" => val_share: f32 = 0.05, (0, 1), "", start;
        /// Side of the rows' tensors, on which smaller boards lie in a corner; a trainer wants one for all its files. With `none` that of the largest
        /// board. KataGo's has 19.
        "dataBoardLen" => side: Option<u32> = None, (2, 19), "points", start;
    }
}

impl Settings {
    /// Width and height of the rows' tensors; nothing if boards are larger.
    pub fn tensor(&self) -> Option<Size> {
        let largest = self.game.sizes.largest();
        let side = self.rows.side.map_or(largest, |side| side as usize);
        Size::square(side).ok().filter(|_| side >= largest)
    }
}

impl SearchParams {
    /// Visits of a cheap search.
    pub fn cheap(&self) -> u64 {
        self.cheap_visits.unwrap_or((self.visits / 6).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::{Settings, Size};
    use crate::params::{Table, markdown, text, toml};

    #[test]
    fn every_entry_is_sound() {
        let settings = Settings::default();
        for param in Settings::PARAMS {
            assert_eq!(Settings::PARAMS.iter().filter(|other| other.name == param.name).count(), 1, "{}", param.name);
            assert!(param.reason().ends_with('.') && !param.reason().contains("  "), "{}: {}", param.name, param.reason());
            let mut again = settings.clone();
            again.set(param.name, &settings.get(param.name).unwrap()).unwrap();
            assert_eq!(again, settings, "{}", param.name);
            for page in [text(&settings), toml(&settings), markdown(&settings)] {
                assert!(page.contains(param.name) && page.contains(param.reason()), "{}", param.name);
            }
        }
        assert!(toml(&settings).contains("tengen selfplay --config FILE"));
    }

    #[test]
    fn boards_fit_the_rows() {
        let mut settings = Settings::default();
        settings.set("sizes", "7,9").unwrap();
        assert_eq!(settings.tensor().map(Size::width), Some(9));
        settings.set("dataBoardLen", "19").unwrap();
        assert_eq!(settings.tensor().map(Size::width), Some(19));
        settings.set("dataBoardLen", "8").unwrap();
        assert_eq!(settings.tensor(), None);
    }
}
