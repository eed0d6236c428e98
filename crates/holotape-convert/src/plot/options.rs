//! The options of a plot.

use std::ops::RangeInclusive;

use holotape::{Error, ErrorKind, Result};

/// Narrower plots have no space for lines beside the axis labels.
const MIN_WIDTH: u32 = 240;
const MAX_PIXELS: u32 = 32_768;

/// The colours of a plot.
///
/// ```
/// assert_eq!(holotape_convert::plot::Theme::default(), holotape_convert::plot::Theme::Light);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    /// Dark lines on white.
    #[default]
    Light,
    /// Bright lines on near black.
    Dark,
}

/// The options of a plot.
///
/// ```
/// use holotape_convert::plot::{PlotOptions, Theme};
///
/// let options = PlotOptions::new()
///     .with_curves(["camera.position.*", "*.pinching"])
///     .with_span_secs(2.0..=4.5)
///     .with_title("Reaching for the cup")
///     .with_theme(Theme::Dark);
/// assert_eq!(options, options.clone());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PlotOptions {
    pub(super) size: Option<[u32; 2]>,
    pub(super) scale: f32,
    pub(super) curves: Vec<String>,
    pub(super) span_secs: Option<RangeInclusive<f64>>,
    pub(super) theme: Theme,
    pub(super) title: Option<String>,
}

impl PlotOptions {
    /// An overview of the entire recording with the light theme, 1200 pixels wide and as high as needed.
    #[must_use]
    pub const fn new() -> Self {
        Self { size: None, scale: 1.0, curves: Vec::new(), span_secs: None, theme: Theme::Light, title: None }
    }

    /// Sets width and height in pixels.
    #[must_use]
    pub fn with_size(self, size: [u32; 2]) -> Self {
        Self { size: Some(size), ..self }
    }

    /// Sets the PNG pixels per pixel of the size: 2 for high-resolution screens and print.
    #[must_use]
    pub fn with_scale(self, scale: f32) -> Self {
        Self { scale, ..self }
    }

    /// Selects curves by name; `*` matches any characters. Without patterns the plot is an overview.
    #[must_use]
    pub fn with_curves(self, patterns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { curves: patterns.into_iter().map(Into::into).collect(), ..self }
    }

    /// Sets the time span to show, in seconds. It may extend beyond the recording: curves are extrapolated as in Unity.
    #[must_use]
    pub fn with_span_secs(self, span_secs: RangeInclusive<f64>) -> Self {
        Self { span_secs: Some(span_secs), ..self }
    }

    /// Sets the colours.
    #[must_use]
    pub fn with_theme(self, theme: Theme) -> Self {
        Self { theme, ..self }
    }

    /// Adds a heading.
    #[must_use]
    pub fn with_title(self, title: impl Into<String>) -> Self {
        Self { title: Some(title.into()), ..self }
    }

    /// Checks the size before the plot is computed.
    pub(super) fn check_size(&self) -> Result<()> {
        let height = self.size.map_or(1, |[_, height]| height);
        if (MIN_WIDTH..=MAX_PIXELS).contains(&self.width()) && height <= MAX_PIXELS {
            return Ok(());
        }
        let message = format!(
            "invalid plot size: the width must be {MIN_WIDTH} to {MAX_PIXELS} pixels, the height at most {MAX_PIXELS}"
        );
        Err(Error::new(ErrorKind::InvalidArgument, message))
    }

    pub(super) fn width(&self) -> u32 {
        const DEFAULT_WIDTH: u32 = 1200;
        self.size.map_or(DEFAULT_WIDTH, |[width, _]| width)
    }
}

impl Default for PlotOptions {
    fn default() -> Self {
        Self::new()
    }
}
