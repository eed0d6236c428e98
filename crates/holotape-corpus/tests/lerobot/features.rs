//! The values of features, tasks and statistics.

use holotape::{Hand, Joint, Keys, LinearKey, PoseCurves, Recording, Skeleton, palm_pose};
use holotape_convert::Space;
use holotape_corpus::{ActionSource, FeatureSet, LerobotOptions, TaskSource};

use crate::common::demo;
use crate::lerobot::Study;
use crate::lerobot::table::{files, floats, integers, json, read, row_groups, table, text_lists, texts};

const FPS: u32 = 30;

/// Not tracked from 0.49 to 0.79 s, nor before 0.19 s.
fn with_gaps(mut recording: Recording) -> Recording {
    let tracked = &mut recording.hand_mut(Hand::Left).tracked;
    tracked.keys.clear();
    for (time, value) in [(0.0, 0.0), (0.19, 1.0), (0.49, 0.0), (0.79, 1.0)] {
        tracked.keys.push(LinearKey { time, value });
    }
    recording
}

/// A quaternion with either sign.
fn same_rotation(a: &[f32], b: &[f32]) -> bool {
    a == b || a.iter().zip(b).all(|(a, b)| *a == -*b)
}

/// A vector after a rotation by a unit quaternion.
fn rotated([x, y, z, w]: [f32; 4], vector: [f32; 3]) -> [f32; 3] {
    let cross = |[a, b, c]: [f32; 3]| [y * c - z * b, z * a - x * c, x * b - y * a];
    let once = cross(vector);
    let twice = cross(once);
    std::array::from_fn(|n| vector[n] + 2.0 * (w * once[n] + twice[n]))
}

#[test]
fn frames_have_the_sampled_poses() {
    let recording = with_gaps(demo(1, 1.0));
    for space in [Space::RightHanded, Space::Unity] {
        let study = Study::of([&recording]);
        let report = study.build(&LerobotOptions::new().with_fps(FPS).with_space(space));
        assert_eq!((report.episode_count, report.frame_count), (1, 31));
        let rows = table(&study.out(), "data");
        let mut sampler = recording.sampler();
        let times: Vec<_> = sampler.times_at_rate(FPS.into()).collect();
        for (row, time) in times.iter().enumerate() {
            let mut frame = sampler.frame_at(*time);
            space.convert_frame(&mut frame);
            for hand in Hand::ALL {
                let expected = frame.hand(hand).unwrap();
                let values = &floats(&rows, &format!("observation.{hand}_hand"))[row];
                assert_eq!(floats(&rows, &format!("observation.{hand}_tracked"))[row], [f32::from(expected.tracked)]);
                let is_pinching = expected.tracked && expected.pinching;
                assert_eq!(floats(&rows, &format!("observation.{hand}_pinch"))[row], [f32::from(is_pinching)]);
                for (joint, values) in Skeleton::OpenXr.joints().zip(values.chunks(7)).filter(|_| expected.tracked) {
                    let pose = expected.joint(joint).unwrap();
                    assert_eq!(values[..3], pose.position, "{joint} of frame {row}");
                    assert!(same_rotation(&values[3..], &pose.rotation), "{joint} of frame {row}");
                }
            }
            let (head, gaze) = (frame.camera.unwrap(), frame.gaze.unwrap());
            let values = &floats(&rows, "observation.head")[row];
            assert_eq!(values[..3], head.position);
            assert!(same_rotation(&values[3..], &head.rotation), "head of frame {row}");
            assert_eq!(floats(&rows, "observation.head_tracked")[row], [1.0]);
            assert_eq!(floats(&rows, "observation.gaze_tracked")[row], [1.0]);
            assert_eq!(floats(&rows, "observation.gaze")[row], [gaze.origin, gaze.direction].concat());
            assert_eq!(floats(&rows, "timestamp")[row], [*time as f32]);
        }
    }
}

#[test]
fn untracked_hand_holds_its_pose() {
    let study = Study::of([&with_gaps(demo(1, 1.0))]);
    study.build(&LerobotOptions::new().with_fps(FPS));
    let rows = table(&study.out(), "data");
    let (poses, tracked) = (floats(&rows, "observation.left_hand"), floats(&rows, "observation.left_tracked"));
    let is_tracked = |row: &usize| tracked[*row] == [1.0];
    assert_eq!((0..31).filter(is_tracked).collect::<Vec<_>>(), (6..15).chain(24..31).collect::<Vec<_>>());
    assert!((0..6).all(|row| poses[row] == poses[6]), "before the first tracked frame");
    assert!((15..24).all(|row| poses[row] == poses[14]), "between tracked frames");
    assert_ne!(poses[24], poses[14]);
    for pair in poses.windows(2) {
        for (before, after) in pair[0].chunks(7).zip(pair[1].chunks(7)) {
            let dot: f32 = before[3..].iter().zip(&after[3..]).map(|(a, b)| a * b).sum();
            assert!(dot >= 0.0, "a quaternion changes its sign");
        }
    }
}

#[test]
fn action_is_the_state_of_the_next_frame() {
    for set in FeatureSet::ALL {
        let study = Study::of([&demo(1, 1.0), &demo(2, 0.5)]);
        let of = |action| {
            study.build(&LerobotOptions::new().with_features(set).with_action(action));
            table(&study.out(), "data")
        };
        let rows = of(ActionSource::Next);
        let (state, action) = (floats(&rows, "observation.state"), floats(&rows, "action"));
        let episodes = integers(&rows, "episode_index");
        for row in 0..state.len() {
            let is_last = episodes.get(row + 1) != Some(&episodes[row]);
            assert_eq!(action[row], state[if is_last { row } else { row + 1 }], "frame {row}");
        }
        let rows = of(ActionSource::Same);
        assert_eq!(floats(&rows, "action"), floats(&rows, "observation.state"));
        assert!(of(ActionSource::None).column_by_name("action").is_none());
    }
}

#[test]
fn compact_features_have_wrists_and_fingertips() {
    let recording = demo(3, 0.5);
    let study = Study::of([&recording]);
    study.build(&LerobotOptions::new().with_features(FeatureSet::Compact));
    let rows = table(&study.out(), "data");
    let frame = recording.sampler().frame_at(0.0);
    let hand = frame.hand(Hand::Right).unwrap();
    let values = &floats(&rows, "observation.right_hand")[0];
    let turned = |position: [f32; 3]| Space::RightHanded.vector(position);
    let wrist = Space::RightHanded.pose(hand.joint(Joint::Wrist).unwrap());
    assert_eq!(values[..3], wrist.position);
    for (axis, values) in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].into_iter().zip(values[3..].chunks(3)) {
        let expected = rotated(wrist.rotation, axis);
        assert!(expected.iter().zip(values).all(|(a, b)| (a - b).abs() < 1e-5), "{values:?}, not {expected:?}");
    }
    let tips = [Joint::ThumbTip, Joint::IndexTip, Joint::MiddleTip, Joint::RingTip, Joint::PinkyTip];
    for (tip, values) in tips.into_iter().zip(values[9..].chunks(3)) {
        assert_eq!(values, turned(hand.joint(tip).unwrap().position), "{tip}");
    }
    assert_eq!(floats(&rows, "observation.state")[0][10..19], values[..9]);
    let info = json(&study.out(), "meta/info.json");
    assert!(info["features"]["observation.head"].is_null());
    assert_eq!(info["features"]["observation.right_hand"]["names"][3], "Wrist.x_axis.x");
}

#[test]
fn missing_parts_are_zeros_and_not_tracked() {
    let mut recording = demo(1, 0.5);
    (recording.gaze, recording.hands) = (None, None);
    let study = Study::of([&recording]);
    study.build(&LerobotOptions::new());
    let rows = table(&study.out(), "data");
    for name in ["gaze_tracked", "left_tracked", "right_pinch"] {
        assert!(floats(&rows, &format!("observation.{name}")).concat().iter().all(|value| *value == 0.0), "{name}");
    }
    assert_eq!(floats(&rows, "observation.head_tracked")[3], [1.0]);
    assert_eq!(floats(&rows, "observation.gaze")[3], [0.0; 6]);
    assert_eq!(floats(&rows, "observation.left_hand")[3][..7], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn missing_joint_is_constructed_and_reported() {
    let mut recording = demo(1, 0.5);
    *recording.hand_mut(Hand::Right).joint_mut(Joint::Palm) = PoseCurves::default();
    let study = Study::of([&recording]);
    let report = study.build(&LerobotOptions::new().with_space(Space::Unity).with_tasks(TaskSource::Markers));
    assert_eq!(report.notes, ["constructed 1 joint without data in 1 recording"]);
    let hand = &floats(&table(&study.out(), "data"), "observation.right_hand")[0];
    let frame = recording.sampler().frame_at(0.0);
    let joint = |joint| frame.hand(Hand::Right).unwrap().joint(joint).unwrap();
    assert_eq!(hand[..3], palm_pose(joint(Joint::MiddleMetacarpal), joint(Joint::MiddleKnuckle)).position);
}

#[test]
fn non_finite_poses_are_held() {
    let mut recording = demo(1, 0.5);
    let keys = [(0.0, 1.5), (0.25, f32::NAN), (0.5, f32::NAN)].map(|(time, value)| LinearKey { time, value });
    recording.camera.as_mut().unwrap().position[1].keys = Keys::Linear(keys.to_vec());
    let study = Study::of([&recording]);
    study.build(&LerobotOptions::new());
    let rows = table(&study.out(), "data");
    assert!(floats(&rows, "observation.head").concat().iter().all(|value| value.is_finite()));
    let tracked = floats(&rows, "observation.head_tracked").concat();
    assert_eq!((tracked[0], tracked[15]), (1.0, 0.0));
}

#[test]
fn markers_and_folders_are_tasks() {
    let study = Study::new();
    for (name, markers) in [("pour/a.bin", &[(0.1, "reach"), (0.3, "pour")][..]), ("stack/b.bin", &[(0.2, "reach")])] {
        let mut recording = demo(1, 0.5);
        recording.markers = Default::default();
        markers.iter().for_each(|(time, name)| recording.markers.add(*time, *name));
        crate::common::save(&recording, &study.path(name));
    }
    let options = LerobotOptions::new().with_fps(10).with_task("wait");
    let tasks = |options: &LerobotOptions| {
        let report = study.build(options);
        let names = read(&study.out().join("meta/tasks.parquet"));
        let numbers: Vec<_> = integers(&names, "task_index");
        assert_eq!(numbers, (0..report.task_count as i64).collect::<Vec<_>>());
        let (names, rows) = (texts(&names, "task"), table(&study.out(), "data"));
        let by_frame: Vec<_> = integers(&rows, "task_index").iter().map(|task| names[*task as usize].clone()).collect();
        (by_frame.join(" "), text_lists(&table(&study.out(), "meta/episodes"), "tasks"), report.notes)
    };
    let (by_frame, by_episode, notes) = tasks(&options.clone().with_tasks(TaskSource::Markers));
    assert_eq!(by_frame, "wait reach reach pour pour pour wait wait reach reach reach reach");
    assert_eq!(by_episode, [vec!["wait", "reach", "pour"], vec!["wait", "reach"]]);
    assert_eq!(notes, [""; 0]);
    let (by_frame, by_episode, notes) = tasks(&options.with_tasks(TaskSource::Folders));
    assert!(by_frame.starts_with("pour pour") && by_frame.ends_with("stack stack"), "{by_frame}");
    assert_eq!(by_episode, [["pour"], ["stack"]]);
    assert!(notes[0].starts_with("dropped 3 markers of 2 recordings; --tasks-from"), "{notes:?}");
}

/// Statistics computed from all values at once.
fn expected_stats(mut values: Vec<f32>) -> Vec<f64> {
    values.sort_by(f32::total_cmp);
    let count = values.len() as f64;
    let mean = values.iter().map(|value| f64::from(*value)).sum::<f64>() / count;
    let variance = values.iter().map(|value| (f64::from(*value) - mean).powi(2)).sum::<f64>() / count;
    let quantile = |fraction: f64| {
        let at = fraction * (count - 1.0);
        let [low, high] = [at.floor(), at.ceil()].map(|index| f64::from(values[index as usize]));
        low + (high - low) * at.fract()
    };
    let ends = [values[0], values[values.len() - 1]].map(f64::from);
    let quantiles = [0.01, 0.1, 0.5, 0.9, 0.99].map(quantile);
    [&ends[..], &[mean, variance.sqrt()], &quantiles].concat()
}

const STATS: [&str; 9] = ["min", "max", "mean", "std", "q01", "q10", "q50", "q90", "q99"];

#[test]
fn statistics_cover_all_frames() {
    let study = Study::of([&demo(1, 1.0), &with_gaps(demo(2, 2.0)), &demo(3, 0.3)]);
    study.build(&LerobotOptions::new().with_file_mb(0.1));
    let (rows, episodes) = (table(&study.out(), "data"), table(&study.out(), "meta/episodes"));
    assert!(files(&study.out(), "data").len() > 1, "several files");
    let stats = json(&study.out(), "meta/stats.json");
    let near = |a: f64, b: f64| (a - b).abs() < 2e-6;
    for name in ["observation.left_hand", "observation.left_pinch", "action", "timestamp"] {
        let values = floats(&rows, name);
        for component in 0..values[0].len() {
            let expected = expected_stats(values.iter().map(|row| row[component]).collect());
            for (stat, expected) in STATS.iter().zip(&expected) {
                let actual = stats[name][stat][component].as_f64().unwrap();
                assert!(near(actual, *expected), "{name} {stat}: {actual} instead of {expected}");
            }
            let second: Vec<_> = values[31..31 + 61].iter().map(|row| row[component]).collect();
            for (stat, expected) in STATS.iter().zip(expected_stats(second)) {
                let actual = floats(&episodes, &format!("stats/{name}/{stat}"))[1][component];
                assert!(near(actual.into(), expected), "{name} {stat} of an episode: {actual} instead of {expected}");
            }
        }
        assert_eq!(stats[name]["count"][0], 31 + 61 + 10);
    }
}

#[test]
fn long_episode_has_several_row_groups() {
    let long = holotape::demo::DemoOptions::new().with_seconds(1200.0).with_rate_hz(1.0).generate().unwrap();
    let study = Study::of([&demo(1, 1.0), &long]);
    let report = study.build(&LerobotOptions::new().with_features(FeatureSet::Compact));
    assert_eq!(report.frame_count, 31 + 36_001);
    let path = &files(&study.out(), "data")[0];
    assert_eq!(row_groups(path), [31, 1 << 15, 36_001 - (1 << 15)]);
    let rows = read(path);
    let (state, action) = (floats(&rows, "observation.state"), floats(&rows, "action"));
    assert!((31..36_031).all(|row| action[row] == state[row + 1]));
    assert_eq!(action[36_031], state[36_031]);
    assert_eq!(integers(&rows, "frame_index")[31..], (0..36_001).collect::<Vec<_>>());
    assert_eq!(integers(&rows, "index"), (0..36_032).collect::<Vec<_>>());
    let stats = json(&study.out(), "meta/stats.json");
    let median = stats["timestamp"]["q50"][0].as_f64().unwrap();
    assert!((median - 599.5).abs() < 1.0, "{median}");
}
