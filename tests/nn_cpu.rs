//! The fast backend against the plain one, on random networks of all kinds and batches of boards of different sizes.

use std::sync::Arc;

use tengen::board::Size;
use tengen::nn::{Backend, BlockKind, Cpu, Inputs, Level, META_INPUTS, Network, PLANES, Plain, RawOutputs};
use tengen::util::Rng;

/// Random inputs for a board in a tensor.
fn inputs(board: Size, tensor: Size, rng: &mut Rng) -> Inputs {
    let mut inputs = Inputs::new(tensor);
    inputs.board = board;
    for y in 0..board.height() {
        for x in 0..board.width() {
            let planes = &mut inputs.spatial[(y * tensor.width() + x) * PLANES..][..PLANES];
            planes.fill_with(|| f32::from(rng.unit() < 0.2));
            planes[0] = 1.0;
        }
    }
    inputs.global.fill_with(|| rng.unit());
    let mut meta = Box::new([0.0; META_INPUTS]);
    meta.fill_with(|| rng.unit());
    inputs.meta = Some(meta);
    inputs
}

fn all_values(outputs: &RawOutputs, board: Size, tensor: Size) -> Vec<f32> {
    let mut values = [&outputs.value[..], &outputs.score, &outputs.pass].concat();
    for plane in outputs.policy.chunks_exact(tensor.area()).chain([&outputs.ownership[..]]) {
        values.extend(plane.chunks_exact(tensor.width()).take(board.height()).flat_map(|row| &row[..board.width()]));
    }
    values
}

#[test]
fn agrees_with_the_plain_backend_in_batches_of_boards_of_all_sizes() {
    let mut rng = Rng::new(3);
    let size = |width, height| Size::new(width, height).unwrap();
    for version in 8..=17 {
        let network = Arc::new(Network::random(version, 20 + 4 * version as usize, &BlockKind::all(), &mut rng));
        let shapes =
            [(size(9, 9), size(19, 19)), (size(13, 13), size(13, 13)), (size(2, 7), size(7, 7)), (size(19, 19), size(19, 19))];
        let batch: Vec<Inputs> = shapes.iter().map(|&(board, tensor)| inputs(board, tensor, &mut rng)).collect();
        let mut plain = vec![RawOutputs::default(); batch.len()];
        for (inputs, output) in batch.iter().zip(&mut plain) {
            Plain::new(network.clone()).evaluate(&[inputs], std::slice::from_mut(output));
        }
        for level in Level::available() {
            let mut cpu = Cpu::with_level(&network, level);
            // The second batch finds the first one's leavings in the scratch memory.
            for order in [[0, 1, 2, 3], [3, 2, 0, 1]] {
                let mut outputs = vec![RawOutputs::default(); batch.len()];
                cpu.evaluate(&order.map(|i| &batch[i]), &mut outputs);
                for (output, i) in outputs.iter().zip(order) {
                    let (board, tensor) = shapes[i];
                    let (found, expected) = (all_values(output, board, tensor), all_values(&plain[i], board, tensor));
                    let largest = expected.iter().fold(1.0_f32, |most, value| most.max(value.abs()));
                    for (found, expected) in found.iter().zip(&expected) {
                        let off = (found - expected).abs();
                        assert!(off < 1e-4 * largest, "{level:?}, version {version}, {board:?}: {found}, not {expected}");
                    }
                }
            }
        }
    }
}
