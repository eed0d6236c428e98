//! The overview panels: head, hands and gaze in readable units.

use holotape::{Frame, Hand, HandCurves, Joint, Recording, Result};

use super::figure::{Band, BandStyle, Content, Line, Panel, Row, SeriesColor, Unit};
use super::motion;
use super::polyline::{self, Point};
use super::span::Span;
use crate::Timing;

const AXES: [&str; 3] = ["x right", "y up", "z forward"];

/// Yaw rotates around y, pitch around x, roll around z: colours match the axes.
const ANGLES: [(&str, SeriesColor); 3] =
    [("yaw right", SeriesColor::Axis(1)), ("pitch up", SeriesColor::Axis(0)), ("roll right", SeriesColor::Axis(2))];

/// Returns the panels for all data in the recording.
pub(super) fn panels(recording: &Recording, span: Span, steps: usize) -> Result<Vec<Panel>> {
    let palms = Hand::ALL.map(|hand| palm(recording.hand(hand)));
    let data = OverviewData::new(recording, palms, span, steps)?;
    let palm_panels = Hand::ALL.into_iter().filter_map(|hand| data.palm(hand, palms[hand as usize]?));
    let mut panels: Vec<_> = data.head().into_iter().flatten().collect();
    panels.extend(palm_panels);
    panels.extend(data.hand_speed());
    panels.extend(flags(recording, span, steps));
    panels.extend(data.gaze());
    Ok(panels)
}

/// The joint that represents a hand: the palm if it has keys, or another one.
fn palm(hand: &HandCurves) -> Option<Joint> {
    let has_keys = |joint: &Joint| hand.joint(*joint).pose_at(0.0).is_some();
    [Joint::Palm, Joint::Wrist].into_iter().chain(Joint::ALL.into_iter().skip(1)).find(has_keys)
}

/// Head, palms and gaze, sampled; NaN while missing.
struct OverviewData {
    times: Vec<f64>,
    head: Vec<[f64; 3]>,
    head_angles: [Vec<f64>; 3],
    palms: [Vec<[f64; 3]>; 2],
    palm_keys: [Vec<f64>; 2],
    gaze_angles: [Vec<f64>; 2],
}

impl OverviewData {
    fn new(recording: &Recording, palms: [Option<Joint>; 2], span: Span, steps: usize) -> Result<Self> {
        let selected = select_curves(recording, palms);
        let times = span.times(Timing::Keys.times(&selected)?.into_iter().chain(span.steps(steps)));
        let mut data = Self {
            head: Vec::with_capacity(times.len()),
            head_angles: Default::default(),
            palms: Default::default(),
            palm_keys: Hand::ALL.map(|hand| key_times(&selected, hand, palms[hand as usize])),
            gaze_angles: Default::default(),
            times,
        };
        let mut sampler = selected.sampler();
        let mut frame = Frame::default();
        for n in 0..data.times.len() {
            sampler.frame_into(data.times[n], &mut frame);
            data.push(&frame, palms);
        }
        data.head_angles.iter_mut().for_each(|angles| motion::unwrap_degrees(angles));
        data.gaze_angles.iter_mut().for_each(|angles| motion::unwrap_degrees(angles));
        Ok(data)
    }

    fn push(&mut self, frame: &Frame, palms: [Option<Joint>; 2]) {
        let absent = [f64::NAN; 3];
        self.head.push(frame.camera.map_or(absent, |head| head.position.map(f64::from)));
        let angles = frame.camera.map_or(absent, |head| motion::head_angles_deg(head.rotation));
        self.head_angles.iter_mut().zip(angles).for_each(|(all, angle)| all.push(angle));
        let angles = frame.gaze.map(|gaze| motion::direction_angles_deg(gaze.direction.map(f64::from)));
        let angles = angles.unwrap_or([f64::NAN; 2]);
        self.gaze_angles.iter_mut().zip(angles).for_each(|(all, angle)| all.push(angle));
        for hand in Hand::ALL {
            let palm = palms[hand as usize].and_then(|joint| frame.hand(hand)?.joint(joint));
            self.palms[hand as usize].push(palm.map_or(absent, |palm| palm.position.map(f64::from)));
        }
    }

    /// Height has a separate panel: in a common one, horizontal sway would be invisible.
    fn head(&self) -> [Option<Panel>; 3] {
        let [x, y, z] = self.axes(&self.head);
        [
            lines("Head height", Unit::Metres, vec![y]),
            lines("Head position", Unit::Metres, vec![x, z]),
            lines("Head rotation", Unit::Degrees, self.angles(&self.head_angles)),
        ]
    }

    fn palm(&self, hand: Hand, joint: Joint) -> Option<Panel> {
        let side = match hand {
            Hand::Left => "Left",
            Hand::Right => "Right",
        };
        let title = format!("{side} {}", joint.name().to_lowercase());
        lines(&title, Unit::Metres, self.axes(&self.palms[hand as usize]).into())
    }

    fn hand_speed(&self) -> Option<Panel> {
        let line = |hand: Hand| {
            let positions: Vec<_> = self.times.iter().copied().zip(self.palms[hand as usize].iter().copied()).collect();
            let is_tracked = |(_, position): &TimedPosition| position.iter().all(|value| value.is_finite());
            let runs =
                positions.chunk_by(|a, b| is_tracked(a) && is_tracked(b)).filter(|run| run.iter().all(is_tracked));
            let speeds = runs.map(|run| motion::speeds(self.trim_to_last_key(run, hand)));
            let polylines = speeds.filter(|run| !run.is_empty()).collect();
            Line { name: hand.name().to_owned(), color: SeriesColor::Hand(hand), polylines, keys: Vec::new() }
        };
        lines("Hand speed", Unit::MetresPerSecond, Hand::ALL.map(line).into())
    }

    /// Removes the part of a run after its last key. Between that key and the loss of tracking the curve is constant or
    /// already moves to the next tracked position; that barely affects positions, but speeds.
    fn trim_to_last_key<'a>(&self, run: &'a [TimedPosition], hand: Hand) -> &'a [TimedPosition] {
        let [.., (end, _)] = run else { return run };
        let keys = &self.palm_keys[hand as usize];
        match keys[..keys.partition_point(|key| key <= end)].last() {
            Some(last) if end - last < motion::SPEED_WINDOW_SECS => {
                &run[..run.partition_point(|(time, _)| time <= last)]
            }
            _ => run,
        }
    }

    fn gaze(&self) -> Option<Panel> {
        lines("Gaze direction", Unit::Degrees, self.angles(&self.gaze_angles))
    }

    fn axes(&self, positions: &[[f64; 3]]) -> [Line; 3] {
        std::array::from_fn(|n| self.line(AXES[n], SeriesColor::Axis(n), positions.iter().map(|position| position[n])))
    }

    fn angles(&self, angles: &[Vec<f64>]) -> Vec<Line> {
        let named = ANGLES.iter().zip(angles);
        named.map(|((name, color), angles)| self.line(name, *color, angles.iter().copied())).collect()
    }

    fn line(&self, name: &str, color: SeriesColor, values: impl Iterator<Item = f64>) -> Line {
        let points = self.times.iter().copied().zip(values).map(|(time, value)| -> Point { [time, value] });
        Line { name: name.to_owned(), color, polylines: polyline::split_at_gaps(points), keys: Vec::new() }
    }
}

/// A position at a time.
type TimedPosition = (f64, [f64; 3]);

/// The key times of a joint, sorted.
fn key_times(recording: &Recording, hand: Hand, joint: Option<Joint>) -> Vec<f64> {
    let Some(joint) = joint else { return Vec::new() };
    let keys = recording.hand(hand).joint(joint).position[0].keys.iter().map(|key| f64::from(key.time));
    let mut times: Vec<_> = keys.collect();
    times.sort_by(f64::total_cmp);
    times
}

/// Copies only the curves of the overview: sampling the other joints would take most of the time.
fn select_curves(recording: &Recording, palms: [Option<Joint>; 2]) -> Recording {
    let mut selected =
        Recording { camera: recording.camera.clone(), gaze: recording.gaze.clone(), ..Recording::default() };
    for (hand, joint) in Hand::ALL.into_iter().zip(palms) {
        let Some(joint) = joint else { continue };
        let (from, to) = (recording.hand(hand), selected.hand_mut(hand));
        to.tracked = from.tracked.clone();
        *to.joint_mut(joint) = from.joint(joint).clone();
    }
    selected
}

/// The panel of tracked and pinching spans.
fn flags(recording: &Recording, span: Span, steps: usize) -> Option<Panel> {
    let row = |hand: Hand| {
        let curves = recording.hand(hand);
        let band = |name: &str, style, flag| Band {
            name: name.to_owned(),
            style,
            spans: polyline::true_spans(flag, span, steps),
        };
        let bands = vec![
            band("tracked", BandStyle::Background, &curves.tracked),
            band("pinching", BandStyle::Foreground, &curves.pinching),
        ];
        Row { name: hand.name().to_owned(), color: SeriesColor::Hand(hand), bands }
    };
    let has_keys = |hand: &Hand| {
        let curves = recording.hand(*hand);
        !(curves.tracked.keys.is_empty() && curves.pinching.keys.is_empty())
    };
    Hand::ALL.iter().any(has_keys).then(|| {
        let rows = Hand::ALL.map(row).into();
        Panel { title: "Hands".to_owned(), unit: Unit::Flag, min_range: 0.0, content: Content::Bands(rows) }
    })
}

/// A panel; `None` if none of its lines has a point.
fn lines(title: &str, unit: Unit, lines: Vec<Line>) -> Option<Panel> {
    let lines: Vec<_> = lines.into_iter().filter(|line| !line.polylines.is_empty()).collect();
    // A user who stands still should look still.
    let min_range = match unit {
        Unit::Metres => 0.1,
        Unit::Degrees => 10.0,
        Unit::MetresPerSecond => 0.2,
        Unit::Unitless | Unit::Flag => 0.0,
    };
    let has_points = !lines.is_empty();
    let panel = Panel { title: title.to_owned(), unit, min_range, content: Content::Lines(lines) };
    has_points.then_some(panel)
}
