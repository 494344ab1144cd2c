//! Whatever is sent, every command gets exactly one reply in the protocol's frame, with its id, in order.

mod common;

use common::gtp::{Client, quick};
use proptest::prelude::*;

/// Every command but those that touch files, or end the session.
fn names() -> Vec<String> {
    let list = Client::quick().get("list_commands");
    list.lines().filter(|name| !["quit", "printsgf", "loadsgf"].contains(name)).map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn replies_are_framed_and_in_order(
        lines in proptest::collection::vec((any::<prop::sample::Index>(), "( ?[bwBW])?( ?(pass|[A-Ja-j][0-9]{1,2}|-?[0-9]{1,3}|true|ko|[!-~]{1,6})){0,4}"), 1..40)
    ) {
        let names = names();
        let mut settings = quick();
        settings.search.max_playouts = Some(4);
        let mut client = Client::start(settings);
        client.get("boardsize 5");
        for (id, (name, arguments)) in lines.iter().enumerate() {
            client.send(&format!("{id} {} {arguments}", name.get(&names)));
        }
        client.send("");
        for id in 0..lines.len() {
            let reply = client.reply();
            let head = reply.split(' ').next().unwrap();
            prop_assert!(head == format!("={id}") || head == format!("?{id}"), "{}: {}", id, reply);
        }
        prop_assert_eq!(client.end(), "");
    }
}
