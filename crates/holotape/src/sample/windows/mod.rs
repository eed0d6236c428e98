//! Recordings that are sampled window by window, so that their keys are not all in memory.
//!
//! A window has the keys around a span of time: those inside, and for each curve the next ones on both sides. Within that span
//! its values are those of the complete recording, bit for bit. This needs curves that clamp, with finite times in increasing
//! order, and vectors that the [sampler](crate::Sampler) evaluates with shared keys, as all known recorders write them. Other
//! recordings are one window.

mod file;
mod sampler;

pub use sampler::WindowSampler;

use std::borrow::Cow;
use std::fmt;
use std::io::{Read, Seek};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use self::file::KeyFile;
use super::have_shared_keys;
use crate::error::{Error, Result};
use crate::paths;
use crate::recording::CurveMut;
use crate::{BoolCurve, Curve, CurveId, CurveRef, FrameLimit, Keys, Recording};

/// A recording that is sampled in windows of time: its keys are in memory, or stay in a file until a window needs them.
///
/// The key times are in memory. Curves that share them share one list, so that these take little memory.
///
/// ```
/// use std::io::Cursor;
/// use holotape::WindowedRecording;
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(5.0).generate()?;
/// let in_file = WindowedRecording::from_reader(Cursor::new(recording.to_vec()?.0))?.with_max_window_keys(100);
/// let (mut windows, mut whole) = (in_file.sampler(), recording.sampler());
/// for time in whole.times_at_rate(60.0) {
///     assert_eq!(windows.frame_at(time)?, whole.frame_at(time));
/// }
/// # Ok::<(), holotape::Error>(())
/// ```
pub struct WindowedRecording<'a> {
    /// The complete recording, or the outline of a file.
    outline: Cow<'a, Recording>,
    /// The file of the keys that the outline does not have.
    file: Option<KeyFile>,
    key_times: OnceLock<KeyTimes>,
    is_windowable: OnceLock<bool>,
    are_linear: OnceLock<bool>,
    max_window_keys: usize,
}

/// The key times of each curve, in the order of the file.
type KeyTimes = Vec<Arc<[f32]>>;

/// More than a minute at 60 Hz: 13 MB of keys, twice that while the sampler of a window is built.
const MAX_WINDOW_KEYS: usize = 4096;

impl<'a> WindowedRecording<'a> {
    /// Samples a recording in memory. Windows save the copy of all keys that [`Recording::sampler`] makes.
    #[must_use]
    pub fn new(recording: &'a Recording) -> Self {
        Self::from_complete(Cow::Borrowed(recording))
    }

    fn from_complete(recording: Cow<'a, Recording>) -> Self {
        Self {
            outline: recording,
            file: None,
            key_times: OnceLock::new(),
            is_windowable: OnceLock::new(),
            are_linear: OnceLock::new(),
            max_window_keys: MAX_WINDOW_KEYS,
        }
    }

    /// Sets the maximum number of keys per curve in a window, besides the next ones on both sides. By default 4096.
    #[must_use]
    pub fn with_max_window_keys(self, max_window_keys: usize) -> Self {
        Self { max_window_keys: max_window_keys.max(1), ..self }
    }

    /// The recording without most of its keys: format, channels, wrap modes, flags and markers, and the first and the last key
    /// of each other curve. A recording in memory is returned as it is.
    ///
    /// ```
    /// use holotape::WindowedRecording;
    ///
    /// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
    /// let in_file = WindowedRecording::from_reader(std::io::Cursor::new(recording.to_vec()?.0))?;
    /// assert_eq!(in_file.outline().duration_secs(), 1.0);
    /// assert_eq!(in_file.outline().camera.as_ref().unwrap().position[0].keys.len(), 2);
    /// # Ok::<(), holotape::Error>(())
    /// ```
    #[must_use]
    pub fn outline(&self) -> &Recording {
        &self.outline
    }

    /// The key times of all curves, in stored order. Curves that share them share the slice, if they are neighbours.
    ///
    /// ```
    /// use holotape::WindowedRecording;
    ///
    /// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
    /// let windowed = WindowedRecording::new(&recording);
    /// for ((id, curve), (same_id, times)) in recording.curves().zip(windowed.key_times()) {
    ///     assert!(id == same_id && curve.key_times().eq(times.iter().copied()));
    /// }
    /// # Ok::<(), holotape::Error>(())
    /// ```
    pub fn key_times(&self) -> impl Iterator<Item = (CurveId, &[f32])> {
        CurveId::all(self.outline.channels()).zip(self.key_time_lists()).map(|(id, times)| (id, &**times))
    }

    fn key_time_lists(&self) -> &KeyTimes {
        self.key_times.get_or_init(|| {
            let mut lists = KeyTimes::new();
            self.outline.curves().for_each(|(_, curve)| push_key_times(&mut lists, curve));
            lists
        })
    }

    /// Whether all curves are linear between their keys.
    #[must_use]
    pub fn are_linear(&self) -> bool {
        *self.are_linear.get_or_init(|| self.outline.vectors().all(|(_, curves)| are_linear(curves)))
    }

    /// How many frames may be sampled.
    #[must_use]
    pub fn frame_limit(&self) -> FrameLimit {
        match &self.file {
            None => FrameLimit::for_recording(&self.outline),
            Some(file) => FrameLimit::for_bytes(file.byte_len()),
        }
    }

    /// The complete recording. Reads all keys if they are in a file.
    ///
    /// # Errors
    /// If reading fails.
    pub fn to_recording(&self) -> Result<Cow<'_, Recording>> {
        match &self.file {
            None => Ok(Cow::Borrowed(&self.outline)),
            Some(file) => file.read_all(&self.outline).map(Cow::Owned),
        }
    }

    /// A sampler, which has the values of [`Recording::sampler`].
    #[must_use]
    pub fn sampler(&self) -> WindowSampler<'_> {
        WindowSampler::new(self)
    }

    /// Whether there can be several windows.
    fn has_windows(&self) -> bool {
        let is_long = || self.outline.curves().any(|(_, curve)| curve.key_count() > self.max_window_keys);
        self.file.is_some() || is_long() && *self.is_windowable.get_or_init(|| is_windowable(&self.outline))
    }

    /// The keys from a time up to another, or fewer, and the last time up to which they suffice.
    fn window_at(&self, start_secs: f64, last_secs: f64) -> Result<(Recording, f64)> {
        let lists = self.key_time_lists();
        let counts: Vec<_> = lists.iter().map(|times| keys_before(times, |time| time <= start_secs)).collect();
        let end_of = |(times, count): (&Arc<[f32]>, &usize)| times.get(count + self.max_window_keys).copied();
        let max_end_secs = last_secs.max(start_secs).next_up();
        let end_secs = lists.iter().zip(&counts).filter_map(end_of).map(f64::from).fold(max_end_secs, f64::min);
        let range_of = |curve: usize| {
            let times = &lists[curve];
            let next = keys_before(times, |time| time < end_secs);
            // A curve of one key has a value at NaN, and one of several keys has none.
            counts[curve].saturating_sub(1)..times.len().min(next.max(1) + 1)
        };
        let window = match &self.file {
            None => slice_keys(&self.outline, range_of),
            Some(file) => file.read_keys(range_of)?,
        };
        Ok((window, if end_secs.is_finite() { end_secs.next_down() } else { end_secs }))
    }
}

impl WindowedRecording<'static> {
    /// Opens an input animation. Its keys stay in the file if it can be sampled in windows.
    ///
    /// # Errors
    /// As with [`Recording::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let open = || Self::from_reader(paths::open(path)?);
        let recording = open().map_err(|error: Error| error.with_path(path))?;
        Ok(Self { file: recording.file.map(|file| file.with_path(path)), ..recording })
    }

    /// Reads an input animation from a seekable reader, as from a file.
    ///
    /// # Errors
    /// As with [`ReadOptions::from_seekable_reader`](crate::format::ReadOptions::from_seekable_reader).
    pub fn from_reader(reader: impl Read + Seek + Send + 'static) -> Result<Self> {
        file::open(Box::new(reader))
    }
}

impl fmt::Debug for WindowedRecording<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { outline, file, max_window_keys, .. } = self;
        let mut debug = f.debug_struct("WindowedRecording");
        debug.field("outline", outline).field("is_in_file", &file.is_some());
        debug.field("max_window_keys", max_window_keys).finish_non_exhaustive()
    }
}

/// Adds the key times of a curve; they are those of the previous one if they are equal.
fn push_key_times(lists: &mut KeyTimes, curve: CurveRef<'_>) {
    let is_same = |last: &&Arc<[f32]>| last.len() == curve.key_count() && curve.key_times().eq(last.iter().copied());
    let list = lists.last().filter(is_same).map_or_else(|| curve.key_times().collect(), Arc::clone);
    lists.push(list);
}

/// The number of keys up to the first one for which `is_before` is false.
fn keys_before(times: &[f32], is_before: impl Fn(f64) -> bool) -> usize {
    times.partition_point(|time| is_before((*time).into()))
}

fn is_windowable(recording: &Recording) -> bool {
    let flags =
        || recording.curves().all(|(_, curve)| !matches!(curve, CurveRef::Bool(curve) if !is_flag_windowable(curve)));
    recording.vectors().all(|(_, curves)| is_vector_windowable(curves)) && flags()
}

/// Whether a window of these curves has the same values. A vector has no values if a component has no keys.
fn is_vector_windowable(curves: &[Curve]) -> bool {
    let is_incomplete = || curves.iter().any(|curve| curve.keys.is_empty());
    let are_sorted = || curves.iter().all(|curve| are_increasing(curve.keys.iter().map(|key| key.time)));
    have_shared_keys(curves) || is_incomplete() && are_sorted()
}

fn is_flag_windowable(curve: &BoolCurve) -> bool {
    !CurveRef::Bool(curve).repeats() && are_increasing(curve.keys.iter().map(|key| key.time))
}

/// Whether times are finite and do not decrease.
fn are_increasing(mut times: impl Iterator<Item = f32>) -> bool {
    let mut last = f32::NEG_INFINITY;
    times.all(|time| time.is_finite() && std::mem::replace(&mut last, time) <= time)
}

fn are_linear(curves: &[Curve]) -> bool {
    curves.iter().all(|curve| curve.keys.are_linear())
}

/// Copies a range of the keys of each curve, by its position in the order of the file.
fn slice_keys(recording: &Recording, range_of: impl Fn(usize) -> Range<usize>) -> Recording {
    let mut slice = Recording::with_channels(recording.channels());
    for (index, ((_, from), to)) in recording.curves().zip(slice.curves_mut()).enumerate() {
        let range = range_of(index);
        match (from, to) {
            (CurveRef::Float(from), CurveMut::Float(to)) => {
                let keys = match &from.keys {
                    Keys::Linear(keys) => Keys::Linear(keys[range].to_vec()),
                    Keys::Bezier(keys) => Keys::Bezier(keys[range].to_vec()),
                };
                *to = Curve { keys, ..*from };
            }
            (CurveRef::Bool(from), CurveMut::Bool(to)) => *to = BoolCurve { keys: from.keys[range].to_vec(), ..*from },
            _ => {}
        }
    }
    slice
}
