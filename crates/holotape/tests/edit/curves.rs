//! Edits preserve curves of every shape.

use holotape::edit::{self, ConcatOptions, RetimeOptions, Transform};
use holotape::{Curve, Hand, Keys, LinearKey, PoseCurves, Recording, WrapMode};
use proptest::prelude::*;

use crate::common::strange::{any_curve, any_flags};

/// A recording of one curve, from before 0 until 5.
pub(crate) fn recording_of_x(curve: &Curve) -> Recording {
    let mut camera = PoseCurves::new();
    camera.position[0] = curve.clone();
    camera.position[1] = Curve::from_iter([LinearKey::new(-1.5, 0.0), LinearKey::new(5.0, 1.0)]);
    Recording { camera: Some(camera), ..Recording::default() }
}

fn curve_of(recording: &Recording) -> &Curve {
    &recording.camera.as_ref().expect("a camera").position[0]
}

/// The largest value of a curve's keys, which determines the rounding.
fn scale(curve: &Curve) -> f64 {
    let Keys::Bezier(keys) = &curve.keys else { return 2.0 };
    let tangents = keys.iter().flat_map(|key| [key.in_tangent, key.out_tangent]).filter(|tangent| tangent.is_finite());
    let weights = keys.iter().flat_map(|key| [key.in_weight, key.out_weight]);
    let steepest = tangents.fold(0.0_f32, |max, tangent| max.max(tangent.abs()));
    2.0 + f64::from(steepest * weights.fold(1.0, f32::max)) * 5.0
}

/// The rounding of times of a few seconds.
const ROUNDING_SECS: f64 = 2e-6;

/// How far a value is outside the range of values around a time, because a jump may move a little.
fn error_at(old: impl Fn(f64) -> f64, time: f64, rounding_secs: f64, value: f64) -> f64 {
    let offsets = (-4..=4).map(|n| rounding_secs * f64::from(n) / 4.0).chain([-1e-9, 1e-9]);
    let around = offsets.map(|offset| old(time + offset));
    let (low, high) = around.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    (low - value).max(value - high).max(0.0)
}

fn times(from: f64, to: f64) -> impl Iterator<Item = f64> {
    (0..=60).map(move |n| from + (to - from) * f64::from(n) / 60.0)
}

fn assert_same_curve(
    old: &Curve,
    new: &Curve,
    times: impl Iterator<Item = f64>,
    at: impl Fn(f64) -> f64,
) -> Result<(), TestCaseError> {
    let rounding_secs = ROUNDING_SECS / (at(1.0) - at(0.0)).min(1.0);
    for time in times {
        let value = new.value_at(at(time)).expect("a value");
        let error = error_at(|time| old.value_at(time).expect("a value"), time, rounding_secs, value) / scale(old);
        prop_assert!(error < 1e-5, "at {time}: {value} instead of {:?}, {error:e} off", old.value_at(time));
    }
    Ok(())
}

/// Asserts that rotating x and z about y is exact up to a limit.
fn assert_rotated(x: &Curve, z: &Curve, yaw_deg: f64, max_error: f64) -> Result<(), TestCaseError> {
    let mut recording = recording_of_x(x);
    recording.camera.as_mut().expect("a camera").position[2] = z.clone();
    let turned = edit::transform(&recording, &Transform::new().with_yaw_deg(yaw_deg)).expect("turned");
    let turned = &turned.camera.as_ref().expect("a camera").position;
    let (sin, cos) = yaw_deg.to_radians().sin_cos();
    let value = |curve: &Curve, time| curve.value_at(time).expect("a value");
    for time in times(-1.5, 5.0) {
        let x_at = |time| cos * value(x, time) + sin * value(z, time);
        let z_at = |time| cos * value(z, time) - sin * value(x, time);
        let errors = [
            error_at(x_at, time, ROUNDING_SECS, value(&turned[0], time)),
            error_at(z_at, time, ROUNDING_SECS, value(&turned[2], time)),
        ];
        let error = errors[0].max(errors[1]) / (scale(x) + scale(z));
        prop_assert!(error < max_error, "at {time}: {error:e} off");
    }
    Ok(())
}

/// Splits a recording at these times and joins the pieces.
pub(crate) fn cut_and_joined(recording: &Recording, cuts: &[f64]) -> Recording {
    let mut ends: Vec<_> = cuts.iter().map(|cut| f64::from(*cut as f32)).chain([-1.5, 5.0]).collect();
    ends.sort_by(f64::total_cmp);
    let pieces: Vec<_> =
        ends.windows(2).map(|ends| edit::trim(recording, ends[0]..=ends[1]).expect("a piece")).collect();
    edit::concat(&pieces.iter().collect::<Vec<_>>(), &ConcatOptions::new()).expect("a whole")
}

pub(crate) fn any_cuts() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-1.4..4.9_f64, 0..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn split_curve_keeps_its_shape(curve in any_curve(1.0), cut in -1.4..4.9_f64) {
        let recording = recording_of_x(&curve);
        let cut = f64::from(cut as f32);
        let [before, after] = [edit::trim(&recording, -1.5..=cut), edit::trim(&recording, cut..)].map(|part| part.expect("a part"));
        assert_same_curve(&curve, curve_of(&before), times(-1.5, cut), |time| time + 1.5)?;
        assert_same_curve(&curve, curve_of(&after), times(cut, 5.0), |time| time - cut)?;
    }

    #[test]
    fn split_curve_with_large_weights_keeps_its_shape(mut curve in any_curve(3.0), cut in -1.4..4.9_f64) {
        // Reversed, they are not exact.
        let modes = [&mut curve.pre_wrap, &mut curve.post_wrap];
        modes.into_iter().filter(|mode| **mode == WrapMode::PING_PONG).for_each(|mode| *mode = WrapMode::LOOP);
        let recording = recording_of_x(&curve);
        let cut = f64::from(cut as f32);
        let [before, after] = [edit::trim(&recording, -1.5..=cut), edit::trim(&recording, cut..)].map(|part| part.expect("a part"));
        assert_same_curve(&curve, curve_of(&before), times(-1.5, cut), |time| time + 1.5)?;
        assert_same_curve(&curve, curve_of(&after), times(cut, 5.0), |time| time - cut)?;
    }

    #[test]
    fn joined_pieces_equal_the_curve(curve in any_curve(1.0), cuts in any_cuts()) {
        let whole = cut_and_joined(&recording_of_x(&curve), &cuts);
        prop_assert!((whole.duration_secs() - 6.5).abs() < 2e-6);
        assert_same_curve(&curve, curve_of(&whole), times(-1.5, 5.0), |time| time + 1.5)?;
    }

    #[test]
    fn joined_pieces_equal_the_flags(flags in any_flags(), cuts in any_cuts()) {
        let mut recording = recording_of_x(&Curve::new());
        recording.hand_mut(Hand::Left).pinching = flags.clone();
        let whole = cut_and_joined(&recording, &cuts);
        for time in times(-1.5, 5.0) {
            let value = whole.hand(Hand::Left).pinching.value_at(time + 1.5);
            let is_one = [0.0, -2e-6, 2e-6].into_iter().any(|off| flags.value_at(time + off) == value);
            prop_assert!(is_one, "at {time}: {value}\n{:?}", whole.hand(Hand::Left).pinching);
        }
    }

    #[test]
    fn retimed_curve_keeps_its_values(
        mut curve in any_curve(3.0),
        speed in 0.1..10.0_f64,
        shift_secs in -9.0..9.0_f64,
    ) {
        // Repetitions accumulate the rounding of the period.
        (curve.pre_wrap, curve.post_wrap) = (WrapMode::ONCE, WrapMode::DEFAULT);
        let options = RetimeOptions::new().with_speed(speed).with_shift_secs(shift_secs);
        let retimed = edit::retime(&recording_of_x(&curve), &options).expect("retimed");
        assert_same_curve(&curve, curve_of(&retimed), times(-1.5, 5.0), |time| time / speed + shift_secs)?;
    }

    #[test]
    fn unweighted_curves_are_rotated_exactly(
        x in any_curve(0.0),
        z in any_curve(0.0),
        yaw_deg in -360.0..360.0_f64,
    ) {
        assert_rotated(&x, &z, yaw_deg, 1e-5)?;
    }

    #[test]
    fn weighted_curves_are_rotated_as_many_lines(
        x in any_curve(1.0),
        z in any_curve(1.0),
        yaw_deg in -360.0..360.0_f64,
    ) {
        assert_rotated(&x, &z, yaw_deg, 2e-3)?;
    }
}
