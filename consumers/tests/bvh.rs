//! Where Blender has the joints of our BVH files.

use std::fs::File;

use holotape::demo::DemoOptions;
use holotape::{Hand, Joint, PoseId, Recording};
use holotape_consumers::{answer, blender};
use holotape_convert::bvh::{self, BoneMode, BvhOptions, Unit};
use holotape_convert::{LossKind, Losses, Space, Timing};
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
        PoseId::Joint(hand, joint) => format!("{hand}-{}", joint.webxr_name().unwrap()),
    }
}

/// Both hands, always tracked.
fn take() -> Recording {
    let mut recording = DemoOptions::new().with_seconds(5.0).generate().unwrap();
    for hand in Hand::ALL {
        recording.hand_mut(hand).tracked.keys.truncate(1);
    }
    recording
}

fn imported(recording: &Recording, options: BvhOptions) -> (Value, Losses) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("take.bvh");
    let losses =
        bvh::write(recording, &options.with_timing(Timing::Rate(RATE_HZ)), File::create(&path).unwrap()).unwrap();
    let frames = FRAMES.map(|frame| frame.to_string()).join(",");
    let names = JOINTS.map(name).join(",");
    (answer(blender("blender_bvh.py").arg(&path).arg(frames).arg(names)), losses)
}

/// The largest distance between where Blender has a joint and where it was recorded, in metres.
fn farthest_m(recording: &Recording, seen: &Value, per_metre: f64) -> f64 {
    let mut sampler = recording.sampler();
    let mut farthest = 0.0_f64;
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
            farthest = farthest.max(square.sqrt());
        }
    }
    farthest
}

#[test]
fn free_bones_are_where_they_were() {
    let recording = take();
    for (unit, per_metre) in [(Unit::Metres, 1.0), (Unit::Centimetres, 100.0)] {
        let (seen, _) = imported(&recording, BvhOptions::new().with_unit(unit));
        let farthest_m = farthest_m(&recording, &seen, per_metre);
        assert!(farthest_m < 1e-5, "{farthest_m} m");
        let bone_m = seen["bones"]["left-index-finger-phalanx-proximal"].as_f64().unwrap() / per_metre;
        assert!((0.02..0.06).contains(&bone_m), "the hand in rest has bones as long as they are: {bone_m} m");
    }
}

#[test]
fn fixed_bones_are_as_near_as_the_loss_says() {
    let mut recording = take();
    // A finger that grows by a centimetre, so that there is something to lose.
    let tip = recording.hand_mut(Hand::Left).joint_mut(Joint::IndexTip);
    tip.position[1].keys.iter_mut().for_each(|(time, value)| *value += 0.002 * *time);
    let (seen, losses) = imported(&recording, BvhOptions::new().with_bones(BoneMode::Fixed));
    let message: String =
        losses.iter().filter(|loss| loss.kind() == LossKind::Bones).map(ToString::to_string).collect();
    let stated_mm = message.split("up to ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a number");
    let stated_m = stated_mm.parse::<f64>().unwrap() / 1e3;
    let farthest_m = farthest_m(&recording, &seen, 1.0);
    assert!(farthest_m < stated_m + 1e-5, "{farthest_m} m, and said {stated_m} m");
    assert!(farthest_m > 1e-3, "this finger is not rigid");
}

#[test]
fn the_scene_gets_the_rate_and_the_length_if_asked() {
    let (seen, _) = imported(&take(), BvhOptions::new());
    assert_eq!(seen["fps"], 30.0);
    assert_eq!(seen["end"], 250, "never shorter than the scene was");
}
