//! The table of parameters on paper: for a terminal, as a config file, and for the docs.

use super::{Kind, Param, Table};
use std::fmt::Write;

/// The table for a terminal; the values are those of `settings`.
pub fn text<S: Table>(settings: &S) -> String {
    let mut out = String::new();
    for group in S::GROUPS {
        let _ = writeln!(out, "{}: {}\n", group.name, group.about());
        for param in of_group::<S>(group.name) {
            let _ = writeln!(out, "  {} = {}\n      {}", param.name, (param.get)(settings), param.reason());
            let fixed = if param.live { "" } else { "; fixed at the start" };
            let _ = writeln!(out, "      Takes {}{fixed}.\n", param.takes());
        }
    }
    out.truncate(out.trim_end().len());
    out + "\n"
}

/// Every value, a line a group, for the log at the start. No line looks like a GTP reply or its beginning.
pub fn summary<S: Table>(settings: &S) -> String {
    let values = |group| {
        of_group::<S>(group).map(|param| format!("{} {}", param.name, (param.get)(settings))).collect::<Vec<_>>().join(", ")
    };
    S::GROUPS.iter().map(|group| format!("settings, {}: {}\n", group.name, values(group.name))).collect::<Vec<_>>().concat()
}

/// A config file with every parameter, commented out, at the values of `settings`.
pub fn toml<S: Table>(settings: &S) -> String {
    let mut out = format!("# Settings of tengen. Take away the # before a line to change it; start with: {}\n", S::READ_BY);
    for group in S::GROUPS {
        let _ = writeln!(out, "\n# ---- {} ----", group.about());
        for param in of_group::<S>(group.name) {
            let _ = writeln!(out, "\n# {}\n# Takes {}.", param.reason(), param.takes());
            let _ = writeln!(out, "#{} = {}", param.name, toml_value(param, &(param.get)(settings)));
        }
    }
    out
}

/// The table for the docs, in Markdown; the values are those of `settings`.
pub fn markdown<S: Table>(settings: &S) -> String {
    let mut out = String::new();
    for group in S::GROUPS {
        let _ = writeln!(out, "## {}\n\n{}\n", group.name, group.about());
        out += "| parameter | default | takes | may change | reason |\n|---|---|---|---|---|\n";
        for param in of_group::<S>(group.name) {
            let when = if param.live { "any time" } else { "at the start" };
            let value = (param.get)(settings);
            let _ = writeln!(out, "| `{}` | {value} | {} | {when} | {} |", param.name, param.takes(), param.reason());
        }
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out + "\n"
}

/// The parameters of one group.
fn of_group<S: Table>(group: &'static str) -> impl Iterator<Item = &'static Param<S>> {
    S::PARAMS.iter().filter(move |param| param.group == group)
}

/// A value as TOML has it: numbers and truth values bare, all else (whole numbers beyond TOML's 63 bits too) in quotes.
fn toml_value<S>(param: &Param<S>, value: &str) -> String {
    let bare = match param.kind {
        Kind::Int => value.parse::<i64>().is_ok(),
        Kind::Float | Kind::Bool => value != "none",
        Kind::Bytes | Kind::Choice(_) | Kind::Words(_) | Kind::Text => false,
    };
    if bare { value.to_owned() } else { ::toml::Value::from(value).to_string() }
}
