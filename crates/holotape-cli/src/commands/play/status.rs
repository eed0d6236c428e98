//! The progress bar of `holotape play`.

use std::io::{self, IsTerminal};

use holotape::Player;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The resolution of the bar.
const STEPS: u64 = 1000;

/// A bar on stderr, hidden if stderr is not a terminal.
pub struct PlaybackProgress(ProgressBar);

impl PlaybackProgress {
    /// `is_printing`: frames go to stdout. If that is a terminal, the bar is hidden.
    pub fn new(is_printing: bool) -> Self {
        let bar = ProgressBar::new(STEPS);
        if is_printing && io::stdout().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {msg}") {
            bar.set_style(style);
        }
        Self(bar)
    }

    pub fn show(&self, player: &Player) {
        let (time, span) = (player.time_secs(), player.span_secs());
        let fraction = (time - span.start()) / (span.end() - span.start());
        self.0.set_position((fraction * STEPS as f64) as u64);
        self.0.set_message(format!("{time:.1} of {:.1} s", span.end()));
    }

    pub fn clear(self) {
        self.0.finish_and_clear();
    }
}
