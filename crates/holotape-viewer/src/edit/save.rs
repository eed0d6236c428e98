//! Takes that are saved: under a name, in the folder that they came from.

use std::error::Error as _;
use std::fs;
use std::io;
use std::path::Path;

use axum::http::StatusCode;
use holotape::atomic::{self, Existing};
use holotape::{Error, Recording};
use holotape_convert::Losses;
use serde::{Deserialize, Serialize};

use crate::library::{Take, words};
use crate::refusal::Refusal;

/// Where to save.
#[derive(Debug, Deserialize)]
pub(crate) struct SaveRequest {
    name: String,
    /// Whether a file that is there may be replaced.
    #[serde(default)]
    replace: bool,
}

/// Where something was saved, and what the format could not hold.
#[derive(Debug, Serialize)]
pub(crate) struct Saved {
    path: String,
    losses: Vec<String>,
}

impl SaveRequest {
    pub(crate) fn save(&self, take: &Take) -> Result<Saved, Refusal> {
        let name = file_name(&self.name)?;
        let (recording, version, path) = {
            let document = take.lock();
            (document.recording(), document.version(), document.folder().join(name))
        };
        if fs::metadata(&path).is_ok_and(|there| !there.is_file()) {
            return Err(Refusal::impossible(format!("{} is there and is no file", path.display())));
        }
        let existing = if self.replace { Existing::Replace } else { Existing::Refuse };
        let losses = write(&recording, &path, existing)?;
        take.lock().saved(version);
        Ok(Saved { path: path.display().to_string(), losses: words(&losses) })
    }
}

fn write(recording: &Recording, path: &Path, existing: Existing) -> Result<Losses, Refusal> {
    let written = atomic::write(path, existing, |out| match is_json(path) {
        // The document keeps everything, also what a file of that format could not hold.
        true => recording.write_json_to(out).map(|()| Losses::default()),
        false => recording.write_to(out).map(Losses::from),
    });
    written.map_err(|error| match is_there_already(&error) {
        true => Refusal::new(StatusCode::CONFLICT, error.to_string()),
        false => error.into(),
    })
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

fn is_there_already(error: &Error) -> bool {
    let source = error.source().and_then(|source| source.downcast_ref::<io::Error>());
    source.is_some_and(|source| source.kind() == io::ErrorKind::AlreadyExists)
}

/// What Windows takes for devices, whatever the extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// The name of a file in a folder, and nothing that leads out of it on any system: a recording goes from one to another.
fn file_name(asked: &str) -> Result<String, Refusal> {
    let name = asked.trim();
    if name.chars().all(|letter| letter == '.') {
        return Err(Refusal::impossible("a file needs a name"));
    }
    if name.contains(|letter: char| letter.is_control() || "/\\:".contains(letter)) {
        return Err(Refusal::impossible(
            "a name only, without folders: recordings are saved beside where they came from",
        ));
    }
    let first =
        name.split('.').next().unwrap_or_default().trim_end().trim_end_matches(|letter: char| letter.is_ascii_digit());
    if DEVICES.iter().any(|device| first.eq_ignore_ascii_case(device)) {
        return Err(Refusal::impossible(format!("{name} is the name of a device on some systems")));
    }
    let is_known = extension_of(name).is_some();
    Ok(if is_known { name.to_owned() } else { format!("{name}.bin") })
}

/// A name without its extension, if that is one of ours.
pub(super) fn stem_of(name: &str) -> &str {
    let extension = extension_of(name).map_or(0, |extension| extension.len() + 1);
    &name[..name.len() - extension]
}

fn extension_of(name: &str) -> Option<&str> {
    let (stem, extension) = name.rsplit_once('.')?;
    let is_known = ["bin", "json"].iter().any(|known| extension.eq_ignore_ascii_case(known));
    (is_known && !stem.is_empty()).then_some(extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_names_of_files() {
        for (asked, name) in [
            ("take", "take.bin"),
            (" take.bin ", "take.bin"),
            ("take.BIN", "take.BIN"),
            ("take.json", "take.json"),
            ("take.v2", "take.v2.bin"),
            (".bin", ".bin.bin"),
            ("..bin", "..bin"),
            ("Ünïcode 手.bin", "Ünïcode 手.bin"),
            ("console.bin", "console.bin"),
        ] {
            assert_eq!(file_name(asked).as_deref(), Ok(name), "{asked:?}");
        }
    }

    #[test]
    fn nothing_leads_out_of_the_folder() {
        for asked in [
            "",
            " ",
            ".",
            "..",
            "...",
            "/etc/passwd",
            "../take.bin",
            "a/b.bin",
            "a\\b.bin",
            "..\\take.bin",
            "C:take.bin",
            "take.bin:stream",
            "take\0.bin",
            "take\n.bin",
            "nul",
            "CON.bin",
            "com1.json",
            "lpt9 .bin",
        ] {
            assert!(file_name(asked).is_err(), "{asked:?}");
        }
    }
}
