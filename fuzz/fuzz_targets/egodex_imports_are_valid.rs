#![no_main]

use holotape_fuzz::{check, import};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes, import::egodex_imports_are_valid));
