//! A client of the JSON analysis for tests: a service in this process, whose lines are read as strictly as any client reads them.

use std::io::BufReader;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::pipes::{Shared, Sink, Source};
use tengen::analysis::{self, Closing};
use tengen::params::Settings;
use tengen::util::StopFlag;

/// Longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The client's side of a service.
pub struct Client {
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Vec<u8>>,
    read: Vec<u8>,
    messages: Arc<Mutex<Vec<u8>>>,
    service: Option<JoinHandle<()>>,
    /// As Ctrl-C sets it.
    pub stop: StopFlag,
}

impl Client {
    pub fn start(settings: Settings, closing: Closing) -> Self {
        let (input, lines) = channel();
        let (answers, output) = channel();
        let messages = Arc::new(Mutex::new(Vec::new()));
        let (stderr, stop) = (Shared(messages.clone()), StopFlag::new());
        let flag = stop.clone();
        let source = BufReader::new(Source { lines, rest: Vec::new() });
        let run = move || analysis::run(source, Sink(answers), stderr, settings, closing, &flag).expect("the settings are sound");
        Self { input: Some(input), output, read: Vec::new(), messages, service: Some(thread::spawn(run)), stop }
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        // A service that has ended takes no more, as a pipe does.
        let _ = self.input.as_ref().expect("the input is open").send(bytes.to_vec());
    }

    pub fn send(&mut self, line: &Value) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// The next line; nothing at the end.
    pub fn line(&mut self) -> Option<Value> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(end) = self.read.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.read.drain(..=end).collect();
                let object: Value = serde_json::from_slice(&line).expect("a line is JSON");
                assert!(object.is_object(), "{object}");
                return Some(object);
            }
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.read.extend(bytes),
                Err(RecvTimeoutError::Timeout) => panic!("no answer"),
                Err(RecvTimeoutError::Disconnected) => {
                    assert!(self.read.is_empty(), "half a line at the end");
                    return None;
                }
            }
        }
    }

    /// The next line, which must come.
    pub fn next(&mut self) -> Value {
        self.line().expect("the service goes on")
    }

    /// Sends a line and returns the next.
    pub fn ask(&mut self, line: &Value) -> Value {
        self.send(line);
        self.next()
    }

    /// What is wrong with a line: field and words.
    pub fn error(&mut self, line: &Value) -> (String, String) {
        let answer = self.ask(line);
        assert_eq!(answer["id"], line["id"], "{answer}");
        let text = |key: &str| answer[key].as_str().unwrap_or_else(|| panic!("no {key}: {answer}")).to_owned();
        (text("field"), text("error"))
    }

    /// Closes the input and returns all lines that still come.
    pub fn end(mut self) -> Vec<Value> {
        self.input = None;
        let lines = std::iter::from_fn(|| self.line()).collect();
        self.service.take().expect("ends once").join().expect("the service does not panic");
        lines
    }

    pub fn messages(&self) -> String {
        String::from_utf8(self.messages.lock().expect("no writer panicked").clone()).expect("messages are UTF-8")
    }
}

/// A query about a small board, with `more` fields.
pub fn query(id: &str, more: Value) -> Value {
    let mut query =
        json!({ "id": id, "rules": "chinese", "komi": 6.5, "boardXSize": 5, "boardYSize": 5, "moves": [], "maxVisits": 20 });
    let Value::Object(more) = more else { panic!("fields are an object") };
    query.as_object_mut().expect("it is one").extend(more);
    query
}
