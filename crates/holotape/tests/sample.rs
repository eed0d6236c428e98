//! A sampler gives what the curves give, all at once.

mod common;

use common::valid_pairs;
use holotape::format::Channels;
use holotape::{CurveId, CurveRef, Hand, Joint, PosePart, RayPart, Recording};

#[test]
fn frames_are_the_plain_evaluation_of_the_curves() {
    for (name, bytes, expected) in valid_pairs() {
        let take = Recording::from_slice(&bytes).expect(&name);
        let sampler = take.sampler().with_untracked_poses(true);
        for time in expected["times"].as_array().expect("an array").iter().filter_map(|time| time.as_f64()) {
            let frame = sampler.frame_at(time);
            assert_eq!(frame.time, time);
            assert_eq!(frame.camera, take.camera.as_ref().and_then(|camera| camera.pose_at(time)), "{name}");
            assert_eq!(frame.gaze, take.gaze.as_ref().and_then(|gaze| gaze.ray_at(time)), "{name}");
            for hand in Hand::ALL {
                let Some(sampled) = frame.hand(hand) else {
                    assert!(take.hands.is_none(), "{name}");
                    continue;
                };
                assert_eq!(sampled.tracked, take.hand(hand).tracked.value_at(time), "{name}");
                assert_eq!(sampled.pinching, take.hand(hand).pinching.value_at(time), "{name}");
                for joint in Joint::ALL {
                    assert_eq!(sampled.joint(joint), take.hand(hand).joint(joint).pose_at(time), "{name} {joint}");
                }
            }
        }
    }
}

#[test]
fn a_hand_that_is_not_tracked_has_no_pose_unless_asked_for() {
    let mut untracked = 0;
    for (name, bytes, expected) in valid_pairs() {
        let take = Recording::from_slice(&bytes).expect(&name);
        let sampler = take.sampler();
        for time in expected["times"].as_array().expect("an array").iter().filter_map(|time| time.as_f64()) {
            let frame = sampler.frame_at(time);
            let asked = take.sampler().with_untracked_poses(true).frame_at(time);
            for hand in Hand::ALL {
                let (Some(frame), Some(asked)) = (frame.hand(hand), asked.hand(hand)) else { continue };
                if frame.tracked {
                    assert_eq!(frame, asked, "{name}");
                } else {
                    assert!(frame.joints.iter().all(Option::is_none), "{name}");
                    untracked += usize::from(asked.joints.iter().any(Option::is_some));
                }
            }
        }
    }
    assert!(untracked > 0, "the test data has hands that are lost between keys");
}

#[test]
fn values_by_name_are_those_of_the_frame() {
    let (_, bytes, _) = valid_pairs().into_iter().find(|(name, ..)| name == "mrtk28_all").expect("there");
    let take = Recording::from_slice(&bytes).expect("valid");
    let frame = take.sampler().frame_at(1.0);
    let camera = frame.camera.expect("a camera");
    assert_eq!(frame.value(CurveId::Camera(PosePart::PositionZ)), Some(camera.position[2]));
    assert_eq!(frame.value(CurveId::Camera(PosePart::RotationW)), Some(camera.rotation[3]));
    assert_eq!(frame.value(CurveId::Gaze(RayPart::DirectionX)), frame.gaze.map(|gaze| gaze.direction[0]));
    for id in CurveId::all(Channels::ALL) {
        let has_keys = take.curve(id).is_some_and(|curve| curve.key_count() > 0);
        let tracked = match id {
            CurveId::Joint(hand, ..) => frame.hand(hand).is_some_and(|hand| hand.tracked),
            _ => true,
        };
        assert_eq!(frame.value(id).is_some(), id.is_bool() || has_keys && tracked, "{id}");
        if let (CurveRef::Bool(curve), Some(value)) = (take.curve(id).expect("present"), frame.value(id)) {
            assert_eq!(value == 1.0, curve.value_at(1.0), "{id}");
        }
    }
}

#[test]
fn times_at_a_rate_run_from_zero_to_the_end() {
    let take = holotape::demo::DemoOptions::new().with_seconds(1.0).record().expect("a demo");
    let times: Vec<_> = take.sampler().times_at_rate(4.0).collect();
    assert_eq!(times, [0.0, 0.25, 0.5, 0.75, 1.0]);
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(take.sampler().times_at_rate(rate).count(), 0, "{rate}");
    }
}
