//! Arrays that the compiler turns into whatever vectors the target always has.

use super::Simd;

/// Plain arrays.
#[derive(Clone, Copy)]
pub(super) struct Portable;

const LANES: usize = 8;

/// A vector.
#[derive(Clone, Copy)]
pub(super) struct Array([f32; LANES]);

impl Array {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }
}

impl Simd for Portable {
    type V = Array;
    const LANES: usize = LANES;
    const ROWS: usize = if cfg!(target_arch = "aarch64") { 6 } else { 3 };

    #[inline(always)]
    fn splat(self, x: f32) -> Array {
        Array([x; LANES])
    }

    // SAFETY: what the pointer leads to is the caller's care, see the trait.
    #[inline(always)]
    unsafe fn load(self, from: *const f32) -> Array {
        // SAFETY: the caller vouches for LANES floats; the type has no alignment of its own.
        Array(unsafe { from.cast::<[f32; LANES]>().read_unaligned() })
    }

    // SAFETY: what the pointer leads to is the caller's care, see the trait.
    #[inline(always)]
    unsafe fn store(self, to: *mut f32, v: Array) {
        // SAFETY: as for `load`.
        unsafe { to.cast::<[f32; LANES]>().write_unaligned(v.0) }
    }

    #[inline(always)]
    fn add(self, a: Array, b: Array) -> Array {
        a.zip(b, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, a: Array, b: Array) -> Array {
        a.zip(b, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, a: Array, b: Array) -> Array {
        a.zip(b, |a, b| a * b)
    }

    #[inline(always)]
    fn div(self, a: Array, b: Array) -> Array {
        a.zip(b, |a, b| a / b)
    }

    #[inline(always)]
    fn max(self, a: Array, b: Array) -> Array {
        a.zip(b, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn min(self, a: Array, b: Array) -> Array {
        a.zip(b, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn mul_add(self, a: Array, b: Array, c: Array) -> Array {
        // Without the instruction a fused one is a slow call to the system's library.
        if cfg!(any(target_arch = "aarch64", target_feature = "fma")) {
            Array(std::array::from_fn(|lane| a.0[lane].mul_add(b.0[lane], c.0[lane])))
        } else {
            Array(std::array::from_fn(|lane| a.0[lane] * b.0[lane] + c.0[lane]))
        }
    }

    #[inline(always)]
    fn round(self, a: Array) -> Array {
        // Adding 1.5 * 2^23 leaves no room for a fraction; for numbers below 2^22, which is enough for exponents.
        const SHIFT: f32 = 12_582_912.0;
        Array(a.0.map(|x| (x + SHIFT) - SHIFT))
    }

    #[inline(always)]
    fn exp2_whole(self, a: Array) -> Array {
        Array(a.0.map(|x| f32::from_bits(((x as i32 + 127) as u32) << 23)))
    }

    #[inline(always)]
    fn sum(self, a: Array) -> f32 {
        a.0.iter().sum()
    }

    #[inline(always)]
    fn largest(self, a: Array) -> f32 {
        a.0.iter().copied().fold(f32::NEG_INFINITY, f32::max)
    }
}
