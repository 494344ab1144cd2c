//! Small tools that know nothing of Go.

mod rng;
mod stop;

pub use rng::Rng;
pub use stop::StopFlag;
