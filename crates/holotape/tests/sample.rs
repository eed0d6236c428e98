//! The sampler returns the values of the reference implementation.

use holotape::format::Channels;
use holotape::optimize::{OptimizeOptions, optimize};
use holotape::{
    BoolCurve, Curve, CurveId, CurveMut, CurveRef, Hand, Joint, Keys, LinearKey, Pose, PoseComponent, PoseCurves, Ray,
    RayComponent, Recording, Samples, WrapMode,
};
use proptest::prelude::*;

use crate::alloc::held_bytes;
use crate::common::motion::{device_frames_for, recording_of};
use crate::common::valid_pairs;

/// Whether two poses are equal up to rounding.
fn is_same(sampled: Option<Pose>, reference: Option<Pose>) -> bool {
    let close = |(a, b): (&f32, &f32)| (a - b).abs() <= 2e-6 * b.abs().max(1.0) || a.is_nan() && b.is_nan();
    match (sampled, reference) {
        (Some(a), Some(b)) => {
            a.position.iter().zip(&b.position).all(close) && a.rotation.iter().zip(&b.rotation).all(close)
        }
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// Asserts that a sampler at these times equals the reference implementation.
fn assert_reference(name: &str, recording: &Recording, times: impl IntoIterator<Item = f64>) {
    let mut sampler = recording.sampler().with_untracked_poses(true);
    for time in times {
        let frame = sampler.frame_at(time);
        assert!(frame.time == time || time.is_nan());
        let camera = recording.camera.as_ref().and_then(|camera| camera.pose_at(time));
        assert!(is_same(frame.camera, camera), "{name} camera at {time}: {:?}, {camera:?}", frame.camera);
        // A ray is compared as a pose: its origin as the position, its direction as x, y, z of the rotation.
        let as_pose = |ray: Ray| Pose {
            position: ray.origin,
            rotation: [ray.direction[0], ray.direction[1], ray.direction[2], 0.0],
        };
        let gaze = recording.gaze.as_ref().and_then(|gaze| gaze.ray_at(time));
        assert!(
            is_same(frame.gaze.map(as_pose), gaze.map(as_pose)),
            "{name} gaze at {time}: {:?}, {gaze:?}",
            frame.gaze
        );
        for hand in Hand::ALL {
            let Some(sampled) = frame.hand(hand) else {
                assert!(recording.hands.is_none(), "{name}");
                continue;
            };
            assert_eq!(sampled.tracked, recording.hand(hand).tracked.value_at(time), "{name}");
            assert_eq!(sampled.pinching, recording.hand(hand).pinching.value_at(time), "{name}");
            for joint in Joint::ALL {
                let (sampled, expected) = (sampled.joint(joint), recording.hand(hand).joint(joint).pose_at(time));
                assert!(is_same(sampled, expected), "{name} {hand} {joint} at {time}: {sampled:?}, {expected:?}");
            }
        }
    }
}

#[test]
fn frames_equal_the_reference_evaluation() {
    for (name, bytes, expected) in valid_pairs() {
        let recording = Recording::from_slice(&bytes).expect(&name);
        let listed = expected["times"].as_array().expect("an array").iter().filter_map(|time| time.as_f64());
        assert_reference(&name, &recording, listed);
        let end = f64::from(recording.duration_secs());
        assert_reference(&name, &recording, (-5..65).map(|n| end * f64::from(n) / 60.0));
        let scattered = (0..60_u32).map(|n| end * f64::from(n * 37 % 61) / 60.0);
        assert_reference(&name, &recording, scattered.chain([1e300, -1e300, f64::INFINITY, f64::NEG_INFINITY]));
    }
}

#[test]
fn frames_at_key_times_have_the_key_values() {
    let (name, bytes, _) = valid_pairs().into_iter().find(|(name, ..)| name == "mrtk28_all").expect("there");
    let recording = Recording::from_slice(&bytes).expect("valid");
    let wrist = recording.hand(Hand::Right).joint(Joint::Wrist);
    let times: Vec<_> = wrist.position[0].keys.iter().map(|key| f64::from(key.time)).collect();
    assert_reference(&name, &recording, times.iter().copied());
    assert_reference(&name, &recording, times.iter().rev().copied());
}

/// A demo as after key reduction: every channel keeps other frames.
fn thinned_demo(seed: u64, keep: [usize; 4]) -> Recording {
    let mut recording =
        holotape::demo::DemoOptions::new().with_seed(seed).with_seconds(3.0).generate().expect("a demo");
    let mut nth = 0;
    let mut thin = |curves: &mut [Curve]| {
        nth += 1;
        for curve in curves {
            let mut index = 0;
            if let Keys::Linear(keys) = &mut curve.keys {
                keys.retain(|_| {
                    index += 1;
                    (index + nth) % keep[nth % 4] == 0
                });
            }
        }
    };
    for hand in Hand::ALL {
        for pose in &mut recording.hand_mut(hand).joints {
            thin(&mut pose.position);
            thin(&mut pose.rotation);
        }
    }
    recording
}

proptest! {
    #[test]
    fn random_times_equal_the_reference_evaluation(
        seed in 0..4_u64,
        keep in prop::array::uniform4(1..9_usize),
        times in prop::collection::vec(-1.0..4.0_f64, 1..30),
    ) {
        assert_reference("demo", &thinned_demo(seed, keep), times);
    }

    #[test]
    fn sampler_that_jumps_has_the_values_of_a_new_sampler(
        keep in prop::array::uniform4(1..9_usize),
        times in prop::collection::vec(-1.0..4.0_f64, 1..30),
    ) {
        let mut recording = thinned_demo(1, keep);
        // The sign of a zero shows whether the arithmetic is the same.
        for curve in &mut recording.hand_mut(Hand::Left).joint_mut(Joint::Wrist).position {
            *curve = [(0.5, -0.0), (1.0, 1.0), (2.0, -0.0)].map(|(time, value)| LinearKey::new(time, value)).into_iter().collect();
        }
        let mut sampler = recording.sampler().with_untracked_poses(true);
        // An index of key times is built only after many jumps.
        for n in 0..200_u32 {
            let _ = sampler.frame_at(f64::from(n * 37 % 61) / 20.0);
        }
        for time in times.into_iter().chain([f64::NAN, f64::INFINITY, -1e300]).flat_map(|time| [time, time + 0.01]) {
            let expected = recording.sampler().with_untracked_poses(true).frame_at(time);
            assert_eq!(format!("{:?}", sampler.frame_at(time)), format!("{expected:?}"), "at {time}");
        }
    }
}

/// The index replaces what the sampler had before; both must not stay in memory.
#[test]
fn sampler_holds_at_most_one_and_a_half_times_the_keys() {
    let mut recording = recording_of(&device_frames_for(20));
    let _ = optimize(&mut recording, &OptimizeOptions::new());
    let key_count: usize = recording.curves().map(|(_, curve)| curve.key_count()).sum();
    let key_bytes = key_count * size_of::<LinearKey>();
    for (is_indexed, jump_count) in [(false, 0), (true, 1000)] {
        let before = held_bytes();
        let mut sampler = recording.sampler();
        for n in 0..jump_count {
            let _ = sampler.frame_at(f64::from(n * 37 % 20));
        }
        let ratio = (held_bytes() - before) as f64 / key_bytes as f64;
        // Less would mean that the sampler's memory was not measured.
        assert!((0.2..=1.5).contains(&ratio), "indexed: {is_indexed}: {ratio:.2} times {key_bytes} bytes of keys");
    }
}

/// Threads that sample a part of a recording each have a clone.
#[test]
fn clones_of_samplers_share_the_keys() {
    let shared = recording_of(&device_frames_for(20));
    let mut looping = shared.clone();
    for curve in looping.curves_mut() {
        match curve {
            CurveMut::Float(curve) => curve.post_wrap = WrapMode::LOOP,
            CurveMut::Bool(curve) => curve.post_wrap = WrapMode::LOOP,
        }
    }
    for (name, recording) in [("shared keys", shared), ("looping curves", looping)] {
        let key_bytes = recording.curves().map(|(_, curve)| curve.key_count()).sum::<usize>() * size_of::<LinearKey>();
        let mut sampler = recording.sampler();
        let before = held_bytes();
        let mut clone = sampler.clone();
        let ratio = (held_bytes() - before) as f64 / key_bytes as f64;
        assert!((1e-4..0.05).contains(&ratio), "{name}: {ratio:.4} times {key_bytes} bytes of keys");
        assert_eq!(clone.frame_at(7.7), sampler.frame_at(7.7));
    }
}

#[test]
fn rotations_take_the_short_way_across_sign_flips() {
    let quaternions = [[0.0, 0.6, 0.0, 0.8], [0.0, -0.8, 0.0, -0.6], [0.0, -0.9, 0.0, -0.4358899]];
    let curve = |n: usize| quaternions.iter().zip(0_u8..).map(|(q, time)| LinearKey::new(time.into(), q[n])).collect();
    let still = || Curve::from_iter([LinearKey::new(0.0, 1.0)]);
    let camera = PoseCurves { position: [still(), still(), still()], rotation: [0, 1, 2, 3].map(curve) };
    let recording = Recording { camera: Some(camera), ..Recording::default() };
    let mut sampler = recording.sampler();
    let mut rotation = |time: f64| sampler.frame_at(time).camera.expect("a camera").rotation;
    for [between, a, b] in [[0.5, 0.0, 1.0], [1.5, 1.0, 2.0]] {
        let (middle, a, b) = (rotation(between), rotation(a), rotation(b));
        let dot = |p: [f32; 4], q: [f32; 4]| p.iter().zip(&q).map(|(a, b)| a * b).sum::<f32>().abs();
        assert!((dot(middle, a) - dot(middle, b)).abs() < 1e-6, "half way is as far from both ends");
        assert!(dot(middle, a) > 0.98, "{middle:?} is not between {a:?} and {b:?}");
    }
}

#[test]
fn untracked_hands_have_poses_only_with_the_option() {
    let mut untracked = 0;
    for (name, bytes, expected) in valid_pairs() {
        let recording = Recording::from_slice(&bytes).expect(&name);
        let (mut sampler, mut asking) = (recording.sampler(), recording.sampler().with_untracked_poses(true));
        for time in expected["times"].as_array().expect("an array").iter().filter_map(|time| time.as_f64()) {
            let (frame, asked) = (sampler.frame_at(time), asking.frame_at(time));
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
fn frame_value_returns_the_component() {
    let (_, bytes, _) = valid_pairs().into_iter().find(|(name, ..)| name == "mrtk28_all").expect("there");
    let recording = Recording::from_slice(&bytes).expect("valid");
    let frame = recording.sampler().frame_at(1.0);
    let camera = frame.camera.expect("a camera");
    assert_eq!(frame.value(CurveId::Camera(PoseComponent::PositionZ)), Some(camera.position[2]));
    assert_eq!(frame.value(CurveId::Camera(PoseComponent::RotationW)), Some(camera.rotation[3]));
    assert_eq!(frame.value(CurveId::Gaze(RayComponent::DirectionX)), frame.gaze.map(|gaze| gaze.direction[0]));
    for id in CurveId::all(Channels::ALL) {
        let has_keys = recording.curve(id).is_some_and(|curve| curve.key_count() > 0);
        let tracked = match id {
            CurveId::Joint(hand, ..) => frame.hand(hand).is_some_and(|hand| hand.tracked),
            _ => true,
        };
        assert_eq!(frame.value(id).is_some(), id.is_bool() || has_keys && tracked, "{id}");
        if let (CurveRef::Bool(curve), Some(value)) = (recording.curve(id).expect("present"), frame.value(id)) {
            assert_eq!(value == 1.0, curve.value_at(1.0), "{id}");
        }
    }
}

#[test]
fn sample_many_equals_single_frames() {
    for (name, bytes, _) in valid_pairs() {
        let recording = Recording::from_slice(&bytes).expect(&name);
        let times: Vec<_> = [3.0, 0.5, 0.25, 1.0, -1.0, 1.0].to_vec();
        let samples = recording.sampler().sample_many(&times);
        assert_eq!(samples.times, times);
        let mut sampler = recording.sampler();
        for (index, time) in times.into_iter().enumerate() {
            let frame = sampler.frame_at(time);
            let same = |value: f32, id: CurveId| match frame.value(id) {
                Some(expected) => value == expected,
                None => value.is_nan(),
            };
            for (part, id) in PoseComponent::ALL.into_iter().enumerate() {
                assert!(same(samples.camera[index][part], CurveId::Camera(id)), "{name}");
            }
            for (part, id) in RayComponent::ALL.into_iter().enumerate() {
                assert!(same(samples.gaze[index][part], CurveId::Gaze(id)), "{name}");
            }
            for (hand, rows) in [(Hand::Left, &samples.left), (Hand::Right, &samples.right)] {
                assert_eq!(rows.tracked[index], frame.hand(hand).is_some_and(|hand| hand.tracked), "{name}");
                assert_eq!(rows.pinching[index], frame.hand(hand).is_some_and(|hand| hand.pinching), "{name}");
                for joint in Joint::ALL {
                    for (part, id) in PoseComponent::ALL.into_iter().enumerate() {
                        let value = rows.joints[index][joint.index()][part];
                        assert!(same(value, CurveId::Joint(hand, joint, id)), "{name} {hand} {joint}");
                    }
                }
            }
        }
    }
}

#[test]
fn long_recordings_equal_the_reference_evaluation() {
    let recording =
        holotape::demo::DemoOptions::new().with_seconds(2.0).with_rate_hz(1000.0).generate().expect("a demo");
    assert_reference("a thousand frames a second", &recording, [0.0, 1.9999, 0.3333, 1.25]);
}

#[test]
fn sample_parallel_equals_sample_many() {
    let recording = holotape::demo::DemoOptions::new().with_seconds(3.0).generate().expect("a demo");
    let forwards: Vec<_> = recording.sampler().times_at_rate(1000.0).collect();
    let scattered: Vec<_> = (0..forwards.len()).map(|n| forwards[n * 1009 % forwards.len()]).collect();
    for times in [forwards, scattered] {
        let expected = recording.sampler().sample_many(&times);
        let mut samples = Samples::zeroed(times.clone());
        recording.sampler().sample_parallel(&times, samples.as_mut());
        // NaN differs from itself, but its bits do not.
        let bits = |samples: &Samples| {
            let joints = [&samples.left, &samples.right].map(|hand| hand.joints.as_flattened().as_flattened());
            let floats = joints.into_iter().chain([samples.camera.as_flattened(), samples.gaze.as_flattened()]);
            floats.flatten().map(|number| number.to_bits()).collect::<Vec<_>>()
        };
        assert!(bits(&samples) == bits(&expected));
        assert_eq!(samples.right.tracked, expected.right.tracked);
        assert_eq!(samples.left.pinching, expected.left.pinching);
    }
}

#[test]
fn sample_into_fills_up_to_the_shortest_array() {
    let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate().expect("a demo");
    let mut samples = Samples::zeroed(vec![0.5; 600]);
    samples.gaze.truncate(1);
    recording.sampler().sample_parallel(&samples.times.clone(), samples.as_mut());
    assert_ne!(samples.camera[0], [0.0; 7]);
    assert_eq!(samples.camera[1], [0.0; 7]);
}

#[test]
fn flags_hold_and_repeat_with_unusual_keys() {
    let key = |(&time, n): (&f32, u8)| LinearKey::new(time, f32::from(n % 2));
    for times in [&[0.0, 1.0, 2.0, 2.0, 3.0][..], &[1.0], &[], &[2.0, 0.0, 1.0], &[0.0, f32::NAN, 2.0, 3.0]] {
        for mode in [0, 1, 2, 4, 8].map(WrapMode) {
            let mut recording = Recording::default();
            let flag = BoolCurve { pre_wrap: mode, post_wrap: mode, ..times.iter().zip(0..).map(key).collect() };
            recording.hand_mut(Hand::Left).pinching = flag.clone();
            let mut sampler = recording.sampler();
            let forwards = (-40..80).map(|n| f64::from(n) / 10.0);
            for time in forwards.clone().chain(forwards.rev()).chain([1e300, f64::INFINITY, f64::NAN, 0.5]) {
                let sampled = sampler.frame_at(time).left.expect("a hand").pinching;
                assert_eq!(sampled, flag.value_at(time), "{times:?} {mode:?} at {time}");
            }
        }
    }
}

#[test]
fn times_at_rate_cover_zero_to_the_end() {
    let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate().expect("a demo");
    let times: Vec<_> = recording.sampler().times_at_rate(4.0).collect();
    assert_eq!(times, [0.0, 0.25, 0.5, 0.75, 1.0]);
    for hundredths in 0..=2000_u32 {
        for rate in [10.0, 60.0, 90.0, 100.0, 1000.0] {
            let end = f64::from(hundredths) / 100.0;
            let expected = (0_u64..).take_while(|&n| n as f64 / rate <= end).count();
            assert_eq!(holotape::times_at_rate(0.0..=end, rate).count(), expected, "{rate} Hz until {end}");
        }
    }
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(recording.sampler().times_at_rate(rate).count(), 0, "{rate}");
    }
}
