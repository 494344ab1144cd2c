//! Small tools that know nothing of Go.

mod rng;

pub use rng::Rng;
