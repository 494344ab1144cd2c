//! Game records: reading and writing SGF, the format of the world's Go games, and reading GIB, NGF and UGF, which some servers write.
//!
//! ```
//! use tengen::sgf::{self, Record};
//!
//! let collection = sgf::parse(b"(;GM[1]SZ[9]KM[7];B[ee];W[gc](;B[cd])(;B[cg]))")?;
//! let game = Record::from_tree(&collection.games[0])?;
//! assert_eq!(game.komi, Some(7.0));
//! assert_eq!(game.moves().count(), 3);
//! assert!(sgf::write(&collection.games).starts_with("(;FF[4]CA[UTF-8]GM[1]SZ[9]KM[7]"));
//! # Ok::<(), sgf::SgfError>(())
//! ```
//!
//! A file becomes a [`Collection`] of [`Tree`]s, which keep every property, known or not. One line of a tree becomes a [`Record`], which
//! says what the properties mean; [`Record::to_tree`] goes back, and [`Record::replay`] plays the moves. Nothing here recurses with the depth of a file, and all of it takes
//! time linear in the file's length.
//!
//! # What is forgiven
//! The files of the world are broken in many ways. What has one sensible reading is read, and a note says how
//! ([`Collection::notes`], [`Record::notes`]); all else is an [`SgfError`] with line, column and property. No reading invents a move.
//!
//! | the file has | reading |
//! |---|---|
//! | text before, between or after games | skipped |
//! | no last `)`; no `;` before the first property of a tree or variation | read as if it stood there; noted |
//! | a tree or variation without nodes, `()` | skipped; an error if nothing else is there |
//! | a value without its `]` | an error; where a later `]` ends it, the move that swallowed it is the error |
//! | small letters in property names (FF\[1\] to FF\[3\]) | left out: `GaMe` is GM |
//! | a property twice in a node | the values of the first, then those of the second; two moves are an error |
//! | a character set undeclared, unknown or wrong | a byte order mark, UTF-8, the declared set, a guess: the first that fits (`charset.rs` has the details) |
//! | GM other than 1 | an error; no GM is Go |
//! | no SZ | 19x19, or what a later node says; a size this engine has not is an error |
//! | `tt` | a pass where both sides are 19 or shorter, a point on larger boards |
//! | a point off the board, capitals among them | an error |
//! | a point in two of AB, AW and AE in a node | the later property counts; noted |
//! | setup and a move in a node | the setup comes first |
//! | setup in the course of a game | a new start: what stood on the board before is forgotten as far as ko and superko go |
//! | setup that leaves chains without liberties | they are taken off: first those of the player to move, as if the opponent had just moved, then the other's |
//! | one colour twice in a row | allowed |
//! | HA of 0, 1, or no number | an even game |
//! | HA, and black stones set up before the first move | the stones count |
//! | HA without stones, White to move first or no moves | the usual points of [`fixed_handicap`](crate::board::fixed_handicap); if the board has none for that number, ignored. Noted |
//! | HA without stones, Black moving first | two black moves or more are the handicap; one alone contradicts it, and the game is even. Noted |
//! | KM empty, no number, not finite, beyond 9999 | unknown; noted |
//! | KM with a comma or a unit | the number; noted |
//! | KM in hundredths: whole numbers from 25 with Fox's signature (`AP[foxwq]`), or 325, 375, 550, 650, 750 | divided by 100, and where that is not a half, stones of Chinese counting at two points each; noted |
//! | KM of 2.75, 3.25, 3.75 | stones of Chinese counting, two points each; noted |
//! | KM\[0\] of an even game by Fox or saved again by GNU Go 3.8 | unknown: Fox loses the komi; noted |
//! | RE in words | read if it says who won; otherwise unknown |
//!
//! The readings of KM do not apply to files of this program.

mod charset;
mod error;
mod files;
mod foreign;
mod komi;
mod lexer;
mod parse;
mod points;
mod read;
mod record;
mod replay;
mod result;
mod table;
mod terms;
mod tree;
mod value;
mod write;

pub use error::{Place, Problem, SgfError};
pub use files::{Kept, NoRecords, Visited, find, visit};
pub use points::{letters, point, points};
pub use record::{Player, Record, Step};
pub use replay::{Replay, ReplayError};
pub use result::{GameResult, Margin};
pub use terms::{Source, Terms};
pub use tree::{NodeId, Property, Tree};
pub use value::Value;
pub use write::write;

/// The games of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collection {
    /// One tree a game, in the order of the file. At least one.
    pub games: Vec<Tree>,
    /// What the reader had to guess or ignore, in sentences for a person.
    pub notes: Vec<String>,
}

/// Reads a file, in whatever character set. Besides SGF it may be GIB, NGF or UGF, which hold one game.
///
/// # Errors
/// If no game can be read from it, or one is broken so that its moves are in doubt.
pub fn parse(bytes: &[u8]) -> Result<Collection, SgfError> {
    let mut notes = error::Notes::default();
    if let Some(format) = foreign::Format::of(bytes) {
        let text = charset::decode_as(bytes, format.charset(bytes));
        let games = vec![format.read(&text, &mut notes)?];
        return Ok(Collection { games, notes: notes.into_vec() });
    }
    let (text, note) = charset::decode(bytes);
    if let Some(note) = note {
        notes.add(None, &note);
    }
    let games = parse::parse_games(&text, &mut notes)?;
    Ok(Collection { games, notes: notes.into_vec() })
}
