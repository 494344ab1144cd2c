//! Trees to records: what the properties of a line mean.

use super::error::{Notes, Problem, SgfError, quote};
use super::komi::{Context, read_komi};
use super::points::{points, read_move};
use super::record::{INFO, Player, Record, Step};
use super::result::GameResult;
use super::tree::{NodeId, Property, Tree};
use crate::board::{Color, Move, Size, fixed_handicap};

impl Record {
    /// Reads the main line of a tree.
    ///
    /// # Errors
    /// As for [`Record::from_path`].
    pub fn from_tree(tree: &Tree) -> Result<Self, SgfError> {
        Self::from_path(tree, &tree.main_line())
    }

    /// Reads the nodes of a path from the root down (see [`Tree::path_to`] and [`Tree::line_through`]); step `n` of the record is node `n` of the path. A fact
    /// about the game may stand in any of them; the first counts.
    ///
    /// # Errors
    /// If the game is not Go, the board is none that this engine has, or the path holds a move or setup that names no point, or two moves in
    /// one node. Whether moves are legal is not asked here.
    pub fn from_path(tree: &Tree, path: &[NodeId]) -> Result<Self, SgfError> {
        let line = Line { tree, path };
        line.check_game()?;
        let size = line.size()?;
        let mut notes = Notes::default();
        let mut record = Self::new(size);
        record.steps = path.iter().map(|&id| read_step(tree, id, size, &mut notes)).collect::<Result<_, _>>()?;
        record.rules = line.text("RU");
        record.result = line.text("RE").map(|text| GameResult::read(&text)).unwrap_or_default();
        record.players = [["PB", "BR"], ["PW", "WR"]].map(|[name, rank]| Player { name: line.text(name), rank: line.text(rank) });
        record.info = INFO.iter().filter_map(|&name| Some((name.to_owned(), line.info(name)?))).collect();
        record.read_handicap(line.first("HA"), &mut notes);
        if let Some(komi) = line.first("KM") {
            let app = line.text("AP").unwrap_or_default();
            let context = Context { app: &app, handicap: record.handicap > 0 };
            let (points, note) = read_komi(&simple_text(komi), &context);
            record.komi = points;
            if let Some(note) = note {
                notes.add(komi.place(), &note);
            }
        }
        record.notes = notes.into_vec();
        Ok(record)
    }

    /// HA, and the stones it stands for. Stones in the file outweigh the number.
    fn read_handicap(&mut self, property: Option<&Property>, notes: &mut Notes) {
        let Some(property) = property else { return };
        let text = simple_text(property);
        let mut note = |text: &str| notes.add(property.place(), text);
        let Ok(said) = text.parse::<usize>() else {
            if !text.is_empty() {
                note(&format!("HA[{}] is no number of stones; ignored", quote(&text)));
            }
            return;
        };
        if said < 2 {
            return;
        }
        let opening = self.steps.iter().take_while(|step| step.mv.is_none()).count();
        let opening = &self.steps[..(opening + 1).min(self.steps.len())];
        let placed = |color| opening.iter().flat_map(|step| &step.setup).filter(|&&(_, to)| to == Some(color)).count();
        let (black, white) = (placed(Color::Black), placed(Color::White));
        let played = self.moves().take_while(|&(color, mv)| color == Color::Black && !mv.is_pass()).count();
        if black > 0 {
            // With White's stones there too, the number cannot be checked.
            self.handicap = if white > 0 { said } else { black };
            if self.handicap != said {
                note(&format!("HA[{said}], but {black} black stones are set up; the stones count"));
            }
        } else if played >= 2 {
            self.handicap = played;
            if played != said {
                note(&format!("HA[{said}], but Black starts with {played} moves; the moves count"));
            }
        } else if played == 1 {
            note(&format!("HA[{said}], but no stones are set up and Black moves first; read as an even game"));
        } else if let Some(stones) = fixed_handicap(self.size, said) {
            self.handicap = said;
            let setup = &mut self.steps[0].setup;
            setup.extend(stones.into_iter().map(|point| (point, Some(Color::Black))));
            setup.sort_by_key(|&(point, _)| point);
            note(&format!("HA[{said}] without stones; they were put on their usual points"));
        } else {
            note(&format!("HA[{said}] without stones, and a {} board has no usual points for them; ignored", self.size));
        }
    }
}

/// A path through a tree.
struct Line<'t> {
    tree: &'t Tree,
    path: &'t [NodeId],
}

impl<'t> Line<'t> {
    /// The first property of this name.
    fn first(&self, name: &str) -> Option<&'t Property> {
        self.path.iter().find_map(|&id| self.tree.property(id, name))
    }

    fn text(&self, name: &str) -> Option<String> {
        self.first(name).map(simple_text).filter(|text| !text.is_empty())
    }

    fn info(&self, name: &str) -> Option<String> {
        if name == "GC" { self.first(name).map(joined_text).filter(|text| !text.is_empty()) } else { self.text(name) }
    }

    fn check_game(&self) -> Result<(), SgfError> {
        match self.first("GM") {
            // A GM that is no number at all is a slip, not another game.
            Some(property) if simple_text(property).parse::<u32>().is_ok_and(|game| game != 1) => {
                Err(blame(property, Problem::NotGo(simple_text(property))))
            }
            _ => Ok(()),
        }
    }

    fn size(&self) -> Result<Size, SgfError> {
        let Some(property) = self.first("SZ") else { return Ok(Size::STANDARD) };
        let text = simple_text(property);
        if text.is_empty() {
            return Ok(Size::STANDARD);
        }
        let (width, height) = text.split_once([':', 'x', 'X']).unwrap_or((&text, &text));
        let side = |text: &str| text.trim().parse::<usize>().ok();
        let size = side(width).zip(side(height)).and_then(|(width, height)| Size::new(width, height).ok());
        size.ok_or_else(|| blame(property, Problem::BadSize(quote(&text))))
    }
}

fn read_step(tree: &Tree, id: NodeId, size: Size, notes: &mut Notes) -> Result<Step, SgfError> {
    let mut step = Step::default();
    for property in tree.properties(id) {
        match property.name() {
            "AB" => add_setup(&mut step, property, size, Some(Color::Black), notes)?,
            "AW" => add_setup(&mut step, property, size, Some(Color::White), notes)?,
            "AE" => add_setup(&mut step, property, size, None, notes)?,
            "PL" => match simple_text(property).parse() {
                Ok(color) => step.to_move = Some(color),
                Err(_) => notes.add(property.place(), "PL is no colour; ignored"),
            },
            "B" => set_move(&mut step, property, size, Color::Black)?,
            "W" => set_move(&mut step, property, size, Color::White)?,
            "C" => step.comment = Some(joined_text(property)).filter(|text| !text.is_empty()),
            _ => {}
        }
    }
    Ok(step)
}

/// Of two setups of one point, the later in the node counts.
fn add_setup(step: &mut Step, property: &Property, size: Size, to: Option<Color>, notes: &mut Notes) -> Result<(), SgfError> {
    let points = points(size, property)?;
    let before = step.setup.len();
    step.setup.extend(points.iter().map(|point| (point, to)));
    // Of one point's entries the last comes first, and stays.
    step.setup.reverse();
    step.setup.sort_by_key(|&(point, _)| point);
    let all = step.setup.len();
    step.setup.dedup_by_key(|&mut (point, _)| point);
    if before > 0 && step.setup.len() < all {
        notes.add(property.place(), "a point is set up twice in one node; the later counts");
    }
    Ok(())
}

fn set_move(step: &mut Step, property: &Property, size: Size, color: Color) -> Result<(), SgfError> {
    let [value] = property.values() else { return Err(blame(property, Problem::TwoMoves)) };
    if step.mv.is_some() {
        return Err(blame(property, Problem::TwoMoves));
    }
    let mv: Option<Move> = read_move(size, value.source());
    let mv = mv.ok_or_else(|| blame(property, Problem::BadPoint { value: quote(value.source()), size }))?;
    step.mv = Some((color, mv));
    Ok(())
}

fn simple_text(property: &Property) -> String {
    property.values().first().map(super::value::Value::to_simple_text).unwrap_or_default()
}

/// All values of a text property that came more than once, a line each.
fn joined_text(property: &Property) -> String {
    property.values().iter().map(super::value::Value::to_text).collect::<Vec<_>>().join("\n")
}

fn blame(property: &Property, problem: Problem) -> SgfError {
    SgfError { place: property.place(), property: Some(property.name().to_owned()), problem }
}
