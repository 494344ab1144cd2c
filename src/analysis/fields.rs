//! The fields of a query, each read with an error that names it.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::board::{Color, Move, Point, Size};

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Flaw {
    /// The field; none if the line as a whole is no query.
    pub(super) field: Option<String>,
    /// What is wrong with it.
    pub(super) what: String,
}

impl Flaw {
    /// A flaw of the field `field`.
    pub(super) fn of(field: &str, what: impl Into<String>) -> Self {
        Self { field: Some(field.to_owned()), what: what.into() }
    }
}

/// A query's fields.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a Map<String, Value>);

/// Priorities go from minus this to this: KataGo's range.
const HIGHEST_PRIORITY: i64 = (1 << 62) - 1;
/// Times between reports, in seconds: KataGo's range.
const TIMES: (f64, f64) = (0.001, 1_000_000.0);

impl<'a> Fields<'a> {
    pub(super) fn get(self, field: &str) -> Option<&'a Value> {
        self.0.get(field)
    }

    /// A whole number from `least` to `most`. Some clients can only write it as 5.0.
    pub(super) fn integer(self, field: &str, least: i64, most: i64) -> Result<Option<i64>, Flaw> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let number = whole(value).filter(|number| (least..=most).contains(number));
        number.map(Some).ok_or_else(|| Flaw::of(field, format!("Must be an integer from {least} to {most}")))
    }

    pub(super) fn number(self, field: &str, least: f64, most: f64) -> Result<Option<f64>, Flaw> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let number = value.as_f64().filter(|number| (least..=most).contains(number));
        number.map(Some).ok_or_else(|| Flaw::of(field, format!("Must be a number from {least} to {most}")))
    }

    /// Seconds.
    pub(super) fn seconds(self, field: &str) -> Result<Option<Duration>, Flaw> {
        Ok(self.number(field, TIMES.0, TIMES.1)?.map(Duration::from_secs_f64))
    }

    /// False if it is left out.
    pub(super) fn flag(self, field: &str) -> Result<bool, Flaw> {
        match self.get(field) {
            None => Ok(false),
            Some(value) => value.as_bool().ok_or_else(|| Flaw::of(field, "Must be a boolean")),
        }
    }

    pub(super) fn text(self, field: &str) -> Result<Option<&'a str>, Flaw> {
        let Some(value) = self.get(field) else { return Ok(None) };
        value.as_str().map(Some).ok_or_else(|| Flaw::of(field, "Must be a string"))
    }

    pub(super) fn player(self, field: &str) -> Result<Option<Color>, Flaw> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let player = value.as_str().and_then(|text| text.parse().ok());
        player.map(Some).ok_or_else(|| Flaw::of(field, "Must be \"B\" or \"W\""))
    }

    pub(super) fn integers(self, field: &str) -> Result<Option<Vec<i64>>, Flaw> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let numbers = value.as_array().and_then(|list| list.iter().map(whole).collect());
        numbers.map(Some).ok_or_else(|| Flaw::of(field, "Must be an array of integers"))
    }

    pub(super) fn priority(self) -> Result<Option<i64>, Flaw> {
        self.integer("priority", -HIGHEST_PRIORITY, HIGHEST_PRIORITY)
    }

    pub(super) fn priorities(self) -> Result<Option<Vec<i64>>, Flaw> {
        let priorities = self.integers("priorities")?;
        let is_bad = |priority: &i64| !(-HIGHEST_PRIORITY..=HIGHEST_PRIORITY).contains(priority);
        match priorities.iter().flatten().find(|priority| is_bad(priority)) {
            Some(bad) => Err(Flaw::of("priorities", format!("Invalid priority: {bad}"))),
            None => Ok(priorities),
        }
    }

    /// Pairs of a player and a vertex.
    pub(super) fn moves(self, field: &str, size: Size) -> Result<Option<Vec<(Color, Move)>>, Flaw> {
        let Some(value) = self.get(field) else { return Ok(None) };
        let flaw = || Flaw::of(field, "Must be an array of pairs of the form: [\"B\" or \"W\", GTP board vertex]");
        let pair = |pair: &Value| {
            let [player, vertex] = pair.as_array().ok_or_else(flaw)?.as_slice() else { return Err(flaw()) };
            let (player, vertex) = (player.as_str().ok_or_else(flaw)?, vertex.as_str().ok_or_else(flaw)?);
            let color = player.parse().map_err(|_| Flaw::of(field, format!("Could not parse player: {player}")))?;
            Ok((color, location(field, vertex, size)?))
        };
        value.as_array().ok_or_else(flaw)?.iter().map(pair).collect::<Result<_, _>>().map(Some)
    }

    /// The same without passes.
    pub(super) fn stones(self, field: &str, size: Size) -> Result<Vec<(Point, Option<Color>)>, Flaw> {
        let stone = |(color, mv): (Color, Move)| {
            let point = mv.point().ok_or_else(|| Flaw::of(field, "Could not parse board location: pass"))?;
            Ok((point, Some(color)))
        };
        self.moves(field, size)?.unwrap_or_default().into_iter().map(stone).collect()
    }

    /// Vertices.
    pub(super) fn locations(self, field: &str, outer: &str, size: Size) -> Result<Vec<Move>, Flaw> {
        let flaw = || Flaw::of(outer, format!("'{field}' must be an array of GTP board vertices"));
        let list = self.get(field).and_then(Value::as_array).ok_or_else(flaw)?;
        list.iter().map(|vertex| location(outer, vertex.as_str().ok_or_else(flaw)?, size)).collect()
    }
}

/// A vertex, or a point as `(x,y)` counted from the upper left corner, from 0.
fn location(field: &str, text: &str, size: Size) -> Result<Move, Flaw> {
    let coordinates = || {
        let (x, y) = text.strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
        size.point(x.trim().parse().ok()?, y.trim().parse().ok()?).map(Move::from)
    };
    let found = size.parse_vertex(text).ok().or_else(coordinates);
    found.ok_or_else(|| Flaw::of(field, format!("Could not parse board location: {text}")))
}

/// A whole number, 5.0 too.
fn whole(value: &Value) -> Option<i64> {
    let rounded = |number: f64| (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64);
    value.as_i64().or_else(|| value.as_f64().filter(|_| value.is_f64()).and_then(rounded))
}
