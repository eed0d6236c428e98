//! What frames cannot hold is said by everybody who writes them, in the same words.

use holotape::demo::DemoOptions;
use holotape::{BoolCurve, Curve, Hand, Joint, LinearKey, Recording};
use holotape_convert::bvh::{self, BvhOptions};
use holotape_convert::iwer::{self, IwerOptions};
use holotape_convert::mcap::{self, McapOptions};
use holotape_convert::table::{TableKind, TableOptions};
use holotape_convert::{Losses, Timing, csv};

fn table(recording: &Recording, options: &TableOptions) -> Losses {
    csv::write(recording, options, std::io::sink()).unwrap()
}

/// What those say that have no place for the joint None, for hands that nobody saw and for what is before time 0.
fn others(recording: &Recording) -> [(&'static str, Losses); 3] {
    let out = std::io::sink;
    [
        ("MCAP", mcap::write(recording, &McapOptions::new(), out()).unwrap()),
        ("IWER", iwer::write(recording, &IwerOptions::new(), out()).unwrap()),
        ("BVH", bvh::write(recording, &BvhOptions::new(), out()).unwrap()),
    ]
}

fn says(losses: &Losses, message: &str) -> bool {
    losses.iter().filter(|loss| loss.to_string() == message).count() == 1
}

fn demo() -> Recording {
    DemoOptions::new().with_seconds(1.0).generate().unwrap()
}

#[test]
fn the_joint_none() {
    let mut recording = demo();
    for hand in Hand::ALL {
        let wrist = recording.hand(hand).joint(Joint::Wrist).clone();
        *recording.hand_mut(hand).joint_mut(Joint::None) = wrist;
    }
    let message = "the joint None (left and right): stands for no joint";
    for (name, losses) in others(&recording) {
        assert!(says(&losses, message), "{name}: {losses:?}");
    }
    let losses = table(&recording, &TableOptions::new());
    assert!(!says(&losses, message), "a table has columns for it: {losses:?}");
}

#[test]
fn poses_that_miss_a_curve() {
    let mut recording = demo();
    recording.hand_mut(Hand::Left).joint_mut(Joint::Palm).position[1] = Curve::new();
    recording.hand_mut(Hand::Left).joint_mut(Joint::RingTip).rotation[3] = Curve::new();
    let message = "left.Palm and 1 more: no pose without all of its curves";
    for (name, losses) in others(&recording).into_iter().chain([("table", table(&recording, &TableOptions::new()))]) {
        assert!(says(&losses, message), "{name}: {losses:?}");
    }
    let keys = table(&recording, &TableOptions::new().with_table(TableKind::Keys));
    assert!(!says(&keys, message), "keys are there: {keys:?}");
}

#[test]
fn a_part_of_the_joint_none_is_said_once() {
    let mut recording = demo();
    recording.hand_mut(Hand::Left).joint_mut(Joint::None).position[1] = Curve::from_iter([LinearKey::new(0.0, 1.0)]);
    assert!(says(&table(&recording, &TableOptions::new()), "left.None: no pose without all of its curves"));
    for (name, losses) in others(&recording) {
        assert!(says(&losses, "the joint None (left): stands for no joint"), "{name}: {losses:?}");
        assert!(losses.iter().all(|loss| !loss.to_string().contains("left.None")), "{name}: {losses:?}");
    }
}

#[test]
fn keys_of_hands_that_nobody_saw_are_counted_over_all_curves() {
    let mut recording = demo();
    recording.hand_mut(Hand::Right).tracked = BoolCurve::from_iter([LinearKey::new(0.0, 0.0)]);
    // All other curves have their keys at 61 times, and this one has another.
    let still = Curve::from_iter([LinearKey::new(0.0, 0.0), LinearKey::new(0.51, 0.0)]);
    recording.hand_mut(Hand::Right).joint_mut(Joint::Wrist).rotation[1] = still;
    let message = "keys of the right hand where it was not tracked (at 62 times): left out";
    for (name, losses) in others(&recording).into_iter().chain([("table", table(&recording, &TableOptions::new()))]) {
        assert!(says(&losses, message), "{name}: {losses:?}");
    }
    let losses = table(&recording, &TableOptions::new().with_untracked_poses(true));
    assert!(!says(&losses, message), "{losses:?}");
}

#[test]
fn keys_before_time_0() {
    let mut recording = demo();
    let keys = [(-0.5, 1.0), (-0.25, 2.0), (1.0, 3.0)].map(|(time, value)| LinearKey::new(time, value));
    recording.camera.as_mut().unwrap().position[0] = Curve::from_iter(keys);
    let message = "keys before time 0 (at 2 times): left out";
    for (name, losses) in others(&recording) {
        assert!(says(&losses, message), "{name}: {losses:?}");
    }
    assert!(says(&table(&recording, &TableOptions::new().with_timing(Timing::Rate(30.0))), message));
    let losses = table(&recording, &TableOptions::new());
    assert!(!says(&losses, message), "there are frames at all keys: {losses:?}");
}

#[test]
fn nothing_is_said_where_nothing_is_lost() {
    for (name, losses) in others(&demo()) {
        let is_of_all =
            |message: String| ["joint None", "its curves", "keys "].iter().any(|part| message.contains(part));
        assert!(!losses.iter().any(|loss| is_of_all(loss.to_string())), "{name}: {losses:?}");
    }
}
