//! Shapes of replies, written by hand in the transcripts.
//!
//! A shape is a line of words. A word in braces stands for what it names: `{int}`, `{float}` (a plain number with a decimal point), `{share}`
//! (a float from 0 to 1), `{ten thousandths}`, `{vertex}`, `{move}` (a vertex or `pass`), `{decision}` (a move or `resign`), `{moves}` (any number
//! of moves), `{ints}`, `{floats N}`, `{score}`, `{word}`, `{words}` (at least one), `{symmetry}` (nothing, or the move that a move mirrors), `{lz infos}` and `{kata infos}` (at least one info each).
//! JSON stands for itself.

/// Whether `line` has this shape; if not, why.
pub fn matches(line: &str, shape: &str) -> Result<(), String> {
    let mut words: Vec<&str> = line.trim_end().split(' ').collect();
    words.reverse();
    take(&mut words, &parts(shape))?;
    words.pop().map_or(Ok(()), |word| Err(format!("'{word}' is too much")))
}

/// The words of a shape; what stands in braces is one.
fn parts(shape: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = shape;
    while !rest.is_empty() {
        let end = match rest.strip_prefix('{').filter(|inside| !inside.starts_with('"')) {
            Some(inside) => inside.find('}').expect("a brace is closed") + 2,
            None => rest.find(' ').unwrap_or(rest.len()),
        };
        parts.push(&rest[..end]);
        rest = rest[end..].strip_prefix(' ').unwrap_or(&rest[end..]);
    }
    parts
}

const LZ_INFO: &str =
    "info move {move} visits {int} winrate {ten thousandths} prior {ten thousandths} lcb {signed} order {int} pv {moves}";
const KATA_INFO: &str = "info move {move} visits {int} utility {float} winrate {share} scoreMean {float} scoreStdev {float} \
                         scoreLead {float} scoreSelfplay {float} prior {share} lcb {float} utilityLcb {float} {symmetry} order {int} pv {moves}";

/// Takes from the end of `words`, which are in reverse, what `parts` ask for.
fn take(words: &mut Vec<&str>, parts: &[&str]) -> Result<(), String> {
    for &part in parts {
        let Some(name) = part.strip_prefix('{').and_then(|part| part.strip_suffix('}')).filter(|name| !name.starts_with('"'))
        else {
            one(words, part, |word| word == part)?;
            continue;
        };
        match name {
            "moves" => {
                while words.last().is_some_and(|word| is_move(word)) {
                    words.pop();
                }
            }
            "ints" => {
                while words.last().is_some_and(|word| word.parse::<u64>().is_ok()) {
                    words.pop();
                }
            }
            "symmetry" => {
                if words.pop_if(|word| *word == "isSymmetryOf").is_some() {
                    one(words, part, is_move)?;
                }
            }
            "words" => {
                one(words, part, |word| !word.is_empty())?;
                words.clear();
            }
            "lz infos" => infos(words, LZ_INFO)?,
            "kata infos" => infos(words, KATA_INFO)?,
            "kata infos with pvVisits" => infos(words, &format!("{KATA_INFO} pvVisits {{ints}}"))?,
            _ => match name.strip_prefix("floats ") {
                Some(count) => {
                    for _ in 0..count.parse::<usize>().expect("a number of floats") {
                        one(words, part, is_float)?;
                    }
                }
                None => one(words, part, |word| is(word, name))?,
            },
        }
    }
    Ok(())
}

fn infos(words: &mut Vec<&str>, info: &str) -> Result<(), String> {
    let parts = parts(info);
    take(words, &parts)?;
    while words.last() == Some(&"info") {
        take(words, &parts)?;
    }
    Ok(())
}

fn one(words: &mut Vec<&str>, part: &str, fits: impl Fn(&str) -> bool) -> Result<(), String> {
    match words.pop() {
        Some(word) if fits(word) => Ok(()),
        Some(word) => Err(format!("'{word}' where {part} should be")),
        None => Err(format!("no {part}")),
    }
}

fn is(word: &str, name: &str) -> bool {
    match name {
        "int" => word.parse::<u64>().is_ok(),
        "signed" => word.parse::<i64>().is_ok(),
        "ten thousandths" => word.parse::<u64>().is_ok_and(|share| share <= 10_000),
        "float" => is_float(word),
        "share" => is_float(word) && word.parse::<f64>().is_ok_and(|share| (0.0..=1.0).contains(&share)),
        "vertex" => is_vertex(word),
        "move" => is_move(word),
        "decision" => is_move(word) || word == "resign",
        "decision or cancelled" => is_move(word) || word == "resign" || word == "cancelled",
        "score" => {
            word == "0" || word.strip_prefix("B+").or(word.strip_prefix("W+")).is_some_and(|points| points.parse::<f64>().is_ok())
        }
        "word" => !word.is_empty(),
        _ => panic!("unknown shape {{{name}}}"),
    }
}

/// A plain decimal: a point, no exponent.
fn is_float(word: &str) -> bool {
    word.contains('.') && word.parse::<f64>().is_ok() && word.bytes().all(|byte| byte.is_ascii_digit() || b"-.".contains(&byte))
}

fn is_move(word: &str) -> bool {
    word == "pass" || is_vertex(word)
}

/// Upper case, without I.
fn is_vertex(word: &str) -> bool {
    let row = word.strip_prefix(|c: char| c.is_ascii_uppercase() && c != 'I');
    row.is_some_and(|row| row.parse::<u8>().is_ok_and(|row| (1..=25).contains(&row)))
}
