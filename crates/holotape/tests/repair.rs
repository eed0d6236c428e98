//! `repair` fixes what it can, and changes nothing else.

use holotape::check::{
    CheckOptions, Finding, FindingKind, RepairOptions, RepairReport, Severity, Subject, check, repair,
};
use holotape::demo::DemoOptions;
use holotape::format::{Channels, Format, Layout};
use holotape::optimize::{OptimizeOptions, optimize};
use holotape::{BezierKey, Curve, CurveRef, Hand, Joint, Keys, LinearKey, Marker, PoseId, Recording, WeightedMode};
use proptest::prelude::*;

use crate::common::arbitrary::any_recording;
use crate::common::bin_files;
use crate::common::change::{camera, each_key, joint, retain, retain_all};

fn clean() -> Recording {
    DemoOptions::new().with_seconds(2.0).generate().expect("a demo")
}

fn repair_all(recording: &mut Recording) -> RepairReport {
    repair(recording, &RepairOptions::new())
}

/// Breaks a recording, repairs it, and returns the report.
fn after(change: impl FnOnce(&mut Recording)) -> (Recording, RepairReport) {
    let mut recording = clean();
    change(&mut recording);
    let report = repair_all(&mut recording);
    print!("{report}");
    (recording, report)
}

fn linear(curve: &mut Curve) -> &mut Vec<LinearKey> {
    let Keys::Linear(keys) = &mut curve.keys else { unreachable!("a demo") };
    keys
}

/// The only entry of a report.
fn only_repair(report: &RepairReport) -> (FindingKind, Subject, usize) {
    assert_eq!((report.repaired.len(), report.lost.len()), (1, 0), "{report}");
    (report.repaired[0].kind, report.repaired[0].subject, report.repaired[0].count)
}

const CAMERA: Subject = Subject::Pose(PoseId::Camera);

#[test]
fn intact_recordings_stay_unchanged() {
    let recording = clean();
    assert_eq!(after(|_| ()), (recording, RepairReport::default()));
    let mut untouched = 0;
    for (name, bytes) in bin_files("valid") {
        let mut recording = Recording::from_slice(&bytes).expect(&name);
        let report = repair_all(&mut recording);
        println!("{name}\n{report}");
        if name != "mrtk27_rotation_w_lost" {
            assert!(report.repaired.is_empty(), "{name}: {report}");
            assert!(recording.to_vec().expect("writes").0 == bytes, "{name} was changed");
            untouched += 1;
        }
    }
    assert_eq!(untouched, 19);
}

#[test]
fn unsorted_keys_are_sorted_in_all_components() {
    let (recording, report) = after(|recording| {
        for curve in &mut camera(recording).position {
            linear(curve).swap(20, 21);
            linear(curve).swap(50, 52);
        }
    });
    assert_eq!(only_repair(&report), (FindingKind::UnsortedTimes, CAMERA, 3));
    assert_eq!(recording, clean());
}

#[test]
fn repeated_times_are_separated_without_changing_the_motion() {
    let (recording, report) = after(|recording| {
        for curve in &mut camera(recording).position {
            let last = linear(curve)[20];
            linear(curve).insert(20, LinearKey::new(last.time, 99.0));
            linear(curve).insert(20, LinearKey::new(last.time, -99.0));
        }
        let flag = &mut recording.hand_mut(Hand::Left).tracked.keys;
        flag.insert(0, LinearKey::new(flag[0].time, 0.0));
    });
    assert_eq!(report.repaired.len(), 2, "{report}");
    assert!(report.repaired.iter().all(|entry| entry.kind == FindingKind::RepeatedTimes));
    let mut expected = clean();
    for curve in &mut camera(&mut expected).position {
        let time = linear(curve)[20].time.next_down();
        linear(curve).insert(20, LinearKey::new(time, -99.0));
    }
    assert_eq!(recording, expected, "the curve still arrives at the first key");
}

#[test]
fn equal_keys_at_one_time_are_dropped() {
    let (recording, report) = after(|recording| {
        for curve in &mut camera(recording).position {
            let key = linear(curve)[20];
            linear(curve).insert(20, key);
        }
        let flag = &mut recording.hand_mut(Hand::Left).pinching.keys;
        let last = *flag.last().expect("a key");
        flag.push(LinearKey::new(last.time, last.value));
    });
    assert!(report.repaired.iter().all(|entry| entry.kind == FindingKind::RepeatedTimes), "{report}");
    assert_eq!(recording, clean());
}

#[test]
fn repaired_curve_with_repeated_times_evaluates_the_same() {
    let keys = [(1.0, 3.0), (1.0, 4.0), (2.0, 5.0), (2.0, 8.0), (2.0, 9.0), (3.0, 7.0), (4.0, 2.0), (4.0, 1.0)];
    let curve = Curve::from_iter(keys.map(|(time, value)| LinearKey::new(time, value)));
    let flag = keys.map(|(time, value)| LinearKey::new(time, if value > 3.5 { 1.0 } else { 0.0 }));
    let mut recording = Recording::with_channels(Channels::ALL);
    camera(&mut recording).position = [0; 3].map(|_| curve.clone());
    camera(&mut recording).rotation = [0.0, 0.0, 0.0, 1.0].map(|w| Curve::from_iter([LinearKey::new(0.0, w)]));
    recording.hand_mut(Hand::Left).tracked = flag.into_iter().collect();
    let tracked = recording.hand(Hand::Left).tracked.clone();
    assert!(!repair_all(&mut recording).repaired.is_empty());
    let repaired = &camera(&mut recording).position[0].clone();
    for time in (0..=100).map(|n| f64::from(n) * 0.05) {
        let (before, after) = (curve.value_at(time).expect("a value"), repaired.value_at(time).expect("a value"));
        assert!((before - after).abs() < 1e-5, "{before} became {after} at {time}");
        assert_eq!(recording.hand(Hand::Left).tracked.value_at(time), tracked.value_at(time), "at {time}");
    }
}

#[test]
fn non_finite_keys_are_dropped_in_all_components() {
    let (recording, report) = after(|recording| {
        each_key(&mut camera(recording).position[1..2], 9, |_, value| *value = f32::NAN);
        each_key(&mut camera(recording).rotation, 30, |time, _| *time = f32::NEG_INFINITY);
    });
    assert_eq!(
        report.repaired.iter().map(|entry| entry.kind).collect::<Vec<_>>(),
        [FindingKind::NonFiniteTimes, FindingKind::NonFiniteValues]
    );
    let mut expected = clean();
    camera(&mut expected).position.iter_mut().for_each(|curve| retain(curve, |key, _| key != 9));
    camera(&mut expected).rotation.iter_mut().for_each(|curve| retain(curve, |key, _| key != 30));
    assert_eq!(recording, expected);
}

#[test]
fn keys_with_nan_tangents_become_linear() {
    let key = |time, in_tangent, out_weight| BezierKey {
        in_tangent,
        out_weight,
        weighted_mode: WeightedMode::NONE,
        ..BezierKey::from(LinearKey::new(time, 1.5))
    };
    let step = key(1.0, f32::INFINITY, 0.0);
    let mut recording = Recording::with_channels(Channels::V1_0);
    let bad = [key(0.0, f32::NAN, 0.0), step, key(2.0, 0.0, f32::INFINITY)];
    camera(&mut recording).position = [0; 3].map(|_| Curve::from_iter(bad));
    let report = repair_all(&mut recording);
    assert_eq!(report.repaired[0].kind, FindingKind::NonFiniteValues, "{report}");
    let straight = |time| BezierKey::from(LinearKey::new(time, 1.5));
    let Keys::Bezier(keys) = &camera(&mut recording).position[1].keys else { unreachable!("full keys") };
    assert_eq!(keys[..], [straight(0.0), step, straight(2.0)], "a step is valid");
}

#[test]
fn rotations_and_directions_are_normalized() {
    let (recording, report) = after(|recording| {
        each_key(&mut camera(recording).rotation, 9, |_, value| *value *= 3.0);
        each_key(&mut recording.gaze.as_mut().expect("gaze").direction, 9, |_, value| *value *= 1e-3);
    });
    assert_eq!(report.repaired.len(), 2, "{report}");
    let expected = clean();
    for ((id, repaired), (_, original)) in recording.curves().zip(expected.curves()) {
        let (CurveRef::Float(repaired), CurveRef::Float(original)) = (repaired, original) else { continue };
        let is_near = repaired.keys.iter().zip(original.keys.iter()).all(|(a, b)| (a.value - b.value).abs() < 1e-6);
        assert!(is_near, "{id}");
    }
}

#[test]
fn sign_flips_are_fixed() {
    let (recording, report) = after(|recording| {
        let rotation = &mut joint(recording, Hand::Left, Joint::IndexTip).rotation;
        [9, 10, 11, 40].into_iter().for_each(|key| each_key(rotation, key, |_, value| *value = -*value));
    });
    let tip = Subject::Pose(PoseId::Joint(Hand::Left, Joint::IndexTip));
    assert_eq!(only_repair(&report), (FindingKind::SignFlips, tip, 4));
    assert_eq!(recording, clean());
}

#[test]
fn straight_keys_stay_straight_when_sign_flips_are_fixed() {
    let bytes = std::fs::read(crate::common::testdata("valid/mrtk25_simulated.bin")).expect("readable");
    let original = Recording::from_slice(&bytes).expect("valid");
    let mut flipped = original.clone();
    for (_, pose) in flipped.poses_mut() {
        for key in (1..pose.rotation[0].keys.len()).step_by(3) {
            each_key(&mut pose.rotation, key, |_, value| *value = -*value);
        }
    }
    assert!(!repair_all(&mut flipped).repaired.is_empty());
    let reduced = |mut recording: Recording| optimize(&mut recording, &OptimizeOptions::new());
    let (flipped, original) = (reduced(flipped), reduced(original));
    assert_eq!((flipped.keys_after, flipped.skipped.len()), (original.keys_after, original.skipped.len()));
}

#[test]
fn tangents_are_negated_with_their_values() {
    let key = |time, value: f32| BezierKey {
        in_tangent: value,
        out_tangent: 2.0 * value,
        weighted_mode: WeightedMode::NONE,
        ..BezierKey::from(LinearKey::new(time, value))
    };
    let mut recording = Recording::with_channels(Channels::V1_0);
    let curve = |values: [f32; 2]| Curve::from_iter([key(0.0, values[0]), key(1.0, values[1])]);
    camera(&mut recording).rotation = [[0.0, 0.0], [0.0, 0.0], [0.6, -0.6], [0.8, -0.8]].map(curve);
    camera(&mut recording).position = [0; 3].map(|_| curve([0.0; 2]));
    assert_eq!(only_repair(&repair_all(&mut recording)), (FindingKind::SignFlips, CAMERA, 1));
    assert_eq!(camera(&mut recording).rotation[3], curve([0.8, 0.8]));
}

#[test]
fn flags_are_normalized_to_0_and_1() {
    let (recording, report) = after(|recording| {
        let keys = [(0.0, 0.75), (0.5, 0.25), (1.0, -3.0), (1.5, 1e9)];
        recording.hand_mut(Hand::Right).pinching =
            keys.iter().map(|(time, value)| LinearKey::new(*time, *value)).collect();
    });
    let id = "right.pinching".parse().expect("a curve");
    assert_eq!(only_repair(&report), (FindingKind::InvalidFlagValues, Subject::Curve(id), 4));
    let values: Vec<_> = recording.hand(Hand::Right).pinching.keys.iter().map(|key| key.value).collect();
    assert_eq!(values, [1.0, 0.0, 0.0, 1.0]);
}

#[test]
fn markers_are_sorted_and_non_finite_times_reported() {
    let marker = |time, name: &str| Marker { time, name: name.to_owned() };
    let (recording, report) = after(|recording| {
        recording.markers = vec![marker(1.0, "b"), marker(f32::NAN, "?"), marker(0.5, "a"), marker(1.0, "c")].into();
    });
    assert_eq!(recording.markers.iter().map(|marker| &marker.name[..]).collect::<Vec<_>>(), ["a", "b", "c", "?"]);
    assert_eq!((report.repaired[0].kind, report.repaired[0].subject), (FindingKind::UnsortedMarkers, Subject::Markers));
    assert_eq!((report.lost[0].kind, report.lost[0].subject), (FindingKind::NonFiniteTimes, Subject::Markers));
}

#[test]
fn unrepairable_problems_are_reported_as_lost() {
    type Change<'a> = &'a dyn Fn(&mut Recording);
    let cases: [(FindingKind, Change); 5] = [
        (FindingKind::ZeroRotations, &|recording| {
            each_key(&mut camera(recording).rotation, 9, |_, value| *value = 0.0)
        }),
        (FindingKind::ZeroDirections, &|recording| {
            each_key(&mut recording.gaze.as_mut().expect("gaze").direction, 9, |_, value| *value = 0.0);
        }),
        (FindingKind::IncompletePose, &|recording| retain(&mut camera(recording).rotation[0], |_, _| false)),
        (FindingKind::MissingEnd, &|recording| retain_all(camera(recording), |_, time| time < 1.5)),
        (FindingKind::IsolatedKeys, &|recording| {
            retain_all(joint(recording, Hand::Left, Joint::Palm), |key, _| key == 0)
        }),
    ];
    for (kind, change) in cases {
        let mut broken = clean();
        change(&mut broken);
        let (recording, report) = after(change);
        assert_eq!((report.repaired.len(), report.lost.len()), (0, 1), "{report}");
        assert_eq!(report.lost[0].kind, kind);
        assert_eq!(recording, broken, "{kind}: unchanged");
    }
}

#[test]
fn merged_reports_list_each_loss_once() {
    let (_, mut report) = after(|recording| retain_all(camera(recording), |_, time| time < 1.5));
    let (_, other) = after(|recording| recording.hand_mut(Hand::Right).pinching.keys[0].value = 0.25);
    let (_, again) = after(|recording| retain_all(camera(recording), |_, time| time < 1.5));
    report.merge(other);
    report.merge(again);
    assert_eq!((report.repaired.len(), report.lost.len()), (1, 1), "{report}");
    assert_eq!(report.to_string().lines().count(), 2);
}

#[cfg(feature = "json")]
#[test]
fn reports_serialize_as_objects() {
    let (_, report) = after(|recording| each_key(&mut camera(recording).rotation, 9, |_, value| *value *= 3.0));
    let json = serde_json::to_value(&report).expect("serializes");
    assert_eq!(json["repaired"][0]["code"], "non-unit-rotations");
    assert_eq!(json["repaired"][0]["subject"], "camera");
    assert_eq!(json["lost"], serde_json::json!([]));
}

/// Typical values of hands, and sometimes an impossible one.
fn any_value() -> impl Strategy<Value = f32> {
    let special = [0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN_POSITIVE, 1e-40];
    prop_oneof![8 => -1.0..1.0_f32, 1 => prop::sample::select(special.to_vec()), 1 => any::<f32>()]
}

fn any_time() -> impl Strategy<Value = f32> {
    prop_oneof![6 => (0..40_u8).prop_map(|n| f32::from(n) / 8.0), 1 => any_value()]
}

/// Curves that mostly share their key times; the last one may lack keys at its end.
fn any_vector<const N: usize>(is_full: bool) -> impl Strategy<Value = [Curve; N]> {
    let rows = prop::collection::vec((any_time(), prop::array::uniform4(any_value()), any_value()), 0..12);
    (rows, 0..14_usize, any::<bool>()).prop_map(move |(rows, kept, is_sorted)| {
        let mut rows = rows;
        if is_sorted {
            rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        std::array::from_fn(|n| {
            let kept = if n == N - 1 { kept } else { rows.len() };
            let keys = rows.iter().take(kept).map(|(time, values, slope)| BezierKey {
                in_tangent: *slope,
                ..BezierKey::from(LinearKey::new(*time, values[n]))
            });
            if is_full { keys.collect() } else { keys.map(|key| LinearKey::new(key.time, key.value)).collect() }
        })
    })
}

/// A recording with mostly complete and mostly invalid vectors.
fn any_broken_recording() -> impl Strategy<Value = Recording> {
    any::<bool>().prop_flat_map(|is_full| {
        let vectors = (any_vector(is_full), any_vector(is_full), any_vector(is_full), any_vector(is_full));
        let gaze = (any_vector(is_full), any_vector(is_full));
        let flag = prop::collection::vec((any_time(), any_value()), 0..6);
        (vectors, gaze, flag).prop_map(move |((p0, r0, p1, r1), (origin, direction), flag)| {
            let mut recording = Recording::with_channels(Channels::ALL);
            let layout = if is_full { Layout::Full11 } else { Layout::Compact11 };
            recording.format = Format { layout, marker_list: true };
            (camera(&mut recording).position, camera(&mut recording).rotation) = (p0, r0);
            let wrist = joint(&mut recording, Hand::Left, Joint::Wrist);
            (wrist.position, wrist.rotation) = (p1, r1);
            let gaze = recording.gaze.as_mut().expect("gaze");
            (gaze.origin, gaze.direction) = (origin, direction);
            let flag = flag.iter().map(|(time, value)| LinearKey::new(*time, *value));
            recording.hand_mut(Hand::Left).tracked = flag.clone().collect();
            recording.markers = flag.map(|key| Marker { time: key.value, name: "m".to_owned() }).collect();
            recording
        })
    })
}

/// Repair fixes all repairable findings, reports the others, and finds nothing to do a second time.
fn assert_repaired_completely(mut recording: Recording) -> Result<(), TestCaseError> {
    let before = check(&recording, &CheckOptions::new());
    let report = repair_all(&mut recording);
    let is_beyond = |fault: FindingKind| {
        !matches!(
            fault,
            FindingKind::UnsortedTimes
                | FindingKind::RepeatedTimes
                | FindingKind::NonFiniteValues
                | FindingKind::NonUnitRotations
                | FindingKind::NonUnitDirections
                | FindingKind::SignFlips
                | FindingKind::InvalidFlagValues
                | FindingKind::UnsortedMarkers
        )
    };
    let remaining = check(&recording, &CheckOptions::new());
    for finding in &remaining {
        prop_assert!(is_beyond(finding.kind), "{finding}\n{report}");
    }
    // Every finding is reported, unless another repair removed it.
    let is_error = |finding: &&Finding| finding.severity == Severity::Error;
    for finding in before.iter().filter(is_error) {
        let is_reported = report.repaired.iter().chain(&report.lost).any(|entry| entry.kind == finding.kind);
        let is_gone = remaining.iter().filter(is_error).all(|after| after.kind != finding.kind);
        prop_assert!(is_reported || is_gone, "{finding}\n{report}");
    }
    let once = recording.clone();
    let again = repair_all(&mut recording);
    prop_assert!(again.repaired.is_empty(), "{again}\nafter\n{report}");
    prop_assert!(recording == once);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_second_repair_finds_nothing_to_do(recording in any_broken_recording()) {
        assert_repaired_completely(recording)?;
    }

    #[test]
    fn random_recordings_are_repaired_completely(recording in any_recording()) {
        assert_repaired_completely(recording)?;
    }
}
