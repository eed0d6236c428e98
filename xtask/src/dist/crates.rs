//! The `.crate` files of the crates that are published.

use std::fs;

use serde_json::Value;

use super::archive::{read, sorted_names};
use super::work::Work;
use crate::Result;
use crate::run::{cargo, output, run};

/// The names of the crates that are published.
pub fn published() -> Result<Vec<String>> {
    let metadata = output(cargo().args(["metadata", "--format-version", "1", "--no-deps", "--offline"]))?;
    let metadata: Value = serde_json::from_str(&metadata).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    // An empty list of registries is `publish = false`.
    let packages = packages.iter().filter(|package| package["publish"].is_null());
    Ok(packages.filter_map(|package| package["name"].as_str().map(str::to_owned)).collect())
}

/// Packages the crates. Returns the names of the files and their bytes.
pub fn make(work: &Work) -> Result<Vec<(String, Vec<u8>)>> {
    let folder = work.build.join("package");
    let _ = fs::remove_dir_all(&folder);
    let mut package = cargo();
    // `--try` builds the command from the files, without anything else.
    package.args(["package", "--quiet", "--locked", "--allow-dirty", "--no-verify"]);
    for name in published()? {
        package.args(["--package", &name]);
    }
    run(package.env("CARGO_TARGET_DIR", &work.build).current_dir(&work.stage))?;
    let names = sorted_names(&folder)?.into_iter().filter(|name| name.ends_with(".crate"));
    names.map(|name| read(&folder.join(&name)).map(|bytes| (name, bytes))).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Component, Path, PathBuf};

    use super::*;
    use crate::run::root;

    /// The files of a crate's package.
    fn listed(name: &str) -> BTreeSet<PathBuf> {
        let args = ["package", "--quiet", "--list", "--allow-dirty", "--offline", "--package", name];
        output(cargo().args(args)).expect("a package").lines().map(PathBuf::from).collect()
    }

    /// The paths in the macros and attributes of a source file that read other files, relative to the package. Examples in
    /// comments and paths that the build script provides are not included.
    fn referenced(file: &Path, source: &str) -> Vec<PathBuf> {
        let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
        let references = code.filter_map(|line| {
            let starts = ["include_str!(\"", "include_bytes!(\"", "include!(\"", "#[path = \""];
            let rest = starts.iter().find_map(|start| line.split_once(start)).map(|(_, rest)| rest)?;
            rest.split('"').next()
        });
        references.map(|path| resolve(&file.parent().unwrap_or(file).join(path))).collect()
    }

    /// Removes `..` with the folder before it. At the start of the path it stays.
    fn resolve(path: &Path) -> PathBuf {
        path.components().fold(PathBuf::new(), |mut resolved, component| {
            let is_inside = resolved.components().next_back().is_some_and(|last| last != Component::ParentDir);
            if component == Component::ParentDir && is_inside {
                resolved.pop();
            } else {
                resolved.push(component);
            }
            resolved
        })
    }

    #[test]
    fn references_are_resolved_from_their_file() {
        let source = "const A: &str = include_str!(\"../a.txt\");\n/// include_str!(\"b\")\n#[path = \"../../c.rs\"]\n";
        let expected = ["a.txt", "../c.rs"].map(PathBuf::from);
        assert_eq!(referenced(Path::new("src/lib.rs"), source), expected);
    }

    #[test]
    fn packaged_crates_need_no_file_outside_of_them() {
        let names = published().expect("metadata");
        assert!(names.iter().any(|name| name == "holotape-cli") && names.len() == 6, "{names:?}");
        for name in names {
            let files = listed(&name);
            assert!(files.contains(Path::new("Cargo.toml")), "{name}");
            for file in &files {
                assert!(!file.starts_with("tests"), "{name}: tests need the data of the repository, but has {file:?}");
                let source = fs::read_to_string(root().join("crates").join(&name).join(file)).unwrap_or_default();
                if file.extension().is_some_and(|extension| extension == "rs") {
                    for reference in referenced(file, &source) {
                        assert!(files.contains(&reference), "{name}: {file:?} needs {reference:?}");
                    }
                }
            }
        }
    }
}
