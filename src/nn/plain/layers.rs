//! Single layers.

use ndarray::{Array, Array1, Array2, ArrayView1, ArrayView2, Axis, Dimension, concatenate, s};

use crate::board::Size;
use crate::nn::{Activation, ActivationKind, BatchNorm, Bias, Conv, MatMul, RmsNorm, Tip};

/// `[point][channel]`, points row by row from the top left of the tensor.
pub(super) type Activations = Array2<f32>;
/// A value a channel.
pub(super) type Vector = Array1<f32>;

/// What a matrix layer multiplies by, from the right.
pub(super) fn matrix(layer: &MatMul) -> ArrayView2<'_, f32> {
    ArrayView2::from_shape((layer.inputs, layer.outputs), &layer.weights).expect("weights fill their layer")
}

/// Numbers as a vector.
pub(super) fn vector(values: &[f32]) -> ArrayView1<'_, f32> {
    ArrayView1::from(values)
}

/// What a bias layer adds.
pub(super) fn bias(layer: &Bias) -> ArrayView1<'_, f32> {
    vector(&layer.values)
}

/// `x` after a nonlinearity.
pub(super) fn activated<D: Dimension>(x: Array<f32, D>, kind: ActivationKind) -> Array<f32, D> {
    match kind {
        ActivationKind::Identity => x,
        ActivationKind::Relu => x.mapv_into(|x| x.max(0.0)),
        // ln(1 + e^x) is x above 20, in float32, and e^x would overflow further up.
        ActivationKind::Mish => x.mapv_into(|x| x * (if x > 20.0 { x } else { x.exp().ln_1p() }).tanh()),
        ActivationKind::Silu => x.mapv_into(|x| x / (1.0 + (-x).exp())),
    }
}

/// The points of a tensor, some of which are on the board.
pub(super) struct Grid {
    width: usize,
    height: usize,
    on_board: Vec<bool>,
}

impl Grid {
    /// The grid of a tensor. The board is where plane 0 of `spatial` is 1.
    pub(super) fn new(tensor: Size, spatial: ArrayView2<'_, f32>) -> Self {
        let on_board = spatial.column(0).iter().map(|&mask| mask != 0.0).collect();
        Self { width: tensor.width(), height: tensor.height(), on_board }
    }

    /// Which points are on the board.
    pub(super) fn on_board(&self) -> &[bool] {
        &self.on_board
    }

    /// Column and row of each point.
    pub(super) fn coords(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    /// Points on the board.
    fn area(&self) -> f32 {
        self.on_board.iter().filter(|&&on_board| on_board).count() as f32
    }

    /// `x` with zeros off the board.
    pub(super) fn masked(&self, mut x: Activations) -> Activations {
        for (mut row, _) in x.rows_mut().into_iter().zip(&self.on_board).filter(|(_, on_board)| !**on_board) {
            row.fill(0.0);
        }
        x
    }

    /// Convolution with zeros around the tensor: each point's surroundings side by side, times the weights.
    pub(super) fn conv(&self, x: &Activations, conv: &Conv) -> Activations {
        let weights = ArrayView2::from_shape((conv.height * conv.width * conv.inputs, conv.outputs), &conv.weights)
            .expect("weights fill their layer");
        if (conv.height, conv.width) == (1, 1) {
            return x.dot(&weights);
        }
        let mut around = Activations::zeros((x.nrows(), weights.nrows()));
        for ((x0, y0), mut row) in self.coords().zip(around.rows_mut()) {
            for (tap, mut to) in row.exact_chunks_mut(conv.inputs).into_iter().enumerate() {
                let (x1, y1) = (x0 + tap % conv.width, y0 + tap / conv.width);
                // Of the upper left point of the kernel, these are more than the truth by half the kernel.
                let (x1, y1) = (x1.wrapping_sub(conv.width / 2), y1.wrapping_sub(conv.height / 2));
                if x1 < self.width && y1 < self.height {
                    to.assign(&x.row(y1 * self.width + x1));
                }
            }
        }
        around.dot(&weights)
    }

    /// Batch norm, then activation; zero off the board.
    pub(super) fn norm(&self, x: &Activations, norm: &BatchNorm, activation: &Activation) -> Activations {
        let (scale, bias) = norm.merged();
        self.masked(activated(x * &vector(&scale) + vector(&bias), activation.kind))
    }

    /// Each point divided by the root of its mean square; zero off the board.
    pub(super) fn rms_norm(&self, x: &Activations, norm: &RmsNorm) -> Activations {
        let size = x.map_axis(Axis(1), |x| (mean_square(x.iter()) + norm.epsilon).sqrt());
        self.masked(x * &vector(&norm.weight) / size.insert_axis(Axis(1)))
    }

    /// The norm and activation at the trunk's end.
    pub(super) fn tip(&self, x: &Activations, tip: &Tip, activation: &Activation) -> Activations {
        match tip {
            Tip::Batch(norm) => self.norm(x, norm, activation),
            Tip::Rms { norm, beta, spatial: false } => {
                self.masked(activated(self.rms_norm(x, norm) + vector(beta), activation.kind))
            }
            Tip::Rms { norm, beta, spatial: true } => {
                let x = self.masked(x.clone());
                // Zeros off the board add nothing to the mean.
                let size = (mean_square(x.iter()) * (x.nrows() as f32 / self.area()) + norm.epsilon).sqrt();
                self.masked(activated(x * vector(&norm.weight) / size + vector(beta), activation.kind))
            }
        }
    }

    /// What a channel is over the board: its mean, the mean scaled by the board's size, and its maximum. `x` is zero off the board.
    pub(super) fn pool(&self, x: &Activations) -> Vector {
        let mean = self.mean(x);
        // The maximum starts from -1, which is KataGo's and shows only where nothing bounds activations from below.
        let mut max = Vector::from_elem(x.ncols(), -1.0);
        for (row, _) in x.rows().into_iter().zip(&self.on_board).filter(|(_, on_board)| **on_board) {
            max.zip_mut_with(&row, |max, &x| *max = max.max(x));
        }
        concat(&[&mean, &(&mean * self.width_factor()), &max])
    }

    /// The value head's: the mean, and the mean scaled by the board's size and its square. `x` is zero off the board.
    pub(super) fn value_pool(&self, x: &Activations) -> Vector {
        let mean = self.mean(x);
        let factor = self.width_factor();
        concat(&[&mean, &(&mean * factor), &(&mean * (factor * factor - 0.1))])
    }

    fn mean(&self, x: &Activations) -> Vector {
        x.sum_axis(Axis(0)) / self.area()
    }

    /// How much wider the board is than 14 points, in tens.
    fn width_factor(&self) -> f32 {
        (self.area().sqrt() - 14.0) / 10.0
    }
}

fn mean_square<'a>(x: impl ExactSizeIterator<Item = &'a f32>) -> f32 {
    let count = x.len() as f32;
    x.map(|x| x * x).sum::<f32>() / count
}

fn concat(parts: &[&Vector]) -> Vector {
    let parts: Vec<_> = parts.iter().map(|part| part.slice(s![..])).collect();
    concatenate(Axis(0), &parts).expect("vectors have one axis")
}
