#![no_main]

#[allow(dead_code)]
#[path = "../../crates/holotape/tests/common/properties.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::records_round_trip(bytes));
