//! Could a side have all of a small board if it moved so many times in a row? If not even so, it cannot against an opponent who answers: a search of so many of its moves need not
//! begin.
//!
//! What a side's stones settle without help hangs on nothing but where they are (Benson's algorithm, with suicide), so that a table over all sets of stones knows the fewest that are still
//! missing if nothing is in the way (a pattern database; J. Culberson and J. Schaeffer, 1998). The search here adds what is in the way: the opponent's stones.

use std::sync::OnceLock;

use arrayvec::ArrayVec;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::field::{Field, bits};

/// Boards of more points have too many sets: of 25 points it is 32 MiB.
const MOST_POINTS: u32 = 25;
/// Most chains of one colour on such a board: no two of them touch.
const MOST_CHAINS: usize = MOST_POINTS.div_ceil(2) as usize;
/// More than can be missing.
const NEVER: u8 = 15;

/// The fewest stones that are missing, for each set of stones of one colour.
pub(super) struct Reach(OnceLock<Vec<Missing>>);

/// How many stones are missing, if nothing is in the way: in the low half until all is settled, in the high half until anything is.
#[derive(Clone, Copy)]
struct Missing(u8);

impl Missing {
    fn until_all(self) -> u32 {
        u32::from(self.0 & 15)
    }

    fn until_any(self) -> u32 {
        u32::from(self.0 >> 4)
    }

    /// With what one more stone makes of it.
    fn or_with_another(self, other: Self) -> Self {
        let least = |own: u8, next: u8| own.min((next + 1).min(NEVER));
        Self(least(self.0 & 15, other.0 & 15) | least(self.0 >> 4, other.0 >> 4) << 4)
    }
}

/// Stones in the way, which do not answer.
#[derive(Clone, Copy)]
struct Way<'a> {
    field: &'a Field,
    missing: &'a [Missing],
    enemy: u64,
    /// Liberties of any enemy chain.
    liberties: u64,
    /// Enemy chains with few enough liberties to be taken, each with these.
    weak: &'a [(u64, u64)],
    /// The other enemy stones.
    firm: u64,
}

impl Reach {
    /// Nothing is worked out before it is asked for.
    pub(super) fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Whether it can be asked about a board. Where suicide is forbidden, what is settled hangs on the enemy's stones too.
    pub(super) fn knows(field: &Field) -> bool {
        field.has_suicide() && field.all().count_ones() <= MOST_POINTS
    }

    /// Whether a side could have all of a board which it [`Self::knows`] after so many moves in a row, all of it settled, or no enemy stone left but in what is settled. True where that is not clear.
    pub(super) fn can_have_all(&self, field: &Field, own: u64, enemy: u64, moves: u32) -> bool {
        can_have_all(field, self.0.get_or_init(|| missing(field)), own, enemy, moves)
    }
}

/// The table.
fn missing(field: &Field) -> Vec<Missing> {
    let all = field.all();
    let plain = |set: u64| {
        let (alive, territory) = field.pass_alive([set, 0], 0);
        let until = |is_reached: bool| if is_reached { 0 } else { NEVER };
        Missing(until(alive | territory == all) | until(alive != 0) << 4)
    };
    let mut missing: Vec<Missing> = (0..1_u64 << all.count_ones()).into_par_iter().map(plain).collect();
    // A set with one more stone is a larger number.
    for set in (0..missing.len()).rev() {
        missing[set] = bits(all & !(set as u64)).fold(missing[set], |least, bit| least.or_with_another(missing[set | 1 << bit]));
    }
    missing
}

fn can_have_all(field: &Field, missing: &[Missing], own: u64, enemy: u64, moves: u32) -> bool {
    let mut weak = ArrayVec::<(u64, u64), MOST_CHAINS>::new();
    for chain in field.chains(enemy) {
        let liberties = field.liberties(chain, [own, enemy]);
        if liberties.count_ones() <= moves {
            weak.push((chain, liberties));
        }
    }
    let firm = weak.iter().fold(enemy, |firm, (chain, _)| firm & !chain);
    let liberties = field.liberties(enemy, [own, enemy]);
    let way = Way { field, missing, enemy, liberties, weak: &weak, firm };
    way.can(own, field.all() & !(own | enemy), moves)
}

impl Way<'_> {
    /// Whether some of the points `left` make it, so many at the most. All sets with any other point have been looked at.
    fn can(&self, own: u64, mut left: u64, moves: u32) -> bool {
        let Self { field, missing, enemy, weak, .. } = *self;
        let taken = weak.iter().filter(|(_, liberties)| liberties & !own == 0).fold(0, |taken, (chain, _)| taken | chain);
        if taken != 0 {
            return can_have_all(field, missing, own, enemy & !taken, moves);
        }
        let (until_all, until_any) = (missing[own as usize].until_all(), missing[own as usize].until_any());
        if until_all == 0 {
            return true;
        }
        if until_any == 0 || enemy == 0 {
            let (alive, territory) = field.pass_alive([own, enemy], 0);
            if enemy & !(alive | territory) == 0 {
                return true;
            }
        }
        let takes_all = (self.liberties & !own).count_ones() <= moves;
        if moves == 0 || until_all > moves && until_any > moves && !takes_all {
            return false;
        }
        let mut options = self.options(own, left);
        while options != 0 {
            let point = options & options.wrapping_neg();
            options &= !point;
            left &= !point;
            if self.can(own | point, left, moves - 1) {
                return true;
            }
        }
        false
    }

    /// Points of `left` one of which must be among those that make it: in what is settled there are no two neighbours that touch no stone of the owner's, so where a stone that stays and its neighbour
    /// are such points, one more comes next to them or between.
    fn options(&self, own: u64, left: u64) -> u64 {
        let field = self.field;
        let untouched = field.all() & !(own | field.around(own));
        let mut fewest = left;
        for point in bits(self.firm & untouched & field.around(untouched)) {
            for other in bits(field.near(point) & untouched) {
                let options = (field.near(point) | field.near(other)) & left;
                if options.count_ones() < fewest.count_ones() {
                    fewest = options;
                }
            }
        }
        fewest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Size};
    use crate::util::Rng;

    fn field(width: usize, height: usize) -> Field {
        Field::whole(&Board::new(Size::new(width, height).unwrap()), true).0
    }

    /// The same by playing every move.
    fn slowly(field: &Field, own: u64, enemy: u64, moves: u32) -> bool {
        let (alive, territory) = field.pass_alive([own, enemy], 0);
        let settled = alive | territory;
        if settled == field.all() || enemy & !settled == 0 {
            return true;
        }
        let played = bits(field.all()).filter_map(|bit| field.play([own, enemy], 0, bit));
        moves > 0 && played.into_iter().any(|played| slowly(field, played.stones[0], played.stones[1], moves - 1))
    }

    #[test]
    fn nothing_is_called_out_of_reach_that_moves_in_a_row_reach() {
        let mut rng = Rng::new(1);
        let (mut within, mut beyond) = (0, 0);
        for (width, height) in [(3, 3), (4, 3), (4, 4)] {
            let (field, reach) = (field(width, height), Reach::new());
            for round in 0..600 {
                let (own, other, more) = (rng.next_u64(), rng.next_u64(), rng.next_u64());
                let own = if round % 2 == 0 { own | more } else { own } & field.all();
                let enemy = other & !own & field.all();
                if field.chains(enemy).any(|chain| field.liberties(chain, [own, enemy]) == 0) {
                    continue;
                }
                for moves in 0..=2 {
                    let can = slowly(&field, own, enemy, moves);
                    let found = reach.can_have_all(&field, own, enemy, moves);
                    assert!(found || !can, "{own:b} {enemy:b} {moves}");
                    (within, beyond) = (within + usize::from(can), beyond + usize::from(!found));
                }
            }
        }
        assert!(within > 500 && beyond > 500, "{within} {beyond}");
    }

    #[test]
    fn what_is_settled_and_what_is_taken_count() {
        let (field, reach) = (field(3, 3), Reach::new());
        // Three in a row in the middle leave two rows of three, whose points all touch them.
        let [row, dead] = [0b000_111_000, 0b010_000_010];
        assert!(reach.can_have_all(&field, row, dead, 0));
        assert!(!reach.can_have_all(&field, row & !(1 << 3), dead, 0));
        assert!(reach.can_have_all(&field, row & !(1 << 3), dead, 1));
        // The only enemy stone, in a corner, is taken by two.
        assert_eq!([1, 2].map(|moves| reach.can_have_all(&field, 0, 1 << 8, moves)), [false, true]);
    }
}
