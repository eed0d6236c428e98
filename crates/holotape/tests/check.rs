//! `check` finds each problem where it is, and nothing else.

use std::collections::BTreeMap;

use holotape::check::{CheckOptions, Finding, FindingKind, Severity, Subject, check, check_slice};
use holotape::demo::DemoOptions;
use holotape::{Curve, Hand, Joint, Keys, LinearKey, Marker, PoseId, Recording, WrapMode};

use crate::common::change::{camera, each_key, joint, lose_w, retain, retain_all};
use crate::common::{bin_files, motion, testdata};

/// A recording without findings.
fn clean() -> Recording {
    DemoOptions::new().with_seconds(3.0).generate().expect("a demo")
}

fn findings(recording: &Recording) -> Vec<Finding> {
    check(recording, &CheckOptions::new())
}

fn codes(findings: &[Finding]) -> Vec<&'static str> {
    let mut codes: Vec<_> = findings.iter().map(|finding| finding.kind.code()).collect();
    codes.dedup();
    codes
}

fn tracked(recording: &mut Recording, hand: Hand, keys: &[(f32, f32)]) {
    recording.hand_mut(hand).tracked = keys.iter().map(|(time, value)| LinearKey::new(*time, *value)).collect();
}

/// A left hand that is untracked from 0.8 s to 1.2 s and from 1.8 s to 2.2 s.
fn lost_twice(recording: &mut Recording) {
    tracked(recording, Hand::Left, &[(0.0, 1.0), (0.8, 0.0), (1.2, 1.0), (1.8, 0.0), (2.2, 1.0)]);
}

fn is_between(time: f32) -> bool {
    (1.05..1.95).contains(&time)
}

fn gaze_direction(recording: &mut Recording) -> &mut [Curve] {
    &mut recording.gaze.as_mut().expect("a gaze").direction
}

/// A recording that has only findings of this kind. `None` for kinds of files and reports.
fn broken(kind: FindingKind) -> Option<Recording> {
    let mut recording = clean();
    (break_keys(&mut recording, kind) || break_structure(&mut recording, kind)).then_some(recording)
}

/// Changes times and values of keys. Returns whether the kind is one of these.
fn break_keys(recording: &mut Recording, kind: FindingKind) -> bool {
    match kind {
        FindingKind::RotationWLost => {
            retain(&mut joint(recording, Hand::Left, Joint::Wrist).rotation[3], |key, _| key == 0)
        }
        FindingKind::IncompletePose => retain(&mut joint(recording, Hand::Left, Joint::Palm).rotation[1], |_, _| false),
        FindingKind::UnsortedTimes => {
            for curve in &mut camera(recording).position {
                let Keys::Linear(keys) = &mut curve.keys else { unreachable!("a demo") };
                keys.swap(20, 21);
            }
        }
        FindingKind::RepeatedTimes => {
            for curve in &mut camera(recording).position {
                let Keys::Linear(keys) = &mut curve.keys else { unreachable!("a demo") };
                keys.insert(20, keys[20]);
            }
        }
        FindingKind::NonFiniteTimes => each_key(&mut camera(recording).position, 9, |time, _| *time = f32::NAN),
        FindingKind::NonFiniteValues => {
            each_key(&mut camera(recording).position[1..2], 9, |_, value| *value = f32::INFINITY)
        }
        FindingKind::ZeroRotations => each_key(&mut camera(recording).rotation, 9, |_, value| *value = 0.0),
        FindingKind::NonUnitRotations => each_key(&mut camera(recording).rotation, 9, |_, value| *value *= 1.01),
        FindingKind::ZeroDirections => each_key(gaze_direction(recording), 9, |_, value| *value = 0.0),
        FindingKind::NonUnitDirections => each_key(gaze_direction(recording), 9, |_, value| *value *= 0.5),
        FindingKind::SignFlips => {
            each_key(&mut joint(recording, Hand::Left, Joint::IndexTip).rotation, 9, |_, x| *x = -*x)
        }
        FindingKind::InvalidFlagValues => recording.hand_mut(Hand::Right).tracked.keys[0].value = 0.75,
        _ => return false,
    }
    true
}

/// Removes keys, moves joints and changes markers. Returns whether the kind is one of these.
fn break_structure(recording: &mut Recording, kind: FindingKind) -> bool {
    match kind {
        FindingKind::MissingEnd => retain_all(camera(recording), |_, time| time < 2.8),
        FindingKind::EarlyEnd => retain_all(joint(recording, Hand::Left, Joint::RingTip), |_, time| time < 1.5),
        FindingKind::IsolatedKeys => retain_all(joint(recording, Hand::Left, Joint::RingTip), |key, _| key == 0),
        FindingKind::MissingKeys => {
            lost_twice(recording);
            retain_all(joint(recording, Hand::Left, Joint::RingTip), |_, time| !is_between(time));
        }
        FindingKind::TrackedWithoutJoints => {
            lost_twice(recording);
            for pose in &mut recording.hand_mut(Hand::Left).joints {
                retain_all(pose, |_, time| !is_between(time));
            }
        }
        FindingKind::PositionJumps => each_key(&mut camera(recording).position[..1], 9, |_, x| *x += 0.3),
        FindingKind::LongBones => {
            let tip = joint(recording, Hand::Left, Joint::IndexTip);
            tip.position[0].keys.iter_mut().for_each(|(_, x)| *x += 0.4);
        }
        FindingKind::UnsteadyBones => {
            let distal = joint(recording, Hand::Left, Joint::IndexDistalJoint).position.clone();
            let tip = joint(recording, Hand::Left, Joint::IndexTip);
            for (tip, distal) in tip.position.iter_mut().zip(&distal) {
                tip.keys.iter_mut().zip(distal.keys.iter()).take(5).for_each(|((_, tip), distal)| *tip = distal.value);
            }
        }
        FindingKind::EmptyJoints => retain_all(joint(recording, Hand::Right, Joint::Palm), |_, _| false),
        FindingKind::ComponentTimesDiffer => retain(&mut camera(recording).position[0], |key, _| key != 9),
        FindingKind::NonClampWrapModes => camera(recording).position[2].post_wrap = WrapMode::LOOP,
        FindingKind::UnsortedMarkers => {
            recording.markers = [2.0, 1.0].map(|time| Marker { time, name: "m".to_owned() }).to_vec().into();
        }
        FindingKind::MarkersOutOfRange => recording.markers.add(3.5, "too late"),
        _ => return false,
    }
    true
}

#[test]
fn clean_recordings_have_no_findings() {
    assert_eq!(findings(&clean()), []);
    for seed in 1..5 {
        let recording = DemoOptions::new().with_seed(seed).with_seconds(20.0).generate().expect("a demo");
        assert_eq!(findings(&recording), [], "seed {seed}");
    }
    assert_eq!(findings(&Recording::default()), []);
}

#[test]
fn each_kind_is_found_alone() {
    let mut kind_count = 0;
    for kind in FindingKind::ALL {
        let Some(recording) = broken(kind) else { continue };
        let found = findings(&recording);
        assert_eq!(codes(&found), [kind.code()], "{found:?}");
        println!("{}", found[0]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].severity, kind.severity());
        assert!(found[0].count > 0 && !found[0].message.is_empty());
        kind_count += 1;
    }
    // Five kinds occur only in files, and one only in reports.
    assert_eq!(kind_count, FindingKind::ALL.len() - 6);
}

#[test]
fn unreadable_files_have_one_finding() {
    type Change<'a> = &'a dyn Fn(&mut Vec<u8>);
    let (intact, _) = clean().to_vec().expect("writes");
    let with = |change: Change| {
        let mut bytes = intact.clone();
        change(&mut bytes);
        check_slice(&bytes, &CheckOptions::new())
    };
    let cases: [(FindingKind, Change); 7] = [
        (FindingKind::Truncated, &|bytes| bytes.truncate(bytes.len() / 2)),
        (FindingKind::Damaged, &|bytes| bytes[16] = 7),
        (FindingKind::Headerless, &|bytes| drop(bytes.drain(..19))),
        (FindingKind::TrailingBytes, &|bytes| bytes.extend(b"more")),
        (FindingKind::Unreadable, &|bytes| bytes[0] = b'!'),
        // A repair recovers nothing, so the finding must not advise one.
        (FindingKind::Unreadable, &Vec::clear),
        (FindingKind::Unreadable, &|bytes| bytes.truncate(20)),
    ];
    for (kind, change) in cases {
        let found = with(change);
        println!("{}", found[0]);
        assert_eq!(codes(&found), [kind.code()]);
        assert_eq!((found[0].subject, found[0].severity), (Subject::File, Severity::Error));
    }
    assert_eq!(with(&|_| ()), []);
}

#[test]
fn codes_are_unique_and_kebab_case() {
    let codes: std::collections::HashSet<_> = FindingKind::ALL.iter().map(|kind| kind.code()).collect();
    assert_eq!(codes.len(), FindingKind::ALL.len());
    for kind in FindingKind::ALL {
        let code = kind.code();
        assert!(code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{code}");
        assert!(!kind.advice().is_empty());
        assert_eq!(kind.to_string(), code);
    }
}

#[test]
fn finding_has_subject_span_and_count() {
    let found = findings(&broken(FindingKind::NonFiniteValues).expect("breaks"));
    let id = "camera.position.y".parse().expect("a curve");
    assert_eq!((found[0].subject, found[0].count), (Subject::Curve(id), 1));
    let [first, last] = found[0].span_secs.expect("a time");
    assert!(first == last && (0.14..0.16).contains(&first), "{first}");
    let found = findings(&broken(FindingKind::SignFlips).expect("breaks"));
    assert_eq!(found[0].subject, Subject::Pose(PoseId::Joint(Hand::Left, Joint::IndexTip)));
    assert_eq!(found[0].count, 2, "away and back");
}

#[test]
fn jump_away_and_back_counts_once() {
    let mut recording = clean();
    each_key(&mut camera(&mut recording).position[..1], 9, |_, x| *x += 0.9);
    let found = findings(&recording);
    assert_eq!((codes(&found), found[0].count), (vec!["position-jumps"], 1));
    // Away without return.
    camera(&mut recording).position[0].keys.iter_mut().skip(10).for_each(|(_, x)| *x += 0.9);
    let found = findings(&recording);
    assert_eq!((codes(&found), found[0].count), (vec!["position-jumps"], 1));
    assert!(found[0].message.contains("of up to 0.90 m"), "{}", found[0]);
}

#[test]
fn problem_of_every_joint_is_one_finding_per_hand() {
    let mut recording = DemoOptions::new().with_seconds(60.0).generate().expect("a demo");
    lose_w(&mut recording);
    for (_, pose) in recording.poses_mut() {
        pose.position.iter_mut().flat_map(|curve| curve.keys.iter_mut()).for_each(|(_, value)| *value = f32::NAN);
    }
    let found = findings(&recording);
    assert!(found.len() <= 6, "{found:?}");
    let left = found.iter().find(|finding| finding.subject == Subject::Joints { hand: Hand::Left, count: 26 });
    let left = left.expect("of the left hand");
    assert!(left.count > 26 * 1000, "{left}");
}

#[test]
fn zero_rotation_in_the_none_slot_is_a_note() {
    let mut recording = clean();
    let none = joint(&mut recording, Hand::Left, Joint::None);
    none.position = [0.0; 3].map(|value| [LinearKey::new(0.0, value)].into_iter().collect());
    none.rotation = [0.0; 4].map(|value| [LinearKey::new(0.0, value)].into_iter().collect());
    let found = findings(&recording);
    assert_eq!(codes(&found), ["zero-rotations"]);
    assert_eq!(found[0].severity, Severity::Note);
    *joint(&mut recording, Hand::Left, Joint::Palm) = recording.hand(Hand::Left).joint(Joint::None).clone();
    assert!(findings(&recording).iter().any(|f| f.kind == FindingKind::ZeroRotations && f.severity == Severity::Error));
}

#[test]
fn tracking_gaps_are_neither_jumps_nor_sign_flips() {
    let mut recording = clean();
    tracked(&mut recording, Hand::Left, &[(0.0, 1.0), (1.0, 0.0), (1.5, 1.0)]);
    let tip = joint(&mut recording, Hand::Left, Joint::IndexTip);
    retain_all(tip, |_, time| !(0.99..1.5).contains(&time));
    let after = tip.position[0].keys.iter().position(|key| key.time >= 1.5).expect("found again");
    for curve in &mut tip.rotation {
        curve.keys.iter_mut().skip(after).for_each(|(_, value)| *value = -*value);
    }
    for pose in &mut recording.hand_mut(Hand::Left).joints {
        pose.position[0].keys.iter_mut().filter(|(time, _)| **time >= 1.5).for_each(|(_, x)| *x += 50.0);
    }
    assert_eq!(findings(&recording), []);
}

#[test]
fn flag_holds_its_first_value_before_its_first_key() {
    let mut recording = broken(FindingKind::SignFlips).expect("breaks");
    tracked(&mut recording, Hand::Left, &[(1.0, 1.0)]);
    assert_eq!(codes(&findings(&recording)), ["sign-flips"], "the flip is at 0.15 s");
    tracked(&mut recording, Hand::Left, &[(1.0, 0.0), (1.1, 1.0)]);
    assert_eq!(findings(&recording), []);
}

#[test]
fn hand_tracked_only_in_the_last_frame_has_no_missing_keys() {
    let mut recording = clean();
    tracked(&mut recording, Hand::Left, &[(0.0, 1.0), (2.0, 0.0), (3.0, 1.0)]);
    for pose in &mut recording.hand_mut(Hand::Left).joints {
        retain_all(pose, |_, time| time < 2.0);
    }
    assert_eq!(codes(&findings(&recording)), ["missing-end"]);
}

#[test]
fn options_change_the_thresholds() {
    let recording = broken(FindingKind::NonUnitRotations).expect("breaks");
    assert_eq!(check(&recording, &CheckOptions::new().with_unit_tolerance(0.02)), []);
    let recording = broken(FindingKind::PositionJumps).expect("breaks");
    assert_eq!(check(&recording, &CheckOptions::new().with_min_jump_m(0.4)), []);
    let recording = broken(FindingKind::LongBones).expect("breaks");
    assert_eq!(check(&recording, &CheckOptions::new().with_max_bone_m(1.0)), []);
    let recording = broken(FindingKind::UnsteadyBones).expect("breaks");
    assert_eq!(check(&recording, &CheckOptions::new().with_max_bone_change(1.1)), []);
    let recording = broken(FindingKind::MissingEnd).expect("breaks");
    assert_eq!(check(&recording, &CheckOptions::new().with_end_tolerance_secs(0.5)), []);
    let slow = CheckOptions::new().with_max_speed_m_per_sec(0.01).with_min_jump_m(0.001);
    assert_eq!(codes(&check(&clean(), &slow)), ["position-jumps"]);
}

/// Each finding was verified by hand: bones are unsteady where a hand changes its shape by blending positions, and ends
/// are missing where the file was written with partitions.
#[test]
fn test_data_has_the_known_findings() {
    let partitions = &["missing-end", "unsteady-bones"][..];
    let bones = &["unsteady-bones"][..];
    let known: BTreeMap<&str, &[&str]> = [
        ("compact11_no_marker_list", &[][..]),
        (
            // Curves of every shape, assigned to joints at random.
            "curves_every_rule",
            &[
                "incomplete-pose",
                "missing-end",
                "early-end",
                "missing-keys",
                "long-bones",
                "empty-joints",
                "component-times-differ",
                "non-clamp-wrap-modes",
            ],
        ),
        ("documented10_no_marker_list", &[]),
        ("documented11_full_keys", &[]),
        ("documented11_full_keys_with_markers", &["markers-out-of-range"]),
        ("empty10", &[]),
        ("mrtk25_right_hand_markers", bones),
        ("mrtk25_rolling_cutoff", bones),
        ("mrtk25_simulated", bones),
        ("mrtk25_three_frames", &[]),
        ("mrtk27_rotation_w_lost", &["rotation-w-lost", "missing-end", "unsteady-bones"]),
        ("mrtk28_all", partitions),
        ("mrtk28_camera_only", &[]),
        ("mrtk28_gaze_only", &[]),
        ("mrtk28_hands_only_simulated", bones),
        ("mrtk28_no_channels", &["markers-out-of-range"]),
        ("mrtk28_resaved_from_mrtk25", bones),
        ("mrtk28_right_hand_markers", partitions),
        ("mrtk28_three_frames", &[]),
        ("mrtk28_unpartitioned", bones),
    ]
    .into();
    let files = bin_files("valid");
    assert_eq!(files.len(), known.len());
    for (name, bytes) in files {
        let found = check_slice(&bytes, &CheckOptions::new());
        println!("{name}");
        found.iter().for_each(|finding| println!("  {finding}"));
        assert_eq!(codes(&found), known[name.as_str()], "{name}");
        if name.starts_with("mrtk25") {
            assert!(found.iter().all(|finding| finding.severity < Severity::Error), "{name}");
        }
    }
}

#[test]
fn device_motion_has_only_unsteady_bones() {
    let found = findings(&motion::recording_of(&motion::device_frames()));
    // Hands that change their shape by blending positions: bones of 2 cm shrink to 1 mm.
    assert_eq!(codes(&found), ["unsteady-bones"], "{found:?}");
}

#[test]
fn lost_w_counts_the_missing_keys() {
    let recording = Recording::open(testdata("valid/mrtk27_rotation_w_lost.bin")).expect("opens");
    let found = findings(&recording);
    let counts: Vec<_> = found.iter().filter(|f| f.kind == FindingKind::RotationWLost).map(|f| f.count).collect();
    // 3126 rotation keys of 53 poses, of which each has one w.
    assert_eq!(counts.iter().sum::<usize>(), 3126 - 53);
    assert_eq!(counts.len(), 3, "camera, left, right");
}

#[cfg(feature = "json")]
#[test]
fn findings_serialize_as_objects() {
    let found = findings(&broken(FindingKind::SignFlips).expect("breaks"));
    let json = serde_json::to_value(&found).expect("serializes");
    assert_eq!(json[0]["code"], "sign-flips");
    assert_eq!(json[0]["severity"], "warning");
    assert_eq!(json[0]["subject"], "left.IndexTip");
    assert_eq!(json[0]["count"], 2);
    assert!(json[0]["start_secs"].as_f64() < json[0]["end_secs"].as_f64());
    assert!(json[0]["message"].is_string() && json[0]["advice"].is_string());
    let mut recording = clean();
    lose_w(&mut recording);
    let json = serde_json::to_value(findings(&recording)).expect("serializes");
    let left = json.as_array().expect("an array").iter().find(|finding| finding["subject"] == "left").expect("a hand");
    assert_eq!(left["joint_count"], 26);
}
