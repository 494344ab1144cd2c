//! A chain's liberties in one word.

/// The multiset of a chain's pseudo-liberties: every empty point next to it, once for each of its stones that touches the point.
/// Packed are their count, the sum of their grid indices and the sum of the indices' squares, so that a liberty comes or goes by one
/// addition, and so that atari (all members equal) shows without a walk: by Cauchy and Schwarz count * squares = sum^2 only then.
///
/// On the largest board a chain has at most 834 pseudo-liberties (k stones have at most 2k + 2, and at most four an empty point), so the
/// count fits 10 bits, the sum of indices below 703 fits 20 and that of squares 29.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Liberties(u64);

const SUM: u32 = 10;
const SQUARES: u32 = 30;

impl Liberties {
    /// The liberty at grid index `index`, once.
    #[inline]
    pub(super) fn one(index: usize) -> Self {
        let index = index as u64;
        Self(1 | index << SUM | (index * index) << SQUARES)
    }

    /// Adds the members of `other`. (Wrapping: border points hold numbers without meaning.)
    #[inline]
    pub(super) fn add(&mut self, other: Self) {
        self.0 = self.0.wrapping_add(other.0);
    }

    /// Takes the members of `other` away.
    #[inline]
    pub(super) fn remove(&mut self, other: Self) {
        self.0 = self.0.wrapping_sub(other.0);
    }

    /// How many, each counted once for every stone that touches it.
    #[inline]
    pub(super) fn pseudo(self) -> usize {
        (self.0 & ((1 << SUM) - 1)) as usize
    }

    /// True if there is none.
    #[inline]
    pub(super) fn is_none(self) -> bool {
        self.0 == 0
    }

    /// True if all are one point.
    #[inline]
    #[expect(clippy::needless_bitwise_bool, reason = "either test alone goes both ways too often to be guessed")]
    pub(super) fn is_single(self) -> bool {
        let count = self.0 & ((1 << SUM) - 1);
        let sum = (self.0 >> SUM) & ((1 << (SQUARES - SUM)) - 1);
        (count != 0) & (count * (self.0 >> SQUARES) == sum * sum)
    }

    /// True if all are the point at `index`: a quicker [`Liberties::is_single`] where this point is known to be among them.
    #[inline]
    pub(super) fn is_only(self, index: usize) -> bool {
        let count = self.0 & ((1 << SUM) - 1);
        self.0 == count * Self::one(index).0
    }

    /// True if at least two different points are among them.
    #[inline]
    pub(super) fn is_two_or_more(self) -> bool {
        !self.is_none() && !self.is_single()
    }

    /// The grid index of the only liberty. Without meaning unless [`Liberties::is_single`].
    #[inline]
    pub(super) fn single(self) -> usize {
        let sum = (self.0 >> SUM) as u32 & ((1 << (SQUARES - SUM)) - 1);
        let count = self.0 as u32 & ((1 << SUM) - 1);
        if count == 1 { sum as usize } else { (sum / count) as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::Liberties;

    #[test]
    fn one_point_any_number_of_times_is_single() {
        let mut liberties = Liberties::default();
        for times in 1..=834 {
            liberties.add(Liberties::one(702));
            assert!(liberties.is_single() && liberties.pseudo() == times && liberties.single() == 702);
            assert!(liberties.is_only(702) && !liberties.is_only(701));
        }
        liberties.add(Liberties::one(1));
        assert!(!liberties.is_single());
        liberties.remove(Liberties::one(1));
        assert!(liberties.is_single() && !liberties.is_none());
    }
}
