#![no_main]

use holotape_fuzz::{check, recording};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes, recording::windows_match_recording));
