//! The test programs that cargo has built, and their results.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Stdio;

use super::wine::Wine;
use crate::Result;
use crate::run::output;

/// The limit of one test program, ten times what the longest takes. A process that hangs in Wine would otherwise never end.
const MAX_MINUTES: u32 = 20;

/// The exit codes of `timeout` if the time is over: the program ended, or had to be killed.
const TIMED_OUT: [i32; 2] = [124, 137];

/// `ERROR_INTERNAL_ERROR`, Wine's answer if a new process ends before its first instruction. It is rare, and Windows does not have it.
const PROCESS_NOT_STARTED: u32 = 1359;

/// A program with tests.
pub struct TestProgram {
    /// The package and the program: `holotape-cli/integration`.
    pub name: String,
    executable: PathBuf,
    package_dir: PathBuf,
}

impl TestProgram {
    /// Reads one of cargo's messages; `None` if it is not about a test program.
    pub fn from_message(message: &str) -> Option<Self> {
        // The target has a field `test` as well.
        let (_, profile) = message.split_once(r#""profile":{"#)?;
        if !profile.split('}').next()?.contains(r#""test":true"#) {
            return None;
        }
        let executable = PathBuf::from(string_field(message, "executable")?);
        let package_dir = PathBuf::from(string_field(message, "manifest_path")?).parent()?.to_owned();
        let stem = executable.file_stem()?.to_str()?;
        let program = stem.rsplit_once('-').map_or(stem, |(program, _hash)| program);
        let name = format!("{}/{program}", package_dir.file_name()?.to_str()?);
        Some(Self { name, executable, package_dir })
    }

    /// The names of the tests.
    pub fn tests(&self, wine: &Wine) -> Result<Vec<String>> {
        let list = output(wine.command(&self.executable).current_dir(&self.package_dir).arg("--list"))?;
        Ok(list.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
    }

    /// Runs the tests except for some. Returns the number that passed.
    ///
    /// If Wine could not start the program, or if tests failed only because it could not start a process, they are run once more.
    pub fn run(&self, wine: &Wine, excluded: &[&str]) -> Result<u32> {
        println!("\n-- {}", self.name);
        let skipped: Vec<_> = excluded.iter().flat_map(|test| ["--skip", test]).collect();
        let mut first = self.run_with(wine, &skipped)?;
        if !first.has_started() {
            println!("Wine could not start this program; trying again");
            first = self.run_with(wine, &skipped)?;
        }
        if first.is_success {
            return self.passed_count(&first);
        }
        let failed = first.failed_tests();
        if failed.is_empty() || !failed.iter().all(|test| first.could_not_start_a_process(test)) {
            return Err(format!("{}: failed", self.name));
        }
        println!(
            "Wine could not start a process, and its error {PROCESS_NOT_STARTED} says no more; running these tests again"
        );
        let second = self.run_with(wine, &failed)?;
        if !second.is_success {
            return Err(format!("{}: failed twice", self.name));
        }
        Ok(self.passed_count(&first)? + self.passed_count(&second)?)
    }

    fn passed_count(&self, output: &TestOutput) -> Result<u32> {
        output.lines.iter().rev().find_map(|line| passed_count(line)).ok_or_else(|| format!("{}: no result", self.name))
    }

    /// Runs the tests with arguments for the test program, and prints the lines as they come.
    fn run_with(&self, wine: &Wine, args: &[&str]) -> Result<TestOutput> {
        let mut command = wine.command_with_timeout(&self.executable, MAX_MINUTES);
        command.current_dir(&self.package_dir).arg("--exact").args(args).stdout(Stdio::piped());
        let failed = |error: std::io::Error| format!("{}: {error}", self.name);
        let mut child = command.spawn().map_err(failed)?;
        let mut lines = Vec::new();
        for line in child.stdout.take().into_iter().flat_map(|stdout| BufReader::new(stdout).lines()) {
            lines.push(line.map_err(failed)?);
            println!("{}", lines[lines.len() - 1]);
        }
        let status = child.wait().map_err(failed)?;
        if status.code().is_some_and(|code| TIMED_OUT.contains(&code)) {
            return Err(format!("{}: did not end within {MAX_MINUTES} minutes", self.name));
        }
        Ok(TestOutput { lines, is_success: status.success() })
    }
}

/// What a test program has printed.
struct TestOutput {
    lines: Vec<String>,
    is_success: bool,
}

impl TestOutput {
    /// Whether the program ran: before all tests, it prints their number. Now and then, Wine's server closes the connection of a new
    /// process ("recvmsg: Connection reset by peer").
    fn has_started(&self) -> bool {
        self.lines.iter().any(|line| line.starts_with("running "))
    }

    fn failed_tests(&self) -> Vec<&str> {
        self.lines.iter().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED")).collect()
    }

    /// Whether the message of a failed test has Wine's error for a process that ended before it started.
    fn could_not_start_a_process(&self, test: &str) -> bool {
        let title = format!("---- {test} stdout ----");
        let message = self.lines.iter().skip_while(|line| **line != title).skip(1);
        let mut message = message.take_while(|line| !line.starts_with("---- ") && *line != "failures:");
        let code = format!("code: {PROCESS_NOT_STARTED},");
        message.any(|line| line.contains(&code))
    }
}

/// The number of passed tests, of the last line of a test program.
fn passed_count(line: &str) -> Option<u32> {
    line.strip_prefix("test result: ")?.split_once(". ")?.1.split_once(" passed")?.0.parse().ok()
}

/// A field of a JSON object whose value is a string without escape sequences.
fn string_field<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    let (_, value) = object.split_once(&format!(r#""{name}":""#))?;
    Some(value.split_once('"')?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_programs_are_found_in_messages_of_cargo() {
        let message = |test| {
            format!(
                r#"{{"reason":"compiler-artifact","manifest_path":"/src/crates/holotape-cli/Cargo.toml","target":{{"test":true}},"profile":{{"test":{test}}},"executable":"/src/target/debug/deps/record_ws-0a1b.exe"}}"#
            )
        };
        let program = TestProgram::from_message(&message(true)).expect("a test program");
        assert_eq!(program.name, "holotape-cli/record_ws");
        assert_eq!(program.package_dir, PathBuf::from("/src/crates/holotape-cli"));
        assert!(TestProgram::from_message(&message(false)).is_none());
    }

    fn test_output(text: &str) -> TestOutput {
        TestOutput { lines: text.lines().map(str::to_owned).collect(), is_success: false }
    }

    #[test]
    fn passed_count_is_read_from_results() {
        assert_eq!(passed_count("test result: ok. 12 passed; 0 failed; 0 ignored"), Some(12));
        assert_eq!(passed_count("test result: FAILED. 11 passed; 1 failed"), Some(11));
        assert_eq!(passed_count("test one ... ok"), None);
    }

    #[test]
    fn program_that_wine_did_not_start_is_detected() {
        assert!(!test_output("").has_started());
        assert!(test_output("\nrunning 2 tests\ntest one ... FAILED\n").has_started());
    }

    #[test]
    fn failures_of_wine_are_distinguished_from_others() {
        let output = test_output(
            "test one ... ok\ntest a::two ... FAILED\ntest three ... FAILED\n\nfailures:\n\n---- a::two stdout ----\n\
             starts: Os { code: 1359, kind: Uncategorized }\n\n---- three stdout ----\nassertion failed\n\nfailures:\n    a::two\n",
        );
        assert_eq!(output.failed_tests(), ["a::two", "three"]);
        assert!(output.could_not_start_a_process("a::two"));
        assert!(!output.could_not_start_a_process("three"));
    }
}
