//! Invalid options are rejected with helpful messages.

use super::*;

#[test]
fn unmatched_pattern_error_suggests_names() {
    let message = |recording: &Recording, pattern: &str| {
        let error = plot::svg(recording, &curves(["camera.*", pattern])).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
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
    assert!(error_of(PlotOptions::new().with_size([800, 100]), ErrorKind::InvalidArgument).contains("8 panels"));
    error_of(PlotOptions::new().with_size([0, 800]), ErrorKind::InvalidArgument);
    error_of(PlotOptions::new().with_size([u32::MAX, 800]), ErrorKind::InvalidArgument);
    error_of(PlotOptions::new().with_size([800, u32::MAX]), ErrorKind::InvalidArgument);
    error_of(PlotOptions::new().with_scale(1000.0), ErrorKind::LimitExceeded);
    error_of(PlotOptions::new().with_scale(f32::INFINITY), ErrorKind::LimitExceeded);
    for scale in [0.0, -1.0, f32::NAN] {
        error_of(PlotOptions::new().with_scale(scale), ErrorKind::InvalidArgument);
    }
    for span in [f64::NAN..=1.0, 2.0..=1.0, 0.0..=f64::INFINITY] {
        error_of(PlotOptions::new().with_span_secs(span), ErrorKind::InvalidArgument);
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
