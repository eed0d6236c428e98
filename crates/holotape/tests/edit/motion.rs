//! Edits keep every pose within 0.1 mm and 0.01°.

use holotape::edit::{self, ConcatOptions, RetimeOptions};
use holotape::{CurveMut, Recording, WrapMode};
use proptest::prelude::*;

use crate::common::same::assert_same_motion;
use crate::edit::{recordings, times};

/// Where to split a recording: at these fractions of its duration, and at its ends.
fn cuts(recording: &Recording, fractions: &[f64]) -> Vec<f64> {
    let end = f64::from(recording.duration_secs());
    let mut cuts: Vec<_> = fractions.iter().map(|share| f64::from((share * end) as f32)).chain([0.0, end]).collect();
    cuts.sort_by(f64::total_cmp);
    cuts
}

/// The recording with every curve clamped, because repetitions accumulate the rounding of the period.
fn without_repeats(recording: &Recording) -> Recording {
    let mut recording = recording.clone();
    for curve in recording.curves_mut() {
        if let CurveMut::Float(curve) = curve {
            (curve.pre_wrap, curve.post_wrap) = (WrapMode::CLAMP_FOREVER, WrapMode::CLAMP_FOREVER);
        }
    }
    recording
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn joined_pieces_equal_the_recording(fractions in prop::collection::vec(0.0..1.0_f64, 0..6)) {
        for (name, recording) in recordings() {
            let cuts = cuts(recording, &fractions);
            let mut pieces = Vec::new();
            for cut in cuts.windows(2) {
                let piece = edit::trim(recording, cut[0]..=cut[1]).expect(name);
                prop_assert_eq!(piece.duration_secs(), (cut[1] - cut[0]) as f32, "{}", name);
                prop_assert_eq!(piece.losses(), recording.losses(), "{}", name);
                assert_same_motion(name, [recording, &piece], times(cut[0], cut[1], 10), |time| time - cut[0]);
                pieces.push(piece);
            }
            let whole = edit::concat(&pieces.iter().collect::<Vec<_>>(), &ConcatOptions::new()).expect(name);
            let end = f64::from(recording.duration_secs());
            prop_assert!((f64::from(whole.duration_secs()) - end).abs() < 1e-5, "{}", name);
            prop_assert_eq!(whole.format, recording.format, "{}", name);
            let markers = recording.markers.iter().filter(|marker| f64::from(marker.time) <= end);
            prop_assert_eq!(whole.markers.len(), markers.count(), "{}", name);
            let seams = cuts.iter().flat_map(|cut| [cut - 1e-3, cut - 1e-5, *cut, cut + 1e-5, cut + 1e-3]);
            let times = times(0.0, end, 40).chain(seams.filter(|time| (0.0..=end).contains(time)));
            assert_same_motion(name, [recording, &whole], times, |time| time);
        }
    }

    #[test]
    fn retimed_recording_has_the_same_motion(speed in 0.25..3.0_f64, shift_secs in -12.0..12.0_f64) {
        for (name, recording) in recordings() {
            // The curves of that file move unrealistically fast.
            let shift_secs = if name == "curves_every_rule" { shift_secs / 12.0 } else { shift_secs };
            let recording = &without_repeats(recording);
            let options = RetimeOptions::new().with_speed(speed).with_shift_secs(shift_secs);
            let retimed = edit::retime(recording, &options).expect(name);
            let end = f64::from(recording.duration_secs());
            let moved = |time| time / speed + shift_secs;
            if recording.curves().any(|(_, curve)| curve.key_count() > 0) {
                prop_assert!((f64::from(retimed.duration_secs()) - moved(end).max(0.0)).abs() < 1e-5, "{}", name);
            }
            assert_same_motion(name, [recording, &retimed], times(0.0, end, 60), moved);
        }
    }
}

#[test]
fn split_just_after_a_jump_keeps_it() {
    let (name, recording) = recordings().iter().find(|(name, _)| *name == "curves_every_rule").expect("there");
    let cuts = cuts(recording, &[0.579_443_035_280_075_8]);
    let pieces: Vec<_> = cuts.windows(2).map(|cut| edit::trim(recording, cut[0]..=cut[1]).expect(name)).collect();
    let whole = edit::concat(&pieces.iter().collect::<Vec<_>>(), &ConcatOptions::new()).expect(name);
    assert_same_motion(name, [recording, &whole], [cuts[1] - 1e-3, cuts[1] - 1.1e-3], |time| time);
}
