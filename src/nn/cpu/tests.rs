//! Kernels against the simplest way to compute the same.

use super::buffer::{Buffer, padded};
use super::conv::{Convolution, Work};
use super::finish::{Finish, Stream};
use super::layout::Layout;
use super::math::{activate, exp};
use super::product::{Columns, Order, Packed, Product};
use super::simd::{Kernel, Level, Simd};
use crate::board::Size;
use crate::nn::{ActivationKind, Conv};
use crate::util::Rng;

fn random(rng: &mut Rng, length: usize) -> Vec<f32> {
    (0..length).map(|_| 2.0 * rng.unit() - 1.0).collect()
}

#[test]
fn products_of_all_shapes() {
    let mut rng = Rng::new(1);
    for level in Level::available() {
        for (rows, inputs, outputs) in [(1, 1, 1), (2, 5, 16), (7, 3, 20), (9, 19, 33), (25, 96, 96), (26, 22, 48), (40, 7, 65)] {
            let (a, b) = (random(&mut rng, rows * inputs), random(&mut rng, inputs * outputs));
            let packed = Packed::new(level, inputs, outputs, |input, output| b[input * outputs + output]);
            let stride = padded(outputs);
            let mut lines = Buffer::zeros(inputs * stride);
            for (line, row) in lines.chunks_exact_mut(stride).zip(b.chunks_exact(outputs)) {
                line[..outputs].copy_from_slice(row);
            }
            let by_rows = Columns { floats: &lines, inputs, outputs: stride, order: Order::Rows(stride) };
            for columns in [packed.columns(), by_rows] {
                let mut c = vec![9.0; rows * stride];
                level.run(Product { rows, a: &a, a_stride: inputs, b: columns, c: &mut c, c_stride: stride });
                for row in 0..rows {
                    for output in 0..outputs {
                        let exact: f64 =
                            (0..inputs).map(|i| f64::from(a[row * inputs + i]) * f64::from(b[i * outputs + output])).sum();
                        let found = f64::from(c[row * stride + output]);
                        assert!((found - exact).abs() < 1e-5, "{level:?} {rows}x{inputs}x{outputs}: {found}, not {exact}");
                    }
                }
            }
        }
    }
}

/// What a convolution puts out for a batch of boards, `[row][channel]`.
fn convolve(level: Level, conv: &Conv, layout: &Layout, input: &[f32]) -> Vec<f32> {
    let convolution = Convolution::new(level, conv);
    let channels = convolution.outputs();
    let mut out = vec![0.0; layout.rows() * channels];
    let mut finish = Finish { channels, shift: None, stream: Stream::Set(&mut out), norm: None };
    convolution.run(level, layout, input, &mut Work::default(), &mut finish);
    out
}

#[test]
fn convolutions_of_boards_of_all_sizes_side_by_side() {
    let mut rng = Rng::new(2);
    let sizes = [(2, 2), (3, 7), (9, 9), (13, 13), (19, 19), (5, 25), (4, 1 + 4)];
    let boards: Vec<Size> = sizes.iter().map(|&(width, height)| Size::new(width, height).unwrap()).collect();
    let mut layout = Layout::default();
    layout.set(boards.iter().copied());
    for level in Level::available() {
        for (height, width, inputs, outputs) in [(1, 1, 20, 3), (3, 3, 22, 40), (5, 5, 3, 17), (3, 1, 4, 4)] {
            let weights = random(&mut rng, height * width * inputs * outputs);
            let conv = Conv { name: "conv".into(), height, width, inputs, outputs, weights };
            let channels = padded(inputs);
            let mut input = vec![0.0; layout.rows() * channels];
            for row in input.chunks_exact_mut(channels).skip(1) {
                row[..inputs].copy_from_slice(&random(&mut rng, inputs));
            }
            let found = convolve(level, &conv, &layout, &input);
            for place in &layout.places {
                for row in place.rows() {
                    let (x, y) = ((row - place.first) % place.width, (row - place.first) / place.width);
                    for output in 0..outputs {
                        let mut exact = 0.0;
                        for (down, across) in (0..height).flat_map(|down| (0..width).map(move |across| (down, across))) {
                            let (x, y) =
                                ((x + across) as isize - (width / 2) as isize, (y + down) as isize - (height / 2) as isize);
                            for channel in 0..inputs {
                                let weight = conv.weights[((down * width + across) * inputs + channel) * outputs + output];
                                exact += f64::from(input[place.row(x, y) * channels + channel]) * f64::from(weight);
                            }
                        }
                        let found = f64::from(found[row * padded(outputs) + output]);
                        assert!((found - exact).abs() < 2e-4, "{level:?} {height}x{width} at {x},{y}: {found}, not {exact}");
                    }
                }
            }
        }
    }
}

#[test]
fn functions_of_vectors() {
    struct Each<'a>(&'a mut dyn FnMut(f32, [f32; 4]));
    impl Kernel for Each<'_> {
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let first = |v: S::V| {
                let mut out = [0.0; 16];
                s.write(&mut out, v);
                out[0]
            };
            for step in -4_000..4_000 {
                let x = step as f32 * 0.02;
                let v = s.splat(x);
                let kinds = [ActivationKind::Mish, ActivationKind::Silu, ActivationKind::Relu];
                let [mish, silu, relu] = kinds.map(|kind| first(activate(s, kind, v)));
                (self.0)(x, [first(exp(s, v)), mish, silu, relu]);
            }
        }
    }
    for level in Level::available() {
        level.run(Each(&mut |x, [exp, mish, silu, relu]| {
            let exact = f64::from(x);
            let near = |found: f32, exact: f64| (f64::from(found) - exact).abs() <= 3e-7 * exact.abs() + 1e-7;
            assert!(near(exp, exact.exp()), "e^{x} is {exp}");
            assert!(near(mish, exact * exact.exp().ln_1p().tanh()), "mish({x}) is {mish}");
            assert!(near(silu, exact / (1.0 + (-exact).exp())), "silu({x}) is {silu}");
            assert_eq!(relu, x.max(0.0));
        }));
    }
}
