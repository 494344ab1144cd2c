//! Trees and texts made at random.

use proptest::prelude::*;
use tengen::board::{Color, Move, Size};
use tengen::sgf::{self, GameResult, Margin, Player, Record, Step, Tree, Value};

/// Texts rich in what SGF must escape.
fn text() -> impl Strategy<Value = String> {
    "[ab :;()\\[\\]\\\\\n\r\té聂\u{0}]{0,12}"
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        text().prop_map(|text| Value::text(&text)),
        text().prop_map(|text| Value::simple_text(&text)),
        (text(), text()).prop_map(|(first, second)| Value::pair(&first, &second)),
        "[a-s]{2}".prop_map(|point| Value::simple_text(&point)),
    ]
}

/// A node behind one of the earlier ones, with properties.
type Growth = (prop::sample::Index, Vec<(String, Vec<Value>)>);

fn tree() -> impl Strategy<Value = Tree> {
    let property = ("[A-Z][A-Z0-9]{0,3}", prop::collection::vec(value(), 1..4));
    let growth = (any::<prop::sample::Index>(), prop::collection::vec(property, 0..4));
    prop::collection::vec(growth, 0..30).prop_map(|growths: Vec<Growth>| {
        let mut tree = Tree::new();
        let mut nodes = vec![Tree::ROOT];
        for (number, (parent, properties)) in growths.into_iter().enumerate() {
            let node = if number == 0 { Tree::ROOT } else { tree.add_child(*parent.get(&nodes)) };
            nodes.push(node);
            for (name, values) in properties {
                tree.set(node, &name, values);
            }
        }
        tree
    })
}

/// The writer sets these two.
fn without_marks(tree: &Tree) -> Tree {
    let mut tree = tree.clone();
    tree.set(Tree::ROOT, "FF", Vec::new());
    tree.set(Tree::ROOT, "CA", Vec::new());
    tree
}

fn size() -> impl Strategy<Value = Size> {
    (2usize..=25, 2usize..=25).prop_map(|(width, height)| Size::new(width, height).unwrap())
}

fn color() -> impl Strategy<Value = Color> {
    prop::sample::select(&Color::ALL[..])
}

fn steps(size: Size) -> impl Strategy<Value = Vec<Step>> {
    let point = prop::sample::select(size.points().collect::<Vec<_>>());
    let mv = prop_oneof![9 => point.clone().prop_map(Move::from), 1 => Just(Move::PASS)];
    let setup = prop::collection::btree_map(point, prop::option::of(color()), 0..4);
    let comment = "[a-z\\]\\\\\n(;]{1,8}";
    let step = (setup, prop::option::of(color()), prop::option::weighted(0.9, (color(), mv)), prop::option::of(comment));
    let step = step.prop_map(|(setup, to_move, mv, comment)| Step { setup: setup.into_iter().collect(), to_move, mv, comment });
    prop::collection::vec(step, 1..20)
}

fn result() -> impl Strategy<Value = GameResult> {
    let margin = prop_oneof![
        Just(Margin::Unknown),
        (1u16..700).prop_map(|halves| Margin::Points(f32::from(halves) / 2.0)),
        Just(Margin::Resignation),
        Just(Margin::Time),
        Just(Margin::Forfeit),
    ];
    prop_oneof![
        Just(GameResult::Unknown),
        Just(GameResult::Draw),
        Just(GameResult::Void),
        (color(), margin).prop_map(|(color, margin)| GameResult::Win(color, margin)),
    ]
}

fn record() -> impl Strategy<Value = Record> {
    let komi = prop::option::of((-2000i16..2000).prop_map(|halves| f32::from(halves) / 2.0));
    let name = || prop::option::of("[A-Za-z\\]:\\\\聂é]{1,9}");
    size().prop_flat_map(move |size| {
        (komi.clone(), name(), name(), name(), result(), steps(size)).prop_map(
            move |(komi, rules, black, rank, result, steps)| {
                let mut record = Record::new(size);
                record.players = [Player { name: black, rank: rank.clone() }, Player { name: rank, rank: None }];
                record.info = rules.iter().map(|text| ("GC".to_owned(), format!("{text}\n\n{text}"))).collect();
                (record.komi, record.rules, record.result, record.steps) = (komi, rules, result, steps);
                record
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn trees_come_back_as_they_were_written(trees in prop::collection::vec(tree(), 1..4)) {
        let read = sgf::parse(sgf::write(&trees).as_bytes()).unwrap();
        prop_assert_eq!(&read.notes, &Vec::<String>::new());
        let plain = |trees: &[Tree]| trees.iter().map(without_marks).collect::<Vec<_>>();
        prop_assert_eq!(plain(&read.games), plain(&trees));
        prop_assert_eq!(sgf::write(&read.games), sgf::write(&sgf::parse(sgf::write(&read.games).as_bytes()).unwrap().games));
    }

    #[test]
    fn records_come_back_as_they_were_written(record in record()) {
        let read = sgf::parse(sgf::write(&[record.to_tree()]).as_bytes()).unwrap();
        prop_assert_eq!(Record::from_tree(&read.games[0]).unwrap(), record);
    }

    #[test]
    fn texts_survive(text in text()) {
        let one_kind = text.replace("\n\r", "\n").replace("\r\n", "\n").replace('\r', "\n");
        let plain: String = one_kind.chars().map(|c| if c.is_ascii_control() && c != '\n' { ' ' } else { c }).collect();
        // "\n\r\n" has two readings as line ends; leave it to the reader.
        prop_assume!(!text.contains("\n\r\n") && !text.contains("\r\n\r"));
        prop_assert_eq!(Value::text(&text).to_text(), plain);
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_all(&bytes);
    }

    #[test]
    fn random_sgf_like_texts_never_panic(text in "(\\(|\\)|;|B|W|AB|SZ|HA|KM|RE|PL|GM|CA|[a-z]|\\[[a-t0-9:,\\\\]{0,3}\\]|\\[|\\]|\n){0,60}") {
        read_all(text.as_bytes());
        read_all(format!("(;{text})").as_bytes());
    }
}

/// Reads all there is to read, and what can be read must come back from a file.
fn read_all(bytes: &[u8]) {
    let Ok(collection) = sgf::parse(bytes) else { return };
    let again = sgf::parse(sgf::write(&collection.games).as_bytes()).unwrap();
    assert_eq!(
        again.games.iter().map(without_marks).collect::<Vec<_>>(),
        collection.games.iter().map(without_marks).collect::<Vec<_>>()
    );
    for game in &collection.games {
        for node in game.nodes() {
            if let Ok(record) = Record::from_path(game, &game.line_through(node)) {
                _ = record.replay(record.rules_or(tengen::rules::Rules::default()));
            }
        }
    }
}
