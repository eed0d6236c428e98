//! What somebody did, in numbers: how far and how fast, how often they pinched, where the eyes rested.

mod gaze;
mod movement;
mod pinch;

pub use gaze::{Fixation, GazeStats};
pub use movement::MovementStats;
pub use pinch::PinchStats;

use self::gaze::GazeBuilder;
use self::movement::MovementBuilder;
use crate::error::{Error, ErrorKind, Result};
use crate::{Frame, Hand, Joint, Recording, Summary, times_at_rate};

/// More than nine days at 60 frames a second: nobody recorded that.
const MAX_SAMPLES: f64 = 5e7;

/// How numbers are made of motion.
///
/// ```
/// use holotape::stats::StatsOptions;
///
/// let options = StatsOptions::new().with_saccade_deg_per_sec(70.0);
/// assert_eq!(options.saccade_deg_per_sec(), 70.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StatsOptions {
    travel_rate_hz: f64,
    gaze_rate_hz: f64,
    saccade_deg_per_sec: f64,
    shortest_fixation_secs: f64,
}

impl Default for StatsOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl StatsOptions {
    /// Paths at 15 positions a second, eyes at 60 rays a second, of which more than 30° a second is a saccade and 60 ms
    /// of less is a fixation.
    #[must_use]
    pub const fn new() -> Self {
        Self { travel_rate_hz: 15.0, gaze_rate_hz: 60.0, saccade_deg_per_sec: 30.0, shortest_fixation_secs: 0.06 }
    }

    /// How many positions a second make a path. The tremor of a device adds to every step, so more of them make a
    /// longer path: half a millimetre 60 times a second is two metres a minute.
    #[must_use]
    pub const fn with_path_rate_hz(self, travel_rate_hz: f64) -> Self {
        Self { travel_rate_hz, ..self }
    }

    /// How many rays a second tell saccades from fixations.
    #[must_use]
    pub const fn with_gaze_rate_hz(self, gaze_rate_hz: f64) -> Self {
        Self { gaze_rate_hz, ..self }
    }

    /// From which speed on the eyes jump.
    #[must_use]
    pub const fn with_saccade_deg_per_sec(self, saccade_deg_per_sec: f64) -> Self {
        Self { saccade_deg_per_sec, ..self }
    }

    /// For how long the eyes have to rest to count.
    #[must_use]
    pub const fn with_min_fixation_secs(self, shortest_fixation_secs: f64) -> Self {
        Self { shortest_fixation_secs, ..self }
    }

    /// From which speed on the eyes jump.
    #[must_use]
    pub const fn saccade_deg_per_sec(&self) -> f64 {
        self.saccade_deg_per_sec
    }
}

/// What somebody did, in numbers.
///
/// ```
/// # let take = holotape::demo::DemoOptions::new().generate()?;
/// use holotape::stats::{Stats, StatsOptions};
///
/// let stats = Stats::of(&take, &StatsOptions::new())?;
/// let right = stats.right.unwrap();
/// println!("the right hand went {:.2} m and pinched {} times", right.travel.path_m, right.pinches.count);
/// # assert!(right.travel.path_m > 0.1 && right.pinches.count > 0);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Stats {
    /// How long the recording is.
    pub duration_secs: f64,
    /// How the head went.
    pub head: Option<MovementStats>,
    /// What the left hand did.
    pub left: Option<HandStats>,
    /// What the right hand did.
    pub right: Option<HandStats>,
    /// What the eyes did.
    pub gaze: Option<GazeStats>,
    /// How many markers there are.
    pub marker_count: usize,
}

/// What a hand did while it was tracked.
///
/// ```
/// # let take = holotape::demo::DemoOptions::new().with_seconds(3.0).generate()?;
/// # let stats = holotape::stats::Stats::of(&take, &Default::default())?;
/// let left = stats.left.unwrap();
/// assert!((0.0..=1.0).contains(&left.tracked_share));
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct HandStats {
    /// The share of the recording in which the device saw the hand.
    pub tracked_fraction: f64,
    /// For how long the device saw the hand.
    pub tracked_secs: f64,
    /// How many times the device found the hand.
    pub tracked_span_count: usize,
    /// How the palm went, or the wrist where there is no palm; what it did untracked does not count.
    pub travel: MovementStats,
    /// How it pinched.
    pub pinches: PinchStats,
}

impl Stats {
    /// The numbers of a recording.
    ///
    /// # Errors
    /// If the recording is so long that nobody can have recorded it, or a rate is not a number above 0.
    pub fn from_recording(recording: &Recording, options: &StatsOptions) -> Result<Self> {
        let summary = Summary::from_recording(recording);
        let duration_secs = f64::from(summary.duration_secs);
        let mut head = MovementBuilder::default();
        let mut palms = [MovementBuilder::default(); 2];
        let centres = Hand::ALL.map(|hand| reference_joint(recording, hand));
        for_each_frame(recording, options.travel_rate_hz, |frame| {
            head.push(frame.time, frame.camera.as_ref());
            for ((travel, hand), joint) in palms.iter_mut().zip(Hand::ALL).zip(centres) {
                travel.push(frame.time, frame.hand(hand).and_then(|hand| hand.joint(joint?)).as_ref());
            }
        })?;
        let [left, right] = Hand::ALL.map(|hand| {
            recording.hands.is_some().then(|| HandStats {
                tracked_fraction: summary.fraction(summary.hand(hand).tracked.total_secs),
                tracked_secs: summary.hand(hand).tracked.total_secs,
                tracked_span_count: summary.hand(hand).tracked.count,
                travel: palms[hand as usize].finish(),
                pinches: PinchStats::of(&recording.hand(hand).pinching, duration_secs),
            })
        });
        let gaze = analyze_gaze(recording, options)?.map(|(gaze, _)| gaze);
        let head = head.has_poses().then(|| head.finish());
        Ok(Self { duration_secs, head, left, right, gaze, marker_count: recording.markers.len() })
    }
}

/// The rests of the eyes, in order of time: those that [`GazeStats`] counts. None if the eyes were not recorded.
///
/// ```
/// # let take = holotape::demo::DemoOptions::new().generate()?;
/// use holotape::stats::{StatsOptions, fixations};
///
/// assert!(fixations(&take, &StatsOptions::new())?.iter().all(|rest| rest.to_secs - rest.from_secs >= 0.06));
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If the recording is so long that nobody can have recorded it, or a rate is not a number above 0.
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

/// The joint that stands for a hand.
fn reference_joint(recording: &Recording, hand: Hand) -> Option<Joint> {
    let has_keys = |joint: &Joint| !recording.hand(hand).joint(*joint).position[0].keys.is_empty();
    [Joint::Palm, Joint::Wrist].into_iter().find(has_keys)
}

fn for_each_frame(recording: &Recording, rate_hz: f64, mut each: impl FnMut(&Frame)) -> Result<()> {
    if !(rate_hz > 0.0 && rate_hz.is_finite()) {
        return Err(Error::new(ErrorKind::Invalid, format!("{rate_hz} times a second is no rate")));
    }
    let duration = f64::from(recording.duration_secs());
    if duration * rate_hz > MAX_SAMPLES {
        let message = format!("{duration} s at {rate_hz} frames a second are too many to go through");
        return Err(Error::new(ErrorKind::LimitExceeded, message));
    }
    let mut sampler = recording.sampler();
    let mut frame = Frame::default();
    for time in times_at_rate(0.0..=duration, rate_hz) {
        sampler.frame_into(time, &mut frame);
        each(&frame);
    }
    Ok(())
}
