//! Vectors: the three or four curves of a position, rotation, gaze origin or gaze direction.
//!
//! A vector only has a value where all of its components have one, so sampling, optimizing, checking and editing handle
//! its curves together. Recorders write all components at the same key times; [`vector_keys`] reads such curves as one
//! list of keys.

mod keys;
mod sign;

pub use keys::{VectorKey, vector_keys};
pub(crate) use keys::{curves_without_lost_w, has_lost_w, have_same_times, have_shared_times, is_w_lost};
pub use sign::{align_sign, is_sign_flip};

use std::fmt;

use crate::recording::poses_mut;
use crate::{BodyPart, Curve, CurveId, PoseComponent, PoseCurves, PoseId, RayComponent, RayCurves, Recording};

/// Identifies a vector of a recording. Displays as the common start of its curves' names.
///
/// ```
/// use holotape::{PoseId, VectorId};
///
/// assert_eq!(VectorId::Rotation(PoseId::Camera).to_string(), "camera.rotation");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VectorId {
    /// The position of the camera or of a joint.
    Position(PoseId),
    /// The rotation of the camera or of a joint.
    Rotation(PoseId),
    /// The origin of the gaze ray.
    GazeOrigin,
    /// The direction of the gaze ray.
    GazeDirection,
}

/// What the components of a vector mean together.
///
/// ```
/// use holotape::{VectorId, VectorKind};
///
/// assert_eq!(VectorId::GazeOrigin.kind(), VectorKind::Position);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VectorKind {
    /// A point: x, y, z in metres.
    Position,
    /// A unit quaternion: x, y, z, w. Its negative is the same rotation.
    Rotation,
    /// A unit vector: x, y, z.
    Direction,
}

/// The pose or ray that a vector belongs to. It has a value where both of its vectors have one.
///
/// ```
/// use holotape::{PoseId, VectorId, VectorOwner};
///
/// assert_eq!(VectorId::Rotation(PoseId::Camera).owner(), VectorOwner::Pose(PoseId::Camera));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VectorOwner {
    /// The camera or a joint.
    Pose(PoseId),
    /// The gaze ray.
    Gaze,
}

impl VectorId {
    /// The vector that a curve is a component of; `None` for flags.
    ///
    /// ```
    /// use holotape::{CurveId, Hand, VectorId};
    ///
    /// assert_eq!(VectorId::from_curve("gaze.direction.z".parse()?), Some(VectorId::GazeDirection));
    /// assert_eq!(VectorId::from_curve(CurveId::Tracked(Hand::Left)), None);
    /// # Ok::<(), holotape::UnknownName>(())
    /// ```
    #[must_use]
    pub fn from_curve(id: CurveId) -> Option<Self> {
        let of_pose = |pose, component| {
            if component < PoseComponent::RotationX { Self::Position(pose) } else { Self::Rotation(pose) }
        };
        match id {
            CurveId::Camera(component) => Some(of_pose(PoseId::Camera, component)),
            CurveId::Joint(hand, joint, component) => Some(of_pose(PoseId::Joint(hand, joint), component)),
            CurveId::Gaze(component) if component < RayComponent::DirectionX => Some(Self::GazeOrigin),
            CurveId::Gaze(_) => Some(Self::GazeDirection),
            CurveId::Tracked(_) | CurveId::Pinching(_) => None,
        }
    }

    /// What the components mean together.
    #[must_use]
    pub const fn kind(self) -> VectorKind {
        match self {
            Self::Position(_) | Self::GazeOrigin => VectorKind::Position,
            Self::Rotation(_) => VectorKind::Rotation,
            Self::GazeDirection => VectorKind::Direction,
        }
    }

    /// The pose or ray that the vector belongs to.
    #[must_use]
    pub const fn owner(self) -> VectorOwner {
        match self {
            Self::Position(pose) | Self::Rotation(pose) => VectorOwner::Pose(pose),
            Self::GazeOrigin | Self::GazeDirection => VectorOwner::Gaze,
        }
    }

    /// The body part that the vector belongs to.
    pub(crate) const fn body_part(self) -> BodyPart {
        match self.owner() {
            VectorOwner::Pose(PoseId::Camera) => BodyPart::Camera,
            VectorOwner::Pose(PoseId::Joint(hand, _)) => BodyPart::Hand(hand),
            VectorOwner::Gaze => BodyPart::Gaze,
        }
    }

    /// The curves of the components, in the order of the file.
    ///
    /// ```
    /// use holotape::VectorId;
    ///
    /// let names: Vec<_> = VectorId::GazeOrigin.curve_ids().iter().map(ToString::to_string).collect();
    /// assert_eq!(names, ["gaze.origin.x", "gaze.origin.y", "gaze.origin.z"]);
    /// ```
    #[must_use]
    pub fn curve_ids(self) -> Vec<CurveId> {
        let of_pose = |pose: PoseId, components: &[PoseComponent]| components.iter().map(|c| pose.curve(*c)).collect();
        let of_gaze = |components: &[RayComponent]| components.iter().copied().map(CurveId::Gaze).collect();
        match self {
            Self::Position(pose) => of_pose(pose, &PoseComponent::ALL[..3]),
            Self::Rotation(pose) => of_pose(pose, &PoseComponent::ALL[3..]),
            Self::GazeOrigin => of_gaze(&RayComponent::ALL[..3]),
            Self::GazeDirection => of_gaze(&RayComponent::ALL[3..]),
        }
    }

    /// Whether the vector belongs to the joint slot `None`, which holds no real joint.
    pub(crate) const fn is_none_slot(self) -> bool {
        matches!(self.owner(), VectorOwner::Pose(pose) if pose.is_none_slot())
    }
}

impl fmt::Display for VectorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position(id) => write!(f, "{id}.position"),
            Self::Rotation(id) => write!(f, "{id}.rotation"),
            Self::GazeOrigin => f.write_str("gaze.origin"),
            Self::GazeDirection => f.write_str("gaze.direction"),
        }
    }
}

#[cfg(feature = "json")]
impl serde::Serialize for VectorId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Recording {
    /// All vectors, in the order of the file.
    pub(crate) fn vectors(&self) -> impl Iterator<Item = (VectorId, &[Curve])> {
        let poses = self.poses().flat_map(|(id, PoseCurves { position, rotation })| {
            [(VectorId::Position(id), &position[..]), (VectorId::Rotation(id), &rotation[..])]
        });
        let gaze = self.gaze.iter().flat_map(|RayCurves { origin, direction }| {
            [(VectorId::GazeOrigin, &origin[..]), (VectorId::GazeDirection, &direction[..])]
        });
        poses.chain(gaze)
    }

    /// Mutable access to all vectors, in the order of the file.
    pub(crate) fn vectors_mut(&mut self) -> impl Iterator<Item = (VectorId, &mut [Curve])> {
        let Self { camera, hands, gaze, .. } = self;
        let poses = poses_mut(camera, hands).flat_map(|(id, PoseCurves { position, rotation })| {
            [(VectorId::Position(id), &mut position[..]), (VectorId::Rotation(id), &mut rotation[..])]
        });
        let gaze = gaze.iter_mut().flat_map(|RayCurves { origin, direction }| {
            [(VectorId::GazeOrigin, &mut origin[..]), (VectorId::GazeDirection, &mut direction[..])]
        });
        poses.chain(gaze)
    }

    /// The curves of a vector; empty if the recording does not have its channel.
    pub(crate) fn vector(&self, id: VectorId) -> &[Curve] {
        let curves = match id {
            VectorId::Position(pose) => self.pose(pose).map(|pose| &pose.position[..]),
            VectorId::Rotation(pose) => self.pose(pose).map(|pose| &pose.rotation[..]),
            VectorId::GazeOrigin => self.gaze.as_ref().map(|gaze| &gaze.origin[..]),
            VectorId::GazeDirection => self.gaze.as_ref().map(|gaze| &gaze.direction[..]),
        };
        curves.unwrap_or_default()
    }
}
