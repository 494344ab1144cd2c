//! Records in other formats than SGF: Tygem's GIB, wBaduk's NGF and Pandanet's UGF, read as trees of SGF.

mod gib;
mod ngf;
mod ugf;

use super::error::{Notes, Place, Problem, SgfError, quote};
use super::points::letters;
use super::tree::{NodeId, Tree};
use super::value::Value;
use crate::board::{Color, Size, fixed_handicap};

/// A format of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Gib,
    Ngf,
    Ugf,
}

impl Format {
    /// The format of a file that is not SGF; nothing if it might be.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        if start.starts_with(b"\\HS") {
            Some(Self::Gib)
        } else if start.starts_with(b"[Header]") {
            Some(Self::Ugf)
        } else {
            ngf::is_like(bytes).then_some(Self::Ngf)
        }
    }

    /// What the file says of its character set, in words that are known for one.
    pub(super) fn charset(self, bytes: &[u8]) -> Option<&'static str> {
        let says = |text: &[u8]| bytes.windows(text.len()).take(4000).any(|window| window == text);
        match self {
            Self::Gib if says(b"GIBOKIND=Korea") => Some("cp949"),
            Self::Gib if says(b"GIBOKIND=China") => Some("gb18030"),
            Self::Gib if says(b"GIBOKIND=Japan") => Some("cp932"),
            Self::Ugf if says(b"Lang=SJIS") => Some("cp932"),
            _ => None,
        }
    }

    /// Reads the game.
    pub(super) fn read(self, text: &str, notes: &mut Notes) -> Result<Tree, SgfError> {
        match self {
            Self::Gib => gib::read(text),
            Self::Ngf => ngf::read(text, notes),
            Self::Ugf => ugf::read(text),
        }
    }
}

/// A tree that is being written: one line of moves.
struct Sheet {
    tree: Tree,
    last: NodeId,
    size: Size,
}

impl Sheet {
    fn new(size: Size) -> Self {
        let mut sheet = Self { tree: Tree::new(), last: Tree::ROOT, size };
        sheet.say("GM", "1");
        sheet.say("SZ", &size.width().to_string());
        sheet
    }

    /// A fact about the game, if there is something to say.
    fn say(&mut self, name: &str, text: &str) {
        if !text.trim().is_empty() {
            self.tree.set(Tree::ROOT, name, vec![Value::simple_text(text.trim())]);
        }
    }

    /// A player's name and rank.
    fn player(&mut self, color: Color, name: &str, rank: &str) {
        let properties = if color == Color::Black { ["PB", "BR"] } else { ["PW", "WR"] };
        self.say(properties[0], name);
        self.say(properties[1], rank);
    }

    /// Handicap stones, on their usual points.
    fn handicap(&mut self, stones: usize) {
        let Some(points) = fixed_handicap(self.size, stones) else { return };
        self.say("HA", &stones.to_string());
        let values = points.iter().map(|&point| Value::simple_text(&letters(self.size, point))).collect();
        self.tree.set(Tree::ROOT, "AB", values);
    }

    /// A move in column `x` and row `y` from the top left, or a pass.
    fn play(&mut self, color: Color, at: Option<(usize, usize)>, line: (usize, &str)) -> Result<(), SgfError> {
        let value = match at {
            None => String::new(),
            Some((x, y)) => {
                let point = self.size.point(x, y).ok_or_else(|| off_board(line, self.size))?;
                letters(self.size, point)
            }
        };
        self.last = self.tree.add_child(self.last);
        let name = if color == Color::Black { "B" } else { "W" };
        self.tree.set(self.last, name, vec![Value::simple_text(&value)]);
        Ok(())
    }

    /// A pass of whoever's turn it is.
    fn pass(&mut self) {
        let last = |name| self.tree.value(self.last, name).is_some();
        // Black's stones at the root are a handicap.
        let color = if last("B") || last("AB") { Color::White } else { Color::Black };
        self.last = self.tree.add_child(self.last);
        self.tree.set(self.last, if color == Color::Black { "B" } else { "W" }, vec![Value::simple_text("")]);
    }

    /// The tree, which has moves or handicap stones.
    fn finish(self) -> Result<Tree, SgfError> {
        if self.last == Tree::ROOT && self.tree.property(Tree::ROOT, "AB").is_none() {
            return Err(SgfError { place: None, property: None, problem: Problem::NoGame });
        }
        Ok(self.tree)
    }
}

/// A line, counted from 0, that names no point of the board.
fn off_board((number, text): (usize, &str), size: Size) -> SgfError {
    let place = Place { line: number as u32 + 1, column: 1 };
    SgfError { place: Some(place), property: None, problem: Problem::OffBoard { line: quote(text), size } }
}

/// A size that a header names: square; 19x19 if it names none.
fn size_of(text: &str) -> Result<Size, SgfError> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(Size::STANDARD);
    }
    let size = text.parse().ok().and_then(|side| Size::square(side).ok());
    size.ok_or_else(|| SgfError { place: None, property: None, problem: Problem::BadSize(quote(text)) })
}

#[cfg(test)]
mod tests {
    use super::super::{GameResult, Margin, Record, parse};
    use crate::board::Color;

    fn read(bytes: &[u8]) -> Record {
        Record::from_tree(&parse(bytes).unwrap().games[0]).unwrap()
    }

    fn moves(record: &Record) -> String {
        let name = |(color, mv): (Color, crate::board::Move)| format!("{}{}", color.letter(), record.size.vertex(mv));
        record.moves().map(name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn tygem() {
        let text = "\\HS\r\n\\[GIBOKIND=Korea\\]\r\n\\[GAMEWHITENAME=김 (1급)\\]\r\n\\[GAMEBLACKNAME=jy512 (15K)\\]\r\n\
            \\[GAMEINFOMAIN=GBKIND:0,GTYPE:0,GRLT:1,ZIPSU:110,DUM:0,GONGJE:65,TCNT:49\\]\r\n\
            \\[GAMETAG=S0,R0,D0,G65,W7,Z0,T30-3-1200,C2015:08:29:22:56,I:a,L:17\\]\r\n\\HE\r\n\\GS\r\n2 1 0\r\n\
            INI 0 1 3 &4 \r\nSTO 0 2 2 15 15 \r\nSTO 0 3 1 13 16 \r\nSKI 0 4 \r\nSKI 0 5 \r\n\\GE\r\n";
        let (korean, _, bad) = encoding_rs::EUC_KR.encode(text);
        assert!(!bad);
        for bytes in [&korean[..], text.as_bytes()] {
            let record = read(bytes);
            assert_eq!(moves(&record), "WQ4 BO3 Wpass Bpass");
            assert_eq!(record.players[1].name.as_deref(), Some("김"));
            assert_eq!(record.players[1].rank.as_deref(), Some("1급"));
            assert_eq!(record.players[0].rank.as_deref(), Some("15K"));
            assert_eq!((record.komi, record.handicap), (Some(6.5), 3));
            assert_eq!(record.result, GameResult::Win(Color::White, Margin::Points(11.0)));
            assert!(record.info.contains(&("DT".to_owned(), "2015-08-29".to_owned())));
        }
        let error = parse(text.replace("13 16", "13 99").as_bytes()).unwrap_err();
        assert!(error.to_string().starts_with("line 12, column 1: 'STO 0 3 1 13 99' names no point"), "{error}");
    }

    #[test]
    fn wbaduk() {
        let text = "Rated game\n19\nLQC         9DP\nCYY 7D*\nwww.cyberoro.com\n0\n0\n7\n20170316 [09:37]\n5\nBlack wins by 0.5!\n333\n\
            PMABBREER\nPMACWEEEE\nPMADBAAAA\n";
        let record = read(text.as_bytes());
        assert_eq!(moves(&record), "BR16 WD16 Bpass");
        assert_eq!(record.komi, Some(7.5));
        assert!(parse(text.as_bytes()).unwrap().notes.iter().any(|note| note.contains("half a point more")));
        assert_eq!(record.players[0].rank.as_deref(), Some("7d"));
        assert_eq!(record.players[1].rank.as_deref(), Some("9p"));
        assert_eq!(record.result, GameResult::Win(Color::Black, Margin::Points(0.5)));
        let handicap = text.replace("com\n0\n0\n7", "com\n2\n0\n0").replace("Black wins by 0.5!", "White wins by  resign!");
        let record = read(handicap.as_bytes());
        assert_eq!((record.handicap, record.komi), (2, Some(0.0)));
        assert_eq!(record.result, GameResult::Win(Color::White, Margin::Resignation));
    }

    #[test]
    fn wbaduk_of_old() {
        let text = "GI韩国十段战\nGI朴承华 初段\nGI李载雄 五段\nGI\nGI\nGI2006-9-5\nGI19\nGI0\nGI0\nGI6\nGI211\n\
            PMABBREER\nPMACWEEEE\nGI1\nIDB[211] 黑中盘胜(现场消息)[EndTxt]\n";
        let (chinese, _, _) = encoding_rs::GB18030.encode(text);
        let one_line_more = text.replace("\nGI\n", "\nGI\nGI\n");
        for bytes in [&chinese[..], text.as_bytes(), one_line_more.as_bytes()] {
            let record = read(bytes);
            assert_eq!(moves(&record), "BR16 WD16");
            assert_eq!((record.size.width(), record.komi, record.handicap), (19, Some(6.5), 0));
            assert_eq!(record.players[0].name.as_deref(), Some("李载雄"));
            assert_eq!(record.players[0].rank.as_deref(), Some("五段"));
            assert_eq!(record.players[1].name.as_deref(), Some("朴承华"));
            assert_eq!(record.result, GameResult::Win(Color::Black, Margin::Resignation));
            for (name, said) in [("DT", "2006-09-05"), ("EV", "韩国十段战")] {
                assert!(record.info.contains(&(name.to_owned(), said.to_owned())), "{name}");
            }
            assert!(parse(bytes).unwrap().notes.iter().any(|note| note.contains("which colour is not said")));
        }
    }

    #[test]
    fn pandanet() {
        let text = "[Header]\nVer=UGF3,200\nLang=SJIS\nRule=JPN\nSize=19\nHdcp=2,0.50\nDate=2019/03/08,22:09:00\nWinner=W,C\n\
            PlayerB=本因坊,7d,,x\nPlayerW=YINNI,8d,,y\n[Data]\nQP,B1,0,0\nDD,B1,0,0\nDP,W1,1,0\nPC,B1,2,0\nYA,W1,3,0\n[Figure]\nDP,W1,9,0\n";
        let (japanese, _, _) = encoding_rs::SHIFT_JIS.encode(text);
        let record = read(&japanese);
        assert_eq!(moves(&record), "WD16 BQ3 Wpass");
        assert_eq!((record.handicap, record.komi, record.rules.as_deref()), (2, Some(0.5), Some("Japanese")));
        assert_eq!(record.players[0].name.as_deref(), Some("本因坊"));
        assert_eq!(record.result, GameResult::Win(Color::White, Margin::Resignation));
    }

    #[test]
    fn hopeless_files() {
        for text in [
            "\\HS\n\\HE\n",
            "[Header]\nSize=19\n[Data]\n",
            "[Header]\nSize=1000\n[Data]\nAA,B1,1,0\n",
            "[Header]\nSize=9\n[Data]\n,B1,1,0\nQQ,B1,1",
        ] {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
