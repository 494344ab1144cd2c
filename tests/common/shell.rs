//! The program as a shell sees it.

use std::process::{Command, Output, Stdio};

/// Runs the program, which must not panic.
pub fn tengen(args: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_tengen")).args(args).stdin(Stdio::null()).output().unwrap();
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{output:?}");
    output
}

/// What it prints when all is well.
pub fn good(args: &[&str]) -> String {
    let output = tengen(args);
    assert!(output.status.success() && output.stderr.is_empty(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Its one complaint.
pub fn complaint(args: &[&str]) -> String {
    let output = tengen(args);
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && output.stdout.is_empty() && err.lines().count() == 1, "{args:?}: {err}");
    err
}
