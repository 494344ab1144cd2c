//! Every position of a tiny board, solved backwards from its ends.
//!
//! A position is the stones, who is to move, the point that a ko bars, and whether the last move was a pass. A ko may not be retaken at once; two passes in a row
//! end the game, which is counted by area; and a game that goes on for ever has no result, which is worth as much as a draw to both. That needs no history:
//! who can force a gain can do so without coming back to any position, and who cannot is not helped by coming back. So a search with the whole history,
//! in which the first repetition ends the game without result, gives each position the same value; `tests/table.rs` holds it to that.

use std::hash::{Hash, Hasher};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::check::stones;
use super::field::{Field, Stones, bits};
use crate::adversarial::{Worth, retrograde};
use crate::board::{Board, Move, Size};
use crate::game::Game;
use crate::rules::{Outcome, Position};
use crate::util::{Damage, seal, unseal, write_whole};

/// Longest side of a board of which there is a table: 4x4 has 24 million legal boards, each with several positions.
pub const LONGEST_SIDE: usize = 3;
/// The action of a pass.
const PASS: u8 = 64;
/// First line of a file.
const HEAD: &str = "tengen table 1";
/// Bytes of a position in a file: its key, the value in half points, the moves to the end.
const ENTRY: usize = 8;
/// Stands in a file for a game without end.
const ENDLESS: u16 = u16::MAX;
/// The greatest komi, in half points: beyond the board's points it makes no difference.
const MOST_KOMI: i16 = 2 * 2 * (LONGEST_SIDE * LONGEST_SIDE) as i16;

/// What table is wanted, or there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// The board: no side longer than [`LONGEST_SIDE`].
    pub size: Size,
    /// Whether a chain of two stones or more may take itself off.
    pub suicide: bool,
    /// Points that White gets: whole or half ones. They decide which side a game without result suits better.
    pub komi: f32,
}

/// Why there is no table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTable {
    /// The board is too large.
    #[error("there are tables of boards up to {LONGEST_SIDE}x{LONGEST_SIDE}; `tengen solve` solves larger ones")]
    TooLarge,
    /// The komi is out of range.
    #[error("a table's komi is whole or half points, at most {} either way", MOST_KOMI / 2)]
    Komi,
    /// The file holds none.
    #[error("{} is no endgame table: {reason}", path.display())]
    BadFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

/// The worth of every position of a board.
#[derive(Clone, Debug)]
pub struct Table {
    terms: Terms,
    field: Field,
    /// By their keys, in ascending order.
    entries: Vec<(u32, Worth)>,
}

impl Table {
    /// Solves all positions.
    ///
    /// # Errors
    /// If the board is too large, or the komi no such.
    pub fn build(terms: Terms) -> Result<Self, NoTable> {
        let field = field(&terms)?;
        let boards = boards(&field);
        let starts = boards.into_iter().flat_map(|stones| {
            let state = |(player, passes)| State { field: &field, komi: terms.komi, stones, player, passes, ko: 0 };
            [(0, 0), (1, 0), (0, 1), (1, 1)].map(state)
        });
        let solved = retrograde(starts).into_iter().filter(|(state, _)| !state.is_terminal());
        let mut entries: Vec<(u32, Worth)> = solved.map(|(state, worth)| (state.key(), worth)).collect();
        entries.sort_unstable_by_key(|(key, _)| *key);
        Ok(Self { terms, field, entries })
    }

    /// What it is about.
    pub fn terms(&self) -> Terms {
        self.terms
    }

    /// The worth of every position, in no order that means anything.
    pub fn worths(&self) -> impl ExactSizeIterator<Item = Worth> {
        self.entries.iter().map(|&(_, worth)| worth)
    }

    /// What a position is worth to Black, komi counted; nothing if it is none of the board's. Of its history only a ko and a pass count.
    pub fn worth(&self, position: &Position) -> Option<Worth> {
        self.find(&self.state(position)?)
    }

    /// Every legal move of a position that is not over, with what is worth the position after it; the best for who is to move first. Among equals who gains
    /// hurries and who loses delays.
    pub fn moves(&self, position: &Position) -> Vec<(Move, Worth)> {
        let Some(state) = self.state(position).filter(|state| !state.is_terminal()) else { return Vec::new() };
        let mut actions = Vec::new();
        state.actions(&mut actions);
        let after = |&action: &u8| {
            let mut next = state;
            next.apply(action);
            let mv = if action == PASS { Move::PASS } else { Move::from(self.field.point(action.into())) };
            Some((mv, self.find(&next)?))
        };
        let mut moves: Vec<(Move, Worth)> = actions.iter().filter_map(after).collect();
        let sign = position.to_move().sign();
        let speed = |worth: &Worth| match worth.end {
            Some(end) if worth.value * sign < 0.0 => i64::from(end),
            Some(end) => -i64::from(end),
            None => 0,
        };
        moves.sort_by(|(_, a), (_, b)| (sign * b.value).total_cmp(&(sign * a.value)).then(speed(b).cmp(&speed(a))));
        moves
    }

    fn find(&self, state: &State<'_>) -> Option<Worth> {
        if state.is_terminal() {
            return Some(Worth { value: state.utility(), end: Some(0) });
        }
        let at = self.entries.binary_search_by_key(&state.key(), |(key, _)| *key).ok()?;
        Some(self.entries[at].1)
    }

    fn state(&self, position: &Position) -> Option<State<'_>> {
        let board = position.board();
        let ko = board.ko().and_then(|point| self.field.bit(point)).map_or(0, |bit| 1 << bit);
        let over = matches!(position.result(), Some(Outcome::Score(_)));
        let passes = if over { 2 } else { position.passes().min(1) as u8 };
        let (field, komi, player) = (&self.field, self.terms.komi, position.to_move().index());
        (position.size() == self.terms.size).then(|| State { field, komi, stones: stones(field, board), player, passes, ko })
    }

    /// Reads a table's file.
    ///
    /// # Errors
    /// If it cannot be read, or holds no table of this version, or is damaged.
    pub fn read(path: &Path) -> Result<Self, NoTable> {
        let bad = |reason: String| NoTable::BadFile { path: path.to_owned(), reason };
        let mut bytes = Vec::new();
        let longest = (HEAD.len() + (1 << 20) * ENTRY) as u64;
        let read = std::fs::File::open(path).and_then(|file| file.take(longest).read_to_end(&mut bytes));
        read.map_err(|error| bad(format!("it cannot be read ({error})")))?;
        Self::from_bytes(&bytes).map_err(|damage| bad(damage.to_string()))
    }

    /// Writes it so that the file is there whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        write_whole(path, &self.to_bytes())
    }

    /// What [`Table::write`] writes: width, height, suicide, komi in half points, and the entries, all little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Terms { size, suicide, komi } = self.terms;
        let mut out = vec![size.width() as u8, size.height() as u8, suicide.into()];
        out.extend(halves(komi).to_le_bytes());
        for &(key, Worth { value, end }) in &self.entries {
            out.extend(key.to_le_bytes());
            out.extend(halves(value).to_le_bytes());
            out.extend(end.map_or(ENDLESS, |end| end as u16).to_le_bytes());
        }
        seal(HEAD, &out)
    }

    /// Reads what [`Table::to_bytes`] made.
    ///
    /// # Errors
    /// If it is anything else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Damage> {
        let body = unseal(HEAD, bytes)?;
        let (&[width, height, suicide, low, high], rest) = body.split_first_chunk().ok_or(Damage::Nonsense)?;
        let size = Size::new(width.into(), height.into()).map_err(|_| Damage::Nonsense)?;
        let terms = Terms { size, suicide: suicide == 1, komi: f32::from(i16::from_le_bytes([low, high])) / 2.0 };
        let field = field(&terms).ok().filter(|_| suicide < 2 && rest.len().is_multiple_of(ENTRY)).ok_or(Damage::Nonsense)?;
        let entry = |bytes: &[u8]| {
            let number = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
            let end = Some(number(6)).filter(|&end| end != ENDLESS).map(u32::from);
            let worth = Worth { value: f32::from(number(4).cast_signed()) / 2.0, end };
            (u32::from(number(0)) | u32::from(number(2)) << 16, worth)
        };
        let entries: Vec<(u32, Worth)> = rest.chunks_exact(ENTRY).map(entry).collect();
        entries.is_sorted_by(|(a, _), (b, _)| a < b).then_some(Self { terms, field, entries }).ok_or(Damage::Nonsense)
    }
}

/// Points in half points.
fn halves(points: f32) -> i16 {
    (2.0 * points) as i16
}

fn field(terms: &Terms) -> Result<Field, NoTable> {
    let size = terms.size;
    if size.width().max(size.height()) > LONGEST_SIDE {
        return Err(NoTable::TooLarge);
    }
    let halves = 2.0 * terms.komi;
    if halves.fract() != 0.0 || halves.abs() > f32::from(MOST_KOMI) {
        return Err(NoTable::Komi);
    }
    Ok(Field::whole(&Board::new(size), terms.suicide).0)
}

/// All boards on which every chain has a liberty.
fn boards(field: &Field) -> Vec<Stones> {
    let mut boards = vec![[0; 2]];
    for bit in bits(field.all()) {
        boards = boards
            .into_iter()
            .flat_map(|[black, white]| [[black, white], [black | 1 << bit, white], [black, white | 1 << bit]])
            .collect();
    }
    let lives =
        |&stones: &Stones| stones.iter().flat_map(|&own| field.chains(own)).all(|chain| field.liberties(chain, stones) != 0);
    boards.into_iter().filter(lives).collect()
}

/// A position of the table.
#[derive(Clone, Copy)]
struct State<'a> {
    field: &'a Field,
    komi: f32,
    stones: Stones,
    player: usize,
    /// Passes in a row.
    passes: u8,
    /// The point that may not be played on now, as a set.
    ko: u64,
}

impl State<'_> {
    /// What tells it from the other positions of its table.
    fn key(&self) -> u32 {
        let [black, white] = self.stones;
        let points = (LONGEST_SIDE * LONGEST_SIDE) as u32;
        // 0 for no ko, else a number above that of the point's bit.
        let ko = u64::BITS - self.ko.leading_zeros();
        black as u32
            | (white as u32) << points
            | (self.player as u32) << (2 * points)
            | u32::from(self.passes) << (2 * points + 1)
            | ko << (2 * points + 3)
    }
}

impl PartialEq for State<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for State<'_> {}

impl Hash for State<'_> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.key().hash(hasher);
    }
}

impl Game for State<'_> {
    /// The bit of a point, or [`PASS`].
    type Action = u8;
    const ACTIONS: usize = PASS as usize + 1;

    fn index(action: u8) -> usize {
        action.into()
    }

    fn action(index: usize) -> u8 {
        index as u8
    }

    fn player(&self) -> usize {
        self.player
    }

    fn actions(&self, actions: &mut Vec<u8>) {
        actions.clear();
        let free = bits(self.field.all() & !self.ko).filter(|&bit| self.field.play(self.stones, self.player, bit).is_some());
        actions.extend(free.map(|bit| bit as u8));
        actions.push(PASS);
    }

    fn apply(&mut self, action: u8) {
        let played = if action == PASS { None } else { self.field.play(self.stones, self.player, action.into()) };
        (self.stones, self.ko, self.passes) =
            played.map_or((self.stones, 0, self.passes + 1), |played| (played.stones, played.ko, 0));
        self.player = 1 - self.player;
    }

    fn is_terminal(&self) -> bool {
        self.passes == 2
    }

    /// Black's lead in points.
    fn utility(&self) -> f32 {
        self.field.area_score(self.stones) as f32 - self.komi
    }
}
