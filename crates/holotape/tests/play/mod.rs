//! A player emits every event once, in order of time, whatever the steps.

mod control;
mod laps;
mod properties;
mod small;
mod strange;

use small::events_until;

use crate::common::motion::{device_frames, recording_of};

#[test]
fn device_motion_gives_the_same_events_in_one_step_and_in_600() {
    let recording = recording_of(&device_frames());
    let mut player = recording.player();
    player.play();
    let at_once = events_until(&mut player, 11.0);
    assert!(at_once.len() >= 9, "{at_once:?}");
    let mut player = recording.player();
    player.play();
    let mut sampler = recording.sampler();
    let mut in_steps = Vec::new();
    for n in 0..=660 {
        in_steps.extend(player.advance_to(f64::from(n) / 60.0));
        let expected = sampler.frame_at(player.time_secs());
        assert_eq!(*player.frame(), expected, "frames are a sampler's");
    }
    assert_eq!(in_steps, at_once);
    let mut player = recording.player();
    player.play();
    let mut by_elapsed = Vec::new();
    for _ in 0..=660 {
        by_elapsed.extend(player.advance(1.0 / 60.0));
    }
    assert_eq!(by_elapsed, at_once);
}

#[test]
fn untracked_poses_are_returned_on_request() {
    let recording = recording_of(&device_frames());
    let untracked =
        device_frames().iter().find(|frame| !frame.right.as_ref().expect("there").tracked).expect("a loss").time;
    for wanted in [false, true] {
        let mut player = recording.player().with_untracked_poses(wanted);
        player.seek(untracked);
        let hand = player.frame().right.as_ref().expect("there");
        assert_eq!(hand.joints.iter().any(Option::is_some), wanted);
    }
}

#[cfg(feature = "json")]
#[test]
fn events_are_lines_of_json() {
    use holotape::EventKind::*;
    use holotape::Hand::{Left, Right};
    use small::{at, passed};

    let lines = [
        (Started, r#"{"time":0.5,"event":"started"}"#),
        (Paused, r#"{"time":0.5,"event":"paused"}"#),
        (Stopped, r#"{"time":0.5,"event":"stopped"}"#),
        (Ended, r#"{"time":0.5,"event":"ended"}"#),
        (Looped { lap_count: 2 }, r#"{"time":0.5,"event":"looped","lap_count":2}"#),
        (Seeked { from_secs: 0.25 }, r#"{"time":0.5,"event":"seeked","from_time":0.25}"#),
        (HandFound(Left), r#"{"time":0.5,"event":"hand_found","hand":"left"}"#),
        (HandLost(Right), r#"{"time":0.5,"event":"hand_lost","hand":"right"}"#),
        (PinchStarted(Left), r#"{"time":0.5,"event":"pinch_start","hand":"left"}"#),
        (PinchEnded(Right), r#"{"time":0.5,"event":"pinch_end","hand":"right"}"#),
        (passed(3, "a \"cup\""), r#"{"time":0.5,"marker":"a \"cup\""}"#),
    ];
    for (kind, line) in lines {
        assert_eq!(serde_json::to_string(&at(0.5, kind)).expect("writes"), line);
    }
}
