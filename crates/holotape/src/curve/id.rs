//! Which curve of a recording is meant, and the one name it has everywhere.

use std::fmt;
use std::str::FromStr;

use crate::format::Channels;
use crate::hand::UnknownName;
use crate::{Hand, Joint};

/// A component of a pose.
///
/// ```
/// assert_eq!(holotape::PoseComponent::ALL[6].name(), "rotation.w");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum PoseComponent {
    PositionX,
    PositionY,
    PositionZ,
    RotationX,
    RotationY,
    RotationZ,
    RotationW,
}

impl PoseComponent {
    /// All components, in the order of the file.
    pub const ALL: [Self; 7] = [
        Self::PositionX,
        Self::PositionY,
        Self::PositionZ,
        Self::RotationX,
        Self::RotationY,
        Self::RotationZ,
        Self::RotationW,
    ];

    /// The last part of a curve name, `rotation.w` for example.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PositionX => "position.x",
            Self::PositionY => "position.y",
            Self::PositionZ => "position.z",
            Self::RotationX => "rotation.x",
            Self::RotationY => "rotation.y",
            Self::RotationZ => "rotation.z",
            Self::RotationW => "rotation.w",
        }
    }
}

/// A component of a ray.
///
/// ```
/// assert_eq!(holotape::RayComponent::ALL[5].name(), "direction.z");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum RayComponent {
    OriginX,
    OriginY,
    OriginZ,
    DirectionX,
    DirectionY,
    DirectionZ,
}

impl RayComponent {
    /// All components, in the order of the file.
    pub const ALL: [Self; 6] =
        [Self::OriginX, Self::OriginY, Self::OriginZ, Self::DirectionX, Self::DirectionY, Self::DirectionZ];

    /// The last part of a curve name, `direction.z` for example.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OriginX => "origin.x",
            Self::OriginY => "origin.y",
            Self::OriginZ => "origin.z",
            Self::DirectionX => "direction.x",
            Self::DirectionY => "direction.y",
            Self::DirectionZ => "direction.z",
        }
    }
}

/// Something that has a pose: the camera, or a joint of a hand. Shown and parsed as the start of its curves' names.
///
/// ```
/// use holotape::{Hand, Joint, PoseId};
///
/// assert_eq!(PoseId::Joint(Hand::Left, Joint::IndexTip).to_string(), "left.IndexTip");
/// assert_eq!("camera".parse(), Ok(PoseId::Camera));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PoseId {
    /// The head.
    Camera,
    /// A joint of a hand.
    Joint(Hand, Joint),
}

impl PoseId {
    /// The curve of one of its components.
    ///
    /// ```
    /// use holotape::{PoseId, PoseComponent};
    ///
    /// assert_eq!(PoseId::Camera.curve(PoseComponent::RotationW).to_string(), "camera.rotation.w");
    /// ```
    #[must_use]
    pub const fn curve(self, part: PoseComponent) -> CurveId {
        match self {
            Self::Camera => CurveId::Camera(part),
            Self::Joint(hand, joint) => CurveId::Joint(hand, joint, part),
        }
    }

    /// Whether this is the joint slot `None`, which holds no real joint.
    pub(crate) const fn is_none_slot(self) -> bool {
        matches!(self, Self::Joint(_, Joint::None))
    }
}

impl fmt::Display for PoseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Camera => f.pad("camera"),
            Self::Joint(hand, joint) => f.pad(&format!("{hand}.{joint}")),
        }
    }
}

#[cfg(feature = "json")]
impl serde::Serialize for PoseId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for PoseId {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let joint = || {
            let (hand, joint) = name.split_once('.')?;
            Some(Self::Joint(hand.parse().ok()?, joint.parse().ok()?))
        };
        if name == "camera" { Some(Self::Camera) } else { joint() }.ok_or_else(|| UnknownName::new("pose", name))
    }
}

/// One of the up to 395 curves of a recording. Shown and parsed as its name.
///
/// ```
/// use holotape::{CurveId, Hand, Joint, PoseComponent};
///
/// let id = CurveId::Joint(Hand::Left, Joint::IndexTip, PoseComponent::RotationW);
/// assert_eq!(id.to_string(), "left.IndexTip.rotation.w");
/// assert_eq!("left.IndexTip.rotation.w".parse(), Ok(id));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CurveId {
    /// A component of the camera's pose: `camera.position.x`.
    Camera(PoseComponent),
    /// Whether a hand was tracked: `left.tracked`.
    Tracked(Hand),
    /// Whether a hand was pinching: `right.pinching`.
    Pinching(Hand),
    /// A component of a joint's pose: `left.IndexTip.rotation.w`.
    Joint(Hand, Joint, PoseComponent),
    /// A component of the gaze ray: `gaze.direction.z`.
    Gaze(RayComponent),
}

impl CurveId {
    /// Every curve of a recording with these channels, in the order of the file.
    ///
    /// ```
    /// use holotape::{CurveId, format::Channels};
    ///
    /// assert_eq!(CurveId::all(Channels::ALL).count(), 395);
    /// ```
    pub fn all(channels: Channels) -> impl Iterator<Item = Self> {
        let camera = PoseComponent::ALL.into_iter().map(Self::Camera);
        let flags = Hand::ALL.into_iter().map(Self::Tracked);
        let flags = flags.chain(Hand::ALL.into_iter().map(Self::Pinching));
        let joints = Hand::ALL.into_iter().flat_map(|hand| {
            Joint::ALL
                .into_iter()
                .flat_map(move |joint| PoseComponent::ALL.into_iter().map(move |part| Self::Joint(hand, joint, part)))
        });
        let gaze = RayComponent::ALL.into_iter().map(Self::Gaze);
        camera
            .filter(move |_| channels.camera)
            .chain(flags.chain(joints).filter(move |_| channels.hands))
            .chain(gaze.filter(move |_| channels.gaze))
    }

    /// Whether this is one of the four curves that hold true or false.
    #[must_use]
    pub const fn is_bool(self) -> bool {
        matches!(self, Self::Tracked(_) | Self::Pinching(_))
    }

    /// The name with spaces for dots, as messages have it: `left IndexTip rotation.w`.
    pub(crate) fn spaced_name(self) -> String {
        match self {
            Self::Camera(part) => format!("camera {}", part.name()),
            Self::Tracked(hand) => format!("{hand} tracked"),
            Self::Pinching(hand) => format!("{hand} pinching"),
            Self::Joint(hand, joint, part) => format!("{hand} {joint} {}", part.name()),
            Self::Gaze(part) => format!("gaze {}", part.name()),
        }
    }
}

impl fmt::Display for CurveId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Camera(part) => write!(f, "camera.{}", part.name()),
            Self::Tracked(hand) => write!(f, "{hand}.tracked"),
            Self::Pinching(hand) => write!(f, "{hand}.pinching"),
            Self::Joint(hand, joint, part) => write!(f, "{hand}.{joint}.{}", part.name()),
            Self::Gaze(part) => write!(f, "gaze.{}", part.name()),
        }
    }
}

impl FromStr for CurveId {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        parse(name).ok_or_else(|| UnknownName::new("curve", name))
    }
}

fn parse(name: &str) -> Option<CurveId> {
    let (owner, rest) = name.split_once('.')?;
    match owner {
        "camera" => parse_pose_component(rest).map(CurveId::Camera),
        "gaze" => RayComponent::ALL.into_iter().find(|part| part.name() == rest).map(CurveId::Gaze),
        _ => {
            let hand = owner.parse().ok()?;
            match rest {
                "tracked" => Some(CurveId::Tracked(hand)),
                "pinching" => Some(CurveId::Pinching(hand)),
                _ => {
                    let (joint, part) = rest.split_once('.')?;
                    Some(CurveId::Joint(hand, joint.parse().ok()?, parse_pose_component(part)?))
                }
            }
        }
    }
}

fn parse_pose_component(name: &str) -> Option<PoseComponent> {
    PoseComponent::ALL.into_iter().find(|part| part.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_parse_back() {
        let ids: Vec<_> = CurveId::all(Channels::ALL).collect();
        let names: std::collections::HashSet<_> = ids.iter().map(ToString::to_string).collect();
        assert_eq!(names.len(), 395);
        for id in ids {
            assert_eq!(id.to_string().parse(), Ok(id));
        }
    }

    #[test]
    fn near_misses_are_refused() {
        for name in ["", "camera", "camera.", "camera.rotation.W", "left.", "left.Thumb.position.x", "gaze.position.x"]
        {
            assert!(name.parse::<CurveId>().is_err(), "{name}");
        }
    }
}
