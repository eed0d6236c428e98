//! Plots show the data at the right position, for any recording.

mod any_recording;
mod contents;
mod invalid_options;
mod pixels;

use std::path::Path;

use holotape::demo::DemoOptions;
use holotape::{
    BezierKey, BoolCurve, Curve, ErrorKind, Hand, Joint, LinearKey, Marker, PoseCurves, RayCurves, Recording,
    WeightedMode, WrapMode,
};
use holotape_convert::plot::{self, PlotOptions, Theme};
use proptest::prelude::*;
use resvg::tiny_skia::Pixmap;
use roxmltree::{Document, Node};

// Reading plots.

fn svg(recording: &Recording, options: &PlotOptions) -> String {
    plot::svg(recording, options).unwrap()
}

fn curves<const N: usize>(patterns: [&str; N]) -> PlotOptions {
    PlotOptions::new().with_curves(patterns)
}

fn of_class<'a>(node: Node<'a, 'a>, class: &str) -> Vec<Node<'a, 'a>> {
    node.descendants().filter(|node| node.attribute("class") == Some(class)).collect()
}

fn tagged<'a>(node: Node<'a, 'a>, tag: &str) -> Vec<Node<'a, 'a>> {
    node.descendants().filter(|node| node.has_tag_name(tag)).collect()
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

fn texts(node: Node<'_, '_>) -> Vec<String> {
    tagged(node, "text").into_iter().map(|text| text.text().unwrap_or_default().to_owned()).collect()
}

fn points(polyline: Node<'_, '_>) -> Vec<[f64; 2]> {
    let pairs = polyline.attribute("points").unwrap().split(' ');
    pairs.map(|pair| pair.split_once(',').unwrap()).map(|(x, y)| [x.parse().unwrap(), y.parse().unwrap()]).collect()
}

/// The height of a line at x, if it has one there.
fn height_at(lines: &[Vec<[f64; 2]>], x: f64) -> Option<f64> {
    let within = |pair: &&[[f64; 2]]| pair[0][0] <= x && x <= pair[1][0] && pair[0][0] < pair[1][0];
    let [from, to] = lines.iter().flat_map(|line| line.windows(2)).find(within)? else { return None };
    Some(from[1] + (x - from[0]) / (to[0] - from[0]) * (to[1] - from[1]))
}

/// A panel, read by its axis labels and grid lines.
struct Panel<'a> {
    node: Node<'a, 'a>,
    plot: [f64; 4],
    times: [[f64; 2]; 2],
    values: Option<[[f64; 2]; 2]>,
}

impl<'a> Panel<'a> {
    fn all(document: &'a Document<'a>) -> Vec<Self> {
        let root = document.root();
        let labels: Vec<f64> = texts(of_class(root, "time")[0]).iter().filter_map(|label| parse(label)).collect();
        let read = |(grid, node): (Node<'a, 'a>, Node<'a, 'a>)| {
            let plot = of_class(grid, "plot")[0];
            let (upright, level): (Vec<_>, Vec<_>) =
                tagged(grid, "line").into_iter().partition(|rule| rule.attribute("x1") == rule.attribute("x2"));
            let times: Vec<_> = labels.iter().zip(upright).map(|(time, rule)| [*time, number(rule, "x1")]).collect();
            let numbers = of_class(node, "numbers").into_iter().flat_map(texts).filter_map(|label| parse(&label));
            let values: Vec<_> = numbers.zip(level).map(|(value, rule)| [value, number(rule, "y1")]).collect();
            Self {
                node,
                plot: ["x", "y", "width", "height"].map(|name| number(plot, name)),
                times: [times[0], times[times.len() - 1]],
                values: (values.len() > 1).then(|| [values[0], values[values.len() - 1]]),
            }
        };
        of_class(root, "grid").into_iter().zip(of_class(root, "panel")).map(read).collect()
    }

    fn title(&self) -> String {
        of_class(self.node, "panel-title")[0].text().unwrap().to_owned()
    }

    /// The polylines of the line with a name.
    fn line(&self, name: &str) -> Vec<Vec<[f64; 2]>> {
        let is_named = |line: &&Node<'_, '_>| tagged(**line, "title")[0].text() == Some(name);
        let lines = of_class(self.node, "line");
        tagged(*lines.iter().find(is_named).unwrap(), "polyline").into_iter().map(points).collect()
    }

    fn x(&self, time: f64) -> f64 {
        on_axis(self.times, time)
    }

    fn y(&self, value: f64) -> f64 {
        on_axis(self.values.unwrap(), value)
    }
}

fn parse(label: &str) -> Option<f64> {
    label.replace('\u{2212}', "-").parse().ok()
}

fn on_axis([[a, at_a], [b, at_b]]: [[f64; 2]; 2], value: f64) -> f64 {
    at_a + (value - a) / (b - a) * (at_b - at_a)
}

fn assert_near(a: f64, b: f64) {
    assert!((a - b).abs() < 0.06, "{a} is not {b}");
}

// Making recordings.

fn curve(keys: &[(f32, f32)]) -> Curve {
    keys.iter().map(|(time, value)| LinearKey::new(*time, *value)).collect()
}

fn flag(keys: &[(f32, f32)]) -> BoolCurve {
    keys.iter().map(|(time, value)| LinearKey::new(*time, *value)).collect()
}

fn pose(x: Curve) -> PoseCurves {
    let still = |value| curve(&[(0.0, value)]);
    PoseCurves { position: [x, still(1.0), still(2.0)], rotation: [0.0, 0.0, 0.0, 1.0].map(still) }
}

fn camera(x: Curve) -> Recording {
    Recording { camera: Some(pose(x)), ..Recording::default() }
}

/// Ten seconds of a palm that moves from 0 to 1, tracked from 0 to 2, 4 to 6, and 7 to 10.
fn tracked_in_parts() -> Recording {
    let mut recording = Recording::default();
    let left = recording.hand_mut(Hand::Left);
    left.tracked = flag(&[(0.0, 1.0), (2.0, 0.0), (4.0, 1.0), (6.0, 0.0), (7.0, 1.0)]);
    left.pinching = flag(&[(0.0, 0.0), (1.0, 1.0), (1.5, 0.0), (8.0, 1.0), (9.25, 0.0)]);
    *left.joint_mut(Joint::Palm) = pose(curve(&[(0.0, 0.0), (10.0, 1.0)]));
    recording
}

fn demo(seconds: f64) -> Recording {
    DemoOptions::new().with_seconds(seconds).generate().unwrap()
}
