//! The licences of everything that the programs of a platform contain: crates, and the npm packages of the page.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::archive::sorted_names;
use super::platform::Platform;
use super::programs::PACKAGES;
use super::work::Work;
use crate::Result;
use crate::run::{cargo, output, root};

/// Folders of a crate that are not compiled into a program.
const UNUSED_FOLDERS: [&str; 6] = ["benches", "devtools", "examples", "fuzz", "testdata", "tests"];

const RULE: &str = "================================================================================";

/// A package of other authors.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Dependency {
    name: String,
    version: String,
    licence: String,
    authors: String,
    folder: PathBuf,
}

impl Dependency {
    /// The name with the version, if it has one.
    fn label(&self) -> String {
        format!("{} {}", self.name, self.version).trim_end().to_owned()
    }
}

/// The texts of all licences, each with the packages that use it.
pub fn third_party(work: &Work, platform: Platform) -> Result<String> {
    let mut dependencies = crates(work, platform)?;
    dependencies.extend(npm_packages(&work.stage.join("web"))?);
    dependencies.push(standard_library());
    if platform == Platform::Windows {
        dependencies.extend(c_runtime());
    }
    dependencies.sort();
    dependencies.dedup();
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for dependency in &dependencies {
        for text in licence_texts(dependency)? {
            texts.entry(text).or_default().insert(dependency.label());
        }
    }
    Ok(render(&dependencies, &texts))
}

fn render(dependencies: &[Dependency], texts: &BTreeMap<String, BTreeSet<String>>) -> String {
    let mut out = "holotape contains these packages, under the licences that follow:\n\n".to_owned();
    for dependency in dependencies {
        out += &format!("{}: {}\n", dependency.label(), dependency.licence);
    }
    let mut texts: Vec<_> = texts.iter().map(|(text, users)| (users, text)).collect();
    texts.sort();
    for (users, text) in texts {
        let users: Vec<&str> = users.iter().map(String::as_str).collect();
        out += &format!("\n{RULE}\n{}\n{RULE}\n\n{text}\n", users.join("\n"));
    }
    out
}

/// The crates of the programs, without those that are only used to build them.
fn crates(work: &Work, platform: Platform) -> Result<Vec<Dependency>> {
    let packages = PACKAGES.iter().flat_map(|package| ["--package", package]);
    let edges = ["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"];
    let mut tree = cargo();
    tree.args(["tree", "--locked", "--target", platform.triple()]).args(edges).args(packages);
    let tree = output(tree.current_dir(&work.stage))?;
    let used: BTreeSet<(&str, &str)> = tree.lines().filter_map(name_and_version).collect();
    let metadata = cargo().args(["metadata", "--format-version", "1", "--locked"]).current_dir(&work.stage).output();
    let metadata = metadata.map_err(|error| format!("cargo metadata: {error}"))?.stdout;
    let metadata: Value = serde_json::from_slice(&metadata).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    // Packages without a source are our own.
    let others = packages.iter().filter(|package| !package["source"].is_null());
    let others = others.filter(|package| {
        used.contains(&(package["name"].as_str().unwrap_or_default(), package["version"].as_str().unwrap_or_default()))
    });
    others.map(dependency_of_crate).collect()
}

/// Name and version in a line of `cargo tree`: `name v1.2.3 (…)`.
fn name_and_version(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split(' ');
    Some((words.next()?, words.next()?.strip_prefix('v')?))
}

fn dependency_of_crate(package: &Value) -> Result<Dependency> {
    let field = |name: &str| package[name].as_str().unwrap_or_default().to_owned();
    let manifest = PathBuf::from(field("manifest_path"));
    let authors = package["authors"].as_array().map(Vec::as_slice).unwrap_or_default();
    let authors: Vec<&str> = authors.iter().filter_map(Value::as_str).collect();
    Ok(Dependency {
        name: field("name"),
        version: field("version"),
        licence: if package["license"].is_null() { field("license_file") } else { field("license") },
        authors: authors.join(", "),
        folder: manifest.parent().ok_or_else(|| format!("{} has no folder", manifest.display()))?.to_owned(),
    })
}

/// The npm packages of the page: the dependencies of `package.json` and theirs, except Vite, which builds the page.
fn npm_packages(web: &Path) -> Result<Vec<Dependency>> {
    let lock = web.join("package-lock.json");
    let text = fs::read_to_string(&lock).map_err(|error| format!("{}: {error}", lock.display()))?;
    let lock: Value = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", lock.display()))?;
    let names = |package: &Value| -> Vec<String> {
        package["dependencies"].as_object().map(|object| object.keys().cloned().collect()).unwrap_or_default()
    };
    let mut open: Vec<String> = names(&lock["packages"][""]).into_iter().filter(|name| name != "vite").collect();
    let mut packages: Vec<Dependency> = Vec::new();
    while let Some(name) = open.pop() {
        if packages.iter().any(|package| package.name == name) {
            continue;
        }
        let entry = &lock["packages"][format!("node_modules/{name}")];
        open.extend(names(entry));
        packages.push(Dependency {
            version: entry["version"].as_str().unwrap_or_default().to_owned(),
            licence: entry["license"].as_str().unwrap_or_default().to_owned(),
            authors: String::new(),
            folder: web.join("node_modules").join(&name),
            name,
        });
    }
    Ok(packages)
}

fn standard_library() -> Dependency {
    Dependency {
        name: "Rust standard library".to_owned(),
        version: String::new(),
        licence: "MIT OR Apache-2.0".to_owned(),
        authors: "The Rust Project Contributors".to_owned(),
        folder: PathBuf::new(),
    }
}

/// What MinGW's linker adds to programs for Windows.
fn c_runtime() -> [Dependency; 2] {
    [
        ("MinGW-w64 runtime", "ZPL-2.1", "mingw-w64-x86-64-dev"),
        ("libgcc", "GPL-3.0-or-later WITH GCC-exception-3.1", "gcc-mingw-w64-x86-64-win32-runtime"),
    ]
    .map(|(name, licence, package)| Dependency {
        name: name.to_owned(),
        version: String::new(),
        licence: licence.to_owned(),
        authors: String::new(),
        folder: Path::new("/usr/share/doc").join(package),
    })
}

/// The licence files of a package, or the standard text of its licence if it has none.
fn licence_texts(dependency: &Dependency) -> Result<Vec<String>> {
    let mut files = Vec::new();
    if dependency.folder.is_dir() {
        collect_licence_files(&dependency.folder, &mut files)?;
    }
    let in_root = files.iter().any(|file| file.parent() == Some(dependency.folder.as_path()));
    let mut texts = Vec::new();
    for file in files {
        let bytes = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        texts.push(normalize(&String::from_utf8_lossy(&bytes)));
    }
    if !in_root {
        texts.push(standard_text(dependency)?);
    }
    Ok(texts)
}

fn collect_licence_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result {
    for name in sorted_names(folder)? {
        let path = folder.join(&name);
        if path.is_dir() {
            if !UNUSED_FOLDERS.contains(&name.as_str()) && !name.starts_with('.') {
                collect_licence_files(&path, files)?;
            }
        } else if is_licence_file(&name) {
            files.push(path);
        }
    }
    Ok(())
}

fn is_licence_file(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let starts = ["license", "licence", "copying", "copyright", "notice", "unlicense", "ofl"];
    let code = [".py", ".rs", ".js", ".c", ".h", ".toml", ".json", ".html", ".sh"];
    starts.iter().any(|start| name.starts_with(start)) && !code.iter().any(|end| name.ends_with(end))
}

/// Line ends, spaces at the ends of lines, and empty lines around the text differ between copies of one licence.
fn normalize(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

/// The text of holotape's own licence, with the authors of the package.
fn standard_text(dependency: &Dependency) -> Result<String> {
    let read = |name: &str| fs::read_to_string(root().join(name)).map_err(|error| format!("{name}: {error}"));
    if dependency.licence.contains("Apache-2.0") {
        return read("LICENSE-APACHE").map(|text| normalize(&text));
    }
    if !dependency.licence.contains("MIT") {
        let (label, licence) = (dependency.label(), &dependency.licence);
        return Err(format!("{label} has no licence file, and no standard text is known for `{licence}`"));
    }
    let text = normalize(&read("LICENSE-MIT")?);
    let authors = if dependency.authors.is_empty() { &dependency.name } else { &dependency.authors };
    let lines = text.lines().map(|line| match line.starts_with("Copyright") {
        true => format!("Copyright (c) {authors}"),
        false => line.to_owned(),
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dependency(name: &str, licence: &str) -> Dependency {
        let text = |text: &str| text.to_owned();
        Dependency {
            name: text(name),
            version: text("1.0"),
            licence: text(licence),
            authors: text("A. Author"),
            folder: PathBuf::new(),
        }
    }

    #[test]
    fn package_without_licence_file_gets_the_standard_text() {
        let texts = licence_texts(&dependency("a", "MIT")).expect("a known licence");
        assert!(texts[0].contains("Copyright (c) A. Author") && texts[0].contains("WITHOUT WARRANTY OF ANY KIND"));
        let texts = licence_texts(&dependency("b", "MIT OR Apache-2.0")).expect("a known licence");
        assert!(texts[0].contains("Apache License"));
        let error = licence_texts(&dependency("c", "BSD-3-Clause")).expect_err("an unknown text");
        assert!(error.contains("c 1.0") && error.contains("BSD-3-Clause"), "{error}");
    }

    #[test]
    fn licence_files_are_recognized_by_name() {
        for name in ["LICENSE", "license-mit", "COPYING", "LICENSE.txt", "LICENSE_OFL.txt", "NOTICE.md", "UNLICENSE"] {
            assert!(is_licence_file(name), "{name}");
        }
        for name in ["licenseupdater.py", "README.md", "license.rs", "copy.txt"] {
            assert!(!is_licence_file(name), "{name}");
        }
    }

    #[test]
    fn equal_texts_are_listed_once_with_all_packages() {
        let list = [dependency("a", "MIT"), dependency("b", "MIT")];
        let users = ["a 1.0", "b 1.0"].map(str::to_owned);
        let texts = BTreeMap::from([(normalize("\r\nText  \r\n\n"), BTreeSet::from(users))]);
        let rendered = render(&list, &texts);
        assert!(rendered.contains("a 1.0: MIT\nb 1.0: MIT\n"), "{rendered}");
        assert!(rendered.ends_with(&format!("\n{RULE}\na 1.0\nb 1.0\n{RULE}\n\nText\n")), "{rendered}");
    }

    #[test]
    fn packages_of_the_page_are_those_that_its_bundle_names() {
        let packages = npm_packages(&root().join("web")).expect("a lock file");
        let config = fs::read_to_string(root().join("web/vite.config.ts")).expect("the page's build");
        let bundled = config.lines().find(|line| line.starts_with("const BUNDLED")).expect("the list of packages");
        let names: BTreeSet<&str> = bundled.split('"').skip(1).step_by(2).collect();
        assert_eq!(packages.iter().map(|package| package.name.as_str()).collect::<BTreeSet<_>>(), names);
    }
}
