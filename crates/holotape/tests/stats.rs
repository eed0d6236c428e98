//! Statistics of a file, of which only some curves are read, are those of the complete recording.

use std::io::Cursor;

use holotape::demo::DemoOptions;
use holotape::stats::{Stats, StatsOptions};
use holotape::{BoolCurve, Frame, Hand, Joint, Keys, LinearKey, Pose, PoseCurves, Recording};

use crate::common::valid_pairs;

fn recordings() -> Vec<Recording> {
    let demo = |seed| DemoOptions::new().with_seconds(12.0).with_seed(seed).generate().unwrap();
    let mut wrists = demo(1);
    for hand in Hand::ALL {
        wrists.hand_mut(hand).joints[Joint::Palm.index()] = PoseCurves::default();
    }
    // The duration is that of a curve that is not measured.
    let mut long_finger = demo(2);
    let tip = &mut long_finger.hand_mut(Hand::Left).joints[Joint::IndexTip.index()].position[0];
    tip.keys = Keys::Linear(vec![LinearKey::new(0.0, 1.0), LinearKey::new(14.0, 1.0)]);
    let mut without_marker_list = demo(3);
    without_marker_list.format.marker_list = false;
    let mut untracked = demo(4);
    untracked.hand_mut(Hand::Right).tracked = BoolCurve::default();
    let channels = [
        Recording { hands: None, ..demo(5) },
        Recording { camera: None, ..demo(5) },
        Recording { gaze: None, ..demo(5) },
        Recording::default(),
    ];
    [demo(0), wrists, long_finger, without_marker_list, untracked].into_iter().chain(channels).collect()
}

#[test]
fn statistics_of_a_file_equal_those_of_the_recording() {
    let made = recordings().into_iter().map(|recording| recording.to_vec().unwrap().0);
    let mut measured = 0;
    for bytes in valid_pairs().into_iter().map(|(_, bytes, _)| bytes).chain(made) {
        let recording = Recording::from_slice(&bytes).unwrap();
        for options in [StatsOptions::new(), StatsOptions::new().with_path_rate_hz(60.0).with_gaze_rate_hz(7.0)] {
            let expected = Stats::from_recording(&recording, &options);
            let actual = Stats::from_reader(Cursor::new(&bytes), &options);
            measured += usize::from(expected.as_ref().is_ok_and(|stats| stats.duration_secs > 1.0));
            // As text, because NaN is not equal to itself.
            assert_eq!(format!("{actual:?}"), format!("{expected:?}"));
        }
    }
    assert!(measured >= 16, "only {measured} recordings have statistics");
}

/// The length of the path of a pose, from frames of the complete recording.
fn path_m(recording: &Recording, pose: impl Fn(&Frame) -> Option<Pose>) -> f64 {
    let mut sampler = recording.sampler();
    let times: Vec<_> = sampler.times_at_rate(15.0).collect();
    let positions: Vec<_> = times.iter().map(|time| pose(&sampler.frame_at(*time)).map(|pose| pose.position)).collect();
    let step = |pair: &[Option<[f32; 3]>]| {
        let (from, to) = pair[0].zip(pair[1])?;
        Some((0..3).map(|axis| (f64::from(to[axis]) - f64::from(from[axis])).powi(2)).sum::<f64>().sqrt())
    };
    positions.windows(2).filter_map(step).sum()
}

#[test]
fn paths_equal_those_of_frames_of_the_complete_recording() {
    for recording in recordings() {
        let stats = Stats::from_recording(&recording, &StatsOptions::new()).unwrap();
        let head = path_m(&recording, |frame| frame.camera);
        assert!((stats.head.map_or(0.0, |head| head.path_m) - head).abs() < 1e-9, "{stats:?} {head}");
        for (hand, stats) in [(Hand::Left, stats.left), (Hand::Right, stats.right)] {
            let pose = |frame: &Frame| {
                let hand = frame.hand(hand)?;
                hand.joint(Joint::Palm).or(hand.joint(Joint::Wrist))
            };
            let path = path_m(&recording, pose);
            assert!((stats.map_or(0.0, |hand| hand.movement.path_m) - path).abs() < 1e-9, "{stats:?} {path}");
        }
    }
}
