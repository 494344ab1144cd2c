//! The classical methods on every worked example of their specification, on random trees, and on small games whose values are known; and the engine's
//! own tree, proved right by them.

#[path = "../common/mod.rs"]
mod common;
mod games;
mod tree;

mod against_the_engine;
mod alpha_beta;
mod chance;
mod evaluation;
mod hidden;
mod minimax;
mod monte_carlo;
mod retrograde;
mod several;
