//! The record layer: known motion of a device ends up in the recording.

use std::fs;
use std::sync::OnceLock;

use holotape::check::{CheckOptions, check};
use holotape::record::{Journal, journal_path};
use holotape::{Frame, Hand, Joint, Pose, Recording};
use holotape_openxr::Report;
use serde_json::Value;

use crate::bed::{Bed, Device, Layer};
use crate::client::{ClientFrame, ClientRun, from_openxr};
use crate::near::Near;

/// A packet that `remote.py` sent.
struct Packet {
    clock_nanos: i64,
    head: Pose,
    hands: [PacketHand; 2],
    is_pinching: bool,
}

struct PacketHand {
    wrist: Pose,
    index_tip: [f32; 3],
}

impl Packet {
    fn new(line: &Value) -> Self {
        let pose = |value: &Value| from_openxr(value.as_array().expect("numbers"));
        let hand = |hand: &Value| {
            let tip: [f32; 3] = std::array::from_fn(|n| hand["index_tip"][n].as_f64().expect("a number") as f32);
            PacketHand { wrist: pose(&hand["wrist"]), index_tip: [tip[0], tip[1], -tip[2]] }
        };
        Self {
            clock_nanos: line["clock"].as_i64().expect("a time"),
            head: pose(&line["head"]),
            hands: [hand(&line["left"]), hand(&line["right"])],
            is_pinching: line["pinching"].as_bool().expect("a flag"),
        }
    }
}

/// A recording of motion that is known.
pub(crate) struct KnownTake {
    pub(crate) recording: Recording,
    run: ClientRun,
    packets: Vec<Packet>,
    reports: Vec<Report>,
}

/// The recording, made once for all tests.
pub(crate) fn known_take() -> &'static KnownTake {
    static TAKE: OnceLock<KnownTake> = OnceLock::new();
    TAKE.get_or_init(|| {
        let bed = Bed::new();
        let config = bed.record_config();
        let args = ["--frames", "150", "--space", "stage"];
        let run = bed.run_client(Device::Remote, &[Layer::Record(Some(&config))], &args).expect_success();
        let log = fs::read_to_string(bed.path("packets.jsonl")).expect("a log");
        let packets = log.lines().map(|line| Packet::new(&serde_json::from_str(line).expect("JSON"))).collect();
        let recording = Recording::open(bed.path("out.bin")).expect("a recording");
        KnownTake { recording, run, packets, reports: bed.reports() }
    })
}

/// The frames of a recording at its own times.
pub(crate) fn frames(recording: &Recording) -> Vec<Frame> {
    let camera = recording.camera.as_ref().expect("a camera channel");
    let mut sampler = recording.sampler();
    camera.position[0].keys.iter().map(|key| sampler.frame_at(f64::from(key.time))).collect()
}

/// The packet of this head: the device uses the newest packet, which may be late, or sent after the client read its
/// clock.
fn packet_of_head(packets: &[Packet], head: Pose, seen: &ClientFrame) -> usize {
    const MAX_LATE_NANOS: i64 = 2_000_000_000;
    let is_recent = |packet: &Packet| (packet.clock_nanos - seen.clock_nanos).abs() < MAX_LATE_NANOS;
    let recent = packets.iter().enumerate().filter(|(_, packet)| is_recent(packet));
    let distance = |packet: &Packet| packet.head.distance_m(&head) + packet.head.angle_deg(&head).to_radians();
    let nearest = recent.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)));
    nearest.expect("packets around the time of the frame").0
}

#[test]
fn recording_has_the_motion_of_the_device() {
    let KnownTake { recording, run, packets, .. } = known_take();
    let recorded = frames(recording);
    assert_eq!(recorded.len(), run.frames.len());
    let (mut poses, mut tips) = (Near::new(1e-4, 0.02), Near::new(2e-3, 0.02));
    let mut before = 0;
    for (n, (frame, seen)) in recorded.iter().zip(&run.frames).enumerate() {
        assert!((frame.time - seen.secs_since(&run.frames[0])).abs() < 1e-3, "frame {n} is at {} s", frame.time);
        let head = frame.camera.expect("a head");
        let newest = packet_of_head(packets, head, seen);
        poses.poses(&format!("frame {n}: head"), Some(head), Some(packets[newest].head));
        // The layer locates the hands after the head, so their packet may be a later one.
        for hand in Hand::ALL {
            let joints = frame.hand(hand).filter(|hand| hand.tracked).expect("a tracked hand");
            let [wrist, tip] = [Joint::Wrist, Joint::IndexTip].map(|joint| joints.joint(joint).expect("a joint"));
            let later = packets[newest.saturating_sub(2)..].iter().take(500).map(|packet| &packet.hands[hand as usize]);
            let distance = |packet: &PacketHand| packet.wrist.distance_m(&wrist) + distance_m(packet.index_tip, tip);
            let packet = later.min_by(|a, b| distance(a).total_cmp(&distance(b))).expect("a packet");
            poses.poses(&format!("frame {n}: {hand} wrist"), Some(wrist), Some(packet.wrist));
            let tip_of_packet = Pose { position: packet.index_tip, ..tip };
            tips.poses(&format!("frame {n}: {hand} index tip"), Some(tip), Some(tip_of_packet));
        }
        // The application synchronizes actions between two frames.
        let is_pinching = frame.right.as_ref().is_some_and(|hand| hand.pinching);
        let mut between = packets[before..].iter().take(newest + 3 - before);
        assert!(between.any(|packet| packet.is_pinching == is_pinching), "frame {n}: pinching is {is_pinching}");
        before = newest.saturating_sub(2);
    }
    poses.finish("head and wrists", 3 * 150);
    tips.finish("index tips", 2 * 150);
    let pinches = recorded.windows(2).filter(|pair| {
        let [before, after] = [&pair[0], &pair[1]].map(|frame| frame.right.as_ref().is_some_and(|hand| hand.pinching));
        !before && after
    });
    assert!(pinches.count() > 0, "no pinch begins");
}

fn distance_m(position: [f32; 3], pose: Pose) -> f64 {
    pose.distance_m(&Pose { position, ..pose })
}

#[test]
fn recording_is_sound_and_reported() {
    let KnownTake { recording, run, reports, .. } = known_take();
    let findings = check(recording, &CheckOptions::new());
    assert!(findings.is_empty(), "{findings:?}");
    let [Report::Started { path: started }, Report::Saved { path, frames, duration_secs, space, gaze, notes }] =
        reports.as_slice()
    else {
        panic!("{reports:?}")
    };
    assert_eq!(started, path);
    assert_eq!(*frames, run.frames.len() as u64);
    assert_eq!(*duration_secs, f64::from(recording.duration_secs()));
    assert_eq!((space.as_str(), gaze.as_str()), ("STAGE", "head"));
    assert_eq!(notes.iter().filter(|note| note.contains("controller")).count(), notes.len(), "{notes:?}");
}

#[test]
fn states_of_the_session_are_markers() {
    let KnownTake { recording, .. } = known_take();
    let markers: Vec<_> = recording.markers.iter().map(|marker| (marker.name.as_str(), marker.time)).collect();
    let [.., ("session not visible", left_secs), ("session stopping", stopped_secs)] = markers.as_slice() else {
        panic!("{markers:?}")
    };
    // The application ends its session after the last frame.
    let last_secs = recording.duration_secs();
    assert!(*left_secs >= last_secs && *stopped_secs >= last_secs, "{markers:?}: the last frame is at {last_secs} s");
}

#[test]
fn journal_of_a_killed_application_has_all_frames_but_the_last() {
    let bed = Bed::new();
    let config = bed.record_config();
    let layers = [Layer::Record(Some(&config))];
    // The client prints a line per frame, and kills itself when it has printed the last one.
    let run = bed.run_client(Device::Remote, &layers, &["--frames", "60", "--space", "stage", "--kill"]);
    assert!(!run.status.success(), "the client was not killed");
    assert!(!bed.path("out.bin").exists());
    let journal = Journal::open(journal_path(bed.path("out.bin"))).expect("a journal");
    assert_eq!(run.frames.len(), 60);
    assert!((59..=60).contains(&journal.frame_count), "{} frames", journal.frame_count);
    for (n, (frame, seen)) in frames(&journal.recording).iter().zip(&run.frames).enumerate() {
        assert!((frame.time - seen.secs_since(&run.frames[0])).abs() < 1e-3, "frame {n} is at {} s", frame.time);
        let is_complete = frame.camera.is_some() && frame.left.is_some() && frame.right.is_some();
        assert!(is_complete, "frame {n}: {frame:?}");
    }
}

#[test]
fn each_session_is_saved_to_its_own_file() {
    let bed = Bed::new();
    let config = bed.record_config();
    let args = ["--frames", "20", "--sessions", "3"];
    let run = bed.run_client(Device::Remote, &[Layer::Record(Some(&config))], &args).expect_success();
    assert_eq!(run.frames.len(), 60);
    for name in ["out.bin", "out-2.bin", "out-3.bin"] {
        let recording = Recording::open(bed.path(name)).expect("a recording");
        assert_eq!(frames(&recording).len(), 20, "{name}");
        assert!(!journal_path(bed.path(name)).exists(), "{name} is saved, but its journal exists");
    }
}
