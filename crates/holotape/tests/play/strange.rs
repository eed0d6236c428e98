//! Recordings that no known program writes.

use holotape::EventKind::{PinchEnded, PinchStarted};
use holotape::Hand::Right;
use holotape::{BoolCurve, EventKind, Marker, PlayState, WrapMode};

use crate::play::small::{LAP_LENGTH, at, events_until, flag, small_take};

#[test]
fn markers_outside_the_recording_have_no_events() {
    let mut recording = small_take();
    let strange =
        [f32::NAN, -1.0, 4.5, f32::INFINITY, 0.0, -0.0, 3.0, 2.5].map(|time| Marker { time, name: "x".to_owned() });
    recording.markers = strange.into_iter().collect();
    let mut player = recording.player();
    player.play();
    let events = events_until(&mut player, 9.0);
    let markers = events.iter().filter_map(|event| match event.kind {
        EventKind::MarkerPassed { index, .. } => Some((event.time_secs, index)),
        _ => None,
    });
    assert_eq!(
        markers.collect::<Vec<_>>(),
        [(0.0, 4), (0.0, 5), (2.5, 7), (3.0, 6)],
        "by time, whatever the order of the list"
    );
}

#[test]
fn repeating_flag_has_events_only_at_its_keys() {
    let mut recording = small_take();
    recording.hand_mut(Right).tracked = flag(&[(4.0, 0)]);
    let blinking = flag(&[(1.0, 1), (1.25, 0), (1.5, 0)]);
    recording.hand_mut(Right).pinching =
        BoolCurve { pre_wrap: WrapMode::LOOP, post_wrap: WrapMode::PING_PONG, ..blinking };
    let mut player = recording.player();
    player.play();
    let events = events_until(&mut player, 9.0).into_iter();
    let pinches = events.filter(|event| matches!(event.kind, PinchStarted(Right) | PinchEnded(Right)));
    assert_eq!(pinches.collect::<Vec<_>>(), [at(0.0, PinchStarted(Right)), at(1.25, PinchEnded(Right))]);
}

#[test]
fn recording_of_infinite_duration_plays() {
    let mut recording = small_take();
    recording.hand_mut(Right).tracked.keys[2].time = f32::INFINITY;
    for looping in [false, true] {
        let mut player = recording.player().with_looping(looping);
        player.play();
        assert_eq!(events_until(&mut player, 1e300).len(), LAP_LENGTH, "all but the end");
        assert_eq!((player.state(), player.frame().time), (PlayState::Playing, 1e300));
    }
}
