//! What a recorder is asked to do.

use std::path::PathBuf;

use crate::error::{Error, ErrorKind, Result};
use crate::format::Channels;

/// How to record. The defaults are MRTK's but for its rolling limit of 30 seconds: everything is kept.
///
/// ```
/// use holotape::format::Channels;
/// use holotape::record::{Recorder, RecorderOptions};
///
/// let options = RecorderOptions::new()
///     .with_max_rate_hz(None)
///     .with_rolling_secs(Some(30.0))
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
}

impl RecorderOptions {
    /// The defaults: at most 60 frames a second, all of them kept, all channels, the camera's forward ray where there is
    /// no gaze, no journal.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            max_rate_hz: Some(60.0),
            keep_last_secs: None,
            channels: Channels::ALL,
            gaze_fallback: true,
            journal: None,
        }
    }

    /// Leave out frames that come faster than this, or take all.
    ///
    /// A device of just this rate loses none of its frames as long as they come no more than a quarter of the period
    /// early or late.
    #[must_use]
    pub fn with_max_rate_hz(self, max_rate_hz: Option<f64>) -> Self {
        Self { max_rate_hz, ..self }
    }

    /// Keep the last so many seconds only, or everything.
    #[must_use]
    pub fn with_keep_last_secs(self, rolling_secs: Option<f64>) -> Self {
        Self { keep_last_secs: rolling_secs, ..self }
    }

    /// Which parts of the frames to record.
    #[must_use]
    pub fn with_channels(self, channels: Channels) -> Self {
        Self { channels, ..self }
    }

    /// Whether the gaze of a frame that has none is the ray that the camera looks along.
    #[must_use]
    pub fn with_gaze_fallback(self, gaze_fallback: bool) -> Self {
        Self { gaze_fallback, ..self }
    }

    /// Keep a journal, from which [`Journal`](super::Journal) gets the recording back if the process ends before it is
    /// saved. [`journal_path`](super::journal_path) is where one is looked for.
    #[must_use]
    pub fn with_journal(self, path: impl Into<PathBuf>) -> Self {
        Self { journal: Some(path.into()), ..self }
    }

    pub(super) fn check(&self) -> Result<()> {
        let is_positive = |number: Option<f64>| number.is_none_or(|number| number.is_finite() && number > 0.0);
        let invalid = |message| Err(Error::new(ErrorKind::Invalid, message));
        match *self {
            Self { max_rate_hz: Some(rate), .. } if !is_positive(Some(rate)) => {
                invalid(format!("the highest rate has to be above 0 frames a second, not {rate}"))
            }
            Self { keep_last_secs: Some(limit), .. } if !is_positive(Some(limit)) => {
                invalid(format!("the rolling limit has to be above 0 seconds, not {limit}"))
            }
            _ => Ok(()),
        }
    }
}

impl Default for RecorderOptions {
    fn default() -> Self {
        Self::new()
    }
}
