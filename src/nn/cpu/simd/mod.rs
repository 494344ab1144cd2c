//! Vectors of floats, the widest that the machine has.
//!
//! A kernel is written once over the trait [`Simd`] and compiled for each instruction set; [`Level`] picks one at run time. The operations
//! are `#[inline(always)]`, and so must kernels be, since only what is inlined into [`Level::run`]'s functions may use their instructions.

mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

use portable::Portable;

/// An instruction set. Holding a value of the type means that the machine has it.
pub(super) trait Simd: Copy {
    /// A vector of [`Simd::LANES`] floats.
    type V: Copy;
    /// Floats in a vector.
    const LANES: usize;
    /// Rows of a matrix product that are computed together, with two vectors of each, at most 9. More would fit into AVX-512's
    /// registers, but rows at the same distance fall on few places of an 8-way cache: 13 take 1.6 times as long as 9 on a Zen 4.
    const ROWS: usize;

    /// All lanes `x`.
    fn splat(self, x: f32) -> Self::V;
    /// Reads a vector.
    ///
    /// # Safety
    /// `from` points to [`Simd::LANES`] floats.
    unsafe fn load(self, from: *const f32) -> Self::V;
    /// Writes a vector.
    ///
    /// # Safety
    /// `to` points to room for [`Simd::LANES`] floats.
    unsafe fn store(self, to: *mut f32, v: Self::V);
    /// a + b
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// a - b
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// a b
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    /// a / b
    fn div(self, a: Self::V, b: Self::V) -> Self::V;
    /// The larger of each lane.
    fn max(self, a: Self::V, b: Self::V) -> Self::V;
    /// The smaller of each lane.
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    /// a b + c
    fn mul_add(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// The nearest whole numbers.
    fn round(self, a: Self::V) -> Self::V;
    /// Two to the power of whole numbers from -126 to 127.
    fn exp2_whole(self, a: Self::V) -> Self::V;
    /// Sum of all lanes.
    fn sum(self, a: Self::V) -> f32;
    /// The largest lane.
    fn largest(self, a: Self::V) -> f32;

    /// Reads the vector at the front of `from`.
    #[inline(always)]
    fn read(self, from: &[f32]) -> Self::V {
        let from = &from[..Self::LANES];
        // SAFETY: the slice has that many floats.
        unsafe { self.load(from.as_ptr()) }
    }

    /// Writes the vector at the front of `to`.
    #[inline(always)]
    fn write(self, to: &mut [f32], v: Self::V) {
        let to = &mut to[..Self::LANES];
        // SAFETY: the slice has room for that many floats.
        unsafe { self.store(to.as_mut_ptr(), v) }
    }
}

/// A computation that is compiled for each instruction set. [`Kernel::run`] has to be `#[inline(always)]`.
pub(super) trait Kernel {
    /// Does it.
    fn run<S: Simd>(self, simd: S);
}

/// The instruction sets there are, the best last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Whatever every machine of the target has.
    Portable,
    /// AVX2 with fused multiply-add: 8 floats.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512: 16 floats, 32 registers.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// The levels that this machine has, the best last.
    pub fn available() -> Vec<Self> {
        #[allow(unused_mut)]
        let mut levels = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if x86::Avx2::detect().is_some() {
                levels.push(Self::Avx2);
            }
            if x86::Avx512::detect().is_some() {
                levels.push(Self::Avx512);
            }
        }
        levels
    }

    /// The best that this machine has.
    pub fn best() -> Self {
        Self::available().pop().unwrap_or(Self::Portable)
    }

    /// Floats in a vector.
    pub(super) fn lanes(self) -> usize {
        match self {
            Self::Portable => Portable::LANES,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => x86::Avx2::LANES,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => x86::Avx512::LANES,
        }
    }

    /// Runs `kernel` with this level's instructions; with the portable ones if the machine lacks them.
    pub(super) fn run(self, kernel: impl Kernel) {
        match self {
            Self::Portable => kernel.run(Portable),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => match x86::Avx2::detect() {
                Some(simd) => simd.call(kernel),
                None => kernel.run(Portable),
            },
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => match x86::Avx512::detect() {
                Some(simd) => simd.call(kernel),
                None => kernel.run(Portable),
            },
        }
    }
}

/// Calls the kernel `$tile.rows::<S, ROWS, VECTORS>($simd)` that was compiled for so many rows, and for one vector of columns if `$narrow`, else two.
/// Unsafe as that is.
macro_rules! by_rows {
    ($tile:ident, $simd:ident, $rows:ident, $narrow:ident) => {
        by_rows!($tile, $simd, $rows, $narrow: 1 2 3 4 5 6 7 8 9)
    };
    ($tile:ident, $simd:ident, $rows:ident, $narrow:ident: $($count:literal)*) => {
        match $rows {
            $($count if $count <= S::ROWS => {
                if $narrow { $tile.rows::<S, $count, 1>($simd) } else { $tile.rows::<S, $count, 2>($simd) }
            })*
            _ => unreachable!("pieces have at most S::ROWS rows"),
        }
    };
}
pub(super) use by_rows;
