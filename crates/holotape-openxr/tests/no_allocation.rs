//! In a frame, the layers neither allocate nor read or write files on the application's thread.

#![allow(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use holotape::demo::DemoOptions;

mod fake;

use fake::{Bed, Layers, Options, Session};

/// Counts the allocations of each thread.
struct CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    // Fails only while the thread ends.
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: everything is passed to the system's allocator.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as the caller guarantees.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller guarantees.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count();
        // SAFETY: as the caller guarantees.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}

/// The calls of this thread that read or write files. Asking for them reads a file, always with as many calls.
#[cfg(target_os = "linux")]
fn file_calls() -> [u64; 2] {
    let text = std::fs::read_to_string("/proc/thread-self/io").expect("the counts of the system");
    let value = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)).expect("a count");
        line.trim().parse::<u64>().expect("a number")
    };
    [value("syscr:"), value("syscw:")]
}

#[cfg(not(target_os = "linux"))]
fn file_calls() -> [u64; 2] {
    [0; 2]
}

/// Asserts that frames allocate nothing, and neither read nor write.
fn assert_free_frames(what: &str, frame: impl Fn()) {
    (0..50).for_each(|_| frame());
    let [before, asked] = [file_calls(), file_calls()];
    let allocations = ALLOCATIONS.get();
    (0..200).for_each(|_| frame());
    let allocations = ALLOCATIONS.get() - allocations;
    let after = file_calls();
    assert_eq!(allocations, 0, "{what}: allocations in 200 frames");
    let calls = |from: [u64; 2], to: [u64; 2]| [to[0] - from[0], to[1] - from[1]];
    assert_eq!(calls(asked, after), calls(before, asked), "{what}: calls that read and write files");
}

fn assert_free_layers(what: &str, layers: Layers<'_>, bed: &Bed) {
    let app = bed.start(layers);
    let session: Session<'_> = app.session();
    assert_free_frames(what, || {
        session.frame();
        session.app.poll();
    });
    session.end();
    app.end();
}

#[test]
fn frames_with_layers_allocate_nothing_and_use_no_files() {
    let bed = Bed::new();
    let demo = DemoOptions::new().with_seconds(4.0).generate().expect("a demo");
    let (record, replay) = (bed.record_config(), bed.replay_config(&demo));
    let (record, replay) = (Some(&record), Some(&replay));
    assert_free_layers("record", Layers { record, replay: None }, &bed);
    assert_free_layers("replay", Layers { record: None, replay }, &bed);
    assert_free_layers("record above replay", Layers { record, replay }, &bed);
    assert!(bed.recorded().duration_secs() > 2.0);
}

#[test]
fn sessions_without_frames_allocate_nothing_and_use_no_files() {
    let bed = Bed::new();
    let record = bed.record_config();
    let app = bed.start(Layers { record: Some(&record), replay: None });
    let session = app.try_session(Options { is_headless: true, ..Options::default() }).expect("a session");
    let nanos = std::cell::Cell::new(fake::FIRST_NANOS);
    assert_free_frames("headless", || {
        session.see(nanos.get());
        nanos.set(nanos.get() + fake::PERIOD_NANOS);
    });
    session.end();
    app.end();
    assert!(bed.recorded().duration_secs() > 2.0);
}
