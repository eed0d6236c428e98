#![no_main]

use holotape_fuzz::{check, session};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes, session::take_sessions_keep_their_records));
