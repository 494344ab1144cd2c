//! `tengen book` as a shell sees it, and an engine that plays from a book.

mod common;

use std::path::Path;

use common::Folder;
use common::gtp::{Client, quick};
use common::shell::{complaint, good};
use tengen::board::{Color, Coord, Move, Size, Symmetry};
use tengen::book::{Book, Mark};
use tengen::params::Settings;
use tengen::rules::{Position, Rules};

/// A game on 9x9 of these moves, in SGF's letters.
fn game(moves: &str, komi: &str, result: &str) -> String {
    let colors = ["B", "W"].into_iter().cycle();
    let moves: Vec<String> = moves.split(' ').zip(colors).map(|(place, color)| format!(";{color}[{place}]")).collect();
    let moves = moves.concat();
    format!("(;SZ[9]KM[{komi}]RU[Chinese]RE[{result}]{moves})")
}

/// Seven games that begin in the middle, three of which are turned, and one at another komi.
fn games(folder: &Folder) {
    let games = [
        game("ee ge gg cc", "7", "B+R"),
        game("ee ge gg dc", "7", "W+R"),
        game("ee ge gc cc", "7", "B+3.5"),
        game("ee eg cg aa", "7", "B+3"),
        game("ee ec gc ab", "6.5", "W+T"),
        game("ee cc gg ba", "7", "W+1"),
        game("cc ee gg ba", "7", ""),
        game("ee ge gg cb", "0.5", "B+40"),
    ];
    folder.write("first.sgf", &games[..4].concat());
    std::fs::create_dir_all(folder.0.join("棋譜")).unwrap();
    folder.write("棋譜/others.SGF", &games[4..].concat());
    folder.write("notes.txt", "no game");
}

fn path(folder: &Folder, name: &str) -> String {
    folder.0.join(name).to_str().unwrap().to_owned()
}

#[test]
fn a_book_is_built_shown_changed_and_merged() {
    let folder = Folder::new("book Bücher");
    games(&folder);
    let (games, book, both) = (path(&folder, ""), path(&folder, "my book.bin"), path(&folder, "both.bin"));
    let text = good(&["book", "build", &games, &games, "--least", "1", "-o", &book]);
    assert!(text.starts_with("8 games; 8 there more than once\nboard "), "{text}");
    assert!(complaint(&["book", "build", &games, "-o", &book]).contains("my book.bin exists; give --out another name"));
    let text = good(&["book", "show", &book]);
    assert!(text.contains("9x9    area        6.5") && text.contains("9x9    area          7"), "{text}");
    assert!(text.contains("9x9, area scoring, komi 7, Black to move"), "{text}");
    let row = |text: &str, name: &str| {
        let row = text.lines().find(|line| line.starts_with(&format!("{name} ")));
        row.unwrap_or_else(|| panic!("no {name}\n{text}")).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    // Of the six, those at komi 7 and 6.5 count.
    assert!(row(&text, "E5").starts_with("E5 6 50.0% 100.0% "), "{text}");
    assert!(row(&text, "G7").starts_with("G7 1 - 0.0%"), "{text}");
    let reply = good(&["book", "show", &book, "E5"]);
    assert!(row(&reply, "G5").starts_with("G5 5 40.0%") && !reply.contains("positions"), "{reply}");
    let reply = good(&["book", "show", &book, "E5", "--komi", "0.5"]);
    assert!(row(&reply, "G5").starts_with("G5 1 0.0%"), "{reply}");
    assert!(good(&["book", "show", &book, "--komi", "5"]).contains("does not know this position"));
    assert!(good(&["book", "show", &book, "--rules", "japanese"]).contains("does not know this position"));
    let edited = good(&["book", "edit", &book, "E5", "--play", "C3", "--avoid", "g5"]);
    assert!(row(&edited, "G5").ends_with("avoid G3 C7") || row(&edited, "G5").contains(" avoid "), "{edited}");
    assert!(edited.contains(" play"), "{edited}");
    assert!(complaint(&["book", "edit", &book, "E5", "--play", "E5"]).contains("E5 cannot be marked"));
    assert!(complaint(&["book", "edit", &book, "E5", "--remove", "A1"]).contains("A1 is not in the book there"));
    assert!(complaint(&["book", "edit", &book, "E5", "--play", "K10"]).contains("K10"));
    assert!(complaint(&["book", "show", &book, "E5", "E5"]).contains("move 2, E5"));
    good(&["book", "merge", &book, &book, "-o", &both]);
    assert!(row(&good(&["book", "show", &both]), "E5").starts_with("E5 12 50.0%"));
    good(&["book", "edit", &both, "--remove-all"]);
    assert!(good(&["book", "show", &both]).contains("does not know this position"));
    assert!(good(&["book", "show", &both, "E5"]).contains("\nG5"));
    // The same games make the same file.
    let again = path(&folder, "again.bin");
    good(&["book", "build", &games, "--least", "1", "-o", &again]);
    let first = path(&folder, "fresh.bin");
    good(&["book", "build", &path(&folder, "棋譜"), &path(&folder, "first.sgf"), "--least", "1", "-o", &first]);
    assert_eq!(std::fs::read(again).unwrap(), std::fs::read(first).unwrap());
}

#[test]
fn files_that_are_no_books_and_games_that_are_none() {
    let folder = Folder::new("book broken");
    games(&folder);
    let (out, whole) = (path(&folder, "out.bin"), path(&folder, "whole.bin"));
    good(&["book", "build", &path(&folder, "first.sgf"), "--least", "1", "-o", &whole]);
    let bytes = std::fs::read(&whole).unwrap();
    let broken = path(&folder, "broken.bin");
    std::fs::write(&broken, &bytes[..bytes.len() - 1]).unwrap();
    for args in [&["book", "show", &broken][..], &["book", "merge", &whole, &broken, "-o", &out], &["gtp", "--book", &broken]] {
        assert!(complaint(args).contains("broken.bin is no opening book: it is damaged"), "{args:?}");
    }
    assert!(complaint(&["gtp", "--book", &path(&folder, "none.bin")]).contains("none.bin is no opening book: it cannot be read"));
    assert!(complaint(&["book", "show", &path(&folder, "first.sgf")]).contains("begins with something else"));
    assert!(complaint(&["book", "show", &path(&folder, "")]).contains("cannot be read"));
    let notes = path(&folder, "notes.txt");
    assert!(complaint(&["book", "build", &notes, "-o", &out]).contains("neither a folder nor a file that ends in .sgf"));
    assert!(
        complaint(&["book", "build", &path(&folder, "first.sgf"), "--least", "9", "-o", &out]).contains("try a smaller --least")
    );
    let no_komi = folder.write("fox.sgf", "(;SZ[9];B[ee];W[ge])");
    assert!(complaint(&["book", "build", &no_komi, "-o", &out]).contains("1 without a komi, left out (--komi says one)"));
    let text = good(&["book", "build", &no_komi, "--komi", "7", "--least", "1", "-o", &out]);
    assert!(text.starts_with("1 games; 1 of them without rules, which were assumed"), "{text}");
    assert!(
        complaint(&["book", "build", &path(&folder, "first.sgf"), "-o", &path(&folder, "no/book.bin"), "--least", "1"])
            .contains("cannot write")
    );
    let Some(hostile) = common::shared("hostile/sgf") else { return };
    let odd = path(&folder, "odd.bin");
    let text = good(&["book", "build", hostile.to_str().unwrap(), "--least", "1", "--komi", "7", "-o", &odd]);
    assert!(text.contains("that cannot be read"), "{text}");
    good(&["book", "show", &odd]);
}

/// A book on 9x9 in which after E5 C5 comes `third`.
fn small_book(third: &str) -> Book {
    let size = Size::square(9).unwrap();
    let mut position = Position::new(size, Rules::parse("chinese").unwrap().with_komi(7.0));
    let mut book = Book::default();
    for name in ["E5", "C5", third] {
        let mv = size.parse_vertex(name).unwrap();
        assert!(book.mark(&position, mv, Mark::Play));
        position.play(mv).unwrap();
    }
    book
}

fn by_book(book: &Book, folder: &Folder) -> Settings {
    let file = folder.0.join("small.bin");
    book.write(&file).unwrap();
    let mut settings = quick();
    settings.book.file = Some(file);
    settings.game.board_size = 9;
    settings.game.komi = Some(7.5);
    settings
}

#[test]
fn an_engine_plays_from_its_book_however_the_board_is_turned() {
    let folder = Folder::new("book play");
    let size = Size::square(9).unwrap();
    let mut client = Client::start(by_book(&small_book("D7"), &folder));
    assert_eq!(client.get("genmove b"), "E5");
    for symmetry in Symmetry::ALL {
        let turned = |name: &str| {
            let coord = size.coord(size.parse_vertex(name).unwrap().point().unwrap());
            size.vertex(size.at(symmetry.turn(size, coord)).unwrap())
        };
        client.get("clear_board");
        client.get(&format!("play b {}", turned("E5")));
        client.get(&format!("play w {}", turned("C5")));
        let move_of_book = [turned("D7"), turned("D3")];
        // E5 C5 is symmetric itself, so that either will do; asking plays nothing.
        let asked = client.get("reg_genmove b");
        assert!(move_of_book.contains(&asked), "{asked}");
        assert_eq!(client.get("genmove b"), asked);
    }
    // Cut off from the book by komi, by rules, by another first move.
    client.get("clear_board");
    client.get("komi 9");
    assert!(!told_of_book(&mut client, "kata-genmove_analyze b"));
    client.get("clear_board");
    client.get("komi 6");
    assert!(told_of_book(&mut client, "kata-genmove_analyze b"));
    client.get("clear_board");
    client.get("kata-set-rules japanese");
    client.get("komi 7");
    assert!(!told_of_book(&mut client, "kata-genmove_analyze b"));
    client.get("kata-set-rules chinese");
    client.get("komi 7");
    client.get("clear_board");
    assert!(told_of_book(&mut client, "kata-genmove_analyze b"));
    assert!(client.get("gomill-explain_last_move").contains("from the opening book, marked by hand"));
    assert!(client.messages().contains("The move is from the opening book, marked by hand."));
    // A restricted search is one for a move that is not the book's.
    client.get("clear_board");
    assert!(!told_of_book(&mut client, "kata-genmove_analyze b avoid b E5 1"));
}

/// Whether an analysing command says that its move is from a book; that must be the move it plays.
fn told_of_book(client: &mut Client, command: &str) -> bool {
    let reply = client.get(command);
    let (info, played) = reply.trim().rsplit_once("play ").unwrap();
    let told = info.contains(" bookGames ");
    if told {
        assert!(info.starts_with(&format!("info move {} ", played.trim())), "{reply}");
        assert_eq!(info.matches("bookGames").count(), 1);
    }
    told
}

#[test]
fn what_superko_forbids_is_not_played() {
    // A book that knows of no history would bring back a position by a ko in which a pass was exchanged.
    let folder = Folder::new("book superko");
    let size = Size::square(9).unwrap();
    let rules = Rules::parse("tromp-taylor").unwrap().with_komi(7.0);
    let mut position = Position::new(size, rules);
    let moves = "C3 D3 D4 E4 D2 E2 B9 F3 E3";
    for name in moves.split(' ') {
        position.play(size.parse_vertex(name).unwrap()).unwrap();
    }
    let retake = size.parse_vertex("D3").unwrap();
    let mut free = Position::from_board(position.board().clone(), Color::White, rules);
    let mut book = Book::default();
    assert!(book.mark(&free, retake, Mark::Play));
    free.play(retake).unwrap();
    let mut settings = by_book(&book, &folder);
    settings.game.rules = "tromp-taylor".to_owned();
    let mut client = Client::start(settings);
    for (index, name) in moves.split(' ').enumerate() {
        client.get(&format!("play {} {name}", ["b", "w"][index % 2]));
    }
    assert_eq!(position.board().stone(retake.point().unwrap()), None);
    assert_ne!(client.get("genmove w"), "D3");
}

#[test]
fn variety_follows_the_seed() {
    let folder = Folder::new("book variety");
    let games: String = ["ee ge", "ee ge", "cc ge", "cc ge"].map(|moves| game(moves, "7", "")).concat();
    // Told apart by their last moves.
    let all = (0..6).map(|n| games.replace(')', &format!(";B[a{}])", (b'a' + n) as char))).collect::<Vec<_>>().concat();
    let (file, book) = (folder.write("games.sgf", &all), path(&folder, "book.bin"));
    good(&["book", "build", &file, "-o", &book]);
    let moves = |seed: u64| {
        let mut settings = quick();
        settings.search.seed = Some(seed);
        settings.book.file = Some(Path::new(&book).to_owned());
        settings.game.board_size = 9;
        settings.game.komi = Some(7.0);
        Client::start(settings).get("genmove b")
    };
    let played: Vec<String> = (0..8).map(moves).collect();
    assert_eq!(played, (0..8).map(moves).collect::<Vec<_>>());
    assert!(played.iter().any(|mv| mv == "E5") && played.iter().any(|mv| mv == "G7"), "{played:?}");
}

#[test]
fn handicap_stones_are_another_position() {
    let size = Size::square(9).unwrap();
    let book = small_book("D7");
    let mut position = Position::new(size, Rules::parse("chinese").unwrap().with_komi(7.0));
    let at = |x, y| Move::from(size.at(Coord { x, y }).unwrap());
    position.play_as(Color::Black, at(2, 2)).unwrap();
    position.play_as(Color::Black, at(6, 6)).unwrap();
    position.set_to_move(Color::White);
    assert_eq!(book.moves(&position), []);
}
