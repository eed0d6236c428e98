//! Properties of complete recordings: of bodies, of devices, and of the options.

use std::sync::LazyLock;

use super::DemoOptions;
use super::hand::RigidPose;
use crate::{ErrorKind, Hand, Joint, Keys, LinearKey, PoseCurves, Recording};
use glam::{DQuat, DVec3};

/// 30 s, in which every action occurs several times.
static TAKE: LazyLock<Recording> = LazyLock::new(|| record(DemoOptions::new().with_seconds(30.0)));

fn record(options: DemoOptions) -> Recording {
    options.generate().unwrap()
}

fn keys(keys: &Keys) -> &[LinearKey] {
    match keys {
        Keys::Linear(keys) => keys,
        Keys::Bezier(_) => panic!("a device writes linear keys"),
    }
}

/// Time and pose of every key.
fn poses(curves: &PoseCurves) -> Vec<(f64, RigidPose)> {
    let [px, py, pz] = curves.position.each_ref().map(|curve| keys(&curve.keys));
    let [rx, ry, rz, rw] = curves.rotation.each_ref().map(|curve| keys(&curve.keys));
    let pose = |n: usize| {
        let all = [px, py, pz, rx, ry, rz, rw].map(|keys| keys[n]);
        assert!(all.iter().all(|key| key.time == all[0].time));
        let [x, y, z, qx, qy, qz, qw] = all.map(|key| f64::from(key.value));
        let pose = RigidPose { position: DVec3::new(x, y, z), rotation: DQuat::from_xyzw(qx, qy, qz, qw) };
        (f64::from(all[0].time), pose)
    };
    (0..px.len()).map(pose).collect()
}

fn joint(hand: Hand, joint: Joint) -> Vec<(f64, RigidPose)> {
    poses(TAKE.hand(hand).joint(joint))
}

fn head() -> Vec<(f64, RigidPose)> {
    poses(TAKE.camera.as_ref().unwrap())
}

/// Neighbouring keys with no frame between them.
fn neighbours(poses: &[(f64, RigidPose)]) -> impl Iterator<Item = (f64, RigidPose, RigidPose)> {
    let pairs = poses.windows(2).map(|pair| (pair[1].0 - pair[0].0, pair[0].1, pair[1].1));
    pairs.filter(|&(seconds, ..)| seconds < 1.5 / 60.0)
}

#[test]
fn same_options_give_the_same_recording() {
    assert_eq!(record(DemoOptions::new()), record(DemoOptions::default()));
}

#[test]
fn different_seeds_give_different_recordings() {
    let recordings: Vec<_> = (0..8).map(|seed| record(DemoOptions::new().with_seed(seed).with_seconds(1.0))).collect();
    for (n, recording) in recordings.iter().enumerate() {
        assert!(!recordings[..n].contains(recording), "{n}");
        assert!(recordings[..n].iter().all(|other| other.markers != recording.markers), "{n}");
    }
}

#[test]
fn longer_recording_starts_like_a_shorter_one() {
    let short = record(DemoOptions::new().with_seconds(9.0));
    for hand in Hand::ALL {
        for joint in Joint::ALL {
            let [short, long] = [&short, &TAKE].map(|recording| poses(recording.hand(hand).joint(joint)));
            let before_last = short.iter().take_while(|key| key.0 < 9.0).count();
            assert_eq!(short[..before_last], long[..before_last], "{hand} {joint}");
        }
    }
    let rays = [&short, &TAKE].map(|recording| keys(&recording.gaze.as_ref().unwrap().direction[0].keys));
    assert_eq!(rays[0][..540], rays[1][..540]);
    assert_eq!(short.markers[..], TAKE.markers[..short.markers.len()]);
}

#[test]
fn different_rates_sample_the_same_motion() {
    let recording = |rate| record(DemoOptions::new().with_seconds(9.0).with_rate_hz(rate));
    let (coarse, fine) = (recording(10.0), recording(1000.0));
    let near = |fine: &PoseCurves, coarse: &PoseCurves| {
        let fine = poses(fine);
        for (time, pose) in poses(coarse) {
            let Some((_, found)) = fine.iter().find(|key| (key.0 - time).abs() < 0.001) else { continue };
            let off = found.position.distance(pose.position);
            assert!(off < 0.003, "{off} at {time}");
            let off = (found.rotation * DVec3::Z).angle_between(pose.rotation * DVec3::Z);
            assert!(off < 0.01, "{off} at {time}");
        }
    };
    near(fine.camera.as_ref().unwrap(), coarse.camera.as_ref().unwrap());
    for hand in Hand::ALL {
        near(fine.hand(hand).joint(Joint::IndexTip), coarse.hand(hand).joint(Joint::IndexTip));
    }
}

#[test]
fn bones_keep_their_length_and_joints_point_along_them() {
    for hand in Hand::ALL {
        for child in Joint::ALL {
            let Some(parent) = child.parent() else { continue };
            let bones = joint(hand, parent).into_iter().zip(joint(hand, child));
            let bones: Vec<_> = bones.map(|((_, from), (_, to))| (from, to.position - from.position)).collect();
            let length = bones[0].1.length();
            let straight = parent != Joint::Wrist || matches!(child, Joint::MiddleMetacarpal | Joint::Palm);
            for (from, bone) in bones {
                assert!((bone.length() - length).abs() < 1e-6, "{hand} {child}");
                assert!(!straight || (from.rotation * DVec3::Z).dot(bone) > 0.9999 * length, "{hand} {child}");
            }
        }
    }
}

#[test]
fn tips_of_a_pinching_hand_meet() {
    for hand in Hand::ALL {
        let pinching = TAKE.hand(hand).pinching.evaluator();
        let mut together = 0;
        let tips = joint(hand, Joint::ThumbTip).into_iter().zip(joint(hand, Joint::IndexTip));
        for ((time, thumb), (_, index)) in tips {
            let gap = thumb.position.distance(index.position);
            if pinching.value_at(time) {
                together += 1;
                assert!(gap < 0.005, "{hand} at {time}: {gap}");
            } else {
                assert!(gap > 0.002_9, "{hand} at {time}: {gap}");
            }
        }
        assert!(together > 60, "{hand}");
    }
}

#[test]
fn wrists_stay_within_reach_and_below_maximum_speed() {
    for hand in Hand::ALL {
        let shoulder = super::hand::mirror_to(hand, DVec3::new(0.18, 1.38, 0.0));
        let wrists = joint(hand, Joint::Wrist);
        for (seconds, from, to) in neighbours(&wrists) {
            assert!(to.position.distance(from.position) / seconds < 2.0);
        }
        for (time, wrist) in &wrists {
            assert!(wrist.position.distance(shoulder) < 0.62, "{hand} at {time}");
        }
        for (time, palm) in joint(hand, Joint::Palm) {
            assert!(palm.position.z > 0.05, "{hand} at {time}: {palm:?}");
        }
    }
}

#[test]
fn head_stays_upright_and_turns_slowly() {
    for (time, head) in head() {
        let roll = (head.rotation * DVec3::X).y.asin().to_degrees();
        assert!(roll.abs() < 3.0, "{roll} at {time}");
        assert!((head.position.y - 1.6).abs() < 0.08, "{head:?} at {time}");
    }
    for (seconds, from, to) in neighbours(&head()) {
        let turn = (from.rotation * DVec3::Z).angle_between(to.rotation * DVec3::Z).to_degrees();
        assert!(turn / seconds < 150.0);
    }
}

#[test]
fn rotations_are_unit_and_never_flip() {
    let joints = Hand::ALL.into_iter().flat_map(|hand| Joint::ALL.map(|part| joint(hand, part)));
    for poses in joints.chain([head()]) {
        assert!(poses.iter().all(|(_, pose)| (pose.rotation.dot(pose.rotation) - 1.0).abs() < 1e-6));
        assert!(neighbours(&poses).all(|(_, from, to)| from.rotation.dot(to.rotation) > 0.98));
    }
}

#[test]
fn joints_have_keys_exactly_in_tracked_frames() {
    let frames: Vec<_> = head().iter().map(|key| key.0).collect();
    for hand in Hand::ALL {
        let tracked = TAKE.hand(hand).tracked.evaluator();
        let seen: Vec<_> = frames.iter().copied().filter(|&time| tracked.value_at(time)).collect();
        assert!(seen.len() < frames.len(), "{hand} is never out of view");
        for part in Joint::ALL {
            let times: Vec<_> = joint(hand, part).iter().map(|key| key.0).collect();
            assert_eq!(times, if part == Joint::None { &[] } else { &seen[..] }, "{hand} {part}");
        }
    }
}

#[test]
fn flags_have_keys_only_where_they_change() {
    for hand in Hand::ALL {
        for flag in [&TAKE.hand(hand).tracked, &TAKE.hand(hand).pinching] {
            assert_eq!(flag.keys[0].time, 0.0);
            assert!(flag.keys.windows(2).all(|pair| pair[0].value != pair[1].value));
        }
    }
}

#[test]
fn gaze_has_fixations_and_saccades() {
    let gaze = TAKE.gaze.as_ref().unwrap();
    assert_eq!(gaze.origin, TAKE.camera.as_ref().unwrap().position);
    let [x, y, z] = gaze.direction.each_ref().map(|curve| keys(&curve.keys));
    let directions: Vec<_> = (0..x.len())
        .map(|n| DVec3::from_array([x[n], y[n], z[n]].map(|key| f64::from(key.value))))
        .inspect(|direction| assert!((direction.length() - 1.0).abs() < 1e-6))
        .collect();
    // Faster than smooth pursuit: a saccade.
    let fast: Vec<_> = directions.windows(2).map(|pair| pair[0].angle_between(pair[1]).to_degrees() > 4.0).collect();
    let jumps: Vec<_> = fast.chunk_by(|a, b| a == b).filter(|frames| frames[0]).map(<[bool]>::len).collect();
    assert!(jumps.len() > 20, "{}", jumps.len());
    assert!(jumps.iter().all(|&frames| frames <= 4), "{jumps:?}");
}

#[test]
fn first_routines_of_every_seed_contain_all_actions() {
    for seed in 0..40 {
        let recording = record(DemoOptions::new().with_seed(seed).with_rate_hz(30.0));
        for verb in ["reaches", "pinches", "carries", "releases", "points", "waves", "lowers"] {
            assert!(recording.markers.iter().any(|marker| marker.name.ends_with(verb)), "seed {seed}: {verb}");
        }
        let lost = |hand| recording.hand(hand).tracked.keys.windows(2).any(|pair| pair[1].value == 0.0);
        let pinched = |hand| recording.hand(hand).pinching.keys.len() > 1;
        assert!(Hand::ALL.into_iter().any(lost), "seed {seed}");
        assert!(Hand::ALL.into_iter().any(pinched), "seed {seed}");
        let acting = |hand: Hand| recording.markers.iter().any(|marker| marker.name.starts_with(hand.name()));
        assert!(Hand::ALL.into_iter().all(acting), "seed {seed}");
    }
}

#[test]
fn generated_file_reads_back() {
    let (bytes, losses) = TAKE.to_vec().unwrap();
    assert!(losses.is_empty());
    assert_eq!(Recording::from_slice(&bytes).unwrap(), *TAKE);
}

#[test]
fn any_length_works() {
    for (seconds, frames) in [(0.0, 1), (-0.0, 1), (0.01, 2), (1.0, 2), (3600.0, 3601)] {
        let recording = record(DemoOptions::new().with_seconds(seconds).with_rate_hz(1.0));
        assert_eq!(recording.camera.as_ref().unwrap().position[0].keys.len(), frames);
        assert_eq!(f64::from(recording.duration_secs()), f64::from(seconds as f32));
        assert!(recording.markers.iter().all(|marker| f64::from(marker.time) <= seconds));
        assert_eq!(recording.hand(Hand::Left).tracked.keys[0], LinearKey::new(0.0, 1.0));
    }
}

#[test]
fn invalid_options_are_rejected() {
    let kind = |options: DemoOptions| options.generate().unwrap_err().kind();
    for seconds in [-0.1, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(kind(DemoOptions::new().with_seconds(seconds)), ErrorKind::InvalidArgument, "{seconds} s");
    }
    for rate in [0.0, 0.99, 1000.1, -60.0, f64::NAN, f64::INFINITY] {
        assert_eq!(kind(DemoOptions::new().with_rate_hz(rate)), ErrorKind::InvalidArgument, "{rate} Hz");
    }
    assert_eq!(kind(DemoOptions::new().with_seconds(1e300)), ErrorKind::LimitExceeded);
}

#[test]
fn too_long_duration_reports_the_maximum() {
    let error = DemoOptions::new().with_seconds(1e6).generate().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    assert!(error.to_string().contains("at most 22621 s"), "{error}");
    // Six hours at 60 Hz fit; generating the recording would take too long here.
    assert!(DemoOptions::new().with_seconds(6.0 * 3600.0).check().is_ok());
    assert!(DemoOptions::new().with_seconds(22_621.0).check().is_ok());
    assert!(DemoOptions::new().with_seconds(22_621.1).check().is_err());
}
