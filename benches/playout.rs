//! Playouts a second from the empty board, one thread.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tengen::board::{Board, Color, Move, Size};
use tengen::playout::{Playout, PlayoutParams, PlayoutPolicy, Trace};
use tengen::util::Rng;

fn playouts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("playout");
    group.throughput(Throughput::Elements(1));
    for (name, policy) in [("uniform", PlayoutPolicy::Uniform), ("light", PlayoutPolicy::Light)] {
        for side in [9, 13, 19] {
            let board = Board::new(Size::square(side).expect("a size in range"));
            let mut playout = Playout::new(PlayoutParams { policy, ..PlayoutParams::default() });
            let (mut rng, mut trace) = (Rng::new(1), Trace::new());
            group.bench_function(format!("{name} {side}x{side}"), |bencher| {
                bencher.iter(|| playout.run(&board, Color::Black, [Move::PASS; 2], &mut rng, &mut trace));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, playouts);
criterion_main!(benches);
