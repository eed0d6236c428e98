//! The properties that the fuzz targets check. Tests of the crates check the same functions.

#[path = "../../crates/holotape/tests/common/alloc.rs"]
mod alloc;
#[path = "../../crates/holotape-viewer/tests/common/properties.rs"]
pub mod http;
#[path = "../../crates/holotape-convert/tests/common/properties.rs"]
pub mod import;
#[path = "../../crates/holotape/tests/common/properties.rs"]
pub mod recording;
#[path = "../../crates/holotape/tests/common/take_session.rs"]
pub mod session;

use std::panic;
use std::path::Path;
use std::process;

/// More memory for an input of a few kilobytes is a bug. libFuzzer's own limit needs a sanitizer.
const MAX_PEAK_BYTES: usize = 64 << 20;

/// Checks a property, and the memory that it needs.
pub fn check(bytes: &[u8], property: fn(&[u8])) {
    let peak_bytes = alloc::peak_during(|| property(bytes));
    assert!(peak_bytes <= MAX_PEAK_BYTES, "{} bytes of input took {peak_bytes} bytes of memory", bytes.len());
}

/// Lets the crates that read Parquet panic: `holotape_convert` returns an error then. Panics of holotape remain findings.
pub fn allow_panics_of_dependencies() {
    panic::set_hook(Box::new(|info| {
        // The paths of the workspace are relative.
        if info.location().is_none_or(|location| Path::new(location.file()).is_relative()) {
            eprintln!("{info}");
            process::abort();
        }
    }));
}
