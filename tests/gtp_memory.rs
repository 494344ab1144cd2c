//! A session serves for weeks: its memory must not grow with the number of commands. In a file of its own, for it measures the whole process.

mod common;

use common::gtp::{Client, quick};

/// Memory of this process, in KiB; nothing where the system does not tell.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.trim().parse().ok())
}

#[test]
fn memory_stays_flat() {
    let mut settings = quick();
    settings.search.max_playouts = Some(3);
    let mut client = Client::start(settings);
    client.get("boardsize 5");
    let mut round = |rounds: usize| {
        for number in 0..rounds {
            client.send_bytes(
                b"clear_board\nkomi 6.5\nplay b C3\ngenmove w\nundo\nnonsense\nkata-get-params\nlz-analyze 100\nname\nprintsgf\n",
            );
            client.send_bytes(
                b"kata-set-rules japanese\nplay b C3\ngenmove w\nkata-set-rules chinese\ntime_left b 5 0\nset_position b A1\n",
            );
            for _ in 0..16 {
                client.reply();
            }
            if number % 50 == 0 {
                client.get("final_score");
            }
        }
    };
    round(100);
    let before = memory();
    round(400);
    if let (Some(before), Some(after)) = (before, memory()) {
        assert!(after < before + 8 * 1024, "{before} KiB grew to {after} KiB");
    }
}
