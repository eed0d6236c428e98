//! Playback: a clock in, frames and events out.

mod advance;
mod control;
mod event;
mod timeline;

pub use event::{Event, EventKind};

use std::ops::RangeInclusive;

use self::timeline::{Flags, Timeline};
use crate::{Frame, Recording, Sampler};

/// About how many events one step tells of before it begins to skip laps.
const MAX_EVENTS_PER_STEP: usize = 1 << 16;

/// What a [`Player`] is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PlayState {
    /// Not playing; [`Player::play`] begins.
    #[default]
    Stopped,
    /// Time passes.
    Playing,
    /// Time stands still; [`Player::play`] goes on from here.
    Paused,
}

/// A recording that plays: it is told how much time has passed, and says what happened meanwhile and how everything is
/// now.
///
/// ```
/// # let take = holotape::demo::DemoOptions::new().with_seconds(3.0).generate()?;
/// use holotape::PlayState;
///
/// let mut player = take.player().with_speed(2.0);
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
/// It keeps what it needs, so the recording may go, and it has no clock of its own. Playing is forwards only.
///
/// # Events
///
/// Every event comes exactly once and in order of time, however long the steps are: a step tells of what is after its start
/// and up to its end, so that the frame after it agrees with what was told. What is at the very time at which playing
/// begins comes with [`Started`](EventKind::Started), what is at the very end before [`Ended`](EventKind::Ended) or
/// [`Looped`](EventKind::Looped). At one time the left hand comes before the right hand and markers come last, in the order
/// of their list; a pinch ends before its hand is lost and begins after it is found.
///
/// Hands begin unfound and not pinching, and after every call the events have told how they are in the frame at hand:
/// after a jump only what differs there. The flags are the recording's: a hand can pinch without being tracked.
///
/// Two things in strange recordings have no events: markers before 0, after the end or at no time at all, and changes of a
/// flag that repeats itself outside of its keys.
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
    /// How many laps have ended since the anchor.
    laps: u64,
    /// The first moment that has not been told of.
    next_point: usize,
    /// What the flags are as far as the events have told.
    emitted_flags: Flags,
    events: Vec<Event>,
    frame: Frame,
}

/// What time it was in the recording at a time of the caller's clock. Times are counted from here, not from step to
/// step, so that they do not depend on the steps.
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

    /// Plays at another speed: see [`set_speed`](Self::set_speed).
    #[must_use]
    pub fn with_speed(mut self, speed: f64) -> Self {
        self.set_speed(speed);
        self
    }

    /// Begins again at the end, or does not: see [`set_looping`](Self::set_looping).
    #[must_use]
    pub fn with_looping(mut self, looping: bool) -> Self {
        self.set_looping(looping);
        self
    }

    /// Plays a part of the recording as if that were all of it. What lies outside of the recording is left out.
    ///
    /// ```
    /// # let take = holotape::demo::DemoOptions::new().with_seconds(3.0).generate()?;
    /// let player = take.player().with_span_secs(1.0..=99.0);
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

    /// What the player is doing.
    #[must_use]
    pub fn state(&self) -> PlayState {
        self.state
    }

    /// Where the player is, in seconds from the start of the recording.
    #[must_use]
    pub fn time_secs(&self) -> f64 {
        self.time_secs
    }

    /// From when to when the player plays: the whole recording, unless told otherwise.
    #[must_use]
    pub fn span_secs(&self) -> RangeInclusive<f64> {
        self.start_secs..=self.end_secs
    }

    /// How many seconds of the recording pass in one second.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Whether the player begins again at the end.
    #[must_use]
    pub fn is_looping(&self) -> bool {
        self.looping
    }

    /// Everything, now.
    pub fn frame(&mut self) -> &Frame {
        self.sampler.frame_into(self.time_secs, &mut self.frame);
        &self.frame
    }
}
