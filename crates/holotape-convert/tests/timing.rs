//! The reported resampling loss matches the actual one.

use glam::{DQuat, DVec3};
use holotape::demo::DemoOptions;
use holotape::{
    BezierKey, BoolCurve, Curve, CurveRef, Frame, Hand, Joint, Keys, LinearKey, Pose, PoseCurves, RayCurves, Recording,
    WeightedMode, WrapMode,
};
use holotape_convert::mcap::{self, McapOptions};
use holotape_convert::{Loss, LossKind, Timing};

/// The resampling loss of a log; these recordings have no other loss.
fn loss(recording: &Recording, timing: Timing) -> Option<Loss> {
    let losses = mcap::write(recording, &McapOptions::new().with_timing(timing), std::io::sink()).unwrap();
    assert!(losses.iter().count() <= 1, "{losses:?}");
    losses.into_iter().next()
}

/// The reported millimetres and degrees.
fn stated(loss: &Loss) -> (f64, f64) {
    let message = loss.to_string();
    let number = |before: &str, after: &str| {
        let rest = &message[message.find(before).unwrap() + before.len()..];
        rest[..rest.find(after).unwrap()].parse().unwrap()
    };
    (number("up to ", " mm"), number("mm and ", "°"))
}

type RigidPose = (DVec3, DQuat);

/// All poses of a frame, in a fixed order.
fn poses(frame: &Frame) -> Vec<Option<RigidPose>> {
    let vector = |vector: [f32; 3]| DVec3::from_array(vector.map(f64::from));
    let pose = |pose: Pose| (vector(pose.position), DQuat::from_array(pose.rotation.map(f64::from)).normalize());
    let hand = |hand| Joint::ALL.map(|joint| frame.hand(hand).and_then(|hand| hand.joint(joint)).map(pose));
    let camera = frame.camera.map(pose);
    std::iter::once(camera).chain(Hand::ALL.into_iter().flat_map(hand)).collect()
}

/// The maximum deviation of keys from linear interpolation between frames, in millimetres and degrees.
fn actual(recording: &Recording, times: &[f64]) -> (f64, f64) {
    let keys = recording.curves().flat_map(|(_, curve)| match curve {
        CurveRef::Float(curve) => curve.keys.iter().map(|key| f64::from(key.time)).collect::<Vec<_>>(),
        CurveRef::Bool(curve) => curve.keys.iter().map(|key| f64::from(key.time)).collect(),
    });
    let mut keys: Vec<_> = keys.collect();
    keys.sort_by(f64::total_cmp);
    keys.dedup();
    let mut sampler = recording.sampler();
    let mut max = (0.0_f64, 0.0_f64);
    for key in keys {
        let before = times.iter().copied().rfind(|time| *time <= key).unwrap_or(times[0]);
        let after = times.iter().copied().find(|time| *time >= key).unwrap_or(times[times.len() - 1]);
        let fraction = if after > before { (key - before) / (after - before) } else { 0.0 };
        let [a, b, truth] = [before, after, key].map(|time| poses(&sampler.frame_at(time)));
        for ((a, b), truth) in a.into_iter().zip(b).zip(truth) {
            let (Some(a), Some(b), Some(truth)) = (a, b, truth) else { continue };
            let angle = a.1.lerp(b.1, fraction).angle_between(truth.1).to_degrees();
            max = (max.0.max(a.0.lerp(b.0, fraction).distance(truth.0) * 1e3), max.1.max(angle));
        }
    }
    max
}

fn curve(keys: &[(f32, f32)]) -> Curve {
    keys.iter().map(|(time, value)| LinearKey::new(*time, *value)).collect()
}

fn flag(keys: &[(f32, f32)]) -> BoolCurve {
    keys.iter().map(|(time, value)| LinearKey::new(*time, *value)).collect()
}

fn camera(position_x: Curve, rotation: [Curve; 4]) -> Recording {
    let still = |value| curve(&[(0.0, value)]);
    let position = [position_x, still(1.6), still(0.0)];
    Recording { camera: Some(PoseCurves { position, rotation }), ..Recording::default() }
}

fn moving(position_x: Curve) -> Recording {
    camera(position_x, [0.0, 0.0, 0.0, 1.0].map(|value| curve(&[(0.0, value)])))
}

/// A key with tangents, none of them weighted.
fn bezier(time: f32, value: f32, tangent: f32) -> BezierKey {
    let (in_tangent, out_tangent, weighted_mode) = (tangent, tangent, WeightedMode::NONE);
    BezierKey { in_tangent, out_tangent, weighted_mode, ..BezierKey::from(LinearKey::new(time, value)) }
}

#[test]
fn reported_loss_matches_the_loss_at_keys() {
    let mut recording = DemoOptions::new().with_seconds(4.3).generate().unwrap();
    recording.gaze = None;
    for rate_hz in [0.5, 1.0, 7.0, 29.0, 59.0] {
        let timing = Timing::Rate(rate_hz);
        let (mm, deg) = stated(&loss(&recording, timing).expect("a loss"));
        let (actual_mm, actual_deg) = actual(&recording, &timing.times(&recording).unwrap());
        // The report is rounded to three digits.
        assert!((mm - actual_mm).abs() < 2e-3, "{rate_hz} Hz: {mm} mm are {actual_mm}");
        assert!((deg - actual_deg).abs() < 2e-3, "{rate_hz} Hz: {deg}° are {actual_deg}");
    }
}

/// Long recordings are checked in parts, of 2048 times each, on several threads.
#[test]
fn deviation_is_measured_in_every_part() {
    let secs = |n: usize| n as f32 / 64.0;
    for spike in [1, 2045, 2047, 2049, 4095, 4097, 5999] {
        let keys: Vec<_> = (0..=6000).map(|n| (secs(n), if n == spike { 1.0 } else { 0.0 })).collect();
        let mut recording = moving(curve(&keys));
        // Starts and ends in the segment between two frames that has the spike, half of it in the next part.
        let pinch = [(0.0, 0.0), (secs(spike), 1.0), (secs(spike) + 0.008, 0.0)];
        recording.hand_mut(Hand::Left).pinching = flag(&pinch);
        let loss = loss(&recording, Timing::Rate(32.0)).expect("a loss");
        assert_eq!(stated(&loss), (1000.0, 0.0), "{spike}");
        assert!(loss.to_string().ends_with("misses short changes of flags (1)"), "{spike}: {loss}");
    }
}

#[test]
fn frames_at_the_recorded_rate_are_lossless() {
    // 64 Hz, because multiples of 1/64 s are exact floats.
    let wave: Vec<_> = (0..=128).map(|n| (n as f32 / 64.0, (n as f32 / 9.0).sin())).collect();
    let recording = moving(curve(&wave));
    for timing in [Timing::Keys, Timing::Rate(64.0), Timing::Rate(128.0)] {
        assert_eq!(loss(&recording, timing), None, "{timing:?}");
    }
    assert!(loss(&recording, Timing::Rate(32.0)).is_some());
}

#[test]
fn rotation_at_constant_speed_is_lossless() {
    let key = |degrees: f32| (degrees.to_radians() / 2.0).sin_cos();
    let keys = [(0.0, key(0.0)), (0.5, key(40.0)), (1.0, key(80.0))];
    let rotation = [
        curve(&[(0.0, 0.0)]),
        curve(&keys.map(|(time, (sin, _))| (time, sin))),
        curve(&[(0.0, 0.0)]),
        curve(&keys.map(|(time, (_, cos))| (time, cos))),
    ];
    assert_eq!(loss(&camera(curve(&[(0.0, 0.0)]), rotation), Timing::Rate(1.0)), None);
}

#[test]
fn motion_after_the_last_frame_is_lost() {
    let recording = moving(curve(&[(0.0, 0.0), (1.0, 0.0), (1.5, 1.0)]));
    let loss = loss(&recording, Timing::Rate(1.0)).expect("a loss");
    assert_eq!((loss.kind(), stated(&loss).0), (LossKind::Resampled, 1000.0));
}

#[test]
fn deviation_is_not_only_measured_in_the_middle() {
    let smooth = Keys::Bezier(vec![bezier(0.0, 0.0, 0.0), bezier(1.0, 1.0, 0.0)]);
    let recording = moving(Curve { keys: smooth, ..Curve::new() });
    for timing in [Timing::Keys, Timing::Rate(1.0)] {
        let loss = loss(&recording, timing).expect("a loss");
        assert_eq!(loss.kind(), LossKind::Tangents);
        // 3t² - 2t³ - t is farthest from 0 at (3 ± √3) / 6.
        assert!((stated(&loss).0 - 96.225).abs() < 1.0, "{loss}");
    }
}

#[test]
fn step_deviates_by_its_full_height() {
    let step = Keys::Bezier(vec![bezier(0.0, 0.0, f32::INFINITY), bezier(1.0, 1.0, 0.0)]);
    let loss = loss(&moving(Curve { keys: step, ..Curve::new() }), Timing::Keys).expect("a loss");
    assert!(stated(&loss).0 > 990.0, "{loss}");
}

#[test]
fn pinch_between_two_frames_is_reported() {
    let mut recording = moving(curve(&[(0.0, 0.0), (2.0, 0.0)]));
    recording.hand_mut(Hand::Left).pinching =
        flag(&[(0.0, 0.0), (0.25, 1.0), (0.5, 0.0), (0.6, 1.0), (0.7, 0.0), (1.5, 1.0)]);
    let loss = loss(&recording, Timing::Rate(1.0)).expect("a loss");
    assert_eq!(loss.to_string(), "resampled: linear interpolation between frames misses short changes of flags (1)");
}

#[test]
fn repeating_curve_is_sampled_after_its_keys() {
    for post_wrap in [WrapMode::LOOP, WrapMode::PING_PONG] {
        let mut recording = moving(Curve { post_wrap, ..curve(&[(0.0, 0.0), (0.5, 1.0), (1.0, 0.0)]) });
        recording.hand_mut(Hand::Left).pinching = flag(&[(10.0, 0.0)]);
        let loss = loss(&recording, Timing::Keys).expect("a loss");
        assert_eq!(loss.kind(), LossKind::Resampled);
        assert!((stated(&loss).0 - 1000.0).abs() < 20.0, "{loss}");
    }
}

#[test]
fn repeating_flag_is_sampled_after_its_keys() {
    let mut recording = moving(curve(&[(0.0, 0.0), (10.0, 0.0)]));
    recording.hand_mut(Hand::Left).pinching =
        BoolCurve { post_wrap: WrapMode::LOOP, ..flag(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)]) };
    let loss = loss(&recording, Timing::Keys).expect("a loss");
    assert_eq!(loss.to_string(), "resampled: linear interpolation between frames misses short changes of flags (1)");
}

#[test]
fn distant_key_does_not_cause_excessive_sampling() {
    let mut recording = moving(Curve { post_wrap: WrapMode::LOOP, ..curve(&[(0.0, 0.0), (0.5, 1.0), (1.0, 0.0)]) });
    recording.hand_mut(Hand::Left).pinching = flag(&[(1e30, 0.0)]);
    assert!(loss(&recording, Timing::Keys).is_some());
}

/// atan(3/4) minus the mean of atan(1/2) and atan(1).
const LOST_DEG: f64 = 36.86990 - (26.56505 + 45.0) / 2.0;

#[test]
fn single_component_rotates_between_its_keys() {
    for axis in 0..4 {
        let mut rotation = [0.0; 4].map(|value| curve(&[(0.0, value)]));
        rotation[axis] = curve(&[(0.0, 0.0), (1.0, 1.0)]);
        rotation[(axis + 1) % 4] = curve(&[(0.0, 1.0)]);
        let loss = loss(&camera(curve(&[(0.0, 0.0), (0.5, 0.0), (1.0, 0.0)]), rotation), Timing::Keys);
        assert!((stated(&loss.expect("a loss")).1 - 2.0 * LOST_DEG).abs() < 1e-3, "{axis}");
    }
}

#[test]
fn gaze_rotates_between_its_keys() {
    let direction = [curve(&[(0.0, 0.0), (1.0, 1.0)]), curve(&[(0.0, 0.0)]), curve(&[(0.0, 1.0)])];
    let origin = [0.0, 1.6, 0.0].map(|value| curve(&[(0.0, value), (0.5, value), (1.0, value)]));
    let recording = Recording { gaze: Some(RayCurves { origin, direction }), ..Recording::default() };
    assert!((stated(&loss(&recording, Timing::Keys).expect("a loss")).1 - LOST_DEG).abs() < 1e-3);
}
