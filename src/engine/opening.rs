//! Moves out of an opening book.

use super::Engine;
use crate::board::Color;
use crate::book::{Book, BookMove, chances};

impl Engine {
    /// Gives it an opening book, or none. It plays a move of the book at once, where it knows one that is good enough ([`chances`]).
    pub fn set_book(&mut self, book: Option<Book>) {
        self.book = book;
    }

    /// A move of the book for `color` in the game as it stands, drawn at random by the chances of each.
    pub(super) fn book_move(&mut self, color: Color) -> Option<BookMove> {
        let book = self.book.as_ref()?;
        let mut position = self.position.clone();
        position.set_to_move(color);
        let moves = book.moves(&position);
        let chances = chances(&moves, &self.settings.book);
        let mut left = self.random();
        let drawn = moves.iter().zip(&chances).find(|(_, chance)| {
            left -= *chance;
            left < 0.0
        });
        // What rounding leaves over goes to the likeliest one.
        let likeliest = || moves.iter().zip(&chances).max_by(|(_, a), (_, b)| a.total_cmp(b));
        drawn.or_else(likeliest).filter(|(_, chance)| **chance > 0.0).map(|(known, _)| *known)
    }
}
