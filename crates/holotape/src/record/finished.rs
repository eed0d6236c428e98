//! [`FinishedRecording`]: a complete recording, ready to be saved.

use std::path::Path;

use super::journal::{JournalFiles, JournalSink};
use crate::Recording;
use crate::error::{Error, Result};
use crate::format::FormatLosses;

/// A recording that is complete but not saved. Dropping it keeps its journal.
///
/// ```
/// use holotape::record::{Recorder, RecorderOptions};
///
/// let finished = Recorder::start(RecorderOptions::new())?.stop();
/// assert_eq!(finished.recording.duration_secs(), 0.0);
/// finished.discard()?;
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Debug)]
pub struct FinishedRecording {
    /// The recording. It can be changed before it is saved.
    pub recording: Recording,
    /// The number of frames.
    pub frame_count: u64,
    journal: Option<JournalFiles>,
    is_journal_complete: bool,
}

impl FinishedRecording {
    pub(super) fn new(recording: Recording, frame_count: u64, journal: Option<JournalSink>) -> Self {
        let (journal, is_journal_complete) = journal.map(JournalSink::finish).unzip();
        Self { recording, frame_count, journal, is_journal_complete: is_journal_complete.unwrap_or(false) }
    }

    /// Whether the journal has the complete recording. False without a journal, or after writing it failed.
    #[must_use]
    pub fn is_journal_complete(&self) -> bool {
        self.is_journal_complete
    }

    /// Saves the recording like [`Recording::save`], then removes the journal. If it fails, it can be called again.
    ///
    /// # Errors
    /// If the file cannot be written, or the journal cannot be removed.
    pub fn save(&mut self, path: impl AsRef<Path>) -> Result<FormatLosses> {
        self.save_with(|recording| recording.save(path))
    }

    /// Saves the recording with a function of the caller, then removes the journal.
    ///
    /// ```
    /// # let mut finished = holotape::record::Recorder::start(Default::default())?.stop();
    /// let bytes = finished.save_with(|recording| recording.to_vec().map(|(bytes, _)| bytes))?;
    /// # assert!(!bytes.is_empty());
    /// # Ok::<(), holotape::Error>(())
    /// ```
    ///
    /// # Errors
    /// If `save` fails, or the journal cannot be removed.
    pub fn save_with<T, E: From<Error>>(&mut self, save: impl FnOnce(&Recording) -> Result<T, E>) -> Result<T, E> {
        let saved = save(&self.recording)?;
        self.journal.as_ref().map_or(Ok(()), JournalFiles::remove)?;
        Ok(saved)
    }

    /// Discards the recording and its journal.
    ///
    /// # Errors
    /// If the journal cannot be removed.
    pub fn discard(self) -> Result<()> {
        self.journal.map_or(Ok(()), |files| files.remove())
    }
}
