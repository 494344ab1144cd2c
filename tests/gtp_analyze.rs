//! KataGo's options and settings of an analysis by GTP.

mod common;

use common::gtp::Client;

#[test]
fn an_analysis_takes_the_side_that_the_settings_say() {
    let mut client = Client::quick();
    client.all(&["boardsize 5", "play b c3", "play w a1", "play b d3", "kata-set-param analysisPVLen 1"]);
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
