//! `cargo xtask fuzz`: runs the fuzz targets one after another, and minimizes their corpora.
//!
//! `fuzz/corpus/TARGET` is in the repository. New inputs go to `fuzz/found/TARGET`, which is not.

mod stats;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use self::stats::RunStats;
use crate::Result;
use crate::run::{self, command, is_available, root};
use crate::tools;

/// A longer run of one input is a bug. The machine may be busy.
const TIMEOUT_SECS: u32 = 20;

/// The memory of the process. The targets limit the memory of one input.
const MAX_PROCESS_MB: u32 = 1024;

/// Corpora in the repository stay small: each of them, and each input.
const MAX_CORPUS_BYTES: u64 = 64 << 10;
const MAX_CORPUS_INPUTS: usize = 256;
const MAX_INPUT_BYTES: u64 = 8 << 10;

pub fn run(args: &[&str]) -> Result {
    match args {
        [] => run_targets("60", None),
        ["seed"] => write_seeds(),
        ["minimize"] => minimize(None),
        ["minimize", target] => minimize(Some(target)),
        [seconds] => run_targets(seconds, None),
        [seconds, target] => run_targets(seconds, Some(target)),
        _ => Err("too many arguments; usage: cargo xtask fuzz [SECONDS] [TARGET]".to_owned()),
    }
}

fn run_targets(seconds: &str, only: Option<&str>) -> Result {
    let seconds: u32 = seconds.parse().map_err(|_| format!("invalid number of seconds: {seconds:?}"))?;
    let targets = targets(only)?;
    install_tools()?;
    let mut runs = Vec::new();
    for target in &targets {
        println!("\n== {target}, {seconds} s");
        let (work, corpus) = (work_folder(target), corpus_folder(target));
        create(&work)?;
        let stats = run_target(libfuzzer(target, &[work, corpus]).arg(format!("-max_total_time={seconds}")))?;
        runs.push((target.as_str(), stats));
    }
    println!("\n{}", stats::table(&runs));
    let findings: Vec<_> = runs.iter().filter_map(|(target, stats)| finding(target, stats)).collect();
    if findings.is_empty() { Ok(()) } else { Err(findings.join("\n\n")) }
}

fn install_tools() -> Result {
    tools::cpp_compiler()?;
    tools::cargo_command("fuzz")?;
    if !is_available(command("rustup").args(["run", "nightly", "rustc", "--version"])) {
        return Err("fuzzing needs a nightly compiler: rustup toolchain install nightly".to_owned());
    }
    Ok(())
}

/// The command that runs a target. libFuzzer writes new inputs to the first folder, and chooses the maximum length of an input
/// by the largest file, but at least 4 kB.
fn libfuzzer(target: &str, folders: &[PathBuf]) -> Command {
    let mut command = command("cargo");
    // Set by the cargo that runs xtask; rustup must select the nightly toolchain instead.
    command.env_remove("RUSTUP_TOOLCHAIN");
    // Each target would take a minute or more to link.
    command.env("CARGO_PROFILE_RELEASE_LTO", "off");
    // Sanitizers find errors of unsafe code. holotape has none, and runs several times faster without.
    command.args(["+nightly", "fuzz", "run", "--sanitizer", "none", target]).args(folders).arg("--");
    command.arg("-print_final_stats=1");
    command.arg(format!("-timeout={TIMEOUT_SECS}")).arg(format!("-rss_limit_mb={MAX_PROCESS_MB}"));
    command
}

/// Runs a target, and prints its output except for the progress.
fn run_target(command: &mut Command) -> Result<RunStats> {
    let failed = |error: std::io::Error| format!("cargo fuzz: {error}");
    let mut child = command.stderr(Stdio::piped()).spawn().map_err(failed)?;
    let mut stats = RunStats::default();
    if let Some(output) = child.stderr.take() {
        for line in BufReader::new(output).split(b'\n') {
            let line = line.map_err(failed)?;
            let line = String::from_utf8_lossy(&line);
            if !stats.parse_line(&line) {
                eprintln!("{line}");
            }
        }
    }
    // libFuzzer continues after an input that takes more than 10 s.
    stats.has_failed = !child.wait().map_err(failed)?.success() || stats.finding.is_some();
    Ok(stats)
}

/// Describes a failure, and how to make a test of it.
fn finding(target: &str, stats: &RunStats) -> Option<String> {
    let Some(input) = &stats.finding else {
        return stats.has_failed.then(|| format!("{target} failed without a finding; see the output above"));
    };
    let input = Path::new(input);
    let input = input.strip_prefix(root()).unwrap_or(input).display();
    Some(format!(
        "{target} failed on {input}\n\
         1. make the input smaller: cargo +nightly fuzz tmin --sanitizer none {target} {input}\n\
         2. copy it to testdata/regressions/{target}/NAME, and describe it in testdata/README.md\n\
         3. see it fail: cargo test --workspace --all-features --test fuzz_corpus; then fix the code"
    ))
}

/// Writes small inputs to start from. Run `minimize` afterwards.
fn write_seeds() -> Result {
    run::run(run::cargo().args(["run", "--package", "holotape-fuzz", "--example", "seeds"]))
}

/// Replaces corpora by the smallest inputs with the same coverage, including those of earlier runs.
fn minimize(only: Option<&str>) -> Result {
    let targets = targets(only)?;
    install_tools()?;
    for target in &targets {
        let (work, corpus) = (work_folder(target), corpus_folder(target));
        let minimized = run::target().join("fuzz-minimized").join(target);
        if minimized.exists() {
            fs::remove_dir_all(&minimized).map_err(|error| format!("{}: {error}", minimized.display()))?;
        }
        for folder in [&work, &corpus, &minimized] {
            create(folder)?;
        }
        let folders = [minimized.clone(), corpus.clone(), work];
        let stats = run_target(libfuzzer(target, &folders).arg("-merge=1"))?;
        if let Some(finding) = finding(target, &stats) {
            return Err(finding);
        }
        replace_files(&corpus, &minimized)?;
    }
    Ok(())
}

/// Replaces the files of a corpus by inputs of all sizes, as many as are allowed.
fn replace_files(corpus: &Path, minimized: &Path) -> Result {
    let failed = |error| format!("{}: {error}", corpus.display());
    let mut inputs = files(minimized)?;
    let count = inputs.len();
    inputs.retain(|(_, length)| *length <= MAX_INPUT_BYTES);
    // The largest first: recordings with hands are among them.
    inputs.sort_by_key(|(path, length)| (std::cmp::Reverse(*length), path.clone()));
    let every = |step: usize| inputs.iter().step_by(step);
    let is_small = |step: &usize| {
        every(*step).count() <= MAX_CORPUS_INPUTS
            && every(*step).map(|(_, length)| length).sum::<u64>() <= MAX_CORPUS_BYTES
    };
    let step = (1..).find(is_small).unwrap_or(usize::MAX);
    for (path, _) in files(corpus)? {
        fs::remove_file(path).map_err(failed)?;
    }
    for (path, _) in every(step) {
        fs::copy(path, corpus.join(path.file_name().unwrap_or_default())).map_err(failed)?;
    }
    println!("{}: kept {} of {count} inputs", corpus.display(), every(step).count());
    Ok(())
}

/// The files of a folder and their lengths.
fn files(folder: &Path) -> Result<Vec<(PathBuf, u64)>> {
    let failed = |error| format!("{}: {error}", folder.display());
    let entries = fs::read_dir(folder).map_err(failed)?;
    let file = |entry: fs::DirEntry| Ok((entry.path(), entry.metadata()?.len()));
    entries.map(|entry| entry.and_then(file).map_err(failed)).collect()
}

fn corpus_folder(target: &str) -> PathBuf {
    root().join("fuzz/corpus").join(target)
}

fn work_folder(target: &str) -> PathBuf {
    root().join("fuzz/found").join(target)
}

fn create(folder: &Path) -> Result {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// All targets, or only one.
fn targets(only: Option<&str>) -> Result<Vec<String>> {
    let files = files(&root().join("fuzz/fuzz_targets"))?;
    let mut names: Vec<_> =
        files.iter().filter_map(|(path, _)| Some(path.file_stem()?.to_string_lossy().into_owned())).collect();
    names.sort();
    let Some(only) = only else { return Ok(names) };
    let all = names.join(", ");
    names.retain(|name| name == only);
    if names.is_empty() { Err(format!("unknown target {only}; use one of {all}")) } else { Ok(names) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that check the corpora.
    const CORPUS_TESTS: [&str; 3] = ["holotape", "holotape-convert", "holotape-viewer"];

    #[test]
    fn every_target_has_a_small_corpus_that_is_tested() {
        let tests = CORPUS_TESTS.map(|name| {
            fs::read_to_string(root().join("crates").join(name).join("tests/fuzz_corpus.rs")).expect("readable")
        });
        let manifest = fs::read_to_string(root().join("fuzz/Cargo.toml")).expect("readable");
        for target in targets(None).expect("targets") {
            assert!(tests.iter().any(|test| test.contains(&format!("::{target}"))), "{target} is not tested");
            assert!(manifest.contains(&format!("name = \"{target}\"")), "{target} is not in the manifest");
            let corpus = files(&corpus_folder(&target)).expect("a corpus");
            assert!(!corpus.is_empty() && corpus.iter().all(|(_, length)| *length <= MAX_INPUT_BYTES), "{target}");
            assert!(corpus.len() <= MAX_CORPUS_INPUTS, "{target}");
            assert!(corpus.iter().map(|(_, length)| length).sum::<u64>() <= MAX_CORPUS_BYTES, "{target}");
        }
    }

    #[test]
    fn large_corpus_is_thinned_but_keeps_inputs_of_all_sizes() {
        let folder = std::env::temp_dir().join(format!("holotape-fuzz-{}", std::process::id()));
        let (corpus, minimized) = (folder.join("corpus"), folder.join("minimized"));
        create(&corpus).expect("created");
        create(&minimized).expect("created");
        fs::write(corpus.join("old"), "old").expect("written");
        for n in 0..30 {
            fs::write(minimized.join(format!("{n}")), vec![0; 200 * n]).expect("written");
        }
        for n in [8000, 8192, 8193] {
            fs::write(minimized.join(format!("{n}")), vec![0; n]).expect("written");
        }
        replace_files(&corpus, &minimized).expect("replaced");
        let mut kept: Vec<_> = files(&corpus).expect("a corpus").into_iter().map(|(_, length)| length).collect();
        fs::remove_dir_all(&folder).expect("removed");
        kept.sort_unstable();
        // All of them would have 103,192 bytes, so every second one stays.
        assert_eq!((kept.len(), kept[0], kept[15]), (16, 200, 8192));
    }

    #[test]
    fn finding_names_the_input_and_the_next_steps() {
        let input = root().join("fuzz/artifacts/t/crash-1").display().to_string();
        let stats = RunStats { finding: Some(input), has_failed: true, ..RunStats::default() };
        let message = finding("t", &stats).expect("a finding");
        assert!(message.starts_with("t failed on fuzz/artifacts/t/crash-1\n"), "{message}");
        assert!(message.contains("testdata/regressions/t/"), "{message}");
        assert_eq!(finding("t", &RunStats::default()), None);
    }
}
