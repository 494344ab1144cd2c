//! `tengen book`: opening books, to build, look at and change.

mod show;

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context, ensure};

use super::print;
use super::values::{at_least_1, read_komi, read_size};
use crate::board::{Color, Move, Size};
use crate::book::{Book, Built, Mark, Page, Task, build};
use crate::rules::{Position, Rules, Scoring};
use crate::util::StopFlag;

/// Build opening books, look at them and change them
///
/// A book knows which moves were played in a position, how often, and how the games ended. `tengen gtp --book FILE` plays its moves as long as it knows
/// the position, without a search. Positions are the same however the board is turned. A game reads what was played at a komi within one
/// point of its own and by the same scoring, area or territory.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Action {
    /// Make a book of game records, or of the games of `tengen selfplay`
    Build(BuildArgs),
    /// Show what is in a book, and what it plays in a position
    Show(ShowArgs),
    /// Mark moves of a position to be played or not, or take them out
    Edit(EditArgs),
    /// Make one book of several
    Merge(MergeArgs),
}

const EXAMPLES: &str = "\
Examples:
  tengen book build games/ --out book.bin
  tengen book build games/9x9-dan.tsv.gz --size 9 --moves 12 --least 10 --out book9.bin
  tengen book show book.bin                      what it holds, and its first moves
  tengen book show book.bin --size 9 E5 G6       what it plays after these moves
  tengen book edit book.bin Q16 D4 --play Q4 --avoid K10
  tengen book merge book.bin book9.bin --out both.bin
  tengen gtp --book both.bin";

#[derive(Clone, Debug, clap::Args)]
struct BuildArgs {
    /// Game records: SGF files, tables (.tsv, .tsv.gz), or folders of them; of an SGF file the main line counts
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,

    /// The book's file, which must not exist yet
    #[arg(long, short = 'o', value_name = "FILE")]
    out: PathBuf,

    /// How many moves of each game to take
    #[arg(long, value_name = "N", default_value = "30", value_parser = at_least_1)]
    moves: usize,

    /// Fewest games in which a move was played for the book to keep it
    #[arg(long, value_name = "GAMES", default_value = "3", value_parser = clap::value_parser!(u32).range(1..))]
    least: u32,

    /// Take games on this board only
    #[arg(long, value_name = "SIZE", value_parser = read_size)]
    size: Option<Size>,

    /// Rules of games that do not name theirs
    #[arg(long, value_name = "RULES", default_value = "japanese", value_parser = Rules::parse)]
    rules: Rules,

    /// Komi of games that do not tell it [default: such games are left out]
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true, value_parser = read_komi)]
    komi: Option<f32>,
}

/// A position in a book.
#[derive(Clone, Debug, clap::Args)]
struct Place {
    /// The book
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Moves that lead to the position, Black's first
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,

    /// Board [default: that of most of the book's positions]
    #[arg(long, value_name = "SIZE", value_parser = read_size)]
    size: Option<Size>,

    /// Rules [default: those of most of its positions]
    #[arg(long, value_name = "RULES", value_parser = Rules::parse)]
    rules: Option<Rules>,

    /// Komi [default: that of most of its positions]
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true, value_parser = read_komi)]
    komi: Option<f32>,
}

#[derive(Clone, Debug, clap::Args)]
struct ShowArgs {
    #[command(flatten)]
    place: Place,
}

#[derive(Clone, Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("change").required(true).multiple(true))]
struct EditArgs {
    #[command(flatten)]
    place: Place,

    /// Play this move, rather than any without this mark; it need not be in the book
    #[arg(long, value_name = "MOVE", group = "change")]
    play: Vec<String>,

    /// Never play this move
    #[arg(long, value_name = "MOVE", group = "change")]
    avoid: Vec<String>,

    /// Take the mark off this move
    #[arg(long, value_name = "MOVE", group = "change")]
    unmark: Vec<String>,

    /// Take this move out
    #[arg(long, value_name = "MOVE", group = "change")]
    remove: Vec<String>,

    /// Take the position out with all its moves
    #[arg(long, group = "change")]
    remove_all: bool,
}

#[derive(Clone, Debug, clap::Args)]
struct MergeArgs {
    /// The books; where two mark a move, the later one's mark counts
    #[arg(value_name = "FILE", required = true)]
    books: Vec<PathBuf>,

    /// The new book's file, which must not exist yet
    #[arg(long, short = 'o', value_name = "FILE")]
    out: PathBuf,

    /// Leave out moves that were played in fewer games, marked ones apart
    #[arg(long, value_name = "GAMES", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    least: u32,
}

impl Args {
    /// Does what the subcommand says.
    ///
    /// # Errors
    /// If games or books cannot be read, moves are none, or a book cannot be written.
    pub fn run(self, stop: &StopFlag) -> anyhow::Result<()> {
        match self.action {
            Action::Build(args) => args.run(stop),
            Action::Show(args) => args.run(),
            Action::Edit(args) => args.run(),
            Action::Merge(args) => args.run(),
        }
    }
}

impl BuildArgs {
    fn run(self, stop: &StopFlag) -> anyhow::Result<()> {
        is_new(&self.out)?;
        let Self { games, out, moves, least, size, rules, komi } = self;
        let task = Task { games, moves, least, size, rules, komi };
        let built = build(&task, stop, &mut |file| log::info!("reading {}", file.display()))?;
        ensure!(!stop.is_set(), "stopped; nothing was written");
        ensure!(built.games > 0, "there is no game to make a book of{}", left_out(&built));
        ensure!(
            built.book.pages().next().is_some(),
            "no move was played in {least} of {} games; try a smaller --least",
            built.games
        );
        built.book.write(&out).with_context(|| format!("cannot write {}", out.display()))?;
        print(&format!("{} games{}\n{}", built.games, left_out(&built), show::contents(&built.book)))
    }
}

/// What became of the other records, in words.
fn left_out(built: &Built) -> String {
    let counts = [
        (built.no_rules, "of them without rules, which were assumed"),
        (built.repeated, "there more than once"),
        (built.other_boards, "on other boards"),
        (built.no_komi, "without a komi, left out (--komi says one)"),
        (built.broken, "that cannot be read"),
    ];
    let words = counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("; {count} {what}"));
    words.collect()
}

impl ShowArgs {
    fn run(self) -> anyhow::Result<()> {
        let book = Book::read(&self.place.file)?;
        let position = self.place.position(&book)?;
        let head = if self.place.moves.is_empty() { show::contents(&book) + "\n" } else { String::new() };
        print(&format!("{head}{}", show::position(&book, &position)))
    }
}

impl EditArgs {
    fn run(self) -> anyhow::Result<()> {
        let mut book = Book::read(&self.place.file)?;
        let position = self.place.position(&book)?;
        let read = |name: &String| Ok::<Move, anyhow::Error>(position.size().parse_vertex(name)?);
        let mut done = String::new();
        for (names, mark) in [(&self.play, Mark::Play), (&self.avoid, Mark::Avoid), (&self.unmark, Mark::None)] {
            for name in names {
                ensure!(
                    book.mark(&position, read(name)?, mark),
                    "{name} cannot be marked: it is no stone that may be played there"
                );
            }
        }
        let removed = self.remove.iter().map(|name| Ok((name, book.remove(&position, Some(read(name)?)))));
        for (name, removed) in removed.collect::<anyhow::Result<Vec<_>>>()? {
            ensure!(removed > 0, "{name} is not in the book there");
        }
        if self.remove_all {
            let _ = writeln!(done, "{} moves taken out", book.remove(&position, None));
        }
        book.write(&self.place.file).with_context(|| format!("cannot write {}", self.place.file.display()))?;
        print(&format!("{done}{}", show::position(&book, &position)))
    }
}

impl MergeArgs {
    fn run(self) -> anyhow::Result<()> {
        is_new(&self.out)?;
        let mut book = Book::default();
        for path in &self.books {
            book.merge(&Book::read(path)?);
        }
        book.prune(self.least);
        book.write(&self.out).with_context(|| format!("cannot write {}", self.out.display()))?;
        print(&show::contents(&book))
    }
}

/// A book may hold what a person marked, so none is overwritten.
fn is_new(path: &std::path::Path) -> anyhow::Result<()> {
    ensure!(!path.exists(), "{} exists; give --out another name, or make one of both by `tengen book merge`", path.display());
    Ok(())
}

impl Place {
    /// The position after the moves.
    fn position(&self, book: &Book) -> anyhow::Result<Position> {
        let page = self.page(book);
        let size = self.size.or(page.map(Page::size)).unwrap_or(Size::STANDARD);
        let usual = match page.map_or(Scoring::Area, Page::scoring) {
            Scoring::Area => "chinese",
            Scoring::Territory => "japanese",
        };
        let rules = self.rules.map_or_else(|| Rules::parse(usual), Ok)?;
        let komi = self.komi.or(page.map(Page::komi)).unwrap_or(rules.komi);
        let mut position = Position::new(size, rules.with_komi(komi));
        for (index, name) in self.moves.iter().enumerate() {
            let color = if index % 2 == 0 { Color::Black } else { Color::White };
            position.play_as(color, size.parse_vertex(name)?).with_context(|| format!("move {}, {name}", index + 1))?;
        }
        Ok(position)
    }

    /// The page with most positions of those that were asked for.
    fn page(&self, book: &Book) -> Option<Page> {
        let wanted = |page: &Page| {
            let lying = self.size.map(|size| (size.width().max(size.height()), size.width().min(size.height())));
            lying.is_none_or(|lying| lying == (page.size().width(), page.size().height()))
                && self.rules.is_none_or(|rules| rules.scoring == page.scoring())
        };
        let pages = book.pages().filter(|(page, ..)| wanted(page));
        pages.max_by_key(|&(_, positions, _)| positions).map(|(page, ..)| page)
    }
}
