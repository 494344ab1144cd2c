//! Playing a stone, and taking it back.

use arrayvec::ArrayVec;

use super::board::{Board, Cell};
use super::color::Color;
use super::liberties::Liberties;
use super::point::Point;
use super::zobrist::KEYS;

/// What [`Board::undo`] needs to take a move back. Moves are undone in the reverse order of their playing.
#[derive(Clone, Debug)]
pub struct Undo {
    color: Color,
    point: u16,
    slot: u16,
    next: u16,
    ko: u16,
    hash: u64,
    /// Heads of the captured enemy chains.
    captured: ArrayVec<u16, 4>,
    /// Chains that became one: (head that stayed, head that was absorbed).
    merged: ArrayVec<(u16, u16), 4>,
    /// Head of the own chain removed by suicide.
    suicide: Option<u16>,
}

impl Board {
    /// Puts a stone of `color` on the empty point `point`: captures, removes the own chain if it is left without a liberty (suicide), and
    /// sets the simple-ko point. Whether the move is legal is for the caller to know.
    #[inline]
    pub fn play(&mut self, color: Color, point: Point) {
        self.play_recording(color, point, None);
    }

    /// Like [`Board::play`], and returns what takes the move back.
    pub fn play_undoable(&mut self, color: Color, point: Point) -> Undo {
        let mut undo = Undo {
            color,
            point: point.index() as u16,
            slot: self.slot[point.index()],
            next: self.next[point.index()],
            ko: self.ko,
            hash: self.hash,
            captured: ArrayVec::new(),
            merged: ArrayVec::new(),
            suicide: None,
        };
        self.play_recording(color, point, Some(&mut undo));
        undo
    }

    #[inline(always)]
    fn play_recording(&mut self, color: Color, point: Point, mut undo: Option<&mut Undo>) {
        let index = point.index();
        debug_assert!(self.cells[index] == Cell::EMPTY, "the point is taken");
        let (own, enemy) = (Cell::stone(color), Cell::stone(!color));
        let around = self.around(index);
        self.put(color, index);
        for near in around {
            self.liberties[self.head[near] as usize].remove(Liberties::one(index));
        }
        let cells = around.map(|near| self.cells[near]);
        let mut captured = 0;
        let mut last_captured = 0;
        // Most moves capture nothing: one test tells.
        let is_dead = |near: usize, cell| (cell == enemy) & self.liberties[self.head[near] as usize].is_none();
        if is_dead(around[0], cells[0])
            | is_dead(around[1], cells[1])
            | is_dead(around[2], cells[2])
            | is_dead(around[3], cells[3])
        {
            for near in around {
                if self.cells[near] == enemy && self.liberties[self.head[near] as usize].is_none() {
                    let head = self.head[near];
                    captured += self.lift(!color, head);
                    last_captured = head;
                    if let Some(undo) = undo.as_deref_mut() {
                        undo.captured.push(head);
                    }
                }
            }
        }
        for (near, cell) in around.into_iter().zip(cells) {
            if cell == own && self.head[near] != self.head[index] {
                let pair = self.merge(self.head[index], self.head[near]);
                if let Some(undo) = undo.as_deref_mut() {
                    undo.merged.push(pair);
                }
            }
        }
        self.captures[color.index()] += captured;
        let liberties = self.liberties[self.head[index] as usize];
        // A lone stone that took one stone and can only be taken back at once is a ko.
        self.ko = if captured == 1 && self.length[self.head[index] as usize] == 1 && liberties.pseudo() == 1 {
            last_captured
        } else {
            0
        };
        if liberties.is_none() {
            let head = self.head[index];
            self.captures[(!color).index()] += self.lift(color, head);
            if let Some(undo) = undo {
                undo.suicide = Some(head);
            }
        }
    }

    /// Takes back the last move, `undo` being what its playing returned.
    pub fn undo(&mut self, undo: &Undo) {
        let (color, index) = (undo.color, undo.point as usize);
        if let Some(head) = undo.suicide {
            self.captures[(!color).index()] -= self.put_back(color, head);
        }
        for &(kept, absorbed) in undo.merged.iter().rev() {
            self.unmerge(kept, absorbed);
        }
        for &head in undo.captured.iter().rev() {
            self.captures[color.index()] -= self.put_back(!color, head);
        }
        for near in self.around(index) {
            self.liberties[self.head[near] as usize].add(Liberties::one(index));
        }
        self.cells[index] = Cell::EMPTY;
        self.stones[color.index()] -= 1;
        self.next[index] = undo.next;
        // Its place in the list of empty points, from which the then last one had been moved into the gap.
        let slot = undo.slot as usize;
        let count = self.empty as usize;
        if slot < count {
            let moved = self.empties[slot];
            self.empties[count] = moved;
            self.slot[moved.index()] = count as u16;
        }
        self.empties[slot] = Point::from_index(index);
        self.slot[index] = undo.slot;
        self.empty += 1;
        self.ko = undo.ko;
        self.hash = undo.hash;
    }

    /// A stone on the empty point `index`, as a chain of its own.
    #[inline(always)]
    pub(super) fn put(&mut self, color: Color, index: usize) {
        self.cells[index] = Cell::stone(color);
        self.next[index] = index as u16;
        self.stones[color.index()] += 1;
        self.hash ^= KEYS[color.index()][index];
        self.empty -= 1;
        let last = self.empties[self.empty as usize];
        let slot = self.slot[index];
        self.empties[slot as usize] = last;
        self.slot[last.index()] = slot;
    }

    #[inline]
    pub(super) fn add_empty(&mut self, point: Point) {
        self.slot[point.index()] = self.empty;
        self.empties[self.empty as usize] = point;
        self.empty += 1;
    }

    /// Makes one chain of two; the shorter one is relabelled. Returns the head kept and the head absorbed.
    #[inline]
    pub(super) fn merge(&mut self, a: u16, b: u16) -> (u16, u16) {
        let (kept, absorbed) = if self.length[a as usize] >= self.length[b as usize] { (a, b) } else { (b, a) };
        let (kept_index, first) = (kept as usize, absorbed as usize);
        let liberties = self.liberties[first];
        self.liberties[kept_index].add(liberties);
        self.length[kept_index] += self.length[first];
        let mut index = first;
        loop {
            self.head[index] = kept;
            index = self.next[index] as usize;
            if index == first {
                break;
            }
        }
        self.next.swap(kept_index, first);
        (kept, absorbed)
    }

    /// Takes a [`Board::merge`] back.
    fn unmerge(&mut self, kept: u16, absorbed: u16) {
        self.next.swap(kept as usize, absorbed as usize);
        let mut liberties = Liberties::default();
        let mut length = 0;
        let mut index = absorbed as usize;
        loop {
            self.head[index] = absorbed;
            length += 1;
            for near in self.around(index) {
                if self.cells[near] == Cell::EMPTY {
                    liberties.add(Liberties::one(near));
                }
            }
            index = self.next[index] as usize;
            if index == absorbed as usize {
                break;
            }
        }
        self.liberties[absorbed as usize] = liberties;
        self.length[absorbed as usize] = length;
        self.liberties[kept as usize].remove(liberties);
        self.length[kept as usize] -= length;
    }

    /// Takes the chain with this head, which has no liberty, off the board; returns its number of stones. The ring of its stones is left
    /// standing in `next` for [`Board::put_back`].
    fn lift(&mut self, color: Color, head: u16) -> u16 {
        let first = head as usize;
        let length = self.length[first];
        let mut index = first;
        loop {
            self.cells[index] = Cell::EMPTY;
            self.head[index] = index as u16;
            self.length[index] = 1;
            self.liberties[index] = Liberties::default();
            self.hash ^= KEYS[color.index()][index];
            self.add_empty(Point::from_index(index));
            index = self.next[index] as usize;
            if index == first {
                break;
            }
        }
        loop {
            for near in self.around(index) {
                self.liberties[self.head[near] as usize].add(Liberties::one(index));
            }
            index = self.next[index] as usize;
            if index == first {
                break;
            }
        }
        self.stones[color.index()] -= length;
        length
    }

    /// Takes a [`Board::lift`] back (but for the hash); returns the number of stones.
    fn put_back(&mut self, color: Color, head: u16) -> u16 {
        let first = head as usize;
        let mut index = first;
        loop {
            for near in self.around(index) {
                self.liberties[self.head[near] as usize].remove(Liberties::one(index));
            }
            index = self.next[index] as usize;
            if index == first {
                break;
            }
        }
        let mut length = 0;
        loop {
            self.cells[index] = Cell::stone(color);
            self.head[index] = head;
            length += 1;
            index = self.next[index] as usize;
            if index == first {
                break;
            }
        }
        self.length[first] = length;
        self.liberties[first] = Liberties::default();
        self.empty -= length;
        self.stones[color.index()] += length;
        length
    }
}
