//! Computes the positions of all parts of a plot.

use holotape::{Error, ErrorKind, Result};

use super::legend::Legend;
use super::marker_labels;
use super::scale::{self, Scale, Tick};
use super::text::Font;
use crate::plot::figure::{Content, Figure, Panel};
use crate::plot::options::PlotOptions;

/// Font sizes and distances in pixels.
#[derive(Debug, PartialEq)]
pub(super) struct Spacing {
    pub(super) heading: Font,
    pub(super) title: Font,
    pub(super) label: Font,
    pub(super) marker_label: Font,
    pub(super) stroke: f64,
    /// Around the plot.
    pub(super) margin: f64,
    /// Between panels.
    gap: f64,
    /// A line of text above a panel.
    pub(super) line: f64,
    /// A lane of marker names.
    pub(super) lane: f64,
    max_lanes: usize,
    /// A row of bands.
    row: f64,
    /// The preferred and the minimum height of a panel of lines.
    plot_height: f64,
    min_plot_height: f64,
}

const NORMAL: Spacing = Spacing {
    heading: Font::bold(16.0),
    title: Font::bold(12.0),
    label: Font::plain(11.0),
    marker_label: Font::plain(10.5),
    stroke: 1.4,
    margin: 16.0,
    gap: 14.0,
    line: 18.0,
    lane: 15.0,
    max_lanes: 5,
    row: 20.0,
    plot_height: 88.0,
    min_plot_height: 40.0,
};

const COMPACT: Spacing = Spacing {
    heading: Font::bold(12.0),
    title: Font::bold(9.0),
    label: Font::plain(8.5),
    marker_label: Font::plain(8.0),
    stroke: 1.0,
    margin: 8.0,
    gap: 6.0,
    line: 13.0,
    lane: 11.0,
    max_lanes: 2,
    row: 11.0,
    plot_height: 40.0,
    min_plot_height: 22.0,
};

#[derive(Debug)]
pub(super) struct Layout {
    pub(super) spacing: &'static Spacing,
    pub(super) size: [f64; 2],
    /// The time axis, from left to right.
    pub(super) time: Scale,
    pub(super) time_ticks: Vec<Tick>,
    /// The top of the first lane of marker names.
    pub(super) lanes_top: f64,
    pub(super) lanes: usize,
    pub(super) slots: Vec<PanelSlot>,
    /// The bottom of the last panel.
    pub(super) bottom: f64,
}

/// The position of a panel.
#[derive(Debug)]
pub(super) struct PanelSlot {
    pub(super) legend: Legend,
    /// The top of the title and legend.
    pub(super) top: f64,
    pub(super) plot_top: f64,
    pub(super) plot_bottom: f64,
    /// The value axis, from bottom to top; `None` for bands.
    pub(super) values: Option<(Scale, Vec<Tick>)>,
}

impl Layout {
    pub(super) fn new(figure: &Figure, options: &PlotOptions) -> Result<Self> {
        let requested = options.size.map(|[_, height]| height);
        let drafts = [&NORMAL, &COMPACT].map(|spacing| LayoutDraft::new(spacing, figure, options));
        let Some(height) = requested else {
            let [draft, _] = drafts;
            let height = draft.height(draft.spacing.plot_height).ceil();
            return Ok(draft.into_layout(height));
        };
        let height = f64::from(height);
        let min_height = drafts[1].height(COMPACT.min_plot_height).ceil();
        match drafts.into_iter().find(|draft| draft.height(draft.spacing.min_plot_height) <= height) {
            Some(draft) => Ok(draft.into_layout(height)),
            None => {
                let message = format!(
                    "invalid plot size: {} panels need a height of at least {min_height} pixels, not {height}",
                    figure.panels.len()
                );
                Err(Error::new(ErrorKind::InvalidArgument, message))
            }
        }
    }

    pub(super) fn plot_left(&self) -> f64 {
        self.time.pixels[0]
    }

    pub(super) fn plot_right(&self) -> f64 {
        self.time.pixels[1]
    }
}

/// Everything that does not depend on the height of panels.
struct LayoutDraft<'a> {
    spacing: &'static Spacing,
    figure: &'a Figure,
    width: f64,
    has_title: bool,
    legends: Vec<Legend>,
    lanes: usize,
    /// The width of the row names.
    row_names: f64,
}

impl<'a> LayoutDraft<'a> {
    fn new(spacing: &'static Spacing, figure: &'a Figure, options: &PlotOptions) -> Self {
        /// The width of most axis labels.
        const MIN_LABEL_WIDTH: f64 = 52.0;
        let width = f64::from(options.width());
        let row_names = figure.panels.iter().flat_map(|panel| match &panel.content {
            Content::Bands(rows) => rows.as_slice(),
            Content::Lines(_) => &[],
        });
        let row_names = row_names.map(|row| spacing.label.width(&row.name)).fold(0.0, f64::max).min(width / 4.0);
        let plot_width = width - 2.0 * spacing.margin - row_names.max(MIN_LABEL_WIDTH);
        let legends = figure.panels.iter().map(|panel| Legend::new(panel, spacing, plot_width)).collect();
        let pixels = [width - spacing.margin - plot_width, width - spacing.margin];
        let time = Scale { low: figure.span.start, high: figure.span.end, pixels };
        let lanes = marker_labels::lanes(figure, &time, spacing.marker_label, spacing.max_lanes);
        Self { spacing, figure, width, has_title: options.title.is_some(), legends, lanes, row_names }
    }

    /// The total height for a given height of line panels.
    fn height(&self, plot: f64) -> f64 {
        let panels = self.figure.panels.iter().zip(&self.legends);
        let panels: f64 =
            panels.map(|(panel, legend)| self.header_height(legend) + self.plot_height(panel, plot)).sum();
        // Without panels, a message takes two lines.
        self.height_above() + panels.max(2.0 * self.spacing.line) + self.height_below()
    }

    fn header_height(&self, legend: &Legend) -> f64 {
        self.spacing.gap + self.spacing.line * legend.line_count() as f64
    }

    fn plot_height(&self, panel: &Panel, plot: f64) -> f64 {
        match &panel.content {
            Content::Lines(_) => plot,
            Content::Bands(rows) => rows.len() as f64 * self.spacing.row,
        }
    }

    /// The height of the title and the marker names.
    fn height_above(&self) -> f64 {
        self.lanes_top() + self.spacing.lane * self.lanes as f64
    }

    fn lanes_top(&self) -> f64 {
        let title = if self.has_title { 1.75 * self.spacing.heading.size } else { 0.0 };
        self.spacing.margin + title
    }

    /// The height of the time axis.
    fn height_below(&self) -> f64 {
        2.2 * self.spacing.line + self.spacing.margin / 2.0
    }

    /// Distributes the remaining height to the panels of lines.
    fn into_layout(self, height: f64) -> Layout {
        let count = self.figure.panels.iter().filter(|panel| matches!(panel.content, Content::Lines(_))).count();
        let plot = (height - self.height(0.0)).max(0.0) / count.max(1) as f64;
        let heights: Vec<_> = self.figure.panels.iter().map(|panel| self.plot_height(panel, plot)).collect();
        let (lanes_top, mut top, bottom) = (self.lanes_top(), self.height_above(), height - self.height_below());
        let header_heights: Vec<_> = self.legends.iter().map(|legend| self.header_height(legend)).collect();
        let mut slots = Vec::new();
        for (((panel, legend), header_height), height) in
            self.figure.panels.iter().zip(self.legends).zip(header_heights).zip(heights)
        {
            let (plot_top, plot_bottom) = (top + header_height, top + header_height + height);
            let values = values(panel, [plot_bottom, plot_top], self.spacing);
            slots.push(PanelSlot { legend, top: top + self.spacing.gap, plot_top, plot_bottom, values });
            top = plot_bottom;
        }
        let labels = slots.iter().filter_map(|slot| slot.values.as_ref()).flat_map(|(_, ticks)| ticks);
        let labels_width = labels.map(|tick| self.spacing.label.width(&tick.label)).fold(self.row_names, f64::max);
        let left = self.spacing.margin + labels_width.min(self.width / 4.0) + 8.0;
        let span = self.figure.span;
        let pixels = [left.round(), (self.width - self.spacing.margin).round()];
        let max_ticks = (pixels[1] - pixels[0]) / (7.0 * self.spacing.label.size);
        Layout {
            spacing: self.spacing,
            size: [self.width, height],
            time: Scale { low: span.start, high: span.end, pixels },
            time_ticks: scale::time_ticks(span, max_ticks),
            lanes_top,
            lanes: self.lanes,
            bottom: if slots.is_empty() { bottom } else { top },
            slots,
        }
    }
}

fn values(panel: &Panel, pixels: [f64; 2], spacing: &Spacing) -> Option<(Scale, Vec<Tick>)> {
    let Content::Lines(lines) = &panel.content else { return None };
    let shown = lines.iter().flat_map(|line| line.polylines.iter().flatten().chain(&line.keys)).map(|point| point[1]);
    let range = scale::range(shown, panel.unit, panel.min_range);
    let max_ticks = (pixels[0] - pixels[1]) / (1.7 * spacing.label.size);
    let ticks = scale::ticks(range, panel.unit, max_ticks.max(1.0));
    Some((Scale { low: range[0], high: range[1], pixels }, ticks))
}
