//! The folders of a run, and the state of the repository from which it builds.

use std::path::PathBuf;

use serde_json::Value;

use crate::Result;
use crate::run::{cargo, command, output, target};

/// The commit from which artifacts are built.
pub struct Source {
    /// The version in `Cargo.toml`.
    pub version: String,
    pub commit: String,
    /// Whether tracked files differ from the commit.
    pub is_modified: bool,
    /// The time of the commit, in seconds since 1970.
    pub time_secs: u64,
    /// Where the repository is published, if that is known.
    pub repository: Option<String>,
    pub homepage: Option<String>,
    /// The address of the documentation of the Python package.
    pub documentation: Option<String>,
}

impl Source {
    /// Reads the state of the repository.
    pub fn read() -> Result<Self> {
        let git = |args: &[&str]| output(command("git").args(args)).map(|printed| printed.trim().to_owned());
        let metadata = output(cargo().args(["metadata", "--format-version", "1", "--no-deps", "--offline"]))?;
        let metadata: Value = serde_json::from_str(&metadata).map_err(|error| format!("cargo metadata: {error}"))?;
        let packages = metadata["packages"].as_array().cloned().unwrap_or_default();
        let package = |name: &str| packages.iter().find(|package| package["name"] == name).unwrap_or(&Value::Null);
        let field = |name: &str| non_empty(&package("holotape")[name]);
        let time = git(&["log", "-1", "--format=%ct"])?;
        Ok(Self {
            version: field("version").ok_or("cargo metadata: the package holotape has no version")?,
            commit: git(&["rev-parse", "HEAD"])?,
            is_modified: !git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty(),
            time_secs: time.parse().map_err(|_| format!("git log: {time} is not a time"))?,
            repository: field("repository"),
            homepage: field("homepage"),
            documentation: non_empty(&package("holotape-python")["documentation"]),
        })
    }

    /// Returns an error that lists all that prevents a release.
    pub fn check_release(&self) -> Result {
        let mut missing = Vec::new();
        if self.is_modified {
            missing.push("tracked files differ from the commit; commit or restore them".to_owned());
        }
        let addresses =
            [("repository", &self.repository), ("homepage", &self.homepage), ("documentation", &self.documentation)];
        for (name, _) in addresses.iter().filter(|(_, address)| address.is_none()) {
            missing.push(format!(
                "the address of the {name} is missing; set `{name}` in [workspace.package] of Cargo.toml"
            ));
        }
        if missing.is_empty() { Ok(()) } else { Err(format!("cannot release:\n  {}", missing.join("\n  "))) }
    }
}

/// A text of the metadata. Addresses are empty until they exist.
fn non_empty(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The folders of one run.
pub struct Work {
    pub source: Source,
    /// A copy of the tracked files, in which everything is built.
    pub stage: PathBuf,
    /// Cargo's target folder.
    pub build: PathBuf,
    /// The folder of the artifacts.
    pub out: PathBuf,
}

impl Work {
    /// The folders of an ordinary run, which keep what they can for the next one.
    pub fn ordinary(source: Source) -> Self {
        let target = target();
        Self { source, stage: target.join("dist-stage"), build: target.join("dist-build"), out: target.join("dist") }
    }

    /// Other folders, which are removed before and after the run.
    pub fn second(source: Source) -> Self {
        let folder = Self::second_folder();
        Self { source, stage: folder.join("sources"), build: folder.join("b"), out: folder.join("artifacts") }
    }

    /// The folder of a second run.
    pub fn second_folder() -> PathBuf {
        target().join("dist-second-run")
    }

    /// The folder of the tools that a run installs.
    pub fn tools() -> PathBuf {
        target().join("dist-tools")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source() -> Source {
        Source {
            version: "1.0.0".to_owned(),
            commit: "0123".to_owned(),
            is_modified: false,
            time_secs: 0,
            repository: Some("https://example.org/repository".to_owned()),
            homepage: Some("https://example.org".to_owned()),
            documentation: Some("https://example.org/python".to_owned()),
        }
    }

    #[test]
    fn empty_address_is_missing() {
        assert_eq!(non_empty(&Value::from("")), None);
        assert_eq!(non_empty(&Value::Null), None);
        assert_eq!(non_empty(&Value::from("https://a.example")), Some("https://a.example".to_owned()));
    }

    #[test]
    fn release_requires_addresses_and_a_commit() {
        assert_eq!(source().check_release(), Ok(()));
        let incomplete =
            Source { is_modified: true, repository: None, homepage: None, documentation: None, ..source() };
        let error = incomplete.check_release().expect_err("nothing is set");
        for part in ["differ from the commit", "`repository`", "`homepage`", "`documentation`"] {
            assert!(error.contains(part), "{error}");
        }
    }
}
