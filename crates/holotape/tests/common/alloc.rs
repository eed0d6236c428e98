//! An allocator that records the peak of allocated memory per thread.
#![expect(unsafe_code, reason = "an allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static NOW: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn count(change: isize) {
    NOW.with(|now| {
        now.set(now.get() + change);
        PEAK.with(|peak| peak.set(peak.get().max(now.get())));
    });
}

// SAFETY: every call goes to the system allocator unchanged; the counters allocate nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The memory that this thread has allocated and not yet freed. Negative if other threads allocated what it freed.
pub fn held_bytes() -> isize {
    NOW.with(Cell::get)
}

/// The peak of additional memory during a call.
pub fn peak_during(call: impl FnOnce()) -> usize {
    let before = held_bytes();
    PEAK.with(|peak| peak.set(before));
    call();
    usize::try_from(PEAK.with(Cell::get) - before).unwrap_or(0)
}
