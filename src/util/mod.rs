//! Small tools that know nothing of Go.

mod rng;
mod seconds;
mod stop;

pub use rng::Rng;
pub use seconds::seconds;
pub use stop::StopFlag;
