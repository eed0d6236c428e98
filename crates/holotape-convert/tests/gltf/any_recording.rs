//! Any recording round-trips.

use super::*;

fn any_times() -> impl Strategy<Value = Vec<f32>> {
    let times = prop::collection::vec(-0.5_f32..4.0, 1..6);
    let odd = (prop::bool::weighted(0.8), prop::bool::weighted(0.05));
    (times, odd).prop_map(|(mut times, (is_sorted, is_nan))| {
        if is_sorted {
            times.sort_by(f32::total_cmp);
        }
        if is_nan {
            times[0] = f32::NAN;
        }
        times
    })
}

fn any_curve(times: Vec<f32>) -> impl Strategy<Value = Curve> {
    let value = prop_oneof![20 => -2.0_f32..2.0, 1 => Just(f32::NAN), 1 => Just(0.0_f32)];
    let values = prop::collection::vec((value, -3.0_f32..3.0), times.len());
    let wrap = prop_oneof![
        8 => Just(WrapMode::CLAMP_FOREVER), 1 => Just(WrapMode::LOOP), 1 => Just(WrapMode::PING_PONG)
    ];
    (values, wrap, prop::bool::weighted(0.2)).prop_map(move |(values, post_wrap, is_bent)| {
        let keys = times.iter().zip(&values).map(|(time, (value, _))| LinearKey::new(*time, *value));
        let bent = keys.clone().zip(&values).map(|(key, (_, slope))| BezierKey {
            in_tangent: *slope,
            out_tangent: *slope,
            weighted_mode: WeightedMode::NONE,
            ..key.into()
        });
        Curve { post_wrap, ..if is_bent { bent.collect() } else { keys.collect() } }
    })
}

fn any_curves<const N: usize>() -> impl Strategy<Value = [Curve; N]> {
    let own = prop::collection::vec(any_times().prop_flat_map(any_curve), N);
    let shared = any_times().prop_flat_map(|times| prop::collection::vec(any_curve(times), N));
    prop_oneof![own, shared].prop_map(|curves| curves.try_into().unwrap())
}

prop_compose! {
    fn any_pose()(position in any_curves(), rotation in any_curves()) -> PoseCurves {
        PoseCurves { position, rotation }
    }
}

prop_compose! {
    fn any_recording()(
        poses in prop::collection::vec(any_pose(), 3),
        tracked in any_times().prop_flat_map(any_curve),
        origin in any_curves(),
        direction in any_curves(),
    ) -> Recording {
        let mut recording = Recording { gaze: Some(RayCurves { origin, direction }), ..with_wrist(poses[0].clone()) };
        recording.hand_mut(Hand::Left).tracked = tracked.keys.iter().collect();
        *recording.hand_mut(Hand::Left).joint_mut(Joint::IndexTip) = poses[1].clone();
        Recording { camera: Some(poses[2].clone()), ..recording }
    }
}

proptest! {
    #[test]
    fn any_recording_round_trips(recording in any_recording()) {
        let (bytes, _) = glb(&recording, &FLAT);
        assert_same_samples(&recording, &read(&bytes), 2e-6, "flat");
        read(&glb(&recording, &HIERARCHY).0);
    }
}
