//! Arbitrary recordings, steps and calls.

use holotape::EventKind::{Ended, HandFound, HandLost, PinchEnded, PinchStarted, Seeked, Started, Stopped};
use holotape::Hand::{Left, Right};
use holotape::{BoolCurve, Event, EventKind, Hand, LinearKey, Marker, Player, Recording};
use proptest::prelude::*;

use crate::common::arbitrary::any_recording;
use crate::play::small::{at, events_until, passed};

/// A time on a small grid, so that many events coincide, or any other.
fn some_time() -> impl Strategy<Value = f32> {
    prop_oneof![(-4..=20_i8).prop_map(|n| f32::from(n) * 0.25), -1.0..5.0_f32]
}

fn some_flag() -> impl Strategy<Value = BoolCurve> {
    let key = (some_time(), any::<bool>()).prop_map(|(time, on)| LinearKey::new(time, f32::from(u8::from(on))));
    prop::collection::vec(key, 0..8).prop_map(|keys| keys.into_iter().collect())
}

fn some_take() -> impl Strategy<Value = Recording> {
    let flags = [some_flag(), some_flag(), some_flag(), some_flag()];
    let markers = prop::collection::vec((some_time(), "[a-c]"), 0..6);
    (flags, markers).prop_map(|([a, b, c, d], markers)| {
        let mut recording = Recording::default();
        (recording.hand_mut(Left).tracked, recording.hand_mut(Left).pinching) = (a, b);
        (recording.hand_mut(Right).tracked, recording.hand_mut(Right).pinching) = (c, d);
        recording.markers = markers.into_iter().map(|(time, name)| Marker { time, name }).collect();
        recording
    })
}

/// The expected events of one lap, derived from the curves at each key or marker time.
fn expected_events(recording: &Recording) -> Vec<Event> {
    let end = f64::from(recording.duration_secs());
    let hands = Hand::ALL.map(|hand| recording.hand(hand));
    let keys = hands.iter().flat_map(|hand| hand.tracked.keys.iter().chain(&hand.pinching.keys));
    let mut times: Vec<_> =
        keys.map(|key| key.time).chain(recording.markers.iter().map(|marker| marker.time)).collect();
    times.push(0.0);
    times.retain(|time| (0.0..=end).contains(&f64::from(*time)));
    times.sort_by(f32::total_cmp);
    times.dedup();
    let mut events = vec![at(0.0, Started)];
    let mut before = [[false; 2]; 2];
    for time in times.into_iter().map(f64::from) {
        for hand in Hand::ALL {
            let [was_tracked, was_pinching] = before[hand as usize];
            let tracked = recording.hand(hand).tracked.value_at(time);
            let pinching = recording.hand(hand).pinching.value_at(time);
            before[hand as usize] = [tracked, pinching];
            events.extend((was_pinching && !pinching).then(|| at(time, PinchEnded(hand))));
            events.extend((was_tracked && !tracked).then(|| at(time, HandLost(hand))));
            events.extend((!was_tracked && tracked).then(|| at(time, HandFound(hand))));
            events.extend((!was_pinching && pinching).then(|| at(time, PinchStarted(hand))));
        }
        let markers = recording.markers.iter().enumerate().filter(|(_, marker)| f64::from(marker.time) == time);
        events.extend(markers.map(|(index, marker)| at(time, passed(index, &marker.name))));
    }
    events.push(at(end, Ended));
    events
}

/// A call to a player.
#[derive(Clone, Debug)]
enum Act {
    Play,
    Pause,
    Stop,
    Seek(f64),
    Speed(f64),
    Loop(bool),
    Advance(f64),
}

fn some_act() -> impl Strategy<Value = Act> {
    let number = || prop_oneof![-1.0..6.0, any::<f64>()];
    prop_oneof![
        Just(Act::Play),
        Just(Act::Play),
        Just(Act::Pause),
        Just(Act::Stop),
        number().prop_map(Act::Seek),
        number().prop_map(Act::Speed),
        any::<bool>().prop_map(Act::Loop),
        number().prop_map(Act::Advance),
        (0.0..2.0).prop_map(Act::Advance),
    ]
}

fn act(player: &mut Player, act: &Act) -> Vec<Event> {
    match *act {
        Act::Play => player.play(),
        Act::Pause => player.pause(),
        Act::Stop => player.stop(),
        Act::Seek(time) => player.seek(time),
        Act::Speed(speed) => player.set_speed(speed),
        Act::Loop(looping) => player.set_looping(looping),
        Act::Advance(elapsed) => return player.advance(elapsed).collect(),
    }
    player.advance(0.0).collect()
}

/// The flags of the hands according to the events.
#[derive(Default)]
struct Listener {
    hands: [[bool; 2]; 2],
    time_secs: f64,
}

impl Listener {
    fn hear(&mut self, event: &Event) {
        match event.kind {
            EventKind::HandFound(hand) => self.change(hand, 0, true),
            EventKind::HandLost(hand) => self.change(hand, 0, false),
            EventKind::PinchStarted(hand) => self.change(hand, 1, true),
            EventKind::PinchEnded(hand) => self.change(hand, 1, false),
            _ => {}
        }
        let goes_back = matches!(event.kind, Seeked { .. } | Started);
        assert!(goes_back || event.time_secs >= self.time_secs, "{event:?} after {}", self.time_secs);
        let is_back = matches!(event.kind, EventKind::Looped { .. } | Stopped);
        self.time_secs = if is_back { 0.0 } else { event.time_secs };
    }

    fn change(&mut self, hand: Hand, flag: usize, value: bool) {
        assert_ne!(std::mem::replace(&mut self.hands[hand as usize][flag], value), value, "emitted twice");
    }
}

proptest! {
    #[test]
    fn events_agree_with_the_curves(recording in some_take()) {
        let mut player = recording.player();
        player.play();
        prop_assert_eq!(events_until(&mut player, 99.0), expected_events(&recording));
    }

    #[test]
    fn events_do_not_depend_on_the_steps(
        recording in some_take(),
        speed in prop_oneof![Just(1.0), 0.01..8.0],
        looping in any::<bool>(),
        span in (0.0..2.0, 1.0..5.0),
        mut clocks in prop::collection::vec(prop_oneof![0.0..9.0, (0..36_u8).prop_map(|n| f64::from(n) * 0.25)], 0..40),
    ) {
        let player = || {
            let mut player = recording.player().with_speed(speed).with_looping(looping).with_span_secs(span.0..=span.1);
            player.play();
            player
        };
        let mut at_once = player();
        let length = at_once.span_secs().end() - at_once.span_secs().start();
        prop_assume!(length == 0.0 || length > 0.05, "so short that laps are skipped");
        let expected = events_until(&mut at_once, 9.0);
        clocks.sort_by(f64::total_cmp);
        clocks.push(9.0);
        let mut in_steps = player();
        let mut events = Vec::new();
        let mut listener = Listener::default();
        for clock in clocks {
            let step = events_until(&mut in_steps, clock);
            step.iter().for_each(|event| listener.hear(event));
            let frame = in_steps.frame();
            let flags = Hand::ALL.map(|hand| frame.hand(hand).expect("hands"));
            prop_assert_eq!(listener.hands, flags.map(|hand| [hand.tracked, hand.pinching]));
            events.extend(step);
        }
        prop_assert_eq!(events, expected);
        prop_assert_eq!(in_steps.time_secs(), at_once.time_secs());
        prop_assert_eq!(in_steps.state(), at_once.state());
    }

    #[test]
    fn player_state_is_consistent_after_any_calls(recording in some_take(), acts in prop::collection::vec(some_act(), 0..40)) {
        let mut player = recording.player();
        let mut listener = Listener::default();
        let mut is_begun = false;
        for next in acts {
            let events = act(&mut player, &next);
            prop_assert!(events.len() <= 1 << 20);
            events.iter().for_each(|event| listener.hear(event));
            is_begun |= !events.is_empty();
            let span = player.span_secs();
            prop_assert!(span.contains(&player.time_secs()), "{} is not in {span:?}", player.time_secs());
            let frame = player.frame();
            let flags = Hand::ALL.map(|hand| frame.hand(hand).expect("hands"));
            prop_assert!(!is_begun || listener.hands == flags.map(|hand| [hand.tracked, hand.pinching]));
        }
    }

    #[test]
    fn arbitrary_values_can_be_played(recording in any_recording(), acts in prop::collection::vec(some_act(), 0..20)) {
        let mut player = recording.player();
        let mut listener = Listener::default();
        for next in acts {
            let events = act(&mut player, &next);
            prop_assert!(events.len() <= 1 << 20);
            events.iter().for_each(|event| listener.hear(event));
            let _ = player.frame();
        }
    }
}
