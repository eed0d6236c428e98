//! Motion statistics: paths, speeds, tracked spans, pinches, fixations and saccades.

mod gaze;
mod metric;
mod movement;
mod pinch;

pub use gaze::{Fixation, GazeStats};
pub use metric::{Metric, MetricValue};
pub use movement::MovementStats;
pub use pinch::PinchStats;

use self::gaze::GazeBuilder;
use self::movement::MovementBuilder;
use crate::curve::total_secs;
use crate::error::Result;
use crate::{Frame, FrameLimit, Hand, Joint, Recording, check_rate_hz, times_at_rate};

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
        let duration_secs = f64::from(recording.duration_secs());
        let mut head = MovementBuilder::default();
        let mut palms = [MovementBuilder::default(); 2];
        let joints = Hand::ALL.map(|hand| reference_joint(recording, hand));
        for_each_frame(recording, options.path_rate_hz, |frame| {
            head.push(frame.time, frame.camera.as_ref());
            for ((palm, hand), joint) in palms.iter_mut().zip(Hand::ALL).zip(joints) {
                palm.push(frame.time, frame.hand(hand).and_then(|hand| hand.joint(joint?)).as_ref());
            }
        })?;
        let [left, right] = Hand::ALL.map(|hand| {
            let curves = recording.hands.as_ref().map(|_| recording.hand(hand))?;
            let tracked = curves.tracked.spans_within_secs(duration_secs);
            let tracked_secs = total_secs(&tracked);
            Some(HandStats {
                tracked_fraction: if duration_secs > 0.0 { tracked_secs / duration_secs } else { 0.0 },
                tracked_secs,
                tracked_span_count: tracked.len(),
                movement: palms[hand as usize].finish(),
                pinches: PinchStats::new(&curves.pinching.spans_within_secs(duration_secs)),
            })
        });
        let (gaze, fixations) = analyze_gaze(recording, options)?.unzip();
        let head = head.has_poses().then(|| head.finish());
        let stats = Self { duration_secs, head, left, right, gaze, marker_count: recording.markers.len() };
        Ok((stats, fixations.unwrap_or_default()))
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
    Ok(analyze_gaze(recording, options)?.map(|(_, fixations)| fixations).unwrap_or_default())
}

fn analyze_gaze(recording: &Recording, options: &StatsOptions) -> Result<Option<(GazeStats, Vec<Fixation>)>> {
    let mut gaze = GazeBuilder::new(options);
    if recording.gaze.is_some() {
        for_each_frame(recording, options.gaze_rate_hz, |frame| gaze.push(frame))?;
    }
    Ok(gaze.finish())
}

/// The joint whose movement is that of the hand.
fn reference_joint(recording: &Recording, hand: Hand) -> Option<Joint> {
    let has_keys = |joint: &Joint| !recording.hand(hand).joint(*joint).position[0].keys.is_empty();
    [Joint::Palm, Joint::Wrist].into_iter().find(has_keys)
}

fn for_each_frame(recording: &Recording, rate_hz: f64, mut each: impl FnMut(&Frame)) -> Result<()> {
    check_rate_hz(rate_hz)?;
    let duration = f64::from(recording.duration_secs());
    FrameLimit::for_recording(recording).check(duration, rate_hz)?;
    let mut sampler = recording.sampler();
    let mut frame = Frame::default();
    for time in times_at_rate(0.0..=duration, rate_hz) {
        sampler.frame_into(time, &mut frame);
        each(&frame);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoolCurve, LinearKey, Summary};

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
