//! What networks say of positions, against what KataGo says with the same networks (shared reference material).

mod common;

use std::collections::BTreeMap;
use std::sync::Arc;

use common::setup::{Golden, golden};
use serde_json::Value;
use tengen::board::{Color, Size};
#[cfg(feature = "torch")]
use tengen::nn::torch::Torch;
use tengen::nn::{Backend, Decoder, FeatureOptions, Features, Inputs, Network, Outputs, PolicyOptions, RawOutputs, Symmetry};
#[cfg(not(feature = "torch"))]
use tengen::nn::{Cpu, Level, Plain};
#[cfg(feature = "torch")]
use tengen::params::Device;
use tengen::rules::Position;

/// How far a backend may be off, from float32's rounding and the printed decimals.
#[derive(Clone, Copy)]
struct Tolerance {
    /// Of each move.
    policy: f32,
    /// Of a win, a loss, no result.
    win: f32,
    /// Of each point.
    ownership: f32,
    /// Lead and mean score, in points.
    lead: f32,
    /// Of the mean of the score's square, as a share of it, beside what was rounded off.
    score_square: f32,
    /// Of the variance of the time left, in turns.
    time_left: f32,
    /// Of the short-term error of the win rate.
    value_error: f32,
    /// Of the short-term error of the score, in points.
    score_error: f32,
}

/// What the printed decimals leave out of figures in points.
const PRINTED: f32 = 0.0005;

/// Plain kernels reproduce KataGo's to the last decimals it prints.
#[cfg(not(feature = "torch"))]
const PLAIN: Tolerance = Tolerance {
    policy: 3e-5,
    win: 3e-5,
    ownership: 1e-4,
    lead: 0.003,
    score_square: 3e-5,
    time_left: 0.003,
    value_error: 0.0006,
    score_error: 0.003,
};

/// A backend to be held against KataGo.
struct Candidate {
    name: String,
    new: Box<dyn Fn(Arc<Network>) -> Box<dyn Backend>>,
    tolerance: Tolerance,
}

/// Winograd's convolutions round differently.
const FAST: Tolerance = Tolerance {
    policy: 5e-4,
    win: 5e-4,
    ownership: 1e-3,
    lead: 0.02,
    score_square: 0.002,
    time_left: 0.05,
    value_error: 0.0006,
    score_error: 0.02,
};

/// The plain backend, and the fast one with each of the machine's instruction sets; for large networks, with the best.
#[cfg(not(feature = "torch"))]
fn candidates(large: bool) -> Vec<Candidate> {
    let plain = Candidate { name: "plain".into(), new: Box::new(|network| Box::new(Plain::new(network))), tolerance: PLAIN };
    let levels = if large { vec![Level::best()] } else { Level::available() };
    let fast = levels.into_iter().map(|level| Candidate {
        name: format!("{level:?}"),
        new: Box::new(move |network| Box::new(Cpu::with_level(&network, level))),
        tolerance: FAST,
    });
    std::iter::once(plain).chain(fast).collect()
}

/// Libtorch alone, as the others are tested without it: on the CPU, or on the GPU if the environment's TENGEN_DEVICE is `cuda`.
#[cfg(feature = "torch")]
fn candidates(_large: bool) -> Vec<Candidate> {
    let on_gpu = std::env::var("TENGEN_DEVICE").is_ok_and(|device| device == "cuda");
    let (device, tolerance) = if on_gpu { (Device::Cuda(0), HALF) } else { (Device::Cpu, FAST) };
    // One position at a time leaves nothing to several threads, which would wait for each other.
    tch::set_num_threads(1);
    let new = move |network: Arc<Network>| -> Box<dyn Backend> { Box::new(Torch::new(&network, device).unwrap()) };
    vec![Candidate { name: format!("libtorch on {device}"), new: Box::new(new), tolerance }]
}

/// Of half precision, whose numbers have eleven bits.
#[cfg(feature = "torch")]
const HALF: Tolerance = Tolerance {
    policy: 0.02,
    win: 0.02,
    ownership: 0.04,
    lead: 0.5,
    score_square: 0.05,
    time_left: 2.0,
    value_error: 0.02,
    score_error: 0.5,
};

/// The tensor in which a board is shown to a network.
#[derive(Clone, Copy)]
enum Tensor {
    /// Of the board's own size.
    Tight,
    /// As wide as high, so that boards of every shape can be turned in it.
    Square,
    /// 19x19.
    Standard,
}

impl Tensor {
    fn size(self, board: Size) -> Size {
        match self {
            Self::Tight => board,
            Self::Square => Size::square(board.width().max(board.height())).unwrap(),
            Self::Standard => Size::STANDARD,
        }
    }
}

/// Compares all positions of a file in tensors of their own size, and those on smaller boards in one of 19x19.
fn upright(file: &str) {
    compare(file, Tensor::Tight, &[Symmetry::IDENTITY]);
    compare(file, Tensor::Standard, &[Symmetry::IDENTITY]);
}

/// Asks every candidate about every position of the file, with the network of the same name (`extra-` aside), and compares.
fn compare(file: &str, tensor: Tensor, symmetries: &[Symmetry]) {
    let Some(answers) = common::shared(&format!("golden/nn/{file}.jsonl")) else { return };
    let Some(network) = common::network_file(file.trim_start_matches("extra-")) else { return };
    let network = Arc::new(Network::read(&network).unwrap());
    let large = network.trunk.channels >= 192;
    for candidate in candidates(large) {
        let mut asked = Asked::new(&network, &candidate);
        let mut findings = Findings::new(candidate.tolerance);
        for &symmetry in symmetries {
            for Golden { name, answer, position } in golden(&answers, symmetry) {
                let position = position.unwrap_or_else(|error| panic!("{name}: {error}"));
                if matches!(tensor, Tensor::Standard) && position.size() == Size::STANDARD {
                    continue;
                }
                // Turned back, it is what KataGo was shown, whichever way the position was turned.
                let mut outputs = asked.ask(&position, tensor.size(position.size()), symmetry.inverse());
                let board = symmetry.inverse().size(position.size());
                turn_back(&mut outputs, board, symmetry);
                findings.compare(&format!("{name} turned by {}", symmetry.bits()), &outputs, &answer);
            }
        }
        println!("{} of {file}: {}", candidate.name, findings.summary());
        assert!(findings.answers > 0 && findings.wrong.is_empty(), "{}: {}", candidate.name, findings.wrong.join("\n"));
    }
}

/// Brings policy and ownership of a turned board into the order of the board that was turned.
fn turn_back(outputs: &mut Outputs, board: Size, symmetry: Symmetry) {
    let places: Vec<usize> = symmetry.places(board, symmetry.size(board).width()).collect();
    for values in [&mut outputs.policy, &mut outputs.ownership] {
        *values = places.iter().map(|&place| values[place]).collect();
    }
}

/// A network with all it takes to ask it.
struct Asked {
    backend: Box<dyn Backend>,
    features: Features,
    options: FeatureOptions,
    decoder: Decoder,
}

impl Asked {
    fn new(network: &Arc<Network>, candidate: &Candidate) -> Self {
        Self {
            backend: (candidate.new)(network.clone()),
            features: Features::new(),
            options: FeatureOptions { prefer_pass_alive: network.prefer_pass_alive, ..FeatureOptions::default() },
            decoder: Decoder::new(network),
        }
    }

    /// What the network says of the position, to White.
    fn ask(&mut self, position: &Position, tensor: Size, symmetry: Symmetry) -> Outputs {
        let mut inputs = Inputs::new(tensor);
        self.features.encode(position, &self.options, tensor, symmetry, &mut inputs);
        let mut raw = [RawOutputs::default()];
        self.backend.evaluate(&[&inputs], &mut raw);
        let outputs = self.decoder.decode(&raw[0], position, tensor, symmetry, &PolicyOptions::default());
        outputs.seen_by(Color::White, position.to_move())
    }
}

/// What came of comparing.
struct Findings {
    tolerance: Tolerance,
    answers: usize,
    /// The largest difference of each kind, by name.
    largest: BTreeMap<&'static str, f32>,
    wrong: Vec<String>,
}

impl Findings {
    fn new(tolerance: Tolerance) -> Self {
        Self { tolerance, answers: 0, largest: BTreeMap::new(), wrong: Vec::new() }
    }

    fn compare(&mut self, name: &str, found: &Outputs, answer: &Value) {
        self.answers += 1;
        let Tolerance { policy, win, ownership, lead, score_square, time_left, value_error, score_error } = self.tolerance;
        let number = |key: &str| answer[key].as_f64().unwrap() as f32;
        // KataGo has NaN, which JSON has not, where a move is illegal, and -1 for what a network does not tell.
        let numbers = |key: &str, illegal| -> Vec<f32> {
            answer[key].as_array().unwrap().iter().map(|value| value.as_f64().map_or(illegal, |value| value as f32)).collect()
        };
        let square = number("whiteScoreSelfplaySq");
        let mut check = |kind, found: &[f32], expected: &[f32], tolerance| self.check(name, kind, found, expected, tolerance);
        check("policy", &found.policy, &numbers("policy", Outputs::ILLEGAL), policy);
        check("pass", &[found.pass], &[number("policyPass")], policy);
        check("win", &[found.win, found.loss, found.no_result], &["whiteWin", "whiteLoss", "noResult"].map(number), win);
        check("ownership", &found.ownership, &numbers("whiteOwnership", 0.0), ownership);
        check("lead", &[found.lead], &[number("whiteLead")], lead);
        check("score", &[found.score_mean], &[number("whiteScoreSelfplay")], lead);
        check("score square", &[found.score_square()], &[square], score_square * square + PRINTED);
        check("time left", &[found.time_left_variance.unwrap_or(-1.0)], &[number("varTimeLeft")], time_left);
        check("value error", &[found.shortterm_value_error.unwrap_or(-1.0)], &[number("shorttermWinlossError")], value_error);
        check("score error", &[found.shortterm_score_error.unwrap_or(-1.0)], &[number("shorttermScoreError")], score_error);
    }

    fn check(&mut self, name: &str, kind: &'static str, found: &[f32], expected: &[f32], tolerance: f32) {
        assert_eq!(found.len(), expected.len(), "{name}: {kind}");
        let (at, off) =
            found.iter().zip(expected).map(|(a, b)| (a - b).abs()).enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        let largest = self.largest.entry(kind).or_default();
        *largest = largest.max(off);
        if off > tolerance || off.is_nan() {
            self.wrong.push(format!("{name}: {kind} {at} is {}, to KataGo {}", found[at], expected[at]));
        }
    }

    /// How large differences were.
    fn summary(&self) -> String {
        let largest: Vec<String> = self.largest.iter().map(|(kind, off)| format!("{kind} {off:.1e}")).collect();
        format!("{} answers; largest differences: {}", self.answers, largest.join(", "))
    }
}

/// Random networks of every version, which have all kinds of blocks.
#[test]
fn tiny_networks() {
    for version in 8..=17 {
        upright(&format!("tiny-v{version}"));
    }
}

#[test]
fn tiny_networks_with_turned_boards() {
    for version in 8..=17 {
        compare(&format!("tiny-v{version}"), Tensor::Standard, &Symmetry::ALL);
    }
}

#[test]
fn small_network() {
    upright("g170-b6c96");
}

#[test]
fn small_network_under_all_rules() {
    upright("extra-g170-b6c96");
}

#[test]
fn small_network_with_turned_boards() {
    compare("extra-g170-b6c96", Tensor::Square, &Symmetry::ALL);
}

#[test]
fn small_transformer() {
    upright("b7c96h3tfrs");
}

#[test]
fn small_transformer_under_all_rules() {
    upright("extra-b7c96h3tfrs");
}

#[test]
fn small_transformer_with_turned_boards() {
    compare("extra-b7c96h3tfrs", Tensor::Square, &Symmetry::ALL);
}

#[test]
fn large_network() {
    upright("g170e-b15c192");
}

#[test]
fn large_network_of_nested_blocks() {
    upright("kata1-b18c384nbt");
}

#[test]
fn large_transformer() {
    upright("b10c384h6nbttflrs");
}
