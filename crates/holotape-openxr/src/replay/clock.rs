//! Which time of the recording belongs to a time of the runtime.

use std::collections::VecDeque;

use crate::config::ReplayConfig;

/// Applications ask for times of a few frames at once; more than these are not in flight.
const KEPT_FRAMES: usize = 64;

/// Maps times of the runtime, which come in any order, to times of the recording.
#[derive(Debug)]
pub(super) struct Clock {
    start_secs: f64,
    speed: f64,
    step_secs: Option<f64>,
    duration_secs: f64,
    is_looping: bool,
    first_nanos: Option<i64>,
    last_nanos: i64,
    /// With a step: the times and numbers of the last frames.
    frames: VecDeque<(i64, u64)>,
    /// Whether the application has frames; otherwise every later time is one.
    has_frame_loop: bool,
}

impl Clock {
    pub(super) fn new(config: &ReplayConfig, duration_secs: f64) -> Self {
        Self {
            start_secs: config.start_secs,
            speed: config.speed,
            step_secs: config.step_secs,
            duration_secs,
            is_looping: config.looping,
            first_nanos: None,
            last_nanos: 0,
            frames: VecDeque::with_capacity(KEPT_FRAMES),
            has_frame_loop: false,
        }
    }

    /// A frame of the application will be displayed at this time.
    pub(super) fn begin_frame(&mut self, nanos: i64) {
        if nanos > 0 {
            self.has_frame_loop = true;
            self.advance(nanos);
        }
    }

    /// The time of the recording for a time that the application asks for.
    pub(super) fn recording_secs(&mut self, nanos: i64) -> f64 {
        if !self.has_frame_loop || self.first_nanos.is_none() {
            self.advance(nanos);
        }
        self.wrap(self.elapsed_secs(nanos))
    }

    /// The time of the recording at the latest time that the application has asked for.
    pub(super) fn latest(&self) -> (i64, f64) {
        (self.last_nanos, self.wrap(self.elapsed_secs(self.last_nanos)))
    }

    /// Whether the whole recording has been shown. Never, if it is repeated.
    pub(super) fn is_at_end(&self) -> bool {
        !self.is_looping
            && self.first_nanos.is_some()
            && self.start_secs + self.elapsed_secs(self.last_nanos) >= self.duration_secs
    }

    fn advance(&mut self, nanos: i64) {
        let is_first = self.first_nanos.is_none();
        self.first_nanos.get_or_insert(nanos);
        if nanos <= self.last_nanos && !is_first {
            return;
        }
        self.last_nanos = nanos;
        if self.step_secs.is_some() {
            let number = self.frames.back().map_or(0, |(_, number)| number + 1);
            if self.frames.len() == KEPT_FRAMES {
                self.frames.pop_front();
            }
            self.frames.push_back((nanos, number));
        }
    }

    /// Seconds of the recording since the replay started; 0 before that.
    fn elapsed_secs(&self, nanos: i64) -> f64 {
        if let Some(step) = self.step_secs {
            let frame = self.frames.iter().rev().find(|(time, _)| *time <= nanos).or(self.frames.front());
            return frame.map_or(0.0, |(_, number)| *number as f64 * step);
        }
        let since = nanos.saturating_sub(self.first_nanos.unwrap_or(nanos));
        (since as f64 * 1e-9 * self.speed).max(0.0)
    }

    fn wrap(&self, elapsed_secs: f64) -> f64 {
        let secs = self.start_secs + elapsed_secs;
        if self.is_looping && self.duration_secs > 0.0 {
            secs % self.duration_secs
        } else {
            secs.min(self.duration_secs)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000_000;

    fn clock(config: ReplayConfig) -> Clock {
        Clock::new(&config, 10.0)
    }

    #[test]
    fn first_time_is_the_start_and_others_may_come_in_any_order() {
        let mut clock = clock(ReplayConfig { start_secs: 2.0, speed: 2.0, ..ReplayConfig::new("x") });
        assert_eq!(clock.recording_secs(50 * SECOND), 2.0);
        assert_eq!(clock.recording_secs(52 * SECOND), 6.0);
        assert_eq!(clock.recording_secs(51 * SECOND), 4.0);
        assert_eq!(clock.recording_secs(49 * SECOND), 2.0, "before the start");
        assert!(!clock.is_at_end());
        assert_eq!(clock.recording_secs(60 * SECOND), 10.0, "after the end");
        assert!(clock.is_at_end());
    }

    #[test]
    fn repeated_recording_starts_again() {
        let mut clock = clock(ReplayConfig { looping: true, ..ReplayConfig::new("x") });
        clock.recording_secs(SECOND);
        assert_eq!(clock.recording_secs(13 * SECOND), 2.0);
        assert!(!clock.is_at_end());
    }

    #[test]
    fn steps_ignore_the_clock() {
        let mut clock = clock(ReplayConfig { step_secs: Some(0.5), ..ReplayConfig::new("x") });
        let times = [100, 100, 107, 103, 300].map(|nanos| clock.recording_secs(nanos));
        assert_eq!(times, [0.0, 0.0, 0.5, 0.0, 1.0]);
    }

    #[test]
    fn only_frames_advance_steps_of_an_application_with_frames() {
        let mut clock = clock(ReplayConfig { step_secs: Some(0.5), ..ReplayConfig::new("x") });
        clock.begin_frame(100);
        assert_eq!([100, 150, 190].map(|nanos| clock.recording_secs(nanos)), [0.0; 3]);
        clock.begin_frame(200);
        assert_eq!([100, 150, 200, 205].map(|nanos| clock.recording_secs(nanos)), [0.0, 0.0, 0.5, 0.5]);
    }
}
