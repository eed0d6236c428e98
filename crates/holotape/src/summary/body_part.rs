//! The parts of a recording, each with what its curves have together.

use super::CurveSummary;
use crate::{CurveId, Hand, PoseComponent};

/// A part of a recording as people think of it.
///
/// ```
/// use holotape::{Hand, Part};
///
/// assert_eq!(Part::Hand(Hand::Left).name(), "left");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BodyPart {
    /// The pose of the head.
    Camera,
    /// A hand.
    Hand(Hand),
    /// The ray of the eyes.
    Gaze,
}

impl BodyPart {
    /// Every part, in the order of people: head, hands, eyes.
    pub const ALL: [Self; 4] = [Self::Camera, Self::Hand(Hand::Left), Self::Hand(Hand::Right), Self::Gaze];

    /// What the names of its curves begin with.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Camera => "camera",
            Self::Hand(hand) => hand.name(),
            Self::Gaze => "gaze",
        }
    }

    /// The part that a curve belongs to.
    #[must_use]
    pub const fn from_curve(id: CurveId) -> Self {
        match id {
            CurveId::Camera(_) => Self::Camera,
            CurveId::Tracked(hand) | CurveId::Pinching(hand) | CurveId::Joint(hand, ..) => Self::Hand(hand),
            CurveId::Gaze(_) => Self::Gaze,
        }
    }
}

/// The curves of a part that have keys, taken together; without the flags of a hand.
///
/// ```
/// # let take = holotape::demo::DemoOptions::new().with_seconds(3.0).generate()?;
/// use holotape::{Part, Summary};
///
/// let camera = Summary::of(&take).part(Part::Camera).unwrap();
/// assert_eq!(camera.curve_count, 7);
/// assert!((59.0..61.0).contains(&camera.rate_hz.unwrap()));
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct BodyPartSummary {
    /// How many curves have keys.
    pub curve_count: usize,
    /// How many keys they have together.
    pub key_count: u64,
    /// The fewest keys of one of them.
    pub fewest_keys: u32,
    /// The most keys of one of them.
    pub most_keys: u32,
    /// Keys a second on average; nothing if no curve has two keys.
    pub rate_hz: Option<f64>,
    /// The earliest time of a first key; nothing if there are no keys.
    pub start_secs: Option<f32>,
    /// The latest time of a last key; nothing if there are no keys.
    pub end_secs: Option<f32>,
    /// Poses whose rotation has lost its w: one key there, and several in x, y and z. MRTK 2.6.0 to 2.7.2 wrote such
    /// recordings; their rotations are wrong.
    pub rotations_without_w: usize,
}

impl BodyPartSummary {
    pub(super) fn new(curves: &[&CurveSummary]) -> Self {
        let with_keys = || curves.iter().filter(|curve| curve.key_count > 0);
        Self {
            curve_count: with_keys().count(),
            key_count: with_keys().map(|curve| u64::from(curve.key_count)).sum(),
            fewest_keys: with_keys().map(|curve| curve.key_count).min().unwrap_or(0),
            most_keys: with_keys().map(|curve| curve.key_count).max().unwrap_or(0),
            rate_hz: rate_hz(curves),
            start_secs: with_keys().map(|curve| curve.start_secs).reduce(f32::min),
            end_secs: with_keys().map(|curve| curve.end_secs).reduce(f32::max),
            rotations_without_w: curves.windows(2).filter(|pair| has_lost_w(pair[0], pair[1])).count(),
        }
    }
}

/// Keys a second on average.
fn rate_hz(curves: &[&CurveSummary]) -> Option<f64> {
    let several = curves.iter().filter(|curve| curve.key_count > 1);
    let (steps, secs) = several.fold((0.0, 0.0), |(steps, secs), curve| {
        (steps + f64::from(curve.key_count - 1), secs + f64::from(curve.end_secs) - f64::from(curve.start_secs))
    });
    (secs > 0.0).then_some(steps / secs)
}

/// Whether of a rotation's neighbouring curves z and w, w has one key and z has several.
fn has_lost_w(z: &CurveSummary, w: &CurveSummary) -> bool {
    let is_w =
        matches!(w.id, CurveId::Camera(PoseComponent::RotationW) | CurveId::Joint(_, _, PoseComponent::RotationW));
    is_w && w.key_count == 1 && z.key_count > 1
}
