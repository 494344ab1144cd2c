//! The command line: the program's name, its subcommands, and which code each one starts.

use crate::cmd;
use crate::util::StopFlag;
use clap::{CommandFactory, Parser, Subcommand};

/// Tengen, a Go (baduk, weiqi) engine
#[derive(Clone, Debug, Parser)]
#[command(version, propagate_version = true, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    command: Command,
}

/// The subcommands.
#[derive(Clone, Debug, Subcommand)]
enum Command {
    Gtp(Box<cmd::gtp::Args>),
    Analysis(Box<cmd::analysis::Args>),
    Match(Box<cmd::match_::Args>),
    Train(Box<cmd::train::Args>),
    Gate(cmd::gate::Args),
    Score(cmd::score::Args),
    Solve(cmd::solve::Args),
    Table(cmd::table::Args),
    Review(Box<cmd::review::Args>),
    Selfplay(Box<cmd::selfplay::Args>),
    Book(cmd::book::Args),
    Bench(cmd::bench::Args),
    Perft(cmd::perft::Args),
    Net(cmd::net::Args),
    Label(cmd::label::Args),
    Params(cmd::params::Args),
    Completions(cmd::completions::Args),
    Man(cmd::man::Args),
    Version(cmd::version::Args),
}

const EXAMPLES: &str = "\
Every command explains itself: tengen COMMAND --help";

impl Cli {
    /// Runs the subcommand until it is done or `stop` is set.
    ///
    /// # Errors
    /// As the subcommand.
    pub fn run(self, stop: &StopFlag) -> anyhow::Result<()> {
        match self.command {
            Command::Gtp(args) => args.run(stop),
            Command::Analysis(args) => args.run(stop),
            Command::Match(args) => args.run(stop),
            Command::Train(args) => args.run(stop),
            Command::Gate(args) => args.run(stop),
            Command::Score(args) => args.run(stop),
            Command::Solve(args) => args.run(stop),
            Command::Table(args) => args.run(),
            Command::Review(args) => args.run(stop),
            Command::Selfplay(args) => args.run(stop),
            Command::Book(args) => args.run(stop),
            Command::Bench(args) => args.run(stop),
            Command::Perft(args) => args.run(stop),
            Command::Net(args) => args.run(),
            Command::Label(args) => args.run(stop),
            Command::Params(args) => args.run(),
            Command::Completions(args) => args.run(Self::command()),
            Command::Man(args) => args.run(Self::command()),
            Command::Version(args) => args.run(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_help_and_examples() {
        for command in Cli::command().get_subcommands() {
            assert!(command.get_about().is_some(), "{} has no help", command.get_name());
            assert!(command.get_after_help().is_some(), "{} has no examples", command.get_name());
        }
    }
}
