//! `cargo xtask bench length`: time and memory of commands for recordings of 1, 10 and 60 minutes.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::Result;
use crate::run::{cargo, command, is_available, output, output_accepting, run, target};
use crate::tools::debian_package;

const MINUTES: [u32; 3] = [1, 10, 60];

/// Every measurement is the fastest of this many runs.
const RUNS: usize = 3;

/// The exit code of a command that is done, but could not represent everything.
const LOSSY: i32 = 3;

/// The arguments of each command; `IN` and `OUT` stand for the paths of the recording and of the output.
const COMMANDS: [(&str, &str); 9] = [
    ("info", "info IN"),
    ("check", "check IN"),
    ("stats", "stats IN"),
    ("optimize", "optimize IN OUT.bin"),
    ("trim", "trim IN OUT.bin --from 10 --to 50"),
    ("Parquet", "convert IN OUT.parquet"),
    ("CSV", "convert IN OUT.csv"),
    ("MCAP", "convert IN OUT.mcap"),
    // How long a browser takes to show it: `cargo xtask bench viewer`.
    ("page", "view IN --export OUT.html"),
];

/// Names the two variants of each recording.
const VARIANTS: [&str; 2] = ["every frame", "reduced"];

/// The most seconds and MB that a command may take for the longest recording: command, variant, limits.
const LIMITS: [(&str, &str, f64, f64); 6] = [
    ("check", "every frame", 2.5, 700.0),
    ("optimize", "every frame", 6.0, f64::INFINITY),
    ("Parquet", "every frame", f64::INFINITY, 500.0),
    ("Parquet", "reduced", f64::INFINITY, 500.0),
    ("MCAP", "every frame", 5.0, f64::INFINITY),
    ("MCAP", "reduced", 5.0, f64::INFINITY),
];

/// What one command took.
#[derive(Debug, Clone, Copy)]
struct Usage {
    seconds: f64,
    peak_mb: f64,
}

/// Measures all commands, for recordings with every frame and for reduced ones. `filter` selects commands by name.
pub fn bench(filter: Option<&str>) -> Result {
    let has_time = || is_available(command("time").arg("--version"));
    debian_package("time", "GNU time", has_time)?;
    run(cargo().args(["build", "--release", "--package", "holotape-cli"]))?;
    let program = target().join("release/holotape");
    let dir = target().join("bench-length");
    fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let measured = measure_all(&program, &dir, filter);
    let removed = fs::remove_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()));
    measured.and(removed)
}

fn measure_all(program: &Path, dir: &Path, filter: Option<&str>) -> Result {
    let mut recordings = Vec::new();
    for minutes in MINUTES {
        let every_frame = dir.join(format!("{minutes}.bin"));
        let reduced = dir.join(format!("{minutes}-reduced.bin"));
        let seconds = (minutes * 60).to_string();
        let mut demo = command(&program.to_string_lossy());
        output(demo.args(["demo", "--no-page", "--seconds", &seconds]).arg(&every_frame))?;
        output(command(&program.to_string_lossy()).arg("optimize").arg(&every_frame).arg(&reduced))?;
        recordings.push([every_frame, reduced]);
    }
    println!("{}", header());
    let mut failures = Vec::new();
    for (name, arguments) in COMMANDS.iter().filter(|(name, _)| filter.is_none_or(|filter| name.contains(filter))) {
        for (variant, description) in VARIANTS.into_iter().enumerate() {
            let inputs = recordings.iter().map(|pair| &pair[variant]);
            let usages: Vec<_> = inputs.map(|input| fastest(program, arguments, input, dir)).collect::<Result<_>>()?;
            println!("{}", row(name, description, &usages));
            failures.extend(usages.last().and_then(|usage| above_limit(name, description, *usage)));
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// Describes what the longest recording took if that is more than allowed.
fn above_limit(name: &str, variant: &str, usage: Usage) -> Option<String> {
    let (.., max_seconds, max_mb) = LIMITS.iter().find(|limit| (limit.0, limit.1) == (name, variant))?;
    let Usage { seconds, peak_mb } = usage;
    (seconds > *max_seconds || peak_mb > *max_mb).then(|| {
        format!("{name}, {variant}: {seconds:.2} s and {peak_mb:.0} MB; the limits are {max_seconds} s and {max_mb} MB")
    })
}

fn fastest(program: &Path, arguments: &str, input: &Path, dir: &Path) -> Result<Usage> {
    let mut usages = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        usages.push(measure(program, arguments, input, &dir.join("out"))?);
        remove_outputs(dir)?;
    }
    usages.into_iter().min_by(|a, b| a.seconds.total_cmp(&b.seconds)).ok_or_else(|| "no runs".to_owned())
}

fn measure(program: &Path, arguments: &str, input: &Path, out: &Path) -> Result<Usage> {
    let report = out.with_extension("usage");
    let mut time = command("time");
    time.args(["--quiet", "--format", "%M", "--output"]).arg(&report).arg(program);
    for word in arguments.split(' ') {
        time.arg(word.replace("IN", &input.to_string_lossy()).replace("OUT", &out.to_string_lossy()));
    }
    // GNU time rounds to hundredths of a second, too coarse for the growth of the fastest commands.
    let start = Instant::now();
    output_accepting(&mut time, &[0, LOSSY])?;
    let seconds = start.elapsed().as_secs_f64();
    let text = fs::read_to_string(&report).map_err(|error| format!("{}: {error}", report.display()))?;
    let kilobytes: f64 =
        text.trim().parse().map_err(|error| format!("unexpected output of GNU time: {text:?}: {error}"))?;
    Ok(Usage { seconds, peak_mb: kilobytes * 1024.0 / 1e6 })
}

/// Removes what a command wrote; recordings have names that start with their minutes.
fn remove_outputs(dir: &Path) -> Result {
    let failed = |error: std::io::Error| format!("{}: {error}", dir.display());
    for entry in fs::read_dir(dir).map_err(failed)? {
        let path: PathBuf = entry.map_err(failed)?.path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("out")) {
            fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}

fn header() -> String {
    let lengths: String = MINUTES.iter().map(|minutes| format!("{:>21}", format!("{minutes} min"))).collect();
    format!(
        "{:<9} {:<11}{lengths}    growth of time and memory, as exponents, from 10 to 60 min",
        "command", "recording"
    )
}

fn row(name: &str, recording: &str, usages: &[Usage]) -> String {
    let cells: String =
        usages.iter().map(|usage| format!("{:>10.3} s {:>6.0} MB", usage.seconds, usage.peak_mb)).collect();
    let growth = match usages {
        [.., ten, sixty] => {
            format!("{:.2} {:.2}", exponent(ten.seconds, sixty.seconds), exponent(ten.peak_mb, sixty.peak_mb))
        }
        _ => String::new(),
    };
    format!("{name:<9} {recording:<11}{cells}    {growth}")
}

/// The exponent of growth between recordings of the last two lengths: 1 is linear.
fn exponent(before: f64, after: f64) -> f64 {
    let factor = f64::from(MINUTES[2]) / f64::from(MINUTES[1]);
    (after / before).ln() / factor.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponent_of_linear_growth_is_one() {
        assert!((exponent(0.5, 3.0) - 1.0).abs() < 1e-12);
        assert!((exponent(0.5, 18.0) - 2.0).abs() < 1e-12);
        assert!(exponent(0.5, 0.5).abs() < 1e-12);
    }

    #[test]
    fn limits_are_of_measured_commands() {
        for (name, variant, ..) in LIMITS {
            assert!(
                COMMANDS.iter().any(|(known, _)| *known == name) && VARIANTS.contains(&variant),
                "{name} {variant}"
            );
        }
        let usage = |seconds, peak_mb| Usage { seconds, peak_mb };
        assert_eq!(above_limit("check", "every frame", usage(2.5, 700.0)), None);
        assert!(above_limit("check", "every frame", usage(2.6, 10.0)).is_some_and(|text| text.contains("2.60 s")));
        assert!(above_limit("Parquet", "reduced", usage(1e3, 501.0)).is_some());
        assert_eq!(above_limit("info", "reduced", usage(1e9, 1e9)), None);
    }
}
