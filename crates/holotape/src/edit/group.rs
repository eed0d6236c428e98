//! Curves that belong together: a position, a rotation, a direction.

use super::editable_curve::EditableCurve;
use super::rotation;
use crate::format::Channels;
use crate::{Curve, Hand, Joint, PoseCurves, PoseId, Recording};

/// Which curves of a recording.
#[derive(Clone, Copy, Debug)]
pub(super) enum VectorId {
    Position(PoseId),
    Rotation(PoseId),
    GazeOrigin,
    GazeDirection,
}

impl VectorId {
    /// Every group of a recording with these channels.
    pub(super) fn all(channels: Channels) -> impl Iterator<Item = Self> {
        let camera = [PoseId::Camera].into_iter().filter(move |_| channels.camera);
        let joints = Hand::ALL.into_iter().flat_map(|hand| Joint::ALL.map(|joint| PoseId::Joint(hand, joint)));
        let poses = camera.chain(joints.filter(move |_| channels.hands));
        let gaze = [Self::GazeOrigin, Self::GazeDirection].into_iter().filter(move |_| channels.gaze);
        poses.flat_map(|pose| [Self::Position(pose), Self::Rotation(pose)]).chain(gaze)
    }

    /// Its curves; none if the recording does not have the channel.
    pub(super) fn get(self, recording: &Recording) -> &[Curve] {
        let curves: Option<&[Curve]> = match self {
            Self::Position(id) => pose(recording, id).map(|pose| &pose.position[..]),
            Self::Rotation(id) => pose(recording, id).map(|pose| &pose.rotation[..]),
            Self::GazeOrigin => recording.gaze.as_ref().map(|gaze| &gaze.origin[..]),
            Self::GazeDirection => recording.gaze.as_ref().map(|gaze| &gaze.direction[..]),
        };
        curves.unwrap_or_default()
    }

    /// Puts curves in the place of its own, if the recording has the channel.
    pub(super) fn set(self, recording: &mut Recording, curves: Vec<Curve>) {
        let places = match self {
            Self::Position(id) => pose_mut(recording, id).map(|pose| &mut pose.position[..]),
            Self::Rotation(id) => pose_mut(recording, id).map(|pose| &mut pose.rotation[..]),
            Self::GazeOrigin => recording.gaze.as_mut().map(|gaze| &mut gaze.origin[..]),
            Self::GazeDirection => recording.gaze.as_mut().map(|gaze| &mut gaze.direction[..]),
        };
        for (place, curve) in places.into_iter().flatten().zip(curves) {
            *place = curve;
        }
    }

    /// Its curves to work on. Rotations run plainly from key to key as they are sampled.
    pub(super) fn editable_curves(self, recording: &Recording) -> Vec<EditableCurve> {
        let curves = self.get(recording);
        let mut strands: Vec<_> = curves.iter().map(EditableCurve::new).collect();
        if self.is_rotation() {
            rotation::align_signs(curves, &mut strands);
        }
        strands
    }

    /// Curves that are sampled as these run.
    pub(super) fn curves(self, strands: Vec<EditableCurve>) -> Vec<Curve> {
        let curves: Vec<_> = strands.into_iter().map(EditableCurve::into_curve).collect();
        if self.is_rotation() { rotation::insert_sign_keys(curves) } else { curves }
    }

    pub(super) const fn is_rotation(self) -> bool {
        matches!(self, Self::Rotation(_))
    }
}

fn pose(recording: &Recording, id: PoseId) -> Option<&PoseCurves> {
    match id {
        PoseId::Camera => recording.camera.as_ref(),
        PoseId::Joint(hand, joint) => recording.hands.is_some().then(|| recording.hand(hand).joint(joint)),
    }
}

fn pose_mut(recording: &mut Recording, id: PoseId) -> Option<&mut PoseCurves> {
    match id {
        PoseId::Camera => recording.camera.as_mut(),
        PoseId::Joint(hand, joint) => recording.hands.is_some().then(|| recording.hand_mut(hand).joint_mut(joint)),
    }
}
