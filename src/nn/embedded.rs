//! The network that the program carries, so that it plays well on a machine that has nothing else.

/// Its file as it stands in `models/`, where its card is too.
#[cfg(feature = "embedded-net")]
const FILE: Option<&[u8]> = Some(include_bytes!("../../models/tengen-b6c96-20261201.bin.gz"));
#[cfg(not(feature = "embedded-net"))]
const FILE: Option<&[u8]> = None;

/// The file of the network that the program carries, if it was built with one (which is the default).
pub(super) fn embedded() -> Option<&'static [u8]> {
    FILE
}
