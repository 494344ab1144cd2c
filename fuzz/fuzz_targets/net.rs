//! Any bytes as a network file. Reading may not panic, and what can be read must come back the same after writing.
//!
//! `cargo fuzz run net` finds little without a start: put a few small networks, plain and as words, into `fuzz/corpus/net`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tengen::nn::{Form, Network};

fuzz_target!(|bytes: &[u8]| {
    let Ok(network) = Network::parse(bytes) else { return };
    // Names of any letters may be read; the writer itself checks that what it writes is read back the same.
    for raw in [true, false] {
        network.to_bytes(Form { raw, gzip: false }).expect("what was read can be written");
    }
    assert!(network.shape().starts_with('b') && network.parameters() > 0 && network.multiply_adds(361) > 0);
});
