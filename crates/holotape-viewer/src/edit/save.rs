//! Saves a recording under a name in the directory that it came from.

use std::error::Error as _;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use axum::http::StatusCode;
use holotape::atomic::{self, IfExists};
use holotape::paths::is_reserved_name;
use holotape::{Error, Recording};
use holotape_convert::compression::Compression;
use holotape_convert::{FileFormat, Losses, WriteOptions};
use serde::Deserialize;

use super::lock_at_revision;
use crate::api::SaveResult;
use crate::http_error::HttpError;
use crate::library::{Document, OpenRecording, loss_messages};

/// Maximum length of a name in common file systems.
const MAX_NAME_BYTES: usize = 255;

/// Body of `POST /api/recordings/ID/save`.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct SaveRequest {
    name: String,
    /// Fails if the recording has another revision.
    revision: Option<u64>,
    /// Whether to overwrite an existing file.
    #[serde(default)]
    replace: bool,
}

impl SaveRequest {
    pub(crate) fn save(&self, open: &OpenRecording) -> Result<SaveResult, HttpError> {
        let name = file_name(&self.name)?;
        let (recording, version, target) = {
            let document = lock_at_revision(open, self.revision)?;
            (document.recording(), document.version(), SaveTarget::new(&document, &name)?)
        };
        let existing = if self.replace { IfExists::Replace } else { IfExists::Refuse };
        let losses = target.write(&recording, existing)?;
        open.lock().mark_saved(version);
        Ok(SaveResult { path: target.path.display().to_string(), losses: loss_messages(&losses) })
    }
}

/// The file to write. Links can lead out of the directory, so only the one that the recording was opened through is followed.
struct SaveTarget {
    path: PathBuf,
    follows_link: bool,
}

impl SaveTarget {
    fn new(document: &Document, name: &str) -> Result<Self, HttpError> {
        let path = document.folder().join(name);
        let follows_link = document.is_from_file(name);
        let reject = |problem: &str| {
            let message = format!("{} is {problem}: choose another name", path.display());
            Err(HttpError::unprocessable(message))
        };
        if !follows_link && fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink()) {
            return reject("a symbolic link");
        }
        if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
            return reject("not a file");
        }
        Ok(Self { path, follows_link })
    }

    /// A link that was created after the check is replaced, not followed.
    fn write(&self, recording: &Recording, existing: IfExists) -> Result<Losses, HttpError> {
        let path = &self.path;
        let file_format = match FileFormat::from_path(path) {
            Some(FileFormat::Bin) | None => FileFormat::Bin,
            Some(_) => FileFormat::Json,
        };
        let fill = |out: &mut (dyn Write + Send)| {
            Compression::from_path(path).write(out, |out| WriteOptions::new().write(recording, file_format, out))
        };
        let written = match self.follows_link {
            true => atomic::write(path, existing, fill),
            false => atomic::write_no_follow(path, existing, fill),
        };
        written.map_err(|error| match is_existing_file(&error) {
            true => HttpError::new(StatusCode::CONFLICT, error.to_string()),
            false => error.into(),
        })
    }
}

fn is_existing_file(error: &Error) -> bool {
    let source = error.source().and_then(|source| source.downcast_ref::<io::Error>());
    source.is_some_and(|source| source.kind() == io::ErrorKind::AlreadyExists)
}

/// Checks a file name and adds `.bin` if it has no known extension. The name must be valid on every system and must not lead
/// out of the directory.
fn file_name(requested: &str) -> Result<String, HttpError> {
    let name = requested.trim();
    if let Some(problem) = name_problem(name) {
        return Err(HttpError::unprocessable(problem));
    }
    let is_known = extension_of(name).is_some();
    let name = if is_known { name.to_owned() } else { format!("{name}.bin") };
    if name.len() > MAX_NAME_BYTES {
        let message = format!("name too long: {} bytes, at most {MAX_NAME_BYTES} are allowed", name.len());
        return Err(HttpError::unprocessable(message));
    }
    Ok(name)
}

fn name_problem(name: &str) -> Option<String> {
    if name.chars().all(|char| char == '.') {
        return Some("enter a file name".to_owned());
    }
    if name.contains(is_invisible_char) {
        return Some("the name contains invisible characters: type it again".to_owned());
    }
    if name.contains(['/', '\\', ':']) {
        return Some(
            "enter a name without directories: recordings are saved in the directory they came from".to_owned(),
        );
    }
    if let Some(char) = name.chars().find(|char| "<>\"|?*".contains(*char)) {
        return Some(format!("the name contains {char}, which some systems do not allow"));
    }
    is_reserved_name(name).then(|| format!("{name} is a reserved name on some systems"))
}

/// Control characters, and characters that are invisible or change the text direction.
pub(crate) fn is_invisible_char(char: char) -> bool {
    let is_direction =
        matches!(char, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    char.is_control() || is_direction || matches!(char, '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{feff}')
}

/// The name without its extension, if that is `bin` or `json`, also of a compressed file: `bin.zst`.
pub(super) fn stem_of(name: &str) -> &str {
    let extension = extension_of(name).map_or(0, |extension| extension.len() + 1);
    &name[..name.len() - extension]
}

fn extension_of(name: &str) -> Option<&str> {
    let (decompressed, _) = Compression::split_name(name);
    let (stem, extension) = decompressed.rsplit_once('.')?;
    let is_known = ["bin", "json"].iter().any(|known| extension.eq_ignore_ascii_case(known));
    (is_known && !stem.is_empty()).then(|| &name[stem.len() + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_names_get_an_extension() {
        for (requested, name) in [
            ("take", "take.bin"),
            (" take.bin ", "take.bin"),
            ("take.BIN", "take.BIN"),
            ("take.json", "take.json"),
            ("take.v2", "take.v2.bin"),
            ("take.bin.zst", "take.bin.zst"),
            ("take.JSON.gz", "take.JSON.gz"),
            ("take.zst", "take.zst.bin"),
            (".bin.gz", ".bin.gz.bin"),
            (".bin", ".bin.bin"),
            ("..bin", "..bin"),
            ("Ünïcode 手.bin", "Ünïcode 手.bin"),
            ("console.bin", "console.bin"),
            ("com.bin", "com.bin"),
            ("COM12", "COM12.bin"),
            ("aux2.bin", "aux2.bin"),
        ] {
            assert_eq!(file_name(requested).as_deref(), Ok(name), "{requested:?}");
        }
    }

    #[test]
    fn long_names_are_rejected() {
        assert!(file_name(&"ü".repeat(125)).is_ok());
        assert!(file_name(&"ü".repeat(126)).is_err());
        assert!(file_name(&format!("{}.json", "x".repeat(250))).is_ok());
    }

    #[test]
    fn names_that_are_unsafe_on_any_system_are_rejected() {
        for requested in [
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
            assert!(file_name(requested).is_err(), "{requested:?}");
        }
    }
}
