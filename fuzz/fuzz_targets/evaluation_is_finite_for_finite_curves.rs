#![no_main]

#[allow(dead_code)]
#[path = "../../crates/holotape/tests/common/properties.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::evaluation_is_finite_for_finite_curves(bytes));
