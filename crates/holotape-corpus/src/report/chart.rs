//! Charts as SVG, with axes, units and tooltips. The style sheet has the colours.

use super::html::escaped;
use super::robust_stats::{Bins, RobustStats, round_step};

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 44.0;
const RIGHT: f64 = 8.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 38.0;

/// Maximum number of ticks; a step is at least a sixth of the axis.
const MAX_TICKS: u32 = 8;

/// Values of recordings in one colour.
pub(super) struct Series {
    /// Name in the legend; empty if there is only one series.
    pub(super) name: &'static str,
    /// Class in the style sheet.
    pub(super) class: &'static str,
    pub(super) values: Vec<f64>,
}

/// The distribution of a metric over recordings.
pub(super) struct Histogram {
    pub(super) title: &'static str,
    /// Unit of the values: `s`, `m/s`.
    pub(super) unit: &'static str,
    /// Maximum possible value.
    pub(super) limit: Option<f64>,
    pub(super) series: Vec<Series>,
}

impl Histogram {
    /// A figure with a caption; `None` without values.
    pub(super) fn figure(&self) -> Option<String> {
        let mut all: Vec<_> = self.series.iter().flat_map(|series| series.values.iter().copied()).collect();
        let bins = Bins::new(&mut all, self.limit)?;
        let counts: Vec<_> = self.series.iter().map(|series| bins.counts(series.values.iter().copied())).collect();
        let max_count = counts.iter().flatten().copied().max().unwrap_or(0).max(1);
        let mut svg = format!(
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n",
            escaped(&format!("{}: number of recordings by {}", self.title, self.unit))
        );
        svg += &count_axis(max_count);
        svg += &self.bars(&bins, &counts, max_count);
        svg += &self.number_axis(&bins);
        svg += "</svg>";
        let legend: String = self.series.iter().map(Series::legend).collect();
        let facts: Vec<_> = self.series.iter().filter_map(|series| series.summary_text(self.unit)).collect();
        Some(format!(
            "<figure>\n<figcaption><b>{}</b>{legend}</figcaption>\n{svg}\n<p class=\"facts\">{}</p>\n</figure>\n",
            escaped(self.title),
            facts.join("<br>")
        ))
    }

    fn bars(&self, bins: &Bins, counts: &[Vec<usize>], max_count: usize) -> String {
        let slot = (WIDTH - LEFT - RIGHT) / bins.count as f64;
        let gap = (slot * 0.12).min(2.0);
        let width = (slot - gap) / counts.len() as f64;
        let mut bars = String::new();
        for (number, (series, counts)) in self.series.iter().zip(counts).enumerate() {
            for (bin, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                // One recording among thousands is still visible.
                let height = ((HEIGHT - TOP - BOTTOM) * *count as f64 / max_count as f64).max(1.0);
                let (x, y) = (LEFT + slot * bin as f64 + gap / 2.0 + width * number as f64, HEIGHT - BOTTOM - height);
                let tooltip = escaped(&self.tooltip(bins, bin, *count, series));
                bars += &format!(
                    "<rect class=\"{}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"><title>{tooltip}</title></rect>\n",
                    series.class
                );
            }
        }
        bars
    }

    fn tooltip(&self, bins: &Bins, bin: usize, count: usize, series: &Series) -> String {
        let digits = decimals(bins.width);
        let from = bins.start + bins.width * bin as f64;
        let unit = self.unit;
        let range = if bins.is_open && bin + 1 == bins.count {
            format!("{from:.digits$} {unit} and more")
        } else {
            format!("{from:.digits$} to {:.digits$} {unit}", from + bins.width)
        };
        let of = if series.name.is_empty() { String::new() } else { format!("{}, ", series.name) };
        format!("{of}{range}: {count} {}", if count == 1 { "recording" } else { "recordings" })
    }

    fn number_axis(&self, bins: &Bins) -> String {
        let end = bins.start + bins.width * bins.count as f64;
        let length = end - bins.start;
        // For huge values a bin can be narrower than the precision of a float.
        if !(length.is_finite() && length > 0.0) {
            return self.number_unit(bins);
        }
        let step = round_step(length / 6.0);
        let digits = decimals(step);
        let mut axis = format!(
            "<line class=\"axis\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{1}\" y2=\"{1}\"/>\n",
            WIDTH - RIGHT,
            HEIGHT - BOTTOM
        );
        let first = (bins.start / step).ceil();
        // A counted range, because adding a step to a huge value may not change it.
        let ticks = (0..MAX_TICKS).map(|number| (first + f64::from(number)) * step);
        for value in ticks.take_while(|value| *value <= end + step * 1e-6) {
            let x = LEFT + (WIDTH - LEFT - RIGHT) * (value - bins.start) / length;
            let anchor = if x > WIDTH - RIGHT - 12.0 { "end" } else { "middle" };
            let y = HEIGHT - BOTTOM;
            axis += &format!("<line class=\"axis\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{y}\" y2=\"{}\"/>\n", y + 4.0);
            axis +=
                &format!("<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"{anchor}\">{value:.digits$}</text>\n", y + 16.0);
        }
        axis + &self.number_unit(bins)
    }

    fn number_unit(&self, bins: &Bins) -> String {
        let open = if bins.is_open { ", and more" } else { "" };
        format!(
            "<text class=\"unit\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}{open}</text>\n",
            (LEFT + WIDTH - RIGHT) / 2.0,
            HEIGHT - 5.0,
            escaped(self.unit)
        )
    }
}

impl Series {
    fn legend(&self) -> String {
        if self.name.is_empty() {
            return String::new();
        }
        format!(
            " <span class=\"legend\"><svg viewBox=\"0 0 10 10\"><rect class=\"{}\" width=\"10\" height=\"10\"/></svg> {}</span>",
            self.class, self.name
        )
    }

    fn summary_text(&self, unit: &str) -> Option<String> {
        let stats = RobustStats::new(self.values.clone())?;
        // Three significant digits.
        let digits = (2.0 - stats.q3.abs().max(1e-9).log10().floor()).clamp(0.0, 3.0) as usize;
        let RobustStats { min, q1, median, q3, max, .. } = stats;
        let of = if self.name.is_empty() { String::new() } else { format!("{}: ", self.name) };
        Some(escaped(&format!(
            "{of}median {median:.digits$} {unit}, middle 50 % {q1:.digits$} to {q3:.digits$}, range {min:.digits$} to {max:.digits$}"
        )))
    }
}

/// The vertical axis.
fn count_axis(max_count: usize) -> String {
    let step = round_step((max_count as f64 / 5.0).max(1.0));
    let mut axis = String::new();
    let mut tick = 0.0;
    while tick <= max_count as f64 {
        let y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * tick / max_count as f64;
        axis += &format!("<line class=\"grid\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\n", WIDTH - RIGHT);
        axis += &format!("<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>\n", LEFT - 6.0, y + 4.0);
        tick += step;
    }
    axis + &format!(
        "<text class=\"unit\" transform=\"translate(10 {:.1}) rotate(-90)\" text-anchor=\"middle\">recordings</text>\n",
        TOP + (HEIGHT - TOP - BOTTOM) / 2.0
    )
}

/// Horizontal bars with names and counts.
pub(super) fn bars(title: &str, rows: &[(String, usize)], of: usize, class: &str) -> String {
    const ROW: f64 = 22.0;
    const NAMES: f64 = 170.0;
    const NUMBERS: f64 = 50.0;
    let max_count = rows.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
    let height = ROW * rows.len() as f64 + 4.0;
    let label = escaped(&format!("{title}: number of recordings"));
    let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{label}\">\n");
    for (row, (name, count)) in rows.iter().enumerate() {
        let y = ROW * row as f64 + 2.0;
        let width = ((WIDTH - NAMES - NUMBERS) * *count as f64 / max_count as f64).max(1.0);
        let fraction = 100.0 * *count as f64 / of.max(1) as f64;
        let name = escaped(name);
        svg += &format!("<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>\n", NAMES - 8.0, y + 14.0);
        svg += &format!(
            "<rect class=\"{class}\" x=\"{NAMES}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{}\"><title>{name}: {count} of {of} recordings, {fraction:.1} %</title></rect>\n",
            y + 2.0,
            ROW - 6.0
        );
        svg += &format!("<text x=\"{:.1}\" y=\"{:.1}\">{count}</text>\n", NAMES + width + 6.0, y + 14.0);
    }
    format!("<figure>\n<figcaption><b>{}</b></figcaption>\n{svg}</svg>\n</figure>\n", escaped(title))
}

/// The number of decimals that distinguish steps of this size.
fn decimals(step: f64) -> usize {
    (0..6).find(|digits| (step * 10_f64.powi(*digits)).fract().abs() < 1e-6).unwrap_or(6) as usize
}
