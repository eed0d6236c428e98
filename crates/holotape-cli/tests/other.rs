//! `holotape demo`, `completions`, `man`, and global options.

use std::fs;

use tempfile::tempdir;

use crate::common::{Run, holotape, run, text, valid};

#[test]
fn demo_is_deterministic() {
    let folder = tempdir().expect("a folder");
    let demo = |args: &[&str]| Run::new(holotape().arg("demo").args(args).current_dir(&folder));
    let first = demo(&[]).code(0).assert_stderr_empty();
    assert!(first.text().contains("right reaches") && first.text().contains("tracked"), "{}", first.text());
    let bytes = fs::read(folder.path().join("demo.bin")).expect("written");
    assert_eq!(demo(&[]).code(0).assert_stderr_empty().text(), first.text(), "running it again succeeds");
    demo(&["--seed", "2"]).code(1).assert_stderr_contains("demo.bin: file already exists");
    demo(&["other.bin", "--seed", "2"]).code(0);
    assert_ne!(fs::read(folder.path().join("other.bin")).expect("written"), bytes);
    let piped = demo(&["-"]).code(0).assert_stderr_contains("demo");
    assert!(piped.stdout == bytes);
    let json = demo(&["text.json"]).code(0).assert_stderr_empty();
    assert!(json.text().contains("JSON document"), "{}", json.text());
    demo(&["text.json"]).code(0).assert_stderr_empty();
    demo(&["--seconds", "-1", "x.bin"]).code(2);
    demo(&["--seconds", "1e9", "x.bin"]).code(2);
    demo(&["x.xyz"]).code(2).assert_stderr_contains("x.xyz: unknown extension; use .bin or .json");
    assert!(!folder.path().join("x.xyz").exists());
    demo(&["--seconds", "0", "x.bin"]).code(0);
    run(["info", text(&folder.path().join("x.bin"))]).code(0);
}

#[cfg(feature = "viewer")]
#[test]
fn demo_page_replaces_only_demo_pages() {
    let folder = tempdir().expect("a folder");
    let demo = |args: &[&str]| Run::new(holotape().args(["demo", "--seconds", "0.1"]).args(args).current_dir(&folder));
    let page = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    demo(&["demo.bin"]).code(0).assert_stderr_empty();
    assert!(page("demo.html").contains("<title>demo.bin</title>"));
    demo(&["demo.bin", "--seed", "2", "--force"]).code(0);
    demo(&["demo.v2.json"]).code(0).assert_stderr_empty();
    assert!(page("demo.v2.html").contains("<title>demo.v2.json</title>"));
    demo(&["bare.bin", "--no-page"]).code(0).assert_stderr_empty();
    assert!(!folder.path().join("bare.html").exists());
    demo(&["page.html"]).code(2).assert_stderr_contains("page.html: unknown extension; use .bin or .json");
    assert!(!folder.path().join("page.html").exists());

    // An exported page may be the only copy of a recording.
    let exported = folder.path().join("mine.html");
    run(["view", text(&folder.path().join("demo.bin")), "--export", text(&exported)]).code(0);
    let mine = page("mine.html");
    demo(&["mine.bin"]).code(1).assert_stderr_contains("mine.html: file already exists");
    assert_eq!(page("mine.html"), mine);
    assert!(!folder.path().join("mine.bin").exists(), "no recording without its page");
    demo(&["mine.bin", "--force"]).code(0);
    assert_ne!(page("mine.html"), mine);
}

// On Windows, special files are an error; see `windows.rs`.
#[cfg(all(feature = "viewer", unix))]
#[test]
fn demo_to_a_special_file_writes_no_page() {
    let folder = tempdir().expect("a folder");
    Run::new(holotape().args(["demo", "/dev/null", "--seconds", "0.1", "--force"]).current_dir(&folder)).code(0);
    assert!(!std::path::Path::new("/dev/null.html").exists());
}

#[test]
fn completions_and_man_pages_are_generated() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(run(["completions", shell]).code(0).assert_stderr_empty().text().contains("holotape"), "{shell}");
    }
    assert!(run(["man"]).code(0).assert_stderr_empty().text().contains(".SH"));
    let folder = tempdir().expect("a folder");
    run(["man", "--out-dir", text(&folder.path().join("man1"))]).code(0).assert_stderr_empty();
    for page in ["holotape.1", "holotape-info.1", "holotape-convert.1"] {
        assert!(folder.path().join("man1").join(page).exists(), "{page}");
    }
}

#[test]
fn files_are_rejected_as_folders() {
    let folder = tempdir().expect("a folder");
    let file = folder.path().join("file.txt");
    fs::write(&file, "mine").expect("written");
    let (below, recording) = (file.join("below"), valid("mrtk28_all.bin"));
    let message = format!("{} is a file, not a folder\n", file.display());
    for path in [&file, &below] {
        let options = [
            vec!["man", "--out-dir", text(path)],
            vec!["mirror", text(&recording), "--out-dir", text(path)],
            #[cfg(feature = "viewer")]
            vec!["view", "--no-open", "--record-dir", text(path)],
        ];
        for args in options {
            let run = Run::new(holotape().args(&args)).code(2).assert_stderr_contains(&message);
            assert!(!run.stderr.contains("--force"), "{args:?} has no such option: {}", run.stderr);
        }
    }
    run(["convert", text(&recording), text(&file.join("x.json"))]).code(1).assert_stderr_contains(&message);
}

#[test]
fn options_without_effect_are_rejected() {
    let recording = valid("mrtk28_all.bin");
    let recording = text(&recording);
    let mut cases = vec![
        (vec!["transform", recording, "x.bin", "--keep-height", "--yaw", "4"], "--keep-height"),
        (vec!["concat", recording, recording, "x.bin", "--gap", "-1"], "at least 0"),
    ];
    if cfg!(feature = "viewer") {
        cases.extend([
            (vec!["report", "dataset", "x.html", "--port", "1"], "--port"),
            (vec!["report", "dataset", "x.html", "--no-open"], "--no-open"),
            (vec!["view", "--edit", "--force", "--no-open"], "--force"),
            (vec!["view", "--export", "x.html", "--cert", "a", "--key", "b"], "--cert"),
            (vec!["view", "--no-token", "--cert", "a", "--key", "b"], "--cert"),
        ]);
    }
    let folder = tempdir().expect("a folder");
    for (args, message) in cases {
        Run::new(holotape().args(args).current_dir(&folder)).code(2).assert_stderr_contains(message);
    }
    assert_eq!(fs::read_dir(&folder).expect("readable").count(), 0);
}

#[test]
fn help_lists_commands_and_exit_codes() {
    let help = run(["--help"]).code(0);
    for word in ["info", "sample", "convert", "demo", "completions", "man", "Exit codes"] {
        assert!(help.text().contains(word), "{word}");
    }
    for command in ["info", "sample", "convert", "demo", "completions", "man"] {
        assert!(run([command, "--help"]).code(0).text().contains("Usage:"), "{command}");
    }
    assert!(run(["--version"]).code(0).text().starts_with("holotape 0."));
    run([]).code(2).assert_stderr_contains("Usage:");
    run(["inof"]).code(2).assert_stderr_contains("info");
}
