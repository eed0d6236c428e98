//! The contents of a plot before layout: panels of lines and bands over one span of time.

use holotape::{Hand, Marker, Recording, Result};

use super::options::PlotOptions;
use super::polyline::{Polyline, TimeSpan};
use super::span::Span;
use super::{curve_panels, overview};

#[derive(Debug)]
pub(super) struct Figure {
    pub(super) span: Span,
    pub(super) panels: Vec<Panel>,
    /// Sorted by time, all within the span.
    pub(super) markers: Vec<Marker>,
}

#[derive(Debug)]
pub(super) struct Panel {
    pub(super) title: String,
    pub(super) unit: Unit,
    /// The axis covers at least this range, so that small variations are not magnified.
    pub(super) min_range: f64,
    pub(super) content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    Lines(Vec<Line>),
    Bands(Vec<Row>),
}

/// The unit of a panel's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Metres,
    Degrees,
    MetresPerSecond,
    /// Components of a quaternion or direction.
    Unitless,
    Flag,
}

#[derive(Debug)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) color: SeriesColor,
    pub(super) polylines: Vec<Polyline>,
    /// Keys to show as dots, if there are few.
    pub(super) keys: Polyline,
}

/// A row of bands over time.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) color: SeriesColor,
    pub(super) bands: Vec<Band>,
}

#[derive(Debug)]
pub(super) struct Band {
    pub(super) name: String,
    pub(super) style: BandStyle,
    pub(super) spans: Vec<TimeSpan>,
}

/// Background bands are pale and fill their row; others are drawn on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BandStyle {
    Background,
    Foreground,
}

/// A colour by meaning: the same thing has the same colour in every panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeriesColor {
    /// A component of a vector or quaternion: x, y, z or w.
    Axis(usize),
    Hand(Hand),
    /// The nth of several unrelated curves.
    Nth(usize),
}

impl Unit {
    /// The unit in a panel's title.
    pub(super) fn symbol(self) -> Option<&'static str> {
        match self {
            Self::Metres => Some("m"),
            Self::Degrees => Some("°"),
            Self::MetresPerSecond => Some("m/s"),
            Self::Unitless | Self::Flag => None,
        }
    }
}

impl Figure {
    pub(super) fn new(recording: &Recording, options: &PlotOptions) -> Result<Self> {
        let span = Span::new(recording, options.span_secs.as_ref())?;
        // Several samples per pixel, so that curves look smooth.
        let steps = 4 * options.width() as usize;
        let panels = match options.curves.as_slice() {
            [] => overview::panels(recording, span, steps)?,
            patterns => curve_panels::panels(recording, patterns, span, steps)?,
        };
        let axis = span.axis();
        let is_shown = |marker: &&Marker| axis.contains(f64::from(marker.time));
        let mut markers: Vec<_> = recording.markers.iter().filter(is_shown).cloned().collect();
        markers.sort_by(|a, b| a.time.total_cmp(&b.time));
        Ok(Self { span: axis, panels, markers })
    }
}
