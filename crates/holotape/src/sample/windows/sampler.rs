//! Samples a recording window by window.

use std::ops::RangeInclusive;

use super::WindowedRecording;
use crate::error::Result;
use crate::{Frame, Recording, Sampler};

/// Evaluates a [`WindowedRecording`] at many times, in any order, with the values of [`Sampler`]. Increasing times are fastest:
/// a time outside the current window replaces the window.
///
/// ```
/// use holotape::{Frame, WindowedRecording};
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let windowed = WindowedRecording::new(&recording);
/// let mut frame = Frame::default();
/// windowed.sampler().frame_into(0.5, &mut frame)?;
/// assert_eq!(frame, recording.sampler().frame_at(0.5));
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct WindowSampler<'a> {
    recording: &'a WindowedRecording<'a>,
    /// The sampler of the current window, and the times for which it has the values of the recording.
    sampler: Sampler,
    span_secs: RangeInclusive<f64>,
    last_secs: f64,
    untracked_poses: bool,
    is_whole: bool,
}

impl<'a> WindowSampler<'a> {
    pub(super) fn new(recording: &'a WindowedRecording<'a>) -> Self {
        let is_whole = !recording.has_windows();
        let sampler = if is_whole { recording.outline().sampler() } else { Recording::default().sampler() };
        // No time is in this span, so the first evaluation loads a window.
        Self {
            recording,
            sampler,
            span_secs: f64::NAN..=f64::NAN,
            last_secs: f64::INFINITY,
            untracked_poses: false,
            is_whole,
        }
    }

    /// Whether hands have poses while they are not tracked. These poses are interpolated, not recorded.
    #[must_use]
    pub fn with_untracked_poses(self, untracked_poses: bool) -> Self {
        Self { sampler: self.sampler.with_untracked_poses(untracked_poses), untracked_poses, ..self }
    }

    /// Sets the last time that will be sampled: windows have no keys after it, besides the next ones. Later times are possible,
    /// but each needs a window.
    ///
    /// Samplers of consecutive spans, on different threads, read each key about once. Clones share the keys that they have.
    ///
    /// ```
    /// use holotape::WindowedRecording;
    ///
    /// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
    /// let windowed = WindowedRecording::new(&recording);
    /// let sampler = windowed.sampler();
    /// let first_half = sampler.clone().with_last_secs(0.5).frame_at(0.25)?;
    /// assert_eq!(first_half, recording.sampler().frame_at(0.25));
    /// # Ok::<(), holotape::Error>(())
    /// ```
    #[must_use]
    pub fn with_last_secs(self, last_secs: f64) -> Self {
        Self { last_secs, ..self }
    }

    /// Evaluates all curves at one time.
    ///
    /// # Errors
    /// If reading keys from a file fails.
    pub fn frame_at(&mut self, time_secs: f64) -> Result<Frame> {
        let mut frame = Frame::default();
        self.frame_into(time_secs, &mut frame)?;
        Ok(frame)
    }

    /// Evaluates all curves at one time into an existing frame.
    ///
    /// # Errors
    /// If reading keys from a file fails.
    pub fn frame_into(&mut self, time_secs: f64, frame: &mut Frame) -> Result<()> {
        if !self.is_whole && !self.span_secs.contains(&time_secs) {
            self.load(time_secs)?;
        }
        self.sampler.frame_into(time_secs, frame);
        Ok(())
    }

    #[cold]
    fn load(&mut self, time_secs: f64) -> Result<()> {
        // The time of a key is never NaN, so its position would be before all keys.
        let start_secs = if time_secs.is_nan() { f64::NEG_INFINITY } else { time_secs };
        let (window, end_secs) = self.recording.window_at(start_secs, self.last_secs)?;
        self.sampler = window.sampler().with_untracked_poses(self.untracked_poses);
        self.span_secs = start_secs..=end_secs;
        Ok(())
    }
}
