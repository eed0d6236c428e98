//! Limits how many frames an operation samples.

use crate::Recording;
use crate::error::{Error, ErrorKind, Result};
use crate::format::KeyLayout;

/// How many frames an operation may sample from a recording: one per 8 bytes of the recording, and at least
/// [`MIN_FRAMES`](Self::MIN_FRAMES).
///
/// Sampling at a rate costs time and memory for every frame between the start and the end, but a file of a kilobyte can
/// have a key at any time. This limit applies to all operations that sample at a rate.
///
/// ```
/// use holotape::{ErrorKind, FrameLimit};
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let limit = FrameLimit::for_recording(&recording);
/// assert!(limit.check(3600.0, 120.0).is_ok(), "an hour at 120 Hz");
/// assert_eq!(limit.check(1e6, 60.0).unwrap_err().kind(), ErrorKind::LimitExceeded);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameLimit {
    max_frames: u64,
}

impl FrameLimit {
    /// The limit for small recordings: more than an hour at 120 Hz.
    pub const MIN_FRAMES: u64 = 500_000;

    /// The limit for a recording that takes this many bytes as a file.
    ///
    /// ```
    /// use holotape::FrameLimit;
    ///
    /// assert_eq!(FrameLimit::for_bytes(1000).max_frames(), FrameLimit::MIN_FRAMES);
    /// assert_eq!(FrameLimit::for_bytes(80_000_000).max_frames(), 10_000_000);
    /// ```
    #[must_use]
    pub fn for_bytes(byte_len: u64) -> Self {
        Self { max_frames: (byte_len / KeyLayout::Compact.key_bytes()).max(Self::MIN_FRAMES) }
    }

    /// The limit for a recording, from its [size as a file](Recording::byte_len).
    #[must_use]
    pub fn for_recording(recording: &Recording) -> Self {
        Self::for_bytes(recording.byte_len())
    }

    /// Returns the number of frames.
    #[must_use]
    pub const fn max_frames(self) -> u64 {
        self.max_frames
    }

    /// Checks the number of frames of a span at a rate.
    ///
    /// # Errors
    /// [`ErrorKind::LimitExceeded`] if there are too many, or if their number is not finite.
    pub fn check(self, span_secs: f64, rate_hz: f64) -> Result<()> {
        if span_secs * rate_hz < self.max_frames as f64 {
            return Ok(());
        }
        let max = self.max_frames;
        let message = format!(
            "too many frames: {span_secs} s at a rate of {rate_hz} Hz; the limit for this recording is {max} frames: \
             use a lower rate or a shorter span"
        );
        Err(Error::new(ErrorKind::LimitExceeded, message))
    }
}
