//! Markers: lines through all panels, with names above that do not overlap.

use super::layout::Layout;
use super::panel::line_element;
use super::scale::Scale;
use super::text::Font;
use super::text_element;
use super::theme::Palette;
use super::xml::{Element, Px};
use crate::plot::figure::{Figure, MarkerAnnotation};

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

/// A line with an optional name.
#[derive(Debug, PartialEq)]
struct MarkerLabel {
    x: f64,
    name: Option<LabelText>,
}

#[derive(Debug, PartialEq)]
struct LabelText {
    lane: usize,
    text: String,
    start: f64,
    end: f64,
}

pub(super) fn draw(figure: &Figure, layout: &Layout, palette: &Palette) -> Element {
    /// With more lines than this they are drawn fainter, so that they do not hide the data.
    const MAX_OPAQUE_LINES: f64 = 20.0;
    let lines = visible_markers(figure, &layout.time);
    let labels = labels(&lines, layout.lanes, layout.plot_right(), layout.spacing.mark);
    let marks = labels.iter().zip(&lines).map(|(label, line)| draw_marker(label, line, layout, palette));
    let opacity = Px((MAX_OPAQUE_LINES / lines.len().max(1) as f64).clamp(0.1, 1.0));
    Element::group("markers", marks).with("stroke-opacity", opacity)
}

/// The lines of the markers. Markers at the same pixel share a line.
fn visible_markers(figure: &Figure, time: &Scale) -> Vec<MarkerLine> {
    let mut lines: Vec<MarkerLine> = Vec::new();
    for MarkerAnnotation { time: time_secs, name } in &figure.annotations {
        let x = time.pixel(*time_secs);
        match lines.last_mut().filter(|last| x - last.x < MIN_STEP_PX) {
            Some(last) if last.name.len() > MAX_LABEL_CHARS => {}
            Some(last) => last.name.extend([", ", name]),
            None => lines.push(MarkerLine { x, time_secs: *time_secs, name: name.clone() }),
        }
    }
    lines
}

fn draw_marker(label: &MarkerLabel, marker: &MarkerLine, layout: &Layout, palette: &Palette) -> Element {
    let lane = label.name.as_ref().map_or(layout.lanes, |name| name.lane);
    let font = layout.spacing.mark;
    let top = layout.lanes_top + layout.spacing.lane * lane as f64;
    let line =
        line_element([label.x, top], [label.x, layout.bottom], palette.rule, 1.0).with("stroke-dasharray", "3 3");
    let name: String = marker.name.chars().take(MAX_LABEL_CHARS).collect();
    let title = Element::new("title").with_text(&format!("{} s: {name}", marker.time_secs));
    let text = label
        .name
        .as_ref()
        .map(|name| text_element(&name.text, [name.start, top + 0.82 * font.size], font, palette.text));
    Element::group("marker", [title, line].into_iter().chain(text))
}

/// The number of lanes, up to `max`, that is needed for as many complete names as possible.
pub(super) fn lanes(figure: &Figure, time: &Scale, font: Font, max: usize) -> usize {
    let lines = visible_markers(figure, time);
    let is_complete =
        |label: &MarkerLabel, line: &MarkerLine| label.name.as_ref().is_some_and(|name| name.text == line.name);
    let complete_count = |lanes: usize| {
        let labels = labels(&lines, lanes, time.pixels[1], font);
        labels.iter().zip(&lines).filter(|(label, line)| is_complete(label, line)).count()
    };
    let best = complete_count(max);
    if lines.is_empty() { 0 } else { (1..max).find(|lanes| complete_count(*lanes) == best).unwrap_or(max) }
}

fn labels(lines: &[MarkerLine], lanes: usize, right: f64, font: Font) -> Vec<MarkerLabel> {
    let mut lanes = LabelLanes { labels: Vec::with_capacity(lines.len()), last: vec![None; lanes], right, font };
    lines.iter().for_each(|line| lanes.add(line));
    lanes.labels
}

/// Assigns names to lanes so that no line of another marker crosses them. A line runs down from its name, so all lower
/// lanes must be free as well.
struct LabelLanes {
    labels: Vec<MarkerLabel>,
    /// The last label with a name in each lane, top lane first.
    last: Vec<Option<usize>>,
    right: f64,
    font: Font,
}

impl LabelLanes {
    fn add(&mut self, line: &MarkerLine) {
        let full_name = self.font.ellipsize(&line.name, MAX_NAME_PX);
        let available = self.right - line.x - INDENT_PX;
        let name = if self.font.width(&full_name) <= available {
            self.place_right(line.x, full_name)
        } else if let Some(name) = self.place_left(line.x, &full_name) {
            Some(name)
        } else if available >= MIN_NAME_PX {
            self.place_right(line.x, self.font.ellipsize(&full_name, available))
        } else {
            None
        };
        if let Some(name) = &name {
            self.last[name.lane] = Some(self.labels.len());
        }
        self.labels.push(MarkerLabel { x: line.x, name });
    }

    /// Places a name to the right of its line.
    fn place_right(&mut self, x: f64, text: String) -> Option<LabelText> {
        let lane = self.free_lane(x).or_else(|| self.shorten_for(x))?;
        let start = x + INDENT_PX;
        (!text.is_empty()).then(|| LabelText { lane, start, end: start + self.font.width(&text), text })
    }

    /// Places a name to the left of its line, for lines at the end. It is in the first lane, where no line passes.
    fn place_left(&mut self, x: f64, text: &str) -> Option<LabelText> {
        let end = x - INDENT_PX;
        let start = end - self.font.width(text);
        let is_free = self.free_lane(x) == Some(0) && self.can_shorten(0, start - GAP_PX);
        (is_free && start >= 0.0).then(|| {
            self.shorten(0, start - GAP_PX);
            LabelText { lane: 0, start, end, text: text.to_owned() }
        })
    }

    /// The topmost lane such that it and all lower lanes are free.
    fn free_lane(&self, x: f64) -> Option<usize> {
        let is_taken = |lane: &usize| self.last_name(*lane).is_some_and(|name| name.end + GAP_PX > x);
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

    fn last_name(&self, lane: usize) -> Option<&LabelText> {
        self.labels[self.last[lane]?].name.as_ref()
    }

    /// Whether enough of the last name in a lane remains if it ends at `end`.
    fn can_shorten(&self, lane: usize, end: f64) -> bool {
        self.last_name(lane).is_none_or(|name| name.end <= end || end - name.start >= MIN_NAME_PX)
    }

    fn shorten(&mut self, lane: usize, end: f64) {
        let Some(name) = self.last[lane].and_then(|label| self.labels[label].name.as_mut()) else { return };
        if name.end > end {
            name.text = self.font.ellipsize(&name.text, end - name.start);
            name.end = name.start + self.font.width(&name.text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FONT: Font = Font::plain(10.0);

    fn place_labels(positions: &[(f64, &str)], lanes: usize) -> Vec<MarkerLabel> {
        let line = |(x, name): &(f64, &str)| MarkerLine { x: *x, time_secs: *x, name: (*name).to_owned() };
        let lines: Vec<_> = positions.iter().map(line).collect();
        labels(&lines, lanes, 1000.0, FONT)
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

    fn check(labels: &[MarkerLabel]) {
        for label in labels.iter().filter(|label| label.name.is_some()) {
            let Some(name) = &label.name else { continue };
            assert!(name.start >= 0.0 && name.end <= 1000.0, "{label:?}");
            assert!((name.start + FONT.width(&name.text) - name.end).abs() < 1e-9, "{label:?}");
            let passes = |other: &&MarkerLabel| {
                let crosses_lane = other.name.as_ref().is_some_and(|other| other.lane <= name.lane);
                crosses_lane && name.start <= other.x && other.x <= name.end
            };
            assert_eq!(labels.iter().find(passes), None, "goes through {label:?}");
        }
        let named = labels.iter().filter(|label| label.name.is_some()).count();
        assert!(named >= labels.len().min(6), "{named} of {} have names", labels.len());
    }

    #[test]
    fn distant_names_are_complete_and_in_the_top_lane() {
        let labels = place_labels(&[(10.0, "sat down"), (300.0, "grabbed the cup"), (700.0, "stood up")], 3);
        let names: Vec<_> =
            labels.iter().filter_map(|label| label.name.as_ref()).map(|name| (name.lane, name.text.as_str())).collect();
        assert_eq!(names, [(0, "sat down"), (0, "grabbed the cup"), (0, "stood up")]);
    }

    #[test]
    fn name_at_the_end_is_left_of_its_line() {
        let labels = place_labels(&[(900.0, "puts it down again"), (998.0, "stop")], 2);
        check(&labels);
        let texts: Vec<_> =
            labels.iter().filter_map(|label| label.name.as_ref()).map(|name| name.text.as_str()).collect();
        assert_eq!(texts[1], "stop");
        assert!(texts[0].starts_with("puts it") && texts[0].ends_with('…'), "{texts:?}");
    }
}
