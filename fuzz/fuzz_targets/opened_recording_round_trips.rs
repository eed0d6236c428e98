#![no_main]

#[allow(dead_code)]
#[path = "../../crates/holotape/tests/common/properties.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::opened_recording_round_trips(bytes));
