//! Functions of vectors: the exponential and the activations.

use super::simd::Simd;
use crate::nn::ActivationKind;

/// e^x within two units in the last place, for any x; below -87 it is about 1e-38, above 88 about 1e38. (Range reduction and polynomial as in
/// S. Moshier's Cephes library.)
#[inline(always)]
pub(super) fn exp<S: Simd>(s: S, x: S::V) -> S::V {
    let x = s.min(s.max(x, s.splat(-87.0)), s.splat(88.0));
    let n = s.round(s.mul(x, s.splat(std::f32::consts::LOG2_E)));
    // ln 2 in two parts, so that n ln 2 is exact enough.
    let r = s.mul_add(n, s.splat(-0.693_359_4), x);
    let r = s.mul_add(n, s.splat(2.121_944_4e-4), r);
    let coefficients = [1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_65, 0.5];
    let mut p = s.splat(1.987_569_1e-4);
    for coefficient in coefficients {
        p = s.mul_add(p, r, s.splat(coefficient));
    }
    let p = s.mul_add(s.mul(p, r), r, s.add(r, s.splat(1.0)));
    s.mul(p, s.exp2_whole(n))
}

/// The activation of each lane.
#[inline(always)]
pub(super) fn activate<S: Simd>(s: S, kind: ActivationKind, x: S::V) -> S::V {
    match kind {
        ActivationKind::Identity => x,
        ActivationKind::Relu => s.max(x, s.splat(0.0)),
        ActivationKind::Mish => {
            // tanh(ln(1 + e)) = ((1 + e)^2 - 1) / ((1 + e)^2 + 1) = n / (n + 2), n = e (e + 2)
            let e = exp(s, s.min(x, s.splat(20.0)));
            let n = s.mul(e, s.add(e, s.splat(2.0)));
            s.mul(x, s.div(n, s.add(n, s.splat(2.0))))
        }
        ActivationKind::Silu => silu(s, x),
    }
}

/// x / (1 + e^-x)
#[inline(always)]
pub(super) fn silu<S: Simd>(s: S, x: S::V) -> S::V {
    let e = exp(s, s.sub(s.splat(0.0), x));
    s.div(x, s.add(e, s.splat(1.0)))
}
