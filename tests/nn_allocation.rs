//! Evaluating takes no memory once the scratch memory has grown.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use tengen::board::Size;
use tengen::nn::{Backend, BlockKind, Cpu, Inputs, Network, RawOutputs};
use tengen::util::Rng;

/// Counts what is allocated.
struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all work is the system allocator's.
unsafe impl GlobalAlloc for Counting {
    // SAFETY: as the system's.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        // SAFETY: the caller's promise is the system allocator's too.
        unsafe { System.alloc(layout) }
    }

    // SAFETY: as the system's.
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer is from `alloc`, which is the system's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn an_evaluation_allocates_nothing_once_its_memory_has_grown() {
    let network = Network::random(17, 24, &BlockKind::all(), &mut Rng::new(1));
    let mut cpu = Cpu::new(&network);
    let sizes = [19, 9];
    let inputs: Vec<Inputs> = sizes.iter().map(|&side| Inputs::new(Size::square(side).unwrap())).collect();
    let inputs: Vec<&Inputs> = inputs.iter().collect();
    let mut outputs = vec![RawOutputs::default(); inputs.len()];
    cpu.evaluate(&inputs, &mut outputs);
    let before = ALLOCATIONS.load(Relaxed);
    for _ in 0..3 {
        cpu.evaluate(&inputs, &mut outputs);
    }
    assert_eq!(ALLOCATIONS.load(Relaxed), before);
}
