//! Vectors that cannot be reduced are skipped and reported; unusual input causes no harm.

use holotape::Tolerance;
use holotape::optimize::{OptimizeOptions, SkipReason, optimize};
use holotape::{BezierKey, Curve, CurveMut, CurveRef, Hand, Joint, Keys, LinearKey, PoseCurves, Recording, WrapMode};
use proptest::prelude::*;

use crate::common::arbitrary::any_recording;
use crate::common::walk::{any_walk, trembling};

/// Unusual floats.
fn any_odd_float() -> impl Strategy<Value = f32> {
    let odd = [f32::NAN, f32::INFINITY, f32::MAX, f32::MIN, 1e30, -1e30, 1e-45, -0.0, 0.0, 1.0];
    prop::sample::select(odd.to_vec())
}

/// Asserts that the kept keys are original ones, except for signs, and include the first and the last.
fn assert_subset(before: &Recording, after: &Recording) {
    for ((id, before), (_, after)) in before.curves().zip(after.curves()) {
        let (before, after) = (keys_of(before), keys_of(after));
        let mut rest = before.iter();
        let bits = |key: &LinearKey| (key.time.to_bits(), key.value.abs().to_bits());
        assert!(after.iter().all(|key| rest.any(|other| bits(other) == bits(key))), "{id}");
        assert_eq!(after.first().map(bits), before.first().map(bits), "{id}");
        assert_eq!(after.last().map(bits), before.last().map(bits), "{id}");
    }
}

fn keys_of(curve: CurveRef<'_>) -> Vec<LinearKey> {
    match curve {
        CurveRef::Float(curve) => curve.keys.iter().collect(),
        CurveRef::Bool(curve) => curve.keys.clone(),
    }
}

proptest! {
    #[test]
    fn unusual_values_are_handled(
        mut recording in any_walk(30),
        odd in prop::collection::vec((0..13_usize, any::<prop::sample::Index>(), any::<bool>(), any_odd_float()), 0..4),
        is_shared in any::<bool>(),
    ) {
        for (nth, index, in_time, odd) in odd {
            for (n, curve) in recording.curves_mut().enumerate() {
                let CurveMut::Float(curve) = curve else { continue };
                let len = curve.keys.len();
                if (n == nth || is_shared) && len > 0 {
                    let (time, value) = key(curve, index.index(len));
                    *(if in_time { time } else { value }) = odd;
                }
            }
        }
        let before = recording.clone();
        optimize(&mut recording, &OptimizeOptions::new());
        assert_subset(&before, &recording);
    }

    #[test]
    fn random_recordings_are_handled(mut recording in any_recording()) {
        let before = recording.clone();
        optimize(&mut recording, &OptimizeOptions::new());
        assert_subset(&before, &recording);
    }
}

/// A change of the camera, the vector that it affects, and the reason why that vector is skipped.
type Spoiled = (&'static str, fn(&mut PoseCurves), SkipReason);

const SPOILED: [Spoiled; 14] = [
    ("position", |pose| pose.position[1].pre_wrap = WrapMode::LOOP, SkipReason::Repeats),
    ("rotation", |pose| pose.rotation[3].post_wrap = WrapMode::PING_PONG, SkipReason::Repeats),
    ("position", |pose| bend(&mut pose.position[2]), SkipReason::NotLinear),
    ("position", |pose| pose.position[0].keys = Keys::Linear(Vec::new()), SkipReason::TimesDiffer),
    ("rotation", |pose| pose.rotation[3].keys = Keys::Linear(vec![LinearKey::new(0.0, 1.0)]), SkipReason::TimesDiffer),
    ("position", |pose| *key(&mut pose.position[2], 7).0 += 0.001, SkipReason::TimesDiffer),
    ("position", |pose| *key(&mut pose.position[0], 3).0 = f32::NAN, SkipReason::NotFinite),
    ("position", |pose| *key(&mut pose.position[2], 3).1 = f32::NAN, SkipReason::NotFinite),
    ("rotation", |pose| *key(&mut pose.rotation[2], 9).1 = f32::INFINITY, SkipReason::NotFinite),
    ("rotation", |pose| *key(&mut pose.rotation[1], 0).0 = f32::NEG_INFINITY, SkipReason::NotFinite),
    (
        "position",
        |pose| pose.position.iter_mut().for_each(|curve| *key(curve, 5).0 = -1.0),
        SkipReason::TimesNotIncreasing,
    ),
    (
        "rotation",
        |pose| pose.rotation.iter_mut().for_each(|curve| *key(curve, 5).0 = 4.0 / 64.0),
        SkipReason::TimesNotIncreasing,
    ),
    ("rotation", |pose| pose.rotation.iter_mut().for_each(|curve| *key(curve, 5).1 *= 2.5), SkipReason::NotUnit),
    ("rotation", |pose| pose.rotation.iter_mut().for_each(|curve| *key(curve, 5).1 *= 0.1), SkipReason::NotUnit),
];

fn key(curve: &mut Curve, nth: usize) -> (&mut f32, &mut f32) {
    curve.keys.iter_mut().nth(nth).expect("the key exists")
}

fn bend(curve: &mut Curve) {
    let mut keys: Vec<_> = curve.keys.iter().map(BezierKey::from).collect();
    keys[4].out_tangent = 0.5;
    curve.keys = Keys::Bezier(keys);
}

#[test]
fn irregular_vectors_are_skipped_with_the_reason() {
    for (part, spoil, reason) in SPOILED {
        let mut recording = trembling(50, 1e-4, 1e-4);
        spoil(recording.camera.as_mut().expect("a camera"));
        let before = recording.camera.clone().expect("a camera");
        let report = optimize(&mut recording, &OptimizeOptions::new());
        let [untouched] = report.skipped[..] else { panic!("{part} {reason:?}: {:?}", report.skipped) };
        assert_eq!((untouched.vector.to_string(), untouched.reason), (format!("camera.{part}"), reason));
        let after = recording.camera.expect("a camera");
        let (is_same, other) = match part {
            "position" => (after.position == before.position, &after.rotation[0]),
            _ => (after.rotation == before.rotation, &after.position[0]),
        };
        assert!(is_same, "{part} {reason:?}");
        assert_eq!(other.keys.len(), 2, "{reason:?}: what is sound is still reduced");
    }
}

#[test]
fn linear_full_keys_are_reduced_and_stay_full() {
    let mut recording = trembling(50, 1e-4, 1e-4);
    let mut full = recording.clone();
    for pose in full.camera.iter_mut() {
        for curve in pose.position.iter_mut().chain(&mut pose.rotation) {
            curve.keys = Keys::Bezier(curve.keys.iter().map(BezierKey::from).collect());
        }
    }
    let reports = [&mut recording, &mut full].map(|recording| optimize(recording, &OptimizeOptions::new()));
    assert_eq!(reports[0], reports[1]);
    let (linear, full) = (recording.camera.expect("a camera"), full.camera.expect("a camera"));
    for (linear, full) in linear.rotation.iter().zip(&full.rotation) {
        assert_eq!(full.keys, Keys::Bezier(linear.keys.iter().map(BezierKey::from).collect()));
    }
}

#[test]
fn zero_quaternions_split_the_reduction() {
    let mut recording = trembling(60, 1e-4, 1e-4);
    let camera = recording.camera.take().expect("a camera");
    let none = recording.hand_mut(Hand::Left).joint_mut(Joint::None);
    *none = camera;
    for curve in &mut none.rotation {
        curve
            .keys
            .iter_mut()
            .enumerate()
            .filter(|(n, _)| (20..40).contains(n))
            .for_each(|(_, (_, value))| *value = 0.0);
    }
    let before = none.clone();
    let report = optimize(&mut recording, &OptimizeOptions::new());
    assert_eq!(report.skipped, []);
    let after = recording.hand(Hand::Left).joint(Joint::None);
    let times: Vec<_> = after.rotation[3].keys.iter().map(|key| key.time * 64.0).collect();
    assert_eq!(times, [0.0, 19.0, 20.0, 39.0, 40.0, 59.0]);
    for n in 0..60 {
        let [before, after] = [&before, after].map(|pose| pose.pose_at(f64::from(n) / 64.0).expect("keys"));
        assert!(before.angle_deg(&after) <= 0.2, "at key {n}");
    }
}

#[test]
fn invalid_tolerances_count_as_zero() {
    let recording = trembling(50, 1e-4, 1e-4);
    for nothing in [0.0, -1.0, f64::NAN, f64::NEG_INFINITY] {
        let mut reduced = recording.clone();
        optimize(&mut reduced, &same_tolerance(nothing));
        assert_eq!(reduced, recording, "{nothing}");
    }
    let mut reduced = recording;
    let report = optimize(&mut reduced, &same_tolerance(f64::INFINITY));
    assert_eq!(report.keys_after, 26);
}

fn same_tolerance(tolerance: f64) -> OptimizeOptions {
    let pose = Tolerance { position_m: tolerance, rotation_deg: tolerance };
    let gaze = Tolerance { position_m: tolerance, rotation_deg: tolerance };
    OptimizeOptions::new().with_joint(pose).with_camera(pose).with_gaze(gaze)
}

#[cfg(feature = "json")]
#[test]
fn report_serializes_as_json() {
    let mut recording = trembling(50, 0.0, 0.0);
    recording.camera.as_mut().expect("a camera").position[0].pre_wrap = WrapMode::LOOP;
    let report = serde_json::to_value(optimize(&mut recording, &OptimizeOptions::new())).expect("serialises");
    let expected = serde_json::json!({
        "keys_before": 650,
        "keys_after": 170,
        "max_position_error_m": 0.0,
        "max_rotation_error_deg": 0.0,
        "max_direction_error_deg": 0.0,
        "skipped": [{ "vector": "camera.position", "reason": "repeats outside its keys" }],
    });
    assert_eq!(report, expected);
}
