//! Body parts, and summaries of their curves.

use super::CurveSummary;
use crate::{CurveId, Hand};

/// A body part: the head, a hand or the gaze.
///
/// ```
/// use holotape::{BodyPart, Hand};
///
/// assert_eq!(BodyPart::Hand(Hand::Left).name(), "left");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BodyPart {
    /// The head.
    Camera,
    /// A hand.
    Hand(Hand),
    /// The gaze.
    Gaze,
}

impl BodyPart {
    /// All body parts: head, left hand, right hand, gaze.
    pub const ALL: [Self; 4] = [Self::Camera, Self::Hand(Hand::Left), Self::Hand(Hand::Right), Self::Gaze];

    /// Returns the name, which is also the first part of the names of its curves.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Camera => "camera",
            Self::Hand(hand) => hand.name(),
            Self::Gaze => "gaze",
        }
    }

    /// Returns the body part that a curve belongs to.
    #[must_use]
    pub const fn from_curve(id: CurveId) -> Self {
        match id {
            CurveId::Camera(_) => Self::Camera,
            CurveId::Tracked(hand) | CurveId::Pinching(hand) | CurveId::Joint(hand, ..) => Self::Hand(hand),
            CurveId::Gaze(_) => Self::Gaze,
        }
    }
}

/// The curves of a body part that have keys, without the flags of a hand.
///
/// ```
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(3.0).generate()?;
/// use holotape::{BodyPart, Summary};
///
/// let camera = Summary::from_recording(&recording).body_part(BodyPart::Camera).unwrap();
/// assert_eq!(camera.curve_count, 7);
/// assert!((59.0..61.0).contains(&camera.rate_hz.unwrap()));
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct BodyPartSummary {
    /// Number of curves with keys.
    pub curve_count: usize,
    /// Number of keys of all curves.
    pub key_count: u64,
    /// Number of keys of the curve with the fewest.
    pub min_key_count: u32,
    /// Number of keys of the curve with the most.
    pub max_key_count: u32,
    /// Mean number of keys per second and curve; `None` if no curve has two keys.
    pub rate_hz: Option<f64>,
    /// Earliest time of a first key; `None` if there are no keys.
    pub start_secs: Option<f32>,
    /// Latest time of a last key; `None` if there are no keys.
    pub end_secs: Option<f32>,
}

impl BodyPartSummary {
    pub(super) fn new(curves: &[&CurveSummary]) -> Self {
        let with_keys = || curves.iter().filter(|curve| curve.key_count > 0);
        Self {
            curve_count: with_keys().count(),
            key_count: with_keys().map(|curve| u64::from(curve.key_count)).sum(),
            min_key_count: with_keys().map(|curve| curve.key_count).min().unwrap_or(0),
            max_key_count: with_keys().map(|curve| curve.key_count).max().unwrap_or(0),
            rate_hz: rate_hz(curves),
            start_secs: with_keys().map(|curve| curve.start_secs).reduce(f32::min),
            end_secs: with_keys().map(|curve| curve.end_secs).reduce(f32::max),
        }
    }
}

/// Returns the mean number of keys per second and curve.
fn rate_hz(curves: &[&CurveSummary]) -> Option<f64> {
    let several = curves.iter().filter(|curve| curve.key_count > 1);
    let (steps, secs) = several.fold((0.0, 0.0), |(steps, secs), curve| {
        (steps + f64::from(curve.key_count - 1), secs + f64::from(curve.end_secs) - f64::from(curve.start_secs))
    });
    (secs > 0.0).then_some(steps / secs)
}
