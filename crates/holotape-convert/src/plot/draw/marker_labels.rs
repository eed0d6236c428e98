//! Markers: lines through all panels, and names above that do not run into each other.

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
/// A name is not shortened to less than this.
const MIN_NAME_PX: f64 = 50.0;
const MAX_NAME_PX: f64 = 150.0;
/// Lines nearer than this are one.
const MIN_STEP_PX: f64 = 1.0;
/// A name that goes on for longer nobody reads under a pointer.
const MAX_LABEL_CHARS: usize = 200;

/// What is worth a line.
#[derive(Debug)]
struct MarkerLine {
    x: f64,
    time_secs: f64,
    name: String,
}

/// A line in the picture.
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
    /// More lines than this would hide what they are about if they were not fainter.
    const MANY: f64 = 20.0;
    let seen = visible_markers(figure, &layout.time);
    let flags = flags(&seen, layout.lanes, layout.plot_right(), layout.spacing.mark);
    let marks = flags.iter().zip(&seen).map(|(flag, spot)| draw_flag(flag, spot, layout, palette));
    let opacity = Px((MANY / seen.len().max(1) as f64).clamp(0.1, 1.0));
    Element::group("markers", marks).with("stroke-opacity", opacity)
}

/// What there is to see of the markers. Those that would fall on one line share it.
fn visible_markers(figure: &Figure, time: &Scale) -> Vec<MarkerLine> {
    let mut seen: Vec<MarkerLine> = Vec::new();
    for MarkerAnnotation { time: time_secs, name } in &figure.marks {
        let x = time.place(*time_secs);
        match seen.last_mut().filter(|last| x - last.x < MIN_STEP_PX) {
            Some(last) if last.name.len() > MAX_LABEL_CHARS => {}
            Some(last) => last.name.extend([", ", name]),
            None => seen.push(MarkerLine { x, time_secs: *time_secs, name: name.clone() }),
        }
    }
    seen
}

fn draw_flag(flag: &MarkerLabel, spot: &MarkerLine, layout: &Layout, palette: &Palette) -> Element {
    let lane = flag.name.as_ref().map_or(layout.lanes, |name| name.lane);
    let chars = layout.spacing.mark;
    let top = layout.lanes_top + layout.spacing.lane * lane as f64;
    let line = line_element([flag.x, top], [flag.x, layout.bottom], palette.rule, 1.0).with("stroke-dasharray", "3 3");
    let name: String = spot.name.chars().take(MAX_LABEL_CHARS).collect();
    let title = Element::new("title").with_text(&format!("{} s: {name}", spot.time_secs));
    let words = flag
        .name
        .as_ref()
        .map(|name| text_element(&name.text, [name.start, top + 0.82 * chars.size], chars, palette.text));
    Element::group("marker", [title, line].into_iter().chain(words))
}

/// How many lanes it takes for as many names to be whole as can be with `most` of them.
pub(super) fn lanes(figure: &Figure, time: &Scale, chars: Font, most: usize) -> usize {
    let seen = visible_markers(figure, time);
    let is_whole =
        |flag: &MarkerLabel, spot: &MarkerLine| flag.name.as_ref().is_some_and(|name| name.text == spot.name);
    let whole_count = |lanes: usize| {
        let flags = flags(&seen, lanes, time.places[1], chars);
        flags.iter().zip(&seen).filter(|(flag, spot)| is_whole(flag, spot)).count()
    };
    let best = whole_count(most);
    if seen.is_empty() { 0 } else { (1..most).find(|lanes| whole_count(*lanes) == best).unwrap_or(most) }
}

fn flags(seen: &[MarkerLine], lanes: usize, right: f64, chars: Font) -> Vec<MarkerLabel> {
    let mut lanes = LabelLanes { flags: Vec::with_capacity(seen.len()), last: vec![None; lanes], right, chars };
    seen.iter().for_each(|spot| lanes.add(spot));
    lanes.flags
}

/// Gives names to lanes so that no line of another marker goes through them. A line comes down from its name, so all
/// lanes from there on have to be free.
struct LabelLanes {
    flags: Vec<MarkerLabel>,
    /// The last flag with a name in each lane, the upper ones first.
    last: Vec<Option<usize>>,
    right: f64,
    chars: Font,
}

impl LabelLanes {
    fn add(&mut self, spot: &MarkerLine) {
        let whole = self.chars.ellipsize(&spot.name, MAX_NAME_PX);
        let room = self.right - spot.x - INDENT_PX;
        let name = if self.chars.width(&whole) <= room {
            self.place_right(spot.x, whole)
        } else if let Some(name) = self.place_left(spot.x, &whole) {
            Some(name)
        } else if room >= MIN_NAME_PX {
            self.place_right(spot.x, self.chars.ellipsize(&whole, room))
        } else {
            None
        };
        if let Some(name) = &name {
            self.last[name.lane] = Some(self.flags.len());
        }
        self.flags.push(MarkerLabel { x: spot.x, name });
    }

    /// A name to the right of its line.
    fn place_right(&mut self, x: f64, text: String) -> Option<LabelText> {
        let lane = self.free_lane(x).or_else(|| self.shorten_for(x))?;
        let start = x + INDENT_PX;
        (!text.is_empty()).then(|| LabelText { lane, start, end: start + self.chars.width(&text), text })
    }

    /// A name to the left of its line, for those at the end. It is in the first lane, where no line passes.
    fn place_left(&mut self, x: f64, text: &str) -> Option<LabelText> {
        let end = x - INDENT_PX;
        let start = end - self.chars.width(text);
        let is_free = self.free_lane(x) == Some(0) && self.can_shorten(0, start - GAP_PX);
        (is_free && start >= 0.0).then(|| {
            self.end(0, start - GAP_PX);
            LabelText { lane: 0, start, end, text: text.to_owned() }
        })
    }

    /// The uppermost lane from which on nothing is in the way.
    fn free_lane(&self, x: f64) -> Option<usize> {
        let is_taken = |lane: &usize| self.last_name(*lane).is_some_and(|name| name.end + GAP_PX > x);
        let free = (0..self.last.len()).rfind(is_taken).map_or(0, |taken| taken + 1);
        (free < self.last.len()).then_some(free)
    }

    /// The uppermost lane from which on all names can be shortened so that they end before a place, and shortens them.
    fn shorten_for(&mut self, x: f64) -> Option<usize> {
        let lanes = 0..self.last.len();
        let free = lanes.clone().rfind(|lane| !self.can_shorten(*lane, x - GAP_PX)).map_or(0, |taken| taken + 1);
        (free..lanes.end).for_each(|lane| self.end(lane, x - GAP_PX));
        lanes.contains(&free).then_some(free)
    }

    fn last_name(&self, lane: usize) -> Option<&LabelText> {
        self.flags[self.last[lane]?].name.as_ref()
    }

    /// Whether enough of the last name in a lane stays if it ends at a place.
    fn can_shorten(&self, lane: usize, end: f64) -> bool {
        self.last_name(lane).is_none_or(|name| name.end <= end || end - name.start >= MIN_NAME_PX)
    }

    fn end(&mut self, lane: usize, end: f64) {
        let Some(name) = self.last[lane].and_then(|flag| self.flags[flag].name.as_mut()) else { return };
        if name.end > end {
            name.text = self.chars.ellipsize(&name.text, end - name.start);
            name.end = name.start + self.chars.width(&name.text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: Font = Font::plain(10.0);

    fn placed(places: &[(f64, &str)], lanes: usize) -> Vec<MarkerLabel> {
        let spot = |(x, name): &(f64, &str)| MarkerLine { x: *x, time_secs: *x, name: (*name).to_owned() };
        let seen: Vec<_> = places.iter().map(spot).collect();
        flags(&seen, lanes, 1000.0, LETTERS)
    }

    #[test]
    fn names_do_not_run_into_lines() {
        for (step, lanes) in
            [2.0, 7.0, 20.0, 33.3, 60.0, 120.0].into_iter().flat_map(|step| [1, 2, 3, 5].map(|lanes| (step, lanes)))
        {
            let count = (1000.0 / step) as u32;
            let places: Vec<_> = (0..count).map(|n| (f64::from(n) * step, "right releases")).collect();
            check(&placed(&places, lanes));
        }
    }

    fn check(flags: &[MarkerLabel]) {
        for flag in flags.iter().filter(|flag| flag.name.is_some()) {
            let Some(name) = &flag.name else { continue };
            assert!(name.start >= 0.0 && name.end <= 1000.0, "{flag:?}");
            assert!((name.start + LETTERS.width(&name.text) - name.end).abs() < 1e-9, "{flag:?}");
            let passes = |other: &&MarkerLabel| {
                let comes_by = other.name.as_ref().is_some_and(|other| other.lane <= name.lane);
                comes_by && name.start <= other.x && other.x <= name.end
            };
            assert_eq!(flags.iter().find(passes), None, "goes through {flag:?}");
        }
        let named = flags.iter().filter(|flag| flag.name.is_some()).count();
        assert!(named >= flags.len().min(6), "{named} of {} have names", flags.len());
    }

    #[test]
    fn names_far_apart_are_whole_and_on_top() {
        let flags = placed(&[(10.0, "sat down"), (300.0, "grabbed the cup"), (700.0, "stood up")], 3);
        let names: Vec<_> =
            flags.iter().filter_map(|flag| flag.name.as_ref()).map(|name| (name.lane, name.text.as_str())).collect();
        assert_eq!(names, [(0, "sat down"), (0, "grabbed the cup"), (0, "stood up")]);
    }

    #[test]
    fn a_name_at_the_end_is_before_its_line() {
        let flags = placed(&[(900.0, "puts it down again"), (998.0, "stop")], 2);
        check(&flags);
        let texts: Vec<_> = flags.iter().filter_map(|flag| flag.name.as_ref()).map(|name| name.text.as_str()).collect();
        assert_eq!(texts[1], "stop");
        assert!(texts[0].starts_with("puts it") && texts[0].ends_with('…'), "{texts:?}");
    }
}
