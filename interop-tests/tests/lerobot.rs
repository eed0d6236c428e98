//! pandas, Hugging Face's datasets and Rerun read LeRobot datasets.

use std::fs;
use std::ops::ControlFlow;

use holotape::demo::DemoOptions;
use holotape::{Hand, Joint, Recording};
use holotape_convert::Space;
use holotape_corpus::{LerobotOptions, TaskSource, build_lerobot};
use holotape_interop_tests::{json_output, python};
use serde_json::{Value, json};

const FPS: u32 = 20;

/// The x position of the left wrist, which is tracked, by frame.
fn wrist_x(recording: &Recording) -> Vec<f32> {
    let mut sampler = recording.sampler().with_untracked_poses(true);
    let times = sampler.times_at_rate(FPS.into());
    let x = |time| {
        let frame = sampler.frame_at(time);
        frame.hand(Hand::Left).and_then(|hand| hand.joint(Joint::Wrist)).map(|wrist| wrist.position[0])
    };
    times.map(x).map(|x| x.expect("a wrist")).collect()
}

#[test]
fn other_readers_return_the_source_recordings() {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, out, scratch) = ["source", "lerobot", "scratch"].map(|name| folder.path().join(name)).into();
    [&source, &scratch].iter().for_each(|folder| fs::create_dir(folder).expect("made"));
    let (mut lengths, mut xs, mut tasks, mut head) = (Vec::new(), Vec::new(), Vec::new(), Value::Null);
    for seed in 0..7_u16 {
        let seconds = 1.0 + f64::from(seed) / 10.0;
        let mut recording = DemoOptions::new().with_seed(seed.into()).with_seconds(seconds).generate().expect("a demo");
        recording.hand_mut(Hand::Left).tracked.keys.iter_mut().for_each(|key| key.value = 1.0);
        recording.markers = holotape::Markers::new();
        recording.markers.add(0.0, format!("task {}", seed % 3));
        assert!(recording.save(source.join(format!("{seed}.bin"))).expect("saved").is_empty());
        let wrist = wrist_x(&recording);
        lengths.push(wrist.len());
        tasks.extend(wrist.iter().map(|_| seed % 3));
        xs.extend(wrist);
        if seed == 0 {
            let pose = recording.sampler().frame_at(5.0 / f64::from(FPS)).camera.expect("a head");
            let pose = Space::RightHanded.pose(pose);
            head = json!(pose.position.map(f64::from));
        }
    }
    fs::write(source.join("broken.bin"), "not a recording").expect("written");
    let options = LerobotOptions::new().with_fps(FPS).with_tasks(TaskSource::Markers).with_file_mb(0.1);
    let report = build_lerobot([&source], &out, &options, |_| ControlFlow::Continue(())).expect("built");
    assert_eq!((report.episode_count, report.broken.len()), (7, 1));
    assert!(report.file_count > 1, "several data files");

    let seen = json_output(python("lerobot.py").arg(&out).arg(&scratch));
    let pandas = &seen["pandas"];
    assert_eq!((&pandas["index"], &pandas["tasks"]), (&json!("task"), &json!({"task 0": 0, "task 1": 1, "task 2": 2})));
    assert_eq!((&pandas["lengths"], &pandas["task_of_frames"]), (&json!(lengths), &json!(tasks)));
    assert_eq!(pandas["action_is_next_state"], true);
    assert!(pandas["wrist_x"] == json!(xs.iter().map(|x| f64::from(*x)).collect::<Vec<_>>()), "{}", pandas["wrist_x"]);

    let datasets = &seen["datasets"];
    assert_eq!((&datasets["rows"], &datasets["columns"]), (&json!(report.frame_count), &json!(true)));
    assert_eq!(datasets["lengths"], json!(lengths));
    assert_eq!(datasets["tasks"], json!((0..7).map(|seed| [format!("task {}", seed % 3)]).collect::<Vec<_>>()));
    assert_eq!(datasets["head"].as_array().expect("a pose")[..3], head.as_array().expect("a position")[..]);

    let rerun = &seen["rerun"];
    assert_eq!(rerun["warnings"], json!([]));
    assert_eq!(
        rerun["episodes"].as_object().map(|episodes| episodes.len() as u64),
        Some(report.episode_count),
        "{rerun}"
    );
    for (episode, length) in lengths.iter().enumerate() {
        let rows = &rerun["episodes"][format!("episode_{episode}")];
        for feature in ["observation.left_hand", "observation.right_pinch", "observation.gaze", "action", "task"] {
            assert_eq!(rows[feature], *length, "{feature} of episode {episode}: {rerun}");
        }
    }
}
