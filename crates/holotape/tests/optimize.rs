//! Optimized recordings stay within the tolerance, with the minimal number of keys.

use holotape::optimize::{OptimizeOptions, OptimizeReport, optimize};
use holotape::{Curve, Hand, Recording, Summary, VectorKind};
use proptest::prelude::*;

use crate::common::motion::{device_frames, recording_of};
use crate::common::reduction::{Tolerances, VectorKeys, vectors};
use crate::common::valid_pairs;
use crate::common::walk::{any_walk, trembling};

fn any_tolerances() -> impl Strategy<Value = Tolerances> {
    let metres = prop::sample::select(vec![0.0, 1e-6, 1e-4, 2e-3, 0.05, 10.0]);
    let degrees = prop::sample::select(vec![0.0, 1e-4, 0.02, 0.2, 3.0, 40.0, 120.0, 180.0]);
    (metres, degrees).prop_map(|(metres, degrees)| Tolerances::all(metres, degrees))
}

fn curves_of(recording: &Recording) -> impl Iterator<Item = &[Curve]> {
    let poses = recording.poses().flat_map(|(_, pose)| [&pose.position[..], &pose.rotation[..]]);
    poses.chain(recording.gaze.iter().flat_map(|gaze| [&gaze.origin[..], &gaze.direction[..]]))
}

/// The largest error at any original key, with each curve evaluated separately.
fn largest_error(before: &VectorKeys, after: &[Curve]) -> f64 {
    let after: Vec<_> = after.iter().map(Curve::evaluator).collect();
    let error = |(time, value): (&f64, &[f64; 4])| {
        let mut now = [0.0; 4];
        now.iter_mut().zip(&after).for_each(|(now, curve)| *now = curve.value_at(*time).expect("has keys"));
        let error = before.distance(now, *value);
        assert!(!error.is_nan());
        error
    };
    before.times.iter().zip(&before.values).map(error).fold(0.0, f64::max)
}

/// Optimizes, and asserts that the result and the report are within the tolerance.
fn reduce(recording: &mut Recording, tolerances: Tolerances) -> OptimizeReport {
    // Measured differently, so the last bits differ.
    let is_within = |error: f64, bound: f64| error <= bound * (1.0 + 1e-9) + 1e-12;
    let before = vectors(recording, tolerances);
    let report = optimize(recording, &tolerances.options());
    assert_eq!(report.skipped, []);
    for (before, after) in before.iter().zip(curves_of(recording)) {
        let error = largest_error(before, after);
        assert!(is_within(error, before.tolerance), "{:?}: {error} is over {}", before.kind, before.tolerance);
        let reported = match before.kind {
            VectorKind::Position => report.max_position_error_m,
            VectorKind::Rotation => report.max_rotation_error_deg,
            VectorKind::Direction => report.max_direction_error_deg,
        };
        assert!(is_within(error, reported), "{:?}: {error} is over the reported {reported}", before.kind);
        let kept = times(&after[0]);
        assert!(after.iter().all(|curve| times(curve) == kept));
        assert_eq!((kept.first(), kept.last()), (before.times.first(), before.times.last()));
    }
    report
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn error_stays_within_the_tolerance(mut recording in any_walk(120), tolerances in any_tolerances()) {
        let report = reduce(&mut recording, tolerances);
        prop_assert!(report.max_position_error_m <= tolerances.camera.position_m);
        prop_assert!(report.max_rotation_error_deg <= tolerances.camera.rotation_deg);
        prop_assert!(report.max_direction_error_deg <= tolerances.gaze.rotation_deg);
        // The result can be written.
        reduce(&mut recording, tolerances);
    }

    #[test]
    fn number_of_keys_is_minimal(mut recording in any_walk(40), tolerances in any_tolerances()) {
        let fewest: Vec<_> = vectors(&recording, tolerances).iter().map(VectorKeys::min_key_count).collect();
        optimize(&mut recording, &tolerances.options());
        prop_assert_eq!(curves_of(&recording).map(|curves| curves[0].keys.len()).collect::<Vec<_>>(), fewest);
    }

    #[test]
    fn sampled_motion_stays_within_the_tolerance(recording in any_walk(60), tolerances in any_tolerances()) {
        let mut reduced = recording.clone();
        optimize(&mut reduced, &tolerances.options());
        let (mut before, mut after) = (recording.sampler(), reduced.sampler());
        let mut poses = |time: f64| {
            let (before, after) = (before.frame_at(time), after.frame_at(time));
            (before.camera.zip(after.camera).expect("a camera"), before.gaze.zip(after.gaze).expect("a gaze"))
        };
        // The sampler uses 32 bits.
        let (metres, degrees) = (tolerances.camera.position_m + 1e-5, tolerances.camera.rotation_deg + 2e-5);
        let times = times(&recording.camera.as_ref().expect("a camera").position[0]);
        for time in &times {
            let ((head, reduced_head), (gaze, reduced_gaze)) = poses(*time);
            prop_assert!(head.angle_deg(&reduced_head) <= degrees);
            prop_assert!(gaze.angle_deg(&reduced_gaze) <= degrees);
        }
        let between = times.windows(2).flat_map(|pair| [0.0, 0.3, 0.7].map(|s| pair[0] + s * (pair[1] - pair[0])));
        for time in between {
            let ((head, reduced_head), (gaze, reduced_gaze)) = poses(time);
            prop_assert!(head.distance_m(&reduced_head) <= metres);
            prop_assert!(gaze.distance_m(&reduced_gaze) <= metres);
        }
    }
}

fn times(curve: &Curve) -> Vec<f64> {
    curve.keys.iter().map(|key| key.time.into()).collect()
}

#[test]
fn device_motion_keeps_a_tenth_less_than_ramer_douglas_peucker() {
    let mut recording = recording_of(&device_frames());
    let before = vectors(&recording, Tolerances::DEFAULT);
    reduce(&mut recording, Tolerances::DEFAULT);
    let after = vectors(&recording, Tolerances::DEFAULT);
    let poses = 2 * recording.poses().count();
    let count = |kind: VectorKind, keys: &dyn Fn(usize) -> usize| -> usize {
        (0..poses).filter(|&n| before[n].kind == kind).map(keys).sum()
    };
    for (kind, all, reference, fewest) in
        [(VectorKind::Position, 27_926, 7_791, 6_619), (VectorKind::Rotation, 27_926, 7_615, 6_643)]
    {
        assert_eq!(count(kind, &|n| before[n].times.len()), all, "{kind:?}");
        assert_eq!(count(kind, &|n| before[n].ramer_douglas_peucker().len()), reference, "{kind:?}");
        assert_eq!(count(kind, &|n| after[n].times.len()), fewest, "{kind:?}");
        assert!(fewest as f64 <= 0.9 * reference as f64);
    }
}

#[test]
fn motionless_curves_keep_two_keys() {
    for fraction in [0.0, 0.25] {
        let mut recording = trembling(100_000, 0.002 * fraction, 0.2_f64.to_radians() * fraction);
        let report = optimize(&mut recording, &OptimizeOptions::new());
        assert_eq!((report.keys_before, report.keys_after), (1_300_000, 26));
    }
}

#[test]
fn error_stays_within_the_tolerance_when_the_budget_is_used_up() {
    // So close to the tolerance that segments of any length may be valid: more than the budget can check.
    let mut recording = trembling(20_000, 0.0011, 0.11_f64.to_radians());
    let report = reduce(&mut recording, Tolerances::DEFAULT);
    assert!(report.keys_after < report.keys_before / 1000, "{report:?}");
}

#[test]
fn recordings_of_all_producers_stay_within_the_tolerance() {
    for (name, bytes, _) in valid_pairs() {
        let before = Recording::from_slice(&bytes).expect(&name);
        let mut after = before.clone();
        let report = optimize(&mut after, &OptimizeOptions::new());
        let floats = |recording: &Recording| {
            let summary = Summary::from_recording(recording);
            summary
                .curves
                .iter()
                .filter(|curve| !curve.id.is_bool())
                .map(|curve| u64::from(curve.key_count))
                .sum::<u64>()
        };
        assert_eq!((report.keys_before, report.keys_after), (floats(&before), floats(&after)), "{name}");
        assert_eq!(after.duration_secs(), before.duration_secs(), "{name}");
        assert_eq!(after.markers, before.markers, "{name}");
        assert_eq!(after.format, before.format, "{name}");
        for hand in Hand::ALL {
            assert_eq!(after.hand(hand).tracked, before.hand(hand).tracked, "{name}");
            assert_eq!(after.hand(hand).pinching, before.hand(hand).pinching, "{name}");
        }
        for ((id, before), (_, after)) in before.poses().zip(after.poses()) {
            let times =
                before.position[0].keys.iter().chain(before.rotation[0].keys.iter()).map(|key| f64::from(key.time));
            for time in times {
                let Some((before, after)) = before.pose_at(time).zip(after.pose_at(time)) else { continue };
                assert!(before.distance_m(&after) <= 0.002 + 1e-5, "{name} {id} at {time}");
                assert!(before.angle_deg(&after) <= 0.2 + 1e-4, "{name} {id} at {time}");
            }
        }
    }
}
