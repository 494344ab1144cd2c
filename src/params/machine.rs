//! What the machine offers: cores and memory.

use super::value::{Bytes, MIB};

/// Memory for the tree where the machine's own is not known.
const UNKNOWN: Bytes = Bytes(1024 * MIB);
/// Memory for the tree at most, unless asked for: enough for hours of playouts, and leaves the machine to others.
const ENOUGH: Bytes = Bytes(2048 * MIB);

/// Search threads where a GPU judges positions: while it computes one half's, the other half makes the next batch. More would know less of each
/// other's results.
pub(super) const GPU_THREADS: u32 = 64;

/// Cores that this process may use; 1 if that is not known.
pub(super) fn cores() -> u32 {
    std::thread::available_parallelism().map_or(1, |n| n.get() as u32)
}

/// Memory for the tree that suits this machine: a quarter of what there is, at most 2 GiB.
pub(super) fn tree_memory() -> Bytes {
    memory().map_or(UNKNOWN, share)
}

/// A tree's share of `total` bytes.
fn share(total: u64) -> Bytes {
    Bytes(total / 4 / MIB * MIB).clamp(Bytes(16 * MIB), ENOUGH)
}

/// Memory of the machine, or of the container that this process runs in if that has less.
#[cfg(target_os = "linux")]
fn memory() -> Option<u64> {
    let total = std::fs::read_to_string("/proc/meminfo").ok().as_deref().and_then(total_of_meminfo)?;
    let limit = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    Some(limit.map_or(total, |limit: u64| limit.min(total)))
}

/// Memory of the machine: asking for it takes a system call of its own on each other system, which a default is not worth.
#[cfg(not(target_os = "linux"))]
fn memory() -> Option<u64> {
    None
}

/// The `MemTotal` line of `/proc/meminfo`, in bytes.
#[cfg(target_os = "linux")]
fn total_of_meminfo(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::{Bytes, ENOUGH, MIB, cores, share, tree_memory};

    #[test]
    fn defaults_fit_any_machine() {
        assert!(cores() >= 1);
        assert!((Bytes(16 * MIB)..=ENOUGH).contains(&tree_memory()));
        assert_eq!(share(1), Bytes(16 * MIB));
        assert_eq!(share(4096 * MIB + 5), Bytes(1024 * MIB));
        assert_eq!(share(u64::MAX), ENOUGH);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn meminfo_is_read() {
        assert_eq!(super::total_of_meminfo("MemTotal:       24 kB\nMemFree: 1 kB\n"), Some(24 * 1024));
        assert_eq!(super::total_of_meminfo("MemFree: 1 kB\n"), None);
    }
}
