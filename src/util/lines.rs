//! Lines of input that may be of any length.

use std::io::{self, BufRead, Read};

/// Reads a line into `text`, without its end; at most `limit` bytes of it. Whether that was all of it, or nothing at the end of the input.
/// Input that cannot be read has ended.
pub fn read_line(input: &mut impl BufRead, limit: usize, text: &mut Vec<u8>) -> Option<bool> {
    text.clear();
    retry(|| input.by_ref().take(limit as u64).read_until(b'\n', text))?;
    if text.is_empty() {
        return None;
    }
    let whole = text.pop_if(|byte| *byte == b'\n').is_some() || text.len() < limit;
    let mut ended = whole;
    while !ended {
        let (skip, found) = retry(|| {
            let buffer = input.fill_buf()?;
            let end = buffer.iter().position(|&byte| byte == b'\n');
            Ok((end.map_or(buffer.len(), |end| end + 1), end.is_some()))
        })?;
        input.consume(skip);
        ended = found || skip == 0;
    }
    Some(whole)
}

/// Does it again as long as a signal gets in the way; nothing on any other error.
fn retry<T>(mut read: impl FnMut() -> io::Result<T>) -> Option<T> {
    loop {
        match read() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result.ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::read_line;

    #[test]
    fn lines_are_whole_or_cut_at_the_limit() {
        let mut input = &b"abc\nabcdef\n\nxy"[..];
        let mut text = Vec::new();
        let mut next = || read_line(&mut input, 4, &mut text).map(|whole| (String::from_utf8(text.clone()).unwrap(), whole));
        assert_eq!(next(), Some(("abc".to_owned(), true)));
        assert_eq!(next(), Some(("abcd".to_owned(), false)));
        assert_eq!(next(), Some((String::new(), true)));
        assert_eq!(next(), Some(("xy".to_owned(), true)));
        assert_eq!(next(), None);
    }
}
