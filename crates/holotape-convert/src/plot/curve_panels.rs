//! Panels of selected curves.

use holotape::{CurveId, CurveRef, Hand, Recording, Result};

use super::figure::{Band, BandStyle, Content, Line, Panel, Row, SeriesColor, Unit};
use super::pattern;
use super::polyline::{self, TimeSpan};
use super::span::Span;

/// More lines in one panel are hard to distinguish.
const MAX_LINES: usize = 8;

/// The curves of a panel, each with its name in the legend.
#[derive(Debug)]
struct PanelCurves {
    title: String,
    unit: Unit,
    curves: Vec<(CurveId, String)>,
}

/// What the curves of a panel have in common.
#[derive(Debug, PartialEq)]
enum PanelKey {
    /// Components of one vector: `right.IndexTip`, `position`.
    Vector(String, String),
    /// The same component of several vectors: `position`, `y`.
    Component(String, String),
}

/// The parts of a float curve's name: `right.IndexTip`, `position`, `y`.
struct CurveNameParts {
    owner: String,
    vector: String,
    component: String,
}

/// Returns the panels of the curves that match the patterns, in file order, with flags last.
pub(super) fn panels(recording: &Recording, patterns: &[String], span: Span, steps: usize) -> Result<Vec<Panel>> {
    let selected = pattern::select_matching(recording, patterns)?;
    let context = PlotContext::new(recording, span, steps);
    let (flags, floats): (Vec<_>, Vec<_>) = selected.into_iter().partition(|id| id.is_bool());
    let lines = group_into_panels(&floats).into_iter().map(|PanelCurves { title, unit, curves }| {
        let lines = curves.into_iter().enumerate().filter_map(|(n, (id, name))| context.line(id, name, n));
        Panel { title, unit, min_range: 0.0, content: Content::Lines(lines.collect()) }
    });
    let bands = (!flags.is_empty()).then(|| {
        let rows = flags.into_iter().filter_map(|id| context.row(id)).collect();
        Panel { title: "Flags".to_owned(), unit: Unit::Flag, min_range: 0.0, content: Content::Bands(rows) }
    });
    Ok(lines.chain(bands).collect())
}

/// Groups the components of one vector. Single components of several vectors are grouped by component, to compare them.
fn group_into_panels(ids: &[CurveId]) -> Vec<PanelCurves> {
    let mut panels: Vec<(PanelKey, Vec<CurveId>)> = Vec::new();
    for members in ids.chunk_by(|a, b| CurveNameParts::new(*a).is_same_vector(&CurveNameParts::new(*b))) {
        let CurveNameParts { owner, vector, component } = CurveNameParts::new(members[0]);
        let key =
            if members.len() == 1 { PanelKey::Component(vector, component) } else { PanelKey::Vector(owner, vector) };
        match panels.iter_mut().find(|(other, _)| *other == key) {
            Some((_, others)) => others.extend(members),
            None => panels.push((key, members.to_vec())),
        }
    }
    panels.into_iter().flat_map(|(key, ids)| PanelCurves::split(&key, &ids)).collect()
}

impl PanelCurves {
    fn split(key: &PanelKey, ids: &[CurveId]) -> Vec<Self> {
        // Panels get about the same number of lines: ten curves make five and five.
        let max_lines = ids.len().div_ceil(ids.len().div_ceil(MAX_LINES));
        let panel = |ids: &[CurveId]| {
            let first = CurveNameParts::new(ids[0]);
            let unit =
                if ["position", "origin"].contains(&first.vector.as_str()) { Unit::Metres } else { Unit::Unitless };
            let is_compared = matches!(key, PanelKey::Component(..)) && ids.len() > 1;
            let (title, name): (_, fn(CurveNameParts) -> String) = if is_compared {
                (format!("{}.{}", first.vector, first.component), |parts| parts.owner)
            } else {
                (format!("{}.{}", first.owner, first.vector), |parts| parts.component)
            };
            Self { title, unit, curves: ids.iter().map(|id| (*id, name(CurveNameParts::new(*id)))).collect() }
        };
        ids.chunks(max_lines).map(panel).collect()
    }
}

impl CurveNameParts {
    fn new(id: CurveId) -> Self {
        let name = id.to_string();
        let (rest, component) = name.rsplit_once('.').unwrap_or_default();
        let (owner, vector) = rest.rsplit_once('.').unwrap_or_default();
        Self { owner: owner.to_owned(), vector: vector.to_owned(), component: component.to_owned() }
    }

    /// Whether both are components of one vector.
    fn is_same_vector(&self, other: &Self) -> bool {
        (&self.owner, &self.vector) == (&other.owner, &other.vector)
    }
}

/// A recording, the span to show, and the tracked spans of each hand.
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
        let color = ["x", "y", "z", "w"]
            .iter()
            .position(|axis| *axis == name)
            .map_or(SeriesColor::Nth(nth), |n| SeriesColor::AXES[n]);
        let polylines = polyline::curve_polylines(curve, shown, self.span, self.steps);
        Some(Line { name, color, polylines, keys: polyline::key_points(curve, shown) })
    }

    fn row(&self, id: CurveId) -> Option<Row> {
        let (CurveRef::Bool(curve), CurveId::Tracked(hand) | CurveId::Pinching(hand)) = (self.recording.curve(id)?, id)
        else {
            return None;
        };
        let spans = polyline::true_spans(curve, self.span, self.steps);
        let band = Band { name: id.to_string(), style: BandStyle::Foreground, spans };
        Some(Row { name: id.to_string(), color: SeriesColor::Hand(hand), bands: vec![band] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(names: &[&str]) -> Vec<(String, Vec<String>)> {
        let ids: Vec<_> = names.iter().map(|name| name.parse().unwrap()).collect();
        let named = |panel: PanelCurves| (panel.title, panel.curves.into_iter().map(|(_, name)| name).collect());
        group_into_panels(&ids).into_iter().map(named).collect()
    }

    fn panel(title: &str, names: &[&str]) -> (String, Vec<String>) {
        (title.to_owned(), names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn components_of_one_vector_share_a_panel() {
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
    fn equal_components_of_several_vectors_share_a_panel() {
        let names =
            ["left.Palm.position.y", "left.IndexTip.position.x", "left.IndexTip.position.y", "right.Palm.position.y"];
        let panels = [panel("position.y", &["left.Palm", "right.Palm"]), panel("left.IndexTip.position", &["x", "y"])];
        assert_eq!(titles(&names), panels);
    }

    #[test]
    fn panels_have_a_limited_number_of_lines() {
        let ids: Vec<_> = holotape::Joint::ALL.iter().map(|joint| format!("left.{joint}.position.z")).collect();
        let panels = titles(&ids.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(panels.iter().map(|(_, names)| names.len()).collect::<Vec<_>>(), [7, 7, 7, 6]);
    }
}
