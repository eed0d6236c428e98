//! The line on a terminal that says how the recording is getting on.

use std::time::{Duration, Instant};

use holotape::record::Recorder;
use holotape::{Frame, Hand};
use indicatif::{ProgressBar, ProgressStyle};

use crate::table::{bytes, group_digits};

/// How long the line stays as it is.
pub const REFRESH: Duration = Duration::from_millis(250);

/// Over how long the rate is measured.
const RATE_SPAN: Duration = Duration::from_secs(1);

/// A line on stderr that is written over and over; hidden where stderr is no terminal.
pub struct StatusLine {
    bar: ProgressBar,
    shown: Option<Instant>,
    rate: Rate,
    tracked: [bool; 2],
}

/// Frames a second, by the clock on the wall: what is wanted is whether they still come.
struct Rate {
    since: Instant,
    frames_then: u64,
    hz: f64,
}

impl StatusLine {
    pub fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{msg}") {
            bar.set_style(style);
        }
        Self { bar, shown: None, rate: Rate { since: Instant::now(), frames_then: 0, hz: 0.0 }, tracked: [false; 2] }
    }

    /// Looks at a frame that was recorded.
    pub fn observe(&mut self, frame: &Frame) {
        self.tracked = Hand::ALL.map(|hand| frame.hand(hand).is_some_and(|hand| hand.tracked));
    }

    /// Shows the line, but not too often.
    pub fn show(&mut self, recorder: &Recorder) {
        if self.bar.is_hidden() || self.shown.is_some_and(|shown| shown.elapsed() < REFRESH) {
            return;
        }
        self.shown = Some(Instant::now());
        let status = recorder.status();
        self.rate.update(status.frames);
        let message = [
            format!("{:.1} s", status.duration_secs),
            format!("{} frames", group_digits(status.frames)),
            format!("{:.0} a second", self.rate.hz),
            hands(self.tracked).to_owned(),
            bytes(recorder.byte_len() as u64),
        ];
        self.bar.set_message(format!("recording: {}", message.join(", ")));
        self.bar.tick();
    }

    /// Says something without the line being in the way.
    pub fn print_above(&self, say: impl FnOnce()) {
        self.bar.suspend(say);
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Rate {
    fn update(&mut self, frames: u64) {
        let elapsed = self.since.elapsed();
        if elapsed >= RATE_SPAN {
            self.hz = (frames - self.frames_then) as f64 / elapsed.as_secs_f64();
            (self.since, self.frames_then) = (Instant::now(), frames);
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
