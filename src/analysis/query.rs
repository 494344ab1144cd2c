//! A query for analysis: what is asked for, of which positions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::fields::{Fields, Flaw};
use crate::board::{Board, Color, Size};
use crate::params::{Fate, Perspective, Settings};
use crate::pool::{Glances, Job, Line};
use crate::rules::{Position, Rules};
use crate::search::{Restriction, SearchOptions};

/// Fields that a line may have.
const KNOWN: [&str; 31] = [
    "id",
    "action",
    "terminateId",
    "turnNumbers",
    "boardXSize",
    "boardYSize",
    "initialStones",
    "moves",
    "initialPlayer",
    "analyzeTurns",
    "priorities",
    "rules",
    "komi",
    "whiteHandicapBonus",
    "overrideSettings",
    "maxVisits",
    "analysisPVLen",
    "rootFpuReductionMax",
    "rootPolicyTemperature",
    "includeMovesOwnership",
    "includeMovesOwnershipStdev",
    "includeOwnership",
    "includeOwnershipStdev",
    "includePolicy",
    "includePVVisits",
    "includeNoResultValue",
    "reportDuringSearchEvery",
    "firstReportDuringSearchAfter",
    "priority",
    "allowMoves",
    "avoidMoves",
];

/// Visits for a position where nobody says how many, by a network: KataGo's example config has as many.
const NETWORK_VISITS: u64 = 500;
/// The same by playouts, of which more are needed to know as little.
const PLAYOUT_VISITS: u64 = 5000;
/// The most visits that can be asked for.
const MOST_VISITS: i64 = 1 << 50;
/// The most that komi can be.
const MOST_KOMI: f64 = 400.0;
/// For ever, in reports: longer than any search.
const NEVER: Duration = Duration::from_secs(1_000_000_000);

/// What a query asks for.
pub(super) struct Query {
    /// The turns asked about, in order: as many as `jobs`.
    pub(super) turns: Vec<usize>,
    pub(super) jobs: Vec<Job>,
    /// Those of its jobs.
    pub(super) settings: Arc<Settings>,
    pub(super) show: Show,
    /// What is odd about it, but no reason to refuse it.
    pub(super) warnings: Vec<Flaw>,
}

/// What its answers tell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Show {
    pub(super) perspective: Perspective,
    /// Most moves of a principal variation, the first included.
    pub(super) pv_moves: usize,
    pub(super) pv_visits: bool,
    pub(super) policy: bool,
    pub(super) no_result: bool,
    pub(super) ownership: bool,
    pub(super) ownership_stdev: bool,
    pub(super) moves_ownership: bool,
    pub(super) moves_ownership_stdev: bool,
}

impl Query {
    /// Reads a query; what it leaves open is as in `settings`. `by_network` says whether a network will judge.
    pub(super) fn read(fields: Fields<'_>, settings: &Settings, by_network: bool) -> Result<Self, Flaw> {
        let mut warnings = Vec::new();
        let size = size(fields)?;
        let line = Arc::new(line(fields, size)?);
        let settings = with_overrides(fields, settings, &mut warnings)?;
        let show = Show::read(fields, &settings)?;
        let turns = turns(fields, line.moves())?;
        let options = SearchOptions {
            restrictions: restrictions(fields, size)?,
            moves_ownership: show.moves_ownership || show.moves_ownership_stdev,
            ..SearchOptions::default()
        };
        let glances = glances(fields)?;
        let visits = visits(fields, &settings, by_network)?;
        if settings.analysis.warn_unused {
            let unused = fields.0.keys().filter(|key| !KNOWN.contains(&key.as_str()));
            let warning = |key: &String| {
                Flaw::of(key, "Unexpected or unused field, do you have a typo? (warnUnusedFields = false turns this warning off)")
            };
            warnings.extend(unused.map(warning));
        }
        let settings = Arc::new(settings);
        let job = |(&turn, &priority): (&usize, &i64)| Job {
            line: Arc::clone(&line),
            turn,
            hide_history: settings.analysis.hide_history,
            settings: Arc::clone(&settings),
            visits,
            time: settings.time.max_time,
            options: options.clone(),
            priority,
            most_threads: usize::MAX,
            glances,
        };
        let jobs = turns.iter().map(job).collect();
        Ok(Self { turns: turns.into_keys().collect(), jobs, settings, show, warnings })
    }
}

impl Show {
    fn read(fields: Fields<'_>, settings: &Settings) -> Result<Self, Flaw> {
        let length =
            fields.integer("analysisPVLen", 1, 1000)?.map_or(settings.analysis.pv_length as usize, |length| length as usize);
        Ok(Self {
            perspective: settings.analysis.perspective,
            pv_moves: length + 1,
            pv_visits: fields.flag("includePVVisits")?,
            policy: fields.flag("includePolicy")?,
            no_result: fields.flag("includeNoResultValue")?,
            ownership: fields.flag("includeOwnership")?,
            ownership_stdev: fields.flag("includeOwnershipStdev")?,
            moves_ownership: fields.flag("includeMovesOwnership")?,
            moves_ownership_stdev: fields.flag("includeMovesOwnershipStdev")?,
        })
    }
}

fn size(fields: Fields<'_>) -> Result<Size, Flaw> {
    let side = |field| {
        let what = "Must provide an integer from 2 to 25";
        let side = fields.integer(field, 2, 25).map_err(|_| Flaw::of(field, what))?;
        side.map(|side| side as usize).ok_or_else(|| Flaw::of(field, what))
    };
    let (width, height) = (side("boardXSize")?, side("boardYSize")?);
    Size::new(width, height).map_err(|error| Flaw::of("boardXSize", error.to_string()))
}

/// The game.
fn line(fields: Fields<'_>, size: Size) -> Result<Line, Flaw> {
    let rules = rules(fields)?;
    let stones = fields.stones("initialStones", size)?;
    let moves = fields.moves("moves", size)?;
    let moves = moves.ok_or_else(|| Flaw::of("moves", "Must specify an array of [player,location] pairs"))?;
    let mut board = Board::new(size);
    board.set_up(&stones).map_err(|error| Flaw::of("initialStones", error.to_string()))?;
    let is_handicap = board.stones(Color::Black) > 1 && board.stones(Color::White) == 0;
    let first = match (fields.player("initialPlayer")?, moves.first()) {
        (Some(player), _) | (None, Some(&(player, _))) => player,
        (None, None) if is_handicap => Color::White,
        (None, None) => Color::Black,
    };
    let mut start = Position::from_board(board, first, rules);
    start.set_cleanup_played(false);
    let vertices: Vec<_> = moves.iter().map(|&(_, mv)| mv).collect();
    let illegal = |turn: usize| Flaw::of("moves", format!("Illegal move {turn}: {}", size.vertex(vertices[turn])));
    Line::new(start, moves).map_err(|error| illegal(error.turn))
}

fn rules(fields: Fields<'_>) -> Result<Rules, Flaw> {
    let flaw = || {
        let what = "Must specify rules string, such as \"chinese\" or \"tromp-taylor\", or a JSON object with detailed rules parameters.";
        Flaw::of("rules", what)
    };
    let text = match fields.get("rules").ok_or_else(flaw)? {
        Value::String(name) => name.clone(),
        object @ Value::Object(_) => object.to_string(),
        _ => return Err(flaw()),
    };
    let mut rules = Rules::parse(&text).map_err(|error| Flaw::of("rules", format!("Could not parse rules: {error}")))?;
    if let Some(komi) = fields.number("komi", -MOST_KOMI, MOST_KOMI)? {
        rules.komi = komi as f32;
    }
    if let Some(bonus) = fields.get("whiteHandicapBonus") {
        let bonus = bonus.as_str().map_or_else(|| bonus.to_string(), str::to_owned);
        let changed = rules.with_setting("whiteHandicapBonus", &bonus);
        rules = changed.map_err(|_| Flaw::of("whiteHandicapBonus", "Must be \"0\", \"N\" or \"N-1\""))?;
    }
    Ok(rules)
}

/// What KataGo has and Tengen has not.
const ABSENT: &str = "antiMirror";

/// The warning about it.
fn absent() -> Flaw {
    let what = format!("{ABSENT} has no effect: Tengen does nothing special against an opponent that mirrors its moves");
    Flaw::of("overrideSettings", what)
}

/// `settings` with what the query changes in them.
fn with_overrides(fields: Fields<'_>, settings: &Settings, warnings: &mut Vec<Flaw>) -> Result<Settings, Flaw> {
    const FIELD: &str = "overrideSettings";
    let mut settings = settings.clone();
    if let Some(overrides) = fields.get(FIELD) {
        let overrides = overrides.as_object().ok_or_else(|| Flaw::of(FIELD, "Must be an object"))?;
        let mut unknown = Vec::new();
        for (name, value) in overrides {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let fate = settings.set_katago(name, &value, true);
            match fate.map_err(|error| Flaw::of(FIELD, format!("Could not set settings: {error}")))? {
                Fate::Taken => {}
                Fate::Unknown if name == ABSENT => warnings.push(absent()),
                Fate::Unknown => unknown.push(name.as_str()),
            }
        }
        if !unknown.is_empty() {
            warnings.push(Flaw::of(FIELD, format!("Unknown config params: {}", unknown.join(","))));
        }
    }
    if let Some(reduction) = fields.number("rootFpuReductionMax", 0.0, 2.0)? {
        settings.search.root_fpu_reduction = reduction as f32;
    }
    if let Some(temperature) = fields.number("rootPolicyTemperature", 0.01, 100.0)? {
        settings.search.root_policy_temperature = temperature as f32;
    }
    Ok(settings)
}

fn visits(fields: Fields<'_>, settings: &Settings, by_network: bool) -> Result<u64, Flaw> {
    let asked = fields.integer("maxVisits", 1, MOST_VISITS)?.map(|visits| visits as u64).or(settings.search.max_visits);
    let least = asked.into_iter().chain(settings.search.max_playouts).min();
    let usual = match settings.time.max_time {
        Some(_) => MOST_VISITS as u64,
        None if by_network => NETWORK_VISITS,
        None => PLAYOUT_VISITS,
    };
    Ok(least.unwrap_or(usual))
}

fn glances(fields: Fields<'_>) -> Result<Option<Glances>, Flaw> {
    let (first, every) = (fields.seconds("firstReportDuringSearchAfter")?, fields.seconds("reportDuringSearchEvery")?);
    Ok(first.or(every).map(|first| Glances { first, every: every.unwrap_or(NEVER) }))
}

/// The turns asked about, each once, with their priorities.
fn turns(fields: Fields<'_>, moves: usize) -> Result<BTreeMap<usize, i64>, Flaw> {
    let (priority, priorities) = (fields.priority()?, fields.priorities()?);
    if priority.is_some() && priorities.is_some() {
        return Err(Flaw::of("priority", "Cannot specify both priority and priorities"));
    }
    let priority = priority.unwrap_or(0);
    let Some(asked) = fields.integers("analyzeTurns")? else {
        if priorities.is_some() {
            return Err(Flaw::of("priorities", "Can only specify when also specifying analyzeTurns"));
        }
        return Ok(BTreeMap::from([(moves, priority)]));
    };
    if priorities.as_ref().is_some_and(|priorities| priorities.len() != asked.len()) {
        return Err(Flaw::of("priorities", "Must be of matching length to analyzeTurns"));
    }
    let priorities = priorities.unwrap_or_else(|| vec![priority; asked.len()]);
    let turn = |(turn, priority): (i64, i64)| {
        let known = usize::try_from(turn).ok().filter(|&turn| turn <= moves);
        known.map(|turn| (turn, priority)).ok_or_else(|| Flaw::of("analyzeTurns", format!("Invalid turn number: {turn}")))
    };
    asked.into_iter().zip(priorities).map(turn).collect()
}

fn restrictions(fields: Fields<'_>, size: Size) -> Result<Vec<Restriction>, Flaw> {
    let (field, list) = match (fields.get("allowMoves"), fields.get("avoidMoves")) {
        (None, None) => return Ok(Vec::new()),
        (Some(_), Some(_)) => return Err(Flaw::of("allowMoves", "Cannot specify both allowMoves and avoidMoves")),
        (Some(list), None) => ("allowMoves", list),
        (None, Some(list)) => ("avoidMoves", list),
    };
    let flaw = || Flaw::of(field, "Must be a list of dicts with subfields 'player', 'moves', 'untilDepth'");
    let inner = |error: Flaw| Flaw::of(field, format!("'{}': {}", error.field.unwrap_or_default(), error.what));
    let restriction = |entry: &Value| {
        let entry = Fields(entry.as_object().ok_or_else(flaw)?);
        let player = entry.player("player").map_err(inner)?.ok_or_else(flaw)?;
        let depth = entry.integer("untilDepth", 1, 1_000_000_000).map_err(inner)?.ok_or_else(flaw)?;
        entry.get("moves").ok_or_else(flaw)?;
        let actions = entry.locations("moves", field, size)?;
        Ok(Restriction { player: player.index(), actions, only: field == "allowMoves", until_depth: depth as usize })
    };
    let restrictions: Vec<_> = list.as_array().ok_or_else(flaw)?.iter().map(restriction).collect::<Result<_, _>>()?;
    let players: BTreeSet<_> = restrictions.iter().map(|restriction| restriction.player).collect();
    if field == "allowMoves" && players.len() < restrictions.len() {
        return Err(Flaw::of(field, "Cannot specify allowMoves more than once for the same player"));
    }
    Ok(restrictions)
}
