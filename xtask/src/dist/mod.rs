//! `cargo xtask dist`: builds all that a release consists of into `target/dist`: archives, wheels, the npm package and
//! `.crate` files. Two runs give the same bytes.

mod archive;
mod bundle;
mod crates;
mod licences;
mod manifest;
mod npm;
mod platform;
mod programs;
mod stage;
mod trial;
mod wheel;
mod work;

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Instant;

use self::platform::Platform;
use self::work::{Source, Work};
use crate::Result;

const USAGE: &str = "usage: cargo xtask dist [--only linux,windows,wheels,npm,crates] [--release] [--verify] [--try]";

/// A part of a release.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Linux,
    Windows,
    Wheels,
    Npm,
    Crates,
}

impl Part {
    const ALL: [(&str, Self); 5] = [
        ("crates", Self::Crates),
        ("npm", Self::Npm),
        ("linux", Self::Linux),
        ("windows", Self::Windows),
        ("wheels", Self::Wheels),
    ];
}

#[derive(PartialEq, Eq, Debug)]
struct Options {
    /// The parts to build; the artifacts of other parts stay.
    parts: Vec<Part>,
    /// Refuse to build what must not be published.
    release: bool,
    /// Build everything again in other folders, and compare.
    verify: bool,
    /// Install and run the artifacts in roots without Rust, Node or a compiler.
    run_trials: bool,
}

/// Runs the task with its options.
pub fn run(args: &[&str]) -> Result {
    let options = parse(args)?;
    if !cfg!(target_os = "linux") {
        return Err("dist builds for all platforms on Linux; run it there".to_owned());
    }
    let work = Work::ordinary(Source::read()?);
    if options.release {
        work.source.check_release()?;
    }
    if !manifest::is_of(&work.out, &work.source) {
        remove_folder(&work.out)?;
    }
    build(&work, &options.parts)?;
    if options.verify {
        verify(&work, &options.parts)?;
    }
    if options.run_trials {
        trial::run(&work)?;
    }
    Ok(())
}

fn parse(args: &[&str]) -> Result<Options> {
    let all = Part::ALL.map(|(_, part)| part).to_vec();
    let mut options = Options { parts: all, release: false, verify: false, run_trials: false };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match *arg {
            "--release" => options.release = true,
            "--verify" => options.verify = true,
            "--try" => options.run_trials = true,
            "--only" => options.parts = parse_parts(args.next().ok_or(USAGE)?)?,
            _ => return Err(format!("unknown option {arg}; {USAGE}")),
        }
    }
    Ok(options)
}

fn parse_parts(names: &str) -> Result<Vec<Part>> {
    let part = |name: &str| Part::ALL.iter().find(|(known, _)| *known == name).map(|(_, part)| *part);
    names.split(',').map(|name| part(name).ok_or_else(|| format!("unknown part {name}; {USAGE}"))).collect()
}

/// Builds parts into the folder of the artifacts, and lists all artifacts there.
fn build(work: &Work, parts: &[Part]) -> Result {
    let start = Instant::now();
    fs::create_dir_all(&work.out).map_err(|error| format!("{}: {error}", work.out.display()))?;
    step("sources and page", || stage::prepare(work))?;
    if parts.contains(&Part::Crates) {
        let crates = step("crates: packaging", || crates::make(work))?;
        crates.iter().try_for_each(|artifact| save(work, artifact))?;
    }
    if parts.contains(&Part::Npm) {
        save(work, &step("npm package: building and packing", || npm::make(work))?)?;
    }
    build_programs(work, parts)?;
    let lines = manifest::write_lists(&work.out, &work.source)?;
    println!("{}", lines.join("\n"));
    println!("dist: {} artifacts in {}, {:.0} s", lines.len(), work.out.display(), start.elapsed().as_secs_f64());
    Ok(())
}

fn build_programs(work: &Work, parts: &[Part]) -> Result {
    let wheels = parts.contains(&Part::Wheels);
    if !wheels && !parts.contains(&Part::Linux) && !parts.contains(&Part::Windows) {
        return Ok(());
    }
    step("tools: zig, cargo-zigbuild, maturin", programs::install_tools)?;
    // Also for Windows alone: the command prints the completions and manual pages.
    let linux = step("Linux: building the command, the OpenXR layers and the Python module", || {
        programs::build(work, Platform::Linux)
    })?;
    let help = programs::write_help(work, &linux.command)?;
    for (platform, part) in platforms(parts) {
        let name = platform.name();
        let programs = match platform {
            Platform::Linux => &linux,
            Platform::Windows => {
                let what = format!("{name}: building the command, the OpenXR layers and the Python module");
                &step(&what, || programs::build(work, platform))?
            }
        };
        let licences = licences::third_party(work, platform)?;
        if parts.contains(&part) {
            let make = || bundle::make(work, platform, programs, &help, &licences);
            save(work, &step(&format!("{name}: packing the archive"), make)?)?;
        }
        if wheels {
            let make = || wheel::make(work, platform, programs, &licences);
            save(work, &step(&format!("{name}: packing the wheel"), make)?)?;
        }
    }
    Ok(())
}

/// The platforms to build for, with the parts that are their archives. Wheels are built for the platforms that are named
/// besides, or for all if none is.
fn platforms(parts: &[Part]) -> Vec<(Platform, Part)> {
    let all = [(Platform::Linux, Part::Linux), (Platform::Windows, Part::Windows)];
    let named: Vec<_> = all.into_iter().filter(|(_, part)| parts.contains(part)).collect();
    if named.is_empty() { all.to_vec() } else { named }
}

/// Builds in other folders from the start, and compares all artifacts.
fn verify(work: &Work, parts: &[Part]) -> Result {
    println!("dist: building again, to compare");
    remove_folder(&Work::second_folder())?;
    let second = Work::second(Source::read()?);
    build(&second, parts)?;
    let count = manifest::compare(&work.out, &second.out)?;
    println!("dist: {count} files have the same bytes in both runs");
    remove_folder(&Work::second_folder())
}

/// Prints what is done, and how long it took.
fn step<T>(what: &str, run: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("dist: {what}");
    let start = Instant::now();
    let result = run().map_err(|error| format!("{what}: {error}"))?;
    println!("dist: {what}: {:.0} s", start.elapsed().as_secs_f64());
    Ok(result)
}

fn save(work: &Work, (name, bytes): &(String, Vec<u8>)) -> Result {
    println!("dist: {name}: {:.1} MB", bytes.len() as f64 / 1e6);
    stage::write(&work.out.join(name), bytes)
}

fn remove_folder(folder: &Path) -> Result {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(format!("{}: {error}", folder.display())),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wheels_are_built_for_the_named_platforms_or_all() {
        let names = |parts: &[Part]| platforms(parts).iter().map(|(platform, _)| platform.name()).collect::<Vec<_>>();
        assert_eq!(names(&[Part::Wheels, Part::Linux]), ["Linux"]);
        assert_eq!(names(&[Part::Wheels]), ["Linux", "Windows"]);
    }

    #[test]
    fn options_select_parts() {
        let options = parse(&["--only", "npm,crates", "--verify"]).expect("known options");
        assert_eq!(options.parts, [Part::Npm, Part::Crates]);
        assert!(options.verify && !options.release && !options.run_trials);
        assert_eq!(parse(&[]).map(|options| options.parts.len()), Ok(5));
        for wrong in [&["--only"][..], &["--only", "mac"], &["all"]] {
            assert!(parse(wrong).is_err_and(|error| error.contains("usage:")), "{wrong:?}");
        }
    }
}
