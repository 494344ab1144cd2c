//! Floats whose memory begins on a cache line, so that no vector crosses two.

use std::ops::{Deref, DerefMut};

/// Channels are stored in multiples of this: the widest vector.
pub(super) const LINE: usize = 16;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([f32; LINE]);

/// A buffer of floats, zero at first, whole lines long.
#[derive(Clone, Default)]
pub(super) struct Buffer(Vec<Line>);

impl Buffer {
    /// A buffer of at least `floats` zeros.
    pub(super) fn zeros(floats: usize) -> Self {
        Self(vec![Line([0.0; LINE]); floats.div_ceil(LINE)])
    }

    /// Makes it at least `floats` long; new ones are zero.
    pub(super) fn reserve(&mut self, floats: usize) {
        if self.len() < floats {
            self.0.resize(floats.div_ceil(LINE), Line([0.0; LINE]));
        }
    }
}

impl Deref for Buffer {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        // SAFETY: a line is an array of LINE floats without padding, and the lines lie side by side.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.0.len() * LINE) }
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [f32] {
        // SAFETY: as for `deref`; the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), self.0.len() * LINE) }
    }
}

/// Channels as stored: filled up to whole lines.
pub(super) fn padded(channels: usize) -> usize {
    channels.next_multiple_of(LINE)
}
