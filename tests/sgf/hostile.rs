//! Broken and odd files from bug reports. The reading each must get is set by the index of the shared material; where that leaves a choice, the
//! table in the docs of `tengen::sgf` says what was chosen.

use tengen::board::Color::{self, Black, White};
use tengen::rules::Rules;
use tengen::sgf::GameResult::{self, Win};
use tengen::sgf::Margin::{self, Points, Resignation, Time};
use tengen::sgf::{self, Record, SgfError, letters};

use Expect::{Board, Count, Ends, Error, Handicap, Illegal, Komi, Moves, Named};

use crate::common::shared;

/// What a file must give.
enum Expect {
    /// An error that says this.
    Error(&'static str),
    /// A first game with these moves, legal under all rules.
    Moves(&'static str),
    /// That many legal moves.
    Count(usize),
    /// A game in which all rules forbid a move, with this message.
    Illegal(&'static str),
    /// A board of this size.
    Board(&'static str),
    /// So many handicap stones, and these black ones on the board before the first move, row by row.
    Handicap(usize, &'static str),
    /// This komi.
    Komi(Option<f32>),
    /// This result.
    Ends(GameResult),
    /// A player Black of this name.
    Named(&'static str),
}

fn cases() -> Vec<(&'static str, Vec<u8>, Expect)> {
    vec![
        ("empty.sgf", b"".to_vec(), Error("the file is empty")),
        ("tree_empty.sgf", b"()".to_vec(), Error("no game found")),
        ("semis_only.sgf", b";;)".to_vec(), Error("no game found")),
        ("no_semicolon.sgf", b"(B[pp];W[dd])".to_vec(), Moves("Bpp Wdd")),
        (
            "lead_junk.sgf",
            b"Game record exported by X\nFrom: a@b\n\n(;FF[4]GM[1]SZ[19]KM[6.5];B[pd];W[dd])".to_vec(),
            Moves("Bpd Wdd"),
        ),
        ("missing_close.sgf", b"(;FF[4]GM[1]SZ[19]KM[6.5];B[pd];W[dd]".to_vec(), Moves("Bpd Wdd")),
        (
            "missing_bracket.sgf",
            b"(;FF[4]GM[1]SZ[19]KM[6.5];B[pd];W[dd;B[pp])".to_vec(),
            Error("line 1, column 33: property W: 'dd;B[pp' is no point of a 19x19 board; it seems that a ']' is missing"),
        ),
        (
            "trunc_value.sgf",
            b"(;FF[4]GM[1]SZ[19]KM[6.5];B[pd];W[d".to_vec(),
            Error("line 1, column 33: property W: its value has no closing ']'"),
        ),
        (
            "parens_in_comment.sgf",
            b"(;FF[4]GM[1]SZ[19]KM[6.5]C[a (b) ) ( ; c];B[pd]C[:-) ;W[aa\\]];W[dd])".to_vec(),
            Moves("Bpd Wdd"),
        ),
        ("backslash_newline.sgf", b"(;FF[4]GM[1]SZ[19]KM[6.5]C[soft \\\nbreak];B[pd])".to_vec(), Moves("Bpd")),
        (
            "variations.sgf",
            b"(;FF[4]GM[1]SZ[19]KM[6.5];B[pd](;W[dd];B[pp])(;W[dp];B[dd](;W[pp])(;W[cc])))".to_vec(),
            Moves("Bpd Wdd Bpp"),
        ),
        ("collection.sgf", b"(;GM[1]SZ[9];B[ee])(;GM[1]SZ[13];B[gg];W[dd])".to_vec(), Moves("Bee")),
        ("other_game.sgf", b"(;FF[4]GM[2]SZ[8];B[d3])".to_vec(), Error("line 1, column 8: property GM: GM[2] is another game")),
        ("backgammon.sgf", b"(;FF[4]GM[6])".to_vec(), Error("GM[6] is another game")),
        ("lowercase_ff3.sgf", b"(;FF[3]GaMe[1]SiZe[19]KoMi[5.5]Black[pd];White[dd])".to_vec(), Moves("Bpd Wdd")),
        ("ff1_caps.sgf", b"(;GaMe[1]VieW[]SiZe[19];Black[pd];White[dd])".to_vec(), Moves("Bpd Wdd")),
        ("size_SZ_21_.sgf", b"(;FF[4]GM[1]SZ[21]KM[6.5];B[aa])".to_vec(), Board("21x21")),
        ("size_SZ_25_.sgf", b"(;FF[4]GM[1]SZ[25]KM[6.5];B[aa])".to_vec(), Board("25x25")),
        ("size_SZ_1_.sgf", b"(;FF[4]GM[1]SZ[1]KM[6.5];B[aa])".to_vec(), Error("'1' is no board size")),
        ("size_SZ_0_.sgf", b"(;FF[4]GM[1]SZ[0]KM[6.5];B[aa])".to_vec(), Error("'0' is no board size")),
        (
            "size_SZ_99999999999999999999_.sgf",
            b"(;FF[4]GM[1]SZ[99999999999999999999]KM[6.5];B[aa])".to_vec(),
            Error("line 1, column 13: property SZ: '99999999999999999999' is no board size"),
        ),
        ("size_none.sgf", b"(;FF[4]GM[1]KM[6.5];B[aa])".to_vec(), Board("19x19")),
        ("tt_pass_19.sgf", b"(;FF[4]GM[1]SZ[19]KM[6.5];B[pd];W[tt];B[tt])".to_vec(), Moves("Bpd W B")),
        ("size_after_moves.sgf", b"(;FF[4]GM[1];B[pd]SZ[19];W[dd])".to_vec(), Moves("Bpd Wdd")),
        (
            "offboard.sgf",
            b"(;FF[4]GM[1]SZ[9];B[ss])".to_vec(),
            Error("line 1, column 19: property B: 'ss' is no point of a 9x9 board"),
        ),
        (
            "bad_point_len.sgf",
            b"(;FF[4]GM[1]SZ[19]KM[6.5];B[p];W[pdd];B[1];W[!!])".to_vec(),
            Error("property B: 'p' is no point"),
        ),
        ("upper_point.sgf", b"(;FF[4]GM[1]SZ[19];B[PD])".to_vec(), Error("capital letters stand for columns and rows 27 to 52")),
        ("double_black.sgf", b"(;FF[4]GM[1]SZ[19]KM[6.5];B[pd];B[dd];W[pp])".to_vec(), Moves("Bpd Bdd Wpp")),
        ("setup_mid.sgf", b"(;FF[4]GM[1]SZ[9];B[ee];W[ef];AE[ee]AB[dd];W[cc])".to_vec(), Moves("Bee Wef Wcc")),
        ("setup_rect.sgf", b"(;FF[4]GM[1]SZ[9]AB[aa:cc]AW[ga:ib];W[ee])".to_vec(), Moves("Wee")),
        ("setup_overlap.sgf", b"(;FF[4]GM[1]SZ[9]AB[aa][bb]AW[bb];W[ee])".to_vec(), Moves("Wee")),
        ("setup_no_liberty.sgf", b"(;FF[4]GM[1]SZ[9]AB[aa]AW[ab][ba];B[ee])".to_vec(), Moves("Bee")),
        ("setup_PL.sgf", b"(;FF[4]GM[1]SZ[9]AB[dd]AW[ee]PL[W])".to_vec(), Moves("")),
        ("occupied.sgf", b"(;FF[4]GM[1]SZ[9];B[ee];W[ee])".to_vec(), Illegal("move 2, White E5: there is a stone")),
        ("suicide_single.sgf", b"(;FF[4]GM[1]SZ[9]AB[ab][ba];W[aa])".to_vec(), Illegal("move 1, White A9: that is suicide")),
        (
            "ko_immediate.sgf",
            b"(;FF[4]GM[1]SZ[9]AB[ed][de][ef]AW[fd][ge][ff][ee];B[fe];W[ee])".to_vec(),
            Illegal("move 2, White E5: that would repeat"),
        ),
        ("handicap_HA_5_.sgf", b"(;FF[4]GM[1]SZ[19]KM[0.5]HA[5];W[qf])".to_vec(), Handicap(5, "ddpdjjdppp")),
        ("handicap_HA_2__ab.sgf", b"(;FF[4]GM[1]SZ[19]KM[0.5]HA[2]AB[dd][pp][dp];W[qf])".to_vec(), Handicap(3, "dddppp")),
        ("handicap_HA_1_.sgf", b"(;FF[4]GM[1]SZ[19]KM[0.5]HA[1];W[qf])".to_vec(), Handicap(0, "")),
        ("handicap_HA__1_.sgf", b"(;FF[4]GM[1]SZ[19]KM[0.5]HA[-1];W[qf])".to_vec(), Handicap(0, "")),
        ("handicap_HA_999_.sgf", b"(;FF[4]GM[1]SZ[19]KM[0.5]HA[999];W[qf])".to_vec(), Handicap(0, "")),
        ("komi_KM_325_RU_ChiAP_foxwq_.sgf", b"(;FF[4]GM[1]SZ[19]KM[325]RU[Chinese]AP[foxwq];W[pd])".to_vec(), Komi(Some(6.5))),
        ("komi_KM_650_RU_JapAP_foxwq_.sgf", b"(;FF[4]GM[1]SZ[19]KM[650]RU[Japanese]AP[foxwq];W[pd])".to_vec(), Komi(Some(6.5))),
        (
            "komi_KM_50_RU_JapAP_foxwq_.sgf",
            b"(;FF[4]GM[1]SZ[19]KM[50]RU[Japanese]HA[2]AB[dd][pp]AP[foxwq];W[pd])".to_vec(),
            Komi(Some(0.5)),
        ),
        (
            "komi_KM_0_RU_JapAP_GNU_Go_3_8_.sgf",
            b"(;FF[4]GM[1]SZ[19]KM[0]RU[Japanese]HA[0]AP[GNU Go:3.8];W[pd])".to_vec(),
            Komi(None),
        ),
        ("komi_KM__.sgf", b"(;FF[4]GM[1]SZ[19]KM[];W[pd])".to_vec(), Komi(None)),
        ("komi_KM_6_5_.sgf", b"(;FF[4]GM[1]SZ[19]KM[6,5];W[pd])".to_vec(), Komi(Some(6.5))),
        ("komi_KM_6_5__.sgf", b"(;FF[4]GM[1]SZ[19]KM[6.5\xe7\x9b\xae];W[pd])".to_vec(), Komi(Some(6.5))),
        ("komi_KM__999_.sgf", b"(;FF[4]GM[1]SZ[19]KM[-999];W[pd])".to_vec(), Komi(Some(-999.0))),
        ("komi_KM_1e400_.sgf", b"(;FF[4]GM[1]SZ[19]KM[1e400];W[pd])".to_vec(), Komi(None)),
        ("komi_KM_nan_.sgf", b"(;FF[4]GM[1]SZ[19]KM[nan];W[pd])".to_vec(), Komi(None)),
        ("result_01.sgf", b"(;FF[4]GM[1]SZ[19]CA[UTF-8]RE[B+Resign];B[pd])".to_vec(), Ends(Win(Black, Resignation))),
        ("result_02.sgf", b"(;FF[4]GM[1]SZ[19]CA[UTF-8]RE[W+T];B[pd])".to_vec(), Ends(Win(White, Time))),
        ("result_04.sgf", b"(;FF[4]GM[1]SZ[19]CA[UTF-8]RE[B+3.5];B[pd])".to_vec(), Ends(Win(Black, Points(3.5)))),
        ("result_05.sgf", b"(;FF[4]GM[1]SZ[19]CA[UTF-8]RE[B+];B[pd])".to_vec(), Ends(Win(Black, Margin::Unknown))),
        ("result_09.sgf", b"(;FF[4]GM[1]SZ[19]CA[UTF-8]RE[?];B[pd])".to_vec(), Ends(GameResult::Unknown)),
        ("result_10.sgf", b"(;FF[4]GM[1]SZ[19]CA[UTF-8]RE[];B[pd])".to_vec(), Ends(GameResult::Unknown)),
        (
            "result_14.sgf",
            b"(;FF[4]GM[1]SZ[19]CA[UTF-8]RE[B+R (moves after 120 not recorded)];B[pd])".to_vec(),
            Ends(Win(Black, Resignation)),
        ),
        (
            "result_15.sgf",
            b"(;FF[4]GM[1]SZ[19]CA[UTF-8]RE[Black wins by resignation];B[pd])".to_vec(),
            Ends(Win(Black, Resignation)),
        ),
        ("enc_sjis_noca.sgf", b"(;GM[1]FF[4]SZ[19]PB[\x93}\x8bB\x94\xf2];B[pd];W[dd])".to_vec(), Moves("Bpd Wdd")),
        ("enc_euckr.sgf", b"(;GM[1]FF[4]CA[EUC-KR]SZ[19]PB[\xc0\xcc\xc3\xa2\xc8\xa3];B[pd];W[dd])".to_vec(), Named("이창호")),
        ("enc_ca_lie.sgf", b"(;GM[1]FF[4]CA[UTF-8]SZ[19]PB[\xc4\xf4\xce\xc0\xc6\xbd];B[pd])".to_vec(), Named("聂卫平")),
        ("enc_ca_unknown.sgf", b"(;GM[1]FF[4]CA[KLINGON-1]SZ[19];B[pd])".to_vec(), Moves("Bpd")),
        ("crlf_mixed.sgf", b"(;GM[1]FF[4]\r\nSZ[19]\n\r;B\r\n[pd]\n\n;W\n[dd]\r)".to_vec(), Moves("Bpd Wdd")),
        (
            "html_instead.sgf",
            b"\n<!doctype html>\n<html lang=\"en\">\n<head>\n <title>Server Error (500)</title>\n".to_vec(),
            Error("this is a web page"),
        ),
        ("deep_nest_20000.sgf", nest(20_000), Count(20_000)),
        ("long_comment_2M.sgf", comment(2_000_000), Count(1)),
        ("moves_2000.sgf", passes(2_000), Count(2_003)),
    ]
}

fn nest(depth: usize) -> Vec<u8> {
    let nodes: String = (0..depth).map(|number| if number % 2 == 0 { "(;B[]" } else { "(;W[]" }).collect();
    format!("(;GM[1]FF[4]SZ[19]{nodes}{}", ")".repeat(depth + 1)).into_bytes()
}

fn comment(length: usize) -> Vec<u8> {
    format!("(;FF[4]GM[1]SZ[19]KM[6.5]C[{}];B[pd])", "x".repeat(length)).into_bytes()
}

fn passes(count: usize) -> Vec<u8> {
    format!("(;GM[1]FF[4]SZ[9];B[aa];W[ba];B[ab]{})", ";W[];B[]".repeat(count / 2)).into_bytes()
}

fn first_game(bytes: &[u8]) -> Result<Record, SgfError> {
    Record::from_tree(&sgf::parse(bytes)?.games[0])
}

fn moves(record: &Record) -> String {
    let moves: Vec<String> =
        record.moves().map(|(color, mv)| format!("{}{}", color.letter(), letters(record.size, mv))).collect();
    moves.join(" ")
}

fn stones(record: &Record, color: Color) -> String {
    record.steps[0].setup.iter().filter(|setup| setup.1 == Some(color)).map(|setup| letters(record.size, setup.0)).collect()
}

fn all_rules() -> Vec<Rules> {
    let mut all = Vec::new();
    for rules in Rules::names().map(|name| Rules::parse(name).unwrap()) {
        if !all.contains(&rules) {
            all.push(rules);
        }
    }
    all
}

#[test]
fn every_file_is_read_as_its_index_says() {
    for (name, bytes, expect) in cases() {
        println!("{name}");
        let read = first_game(&bytes);
        if let Error(text) = expect {
            let error = read.expect_err(name).to_string();
            assert!(error.contains(text), "{name}: {error}");
            continue;
        }
        let record = read.unwrap_or_else(|error| panic!("{name}: {error}"));
        if let Illegal(text) = expect {
            for rules in all_rules() {
                let error = record.replay(rules).expect_err(name).to_string();
                assert!(error.contains(text), "{name}: {error}");
            }
            continue;
        }
        for rules in all_rules() {
            record.replay(rules).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        match expect {
            Moves(text) => assert_eq!(moves(&record), text, "{name}"),
            Count(count) => assert_eq!(record.moves().count(), count, "{name}"),
            Board(size) => assert_eq!((record.size.to_string().as_str(), record.moves().count()), (size, 1), "{name}"),
            Handicap(count, set_up) => {
                assert_eq!((record.handicap, stones(&record, Black).as_str()), (count, set_up), "{name}");
                assert_eq!(record.notes.is_empty(), name == "handicap_HA_1_.sgf", "{name}: {:?}", record.notes);
            }
            Komi(komi) => assert_eq!(record.komi, komi, "{name}"),
            Ends(result) => assert_eq!(record.result, result, "{name}"),
            Named(black) => assert_eq!(record.players[0].name.as_deref(), Some(black), "{name}"),
            Error(_) | Illegal(_) => unreachable!("handled above"),
        }
    }
}

#[test]
fn the_cases_are_those_of_the_index() {
    let Some(folder) = shared("hostile") else { return };
    let index = std::fs::read_to_string(folder.join("INDEX.tsv")).unwrap();
    let listed: Vec<&str> = index.lines().skip(1).map(|line| line.split('\t').next().unwrap()).collect();
    let cases = cases();
    assert_eq!(cases.iter().map(|case| case.0).collect::<Vec<_>>(), listed);
    for (name, bytes, _) in cases {
        assert!(std::fs::read(folder.join("sgf").join(name)).unwrap() == bytes, "{name}");
    }
}

fn case(wanted: &str) -> Vec<u8> {
    cases().into_iter().find(|case| case.0 == wanted).unwrap().1
}

#[test]
fn details_of_the_odd_ones() {
    let read = |name: &str| first_game(&case(name)).unwrap();
    assert_eq!(read("backslash_newline.sgf").steps[0].comment.as_deref(), Some("soft break"));
    assert_eq!(read("lowercase_ff3.sgf").komi, Some(5.5));
    assert_eq!(read("parens_in_comment.sgf").steps[1].comment.as_deref(), Some(":-) ;W[aa]"));
    assert_eq!(read("enc_euckr.sgf").moves().count(), 2);
    let rectangles = read("setup_rect.sgf");
    let at = |color| rectangles.steps[0].setup.iter().filter(|setup| setup.1 == Some(color)).count();
    assert_eq!((at(Black), at(White)), (9, 6));
    let collection = sgf::parse(&case("collection.sgf")).unwrap();
    let sizes: Vec<String> = collection.games.iter().map(|game| Record::from_tree(game).unwrap().size.to_string()).collect();
    assert_eq!(sizes, ["9x9", "13x13"]);
    for noted in ["no_semicolon.sgf", "missing_close.sgf", "enc_ca_lie.sgf"] {
        assert_eq!(sgf::parse(&case(noted)).unwrap().notes.len(), 1, "{noted}");
    }
}

/// What stands at these points, as on a drawing.
fn drawn(record: &Record, vertices: &[&str]) -> String {
    let position = record.replay(Rules::default()).unwrap();
    let stone = |vertex: &&str| position.board().stone(record.size.parse_vertex(vertex).unwrap().point().unwrap());
    vertices.iter().map(stone).map(|stone| stone.map_or('.', |color| if color == Black { 'X' } else { 'O' })).collect()
}

#[test]
fn setup_as_documented() {
    let read = |name: &str| first_game(&case(name)).unwrap();
    let overlap = read("setup_overlap.sgf");
    assert_eq!((drawn(&overlap, &["A9", "B8", "E5"]).as_str(), overlap.notes.len()), ("XOO", 1));
    let stuck = read("setup_no_liberty.sgf");
    assert_eq!(drawn(&stuck, &["A9", "A8", "B9", "E5"]), ".OOX");
    let middle = read("setup_mid.sgf");
    assert_eq!(drawn(&middle, &["E5", "E4", "D6", "C7"]), ".OXO");
    // The same as White's move would find it: White's own stones go first.
    let both = first_game(b"(;SZ[2]AB[aa][bb]AW[ab][ba]PL[W])").unwrap();
    assert_eq!(drawn(&both, &["A2", "B1", "A1", "B2"]), "XX..");
    let full = first_game(b"(;SZ[3]AB[aa:cc];W[bb])").unwrap();
    assert_eq!(drawn(&full, &["A1", "B2", "C3"]), ".O.");
    let to_move = read("setup_PL.sgf").replay(Rules::default()).unwrap().to_move();
    assert_eq!(to_move, White);
}

#[test]
fn large_files_take_no_time() {
    let start = std::time::Instant::now();
    for bytes in [nest(200_000), comment(10_000_000), passes(2_000), wide(100_000), crowded(100_000), rectangles(100_000)] {
        let games = sgf::parse(&bytes).unwrap().games;
        Record::from_tree(&games[0]).unwrap();
        let again = sgf::parse(sgf::write(&games).as_bytes()).unwrap().games;
        assert_eq!(again[0].node_count(), games[0].node_count());
    }
    assert!(start.elapsed().as_secs_f64() < 10.0, "{:?}", start.elapsed());
}

/// Many variations of one node.
fn wide(count: usize) -> Vec<u8> {
    format!("(;SZ[9]{})", "(;B[aa])(;W[bb])".repeat(count / 2)).into_bytes()
}

/// A node of many properties, each twice.
fn crowded(count: usize) -> Vec<u8> {
    let names: Vec<String> = (0..count).map(|number| format!("X{}", number % (count / 2))).collect();
    format!("(;{}[])", names.join("[]")).into_bytes()
}

/// A list of many large rectangles.
fn rectangles(count: usize) -> Vec<u8> {
    format!("(;TR{0}AB{0})", "[aa:ss]".repeat(count / 2)).into_bytes()
}

#[test]
fn names_that_are_none_are_refused() {
    for text in ["(;b[aa])", "(;o3G[x])", "(;B)", "(;[aa])", "(;B[aa](;W[bb]);B[cc])", "(;B[aa](;W[bb])C[x])", "(;B[aa],W[bb])"] {
        let error = sgf::parse(text.as_bytes()).unwrap_err();
        assert!(error.place.is_some(), "{text}: {error}");
    }
}

#[test]
fn a_flood_of_slips_gives_few_notes() {
    let collection = sgf::parse("(;C[x]".repeat(1000).replace(';', "").as_bytes()).unwrap();
    assert_eq!(collection.games[0].node_count(), 1000);
    assert!(collection.notes.len() <= 20, "{}", collection.notes.len());
}
