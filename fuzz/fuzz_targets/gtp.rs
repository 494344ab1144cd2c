//! Any bytes as the input of a GTP session: no panic, and one framed reply for each command.
//!
//! `cargo fuzz run gtp` needs no corpus; `tests/gtp` has transcripts to start from.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use tengen::gtp::{self, Command};
use tengen::params::{Bytes, Settings};
use tengen::util::StopFlag;

fuzz_target!(|bytes: &[u8]| {
    // Nothing may read or write files.
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').filter(|line| !String::from_utf8_lossy(line).contains("sgf")).collect();
    let mut settings = Settings::default();
    settings.search.max_playouts = Some(2);
    settings.search.memory = Bytes(16 << 20);
    settings.game.board_size = 5;
    let mut output = Vec::new();
    let input = Cursor::new(lines.join(&b'\n'));
    gtp::run(input, &mut output, std::io::sink(), settings, &StopFlag::new()).expect("the settings make a game");
    let output = String::from_utf8(output).expect("replies are UTF-8");
    let commands: Vec<Command> = lines.iter().filter_map(|line| Command::parse(line)).collect();
    let end = commands.iter().position(|command| command.name == "quit").map_or(commands.len(), |quit| quit + 1);
    let mut replies = output.split("\n\n");
    for command in &commands[..end] {
        let reply = replies.next().expect("a reply for each command");
        let id = command.id.as_deref().unwrap_or_default();
        assert!(reply.starts_with(&format!("={id} ")) || reply.starts_with(&format!("?{id} ")), "{command:?}: {reply}");
    }
    assert_eq!(replies.collect::<Vec<_>>(), [""]);
});
