//! Identifiers of curves and poses, and their names.

use std::fmt;
use std::str::FromStr;

use crate::format::Channels;
use crate::hand::UnknownName;
use crate::{Hand, Joint};

named_enum! {
    /// A component of a pose. Its name is the end of the curve name.
    ///
    /// ```
    /// assert_eq!(holotape::PoseComponent::ALL[6].name(), "rotation.w");
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[expect(missing_docs, reason = "the names say it")]
    pub enum PoseComponent: name {
        PositionX = "position.x",
        PositionY = "position.y",
        PositionZ = "position.z",
        RotationX = "rotation.x",
        RotationY = "rotation.y",
        RotationZ = "rotation.z",
        RotationW = "rotation.w",
    }
}

named_enum! {
    /// A component of a ray. Its name is the end of the curve name.
    ///
    /// ```
    /// assert_eq!(holotape::RayComponent::ALL[5].name(), "direction.z");
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[expect(missing_docs, reason = "the names say it")]
    pub enum RayComponent: name {
        OriginX = "origin.x",
        OriginY = "origin.y",
        OriginZ = "origin.z",
        DirectionX = "direction.x",
        DirectionY = "direction.y",
        DirectionZ = "direction.z",
    }
}

/// Identifies a pose: the camera's, or that of a joint. Displays and parses as the common start of its curves' names.
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
    pub const fn curve(self, component: PoseComponent) -> CurveId {
        match self {
            Self::Camera => CurveId::Camera(component),
            Self::Joint(hand, joint) => CurveId::Joint(hand, joint, component),
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

/// Identifies one of the up to 395 curves of a recording. Displays and parses as its name.
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
    /// Whether a hand is tracked: `left.tracked`.
    Tracked(Hand),
    /// Whether a hand pinches: `right.pinching`.
    Pinching(Hand),
    /// A component of a joint's pose: `left.IndexTip.rotation.w`.
    Joint(Hand, Joint, PoseComponent),
    /// A component of the gaze ray: `gaze.direction.z`.
    Gaze(RayComponent),
}

impl CurveId {
    /// All curves of a recording with these channels, in the order of the file.
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
            Joint::ALL.into_iter().flat_map(move |joint| {
                PoseComponent::ALL.into_iter().map(move |component| Self::Joint(hand, joint, component))
            })
        });
        let gaze = RayComponent::ALL.into_iter().map(Self::Gaze);
        camera
            .filter(move |_| channels.camera)
            .chain(flags.chain(joints).filter(move |_| channels.hands))
            .chain(gaze.filter(move |_| channels.gaze))
    }

    /// Whether this is one of the four boolean curves.
    #[must_use]
    pub const fn is_bool(self) -> bool {
        matches!(self, Self::Tracked(_) | Self::Pinching(_))
    }

    /// The name with spaces, for messages: `left IndexTip rotation.w`.
    pub(crate) fn spaced_name(self) -> String {
        match self {
            Self::Camera(component) => format!("camera {component}"),
            Self::Tracked(hand) => format!("{hand} tracked"),
            Self::Pinching(hand) => format!("{hand} pinching"),
            Self::Joint(hand, joint, component) => format!("{hand} {joint} {component}"),
            Self::Gaze(component) => format!("gaze {component}"),
        }
    }
}

impl fmt::Display for CurveId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Camera(component) => write!(f, "camera.{component}"),
            Self::Tracked(hand) => write!(f, "{hand}.tracked"),
            Self::Pinching(hand) => write!(f, "{hand}.pinching"),
            Self::Joint(hand, joint, component) => write!(f, "{hand}.{joint}.{component}"),
            Self::Gaze(component) => write!(f, "gaze.{component}"),
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
        "gaze" => RayComponent::ALL.into_iter().find(|component| component.name() == rest).map(CurveId::Gaze),
        _ => {
            let hand = owner.parse().ok()?;
            match rest {
                "tracked" => Some(CurveId::Tracked(hand)),
                "pinching" => Some(CurveId::Pinching(hand)),
                _ => {
                    let (joint, component) = rest.split_once('.')?;
                    Some(CurveId::Joint(hand, joint.parse().ok()?, parse_pose_component(component)?))
                }
            }
        }
    }
}

fn parse_pose_component(name: &str) -> Option<PoseComponent> {
    PoseComponent::ALL.into_iter().find(|component| component.name() == name)
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
    fn misspelled_names_are_rejected() {
        for name in ["", "camera", "camera.", "camera.rotation.W", "left.", "left.Thumb.position.x", "gaze.position.x"]
        {
            assert!(name.parse::<CurveId>().is_err(), "{name}");
        }
    }
}
