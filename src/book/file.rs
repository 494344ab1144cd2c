//! A book's file.
//!
//! It is sealed ([`crate::util::seal`]). Its body is the number of pages and the pages. Numbers are LEB128 but for the hashes of positions, eight bytes
//! each, the least first. A page: width, height, 1 for territory, komi in half points with its sign in the lowest bit, number of positions; a
//! position: hash, number of moves; a move: the point's number, games, wins, losses, mark. Pages, positions and moves are in ascending order, so that equal
//! books are equal files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{Book, Entries, Entry, Figures, Mark, Page};
use crate::board::Size;
use crate::util::{Damage, seal, unseal, write_whole};

/// First line of a file.
const HEAD: &str = "tengen book 1";
/// The longest file that is read. A million positions take some 20 MB.
const LONGEST: u64 = 1 << 30;

/// A file that holds no book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is no opening book: {reason}", path.display())]
pub struct BadBook {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: String,
}

impl Book {
    /// Reads a book's file.
    ///
    /// # Errors
    /// If it cannot be read, or holds no book of this version, or is damaged.
    pub fn read(path: &Path) -> Result<Self, BadBook> {
        let bad = |reason: String| BadBook { path: path.to_owned(), reason };
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(LONGEST + 1).read_to_end(&mut bytes));
        read.map_err(|error| bad(format!("it cannot be read ({error})")))?;
        if bytes.len() as u64 > LONGEST {
            return Err(bad("it is longer than 1 GiB".to_owned()));
        }
        Self::from_bytes(&bytes).map_err(|damage| bad(damage.to_string()))
    }

    /// Writes it so that the file is there whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        write_whole(path, &self.to_bytes())
    }

    /// What [`Book::write`] writes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        number(&mut out, self.pages.len() as u64);
        for (page, spots) in &self.pages {
            let komi = u64::from(page.half_points.unsigned_abs()) << 1 | u64::from(page.half_points < 0);
            for part in [page.width.into(), page.height.into(), page.territory.into(), komi, spots.len() as u64] {
                number(&mut out, part);
            }
            for (hash, entries) in spots {
                out.extend(hash.to_le_bytes());
                number(&mut out, entries.len() as u64);
                for Entry { point, figures: Figures { games, wins, losses }, mark } in entries {
                    for part in [(*point).into(), (*games).into(), (*wins).into(), (*losses).into(), *mark as u64] {
                        number(&mut out, part);
                    }
                }
            }
        }
        seal(HEAD, &out)
    }

    /// Reads what [`Book::to_bytes`] made.
    ///
    /// # Errors
    /// If it is anything else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Damage> {
        Cursor(unseal(HEAD, bytes)?).book().ok_or(Damage::Nonsense)
    }
}

/// Appends a number in LEB128.
fn number(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// What is still to be read.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn book(&mut self) -> Option<Book> {
        let mut pages = BTreeMap::new();
        for _ in 0..self.number()? {
            let (page, spots) = self.page()?;
            if pages.last_key_value().is_some_and(|(last, _)| *last >= page) {
                return None;
            }
            pages.insert(page, spots);
        }
        self.0.is_empty().then_some(Book { pages })
    }

    fn page(&mut self) -> Option<(Page, BTreeMap<u64, Entries>)> {
        let (width, height): (u8, u8) = (self.small()?, self.small()?);
        let size = Size::new(width.into(), height.into()).ok().filter(|_| width >= height)?;
        let territory = match self.number()? {
            0 => false,
            1 => true,
            _ => return None,
        };
        let komi = self.number()?;
        let half_points = i16::try_from(komi >> 1).ok()? * if komi & 1 == 0 { 1 } else { -1 };
        let mut spots = BTreeMap::new();
        for _ in 0..self.number()? {
            let (hash, rest) = self.0.split_first_chunk()?;
            self.0 = rest;
            let hash = u64::from_le_bytes(*hash);
            if spots.last_key_value().is_some_and(|(last, _)| *last >= hash) {
                return None;
            }
            spots.insert(hash, self.entries(size)?);
        }
        Some((Page { width, height, territory, half_points }, spots))
    }

    fn entries(&mut self, size: Size) -> Option<Entries> {
        let mut entries = Entries::new();
        for _ in 0..self.number()? {
            let point = self.small().filter(|&point: &u16| usize::from(point) < size.area())?;
            if entries.last().is_some_and(|last| last.point >= point) {
                return None;
            }
            let figures = Figures { games: self.small()?, wins: self.small()?, losses: self.small()? };
            if u64::from(figures.wins) + u64::from(figures.losses) > figures.games.into() {
                return None;
            }
            let mark = match self.number()? {
                0 => Mark::None,
                1 => Mark::Play,
                2 => Mark::Avoid,
                _ => return None,
            };
            entries.push(Entry { point, figures, mark });
        }
        Some(entries)
    }

    fn number(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            let part = u64::from(byte & 0x7f);
            value |= part.checked_shl(shift).filter(|shifted| shifted >> shift == part)?;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn small<T: TryFrom<u64>>(&mut self) -> Option<T> {
        self.number()?.try_into().ok()
    }
}
