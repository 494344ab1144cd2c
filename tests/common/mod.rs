//! What several tests share.
#![allow(dead_code, unreachable_pub, reason = "no test uses all of it")]

pub mod tictactoe;

use std::path::PathBuf;

/// A file of the shared reference material; nothing, and a printed line, where it is missing.
pub fn shared(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("TENGEN_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let file = root.join(path);
    if file.exists() {
        Some(file)
    } else {
        println!("skipped: {} is missing; set TENGEN_SHARED to the folder of reference material", file.display());
        None
    }
}
