//! Development tasks: `cargo xtask demo`, `cargo xtask test`, `cargo xtask bench`, `cargo xtask corpus`, `cargo xtask fuzz`.

mod bench;
mod consumers;
mod corpus;
mod demo;
mod fuzz;
mod live;
mod python;
mod run;
mod test;
mod tools;
mod web;
mod webxr;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask TASK

  demo [ARGS]               build the tool, with what that takes, and run `holotape demo`: a recording and a page that plays it
  test [--quick]            everything that must hold: format, lints, tests, docs, fuzz targets, and what other people's
                            programs say about our files (Blender, Chromium, Python …), which --quick leaves out
  test web                  the viewer's page alone
  test webxr                the npm package holotape-webxr alone
  test python               the Python package alone
  bench [FILTER]            benchmarks, as ratios to a plain memory copy in the same run
  bench viewer              how fast the viewer's page is with ten minutes of recording
  bench live [SECONDS]      what it takes the viewer to record two headsets at once (300): its share of one core, frames lost
  bench python              the Python package beside a plain reader in Python
  bench corpus              a query over two thousand takes where they are, beside the same over a dataset built of them
  corpus DIR [COUNT]        so many takes (2000) of some ten seconds in folders p01 to p20 of DIR, to try datasets on
  fuzz [SECONDS] [TARGET]   run the fuzz targets for so long each (60), starting from the test data
";

/// What a task could not do, in words.
type Result<T = ()> = std::result::Result<T, String>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args[..] {
        ["demo", ref rest @ ..] => demo::run_demo(rest),
        ["test"] => test::run(false),
        ["test", "--quick"] => test::run(true),
        ["test", "web"] => test::run_web(),
        ["test", "webxr"] => test::run_webxr(),
        ["test", "python"] => test::run_python(),
        ["bench"] => bench::run(None),
        ["bench", "viewer"] => web::bench(),
        ["bench", "live"] => live::bench("300"),
        ["bench", "live", seconds] => live::bench(seconds),
        ["bench", "python"] => python::bench(),
        ["bench", "corpus"] => python::bench_corpus(),
        ["bench", filter] => bench::run(Some(filter)),
        ["corpus", folder] => corpus::make(folder, "2000"),
        ["corpus", folder, count] => corpus::make(folder, count),
        ["fuzz", ref rest @ ..] => fuzz::run(rest),
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
