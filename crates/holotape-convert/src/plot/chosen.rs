//! The curves that somebody asked for, as they are.

use std::collections::BTreeMap;

use holotape::{CurveId, CurveRef, Hand, PosePart, RayPart, Recording, Result};

use super::course::{self, Interval};
use super::figure::{Band, Content, Ink, Line, Look, Panel, Row, Unit};
use super::pattern;
use super::span::Span;

/// More lines than this in one panel nobody can tell apart.
const MOST_LINES: usize = 8;

/// What curves are parts of: all that belongs into one panel.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Group {
    /// `right.IndexTip`, `camera`, `gaze`.
    owner: String,
    /// `position`, `rotation`, `origin`, `direction`.
    vector: &'static str,
    unit: Unit,
}

/// A curve, and what to call it.
type Named = (CurveId, String);

/// Panels of the curves that fit the patterns, in the order of the file, flags last.
pub(super) fn panels(recording: &Recording, patterns: &[String], span: Span, steps: usize) -> Result<Vec<Panel>> {
    let chosen = pattern::choose(recording, patterns)?;
    let view = View::new(recording, span, steps);
    let (flags, numbers): (Vec<_>, Vec<_>) = chosen.into_iter().partition(|id| id.is_bool());
    let lines = grouped(&numbers).into_iter().map(|(title, unit, curves)| {
        let lines = curves.into_iter().enumerate().filter_map(|(n, (id, name))| view.line(id, name, n));
        Panel { title, unit, least_range: 0.0, content: Content::Lines(lines.collect()) }
    });
    let bands = (!flags.is_empty()).then(|| {
        let rows = flags.into_iter().filter_map(|id| view.row(id)).collect();
        Panel { title: "Flags".to_owned(), unit: Unit::Flag, least_range: 0.0, content: Content::Bands(rows) }
    });
    Ok(lines.chain(bands).collect())
}

/// Which curves share a panel, and what is above it. The parts of one vector do; and of vectors of which only one part
/// was asked for, those with the same part, which are there to be compared.
fn grouped(ids: &[CurveId]) -> Vec<(String, Unit, Vec<Named>)> {
    let mut groups: Vec<(Group, Vec<CurveId>)> = Vec::new();
    for id in ids {
        let group = Group::of(*id);
        match groups.last_mut().filter(|(last, _)| *last == group) {
            Some((_, members)) => members.push(*id),
            None => groups.push((group, vec![*id])),
        }
    }
    let mut compared: BTreeMap<(Unit, String), Vec<Named>> = BTreeMap::new();
    for (group, members) in &groups {
        if let [id] = members.as_slice() {
            let part = format!("{}.{}", group.vector, component(*id));
            compared.entry((group.unit, part)).or_default().push((*id, group.owner.clone()));
        }
    }
    let mut panels = Vec::new();
    for (Group { owner, vector, unit }, members) in groups {
        let alone = members.first().filter(|_| members.len() == 1);
        let part = alone.map(|id| (unit, format!("{vector}.{}", component(*id))));
        match part.and_then(|part| Some((compared.remove(&part)?, part.1))) {
            Some((peers, part)) if peers.len() > 1 => {
                // Panels with about as many lines each, so that ten tips are five and five.
                let most = peers.len().div_ceil(peers.len().div_ceil(MOST_LINES));
                panels.extend(peers.chunks(most).map(|peers| (part.clone(), unit, peers.to_vec())));
            }
            // A peer that is drawn already.
            None if alone.is_some() => {}
            _ => {
                let named = members.iter().map(|id| (*id, component(*id).to_owned()));
                panels.push((format!("{owner}.{vector}"), unit, named.collect()));
            }
        }
    }
    panels
}

impl Group {
    fn of(id: CurveId) -> Self {
        let name = id.to_string();
        let (owner, vector, unit) = match id {
            CurveId::Camera(part) | CurveId::Joint(_, _, part) => {
                let is_position = part <= PosePart::PositionZ;
                let (vector, unit) = if is_position { ("position", Unit::Metres) } else { ("rotation", Unit::Share) };
                (name.strip_suffix(part.name()), vector, unit)
            }
            CurveId::Gaze(part) => {
                let is_origin = part <= RayPart::OriginZ;
                let (vector, unit) = if is_origin { ("origin", Unit::Metres) } else { ("direction", Unit::Share) };
                (name.strip_suffix(part.name()), vector, unit)
            }
            CurveId::Tracked(_) | CurveId::Pinching(_) => (None, "", Unit::Flag),
        };
        Self { owner: owner.unwrap_or(&name).trim_end_matches('.').to_owned(), vector, unit }
    }
}

/// `x`, `y`, `z` or `w`.
fn component(id: CurveId) -> &'static str {
    let name = match id {
        CurveId::Camera(part) | CurveId::Joint(_, _, part) => part.name(),
        CurveId::Gaze(part) => part.name(),
        CurveId::Tracked(_) | CurveId::Pinching(_) => "",
    };
    name.rsplit('.').next().unwrap_or_default()
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
        let named = |curves: Vec<Named>| curves.into_iter().map(|(_, name)| name).collect();
        grouped(&ids).into_iter().map(|(title, _, curves)| (title, named(curves))).collect()
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
