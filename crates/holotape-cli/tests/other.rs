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

#[cfg(feature = "viewer")]
#[test]
fn a_demo_comes_with_a_page_that_replaces_nothing_else() {
    let folder = tempdir().expect("a folder");
    let demo = |args: &[&str]| Run::of(holotape().args(["demo", "--seconds", "0.1"]).args(args).current_dir(&folder));
    let page = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    demo(&["take.bin"]).code(0).silently();
    assert!(page("take.html").contains("<title>take.bin</title>"));
    demo(&["take.bin", "--seed", "2", "--force"]).code(0);
    demo(&["take.v2"]).code(0).silently();
    assert!(page("take.v2.html").contains("<title>take.v2</title>"));
    demo(&["bare.bin", "--no-page"]).code(0).silently();
    assert!(!folder.path().join("bare.html").exists());
    demo(&["page.html"]).code(2).says("a recording is called .bin or .json");
    assert!(!folder.path().join("page.html").exists());

    // A page of somebody's own recording may be the only copy of it.
    let exported = folder.path().join("mine.html");
    run(["view", text(&folder.path().join("take.bin")), "--export", text(&exported)]).code(0);
    let mine = page("mine.html");
    demo(&["mine.bin"]).code(1).says("mine.html: there is a file of that name already");
    assert_eq!(page("mine.html"), mine);
    assert!(!folder.path().join("mine.bin").exists(), "nothing is written of what cannot be finished");
    demo(&["mine.bin", "--force"]).code(0);
    assert_ne!(page("mine.html"), mine);
}

#[cfg(all(feature = "viewer", unix))]
#[test]
fn a_demo_that_goes_to_no_file_leaves_no_page() {
    let folder = tempdir().expect("a folder");
    Run::of(holotape().args(["demo", "/dev/null", "--seconds", "0.1", "--force"]).current_dir(&folder)).code(0);
    assert!(!std::path::Path::new("/dev/null.html").exists());
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
