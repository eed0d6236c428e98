//! Markers: lines through all panels, and names above that do not run into each other.

use super::layout::Layout;
use super::panel::rule;
use super::scale::Scale;
use super::text::Type;
use super::theme::Palette;
use super::words;
use super::xml::Element;
use crate::plot::figure::{Figure, Mark};

/// Between a name and the next line.
const GAP_PX: f64 = 5.0;
/// From a line to its name.
const INDENT_PX: f64 = 3.0;
/// A name is not shortened to less than this.
const LEAST_NAME_PX: f64 = 40.0;
const MOST_NAME_PX: f64 = 150.0;
/// Lines nearer than this are one.
const LEAST_STEP_PX: f64 = 1.0;
/// A name that goes on for longer nobody reads under a pointer.
const MOST_LETTERS: usize = 200;

/// What is worth a line.
#[derive(Debug)]
struct Spot {
    x: f64,
    time_secs: f64,
    name: String,
}

/// A line in the picture.
#[derive(Debug, PartialEq)]
struct Flag {
    x: f64,
    name: Option<Name>,
}

#[derive(Debug, PartialEq)]
struct Name {
    lane: usize,
    text: String,
    /// Where it ends.
    end: f64,
}

pub(super) fn draw(figure: &Figure, layout: &Layout, palette: &Palette) -> Element {
    /// So many lines must not hide what they are about.
    const MANY: usize = 20;
    let seen = seen(figure, &layout.time);
    let flags = flags(&seen, layout.lanes, layout.plot_right(), layout.spacing.mark);
    let marks = flags.iter().zip(&seen).map(|(flag, spot)| draw_flag(flag, spot, layout, palette));
    Element::group("markers", marks).with("stroke-opacity", if seen.len() > MANY { 0.5 } else { 1.0 })
}

/// What there is to see of the markers. Those that would fall on one line share it.
fn seen(figure: &Figure, time: &Scale) -> Vec<Spot> {
    let mut seen: Vec<Spot> = Vec::new();
    for Mark { time: time_secs, name } in &figure.marks {
        let x = time.place(*time_secs);
        match seen.last_mut().filter(|last| x - last.x < LEAST_STEP_PX) {
            Some(last) if last.name.len() > MOST_LETTERS => {}
            Some(last) => last.name.extend([", ", name]),
            None => seen.push(Spot { x, time_secs: *time_secs, name: name.clone() }),
        }
    }
    seen
}

fn draw_flag(flag: &Flag, spot: &Spot, layout: &Layout, palette: &Palette) -> Element {
    let lane = flag.name.as_ref().map_or(layout.lanes, |name| name.lane);
    let letters = layout.spacing.mark;
    let top = layout.lanes_top + layout.spacing.lane * lane as f64;
    let line = rule([flag.x, top], [flag.x, layout.bottom], palette.rule).with("stroke-dasharray", "3 3");
    let name: String = spot.name.chars().take(MOST_LETTERS).collect();
    let title = Element::new("title").with_text(&format!("{} s: {name}", spot.time_secs));
    let words = flag
        .name
        .as_ref()
        .map(|name| words(&name.text, [flag.x + INDENT_PX, top + 0.82 * letters.size], letters, palette.text));
    Element::group("marker", [title, line].into_iter().chain(words))
}

/// How many lanes it takes for as many names to be whole as can be with `most` of them.
pub(super) fn lanes(figure: &Figure, time: &Scale, letters: Type, most: usize) -> usize {
    let seen = seen(figure, time);
    let is_whole = |flag: &Flag, spot: &Spot| flag.name.as_ref().is_some_and(|name| name.text == spot.name);
    let whole_count = |lanes: usize| {
        let flags = flags(&seen, lanes, time.places[1], letters);
        flags.iter().zip(&seen).filter(|(flag, spot)| is_whole(flag, spot)).count()
    };
    let best = whole_count(most);
    if seen.is_empty() { 0 } else { (1..most).find(|lanes| whole_count(*lanes) == best).unwrap_or(most) }
}

/// Gives names to lanes so that no line of another marker goes through them: a line comes down from its name, so all
/// lanes from there on have to be free. If none is, names are shortened that leave enough to read.
fn flags(seen: &[Spot], lanes: usize, right: f64, letters: Type) -> Vec<Flag> {
    let mut flags: Vec<Flag> = Vec::new();
    let mut last = vec![None; lanes];
    for Spot { x, name, .. } in seen {
        let room = (right - x - INDENT_PX).min(MOST_NAME_PX);
        let text = letters.clipped(name, room);
        let is_shown = room >= LEAST_NAME_PX && !text.is_empty();
        let lane = free_lane(&flags, &last, *x).or_else(|| make_room(&mut flags, &last, *x, letters));
        let name = lane.filter(|_| is_shown).map(|lane| {
            last[lane] = Some(flags.len());
            Name { lane, end: x + INDENT_PX + letters.width(&text), text }
        });
        flags.push(Flag { x: *x, name });
    }
    flags
}

/// The uppermost lane from which on nothing is in the way.
fn free_lane(flags: &[Flag], last: &[Option<usize>], x: f64) -> Option<usize> {
    let is_taken = |flag: &Option<usize>| {
        flag.and_then(|flag| flags[flag].name.as_ref()).is_some_and(|name| name.end + GAP_PX > x)
    };
    let free = last.iter().rposition(is_taken).map_or(0, |taken| taken + 1);
    (free < last.len()).then_some(free)
}

/// The uppermost lane from which on all names can be shortened so that they end before a place, and shortens them.
fn make_room(flags: &mut [Flag], last: &[Option<usize>], x: f64, letters: Type) -> Option<usize> {
    let can_end = |flag: &Option<usize>| {
        let Some(Flag { x: start, name: Some(name) }) = flag.map(|flag| &flags[flag]) else { return true };
        name.end + GAP_PX <= x || x - GAP_PX - start - INDENT_PX >= LEAST_NAME_PX
    };
    let lane = last.iter().rposition(|flag| !can_end(flag)).map_or(0, |stays| stays + 1);
    for flag in last.get(lane..)?.iter().flatten() {
        flags[*flag].end_before(x - GAP_PX, letters);
    }
    (lane < last.len()).then_some(lane)
}

impl Flag {
    fn end_before(&mut self, end: f64, letters: Type) {
        let start = self.x + INDENT_PX;
        if let Some(name) = self.name.as_mut().filter(|name| name.end > end) {
            name.text = letters.clipped(&name.text, end - start);
            name.end = start + letters.width(&name.text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: Type = Type::plain(10.0);

    fn placed(places: &[(f64, &str)], lanes: usize) -> Vec<Flag> {
        let spot = |(x, name): &(f64, &str)| Spot { x: *x, time_secs: *x, name: (*name).to_owned() };
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
            let flags = placed(&places, lanes);
            for (n, flag) in flags.iter().enumerate() {
                let Some(name) = &flag.name else { continue };
                let end = flag.x + INDENT_PX + LETTERS.width(&name.text);
                assert!(end <= 1000.0 + 1e-9, "{flag:?}");
                let crosses =
                    |other: &&Flag| other.x < end && other.name.as_ref().is_some_and(|other| other.lane <= name.lane);
                assert_eq!(
                    flags[n + 1..].iter().find(crosses),
                    None,
                    "{flag:?} is crossed, {step} apart in {lanes} lanes"
                );
            }
            assert!(flags.iter().filter(|flag| flag.name.is_some()).count() >= 10.min(count as usize - 1));
        }
    }

    #[test]
    fn names_far_apart_are_whole_and_on_top() {
        let flags = placed(&[(10.0, "sat down"), (300.0, "grabbed the cup"), (700.0, "stood up")], 3);
        let names: Vec<_> =
            flags.iter().filter_map(|flag| flag.name.as_ref()).map(|name| (name.lane, name.text.as_str())).collect();
        assert_eq!(names, [(0, "sat down"), (0, "grabbed the cup"), (0, "stood up")]);
    }
}
