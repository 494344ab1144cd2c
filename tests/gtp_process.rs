//! The program itself as a client starts it: pipes, exit, signals.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

struct Engine {
    process: Child,
    input: Option<ChildStdin>,
}

impl Engine {
    fn start() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
        command.args(["gtp", "--threads", "1", "--memory", "16MiB", "--time", "30"]);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut ready = String::new();
        let mut messages = BufReader::new(process.stderr.take().unwrap());
        while !ready.contains("GTP ready\n") {
            assert!(messages.read_line(&mut ready).unwrap() > 0, "{ready}");
        }
        // Somebody has to read on, or the engine would wait.
        std::thread::spawn(move || messages.read_to_string(&mut ready));
        let input = process.stdin.take();
        Self { process, input }
    }

    fn send(&mut self, text: &str) {
        self.input.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    fn ends_within(&mut self, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        loop {
            match self.process.try_wait().unwrap() {
                Some(status) => {
                    assert!(status.success(), "{status}");
                    return true;
                }
                None if Instant::now() > deadline => {
                    self.process.kill().unwrap();
                    return false;
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    fn output(&mut self) -> String {
        let mut output = String::new();
        self.process.stdout.take().unwrap().read_to_string(&mut output).unwrap();
        output
    }
}

#[test]
fn quit_is_answered_and_ends_the_program_while_its_input_stays_open() {
    let mut engine = Engine::start();
    engine.send("1 name\r\nquit\n");
    assert!(engine.ends_within(Duration::from_millis(500)));
    assert_eq!(engine.output(), "=1 Tengen\n\n= \n\n");
}

#[test]
fn the_end_of_the_input_ends_the_program() {
    let mut engine = Engine::start();
    engine.send("name\nkata-analyze 100\n");
    std::thread::sleep(Duration::from_millis(100));
    engine.input = None;
    assert!(engine.ends_within(Duration::from_secs(2)));
    let output = engine.output();
    assert!(output.starts_with("= Tengen\n\n= \ninfo move ") && output.ends_with("\n\n"), "{output}");
}

#[test]
fn a_client_that_is_gone_ends_the_program() {
    let mut engine = Engine::start();
    engine.process.stdout = None;
    // More than one reply, for a program that another test is just starting holds the pipe open until it runs.
    for _ in 0..20 {
        let _ = engine.input.as_mut().unwrap().write_all(b"name\n");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(engine.ends_within(Duration::from_secs(2)));
}

#[cfg(unix)]
#[test]
fn signals_end_the_program_cleanly() {
    for signal in ["INT", "TERM"] {
        let mut engine = Engine::start();
        engine.send("genmove b\n");
        std::thread::sleep(Duration::from_millis(200));
        let sent = Command::new("kill").args([format!("-{signal}"), engine.process.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert!(engine.ends_within(Duration::from_secs(2)), "{signal}");
        assert!(engine.output().starts_with("= "), "{signal}: the move is still told");
    }
}

#[test]
fn settings_that_make_no_game_are_an_error() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_tengen")).args(["gtp", "--rules", "chess"]).stdin(Stdio::null()).output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("chess"));
    assert!(output.stdout.is_empty());
}
