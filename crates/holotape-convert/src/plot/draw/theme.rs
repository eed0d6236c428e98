//! Colours that are distinguishable with colour blindness, for light and dark backgrounds.

use super::xml::Element;
use crate::plot::Theme;
use crate::plot::figure::SeriesColor;

#[derive(Debug)]
pub(super) struct Palette {
    pub(super) page: &'static str,
    pub(super) plot: &'static str,
    pub(super) grid: &'static str,
    /// The zero line and marker lines.
    pub(super) rule: &'static str,
    pub(super) text: &'static str,
    pub(super) quiet: &'static str,
    /// Four axes and two hands.
    colors: [&'static str; 6],
}

const LIGHT: Palette = Palette {
    page: "#ffffff",
    plot: "#f6f8fa",
    grid: "#e1e5ea",
    rule: "#a5adb8",
    text: "#1f2328",
    quiet: "#59636e",
    colors: ["#d1490c", "#00875f", "#0a68c4", "#a2459b", "#c47500", "#5a55d2"],
};

const DARK: Palette = Palette {
    page: "#0d1117",
    plot: "#151b23",
    grid: "#262d37",
    rule: "#59636e",
    text: "#e6edf3",
    quiet: "#9aa5b1",
    colors: ["#ff8a5c", "#38c79c", "#5badff", "#e093d6", "#f0b04a", "#a3a1ff"],
};

impl Palette {
    pub(super) fn new(theme: Theme) -> &'static Self {
        match theme {
            Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
        }
    }

    pub(super) fn color(&self, color: SeriesColor) -> &'static str {
        self.colors[match color {
            SeriesColor::Axis(n) | SeriesColor::Nth(n) => n % AXES,
            SeriesColor::Hand(hand) => AXES + hand as usize,
        }]
    }
}

/// The number of colours that are distinguishable with any colour vision. Further lines are dashed.
const AXES: usize = 4;

/// Dashes a line if its colour is not its own.
pub(super) fn with_dashes(line: Element, color: SeriesColor) -> Element {
    if matches!(color, SeriesColor::Nth(AXES..)) { line.with("stroke-dasharray", "6 3") } else { line }
}
