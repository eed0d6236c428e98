//! Controls of a player: play, pause, stop, seek, speed, looping.

use super::{EventKind, PlayState, Player};

impl Player {
    /// Starts playing, or continues after a pause. At the end, starts again from the beginning.
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

    /// Pauses until [`play`](Self::play) is called. Does nothing if the player is not playing.
    pub fn pause(&mut self) {
        if self.state == PlayState::Playing {
            self.state = PlayState::Paused;
            self.emit(self.time_secs, EventKind::Paused);
        }
    }

    /// Stops and returns to the start. A stopped player that is not at the start [seeks](Self::seek) there.
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

    /// Moves to a time of the recording, playing or not, clamped to the played range. Passes no markers on the way; a
    /// marker exactly at that time is passed when playback continues.
    ///
    /// ```
    /// # let recording = holotape::demo::DemoOptions::new().with_seconds(3.0).generate()?;
    /// let mut player = recording.player();
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

    /// Sets how many seconds of the recording pass per second. Negative and non-finite speeds count as 0: time stands
    /// still.
    pub fn set_speed(&mut self, speed: f64) {
        self.set_anchor();
        self.speed = if speed > 0.0 { speed.min(f64::MAX) } else { 0.0 };
    }

    /// Sets whether to start again at the end. A range of length 0 is not repeated: it ends.
    pub fn set_looping(&mut self, looping: bool) {
        self.set_anchor();
        self.looping = looping;
    }
}
