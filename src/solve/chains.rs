//! The chains of a position with their liberties. A solver tries every empty point of every position: with these at hand, what a stone does there is seen without a walk.

use arrayvec::ArrayVec;

use super::field::{Field, MOST_POINTS, Stones};

/// A chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain {
    /// Its stones.
    pub(super) stones: u64,
    /// The empty points next to it.
    pub(super) liberties: u64,
    /// Whether it reaches what keeps it from capture.
    pub(super) anchored: bool,
}

/// What a stone does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The stones after it.
    pub(super) stones: Stones,
    /// Enemy stones that were taken.
    pub(super) captured: u64,
    /// As in [`Played`](super::field::Played).
    pub(super) ko: u64,
    /// The chain that the new stone belongs to.
    pub(super) own: Chain,
}

/// All chains of a position.
pub(super) struct Chains {
    stones: Stones,
    of: [ArrayVec<Chain, MOST_POINTS>; 2],
}

impl Chains {
    /// Those of `stones`.
    pub(super) fn new(field: &Field, stones: Stones) -> Self {
        let of = [0, 1].map(|color| {
            let chain = |chain| Chain {
                stones: chain,
                liberties: field.liberties(chain, stones),
                anchored: field.is_anchored(chain, color),
            };
            field.chains(stones[color]).map(chain).collect()
        });
        Self { stones, of }
    }

    /// Those of a colour.
    pub(super) fn of(&self, color: usize) -> &[Chain] {
        &self.of[color]
    }

    /// `color` plays on the empty point of `bit`; nothing if that is suicide that the rules forbid. (Where they allow it, [`Field::play`] tells.)
    pub(super) fn play(&self, field: &Field, color: usize, bit: usize) -> Option<Step> {
        let (point, near) = (1_u64 << bit, field.near(bit));
        let captured = self.of[1 - color]
            .iter()
            .filter(|chain| chain.stones & near != 0 && chain.liberties == point && !chain.anchored)
            .fold(0, |captured, chain| captured | chain.stones);
        let mut stones = self.stones;
        stones[color] |= point;
        stones[1 - color] &= !captured;
        let empty = near & !(self.stones[0] | self.stones[1]);
        let mut own = Chain { stones: point, liberties: empty, anchored: field.is_anchored(point, color) };
        for chain in self.of[color].iter().filter(|chain| chain.stones & near != 0) {
            own.stones |= chain.stones;
            own.liberties |= chain.liberties;
            own.anchored |= chain.anchored;
        }
        own.liberties &= !point;
        if captured != 0 {
            own.liberties |= field.around(own.stones) & captured;
        }
        if own.liberties == 0 && !own.anchored {
            if !field.has_suicide() || own.stones == point {
                return None;
            }
            stones[color] &= !own.stones;
        }
        let alone = own.stones == point && !own.anchored;
        let ko = if alone && captured.is_power_of_two() && own.liberties == captured { captured } else { 0 };
        Some(Step { stones, captured, ko, own })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Point};
    use crate::util::Rng;

    #[test]
    fn a_step_does_what_a_move_on_the_field_does() {
        let board = Board::from_drawing(
            "
            . . X . . . .
            . O . . X . .
            . . O X . . X
            . . . . . O .
            . . . . . . .
            . . X O . . .
            . . . . . . .",
        )
        .unwrap();
        let points = board.size().points().filter(|&point: &Point| board.size().coord(point).y < 6).collect();
        let mut rng = Rng::new(1);
        for suicide in [false, true] {
            let (field, start) = Field::new(&board, &points, suicide).unwrap();
            let mut stones = start;
            let mut captures = 0;
            for turn in 0..4000 {
                // A full board is left.
                stones = if turn % 100 == 0 { start } else { stones };
                let (color, bit) = (turn % 2, rng.below(42));
                if (stones[0] | stones[1]) >> bit & 1 == 1 {
                    continue;
                }
                let played = field.play(stones, color, bit);
                let step = Chains::new(&field, stones).play(&field, color, bit);
                assert_eq!(step.map(|step| (step.stones, step.captured, step.ko)), played.map(|p| (p.stones, p.captured, p.ko)));
                if let Some(step) = step.filter(|step| step.stones[color] >> bit & 1 == 1) {
                    assert_eq!(step.own.liberties, field.liberties(step.own.stones, step.stones));
                }
                captures += played.map_or(0, |played| played.captured.count_ones());
                stones = played.map_or(stones, |played| played.stones);
            }
            assert!(captures > 100, "{captures}");
        }
    }
}
