//! Playback: a clock in, frames and events out.

mod advance;
mod control;
mod event;
mod timeline;

pub use event::{Event, EventKind};

use std::ops::RangeInclusive;

use self::timeline::{Flags, Timeline};
use crate::{Frame, Recording, Sampler};

/// The approximate number of events per step before laps are skipped.
const MAX_EVENTS_PER_STEP: usize = 1 << 16;

named_enum! {
    /// The state of a [`Player`].
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum PlayState: name {
        /// Not playing; [`Player::play`] starts.
        #[default]
        Stopped = "stopped",
        /// The time advances.
        Playing = "playing",
        /// The time stands still; [`Player::play`] continues from here.
        Paused = "paused",
    }
}

/// Plays a recording: the caller advances the clock, the player returns events and the current frame.
///
/// ```
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(3.0).generate()?;
/// use holotape::PlayState;
///
/// let mut player = recording.player().with_speed(2.0);
/// player.play();
/// while player.state() == PlayState::Playing {
///     for event in player.advance(1.0 / 60.0) {
///         println!("{:.2} s: {:?}", event.time_secs, event.kind);
///     }
///     let frame = player.frame();
///     println!("{:.2} s: head at {:?}", frame.time, frame.camera.map(|head| head.position));
/// }
/// assert_eq!(player.time_secs(), 3.0);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// It holds all the data it needs, so the recording can be dropped. It has no clock. Playback is forward only.
///
/// # Events
///
/// Every event is returned exactly once and in order of time, however long the steps are: a step returns the events
/// after its start and up to its end, so that the frame after it agrees with the events. Events at the time at which
/// playback starts follow [`Started`](EventKind::Started), events at the very end precede [`Ended`](EventKind::Ended)
/// or [`Looped`](EventKind::Looped). At one time the left hand comes before the right hand, and markers come last, in
/// the order of their list; a pinch ends before its hand is lost and starts after it is found.
///
/// Hands start as not tracked and not pinching. After every call the events emitted so far agree with the current
/// frame; after a seek only the differences are emitted. The flags are those of the recording: a hand can pinch
/// without being tracked.
///
/// Two things have no events: markers before 0, after the end or at an invalid time, and changes of a flag whose curve
/// repeats outside its keys.
#[derive(Clone, Debug)]
pub struct Player {
    sampler: Sampler,
    timeline: Timeline,
    start_secs: f64,
    end_secs: f64,
    state: PlayState,
    speed: f64,
    looping: bool,
    /// The caller's clock.
    clock_secs: f64,
    time_secs: f64,
    anchor: Anchor,
    /// The number of laps that ended since the anchor.
    laps: u64,
    /// The first point whose events were not emitted yet.
    next_point: usize,
    /// The flags according to the events emitted so far.
    emitted_flags: Flags,
    events: Vec<Event>,
    frame: Frame,
}

/// Ties a time of the recording to a time of the caller's clock. Times are computed from here, not from step to step,
/// so that they do not depend on the steps.
#[derive(Clone, Copy, Debug, Default)]
struct Anchor {
    clock_secs: f64,
    time_secs: f64,
}

impl Player {
    pub(crate) fn new(recording: &Recording) -> Self {
        Self {
            sampler: recording.sampler(),
            timeline: Timeline::new(recording),
            start_secs: 0.0,
            end_secs: recording.duration_secs().into(),
            state: PlayState::Stopped,
            speed: 1.0,
            looping: false,
            clock_secs: 0.0,
            time_secs: 0.0,
            anchor: Anchor::default(),
            laps: 0,
            next_point: 0,
            emitted_flags: Flags::default(),
            events: Vec::new(),
            frame: Frame::default(),
        }
    }

    /// Sets the speed: see [`set_speed`](Self::set_speed).
    #[must_use]
    pub fn with_speed(mut self, speed: f64) -> Self {
        self.set_speed(speed);
        self
    }

    /// Sets whether to loop: see [`set_looping`](Self::set_looping).
    #[must_use]
    pub fn with_looping(mut self, looping: bool) -> Self {
        self.set_looping(looping);
        self
    }

    /// Plays only a range of the recording, clamped to its duration.
    ///
    /// ```
    /// # let recording = holotape::demo::DemoOptions::new().with_seconds(3.0).generate()?;
    /// let player = recording.player().with_span_secs(1.0..=99.0);
    /// assert_eq!(player.span_secs(), 1.0..=3.0);
    /// # Ok::<(), holotape::Error>(())
    /// ```
    #[must_use]
    pub fn with_span_secs(mut self, span_secs: RangeInclusive<f64>) -> Self {
        let (start, end) = span_secs.into_inner();
        self.start_secs = start.max(0.0).min(self.end_secs);
        self.end_secs = end.max(self.start_secs).min(self.end_secs);
        self.move_to(self.start_secs);
        self
    }

    /// Whether a hand has poses where it was not tracked: see [`Sampler::with_untracked_poses`].
    #[must_use]
    pub fn with_untracked_poses(mut self, untracked_poses: bool) -> Self {
        self.sampler = self.sampler.with_untracked_poses(untracked_poses);
        self
    }

    /// The state of the player.
    #[must_use]
    pub fn state(&self) -> PlayState {
        self.state
    }

    /// The current time, in seconds from the start of the recording.
    #[must_use]
    pub fn time_secs(&self) -> f64 {
        self.time_secs
    }

    /// The played range: the complete recording by default.
    #[must_use]
    pub fn span_secs(&self) -> RangeInclusive<f64> {
        self.start_secs..=self.end_secs
    }

    /// How many seconds of the recording pass per second.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Whether the player starts again at the end.
    #[must_use]
    pub fn is_looping(&self) -> bool {
        self.looping
    }

    /// The frame at the current time.
    pub fn frame(&mut self) -> &Frame {
        self.sampler.frame_into(self.time_secs, &mut self.frame);
        &self.frame
    }
}
