//! The contents of plots.

use super::*;

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
