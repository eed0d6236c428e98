//! The integration tests of the library: one program, so that they are linked once.

// Not in `common`, which benchmarks use as well.
#[path = "common/alloc.rs"]
mod alloc;
mod big;
mod check;
mod common;
mod crash_recovery;
mod curves;
mod diff;
mod edit;
mod golden;
mod hostile;
mod invalid;
mod journal;
mod json;
mod optimize;
mod optimize_hostile;
mod play;
mod record;
mod repair;
mod rotation_w;
mod roundtrip;
mod salvage;
mod sample;
mod save;
mod stats;
mod stream;
mod subset;
mod windows;
