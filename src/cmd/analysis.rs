//! `tengen analysis`: analyses positions for a program.

use super::engine_args::EngineArgs;
use super::katago::KatagoArgs;
use crate::analysis::{self, Closing};
use crate::params::Settings;
use crate::util::StopFlag;
use std::io;

/// Analyse positions for a program, by KataGo's JSON protocol
///
/// Reads queries from standard input, each an object of JSON on a line of its own, and writes answers to standard output in the order in
/// which they are ready. Any number of queries can be open; all cores work as long as one is. The protocol is that of KataGo's analysis
/// engine, whose document Analysis_Engine describes it; KaTrain, Ogatak and others use it. Also takes KataGo's own command line: -model,
/// -config, -override-config and so on.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    engine: EngineArgs,

    /// When the input ends, end at once rather than answer what is still open
    #[arg(long)]
    quit_without_waiting: bool,

    #[command(flatten)]
    katago: KatagoArgs,
}

const EXAMPLES: &str = "\
Examples:
  tengen analysis --net kata1-b18c384nbt.bin.gz
  tengen analysis --visits 1000 --set reportAnalysisWinratesAs=BLACK
  tengen analysis < queries.jsonl > answers.jsonl
  tengen analysis -model FILE -config analysis.cfg -override-config maxVisits=50   as KataGo has it

A query:
  {\"id\":\"1\",\"rules\":\"japanese\",\"komi\":6.5,\"boardXSize\":19,\"boardYSize\":19,\"moves\":[[\"B\",\"Q16\"],[\"W\",\"D4\"]],\"maxVisits\":100}";

impl Args {
    /// The settings that these flags make.
    ///
    /// # Errors
    /// As for [`EngineArgs::settings`], and if a file of KataGo's has a bad line.
    pub fn settings(&self) -> anyhow::Result<Settings> {
        let katago = self.katago.read()?;
        self.engine.settings_over([], |settings| katago.apply(settings).map(drop))
    }

    /// Serves the client on standard input and output until the input ends, or `stop` is set.
    ///
    /// # Errors
    /// If the flags make no settings, or there is no network where one is asked for.
    pub fn run(&self, stop: &StopFlag) -> anyhow::Result<()> {
        let closing = if self.quit_without_waiting { Closing::Quit } else { Closing::Finish };
        analysis::run(io::BufReader::new(io::stdin()), io::stdout(), io::stderr(), self.settings()?, closing, stop)?;
        Ok(())
    }
}
