//! `tengen gtp`: plays for a GTP client.

use super::engine_args::{EngineArgs, Setting, of};
use super::katago::KatagoArgs;
use crate::gtp;
use crate::params::Settings;
use crate::util::StopFlag;
use std::io;

/// Play for a Go program that speaks GTP
///
/// Reads commands of the Go Text Protocol (GTP) from standard input and answers on standard output. This is what Sabaki, Lizzie, GoGui,
/// gtp2ogs, kgsGtp and the CGOS client start; give them this command line. Messages for people go to standard error. Also takes KataGo's own
/// command line: -model, -config, -override-config.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    engine: EngineArgs,

    /// Rules: tromp-taylor, chinese, japanese, korean, aga, new-zealand and others that kata-set-rules knows, or KataGo's JSON
    #[arg(long, help_heading = "Game", value_name = "RULES", value_parser = of("rules"))]
    rules: Option<Setting>,

    /// Points that White gets for moving second [default: usual under the rules]
    #[arg(long, help_heading = "Game", value_name = "POINTS", allow_hyphen_values = true, value_parser = of("komi"))]
    komi: Option<Setting>,

    /// Side of the board before a client sets one, 2 to 25
    #[arg(long, help_heading = "Game", value_name = "N", value_parser = of("boardSize"))]
    boardsize: Option<Setting>,

    /// Strength from 1, a beginner's, to 10, all it can
    #[arg(long, help_heading = "Play", value_name = "N", value_parser = of("level"))]
    level: Option<Setting>,

    /// Think while the opponent thinks
    #[arg(long, help_heading = "Play", num_args = 0, default_missing_value = "true", value_parser = of("ponderingEnabled"))]
    ponder: Option<Setting>,

    /// Resign when the win rate stays below this, such as 0.05; or never
    #[arg(long, help_heading = "Play", value_name = "WINRATE|never", value_parser = resign)]
    resign: Option<Setting>,

    /// Seconds of every move kept back for the way to the server
    #[arg(long, help_heading = "Play", value_name = "SECONDS", value_parser = of("lagBuffer"))]
    lag: Option<Setting>,

    /// Play the opening out of this book, which `tengen book` makes
    #[arg(long, help_heading = "Play", value_name = "FILE", value_parser = of("book"))]
    book: Option<Setting>,

    #[command(flatten)]
    katago: KatagoArgs,
}

const EXAMPLES: &str = "\
Examples:
  tengen gtp                                   the defaults suit this machine
  tengen gtp --net kata1-b18c384nbt.bin.gz     plays by a larger network, which is far stronger
  tengen gtp --time 5                          at most five seconds a move
  tengen gtp --level 3 --ponder                an easier opponent that thinks on your time too
  tengen gtp --rules japanese --komi 6.5
  tengen gtp --threads 1 --visits 10000 --seed 1   the same moves every time";

impl Args {
    /// The settings that these flags make.
    ///
    /// # Errors
    /// As for [`EngineArgs::settings`].
    pub fn settings(&self) -> anyhow::Result<Settings> {
        let own = [&self.rules, &self.komi, &self.boardsize, &self.level, &self.ponder, &self.resign, &self.lag, &self.book];
        let katago = self.katago.read()?;
        self.engine.settings_over(own.into_iter().flatten(), |settings| katago.apply(settings).map(drop))
    }

    /// Serves the client on standard input and output until it quits or goes, or `stop` is set.
    ///
    /// # Errors
    /// If the flags make no settings, or the settings no game.
    pub fn run(&self, stop: &StopFlag) -> anyhow::Result<()> {
        gtp::run(io::BufReader::new(io::stdin()), io::stdout(), io::stderr(), self.settings()?, stop)?;
        Ok(())
    }
}

/// Reads `--resign`: a win rate, or `never`.
fn resign(text: &str) -> Result<Setting, String> {
    let (name, value) = if text == "never" { ("allowResignation", "false") } else { ("resignWinrate", text) };
    of(name)(value).map_err(|error| format!("{error}, or never"))
}
