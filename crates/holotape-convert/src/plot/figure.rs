//! What there is to see, before anything has a place: panels of lines and bands over one span of time.

use holotape::{Hand, Recording, Result};

use super::options::PlotOptions;
use super::polyline::{Polyline, TimeSpan};
use super::span::Span;
use super::{curve_panels, overview};

#[derive(Debug)]
pub(super) struct Figure {
    pub(super) span: Span,
    pub(super) panels: Vec<Panel>,
    /// By time, all within the span.
    pub(super) marks: Vec<MarkerAnnotation>,
}

#[derive(Debug)]
pub(super) struct MarkerAnnotation {
    pub(super) time: f64,
    pub(super) name: String,
}

#[derive(Debug)]
pub(super) struct Panel {
    pub(super) title: String,
    pub(super) unit: Unit,
    /// What is smaller than this is not blown up to the height of the panel.
    pub(super) least_range: f64,
    pub(super) content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    Lines(Vec<Line>),
    Bands(Vec<Row>),
}

/// What numbers of a panel are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Metres,
    Degrees,
    MetresPerSecond,
    /// Parts of a quaternion or of a direction.
    Share,
    Flag,
}

#[derive(Debug)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) ink: SeriesColor,
    pub(super) runs: Vec<Polyline>,
    /// Keys to show as dots, if they are few.
    pub(super) keys: Polyline,
}

/// A strip of time.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) ink: SeriesColor,
    pub(super) bands: Vec<Band>,
}

#[derive(Debug)]
pub(super) struct Band {
    pub(super) name: String,
    pub(super) look: BandStyle,
    pub(super) intervals: Vec<TimeSpan>,
}

/// A band that others lie on is pale and fills its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BandStyle {
    Ground,
    Front,
}

/// A colour, by what it stands for. What is the same thing has the same colour in every panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeriesColor {
    X,
    Y,
    Z,
    W,
    Hand(Hand),
    /// The nth of things that have nothing in common.
    Nth(usize),
}

impl SeriesColor {
    /// The colour of the nth part of a vector or a quaternion.
    pub(super) const AXES: [Self; 4] = [Self::X, Self::Y, Self::Z, Self::W];
}

impl Unit {
    /// What is put behind a title, if there is anything to say.
    pub(super) fn symbol(self) -> Option<&'static str> {
        match self {
            Self::Metres => Some("m"),
            Self::Degrees => Some("°"),
            Self::MetresPerSecond => Some("m/s"),
            Self::Share | Self::Flag => None,
        }
    }
}

impl Figure {
    pub(super) fn new(recording: &Recording, options: &PlotOptions) -> Result<Self> {
        let span = Span::new(recording, options.span_secs())?;
        // Several to a pixel, so that what is curved looks curved.
        let steps = 4 * options.width() as usize;
        let panels = match options.curves() {
            [] => overview::panels(recording, span, steps)?,
            patterns => curve_panels::panels(recording, patterns, span, steps)?,
        };
        Ok(Self { span: span.axis(), panels, marks: annotations(recording, span.axis()) })
    }
}

fn annotations(recording: &Recording, span: Span) -> Vec<MarkerAnnotation> {
    let mark = |marker: &holotape::Marker| MarkerAnnotation { time: f64::from(marker.time), name: marker.name.clone() };
    let mut marks: Vec<_> = recording.markers.iter().map(mark).filter(|mark| span.contains(mark.time)).collect();
    marks.sort_by(|a, b| a.time.total_cmp(&b.time));
    marks
}
