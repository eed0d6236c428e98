//! Motion statistics: paths, speeds, tracked spans, pinches, fixations and saccades.

mod gaze;
mod measured;
mod metric;
mod movement;
mod pinch;

pub use gaze::{Fixation, GazeStats};
pub use metric::{Metric, MetricValue};
pub use movement::MovementStats;
pub use pinch::PinchStats;

use std::io::{Read, Seek};

use self::measured::MeasuredCurves;
use crate::error::Result;
use crate::format::Index;
use crate::{FrameLimit, Recording};

options! {
    /// Sampling rates and thresholds of the statistics.
    ///
    /// ```
    /// use holotape::stats::StatsOptions;
    ///
    /// let options = StatsOptions::new().with_saccade_deg_per_sec(70.0);
    /// assert_eq!(options.saccade_deg_per_sec(), 70.0);
    /// ```
    pub struct StatsOptions {
        /// The rate at which positions are sampled for paths. By default 15 Hz. Sensor noise adds to every step, so a
        /// higher rate gives a longer path: noise of 0.5 mm at 60 Hz adds about two metres per minute.
        with_path_rate_hz(path_rate_hz: f64) = 15.0,
        /// The rate at which the gaze is sampled. By default 60 Hz.
        with_gaze_rate_hz(gaze_rate_hz: f64) = 60.0,
        /// The speed above which the gaze is in a saccade. By default 30°/s.
        with_saccade_deg_per_sec(saccade_deg_per_sec: f64) = 30.0,
        /// The minimum duration of a fixation. By default 60 ms.
        with_min_fixation_secs(min_fixation_secs: f64) = 0.06,
    }
}

impl StatsOptions {
    /// Returns the speed above which the gaze is in a saccade.
    #[must_use]
    pub const fn saccade_deg_per_sec(&self) -> f64 {
        self.saccade_deg_per_sec
    }
}

/// Motion statistics of a recording. As JSON it is one flat object, with the names of [`Metric`].
///
/// ```
/// # let recording = holotape::demo::DemoOptions::new().generate()?;
/// use holotape::stats::{Stats, StatsOptions};
///
/// let stats = Stats::from_recording(&recording, &StatsOptions::new())?;
/// let right = stats.right.unwrap();
/// println!("path of the right hand: {:.2} m, {} pinches", right.movement.path_m, right.pinches.count);
/// # assert!(right.movement.path_m > 0.1 && right.pinches.count > 0);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Stats {
    /// Duration of the recording.
    pub duration_secs: f64,
    /// Movement of the head; `None` if it has no poses.
    pub head: Option<MovementStats>,
    /// The left hand; `None` if hands were not recorded.
    pub left: Option<HandStats>,
    /// The right hand; `None` if hands were not recorded.
    pub right: Option<HandStats>,
    /// The gaze; `None` if it was not recorded.
    pub gaze: Option<GazeStats>,
    /// Number of markers.
    pub marker_count: usize,
}

/// Statistics of a hand.
///
/// ```
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(3.0).generate()?;
/// # let stats = holotape::stats::Stats::from_recording(&recording, &Default::default())?;
/// let left = stats.left.unwrap();
/// assert!((0.0..=1.0).contains(&left.tracked_fraction));
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct HandStats {
    /// Fraction of the recording in which the hand is tracked.
    pub tracked_fraction: f64,
    /// Total length of the tracked spans.
    pub tracked_secs: f64,
    /// Number of tracked spans.
    pub tracked_span_count: usize,
    /// Movement of the palm, or of the wrist if there is no palm, while the hand is tracked.
    pub movement: MovementStats,
    /// Pinches.
    pub pinches: PinchStats,
}

impl Stats {
    /// Computes the statistics of a recording.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`](crate::ErrorKind::InvalidArgument) if a rate is not finite and greater than 0;
    /// [`ErrorKind::LimitExceeded`](crate::ErrorKind::LimitExceeded) if the recording exceeds the [`FrameLimit`] at that
    /// rate.
    pub fn from_recording(recording: &Recording, options: &StatsOptions) -> Result<Self> {
        Ok(Self::with_fixations(recording, options)?.0)
    }

    /// Computes the statistics of a recording, and returns the fixations that they count, as [`fixations`] does.
    ///
    /// ```
    /// # let recording = holotape::demo::DemoOptions::new().generate()?;
    /// use holotape::stats::{Stats, StatsOptions};
    ///
    /// let (stats, fixations) = Stats::with_fixations(&recording, &StatsOptions::new())?;
    /// assert_eq!(stats.gaze.unwrap().fixation_count, fixations.len());
    /// # Ok::<(), holotape::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Stats::from_recording`].
    pub fn with_fixations(recording: &Recording, options: &StatsOptions) -> Result<(Self, Vec<Fixation>)> {
        MeasuredCurves::of_recording(recording).stats(options)
    }

    /// Computes the statistics of an input animation, and reads only the curves that they need. The result is that of
    /// [`from_recording`](Self::from_recording).
    ///
    /// ```
    /// # let recording = holotape::demo::DemoOptions::new().generate()?;
    /// use std::io::Cursor;
    /// use holotape::stats::{Stats, StatsOptions};
    ///
    /// let (bytes, _) = recording.to_vec()?;
    /// let stats = Stats::from_reader(Cursor::new(bytes), &StatsOptions::new())?;
    /// assert_eq!(stats, Stats::from_recording(&recording, &StatsOptions::new())?);
    /// # Ok::<(), holotape::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Stats::from_recording`], or if reading fails, or the bytes are not a complete, well-formed input animation.
    pub fn from_reader(mut reader: impl Read + Seek, options: &StatsOptions) -> Result<Self> {
        let (index, duration_secs) = Index::from_reader_with_duration(&mut reader)?;
        let recording = index.read_curves_from(&mut reader, measured::is_measured)?;
        let curves = MeasuredCurves {
            recording: &recording,
            duration_secs: duration_secs.into(),
            limit: FrameLimit::for_bytes(index.byte_len()),
            marker_count: index.marker_count(),
        };
        Ok(curves.stats(options)?.0)
    }
}

/// Returns the fixations that [`GazeStats`] counts, in order of time; none if the gaze was not recorded.
///
/// ```
/// # let recording = holotape::demo::DemoOptions::new().generate()?;
/// use holotape::stats::{StatsOptions, fixations};
///
/// let fixations = fixations(&recording, &StatsOptions::new())?;
/// assert!(fixations.iter().all(|fixation| fixation.end_secs - fixation.start_secs >= 0.06));
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// As [`Stats::from_recording`].
pub fn fixations(recording: &Recording, options: &StatsOptions) -> Result<Vec<Fixation>> {
    let gaze = MeasuredCurves::of_recording(recording).gaze(options)?;
    Ok(gaze.map(|(_, fixations)| fixations).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoolCurve, Hand, LinearKey, Summary};

    #[test]
    fn summary_and_statistics_count_the_same_pinches() {
        let cases: [&[(f32, f32)]; 4] = [
            &[(0.0, 0.0), (10.0, 1.0)],
            &[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0), (2.0, 1.0), (10.0, 0.0)],
            &[(0.0, 1.0), (10.0, 0.0), (10.0, 1.0)],
            &[(0.0, 0.0), (4.0, 1.0), (5.0, 0.0), (9.0, 1.0), (10.0, 1.0)],
        ];
        for (keys, count) in cases.into_iter().zip([0, 1, 1, 2]) {
            let mut recording = Recording::default();
            let curve: BoolCurve = keys.iter().map(|&(time, value)| LinearKey::new(time, value)).collect();
            recording.hand_mut(Hand::Right).pinching = curve;
            let pinches = Stats::from_recording(&recording, &StatsOptions::new()).unwrap().right.unwrap().pinches;
            let summary = Summary::from_recording(&recording).hand(Hand::Right).pinching.clone();
            assert_eq!((summary.count, summary.total_secs), (pinches.count, pinches.total_secs), "{keys:?}");
            assert_eq!(pinches.count, count, "{keys:?}");
        }
    }
}
