//! Tengen, a Go engine. This page is the map; each module may use those above it, never those below.
//!
//! | module | what it is |
//! |---|---|
//! | [`util`] | random numbers, a stop flag, durations in words, how fast work goes, files written whole |
//! | [`params`] | every setting: name, unit, range, default, reason |
//! | [`clock`] | time controls, and how long to think |
//! | [`board`] | colours, points, chains and capture, ladders, patterns; no history, no input or output |
//! | [`rules`] | rule sets, positions with history and superko, cleanup phases, scoring, pass-alive stones |
//! | [`game`] | a game as a formal model: the trait that searches play |
//! | [`adversarial`] | the classical methods: minimax, alpha-beta, proof numbers, chance, several players and more, over any game |
//! | [`sgf`] | game records: reading, writing, replaying |
//! | [`playout`] | games played to the end at great speed, and the move generator that priors share |
//! | [`eval`] | what a state is worth: the seam between the tree and playouts, networks or fakes |
//! | [`nn`] | KataGo's networks: files, input planes, forward passes on the CPU, and what they mean |
//! | [`search`] | Monte-Carlo tree search with any number of threads |
//! | [`solve`] | exact answers: small boards, life and death, captures |
//! | [`book`] | opening books: which moves were played in a position, how often, and with what luck |
//! | [`engine`] | one façade: set a position, think, judge |
//! | [`pool`] | many positions looked at together, on all cores |
//! | [`gtp`] | the Go Text Protocol, both sides of it |
//! | [`referee`] | matches between GTP engines |
//! | [`rows`] | training rows, in the files that KataGo's trainer reads |
//! | [`label`] | training rows out of game records, with a teacher's opinion if there is one |
//! | [`analysis`] | KataGo's JSON analysis: an engine as a service for programs |
//! | [`review`] | reviews of finished games, for people and their programs |
//! | [`selfplay`] | games that an engine plays against itself, and the training rows that come of them |
//! | [`train`] | networks learn from rows |
//! | [`cmd`] | one file a subcommand: its flags and what it does |
//! | [`cli`] | the command line: which subcommand starts what |

#![warn(missing_docs, unreachable_pub, clippy::unwrap_used)]

pub mod adversarial;
pub mod analysis;
pub mod board;
pub mod book;
pub mod cli;
pub mod clock;
pub mod cmd;
pub mod engine;
pub mod eval;
pub mod game;
pub mod gtp;
pub mod label;
pub mod nn;
pub mod params;
pub mod playout;
pub mod pool;
pub mod referee;
pub mod review;
pub mod rows;
pub mod rules;
pub mod search;
pub mod selfplay;
pub mod sgf;
pub mod solve;
pub mod train;
pub mod util;
