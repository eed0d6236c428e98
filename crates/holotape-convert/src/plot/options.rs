//! What a picture should show, and how.

use std::ops::RangeInclusive;

use holotape::{Error, ErrorKind, Result};

/// Below this there is no room for lines beside the numbers.
const MIN_WIDTH: u32 = 240;
const MAX_PIXELS: u32 = 32_768;

/// The ground that a picture is drawn on.
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

/// What a picture should show, and how.
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
    size: Option<[u32; 2]>,
    scale: f32,
    curves: Vec<String>,
    span_secs: Option<RangeInclusive<f64>>,
    theme: Theme,
    title: Option<String>,
}

impl PlotOptions {
    /// What somebody did, all of it, on white, 1200 pixels wide and as high as it takes.
    #[must_use]
    pub const fn new() -> Self {
        Self { size: None, scale: 1.0, curves: Vec::new(), span_secs: None, theme: Theme::Light, title: None }
    }

    /// Width and height in pixels.
    #[must_use]
    pub const fn with_size(mut self, size: [u32; 2]) -> Self {
        self.size = Some(size);
        self
    }

    /// How many pixels of a PNG one pixel of the size becomes: 2 for screens with fine pixels and for print.
    #[must_use]
    pub const fn with_scale(mut self, scale: f32) -> Self {
        self.scale = scale;
        self
    }

    /// Which curves to show, by name; `*` stands for any part of one. Without any, what somebody did.
    #[must_use]
    pub fn with_curves(self, patterns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { curves: patterns.into_iter().map(Into::into).collect(), ..self }
    }

    /// The time to show, in seconds. It may begin before 0 and go on after the end: curves are then what Unity makes of
    /// them there.
    #[must_use]
    pub fn with_span_secs(self, span_secs: RangeInclusive<f64>) -> Self {
        Self { span_secs: Some(span_secs), ..self }
    }

    /// What it is drawn on.
    #[must_use]
    pub const fn with_theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// A line above everything.
    #[must_use]
    pub fn with_title(self, title: impl Into<String>) -> Self {
        Self { title: Some(title.into()), ..self }
    }

    /// Whether there can be a picture of this size, before work is done that grows with it.
    pub(super) fn check_size(&self) -> Result<()> {
        let height = self.size.map_or(1, |[_, height]| height);
        if (MIN_WIDTH..=MAX_PIXELS).contains(&self.width()) && height <= MAX_PIXELS {
            return Ok(());
        }
        let message = format!("a picture has to be {MIN_WIDTH} to {MAX_PIXELS} pixels wide, and not higher than that");
        Err(Error::new(ErrorKind::Invalid, message))
    }

    pub(super) fn size(&self) -> Option<[u32; 2]> {
        self.size
    }

    pub(super) fn scale(&self) -> f32 {
        self.scale
    }

    pub(super) fn curves(&self) -> &[String] {
        &self.curves
    }

    pub(super) fn span_secs(&self) -> Option<&RangeInclusive<f64>> {
        self.span_secs.as_ref()
    }

    pub(super) fn theme(&self) -> Theme {
        self.theme
    }

    pub(super) fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    pub(super) fn width(&self) -> u32 {
        const USUAL_WIDTH: u32 = 1200;
        self.size.map_or(USUAL_WIDTH, |[width, _]| width)
    }
}

impl Default for PlotOptions {
    fn default() -> Self {
        Self::new()
    }
}
