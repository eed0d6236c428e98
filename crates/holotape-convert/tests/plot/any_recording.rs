//! Properties of the plots of any recording.

use super::*;

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
    let files: Vec<_> = files
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "bin"))
        .collect();
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
