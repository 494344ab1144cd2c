//! Small tools that know nothing of Go.

mod rng;
mod seconds;

pub use rng::Rng;
pub use seconds::seconds;
