//! Files that tell their format and notice damage: a first line with format and version, the body, and SHA-256 of both.

use sha2::{Digest, Sha256};

/// Bytes of the checksum.
const SUM: usize = 32;

/// What is wrong with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// It holds something else.
    #[error("it begins with something else")]
    Other,
    /// It is of the right kind, but not of this version.
    #[error("it was written by another version of Tengen: make it anew, or use that version")]
    Version,
    /// It is not what was written.
    #[error("it is damaged, as its checksum is another: copy it again, or make it anew")]
    Sum,
    /// The checksum is right, but no Tengen wrote this.
    #[error("what it holds makes no sense: make it anew")]
    Nonsense,
}

/// The file with this body. `head` names format and version, such as `tengen book 1`.
pub fn seal(head: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = [head.as_bytes(), b"\n", body].concat();
    let sum = Sha256::digest(&bytes);
    bytes.extend(sum);
    bytes
}

/// The body of a file that [`seal`] made with the same head.
///
/// # Errors
/// If it is anything else.
pub fn unseal<'a>(head: &str, bytes: &'a [u8]) -> Result<&'a [u8], Damage> {
    let line = [head.as_bytes(), b"\n"].concat();
    if !bytes.starts_with(&line) {
        let kind = head.trim_end_matches(|c: char| c.is_ascii_digit());
        return Err(if bytes.starts_with(kind.as_bytes()) { Damage::Version } else { Damage::Other });
    }
    let (whole, sum) = bytes.split_last_chunk::<SUM>().ok_or(Damage::Sum)?;
    if whole.len() < line.len() || Sha256::digest(whole).as_slice() != sum {
        return Err(Damage::Sum);
    }
    Ok(&whole[line.len()..])
}

#[cfg(test)]
mod tests {
    use super::{Damage, seal, unseal};

    #[test]
    fn what_was_sealed_comes_out_and_nothing_else() {
        for body in [&b""[..], b"body", &[0; 100]] {
            let bytes = seal("tengen test 1", body);
            assert_eq!(unseal("tengen test 1", &bytes), Ok(body));
            assert_eq!(unseal("tengen test 2", &bytes), Err(Damage::Version));
            assert_eq!(unseal("tengen book 1", &bytes), Err(Damage::Other));
            for end in 0..bytes.len() {
                assert!(unseal("tengen test 1", &bytes[..end]).is_err(), "cut off at {end}");
            }
            for place in 0..bytes.len() {
                let mut bytes = bytes.clone();
                bytes[place] ^= 4;
                assert!(unseal("tengen test 1", &bytes).is_err(), "changed at {place}");
            }
        }
    }
}
