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

const LINKS: &str = "on Windows, symbolic links need a privilege that users do not have";
const OPEN_FILES: &str = "Windows does not remove a folder with open files";

/// Why the tests of a file in the folder `crates` are compiled for Unix or Linux only, for all files that have some.
pub const UNIX_ONLY: &[(&str, &str)] = &[
    ("holotape/tests/save.rs", LINKS),
    ("holotape-cli/tests/convert.rs", "it writes to /dev/full"),
    ("holotape-cli/tests/docs.rs", "they run console examples in a Unix shell, and compare paths with /"),
    ("holotape-cli/tests/info.rs", "they read /dev/stdin, a named pipe, and the memory from /proc"),
    ("holotape-cli/tests/openxr.rs", "a shell script is the application; openxr_windows.rs tests the same on Windows"),
    ("holotape-cli/tests/other.rs", "windows.rs tests special files of Windows"),
    ("holotape-cli/tests/view.rs", "it reads the memory from /proc"),
    ("holotape-corpus/tests/build/concurrent.rs", OPEN_FILES),
    ("holotape-corpus/tests/find.rs", LINKS),
    ("holotape-corpus/tests/scan.rs", "on Windows, pipes are not in folders, and files are not sparse"),
    ("holotape-openxr/src/record/markers_file.rs", "it makes a named pipe in a folder"),
    ("holotape-viewer/src/server/listener.rs", "Windows chooses the length of the queue"),
    ("holotape-viewer/src/server/pairing/devices.rs", "it reads Unix permissions"),
    ("holotape-viewer/tests/server/live_ends.rs", OPEN_FILES),
    ("holotape-viewer/tests/server/saves.rs", LINKS),
];
