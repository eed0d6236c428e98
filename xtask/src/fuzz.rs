//! `cargo xtask fuzz`: runs the fuzz targets one after another, starting from the test data.

use std::fs;

use crate::Result;
use crate::run::{self, command, is_available, root};
use crate::tools;

/// A larger allocation for an input of at most 64 kB is a bug.
const MALLOC_LIMIT_MB: u32 = 64;
const MAX_INPUT_BYTES: u32 = 64 << 10;

fn run_targets(seconds: u32, only: Option<&str>) -> Result {
    tools::cpp_compiler()?;
    tools::cargo_command("fuzz")?;
    if !is_available(command("rustup").args(["run", "nightly", "rustc", "--version"])) {
        return Err("fuzzing needs a nightly compiler: rustup toolchain install nightly".to_owned());
    }
    let mut targets = targets()?;
    if let Some(only) = only {
        let all = targets.join(", ");
        targets.retain(|target| target == only);
        if targets.is_empty() {
            return Err(format!("unknown target {only}; use one of {all}"));
        }
    }
    for target in &targets {
        println!("\n== {target}, {seconds} s");
        let corpus = format!("fuzz/corpus/{target}");
        fs::create_dir_all(root().join(&corpus)).map_err(|error| format!("{corpus}: {error}"))?;
        if target.starts_with("json") {
            add_json_documents(&corpus)?;
        }
        if target.starts_with("convert") {
            add_other_formats(&corpus)?;
        }
        run::run(
            command("cargo")
                // Set by the cargo that runs xtask; rustup must select the nightly toolchain instead.
                .env_remove("RUSTUP_TOOLCHAIN")
                .args(["+nightly", "fuzz", "run", target, &corpus, "testdata/valid", "testdata/invalid", "--"])
                .arg(format!("-max_total_time={seconds}"))
                .arg(format!("-max_len={MAX_INPUT_BYTES}"))
                .arg(format!("-malloc_limit_mb={MALLOC_LIMIT_MB}")),
        )?;
    }
    Ok(())
}

pub fn run(args: &[&str]) -> Result {
    let (seconds, only) = match args {
        [] => ("60", None),
        [seconds] => (*seconds, None),
        [seconds, target] => (*seconds, Some(*target)),
        _ => return Err("too many arguments; usage: cargo xtask fuzz [SECONDS] [TARGET]".to_owned()),
    };
    let seconds = seconds.parse().map_err(|_| format!("invalid number of seconds: {seconds:?}"))?;
    run_targets(seconds, only)
}

/// Adds small recordings as JSON documents.
fn add_json_documents(corpus: &str) -> Result {
    for name in ["mrtk28_no_channels", "mrtk28_camera_only", "mrtk28_gaze_only", "documented11_full_keys"] {
        let (from, to) = (format!("testdata/valid/{name}.bin"), format!("{corpus}/{name}.json"));
        run::run(
            run::cargo()
                .args(["run", "--quiet", "--package", "holotape-cli", "--", "convert", "--force"])
                .args([from, to]),
        )?;
    }
    Ok(())
}

/// Adds a small recording in every readable format.
fn add_other_formats(corpus: &str) -> Result {
    let from = "testdata/valid/mrtk28_camera_only.bin";
    for extension in ["csv", "glb", "gltf", "iwer.json"] {
        let to = format!("{corpus}/camera.{extension}");
        // The exit code is 3 if the conversion is lossy.
        let convert = ["run", "--quiet", "--package", "holotape-cli", "--", "convert", "--force", from, &to];
        is_available(run::cargo().args(convert));
    }
    for name in
        ["hl2ss_spatial_input.bin", "stream_recorder_head_hand_eye.csv", "psi/Head/Head.txt", "psi/Eyes/Eyes.txt"]
    {
        let (from, to) = (root().join("testdata/import").join(name), root().join(corpus).join(name.replace('/', "_")));
        fs::copy(&from, &to).map_err(|error| format!("{}: {error}", from.display()))?;
    }
    Ok(())
}

fn targets() -> Result<Vec<String>> {
    let folder = root().join("fuzz/fuzz_targets");
    let files = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names: Vec<_> =
        files.filter_map(|file| Some(file.ok()?.path().file_stem()?.to_string_lossy().into_owned())).collect();
    names.sort();
    Ok(names)
}
