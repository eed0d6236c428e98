//! Where a take is saved: never in the place of anything that is there.

use std::error::Error as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use holotape::atomic::{self, IfExists};
use holotape::record::{FinishedRecording, Recorder, RecorderOptions, journal_path, mrtk_file_name};
use holotape::stream::{ErrorCode, Hello, ProtocolError, SavedTake, ServerMessage, StoppedTake, TakeId, TakeReceiver};
use holotape::{Error, Recording, Result};
use holotape_convert::Losses;

use super::name::{numbered_file_name, sanitize_stem};
use super::registry::LiveTakes;
use crate::api::Origin;
use crate::library::{Document, Source, loss_messages};

/// A take that was recorded, and is saved or could not be.
///
/// ```
/// use holotape_viewer::{Viewer, ViewerOptions};
///
/// let viewer = Viewer::new(ViewerOptions::new());
/// viewer.on_saved(|take| match &take.error {
///     None => println!("{}: {} frames", take.path.display(), take.frames),
///     Some(error) => eprintln!("{error}"),
/// });
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SavedRecording {
    /// The file.
    pub path: PathBuf,
    /// How many frames it has.
    pub frames: u64,
    /// How many markers it has.
    pub markers: u64,
    /// How long it is.
    pub duration_secs: f32,
    /// What was lost of it, in words.
    pub losses: Vec<String>,
    /// Why it could not be saved, and where it is then.
    pub error: Option<String>,
}

/// How many takes of one name there may be in a folder.
const MAX_NAME_NUMBER: u32 = 10_000;

/// Where a take will be saved.
pub(super) struct SaveTarget {
    folder: PathBuf,
    stem: String,
    number: u32,
}

impl SaveTarget {
    /// Finds a name that is free, and begins the take there. Its journal keeps the name free for it.
    pub(super) fn begin(folder: &Path, hello: &Hello) -> Result<(Self, TakeReceiver)> {
        fs::create_dir_all(folder).map_err(|error| Error::from(error).with_path(folder))?;
        let stem = hello.name.as_deref().and_then(sanitize_stem).unwrap_or_else(mrtk_stem);
        let mut target = Self { folder: folder.to_owned(), stem, number: 1 };
        loop {
            let path = target.path();
            let options = RecorderOptions::new().with_max_rate_hz(None).with_journal(journal_path(&path));
            if fs::symlink_metadata(&path).is_err() {
                match Recorder::start(options) {
                    Ok(recorder) => {
                        let intake = TakeReceiver::new(hello.take_id.clone(), target.name(), recorder);
                        return Ok((target, intake));
                    }
                    Err(error) if is_there_already(&error) && target.number < MAX_NAME_NUMBER => {}
                    Err(error) => return Err(error),
                }
            }
            target.number += 1;
        }
    }

    fn name(&self) -> String {
        numbered_file_name(&self.stem, self.number)
    }

    fn path(&self) -> PathBuf {
        self.folder.join(self.name())
    }

    /// Saves the take and shows it.
    pub(super) fn save(
        mut self,
        live: &LiveTakes,
        take: TakeId,
        stopped: StoppedTake,
    ) -> (ServerMessage, SavedRecording) {
        let StoppedTake { mut finished, mut losses, .. } = stopped;
        let journal = journal_path(self.path());
        let mut saved = SavedRecording {
            path: self.path(),
            frames: finished.frames,
            markers: finished.recording.markers.len() as u64,
            duration_secs: finished.recording.duration_secs(),
            losses: Vec::new(),
            error: None,
        };
        match self.write(&mut finished) {
            Ok(lost) => losses.extend(loss_messages(&lost)),
            Err(error) => {
                let error = save_error_message(&error, &journal, finished.is_journal_complete());
                saved.error = Some(error.clone());
                return (ProtocolError::new(ErrorCode::SaveFailed, error).into(), saved);
            }
        }
        saved.path = self.path();
        saved.losses.clone_from(&losses);
        let id = self.add_to_library(live, std::mem::take(&mut finished.recording));
        let SavedRecording { frames, markers, duration_secs, .. } = saved;
        let message = SavedTake {
            take_id: take,
            name: self.name(),
            frame_count: frames,
            marker_count: markers,
            duration_secs,
            losses,
            recording_id: id,
        };
        (ServerMessage::Saved(message), saved)
    }

    /// Writes the recording, under the next name if this one was taken meanwhile.
    fn write(&mut self, finished: &mut FinishedRecording) -> Result<Losses> {
        loop {
            let path = self.path();
            let mut written = None;
            let result = finished.save_with(|recording| {
                written = Some(atomic::write(&path, IfExists::Refuse, |out| recording.write_to(out))?);
                Ok::<_, Error>(())
            });
            match (result, written) {
                // A journal that cannot be removed is no reason to call a take unsaved.
                (_, Some(losses)) => return Ok(losses.into()),
                (Err(error), None) if is_there_already(&error) && self.number < MAX_NAME_NUMBER => self.number += 1,
                (Err(error), None) => return Err(error),
                (Ok(()), None) => return Ok(Losses::default()),
            }
        }
    }

    /// Puts the recording into the library. If there is no room, it is saved all the same.
    fn add_to_library(&self, live: &LiveTakes, recording: Recording) -> Option<u64> {
        let source = Source { name: self.name(), origin: Origin::Recorded, folder: self.folder.clone() };
        let document = Document::new(source, recording).ok()?;
        live.library().add_closable(document).ok().map(|take| take.id)
    }
}

/// The name that MRTK would give it.
fn mrtk_stem() -> String {
    let name = mrtk_file_name(SystemTime::now());
    name.strip_suffix(".bin").unwrap_or(&name).to_owned()
}

fn save_error_message(error: &Error, journal: &Path, is_whole: bool) -> String {
    let how_much = if is_whole { "all" } else { "only the beginning" };
    let journal = journal.display();
    format!("{error}; {how_much} of what was recorded is in {journal}, and `holotape repair {journal}` gets it back")
}

fn is_there_already(error: &Error) -> bool {
    let source = error.source().and_then(|source| source.downcast_ref::<io::Error>());
    source.is_some_and(|source| source.kind() == io::ErrorKind::AlreadyExists)
}
