//! All frame-based formats report the same losses with the same messages.

use holotape::demo::DemoOptions;
use holotape::{BoolCurve, Curve, Hand, Joint, LinearKey, Recording};
use holotape_convert::bvh::{self, BvhOptions};
use holotape_convert::handsbin::{self, HandsbinOptions};
use holotape_convert::mcap::{self, McapOptions};
use holotape_convert::table::{TableKind, TableOptions};
use holotape_convert::{Losses, Timing, csv, isaac, iwer};

fn table(recording: &Recording, options: &TableOptions) -> Losses {
    csv::write(recording, options, std::io::sink()).unwrap()
}

/// The losses of the formats that support neither the joint None nor untracked hands nor times before 0.
fn others(recording: &Recording) -> [(&'static str, Losses); 5] {
    let out = std::io::sink;
    [
        ("MCAP", mcap::write(recording, &McapOptions::new(), out()).unwrap()),
        ("Isaac Teleop", isaac::write(recording, Timing::Keys, out()).unwrap()),
        ("IWER", iwer::write(recording, Timing::Keys, out()).unwrap()),
        ("handsbin", handsbin::write(recording, &HandsbinOptions::new(), out()).unwrap()),
        ("BVH", bvh::write(recording, &BvhOptions::new(), out()).unwrap()),
    ]
}

fn has_loss(losses: &Losses, message: &str) -> bool {
    losses.iter().filter(|loss| loss.to_string() == message).count() == 1
}

fn demo() -> Recording {
    DemoOptions::new().with_seconds(1.0).generate().unwrap()
}

#[test]
fn joint_none_is_reported() {
    let mut recording = demo();
    for hand in Hand::ALL {
        let wrist = recording.hand(hand).joint(Joint::Wrist).clone();
        *recording.hand_mut(hand).joint_mut(Joint::None) = wrist;
    }
    let message = "dropped the joint None (left and right): it is a placeholder";
    for (name, losses) in others(&recording) {
        assert!(has_loss(&losses, message), "{name}: {losses:?}");
    }
    let losses = table(&recording, &TableOptions::new());
    assert!(!has_loss(&losses, message), "tables have columns for it: {losses:?}");
}

#[test]
fn incomplete_poses_are_reported() {
    let mut recording = demo();
    recording.hand_mut(Hand::Left).joint_mut(Joint::Palm).position[1] = Curve::new();
    recording.hand_mut(Hand::Left).joint_mut(Joint::RingTip).rotation[3] = Curve::new();
    let message = "dropped left.Palm and 1 more: some of the curves have no keys";
    for (name, losses) in others(&recording).into_iter().chain([("table", table(&recording, &TableOptions::new()))]) {
        assert!(has_loss(&losses, message), "{name}: {losses:?}");
    }
    let keys = table(&recording, &TableOptions::new().with_table(TableKind::Keys));
    assert!(!has_loss(&keys, message), "the table of keys has them: {keys:?}");
}

#[test]
fn incomplete_joint_none_is_reported_once() {
    let mut recording = demo();
    recording.hand_mut(Hand::Left).joint_mut(Joint::None).position[1] = Curve::from_iter([LinearKey::new(0.0, 1.0)]);
    assert!(has_loss(&table(&recording, &TableOptions::new()), "dropped left.None: some of the curves have no keys"));
    for (name, losses) in others(&recording) {
        assert!(has_loss(&losses, "dropped the joint None (left): it is a placeholder"), "{name}: {losses:?}");
        assert!(losses.iter().all(|loss| !loss.to_string().contains("left.None")), "{name}: {losses:?}");
    }
}

#[test]
fn untracked_keys_are_counted_over_all_curves() {
    let mut recording = demo();
    recording.hand_mut(Hand::Right).tracked = BoolCurve::from_iter([LinearKey::new(0.0, 0.0)]);
    // All other curves have keys at the same 61 times.
    let still = Curve::from_iter([LinearKey::new(0.0, 0.0), LinearKey::new(0.51, 0.0)]);
    recording.hand_mut(Hand::Right).joint_mut(Joint::Wrist).rotation[1] = still;
    let message = "dropped keys of the right hand at 62 times: not tracked";
    for (name, losses) in others(&recording).into_iter().chain([("table", table(&recording, &TableOptions::new()))]) {
        assert!(has_loss(&losses, message), "{name}: {losses:?}");
    }
    let losses = table(&recording, &TableOptions::new().with_untracked_poses(true));
    assert!(!has_loss(&losses, message), "{losses:?}");
}

#[test]
fn keys_before_time_0_are_reported() {
    let mut recording = demo();
    let keys = [(-0.5, 1.0), (-0.25, 2.0), (1.0, 3.0)].map(|(time, value)| LinearKey::new(time, value));
    recording.camera.as_mut().unwrap().position[0] = Curve::from_iter(keys);
    let message = "dropped keys at 2 times: before time 0";
    for (name, losses) in others(&recording) {
        assert!(has_loss(&losses, message), "{name}: {losses:?}");
    }
    assert!(has_loss(&table(&recording, &TableOptions::new().with_timing(Timing::Rate(30.0))), message));
    let losses = table(&recording, &TableOptions::new());
    assert!(!has_loss(&losses, message), "there are frames at all keys: {losses:?}");
}

#[test]
fn lossless_conversions_report_nothing() {
    for (name, losses) in others(&demo()) {
        let is_common_loss =
            |message: String| ["joint None", "have no keys", "keys "].iter().any(|part| message.contains(part));
        assert!(!losses.iter().any(|loss| is_common_loss(loss.to_string())), "{name}: {losses:?}");
    }
}
