//! A GTP client for tests: a session in this process, spoken to through pipes, whose replies are read as strictly as any client reads them.

use std::io::BufReader;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::pipes::{Shared, Sink, Source};
use tengen::gtp;
use tengen::params::Settings;
use tengen::util::StopFlag;

/// Longer than any reply takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Settings that make every move a matter of milliseconds, and the same every time.
pub fn quick() -> Settings {
    let mut settings = Settings::default();
    settings.search.threads = 1;
    settings.search.max_playouts = Some(30);
    settings.search.seed = Some(1);
    settings.search.memory = tengen::params::Bytes(16 << 20);
    settings
}

/// The client's side of a session.
pub struct Client {
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Vec<u8>>,
    read: Vec<u8>,
    messages: Arc<Mutex<Vec<u8>>>,
    session: Option<JoinHandle<()>>,
    /// As Ctrl-C sets it.
    pub stop: StopFlag,
}

impl Client {
    pub fn start(settings: Settings) -> Self {
        let (input, lines) = channel();
        let (replies, output) = channel();
        let messages = Arc::new(Mutex::new(Vec::new()));
        let (stderr, stop) = (Shared(messages.clone()), StopFlag::new());
        let flag = stop.clone();
        let source = BufReader::new(Source { lines, rest: Vec::new() });
        let session =
            thread::spawn(move || gtp::run(source, Sink(replies), stderr, settings, &flag).expect("the settings make a game"));
        Self { input: Some(input), output, read: Vec::new(), messages, session: Some(session), stop }
    }

    pub fn quick() -> Self {
        Self::start(quick())
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        // A session that has ended takes no more, as a pipe does.
        let _ = self.input.as_ref().expect("the input is open").send(bytes.to_vec());
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// The next line of output, with its end.
    pub fn line(&mut self) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(end) = self.read.iter().position(|&byte| byte == b'\n') {
                let line = self.read.drain(..=end).collect();
                return String::from_utf8(line).expect("replies are UTF-8");
            }
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.read.extend(bytes),
                Err(RecvTimeoutError::Timeout) => panic!("no reply; so far: {:?}", String::from_utf8_lossy(&self.read)),
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("the session is over; left: {:?}", String::from_utf8_lossy(&self.read))
                }
            }
        }
    }

    /// The next reply, without the empty line that ends it. Its frame is checked: `=` or `?`, digits, a blank.
    pub fn reply(&mut self) -> String {
        let mut reply = self.line();
        let head = reply.strip_prefix(['=', '?']).unwrap_or_else(|| panic!("not a reply: {reply:?}"));
        assert!(head.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(' '), "no blank after = or the id: {reply:?}");
        loop {
            let line = self.line();
            if line == "\n" {
                reply.truncate(reply.len() - 1);
                return reply;
            }
            assert!(
                !line.trim().is_empty() && line.trim_end_matches('\n').trim_end().len() == line.len() - 1,
                "blanks at an end: {line:?}"
            );
            reply += &line;
        }
    }

    /// Sends a command and returns the reply.
    pub fn ask(&mut self, command: &str) -> String {
        self.send(command);
        self.reply()
    }

    /// The text of a command that must succeed.
    pub fn get(&mut self, command: &str) -> String {
        let reply = self.ask(command);
        reply.strip_prefix("= ").unwrap_or_else(|| panic!("{command}: {reply}")).to_owned()
    }

    /// The message of a command that must be refused.
    pub fn error(&mut self, command: &str) -> String {
        let reply = self.ask(command);
        reply.strip_prefix("? ").unwrap_or_else(|| panic!("{command}: {reply}")).to_owned()
    }

    /// Several commands that must succeed.
    pub fn all(&mut self, commands: &[&str]) {
        for command in commands {
            self.get(command);
        }
    }

    /// What was written to standard error so far.
    pub fn messages(&self) -> String {
        String::from_utf8(self.messages.lock().expect("no writer panicked").clone()).expect("messages are UTF-8")
    }

    /// Waits until standard error has this line, and returns it.
    pub fn await_message(&self, beginning: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(line) = self.messages().lines().find(|line| line.starts_with(beginning)) {
                return line.to_owned();
            }
            assert!(Instant::now() < deadline, "no message {beginning:?}: {}", self.messages());
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Closes the input and waits for the session to end; what was still written.
    pub fn end(mut self) -> String {
        self.input = None;
        self.session.take().expect("ends once").join().expect("the session does not panic");
        let mut rest = std::mem::take(&mut self.read);
        rest.extend(self.output.try_iter().flatten());
        for line in self.messages().lines() {
            let reserved = ["=", "?", "info", "play", "{"];
            assert!(!reserved.iter().any(|word| line.starts_with(word)), "a message that looks like a reply: {line}");
        }
        String::from_utf8(rest).expect("replies are UTF-8")
    }

    /// Whether the session ends within `limit`.
    pub fn ends_within(&self, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        while Instant::now() < deadline {
            if self.session.as_ref().is_some_and(JoinHandle::is_finished) {
                return true;
            }
            thread::sleep(Duration::from_millis(2));
        }
        false
    }
}
