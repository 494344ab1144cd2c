//! The symmetries of a small board. Positions that mirror one another are one to the prover's table: what is found of one is found of all.

use super::field::{Field, Stones, bits};
use super::grounds::{Few, few};
use crate::board::{Size, Symmetry};
use crate::util::Rng;

/// Most symmetries: a square's.
const MOST: usize = 8;
/// Points of a small board, at most, and places of a bit.
const POINTS: usize = 32;
/// Sets are turned by looking up so many bits at a time: all of it stays in the nearest cache.
const CHUNK: usize = 5;
const CHUNKS: usize = super::MOST_POINTS.div_ceil(CHUNK);

/// What a position is known by: a sum over its stones for each way to turn it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sums([u64; MOST]);

/// A hash of all positions of a game, in whatever order, for each way to turn the board.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Histories([u32; MOST]);

impl Histories {
    /// That of a board turned so.
    pub(super) fn of(&self, turn: u8) -> u32 {
        self.0[usize::from(turn)]
    }
}

/// A position's key, which is the same for all that mirror it, and the turn that makes it the one of them that stands for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    /// A hash of the position, however it is turned.
    pub(super) hash: u64,
    /// The turn.
    pub(super) turn: u8,
}

/// The symmetries of a board; the identity is the first.
pub(super) struct Turns {
    /// Where each bit comes to lie.
    places: Vec<[u8; POINTS]>,
    /// The turn that undoes each.
    inverse: Vec<u8>,
    /// What becomes of each chunk of a set.
    chunks: Vec<[[u32; 1 << CHUNK]; CHUNKS]>,
    /// What a stone of each colour on each point adds to the sums.
    numbers: [[Sums; POINTS]; 2],
}

impl Turns {
    /// Those of a board of `size`, which `field` has.
    pub(super) fn new(size: Size, field: &Field) -> Self {
        let place = |symmetry: Symmetry, bit: usize| {
            let coord = symmetry.turn(size, size.coord(field.point(bit)));
            size.at(coord).and_then(|point| field.bit(point)).map_or(0, |bit| bit as u8)
        };
        let fitting = Symmetry::ALL.into_iter().filter(|&symmetry| symmetry.within(size) == symmetry);
        let places: Vec<[u8; POINTS]> = fitting
            .map(|symmetry| std::array::from_fn(|bit| if bit < size.area() { place(symmetry, bit) } else { bit as u8 }))
            .collect();
        let undoes =
            |turn: &[u8; POINTS], back: &[u8; POINTS]| (0..POINTS).all(|bit| usize::from(back[usize::from(turn[bit])]) == bit);
        let inverse = places
            .iter()
            .map(|turn| places.iter().position(|back| undoes(turn, back)).expect("symmetries are a group") as u8)
            .collect();
        let turned = |turn: &[u8; POINTS], set: usize| bits(set as u64).fold(0, |out, bit| out | 1 << turn[bit]);
        let chunks = places
            .iter()
            .map(|turn| std::array::from_fn(|chunk| std::array::from_fn(|set| turned(turn, set << (CHUNK * chunk)))))
            .collect();
        let mut rng = Rng::new(SEED);
        let random: [[u64; POINTS]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| rng.next_u64()));
        // Where there are fewer turns, the last one stands in for those that are not.
        let number = |color: usize, bit: usize| {
            Sums(std::array::from_fn(|turn| random[color][usize::from(places[turn.min(places.len() - 1)][bit])]))
        };
        let numbers = std::array::from_fn(|color| std::array::from_fn(|bit| number(color, bit)));
        Self { places, inverse, chunks, numbers }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Where a bit comes to lie.
    pub(super) fn bit(&self, turn: u8, bit: u8) -> u8 {
        self.places[usize::from(turn)][usize::from(bit)]
    }

    /// A move, turned: those that are no points, the pass and none, stay.
    pub(super) fn mv(&self, turn: u8, mv: u8) -> u8 {
        if usize::from(mv) < POINTS { self.bit(turn, mv) } else { mv }
    }

    /// The turn that undoes another.
    pub(super) fn back(&self, turn: u8) -> u8 {
        self.inverse[usize::from(turn)]
    }

    /// A set, turned.
    pub(super) fn set(&self, turn: u8, set: u32) -> u32 {
        let chunks = &self.chunks[usize::from(turn)];
        (0..CHUNKS).fold(0, |out, chunk| out | chunks[chunk][(set >> (CHUNK * chunk)) as usize & ((1 << CHUNK) - 1)])
    }

    /// Stones, turned.
    pub(super) fn stones(&self, turn: u8, stones: Few) -> Few {
        stones.map(|set| self.set(turn, set))
    }

    /// Whether a turn leaves stones where they are.
    pub(super) fn keeps(&self, turn: usize, stones: Stones) -> bool {
        self.stones(turn as u8, few(stones)) == few(stones)
    }

    /// The sums of a position.
    pub(super) fn sums(&self, stones: Stones) -> Sums {
        let mut sums = Sums([0; MOST]);
        for (color, set) in stones.into_iter().enumerate() {
            bits(set).for_each(|bit| sums.add(&self.numbers[color][bit]));
        }
        sums
    }

    /// The sums after `before` became `after`, whose sums are `sums`: few stones come and go in a move.
    pub(super) fn next(&self, sums: &Sums, before: Stones, after: Stones) -> Sums {
        let mut sums = *sums;
        for color in 0..2 {
            bits(after[color] & !before[color]).for_each(|bit| sums.add(&self.numbers[color][bit]));
            bits(before[color] & !after[color]).for_each(|bit| sums.take(&self.numbers[color][bit]));
        }
        sums
    }
}

/// Of the random numbers; any will do.
const SEED: u64 = 5;

impl Sums {
    fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, number)| *sum = sum.wrapping_add(number));
    }

    fn take(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, number)| *sum = sum.wrapping_sub(number));
    }

    /// Adds to hashes of histories, one for each way to turn the board, this position.
    pub(super) fn follow(&self, histories: &mut Histories) {
        for (history, sum) in histories.0.iter_mut().zip(self.0) {
            *history = history.wrapping_add(((sum ^ sum >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32) as u32);
        }
    }

    /// The key: by the least of the sums, which are the same numbers for all positions that mirror each other.
    pub(super) fn key(&self) -> Key {
        let mut turn = 0;
        for other in 1..MOST {
            if self.0[other] < self.0[turn] {
                turn = other;
            }
        }
        // The least of eight is seldom large: it is spread again (the finaliser of SplitMix64).
        let mut hash = self.0[turn];
        hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        Key { hash: hash ^ hash >> 31, turn: turn as u8 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    fn turns(width: usize, height: usize) -> Turns {
        let size = Size::new(width, height).unwrap();
        Turns::new(size, &Field::whole(&Board::new(size), true).0)
    }

    fn random_stones(area: usize, rng: &mut Rng) -> Stones {
        let (black, white) = (rng.next_u64(), rng.next_u64());
        let all = (1 << area) - 1;
        [black & !white & all, white & !black & all]
    }

    #[test]
    fn positions_that_mirror_one_another_have_one_key() {
        let mut rng = Rng::new(1);
        for (width, height, count) in [(5, 5, 8), (4, 4, 8), (5, 4, 4), (2, 3, 4), (12, 2, 4)] {
            let turns = turns(width, height);
            assert_eq!(turns.len(), count);
            for _ in 0..200 {
                let stones = random_stones(width * height, &mut rng);
                let key = turns.sums(stones).key();
                let stand = turns.stones(key.turn, few(stones));
                for turn in 0..count as u8 {
                    let turned = turns.stones(turn, few(stones));
                    let other = turns.sums(turned.map(u64::from)).key();
                    assert_eq!(other.hash, key.hash);
                    assert_eq!(turns.stones(other.turn, turned), stand, "one stands for all");
                    assert_eq!(turns.stones(turns.back(turn), turned), few(stones));
                }
            }
        }
    }

    #[test]
    fn sums_follow_stones_that_come_and_go() {
        let (turns, mut rng) = (turns(5, 5), Rng::new(2));
        for _ in 0..200 {
            let [before, after] = [0; 2].map(|_| random_stones(25, &mut rng));
            assert_eq!(turns.next(&turns.sums(before), before, after), turns.sums(after));
        }
    }

    #[test]
    fn moves_turn_with_the_stones() {
        let turns = turns(5, 5);
        for turn in 0..8 {
            for bit in 0..25 {
                assert_eq!(turns.set(turn, 1 << bit), 1 << turns.mv(turn, bit));
            }
            // A pass, and none.
            assert_eq!([64, 65].map(|mv| turns.mv(turn, mv)), [64, 65]);
        }
    }
}
