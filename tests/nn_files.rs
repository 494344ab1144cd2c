//! Network files: reading, writing, and what is said of bad ones.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tengen::nn::{BlockKind, Flaw, Form, NEWEST_VERSION, Network, OLDEST_VERSION};
use tengen::util::Rng;

const RAW: Form = Form { raw: true, gzip: false };
const WORDS: Form = Form { raw: false, gzip: false };
const FORMS: [Form; 4] = [RAW, WORDS, Form { raw: true, gzip: true }, Form { raw: false, gzip: true }];

fn random(version: u32, channels: usize, seed: u64) -> Network {
    Network::random(version, channels, &BlockKind::all(), &mut Rng::new(seed))
}

/// Networks of every version.
fn randoms() -> impl Iterator<Item = Network> {
    (OLDEST_VERSION..=NEWEST_VERSION).flat_map(|version| (0..4).map(move |seed| random(version, 3 + seed as usize, seed)))
}

/// A folder of files for one test, with a space and a letter that is not ASCII in its name; gone when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tengen näts {name} {}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

/// What reading says of bytes that are no network.
fn complaint(bytes: &[u8]) -> String {
    Network::parse(bytes).map(|network| network.name).expect_err("a bad network is read").to_string()
}

#[test]
fn every_network_comes_back_in_every_form() {
    for network in randoms() {
        for form in FORMS {
            assert!(Network::parse(&network.to_bytes(form).unwrap()).unwrap() == network, "{} {form:?}", network.name);
        }
    }
}

#[test]
fn files_come_back_whatever_their_ending() {
    let folder = Folder::new("endings");
    let network = random(14, 4, 1);
    for ending in ["bin", "txt", "bin.gz", "txt.gz"] {
        let path = folder.file(&format!("a network.{ending}"));
        network.write(&path).unwrap();
        assert!(Network::read(&path).unwrap() == network);
        assert_eq!(fs::read(&path).unwrap().starts_with(&[0x1f, 0x8b]), ending.ends_with("gz"));
        let bare = folder.file(&format!("{ending} under another name.gz"));
        fs::rename(&path, &bare).unwrap();
        assert!(Network::read(&bare).unwrap() == network);
    }
    for name in ["network", "network.zip", "network.gz", ".bin"] {
        let error = network.write(&folder.file(name)).unwrap_err();
        assert!(matches!(error.flaw, Flaw::Ending) && error.to_string().contains(name), "{error}");
    }
}

/// KataGo's own files, and others of all versions that KataGo reads.
#[test]
fn shared_networks_load_to_the_last_byte_and_come_back() {
    let (Some(tiny), Some(real)) = (common::shared("nets/tiny"), common::shared("nets")) else { return };
    let files = [tiny, real].into_iter().flat_map(|folder| folder.read_dir().unwrap()).map(|entry| entry.unwrap().path());
    let files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|ending| ending == "gz")).collect();
    assert!(files.len() >= 12);
    for path in files {
        let network = Network::read(&path).unwrap();
        for form in [RAW, WORDS] {
            assert!(Network::parse(&network.to_bytes(form).unwrap()).unwrap() == network, "{}", path.display());
        }
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(fs::File::open(&path).unwrap()), &mut bytes).unwrap();
        assert_eq!(bytes.pop(), Some(b'\n'));
        assert!(Network::parse(&bytes).unwrap() == network);
        let last = if path.to_string_lossy().contains(".txt") {
            bytes.iter().rposition(|&byte| byte == b' ').unwrap()
        } else {
            bytes.len() - 1
        };
        let text = complaint(&bytes[..last]);
        assert!(text.starts_with("value head '") && text.contains("convolution of ownership '"), "{text}");
    }
}

#[test]
fn what_follows_a_network_is_not_read() {
    for form in [RAW, WORDS] {
        let mut bytes = random(12, 4, 5).to_bytes(form).unwrap();
        bytes.extend_from_slice(b"\nand more @BIN@ \xff\0");
        assert!(Network::parse(&bytes).unwrap() == random(12, 4, 5));
    }
}

#[test]
fn a_cut_file_names_the_layer_that_is_cut() {
    let network = random(15, 4, 2);
    for form in [RAW, WORDS] {
        let bytes = network.to_bytes(form).unwrap();
        let head = bytes.windows(5).position(|word| word == b"trunk").unwrap() + 6;
        // One byte of a word or of the space after it may be missed without harm.
        for length in (0..bytes.len() - 20).step_by(5) {
            let error = Network::parse(&bytes[..length]).unwrap_err();
            assert!(length < head || error.place[0].contains("trunk") || error.place[0].contains("head"), "{length}: {error}");
        }
        let packed = network.to_bytes(Form { gzip: true, ..form }).unwrap();
        for length in (0..packed.len()).step_by(99) {
            assert!(Network::parse(&packed[..length]).is_err(), "{length}");
        }
    }
}

#[test]
fn weights_that_are_missing_are_counted() {
    let network = Network::random(8, 40, &[BlockKind::Residual], &mut Rng::new(3));
    let bytes = network.to_bytes(RAW).unwrap();
    let first = bytes.windows(5).position(|word| word == b"@BIN@").unwrap() + 5;
    let conv = &network.trunk.initial_conv;
    let text = complaint(&bytes[..first + 4 * 12 + 3]);
    let total = conv.weights.len();
    assert_eq!(
        text,
        format!("trunk 'trunk', first convolution '{}': file ends after 12 of {} weights", conv.name, grouped(total))
    );
    let damaged = [&bytes[..first + 4], &f32::NAN.to_le_bytes(), &bytes[first + 8..]].concat();
    assert!(complaint(&damaged).ends_with(&format!(": number 2 of {} weights is NaN", grouped(total))));
}

fn grouped(number: usize) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", number / 1000, number % 1000) }
}

#[test]
fn damaged_compression_is_noticed() {
    let packed = random(11, 6, 1).to_bytes(FORMS[2]).unwrap();
    for place in [packed.len() - 6, packed.len() - 2] {
        let mut bytes = packed.clone();
        bytes[place] ^= 1;
        assert!(matches!(Network::parse(&bytes).unwrap_err().flaw, Flaw::Damaged(_)), "{place}");
    }
}

/// A network as words, one field a line, to be spoilt.
struct Spoilt {
    lines: Vec<String>,
}

impl Spoilt {
    fn new(network: &Network) -> Self {
        let text = String::from_utf8(network.to_bytes(WORDS).unwrap()).unwrap();
        Self { lines: text.lines().map(str::to_owned).collect() }
    }

    /// Puts `word` where a line is `skip` lines after the first one that is `name`; what reading says then.
    fn with(mut self, name: &str, skip: usize, word: &str) -> String {
        let line = self.lines.iter().position(|line| line == name).unwrap_or_else(|| panic!("no {name}")) + skip;
        let rest = self.lines[line].split_once(' ').map_or(String::new(), |(_, rest)| format!(" {rest}"));
        self.lines[line] = word.to_owned() + &rest;
        complaint(self.lines.join("\n").as_bytes())
    }
}

#[test]
fn each_flaw_is_told_with_its_place() {
    let network = random(17, 6, 9);
    let trunk = &network.trunk;
    let [
        tengen::nn::Block::Residual(residual),
        tengen::nn::Block::GlobalPool(pool),
        tengen::nn::Block::Attention(attention),
        ffn,
        nested,
    ] = &trunk.blocks[..]
    else {
        panic!("{}", network.shape())
    };
    let tengen::nn::Block::Nested(nested) = nested else { panic!("no nested block") };
    let tengen::nn::Block::Ffn(ffn) = ffn else { panic!("no feed-forward block") };
    let conv = &trunk.initial_conv.name;
    for (name, skip, word, expected) in [
        ("random-v17", 1, "18", "version 18 of the format; Tengen reads versions 8 to 17"),
        ("random-v17", 1, "7", "version 7 of"),
        ("random-v17", 1, "seven", "no network of KataGo's"),
        ("random-v17", 2, "21", "number of input planes: expected 22, found 21"),
        ("random-v17", 3, "20", "number of global inputs: expected 19, found 20"),
        ("random-v17", 4, "0", "multiplier of near scores: expected a number above 0, found 0"),
        ("random-v17", 5, "-1.5", "multiplier of the mean score: "),
        ("random-v17", 10, "nan", "multiplier of the short-term score error: "),
        ("random-v17", 11, "2", "version of the metadata encoder: expected 0 or 1, found '2'"),
        ("random-v17", 13, "1", "reserved field: expected 0, found 1"),
        ("random-v17", 18, "-1", "reserved field: expected 0, found '-1'"),
        ("trunk", 1, "0", "trunk 'trunk': number of blocks: expected a number from 1 to 1024, found 0"),
        ("trunk", 2, "99999999", "trunk 'trunk': channels: expected a number from 1 to"),
        ("trunk", 2, "99999999999999999999999999", "channels: expected a number from 1 to"),
        ("trunk", 2, "7", &format!("first convolution '{conv}': output channels: expected 7, found 6")),
        ("trunk", 8, "1", "reserved field"),
        (conv, 1, "2", "kernel's height: expected an odd number, found 2"),
        (conv, 2, "-3", "kernel's width: expected a number from 1 to 49, found '-3'"),
        (conv, 3, "23", "input channels: expected 22, found 23"),
        (conv, 5, "2", "vertical dilation: expected 1, found 2"),
        (conv, 6, "3", "horizontal dilation: expected 1, found 3"),
        (conv, 7, "NaN", "weights is 'NaN'"),
        (conv, 7, "1e999", "number 1 of"),
        (conv, 7, "x\u{1b}[2J", "is 'x\\x1b[2J'"),
        (&residual.name, 0, &"x".repeat(2000), "too large"),
        (
            &residual.name,
            2,
            "5",
            &format!("block 1 '{}', first norm '{}': channels: expected 6", residual.name, residual.pre_norm.name),
        ),
        (&residual.pre_norm.name, 2, "0", "epsilon: expected a number above 0, found 0"),
        (&residual.pre_norm.name, 3, "2", "whether it has scales: expected 0 or 1, found '2'"),
        (&residual.pre_norm.name, 6, "-0.9", "of 6 variances is -0.9"),
        (
            &residual.pre_activation.name,
            1,
            "ACTIVATION_TANH",
            "kind of activation: expected one that Tengen knows, found ACTIVATION_TANH",
        ),
        (&residual.conv1.name, 4, "8193", "first convolution"),
        (&pool.name, 2, "100", "block 2"),
        (&pool.pool_mul.name, 1, "1", "matrix of the pooled"),
        (&attention.name, 1, "16384", "number of heads: expected a number from 1 to 1024"),
        (&attention.name, 2, "0", "number of key heads"),
        (&attention.name, 3, "1", "block 3"),
        (&attention.name, 5, "x", "whether it has rope"),
        (&ffn.name, 3, "0", "whether it has a gate: expected 1"),
        (&nested.name, 1, "0", "block 5"),
        (&nested.name, 1, "1025", "number of inner blocks: expected a number from 1 to 1024, found 1025"),
        (&nested.pre_conv.name, 1, "3", "kernel's height: expected 1, found 3"),
        (&network.policy.name, 1, "3", "policy head"),
        (&network.policy.name, 2, "1", "reserved field"),
        (&network.value.name, 1, "1", "value head"),
        (&network.value.score_mul.name, 2, "4", "matrix of scores"),
    ] {
        let text = Spoilt::new(&network).with(name, skip, word);
        assert!(text.contains(expected) && text.lines().count() == 1 && text.len() < 250, "{name} {skip} {word}: {text}");
    }
    let text = Spoilt::new(&network).with("transformer_attention_block", 0, "recurrent_block");
    assert!(
        text.contains("block 3 '") && text.contains("kind of block: expected one that Tengen knows, found recurrent_block"),
        "{text}"
    );
}

#[test]
fn rope_and_heads_must_fit() {
    let network = (0..).map(|seed| Network::random(15, 4, &[BlockKind::Attention], &mut Rng::new(seed)));
    let attention = |network: &Network| match &network.trunk.blocks[0] {
        tengen::nn::Block::Attention(block) => block.clone(),
        _ => panic!("no attention"),
    };
    let learnt =
        network.clone().find(|network| matches!(attention(network).rope, Some(tengen::nn::Rope::Learnt { .. }))).unwrap();
    let block = attention(&learnt);
    let Some(tengen::nn::Rope::Learnt { name: rope, .. }) = &block.rope else { panic!("no rope") };
    for (name, skip, word, expected) in [
        (&block.name, 3, "3", "channels of a query: expected an even number, for rope, found 3"),
        (&block.name, 2, "7", "number of heads: expected a multiple of the 7 key heads"),
        (rope, 1, "9", "number of key heads: expected"),
        (rope, 2, "9", "pairs of channels: expected"),
        (rope, 3, "3", "directions: expected 2, found 3"),
    ] {
        let text = Spoilt::new(&learnt).with(name, skip, word);
        assert!(text.contains(expected) && text.contains("block 1 '"), "{name} {skip} {word}: {text}");
    }
    let fixed =
        network.into_iter().find(|network| matches!(attention(network).rope, Some(tengen::nn::Rope::Fixed { .. }))).unwrap();
    let Some(tengen::nn::Rope::Fixed { name, .. }) = attention(&fixed).rope else { panic!("no rope") };
    assert!(Spoilt::new(&fixed).with(&name, 1, "0").contains("theta: expected a number above 0"));
}

/// A few bytes that speak of terabytes are refused at once, and hardly allocate.
#[test]
fn huge_sizes_are_only_words() {
    let head = "huge 8 22 19 trunk 1 16384 1 1 1 1 conv 99 99 22 16384 1 1 ";
    assert!(complaint(head.as_bytes()).contains("kernel's height: expected a number from 1 to 49, found 99"));
    let head = "huge 8 22 19 trunk 1 16384 1 1 1 1 conv 5 5 22 16384 1 1 @BIN@1234";
    assert!(complaint(head.as_bytes()).ends_with("file ends after 1 of 9,011,200 weights"));
    let packed = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut encoder, bytes).unwrap();
        encoder.finish().unwrap()
    };
    assert!(complaint(&packed(&vec![b'x'; 50_000_000])).contains("too large"));
    assert!(complaint(&packed(&vec![b' '; 50_000_000])).contains("file ends before its name"));
    let mut nested =
        "deep 8 22 19 trunk 1 1 1 1 1 1 conv 1 1 22 1 1 1".to_owned() + &" 0".repeat(22) + " mul 19 1" + &" 0".repeat(19);
    nested += &" nested_bottleneck_block name 1 norm 1 0.1 0 0 0 1 act conv 1 1 1 1 1 1 1".repeat(100_000);
    assert!(complaint(nested.as_bytes()).contains("nested more than 8 deep"));
}

#[test]
fn files_of_other_kinds_are_told_apart() {
    let folder = Folder::new("kinds");
    for bytes in [
        &b""[..],
        b" \n",
        b"(;GM[1]FF[4])",
        b"PK\x03\x04\x14\0",
        b"<html><head>",
        b"\xff\xfe \xff",
        b"\x1f\x8b",
        b"\x1f\x8b\x08\0\0",
    ] {
        let text = complaint(bytes);
        assert!(text.contains("no network of KataGo's") || text.contains("damaged"), "{bytes:?}: {text}");
    }
    let missing = folder.file("missing.bin.gz");
    let text = Network::read(&missing).unwrap_err().to_string();
    assert!(text.starts_with(&format!("network {}: cannot open it", missing.display())), "{text}");
    assert!(Network::read(Path::new(env!("CARGO_MANIFEST_DIR"))).is_err());
}

/// Damage of any kind gives an error or another network, never a panic.
#[test]
fn random_damage_does_no_harm() {
    let mut rng = Rng::new(7);
    for round in 0..4000 {
        let version = OLDEST_VERSION + round % 10;
        let kinds = BlockKind::all();
        let network = Network::random(version, 2, &[kinds[rng.below(kinds.len())].clone()], &mut rng);
        let mut bytes = network.to_bytes(FORMS[round as usize % 3]).unwrap();
        for _ in 0..=rng.below(3) {
            let (at, from) = (rng.below(bytes.len()), rng.below(bytes.len()));
            match rng.below(5) {
                0 => bytes[at] = rng.next_u64() as u8,
                1 => bytes[at] = b"0123456789.-e @"[rng.below(15)],
                2 => drop(bytes.drain(at..bytes.len().min(at + 1 + rng.below(8)))),
                3 => drop(bytes.splice(at..at, [b'0'; 4])),
                _ => bytes.extend_from_within(from..),
            }
        }
        match Network::parse(&bytes) {
            Ok(other) => assert!(other.to_bytes(WORDS).is_ok(), "{round}"),
            Err(error) => assert!(error.to_string().len() < 400, "{round}: {error}"),
        }
    }
}

#[test]
fn what_could_not_be_read_is_not_written() {
    let folder = Folder::new("writing");
    let good = random(10, 4, 4);
    let mut network = good.clone();
    network.value.v2_mul.weights[3] = f32::NAN;
    let text = network.to_bytes(RAW).unwrap_err().to_string();
    assert!(text.contains("value head") && text.contains("number 4 of") && text.contains("NaN"), "{text}");
    let spoilt: [fn(&mut Network); 5] = [
        |network| network.version = 7,
        |network| network.trunk.name = "the trunk".to_owned(),
        |network| network.policy.p1_conv.name = String::new(),
        |network| network.multipliers.lead = 19.0,
        |network| network.trunk.tip_activation.kind = tengen::nn::ActivationKind::Mish,
    ];
    for (i, spoil) in spoilt.into_iter().enumerate() {
        let mut network = good.clone();
        spoil(&mut network);
        assert!(network.to_bytes(RAW).is_err(), "{i}");
    }
    let path = folder.file("unwritten.bin");
    assert!(network.write(&path).is_err() && !path.exists());
    assert!(good.write(&folder.file("no such folder").join("a.bin")).is_err());
}

fn info(files: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tengen")).args(["net", "info"]).args(files).stdin(Stdio::null()).output().unwrap()
}

#[test]
fn net_info_describes_networks() {
    let folder = Folder::new("info");
    let network = Network::random(8, 12, &[BlockKind::Residual, BlockKind::GlobalPool, BlockKind::Residual], &mut Rng::new(1));
    let path = folder.file("a small one.bin.gz");
    network.write(&path).unwrap();
    let output = info(&[&path, &path]);
    assert!(output.status.success() && output.stderr.is_empty());
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["random-v8", "b3c12", "2 residual, 1 with global pooling", "1: usual", "lead; ownership", "a small one.bin.gz"] {
        assert_eq!(text.matches(part).count(), 2, "{part}: {text}");
    }
    fs::write(&path, "no network").unwrap();
    let output = info(&[&path]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.starts_with("tengen: network ") && text.lines().count() == 1 && output.stdout.is_empty(), "{text}");
}

/// Shapes, parameters and multiply-adds against figures worked out by hand or in KataGo's names.
#[test]
fn facts_are_right() {
    let convs = |kernel: usize, inputs: usize, outputs: usize| kernel * kernel * inputs * outputs;
    let network = Network::random(8, 5, &[], &mut Rng::new(1));
    assert_eq!(network.shape(), "b0c5");
    let (trunk, policy, value) = (&network.trunk, &network.policy, &network.value);
    let per_point = trunk.initial_conv.height * trunk.initial_conv.width * 22 * 5
        + convs(1, 5, policy.p1_conv.outputs + policy.g1_conv.outputs + value.v1_conv.outputs)
        + policy.p2_conv.inputs
        + value.v1_conv.outputs;
    let twice = network.multiply_adds(2) - network.multiply_adds(1);
    assert_eq!(twice, per_point);
    for (name, shape, parameters) in
        [("nets/g170-b6c96.bin.gz", "b6c96", 1_000_000..1_100_000), ("nets/b7c96h3tfrs.bin.gz", "b7c96h3tfrs", 700_000..900_000)]
    {
        let Some(path) = common::shared(name) else { return };
        let network = Network::read(&path).unwrap();
        assert_eq!(network.shape(), shape);
        assert!(parameters.contains(&network.parameters()), "{name}: {}", network.parameters());
    }
}
