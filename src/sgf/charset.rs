//! From bytes to text, whatever the file says about its character set.
//!
//! The whole file is decoded before it is read as SGF, because the second byte of a Shift-JIS, GBK or Big5 character can be `\` or `]`.
//! In this order:
//! 1. a byte order mark decides;
//! 2. bytes that are valid UTF-8 are UTF-8, even where another set is declared (editors save anew and keep the old CA). The one
//!    exception: a declared East Asian set stands where every non-ASCII character would be a two-byte one in UTF-8, since short names in
//!    such sets can look so by accident;
//! 3. a file that is UTF-8 but for a few broken characters is UTF-8;
//! 4. the declared set, if the bytes fit it. ISO-8859-1 is the standard's default and proves little: it yields to a guess at an East Asian set;
//! 5. a guess (chardetng), if the bytes fit it;
//! 6. whatever is left, with U+FFFD for what does not fit.
//!
//! One set serves the whole file: a collection whose games declare different ones is read by the first.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, WINDOWS_1252};

/// From this many good multi-byte characters for each broken one, a file is damaged UTF-8 rather than something else.
const GOOD_PER_BROKEN: usize = 10;

/// Labels that files use and the Encoding Standard lacks.
const ALIASES: [(&str, &Encoding); 4] = [("cp932", SHIFT_JIS), ("cp936", GBK), ("cp949", EUC_KR), ("cp950", BIG5)];

/// The text of a file, and a note where its character set was not the declared one.
pub(super) fn decode(bytes: &[u8]) -> (Cow<'_, str>, Option<String>) {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return (encoding.decode_without_bom_handling(&bytes[length..]).0, None);
    }
    let label = declared_label(bytes);
    let declared = label.as_deref().and_then(by_label);
    let encoding = choose(bytes, declared);
    let note = match (label, declared) {
        (_, Some(declared)) if declared == encoding => None,
        (Some(label), _) if !bytes.is_ascii() => Some(format!("read as {}, though CA says '{label}'", encoding.name())),
        (None, _) if encoding != UTF_8 => Some(format!("no character set is declared; read as {}", encoding.name())),
        _ => None,
    };
    (encoding.decode_without_bom_handling(bytes).0, note)
}

/// The text of a file whose character set stands elsewhere than in CA: `label`, if the bytes fit it.
pub(super) fn decode_as<'b>(bytes: &'b [u8], label: Option<&str>) -> Cow<'b, str> {
    match Encoding::for_bom(bytes) {
        Some((encoding, length)) => encoding.decode_without_bom_handling(&bytes[length..]).0,
        None => choose(bytes, label.and_then(by_label)).decode_without_bom_handling(bytes).0,
    }
}

/// The first CA value of the file, from its raw bytes.
fn declared_label(bytes: &[u8]) -> Option<String> {
    let start = bytes
        .windows(3)
        .enumerate()
        .position(|(at, window)| window == b"CA[" && (at == 0 || !bytes[at - 1].is_ascii_alphabetic()))?;
    let value = &bytes[start + 3..];
    let end = value.iter().take(40).position(|&b| b == b']')?;
    Some(String::from_utf8_lossy(&value[..end]).trim().to_owned())
}

fn by_label(label: &str) -> Option<&'static Encoding> {
    let alias = ALIASES.iter().find(|(name, _)| name.eq_ignore_ascii_case(label)).map(|&(_, encoding)| encoding);
    // UTF-16 without a byte order mark cannot be: its CA would not have been found.
    alias
        .or_else(|| Encoding::for_label_no_replacement(label.as_bytes()))
        .filter(|e| e.is_ascii_compatible() || *e == ISO_2022_JP)
}

fn choose(bytes: &[u8], declared: Option<&'static Encoding>) -> &'static Encoding {
    if bytes.is_ascii() {
        // ISO-2022-JP is ASCII with escape sequences.
        let japanese =
            bytes.contains(&0x1b) && declared.unwrap_or_else(|| guess(bytes)) == ISO_2022_JP && fits(ISO_2022_JP, bytes);
        return if japanese { ISO_2022_JP } else { UTF_8 };
    }
    let census = Census::of(bytes);
    if census.broken == 0 {
        return match declared {
            Some(encoding) if census.long == 0 && is_east_asian(encoding) && fits(encoding, bytes) => encoding,
            _ => UTF_8,
        };
    }
    if census.short + census.long >= GOOD_PER_BROKEN * census.broken {
        return UTF_8;
    }
    let guess = guess(bytes);
    match declared {
        Some(encoding) if encoding == WINDOWS_1252 && is_east_asian(guess) && fits(guess, bytes) => guess,
        Some(encoding) if fits(encoding, bytes) => encoding,
        _ if fits(guess, bytes) => guess,
        other => other.unwrap_or(guess),
    }
}

fn is_east_asian(encoding: &'static Encoding) -> bool {
    [BIG5, EUC_JP, EUC_KR, GB18030, GBK, ISO_2022_JP, SHIFT_JIS].contains(&encoding)
}

fn fits(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    encoding.decode_without_bom_handling_and_without_replacement(bytes).is_some()
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Deny)
}

/// How bytes look as UTF-8.
#[derive(Default)]
struct Census {
    /// Two-byte characters.
    short: usize,
    /// Characters of three or four bytes.
    long: usize,
    /// Broken characters, of one to three bytes.
    broken: usize,
}

impl Census {
    fn of(bytes: &[u8]) -> Self {
        let mut census = Self::default();
        for chunk in bytes.utf8_chunks() {
            census.broken += usize::from(!chunk.invalid().is_empty());
            for character in chunk.valid().chars() {
                match character.len_utf8() {
                    1 => {}
                    2 => census.short += 1,
                    _ => census.long += 1,
                }
            }
        }
        census
    }
}

#[cfg(test)]
mod tests {
    use super::decode;
    use encoding_rs::{BIG5, EUC_JP, EUC_KR, GBK, ISO_2022_JP, SHIFT_JIS, UTF_8, WINDOWS_1251, WINDOWS_1252};

    #[test]
    fn declared_sets_are_believed_where_they_fit() {
        let cases = [
            ("Shift_JIS", SHIFT_JIS, "藤沢秀行 表示ソ"),
            ("EUC-JP", EUC_JP, "坂田栄男"),
            ("ISO-2022-JP", ISO_2022_JP, "坂田栄男"),
            ("GB2312", GBK, "聂卫平"),
            ("cp936", GBK, "常昊"),
            ("Big5", BIG5, "周俊勳"),
            ("EUC-KR", EUC_KR, "이창호"),
            ("windows-1251", WINDOWS_1251, "Шикшин"),
            ("ISO-8859-1", WINDOWS_1252, "Müller"),
            ("UTF-8", UTF_8, "Müller 聂卫平"),
        ];
        for (label, encoding, name) in cases {
            let text = format!("(;CA[{label}]PB[{name}];B[pd])");
            let bytes = encoding.encode(&text).0;
            assert_eq!(decode(&bytes), (text.as_str().into(), None), "{label}");
        }
    }

    #[test]
    fn lies_and_silence_are_seen_through() {
        let cases = [
            ("CA[UTF-8]", GBK, "聂卫平"),
            ("CA[ISO-8859-1]", GBK, "聂卫平九段"),
            ("CA[GB2312]", UTF_8, "聂卫平"),
            ("CA[Klingon]", EUC_KR, "이창호 대 조훈현"),
            ("", SHIFT_JIS, "第十期名人戦 挑戦手合"),
            ("", ISO_2022_JP, "坂田栄男"),
            ("", UTF_8, "Žofia"),
        ];
        for (declared, encoding, name) in cases {
            let text = format!("(;{declared}PB[{name}];B[pd])");
            let bytes = encoding.encode(&text).0;
            let (read, note) = decode(&bytes);
            assert_eq!(read, text);
            assert_eq!(note.is_some(), name != "Žofia", "{declared} {note:?}");
        }
    }

    #[test]
    fn byte_order_marks_decide() {
        let text = "(;CA[GBK]C[ä])";
        let utf16: Vec<u8> = [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&utf16).0, text);
        assert_eq!(decode(format!("\u{feff}{text}").as_bytes()).0, text);
    }

    #[test]
    fn one_broken_character_does_not_spoil_utf8() {
        let mut bytes = "(;C[聂卫平聂卫平聂卫平聂卫平])".as_bytes().to_vec();
        bytes.truncate(bytes.len() - 3);
        bytes.extend_from_slice(b"])");
        assert!(decode(&bytes).0.starts_with("(;C[聂卫平聂卫平聂卫平聂卫\u{fffd}"));
    }
}
