//! Looping, and playing a range.

use holotape::EventKind::{Ended, HandFound, HandLost, PinchEnded, PinchStarted, Seeked, Started};
use holotape::Hand::{Left, Right};
use holotape::{EventKind, PlayState, Recording};

use crate::play::small::{LAP_LENGTH, at, events_until, flag, passed, small_lap, small_next_lap, small_take};

#[test]
fn every_lap_has_the_same_events() {
    let mut player = small_take().player().with_looping(true);
    assert!(player.is_looping());
    player.play();
    let first = [&[at(0.0, Started)], &small_lap()[..LAP_LENGTH - 1]].concat();
    let laps = [first, small_next_lap(), small_next_lap(), small_next_lap()[..4].to_vec()].concat();
    assert_eq!(events_until(&mut player, 12.5), laps);
    assert_eq!(player.frame().time, 0.5);
    player.set_looping(false);
    assert_eq!(events_until(&mut player, 12.75), []);
    assert_eq!(events_until(&mut player, 99.0), small_lap()[2..]);
}

#[test]
fn laps_count_from_the_last_seek_without_drift() {
    let mut player = small_take().player().with_looping(true);
    player.play();
    player.advance_to(13.0).for_each(drop);
    player.seek(3.0);
    let there = [at(3.0, Seeked { from_secs: 1.0 }), at(3.0, PinchEnded(Left)), at(3.0, HandLost(Left))];
    assert_eq!(events_until(&mut player, 14.5), [&there, &small_lap()[8..9], &small_next_lap()[..4]].concat());
    assert_eq!(player.time_secs(), 0.5);
    // A duration that is not representable, so that the number of laps has to be rounded.
    let mut player = small_take().player().with_looping(true).with_span_secs(0.0..=0.3);
    player.play();
    for lap in 1..100 {
        let events = events_until(&mut player, f64::from(lap) * 0.3 + 0.03);
        let loops = events.iter().filter(|event| matches!(event.kind, EventKind::Looped { .. })).count();
        assert_eq!(loops, 1, "lap {lap}");
        assert!((player.time_secs() - 0.03).abs() < 1e-12, "lap {lap}");
    }
}

#[test]
fn range_plays_like_a_complete_recording() {
    let mut player = small_take().player().with_span_secs(1.0..=2.0).with_looping(true);
    assert_eq!((player.time_secs(), player.span_secs()), (1.0, 1.0..=2.0));
    player.play();
    let begin = [at(1.0, HandFound(Left)), at(1.0, PinchStarted(Left))];
    let marks = [at(1.0, passed(1, "b")), at(1.0, passed(2, "a"))];
    let end = [at(2.0, PinchEnded(Left)), at(2.0, HandLost(Left)), at(2.0, EventKind::Looped { lap_count: 1 })];
    let first = [&[at(1.0, Started)], &begin[..], &[at(1.0, HandFound(Right))], &marks, &end].concat();
    assert_eq!(events_until(&mut player, 1.25), [&first[..], &begin, &marks].concat());
    assert_eq!(player.time_secs(), 1.25);
    for (span, expected) in [
        (-1.0..=9.0, 0.0..=4.0),
        (f64::NAN..=f64::NAN, 0.0..=0.0),
        (3.0..=1.0, 3.0..=3.0),
        (7.0..=8.0, 4.0..=4.0),
        (f64::NEG_INFINITY..=f64::INFINITY, 0.0..=4.0),
    ] {
        assert_eq!(small_take().player().with_span_secs(span).span_secs(), expected);
    }
}

#[test]
fn empty_range_ends_even_when_looping() {
    let mut still = Recording::default();
    still.hand_mut(Left).tracked = flag(&[(0.0, 1)]);
    still.markers.add(0.0, "only");
    let mut player = still.player().with_looping(true);
    player.play();
    let all = [at(0.0, Started), at(0.0, HandFound(Left)), at(0.0, passed(0, "only")), at(0.0, Ended)];
    assert_eq!(events_until(&mut player, 0.0), all);
    let mut empty = Recording::default().player();
    empty.play();
    assert_eq!(events_until(&mut empty, 0.0), [at(0.0, Started), at(0.0, Ended)]);
    assert_eq!(empty.frame().time, 0.0);
}

#[test]
fn step_over_many_laps_skips_some_and_counts_them() {
    let mut player = small_take().player().with_looping(true);
    player.play();
    let events = events_until(&mut player, 4e9 + 0.5);
    assert!(events.len() < 1 << 17, "{}", events.len());
    let laps = events.iter().map(|event| if let EventKind::Looped { lap_count } = event.kind { lap_count } else { 0 });
    assert_eq!(laps.sum::<u64>(), 1_000_000_000);
    assert_eq!(player.time_secs(), 0.5);
    assert_eq!(events_until(&mut player, 4e9 + 1.0), small_lap()[2..6], "and on it goes");
    // Laps of almost no duration, at the maximum time.
    let mut recording = Recording::default();
    recording.hand_mut(Left).tracked = flag(&[(0.0, 1)]);
    recording.hand_mut(Left).tracked.keys[0].time = f32::from_bits(1);
    let mut player = recording.player().with_looping(true).with_speed(1e300);
    player.play();
    assert!(player.advance(1e300).count() < 1 << 17);
    assert!(player.advance(f64::INFINITY).count() < 1 << 17);
    assert_eq!(player.state(), PlayState::Playing);
}
