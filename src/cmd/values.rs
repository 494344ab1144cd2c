//! Readers of flag values that several commands take.

use std::time::Duration;

use crate::board::Size;
use crate::util::seconds;

/// A board: one number for a square, or `WIDTHxHEIGHT`.
pub(super) fn read_size(text: &str) -> Result<Size, String> {
    let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
    let sides = width.parse().ok().zip(height.parse().ok());
    let (width, height) = sides.ok_or("this takes a number, or two such as 9x13")?;
    Size::new(width, height).map_err(|error| error.to_string())
}

/// Points that White gets.
pub(super) fn read_komi(text: &str) -> Result<f32, String> {
    let komi = text.parse().ok().filter(|komi: &f32| komi.abs() <= 1000.0);
    komi.ok_or_else(|| "this takes a number of points from -1000 to 1000, such as 7.5".to_owned())
}

pub(super) fn at_least_1(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| "this takes a number from 1".to_owned())
}

pub(super) fn read_seconds(text: &str) -> Result<Duration, String> {
    text.parse().ok().and_then(seconds).ok_or_else(|| "this takes a number of seconds, such as 0.5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{read_komi, read_size};

    #[test]
    fn sizes() {
        assert_eq!(read_size("9X13").unwrap().to_string(), "9x13");
        assert_eq!(read_size("9").unwrap().to_string(), "9x9");
        for bad in ["9x", "1", "26", "9x9x9", ""] {
            assert!(read_size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn komi() {
        assert_eq!(read_komi("-3.5"), Ok(-3.5));
        for bad in ["", "NaN", "inf", "1e30", "7,5"] {
            assert!(read_komi(bad).is_err(), "{bad}");
        }
    }
}
