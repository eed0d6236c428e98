//! The test programs that cargo has built, and their results.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Stdio;

use super::wine::Wine;
use crate::Result;
use crate::run::output;

/// A program with tests.
pub struct TestProgram {
    /// The package and the program: `holotape-cli/record`.
    pub name: String,
    executable: PathBuf,
    package_dir: PathBuf,
}

impl TestProgram {
    /// Reads one of cargo's messages; `None` if it is not about a test program.
    pub fn from_message(message: &str) -> Option<Self> {
        if !message.contains(r#""test":true}"#) {
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
    pub fn run(&self, wine: &Wine, excluded: &[&str]) -> Result<u32> {
        println!("\n-- {}", self.name);
        let mut command = wine.command(&self.executable);
        command.current_dir(&self.package_dir).arg("--exact").stdout(Stdio::piped());
        excluded.iter().for_each(|test| _ = command.args(["--skip", test]));
        let failed = |error: std::io::Error| format!("{}: {error}", self.name);
        let mut child = command.spawn().map_err(failed)?;
        let mut passed = None;
        for line in child.stdout.take().into_iter().flat_map(|stdout| BufReader::new(stdout).lines()) {
            let line = line.map_err(failed)?;
            println!("{line}");
            passed = passed_count(&line).or(passed);
        }
        let status = child.wait().map_err(failed)?;
        if !status.success() {
            return Err(format!("{}: failed ({status})", self.name));
        }
        passed.ok_or_else(|| format!("{}: no result", self.name))
    }
}

/// The number of passed tests, of the last line of a successful test program.
fn passed_count(line: &str) -> Option<u32> {
    line.strip_prefix("test result: ok. ")?.split_once(" passed")?.0.parse().ok()
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
                r#"{{"reason":"compiler-artifact","manifest_path":"/src/crates/holotape-cli/Cargo.toml","profile":{{"test":{test}}},"executable":"/src/target/debug/deps/record_ws-0a1b.exe"}}"#
            )
        };
        let program = TestProgram::from_message(&message(true)).expect("a test program");
        assert_eq!(program.name, "holotape-cli/record_ws");
        assert_eq!(program.package_dir, PathBuf::from("/src/crates/holotape-cli"));
        assert!(TestProgram::from_message(&message(false)).is_none());
    }

    #[test]
    fn passed_count_is_read_only_from_successful_results() {
        assert_eq!(passed_count("test result: ok. 12 passed; 0 failed; 0 ignored"), Some(12));
        assert_eq!(passed_count("test result: FAILED. 11 passed; 1 failed"), None);
        assert_eq!(passed_count("test one ... ok"), None);
    }
}
