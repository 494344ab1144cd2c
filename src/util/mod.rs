//! Small tools that know nothing of Go.

mod rng;
mod seconds;
mod stop;
mod whole;

pub use rng::Rng;
pub use seconds::seconds;
pub use stop::StopFlag;
pub use whole::write_whole;
