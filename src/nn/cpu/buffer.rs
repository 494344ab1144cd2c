//! Floats whose memory begins on a cache line, so that no vector crosses two.

use std::ops::{Deref, DerefMut};

/// Floats of a cache line. Channels are stored in multiples of this, which is also the widest vector.
pub(super) const LINE: usize = 16;

/// Bytes of a large page. Buffers that fill half of one lie on such, where the system has them: of small ones the processor has to look
/// up each.
const LARGE_PAGE: usize = 2 << 20;

/// A buffer of floats, zero at first, whole lines long.
#[derive(Default)]
pub(super) struct Buffer {
    memory: Vec<f32>,
    /// Floats left out in front, so that the first one in use begins a line, or a large page.
    start: usize,
}

impl Buffer {
    /// A buffer of at least `floats` zeros.
    pub(super) fn zeros(floats: usize) -> Self {
        let floats = padded(floats);
        let alignment = if floats * size_of::<f32>() < LARGE_PAGE / 2 { LINE * size_of::<f32>() } else { LARGE_PAGE };
        // The system's zeros cost nothing until they are touched, so what is left out costs nothing.
        let mut memory = vec![0.0_f32; floats + alignment / size_of::<f32>()];
        let start = memory.as_ptr().align_offset(alignment);
        memory.truncate(start + floats);
        let buffer = Self { memory, start };
        #[cfg(target_os = "linux")]
        if alignment == LARGE_PAGE {
            ask_for_large_pages(&buffer);
        }
        buffer
    }

    /// Makes it at least `floats` long. A buffer that grows becomes all zero.
    pub(super) fn reserve(&mut self, floats: usize) {
        if self.len() < floats {
            *self = Self::zeros(floats);
        }
    }
}

/// If the system has none, nothing is lost.
#[cfg(target_os = "linux")]
fn ask_for_large_pages(buffer: &[f32]) {
    // SAFETY: the range lies in memory that is ours, and advice changes nothing in it.
    unsafe { libc::madvise(buffer.as_ptr().cast_mut().cast(), size_of_val(buffer), libc::MADV_HUGEPAGE) };
}

impl Deref for Buffer {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.memory[self.start..]
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.memory[self.start..]
    }
}

/// Channels as stored: filled up to whole lines.
pub(super) fn padded(channels: usize) -> usize {
    channels.next_multiple_of(LINE)
}
