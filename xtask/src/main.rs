//! Development tasks: `cargo xtask demo`, `cargo xtask test`, `cargo xtask bench`, `cargo xtask corpus`, `cargo xtask fuzz`,
//! `cargo xtask dist`.

mod bench;
mod corpus;
mod demo;
mod disk;
#[cfg(feature = "dist")]
mod dist;
mod fuzz;
mod interop_tests;
mod length;
mod live;
mod python;
mod release;
mod run;
mod sources;
mod test;
mod tools;
mod web;
mod webxr;
mod windows;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask TASK

  demo [ARGS]               Install the build tools, build holotape and run `holotape demo`
  test                      Run all checks: format, lints, tests, docs, fuzz targets, and tests with other programs
                            (Blender, Chromium, Python …)
  test --quick              Run only format, lints and the tests of the core library
  test rust                 Run only the Rust tests that need no other program
  test web                  Test only the viewer's page
  test webxr                Test only the npm package holotape-webxr
  test python               Test only the Python package
  test windows              Run the tests for Windows under Wine
  generate                  Write web/src/generated from the Rust types
  bench [FILTER]            Run the benchmarks; print times relative to a memory copy in the same run
  bench length [COMMAND]    Measure time and memory of the commands for recordings of 1, 10 and 60 min (Linux)
  bench viewer              Measure the viewer's page with a recording of 10 min
  bench live [SECONDS]      Measure CPU usage and lost frames while recording two headsets at once (default 300 s)
  bench server [SECONDS]    Measure the viewer's server with 200 watchers (default 300 s), and with 700 clients that do not read
  bench openxr              Measure the time that the OpenXR layers add to a frame of an application
  bench python              Compare the Python package with a reader in pure Python
  bench exports             Compare exports with pyarrow, mcap and pygltflib
  bench corpus              Build a dataset and a LeRobot dataset of 2,000 recordings, and compare queries over both sources
  corpus DIR [COUNT]        Generate COUNT demo recordings (default 2000) of about 10 s in the folders p01 to p20 of DIR
  dist [OPTIONS]            Build all that a release consists of into target/dist: archives, wheels, npm package and crates
         --only PARTS       Build only these parts: linux, windows, wheels, npm, crates, separated by commas
         --release          Refuse if the addresses of the project are missing or files differ from the commit
         --verify           Build everything again in other folders, and compare the bytes
         --try              Install and run the artifacts in Debian roots without Rust, Node or a compiler (as root)
  fuzz [SECONDS] [TARGET]   Run each fuzz target for SECONDS (default 60), starting from fuzz/corpus
  fuzz minimize [TARGET]    Replace fuzz/corpus by the smallest inputs with the same coverage, including new inputs
  fuzz seed                 Write inputs to start from, for `fuzz minimize`, after a format has changed
  release-notes VERSION     Print the changes of a version from CHANGELOG.md
  release-addresses         Print the addresses of repository, homepage and documentation; fail if one is not set
";

/// The error is a message for the terminal.
type Result<T = ()> = std::result::Result<T, String>;

/// Builds xtask with the dependencies of `dist`, and runs it.
#[cfg(not(feature = "dist"))]
mod dist {
    use crate::Result;
    use crate::run::{self, cargo};

    pub fn run(args: &[&str]) -> Result {
        let xtask = ["run", "--quiet", "--package", "xtask", "--features", "dist", "--", "dist"];
        run::run(cargo().args(xtask).args(args))
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args[..] {
        ["demo", ref rest @ ..] => demo::run_demo(rest),
        ["test"] => test::run(),
        ["test", "--quick"] => test::run_quick(),
        ["test", "rust"] => test::run_rust(),
        ["test", "web"] => test::run_web(),
        ["test", "webxr"] => test::run_webxr(),
        ["test", "python"] => test::run_python(),
        ["test", "windows"] => test::run_windows(),
        ["generate"] => web::generate(),
        ["bench"] => bench::run(None),
        ["bench", "length"] => length::bench(None),
        ["bench", "length", name] => length::bench(Some(name)),
        ["bench", "viewer"] => web::bench(),
        ["bench", "live"] => live::bench("300"),
        ["bench", "live", seconds] => live::bench(seconds),
        ["bench", "server"] => live::bench_server("300"),
        ["bench", "server", seconds] => live::bench_server(seconds),
        ["bench", "openxr"] => bench::run_openxr(),
        ["bench", "python"] => python::bench(),
        ["bench", "exports"] => python::bench_exports(),
        ["bench", "corpus"] => python::bench_corpus(),
        ["bench", filter] => bench::run(Some(filter)),
        ["corpus", folder] => corpus::generate(folder, "2000"),
        ["corpus", folder, count] => corpus::generate(folder, count),
        ["dist", ref rest @ ..] => dist::run(rest),
        ["fuzz", ref rest @ ..] => fuzz::run(rest),
        ["release-notes", version] => release::print_notes(version),
        ["release-addresses"] => release::print_addresses(),
        [] | ["help" | "-h" | "--help"] => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
