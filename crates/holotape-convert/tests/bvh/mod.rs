//! BVH, checked by a small evaluator: every joint of every frame is where the recording has it.

mod file;

use std::path::Path;

use glam::DVec3;
use holotape::demo::DemoOptions;
use holotape::{Curve, ErrorKind, Frame, Hand, Joint, LinearKey, Pose, PoseId, Recording, Skeleton};
use holotape_convert::bvh::{self, BoneMode, BvhOptions, Unit};
use holotape_convert::{LossKind, Losses, Space, Timing};

use file::Bvh;

fn written(recording: &Recording, options: &BvhOptions) -> (Bvh, Losses) {
    let mut text = Vec::new();
    let losses = bvh::write(recording, options, &mut text).expect("written");
    (Bvh::parse(&String::from_utf8(text).unwrap()), losses)
}

fn name(id: PoseId) -> String {
    match id {
        PoseId::Camera => "head".to_owned(),
        PoseId::Joint(hand, joint) => format!("{hand}-{}", Skeleton::WebXr.joint_name(joint).unwrap_or("palm")),
    }
}

/// All poses of a frame except the joint None.
fn poses(frame: &Frame) -> Vec<(String, Pose)> {
    let camera = frame.camera.map(|pose| (name(PoseId::Camera), pose));
    let joints = Hand::ALL.into_iter().filter_map(|hand| Some((hand, frame.hand(hand)?))).flat_map(|(hand, values)| {
        let there = Joint::ALL.into_iter().filter(|joint| *joint != Joint::None);
        there.filter_map(move |joint| Some((name(PoseId::Joint(hand, joint)), values.joint(joint)?)))
    });
    camera.into_iter().chain(joints).collect()
}

/// The maximum distance in metres and angle in degrees between a file and the recording while tracked, and the pose
/// count.
fn max_error(recording: &Recording, file: &Bvh, per_metre: f64, are_positions_added: bool) -> (f64, f64, usize) {
    let mut sampler = recording.sampler();
    let mut max_error = (0.0_f64, 0.0_f64, 0);
    for n in 0..file.frames.len() {
        let mut frame = sampler.frame_at(n as f64 * file.frame_time);
        Space::RightHanded.convert_frame(&mut frame);
        let world = file.world(n, are_positions_added);
        for (name, pose) in poses(&frame) {
            let (position, rotation) = world[name.as_str()];
            let read =
                Pose { position: (position / per_metre).as_vec3().to_array(), rotation: rotation.as_quat().to_array() };
            max_error =
                (max_error.0.max(read.distance_m(&pose)), max_error.1.max(read.angle_deg(&pose)), max_error.2 + 1);
        }
    }
    max_error
}

fn demo() -> Recording {
    DemoOptions::new().with_seconds(12.0).generate().expect("a demo")
}

fn testdata(name: &str) -> Recording {
    Recording::open(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/valid").join(name)).expect("readable")
}

/// A demo with independent noise on each joint, so that bone lengths vary as with real devices.
fn noisy_demo() -> Recording {
    let mut recording = demo();
    let mut state = 1_u32;
    for (_, curves) in recording.poses_mut() {
        for (_, value) in curves.position.iter_mut().flat_map(|curve| curve.keys.iter_mut()) {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *value += (state >> 8) as f32 / (1 << 24) as f32 * 0.002 - 0.001;
        }
    }
    recording
}

fn messages_of(losses: &Losses, kind: LossKind) -> Vec<String> {
    losses.iter().filter(|loss| loss.kind() == kind).map(ToString::to_string).collect()
}

#[test]
fn free_bones_keep_all_poses() {
    for recording in [demo(), noisy_demo(), testdata("mrtk28_all.bin"), testdata("mrtk25_simulated.bin")] {
        for (unit, per_metre) in [(Unit::Metres, 1.0), (Unit::Centimetres, 100.0)] {
            let (file, losses) = written(&recording, &BvhOptions::new().with_unit(unit));
            let (distance_m, angle_deg, count) = max_error(&recording, &file, per_metre, false);
            assert!(count > 1000);
            assert!(distance_m < 1e-6, "{distance_m} m");
            assert!(angle_deg < 1e-4, "{angle_deg}°");
            assert!(messages_of(&losses, LossKind::Bones).is_empty());
        }
    }
}

#[test]
fn fixed_bones_stay_within_the_reported_error() {
    for recording in [demo(), noisy_demo(), testdata("mrtk28_all.bin"), testdata("mrtk25_simulated.bin")] {
        let (file, losses) = written(&recording, &BvhOptions::new().with_bones(BoneMode::Fixed));
        assert!(file.joints.iter().all(|joint| joint.channels.len() == 3 || joint.offset == DVec3::ZERO));
        let (distance_m, angle_deg, _) = max_error(&recording, &file, 1.0, false);
        let added = max_error(&recording, &file, 1.0, true);
        assert_eq!(distance_m, added.0, "independent of how positions are interpreted");
        let (stated_m, stated_deg) = stated(&losses);
        assert!((distance_m - stated_m).abs() < 2e-6, "{distance_m} m, reported {stated_m} m");
        assert!((angle_deg - stated_deg).abs() < 2e-3, "{angle_deg}°, reported {stated_deg}°");
    }
}

/// The reported bone error, in metres and degrees.
fn stated(losses: &Losses) -> (f64, f64) {
    let message = messages_of(losses, LossKind::Bones).concat();
    let number_after = |prefix| {
        let rest = message.split(prefix).nth(1).expect("a number");
        rest.split([' ', '°']).next().unwrap().parse::<f64>().unwrap()
    };
    (number_after("by up to ") / 1e3, number_after("and "))
}

#[test]
fn rotation_errors_of_fixed_bones_are_reported() {
    let mut recording = DemoOptions::new().with_seconds(0.0).generate().unwrap();
    let (sin, cos) = 10_f32.to_radians().sin_cos();
    let key = |time, value| LinearKey::new(time, value);
    let bent = |then: f32, value: f32| Curve::from_iter([key(0.0, value), key(1.0, value), key(2.0, then)]);
    recording.hand_mut(Hand::Left).joint_mut(Joint::IndexDistalJoint).rotation =
        [bent(sin, 0.0), bent(0.0, 0.0), bent(0.0, 0.0), bent(cos, 1.0)];
    let (file, losses) = written(&recording, &BvhOptions::new().with_bones(BoneMode::Fixed));
    let (distance_m, angle_deg, _) = max_error(&recording, &file, 1.0, false);
    assert!(distance_m < 1e-6 && angle_deg > 5.0, "{distance_m} m, {angle_deg}°");
    let message = format!("moved joints by up to {angle_deg:.3}°: bones have a fixed length");
    assert_eq!(messages_of(&losses, LossKind::Bones), [message]);
}

#[test]
fn fixed_bones_stay_within_the_noise() {
    // Every coordinate has up to 1 mm noise, so the distance of two joints varies by up to 2 · √3 mm.
    let (_, losses) = written(&noisy_demo(), &BvhOptions::new().with_bones(BoneMode::Fixed));
    assert!(stated(&losses).0 < 3.5e-3);
    let (_, losses) = written(&demo(), &BvhOptions::new().with_bones(BoneMode::Fixed));
    assert!(stated(&losses).0 < 0.05e-3, "the demo's bones are nearly rigid");
}

#[test]
fn fixed_bones_have_constant_length() {
    let (file, _) = written(&noisy_demo(), &BvhOptions::new().with_bones(BoneMode::Fixed));
    let length = |frame| {
        let world = file.world(frame, false);
        world["left-index-finger-tip"].0.distance(world["left-index-finger-phalanx-distal"].0)
    };
    assert!((0..file.frames.len()).all(|frame| (length(frame) - length(0)).abs() < 1e-9));
    assert!((0.01..0.04).contains(&length(0)));
}

#[test]
fn fixed_bones_do_not_need_recorded_rotations() {
    let mut recording = demo();
    for (id, curves) in recording.poses_mut() {
        if !matches!(id, PoseId::Camera | PoseId::Joint(_, Joint::Wrist)) {
            curves.rotation = [0.0, 0.0, 0.0, 1.0].map(|value| [LinearKey::new(0.0, value)].into_iter().collect());
        }
    }
    let (_, losses) = written(&recording, &BvhOptions::new().with_bones(BoneMode::Fixed));
    assert!(stated(&losses).0 < 0.05e-3, "{losses:?}");
}

/// A head that does fast somersaults.
fn tumbling() -> Recording {
    let mut recording = Recording::default();
    let times = (0..=240_u16).map(f32::from);
    let half_angle = |n: f32| n * 0.05;
    let camera = recording.camera.insert(Default::default());
    camera.position = std::array::from_fn(|_| [LinearKey::new(0.0, 0.0)].into_iter().collect());
    let curve = |value: fn(f32) -> f32| times.clone().map(|n| LinearKey::new(n / 60.0, value(half_angle(n)))).collect();
    camera.rotation = [curve(f32::sin), curve(|_| 0.0), curve(|_| 0.0), curve(f32::cos)];
    recording
}

#[test]
fn angles_are_continuous() {
    for (recording, max_deg) in [(tumbling(), 6.0), (demo(), 120.0)] {
        let (file, _) = written(&recording, &BvhOptions::new());
        for pair in file.frames.windows(2) {
            let max_error = pair[0].iter().zip(&pair[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(max_error < max_deg, "{max_error}");
        }
        assert!(max_error(&recording, &file, 1.0, false).1 < 1e-4);
    }
}

#[test]
fn rate_defaults_to_the_recording() {
    let recording = DemoOptions::new().with_seconds(2.0).with_rate_hz(72.0).generate().unwrap();
    let (file, losses) = written(&recording, &BvhOptions::new());
    assert_eq!((file.frames.len(), file.frame_time), (145, 1.0 / 72.0));
    let (file, coarse) = written(&recording, &BvhOptions::new().with_timing(Timing::Rate(10.0)));
    assert_eq!((file.frames.len(), file.frame_time), (21, 0.1));
    assert!(!messages_of(&coarse, LossKind::Resampled).is_empty());
    assert_ne!(messages_of(&coarse, LossKind::Resampled), messages_of(&losses, LossKind::Resampled));
    for (rate_hz, kind) in
        [(0.0, ErrorKind::InvalidArgument), (f64::NAN, ErrorKind::InvalidArgument), (1e12, ErrorKind::LimitExceeded)]
    {
        let error =
            bvh::write(&recording, &BvhOptions::new().with_timing(Timing::Rate(rate_hz)), Vec::new()).unwrap_err();
        assert_eq!(error.kind(), kind, "{rate_hz}");
    }
}

#[test]
fn untracked_hand_holds_its_pose() {
    let mut recording = demo();
    // Tracked from 1 s to 2 s.
    let keys = [(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)].map(|(time, value)| LinearKey::new(time, value));
    recording.hand_mut(Hand::Left).tracked.keys = keys.to_vec();
    recording.hand_mut(Hand::Right).tracked.keys = vec![LinearKey::new(0.0, 1.0)];
    let (file, losses) = written(&recording, &BvhOptions::new().with_timing(Timing::Rate(60.0)));
    let tip = |frame| file.world(frame, false)["left-index-finger-tip"].0;
    assert!((0..60).all(|frame| tip(frame).distance(tip(60)) < 1e-6), "the first");
    assert!((119..file.frames.len()).all(|frame| tip(frame).distance(tip(119)) < 1e-6), "the last");
    assert!(tip(119).distance(tip(60)) > 1e-3, "it moves between them");
    assert!(max_error(&recording, &file, 1.0, false).0 < 1e-6);
    let frames = file.frames.len();
    let held = format!("held the pose of the left hand in {} of {frames} frames: not tracked", frames - 60);
    let wrist = &recording.hand(Hand::Left).joint(Joint::Wrist).position[0];
    let untracked = wrist.keys.iter().filter(|key| !(1.0..2.0).contains(&key.time)).count();
    let keys = format!("dropped keys of the left hand at {untracked} times: not tracked");
    assert_eq!(messages_of(&losses, LossKind::Untracked), [keys, held]);
}

#[test]
fn all_losses_are_reported() {
    let recording = DemoOptions::new().with_seconds(12.0).generate().unwrap();
    let (_, losses) = written(&recording, &BvhOptions::new());
    let count = |kind| losses.iter().filter(|loss| loss.kind() == kind).count();
    assert_eq!([LossKind::Gaze, LossKind::Markers, LossKind::Joints, LossKind::Unusable].map(count), [1, 1, 0, 0]);
    let pinches = Hand::ALL.map(|hand| recording.hand(hand).pinching.spans_secs().len());
    assert!(pinches[0] == 1 && pinches[1] > 1, "{pinches:?}");
    let expected = [("pinch", "left", pinches[0]), ("pinches", "right", pinches[1])]
        .map(|(noun, hand, count)| format!("dropped {count} {noun} of the {hand} hand: not supported by BVH"));
    assert_eq!(messages_of(&losses, LossKind::Flags), expected);

    let simulated = testdata("mrtk28_hands_only_simulated.bin");
    let (_, losses) = written(&simulated, &BvhOptions::new());
    assert!(
        messages_of(&losses, LossKind::Joints).iter().any(|message| message.starts_with("dropped the joint None ("))
    );

    let mut plain = DemoOptions::new().with_seconds(1.0).generate().unwrap();
    (plain.gaze, plain.hands, plain.markers) = (None, None, Default::default());
    let (file, losses) = written(&plain, &BvhOptions::new());
    let names: Vec<_> = file.joints.iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["holotape", "head"]);
    assert!(losses.iter().all(|loss| loss.kind() == LossKind::Resampled), "{losses:?}");
}

#[test]
fn unusual_recordings_are_written() {
    let (file, losses) = written(&Recording::default(), &BvhOptions::new());
    assert_eq!((file.joints.len(), file.frames.len(), file.frame_time), (1, 1, 1.0 / 60.0));
    assert!(losses.is_empty());

    let one_key = DemoOptions::new().with_seconds(0.0).generate().unwrap();
    let (file, _) = written(&one_key, &BvhOptions::new().with_bones(BoneMode::Fixed));
    assert_eq!(file.frames.len(), 1);
    assert!(max_error(&one_key, &file, 1.0, false).0 < 1e-6, "one frame fits its own bones");

    let one_hand = testdata("mrtk28_right_hand_markers.bin");
    let (file, _) = written(&one_hand, &BvhOptions::new());
    assert!(file.joints.iter().all(|joint| !joint.name.starts_with("left")));
    assert!(max_error(&one_hand, &file, 1.0, false).0 < 1e-6);
}

#[test]
fn missing_joints_are_bridged() {
    let mut recording = demo();
    for joint in [Joint::Palm, Joint::IndexMetacarpal, Joint::IndexDistalJoint] {
        *recording.hand_mut(Hand::Left).joint_mut(joint) = Default::default();
    }
    *recording.hand_mut(Hand::Right).joint_mut(Joint::Wrist) = Default::default();
    for bones in [BoneMode::Free, BoneMode::Fixed] {
        let (file, _) = written(&recording, &BvhOptions::new().with_bones(bones));
        let parent = |name: &str| {
            let joint = file.joints.iter().find(|joint| joint.name == name).unwrap();
            file.joints[joint.parent.unwrap()].name.as_str()
        };
        assert_eq!(parent("left-index-finger-phalanx-proximal"), "left-wrist");
        assert_eq!(parent("left-index-finger-tip"), "left-index-finger-phalanx-intermediate");
        assert_eq!(parent("right-thumb-metacarpal"), "holotape");
        assert_eq!(file.joints.len(), 1 + 1 + 23 + 25);
        // Where a joint is missing, two bones become one that is not rigid.
        let (distance_m, ..) = max_error(&recording, &file, 1.0, false);
        assert!(distance_m < if bones == BoneMode::Free { 1e-6 } else { 0.02 }, "{distance_m}");
    }
}

#[test]
fn non_finite_values_are_dropped() {
    let mut recording = demo();
    let (_, value) =
        recording.hand_mut(Hand::Left).joint_mut(Joint::IndexTip).position[1].keys.iter_mut().nth(30).unwrap();
    *value = f32::NAN;
    let camera = recording.camera.as_mut().unwrap();
    camera.rotation[0].keys.iter_mut().for_each(|(_, value)| *value = f32::INFINITY);
    let (file, losses) = written(&recording, &BvhOptions::new());
    assert!(file.frames.iter().flatten().all(|number| number.is_finite()));
    assert!(file.joints.iter().all(|joint| joint.name != "head"), "a head without a finite pose is dropped");
    let message = messages_of(&losses, LossKind::Unusable);
    assert_eq!(message.len(), 2);
    assert!(message[0].starts_with("dropped camera"), "{message:?}");
}
