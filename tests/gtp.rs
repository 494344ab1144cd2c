//! Replays what real clients send, from the files in `tests/gtp`, and compares the replies with the shapes written there by hand.
//!
//! A line `> TEXT` is sent, with `\r` and `\t` for what they stand for; `< SHAPE` is a line of the reply, `<+ SHAPE` one line or more of that shape, `~ TEXT` is waited
//! for on standard error, `#` begins a remark. Each transcript is played twice: a command sent once the last is answered (an analysis, once it has written a
//! line), and all commands at once.

mod common;

use std::path::Path;

use common::gtp::Client;
use common::shape::matches;

struct Exchange {
    sent: String,
    /// Shapes, and whether more than one line may have it.
    expected: Vec<(String, bool)>,
}

struct Transcript {
    awaited: Vec<String>,
    exchanges: Vec<Exchange>,
}

fn read(text: &str) -> Transcript {
    let mut transcript = Transcript { awaited: Vec::new(), exchanges: Vec::new() };
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
        match mark {
            ">" => {
                let sent = rest.replace("\\r", "\r").replace("\\t", "\t");
                transcript.exchanges.push(Exchange { sent, expected: Vec::new() });
            }
            "<" | "<+" => {
                let exchange = transcript.exchanges.last_mut().expect("a reply follows a command");
                exchange.expected.push((rest.to_owned(), mark == "<+"));
            }
            "~" => transcript.awaited.push(rest.to_owned()),
            _ => panic!("not a line of a transcript: {line}"),
        }
    }
    transcript
}

fn check(name: &str, exchange: &Exchange, reply: &str) {
    let mut lines = reply.split('\n').peekable();
    for (shape, several) in &exchange.expected {
        let fail = |why: String| -> ! { panic!("{name}: after '{}'\n{reply}\nis not '{shape}': {why}", exchange.sent) };
        let line = lines.next().unwrap_or_else(|| fail("the reply ends".to_owned()));
        matches(line, shape).unwrap_or_else(|why| fail(why));
        while *several && lines.peek().is_some_and(|line| matches(line, shape).is_ok()) {
            lines.next();
        }
    }
    assert_eq!(lines.next(), None, "{name}: after '{}' a line too many", exchange.sent);
}

/// Whether a command writes lines until the next one comes.
fn is_endless(command: &str) -> bool {
    command.contains("analyze")
        && !command.contains("genmove")
        && !command.contains("search")
        && !command.contains("known_command")
        && !command.contains("gogui")
}

fn replay(name: &str, at_once: bool) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gtp").join(format!("{name}.gtp"));
    let transcript = read(&std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
    let mut client = Client::quick();
    for line in &transcript.awaited {
        client.await_message(line);
    }
    if at_once {
        let all: Vec<&str> = transcript.exchanges.iter().map(|exchange| exchange.sent.as_str()).collect();
        client.send(&all.join("\n"));
        for exchange in transcript.exchanges.iter().filter(|exchange| !exchange.expected.is_empty()) {
            check(name, exchange, &client.reply());
        }
    } else {
        let mut waiting: Option<(&Exchange, String)> = None;
        for exchange in &transcript.exchanges {
            client.send(&exchange.sent);
            if let Some((endless, head)) = waiting.take() {
                let mut reply = head;
                loop {
                    let line = client.line();
                    if line == "\n" {
                        break;
                    }
                    reply += &line;
                }
                check(name, endless, reply.trim_end_matches('\n'));
            }
            if exchange.expected.is_empty() {
                continue;
            }
            if is_endless(&exchange.sent) {
                let (head, first) = (client.line(), client.line());
                assert!(first.starts_with("info "), "{name}: {first}");
                waiting = Some((exchange, head + &first));
            } else {
                check(name, exchange, &client.reply());
            }
        }
        if let Some((endless, head)) = waiting {
            // The input ends here, and so does the analysis.
            let rest = client.end();
            check(name, endless, (head + &rest).trim_end_matches('\n'));
            return;
        }
    }
    assert_eq!(client.end(), "", "{name}: more output than expected");
}

macro_rules! transcripts {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            replay(stringify!($name), false);
            replay(stringify!($name), true);
        })*

        #[test]
        fn every_transcript_is_replayed() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gtp");
            let mut files: Vec<String> = std::fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .filter_map(|name| name.strip_suffix(".gtp").map(str::to_owned))
                .collect();
            files.sort();
            let mut known = [$(stringify!($name)),*];
            known.sort_unstable();
            assert_eq!(files, known);
        }
    };
}

transcripts![
    sabaki,
    lizzie,
    lizzieyzy,
    lizgoban,
    q5go,
    gogui,
    twogtp,
    gogui_regress,
    gtp2ogs,
    cgos,
    gomill,
    goreviewpartner,
    ogatak,
    kgsgtp,
];
