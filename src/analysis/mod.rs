//! KataGo's JSON analysis protocol (its public document Analysis_Engine): a query or an action a line in, answers a line each out, in the
//! order in which they are ready.
//!
//! A line becomes a query (`query.rs`, by the field readers of `fields.rs`), its positions jobs of the
//! [`Pool`](crate::pool::Pool), and each report an answer (`answer.rs`). `service.rs` holds it together. Every position that was asked
//! for gets exactly one final answer, and every line that asks for nothing sensible exactly one error, with its id if it has one.

mod answer;
mod fields;
mod hash;
mod output;
mod people;
mod query;
mod service;

pub use service::{Closing, ServiceError, run};
