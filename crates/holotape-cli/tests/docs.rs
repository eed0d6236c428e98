//! Runs the console examples of the documentation in a Unix shell, which Windows does not have, and compares their output.
#![cfg(unix)]

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use snapbox::assert_data_eq;
use tempfile::tempdir;

use crate::common::project;

/// A command of a `console` block and its output: stdout, then stderr, after `? CODE` if the exit code is not 0.
struct Example {
    command: String,
    expected: String,
}

fn examples(markdown: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let blocks = markdown.split("```console\n").skip(1);
    for line in blocks.flat_map(|block| block.split("```").next().unwrap_or_default().lines()) {
        if let Some(command) = line.strip_prefix("$ ") {
            examples.push(Example { command: command.to_owned(), expected: String::new() });
        } else if let Some(example) = examples.last_mut() {
            example.expected += line;
            example.expected.push('\n');
        }
    }
    examples
}

fn output_of(command: &str, folder: &Path) -> String {
    let programs = Path::new(env!("CARGO_BIN_EXE_holotape")).parent().expect("a folder");
    let others = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([programs.to_owned()].into_iter().chain(env::split_paths(&others))).expect("a path");
    let output =
        Command::new("sh").args(["-c", command]).current_dir(folder).env("PATH", path).output().expect("a shell");
    let code = output.status.code().expect("not killed");
    let code = if code == 0 { String::new() } else { format!("? {code}\n") };
    code + &String::from_utf8_lossy(&output.stdout) + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn console_examples_print_the_documented_output() {
    let mut pages = ["README.md", "docs/cli.md", "docs/convert.md"].map(project).to_vec();
    let guides = fs::read_dir(project("docs/guides")).expect("guides");
    pages.extend(guides.map(|guide| guide.expect("readable").path()));
    for page in pages {
        let folder = tempdir().expect("a folder");
        symlink(project("testdata"), folder.path().join("testdata")).expect("a link");
        let examples = examples(&fs::read_to_string(&page).expect("readable"));
        assert!(!examples.is_empty(), "{} has no examples", page.display());
        for Example { command, expected } in examples {
            println!("{}: {command}", page.display());
            // `...` matches any lines, `[..]` any text within a line.
            assert_data_eq!(output_of(&command, folder.path()), expected);
        }
    }
}

/// `a/{b,c}.rs` is `a/b.rs` and `a/c.rs`.
fn expand_braces(path: &str) -> Vec<String> {
    let Some((start, rest)) = path.split_once('{') else { return vec![path.to_owned()] };
    let (names, end) = rest.split_once('}').expect("a closing brace");
    names.split(',').map(|name| format!("{start}{name}{end}")).collect()
}

#[test]
fn paths_in_the_architecture_exist() {
    let page = fs::read_to_string(project("ARCHITECTURE.md")).expect("readable");
    let quoted = page.split('`').skip(1).step_by(2).filter(|text| text.contains('/') && !text.contains(' '));
    let mut count = 0;
    for path in quoted.flat_map(expand_braces) {
        let top_level = ["crates/", "web/", "packages/", "xtask/", "docs/", "interop-tests/", "testdata/", "fuzz/"];
        let is_top_level = top_level.iter().any(|folder| path.starts_with(folder));
        let is_test_folder = path == "tests/";
        let full = if is_top_level { project(&path) } else { project("crates").join(&path) };
        assert!(is_test_folder || full.exists(), "ARCHITECTURE.md names {path}");
        count += 1;
    }
    assert!(count > 100, "{count} paths");
}
