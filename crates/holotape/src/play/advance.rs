//! Advances the player's clock.

use super::{Anchor, Event, EventKind, MAX_EVENTS_PER_STEP, PlayState, Player};

impl Player {
    /// Advances by `elapsed_secs` on the caller's clock and returns the events since the last call. The speed
    /// determines how much of the recording that is.
    ///
    /// The events include those of calls in between, such as [`play`](Self::play). Events that the caller does not
    /// take are dropped. A step may be 0; a negative or non-finite step counts as 0.
    ///
    /// A step much longer than a lap skips laps instead of returning millions of events: see [`EventKind::Looped`].
    pub fn advance(&mut self, elapsed_secs: f64) -> impl Iterator<Item = Event> {
        self.advance_to(self.clock_secs + elapsed_secs)
    }

    /// Advances to a time of the caller's clock, which starts at 0. Sums of many steps drift; a clock does not.
    ///
    /// ```
    /// # let recording = holotape::demo::DemoOptions::new().with_seconds(3.0).generate()?;
    /// let mut player = recording.player().with_span_secs(1.0..=3.0);
    /// player.play();
    /// player.advance_to(0.5).for_each(drop);
    /// assert_eq!(player.frame().time, 1.5);
    /// # Ok::<(), holotape::Error>(())
    /// ```
    pub fn advance_to(&mut self, clock_secs: f64) -> impl Iterator<Item = Event> {
        self.clock_secs = self.clock_secs.max(clock_secs).min(f64::MAX);
        if self.state == PlayState::Playing {
            self.advance_playhead();
        }
        self.events.drain(..)
    }

    fn advance_playhead(&mut self) {
        let played = (self.clock_secs - self.anchor.clock_secs) * self.speed;
        let mut along = (self.anchor.time_secs - self.start_secs + played).min(f64::MAX);
        let length = self.end_secs - self.start_secs;
        if self.looping && length > 0.0 {
            let rest = along % length;
            self.finish_laps(((along - rest) / length).round() as u64);
            along = rest;
        }
        if along < length {
            // Rounding must not move the player backwards.
            self.emit_until((self.start_secs + along).max(self.time_secs));
        } else {
            self.emit_until(self.end_secs);
            self.state = PlayState::Stopped;
            self.emit(self.end_secs, EventKind::Ended);
        }
    }

    /// Sets the number of laps since the anchor to `laps`.
    fn finish_laps(&mut self, laps: u64) {
        let ending = laps.saturating_sub(self.laps);
        let max_laps = (MAX_EVENTS_PER_STEP / (self.timeline.len() + 1)).max(1) as u64;
        for nth in 1..=ending.min(max_laps) {
            self.emit_until(self.end_secs);
            let lap_count = if nth == max_laps { ending - nth + 1 } else { 1 };
            self.emit(self.end_secs, EventKind::Looped { lap_count });
            self.jump_to(self.start_secs);
            self.emit_flag_changes();
        }
        self.laps = laps;
    }

    /// Moves to a time and resets the anchor there.
    pub(super) fn move_to(&mut self, time_secs: f64) {
        self.jump_to(time_secs);
        self.set_anchor();
    }

    pub(super) fn set_anchor(&mut self) {
        self.anchor = Anchor { clock_secs: self.clock_secs, time_secs: self.time_secs };
        self.laps = 0;
    }

    fn jump_to(&mut self, time_secs: f64) {
        self.time_secs = time_secs;
        self.next_point = self.timeline.first_at_or_after(time_secs);
    }

    /// Advances to a time and emits all events up to and including it.
    pub(super) fn emit_until(&mut self, time_secs: f64) {
        while let Some(point) = self.timeline.get(self.next_point).filter(|point| point.time_secs <= time_secs) {
            self.next_point += 1;
            self.time_secs = point.time_secs;
            self.emit_flag_changes();
            if let Some(index) = point.marker {
                let name = self.timeline.marker_name(index);
                self.emit(point.time_secs, EventKind::MarkerPassed { index, name });
            }
        }
        self.time_secs = time_secs;
    }

    /// Emits the flags that differ from those emitted last.
    pub(super) fn emit_flag_changes(&mut self) {
        let flags = self.timeline.flags_at(self.time_secs);
        let time_secs = self.time_secs;
        self.events.extend(self.emitted_flags.changes_to(flags).map(|kind| Event { time_secs, kind }));
        self.emitted_flags = flags;
    }

    pub(super) fn emit(&mut self, time_secs: f64, kind: EventKind) {
        self.events.push(Event { time_secs, kind });
    }
}
