//! Plots show the data at the right position, for any recording.

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

// Contents.

#[test]
fn overview_has_panels_with_units() {
    let text = svg(&demo(12.0), &PlotOptions::new().with_title("reach <1>"));
    let document = Document::parse(&text).unwrap();
    let titles: Vec<_> = Panel::all(&document).iter().map(Panel::title).collect();
    let expected = [
        "Head height (m)",
        "Head position (m)",
        "Head rotation (°)",
        "Left palm (m)",
        "Right palm (m)",
        "Hand speed (m/s)",
        "Hands",
        "Gaze direction (°)",
    ];
    assert_eq!(titles, expected);
    let message = texts(document.root());
    for word in ["reach <1>", "time (s)", "x right", "yaw right", "tracked", "pinching", "left", "right", "right waves"]
    {
        assert!(message.iter().any(|other| other == word), "{word} is not among {message:?}");
    }
    let marks: Vec<_> =
        of_class(document.root(), "marker").into_iter().flat_map(|mark| tagged(mark, "title")).collect();
    for marker in &demo(12.0).markers {
        let names_marker = |mark: &Node<'_, '_>| mark.text().unwrap().contains(&marker.name);
        assert!(marks.iter().any(names_marker), "{} is not among {marks:?}", marker.name);
    }
}

#[test]
fn missing_data_has_no_panel() {
    let titles = |recording: &Recording| -> Vec<_> {
        let text = svg(recording, &PlotOptions::new());
        Panel::all(&Document::parse(&text).unwrap()).iter().map(Panel::title).collect()
    };
    assert_eq!(titles(&tracked_in_parts()), ["Left palm (m)", "Hand speed (m/s)", "Hands"]);
    let gaze_only = Recording { gaze: demo(1.0).gaze, ..Recording::default() };
    assert_eq!(titles(&gaze_only), ["Gaze direction (°)"]);
}

#[test]
fn empty_recording_has_a_message() {
    for recording in [Recording::default(), Recording { hands: Some(Box::default()), ..Recording::default() }] {
        let text = svg(&recording, &PlotOptions::new());
        assert!(texts(Document::parse(&text).unwrap().root()).iter().any(|word| word.contains("no motion")));
    }
}

#[test]
fn ramp_is_a_straight_line() {
    let text = svg(&camera(curve(&[(0.0, -3.0), (20.0, 5.0)])), &curves(["camera.position.x"]));
    let document = Document::parse(&text).unwrap();
    let panel = &Panel::all(&document)[0];
    let [x, y, width, height] = panel.plot;
    let [line] = panel.line("x").try_into().unwrap();
    let [from, to] = line.try_into().unwrap();
    assert_eq!((from[0], to[0]), (x, x + width));
    // The same padding below and above.
    assert!(y + height - from[1] < 0.08 * height && to[1] - y < 0.08 * height);
    assert_near(y + height - from[1], to[1] - y);
    assert_near(from[1], panel.y(-3.0));
    assert_near(to[1], panel.y(5.0));
}

#[test]
fn curves_follow_unity_evaluation() {
    let key = |time, value, tangent, weight| BezierKey {
        time,
        value,
        in_tangent: tangent,
        out_tangent: tangent,
        in_weight: weight,
        out_weight: weight,
        weighted_mode: if weight == 0.0 { WeightedMode::NONE } else { WeightedMode::BOTH },
    };
    let bent = Curve::from_iter([key(1.0, 0.0, 3.0, 0.0), key(2.0, 1.0, -2.0, 0.6), key(4.0, -1.0, 0.5, 0.9)]);
    let straight = curve(&[(1.0, 0.0), (2.0, 1.0), (4.0, -1.0)]);
    let repeating = |curve| Curve { pre_wrap: WrapMode::PING_PONG, post_wrap: WrapMode::LOOP, ..curve };
    for motion in [bent.clone(), straight.clone(), repeating(bent), repeating(straight)] {
        let options = curves(["camera.position.x"]).with_span_secs(-4.0..=12.0);
        let text = svg(&camera(motion.clone()), &options);
        let document = Document::parse(&text).unwrap();
        let panel = &Panel::all(&document)[0];
        let line = panel.line("x");
        // Except at the steps of the loop, which are a pixel wide.
        let is_jump = |time: &f64| !(0.1..2.9).contains(&(time - 1.0).rem_euclid(3.0));
        for time in (0..400).map(|n| -3.99 + f64::from(n) * 0.04).filter(|time| !is_jump(time)) {
            let (drawn, value) = (height_at(&line, panel.x(time)).unwrap(), motion.value_at(time).unwrap());
            assert!((drawn - panel.y(value)).abs() < 0.6, "at {time} s: {drawn}, not {}", panel.y(value));
        }
    }
}

#[test]
fn untracked_hand_leaves_a_gap() {
    for (options, title, name) in [
        (PlotOptions::new(), "Left palm (m)", "x right"),
        (curves(["left.Palm.position.*"]), "left.Palm.position (m)", "x"),
    ] {
        let text = svg(&tracked_in_parts(), &options);
        let document = Document::parse(&text).unwrap();
        let panels = Panel::all(&document);
        let panel = panels.iter().find(|panel| panel.title() == title).unwrap();
        let polylines = panel.line(name);
        assert_eq!(polylines.len(), 3);
        for (polyline, [start, end]) in polylines.iter().zip([[0.0, 2.0], [4.0, 6.0], [7.0, 10.0]]) {
            let ([x0, y0], [x1, y1]) = (polyline[0], polyline[polyline.len() - 1]);
            // The overview is sampled in steps of a quarter of a pixel.
            assert!((x0 - panel.x(start)).abs() < 0.3 && (x1 - panel.x(end)).abs() < 0.3, "{polyline:?}");
            assert_near(y0, panel.y(start / 10.0));
            assert!((y1 - panel.y(end / 10.0)).abs() < 0.1);
        }
    }
}

#[test]
fn non_finite_values_leave_a_gap() {
    let broken =
        curve(&[(0.0, 0.0), (1.0, 1.0), (2.0, f32::NAN), (3.0, 1.0), (4.0, f32::INFINITY), (5.0, 0.0), (6.0, 2.0)]);
    let text = svg(&camera(broken), &curves(["camera.position.x"]));
    let document = Document::parse(&text).unwrap();
    let panel = &Panel::all(&document)[0];
    let polylines = panel.line("x");
    assert_eq!(polylines.len(), 2);
    assert_near(polylines[0][1][0], panel.x(1.0));
    assert_near(polylines[1][0][0], panel.x(5.0));
    // The isolated key at 3 s has two dots: one for the line and one for the key.
    assert_eq!(tagged(panel.node, "circle").len(), 1 + 5);
}

#[test]
fn bands_match_flag_changes() {
    let text = svg(&tracked_in_parts(), &PlotOptions::new());
    let document = Document::parse(&text).unwrap();
    let panels = Panel::all(&document);
    let panel = panels.iter().find(|panel| panel.title() == "Hands").unwrap();
    let bands = of_class(panel.node, "band");
    let intervals = |band: Node<'_, '_>| -> Vec<[f64; 2]> {
        let ends = |bar: Node<'_, '_>| [number(bar, "x"), number(bar, "x") + number(bar, "width")];
        tagged(band, "rect").into_iter().map(ends).collect()
    };
    let expected = [vec![[0.0, 2.0], [4.0, 6.0], [7.0, 10.0]], vec![[1.0, 1.5], [8.0, 9.25]], vec![], vec![]];
    assert_eq!(bands.len(), expected.len());
    for (band, expected) in bands.into_iter().zip(expected) {
        let drawn = intervals(band);
        assert_eq!(drawn.len(), expected.len());
        for (drawn, expected) in drawn.iter().flatten().zip(expected.iter().flatten()) {
            assert_near(*drawn, panel.x(*expected));
        }
    }
}

#[test]
fn short_pinch_in_a_long_recording_is_visible() {
    let mut recording = tracked_in_parts();
    recording.hand_mut(Hand::Left).pinching = flag(&[(0.0, 0.0), (1800.0, 1.0), (1800.016, 0.0), (3600.0, 0.0)]);
    let text = svg(&recording, &curves(["left.pinching"]));
    let document = Document::parse(&text).unwrap();
    let bars = tagged(of_class(document.root(), "band")[0], "rect");
    assert_eq!(bars.len(), 1);
    assert!(number(bars[0], "width") >= 0.75);
}

#[test]
fn markers_are_lines_at_their_times() {
    let mut recording = camera(curve(&[(0.0, 0.0), (10.0, 1.0)]));
    recording.markers = [(7.5, "b"), (2.5, "a"), (99.0, "too late"), (f32::NAN, "never")]
        .map(|(time, name)| Marker { time, name: name.to_owned() })
        .into_iter()
        .collect();
    let text = svg(&recording, &PlotOptions::new());
    let document = Document::parse(&text).unwrap();
    let panel = &Panel::all(&document)[0];
    let marks = of_class(document.root(), "marker");
    assert_eq!(marks.len(), 2);
    for (mark, (time, name)) in marks.iter().zip([(2.5, "a"), (7.5, "b")]) {
        let line = tagged(*mark, "line")[0];
        assert_near(number(line, "x1"), panel.x(time));
        assert!(number(line, "y1") < panel.plot[1] && number(line, "y2") >= panel.plot[1] + panel.plot[3]);
        assert_eq!(texts(*mark), [name]);
    }
}

#[test]
fn markers_that_share_a_time_share_a_line() {
    let mut recording = camera(curve(&[(0.0, 0.0), (10.0, 1.0)]));
    for (time, name) in [(5.0, "left pinches"), (5.0, "right pinches"), (5.001, "both pinch"), (6.0, "both let go")] {
        recording.markers.add(time, name);
    }
    let text = svg(&recording, &PlotOptions::new());
    let document = Document::parse(&text).unwrap();
    let marks = of_class(document.root(), "marker");
    assert_eq!(marks.len(), 2);
    assert_eq!(tagged(marks[0], "title")[0].text(), Some("5 s: left pinches, right pinches, both pinch"));
}

#[test]
fn few_keys_are_drawn_as_dots() {
    let dots = |count: u16| {
        let keys: Vec<_> = (0..count).map(|n| (f32::from(n), f32::from(n % 7))).collect();
        let text = svg(&camera(curve(&keys)), &curves(["camera.position.x"]));
        tagged(Document::parse(&text).unwrap().root(), "circle").len()
    };
    assert_eq!(dots(30), 30);
    assert_eq!(dots(1000), 0);
}

#[test]
fn only_selected_curves_are_shown() {
    let text = svg(&demo(2.0), &curves(["camera.rotation.*", "right.*Tip.position.y", "*.pinching"]));
    let document = Document::parse(&text).unwrap();
    let panels = Panel::all(&document);
    assert_eq!(panels.iter().map(Panel::title).collect::<Vec<_>>(), ["camera.rotation", "position.y (m)", "Flags"]);
    assert_eq!(of_class(panels[0].node, "line").len(), 4);
    let tips = texts(of_class(panels[1].node, "head")[0]);
    let expected = ["ThumbTip", "IndexTip", "MiddleTip", "RingTip", "PinkyTip"].map(|tip| format!("right.{tip}"));
    assert_eq!(tips[1..], expected);
    assert_eq!(of_class(panels[2].node, "row").len(), 2);
}

// Invalid options.

#[test]
fn unmatched_pattern_error_suggests_names() {
    let message = |recording: &Recording, pattern: &str| {
        let error = plot::svg(recording, &curves(["camera.*", pattern])).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        error.to_string()
    };
    let slip = message(&demo(1.0), "right.IndxTip.position.*");
    assert!(slip.contains("\"right.IndxTip.position.*\"") && slip.contains("right.IndexTip.position.x"), "{slip}");
    let absent = message(&camera(curve(&[(0.0, 1.0)])), "gaze.*");
    assert!(absent.contains("no curve with keys") && absent.contains("camera."), "{absent}");
    assert!(message(&demo(1.0), &"x".repeat(100_000)).contains("no curve"));
}

#[test]
fn invalid_sizes_and_spans_are_rejected() {
    let recording = demo(1.0);
    let error_of = |options: PlotOptions, kind| {
        let error = plot::png(&recording, &options).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        error.to_string()
    };
    assert!(error_of(PlotOptions::new().with_size([800, 100]), ErrorKind::Invalid).contains("8 panels"));
    error_of(PlotOptions::new().with_size([0, 800]), ErrorKind::Invalid);
    error_of(PlotOptions::new().with_size([u32::MAX, 800]), ErrorKind::Invalid);
    error_of(PlotOptions::new().with_size([800, u32::MAX]), ErrorKind::Invalid);
    error_of(PlotOptions::new().with_scale(1000.0), ErrorKind::LimitExceeded);
    error_of(PlotOptions::new().with_scale(f32::INFINITY), ErrorKind::LimitExceeded);
    for scale in [0.0, -1.0, f32::NAN] {
        error_of(PlotOptions::new().with_scale(scale), ErrorKind::Invalid);
    }
    for span in [f64::NAN..=1.0, 2.0..=1.0, 0.0..=f64::INFINITY] {
        error_of(PlotOptions::new().with_span_secs(span), ErrorKind::Invalid);
    }
}

#[test]
fn required_height_is_sufficient() {
    let recording = demo(3.0);
    let error = plot::svg(&recording, &PlotOptions::new().with_size([400, 1])).unwrap_err().to_string();
    let min_height: u32 = error.split_once("at least ").unwrap().1.split(' ').next().unwrap().parse().unwrap();
    assert!(plot::svg(&recording, &PlotOptions::new().with_size([400, min_height])).is_ok());
    assert!(plot::svg(&recording, &PlotOptions::new().with_size([400, min_height - 1])).is_err());
}

// Any recording.

/// Checks every plot: valid XML, finite coordinates, nothing drawn outside.
fn check(recording: &Recording, options: &PlotOptions) -> String {
    let text = svg(recording, options);
    let document = Document::parse(&text).unwrap();
    let root = document.root_element();
    let size = [number(root, "width"), number(root, "height")];
    let is_inside = |[x, y]: [f64; 2]| (0.0..=size[0]).contains(&x) && (0.0..=size[1]).contains(&y);
    for line in tagged(root, "polyline") {
        assert!(points(line).into_iter().all(is_inside), "{:?}", line.attribute("points"));
    }
    for node in root.descendants() {
        for (x, y) in [("x", "y"), ("x1", "y1"), ("x2", "y2"), ("cx", "cy")] {
            if node.attribute(x).is_some() && node.attribute(y).is_some() {
                assert!(is_inside([number(node, x), number(node, y)]), "{node:?}");
            }
        }
    }
    text
}

#[test]
fn every_test_file_can_be_plotted() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let files = ["valid", "regressions"].into_iter().flat_map(|name| folder.join(name).read_dir().unwrap());
    let files: Vec<_> =
        files.map(|entry| entry.unwrap().path()).filter(|path| path.extension().unwrap() == "bin").collect();
    assert!(files.len() > 15);
    for path in files {
        let recording = Recording::open(&path).unwrap();
        check(&recording, &PlotOptions::new());
        check(&recording, &PlotOptions::new().with_span_secs(-3.0..=30.0));
        if recording.curves().any(|(_, curve)| curve.key_count() > 0) {
            check(&recording, &curves(["*"]));
        }
    }
}

#[test]
fn malicious_names_are_escaped() {
    let mut recording = tracked_in_parts();
    let name = "</text><script>alert(\"&amp;\")</script>\u{0}\u{8}\n\u{ffff}\u{202e}杯 🫖 ]]>";
    recording.markers = [name, &"long ".repeat(20_000), "", " "]
        .into_iter()
        .zip([1.0, 3.0, 5.0, 7.0])
        .map(|(name, time)| Marker { time, name: name.to_owned() })
        .collect();
    let text = check(&recording, &PlotOptions::new().with_title(name));
    let document = Document::parse(&text).unwrap();
    assert!(tagged(document.root(), "script").is_empty());
    assert!(texts(document.root()).iter().any(|word| word.starts_with("</text><script>")));
    assert!(text.len() < 100_000);
    assert!(plot::png(&recording, &PlotOptions::new().with_title(name)).is_ok());
}

#[test]
fn long_recordings_give_small_plots() {
    let recording = demo(600.0);
    for options in [PlotOptions::new(), curves(["camera.*", "gaze.*", "left.Palm.*"])] {
        let text = check(&recording, &options);
        assert!(text.len() < 800_000, "{} bytes", text.len());
    }
}

#[test]
fn many_flag_changes_and_markers_give_small_plots() {
    let keys: Vec<_> = (0..200_000_u32).map(|n| (n as f32, (n % 2) as f32)).collect();
    let mut recording = tracked_in_parts();
    recording.hand_mut(Hand::Left).pinching = flag(&keys);
    recording.markers = keys.iter().map(|(time, _)| Marker { time: *time, name: "tick".to_owned() }).collect();
    let text = check(&recording, &PlotOptions::new());
    assert!(text.len() < 800_000, "{} bytes", text.len());
}

fn any_number() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => -2.0_f32..10.0,
        1 => any::<f32>(),
        1 => prop::sample::select(vec![0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e30, 1e-40]),
    ]
}

fn any_mode() -> impl Strategy<Value = WrapMode> {
    prop::sample::select(vec![WrapMode::CLAMP_FOREVER, WrapMode::LOOP, WrapMode::PING_PONG, WrapMode(77)])
}

fn any_curve() -> impl Strategy<Value = Curve> {
    let linear = prop::collection::vec((any_number(), any_number()), 0..6);
    let linear = linear.prop_map(|keys| curve(&keys));
    let bezier = prop::collection::vec(prop::array::uniform6(any_number()), 0..6).prop_map(|keys| {
        let key = |[time, value, in_tangent, out_tangent, in_weight, out_weight]: [f32; 6]| BezierKey {
            time,
            value,
            in_tangent,
            out_tangent,
            in_weight,
            out_weight,
            weighted_mode: WeightedMode(value as i32 & 3),
        };
        keys.into_iter().map(key).collect()
    });
    (prop_oneof![linear, bezier], any_mode(), any_mode())
        .prop_map(|(curve, pre_wrap, post_wrap): (Curve, _, _)| Curve { pre_wrap, post_wrap, ..curve })
}

fn any_recording() -> impl Strategy<Value = Recording> {
    let pose = || (prop::array::uniform3(any_curve()), prop::array::uniform4(any_curve()));
    let pose = move || pose().prop_map(|(position, rotation)| PoseCurves { position, rotation });
    let ray = (prop::array::uniform3(any_curve()), prop::array::uniform3(any_curve()));
    let gaze = ray.prop_map(|(origin, direction)| RayCurves { origin, direction });
    let flag = || {
        let keys = prop::collection::vec((any_number(), any_number()), 0..6);
        (keys, any_mode(), any_mode()).prop_map(|(keys, pre_wrap, post_wrap)| BoolCurve {
            pre_wrap,
            post_wrap,
            ..flag(&keys)
        })
    };
    let markers = prop::collection::vec((any_number(), ".{0,20}"), 0..5);
    (prop::option::of(pose()), pose(), flag(), flag(), prop::option::of(gaze), markers).prop_map(
        |(camera, palm, tracked, pinching, gaze, markers)| {
            let mut recording = Recording { camera, gaze, ..Recording::default() };
            let right = recording.hand_mut(Hand::Right);
            (right.tracked, right.pinching) = (tracked, pinching);
            *right.joint_mut(Joint::Palm) = palm;
            recording.markers = markers.into_iter().map(|(time, name)| Marker { time, name }).collect();
            recording
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_recording_can_be_plotted(recording in any_recording(), start in -1e3..1e3_f64, length in 0.0..1e4_f64) {
        let small = PlotOptions::new().with_size([300, 500]);
        check(&recording, &small);
        check(&recording, &small.clone().with_span_secs(start..=start + length));
        if recording.curves().any(|(_, curve)| curve.key_count() > 0) {
            check(&recording, &curves(["*"]).with_theme(Theme::Dark));
        }
    }
}

// Pixels.

fn pixels(recording: &Recording, options: &PlotOptions) -> Pixmap {
    Pixmap::decode_png(&plot::png(recording, options).unwrap()).unwrap()
}

#[test]
fn png_has_the_requested_size_and_is_not_blank() {
    let recording = demo(2.0);
    for (size, scale, expected) in [([640, 480], 1.0, [640, 480]), ([640, 480], 2.5, [1600, 1200])] {
        let image = pixels(&recording, &PlotOptions::new().with_size(size).with_scale(scale));
        assert_eq!([image.width(), image.height()], expected);
        let colours: std::collections::HashSet<_> =
            image.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
        assert!(colours.len() > 100, "{}", colours.len());
        assert!(image.pixels().iter().all(|pixel| pixel.alpha() == 255));
    }
}

#[test]
fn text_is_rendered_with_the_embedded_font() {
    let recording = camera(curve(&[(0.0, 0.0), (1.0, 1.0)]));
    let titled = |title: &str| pixels(&recording, &PlotOptions::new().with_title(title));
    let (one, other) = (titled("Hologramm"), titled("Φωνή Ж"));
    let differ = one.pixels().iter().zip(other.pixels()).enumerate().filter(|(_, (a, b))| a != b);
    let rows: Vec<_> = differ.map(|(n, _)| n / one.width() as usize).collect();
    assert!(rows.len() > 100, "{} pixels differ", rows.len());
    assert!(rows.iter().all(|row| (10..40).contains(row)), "{rows:?}");
}

#[test]
fn themes_differ_only_in_colours() {
    let recording = demo(5.0);
    let without_colours = |theme| {
        let text = svg(&recording, &PlotOptions::new().with_theme(theme));
        text.split('"').filter(|part| !part.starts_with('#')).collect::<Vec<_>>().join("\"")
    };
    assert_eq!(without_colours(Theme::Light), without_colours(Theme::Dark));
    let corner = |theme| pixels(&recording, &PlotOptions::new().with_theme(theme)).pixels()[0].red();
    assert!(corner(Theme::Light) > 200 && corner(Theme::Dark) < 50);
}

#[test]
fn output_is_deterministic() {
    let recording = demo(5.0);
    let options = PlotOptions::new().with_title("reach.bin");
    assert_eq!(svg(&recording, &options), svg(&recording.clone(), &options.clone()));
    assert_eq!(plot::png(&recording, &options).unwrap(), plot::png(&recording.clone(), &options).unwrap());
}
