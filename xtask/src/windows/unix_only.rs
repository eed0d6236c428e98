//! Finds the tests that are not compiled for Windows, by the `cfg` attributes in the sources.

use std::path::{Path, PathBuf};

use super::excluded::UNIX_ONLY;
use crate::Result;
use crate::run::root;
use crate::sources::{read, rust_files};

/// The tests of a file that are compiled for Unix or Linux only.
#[derive(Debug, PartialEq, Eq)]
pub struct UnixOnly {
    /// The file in the folder `crates`: `holotape-cli/tests/info.rs`.
    pub file: PathBuf,
    pub tests: Vec<String>,
}

impl UnixOnly {
    /// Why the tests are not compiled for Windows.
    pub fn reason(&self) -> Result<&'static str> {
        let reason = UNIX_ONLY.iter().find(|(file, _)| self.file == Path::new(file)).map(|(_, reason)| *reason);
        reason.ok_or_else(|| {
            let file = self.file.display();
            format!("{file} has tests for Unix only; give the reason in `UNIX_ONLY` of xtask/src/windows/excluded.rs")
        })
    }
}

/// Finds the tests of these packages that are compiled for Unix or Linux only.
pub fn unix_only_tests(packages: &[&str]) -> Result<Vec<UnixOnly>> {
    let crates = root().join("crates");
    let mut files = Vec::new();
    for package in packages {
        for folder in ["src", "tests"].map(|folder| crates.join(package).join(folder)) {
            for path in if folder.is_dir() { rust_files(&folder)? } else { Vec::new() } {
                let text = read(&path)?;
                files.push((path.strip_prefix(&crates).unwrap_or(&path).to_owned(), text));
            }
        }
    }
    Ok(find(&files))
}

/// The same in files with their paths. The sources have the format of rustfmt.
fn find(files: &[(PathBuf, String)]) -> Vec<UnixOnly> {
    let scanned: Vec<_> = files.iter().map(|(path, text)| (path, scan(text))).collect();
    let mut modules = Vec::new();
    for (path, file) in &scanned {
        modules.extend(file.modules.iter().map(|name| modules_folder(path).join(name)));
        modules.extend(file.is_unix_only.then(|| modules_folder(path)));
    }
    // The module `a` is in `a.rs` or `a/mod.rs`, and its modules in the folder `a`.
    let is_in_module = |path: &Path| modules.iter().any(|it| path.starts_with(it) || path.with_extension("") == *it);
    let found = scanned.into_iter().map(|(path, file)| {
        let is_unix_only = |test: &Test| test.is_unix_only || is_in_module(path);
        let tests = file.tests.iter().filter(|test| is_unix_only(test)).map(|test| test.name.clone()).collect();
        UnixOnly { file: path.clone(), tests }
    });
    found.filter(|it| !it.tests.is_empty()).collect()
}

/// The folder of the modules that a file declares.
fn modules_folder(file: &Path) -> PathBuf {
    let is_root = ["main.rs", "lib.rs", "mod.rs"].iter().any(|root| file.ends_with(root));
    if is_root { file.with_file_name("") } else { file.with_extension("") }
}

/// What a file declares.
#[derive(Default)]
struct ScannedFile {
    /// Whether an attribute of the whole file excludes it.
    is_unix_only: bool,
    tests: Vec<Test>,
    /// Modules in files of their own that are compiled for Unix or Linux only.
    modules: Vec<String>,
}

struct Test {
    name: String,
    is_unix_only: bool,
}

fn scan(text: &str) -> ScannedFile {
    let mut file = ScannedFile::default();
    let mut attributes = Vec::new();
    // The last line of the module, in this file, that is compiled for Unix or Linux only.
    let mut module_end = None;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        if module_end.as_deref() == Some(line) {
            module_end = None;
        }
        if code.starts_with("#[") || code.starts_with("#![") {
            let mut attribute = code.to_owned();
            while attribute.matches('[').count() > attribute.matches(']').count() {
                let Some(next) = lines.next() else { return file };
                attribute.push_str(next.trim());
            }
            file.is_unix_only |= attribute.strip_prefix("#!").is_some_and(|rest| is_unix_only(&format!("#{rest}")));
            attributes.push(attribute);
            continue;
        }
        if code.starts_with("//") {
            continue;
        }
        let is_excluded = attributes.iter().any(|attribute| is_unix_only(attribute));
        if let Some(name) = declared(code, "fn") {
            if attributes.iter().any(|attribute| is_test(attribute)) {
                file.tests.push(Test { name, is_unix_only: is_excluded || module_end.is_some() });
            }
        } else if let Some(name) = declared(code, "mod").filter(|_| is_excluded) {
            match code.ends_with(';') {
                true => file.modules.push(name),
                false => module_end = module_end.or(Some(format!("{}}}", &line[..line.len() - code.len()]))),
            }
        }
        attributes.clear();
    }
    file
}

/// The name of the item of this kind, `fn` or `mod`, that a line declares.
fn declared(code: &str, kind: &str) -> Option<String> {
    let mut words = code.split(' ').skip_while(|word| ["pub", "pub(crate)", "pub(super)", "async"].contains(word));
    let name = (words.next()? == kind).then(|| words.next())??;
    Some(name.chars().take_while(|char| char.is_alphanumeric() || *char == '_').collect())
}

/// Whether an attribute marks a test: `#[test]`, `#[tokio::test]`.
fn is_test(attribute: &str) -> bool {
    let name = attribute.trim_start_matches("#[").split(['(', ']']).next().unwrap_or_default();
    name == "test" || name.ends_with("::test")
}

/// Whether an attribute excludes an item for Windows, and not for Linux.
fn is_unix_only(attribute: &str) -> bool {
    let predicate = attribute.strip_prefix("#[cfg(").and_then(|rest| rest.strip_suffix(")]"));
    predicate.is_some_and(|predicate| holds(predicate, "linux") && !holds(predicate, "windows"))
}

/// Whether a predicate of `cfg` holds on a system, in a test with all features.
fn holds(predicate: &str, system: &str) -> bool {
    let predicate = predicate.trim();
    let family = if system == "windows" { "windows" } else { "unix" };
    if let Some((name, arguments)) = predicate.strip_suffix(')').and_then(|it| it.split_once('(')) {
        let mut arguments = split_arguments(arguments).into_iter().map(|argument| holds(argument, system));
        return match name {
            "any" => arguments.any(|it| it),
            "not" => !arguments.any(|it| it),
            _ => arguments.all(|it| it),
        };
    }
    match predicate.split_once('=').map(|(name, value)| (name.trim(), value.trim().trim_matches('"'))) {
        Some(("target_os", value)) => value == system,
        Some(("target_family", value)) => value == family,
        Some(_) => true,
        None => !["unix", "windows"].contains(&predicate) || predicate == family,
    }
}

/// Splits arguments at the commas that are not in parentheses.
fn split_arguments(arguments: &str) -> Vec<&str> {
    let mut depth = 0;
    let is_separator = |char: char| {
        depth += i32::from(char == '(') - i32::from(char == ')');
        char == ',' && depth == 0
    };
    arguments.split(is_separator).filter(|argument| !argument.trim().is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::PACKAGES;
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<(String, Vec<String>)> {
        let files: Vec<_> = files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect();
        find(&files).into_iter().map(|it| (it.file.to_string_lossy().into_owned(), it.tests)).collect()
    }

    /// The tests that are found in one file.
    fn tests_in(text: &str) -> Vec<String> {
        found(&[("a/tests/main.rs", text)]).into_iter().flat_map(|(_, tests)| tests).collect()
    }

    #[test]
    fn test_with_an_attribute_for_unix_is_found() {
        let text = r#"
#[test]
fn everywhere() {}

/// Why.
#[cfg(unix)]
#[test]
fn first() {
    body();
}

#[tokio::test(flavor = "current_thread")]
#[cfg(all(
    feature = "viewer",
    target_os = "linux",
))]
// Why.
pub async fn second() {}

#[cfg(unix)]
fn helper() {}

#[test]
fn after() {}
"#;
        assert_eq!(tests_in(text), ["first", "second"]);
    }

    #[test]
    fn tests_in_a_module_for_unix_are_found() {
        let text = "
#[cfg(unix)]
mod links {
    #[test]
    fn first() {
        body();
    }

    mod inner {
        #[test]
        fn second() {}
    }
}

#[test]
fn after() {}

#[cfg(test)]
mod tests {
    #[test]
    fn everywhere() {}
}
";
        assert_eq!(tests_in(text), ["first", "second"]);
    }

    #[test]
    fn tests_in_a_file_for_unix_are_found() {
        let test = "#[test]\nfn runs() {}\n";
        let files = [
            ("a/tests/main.rs", "mod everywhere;\n#[cfg(target_os = \"linux\")]\nmod memory;\n".to_owned()),
            ("a/tests/docs.rs", format!("//! Examples.\n#![cfg(unix)]\n\n{test}")),
            ("a/tests/docs/inner.rs", test.to_owned()),
            ("a/tests/everywhere.rs", format!("#[cfg(unix)]\nmod inner;\n{test}")),
            ("a/tests/everywhere/inner.rs", test.to_owned()),
            ("a/tests/memory/mod.rs", test.to_owned()),
            ("a/tests/memory/more.rs", test.to_owned()),
        ];
        let found = found(&files.each_ref().map(|(path, text)| (*path, &**text)));
        let files: Vec<_> = found.iter().map(|(file, _)| file.trim_start_matches("a/tests/")).collect();
        assert_eq!(files, ["docs.rs", "docs/inner.rs", "everywhere/inner.rs", "memory/mod.rs", "memory/more.rs"]);
    }

    #[test]
    fn attributes_are_evaluated_for_windows_and_linux() {
        for predicate in [
            "unix",
            "not(windows)",
            "target_family = \"unix\"",
            "target_os = \"linux\"",
            "any(target_os = \"linux\", target_os = \"macos\")",
            "all(not(any(windows, target_os = \"macos\")), test)",
        ] {
            assert!(is_unix_only(&format!("#[cfg({predicate})]")), "{predicate}");
        }
        for predicate in
            ["test", "windows", "feature = \"a\"", "not(unix)", "any(unix, windows)", "target_os = \"macos\""]
        {
            assert!(!is_unix_only(&format!("#[cfg({predicate})]")), "{predicate}");
        }
        assert!(!is_unix_only("#[cfg_attr(unix, ignore)]"));
    }

    #[test]
    fn tests_for_unix_are_found_in_the_sources() {
        let found = unix_only_tests(&PACKAGES).expect("readable");
        let tests_of = |file: &str| found.iter().find(|it| it.file == Path::new(file)).map(|it| &it.tests[..]);
        let has = |file, test: &str| tests_of(file).is_some_and(|tests| tests.iter().any(|name| name == test));
        assert!(has("holotape-cli/tests/convert.rs", "full_disk_is_reported"), "an attribute for Linux");
        assert!(has("holotape-viewer/tests/server/saves.rs", "symbolic_links_are_not_followed"), "asynchronous tests");
        assert!(has("holotape-openxr/src/record/markers_file.rs", "pipe_gives_markers_and_never_blocks"), "a library");
        assert!(has("holotape-cli/tests/docs.rs", "paths_in_the_architecture_exist"), "a whole file");
        assert_eq!(tests_of("holotape-cli/tests/windows.rs"), None);
        for it in &found {
            assert!(it.reason().is_ok(), "{it:?}");
        }
        for (file, reason) in UNIX_ONLY {
            assert!(tests_of(file).is_some(), "{file} has no such tests: {reason}");
        }
    }
}
