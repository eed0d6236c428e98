//! Runs the console examples of the documentation in a Unix shell and compares their output.
#![cfg(unix)]

mod common;

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use common::project;
use snapbox::assert_data_eq;
use tempfile::tempdir;

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
