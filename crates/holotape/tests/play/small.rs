//! A small recording with known events.

use holotape::EventKind::{Ended, HandFound, HandLost, PinchEnded, PinchStarted};
use holotape::Hand::{Left, Right};
use holotape::{BoolCurve, Event, EventKind, LinearKey, Player, Recording};

pub fn flag(keys: &[(f32, u8)]) -> BoolCurve {
    keys.iter().map(|&(time, value)| LinearKey::new(time, value.into())).collect()
}

/// Left tracked from 0 to 2 and pinching, right tracked from 1; markers at both ends and in between; 4 s long.
pub fn small_take() -> Recording {
    let mut recording = Recording::default();
    recording.hand_mut(Left).tracked = flag(&[(0.0, 1), (2.0, 0)]);
    recording.hand_mut(Left).pinching = flag(&[(0.0, 0), (1.0, 1), (2.0, 0)]);
    recording.hand_mut(Right).tracked = flag(&[(0.0, 0), (1.0, 1), (4.0, 1)]);
    for (time, name) in [(0.0, "first"), (1.0, "b"), (1.0, "a"), (4.0, "last")] {
        recording.markers.add(time, name);
    }
    recording
}

pub fn passed(index: usize, name: &str) -> EventKind {
    EventKind::MarkerPassed { index, name: name.into() }
}

pub fn at(time_secs: f64, kind: EventKind) -> Event {
    Event { time_secs, kind }
}

/// The events up to a time of the clock.
pub fn events_until(player: &mut Player, clock_secs: f64) -> Vec<Event> {
    player.advance_to(clock_secs).collect()
}

pub const LAP_LENGTH: usize = 10;

/// All events of the small recording, without start and end.
pub fn small_lap() -> [Event; LAP_LENGTH] {
    [
        at(0.0, HandFound(Left)),
        at(0.0, passed(0, "first")),
        at(1.0, PinchStarted(Left)),
        at(1.0, HandFound(Right)),
        at(1.0, passed(1, "b")),
        at(1.0, passed(2, "a")),
        at(2.0, PinchEnded(Left)),
        at(2.0, HandLost(Left)),
        at(4.0, passed(3, "last")),
        at(4.0, Ended),
    ]
}

/// The events of later laps: the left hand is found again, the right hand is lost.
pub fn small_next_lap() -> Vec<Event> {
    let turn = [at(4.0, EventKind::Looped { lap_count: 1 }), at(0.0, HandFound(Left)), at(0.0, HandLost(Right))];
    [&turn, &small_lap()[1..LAP_LENGTH - 1]].concat()
}
