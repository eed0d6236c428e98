//! Tests that do not run under Wine.

/// A test that Wine cannot run.
pub struct Excluded {
    /// The package and the test program: `holotape-cli/integration`.
    pub program: &'static str,
    pub test: &'static str,
    pub reason: &'static str,
}

const CARGO: &str = "it runs cargo on the manifests, which are the same on every system";

/// All tests that are not run. The test run prints them, and fails if one does not exist.
pub const EXCLUDED: &[Excluded] = &[
    Excluded {
        program: "holotape-cli/integration",
        test: "windows::read_only_file_is_not_replaced",
        reason: "Wine replaces read-only files",
    },
    Excluded {
        program: "holotape-cli/integration",
        test: "packages::addresses_of_the_project_are_in_one_place",
        reason: CARGO,
    },
    Excluded {
        program: "holotape-cli/integration",
        test: "packages::crate_readmes_have_no_relative_links",
        reason: CARGO,
    },
    Excluded { program: "holotape-cli/integration", test: "packages::crates_have_complete_metadata", reason: CARGO },
    Excluded {
        program: "holotape-cli/integration",
        test: "packages::dependencies_accept_the_minimum_rust_version",
        reason: CARGO,
    },
    Excluded {
        program: "holotape-viewer/server",
        test: "lan_tls::certificate_files_replace_the_self_signed_certificate",
        reason: "it makes certificates with OpenSSL, which Wine does not have",
    },
];
