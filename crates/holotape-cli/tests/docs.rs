//! The examples of the documentation do what they say. They are written for a Unix shell.
#![cfg(unix)]

mod common;

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use common::project;
use snapbox::assert_data_eq;
use tempfile::tempdir;

/// A command of a `console` block, and what it prints: stdout and stderr, after `? CODE` where that is not 0.
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

fn printed(command: &str, folder: &Path) -> String {
    let programs = Path::new(env!("CARGO_BIN_EXE_holotape")).parent().expect("a folder");
    let others = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([programs.to_owned()].into_iter().chain(env::split_paths(&others))).expect("a path");
    let output =
        Command::new("sh").args(["-c", command]).current_dir(folder).env("PATH", path).output().expect("a shell");
    let code = output.status.code().expect("not killed");
    let code = if code == 0 { String::new() } else { format!("? {code}\n") };
    code + &String::from_utf8_lossy(&output.stdout) + &String::from_utf8_lossy(&output.stderr)
}

/// A folder of somebody else's recording, for the examples that read one.
fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").map(|entry| entry.expect("readable")) {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).expect("a copy");
        }
    }
}

#[test]
fn examples_do_what_they_say() {
    for page in ["README.md", "docs/cli.md", "docs/convert.md"] {
        let folder = tempdir().expect("a folder");
        copy_folder(&project("testdata/import/psi"), &folder.path().join("psi"));
        let markdown = fs::read_to_string(project(page)).expect("readable");
        let examples = examples(&markdown);
        assert!(!examples.is_empty(), "{page} has no examples");
        for Example { command, expected } in examples {
            println!("{page}: {command}");
            // `...` stands for any lines, `[..]` for anything within one.
            assert_data_eq!(printed(&command, folder.path()), expected);
        }
    }
}
