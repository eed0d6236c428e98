//! Options of a recorder.

use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::format::Channels;

/// How to record. The defaults are MRTK's, except that everything is kept, not the last 30 seconds.
///
/// ```
/// use holotape::format::Channels;
/// use holotape::record::{Recorder, RecorderOptions};
///
/// let options = RecorderOptions::new()
///     .with_max_rate_hz(None)
///     .with_keep_last_secs(Some(30.0))
///     .with_channels(Channels { gaze: false, ..Channels::ALL });
/// let recorder = Recorder::start(options)?;
/// # assert!(Recorder::start(RecorderOptions::new().with_max_rate_hz(Some(0.0))).is_err());
/// # drop(recorder);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RecorderOptions {
    pub(super) max_rate_hz: Option<f64>,
    pub(super) keep_last_secs: Option<f64>,
    pub(super) channels: Channels,
    pub(super) gaze_fallback: bool,
    pub(super) journal: Option<PathBuf>,
    pub(super) direct_journal: bool,
}

impl RecorderOptions {
    /// The defaults: at most 60 frames per second, all of them kept, all channels, the camera's forward ray as gaze if
    /// a frame has none, no journal.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            max_rate_hz: Some(60.0),
            keep_last_secs: None,
            channels: Channels::ALL,
            gaze_fallback: true,
            journal: None,
            direct_journal: false,
        }
    }

    /// Drops frames above this rate; `None` keeps all.
    ///
    /// A device with exactly this rate loses no frames if they arrive at most a quarter of a period early or late.
    #[must_use]
    pub fn with_max_rate_hz(self, max_rate_hz: Option<f64>) -> Self {
        Self { max_rate_hz, ..self }
    }

    /// Keeps only the last `seconds`; `None` keeps everything.
    #[must_use]
    pub fn with_keep_last_secs(self, keep_last_secs: Option<f64>) -> Self {
        Self { keep_last_secs, ..self }
    }

    /// The channels to record.
    #[must_use]
    pub fn with_channels(self, channels: Channels) -> Self {
        Self { channels, ..self }
    }

    /// Whether a frame without gaze gets the forward ray of the camera.
    #[must_use]
    pub fn with_gaze_fallback(self, gaze_fallback: bool) -> Self {
        Self { gaze_fallback, ..self }
    }

    /// Writes a journal, from which [`Journal`](super::Journal) recovers the take if the process ends before it is
    /// saved. [`journal_path`](super::journal_path) is the usual path.
    #[must_use]
    pub fn with_journal(self, path: impl Into<PathBuf>) -> Self {
        Self { journal: Some(path.into()), ..self }
    }

    /// Whether [`push`](super::Recorder::push) writes the journal itself, instead of a separate thread: when it
    /// returns, the frame is in the journal. For a caller with its own thread, which may wait for the disk.
    ///
    /// ```
    /// use holotape::Frame;
    /// use holotape::record::{Journal, Recorder, RecorderOptions};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("take.journal");
    /// let mut recorder = Recorder::start(RecorderOptions::new().with_journal(&path).with_direct_journal(true))?;
    /// recorder.push(&Frame::default())?;
    /// assert_eq!(Journal::open(&path)?.frame_count, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_direct_journal(self, direct_journal: bool) -> Self {
        Self { direct_journal, ..self }
    }

    pub(super) fn check(&self) -> Result<()> {
        let invalid = |number: &f64| !(number.is_finite() && *number > 0.0);
        if let Some(rate) = self.max_rate_hz.filter(invalid) {
            return Err(Error::invalid_argument(format!("invalid maximum rate: {rate} Hz; must be greater than 0")));
        }
        if let Some(limit) = self.keep_last_secs.filter(invalid) {
            let message = format!("invalid duration to keep: {limit} s; must be greater than 0");
            return Err(Error::invalid_argument(message));
        }
        Ok(())
    }
}

impl Default for RecorderOptions {
    fn default() -> Self {
        Self::new()
    }
}
