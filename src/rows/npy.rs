//! Arrays as numpy keeps them: a header in words, then the numbers (its public format description, versions 1 to 3).

use std::io::{self, Read};

const MAGIC: &[u8; 6] = b"\x93NUMPY";
/// What header and magic are padded to together.
const ALIGN: usize = 64;
/// Longest header that is read; ours take 128 bytes.
const LONGEST_HEADER: usize = 1 << 16;

/// A number of an array.
pub(super) trait Element: Copy {
    /// numpy's name of the type.
    const TYPE: &'static str;
    /// Bytes of one.
    const SIZE: usize = size_of::<Self>();
    /// Adds its bytes, the lowest first.
    fn put(self, out: &mut Vec<u8>);
    /// From its bytes, [`Element::SIZE`] of them.
    fn get(bytes: &[u8]) -> Self;
}

macro_rules! element {
    ($kind:ty, $name:literal) => {
        impl Element for $kind {
            const TYPE: &'static str = $name;
            fn put(self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }
            fn get(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("as many bytes as the number has"))
            }
        }
    };
}
element!(u8, "|u1");
element!(i8, "|i1");
element!(i16, "<i2");
element!(f32, "<f4");

/// The bytes of an array of this shape, whose numbers come in parts.
pub(super) fn write<T: Element>(shape: &[usize], parts: impl IntoIterator<Item = impl AsRef<[T]>>) -> Vec<u8> {
    debug_assert!(shape.len() > 1, "numpy writes one side with a comma behind it");
    let sides = shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let mut header = format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({sides}), }}", T::TYPE);
    let before = MAGIC.len() + 4;
    while !(before + header.len() + 1).is_multiple_of(ALIGN) {
        header.push(' ');
    }
    header.push('\n');
    let mut out = MAGIC.to_vec();
    out.extend([1, 0]);
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    out.reserve(shape.iter().product::<usize>() * T::SIZE);
    for part in parts {
        part.as_ref().iter().for_each(|number| number.put(&mut out));
    }
    out
}

/// What stands before the numbers.
#[derive(Debug, PartialEq)]
pub(super) struct Header {
    /// numpy's name of their type.
    pub(super) kind: String,
    pub(super) shape: Vec<usize>,
}

/// What is wrong with an array.
#[derive(Debug, thiserror::Error)]
pub enum BadArray {
    /// It cannot be read: the file ends, or a check sum is wrong.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not begin as numpy's arrays do.
    #[error("this is no numpy array")]
    NotNumpy,
    /// The words at its head make no sense.
    #[error("its header is broken: {0}")]
    Header(String),
    /// Columns first.
    #[error("it is stored column by column, which is not read here")]
    ColumnsFirst,
    /// Not the type of numbers that it should have.
    #[error("its numbers are of type {found}, but should be {expected}")]
    Type {
        /// The file's.
        found: String,
        /// The right one.
        expected: &'static str,
    },
    /// Not the shape that it should have.
    #[error("its shape is {found:?}, but should be {expected}")]
    Shape {
        /// The file's.
        found: Vec<usize>,
        /// The right one, in words.
        expected: String,
    },
    /// Fewer numbers than the shape says.
    #[error("it ends after {found} of {expected} bytes")]
    Short {
        /// Bytes that are there.
        found: usize,
        /// Bytes that the shape says.
        expected: usize,
    },
    /// More numbers than the shape says.
    #[error("it goes on after the {0} bytes that its shape says")]
    Long(usize),
    /// A number that cannot be.
    #[error("row {row}: {what}")]
    Value {
        /// In which row, from 0.
        row: usize,
        /// What is wrong.
        what: String,
    },
}

/// Reads a header.
pub(super) fn read_header(from: &mut impl Read) -> Result<Header, BadArray> {
    let mut start = [0; 8];
    from.read_exact(&mut start).map_err(|_| BadArray::NotNumpy)?;
    if !start.starts_with(MAGIC) || !(1..=3).contains(&start[6]) {
        return Err(BadArray::NotNumpy);
    }
    let mut length = [0; 4];
    from.read_exact(&mut length[..if start[6] == 1 { 2 } else { 4 }])?;
    let length = u32::from_le_bytes(length) as usize;
    if length > LONGEST_HEADER {
        return Err(BadArray::Header(format!("it claims {length} bytes")));
    }
    let mut text = vec![0; length];
    from.read_exact(&mut text)?;
    parse_header(&String::from_utf8_lossy(&text))
}

fn parse_header(text: &str) -> Result<Header, BadArray> {
    let value = |key: &str| -> Result<&str, BadArray> {
        let (_, after) = text.split_once(&format!("'{key}':")).ok_or_else(|| BadArray::Header(format!("no {key}")))?;
        Ok(after.trim_start())
    };
    let bad = |key: &str| BadArray::Header(format!("no sensible {key}"));
    let kind = value("descr")?.strip_prefix('\'').and_then(|rest| rest.split_once('\'')).ok_or_else(|| bad("descr"))?.0;
    if !value("fortran_order")?.starts_with("False") {
        return Err(BadArray::ColumnsFirst);
    }
    let sides = value("shape")?.strip_prefix('(').and_then(|rest| rest.split_once(')')).ok_or_else(|| bad("shape"))?.0;
    let sides = sides.split(',').map(str::trim).filter(|side| !side.is_empty());
    let shape: Result<_, _> = sides.map(str::parse).collect();
    Ok(Header { kind: kind.to_owned(), shape: shape.map_err(|_| bad("shape"))? })
}

/// Reads the numbers behind a header of the right type, all there are; `from` ends with them.
pub(super) fn read_numbers<T: Element>(header: &Header, from: &mut impl Read) -> Result<Vec<T>, BadArray> {
    if header.kind != T::TYPE {
        return Err(BadArray::Type { found: header.kind.clone(), expected: T::TYPE });
    }
    let bytes = header.shape.iter().try_fold(T::SIZE, |bytes, &side| bytes.checked_mul(side));
    let bytes = bytes.ok_or_else(|| BadArray::Header("its shape has more numbers than memory can hold".to_owned()))?;
    // Memory grows with what is there, whatever the header claims.
    let mut found = Vec::new();
    from.by_ref().take(bytes as u64).read_to_end(&mut found)?;
    if found.len() < bytes {
        return Err(BadArray::Short { found: found.len(), expected: bytes });
    }
    // Reading up to the end also checks the sum.
    if from.read(&mut [0])? > 0 {
        return Err(BadArray::Long(bytes));
    }
    Ok(found.chunks_exact(T::SIZE).map(T::get).collect())
}

#[cfg(test)]
mod tests {
    use super::{BadArray, Header, parse_header, read_header, read_numbers, write};

    #[test]
    fn the_bytes_are_numpys() {
        let bytes = write(&[2, 1], [[1i16], [-2]]);
        // As numpy.save writes it.
        let mut expected = b"\x93NUMPY\x01\x00\x76\x00{'descr': '<i2', 'fortran_order': False, 'shape': (2, 1), }".to_vec();
        expected.resize(127, b' ');
        expected.extend(b"\n\x01\x00\xfe\xff");
        assert_eq!(bytes, expected);
        let mut from = bytes.as_slice();
        let header = read_header(&mut from).unwrap();
        assert_eq!(header, Header { kind: "<i2".to_owned(), shape: vec![2, 1] });
        assert_eq!(read_numbers::<i16>(&header, &mut from).unwrap(), [1, -2]);
    }

    #[test]
    fn other_writers_headers() {
        let header = parse_header("{'shape':(7,),'fortran_order':False,'descr':'|i1'}  \n").unwrap();
        assert_eq!(header, Header { kind: "|i1".to_owned(), shape: vec![7] });
    }

    #[test]
    fn broken_arrays_say_what_is_wrong() {
        let good = write(&[2, 1], [[1i16], [-2]]);
        let read = |bytes: &[u8]| {
            let mut from = bytes;
            let header = read_header(&mut from)?;
            read_numbers::<i16>(&header, &mut from)
        };
        assert!(matches!(read(&good[..good.len() - 1]), Err(BadArray::Short { found: 3, expected: 4 })));
        assert!(matches!(read(&[&good[..], &[0]].concat()), Err(BadArray::Long(4))));
        assert!(matches!(read(&good[1..]), Err(BadArray::NotNumpy)));
        assert!(matches!(read(b"PK"), Err(BadArray::NotNumpy)));
        assert!(matches!(read(&write(&[1, 1], [[1.0f32]])), Err(BadArray::Type { .. })));
        for (text, error) in [
            ("{'descr': '<i2', 'fortran_order': True, 'shape': (2, 1), }", "column by column"),
            ("{'descr': '<i2', 'fortran_order': False, 'shape': (2, -1), }", "no sensible shape"),
            ("{'descr': '<i2', 'fortran_order': False, }", "no shape"),
            ("{'descr': [('a', '<i2')], 'fortran_order': False, 'shape': (1,), }", "no sensible descr"),
            ("", "no descr"),
        ] {
            assert!(parse_header(text).unwrap_err().to_string().contains(error), "{text}");
        }
        let huge = Header { kind: "<i2".to_owned(), shape: vec![usize::MAX, 2] };
        assert!(read_numbers::<i16>(&huge, &mut [0u8; 4].as_slice()).unwrap_err().to_string().contains("memory"));
        let large = Header { kind: "<i2".to_owned(), shape: vec![1 << 40] };
        assert!(matches!(read_numbers::<i16>(&large, &mut [0u8; 4].as_slice()), Err(BadArray::Short { found: 4, .. })));
    }
}
