//! MCAP: a message log for Foxglove, Rerun and other robotics tools.
//!
//! Messages use Foxglove's protobuf schemas, which the file contains, so that any MCAP reader can decode them. Chunks are
//! compressed with zstd and indexed.
//!
//! | Topic | Schema | Contents |
//! |---|---|---|
//! | `/tf` | `foxglove.FrameTransforms` | the camera and the joints of tracked hands, as a tree of frames |
//! | `/tf_static` | `foxglove.FrameTransforms` | the frame `map`, one message |
//! | `/camera` | `foxglove.PoseInFrame` | the head; it looks along -z |
//! | `/left/joints`, `/right/joints` | `foxglove.PosesInFrame` | the joints of a tracked hand; `joints` in the channel's metadata has their names in this order |
//! | `/left/state`, `/right/state` | JSON | `time`, `tracked`, `pinching` |
//! | `/hands` | `foxglove.SceneUpdate` | the bones of tracked hands as lines |
//! | `/gaze` | `foxglove.PoseInFrame` | the gaze; it looks along +x, as viewers draw arrows |
//! | `/markers` | `foxglove.Log` | the markers |
//!
//! Topics without messages are omitted. While a hand is not tracked it has no joint messages and no frames in `/tf`, and
//! its bones are deleted.
//!
//! # Coordinates
//!
//! All poses are in the frame `world`: metres, right-handed, x right, y up, -z forward, as in glTF and WebXR. Frames of
//! hands have names like `left/Wrist` and `left/IndexTip`; their parent is the previous joint, that of the wrist is
//! `world`. The parent of `world` is the frame `map` with x forward, y left and z up: viewers look for this name and
//! display z upwards, so people stand upright without further settings.

mod chunk;
mod encoder;
mod file;
mod log;
mod message;
mod protobuf;
mod record;
#[cfg(test)]
mod reference;
mod skeleton;
mod topics;

use std::collections::BTreeMap;
use std::io::Write;

use ::mcap::McapError;
use holotape::text::pluralize;
use holotape::{Error, ErrorKind, Joint, Marker, Recording, Result, WindowedRecording};

use self::log::LogWriter;
use crate::frame_losses::{self, FrameCapabilities};
use crate::{LossKind, Losses, Timing};

const MAP: &str = "map";
const WORLD: &str = "world";
const CAMERA: &str = "camera";

/// Options for writing a log.
///
/// ```
/// use holotape_convert::Timing;
/// use holotape_convert::mcap::McapOptions;
///
/// let options = McapOptions::new().with_timing(Timing::Rate(30.0)).with_start_time_ns(1_700_000_000_000_000_000);
/// assert_ne!(options, McapOptions::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct McapOptions {
    timing: Timing,
    start_time_ns: u64,
}

impl McapOptions {
    /// The defaults: messages at each key time, and a log that starts at 0.
    #[must_use]
    pub const fn new() -> Self {
        Self { timing: Timing::Keys, start_time_ns: 0 }
    }

    /// Sets the message times.
    #[must_use]
    pub const fn with_timing(self, timing: Timing) -> Self {
        Self { timing, ..self }
    }

    /// Sets the start of the recording in nanoseconds since 1970, to synchronize it with other logs.
    #[must_use]
    pub const fn with_start_time_ns(self, start_time_ns: u64) -> Self {
        Self { start_time_ns, ..self }
    }
}

/// Writes a recording as a log, and returns what it cannot represent. See the [module](self) for the topics.
///
/// ```
/// use holotape_convert::mcap::{self, McapOptions};
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let mut bytes = Vec::new();
/// let losses = mcap::write(&recording, &McapOptions::new(), &mut bytes)?;
/// assert!(losses.is_empty());
/// assert!(bytes.starts_with(b"\x89MCAP0\r\n"));
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If writing fails, or the timing is [invalid](Timing::times).
pub fn write(recording: &Recording, options: &McapOptions, out: impl Write) -> Result<Losses> {
    write_windowed(&WindowedRecording::new(recording), options, out)
}

/// The same for a recording whose keys may be in a file.
pub(crate) fn write_windowed(
    recording: &WindowedRecording<'_>,
    options: &McapOptions,
    out: impl Write,
) -> Result<Losses> {
    let start_ns = options.start_time_ns;
    let times = options.timing.windowed_times(recording)?;
    let mut log = LogWriter::new(recording, start_ns, out)?;
    log.metadata("holotape", &metadata(recording.outline()))?;
    let mut frames = frames_in_log(&times, start_ns);
    loop {
        let frames: Vec<_> = frames.by_ref().take(log::BATCH_FRAMES).collect();
        if frames.is_empty() {
            break;
        }
        log.frames(&frames)?;
    }
    let undirected = log.finish()?;
    let mut losses = frame_losses::frame_losses(recording, FrameCapabilities::default());
    losses.push_if(undirected > 0, LossKind::Gaze, || {
        format!("dropped the gaze of {}: it has no direction", pluralize(undirected, "frame"))
    });
    add_time_losses(&mut losses, recording.outline(), &times, start_ns);
    losses.extend(options.timing.loss(recording, &times)?);
    Ok(losses)
}

/// The log time, in nanoseconds, of a time of the recording; `None` before time 0 and if it exceeds 64 bits.
fn log_time_ns(start_ns: u64, time_secs: f64) -> Option<u64> {
    let ns = (time_secs * 1e9).round();
    // `u64::MAX as f64` is 2^64: the largest float below it fits.
    let fits = time_secs >= 0.0 && ns < u64::MAX as f64;
    fits.then_some(ns as u64).and_then(|ns| start_ns.checked_add(ns))
}

/// Adds the losses of frames and markers at times that a log cannot represent.
fn add_time_losses(losses: &mut Losses, recording: &Recording, times: &[f64], start_ns: u64) {
    // Frames before time 0 are reported by `frame_losses`.
    let frames = times.iter().filter(|time| **time >= 0.0 && log_time_ns(start_ns, **time).is_none()).count();
    losses.push_if(frames > 0, LossKind::Resampled, || {
        format!("dropped {} beyond the range of log times", pluralize(frames, "frame"))
    });
    let markers = recording.markers.iter().filter(|marker| log_time_ns(start_ns, marker.time.into()).is_none()).count();
    losses.push_if(markers > 0, LossKind::Markers, || {
        format!("dropped {} before time 0 or beyond the range of log times", pluralize(markers, "marker"))
    });
}

/// The frame times in the log and in the recording. Frames before time 0 are replaced by one at 0.
fn frames_in_log(times: &[f64], start_ns: u64) -> impl Iterator<Item = (u64, f64)> {
    let (before, after) = times.split_at(times.partition_point(|time| *time < 0.0));
    let start = (!before.is_empty() && after.first() != Some(&0.0)).then_some(0.0);
    start.into_iter().chain(after.iter().copied()).filter_map(move |time| Some((log_time_ns(start_ns, time)?, time)))
}

/// Markers sorted by time.
fn markers_in_log<'a>(recording: &'a Recording, start_ns: u64) -> Vec<(u64, &'a Marker)> {
    let timed = |marker: &'a Marker| Some((log_time_ns(start_ns, marker.time.into())?, marker));
    let mut markers: Vec<_> = recording.markers.iter().filter_map(timed).collect();
    markers.sort_by_key(|(time_ns, _)| *time_ns);
    markers
}

/// Facts about the recording that the messages do not contain.
fn metadata(recording: &Recording) -> BTreeMap<String, String> {
    let layout = recording.format.layout;
    let entries = [
        ("format", format!("MRTK input animation {}, {} keys", layout.version(), layout.keys())),
        ("duration_secs", recording.duration_secs().to_string()),
        ("units", "metres, seconds, unit quaternions".to_owned()),
        ("space", "world: right-handed, x right, y up, -z forward; map: x forward, y left, z up".to_owned()),
        ("joints", Joint::ALL[1..].iter().map(|joint| joint.name()).collect::<Vec<_>>().join(",")),
    ];
    entries.map(|(key, value)| (key.to_owned(), value)).into()
}

pub(crate) fn mcap_error(error: McapError) -> Error {
    match error {
        McapError::Io(error) => error.into(),
        other => Error::new(ErrorKind::Io, other.to_string()),
    }
}
