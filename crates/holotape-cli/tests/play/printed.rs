//! Lines on standard output.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::time::{Duration, Instant};

use holotape::demo::DemoOptions;
use holotape::{Hand, LinearKey, Recording};
use serde_json::Value;

use crate::common::Run;
use crate::play::{is_frame, lines, play, recording, saved, times};

#[test]
fn frames_equal_samples_at_fixed_times() {
    let (_folder, path, recording) = recording();
    let started = Instant::now();
    let run = Run::new(&mut play(&path, &["--speed", "20", "--rate", "30"])).code(0).assert_stderr_empty();
    assert!(started.elapsed() >= Duration::from_millis(200), "it plays in real time");
    let mut sampler = recording.sampler();
    let expected: Vec<_> = (0..=6).map(|n| sampler.frame_at(f64::from(n) / 30.0 * 20.0)).collect();
    let frames: Vec<_> = run.text().lines().filter(|line| line.contains("camera")).collect();
    let expected: Vec<_> = expected.iter().map(|frame| serde_json::to_string(frame).expect("JSON")).collect();
    assert_eq!(frames, expected);
}

#[test]
fn last_frame_is_at_the_exact_end() {
    let ending_at = |time: f32| {
        let camera = DemoOptions::new().with_seconds(0.0).generate().expect("a demo").camera;
        let mut recording = Recording { camera, ..Recording::default() };
        recording.hand_mut(Hand::Left).tracked =
            [LinearKey::new(0.0, 0.0), LinearKey::new(time, 1.0)].into_iter().collect();
        let (_folder, path) = saved(&recording);
        let run = Run::new(&mut play(&path, &["--speed", "10", "--rate", "20"])).code(0).assert_stderr_empty();
        times(&lines(run.text()), is_frame)
    };
    assert_eq!(ending_at(1.25), [0.0, 0.5, 1.0, 1.25], "between two ticks");
    let rounded = 1.0_f32.next_up();
    assert_eq!(ending_at(rounded), [0.0, 0.5, f64::from(rounded)], "and not twice where it is a tick but for rounding");
    assert_eq!(ending_at(1.0_f32.next_down()), [0.0, 0.5, f64::from(1.0_f32.next_down())]);
    assert_eq!(ending_at(0.0), [0.0]);
    let (_folder, path, _) = recording();
    let started = Instant::now();
    let run = Run::new(&mut play(&path, &["--speed", "20", "--rate", "0.001"])).code(0).assert_stderr_empty();
    assert!(started.elapsed() < Duration::from_secs(500), "it does not wait for the tick after the end");
    assert_eq!(times(&lines(run.text()), is_frame), [0.0, 4.0]);
}

#[test]
fn markers_are_always_printed_and_events_on_request() {
    let (_folder, path, recording) = recording();
    let plain = Run::new(&mut play(&path, &["--speed", "40"])).code(0).assert_stderr_empty();
    let plain = lines(plain.text());
    assert!(plain.iter().all(|line| line.get("event").is_none()));
    let markers: Vec<_> = plain.iter().filter_map(|line| line["marker"].as_str()).collect();
    assert_eq!(markers, recording.markers.iter().map(|marker| marker.name.as_str()).collect::<Vec<_>>());
    assert_eq!(plain[0]["marker"], "start");
    assert!(is_frame(plain.last().expect("a line")), "a marker comes before the frame at its time");
    let all = Run::new(&mut play(&path, &["--speed", "40", "--events"])).code(0).assert_stderr_empty();
    let all = lines(all.text());
    assert_eq!(all[0], serde_json::json!({"time": 0.0, "event": "started"}));
    assert_eq!(all[1], serde_json::json!({"time": 0.0, "event": "hand_found", "hand": "left"}));
    assert_eq!(all.last(), Some(&serde_json::json!({"time": 4.0, "event": "ended"})));
    assert!(times(&all, |_| true).is_sorted());
    let without_events: Vec<_> = all.into_iter().filter(|line| line.get("event").is_none()).collect();
    assert_eq!(without_events, plain);
}

#[test]
fn span_is_played_and_invalid_spans_are_rejected() {
    let (_folder, path, _) = recording();
    let part = |args: &[&str]| Run::new(play(&path, &["--speed", "20", "--rate", "20"]).args(args));
    let run = part(&["--from", "1.5", "--to", "3"]).code(0).assert_stderr_empty();
    assert_eq!(times(&lines(run.text()), is_frame), [1.5, 2.5, 3.0]);
    let run = part(&["--from", "3.5", "--to", "99"]).code(0).assert_stderr_empty();
    assert_eq!(times(&lines(run.text()), is_frame), [3.5, 4.0]);
    part(&["--from", "4.5"])
        .code(2)
        .assert_stderr_contains("--from 4.5 is after the end of the recording, which lasts 4 s");
    part(&["--from", "-1"]).code(2).assert_stderr_contains("--from -1");
    part(&["--from", "2", "--to", "1"]).code(2).assert_stderr_contains("--from 2 is after --to 1");
    for wrong in [["--speed", "0"], ["--speed", "-1"], ["--rate", "0"], ["--rate", "NaN"], ["--rate", "1e7"]] {
        part(&wrong).code(2);
    }
    part(&["--allow-origin", "http://example.org"]).code(2).assert_stderr_contains("--ws");
    part(&["--ws", "0", "--allow-origin", "x"]).code(2).assert_stderr_contains("an origin such as https://example.org");
}

#[test]
fn include_untracked_adds_poses_of_untracked_hands() {
    let recording = DemoOptions::new().generate().expect("a demo");
    let lost = 6.5;
    assert!(!recording.hand(Hand::Right).tracked.value_at(lost));
    let (_folder, path) = saved(&recording);
    for (args, expected) in [(&[][..], false), (&["--include-untracked"], true)] {
        let run = Run::new(play(&path, &["--from", "6.5", "--to", "6.5"]).args(args)).code(0).assert_stderr_empty();
        let frame = lines(run.text()).remove(0);
        assert_eq!(frame["right"].get("joints").is_some(), expected);
    }
}

#[test]
fn loop_continues_until_the_reader_closes_the_pipe() {
    let (_folder, path, _) = recording();
    let mut child = play(&path, &["--speed", "30", "--rate", "20", "--loop", "--events"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts");
    let reader = BufReader::new(child.stdout.take().expect("piped"));
    let lines = reader.lines().map(|line| serde_json::from_str::<Value>(&line.expect("a line")).expect("JSON"));
    let laps = lines.filter(|line| line["event"] == "looped").take(3);
    assert_eq!(times(&laps.collect::<Vec<_>>(), |_| true), [4.0, 4.0, 4.0]);
    assert_eq!(child.wait().expect("ends").code(), Some(0), "a closed pipe is not an error");
}

#[test]
fn slow_reader_misses_frames_but_no_markers() {
    let (_folder, path, recording) = recording();
    let mut child =
        play(&path, &["--speed", "2"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    let mut reader = BufReader::new(child.stdout.take().expect("piped"));
    let mut printed = String::new();
    reader.read_line(&mut printed).expect("a line");
    // Continues to read when another player has ended, which takes 2 s. The pipe holds only a few frames.
    assert!(!Run::new(&mut play(&path, &["--speed", "2", "--rate", "1"])).text().is_empty());
    reader.read_to_string(&mut printed).expect("the rest");
    let output = child.wait_with_output().expect("ends");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.starts_with("lost: ") && message.contains(" frames"), "{message:?}");
    assert_eq!(output.status.code(), Some(3));
    let lines = lines(&printed);
    assert_eq!(lines.iter().filter(|line| line.get("marker").is_some()).count(), recording.markers.len());
    assert!(times(&lines, is_frame).len() < 121, "fewer than in 2 s");
    assert_eq!(times(&lines, is_frame).last(), Some(&4.0));
}

#[test]
fn markers_outside_the_recording_are_reported() {
    let (_folder, path, mut recording) = recording();
    recording.markers.add(5.0, "late");
    assert!(recording.save(&path).expect("saved").is_empty());
    let run = Run::new(&mut play(&path, &["--speed", "100"])).code(0);
    assert_eq!(run.stderr, "note: skipping 1 marker before 0 s or after the end at 4 s\n");
}
