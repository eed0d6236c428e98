//! The joints that a skeleton lacks, constructed from those that it has.

use glam::{DQuat, DVec3};

use crate::{Joint, Pose};

/// Where a missing metacarpal is placed between the wrist and the knuckle: the share that it has in an adult's hand.
const METACARPAL_FRACTION: f64 = 0.35;

/// Gives each joint of a hand without a pose one that is constructed from the others, and returns these joints. Without a
/// wrist, nothing is constructed. [`Joint::None`] stays as it is.
///
/// - A metacarpal is placed on the line from the wrist to the next joint, at 35 % of the way. Its rotation is that of the
///   wrist, turned so that the bone points to the next joint.
/// - The palm is in the middle between the middle finger's metacarpal and its knuckle, with the rotation of the metacarpal,
///   as in OpenXR.
/// - Every other joint has the pose of the previous one, towards the wrist.
///
/// ```
/// use holotape::{Joint, Pose, construct_missing};
///
/// let mut joints = [None; Joint::COUNT];
/// joints[Joint::Wrist.index()] = Some(Pose::IDENTITY);
/// joints[Joint::MiddleKnuckle.index()] = Some(Pose { position: [0.0, 0.0, 0.1], ..Pose::IDENTITY });
/// let constructed = construct_missing(&mut joints);
/// assert_eq!(constructed.len(), 24);
/// assert_eq!(joints[Joint::MiddleMetacarpal.index()].unwrap().position, [0.0, 0.0, 0.035]);
/// assert_eq!(joints[Joint::Palm.index()].unwrap().position, [0.0, 0.0, 0.0675]);
/// ```
pub fn construct_missing(joints: &mut [Option<Pose>; Joint::COUNT]) -> Vec<Joint> {
    let missing: Vec<_> = Joint::ALL.into_iter().skip(1).filter(|joint| joints[joint.index()].is_none()).collect();
    let Some(wrist) = joints[Joint::Wrist.index()] else { return Vec::new() };
    for joint in missing.iter().copied().filter(|joint| *joint != Joint::Palm) {
        let previous = || joints[joint.parent()?.index()];
        joints[joint.index()] = metacarpal(joint, wrist, joints).or_else(previous);
    }
    // The palm comes last: it follows from a metacarpal.
    if missing.contains(&Joint::Palm) {
        let [metacarpal, knuckle] = [Joint::MiddleMetacarpal, Joint::MiddleKnuckle].map(|joint| joints[joint.index()]);
        joints[Joint::Palm.index()] =
            metacarpal.zip(knuckle).map(|(metacarpal, knuckle)| palm_pose(metacarpal, knuckle));
    }
    missing
}

/// The palm of a hand without one: in the middle between the middle finger's metacarpal and its knuckle, with the rotation
/// of the metacarpal, as in OpenXR.
///
/// ```
/// use holotape::{Pose, palm_pose};
///
/// let knuckle = Pose { position: [0.0, 0.0, 0.06], ..Pose::IDENTITY };
/// assert_eq!(palm_pose(Pose::IDENTITY, knuckle).position, [0.0, 0.0, 0.03]);
/// ```
#[must_use]
pub fn palm_pose(middle_metacarpal: Pose, middle_knuckle: Pose) -> Pose {
    let [from, to] = [middle_metacarpal, middle_knuckle].map(|pose| DVec3::from_array(pose.position.map(f64::from)));
    Pose { position: from.midpoint(to).as_vec3().to_array(), ..middle_metacarpal }
}

/// `None` if the joint is not the root of a finger, or if the next joint has no pose.
fn metacarpal(joint: Joint, wrist: Pose, joints: &[Option<Pose>; Joint::COUNT]) -> Option<Pose> {
    if joint.parent() != Some(Joint::Wrist) {
        return None;
    }
    let next = joints.get(joint.index() + 1).copied().flatten()?;
    let [from, to] = [wrist, next].map(|pose| DVec3::from_array(pose.position.map(f64::from)));
    let rotation = DQuat::from_array(wrist.rotation.map(f64::from)).normalize();
    let turned = (to - from)
        .try_normalize()
        .map_or(rotation, |bone| (DQuat::from_rotation_arc(rotation * DVec3::Z, bone) * rotation).normalize());
    Some(Pose {
        position: from.lerp(to, METACARPAL_FRACTION).as_vec3().to_array(),
        rotation: turned.as_quat().to_array(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hand, Skeleton, rotations_from_positions};

    fn demo_hand(hand: Hand) -> [Option<Pose>; Joint::COUNT] {
        let recording = crate::demo::DemoOptions::new().with_seconds(3.0).generate().unwrap();
        let frame = recording.sampler().frame_at(1.5);
        frame.hand(hand).unwrap().joints
    }

    #[test]
    fn constructed_joints_are_close_to_real_ones() {
        for (skeleton, limit_m) in
            [(Skeleton::WebXr, 1e-6), (Skeleton::ArKit, 1e-6), (Skeleton::Aria, 0.02), (Skeleton::Mano, 0.02)]
        {
            for hand in Hand::ALL {
                let real = demo_hand(hand);
                let mut joints = real;
                skeleton.lacking().for_each(|joint| joints[joint.index()] = None);
                let constructed = construct_missing(&mut joints);
                assert_eq!(constructed, skeleton.lacking().collect::<Vec<_>>(), "{skeleton}");
                for joint in Joint::ALL.into_iter().skip(1) {
                    let distance_m = joints[joint.index()].unwrap().distance_m(&real[joint.index()].unwrap());
                    assert!(distance_m <= limit_m, "{skeleton}, {hand} {joint}: {distance_m} m");
                }
            }
        }
    }

    #[test]
    fn rotations_follow_from_positions() {
        for hand in Hand::ALL {
            let real = demo_hand(hand);
            let rotations = rotations_from_positions(hand, &real.map(|pose| pose.map(|pose| pose.position)));
            for joint in Joint::ALL.into_iter().skip(1) {
                let pose = real[joint.index()].unwrap();
                let angle_deg = Pose { rotation: rotations[joint.index()].unwrap(), ..pose }.angle_deg(&pose);
                // The roll of a finger about its bones does not follow from positions.
                assert!(angle_deg < 25.0, "{hand} {joint}: {angle_deg}°");
            }
        }
    }

    #[test]
    fn nothing_is_constructed_without_a_wrist() {
        let mut joints = demo_hand(Hand::Left);
        joints[Joint::Wrist.index()] = None;
        joints[Joint::Palm.index()] = None;
        let before = joints;
        assert!(construct_missing(&mut joints).is_empty());
        assert_eq!(joints, before);
    }
}
