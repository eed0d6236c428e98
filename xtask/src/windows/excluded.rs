//! Tests that do not run under Wine.

/// A test that Wine cannot run.
pub struct Excluded {
    /// The package and the test program: `holotape-cli/record`.
    pub program: &'static str,
    pub test: &'static str,
    pub reason: &'static str,
}

/// All tests that are not run. The test run prints them, and fails if one does not exist.
pub const EXCLUDED: &[Excluded] = &[Excluded {
    program: "holotape-cli/windows",
    test: "read_only_file_is_not_replaced",
    reason: "Wine replaces read-only files",
}];
