//! Joint functions that several formats need.

use holotape::{Hand, HandFrame, Joint, Pose, Recording, Skeleton, construct_missing};

use crate::{Loss, LossKind};

/// The ancestors of a joint up to the wrist, nearest first.
pub(crate) fn towards_wrist(joint: Joint) -> impl Iterator<Item = Joint> {
    std::iter::successors(joint.parent(), |joint| joint.parent())
}

/// The WebXR name of a joint; `palm` for the palm, which WebXR does not have.
pub(crate) fn name(joint: Joint) -> &'static str {
    Skeleton::WebXr.joint_name(joint).unwrap_or("palm")
}

/// Whether a radius is the one that this crate writes, up to rounding in files.
pub(crate) fn is_typical_radius(joint: Joint, radius_m: f64) -> bool {
    (f64::from(joint.typical_radius_m()) - radius_m).abs() <= 1e-5
}

/// The hand of a recording with all joints, for formats whose hands have every joint or none.
#[derive(Clone, Debug)]
pub(crate) struct CompleteHand {
    hand: Hand,
    /// Joints without keys, which are constructed in every frame.
    missing: Vec<Joint>,
}

impl CompleteHand {
    /// `None` if the hand has no wrist: without one, nothing can be constructed.
    pub(crate) fn new(recording: &Recording, hand: Hand) -> Option<Self> {
        let has_keys = |joint: Joint| recording.hand(hand).joint(joint).pose_at(0.0).is_some();
        let missing = Joint::ALL.into_iter().skip(1).filter(|joint| !has_keys(*joint)).collect();
        has_keys(Joint::Wrist).then_some(Self { hand, missing })
    }

    /// The joints of a frame in Unity's space, also the constructed ones; `None` if a joint lacks a finite pose.
    pub(crate) fn joints(&self, frame: &HandFrame) -> Option<[Option<Pose>; Joint::COUNT]> {
        let is_usable =
            |joint: &Joint| self.missing.contains(joint) || frame.joint(*joint).is_some_and(|pose| pose.is_finite());
        if !Joint::ALL[1..].iter().all(is_usable) {
            return None;
        }
        let mut joints = frame.joints;
        if !self.missing.is_empty() {
            construct_missing(&mut joints);
        }
        Some(joints)
    }

    /// The joints of the skeleton that are constructed.
    pub(crate) fn loss(&self, skeleton: Skeleton) -> Option<Loss> {
        let constructed = self.missing.iter().filter(|joint| skeleton.index(**joint).is_some());
        let names: Vec<_> = constructed.map(|joint| joint.name()).collect();
        let message =
            || format!("invented {} of the {} hand: {skeleton} requires all joints", names.join(", "), self.hand);
        (!names.is_empty()).then(|| Loss::new(LossKind::Invented, message()))
    }
}
