//! `holotape demo`, `completions`, `man`, and the command as a whole.

mod common;

use std::fs;

use common::{Run, holotape, run, text};
use tempfile::tempdir;

#[test]
fn the_demo_is_the_same_each_time_and_shown() {
    let folder = tempdir().expect("a folder");
    let demo = |args: &[&str]| Run::of(holotape().arg("demo").args(args).current_dir(&folder));
    let first = demo(&[]).code(0).silently();
    assert!(first.text().contains("right reaches") && first.text().contains("tracked"), "{}", first.text());
    let bytes = fs::read(folder.path().join("demo.bin")).expect("written");
    assert_eq!(demo(&[]).code(0).silently().text(), first.text(), "the same again is no complaint");
    demo(&["--seed", "2"]).code(1).says("demo.bin: there is a file of that name already");
    demo(&["other.bin", "--seed", "2"]).code(0);
    assert_ne!(fs::read(folder.path().join("other.bin")).expect("written"), bytes);
    let piped = demo(&["-"]).code(0).says("demo");
    assert!(piped.stdout == bytes);
    let json = demo(&["text.json"]).code(0).silently();
    assert!(json.text().contains("JSON document"), "{}", json.text());
    demo(&["text.json"]).code(0).silently();
    demo(&["--seconds", "-1", "x.bin"]).code(2);
    demo(&["--seconds", "1e9", "x.bin"]).code(2);
    demo(&["--seconds", "0", "x.bin"]).code(0);
    run(["info", text(&folder.path().join("x.bin"))]).code(0);
}

#[test]
fn completions_and_manual_pages_are_made() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(run(["completions", shell]).code(0).silently().text().contains("holotape"), "{shell}");
    }
    assert!(run(["man"]).code(0).silently().text().contains(".SH"));
    let folder = tempdir().expect("a folder");
    run(["man", "--out-dir", text(&folder.path().join("man1"))]).code(0).silently();
    for page in ["holotape.1", "holotape-info.1", "holotape-convert.1"] {
        assert!(folder.path().join("man1").join(page).exists(), "{page}");
    }
}

#[test]
fn help_names_every_command_and_explains_exit_codes() {
    let help = run(["--help"]).code(0);
    for word in ["info", "sample", "convert", "demo", "completions", "man", "Exit codes"] {
        assert!(help.text().contains(word), "{word}");
    }
    for command in ["info", "sample", "convert", "demo", "completions", "man"] {
        assert!(run([command, "--help"]).code(0).text().contains("Usage:"), "{command}");
    }
    assert!(run(["--version"]).code(0).text().starts_with("holotape 0."));
    run([]).code(2).says("Usage:");
    run(["inof"]).code(2).says("info");
}
