//! What a layer did, for the command that started the application.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use openxr_sys as xr;
use serde::{Deserialize, Serialize};

use crate::log;

/// A line of the report that the layers append to a file, as JSON.
///
/// ```
/// use holotape_openxr::Report;
///
/// let line = r#"{"report":"failed","message":"take.bin: no such file"}"#;
/// assert_eq!(Report::parse(line), vec![Report::Failed { message: "take.bin: no such file".to_owned() }]);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "report", rename_all = "snake_case")]
pub enum Report {
    /// A take began; until it is saved, its journal is beside it.
    Started {
        /// Where the take will be saved.
        path: PathBuf,
    },
    /// A take was saved.
    Saved {
        /// The file.
        path: PathBuf,
        /// The number of frames.
        frames: u64,
        /// The duration.
        duration_secs: f64,
        /// The reference space: `STAGE` or `LOCAL`.
        space: String,
        /// What was recorded as gaze: `eyes` or `head`.
        gaze: String,
        /// What was not recorded or is not exact, one sentence each.
        notes: Vec<String>,
    },
    /// A replay began.
    Replaying {
        /// The duration of the recording.
        duration_secs: f64,
        /// The reference space in which the recording is placed.
        space: String,
    },
    /// The layer cannot work.
    Failed {
        /// The reason.
        message: String,
    },
}

impl Report {
    /// Parses a report file. Lines that were not written completely are skipped.
    #[must_use]
    pub fn parse(text: &str) -> Vec<Self> {
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// Appends a line to the file; failures are printed to stderr as well.
    pub(crate) fn append(&self, file: Option<&Path>) {
        if let Self::Failed { message } = self {
            log::warn(message);
        }
        let Some(path) = file else { return };
        let written = serde_json::to_string(self).map_err(std::io::Error::other).and_then(|line| {
            let mut file = OpenOptions::new().create(true).append(true).open(path)?;
            file.write_all(format!("{line}\n").as_bytes())
        });
        if let Err(error) = written {
            log::warn(format_args!("{}: {error}", path.display()));
        }
    }
}

/// The name of the space of a recording.
pub(crate) fn space_name(kind: xr::ReferenceSpaceType) -> &'static str {
    if kind == xr::ReferenceSpaceType::STAGE { "STAGE" } else { "LOCAL" }
}
