//! Draws a panel.

use super::layout::{Layout, PanelSlot};
use super::scale::Scale;
use super::simplify;
use super::text_element;
use super::theme::{self, Palette};
use super::xml::{Element, Px};
use crate::plot::figure::{Band, Content, Line, Panel, Row};
use crate::plot::polyline::{Point, TimeSpan};

/// Keys closer together than this are not drawn as dots.
const MIN_DOT_SPACING_PX: f64 = 9.0;

/// The background of a panel with its grid.
pub(super) fn panel_background(slot: &PanelSlot, layout: &Layout, palette: &Palette) -> Element {
    let (left, right) = (layout.plot_left(), layout.plot_right());
    let plot = Element::new("rect")
        .with("class", "plot")
        .with("x", Px(left))
        .with("y", Px(slot.plot_top))
        .with("width", Px(right - left))
        .with("height", Px(slot.plot_bottom - slot.plot_top))
        .with("fill", palette.plot);
    let times = layout.time_ticks.iter().map(|tick| {
        let x = layout.time.pixel(tick.value);
        line_element([x, slot.plot_top], [x, slot.plot_bottom], palette.grid, 1.0)
    });
    let values = slot.values.iter().flat_map(|(scale, ticks)| ticks.iter().map(move |tick| (scale, tick)));
    let values = values.map(|(scale, tick)| {
        let y = scale.pixel(tick.value);
        line_element([left, y], [right, y], if tick.value == 0.0 { palette.rule } else { palette.grid }, 1.0)
    });
    Element::group("grid", [plot].into_iter().chain(times).chain(values))
}

/// A straight line.
pub(super) fn line_element([x1, y1]: [f64; 2], [x2, y2]: [f64; 2], colour: &str, width: f64) -> Element {
    let line = Element::new("line").with("x1", Px(x1)).with("y1", Px(y1)).with("x2", Px(x2)).with("y2", Px(y2));
    line.with("stroke", colour).with("stroke-width", Px(width))
}

/// Lines or bands, axis labels, title and legend.
pub(super) fn content(panel: &Panel, slot: &PanelSlot, layout: &Layout, palette: &Palette) -> Element {
    let mut group = Element::group("panel", [slot.legend.draw(layout, slot.top, palette)]);
    match (&panel.content, &slot.values) {
        (Content::Lines(lines), Some((scale, ticks))) => {
            let labels = ticks.iter().map(|tick| side_label(&tick.label, scale.pixel(tick.value), layout, palette));
            group.push(&Element::group("numbers", labels));
            lines.iter().for_each(|one| group.push(&line(one, scale, layout, palette)));
            if lines.iter().all(|line| line.polylines.is_empty()) {
                group.push(&no_data_message(slot, layout, palette));
            }
        }
        (Content::Bands(rows), _) => {
            let height = (slot.plot_bottom - slot.plot_top) / rows.len().max(1) as f64;
            let middles = (0..).map(|n: u32| slot.plot_top + height * (f64::from(n) + 0.5));
            for (one, middle) in rows.iter().zip(middles) {
                group.push(&row(one, middle, height, layout, palette));
            }
        }
        (Content::Lines(_), None) => {}
    }
    group
}

/// A label to the left of the panel.
fn side_label(label: &str, middle: f64, layout: &Layout, palette: &Palette) -> Element {
    let font = layout.spacing.label;
    let label = font.ellipsize(label, layout.plot_left() - layout.spacing.margin);
    text_element(&label, [layout.plot_left() - 6.0, middle + 0.36 * font.size], font, palette.quiet)
        .with("text-anchor", "end")
}

/// The message for curves without values in the span, e.g. of an untracked hand.
fn no_data_message(slot: &PanelSlot, layout: &Layout, palette: &Palette) -> Element {
    let middle = [layout.plot_left() + layout.plot_right(), slot.plot_top + slot.plot_bottom].map(|sum| sum / 2.0);
    let font = layout.spacing.label;
    let note = text_element("no data in this span", [middle[0], middle[1] + 0.36 * font.size], font, palette.quiet);
    note.with("text-anchor", "middle")
}

fn line(line: &Line, values: &Scale, layout: &Layout, palette: &Palette) -> Element {
    let pixel = |point: &Point| [layout.time.pixel(point[0]), values.pixel(point[1])];
    let stroke = layout.spacing.stroke;
    let group = Element::group("line", [Element::new("title").with_text(&line.name)])
        .with("fill", "none")
        .with("stroke", palette.color(line.color))
        .with("stroke-width", stroke)
        .with("stroke-linejoin", "round")
        .with("stroke-linecap", "round");
    let mut group = theme::with_dashes(group, line.color);
    for run in &line.polylines {
        let points = simplify::simplify(&run.iter().map(pixel).collect::<Vec<_>>());
        group.push(&match points.as_slice() {
            [point] => dot(*point, 1.3 * stroke, palette.color(line.color)),
            points => polyline(points),
        });
    }
    let max_dots = (layout.plot_right() - layout.plot_left()) / MIN_DOT_SPACING_PX;
    if (line.keys.len() as f64) < max_dots {
        let dots = line.keys.iter().map(pixel).map(|point| dot(point, 1.7 * stroke, palette.color(line.color)));
        group.push(&Element::group("keys", dots));
    }
    group
}

fn polyline(points: &[Point]) -> Element {
    let mut text = String::with_capacity(14 * points.len());
    for [x, y] in points {
        let space = if text.is_empty() { "" } else { " " };
        text.push_str(&format!("{space}{},{}", Px(*x), Px(*y)));
    }
    Element::new("polyline").with("points", text)
}

fn dot([x, y]: Point, radius: f64, colour: &str) -> Element {
    let dot = Element::new("circle").with("cx", Px(x)).with("cy", Px(y)).with("r", Px(radius));
    dot.with("fill", colour).with("stroke", "none")
}

fn row(row: &Row, middle: f64, height: f64, layout: &Layout, palette: &Palette) -> Element {
    let mut group = Element::group("row", [side_label(&row.name, middle, layout, palette)]);
    for one in &row.bands {
        group.push(&band(one, palette.color(row.color), middle, height, layout));
    }
    group
}

fn band(band: &Band, colour: &str, middle: f64, row: f64, layout: &Layout) -> Element {
    /// Leaves a gap between rows.
    const FULL: f64 = 0.8;
    let height = FULL * row * band.style.height_fraction();
    let title = Element::new("title").with_text(&band.name);
    let mut group = Element::group("band", [title]).with("fill", colour).with("fill-opacity", band.style.opacity());
    for [start, end] in visible_spans(&band.spans, &layout.time) {
        let bar = Element::new("rect").with("x", Px(start)).with("width", Px(end - start));
        group.push(&bar.with("y", Px(middle - height / 2.0)).with("height", Px(height)));
    }
    group
}

/// Converts spans to pixels. Invisibly short spans are widened, and invisibly short gaps are closed.
fn visible_spans(spans: &[TimeSpan], time: &Scale) -> Vec<TimeSpan> {
    const MIN_PX: f64 = 0.75;
    const MIN_GAP_PX: f64 = 0.25;
    let mut visible: Vec<TimeSpan> = Vec::new();
    for [start, end] in spans.iter().map(|interval| interval.map(|time_secs| time.pixel(time_secs))) {
        let end = end.max(start + MIN_PX);
        match visible.last_mut().filter(|[_, last]| start - *last < MIN_GAP_PX) {
            Some([_, last]) => *last = last.max(end),
            None => visible.push([start, end]),
        }
    }
    visible
}
