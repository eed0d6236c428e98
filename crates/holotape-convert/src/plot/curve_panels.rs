//! The curves that somebody asked for, as they are.

use holotape::{CurveId, CurveRef, Hand, Recording, Result};

use super::figure::{Band, BandStyle, Content, Line, Panel, Row, SeriesColor, Unit};
use super::pattern;
use super::polyline::{self, TimeSpan};
use super::span::Span;

/// More lines than this in one panel nobody can tell apart.
const MAX_LINES: usize = 8;

/// Curves that share a panel, what is above it, and what each is called there.
#[derive(Debug)]
struct PanelCurves {
    title: String,
    unit: Unit,
    curves: Vec<(CurveId, String)>,
}

/// What the curves of a panel have in common.
#[derive(Debug, PartialEq)]
enum PanelKey {
    /// They are parts of one vector: `right.IndexTip`, `position`.
    Vector(String, String),
    /// They are the same part of several, there to be compared: `position`, `y`.
    Part(String, String),
}

/// The name of a curve of numbers, in parts: `right.IndexTip`, `position`, `y`.
struct CurveNameParts {
    owner: String,
    vector: String,
    component: String,
}

/// Panels of the curves that fit the patterns, in the order of the file, flags last.
pub(super) fn panels(recording: &Recording, patterns: &[String], span: Span, steps: usize) -> Result<Vec<Panel>> {
    let chosen = pattern::select_matching(recording, patterns)?;
    let view = PlotContext::new(recording, span, steps);
    let (flags, numbers): (Vec<_>, Vec<_>) = chosen.into_iter().partition(|id| id.is_bool());
    let lines = group_into_panels(&numbers).into_iter().map(|PanelCurves { title, unit, curves }| {
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
fn group_into_panels(ids: &[CurveId]) -> Vec<PanelCurves> {
    let mut sheets: Vec<(PanelKey, Vec<CurveId>)> = Vec::new();
    for members in ids.chunk_by(|a, b| CurveNameParts::of(*a).is_same_vector(&CurveNameParts::of(*b))) {
        let CurveNameParts { owner, vector, component } = CurveNameParts::of(members[0]);
        let common =
            if members.len() == 1 { PanelKey::Part(vector, component) } else { PanelKey::Vector(owner, vector) };
        match sheets.iter_mut().find(|(other, _)| *other == common) {
            Some((_, others)) => others.extend(members),
            None => sheets.push((common, members.to_vec())),
        }
    }
    sheets.into_iter().flat_map(|(common, ids)| PanelCurves::of(&common, &ids)).collect()
}

impl PanelCurves {
    fn of(common: &PanelKey, ids: &[CurveId]) -> Vec<Self> {
        // Panels with about as many lines each, so that ten tips are five and five.
        let most = ids.len().div_ceil(ids.len().div_ceil(MAX_LINES));
        let sheet = |ids: &[CurveId]| {
            let first = CurveNameParts::of(ids[0]);
            let unit = if ["position", "origin"].contains(&first.vector.as_str()) { Unit::Metres } else { Unit::Share };
            let is_compared = matches!(common, PanelKey::Part(..)) && ids.len() > 1;
            let (title, name): (_, fn(CurveNameParts) -> String) = if is_compared {
                (format!("{}.{}", first.vector, first.component), |parts| parts.owner)
            } else {
                (format!("{}.{}", first.owner, first.vector), |parts| parts.component)
            };
            Self { title, unit, curves: ids.iter().map(|id| (*id, name(CurveNameParts::of(*id)))).collect() }
        };
        ids.chunks(most).map(sheet).collect()
    }
}

impl CurveNameParts {
    fn of(id: CurveId) -> Self {
        let name = id.to_string();
        let (rest, component) = name.rsplit_once('.').unwrap_or_default();
        let (owner, vector) = rest.rsplit_once('.').unwrap_or_default();
        Self { owner: owner.to_owned(), vector: vector.to_owned(), component: component.to_owned() }
    }

    /// Whether both are parts of one vector.
    fn is_same_vector(&self, other: &Self) -> bool {
        (&self.owner, &self.vector) == (&other.owner, &other.vector)
    }
}

/// A recording, the time to show, and when which hand was seen in it.
struct PlotContext<'a> {
    recording: &'a Recording,
    span: Span,
    steps: usize,
    tracked: [Vec<TimeSpan>; 2],
}

impl<'a> PlotContext<'a> {
    fn new(recording: &'a Recording, span: Span, steps: usize) -> Self {
        let tracked = Hand::ALL.map(|hand| polyline::true_spans(&recording.hand(hand).tracked, span, steps));
        Self { recording, span, steps, tracked }
    }

    fn line(&self, id: CurveId, name: String, nth: usize) -> Option<Line> {
        let CurveRef::Float(curve) = self.recording.curve(id)? else { return None };
        let all = [[self.span.start, self.span.end]];
        let shown: &[TimeSpan] = match id {
            CurveId::Joint(hand, ..) => &self.tracked[hand as usize],
            _ => &all,
        };
        let ink = ["x", "y", "z", "w"]
            .iter()
            .position(|axis| *axis == name)
            .map_or(SeriesColor::Nth(nth), |n| SeriesColor::AXES[n]);
        let runs = polyline::curve_polylines(curve, shown, self.span, self.steps);
        Some(Line { name, ink, runs, keys: polyline::key_points(curve, shown) })
    }

    fn row(&self, id: CurveId) -> Option<Row> {
        let (CurveRef::Bool(curve), CurveId::Tracked(hand) | CurveId::Pinching(hand)) = (self.recording.curve(id)?, id)
        else {
            return None;
        };
        let intervals = polyline::true_spans(curve, self.span, self.steps);
        let band = Band { name: id.to_string(), look: BandStyle::Front, intervals };
        Some(Row { name: id.to_string(), ink: SeriesColor::Hand(hand), bands: vec![band] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(names: &[&str]) -> Vec<(String, Vec<String>)> {
        let ids: Vec<_> = names.iter().map(|name| name.parse().unwrap()).collect();
        let named = |sheet: PanelCurves| (sheet.title, sheet.curves.into_iter().map(|(_, name)| name).collect());
        group_into_panels(&ids).into_iter().map(named).collect()
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
