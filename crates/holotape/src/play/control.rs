//! What a player can be told.

use super::{EventKind, PlayState, Player};

impl Player {
    /// Begins to play, or goes on after a pause. At the end, begins at the start.
    pub fn play(&mut self) {
        match self.state {
            PlayState::Playing => return,
            PlayState::Stopped if self.time_secs >= self.end_secs => self.move_to(self.start_secs),
            PlayState::Stopped | PlayState::Paused => self.set_anchor(),
        }
        self.state = PlayState::Playing;
        self.emit(self.time_secs, EventKind::Started);
        self.emit_flag_changes();
        self.emit_until(self.time_secs);
    }

    /// Stays where it is until told to [`play`](Self::play). Does nothing if it is not playing.
    pub fn pause(&mut self) {
        if self.state == PlayState::Playing {
            self.state = PlayState::Paused;
            self.emit(self.time_secs, EventKind::Paused);
        }
    }

    /// Stops and goes back to the start. If it is stopped already, that is a [`seek`](Self::seek), unless it is there.
    pub fn stop(&mut self) {
        if self.state != PlayState::Stopped {
            self.state = PlayState::Stopped;
            self.emit(self.time_secs, EventKind::Stopped);
            self.move_to(self.start_secs);
            self.emit_flag_changes();
        } else if self.time_secs != self.start_secs {
            self.seek(self.start_secs);
        }
    }

    /// Goes to a time of the recording, playing or not; outside of what is played, to the nearer end. No marker is passed
    /// on the way; one that is exactly there is passed when playing goes on.
    ///
    /// ```
    /// # let take = holotape::demo::DemoOptions::new().with_seconds(3.0).generate()?;
    /// let mut player = take.player();
    /// player.seek(1.5);
    /// assert_eq!(player.frame().time, 1.5);
    /// player.seek(99.0);
    /// assert_eq!(player.time_secs(), 3.0);
    /// # Ok::<(), holotape::Error>(())
    /// ```
    pub fn seek(&mut self, time_secs: f64) {
        let from_secs = self.time_secs;
        self.move_to(time_secs.max(self.start_secs).min(self.end_secs));
        self.emit(self.time_secs, EventKind::Seeked { from_secs });
        self.emit_flag_changes();
    }

    /// How many seconds of the recording pass in one second. Below 0 there is nothing: such a speed, or one that is not
    /// a number, is 0, and time stands still.
    pub fn set_speed(&mut self, speed: f64) {
        self.set_anchor();
        self.speed = if speed > 0.0 { speed.min(f64::MAX) } else { 0.0 };
    }

    /// Whether to begin again at the end. Where what is played has no length, there is nothing to repeat, and it ends.
    pub fn set_looping(&mut self, looping: bool) {
        self.set_anchor();
        self.looping = looping;
    }
}
