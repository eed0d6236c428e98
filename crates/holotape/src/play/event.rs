//! What happens while a recording plays.

use std::sync::Arc;

use crate::Hand;

/// Something that happened while a recording played, and when in the recording.
///
/// With the feature `json` it is written as one object: `{"time":1.25,"event":"hand_found","hand":"left"}`; a marker as
/// `{"time":2.5,"marker":"grabbed the cup"}`.
///
/// ```
/// # let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// use holotape::EventKind;
///
/// let mut player = take.player();
/// player.play();
/// for event in player.advance(1.0) {
///     match event.kind {
///         EventKind::PinchBegan(hand) => println!("{hand} pinch at {:.2} s", event.time_secs),
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
    /// What happened.
    pub kind: EventKind,
}

/// What an [`Event`] says.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EventKind {
    /// Playing began, from the start or from where it had been paused.
    Started,
    /// Playing was paused.
    Paused,
    /// Playing was stopped. The time is where it was; the player is back at the start.
    Stopped,
    /// Playing came to the end and stopped of its own accord.
    Ended,
    /// Playing came to the end and began again at the start.
    Looped {
        /// How often: once, unless a single step was so long that laps had to be skipped.
        lap_count: u64,
    },
    /// The player went to another time. No marker in between is passed.
    Seeked {
        /// Where it was before, in seconds from the start of the recording.
        from_secs: f64,
    },
    /// A hand is tracked from now on.
    HandFound(Hand),
    /// A hand is not tracked any more.
    HandLost(Hand),
    /// A hand pinches from now on.
    PinchStarted(Hand),
    /// A hand does not pinch any more.
    PinchEnded(Hand),
    /// A marker was passed.
    MarkerPassed {
        /// Its place in the recording's list.
        index: usize,
        /// Its name.
        name: Arc<str>,
    },
}
