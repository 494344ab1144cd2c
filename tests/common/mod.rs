//! What several tests share.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

pub mod finished;
pub mod gtp;
pub mod shape;
pub mod tictactoe;

use std::path::PathBuf;

/// The folder of shared reference material: the environment's TENGEN_SHARED, or `../shared` beside the package. Prints a line and returns
/// nothing where it is missing, so that its tests can be skipped.
pub fn shared(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("TENGEN_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let file = root.join(path);
    if file.exists() {
        return Some(file);
    }
    println!("skipped: no {}", file.display());
    None
}
