//! Readers of flag values that several commands take.

use std::time::Duration;

use crate::board::Size;
use crate::referee::stats::Sprt;
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

/// A sequential test: ELO0,ELO1 and, if they are given, ALPHA,BETA.
pub(super) fn read_sprt(text: &str) -> Result<Sprt, String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    let numbers = numbers.map_err(|_| "this takes two or four numbers, such as 0,10 or 0,10,0.05,0.05")?;
    let (elo0, elo1, alpha, beta) = match numbers[..] {
        [elo0, elo1] => (elo0, elo1, 0.05, 0.05),
        [elo0, elo1, alpha, beta] => (elo0, elo1, alpha, beta),
        _ => return Err("this takes two or four numbers, such as 0,10 or 0,10,0.05,0.05".to_owned()),
    };
    if !(elo0 < elo1 && elo0 >= -2000.0 && elo1 <= 2000.0) {
        return Err("ELO0 must be less than ELO1, and both within 2000".to_owned());
    }
    if [alpha, beta].iter().any(|&rate| !(rate > 0.0 && rate < 0.5)) {
        return Err("ALPHA and BETA must lie between 0 and 0.5".to_owned());
    }
    Ok(Sprt { elo0, elo1, alpha, beta })
}

#[cfg(test)]
mod tests {
    use super::{read_komi, read_size, read_sprt};

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

    #[test]
    fn sequential_tests() {
        let test = read_sprt("0,10,0.1,0.2").unwrap();
        assert_eq!((test.elo0, test.elo1, test.alpha, test.beta), (0.0, 10.0, 0.1, 0.2));
        for bad in ["", "0", "5,5", "10,0", "0,10,0.05", "0,10,0,0.05", "0,10,0.05,0.5", "0,10,nan,0.1", "0,1e9"] {
            assert!(read_sprt(bad).is_err(), "{bad}");
        }
    }
}
