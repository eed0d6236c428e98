#![no_main]

#[allow(dead_code)]
#[path = "../../crates/holotape/tests/common/properties.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|text: &[u8]| properties::json_round_trips(text));
