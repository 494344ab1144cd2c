//! The program as a shell sees it: what it prints, where, and how it ends.

use std::process::{Command, Output, Stdio};

fn tengen(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tengen")).args(args).stdin(Stdio::null()).output().expect("the program starts")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("it prints text")
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("it prints text")
}

#[test]
fn it_says_its_version() {
    let output = tengen(&["--version"]);
    assert!(output.status.success());
    assert_eq!(out(&output).trim(), concat!("tengen ", env!("CARGO_PKG_VERSION")));
}

#[test]
fn params_come_in_three_forms() {
    for (args, sign) in
        [(&["params"][..], "Takes"), (&["params", "--toml"], "#numSearchThreads = "), (&["params", "--markdown"], "|---|")]
    {
        let output = tengen(args);
        assert!(output.status.success() && output.stderr.is_empty());
        assert!(out(&output).contains(sign), "{args:?}");
    }
}

#[test]
fn completions_and_manual_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(out(&tengen(&["completions", shell])).contains("params"), "{shell}");
    }
    assert!(out(&tengen(&["man"])).starts_with(".ie"));
    let folder = std::env::temp_dir().join(format!("tengen män {}", std::process::id()));
    let output = tengen(&["man", "--dir", folder.to_str().expect("a path in UTF-8")]);
    assert!(output.status.success(), "{}", err(&output));
    assert!(folder.join("tengen-params.1").exists());
    std::fs::remove_dir_all(folder).expect("the folder is there");
}

#[test]
fn mistakes_are_told_once_on_standard_error() {
    let output = tengen(&["play-well"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty() && err(&output).contains("unrecognized subcommand"));
    let output = tengen(&["man", "--dir", env!("CARGO_BIN_EXE_tengen")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    assert!(err(&output).starts_with("tengen: cannot make the folder") && err(&output).lines().count() == 1, "{}", err(&output));
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .arg("params")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{}", err(&output));
}
