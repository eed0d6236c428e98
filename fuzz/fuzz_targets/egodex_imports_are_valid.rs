#![no_main]

use holotape_fuzz::{allow_panics_of_dependencies, check, import};

libfuzzer_sys::fuzz_target!(init: allow_panics_of_dependencies(), |bytes: &[u8]| check(bytes, import::egodex_imports_are_valid));
