//! AVX2 and AVX-512.

#[allow(clippy::wildcard_imports, reason = "forty intrinsics, whose names cannot be mistaken")]
use std::arch::x86_64::*;

use super::{Kernel, Simd};

/// AVX2 and fused multiply-add. Made only by [`Avx2::detect`].
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

/// AVX-512 (foundation and doubleword parts). Made only by [`Avx512::detect`].
#[derive(Clone, Copy)]
pub(super) struct Avx512(());

impl Avx2 {
    /// The instruction set, if this machine has it.
    #[inline]
    pub(super) fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Self(()))
    }

    /// Runs `kernel` compiled for it.
    #[inline]
    pub(super) fn call(self, kernel: impl Kernel) {
        #[target_feature(enable = "avx2,fma")]
        fn run(simd: Avx2, kernel: impl Kernel) {
            kernel.run(simd);
        }
        // SAFETY: a value of the type exists only where the machine has the instructions.
        unsafe { run(self, kernel) }
    }
}

impl Avx512 {
    /// The instruction set, if this machine has it.
    #[inline]
    pub(super) fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq")).then_some(Self(()))
    }

    /// Runs `kernel` compiled for it.
    #[inline]
    pub(super) fn call(self, kernel: impl Kernel) {
        #[target_feature(enable = "avx512f,avx512dq")]
        fn run(simd: Avx512, kernel: impl Kernel) {
            kernel.run(simd);
        }
        // SAFETY: a value of the type exists only where the machine has the instructions.
        unsafe { run(self, kernel) }
    }
}

/// The operations of one instruction set, by their intrinsics.
macro_rules! operations {
    ($name:ident, $vector:ty, $lanes:literal, $rows:literal, $splat:ident, $load:ident, $store:ident, $add:ident, $sub:ident, $mul:ident,
     $div:ident, $max:ident, $min:ident, $fma:ident, |$round_in:ident| $round:expr, |$exp_in:ident| $exp:expr,
     |$sum_in:ident| $sum:expr, |$largest_in:ident| $largest:expr) => {
        // SAFETY (of all blocks below): a value of the type exists only where the machine has the instructions; what pointers
        // must point to is said at the trait.
        impl Simd for $name {
            type V = $vector;
            const LANES: usize = $lanes;
            const ROWS: usize = $rows;

            #[inline(always)]
            fn splat(self, x: f32) -> $vector {
                // SAFETY: see above.
                unsafe { $splat(x) }
            }

            // SAFETY: what the pointer leads to is the caller's care, see the trait.
            #[inline(always)]
            unsafe fn load(self, from: *const f32) -> $vector {
                // SAFETY: see above.
                unsafe { $load(from) }
            }

            // SAFETY: what the pointer leads to is the caller's care, see the trait.
            #[inline(always)]
            unsafe fn store(self, to: *mut f32, v: $vector) {
                // SAFETY: see above.
                unsafe { $store(to, v) }
            }

            #[inline(always)]
            fn add(self, a: $vector, b: $vector) -> $vector {
                // SAFETY: see above.
                unsafe { $add(a, b) }
            }

            #[inline(always)]
            fn sub(self, a: $vector, b: $vector) -> $vector {
                // SAFETY: see above.
                unsafe { $sub(a, b) }
            }

            #[inline(always)]
            fn mul(self, a: $vector, b: $vector) -> $vector {
                // SAFETY: see above.
                unsafe { $mul(a, b) }
            }

            #[inline(always)]
            fn div(self, a: $vector, b: $vector) -> $vector {
                // SAFETY: see above.
                unsafe { $div(a, b) }
            }

            #[inline(always)]
            fn max(self, a: $vector, b: $vector) -> $vector {
                // SAFETY: see above.
                unsafe { $max(a, b) }
            }

            #[inline(always)]
            fn min(self, a: $vector, b: $vector) -> $vector {
                // SAFETY: see above.
                unsafe { $min(a, b) }
            }

            #[inline(always)]
            fn mul_add(self, a: $vector, b: $vector, c: $vector) -> $vector {
                // SAFETY: see above.
                unsafe { $fma(a, b, c) }
            }

            #[inline(always)]
            fn round(self, $round_in: $vector) -> $vector {
                // SAFETY: see above.
                unsafe { $round }
            }

            #[inline(always)]
            fn exp2_whole(self, $exp_in: $vector) -> $vector {
                // SAFETY: see above.
                unsafe { $exp }
            }

            #[inline(always)]
            fn sum(self, $sum_in: $vector) -> f32 {
                // SAFETY: see above.
                unsafe { $sum }
            }

            #[inline(always)]
            fn largest(self, $largest_in: $vector) -> f32 {
                // SAFETY: see above.
                unsafe { $largest }
            }
        }
    };
}

operations!(
    Avx2,
    __m256,
    8,
    6,
    _mm256_set1_ps,
    _mm256_loadu_ps,
    _mm256_storeu_ps,
    _mm256_add_ps,
    _mm256_sub_ps,
    _mm256_mul_ps,
    _mm256_div_ps,
    _mm256_max_ps,
    _mm256_min_ps,
    _mm256_fmadd_ps,
    |a| _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a),
    |a| _mm256_castsi256_ps(_mm256_slli_epi32::<23>(_mm256_add_epi32(_mm256_cvtps_epi32(a), _mm256_set1_epi32(127)))),
    |a| {
        let lanes: [f32; 8] = std::mem::transmute(a);
        ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]))
    },
    |a| {
        let lanes: [f32; 8] = std::mem::transmute(a);
        lanes.into_iter().fold(f32::NEG_INFINITY, f32::max)
    }
);

operations!(
    Avx512,
    __m512,
    16,
    9,
    _mm512_set1_ps,
    _mm512_loadu_ps,
    _mm512_storeu_ps,
    _mm512_add_ps,
    _mm512_sub_ps,
    _mm512_mul_ps,
    _mm512_div_ps,
    _mm512_max_ps,
    _mm512_min_ps,
    _mm512_fmadd_ps,
    |a| _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a),
    |a| _mm512_castsi512_ps(_mm512_slli_epi32::<23>(_mm512_add_epi32(_mm512_cvtps_epi32(a), _mm512_set1_epi32(127)))),
    |a| _mm512_reduce_add_ps(a),
    |a| _mm512_reduce_max_ps(a)
);
