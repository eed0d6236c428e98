//! `resample` writes one key per frame.

use std::fs;

use holotape::edit;
use holotape::stats::{Stats, StatsOptions};
use holotape::{ErrorKind, Frame, FrameLimit, Hand, Joint, LinearKey, Recording};

use crate::common::testdata;
use crate::edit::{curve_of, flags, kind, line, recording_of_x, recordings};

#[test]
fn frames_have_the_sampled_poses() {
    for (name, recording) in recordings() {
        let resampled = edit::resample(recording, 30.0).expect(name);
        let (mut old, mut new) = (recording.sampler(), resampled.sampler());
        // Untracked hands have no poses to compare.
        let shown = |frame: Frame| -> Vec<_> {
            let joints = [frame.left, frame.right].into_iter().flatten().flat_map(|hand| hand.joints);
            joints.chain([frame.camera]).collect()
        };
        for time in old.times_at_rate(30.0).map(|time| f64::from(time as f32)) {
            for (old, new) in shown(old.frame_at(time)).into_iter().zip(shown(new.frame_at(time))) {
                assert_eq!(old.is_some(), new.is_some(), "{name} at {time}");
                let Some((old, new)) = old.zip(new) else { continue };
                assert!(old.distance_m(&new) < 1e-6 && old.angle_deg(&new) < 1e-4, "{name} at {time}: {old:?} {new:?}");
            }
        }
    }
}

#[test]
fn poses_are_not_interpolated_across_gaps() {
    let mut recording = Recording::default();
    let hand = recording.hand_mut(Hand::Right);
    hand.tracked = flags([(0.0, 1.0), (1.03, 0.0), (2.07, 1.0)]);
    let wrist = hand.joint_mut(Joint::Wrist);
    wrist.position = [0, 1, 2].map(|_| line([(0.0, 0.0), (1.03, 0.0), (2.07, 1.0), (3.0, 1.0)]));
    wrist.rotation = [0.0, 0.0, 0.0, 1.0].map(|value| line([(0.0, value)]));
    let resampled = edit::resample(&recording, 10.0).expect("resampled");
    let mut sampler = resampled.sampler();
    let mut wrist = |time| sampler.frame_at(time).right?.joint(Joint::Wrist).map(|pose| pose.position[0]);
    assert_eq!(
        [0.5, 1.02, 1.03, 2.0, 2.071, 2.5].map(&mut wrist),
        [Some(0.0), Some(0.0), None, None, Some(1.0), Some(1.0)]
    );
}

#[test]
fn gaps_and_flags_stay_unchanged() {
    let (_, recording) = recordings().iter().find(|(name, _)| name == "device").expect("there");
    let resampled = edit::resample(recording, 45.0).expect("resampled");
    let mut gaps = 0;
    for hand in Hand::ALL {
        let (old, new) = (recording.hand(hand), resampled.hand(hand));
        assert_eq!((&old.tracked, &old.pinching), (&new.tracked, &new.pinching));
        let times: Vec<_> = new.joint(Joint::IndexTip).position[0].keys.iter().map(|key| key.time).collect();
        for change in old.tracked.keys.iter().skip(1) {
            assert!(times.contains(&change.time), "tracking changes at {}", change.time);
        }
        for gap in old.tracked.keys.windows(2).filter(|pair| pair[0].value < 0.5) {
            gaps += 1;
            assert!(!times.iter().any(|time| gap[0].time < *time && *time < gap[1].time), "{gap:?}");
        }
    }
    assert!(gaps >= 2, "only {gaps} gaps");
}

#[test]
fn rotations_are_normalized_without_sign_flips() {
    let (_, recording) = recordings().iter().find(|(name, _)| name == "flipping").expect("there");
    let resampled = edit::resample(recording, 60.0).expect("resampled");
    for (id, pose) in resampled.poses() {
        let curves = pose.rotation.each_ref().map(|curve| curve.keys.iter().map(|key| key.value).collect::<Vec<_>>());
        let keys: Vec<[f32; 4]> = (0..curves[0].len()).map(|n| [0, 1, 2, 3].map(|part| curves[part][n])).collect();
        let dot = |a: &[f32; 4], b: &[f32; 4]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        assert!(keys.iter().all(|key| (dot(key, key) - 1.0).abs() < 1e-5), "{id}");
        assert!(keys.windows(2).all(|pair| dot(&pair[0], &pair[1]) >= 0.0), "{id}");
    }
}

#[test]
fn frames_have_a_constant_rate_up_to_the_end() {
    let mut recording = recording_of_x(line([(-1.0, 0.0), (0.45, 1.0)]));
    let camera = recording.camera.as_mut().expect("a camera");
    camera.position[1..].iter_mut().chain(&mut camera.rotation).for_each(|curve| *curve = line([(0.0, 0.5)]));
    let resampled = edit::resample(&recording, 10.0).expect("resampled");
    let keys: Vec<LinearKey> = resampled.camera.expect("a camera").position[0].keys.iter().collect();
    assert_eq!(keys.iter().map(|key| key.time).collect::<Vec<_>>(), [0.0, 0.1, 0.2, 0.3, 0.4]);
    assert!((keys[0].value - 1.0 / 1.45).abs() < 1e-6);
}

#[test]
fn invalid_and_excessive_rates_are_rejected() {
    let recording = recording_of_x(line([(0.0, 0.0), (10.0, 1.0)]));
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(kind(edit::resample(&recording, rate)), ErrorKind::InvalidArgument, "{rate}");
    }
    assert_eq!(kind(edit::resample(&recording, 1e9)), ErrorKind::LimitExceeded);
    assert_eq!(kind(edit::resample(&recording, f64::MAX)), ErrorKind::LimitExceeded);
    let mut long = Recording::default();
    long.hand_mut(Hand::Left).tracked = flags([(0.0, 1.0), (1e30, 0.0)]);
    assert_eq!(kind(edit::resample(&long, 1.0)), ErrorKind::LimitExceeded, "even without poses");
}

#[test]
fn small_file_with_a_distant_key_is_rejected() {
    let bytes = fs::read(testdata("regressions/resample_amplifies.bin")).expect("readable");
    let recording = Recording::from_slice(&bytes).expect("valid");
    let error = edit::resample(&recording, 60.0).expect_err("too many frames");
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    assert!(error.to_string().contains("at a rate of 60 Hz"), "{error}");
}

#[test]
fn hour_at_120_hz_is_resampled() {
    let mut recording = recording_of_x(line([(0.0, 0.0), (3600.0, 1.0)]));
    let camera = recording.camera.as_mut().expect("a camera");
    camera.position[1..].iter_mut().chain(&mut camera.rotation).for_each(|curve| *curve = line([(0.0, 0.5)]));
    let resampled = edit::resample(&recording, 120.0).expect("resampled");
    assert_eq!(curve_of(&resampled).keys.len(), 432_001);
    let stats = Stats::from_recording(&recording, &StatsOptions::new().with_path_rate_hz(120.0)).expect("statistics");
    assert!((stats.head.expect("a head").path_m - 1.0).abs() < 1e-3);
}

#[test]
fn statistics_of_a_small_file_with_a_distant_key_are_rejected() {
    let recording = recording_of_x(line([(0.0, 0.0), (1e5, 1.0)]));
    assert_eq!(kind(Stats::from_recording(&recording, &StatsOptions::new())), ErrorKind::LimitExceeded);
}

#[test]
fn large_recording_has_a_larger_limit() {
    let mut recording = recording_of_x((0..1_000_000).map(|n| LinearKey::new(n as f32, 0.0)).collect());
    assert!(FrameLimit::for_recording(&recording).max_frames() >= 1_000_000);
    assert!(edit::resample(&recording, 0.9).is_ok());
    recording.camera = None;
    assert_eq!(FrameLimit::for_recording(&recording).max_frames(), FrameLimit::MIN_FRAMES);
}
