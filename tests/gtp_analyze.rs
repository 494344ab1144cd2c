//! KataGo's options and settings of an analysis by GTP.

mod common;

use common::gtp::Client;

#[test]
fn an_analysis_takes_the_side_that_the_settings_say() {
    let mut client = Client::quick();
    client.all(&["boardsize 5", "play b c3", "play w a1", "play b d3", "kata-set-param analysisPVLen 1"]);
    client.get("kata-set-param maxPlayouts 300");
    let mut winrate = |side: &str| -> f64 {
        client.get(&format!("kata-set-param reportAnalysisWinratesAs {side}"));
        let line = client.get("kata-search_analyze w pvEdgeVisits true movesOwnershipStdev true noResultValue true");
        for key in [" pvEdgeVisits ", " movesOwnershipStdev ", " noResultValue "] {
            assert!(line.contains(key), "{line}");
        }
        let pv = line.split_once(" pv ").unwrap().1.split(" pvEdgeVisits ").next().unwrap();
        assert!(pv.split(' ').count() <= 2, "{pv}");
        line.split_once(" winrate ").unwrap().1.split(' ').next().unwrap().parse().unwrap()
    };
    assert!(winrate("SIDETOMOVE") < 0.4 && winrate("WHITE") < 0.4 && winrate("BLACK") > 0.6);
}

/// In a symmetric position the moves that mirror a searched one are told with its figures, unless that is turned off.
#[test]
fn mirrored_moves_are_named() {
    let mut client = Client::quick();
    client.all(&["boardsize 5", "kata-set-param maxPlayouts 300"]);
    let line = client.get("kata-search_analyze b movesOwnership true");
    let infos: Vec<&str> = line.split("info move ").skip(1).collect();
    let copies: Vec<&&str> = infos.iter().filter(|info| info.contains(" isSymmetryOf ")).collect();
    assert!(!copies.is_empty(), "{line}");
    for copy in copies {
        let of = copy.split_once(" isSymmetryOf ").unwrap().1.split(' ').next().unwrap();
        let original = infos.iter().find(|info| info.starts_with(&format!("{of} "))).unwrap();
        let figures = |info: &str| {
            info.split_once(' ').unwrap().1.split(" isSymmetryOf").next().unwrap().split(" order").next().unwrap().to_owned()
        };
        assert_eq!(figures(copy), figures(original));
        let first = copy.split_once(" pv ").unwrap().1.split(' ').next().unwrap();
        assert!(copy.starts_with(&format!("{first} ")), "{copy}");
    }
    client.get("kata-set-param rootSymmetryPruning false");
    assert!(!client.get("kata-search_analyze b").contains("isSymmetryOf"));
    client.get("play b b2");
    client.get("play w c4");
    client.get("kata-set-param rootSymmetryPruning true");
    assert!(!client.get("kata-search_analyze b").contains("isSymmetryOf"));
}

#[test]
fn a_benchmark_counts_its_visits() {
    let mut client = Client::quick();
    client.get("boardsize 5");
    assert!(client.get("kata-benchmark 50").starts_with("50 visits on 5x5 with 1 threads in "));
    assert!(client.error("kata-benchmark 0").contains("at least 1"));
    client.send("kata-benchmark 1000000000\nname");
    assert!(client.reply().contains(" visits on 5x5"));
    assert_eq!(client.reply(), "= Tengen");
}
