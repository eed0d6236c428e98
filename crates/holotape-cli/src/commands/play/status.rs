//! Where the player is, for who started it.

use std::io::{self, IsTerminal};

use holotape::Player;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How finely the bar is told where it is.
const PARTS: u64 = 1000;

/// A bar on stderr, hidden where that is no terminal.
pub struct PlaybackProgress(ProgressBar);

impl PlaybackProgress {
    /// `is_printing` is whether the lines go to stdout: where they run over the screen, a bar would be in the way.
    pub fn new(is_printing: bool) -> Self {
        let bar = ProgressBar::new(PARTS);
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
        self.0.set_position((fraction * PARTS as f64) as u64);
        self.0.set_message(format!("{time:.1} of {:.1} s", span.end()));
    }

    pub fn clear(self) {
        self.0.finish_and_clear();
    }
}
