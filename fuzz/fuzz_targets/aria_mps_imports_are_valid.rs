#![no_main]

use holotape_fuzz::{check, import};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes, import::aria_mps_imports_are_valid));
