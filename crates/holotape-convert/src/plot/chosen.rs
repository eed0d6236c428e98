//! The curves that somebody asked for, as they are.

use holotape::{CurveId, CurveRef, Hand, Recording, Result};

use super::course::{self, Interval};
use super::figure::{Band, Content, Ink, Line, Look, Panel, Row, Unit};
use super::pattern;
use super::span::Span;

/// More lines than this in one panel nobody can tell apart.
const MOST_LINES: usize = 8;

/// Curves that share a panel, what is above it, and what each is called there.
#[derive(Debug)]
struct Sheet {
    title: String,
    unit: Unit,
    curves: Vec<(CurveId, String)>,
}

/// What the curves of a panel have in common.
#[derive(Debug, PartialEq)]
enum Common {
    /// They are parts of one vector: `right.IndexTip`, `position`.
    Vector(String, String),
    /// They are the same part of several, there to be compared: `position`, `y`.
    Part(String, String),
}

/// The name of a curve of numbers, in parts: `right.IndexTip`, `position`, `y`.
struct Parts {
    owner: String,
    vector: String,
    component: String,
}

/// Panels of the curves that fit the patterns, in the order of the file, flags last.
pub(super) fn panels(recording: &Recording, patterns: &[String], span: Span, steps: usize) -> Result<Vec<Panel>> {
    let chosen = pattern::choose(recording, patterns)?;
    let view = View::new(recording, span, steps);
    let (flags, numbers): (Vec<_>, Vec<_>) = chosen.into_iter().partition(|id| id.is_bool());
    let lines = sheets(&numbers).into_iter().map(|Sheet { title, unit, curves }| {
        let lines = curves.into_iter().enumerate().filter_map(|(n, (id, name))| view.line(id, name, n));
        Panel { title, unit, least_range: 0.0, content: Content::Lines(lines.collect()) }
    });
    let bands = (!flags.is_empty()).then(|| {
        let rows = flags.into_iter().filter_map(|id| view.row(id)).collect();
        Panel { title: "Flags".to_owned(), unit: Unit::Flag, least_range: 0.0, content: Content::Bands(rows) }
    });
    Ok(lines.chain(bands).collect())
}

/// Which curves share a panel: parts of one vector, and of vectors of which only one part was asked for, those with the
/// same part.
fn sheets(ids: &[CurveId]) -> Vec<Sheet> {
    let mut sheets: Vec<(Common, Vec<CurveId>)> = Vec::new();
    for members in ids.chunk_by(|a, b| Parts::of(*a).is_with(&Parts::of(*b))) {
        let Parts { owner, vector, component } = Parts::of(members[0]);
        let common = if members.len() == 1 { Common::Part(vector, component) } else { Common::Vector(owner, vector) };
        match sheets.iter_mut().find(|(other, _)| *other == common) {
            Some((_, others)) => others.extend(members),
            None => sheets.push((common, members.to_vec())),
        }
    }
    sheets.into_iter().flat_map(|(common, ids)| Sheet::of(&common, &ids)).collect()
}

impl Sheet {
    fn of(common: &Common, ids: &[CurveId]) -> Vec<Self> {
        // Panels with about as many lines each, so that ten tips are five and five.
        let most = ids.len().div_ceil(ids.len().div_ceil(MOST_LINES));
        let sheet = |ids: &[CurveId]| {
            let first = Parts::of(ids[0]);
            let unit = if ["position", "origin"].contains(&first.vector.as_str()) { Unit::Metres } else { Unit::Share };
            let is_compared = matches!(common, Common::Part(..)) && ids.len() > 1;
            let (title, name): (_, fn(Parts) -> String) = if is_compared {
                (format!("{}.{}", first.vector, first.component), |parts| parts.owner)
            } else {
                (format!("{}.{}", first.owner, first.vector), |parts| parts.component)
            };
            Self { title, unit, curves: ids.iter().map(|id| (*id, name(Parts::of(*id)))).collect() }
        };
        ids.chunks(most).map(sheet).collect()
    }
}

impl Parts {
    fn of(id: CurveId) -> Self {
        let name = id.to_string();
        let (rest, component) = name.rsplit_once('.').unwrap_or_default();
        let (owner, vector) = rest.rsplit_once('.').unwrap_or_default();
        Self { owner: owner.to_owned(), vector: vector.to_owned(), component: component.to_owned() }
    }

    /// Whether both are parts of one vector.
    fn is_with(&self, other: &Self) -> bool {
        (&self.owner, &self.vector) == (&other.owner, &other.vector)
    }
}

/// A recording, the time to show, and when which hand was seen in it.
struct View<'a> {
    recording: &'a Recording,
    span: Span,
    steps: usize,
    tracked: [Vec<Interval>; 2],
}

impl<'a> View<'a> {
    fn new(recording: &'a Recording, span: Span, steps: usize) -> Self {
        let tracked = Hand::ALL.map(|hand| course::intervals(&recording.hand(hand).tracked, span, steps));
        Self { recording, span, steps, tracked }
    }

    fn line(&self, id: CurveId, name: String, nth: usize) -> Option<Line> {
        let CurveRef::Float(curve) = self.recording.curve(id)? else { return None };
        let all = [[self.span.start, self.span.end]];
        let shown: &[Interval] = match id {
            CurveId::Joint(hand, ..) => &self.tracked[hand as usize],
            _ => &all,
        };
        let ink = ["x", "y", "z", "w"].iter().position(|axis| *axis == name).map_or(Ink::Nth(nth), |n| Ink::AXES[n]);
        let runs = course::curve_runs(curve, shown, self.span, self.steps);
        Some(Line { name, ink, runs, keys: course::key_points(curve, shown) })
    }

    fn row(&self, id: CurveId) -> Option<Row> {
        let (CurveRef::Bool(curve), CurveId::Tracked(hand) | CurveId::Pinching(hand)) = (self.recording.curve(id)?, id)
        else {
            return None;
        };
        let intervals = course::intervals(curve, self.span, self.steps);
        let band = Band { name: id.to_string(), look: Look::Front, intervals };
        Some(Row { name: id.to_string(), ink: Ink::Hand(hand), bands: vec![band] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(names: &[&str]) -> Vec<(String, Vec<String>)> {
        let ids: Vec<_> = names.iter().map(|name| name.parse().unwrap()).collect();
        let named = |sheet: Sheet| (sheet.title, sheet.curves.into_iter().map(|(_, name)| name).collect());
        sheets(&ids).into_iter().map(named).collect()
    }

    fn panel(title: &str, names: &[&str]) -> (String, Vec<String>) {
        (title.to_owned(), names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn parts_of_one_vector_share_a_panel() {
        let names =
            ["camera.position.x", "camera.position.z", "camera.rotation.w", "gaze.direction.x", "gaze.direction.y"];
        let panels = [
            panel("camera.position", &["x", "z"]),
            panel("camera.rotation", &["w"]),
            panel("gaze.direction", &["x", "y"]),
        ];
        assert_eq!(titles(&names), panels);
    }

    #[test]
    fn the_same_part_of_several_is_there_to_be_compared() {
        let names =
            ["left.Palm.position.y", "left.IndexTip.position.x", "left.IndexTip.position.y", "right.Palm.position.y"];
        let panels = [panel("position.y", &["left.Palm", "right.Palm"]), panel("left.IndexTip.position", &["x", "y"])];
        assert_eq!(titles(&names), panels);
    }

    #[test]
    fn no_panel_has_more_lines_than_can_be_told_apart() {
        let ids: Vec<_> = holotape::Joint::ALL.iter().map(|joint| format!("left.{joint}.position.z")).collect();
        let panels = titles(&ids.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(panels.iter().map(|(_, names)| names.len()).collect::<Vec<_>>(), [7, 7, 7, 6]);
    }
}
