//! The page of a review in a real browser, if there is one: by keys, mouse and finger, in light and dark, on a phone.

#[path = "review/browser.rs"]
mod browser;
mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use browser::Browser;
use common::Folder;
use serde_json::json;
use tengen::board::Color;
use tengen::rules::Rules;
use tengen::sgf::{self, Record};

/// Names and words that are markup, if somebody takes them for it.
const HOSTILE: &str = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>";

/// A game on 9x9 with a capture, a pass, a comment and names that must not be markup.
fn hostile_game() -> String {
    let name = HOSTILE.replace(']', "\\]");
    let moves = ";B[ee];W[ed];B[dd];W[fe];B[fd];W[ge]LB[gg:A];B[ec];W[gd]C[early: HERE];B[fc];W[];B[gc];W[hc];B[hb];W[cd];B[de]";
    format!("(;GM[1]SZ[9]KM[6.5]RU[Chinese]PB[{name}]PW[本因坊 & Söhne]EV[{name}]{})", moves.replace("HERE", &name))
}

fn review(game: &Path, out: &Path, args: &[&str]) -> PathBuf {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    let output = command.arg("review").arg(game).arg("--out").arg(out).args(["--formats", "html"]).args(args).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    out.join(game.file_stem().unwrap()).with_extension("html")
}

/// Where the middle of the graph is for a move.
fn on_graph(browser: &mut Browser, at: usize, last: usize) -> [f64; 2] {
    let [left, top, width, height] = browser.place("#graph");
    [left + 6.0 + (width - 12.0) * at as f64 / last as f64, top + height / 2.0]
}

/// Asserts that the board shows the record's position after so many moves.
fn shows(browser: &mut Browser, record: &Record, at: usize) {
    assert_eq!(browser.value("document.body.dataset.at"), json!(at.to_string()));
    let position = record.replay_moves(Rules::parse("chinese").unwrap(), at).unwrap();
    let sign = |point| position.board().stone(point).map_or(0, |color| if color == Color::Black { 1 } else { -1 });
    let expected: Vec<i32> = record.size.points().map(sign).collect();
    let script =
        "[...document.querySelectorAll('.shudan-vertex')].map((v) => Number(/shudan-sign_(-?1|0)/.exec(v.className)[1]))";
    assert_eq!(browser.value(script), json!(expected), "after {at} moves");
}

#[test]
fn the_page_is_stepped_through() {
    let folder = Folder::new("page 碁");
    let Some(mut browser) = Browser::start(&folder.0) else { return };
    let game = folder.0.join("Größe 9 & mehr.sgf");
    std::fs::write(&game, hostile_game()).unwrap();
    let page = review(&game, &folder.0, &["--net", "none", "--visits", "60", "--seed", "3"]);
    let record = Record::from_tree(&sgf::parse(hostile_game().as_bytes()).unwrap().games[0]).unwrap();
    let last = record.moves().count();
    browser.resize(1200, 900, false);
    browser.open(&page);

    shows(&mut browser, &record, 0);
    for (key, at) in [
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("PageDown", 11),
        ("End", last),
        ("ArrowRight", last),
        ("Home", 0),
    ] {
        browser.key(key);
        shows(&mut browser, &record, at);
    }
    // The capture at move 9 is on the board.
    for at in [9, 4, last, 12] {
        let place = on_graph(&mut browser, at, last);
        browser.click(place);
        shows(&mut browser, &record, at);
    }
    browser.click_on("[data-go=back]");
    shows(&mut browser, &record, 11);

    // Names are text, wherever they stand.
    assert!(browser.value("document.getElementById('players').textContent").as_str().unwrap().contains(HOSTILE));
    assert!(browser.value("document.title").as_str().unwrap().contains(HOSTILE));
    browser.key("Home");
    let place = on_graph(&mut browser, 8, last);
    browser.click(place);
    assert_eq!(browser.value("document.querySelector('.said').textContent"), json!(format!("early: {HOSTILE}")));
    assert_eq!(browser.value("window.hacked === undefined"), json!(true));

    // Layers, lines and the list of mistakes.
    assert_eq!(browser.value("document.querySelectorAll('.shudan-paint').length"), json!(0));
    browser.click_on("[data-layer=ownership]");
    assert!(browser.value("document.querySelectorAll('.shudan-paint').length").as_u64().unwrap() > 5);
    browser.key("p");
    assert!(browser.value("document.querySelectorAll('[class*=heat_p]').length").as_u64().unwrap() > 0);
    browser.key("b");
    browser.click_on(".choices button");
    assert!(browser.value("document.querySelectorAll('.shudan-marker_label').length").as_u64().unwrap() > 0);
    browser.key("Escape");
    shows(&mut browser, &record, 8);
    let worst = "Number.parseInt(document.querySelector('#list .head').textContent)";
    let number = browser.value(worst).as_u64().unwrap() as usize;
    browser.click_on("#list button");
    shows(&mut browser, &record, number);
    browser.click_on("[data-whose=W]");
    let others = "[...document.querySelectorAll('#list .head')].filter((head) => head.textContent.includes('Black')).length";
    assert_eq!(browser.value(others), json!(0));
    assert!(browser.value("document.querySelectorAll('#table tr').length").as_u64().unwrap() >= 7);

    // A phone.
    browser.resize(390, 844, true);
    browser.key("Home");
    browser.await_true("document.documentElement.scrollWidth <= 390 && document.querySelector('.shudan-goban').getBoundingClientRect().width <= 390");
    let [left, top, width, height] = browser.place("#board");
    let (middle, right) = (top + height / 2.0, left + width - 20.0);
    browser.swipe([right, middle], [left + 20.0, middle]);
    shows(&mut browser, &record, 1);
    browser.swipe([left + 20.0, middle], [right, middle]);
    shows(&mut browser, &record, 0);
    assert_eq!(browser.faults, Vec::<String>::new());
}

/// Pictures for the README. `TENGEN_PICTURES=1 cargo test --test review_page -- --ignored` writes them; look at them.
#[test]
#[ignore = "writes docs/review-*.png"]
fn pictures() {
    if std::env::var_os("TENGEN_PICTURES").is_none() {
        println!("skipped: TENGEN_PICTURES=1 writes the README's pictures");
        return;
    }
    let Some(network) = common::network_file("g170-b6c96") else { return };
    let folder = Folder::new("pictures");
    let Some(mut browser) = Browser::start(&folder.0) else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let game = std::env::var_os("TENGEN_PICTURED").map_or_else(|| root.join("sgf/even-19x19.sgf"), PathBuf::from);
    let page = review(&game, &folder.0, &["--net", network.to_str().unwrap(), "--visits", "100"]);
    let pictures = [("light", 1200, 900, false), ("dark", 1200, 900, false), ("phone", 390, 844, true)];
    for (name, width, height, mobile) in pictures {
        let scheme = if name.ends_with("dark") { "dark" } else { "light" };
        browser.call("Emulation.setEmulatedMedia", json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] }));
        browser.resize(width, height, mobile);
        browser.open(&page);
        browser.click_on("#list button");
        browser.value("window.scrollTo(0, 0)");
        if name == "dark" {
            browser.key("o");
        }
        std::thread::sleep(std::time::Duration::from_millis(300));
        std::fs::write(root.join(format!("docs/review-{name}.png")), browser.picture()).unwrap();
    }
}
