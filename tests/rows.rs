//! Files of training rows: what is written is KataGo's layout, and what is read is checked.

use std::fs;
use std::io::{Cursor, Read, Write};

use tengen::board::{Board, Color, Move, Point, Size};
use tengen::nn::{FeatureOptions, Features, Inputs, PLANES, Symmetry};
use tengen::rows::{GameKind, QValues, Reanalysis, Row, Shard, Values};
use tengen::rules::{Position, Rules};
use tengen::util::Rng;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

fn point(size: Size, x: usize, y: usize) -> Point {
    size.point(x, y).unwrap()
}

/// The row of a position in a tensor of this side, with no targets.
fn bare(position: &Position, side: usize) -> Row {
    let tensor = Size::square(side).unwrap();
    let mut inputs = Inputs::new(tensor);
    Features::new().encode(position, &FeatureOptions::default(), tensor, Symmetry::IDENTITY, &mut inputs);
    Row::new(&inputs)
}

/// 2 columns, 3 rows; a black stone at the top left, White to move.
fn small() -> Position {
    let size = Size::new(2, 3).unwrap();
    let mut position = Position::new(size, Rules::parse("tromp-taylor").unwrap());
    position.play(point(size, 0, 0).into()).unwrap();
    position
}

/// A row in which everything is known.
fn full(seed: u64) -> Row {
    let size = Size::new(5, 4).unwrap();
    let mut position = Position::new(size, Rules::parse("chinese").unwrap());
    let mut rng = Rng::new(seed);
    for _ in 0..6 {
        let moves: Vec<Move> = size.points().map(Move::from).filter(|&mv| position.is_legal(mv)).collect();
        position.play(moves[rng.below(moves.len())]).unwrap();
    }
    let to_move = position.to_move();
    let mut row = bare(&position, 7);
    row.set_turn(&position, u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64()));
    row.draw_history(&mut rng);
    row.set_policy(&[(Move::PASS, 3), (point(size, 4, 3).into(), 90_000), (point(size, 0, 1).into(), 45_000)]);
    row.set_reply(&[(point(size, 3, 3).into(), 7)]);
    row.set_q_values(&[(Move::PASS, -0.5, 2.25, 12), (point(size, 1, 0).into(), 1.0, -500.0, 100_000)]);
    row.targets.set_values(&[Values { win: 0.25, loss: 0.5, no_result: 0.25, score: -1.5 }, Values::of_score(2.0)], size.area());
    row.targets.set_lead(-3.5);
    row.set_ending(&position, to_move);
    row.set_future([&Board::new(size), position.board()], to_move);
    row.targets.kind = GameKind::Fork;
    row.targets.reanalysis = Some(Reanalysis { policy_surprise: 0.5, value_surprise: 0.25, visits: 50.0 });
    row
}

fn read(bytes: &[u8]) -> Result<Shard, tengen::rows::Flaw> {
    Shard::read_from(Cursor::new(bytes.to_vec()))
}

/// The arrays of a file, as bytes, by name.
fn arrays(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut arrays = Vec::new();
    for number in 0..archive.len() {
        let mut entry = archive.by_index(number).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        arrays.push((entry.name().unwrap().into_owned(), bytes));
    }
    arrays
}

fn file_of(arrays: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in arrays {
        zip.start_file(name.clone(), SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn rows_come_back_as_they_were() {
    let mut shard = Shard::new(7);
    (1..6).for_each(|seed| shard.push(full(seed)));
    let unknown = bare(&Position::new(Size::square(7).unwrap(), Rules::default()), 7);
    shard.push(unknown.clone());
    let mut imitator = unknown;
    imitator.meta = Some(Box::new(std::array::from_fn(|at| at as f32)));
    shard.push(imitator);
    let back = read(&shard.to_bytes()).unwrap();
    // The file has metadata for all rows or none.
    shard = {
        let mut whole = Shard::new(7);
        for mut row in shard.into_rows() {
            row.meta.get_or_insert_with(|| Box::new([0.0; 192]));
            whole.push(row);
        }
        whole
    };
    assert_eq!(back, shard);
}

#[test]
fn the_bytes_of_a_small_row() {
    let position = small();
    let size = position.size();
    let mut row = bare(&position, 3);
    row.set_turn(&position, 1 | 2 << 22);
    row.set_policy(&[(point(size, 1, 0).into(), 5), (Move::PASS, 2)]);
    row.targets.set_values(&[Values::of_score(-6.5)], 6);
    // Black's stone lives, White has nothing.
    row.set_owners(&position, |_| Some(Color::Black), |_| Some(Color::Black), Color::White);
    row.set_final_score(-6.5);
    row.set_future([position.board(), position.board()], Color::White);
    let mut shard = Shard::new(3);
    shard.push(row);
    let arrays = arrays(&shard.to_bytes());
    let names: Vec<&str> = arrays.iter().map(|(name, _)| name.as_str()).collect();
    let expected = [
        "binaryInputNCHWPacked.npy",
        "globalInputNC.npy",
        "policyTargetsNCMove.npy",
        "globalTargetsNC.npy",
        "scoreDistrN.npy",
        "valueTargetsNCHW.npy",
        "qValueTargetsNCMove.npy",
    ];
    assert_eq!(names, expected);
    let part = |number: usize| {
        let bytes = &arrays[number].1;
        let start = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        (String::from_utf8_lossy(&bytes[10..start]).trim().to_owned(), &bytes[start..])
    };
    let header = |kind, shape| format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");

    // Points of the tensor: 0 1 2 / 3 4 5 / 6 7 8, of which 2, 5 and 8 are off the board.
    let (head, planes) = part(0);
    assert_eq!(head, header("|u1", "1, 22, 2"));
    let plane = |number: usize| [planes[2 * number], planes[2 * number + 1]];
    assert_eq!(plane(0), [0b1101_1011, 0], "on the board");
    assert_eq!(plane(1), [0, 0], "White's stones");
    assert_eq!(plane(2), [0b1000_0000, 0], "Black's stones");
    assert_eq!(plane(4), [0b1000_0000, 0], "two liberties");
    assert_eq!(plane(9), [0b1000_0000, 0], "the last move");
    assert_eq!(planes.len(), 2 * PLANES);

    let (head, globals) = part(1);
    assert_eq!((head, globals.len()), (header("<f4", "1, 19"), 19 * 4));
    assert_eq!(globals[20..24], (7.5f32 / 20.0).to_le_bytes());

    let (head, policy) = part(2);
    assert_eq!(head, header("<i2", "1, 2, 10"));
    let moves: Vec<i16> = policy.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
    assert_eq!(moves, [[0, 5, 0, 0, 0, 0, 0, 0, 0, 2], [1; 10]].concat());

    let (head, targets) = part(3);
    assert_eq!(head, header("<f4", "1, 80"));
    let numbers: Vec<f32> = targets.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect();
    let mut expected = [0.0; 80];
    for start in [0, 4, 8, 12, 16] {
        expected[start + 1] = 1.0; // lost
        expected[start + 3] = -6.5;
    }
    expected[20] = -6.5;
    for weight in [25, 26, 27, 33, 34] {
        expected[weight] = 1.0;
    }
    expected[36..41].fill(1.0); // all history is shown
    (expected[41], expected[42]) = (1.0, 2.0);
    (expected[47], expected[48], expected[51], expected[63]) = (7.5, 1.0, 1.0, 3.0);
    assert_eq!(numbers, expected);

    // Place 69 is a half, so -6.5 is place 62.
    let (head, score) = part(4);
    assert_eq!((head, score.len()), (header("|i1", "1, 138"), 138));
    assert!(score.iter().enumerate().all(|(place, &part)| part == if place == 62 { 100 } else { 0 }));

    let (head, spatial) = part(5);
    assert_eq!(head, header("|i1", "1, 5, 3, 3"));
    let spatial: Vec<i8> = spatial.iter().map(|&byte| byte as i8).collect();
    let stone = [-1, 0, 0, 0, 0, 0, 0, 0, 0];
    let lost = [-1, -1, 0, -1, -1, 0, -1, -1, 0];
    assert_eq!(spatial, [lost, [0; 9], stone, stone, lost.map(|sign| sign * 120)].concat());

    let (head, q_values) = part(6);
    assert_eq!(head, header("<i2", "1, 3, 10"));
    assert!(q_values.iter().all(|&byte| byte == 0) && q_values.len() == 60);
}

#[test]
fn planes_unpack_to_the_inputs_they_were_made_of() {
    let position = small();
    let tensor = Size::square(3).unwrap();
    let mut inputs = Inputs::new(tensor);
    Features::new().encode(&position, &FeatureOptions::default(), tensor, Symmetry::IDENTITY, &mut inputs);
    let row = Row::new(&inputs);
    assert_eq!(row.inputs(), inputs);
    let mut planes = vec![9.0; PLANES * 9];
    row.unpack(&mut planes);
    assert_eq!(planes[2 * 9..3 * 9], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn visits_are_scaled_to_what_a_file_can_hold() {
    let row = full(1);
    let place = |x: usize, y: usize| y * 7 + x;
    assert_eq!((row.policy[place(4, 3)], row.policy[place(0, 1)], row.policy[49]), (30_000, 15_000, 1));
    assert_eq!(row.policy.iter().filter(|&&visits| visits > 0).count(), 3);
    let QValues { win_loss, score, visits } = row.q_values.unwrap();
    assert_eq!((win_loss[49], score[49], visits[49]), (-16_000, 135, 12));
    assert_eq!((win_loss[1], score[1], visits[1]), (32_000, -421 * 60, 32_000));
    let mut row = bare(&small(), 3);
    row.set_policy(&[(Move::PASS, 0)]);
    assert_eq!((row.targets.weights.policy, row.policy), (0.0, vec![1; 10]));
}

/// Black's only chain is alive with two eyes and five stones: 2 of its 4 points of territory go to the tax.
#[test]
fn endings_are_counted_by_the_rules() {
    let drawing = "\
        . X . X .
        X X X X X
        O O O O O
        . O . O .";
    let board = Board::from_drawing(drawing).unwrap();
    let ending = |rules: &str| {
        let position = Position::from_board(board.clone(), Color::White, Rules::parse(rules).unwrap());
        let mut row = bare(&position, 5);
        row.set_ending(&position, Color::White);
        row
    };
    let plain = ending("tromp-taylor");
    assert_eq!(plain.ownership, [[-1; 10].as_slice(), &[1; 10], &[0; 5]].concat());
    assert_eq!(plain.scoring, plain.ownership.iter().map(|owner| owner * 120).collect::<Vec<_>>());
    assert_eq!(plain.targets.final_score, 7.5);
    let taxed = ending("stone-scoring");
    // Three points of territory each, of which one counts.
    assert_eq!(taxed.scoring[..5], [-40, -120, -40, -120, -40]);
    assert_eq!(taxed.scoring[15..20], [40, 120, 40, 120, 40]);
    assert_eq!(taxed.ownership, plain.ownership);
}

#[test]
fn a_drawn_ownership_is_right_in_the_mean() {
    let position = small();
    let ownership = [1.0, -1.0, 0.5, -0.25, 0.0, 0.9];
    let mut rng = Rng::new(7);
    let mut sums = [0.0; 6];
    for _ in 0..4000 {
        let mut row = bare(&position, 3);
        row.set_expected_ending(&ownership, 3.0, 10.0, &mut rng);
        let places = position.size().points().map(|point| row.place(point.into()));
        for (sum, place) in sums.iter_mut().zip(places) {
            *sum += f32::from(row.ownership[place]) / 4000.0;
        }
        assert_eq!(row.scoring, [120, -120, 0, 60, -30, 0, 0, 108, 0]);
    }
    assert!(sums.iter().zip(ownership).all(|(sum, owner)| (sum - owner).abs() < 0.05), "{sums:?}");
}

#[test]
fn a_file_is_whole_and_named_by_its_content() {
    let folder = std::env::temp_dir().join(format!("tengen rows é {}", std::process::id()));
    let mut shard = Shard::new(7);
    shard.push(full(1));
    let path = shard.write(&folder).unwrap();
    assert_eq!(shard.write(&folder).unwrap(), path, "the same rows are the same file");
    let name = path.file_name().unwrap().to_str().unwrap();
    assert!(name.len() == 36 && name[..32].bytes().all(|byte| byte.is_ascii_hexdigit()), "{name}");
    shard.push(full(2));
    let other = shard.write(&folder.join("below")).unwrap();
    assert_ne!(other.file_name(), path.file_name());
    assert_eq!(Shard::read(&other).unwrap(), shard);
    fs::write(folder.join("0.npz.unfinished"), "torn").unwrap();
    let mut files = vec![path.clone(), other];
    files.sort();
    assert_eq!(Shard::files(&folder).unwrap(), files);

    let staged = shard.stage(&folder).unwrap();
    let unfinished = folder.join(format!("{}.unfinished", staged.name()));
    assert!(unfinished.exists());
    drop(staged);
    assert!(!unfinished.exists());
    assert_eq!(Shard::files(&folder).unwrap(), files);

    fs::write(&path, &fs::read(&path).unwrap()[..500]).unwrap();
    let error = Shard::read(&path).unwrap_err().to_string();
    assert!(error.contains(name) && error.contains("no whole npz file"), "{error}");
    let missing = Shard::read(&folder.join("none.npz")).unwrap_err().to_string();
    assert!(missing.contains("none.npz: cannot be read"), "{missing}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn older_and_foreign_files_are_read() {
    let mut shard = Shard::new(7);
    let mut row = full(3);
    row.targets.reanalysis = None;
    row.q_values = None;
    shard.push(row);
    let mut arrays = arrays(&shard.to_bytes());
    // KataGo's own writer gives no ending; format 2 had 64 numbers and no q values.
    arrays.retain(|(name, _)| name != "qValueTargetsNCMove.npy");
    for (name, bytes) in &mut arrays {
        *name = name.trim_end_matches(".npy").to_owned();
        if name == "globalTargetsNC" {
            let end = bytes.len() - 16 * 4;
            bytes.truncate(end);
            let at = bytes.windows(5).position(|text| text == b"1, 80").unwrap();
            bytes[at + 3..at + 5].copy_from_slice(b"64");
        }
    }
    assert_eq!(read(&file_of(&arrays)).unwrap(), shard);
}

/// What breaks an array.
type Change<'a> = &'a dyn Fn(&mut Vec<u8>);

#[test]
fn broken_files_say_what_is_wrong() {
    let mut shard = Shard::new(7);
    shard.push(full(4));
    shard.push(full(5));
    let good = shard.to_bytes();
    let broken = |array: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut arrays = arrays(&good);
        let name = format!("{array}.npy");
        change(&mut arrays.iter_mut().find(|(found, _)| *found == name).unwrap().1);
        read(&file_of(&arrays)).unwrap_err().to_string()
    };
    let replace = |bytes: &mut Vec<u8>, old: &str, new: &str| {
        let at = bytes.windows(old.len()).position(|text| text == old.as_bytes()).unwrap();
        bytes[at..at + old.len()].copy_from_slice(new.as_bytes());
    };
    let set = |bytes: &mut Vec<u8>, at: usize, new: &[u8]| {
        let at = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1 + at;
        bytes[at..at + new.len()].copy_from_slice(new);
    };
    let cases: [(&str, Change, &str); 11] = [
        ("globalInputNC", &|bytes| _ = bytes.pop(), "ends after 151 of 152 bytes"),
        ("policyTargetsNCMove", &|bytes| bytes.push(0), "goes on after the 400 bytes"),
        ("scoreDistrN", &|bytes| replace(bytes, "(2,", "(3,"), "shape is [3, 218], but should be [2, 218]"),
        ("valueTargetsNCHW", &|bytes| replace(bytes, "7, 7)", "9, 7)"), "should be (rows, 5, side, side)"),
        ("valueTargetsNCHW", &|bytes| replace(bytes, "(2, ", "(-2,"), "no sensible shape"),
        ("qValueTargetsNCMove", &|bytes| replace(bytes, "<i2", "<f4"), "type <f4, but should be <i2"),
        ("globalTargetsNC", &|bytes| replace(bytes, "False,", "True, "), "column by column"),
        ("binaryInputNCHWPacked", &|bytes| bytes.clear(), "no numpy array"),
        ("binaryInputNCHWPacked", &|bytes| set(bytes, 0, &[0b1011_1111]), "row 0: its first plane is no board"),
        ("globalTargetsNC", &|bytes| set(bytes, 4 * 83, &f32::NAN.to_le_bytes()), "row 1: number 3 is NaN"),
        ("policyTargetsNCMove", &|bytes| *bytes.last_mut().unwrap() = 0x80, "row 1: visits below 0"),
    ];
    for (array, change, expected) in cases {
        let error = broken(array, change);
        assert!(error.contains(&format!("the array {array}: ")) && error.contains(expected), "{array}: {error}");
    }
    let mut arrays = arrays(&good);
    arrays.remove(1);
    assert_eq!(read(&file_of(&arrays)).unwrap_err().to_string(), "the array globalInputNC is missing");
    assert!(read(b"").is_err());
}

/// No flip of a byte and no cut makes the reader panic, and what passes unnoticed is only what means nothing.
#[test]
fn torn_files_are_noticed() {
    let mut shard = Shard::new(7);
    shard.push(full(6));
    let good = shard.to_bytes();
    let mut rng = Rng::new(8);
    for _ in 0..400 {
        let mut bytes = good.clone();
        if rng.percent(50) {
            bytes.truncate(rng.below(good.len()));
            assert!(read(&bytes).is_err());
        } else {
            let at = rng.below(bytes.len());
            bytes[at] ^= 1 << rng.below(8);
            // Where the name of an array that may be missing is broken, it is missing.
            if let Ok(mut found) = read(&bytes).map(Shard::into_rows) {
                found[0].q_values.clone_from(&shard.rows()[0].q_values);
                assert_eq!(found, shard.rows(), "byte {at}");
            }
        }
    }
}
