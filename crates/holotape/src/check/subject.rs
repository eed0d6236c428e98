//! [`Subject`]: what a finding or repair entry is about.

use std::fmt;

use crate::{CurveId, Hand, Joint, PoseId};

/// What a [`Finding`](super::Finding) or a [`RepairEntry`](super::RepairEntry) is about.
///
/// ```
/// use holotape::check::Subject;
/// use holotape::{Hand, Joint, PoseId};
///
/// assert_eq!(Subject::Pose(PoseId::Joint(Hand::Left, Joint::Wrist)).to_string(), "left.Wrist");
/// assert_eq!(Subject::Joints { hand: Hand::Left, count: 26 }.to_string(), "left (26 joints)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Subject {
    /// The file itself.
    File,
    /// One curve.
    Curve(CurveId),
    /// The camera, or one joint.
    Pose(PoseId),
    /// Several joints of a hand.
    Joints {
        /// Which hand.
        hand: Hand,
        /// How many of its joints.
        count: usize,
    },
    /// Both flags of a hand, tracked and pinching.
    Flags(Hand),
    /// The gaze ray.
    Gaze,
    /// The marker list.
    Markers,
}

impl Subject {
    /// The curve, the pose or the hand that all of the curves belong to.
    pub(crate) fn from_curves(ids: &[CurveId]) -> Self {
        match ids {
            [] => Self::File,
            [id] => Self::Curve(*id),
            [first, ..] => Self::from_many(*first, ids),
        }
    }

    fn from_many(first: CurveId, ids: &[CurveId]) -> Self {
        match first {
            CurveId::Camera(_) => Self::Pose(PoseId::Camera),
            CurveId::Gaze(_) => Self::Gaze,
            CurveId::Tracked(hand) | CurveId::Pinching(hand) => Self::Flags(hand),
            CurveId::Joint(hand, joint, _) => {
                let mut joints: Vec<_> = ids.iter().filter_map(|id| joint_of(*id)).collect();
                joints.sort_unstable();
                joints.dedup();
                match joints.len() {
                    1 => Self::Pose(PoseId::Joint(hand, joint)),
                    count => Self::Joints { hand, count },
                }
            }
        }
    }

    /// The number of joints, for several joints of a hand.
    #[must_use]
    pub const fn joint_count(self) -> Option<usize> {
        match self {
            Self::Joints { count, .. } => Some(count),
            _ => None,
        }
    }

    /// The name without the number of joints: `left`, `gaze`, `left.Wrist`, `camera.rotation.w`.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::File => "file".to_owned(),
            Self::Curve(id) => id.to_string(),
            Self::Pose(id) => id.to_string(),
            Self::Joints { hand, .. } | Self::Flags(hand) => hand.to_string(),
            Self::Gaze => "gaze".to_owned(),
            Self::Markers => "markers".to_owned(),
        }
    }
}

fn joint_of(id: CurveId) -> Option<Joint> {
    match id {
        CurveId::Joint(_, joint, _) => Some(joint),
        _ => None,
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())?;
        match self {
            Self::Joints { count, .. } => write!(f, " ({count} joints)"),
            Self::Flags(_) => f.write_str(" (both flags)"),
            _ => Ok(()),
        }
    }
}
