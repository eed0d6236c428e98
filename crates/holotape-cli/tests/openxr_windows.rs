//! `holotape openxr` on Windows, without a runtime: the command interpreter is the application.
#![cfg(windows)]

use std::fs;
use std::process::Command;

use tempfile::{TempDir, tempdir};

use crate::common::{Run, holotape, text, valid};

const KEY: &str = r"HKCU\SOFTWARE\Khronos\OpenXR\1\ApiLayers\Implicit";

/// The command, with folders of its own instead of those of the user. No loader loads the library.
fn openxr(folder: &TempDir) -> Command {
    let library = folder.path().join("library.dll");
    fs::write(&library, "").expect("written");
    let mut command = holotape();
    command.arg("openxr").current_dir(folder).env("HOLOTAPE_OPENXR_LIBRARY", library);
    command.env("APPDATA", folder.path().join("Roaming Daten"));
    command.env_remove("XR_API_LAYER_PATH").env_remove("XR_ENABLE_API_LAYERS");
    command
}

fn run(folder: &TempDir, args: &[&str]) -> Run {
    Run::new(openxr(folder).args(args))
}

/// The values of the key that belong to this folder: other tests and installed programs have theirs.
fn registered(folder: &TempDir) -> Vec<String> {
    let output = Command::new("reg").args(["query", KEY]).output().expect("runs");
    let values = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_of_folder = |line: &&str| line.contains(text(folder.path()));
    values.lines().filter(is_of_folder).map(|line| line.trim().to_owned()).collect()
}

#[test]
fn exit_code_is_that_of_the_application() {
    let folder = tempdir().expect("a folder");
    let take = text(&valid("mrtk28_all.bin")).to_owned();
    run(&folder, &["record", "take.bin", "--", "cmd", "/c", "exit", "7"]).code(7);
    run(&folder, &["record", "take.bin", "--", "cmd", "/c", "exit", "0"])
        .code(1)
        .assert_stderr_contains("nothing was recorded");
    run(&folder, &["replay", &take, "--", "cmd", "/c", "exit", "7"]).code(7);
    // As of a process that has crashed.
    run(&folder, &["replay", &take, "--", "cmd", "/c", "exit", "-1073741819"]).code(1);
    run(&folder, &["record", "take.bin", "--", r".\missing.exe"])
        .code(1)
        .assert_stderr_contains("missing.exe: no such file");
}

#[test]
fn loader_finds_the_layers_and_those_of_others() {
    let folder = tempdir().expect("a folder");
    let take = text(&valid("mrtk28_all.bin")).to_owned();
    let mut command = openxr(&folder);
    command.env("XR_ENABLE_API_LAYERS", "XR_APILAYER_A;XR_APILAYER_B").env("XR_API_LAYER_PATH", r"C:\others");
    let replayed = Run::new(command.args(["replay", &take, "--", "cmd", "/c", "set", "XR_"])).code(0);
    let value =
        |name: &str| replayed.text().lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('=')).expect("set");
    assert_eq!(value("XR_ENABLE_API_LAYERS"), "XR_APILAYER_A;XR_APILAYER_B;XR_APILAYER_HOLOTAPE_replay");
    assert!(value("XR_API_LAYER_PATH").ends_with(r";C:\others"), "{}", replayed.text());
}

#[test]
fn layers_are_registered_and_unregistered() {
    let folder = tempdir().expect("a folder");
    let manifests = folder.path().join(r"Roaming Daten\holotape\openxr");
    let manifest = |layer: &str| manifests.join(format!("XR_APILAYER_HOLOTAPE_{layer}.json"));
    run(&folder, &["install", "record", "take.bin"]).code(0).assert_stderr_empty();
    let [value] = &registered(&folder)[..] else { panic!("not one value: {:?}", registered(&folder)) };
    // The path of the manifest, and zero: enabled.
    assert!(
        value.starts_with(text(&manifest("record"))) && value.contains("REG_DWORD") && value.ends_with("0x0"),
        "{value}"
    );
    let json: serde_json::Value =
        serde_json::from_slice(&fs::read(manifest("record")).expect("written")).expect("JSON");
    let library = json["api_layer"]["library_path"].as_str().expect("a path");
    assert!(library.ends_with("library.dll") && library[1..].starts_with(r":\"), "{library}");

    run(&folder, &["install", "replay", text(&valid("mrtk28_all.bin"))]).code(0).assert_stderr_empty();
    assert_eq!(registered(&folder).len(), 2);
    assert!(run(&folder, &["status"]).code(0).text().contains("replay: installed"));
    run(&folder, &["uninstall"]).code(0).assert_stderr_empty();
    assert!(registered(&folder).is_empty());
    assert!(!manifest("record").exists() && !manifest("replay").exists());
    assert_eq!(run(&folder, &["uninstall"]).code(0).text(), "no layer is installed\n");
}
