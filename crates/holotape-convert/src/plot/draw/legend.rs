//! The title and legend of a panel.

use super::layout::{Layout, Spacing};
use super::panel::line_element;
use super::text_element;
use super::theme::{self, Palette};
use super::xml::{Element, Px};
use crate::plot::figure::{BandStyle, Content, Panel, SeriesColor};

/// A title, and legend entries in lines.
#[derive(Debug)]
pub(super) struct Legend {
    title: String,
    /// Beside the title if they fit, otherwise below.
    entries: Vec<Vec<Entry>>,
    is_beside: bool,
}

#[derive(Clone, Debug)]
struct Entry {
    name: String,
    swatch: Swatch,
    width: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Swatch {
    Line(SeriesColor),
    Band(BandStyle),
}

/// The width of a swatch, the space to its name, and the gap to the next swatch, relative to the font size.
const SWATCH: f64 = 1.4;
const SPACE: f64 = 0.45;
const GAP: f64 = 1.5;

impl Legend {
    pub(super) fn new(panel: &Panel, spacing: &Spacing, width: f64) -> Self {
        let title = match panel.unit.symbol() {
            Some(symbol) => format!("{} ({symbol})", panel.title),
            None => panel.title.clone(),
        };
        let title = spacing.title.ellipsize(&title, width);
        let entries: Vec<_> =
            swatches(panel).into_iter().map(|(name, swatch)| Entry::new(name, swatch, spacing, width)).collect();
        let beside = width - spacing.title.width(&title) - 2.0 * GAP * spacing.label.size;
        let is_beside = entries.iter().map(|entry| entry.width).sum::<f64>() <= beside;
        let entries = if is_beside { vec![entries] } else { wrap_entries(entries, width) };
        Self { title, entries, is_beside }
    }

    pub(super) fn line_count(&self) -> usize {
        if self.is_beside { 1 } else { 1 + self.entries.len() }
    }

    pub(super) fn draw(&self, layout: &Layout, top: f64, palette: &Palette) -> Element {
        let spacing = layout.spacing;
        let baseline = |line: usize| top + spacing.line * (line as f64 + 0.68);
        // An outline in the page colour keeps text readable on top of marker lines.
        let mut group = Element::group("head", [])
            .with("stroke", palette.page)
            .with("stroke-width", 3)
            .with("stroke-linejoin", "round")
            .with("paint-order", "stroke");
        let title = text_element(&self.title, [layout.plot_left(), baseline(0)], spacing.title, palette.text);
        group.push(&title.with("class", "panel-title"));
        for (n, entries) in self.entries.iter().enumerate() {
            let width: f64 = entries.iter().map(|entry| entry.width).sum();
            let gap = GAP * spacing.label.size;
            let mut x = if self.is_beside { layout.plot_right() - width + gap } else { layout.plot_left() };
            for entry in entries {
                group.push(&entry.draw([x, baseline(n + usize::from(!self.is_beside))], spacing, palette));
                x += entry.width;
            }
        }
        group
    }
}

impl Entry {
    fn new(name: String, swatch: Swatch, spacing: &Spacing, width: f64) -> Self {
        let around = (SWATCH + SPACE + GAP) * spacing.label.size;
        let name = spacing.label.ellipsize(&name, width - around);
        let width = spacing.label.width(&name) + around;
        Self { name, swatch, width }
    }

    fn draw(&self, [x, baseline]: [f64; 2], spacing: &Spacing, palette: &Palette) -> Element {
        let size = spacing.label.size;
        let (middle, swatch) = (baseline - 0.34 * size, SWATCH * size);
        let swatch = match self.swatch {
            Swatch::Line(color) => {
                let stroke = 1.6 * spacing.stroke;
                let line = line_element([x, middle], [x + swatch, middle], palette.color(color), stroke);
                theme::with_dashes(line, color)
            }
            Swatch::Band(style) => {
                let height = 0.8 * size * style.height_fraction();
                Element::new("rect")
                    .with("x", Px(x))
                    .with("y", Px(middle - height / 2.0))
                    .with("width", Px(swatch))
                    .with("height", Px(height))
                    .with("fill", palette.quiet)
                    .with("fill-opacity", style.opacity())
            }
        };
        let name = text_element(&self.name, [x + (SWATCH + SPACE) * size, baseline], spacing.label, palette.quiet);
        Element::group("entry", [swatch, name])
    }
}

fn swatches(panel: &Panel) -> Vec<(String, Swatch)> {
    match &panel.content {
        Content::Lines(lines) => lines.iter().map(|line| (line.name.clone(), Swatch::Line(line.color))).collect(),
        Content::Bands(rows) => {
            // Rows with a single band have its name already.
            let bands = rows.first().map(|row| row.bands.as_slice()).filter(|bands| bands.len() > 1);
            bands.unwrap_or_default().iter().map(|band| (band.name.clone(), Swatch::Band(band.style))).collect()
        }
    }
}

fn wrap_entries(entries: Vec<Entry>, width: f64) -> Vec<Vec<Entry>> {
    let mut lines: Vec<Vec<Entry>> = Vec::new();
    let mut used = f64::INFINITY;
    for entry in entries {
        used += entry.width;
        match lines.last_mut().filter(|_| used <= width) {
            Some(line) => line.push(entry),
            None => {
                used = entry.width;
                lines.push(vec![entry]);
            }
        }
    }
    lines
}

impl BandStyle {
    /// The fraction of its row that a band fills.
    pub(super) fn height_fraction(self) -> f64 {
        match self {
            Self::Background => 1.0,
            Self::Foreground => 0.55,
        }
    }

    pub(super) fn opacity(self) -> f64 {
        match self {
            Self::Background => 0.26,
            Self::Foreground => 1.0,
        }
    }
}
