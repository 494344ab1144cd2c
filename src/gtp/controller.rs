//! The controlling side of GTP: another engine's process, asked one command at a time.
//!
//! Nothing an engine does reaches further than a [`Failure`]: its output is read by threads of their own, a reply has a
//! deadline, lines and logs are bounded, and the process is gone when the [`Controller`] is.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// The longest line read from an engine, in bytes; the rest of a longer one counts as another line.
const LINE_LIMIT: u64 = 1 << 20;
/// Lines of an engine's own messages that are kept, the newest.
const LOG_LINES: usize = 30;
/// Characters kept of each of them.
const LOG_WIDTH: usize = 300;
/// Lines of output read ahead; after that the engine waits until it is asked for something.
const READ_AHEAD: usize = 1000;
/// How often a process told to quit is looked at.
const POLL: Duration = Duration::from_millis(5);

/// Why an engine gave no answer, or not a good one.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The command line cannot be read.
    #[error("the command line [{command}] has a quote that is not closed, or names no program")]
    CommandLine {
        /// The command line.
        command: String,
    },
    /// The process could not be started.
    #[error("cannot start '{program}': {error}")]
    Start {
        /// The program.
        program: String,
        /// What the system says.
        error: io::Error,
    },
    /// The process has ended, or closed its output.
    #[error("the engine ended at '{command}' ({status}{})", if last_words.is_empty() { String::new() } else { format!("; its last words: {last_words}") })]
    Ended {
        /// The command it should have answered.
        command: String,
        /// Its exit status in words.
        status: String,
        /// Its last message that is not blank.
        last_words: String,
    },
    /// No reply within the time allowed.
    #[error("no reply to '{command}' in {:.1} s{}", limit.as_secs_f64(), chatter.as_ref().map_or(String::new(), |line| format!(", but the line '{line}'")))]
    Late {
        /// The command it should have answered.
        command: String,
        /// The time allowed.
        limit: Duration,
        /// The last line written instead of a reply, if any.
        chatter: Option<String>,
    },
    /// An error reply: `? message`.
    #[error("'{command}' was refused: {message}")]
    Refused {
        /// The command.
        command: String,
        /// The engine's message.
        message: String,
    },
}

impl Failure {
    /// A move that came after `limit`, although it came.
    pub fn late_move(limit: Duration) -> Self {
        Self::Late { command: "genmove".to_owned(), limit, chatter: None }
    }
}

/// A running engine.
pub struct Controller {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    log: Log,
}

impl Controller {
    /// Starts the engine of a command line: a program and its arguments, see [`split`].
    ///
    /// It gets a process group of its own, so that Ctrl-C at the keyboard reaches the controlling program alone.
    ///
    /// # Errors
    /// If the command line cannot be read or the program cannot be started.
    pub fn start(command: &str) -> Result<Self, Failure> {
        let words = split(command).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| Failure::CommandLine { command: command.to_owned() })?;
        let mut process = Command::new(&words[0]);
        process.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        own_group(&mut process);
        let failed = |error| Failure::Start { program: words[0].clone(), error };
        let mut child = process.spawn().map_err(failed)?;
        let log = Log::default();
        let (sender, lines) = sync_channel(READ_AHEAD);
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(messages)) = pipes else { unreachable!("all three were asked for") };
        let notes = log.clone();
        thread::Builder::new().name("gtp-stdout".into()).spawn(move || forward(output, &sender)).map_err(failed)?;
        thread::Builder::new().name("gtp-stderr".into()).spawn(move || notes.follow(messages)).map_err(failed)?;
        Ok(Self { child, input: Some(input), lines, log })
    }

    /// Sends a command and returns its reply, without `=`, its lines separated by `\n`.
    ///
    /// Lines before the reply that are none (a greeting of a wrapper script, say) go to the log.
    ///
    /// # Errors
    /// If there is no reply within `limit`, the engine has ended, or it refuses. After any but the last of these it is of no
    /// more use.
    pub fn ask(&mut self, command: &str, limit: Duration) -> Result<String, Failure> {
        let deadline = Instant::now() + limit;
        while let Ok(line) = self.lines.try_recv() {
            self.note_chatter(&line);
        }
        let sent = match &mut self.input {
            Some(input) => writeln!(input, "{command}").and_then(|()| input.flush()).is_ok(),
            None => false,
        };
        if !sent {
            return Err(self.ended(command));
        }
        let mut chatter = None;
        let mut reply: Option<(bool, String)> = None;
        loop {
            let line = match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => return Err(Failure::Late { command: command.to_owned(), limit, chatter }),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(command)),
            };
            match (&mut reply, line.trim().is_empty()) {
                (None, true) => {}
                (None, false) => {
                    reply = begin_reply(&line);
                    if reply.is_none() {
                        self.note_chatter(&line);
                        chatter = Some(shorten(&line));
                    }
                }
                (Some(_), true) => break,
                (Some((_, text)), false) => {
                    text.push('\n');
                    text.push_str(&line);
                }
            }
        }
        match reply {
            Some((false, message)) => Err(Failure::Refused { command: command.to_owned(), message: message.trim().to_owned() }),
            good => Ok(good.map(|(_, text)| text.trim().to_owned()).unwrap_or_default()),
        }
    }

    /// The engine's last messages: its standard error output, and what it wrote to its standard output that was no reply.
    pub fn log(&self) -> String {
        self.log.text()
    }

    /// Ends the engine: `quit`, then up to `patience` for it to go, then a kill.
    pub fn quit(mut self, patience: Duration) {
        if let Some(mut input) = self.input.take() {
            // It may be gone already; then there is nobody to tell.
            let _ = writeln!(input, "quit");
        }
        let deadline = Instant::now() + patience;
        while Instant::now() < deadline && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(POLL);
        }
    }

    fn note_chatter(&self, line: &str) {
        self.log.push(&format!("(stdout) {line}"));
    }

    /// The failure of an engine whose pipes are closed; gives it a moment to leave an exit status.
    fn ended(&mut self, command: &str) -> Failure {
        let deadline = Instant::now() + Duration::from_millis(500);
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break status.to_string(),
                Ok(None) if Instant::now() < deadline => thread::sleep(POLL),
                _ => break "it still runs, but closed its input or output".to_owned(),
            }
        };
        // Its last words may still be on their way through the other thread.
        thread::sleep(4 * POLL);
        let last_words = self.log().lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().to_owned();
        Failure::Ended { command: command.to_owned(), status, last_words }
    }
}

impl Drop for Controller {
    fn drop(&mut self) {
        // Both fail only where the process is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Splits a command line into words, by one rule on every system: blanks separate words, and everything between two `"` or
/// two `'` is taken as it stands. A backslash is a letter like any other, for Windows' sake. Nothing if a quote is not closed.
pub fn split(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' | '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next()? {
                        end if end == letter => break,
                        inside => word.push(inside),
                    }
                }
            }
            blank if blank.is_whitespace() => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Some(words)
}

/// `word` as [`split`] gives it back, whatever is in it.
pub fn quote(word: &str) -> String {
    format!("\"{}\"", word.replace('"', "\"'\"'\""))
}

/// Whether a line begins a reply: success or error, and the text after `=` or `?` and the id.
fn begin_reply(line: &str) -> Option<(bool, String)> {
    let good = line.starts_with('=');
    let text = line.strip_prefix(['=', '?'])?;
    let text = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    (text.is_empty() || text.starts_with(' ')).then(|| (good, text.trim().to_owned()))
}

/// Sends the lines of an engine's output on, cleaned of control characters, until either side hangs up.
fn forward(output: impl Read, sender: &SyncSender<String>) {
    each_line(output, |line| sender.send(line).is_ok());
}

/// Calls `take` with each line, without its end and control characters, a tab as a blank; until it answers no, or the end.
fn each_line(source: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut source = BufReader::new(source);
    let mut line = Vec::new();
    loop {
        line.clear();
        match source.by_ref().take(LINE_LIMIT).read_until(b'\n', &mut line) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let text = String::from_utf8_lossy(&line).replace('\t', " ");
                if !take(text.chars().filter(|letter| !letter.is_control()).collect()) {
                    return;
                }
            }
        }
    }
}

fn shorten(line: &str) -> String {
    line.chars().take(LOG_WIDTH).collect()
}

#[cfg(unix)]
fn own_group(process: &mut Command) {
    std::os::unix::process::CommandExt::process_group(process, 0);
}

#[cfg(windows)]
fn own_group(process: &mut Command) {
    /// CREATE_NEW_PROCESS_GROUP, from Microsoft's list of process creation flags.
    const NEW_PROCESS_GROUP: u32 = 0x200;
    std::os::windows::process::CommandExt::creation_flags(process, NEW_PROCESS_GROUP);
}

#[cfg(not(any(unix, windows)))]
fn own_group(_: &mut Command) {}

/// The newest lines of a stream.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<VecDeque<String>>>);

impl Log {
    fn push(&self, line: &str) {
        let mut lines = self.0.lock();
        if lines.len() == LOG_LINES {
            lines.pop_front();
        }
        lines.push_back(shorten(line));
    }

    fn follow(&self, source: impl Read) {
        each_line(source, |line| {
            self.push(&line);
            true
        });
    }

    fn text(&self) -> String {
        self.0.lock().iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::{Controller, Failure, begin_reply, each_line, split};

    #[test]
    fn command_lines() {
        let words = |line: &str| split(line).map(|words| words.join("|"));
        assert_eq!(words("gnugo --mode gtp").unwrap(), "gnugo|--mode|gtp");
        assert_eq!(words("  a\t b  ").unwrap(), "a|b");
        assert_eq!(words(r#""C:\Program Files\Go\gnugo.exe" --mode=gtp"#).unwrap(), r"C:\Program Files\Go\gnugo.exe|--mode=gtp");
        assert_eq!(words(r#"x --name='"Ä" b' "" c"d e"f"#).unwrap(), r#"x|--name="Ä" b||cd ef"#);
        assert_eq!(words("").unwrap(), "");
        assert_eq!(words("a 'b"), None);
        assert_eq!(words("it's"), None);
    }

    #[test]
    fn replies() {
        let begins = |line| begin_reply(line).map(|(good, text)| format!("{good} {text}"));
        assert_eq!(begins("= D4").unwrap(), "true D4");
        assert_eq!(begins("=12 D4 ").unwrap(), "true D4");
        assert_eq!(begins("=").unwrap(), "true ");
        assert_eq!(begins("? no").unwrap(), "false no");
        assert_eq!(begins("?3 no").unwrap(), "false no");
        assert_eq!(begins("D4"), None);
        assert_eq!(begins("=====").or(begins("?!")), None);
    }

    #[test]
    fn lines_lose_their_ends_and_controls() {
        let mut lines = Vec::new();
        each_line(&b"= D4\r\n\r\na\tb\x07\n\xffend"[..], |line| {
            lines.push(line);
            true
        });
        assert_eq!(lines, ["= D4", "", "a b", "\u{fffd}end"]);
    }

    #[test]
    fn a_program_that_is_not_there() {
        let failure = Controller::start("/no/such/engine --x").err().unwrap();
        assert!(matches!(&failure, Failure::Start { program, .. } if program == "/no/such/engine"), "{failure}");
        assert!(matches!(Controller::start(" "), Err(Failure::CommandLine { .. })));
    }
}
