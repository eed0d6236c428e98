//! [`Recorder`]: frames in, a recording out.

use std::path::Path;

use super::encode::{FrameFilter, MAX_NAME_BYTES, is_time, pack_marker};
use super::journal::{Header, JournalThread};
use super::rate::RateLimiter;
use super::record_buffer::RecordBuffer;
use super::{FinishedRecording, RecorderOptions, build_recording};
use crate::Frame;
use crate::error::{Error, ErrorKind, Result};

/// Makes a recording of frames as they come.
///
/// Frames have times of whatever clock, of which the first becomes the start of the recording. A pose or ray that has
/// numbers which are none (NaN, infinities) is left out, and counted. Of the two quaternions of a rotation the one is
/// taken that is nearer to the one before. Of frames that are nearer to each other than the 32 bits of a key's time can
/// tell, which takes days, the first is kept.
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
/// recorder.marker(7.5, "half way")?;
/// assert_eq!(recorder.status().frames, 60);
///
/// let mut finished = recorder.stop();
/// assert_eq!(finished.recording.markers[0].time, 0.5);
/// assert!(finished.save(&path)?.is_empty()); // And only then the journal goes.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recorder {
    wanted: FrameFilter,
    rate_cap: RateLimiter,
    rolling_secs: Option<f64>,
    first_secs: Option<f64>,
    status: RecorderStatus,
    /// The record of the last frame or marker; kept for its memory.
    record: Vec<u8>,
    reel: RecordBuffer,
    journal: Option<JournalThread>,
}

/// What became of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PushOutcome {
    /// It is in the recording.
    Accepted,
    /// Left out: frames come faster than the highest rate.
    OverRate,
    /// Left out: its time is not after that of the last frame. A live source may stutter; that is no reason to stop.
    OutOfOrder,
}

/// How a recorder is getting on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RecorderStatus {
    /// Frames that were accepted.
    pub frames: u64,
    /// Markers that were set.
    pub markers: u64,
    /// How long the recording would be now.
    pub duration_secs: f64,
    /// The time of the last frame that was accepted, on the clock of the frames.
    pub last_secs: Option<f64>,
    /// Frames left out because of the highest rate.
    pub over_rate: u64,
    /// Frames left out because they were not after the one before.
    pub out_of_order: u64,
    /// Poses and rays left out because they had numbers that are none.
    pub not_finite: u64,
}

impl Recorder {
    /// Starts to record, and begins the journal if there is to be one.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] if the options make no sense; [`ErrorKind::Io`] if the journal cannot be written, or is
    /// there already: that is a recording which nobody has saved.
    pub fn start(options: RecorderOptions) -> Result<Self> {
        options.check()?;
        let RecorderOptions { max_rate_hz, keep_last_secs: rolling_secs, channels, gaze_fallback, journal } = options;
        let create = |path: &Path| JournalThread::create(path, Header::new(channels, rolling_secs));
        Ok(Self {
            wanted: FrameFilter { channels, gaze_fallback, untracked_joints: false },
            rate_cap: RateLimiter::new(max_rate_hz),
            rolling_secs,
            first_secs: None,
            status: RecorderStatus::default(),
            record: Vec::new(),
            reel: RecordBuffer::new(rolling_secs),
            journal: journal.as_deref().map(create).transpose()?,
        })
    }

    /// Takes a frame, unless it comes too soon. If there is a journal, every frame before this one is in it when this
    /// returns, and this one is on its way: whatever becomes of the process, nothing but the last frame is lost. That does
    /// not go for the end of the machine.
    ///
    /// Takes some microseconds, and never longer because the recording has become long. A disk that others keep busy is
    /// waited for only when it has not taken a frame by the time the next one comes.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] if the frame's time is not finite. [`ErrorKind::Io`], once, if the journal could not be
    /// written; the frame is recorded all the same, and so are those that follow, without a journal.
    pub fn push(&mut self, frame: &Frame) -> Result<PushOutcome> {
        check_time("frame", frame.time)?;
        if self.status.last_secs.is_some_and(|last| frame.time <= last) {
            self.status.out_of_order += 1;
            return Ok(PushOutcome::OutOfOrder);
        }
        if !self.rate_cap.accepts(frame.time) {
            self.status.over_rate += 1;
            return Ok(PushOutcome::OverRate);
        }
        self.update_status(frame.time);
        self.status.not_finite += self.wanted.pack(frame, &mut self.record);
        self.store(Some(frame.time))?;
        Ok(PushOutcome::Accepted)
    }

    /// Sets a marker, at a time on the clock of the frames. One before the first frame is at the start of the recording.
    /// With a rolling limit, a marker is forgotten with the frame that it came behind.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] if the time is not finite, [`ErrorKind::LimitExceeded`] if the name has more than 65,527
    /// bytes, and as with [`push`](Self::push) if the journal cannot be written.
    pub fn add_marker(&mut self, time_secs: f64, name: &str) -> Result<()> {
        check_time("marker", time_secs)?;
        if name.len() > MAX_NAME_BYTES {
            let message = format!("a marker's name has {} bytes; at most {MAX_NAME_BYTES} are possible", name.len());
            return Err(Error::new(ErrorKind::LimitExceeded, message));
        }
        pack_marker(time_secs, name, &mut self.record);
        self.status.markers += 1;
        self.store(None)
    }

    /// How it is going.
    #[must_use]
    pub fn status(&self) -> RecorderStatus {
        self.status
    }

    /// How much memory the recording takes, in bytes.
    #[must_use]
    pub fn byte_len(&self) -> usize {
        self.reel.byte_len()
    }

    /// How many frames and markers are not in the journal: the last may be on its way; more are not once it could not be
    /// written. None where there is no journal.
    #[cfg_attr(not(feature = "json"), expect(dead_code, reason = "streams ask for it"))]
    pub(crate) fn pending_records(&self) -> u64 {
        self.journal.as_ref().map_or(0, JournalThread::pending)
    }

    /// Ends the recording. The journal stays until it is saved.
    ///
    /// Curves are made here and not before, which takes some tenths of a second for ten minutes of frames. A recorder
    /// can be sent to another thread, to be stopped and saved there.
    #[must_use]
    pub fn stop(self) -> FinishedRecording {
        let (recording, frames) = build_recording::build_recording(self.reel, self.wanted.channels);
        FinishedRecording::new(recording, frames, self.journal)
    }

    /// Ends the recording and forgets it, its journal too.
    ///
    /// # Errors
    /// If the journal cannot be removed.
    pub fn discard(self) -> Result<()> {
        self.journal.map_or(Ok(()), |journal| journal.finish().0.remove())
    }

    fn update_status(&mut self, time_secs: f64) {
        let duration_secs = time_secs - *self.first_secs.get_or_insert(time_secs);
        self.status.duration_secs = duration_secs.min(self.rolling_secs.unwrap_or(f64::INFINITY));
        self.status.last_secs = Some(time_secs);
        self.status.frames += 1;
    }

    fn store(&mut self, frame_secs: Option<f64>) -> Result<()> {
        self.reel.push(&self.record, frame_secs);
        self.journal.as_mut().map_or(Ok(()), |journal| journal.append(&self.record, frame_secs))
    }
}

fn check_time(thing: &str, time_secs: f64) -> Result<()> {
    if is_time(time_secs) {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Invalid, format!("a {thing} cannot be at {time_secs:?} seconds")))
}
