//! Edits of any recording return a recording or an error.

use holotape::edit::{self, ConcatOptions, MergeOptions, RetimeOptions, Selection, Transform};
use holotape::{Hand, Recording};
use proptest::prelude::*;

use crate::common::arbitrary::any_recording;
use crate::common::strange::{any_flags, any_hostile_curve};
use crate::edit::curves::{any_cuts, cut_and_joined, recording_of_x};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn hostile_curves_are_edited_without_panic(
        curves in prop::collection::vec(any_hostile_curve(), 13),
        flags in any_flags(),
        cuts in any_cuts(),
        rate_hz in 1.0..100.0_f64,
    ) {
        let mut recording = recording_of_x(&curves[0]);
        let mut curves = curves.into_iter();
        let camera = recording.camera.as_mut().expect("a camera");
        camera.position[2] = curves.next().expect("a curve");
        camera.rotation = std::array::from_fn(|_| curves.next().expect("a curve"));
        recording.hand_mut(Hand::Right).tracked = flags;
        recording.hand_mut(Hand::Right).joints[5].rotation = std::array::from_fn(|_| curves.next().expect("a curve"));
        recording.markers.add(f32::MAX, "far");
        let whole = cut_and_joined(&recording, &cuts);
        let turned = edit::transform(&whole, &Transform::new().with_yaw_deg(33.0)).expect("turned");
        let sampled = edit::resample(&turned, rate_hz).expect("sampled");
        prop_assert_eq!(edit::mirror(&edit::mirror(&sampled)), sampled);
        let _ = edit::retime(&recording, &RetimeOptions::new().with_speed(1e-30));
        let _ = Transform::head_to_origin(&recording);
    }

    #[test]
    fn random_recordings_are_edited_or_rejected(recording in any_recording(), other in any_recording()) {
        let edited = [
            edit::trim(&recording, 0.1..=0.9),
            edit::trim(&recording, ..),
            edit::concat(&[&recording, &other, &recording], &ConcatOptions::new().with_gap_secs(0.1)),
            edit::retime(&recording, &RetimeOptions::new().with_speed(1e-3).with_shift_secs(-7.0)),
            edit::resample(&recording, 1e-30),
            edit::transform(&recording, &Transform::new().with_yaw_deg(10.0).with_translation_m([1.0, 2.0, 3.0])),
            Ok(edit::mirror(&recording)),
            Ok(edit::select(&recording, &Selection::ALL)),
            Ok(edit::merge(&MergeOptions::new().with_camera(&recording).with_hands(&other).with_gaze(&other))),
        ];
        for edited in edited.into_iter().flatten() {
            let (bytes, _) = edited.to_vec().expect("writes");
            prop_assert!(Recording::from_slice(&bytes).is_ok());
        }
        prop_assert_eq!(edit::mirror(&edit::mirror(&recording)), recording);
    }
}
