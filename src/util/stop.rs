//! A flag that asks running work to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A shared flag: one side sets it, the other looks at it while it works. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the work to end.
    pub fn set(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Takes the request back, for the next piece of work.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Release);
    }

    /// True once [`StopFlag::set`] was called.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}
