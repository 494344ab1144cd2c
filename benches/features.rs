//! Time to make a network's inputs from a position, with what the encoder remembers of a search and without.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use tengen::board::Size;
use tengen::nn::{FeatureOptions, Features, Inputs, Symmetry};
use tengen::rules::{Position, Rules};
use tengen::sgf::{self, Record};

fn middle_game(rules: &str) -> Position {
    let games = sgf::parse(include_bytes!("../sgf/even-19x19.sgf")).expect("a fixture can be read");
    let game = Record::from_tree(&games.games[0]).expect("a fixture can be read");
    game.replay_moves(Rules::parse(rules).expect("a known name"), game.moves().count() / 2).expect("legal moves")
}

fn encode(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("features");
    for rules in ["chinese", "tromp-taylor", "japanese"] {
        let position = middle_game(rules);
        let (tensor, options) = (Size::STANDARD, FeatureOptions::default());
        let mut out = Inputs::new(tensor);
        group.bench_function(format!("{rules}, first sight"), |bencher| {
            let encode = |mut features: Features| features.encode(&position, &options, tensor, Symmetry::IDENTITY, &mut out);
            bencher.iter_batched(Features::new, encode, BatchSize::SmallInput);
        });
        let mut features = Features::new();
        group.bench_function(format!("{rules}, remembered"), |bencher| {
            bencher.iter(|| features.encode(&position, &options, tensor, Symmetry::IDENTITY, &mut out));
        });
    }
    group.finish();
}

criterion_group!(benches, encode);
criterion_main!(benches);
