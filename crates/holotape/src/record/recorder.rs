//! [`Recorder`]: frames in, a recording out.

use std::path::Path;

use super::encode::{FrameFilter, check_name, is_time, pack_marker};
use super::journal::{Header, JournalSink};
use super::rate::RateLimiter;
use super::record_buffer::RecordBuffer;
use super::{FinishedRecording, RecorderOptions, build_recording};
use crate::Frame;
use crate::error::{Error, Result};

/// Records frames as they arrive.
///
/// Frames can have times of any clock; the first, or without frames the first marker, becomes the start of the
/// recording. Poses and rays with non-finite
/// values are dropped and counted. Of frames closer to each other than the 32 bits of a key time resolve, which takes
/// days, the first is kept.
///
/// ```
/// use holotape::{Frame, Pose};
/// use holotape::record::{PushOutcome, Recorder, RecorderOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("take.bin");
/// let options = RecorderOptions::new().with_journal(path.with_extension("journal"));
/// let mut recorder = Recorder::start(options)?;
/// for n in 0..90 {
///     let time = 7.0 + f64::from(n) / 90.0;
///     recorder.push(&Frame { time, camera: Some(Pose::IDENTITY), ..Frame::default() })?;
/// }
/// recorder.add_marker(7.5, "halfway")?;
/// assert_eq!(recorder.status().frame_count, 60);
///
/// let mut finished = recorder.stop();
/// assert_eq!(finished.recording.markers[0].time, 0.5);
/// assert!(finished.save(&path)?.is_empty()); // And only then the journal goes.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recorder {
    filter: FrameFilter,
    rate_limiter: RateLimiter,
    keep_last_secs: Option<f64>,
    first_secs: Option<f64>,
    status: RecorderStatus,
    /// The record of the last frame or marker, kept to reuse its memory.
    record: Vec<u8>,
    buffer: RecordBuffer,
    journal: Option<JournalSink>,
}

/// What happened to a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PushOutcome {
    /// It was recorded.
    Accepted,
    /// Dropped: frames arrive faster than the maximum rate.
    OverRate,
    /// Dropped: its time is not after that of the last frame. A live source may stutter, so this is not an error.
    OutOfOrder,
}

/// The state of a recorder.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RecorderStatus {
    /// The number of recorded frames.
    pub frame_count: u64,
    /// The number of markers.
    pub marker_count: u64,
    /// The duration so far.
    pub duration_secs: f64,
    /// The time of the last recorded frame, on the clock of the frames.
    pub last_secs: Option<f64>,
    /// Frames dropped because of the maximum rate.
    pub over_rate: u64,
    /// Frames dropped because they were not after the one before.
    pub out_of_order: u64,
    /// Poses and rays dropped because of non-finite values.
    pub not_finite: u64,
}

impl RecorderStatus {
    /// What was dropped as invalid, and how often.
    ///
    /// ```
    /// assert_eq!(holotape::record::RecorderStatus::default().losses().count(), 0);
    /// ```
    pub fn losses(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let losses = [
            ("dropped frames whose time is not after the previous frame", self.out_of_order),
            ("dropped poses and rays with non-finite values", self.not_finite),
        ];
        losses.into_iter().filter(|(_, count)| *count > 0)
    }
}

impl Recorder {
    /// Starts recording, and creates the journal if the options have one.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`](crate::ErrorKind::InvalidArgument) if an option is invalid;
    /// [`Io`](crate::ErrorKind::Io) if the journal cannot be written, or exists already: that is an unsaved take.
    pub fn start(options: RecorderOptions) -> Result<Self> {
        options.check()?;
        let RecorderOptions { max_rate_hz, keep_last_secs, channels, gaze_fallback, journal, direct_journal } = options;
        let create = |path: &Path| JournalSink::create(path, Header::new(channels, keep_last_secs), direct_journal);
        Ok(Self {
            filter: FrameFilter { channels, gaze_fallback, untracked_joints: false },
            rate_limiter: RateLimiter::new(max_rate_hz),
            keep_last_secs,
            first_secs: None,
            status: RecorderStatus::default(),
            record: Vec::new(),
            buffer: RecordBuffer::new(keep_last_secs),
            journal: journal.as_deref().map(create).transpose()?,
        })
    }

    /// Records a frame, unless it exceeds the maximum rate. When this returns [`PushOutcome::Accepted`], all earlier
    /// frames and markers are in the journal, and this frame is being written: if the process is killed, at most the
    /// last frame is lost. That does not cover a power failure. With
    /// [`direct_journal`](RecorderOptions::with_direct_journal), this frame is in the journal as well.
    ///
    /// Takes microseconds, however long the recording is. It waits for the disk only if the frame before is not
    /// written yet.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`](crate::ErrorKind::InvalidArgument) if the frame's time is not finite.
    /// [`Io`](crate::ErrorKind::Io), once, if writing the journal failed; this frame and the following ones are still
    /// recorded, without a journal.
    pub fn push(&mut self, frame: &Frame) -> Result<PushOutcome> {
        check_time("frame", frame.time)?;
        if self.status.last_secs.is_some_and(|last| frame.time <= last) {
            self.status.out_of_order += 1;
            return Ok(PushOutcome::OutOfOrder);
        }
        if !self.rate_limiter.accepts(frame.time) {
            self.status.over_rate += 1;
            return Ok(PushOutcome::OverRate);
        }
        self.update_status(frame.time);
        self.status.not_finite += self.filter.pack(frame, &mut self.record);
        self.store(Some(frame.time))?;
        Ok(PushOutcome::Accepted)
    }

    /// Adds a marker at a time on the clock of the frames. A marker before the first frame is at the start of the
    /// recording. With `keep_last_secs`, a marker is dropped with the frame before it.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`](crate::ErrorKind::InvalidArgument) if the time is not finite,
    /// [`LimitExceeded`](crate::ErrorKind::LimitExceeded) if the name has more than 65,527 bytes, and as with
    /// [`push`](Self::push) if the journal cannot be written.
    pub fn add_marker(&mut self, time_secs: f64, name: &str) -> Result<()> {
        check_time("marker", time_secs)?;
        check_name(name)?;
        pack_marker(time_secs, name, &mut self.record);
        self.status.marker_count += 1;
        self.store(None)
    }

    /// The state of the recorder.
    #[must_use]
    pub fn status(&self) -> RecorderStatus {
        self.status
    }

    /// The memory that the recording uses, in bytes.
    #[must_use]
    pub fn byte_len(&self) -> usize {
        self.buffer.byte_len()
    }

    /// The number of frames and markers that are not in the journal: the last may be being written; all of them after
    /// writing failed. 0 without a journal.
    #[cfg_attr(not(feature = "stream"), expect(dead_code, reason = "used by streams"))]
    pub(crate) fn pending_records(&self) -> u64 {
        self.journal.as_ref().map_or(0, JournalSink::pending)
    }

    /// Stops recording. The journal stays until the recording is saved.
    ///
    /// Builds the curves, which takes tenths of a second for ten minutes of frames. A recorder can be sent to another
    /// thread, to be stopped and saved there.
    #[must_use]
    pub fn stop(self) -> FinishedRecording {
        let (recording, frame_count) = build_recording::build_recording(self.buffer, self.filter.channels);
        FinishedRecording::new(recording, frame_count, self.journal)
    }

    /// Stops recording and discards the take and its journal.
    ///
    /// # Errors
    /// If the journal cannot be removed.
    pub fn discard(self) -> Result<()> {
        self.journal.map_or(Ok(()), |journal| journal.finish().0.remove())
    }

    fn update_status(&mut self, time_secs: f64) {
        let duration_secs = time_secs - *self.first_secs.get_or_insert(time_secs);
        self.status.duration_secs = duration_secs.min(self.keep_last_secs.unwrap_or(f64::INFINITY));
        self.status.last_secs = Some(time_secs);
        self.status.frame_count += 1;
    }

    fn store(&mut self, frame_secs: Option<f64>) -> Result<()> {
        self.buffer.push(&self.record, frame_secs);
        self.journal.as_mut().map_or(Ok(()), |journal| journal.append(&self.record, frame_secs))
    }
}

fn check_time(thing: &str, time_secs: f64) -> Result<()> {
    if is_time(time_secs) {
        return Ok(());
    }
    Err(Error::invalid_argument(format!("invalid time of a {thing}: {time_secs:?} s")))
}
