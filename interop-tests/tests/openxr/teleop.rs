//! NVIDIA's isaacteleop, an application that we did not write, under both layers. Khronos' validation layer rejects its
//! session also without our layers, so this test does not use it.

use std::fs;

use holotape::demo::DemoOptions;
use holotape::{Frame, Hand, HandFrame, Joint, Pose, Recording, Skeleton};
use holotape_openxr::{ReplayConfig, SpaceChoice};
use serde_json::Value;

use crate::bed::{Bed, Device, Layer};
use crate::client::from_openxr;
use crate::near::Near;
use crate::record::frames;

const UPDATES: usize = 120;
const STEP_SECS: f64 = 1.0 / 30.0;

/// Runs `teleop.py`, and returns what it read in each update.
fn run_teleop(bed: &Bed, device: Device, layers: &[Layer<'_>]) -> Vec<Frame> {
    let (program, updates) = (bed.path("teleop.py"), UPDATES.to_string());
    let output = bed.run(device, layers, &[program.to_str().expect("UTF-8"), "--updates", &updates]);
    let [stdout, stderr] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success(), "{stdout}\n{stderr}");
    // isaacteleop prints what it does to stdout too.
    let lines = stdout.lines().filter(|line| line.starts_with('{'));
    let read: Vec<_> = lines.map(|line| frame(&serde_json::from_str(line).expect("JSON"))).collect();
    assert_eq!(read.len(), UPDATES, "{stdout}\n{stderr}");
    read
}

fn frame(line: &Value) -> Frame {
    let pose = |value: &Value| value.as_array().map(|numbers| from_openxr(numbers));
    let hand = |value: &Value| {
        let joints = value.as_array()?;
        let mut hand = HandFrame { tracked: true, ..HandFrame::default() };
        for joint in Joint::ALL {
            if let Some(index) = Skeleton::OpenXr.index(joint) {
                hand.joints[joint.index()] = pose(&joints[index]);
            }
        }
        Some(hand)
    };
    Frame { camera: pose(&line["head"]), left: hand(&line["left"]), right: hand(&line["right"]), ..Frame::default() }
}

/// Asserts that two frames have the same head and hands.
fn compare(poses: &mut Near, what: &str, recorded: &Frame, read: &Frame) {
    poses.frames(what, &Frame { gaze: None, ..recorded.clone() }, &Frame { gaze: None, ..read.clone() });
}

#[test]
fn teleop_reads_the_replay_and_is_recorded() {
    let demo = DemoOptions::new().with_seconds(UPDATES as f64 * STEP_SECS).generate().expect("a demo");
    for device in [Device::Simulated, Device::Remote] {
        let bed = Bed::new();
        bed.save_input(&demo);
        let record = bed.record_config();
        let replay = ReplayConfig { step_secs: Some(STEP_SECS), space: SpaceChoice::Stage, ..bed.replay_config() };
        let layers = [Layer::Record(Some(&record)), Layer::Replay(Some(&replay))];
        let read = run_teleop(&bed, device, &layers);
        let take = Recording::open(bed.path("out.bin")).expect("a recording");
        let (mut sampler, mut replayed, mut recorded) = (demo.sampler(), Near::new(1e-4, 0.05), Near::new(1e-4, 0.05));
        for (n, read) in read.iter().enumerate() {
            compare(&mut replayed, &format!("update {n}"), &sampler.frame_at(n as f64 * STEP_SECS), read);
        }
        replayed.finish(&format!("teleop on {device:?}, replayed"), UPDATES * 27);
        let taken = frames(&take);
        assert_eq!(taken.len(), UPDATES);
        for (n, (taken, read)) in taken.iter().zip(&read).enumerate() {
            compare(&mut recorded, &format!("frame {n}"), taken, read);
        }
        recorded.finish(&format!("teleop on {device:?}, recorded"), UPDATES * 27);
    }
}

#[test]
fn teleop_on_a_device_is_recorded() {
    let bed = Bed::new();
    let record = bed.record_config();
    let read = run_teleop(&bed, Device::Remote, &[Layer::Record(Some(&record))]);
    assert!(read.iter().all(|frame| frame.camera.is_some() && frame.left.is_some() && frame.right.is_some()));
    let log = fs::read_to_string(bed.path("packets.jsonl")).expect("a log");
    let packets: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let sent = |pose: &dyn Fn(&Value) -> Value| -> Vec<Pose> {
        packets.iter().map(|packet| from_openxr(pose(packet).as_array().expect("numbers"))).collect()
    };
    let heads = sent(&|packet| packet["head"].clone());
    let wrists = Hand::ALL.map(|hand| sent(&|packet| packet[hand.to_string()]["wrist"].clone()));
    let taken = frames(&Recording::open(bed.path("out.bin")).expect("a recording"));
    assert_eq!(taken.len(), UPDATES);
    let mut poses = Near::new(1e-4, 0.02);
    // The device uses the newest packet, however late it is: every pose is that of a packet.
    let mut is_sent = |what: String, pose: Pose, sent: &[Pose]| {
        let distance = |other: &Pose| pose.distance_m(other) + pose.angle_deg(other).to_radians();
        let nearest = sent.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).copied();
        poses.poses(&what, Some(pose), nearest);
    };
    for (n, frame) in taken.iter().enumerate() {
        is_sent(format!("frame {n}: head"), frame.camera.expect("a head"), &heads);
        for hand in Hand::ALL {
            let wrist = frame.hand(hand).and_then(|hand| hand.joint(Joint::Wrist)).expect("a wrist");
            is_sent(format!("frame {n}: {hand} wrist"), wrist, &wrists[hand as usize]);
        }
    }
    poses.finish("teleop on a device", UPDATES * 3);
}
