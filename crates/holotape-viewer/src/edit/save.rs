//! Takes that are saved: under a name, in the folder that they came from.

use std::error::Error as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use axum::http::StatusCode;
use holotape::atomic::{self, IfExists};
use holotape::{Error, Recording};
use holotape_convert::Losses;
use serde::{Deserialize, Serialize};

use super::lock_at_revision;
use crate::http_error::HttpError;
use crate::library::{Document, OpenRecording, loss_messages};

/// Where to save.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SaveRequest {
    name: String,
    /// What whoever asks has seen; saves any revision, if it is not given.
    revision: Option<u64>,
    /// Whether a file that is there may be replaced.
    #[serde(default)]
    replace: bool,
}

/// Where something was saved, and what the format could not hold.
#[derive(Debug, Serialize)]
pub(crate) struct SaveResult {
    path: String,
    losses: Vec<String>,
}

impl SaveRequest {
    pub(crate) fn save(&self, take: &OpenRecording) -> Result<SaveResult, HttpError> {
        let name = file_name(&self.name)?;
        let (recording, version, path) = {
            let document = lock_at_revision(take, self.revision)?;
            (document.recording(), document.version(), target_path(&document, &name)?)
        };
        let existing = if self.replace { IfExists::Replace } else { IfExists::Refuse };
        let losses = write(&recording, &path, existing)?;
        take.lock().mark_saved(version);
        Ok(SaveResult { path: path.display().to_string(), losses: loss_messages(&losses) })
    }
}

/// Where a take is saved. Links lead anywhere, so none is followed but the one that the take itself came from.
fn target_path(document: &Document, name: &str) -> Result<PathBuf, HttpError> {
    let path = document.folder().join(name);
    let is_own = document.is_from_file(name);
    if !is_own && fs::symlink_metadata(&path).is_ok_and(|there| there.is_symlink()) {
        let message = format!("{} is a link to another place: choose another name", path.display());
        return Err(HttpError::unprocessable(message));
    }
    if fs::metadata(&path).is_ok_and(|there| !there.is_file()) {
        return Err(HttpError::unprocessable(format!("{} is there and is no file", path.display())));
    }
    Ok(path)
}

fn write(recording: &Recording, path: &Path, existing: IfExists) -> Result<Losses, HttpError> {
    let written = atomic::write(path, existing, |out| match is_json(path) {
        // The document keeps everything, also what a file of that format could not hold.
        true => recording.write_json_to(out).map(|()| Losses::default()),
        false => recording.write_to(out).map(Losses::from),
    });
    written.map_err(|error| match is_there_already(&error) {
        true => HttpError::new(StatusCode::CONFLICT, error.to_string()),
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
const RESERVED_NAMES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// What Windows takes for devices if one digit follows.
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// The longest name that file systems hold.
const MAX_NAME_BYTES: usize = 255;

/// The name of a file in a folder, and nothing that leads out of it on any system: a recording goes from one to another.
fn file_name(asked: &str) -> Result<String, HttpError> {
    let name = asked.trim();
    if name.chars().all(|letter| letter == '.') {
        return Err(HttpError::unprocessable("a file needs a name"));
    }
    if name.contains(is_invisible_char) {
        return Err(HttpError::unprocessable("the name has letters that cannot be seen: type it anew"));
    }
    if name.contains(['/', '\\', ':']) {
        return Err(HttpError::unprocessable(
            "a name only, without folders: recordings are saved beside where they came from",
        ));
    }
    if let Some(letter) = name.chars().find(|letter| "<>\"|?*".contains(*letter)) {
        return Err(HttpError::unprocessable(format!(
            "some systems allow no {letter} in names of files: leave it out"
        )));
    }
    if is_reserved_name(name) {
        return Err(HttpError::unprocessable(format!("{name} is the name of a device on some systems")));
    }
    let is_known = extension_of(name).is_some();
    let name = if is_known { name.to_owned() } else { format!("{name}.bin") };
    if name.len() > MAX_NAME_BYTES {
        let message =
            format!("a name of {} bytes, where systems hold {MAX_NAME_BYTES}: choose a shorter one", name.len());
        return Err(HttpError::unprocessable(message));
    }
    Ok(name)
}

pub(crate) fn is_reserved_name(name: &str) -> bool {
    let first = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let is_digit = |rest: &str| rest.chars().count() == 1 && rest.contains(|digit| "0123456789¹²³".contains(digit));
    let mut numbered = NUMBERED_DEVICES.iter().filter_map(|device| first.strip_prefix(device));
    RESERVED_NAMES.contains(&&*first) || numbered.any(is_digit)
}

/// What is not seen in a name, or has the rest of it read in another order.
pub(crate) fn is_invisible_char(letter: char) -> bool {
    let is_direction =
        matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || is_direction || matches!(letter, '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{feff}')
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
            ("com.bin", "com.bin"),
            ("COM12", "COM12.bin"),
            ("aux2.bin", "aux2.bin"),
        ] {
            assert_eq!(file_name(asked).as_deref(), Ok(name), "{asked:?}");
        }
    }

    #[test]
    fn names_are_no_longer_than_systems_hold() {
        assert!(file_name(&"ü".repeat(125)).is_ok());
        assert!(file_name(&"ü".repeat(126)).is_err());
        assert!(file_name(&format!("{}.json", "x".repeat(250))).is_ok());
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
            "COM¹.bin",
            "conin$",
            "a?b.bin",
            "a*.bin",
            "<a>.bin",
            "a|b.bin",
            "\"a\".bin",
            "take\u{202e}nib.exe",
            "take\u{2066}.bin",
            "take\u{feff}.bin",
        ] {
            assert!(file_name(asked).is_err(), "{asked:?}");
        }
    }
}
