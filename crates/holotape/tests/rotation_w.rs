//! Repair restores lost rotation w from x, y and z, one key of w, bones, gaze and continuity.

use std::collections::BTreeMap;
use std::fs;

use holotape::check::{FindingKind, RepairOptions, RepairReport, SalvageOptions, Subject, repair, salvage};
use holotape::demo::DemoOptions;
use holotape::{Curve, Hand, Joint, Keys, Pose, PoseId, Recording};
use serde_json::Value;

use crate::common::change::{camera, joint, lose_w, retain, retain_all};
use crate::common::{motion, testdata};

/// The original rotation keys.
type Truth = BTreeMap<PoseId, Vec<[f32; 4]>>;

fn truth_of(recording: &Recording) -> Truth {
    let rotations = |rotation: &[Curve; 4]| {
        let columns = rotation.each_ref().map(|curve| curve.keys.iter().map(|key| key.value).collect::<Vec<_>>());
        (0..columns[0].len()).map(|key| columns.each_ref().map(|column| column[key])).collect()
    };
    let several = recording.poses().filter(|(_, pose)| pose.rotation.iter().all(|curve| curve.keys.len() > 1));
    several.map(|(id, pose)| (id, rotations(&pose.rotation))).collect()
}

/// The result of a repair.
struct Outcome {
    recording: Recording,
    report: RepairReport,
    keys: usize,
    wrong: usize,
}

impl Outcome {
    /// The fraction of rotation keys within 1° of the truth.
    fn fraction(&self) -> f64 {
        1.0 - self.wrong as f64 / self.keys as f64
    }

    fn uncertain(&self) -> usize {
        let entries = self.report.lost.iter().filter(|entry| entry.kind == FindingKind::RotationUncertain);
        entries.map(|entry| entry.count).sum()
    }
}

fn repair_and_compare(name: &str, mut recording: Recording, truth: &Truth) -> Outcome {
    let report = repair(&mut recording, &RepairOptions::new());
    let repaired = truth_of(&recording);
    let (mut keys, mut right) = (0, 0);
    for (id, truth) in truth {
        let repaired = repaired.get(id).unwrap_or_else(|| panic!("{name}: {id} is still without w"));
        assert_eq!(repaired.len(), truth.len(), "{name}: {id}");
        let pose = |rotation: &[f32; 4]| Pose { rotation: *rotation, ..Pose::IDENTITY };
        keys += truth.len();
        right += truth.iter().zip(repaired).filter(|(a, b)| pose(a).angle_deg(&pose(b)) <= 1.0).count();
    }
    let outcome = Outcome { recording, report, keys, wrong: keys - right };
    println!("{name}: {:.4} of {keys} keys within 1°, {} uncertain", outcome.fraction(), outcome.uncertain());
    outcome
}

/// Drops w as MRTK did, and repairs it.
fn lose_and_repair(name: &str, mut recording: Recording) -> Outcome {
    let truth = truth_of(&recording);
    assert!(!truth.is_empty(), "{name}");
    lose_w(&mut recording);
    repair_and_compare(name, recording, &truth)
}

fn device() -> Recording {
    motion::recording_of(&motion::device_frames())
}

fn demo(seed: u64) -> Recording {
    DemoOptions::new().with_seed(seed).generate().expect("a demo")
}

/// Keeps one of every `one_of` keys, as key reduction does for slow motion.
fn thinned(mut recording: Recording, one_of: usize) -> Recording {
    for (_, pose) in recording.poses_mut() {
        retain_all(pose, |key, _| key % one_of == 0);
    }
    recording
}

/// Negates quaternions now and then, as devices do.
fn with_flips(mut recording: Recording) -> Recording {
    let mut state = 1_u32;
    for (_, pose) in recording.poses_mut() {
        let mut sign = 1.0;
        let signs: Vec<f32> = (0..pose.rotation[0].keys.len())
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                sign = if state >> 16 < 65_536 / 50 { -sign } else { sign };
                sign
            })
            .collect();
        for curve in &mut pose.rotation {
            curve.keys.iter_mut().zip(&signs).for_each(|((_, value), sign)| *value *= sign);
        }
    }
    recording
}

#[test]
fn mrtk_2_7_rotations_are_restored() {
    let recording = Recording::open(testdata("valid/mrtk27_rotation_w_lost.bin")).expect("opens");
    let json = fs::read(testdata("valid/mrtk27_rotation_w_lost.truth.json")).expect("readable");
    let json: Value = serde_json::from_slice(&json).expect("valid JSON");
    let number = |value: &Value| value.as_f64().expect("a number") as f32;
    let row = |row: &Value| std::array::from_fn(|n| number(&row[n + 1]));
    let rows = |rows: &Value| rows.as_array().expect("rows").iter().map(row).collect();
    let rotations = json["rotations"].as_object().expect("an object");
    let truth: Truth = rotations.iter().map(|(id, all)| (id.parse().expect("a pose"), rows(all))).collect();
    let outcome = repair_and_compare("mrtk27_rotation_w_lost", recording, &truth);
    print!("{}", outcome.report);
    assert_eq!(outcome.keys, 3126);
    assert!(outcome.fraction() >= 0.995, "{}", outcome.fraction());
    assert!(outcome.wrong <= outcome.uncertain(), "wrong rotations are reported as uncertain");
    assert!(outcome.uncertain() < 30, "{}", outcome.uncertain());
}

#[test]
fn rotations_of_other_motion_are_restored() {
    let mut sets = vec![("device".to_owned(), device())];
    sets.extend((1..=4).map(|seed| (format!("demo {seed}"), demo(seed))));
    sets.extend([1, 2].map(|seed| (format!("demo {seed}, one of 8"), thinned(demo(seed), 8))));
    sets.push(("device, one of 4".to_owned(), thinned(device(), 4)));
    sets.push(("device, with flips".to_owned(), with_flips(device())));
    sets.push(("demo 2, with flips".to_owned(), with_flips(demo(2))));
    for (name, recording) in sets {
        let outcome = lose_and_repair(&name, recording);
        assert!(outcome.fraction() >= 0.995, "{name}: {}", outcome.fraction());
        assert!(outcome.wrong <= outcome.uncertain(), "{name}: {} wrong, {}", outcome.wrong, outcome.report);
        assert!(outcome.uncertain() < outcome.keys / 30, "{name}: {}", outcome.report);
    }
}

#[test]
fn rotations_of_other_releases_are_restored() {
    for name in [
        "mrtk25_right_hand_markers",
        "mrtk25_rolling_cutoff",
        "mrtk25_simulated",
        "mrtk28_all",
        "mrtk28_hands_only_simulated",
        "mrtk28_right_hand_markers",
        "mrtk28_unpartitioned",
        "mrtk28_camera_only",
    ] {
        let recording = Recording::open(testdata("valid").join(format!("{name}.bin"))).expect("opens");
        let outcome = lose_and_repair(name, recording);
        assert!(outcome.fraction() >= 0.995, "{name}: {}", outcome.fraction());
        assert!(outcome.wrong <= outcome.uncertain(), "{name}: {}", outcome.report);
    }
}

#[test]
fn wrong_rotations_without_positions_are_reported_as_uncertain() {
    for (name, mut recording, fraction) in
        [("device", device(), 0.75), ("demo", demo(1), 0.99), ("demo, with flips", with_flips(demo(3)), 0.95)]
    {
        recording.gaze = None;
        for hand in Hand::ALL {
            recording.hand_mut(hand).joints.iter_mut().for_each(|pose| pose.position = [const { Curve::new() }; 3]);
        }
        let outcome = lose_and_repair(name, recording);
        assert!(outcome.wrong <= outcome.uncertain(), "{name}: {} wrong, {}", outcome.wrong, outcome.report);
        assert!(outcome.fraction() > fraction, "{name}: {}", outcome.fraction());
    }
}

#[test]
fn gaze_determines_the_head_rotation() {
    for seed in 1..4 {
        let mut recording = Recording { hands: None, ..demo(seed) };
        let truth = truth_of(&recording);
        retain(&mut camera(&mut recording).rotation[3], |_, _| false);
        let outcome = repair_and_compare("no w at all", recording, &truth);
        assert!(outcome.fraction() >= 0.995, "{}", outcome.fraction());
    }
}

#[test]
fn other_curves_and_the_known_key_stay_unchanged() {
    let mut broken = device();
    lose_w(&mut broken);
    let outcome = lose_and_repair("device", device());
    for ((id, was), (_, is)) in broken.poses().zip(outcome.recording.poses()) {
        assert_eq!(was.position, is.position, "{id}");
        assert_eq!(was.rotation[..3], is.rotation[..3], "{id}");
        let times = |curve: &Curve| curve.keys.iter().map(|key| key.time).collect::<Vec<_>>();
        assert_eq!(times(&is.rotation[3]), times(&is.rotation[0]), "{id}");
        assert_eq!(was.rotation[3].keys.iter().next(), is.rotation[3].keys.iter().next(), "{id}");
    }
    assert_eq!((broken.hands.is_some(), &broken.gaze), (true, &outcome.recording.gaze));
}

#[test]
fn joints_with_another_bone_offset_are_restored() {
    // A rig whose joints are all rotated by 90° about y: the remaining w gives the offset.
    let mut recording = demo(1);
    let s = std::f32::consts::FRAC_1_SQRT_2;
    for (_, pose) in recording.poses_mut().filter(|(id, _)| *id != PoseId::Camera) {
        for key in 0..pose.rotation[0].keys.len() {
            let mut q = pose.rotation.each_mut().map(|curve| curve.keys.iter_mut().nth(key).expect("a key").1);
            let [x, y, z, w] = q.each_ref().map(|value| **value);
            for (value, turned) in q.iter_mut().zip([s * (x - z), s * (y + w), s * (z + x), s * (w - y)]) {
                **value = turned;
            }
        }
    }
    let outcome = lose_and_repair("rotated joints", recording);
    assert!(outcome.fraction() >= 0.995, "{}", outcome.fraction());
}

#[test]
fn hands_without_metacarpals_are_restored() {
    // A Quest never fills four of the metacarpals.
    let mut recording = demo(2);
    for hand in Hand::ALL {
        for root in [Joint::IndexMetacarpal, Joint::MiddleMetacarpal, Joint::RingMetacarpal, Joint::PinkyMetacarpal] {
            retain_all(joint(&mut recording, hand, root), |_, _| false);
        }
    }
    let truth = truth_of(&recording);
    lose_w(&mut recording);
    // Only bones are left as evidence.
    for id in [Joint::Wrist, Joint::Palm] {
        retain(&mut joint(&mut recording, Hand::Left, id).rotation[3], |_, _| false);
    }
    let outcome = repair_and_compare("no roots", recording, &truth);
    assert!(outcome.fraction() >= 0.999, "{}", outcome.fraction());
    assert!(outcome.uncertain() < outcome.keys / 30, "{}", outcome.report);
}

#[test]
fn none_slot_is_rebuilt_but_never_reported() {
    let mut recording = device();
    *joint(&mut recording, Hand::Left, Joint::None) = recording.hand(Hand::Left).joint(Joint::RingTip).clone();
    let outcome = lose_and_repair("none slot", recording);
    assert!(outcome.wrong > 0, "there is no bone as evidence");
    let slot = Subject::Pose(PoseId::Joint(Hand::Left, Joint::None));
    assert!(outcome.report.repaired.iter().any(|entry| entry.subject == slot), "{}", outcome.report);
    assert!(outcome.report.lost.iter().all(|entry| entry.subject != slot), "{}", outcome.report);
}

#[test]
fn full_keys_stay_full() {
    let recording = Recording::open(testdata("valid/mrtk25_simulated.bin")).expect("opens");
    let outcome = lose_and_repair("mrtk25_simulated", recording);
    let wrist = &outcome.recording.hand(Hand::Right).joint(Joint::Wrist).rotation[3];
    assert!(matches!(&wrist.keys, Keys::Bezier(keys) if keys.iter().all(|key| key.is_linear())));
}

#[test]
fn truncated_w_is_restored_from_its_end_on() {
    let recording = demo(1);
    let truth = truth_of(&recording);
    let id = PoseId::Joint(Hand::Left, Joint::IndexTip);
    for kept in [0, 1, 2, 300, 700] {
        let mut cut = recording.clone();
        retain(&mut joint(&mut cut, Hand::Left, Joint::IndexTip).rotation[3], |key, _| key < kept);
        let outcome = repair_and_compare(&format!("{kept} keys left"), cut, &truth);
        assert_eq!(outcome.wrong, 0);
        assert_eq!(outcome.report.repaired[0].subject, Subject::Pose(id));
        assert_eq!(outcome.report.repaired[0].count, truth[&id].len() - kept);
    }
    // The same with a file that ends there.
    let (bytes, _) = recording.to_vec().expect("writes");
    let index = holotape::format::Index::from_slice(&bytes).expect("whole");
    let span = index.curves().iter().find(|span| span.id.to_string() == "left.IndexTip.rotation.w").expect("there");
    let mut salvaged = salvage(&bytes[..span.key_range.start as usize + 803], &SalvageOptions::new()).expect("most");
    assert_eq!(salvaged.truncated.expect("a curve").kept_keys, 100);
    let report = repair(&mut salvaged.recording, &RepairOptions::new());
    assert_eq!(report.repaired[0].kind, FindingKind::RotationWLost, "{report}");
    let tip = salvaged.recording.hand(Hand::Left).joint(Joint::IndexTip);
    let (a, b) = (tip.pose_at(11.0), recording.hand(Hand::Left).joint(Joint::IndexTip).pose_at(11.0));
    assert!(a.zip(b).is_some_and(|(a, b)| a.angle_deg(&b) < 1.0));
}

#[test]
fn unrepairable_w_is_reported_as_lost() {
    let mut recording = demo(1);
    lose_w(&mut recording);
    retain(&mut camera(&mut recording).rotation[1], |key, _| key != 7);
    let before = recording.camera.clone();
    let report = repair(&mut recording, &RepairOptions::new());
    assert!(report.repaired.iter().all(|entry| entry.subject != Subject::Pose(PoseId::Camera)), "{report}");
    assert_eq!(
        (report.lost[0].kind, report.lost[0].subject),
        (FindingKind::RotationWLost, Subject::Pose(PoseId::Camera))
    );
    assert_eq!(recording.camera, before);
}

#[test]
fn invalid_rotations_are_not_rebuilt() {
    // Simulated hands leave zeros in the joint slot `None`.
    let mut recording = demo(1);
    let mut zero = recording.hand(Hand::Left).joint(Joint::Wrist).clone();
    zero.rotation.iter_mut().flat_map(|curve| curve.keys.iter_mut()).for_each(|(_, value)| *value = 0.0);
    *joint(&mut recording, Hand::Left, Joint::None) = zero.clone();
    *joint(&mut recording, Hand::Left, Joint::Palm) = zero;
    lose_w(&mut recording);
    let mut repaired = recording.clone();
    let report = repair(&mut repaired, &RepairOptions::new());
    for slot in [Joint::None, Joint::Palm] {
        assert_eq!(repaired.hand(Hand::Left).joint(slot), recording.hand(Hand::Left).joint(slot), "{slot}");
    }
    let palm = Subject::Pose(PoseId::Joint(Hand::Left, Joint::Palm));
    assert_eq!((report.lost[0].kind, report.lost[0].subject), (FindingKind::RotationWLost, palm), "{report}");
    assert!(!report.to_string().contains("None"), "{report}");
}

#[test]
fn identity_rotations_stay_identity() {
    let mut recording = demo(1);
    camera(&mut recording).rotation.iter_mut().flat_map(|c| c.keys.iter_mut()).for_each(|(_, value)| *value = 0.0);
    camera(&mut recording).rotation[3].keys.iter_mut().for_each(|(_, w)| *w = 1.0);
    let original = recording.clone();
    let outcome = lose_and_repair("identity", recording);
    assert_eq!(outcome.recording.camera, original.camera);
}

#[test]
fn rounding_error_near_zero_is_reported() {
    // Slightly more than 180° about y: w passes 0, where another component is almost 1.
    let mut recording = Recording { camera: demo(1).camera, ..Recording::default() };
    let count = camera(&mut recording).rotation[0].keys.len();
    for key in 0..count {
        let half = std::f64::consts::FRAC_PI_2 + 1e-5 * (key as f64 - 360.0);
        let q = [0.0, half.sin(), 0.0, half.cos()];
        for (curve, value) in camera(&mut recording).rotation.iter_mut().zip(q) {
            *curve.keys.iter_mut().nth(key).expect("a key").1 = value as f32;
        }
    }
    let outcome = lose_and_repair("180°", recording);
    assert_eq!(outcome.wrong, 0);
    let message = &outcome.report.repaired[0].message;
    assert!(message.contains("rounding near 0 allows up to 0.06° of error"), "{message}");
}
