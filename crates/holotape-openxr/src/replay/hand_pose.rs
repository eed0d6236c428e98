//! Poses of a recorded hand as OpenXR's inputs have them.

use glam::{DMat3, DQuat, DVec3};
use holotape::{Hand, HandFrame, Joint};

use crate::rigid::Rigid;

/// A pose input of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HandPose {
    /// Where a held object is.
    Grip,
    /// Where the hand points.
    Aim,
    /// The middle between the tips of thumb and index finger.
    Pinch,
    /// The tip of the index finger.
    Poke,
    /// The palm.
    Palm,
}

impl HandPose {
    /// The pose of an input such as `grip/pose`.
    pub(super) fn of_input(input: &str) -> Option<Self> {
        match input {
            "grip/pose" => Some(Self::Grip),
            "aim/pose" => Some(Self::Aim),
            "pinch_ext/pose" => Some(Self::Pinch),
            "poke_ext/pose" => Some(Self::Poke),
            "palm_ext/pose" | "grip_surface/pose" => Some(Self::Palm),
            _ => None,
        }
    }

    /// The pose, if the joints that it depends on were recorded.
    pub(super) fn of_hand(self, hand: Hand, frame: &HandFrame) -> Option<Rigid> {
        let joint = |joint| frame.joint(joint).map(Rigid::from_unity);
        let palm = || joint(Joint::Palm).or_else(|| joint(Joint::Wrist));
        match self {
            Self::Palm => palm(),
            Self::Grip => palm().map(|palm| Rigid { rotation: palm.rotation * grip_rotation(hand), ..palm }),
            Self::Aim => {
                let (palm, knuckle) = (palm()?, joint(Joint::IndexKnuckle).or_else(palm)?);
                Some(Rigid { position: knuckle.position, ..palm })
            }
            Self::Poke => joint(Joint::IndexTip),
            Self::Pinch => {
                let (thumb, index) = (joint(Joint::ThumbTip)?, joint(Joint::IndexTip)?);
                let rotation = palm().map_or(index.rotation, |palm| palm.rotation);
                Some(Rigid { rotation, position: thumb.position.midpoint(index.position) })
            }
        }
    }
}

/// The rotation from the palm, whose −z is along the fingers and y out of the back of the hand, to the grip, whose −z
/// is from the little finger to the thumb, and whose x is out of the left palm and into the right one.
fn grip_rotation(hand: Hand) -> DQuat {
    let side = if hand == Hand::Left { -1.0 } else { 1.0 };
    DQuat::from_mat3(&DMat3::from_cols(DVec3::Y * side, DVec3::Z, DVec3::X * side))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grip_points_to_the_thumb() {
        for hand in Hand::ALL {
            let rotation = grip_rotation(hand);
            // Palm down, fingers forward: the thumb of the left hand is to the right.
            let to_thumb = if hand == Hand::Left { DVec3::X } else { DVec3::NEG_X };
            assert!((rotation * DVec3::NEG_Z).distance(to_thumb) < 1e-9, "{hand}");
            assert!((rotation.length() - 1.0).abs() < 1e-9, "{hand}: not a rotation");
        }
    }
}
