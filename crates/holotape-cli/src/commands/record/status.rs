//! The status line on the terminal.

use std::time::{Duration, Instant};

use holotape::record::Recorder;
use holotape::{Frame, Hand};
use indicatif::{ProgressBar, ProgressStyle};

use crate::table::{bytes, group_digits};

/// The minimum time between updates.
pub const REFRESH: Duration = Duration::from_millis(250);

/// The frame rate is measured over this time.
const RATE_SPAN: Duration = Duration::from_secs(1);

/// A line on stderr that is updated in place; hidden if stderr is not a terminal.
pub struct StatusLine {
    bar: ProgressBar,
    shown: Option<Instant>,
    rate: Rate,
    tracked: [bool; 2],
}

/// Frames per second of wall-clock time, which shows whether frames still arrive.
struct Rate {
    since: Instant,
    frame_count_then: u64,
    hz: f64,
}

impl StatusLine {
    pub fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{msg}") {
            bar.set_style(style);
        }
        Self {
            bar,
            shown: None,
            rate: Rate { since: Instant::now(), frame_count_then: 0, hz: 0.0 },
            tracked: [false; 2],
        }
    }

    /// Updates the tracked hands from a recorded frame.
    pub fn observe(&mut self, frame: &Frame) {
        self.tracked = Hand::ALL.map(|hand| frame.hand(hand).is_some_and(|hand| hand.tracked));
    }

    /// Updates the line, at most every [`REFRESH`].
    pub fn show(&mut self, recorder: &Recorder) {
        if self.bar.is_hidden() || self.shown.is_some_and(|shown| shown.elapsed() < REFRESH) {
            return;
        }
        self.shown = Some(Instant::now());
        let status = recorder.status();
        self.rate.update(status.frame_count);
        let message = [
            format!("{:.1} s", status.duration_secs),
            format!("{} frames", group_digits(status.frame_count)),
            format!("{:.0} Hz", self.rate.hz),
            hands(self.tracked).to_owned(),
            bytes(recorder.byte_len() as u64),
        ];
        self.bar.set_message(format!("recording: {}", message.join(", ")));
        self.bar.tick();
    }

    /// Hides the line while `print` runs.
    pub fn print_above(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Rate {
    fn update(&mut self, frame_count: u64) {
        let elapsed = self.since.elapsed();
        if elapsed >= RATE_SPAN {
            self.hz = (frame_count - self.frame_count_then) as f64 / elapsed.as_secs_f64();
            (self.since, self.frame_count_then) = (Instant::now(), frame_count);
        }
    }
}

fn hands(tracked: [bool; 2]) -> &'static str {
    match tracked {
        [true, true] => "both hands",
        [true, false] => "left hand",
        [false, true] => "right hand",
        [false, false] => "no hands",
    }
}
