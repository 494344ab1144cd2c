//! A transposition table: what was found of states that several lines lead to. (R. Greenblatt and others, The Greenblatt Chess Program, 1967.)
//!
//! The key is the whole state, kept in the entry and compared: whose turn it is, ko and all the history that matters are part of a state, so no two that
//! differ are ever mistaken for each other. Stones alone would be too little in Go.

use std::hash::{DefaultHasher, Hash, Hasher};

/// What a stored value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the value.
    Exact,
    /// The value is this or more.
    Lower,
    /// The value is this or less.
    Upper,
}

/// What was found of a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry<A> {
    /// The value, or a bound of it.
    pub value: f32,
    /// Which of the two.
    pub bound: Bound,
    /// How deep was searched below it; `u32::MAX` if to the end of the game in every line that matters.
    pub depth: u32,
    /// The best action, to be tried first the next time.
    pub best: Option<A>,
}

impl<A> Entry<A> {
    /// The value to go on with if the entry is deep enough and ends the search of this window.
    pub fn cut_off(&self, depth: u32, alpha: f32, beta: f32) -> Option<f32> {
        let ends = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        };
        (self.depth >= depth && ends).then_some(self.value)
    }
}

/// A table with a fixed number of places. Of two states that share a place the later one has it.
#[derive(Clone, Debug)]
pub struct Table<S, E> {
    places: Vec<Option<(S, E)>>,
}

impl<S: Eq + Hash + Clone, E> Table<S, E> {
    /// A table of so many places, at least one.
    pub fn new(places: usize) -> Self {
        Self { places: std::iter::repeat_with(|| None).take(places.max(1)).collect() }
    }

    fn place(&self, state: &S) -> usize {
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        (hasher.finish() % self.places.len() as u64) as usize
    }

    /// What is known of `state`.
    pub fn get(&self, state: &S) -> Option<&E> {
        self.places[self.place(state)].as_ref().filter(|(stored, _)| stored == state).map(|(_, entry)| entry)
    }

    /// Stores what was found of `state`.
    pub fn insert(&mut self, state: &S, entry: E) {
        let place = self.place(state);
        self.places[place] = Some((state.clone(), entry));
    }
}
