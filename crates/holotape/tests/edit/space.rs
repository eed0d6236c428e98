//! Edits in space: `mirror` and `transform`.

use holotape::edit::{self, Transform};
use holotape::{BezierKey, Curve, ErrorKind, Frame, Hand, LinearKey, Pose, Recording};
use proptest::prelude::*;

use crate::common::same::{MAX_DEG, MAX_M, assert_same_motion};
use crate::edit::{kind, line, recording_of_x, recordings, times};

/// Every pose of a frame, optionally with swapped hands.
fn poses(frame: &Frame, is_swapped: bool) -> Vec<Option<Pose>> {
    let hands = if is_swapped { [Hand::Right, Hand::Left] } else { Hand::ALL };
    let joints = hands.into_iter().filter_map(|hand| frame.hand(hand)).flat_map(|hand| hand.joints);
    joints.chain([frame.camera]).collect()
}

/// Asserts that a recording has the poses of another, moved by a function of positions and directions.
fn assert_moved(name: &str, [old, new]: [&Recording; 2], is_swapped: bool, point: impl Fn([f64; 3]) -> [f64; 3]) {
    let origin = point([0.0; 3]);
    let direction = |v: [f32; 3]| {
        let moved = point(v.map(f64::from));
        [0, 1, 2].map(|n| (moved[n] - origin[n]) as f32)
    };
    let end = f64::from(old.duration_secs());
    let [mut before, mut after] = [old, new].map(|recording| recording.sampler().with_untracked_poses(true));
    for time in times(0.0, end, 50) {
        let (old, new) = (before.frame_at(time), after.frame_at(time));
        for (old, new) in poses(&old, is_swapped).into_iter().zip(poses(&new, false)) {
            assert_eq!(old.is_some(), new.is_some(), "{name} at {time}");
            let Some((old, new)) = old.zip(new) else { continue };
            let position = point(old.position.map(f64::from)).map(|x| x as f32);
            let moved = Pose { position, ..new };
            assert!(new.distance_m(&moved) < MAX_M, "{name} at {time}: {old:?}, {new:?}");
            // Two axes determine a rotation; mirrored, x does not point right.
            let axes = |pose: &Pose| [pose.forward(), up(pose)];
            for (old, new) in axes(&old).into_iter().zip(axes(&new)) {
                let off = direction(old).iter().zip(new).map(|(a, b)| f64::from(a - b).powi(2)).sum::<f64>().sqrt();
                assert!(off.to_degrees() < MAX_DEG, "{name} at {time}: {old:?}, {new:?}");
            }
        }
        if let (Some(old), Some(new)) = (old.gaze, new.gaze) {
            let off =
                |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).map(|(a, b)| f64::from(a - b).abs()).fold(0.0, f64::max);
            assert!(off(point(old.origin.map(f64::from)).map(|x| x as f32), new.origin) < MAX_M, "{name} at {time}");
            assert!(off(direction(old.direction), new.direction).to_degrees() < MAX_DEG, "{name} at {time}");
        }
    }
}

/// The y axis of a pose.
fn up(pose: &Pose) -> [f32; 3] {
    let [x, y, z, w] = pose.rotation;
    [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)]
}

#[test]
fn mirror_swaps_hands_and_negates_x() {
    for (name, recording) in recordings() {
        let mirrored = edit::mirror(recording);
        assert_moved(name, [recording, &mirrored], true, |[x, y, z]| [-x, y, z]);
        assert_eq!(mirrored.losses(), recording.losses(), "{name}");
        assert_eq!(edit::mirror(&mirrored), *recording, "{name}");
        let flags =
            |recording: &Recording, hand| (recording.hand(hand).tracked.clone(), recording.hand(hand).pinching.clone());
        assert_eq!(flags(recording, Hand::Left), flags(&mirrored, Hand::Right), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn transform_moves_every_pose(yaw_deg in -400.0..400.0_f64, by in prop::array::uniform3(-5.0..5.0_f64)) {
        let (sin, cos) = yaw_deg.to_radians().sin_cos();
        let transform = Transform::new().with_yaw_deg(yaw_deg).with_translation_m(by);
        // Curves with different weights cannot be rotated exactly.
        for (name, recording) in recordings().iter().filter(|(name, _)| name != "curves_every_rule") {
            let moved = edit::transform(recording, &transform).expect(name);
            assert_moved(name, [recording, &moved], false, |[x, y, z]| {
                [cos * x + sin * z + by[0], y + by[1], cos * z - sin * x + by[2]]
            });
            prop_assert_eq!(moved.losses(), recording.losses(), "{}", name);
        }
    }
}

#[test]
fn yaw_of_90_degrees_rotates_forward_to_right() {
    let mut recording = recording_of_x(line([(0.0, 0.0)]));
    let camera = recording.camera.as_mut().expect("a camera");
    camera.position[1] = line([(0.0, 1.5)]);
    camera.position[2] = line([(0.0, 2.0)]);
    camera.rotation = [0.0, 0.0, 0.0, 1.0].map(|value| line([(0.0, value)]));
    let turned = edit::transform(&recording, &Transform::new().with_yaw_deg(90.0)).expect("turned");
    let pose = turned.camera.expect("a camera").pose_at(0.0).expect("a pose");
    let expected = Pose { position: [2.0, 1.5, 0.0], rotation: [0.0, 0.707_106_77, 0.0, 0.707_106_77] };
    assert!(pose.distance_m(&expected) < 1e-6 && pose.angle_deg(&expected) < 1e-4, "{pose:?}");
}

#[test]
fn transform_and_its_inverse_restore_the_motion() {
    for (name, recording) in recordings().iter().filter(|(name, _)| name != "curves_every_rule") {
        let turn = |recording: &Recording, yaw_deg| {
            edit::transform(recording, &Transform::new().with_yaw_deg(yaw_deg)).expect(name)
        };
        let back = turn(&turn(recording, 123.4), -123.4);
        assert_same_motion(name, [recording, &back], times(0.0, recording.duration_secs().into(), 30), |time| time);
    }
}

#[test]
fn translation_changes_only_positions() {
    let (_, recording) = recordings().iter().find(|(name, _)| name == "device").expect("there");
    let moved = edit::transform(recording, &Transform::new().with_translation_m([0.5, 0.0, 0.0])).expect("moved");
    for ((id, old), (_, new)) in recording.poses().zip(moved.poses()) {
        assert_eq!(old.rotation, new.rotation, "{id}");
        assert_eq!(old.position[1..], new.position[1..], "{id}");
        let values =
            |pose: &holotape::PoseCurves| pose.position[0].keys.iter().map(|key| key.value).collect::<Vec<_>>();
        assert!(values(old).iter().zip(values(new)).all(|(old, new)| *old + 0.5 == new), "{id}");
    }
    assert_eq!(edit::transform(recording, &Transform::new()).expect("the same"), *recording);
    let non_finite = recording_of_x(line([(0.0, 0.0), (f32::NAN, 1.0)]));
    let up = Transform::new().with_translation_m([0.0, 1.0, 0.0]);
    assert!(edit::transform(&non_finite, &up).is_ok(), "times do not matter");
    assert_eq!(kind(edit::transform(&non_finite, &up.with_yaw_deg(1.0))), ErrorKind::Invalid);
}

#[test]
fn head_to_origin_faces_forward() {
    for (name, recording) in
        recordings().iter().filter(|(_, recording)| recording.sampler().frame_at(0.0).camera.is_some())
    {
        let moved = edit::transform(recording, &Transform::head_to_origin(recording).expect(name)).expect(name);
        let [old, new] = [recording, &moved].map(|recording| recording.sampler().frame_at(0.0).camera.expect("a head"));
        assert!(new.position.iter().all(|x| x.abs() < 1e-5), "{name}: {new:?}");
        let above = edit::transform(recording, &Transform::head_above_origin(recording).expect(name)).expect(name);
        let above = above.sampler().frame_at(0.0).camera.expect("a head");
        assert_eq!([0, 2].map(|axis| above.position[axis]), [0, 2].map(|axis| new.position[axis]), "{name}");
        assert_eq!((above.position[1], above.rotation), (old.position[1], new.rotation), "{name}");
        assert!(new.forward()[0].abs() < 1e-5 && new.forward()[2] > 0.0, "{name}: {new:?}");
    }
    assert_eq!(kind(Transform::head_to_origin(&Recording::default())), ErrorKind::Invalid);
}

#[test]
fn invalid_transforms_are_rejected() {
    let recording = recording_of_x(line([(0.0, 0.0)]));
    assert_eq!(kind(edit::transform(&recording, &Transform::new().with_yaw_deg(f64::NAN))), ErrorKind::InvalidArgument);
    let nowhere = Transform::new().with_translation_m([0.0, f64::INFINITY, 0.0]);
    assert_eq!(kind(edit::transform(&recording, &nowhere)), ErrorKind::InvalidArgument);
}

#[test]
fn mirror_keeps_linear_keys_linear() {
    let full = [(0.0, 0.0), (1.0, 2.0)].map(|(time, value)| BezierKey::from(LinearKey::new(time, value)));
    let recording = recording_of_x(Curve::from_iter(full));
    assert!(edit::mirror(&recording).losses().is_empty());
}
