//! Names of positions for clients that look them up again.

use sha2::{Digest, Sha256};

use crate::board::{Color, Symmetry};
use crate::rules::Position;

/// A text that is the same only for the same stones, player to move and ko point; and one that is also the same for turned and mirrored
/// boards. 32 hexadecimal digits each.
pub(super) fn hashes(position: &Position) -> (String, String) {
    let all = Symmetry::ALL.map(|symmetry| hash(position, symmetry));
    let [this, ..] = &all;
    (this.clone(), all.iter().min().unwrap_or(this).clone())
}

fn hash(position: &Position, symmetry: Symmetry) -> String {
    let (size, board) = (position.size(), position.board());
    let turned = symmetry.size(size);
    let mut cells = vec![0u8; turned.area()];
    for point in size.points() {
        let coord = symmetry.turn(size, size.coord(point));
        cells[coord.y as usize * turned.width() + coord.x as usize] = match board.stone(point) {
            Some(Color::Black) => 1,
            Some(Color::White) => 2,
            None if board.ko() == Some(point) => 3,
            None => 0,
        };
    }
    let head = [turned.width() as u8, turned.height() as u8, position.to_move().index() as u8];
    let digest = Sha256::new().chain_update(head).chain_update(&cells).finalize();
    let half = digest.first_chunk().expect("a digest has 32 bytes");
    format!("{:032X}", u128::from_be_bytes(*half))
}

#[cfg(test)]
mod tests {
    use super::hashes;
    use crate::board::Size;
    use crate::engine::mirror::tests::after;

    #[test]
    fn turned_boards_share_one_of_the_two() {
        let size = Size::new(5, 4).unwrap();
        let [a, mirrored, other] = [&["A1", "B3"], &["E1", "D3"], &["A1", "B2"]].map(|moves| hashes(&after(size, moves)));
        assert_eq!(a.0.len(), 32);
        assert_ne!(a.0, mirrored.0);
        assert_eq!(a.1, mirrored.1);
        assert_ne!(a.1, other.1);
        assert_ne!(a.0, hashes(&after(size, &["A1", "B3", "pass"])).0, "the other player's turn");
        assert_eq!(a, hashes(&after(size, &["pass", "B3", "A1", "pass"])), "the way there does not matter");
    }
}
