//! Lines on their way from the reading thread to the session.

use std::collections::VecDeque;
use std::io::BufRead;

use parking_lot::{Condvar, Mutex};

use super::parse::Command;
use crate::util::{StopFlag, read_line};

/// The longest line taken, in bytes; the rest of a longer one is dropped. A full board in `set_position` takes 4,000.
pub(crate) const LINE_LIMIT: usize = 1 << 16;
/// Bytes of lines read ahead; beyond that the sender waits.
const READ_AHEAD: usize = 1 << 22;
/// What a line counts on top of its length.
const OVERHEAD: usize = 64;

/// A line that arrived.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A command.
    Command(Command),
    /// A command, cut off at [`LINE_LIMIT`].
    TooLong(Command),
    /// A line without a command. It ends an analysis.
    Blank,
    /// `# interrupt`: GoGui's wish that the command at work come to an end.
    Interrupt,
}

/// Lines that arrived and are not yet taken.
///
/// Its flags change under the same lock as the queue, so none is set late or lost: `arrival` is set while any line waits or
/// the input has ended, `interrupt` while an interruption waits, and `halt` while that or a `stop` command waits.
#[derive(Default)]
pub(crate) struct Inbox {
    queue: Mutex<Queue>,
    changed: Condvar,
    arrival: StopFlag,
    interrupt: StopFlag,
    halt: StopFlag,
}

#[derive(Default)]
struct Queue {
    lines: VecDeque<(Line, usize)>,
    bytes: usize,
    interrupts: usize,
    stops: usize,
    /// No more lines will come.
    ended: bool,
    /// Nobody will take any more.
    abandoned: bool,
}

/// What there is to take.
pub(crate) enum Taken {
    /// A line.
    Line(Line),
    /// Nothing yet.
    Nothing,
    /// Nothing, nor will there be.
    End,
}

impl Inbox {
    /// Set while any line waits: for what ends at any input.
    pub(crate) fn arrival(&self) -> &StopFlag {
        &self.arrival
    }

    /// Set while `# interrupt` waits: for what ends at nothing else.
    pub(crate) fn interrupt(&self) -> &StopFlag {
        &self.interrupt
    }

    /// Set while `# interrupt` or the command `stop` waits.
    pub(crate) fn halt(&self) -> &StopFlag {
        &self.halt
    }

    /// Takes the oldest line; if there is none, waits for one. Nothing at the end.
    pub(crate) fn take(&self) -> Option<Line> {
        let mut queue = self.queue.lock();
        while queue.lines.is_empty() && !queue.ended {
            self.changed.wait(&mut queue);
        }
        self.pop(&mut queue)
    }

    /// Takes the oldest line without waiting.
    pub(crate) fn try_take(&self) -> Taken {
        let mut queue = self.queue.lock();
        match self.pop(&mut queue) {
            Some(line) => Taken::Line(line),
            None if queue.ended => Taken::End,
            None => Taken::Nothing,
        }
    }

    /// Tells the reading thread that nobody will take any more lines.
    pub(crate) fn abandon(&self) {
        self.queue.lock().abandoned = true;
        self.changed.notify_all();
    }

    /// Whether [`Inbox::abandon`] was called.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.queue.lock().abandoned
    }

    /// Ends the input now: what waits is dropped, and whatever looks at a flag ends.
    pub(crate) fn end(&self) {
        let mut queue = self.queue.lock();
        *queue = Queue { ended: true, interrupts: 1, abandoned: queue.abandoned, ..Queue::default() };
        self.show(&queue);
    }

    /// Reads lines to the end of the input, or until they are no longer wanted.
    pub(crate) fn fill(&self, mut input: impl BufRead) {
        let mut text = Vec::new();
        while let Some(whole) = read_line(&mut input, LINE_LIMIT, &mut text) {
            let line = match Command::parse(&text) {
                Some(command) if whole => Line::Command(command),
                Some(command) => Line::TooLong(command),
                None if text.trim_ascii() == b"# interrupt" => Line::Interrupt,
                None => Line::Blank,
            };
            if !self.push(line, text.len() + OVERHEAD) {
                break;
            }
        }
        let mut queue = self.queue.lock();
        queue.ended = true;
        self.show(&queue);
    }

    /// Adds a line, once there is room; false if nobody wants it.
    fn push(&self, line: Line, bytes: usize) -> bool {
        let mut queue = self.queue.lock();
        while queue.bytes > READ_AHEAD && !queue.abandoned {
            self.changed.wait(&mut queue);
        }
        if queue.ended || queue.abandoned {
            return false;
        }
        queue.bytes += bytes;
        queue.count(&line, 1);
        queue.lines.push_back((line, bytes));
        self.show(&queue);
        true
    }

    fn pop(&self, queue: &mut Queue) -> Option<Line> {
        let (line, bytes) = queue.lines.pop_front()?;
        queue.bytes -= bytes;
        queue.count(&line, -1);
        self.show(queue);
        Some(line)
    }

    /// Brings the flags up to date and wakes whoever waits.
    fn show(&self, queue: &Queue) {
        put(&self.arrival, !queue.lines.is_empty() || queue.ended);
        put(&self.interrupt, queue.interrupts > 0);
        put(&self.halt, queue.interrupts + queue.stops > 0);
        self.changed.notify_all();
    }
}

fn put(flag: &StopFlag, stop: bool) {
    if stop {
        flag.set();
    } else {
        flag.clear();
    }
}

impl Queue {
    fn count(&mut self, line: &Line, change: isize) {
        match line {
            Line::Interrupt => self.interrupts = self.interrupts.saturating_add_signed(change),
            Line::Command(command) if command.name == "stop" => self.stops = self.stops.saturating_add_signed(change),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;
    use std::sync::Arc;
    use std::thread;

    use super::{Inbox, LINE_LIMIT, Line};

    fn names(inbox: &Inbox) -> Vec<String> {
        std::iter::from_fn(|| inbox.take())
            .map(|line| match line {
                Line::Command(command) => command.name,
                Line::TooLong(command) => format!("{} cut", command.name),
                other => format!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn lines_in_order_and_then_the_end() {
        let inbox = Inbox::default();
        inbox.fill(&b"1 name\r\n\n# interrupt\n# x\nquit"[..]);
        assert_eq!(names(&inbox), ["name", "Blank", "Interrupt", "Blank", "quit"]);
        assert!(inbox.take().is_none() && inbox.arrival().is_set());
    }

    #[test]
    fn flags_follow_what_waits() {
        let inbox = Inbox::default();
        assert!(!inbox.arrival().is_set());
        inbox.push(Line::Blank, 1);
        assert!(inbox.arrival().is_set() && !inbox.interrupt().is_set() && !inbox.halt().is_set());
        inbox.push(Line::Interrupt, 1);
        assert!(inbox.interrupt().is_set() && inbox.halt().is_set());
        inbox.take();
        inbox.take();
        assert!(!inbox.arrival().is_set() && !inbox.interrupt().is_set() && !inbox.halt().is_set());
        inbox.push(Line::Command(super::Command::parse(b"3 stop").unwrap()), 1);
        assert!(!inbox.interrupt().is_set() && inbox.halt().is_set());
        inbox.take();
        assert!(!inbox.halt().is_set());
    }

    #[test]
    fn a_line_without_end_takes_no_memory() {
        let mut text = b"name ".to_vec();
        text.resize(5 * LINE_LIMIT, b'x');
        text.extend(b"\nversion\n");
        let inbox = Inbox::default();
        inbox.fill(BufReader::with_capacity(1000, &text[..]));
        assert!(inbox.queue.lock().bytes < LINE_LIMIT + 1000);
        assert_eq!(names(&inbox), ["name cut", "version"]);
    }

    #[test]
    fn lines_of_just_the_limit() {
        for (length, cut) in [(LINE_LIMIT - 1, ""), (LINE_LIMIT, " cut"), (LINE_LIMIT + 1, " cut")] {
            let inbox = Inbox::default();
            let mut text = b"name ".to_vec();
            text.resize(length, b'x');
            inbox.fill(&[&text, &b"\nversion"[..]].concat()[..]);
            assert_eq!(names(&inbox), [format!("name{cut}"), "version".to_owned()]);
        }
    }

    #[test]
    fn the_reader_waits_and_goes_when_nobody_wants_more() {
        let inbox = Arc::new(Inbox::default());
        let reader = thread::spawn({
            let inbox = inbox.clone();
            move || inbox.fill(BufReader::new(std::io::repeat(b'\n')))
        });
        for _ in 0..1000 {
            assert_eq!(inbox.take(), Some(Line::Blank));
        }
        inbox.abandon();
        reader.join().unwrap();
        assert!(inbox.queue.lock().bytes < 2 * super::READ_AHEAD);
    }
}
