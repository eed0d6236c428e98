//! Blender shows the joints of BVH files at the right position.

use std::fs::File;

use holotape::demo::DemoOptions;
use holotape::{Hand, Joint, PoseId, Recording, Skeleton};
use holotape_convert::bvh::{self, BoneMode, BvhOptions, Unit};
use holotape_convert::{LossKind, Losses, Space, Timing};
use holotape_interop_tests::{blender, json_output};
use serde_json::Value;

const RATE_HZ: f64 = 30.0;

/// Ten frames, spread over the recording.
const FRAMES: [u32; 10] = [0, 17, 40, 63, 80, 101, 120, 137, 149, 150];

const JOINTS: [PoseId; 5] = [
    PoseId::Camera,
    PoseId::Joint(Hand::Left, Joint::Wrist),
    PoseId::Joint(Hand::Left, Joint::IndexTip),
    PoseId::Joint(Hand::Right, Joint::IndexTip),
    PoseId::Joint(Hand::Right, Joint::ThumbProximalJoint),
];

fn name(id: PoseId) -> String {
    match id {
        PoseId::Camera => "head".to_owned(),
        PoseId::Joint(hand, joint) => format!("{hand}-{}", Skeleton::WebXr.joint_name(joint).unwrap()),
    }
}

/// Both hands, always tracked.
fn demo() -> Recording {
    let mut recording = DemoOptions::new().with_seconds(5.0).generate().unwrap();
    for hand in Hand::ALL {
        recording.hand_mut(hand).tracked.keys.truncate(1);
    }
    recording
}

fn imported(recording: &Recording, options: BvhOptions) -> (Value, Losses) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reach.bvh");
    let losses =
        bvh::write(recording, &options.with_timing(Timing::Rate(RATE_HZ)), File::create(&path).unwrap()).unwrap();
    let frames = FRAMES.map(|frame| frame.to_string()).join(",");
    let names = JOINTS.map(name).join(",");
    (json_output(blender("blender_bvh.py").arg(&path).arg(frames).arg(names)), losses)
}

/// The maximum distance between the position of a joint in Blender and in the recording, in metres.
fn max_error_m(recording: &Recording, seen: &Value, per_metre: f64) -> f64 {
    let mut sampler = recording.sampler();
    let mut max_error = 0.0_f64;
    for (seen, frame) in seen["frames"].as_array().unwrap().iter().zip(FRAMES) {
        let mut expected = sampler.frame_at(f64::from(frame) / RATE_HZ);
        Space::RightHanded.convert_frame(&mut expected);
        for id in JOINTS {
            let position = match id {
                PoseId::Camera => expected.camera.unwrap(),
                PoseId::Joint(hand, joint) => expected.hand(hand).unwrap().joint(joint).unwrap(),
            }
            .position;
            let seen = &seen[name(id)];
            let square: f64 =
                (0..3).map(|n| (seen[n].as_f64().unwrap() / per_metre - f64::from(position[n])).powi(2)).sum();
            max_error = max_error.max(square.sqrt());
        }
    }
    max_error
}

#[test]
fn free_bones_match_the_recording() {
    let recording = demo();
    for (unit, per_metre) in [(Unit::Metres, 1.0), (Unit::Centimetres, 100.0)] {
        let (seen, _) = imported(&recording, BvhOptions::new().with_unit(unit));
        let max_error_m = max_error_m(&recording, &seen, per_metre);
        assert!(max_error_m < 1e-5, "{max_error_m} m");
        let bone_m = seen["bones"]["left-index-finger-phalanx-proximal"].as_f64().unwrap() / per_metre;
        assert!((0.02..0.06).contains(&bone_m), "bone length in the rest pose: {bone_m} m");
    }
}

#[test]
fn fixed_bones_match_within_the_reported_error() {
    let mut recording = demo();
    // A finger that grows by 1 cm, so that there is an error.
    let tip = recording.hand_mut(Hand::Left).joint_mut(Joint::IndexTip);
    tip.position[1].keys.iter_mut().for_each(|(time, value)| *value += 0.002 * *time);
    let (seen, losses) = imported(&recording, BvhOptions::new().with_bones(BoneMode::Fixed));
    let message: String =
        losses.iter().filter(|loss| loss.kind() == LossKind::Bones).map(ToString::to_string).collect();
    let stated_mm = message.split("up to ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a number");
    let stated_m = stated_mm.parse::<f64>().unwrap() / 1e3;
    let max_error_m = max_error_m(&recording, &seen, 1.0);
    assert!(max_error_m < stated_m + 1e-5, "{max_error_m} m, reported {stated_m} m");
    assert!(max_error_m > 1e-3, "this finger is not rigid");
}

#[test]
fn scene_gets_rate_and_length_on_request() {
    let (seen, _) = imported(&demo(), BvhOptions::new());
    assert_eq!(seen["fps"], 30.0);
    assert_eq!(seen["end"], 250, "the scene does not get shorter");
}
