//! Play, pause, stop, seek and speed.

use holotape::EventKind::{Ended, HandFound, HandLost, Paused, PinchEnded, PinchStarted, Seeked, Started, Stopped};
use holotape::Hand::{Left, Right};
use holotape::PlayState;

use crate::play::small::{at, events_until, passed, small_lap, small_take};

#[test]
fn events_are_emitted_in_order_from_start_to_end() {
    let mut player = small_take().player();
    assert_eq!(player.state(), PlayState::Stopped);
    assert_eq!(events_until(&mut player, 1.0), [], "no time passes before play");
    player.play();
    player.play();
    assert_eq!(events_until(&mut player, 99.0), [&[at(0.0, Started)], &small_lap()[..]].concat());
    assert_eq!((player.state(), player.time_secs()), (PlayState::Stopped, 4.0));
    assert_eq!(events_until(&mut player, 999.0), [], "it is over");
}

#[test]
fn events_at_the_end_of_a_step_belong_to_it() {
    let mut player = small_take().player();
    player.play();
    assert_eq!(events_until(&mut player, 0.0).len(), 3);
    assert_eq!(events_until(&mut player, 1.0_f64.next_down()), []);
    assert_eq!(events_until(&mut player, 1.0), small_lap()[2..6]);
    assert_eq!(events_until(&mut player, 1.0), []);
    assert_eq!(events_until(&mut player, 1.0_f64.next_up()), []);
    assert_eq!(events_until(&mut player, 4.0_f64.next_down()), small_lap()[6..8]);
    assert_eq!(player.state(), PlayState::Playing);
    assert_eq!(events_until(&mut player, 4.0), small_lap()[8..]);
}

#[test]
fn pause_neither_repeats_nor_drops_events() {
    let mut player = small_take().player();
    player.pause();
    player.play();
    player.pause();
    let begun = [&[at(0.0, Started)], &small_lap()[..2], &[at(0.0, Paused)]].concat();
    assert_eq!(events_until(&mut player, 0.0), begun);
    player.play();
    player.advance_to(1.0).for_each(drop);
    player.pause();
    player.pause();
    assert_eq!(events_until(&mut player, 50.0), [at(1.0, Paused)]);
    assert_eq!((player.state(), player.time_secs()), (PlayState::Paused, 1.0));
    player.play();
    assert_eq!(events_until(&mut player, 50.5), [at(1.0, Started)]);
    assert_eq!(player.frame().time, 1.5);
    assert_eq!(events_until(&mut player, 60.0), small_lap()[6..]);
}

#[test]
fn stop_returns_to_the_start_and_emits_flag_differences() {
    let mut player = small_take().player();
    player.stop();
    player.play();
    player.advance_to(3.0).for_each(drop);
    player.stop();
    player.stop();
    assert_eq!(events_until(&mut player, 9.0), [at(3.0, Stopped), at(0.0, HandFound(Left)), at(0.0, HandLost(Right))]);
    assert_eq!((player.state(), player.time_secs()), (PlayState::Stopped, 0.0));
    player.play();
    let again = [&[at(0.0, Started)], &small_lap()[1..]].concat();
    assert_eq!(events_until(&mut player, 99.0), again, "the left hand is known of");
    player.play();
    let from_the_end =
        [at(0.0, Started), at(0.0, HandFound(Left)), at(0.0, HandLost(Right)), at(0.0, passed(0, "first"))];
    assert_eq!(events_until(&mut player, 99.0), from_the_end);
    player.advance_to(200.0).for_each(drop);
    player.stop();
    let sought = [at(0.0, Seeked { from_secs: 4.0 }), at(0.0, HandFound(Left)), at(0.0, HandLost(Right))];
    assert_eq!(events_until(&mut player, 200.0), sought, "it had ended by itself");
}

#[test]
fn seek_passes_no_marker_and_emits_flag_differences() {
    let mut player = small_take().player();
    player.play();
    player.advance_to(0.5).for_each(drop);
    player.seek(1.0);
    let there = [at(1.0, Seeked { from_secs: 0.5 }), at(1.0, PinchStarted(Left)), at(1.0, HandFound(Right))];
    assert_eq!(events_until(&mut player, 0.5), [&there[..], &small_lap()[4..6]].concat(), "markers exactly there come");
    player.seek(3.0);
    let there = [at(3.0, Seeked { from_secs: 1.0 }), at(3.0, PinchEnded(Left)), at(3.0, HandLost(Left))];
    assert_eq!(events_until(&mut player, 0.5), there);
    player.pause();
    player.seek(-1.0);
    let there =
        [at(3.0, Paused), at(0.0, Seeked { from_secs: 3.0 }), at(0.0, HandFound(Left)), at(0.0, HandLost(Right))];
    assert_eq!(events_until(&mut player, 9.0), there, "paused, so the marker at 0 has to wait");
    player.play();
    assert_eq!(events_until(&mut player, 9.0), [at(0.0, Started), at(0.0, passed(0, "first"))]);
    for (time, expected) in [(f64::INFINITY, 4.0), (f64::NAN, 0.0), (f64::NEG_INFINITY, 0.0), (2.5, 2.5)] {
        player.seek(time);
        assert_eq!((player.time_secs(), player.frame().time), (expected, expected));
    }
    let (start, time) = (f64::EPSILON / 2.0, 1.0_f64.next_up());
    assert!(start + (time - start) < time, "rounding leads back");
    let mut player = small_take().player().with_span_secs(start..=4.0);
    player.play();
    player.seek(time);
    player.advance(0.0).for_each(drop);
    assert_eq!(player.time_secs(), time);
}

#[test]
fn speed_can_change_during_playback() {
    let mut player = small_take().player().with_speed(2.0);
    player.play();
    player.advance(0.25).for_each(drop);
    assert_eq!(player.time_secs(), 0.5);
    player.set_speed(0.5);
    player.advance(1.0).for_each(drop);
    assert_eq!(player.time_secs(), 1.0);
    for speed in [0.0, -1.0, f64::NAN, f64::NEG_INFINITY] {
        player.set_speed(speed);
        assert_eq!(player.speed(), 0.0);
        assert_eq!(player.advance(1e300).count(), 0);
        assert_eq!((player.time_secs(), player.state()), (1.0, PlayState::Playing));
    }
    let mut player = small_take().player().with_speed(f64::INFINITY);
    player.play();
    player.advance(0.0).for_each(drop);
    assert_eq!(player.time_secs(), 0.0);
    assert_eq!(player.advance(1e-300).last(), Some(at(4.0, Ended)));
}

#[test]
fn non_finite_steps_do_not_advance() {
    let mut player = small_take().player();
    player.play();
    player.advance(0.5).for_each(drop);
    for elapsed in [0.0, -3.0, f64::NAN, f64::NEG_INFINITY] {
        assert_eq!(player.advance(elapsed).count(), 0);
        assert_eq!(player.time_secs(), 0.5);
    }
    assert_eq!(events_until(&mut player, 0.25), [], "a clock does not go back");
    assert_eq!(player.advance(f64::INFINITY).last(), Some(at(4.0, Ended)));
    player.play();
    player.advance(f64::INFINITY).for_each(drop);
    assert_eq!(player.state(), PlayState::Playing, "there is no time after that");
}
