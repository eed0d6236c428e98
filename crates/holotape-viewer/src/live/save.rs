//! Saves a take under a free name; never overwrites a file.

use std::cell::LazyCell;
use std::collections::HashSet;
use std::error::Error as _;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use holotape::atomic::{self, IfExists};
use holotape::paths::shell_quote;
use holotape::record::{FinishedRecording, Recorder, RecorderOptions, journal_path, mrtk_file_name};
use holotape::stream::{ErrorCode, Hello, ProtocolError, ServerMessage, StoppedTake};
use holotape::{Error, ErrorKind, Recording, Result};
use holotape_convert::Losses;

use super::name::{numbered_file_name, sanitize_stem};
use super::registry::LiveTakes;
use crate::api::Origin;
use crate::library::{Document, Source, loss_messages};

/// A take that was saved as a recording, or could not be.
///
/// ```
/// use holotape_viewer::{Viewer, ViewerOptions};
///
/// let viewer = Viewer::new(ViewerOptions::new());
/// viewer.on_saved(|take| match &take.error {
///     None => println!("{}: {} frames", take.path.display(), take.frame_count),
///     Some(error) => eprintln!("{error}"),
/// });
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SavedRecording {
    /// The file.
    pub path: PathBuf,
    /// The number of frames.
    pub frame_count: u64,
    /// The number of markers.
    pub marker_count: u64,
    /// The duration, in seconds.
    pub duration_secs: f32,
    /// Descriptions of data that was dropped.
    pub losses: Vec<String>,
    /// Why it could not be saved, and where its journal is.
    pub error: Option<String>,
}

/// The maximum number of takes of one name in a folder.
const MAX_NAME_NUMBER: u32 = 10_000;

/// The future file of a take.
pub(super) struct SaveTarget {
    folder: PathBuf,
    stem: String,
    number: u32,
}

impl SaveTarget {
    /// Finds a free name and starts to record. The journal reserves the name.
    pub(super) fn begin(folder: &Path, hello: &Hello) -> Result<(Self, Recorder)> {
        atomic::create_folder(folder).map_err(|error| Error::from(error).with_path(folder))?;
        let stem = hello.name.as_deref().and_then(sanitize_stem).unwrap_or_else(mrtk_stem);
        let mut target = Self { folder: folder.to_owned(), stem, number: 1 };
        // Thousands of names are found faster in a list than on disk, one by one.
        let listed = LazyCell::new(|| names_in(folder));
        while target.number <= MAX_NAME_NUMBER {
            let path = target.path();
            let options = RecorderOptions::new().with_max_rate_hz(None).with_journal(journal_path(&path));
            let is_listed = target.number > 1 && listed.contains(OsStr::new(&target.name()));
            if !is_listed && fs::symlink_metadata(&path).is_err() {
                match Recorder::start(options) {
                    Ok(recorder) => return Ok((target, recorder)),
                    Err(error) if already_exists(&error) => {}
                    Err(error) => return Err(error),
                }
            }
            target.number += 1;
        }
        let message = format!("{MAX_NAME_NUMBER} recordings have the name {:?}; use another name", target.stem);
        Err(Error::new(ErrorKind::LimitExceeded, message).with_path(folder))
    }

    pub(super) fn name(&self) -> String {
        numbered_file_name(&self.stem, self.number)
    }

    fn path(&self) -> PathBuf {
        self.folder.join(self.name())
    }

    /// Saves the recording and opens it in the viewer.
    pub(super) fn save(mut self, live: &LiveTakes, stopped: StoppedTake) -> (ServerMessage, SavedRecording) {
        let StoppedTake { mut finished, saved: mut message } = stopped;
        let journal = journal_path(self.path());
        let result = self.write(&mut finished);
        let mut saved = SavedRecording {
            path: self.path(),
            frame_count: message.frame_count,
            marker_count: message.marker_count,
            duration_secs: message.duration_secs,
            losses: Vec::new(),
            error: None,
        };
        match result {
            Ok(losses) => {
                message.losses.extend(loss_messages(&losses));
                saved.losses.clone_from(&message.losses);
                message.name = self.name();
                message.recording_id = self.add_to_library(live, std::mem::take(&mut finished.recording));
                (ServerMessage::Saved(message), saved)
            }
            Err(error) => {
                let error = save_error_message(&error, &journal, finished.is_journal_complete());
                saved.error = Some(error.clone());
                (ProtocolError::new(ErrorCode::SaveFailed, error).into(), saved)
            }
        }
    }

    /// Writes the recording, under the next number if the file exists by now.
    fn write(&mut self, finished: &mut FinishedRecording) -> Result<Losses> {
        loop {
            let path = self.path();
            let mut written = None;
            let result = finished.save_with(|recording| {
                written = Some(atomic::write_no_follow(&path, IfExists::Refuse, |out| recording.write_to(out))?);
                Ok::<_, Error>(())
            });
            match (result, written) {
                // The recording is saved even if the journal cannot be removed.
                (_, Some(losses)) => return Ok(losses.into()),
                (Err(error), None) if already_exists(&error) && self.number < MAX_NAME_NUMBER => self.number += 1,
                (Err(error), None) => return Err(error),
                (Ok(()), None) => return Ok(Losses::default()),
            }
        }
    }

    /// Opens the recording in the viewer; `None` if too many are open.
    fn add_to_library(&self, live: &LiveTakes, recording: Recording) -> Option<u64> {
        let source = Source { name: self.name(), origin: Origin::Recorded, folder: self.folder.clone() };
        let document = Document::new(source, recording).ok()?;
        live.library().add_closable(document).ok().map(|recording| recording.id)
    }
}

/// The names of the files in a folder; none if it cannot be read.
fn names_in(folder: &Path) -> HashSet<OsString> {
    fs::read_dir(folder).map(|files| files.flatten().map(|file| file.file_name()).collect()).unwrap_or_default()
}

fn mrtk_stem() -> String {
    let name = mrtk_file_name(SystemTime::now());
    name.strip_suffix(".bin").unwrap_or(&name).to_owned()
}

fn save_error_message(error: &Error, journal: &Path, is_complete: bool) -> String {
    let contents = if is_complete { "the complete take" } else { "only the beginning of the take" };
    let (shown, quoted) = (journal.display(), shell_quote(&journal.to_string_lossy()));
    format!("{error}; {shown} has {contents}: recover it with `holotape repair {quoted} OUT.bin`")
}

fn already_exists(error: &Error) -> bool {
    let source = error.source().and_then(|source| source.downcast_ref::<io::Error>());
    source.is_some_and(|source| source.kind() == io::ErrorKind::AlreadyExists)
}
