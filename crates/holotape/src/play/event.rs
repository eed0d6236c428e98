//! Events of playback.

use std::sync::Arc;

use crate::Hand;

/// An event during playback, and its time in the recording.
///
/// With the feature `json` it is serialized as one object: `{"time":1.25,"event":"hand_found","hand":"left"}`; a
/// marker as `{"time":2.5,"marker":"grabbed the cup"}`.
///
/// ```
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// use holotape::EventKind;
///
/// let mut player = recording.player();
/// player.play();
/// for event in player.advance(1.0) {
///     match event.kind {
///         EventKind::PinchStarted(hand) => println!("{hand} pinch at {:.2} s", event.time_secs),
///         EventKind::MarkerPassed { name, .. } => println!("{name}"),
///         _ => {}
///     }
/// }
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Seconds from the start of the recording.
    pub time_secs: f64,
    /// The kind of event.
    pub kind: EventKind,
}

/// The kind of an [`Event`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EventKind {
    /// Playback started, from the start or after a pause.
    Started,
    /// Playback was paused.
    Paused,
    /// Playback was stopped. The time is where it was; the player is back at the start.
    Stopped,
    /// Playback reached the end and stopped.
    Ended,
    /// Playback reached the end and started again.
    Looped {
        /// The number of laps: 1, unless a single step was so long that laps had to be skipped.
        lap_count: u64,
    },
    /// The player moved to another time. Markers in between are not passed.
    Seeked {
        /// The time before, in seconds from the start of the recording.
        from_secs: f64,
    },
    /// A hand is tracked from this time on.
    HandFound(Hand),
    /// A hand is no longer tracked.
    HandLost(Hand),
    /// A hand pinches from this time on.
    PinchStarted(Hand),
    /// A hand no longer pinches.
    PinchEnded(Hand),
    /// A marker was passed.
    MarkerPassed {
        /// Its index in the recording's markers.
        index: usize,
        /// Its name.
        name: Arc<str>,
    },
}
