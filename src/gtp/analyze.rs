//! The arguments of the analysing commands.

use std::time::Duration;

use super::parse::Arguments;
use super::refusal::Refusal;
use crate::board::{Color, Move, Size};
use crate::params::Perspective;

/// The shortest time between two lines. Clients ask for less; nobody could read them.
const SHORTEST_INTERVAL: f64 = 0.01;
/// The longest: some thirty years, which stands for never.
const LONGEST_INTERVAL: f64 = 1e9;

/// What a client wants of an analysis.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Wishes {
    /// Whose move it is; otherwise that of the player to move.
    pub(crate) color: Option<Color>,
    /// Time between two lines; otherwise there is one line only, at the end.
    pub(crate) interval: Option<Duration>,
    /// The fewest moves in a line, if there are so many: untried ones too.
    pub(crate) min_moves: usize,
    /// The most moves in a line.
    pub(crate) max_moves: Option<usize>,
    /// Whether to tell the root's own figures.
    pub(crate) root_info: bool,
    /// Whether to tell each point's expected owner.
    pub(crate) ownership: bool,
    /// Whether to tell how sure that is.
    pub(crate) ownership_stdev: bool,
    /// Whether to tell each point's expected owner after each move.
    pub(crate) moves_ownership: bool,
    /// Whether to tell how sure that is.
    pub(crate) moves_ownership_stdev: bool,
    /// Whether to tell the visits along each continuation.
    pub(crate) pv_visits: bool,
    /// Whether to tell those of each step alone: the same in a tree, where each position has one way to it.
    pub(crate) pv_edge_visits: bool,
    /// Whether to tell how likely the game ends without result.
    pub(crate) no_result: bool,
    /// Most moves of a continuation, by the settings.
    pub(crate) pv_moves: Option<usize>,
    /// Whose side the figures are seen from, by the settings.
    pub(crate) perspective: Perspective,
    /// Moves that may not be searched.
    pub(crate) avoid: Vec<Region>,
    /// Moves that alone may be searched; one region a player.
    pub(crate) allow: Vec<Region>,
}

/// Some moves of one player, down to a depth of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// The player.
    pub(crate) color: Color,
    /// The moves.
    pub(crate) moves: Vec<Move>,
    /// How many moves deep this holds; 1 is the root alone.
    pub(crate) until_depth: u32,
}

impl Wishes {
    /// Reads `[colour] [interval] [key value]...`; colour and interval in either order.
    ///
    /// # Errors
    /// For an unknown key, so that a client learns that it will not get what it asks for, and for a bad value.
    pub(crate) fn parse(mut arguments: Arguments<'_>, size: Size) -> Result<Self, Refusal> {
        let mut wishes = Self::default();
        while let Some(word) = arguments.peek() {
            if wishes.color.is_none() && word.parse::<Color>().is_ok() {
                wishes.color = arguments.optional_color();
            } else if wishes.interval.is_none() && word.parse::<f64>().is_ok() {
                wishes.interval = Some(interval(&mut arguments)?);
            } else {
                arguments.next();
                wishes.set(word, &mut arguments, size)?;
            }
        }
        Ok(wishes)
    }

    fn set(&mut self, key: &str, arguments: &mut Arguments<'_>, size: Size) -> Result<(), Refusal> {
        match key {
            "interval" => self.interval = Some(interval(arguments)?),
            "maxmoves" => self.max_moves = Some(count(arguments)?),
            "minmoves" => self.min_moves = count(arguments)?,
            "rootInfo" => self.root_info = truth(arguments)?,
            "ownership" => self.ownership = truth(arguments)?,
            "ownershipStdev" => self.ownership_stdev = truth(arguments)?,
            "movesOwnership" => self.moves_ownership = truth(arguments)?,
            "movesOwnershipStdev" => self.moves_ownership_stdev = truth(arguments)?,
            "pvVisits" => self.pv_visits = truth(arguments)?,
            "pvEdgeVisits" => self.pv_edge_visits = truth(arguments)?,
            "noResultValue" => self.no_result = truth(arguments)?,
            "avoid" => self.avoid.push(region(arguments, size)?),
            "allow" => {
                let more = region(arguments, size)?;
                match self.allow.iter_mut().find(|region| region.color == more.color) {
                    Some(region) => region.moves.extend(more.moves),
                    None => self.allow.push(more),
                }
            }
            _ => return Err(Refusal::syntax(format!("unknown analyze option '{key}'; there are {OPTIONS}"))),
        }
        Ok(())
    }
}

const OPTIONS: &str = "interval, minmoves, maxmoves, avoid, allow, rootInfo, ownership, ownershipStdev, movesOwnership, \
                       movesOwnershipStdev, pvVisits, pvEdgeVisits, noResultValue";

fn interval(arguments: &mut Arguments<'_>) -> Result<Duration, Refusal> {
    let centiseconds = arguments.number("an interval in hundredths of a second")?;
    Ok(Duration::from_secs_f64((centiseconds / 100.0).clamp(SHORTEST_INTERVAL, LONGEST_INTERVAL)))
}

/// A number of moves. Any number will do, a negative one too: there is nothing to break.
fn count(arguments: &mut Arguments<'_>) -> Result<usize, Refusal> {
    Ok(arguments.number("a number of moves")? as usize)
}

fn truth(arguments: &mut Arguments<'_>) -> Result<bool, Refusal> {
    let word = arguments.word("true or false")?;
    match word.to_ascii_lowercase().as_str() {
        "true" | "yes" | "1" => Ok(true),
        "false" | "no" | "0" => Ok(false),
        _ => Err(Refusal::syntax(format!("'{word}' is neither true nor false"))),
    }
}

/// `COLOUR VERTEX,VERTEX,... DEPTH`
fn region(arguments: &mut Arguments<'_>, size: Size) -> Result<Region, Refusal> {
    let color = arguments.color()?;
    let list = arguments.word("a list of vertices, with commas and without blanks,")?;
    let names = list.split(',').filter(|name| !name.is_empty());
    let moves = names.map(|name| size.parse_vertex(name)).collect::<Result<Vec<_>, _>>().map_err(Refusal::syntax)?;
    let depth = arguments.number("a depth of at least 1")?;
    if depth < 1.0 {
        return Err(Refusal::syntax("the depth is at least 1"));
    }
    Ok(Region { color, moves, until_depth: depth as u32 })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::{Arguments, Region, Wishes};
    use crate::board::{Color, Move, Size};
    use crate::gtp::refusal::Refusal;

    fn parse(text: &str) -> Result<Wishes, Refusal> {
        Wishes::parse(Arguments::new(text), Size::STANDARD)
    }

    #[test]
    fn forms_that_clients_send() {
        let every = |seconds: f64| Wishes { interval: Some(Duration::from_secs_f64(seconds)), ..Wishes::default() };
        let black = Some(Color::Black);
        assert_eq!(parse(""), Ok(Wishes::default()));
        assert_eq!(parse("B 50"), Ok(Wishes { color: black, ..every(0.5) }));
        assert_eq!(parse("50 b"), Ok(Wishes { color: black, ..every(0.5) }));
        assert_eq!(parse("black 100"), Ok(Wishes { color: black, ..every(1.0) }));
        assert_eq!(parse("10 ownership true"), Ok(Wishes { ownership: true, ..every(0.1) }));
        assert_eq!(parse("interval 1"), Ok(every(0.01)));
        let all = "rootInfo true ownership true ownershipStdev true movesOwnership true movesOwnershipStdev true pvVisits true \
                   pvEdgeVisits true noResultValue true";
        let wishes = Wishes {
            root_info: true,
            ownership: true,
            ownership_stdev: true,
            moves_ownership: true,
            moves_ownership_stdev: true,
            pv_visits: true,
            pv_edge_visits: true,
            no_result: true,
            ..Wishes::default()
        };
        assert_eq!(parse(all), Ok(wishes));
        assert_eq!(parse("interval 1 minmoves 30"), Ok(Wishes { min_moves: 30, ..every(0.01) }));
        assert_eq!(parse("W 2147483647"), Ok(Wishes { color: Some(Color::White), ..every(21_474_836.47) }));
        assert_eq!(parse("0"), Ok(every(0.01)));
        assert_eq!(parse("-3"), Ok(every(0.01)));
        assert_eq!(parse("1e300"), Ok(every(1e9)));
        assert_eq!(parse("12.5 maxmoves 3"), Ok(Wishes { max_moves: Some(3), ..every(0.125) }));
        assert_eq!(
            parse("b interval 20 minmoves 30 pvVisits true rootInfo true"),
            Ok(Wishes { color: black, min_moves: 30, pv_visits: true, root_info: true, ..every(0.2) })
        );
        let size = Size::STANDARD;
        let d4 = size.parse_vertex("D4").unwrap();
        let region = Region { color: Color::Black, moves: vec![d4], until_depth: 1 };
        assert_eq!(parse("1 allow B D4 1"), Ok(Wishes { allow: vec![region], ..every(0.01) }));
        let moves = vec![d4, Move::PASS];
        let avoid = vec![
            Region { color: Color::Black, moves: moves.clone(), until_depth: 50 },
            Region { color: Color::White, moves, until_depth: 50 },
        ];
        assert_eq!(parse("avoid b d4,pass 50 avoid w d4,PASS 50"), Ok(Wishes { avoid, ..Wishes::default() }));
    }

    #[test]
    fn bad_ones_are_refused() {
        for bad in [
            "ownershp true",
            "B W",
            "10 20",
            "ownership",
            "ownership maybe",
            "interval",
            "interval nan",
            "inf",
            "avoid",
            "avoid b",
            "avoid b D4",
            "avoid b D4 0",
            "avoid b I4 1",
            "avoid b D4, E5 1",
            "allow D4 1",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        assert!(parse("ownershp true").unwrap_err().to_string().contains("'ownershp'"));
    }

    proptest! {
        #[test]
        fn anything_is_read_or_refused(text in "([bw]|[0-9]{1,12}|-?[0-9.e]{1,6}|true|ownership|avoid|D4,E5|interval|[ -~]{0,9}| ){0,12}") {
            let _ = parse(&text);
        }
    }
}
