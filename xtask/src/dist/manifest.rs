//! `SHA256SUMS` and `manifest.json`, which list the artifacts.

use std::fmt::Write;
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::archive::{read, sorted_names};
use super::stage::write;
use super::work::Source;
use crate::Result;

const SUMS: &str = "SHA256SUMS";
const MANIFEST: &str = "manifest.json";

/// Whether the artifacts of a folder were built from this state of the repository.
pub fn is_of(folder: &Path, source: &Source) -> bool {
    let manifest: Value = std::fs::read(folder.join(MANIFEST))
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .unwrap_or_default();
    // Modified files can have changed since.
    manifest["commit"] == source.commit.as_str() && manifest["modified"] == false && !source.is_modified
}

/// Writes both lists for all artifacts of a folder. Returns a line per artifact.
pub fn write_lists(folder: &Path, source: &Source) -> Result<Vec<String>> {
    let (mut sums, mut artifacts, mut lines) = (String::new(), Vec::new(), Vec::new());
    for name in sorted_names(folder)?.into_iter().filter(|name| name != SUMS && name != MANIFEST) {
        let bytes = read(&folder.join(&name))?;
        let sum = hex(&Sha256::digest(&bytes));
        sums += &format!("{sum}  {name}\n");
        artifacts.push(json!({"file": name, "kind": kind(&name), "size_bytes": bytes.len(), "sha256": sum}));
        lines.push(format!("{:>12} bytes  {}  {name}", bytes.len(), &sum[..12]));
    }
    let manifest = json!({
        "version": source.version,
        "commit": source.commit,
        "modified": source.is_modified,
        "source_date_epoch": source.time_secs,
        "artifacts": artifacts,
    });
    write(&folder.join(SUMS), sums.as_bytes())?;
    write(&folder.join(MANIFEST), format!("{manifest:#}\n").as_bytes())?;
    Ok(lines)
}

/// What an artifact is, by its name.
fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("crate") => "crate",
        Some("whl") => "wheel",
        Some("tgz") => "npm-package",
        _ => "archive",
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Compares the artifacts of two folders. The error names those that differ or are in only one of them.
pub fn compare(first: &Path, second: &Path) -> Result<usize> {
    let (names, others) = (sorted_names(first)?, sorted_names(second)?);
    let mut different: Vec<String> = Vec::new();
    different.extend(others.iter().filter(|name| !names.contains(name)).cloned());
    for name in &names {
        if !others.contains(name) || read(&first.join(name))? != read(&second.join(name))? {
            different.push(name.clone());
        }
    }
    if different.is_empty() { Ok(names.len()) } else { Err(format!("two runs differ in {}", different.join(", "))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str, files: &[(&str, &str)]) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("holotape-dist-{}-{name}", std::process::id()));
        for (file, content) in files {
            write(&folder.join(file), content.as_bytes()).expect("temporary folder");
        }
        folder
    }

    #[test]
    fn comparison_names_files_that_differ_or_are_missing() {
        let first = folder("first", &[("same", "1"), ("changed", "1"), ("missing", "1")]);
        let second = folder("second", &[("same", "1"), ("changed", "2"), ("new", "1")]);
        assert_eq!(compare(&first, &first), Ok(3));
        assert_eq!(compare(&first, &second), Err("two runs differ in new, changed, missing".to_owned()));
        for folder in [first, second] {
            std::fs::remove_dir_all(folder).expect("temporary folder");
        }
    }

    #[test]
    fn lists_name_each_artifact_with_size_and_sum() {
        let source = Source {
            version: "1.0.0".to_owned(),
            commit: "0123".to_owned(),
            is_modified: false,
            time_secs: 1,
            repository: None,
            homepage: None,
            documentation: None,
        };
        let out = folder("lists", &[("a.whl", "abc")]);
        write_lists(&out, &source).expect("temporary folder");
        // Twice: the lists are not artifacts.
        write_lists(&out, &source).expect("temporary folder");
        let sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let sums = std::fs::read_to_string(out.join(SUMS)).expect("the sums");
        assert_eq!(sums, format!("{sum}  a.whl\n"));
        let manifest: Value = serde_json::from_slice(&read(&out.join(MANIFEST)).expect("a manifest")).expect("JSON");
        assert_eq!(manifest["artifacts"], json!([{"file": "a.whl", "kind": "wheel", "size_bytes": 3, "sha256": sum}]));
        assert!(is_of(&out, &source));
        assert!(!is_of(&out, &Source { commit: "4567".to_owned(), ..source }));
        std::fs::remove_dir_all(out).expect("temporary folder");
    }
}
