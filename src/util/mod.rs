//! Small tools that know nothing of Go.

mod lines;
mod pace;
mod prefetch;
mod rng;
mod sealed;
mod seconds;
mod stop;
mod whole;

pub use lines::read_line;
pub use pace::Pace;
pub use prefetch::prefetch;
pub use rng::Rng;
pub use sealed::{Damage, seal, unseal};
pub use seconds::seconds;
pub use stop::StopFlag;
pub use whole::write_whole;
