#![no_main]

use holotape_fuzz::{allow_panics_of_dependencies, check, http};

libfuzzer_sys::fuzz_target!(init: allow_panics_of_dependencies(), |bytes: &[u8]| check(bytes, http::http_requests_get_safe_responses));
