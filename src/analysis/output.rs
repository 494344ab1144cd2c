//! Lines out, from any thread.

use std::io::{self, Write};

use parking_lot::Mutex;
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};

use super::fields::Flaw;

/// Where answers go, a line each.
pub(super) struct Output {
    sink: Mutex<Sink>,
}

struct Sink {
    to: Box<dyn Write + Send>,
    /// Nobody reads any more.
    broken: bool,
    /// Why, if not because the client has gone.
    error: Option<io::Error>,
}

/// Writes numbers as every client reads them: with a decimal point and without exponent.
struct Plain;

impl Formatter for Plain {
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        let text = format!("{value:.8}");
        let text = text.trim_end_matches('0');
        writer.write_all(text.as_bytes())?;
        if text.ends_with('.') { writer.write_all(b"0") } else { Ok(()) }
    }
}

impl Output {
    pub(super) fn new(to: impl Write + Send + 'static) -> Self {
        Self { sink: Mutex::new(Sink { to: Box::new(to), broken: false, error: None }) }
    }

    /// Whether nobody reads any more.
    pub(super) fn is_broken(&self) -> bool {
        self.sink.lock().broken
    }

    /// Why nothing can be written any more, if that is not for the client's going.
    pub(super) fn take_error(&self) -> Option<io::Error> {
        self.sink.lock().error.take()
    }

    /// Writes an answer.
    pub(super) fn answer(&self, answer: &Value) {
        self.line(answer, Plain);
    }

    /// Writes back what was sent, as it was.
    pub(super) fn echo(&self, object: &Value) {
        self.line(object, CompactFormatter);
    }

    /// Writes that something is wrong, or if it is a `warning` odd, with the query's id if it has one.
    pub(super) fn complain(&self, id: Option<&str>, flaw: &Flaw, is_warning: bool) {
        let mut object = serde_json::Map::new();
        object.insert(if is_warning { "warning" } else { "error" }.to_owned(), flaw.what.clone().into());
        if let Some(field) = &flaw.field {
            object.insert("field".to_owned(), field.clone().into());
        }
        if let Some(id) = id {
            object.insert("id".to_owned(), id.into());
        }
        self.line(&Value::Object(object), CompactFormatter);
    }

    fn line(&self, value: &Value, formatter: impl Formatter) {
        let mut line = Vec::new();
        value.serialize(&mut Serializer::with_formatter(&mut line, formatter)).expect("a value has a JSON form");
        line.push(b'\n');
        let mut sink = self.sink.lock();
        if sink.broken {
            return;
        }
        if let Err(error) = sink.to.write_all(&line).and_then(|()| sink.to.flush()) {
            sink.broken = true;
            // A client that has gone is no fault; a full disk is.
            if error.kind() != io::ErrorKind::BrokenPipe {
                sink.error = Some(error);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Plain, Serializer, Value};
    use serde::Serialize;

    #[test]
    fn numbers_have_a_point_and_no_exponent() {
        let value: Value = serde_json::json!([0.0, 1.0, -0.25, 1e-7, 1e-12, 123_456_789_012.5, 7, 0.1f32]);
        let mut text = Vec::new();
        value.serialize(&mut Serializer::with_formatter(&mut text, Plain)).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "[0.0,1.0,-0.25,0.0000001,0.0,123456789012.5,7,0.1]");
    }
}
