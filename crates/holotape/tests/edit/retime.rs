//! `retime` changes speed and start.

use holotape::demo::DemoOptions;
use holotape::edit::{self, ConcatOptions, RetimeOptions};
use holotape::{ErrorKind, Hand};

use crate::edit::{curve_of, flags, kind, line, recording_of_x};

#[test]
fn keys_that_would_merge_are_rejected() {
    let [a, b] = [line([(0.0, 1.0), (1.0, 3.0)]), line([(0.0, 7.0), (1.0, 8.0)])].map(recording_of_x);
    let both = edit::concat(&[&a, &b], &ConcatOptions::new()).expect("both");
    let later = edit::retime(&both, &RetimeOptions::new().with_shift_secs(1000.0)).expect("later");
    assert_eq!(*curve_of(&later), line([(1000.0, 1.0), (1001.0, 3.0), (1001.0_f32.next_up(), 7.0), (1002.0, 8.0)]));
    let demo = DemoOptions::new().with_seconds(1.0).generate().expect("a demo");
    assert_eq!(kind(edit::retime(&demo, &RetimeOptions::new().with_shift_secs(1e7))), ErrorKind::LimitExceeded);
    assert_eq!(kind(edit::retime(&demo, &RetimeOptions::new().with_speed(1e-39))), ErrorKind::LimitExceeded);
}

#[test]
fn invalid_speeds_and_shifts_are_rejected() {
    let recording = recording_of_x(line([(0.0, 1.0), (1.0, 3.0)]));
    for speed in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(
            kind(edit::retime(&recording, &RetimeOptions::new().with_speed(speed))),
            ErrorKind::InvalidArgument,
            "{speed}"
        );
    }
    for shift in [f64::NAN, f64::INFINITY] {
        assert_eq!(
            kind(edit::retime(&recording, &RetimeOptions::new().with_shift_secs(shift))),
            ErrorKind::InvalidArgument
        );
    }
    assert_eq!(edit::retime(&recording, &RetimeOptions::new()).expect("the same"), recording);
}

#[test]
fn flags_and_markers_are_retimed() {
    let mut recording = recording_of_x(line([(0.0, 1.0), (4.0, 3.0)]));
    recording.hand_mut(Hand::Left).pinching = flags([(0.0, 0.0), (3.0, 1.0)]);
    recording.markers.add(2.0, "halfway");
    let options = RetimeOptions::new().with_speed(2.0).with_shift_secs(-1.0);
    let retimed = edit::retime(&recording, &options).expect("retimed");
    assert_eq!(*curve_of(&retimed), line([(-1.0, 1.0), (1.0, 3.0)]));
    assert_eq!(retimed.hand(Hand::Left).pinching, flags([(-1.0, 0.0), (0.5, 1.0)]));
    assert_eq!(retimed.markers[0].time, 0.0);
}
