//! Heads that only training knows. What they ask of the trunk teaches it; they are left out of the network's file.

use tch::{Device, Kind, Tensor};

use super::batch::score_places;
use crate::board::Size;
use crate::util::Rng;

/// Channels that the side heads make of the trunk.
const WIDTH: usize = 24;
/// Length of what they make of the pooled.
const HIDDEN: usize = 48;
/// Length of the hidden layer that each place of the score's distribution has.
const PLACE: usize = 24;
/// Planes: the opponent's reply, scoring, two boards to come.
const PLANES: usize = 4;
/// Numbers of the whole board: the reply's pass, three averaged values of three, the scale of the distribution.
const NUMBERS: usize = 11;
/// Half the points at which a place's number is 1.
const PLACE_UNIT: f64 = 0.05;

/// What the side heads say of a batch of `n`.
#[derive(Debug)]
pub(super) struct SideHeads {
    /// Logits of the opponent's reply, `[n][points + 1]`.
    pub(super) reply: Tensor,
    /// What each point scores, `[n][points]`.
    pub(super) scoring: Tensor,
    /// The boards to come, before tanh, `[n][2][points]`.
    pub(super) future: Tensor,
    /// Logits of averaged win, loss and no result, `[n][3][3]`.
    pub(super) averages: Tensor,
    /// Logits of the score's places, `[n][places]`.
    pub(super) places: Tensor,
}

/// The side heads' weights.
#[derive(Debug)]
pub(super) struct Sides {
    arrays: Vec<(&'static str, Tensor)>,
}

impl Sides {
    /// With random weights, for a trunk of `channels`.
    pub(super) fn new(channels: usize, device: Device, rng: &mut Rng) -> Self {
        let mut arrays = Vec::new();
        let mut add = |name, inputs: usize, shape: &[usize], size: f32| {
            let most = size * (3.0 / inputs.max(1) as f32).sqrt();
            let numbers: Vec<f32> = (0..shape.iter().product()).map(|_| most * (2.0 * rng.unit() - 1.0)).collect();
            let shape: Vec<i64> = shape.iter().map(|&side| side as i64).collect();
            arrays.push((name, Tensor::from_slice(&numbers).view(shape.as_slice()).to_device(device)));
        };
        let gain = std::f32::consts::SQRT_2;
        add("side.conv", channels, &[WIDTH, channels, 1, 1], gain);
        add("side.bias", 1, &[WIDTH], 0.0);
        add("side.planes", WIDTH, &[PLANES, WIDTH, 1, 1], 0.1);
        add("side.pooled", 3 * WIDTH, &[3 * WIDTH, HIDDEN], gain);
        add("side.pooled_bias", 1, &[HIDDEN], 0.0);
        add("side.numbers", HIDDEN, &[HIDDEN, NUMBERS], 0.1);
        add("side.numbers_bias", 1, &[NUMBERS], 0.0);
        add("side.place_hidden", HIDDEN, &[HIDDEN, PLACE], gain);
        add("side.place_bias", 1, &[PLACE], 0.0);
        add("side.place_score", 1, &[PLACE], 0.5);
        add("side.place_parity", 1, &[PLACE], 0.1);
        add("side.place_logit", PLACE, &[PLACE, 1], 0.1);
        Self { arrays }
    }

    /// Names and weights. Matrices and kernels have more than one axis.
    pub(super) fn arrays(&self) -> impl Iterator<Item = (&'static str, &Tensor)> {
        self.arrays.iter().map(|(name, tensor)| (*name, tensor))
    }

    fn array(&self, name: &str) -> &Tensor {
        &self.arrays.iter().find(|(other, _)| *other == name).expect("names are those of `new`").1
    }

    /// What the heads say of a trunk, `[n][channel][y][x]`, which is all board.
    pub(super) fn forward(&self, trunk: &Tensor, board: Size) -> SideHeads {
        let features = trunk.conv2d(self.array("side.conv"), Some(self.array("side.bias")), 1, 0, 1, 1).relu();
        let planes = features.conv2d(self.array("side.planes"), None::<Tensor>, 1, 0, 1, 1).flatten(2, 3);
        let points = features.flatten(2, 3);
        let mean = points.mean_dim(-1, false, Kind::Float);
        let scaled = &mean * ((board.area() as f64).sqrt() - 14.0) / 10.0;
        let pooled = Tensor::cat(&[mean, scaled, points.amax(-1_i64, false)], 1);
        let hidden = (pooled.matmul(self.array("side.pooled")) + self.array("side.pooled_bias")).relu();
        let numbers = hidden.matmul(self.array("side.numbers")) + self.array("side.numbers_bias");
        SideHeads {
            reply: Tensor::cat(&[planes.select(1, 0), numbers.narrow(1, 0, 1)], 1),
            scoring: planes.select(1, 1),
            future: planes.narrow(1, 2, 2),
            averages: numbers.narrow(1, 1, 9).unflatten(1, [3, 3]),
            places: self.places(&hidden, &numbers.narrow(1, 10, 1), score_places(board)),
        }
    }

    /// A small network of its own for each place, told how far it is from an even game and whether its score is one the board's parity favours.
    fn places(&self, hidden: &Tensor, scale: &Tensor, count: usize) -> Tensor {
        let place = Tensor::arange(count as i64, (Kind::Float, hidden.device()));
        let score = ((&place - count as f64 / 2.0 + 0.5) * PLACE_UNIT).unsqueeze(-1) * self.array("side.place_score");
        let parity = (place.remainder(2.0) - 0.5).unsqueeze(-1) * self.array("side.place_parity");
        let row = hidden.matmul(self.array("side.place_hidden")) + self.array("side.place_bias");
        let each = (row.unsqueeze(1) + (score + parity).unsqueeze(0)).relu();
        each.matmul(self.array("side.place_logit")).squeeze_dim(-1) * scale.softplus()
    }
}
