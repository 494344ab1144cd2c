//! The words and floats of a network file, one after the other.

use std::fmt::Display;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::ops::RangeInclusive;
use std::str::FromStr;

use flate2::bufread::MultiGzDecoder;

use super::RAW_FLOATS;
use super::flaw::{Flaw, grouped};

/// No file unpacks to more: a few kilobytes of gzip can stand for gigabytes. The largest public networks have 1 GB.
const MOST_BYTES: u64 = 4 << 30;
/// No network has more weights; the largest public ones have 0.3 thousand million.
const MOST_WEIGHTS: usize = 1 << 30;
/// Longest word, in bytes.
const LONGEST_WORD: usize = 1024;
/// How much is unpacked at a time, in bytes: fits the second-level cache.
const UNPACKED: usize = 1 << 16;
/// How much is converted at a time, in bytes: fits the first-level cache.
const CHUNK: usize = 1 << 14;
/// So many floats of a block may be made room for before any has arrived: the layers of most networks fit without moving.
const RESERVED: usize = 1 << 20;
/// First bytes of a gzip file (RFC 1952).
const GZIP: &[u8] = &[0x1f, 0x8b];

/// A file being read. Nothing is allocated on its word alone: what it says it holds is kept only as it arrives.
pub(super) struct Source<'a> {
    input: BufReader<io::Take<Box<dyn Read + 'a>>>,
    weights_left: usize,
    /// The place that is being read, from the outside in. Left as it is by an error.
    place: Vec<String>,
}

impl<'a> Source<'a> {
    /// Reads `input`, unpacking it if it is compressed.
    pub(super) fn new(mut input: impl BufRead + 'a) -> Result<Self, Flaw> {
        let is_packed = input.fill_buf().map_err(unreadable)?.starts_with(GZIP);
        let input: Box<dyn Read + 'a> = if is_packed { Box::new(MultiGzDecoder::new(input)) } else { Box::new(input) };
        Ok(Self {
            input: BufReader::with_capacity(UNPACKED, input.take(MOST_BYTES)),
            weights_left: MOST_WEIGHTS,
            place: Vec::new(),
        })
    }

    /// Where reading stopped.
    pub(super) fn into_place(self) -> Vec<String> {
        self.place
    }

    /// Begins a part, called `role` in errors.
    pub(super) fn enter(&mut self, role: &str) {
        self.place.push(role.to_owned());
    }

    /// Ends it.
    pub(super) fn leave(&mut self) {
        self.place.pop();
    }

    /// Reads to the end: only there gzip's checksum tells whether all arrived as it was.
    pub(super) fn finish(&mut self) -> Result<(), Flaw> {
        io::copy(&mut self.input, &mut io::sink()).map(drop).map_err(unreadable)
    }

    /// The next bytes, none at the end.
    fn peek(&mut self) -> Result<&[u8], Flaw> {
        // A compressed file that was cut ends like any other: what is missing is said by whoever needs it.
        let is_over = match self.input.fill_buf() {
            Ok(bytes) => bytes.is_empty(),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => true,
            Err(error) => return Err(unreadable(error)),
        };
        if is_over && self.input.get_ref().limit() == 0 {
            return Err(Flaw::TooLarge(format!("over {} bytes", grouped(MOST_BYTES))));
        }
        Ok(if is_over { &[] } else { self.input.buffer() })
    }

    fn skip_space(&mut self) -> Result<(), Flaw> {
        loop {
            let bytes = self.peek()?;
            let count = bytes.len();
            let space = bytes.iter().position(|byte| !byte.is_ascii_whitespace());
            self.input.consume(space.unwrap_or(count));
            if space.is_some() || count == 0 {
                return Ok(());
            }
        }
    }

    /// The next word into `word`; empty at the end of the file.
    fn word_into(&mut self, word: &mut Vec<u8>) -> Result<(), Flaw> {
        word.clear();
        self.skip_space()?;
        loop {
            let bytes = self.peek()?;
            let count = bytes.len();
            let end = bytes.iter().position(u8::is_ascii_whitespace);
            word.extend_from_slice(&bytes[..end.unwrap_or(count)]);
            self.input.consume(end.unwrap_or(count));
            if word.len() > LONGEST_WORD {
                return Err(Flaw::TooLarge(format!("the word {}", printable(word))));
            }
            if end.is_some() || count == 0 {
                return Ok(());
            }
        }
    }

    /// The next word.
    pub(super) fn word(&mut self, field: &'static str) -> Result<String, Flaw> {
        let mut word = Vec::new();
        self.word_into(&mut word)?;
        if word.is_empty() {
            return Err(Flaw::Ends(field));
        }
        String::from_utf8(word).map_err(|error| wrong(field, "a word", printable(error.as_bytes())))
    }

    /// The next word as the name of the part that is being read.
    pub(super) fn name(&mut self) -> Result<String, Flaw> {
        let name = self.word("its name")?;
        if let Some(part) = self.place.last_mut() {
            *part = format!("{part} '{name}'");
        }
        Ok(name)
    }

    /// The next word as a number.
    fn number<T: FromStr>(&mut self, field: &'static str, expected: &str) -> Result<T, Flaw> {
        let word = self.word(field)?;
        word.parse().map_err(|_| wrong(field, expected, printable(word.as_bytes())))
    }

    /// A whole number from `range`.
    pub(super) fn count(&mut self, field: &'static str, range: RangeInclusive<usize>) -> Result<usize, Flaw> {
        let expected = format!("a number from {} to {}", range.start(), range.end());
        let number = self.number(field, &expected)?;
        if range.contains(&number) { Ok(number) } else { Err(wrong(field, expected, number)) }
    }

    /// A whole number that is known already.
    pub(super) fn exactly(&mut self, field: &'static str, expected: usize) -> Result<(), Flaw> {
        let found: usize = self.number(field, &expected.to_string())?;
        if found == expected { Ok(()) } else { Err(wrong(field, expected, found)) }
    }

    /// 0 or 1.
    pub(super) fn flag(&mut self, field: &'static str) -> Result<bool, Flaw> {
        match self.word(field)?.as_str() {
            "0" => Ok(false),
            "1" => Ok(true),
            found => Err(wrong(field, "0 or 1", printable(found.as_bytes()))),
        }
    }

    /// `count` fields that later versions may give a meaning.
    pub(super) fn reserved(&mut self, count: usize) -> Result<(), Flaw> {
        (0..count).try_for_each(|_| self.exactly("reserved field", 0))
    }

    /// A float above 0.
    pub(super) fn positive(&mut self, field: &'static str) -> Result<f32, Flaw> {
        const EXPECTED: &str = "a number above 0";
        let number: f32 = self.number(field, EXPECTED)?;
        if number > 0.0 && number.is_finite() { Ok(number) } else { Err(wrong(field, EXPECTED, number)) }
    }

    /// A block of as many floats as the product of `sizes`.
    pub(super) fn floats(&mut self, what: &'static str, sizes: &[usize]) -> Result<Vec<f32>, Flaw> {
        let too_large =
            || Flaw::TooLarge(format!("{} {what}", sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(" x ")));
        let count = sizes.iter().try_fold(1_usize, |product, &size| product.checked_mul(size)).ok_or_else(too_large)?;
        self.weights_left = self.weights_left.checked_sub(count).ok_or_else(too_large)?;
        self.skip_space()?;
        match self.peek()?.first() {
            Some(b'@') => self.raw_floats(what, count),
            _ => self.decimal_floats(what, count),
        }
    }

    fn raw_floats(&mut self, what: &'static str, count: usize) -> Result<Vec<f32>, Flaw> {
        let mut head = [0; RAW_FLOATS.len()];
        let arrived = self.fill(&mut head)?;
        if head != RAW_FLOATS {
            return Err(wrong(what, "a block that begins with @BIN@", printable(&head[..arrived])));
        }
        let (mut floats, mut chunk) = (Vec::with_capacity(count.min(RESERVED)), [0; CHUNK]);
        while floats.len() < count {
            let chunk = &mut chunk[..CHUNK.min(4 * (count - floats.len()))];
            let arrived = self.fill(chunk)? / 4;
            let start = floats.len();
            floats.extend(chunk.as_chunks().0[..arrived].iter().map(|&bytes| f32::from_le_bytes(bytes)));
            if let Some(i) = floats[start..].iter().position(|float| !float.is_finite()) {
                return Err(Flaw::Weight { what, index: start + i, count, found: floats[start + i].to_string() });
            }
            if 4 * arrived < chunk.len() {
                return Err(Flaw::EndsAmid { what, arrived: floats.len(), expected: count });
            }
        }
        floats.shrink_to_fit();
        Ok(floats)
    }

    fn decimal_floats(&mut self, what: &'static str, count: usize) -> Result<Vec<f32>, Flaw> {
        let (mut floats, mut word) = (Vec::with_capacity(count.min(RESERVED)), Vec::new());
        for index in 0..count {
            self.word_into(&mut word)?;
            if word.is_empty() {
                return Err(Flaw::EndsAmid { what, arrived: index, expected: count });
            }
            let float = str::from_utf8(&word).ok().and_then(|word| word.parse().ok()).filter(|float: &f32| float.is_finite());
            floats.push(float.ok_or_else(|| Flaw::Weight { what, index, count, found: printable(&word) })?);
        }
        floats.shrink_to_fit();
        Ok(floats)
    }

    /// Fills `bytes` as far as the file goes; how far that is.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<usize, Flaw> {
        let mut filled = 0;
        while filled < bytes.len() {
            let next = self.peek()?;
            let count = next.len().min(bytes.len() - filled);
            if count == 0 {
                break;
            }
            bytes[filled..filled + count].copy_from_slice(&next[..count]);
            self.input.consume(count);
            filled += count;
        }
        Ok(filled)
    }
}

/// The flaw of a file that cannot be read on.
fn unreadable(error: io::Error) -> Flaw {
    match error.kind() {
        ErrorKind::InvalidInput | ErrorKind::InvalidData | ErrorKind::UnexpectedEof => Flaw::Damaged(error),
        _ => Flaw::Read(error),
    }
}

/// The flaw of a field that is not as it must be.
pub(super) fn wrong(field: &'static str, expected: impl Display, found: impl Display) -> Flaw {
    Flaw::Field { field, expected: expected.to_string(), found: found.to_string() }
}

/// A word from a file, fit to be shown: short, on one line, in quotes.
fn printable(word: &[u8]) -> String {
    const LONGEST: usize = 40;
    let dots = if word.len() > LONGEST { "..." } else { "" };
    format!("'{}'{dots}", word[..word.len().min(LONGEST)].escape_ascii())
}
