//! The metadata of the crates, as registries show them.

use std::collections::{HashMap, HashSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::common::project;

/// What `cargo metadata` prints, with the dependencies on all platforms.
fn metadata() -> Value {
    let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let args = ["metadata", "--format-version", "1", "--all-features", "--locked"];
    let output = Command::new(cargo).args(args).current_dir(project("")).output().expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("no list {key}"))
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("no text {key} in {}", value["name"]))
}

/// The packages of the folder `crates`.
fn crates(metadata: &Value) -> Vec<&Value> {
    let is_crate = |package: &&Value| text(package, "manifest_path").replace('\\', "/").contains("/crates/holotape");
    list(metadata, "packages").iter().filter(|package| package["source"].is_null()).filter(is_crate).collect()
}

/// The identifiers of packages and of all that their users build with them.
fn with_dependencies<'a>(metadata: &'a Value, packages: &[&'a Value]) -> HashSet<&'a str> {
    let nodes = list(&metadata["resolve"], "nodes");
    let nodes: HashMap<_, _> = nodes.iter().map(|node| (text(node, "id"), node)).collect();
    let mut open: Vec<_> = packages.iter().map(|package| text(package, "id")).collect();
    let mut found = HashSet::new();
    while let Some(id) = open.pop() {
        if found.insert(id) {
            let is_built = |dependency: &&Value| list(dependency, "dep_kinds").iter().any(|kind| kind["kind"] != "dev");
            open.extend(list(nodes[id], "deps").iter().filter(is_built).map(|dependency| text(dependency, "pkg")));
        }
    }
    found
}

fn parse_version(version: &str) -> Vec<u32> {
    let mut parts: Vec<_> = version.split('.').map(|part| part.parse().expect("a number")).collect();
    parts.resize(3, 0);
    parts
}

#[test]
fn dependencies_accept_the_minimum_rust_version() {
    let metadata = metadata();
    let crates = crates(&metadata);
    let minimum = text(crates[0], "rust_version");
    assert!(crates.iter().all(|package| package["rust_version"] == minimum), "crates differ in `rust-version`");
    let built = with_dependencies(&metadata, &crates);
    assert!(built.len() > 100, "{} packages", built.len());
    let packages = list(&metadata, "packages").iter().filter(|package| built.contains(text(package, "id")));
    let required = packages.filter_map(|package| Some((parse_version(package["rust_version"].as_str()?), package)));
    let too_new = required.filter(|(version, _)| *version > parse_version(minimum));
    let too_new: Vec<_> = too_new.map(|(_, package)| format!("{} {}", package["name"], package["version"])).collect();
    assert!(too_new.is_empty(), "require a newer Rust than {minimum}: {}", too_new.join(", "));
}

#[test]
fn crates_have_complete_metadata() {
    let metadata = metadata();
    for package in crates(&metadata) {
        let name = text(package, "name");
        assert!(text(package, "description").len() > 20, "{name}: description");
        assert_eq!(text(package, "license"), "MIT OR Apache-2.0", "{name}: license");
        assert_eq!(text(package, "readme"), "README.md", "{name}: readme");
        assert!((1..=5).contains(&list(package, "keywords").len()), "{name}: keywords");
        assert!((1..=5).contains(&list(package, "categories").len()), "{name}: categories");
        // Empty until they exist, but inherited.
        for address in ["repository", "homepage", "documentation"] {
            assert!(package[address].is_string(), "{name}: `{address}` is missing");
        }
        if name != "holotape-python" {
            assert!(text(package, "documentation").starts_with("https://docs.rs/"), "{name}: documentation");
        }
    }
}

#[test]
fn addresses_of_the_project_are_in_one_place() {
    for package in crates(&metadata()) {
        let manifest = fs::read_to_string(text(package, "manifest_path")).expect("a manifest");
        for address in ["repository", "homepage"] {
            assert!(manifest.contains(&format!("\n{address}.workspace = true\n")), "{}: {address}", package["name"]);
        }
    }
    let python = fs::read_to_string(project("crates/holotape-python/Cargo.toml")).expect("a manifest");
    assert!(python.contains("\ndocumentation.workspace = true\n"), "the Python package is not on docs.rs");
    let pyproject = fs::read_to_string(project("crates/holotape-python/pyproject.toml")).expect("a project");
    assert!(!pyproject.contains("urls]"), "`cargo xtask dist` takes the addresses from Cargo.toml");
    let npm = fs::read_to_string(project("packages/holotape-webxr/package.json")).expect("a package");
    assert!(!npm.contains("\"repository\"") && !npm.contains("\"homepage\""), "a release adds the addresses");
}

#[test]
fn crate_readmes_have_no_relative_links() {
    for package in crates(&metadata()) {
        let folder = project("crates").join(text(package, "name"));
        let readme = fs::read_to_string(folder.join("README.md")).expect("a README");
        let links = readme.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let relative: Vec<_> = links.filter(|link| !link.starts_with("https://")).collect();
        assert!(relative.is_empty(), "{}: registries do not resolve {relative:?}", package["name"]);
        assert!(readme.starts_with("# holotape"), "{}: title", package["name"]);
    }
}

/// All Rust files below a folder.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path());
    entries
        .flat_map(|path| match path.is_dir() {
            true => rust_files(&path),
            false => vec![path],
        })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// The tests of a crate are modules of one program: cargo does not look for other files.
#[test]
fn every_test_file_is_compiled() {
    let crates = fs::read_dir(project("crates")).expect("a folder").map(|entry| entry.expect("readable").path());
    let mut file_count = 0;
    for package in crates {
        let manifest = fs::read_to_string(package.join("Cargo.toml")).expect("readable");
        if !manifest.contains("autotests = false") {
            continue;
        }
        let tests = package.join("tests");
        let is_program = |path: &Path| {
            let name = path.file_stem().expect("a name").to_string_lossy();
            path == tests.join("main.rs") || manifest.contains(&format!("[[test]]\nname = \"{name}\"\n"))
        };
        let files = rust_files(&tests);
        file_count += files.len();
        for path in files.iter().filter(|path| !is_program(path)) {
            let is_declared = declaring_files(path).iter().any(|(file, line)| {
                fs::read_to_string(file)
                    .is_ok_and(|text| text.lines().any(|found| found.trim_start_matches("pub ") == line))
            });
            assert!(is_declared, "{}: not a module of a test program", path.display());
        }
    }
    assert!(file_count > 100, "{file_count} files");
}

/// The files that can declare a module of tests, each with the line that does.
fn declaring_files(path: &Path) -> Vec<(PathBuf, String)> {
    let is_folder = path.ends_with("mod.rs");
    let module = if is_folder { path.parent().expect("a folder") } else { path };
    let folder = module.parent().expect("a folder");
    let name = module.file_stem().expect("a name").to_string_lossy();
    let mut files =
        vec![(folder.join("main.rs"), format!("mod {name};")), (folder.join("mod.rs"), format!("mod {name};"))];
    // Shared with other programs by its path.
    let shared = format!("#[path = \"common/{name}.rs\"]");
    files.push((folder.with_file_name("main.rs"), shared.clone()));
    files.push((folder.with_file_name("fuzz_corpus.rs"), shared));
    files.push((folder.with_extension("rs"), format!("mod {name};")));
    files
}
