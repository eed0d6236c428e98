//! Markers: lines through all panels, with names above that do not overlap.

use holotape::Marker;

use super::layout::Layout;
use super::panel::line_element;
use super::scale::Scale;
use super::text::Font;
use super::text_element;
use super::theme::Palette;
use super::xml::{Element, Px};
use crate::plot::figure::Figure;

/// Between a name and the next line.
const GAP_PX: f64 = 5.0;
/// From a line to its name.
const INDENT_PX: f64 = 3.0;
/// Names are not shortened further than this.
const MIN_NAME_PX: f64 = 50.0;
const MAX_NAME_PX: f64 = 150.0;
/// Lines closer than this are merged.
const MIN_STEP_PX: f64 = 1.0;
/// Longer names are truncated in tooltips.
const MAX_LABEL_CHARS: usize = 200;

/// One or several markers at the same pixel.
#[derive(Debug)]
struct MarkerLine {
    x: f64,
    time_secs: f64,
    name: String,
}

/// The name beside a line.
#[derive(Debug, PartialEq)]
struct MarkerLabel {
    lane: usize,
    text: String,
    start: f64,
    end: f64,
}

pub(super) fn draw(figure: &Figure, layout: &Layout, palette: &Palette) -> Element {
    /// With more lines than this they are drawn fainter, so that they do not hide the data.
    const MAX_OPAQUE_LINES: f64 = 20.0;
    let lines = visible_markers(figure, &layout.time);
    let labels = labels(&lines, layout.lanes, layout.plot_right(), layout.spacing.marker_label);
    let marks = labels.iter().zip(&lines).map(|(label, line)| draw_marker(label.as_ref(), line, layout, palette));
    let opacity = Px((MAX_OPAQUE_LINES / lines.len().max(1) as f64).clamp(0.1, 1.0));
    Element::group("markers", marks).with("stroke-opacity", opacity)
}

/// The lines of the markers. Markers at the same pixel share a line.
fn visible_markers(figure: &Figure, time: &Scale) -> Vec<MarkerLine> {
    let mut lines: Vec<MarkerLine> = Vec::new();
    for Marker { time: time_secs, name } in &figure.markers {
        let time_secs = f64::from(*time_secs);
        let x = time.pixel(time_secs);
        match lines.last_mut().filter(|last| x - last.x < MIN_STEP_PX) {
            Some(last) if last.name.len() > MAX_LABEL_CHARS => {}
            Some(last) => last.name.extend([", ", name]),
            None => lines.push(MarkerLine { x, time_secs, name: name.clone() }),
        }
    }
    lines
}

fn draw_marker(label: Option<&MarkerLabel>, marker: &MarkerLine, layout: &Layout, palette: &Palette) -> Element {
    let lane = label.map_or(layout.lanes, |label| label.lane);
    let font = layout.spacing.marker_label;
    let top = layout.lanes_top + layout.spacing.lane * lane as f64;
    let line =
        line_element([marker.x, top], [marker.x, layout.bottom], palette.rule, 1.0).with("stroke-dasharray", "3 3");
    let name: String = marker.name.chars().take(MAX_LABEL_CHARS).collect();
    let title = Element::new("title").with_text(&format!("{} s: {name}", marker.time_secs));
    let text = label.map(|label| text_element(&label.text, [label.start, top + 0.82 * font.size], font, palette.text));
    Element::group("marker", [title, line].into_iter().chain(text))
}

/// The number of lanes, up to `max`, that is needed for as many complete names as possible.
pub(super) fn lanes(figure: &Figure, time: &Scale, font: Font, max: usize) -> usize {
    let lines = visible_markers(figure, time);
    let complete_count = |lanes: usize| {
        let labels = labels(&lines, lanes, time.pixels[1], font).into_iter().zip(&lines);
        labels.filter(|(label, line)| label.as_ref().is_some_and(|label| label.text == line.name)).count()
    };
    let best = complete_count(max);
    if lines.is_empty() { 0 } else { (1..max).find(|lanes| complete_count(*lanes) == best).unwrap_or(max) }
}

fn labels(lines: &[MarkerLine], lanes: usize, right: f64, font: Font) -> Vec<Option<MarkerLabel>> {
    let mut lanes = LabelLanes { labels: Vec::with_capacity(lines.len()), last: vec![None; lanes], right, font };
    lines.iter().for_each(|line| lanes.add(line));
    lanes.labels
}

/// Assigns names to lanes so that no line of another marker crosses them. A line runs down from its name, so all lower
/// lanes must be free as well.
struct LabelLanes {
    /// The label of each line, if there is space for it.
    labels: Vec<Option<MarkerLabel>>,
    /// The last label in each lane, top lane first.
    last: Vec<Option<usize>>,
    right: f64,
    font: Font,
}

impl LabelLanes {
    fn add(&mut self, line: &MarkerLine) {
        let full_name = self.font.ellipsize(&line.name, MAX_NAME_PX);
        let available = self.right - line.x - INDENT_PX;
        let label = if self.font.width(&full_name) <= available {
            self.place_right(line.x, full_name)
        } else if let Some(label) = self.place_left(line.x, &full_name) {
            Some(label)
        } else if available >= MIN_NAME_PX {
            self.place_right(line.x, self.font.ellipsize(&full_name, available))
        } else {
            None
        };
        if let Some(label) = &label {
            self.last[label.lane] = Some(self.labels.len());
        }
        self.labels.push(label);
    }

    /// Places a name to the right of its line.
    fn place_right(&mut self, x: f64, text: String) -> Option<MarkerLabel> {
        let lane = self.free_lane(x).or_else(|| self.shorten_for(x))?;
        let start = x + INDENT_PX;
        (!text.is_empty()).then(|| MarkerLabel { lane, start, end: start + self.font.width(&text), text })
    }

    /// Places a name to the left of its line, for lines at the end. It is in the first lane, where no line passes.
    fn place_left(&mut self, x: f64, text: &str) -> Option<MarkerLabel> {
        let end = x - INDENT_PX;
        let start = end - self.font.width(text);
        let is_free = self.free_lane(x) == Some(0) && self.can_shorten(0, start - GAP_PX);
        (is_free && start >= 0.0).then(|| {
            self.shorten(0, start - GAP_PX);
            MarkerLabel { lane: 0, start, end, text: text.to_owned() }
        })
    }

    /// The topmost lane such that it and all lower lanes are free.
    fn free_lane(&self, x: f64) -> Option<usize> {
        let is_taken = |lane: &usize| self.last_label(*lane).is_some_and(|label| label.end + GAP_PX > x);
        let free = (0..self.last.len()).rfind(is_taken).map_or(0, |taken| taken + 1);
        (free < self.last.len()).then_some(free)
    }

    /// The topmost lane such that it and all lower lanes can be freed by shortening names; shortens these.
    fn shorten_for(&mut self, x: f64) -> Option<usize> {
        let lanes = 0..self.last.len();
        let free = lanes.clone().rfind(|lane| !self.can_shorten(*lane, x - GAP_PX)).map_or(0, |taken| taken + 1);
        (free..lanes.end).for_each(|lane| self.shorten(lane, x - GAP_PX));
        lanes.contains(&free).then_some(free)
    }

    fn last_label(&self, lane: usize) -> Option<&MarkerLabel> {
        self.labels[self.last[lane]?].as_ref()
    }

    /// Whether enough of the last name in a lane remains if it ends at `end`.
    fn can_shorten(&self, lane: usize, end: f64) -> bool {
        self.last_label(lane).is_none_or(|label| label.end <= end || end - label.start >= MIN_NAME_PX)
    }

    fn shorten(&mut self, lane: usize, end: f64) {
        let Some(label) = self.last[lane].and_then(|last| self.labels[last].as_mut()) else { return };
        if label.end > end {
            label.text = self.font.ellipsize(&label.text, end - label.start);
            label.end = label.start + self.font.width(&label.text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FONT: Font = Font::plain(10.0);

    /// A line and its label.
    type Placed = (f64, Option<MarkerLabel>);

    fn place_labels(positions: &[(f64, &str)], lanes: usize) -> Vec<Placed> {
        let line = |(x, name): &(f64, &str)| MarkerLine { x: *x, time_secs: *x, name: (*name).to_owned() };
        let lines: Vec<_> = positions.iter().map(line).collect();
        lines.iter().map(|line| line.x).zip(labels(&lines, lanes, 1000.0, FONT)).collect()
    }

    #[test]
    fn names_do_not_overlap_lines() {
        for (step, lanes) in
            [2.0, 7.0, 20.0, 33.3, 60.0, 120.0].into_iter().flat_map(|step| [1, 2, 3, 5].map(|lanes| (step, lanes)))
        {
            let count = (1000.0 / step) as u32;
            let positions: Vec<_> = (0..count).map(|n| (f64::from(n) * step, "right releases")).collect();
            check(&place_labels(&positions, lanes));
        }
    }

    fn check(labels: &[Placed]) {
        for label in labels.iter().filter_map(|(_, label)| label.as_ref()) {
            assert!(label.start >= 0.0 && label.end <= 1000.0, "{label:?}");
            assert!((label.start + FONT.width(&label.text) - label.end).abs() < 1e-9, "{label:?}");
            let passes = |(x, other): &&Placed| {
                let crosses_lane = other.as_ref().is_some_and(|other| other.lane <= label.lane);
                crosses_lane && label.start <= *x && *x <= label.end
            };
            assert_eq!(labels.iter().find(passes), None, "goes through {label:?}");
        }
        let named = labels.iter().filter(|(_, label)| label.is_some()).count();
        assert!(named >= labels.len().min(6), "{named} of {} have names", labels.len());
    }

    #[test]
    fn distant_names_are_complete_and_in_the_top_lane() {
        let labels = place_labels(&[(10.0, "sat down"), (300.0, "grabbed the cup"), (700.0, "stood up")], 3);
        let names: Vec<_> = labels
            .iter()
            .filter_map(|(_, label)| label.as_ref())
            .map(|label| (label.lane, label.text.as_str()))
            .collect();
        assert_eq!(names, [(0, "sat down"), (0, "grabbed the cup"), (0, "stood up")]);
    }

    #[test]
    fn name_at_the_end_is_left_of_its_line() {
        let labels = place_labels(&[(900.0, "puts it down again"), (998.0, "stop")], 2);
        check(&labels);
        let texts: Vec<_> =
            labels.iter().filter_map(|(_, label)| label.as_ref()).map(|label| label.text.as_str()).collect();
        assert_eq!(texts[1], "stop");
        assert!(texts[0].starts_with("puts it") && texts[0].ends_with('…'), "{texts:?}");
    }
}
