//! Panels of selected curves.

use holotape::{CurveId, CurveRef, Hand, Recording, Result, VectorId, VectorKind};

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
    /// Components of one vector.
    Vector(VectorId),
    /// The same component of several vectors: `position.y`.
    Component(String),
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
    for members in ids.chunk_by(|a, b| VectorId::from_curve(*a) == VectorId::from_curve(*b)) {
        let key = match VectorId::from_curve(members[0]) {
            Some(vector) if members.len() > 1 => PanelKey::Vector(vector),
            _ => PanelKey::Component(split_name(members[0]).1),
        };
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
            let vector = VectorId::from_curve(ids[0]);
            let is_position = vector.is_some_and(|vector| vector.kind() == VectorKind::Position);
            let (title, name): (_, fn(CurveId) -> String) = match key {
                PanelKey::Component(component) if ids.len() > 1 => (component.clone(), |id| split_name(id).0),
                _ => (vector.map(|vector| vector.to_string()).unwrap_or_default(), component_name),
            };
            let curves = ids.iter().map(|id| (*id, name(*id))).collect();
            Self { title, unit: if is_position { Unit::Metres } else { Unit::Unitless }, curves }
        };
        ids.chunks(max_lines).map(panel).collect()
    }
}

/// The name of a float curve as owner and component: `right.IndexTip`, `position.y`.
fn split_name(id: CurveId) -> (String, String) {
    let name = id.to_string();
    let vector = name.rmatch_indices('.').nth(1).map_or(0, |(dot, _)| dot);
    (name[..vector].to_owned(), name[vector..].trim_start_matches('.').to_owned())
}

/// `x`, `y`, `z` or `w`.
fn component_name(id: CurveId) -> String {
    id.to_string().rsplit('.').next().unwrap_or_default().to_owned()
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
        let axis = ["x", "y", "z", "w"].iter().position(|axis| *axis == name);
        let color = axis.map_or(SeriesColor::Nth(nth), SeriesColor::Axis);
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
