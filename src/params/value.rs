//! The types a parameter can have: how each is read and written, and what may be said of its range.

use crate::util::seconds;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Bytes in a MiB.
pub const MIB: u64 = 1 << 20;

/// What a parameter's values look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number.
    Int,
    /// A number.
    Float,
    /// `true` or `false`.
    Bool,
    /// A number of bytes, such as `256MiB`.
    Bytes,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Words of which this says what there are.
    Words(&'static str),
    /// Any text.
    Text,
}

/// The numbers that a parameter may have, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least.
    pub low: f64,
    /// The most.
    pub high: f64,
}

/// A type that a parameter can have.
pub(crate) trait Value: Sized {
    /// What its values look like.
    const KIND: Kind;
    /// Whether `none` is one of them.
    const OPTIONAL: bool = false;

    /// Reads a value; nothing if the text is none.
    fn parse(text: &str) -> Option<Self>;

    /// The number that a range is about; nothing if the value is no number.
    fn number(&self) -> Option<f64>;

    /// The text that [`Value::parse`] reads back as the same value.
    fn show(&self) -> String;
}

/// Reads a value and checks its range; nothing if either fails.
pub(crate) fn read<T: Value>(text: &str, range: Option<Range>) -> Option<T> {
    let value = T::parse(text)?;
    match (range, value.number()) {
        (Some(range), Some(number)) => (range.low..=range.high).contains(&number).then_some(value),
        _ => Some(value),
    }
}

/// Numbers and truth values read and write themselves.
macro_rules! plain {
    ($($type:ty, $kind:ident, $number:expr;)+) => {$(
        impl Value for $type {
            const KIND: Kind = Kind::$kind;

            fn parse(text: &str) -> Option<Self> {
                text.parse().ok()
            }

            fn number(&self) -> Option<f64> {
                $number(*self)
            }

            fn show(&self) -> String {
                self.to_string()
            }
        }
    )+};
}

plain! {
    u32, Int, |n| Some(f64::from(n));
    u64, Int, |n| Some(n as f64);
    f32, Float, |n| Some(f64::from(n));
    bool, Bool, |_| None;
}

impl Value for Duration {
    const KIND: Kind = Kind::Float;

    /// Reads seconds.
    fn parse(text: &str) -> Option<Self> {
        seconds(text.parse().ok()?)
    }

    fn number(&self) -> Option<f64> {
        Some(self.as_secs_f64())
    }

    fn show(&self) -> String {
        self.as_secs_f64().to_string()
    }
}

impl Value for String {
    const KIND: Kind = Kind::Text;

    fn parse(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }

    fn number(&self) -> Option<f64> {
        None
    }

    fn show(&self) -> String {
        self.clone()
    }
}

impl Value for PathBuf {
    const KIND: Kind = Kind::Words("a file");

    fn parse(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| Self::from(text))
    }

    fn number(&self) -> Option<f64> {
        None
    }

    fn show(&self) -> String {
        self.to_string_lossy().into_owned()
    }
}

/// Where an engine's network comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkFile {
    /// There is none.
    None,
    /// It is the one that the program carries.
    Embedded,
    /// It is in this file.
    At(PathBuf),
}

impl NetworkFile {
    /// The network of this name: `none`, `embedded`, or else a file's.
    pub fn named(name: &Path) -> Self {
        match name.to_str() {
            Some("none") => Self::None,
            Some("embedded") => Self::Embedded,
            _ => Self::At(name.to_owned()),
        }
    }
}

impl Value for NetworkFile {
    const KIND: Kind = Kind::Words("a file, embedded, or none");

    fn parse(text: &str) -> Option<Self> {
        (!text.is_empty()).then(|| Self::named(Path::new(text)))
    }

    fn number(&self) -> Option<f64> {
        None
    }

    fn show(&self) -> String {
        match self {
            Self::None => "none".to_owned(),
            Self::Embedded => "embedded".to_owned(),
            Self::At(file) => file.to_string_lossy().into_owned(),
        }
    }
}

impl<T: Value> Value for Option<T> {
    const KIND: Kind = T::KIND;
    const OPTIONAL: bool = true;

    fn parse(text: &str) -> Option<Self> {
        if text == "none" { Some(None) } else { T::parse(text).map(Some) }
    }

    fn number(&self) -> Option<f64> {
        self.as_ref().and_then(T::number)
    }

    fn show(&self) -> String {
        self.as_ref().map_or_else(|| "none".to_owned(), T::show)
    }
}

/// An amount of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    /// In the largest unit that divides it: `1GiB`, `768MiB`, `1000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = UNITS.iter().find(|(_, bytes)| self.0 > 0 && self.0.is_multiple_of(*bytes));
        match unit {
            Some((name, bytes)) => write!(f, "{}{name}", self.0 / bytes),
            None => write!(f, "{}", self.0),
        }
    }
}

impl std::str::FromStr for Bytes {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        <Self as Value>::parse(text).ok_or("this takes an amount of memory, such as 256MiB")
    }
}

/// Units of memory, the largest first.
const UNITS: [(&str, u64); 4] = [("TiB", MIB << 20), ("GiB", MIB << 10), ("MiB", MIB), ("KiB", 1 << 10)];

impl Value for Bytes {
    const KIND: Kind = Kind::Bytes;

    /// Reads `256MiB`, `256M`, `1.5 GiB` or a plain number of bytes, in any case. A thousand is always 1024 here.
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_uppercase();
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = &text[digits.len()..];
        let factor = match unit {
            "" | "B" => 1,
            _ => {
                UNITS
                    .iter()
                    .find(|(name, _)| [&name[..1], &format!("{}B", &name[..1]), &name.to_ascii_uppercase()].contains(&unit))?
                    .1
            }
        };
        let amount: f64 = digits.trim_end().parse().ok()?;
        (amount >= 0.0 && amount.is_finite()).then_some(Self((amount * factor as f64) as u64))
    }

    fn number(&self) -> Option<f64> {
        Some(self.0 as f64)
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

/// How playouts choose their moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayoutPolicy {
    /// Any legal move that fills no own eye, all with the same probability.
    Uniform,
    /// Captures, ataris, patterns and more, as [`PlayoutParams`](super::PlayoutParams) says.
    Light,
}

impl Value for PlayoutPolicy {
    const KIND: Kind = Kind::Choice(&["uniform", "light"]);

    fn parse(text: &str) -> Option<Self> {
        [Self::Uniform, Self::Light].into_iter().find(|policy| policy.show() == text)
    }

    fn number(&self) -> Option<f64> {
        None
    }

    fn show(&self) -> String {
        match self {
            Self::Uniform => "uniform",
            Self::Light => "light",
        }
        .to_owned()
    }
}

/// Whose side an analysis takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Perspective {
    /// That of the player to move.
    #[default]
    SideToMove,
    /// Black's.
    Black,
    /// White's.
    White,
}

impl Value for Perspective {
    const KIND: Kind = Kind::Choice(&["SIDETOMOVE", "BLACK", "WHITE"]);

    /// In any case.
    fn parse(text: &str) -> Option<Self> {
        [Self::SideToMove, Self::Black, Self::White].into_iter().find(|side| side.show().eq_ignore_ascii_case(text))
    }

    fn number(&self) -> Option<f64> {
        None
    }

    fn show(&self) -> String {
        match self {
            Self::SideToMove => "SIDETOMOVE",
            Self::Black => "BLACK",
            Self::White => "WHITE",
        }
        .to_owned()
    }
}

/// What computes a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackendKind {
    /// Libtorch where it has a GPU, else the program's own kernels.
    Auto,
    /// The program's own kernels, on the CPU.
    Cpu,
    /// Libtorch.
    Torch,
}

impl Value for BackendKind {
    const KIND: Kind = Kind::Choice(&["auto", "cpu", "torch"]);

    fn parse(text: &str) -> Option<Self> {
        [Self::Auto, Self::Cpu, Self::Torch].into_iter().find(|kind| kind.show() == text)
    }

    fn number(&self) -> Option<f64> {
        None
    }

    fn show(&self) -> String {
        match self {
            Self::Auto => "auto",
            Self::Cpu => "cpu",
            Self::Torch => "torch",
        }
        .to_owned()
    }
}

/// Where libtorch computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// The first GPU if there is one, else the CPU.
    Auto,
    /// The CPU.
    Cpu,
    /// The GPU of this number, from 0.
    Cuda(u32),
}

impl Value for Device {
    const KIND: Kind = Kind::Words("auto, cpu, cuda, or cuda:1 and so on");

    fn parse(text: &str) -> Option<Self> {
        match text {
            "auto" => Some(Self::Auto),
            "cpu" => Some(Self::Cpu),
            "cuda" => Some(Self::Cuda(0)),
            _ => text.strip_prefix("cuda:")?.parse().ok().map(Self::Cuda),
        }
    }

    fn number(&self) -> Option<f64> {
        None
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => write!(f, "auto"),
            Self::Cpu => write!(f, "cpu"),
            Self::Cuda(0) => write!(f, "cuda"),
            Self::Cuda(number) => write!(f, "cuda:{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bytes, Device, MIB, NetworkFile, Range, Value, read};
    use std::time::Duration;

    #[test]
    fn memory_is_read_and_written() {
        for (text, bytes) in
            [("256MiB", 256 * MIB), ("256m", 256 * MIB), ("1.5 GB", 1536 * MIB), ("17", 17), ("2KiB", 2048), ("9b", 9)]
        {
            assert_eq!(Bytes::parse(text), Some(Bytes(bytes)), "{text}");
        }
        for bad in ["", "MiB", "-1", "1QB", "1MiBs", "1.2.3", "é", "5 é"] {
            assert_eq!(Bytes::parse(bad), None, "{bad}");
        }
        for (bytes, text) in [(256 * MIB, "256MiB"), (2048 * MIB, "2GiB"), (1000, "1000"), (1536 * MIB, "1536MiB"), (0, "0")] {
            assert_eq!(Bytes(bytes).show(), text);
            assert_eq!(Bytes::parse(text), Some(Bytes(bytes)));
        }
    }

    #[test]
    fn networks_are_named() {
        for (text, file) in [
            ("none", NetworkFile::None),
            ("embedded", NetworkFile::Embedded),
            ("no ne.bin.gz", NetworkFile::At("no ne.bin.gz".into())),
        ] {
            assert_eq!(NetworkFile::parse(text), Some(file.clone()));
            assert_eq!(file.show(), text);
        }
        assert_eq!(NetworkFile::parse(""), None);
    }

    #[test]
    fn devices_are_named() {
        for (text, device) in
            [("auto", Device::Auto), ("cpu", Device::Cpu), ("cuda", Device::Cuda(0)), ("cuda:2", Device::Cuda(2))]
        {
            assert_eq!(Device::parse(text), Some(device));
            assert_eq!(device.show(), text);
        }
        assert_eq!(Device::parse("cuda:0"), Some(Device::Cuda(0)));
        for bad in ["", "gpu", "cuda:", "cuda:-1", "cuda:x", "cuda:4294967296"] {
            assert_eq!(Device::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn times_are_seconds() {
        assert_eq!(Duration::parse("0.25"), Some(Duration::from_millis(250)));
        for bad in ["-1", "NaN", "soon", ""] {
            assert_eq!(Duration::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn ranges_include_their_ends_and_refuse_no_number() {
        let range = Some(Range { low: 1.0, high: 3.0 });
        assert_eq!(read::<u32>("1", range), Some(1));
        assert_eq!(read::<u32>("3", range), Some(3));
        assert_eq!(read::<u32>("4", range), None);
        assert_eq!(read::<f32>("NaN", range), None);
        assert_eq!(read::<Option<u32>>("none", range), Some(None));
        assert_eq!(read::<Option<u32>>("0", range), None);
    }
}
