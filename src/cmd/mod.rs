//! The subcommands, one file each: their flags and what they do. The list of them is in `cli.rs`.

pub mod match_;
