//! Python wheels: the extension module, the Python sources, the command, and the library with the OpenXR layers.
//!
//! maturin provides the metadata. The wheel is put together here, because it has the command besides, and because cargo
//! has built everything in one call.

use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::archive::{Archive, read, sorted_names};
use super::platform::Platform;
use super::programs::{Programs, tools_python};
use super::work::{Source, Work};
use crate::Result;
use crate::run::{command, run};

/// The oldest Python whose stable interface the extension module uses, as in `Cargo.toml`.
const PYTHON_TAG: &str = "cp39-abi3";

/// Makes the wheel of a platform. Returns its file name and its bytes.
pub fn make(work: &Work, platform: Platform, programs: &Programs, licences: &str) -> Result<(String, Vec<u8>)> {
    let name = format!("holotape-{}", work.source.version);
    let info = format!("{name}.dist-info");
    let package = work.stage.join("crates/holotape-python");
    let mut wheel = Archive::new(work.source.time_secs);
    add_sources(&mut wheel, "holotape", &package.join("python/holotape"))?;
    wheel.add_executable(&format!("holotape/{}", platform.module()), read(&programs.extension)?)?;
    // The command finds the library in `../lib/holotape`, and so does the module `holotape.openxr`.
    let layers = format!("{name}.data/data/lib/holotape/{}", platform.layers());
    wheel.add_executable(&layers, read(&programs.layers)?)?;
    wheel.add_executable(&format!("{name}.data/scripts/{}", platform.command()), read(&programs.command)?)?;
    for (file, bytes) in metadata(work, &package, &info)? {
        wheel.add(&format!("{info}/{file}"), bytes)?;
    }
    for file in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let path = format!("{info}/licenses/{file}");
        wheel.add(&path, read(&work.stage.join(file))?)?;
    }
    wheel.add(&format!("{info}/licenses/THIRD-PARTY-LICENSES"), licences)?;
    wheel.add(&format!("{info}/WHEEL"), wheel_file(work, platform))?;
    let record = record(&wheel, &format!("{info}/RECORD"));
    wheel.add(&format!("{info}/RECORD"), record)?;
    Ok((format!("{name}-{PYTHON_TAG}-{}.whl", platform.wheel_tags().join(".")), wheel.zip()?))
}

fn add_sources(wheel: &mut Archive, path: &str, folder: &Path) -> Result {
    for name in sorted_names(folder)? {
        let is_source = [".py", ".pyi", ".typed"].iter().any(|end| name.ends_with(end));
        if folder.join(&name).is_dir() && name != "__pycache__" {
            add_sources(wheel, &format!("{path}/{name}"), &folder.join(&name))?;
        } else if is_source {
            wheel.add(&format!("{path}/{name}"), read(&folder.join(&name))?)?;
        }
    }
    Ok(())
}

/// The files of the metadata that do not depend on the platform.
fn metadata(work: &Work, package: &Path, info: &str) -> Result<Vec<(String, Vec<u8>)>> {
    let out = work.build.join("wheel-metadata");
    let _ = fs::remove_dir_all(&out);
    fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let python = tools_python();
    let mut maturin = command(&python.to_string_lossy());
    maturin.args(["-m", "maturin", "pep517", "write-dist-info", "--metadata-directory"]).arg(&out);
    maturin.arg("--interpreter").arg(&python).stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    run(maturin.current_dir(package))?;
    let folder = out.join(info);
    let files = sorted_names(&folder)?.into_iter().filter(|name| name != "WHEEL" && folder.join(name).is_file());
    let mut files =
        files.map(|name| read(&folder.join(&name)).map(|bytes| (name, bytes))).collect::<Result<Vec<_>>>()?;
    let (_, bytes) = files.iter_mut().find(|(name, _)| name == "METADATA").ok_or("maturin wrote no METADATA")?;
    let text = std::str::from_utf8(bytes).map_err(|error| format!("METADATA: {error}"))?;
    *bytes = with_addresses(text, &work.source).into_bytes();
    Ok(files)
}

/// Sets the addresses of the project. maturin takes only some from `Cargo.toml`, and writes them also if they are empty.
fn with_addresses(metadata: &str, source: &Source) -> String {
    let addresses =
        [("Homepage", &source.homepage), ("Source", &source.repository), ("Documentation", &source.documentation)];
    let addresses = addresses.into_iter().filter_map(|(label, address)| Some((label, address.as_ref()?)));
    let added: String = addresses.map(|(label, address)| format!("Project-URL: {label}, {address}\n")).collect();
    // An empty line ends the fields; the description follows.
    let (fields, description) = metadata.split_once("\n\n").unwrap_or((metadata, ""));
    let is_address = |line: &&str| ["Home-Page:", "Project-URL:"].iter().any(|field| line.starts_with(field));
    let kept = fields.lines().filter(|line| !is_address(line));
    let kept: String = kept.map(|line| format!("{line}\n")).collect();
    format!("{kept}{added}\n{description}")
}

fn wheel_file(work: &Work, platform: Platform) -> String {
    let tags = platform.wheel_tags().iter().map(|tag| format!("Tag: {PYTHON_TAG}-{tag}\n"));
    let version = &work.source.version;
    format!(
        "Wheel-Version: 1.0\nGenerator: holotape-dist ({version})\nRoot-Is-Purelib: false\n{}",
        tags.collect::<String>()
    )
}

/// The list of all files with their hashes. It names itself without a hash.
fn record(wheel: &Archive, path: &str) -> String {
    let lines = wheel.files().map(|(path, bytes)| {
        format!("{path},sha256={},{}\n", URL_SAFE_NO_PAD.encode(Sha256::digest(bytes)), bytes.len())
    });
    format!("{}{path},,\n", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_has_the_addresses_that_are_set() {
        let source = |address: &dyn Fn(&str) -> Option<String>| Source {
            version: "1.0.0".to_owned(),
            commit: "0123".to_owned(),
            is_modified: false,
            time_secs: 0,
            repository: address("r"),
            homepage: address("h"),
            documentation: address("d"),
        };
        let metadata = "Name: holotape\nHome-Page: \nProject-URL: Source Code, \nLicense-Expression: MIT\n\n\
                        # holotape\n\nHome-Page: text\n";
        let none = with_addresses(metadata, &source(&|_| None));
        assert_eq!(none, "Name: holotape\nLicense-Expression: MIT\n\n# holotape\n\nHome-Page: text\n");
        let all = with_addresses(metadata, &source(&|path| Some(format!("https://a.example/{path}"))));
        let added = "Project-URL: Homepage, https://a.example/h\nProject-URL: Source, https://a.example/r\n\
                     Project-URL: Documentation, https://a.example/d\n";
        assert_eq!(all, none.replacen("MIT\n", &format!("MIT\n{added}"), 1));
    }

    #[test]
    fn record_lists_every_file_with_its_hash() {
        let mut wheel = Archive::new(0);
        wheel.add("holotape/py.typed", "").expect("new path");
        let expected = "holotape/py.typed,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0\nx/RECORD,,\n";
        assert_eq!(record(&wheel, "x/RECORD"), expected);
    }
}
