//! Logs contain the data of the recording, decodable with the schemas they contain.

mod file;
mod protobuf;
mod reference;

use std::collections::BTreeMap;
use std::path::Path;

use glam::{DQuat, DVec3};
use holotape::demo::DemoOptions;
use holotape::{BoolCurve, Curve, ErrorKind, Frame, Hand, Joint, Keys, LinearKey, Marker, Pose, PoseCurves, Recording};
use holotape_convert::mcap::{self, McapOptions};
use holotape_convert::{LossKind, Losses, Space, Timing};
use protobuf::Schema;
use serde_json::{Value, json};

/// A log, decoded with its own schemas.
struct Log {
    topics: BTreeMap<String, Vec<(u64, Value)>>,
    channel_metadata: BTreeMap<String, BTreeMap<String, String>>,
    summary: ::mcap::Summary,
    losses: Losses,
    bytes: Vec<u8>,
}

impl Log {
    fn write(recording: &Recording, options: McapOptions) -> Self {
        let mut bytes = Vec::new();
        let losses = mcap::write(recording, &options, &mut bytes).expect("written");
        let summary = ::mcap::Summary::read(&bytes).expect("readable").expect("a summary");
        let (mut topics, mut channel_metadata) = (BTreeMap::<_, Vec<_>>::new(), BTreeMap::new());
        let mut schemas = BTreeMap::new();
        let mut last_ns = 0;
        for message in ::mcap::MessageStream::new(&bytes).expect("a log") {
            let message = message.expect("readable, with the right checksums");
            assert!(message.log_time >= last_ns, "messages are sorted by time");
            last_ns = message.log_time;
            let channel = &message.channel;
            let schema = channel.schema.as_ref().expect("a schema");
            assert_eq!(message.sequence as usize, topics.get(&channel.topic).map_or(0, Vec::len));
            let value = match schema.encoding.as_str() {
                "protobuf" => {
                    let reader = schemas.entry(schema.id).or_insert_with(|| Schema::new(&schema.data));
                    reader.decode(&schema.name, &message.data)
                }
                _ => serde_json::from_slice(&message.data).expect("JSON"),
            };
            topics.entry(channel.topic.clone()).or_default().push((message.log_time, value));
            channel_metadata.insert(channel.topic.clone(), channel.metadata.clone());
        }
        Self { topics, channel_metadata, summary, losses, bytes }
    }

    fn topic_names(&self) -> Vec<&str> {
        self.topics.keys().map(String::as_str).collect()
    }

    fn topic(&self, name: &str) -> &[(u64, Value)] {
        self.topics.get(name).map_or(&[], Vec::as_slice)
    }

    fn at(&self, topic: &str, time_ns: u64) -> Option<&Value> {
        let messages = self.topic(topic);
        let found = messages.binary_search_by_key(&time_ns, |(at, _)| *at).ok()?;
        let value = &messages[found].1;
        if let Some(timestamp) = value.get("timestamp") {
            assert_timestamp(timestamp, time_ns);
        }
        Some(value)
    }

    fn loss_kinds(&self) -> Vec<LossKind> {
        self.losses.iter().map(holotape_convert::Loss::kind).collect()
    }
}

fn assert_timestamp(timestamp: &Value, time_ns: u64) {
    assert_eq!(timestamp, &json!({"seconds": time_ns / 1_000_000_000, "nanos": time_ns % 1_000_000_000}));
}

fn numbers<const N: usize>(value: &Value, names: [&str; N]) -> [f64; N] {
    names.map(|name| value[name].as_f64().unwrap_or_else(|| panic!("no {name} in {value}")))
}

fn position(value: &Value) -> DVec3 {
    numbers(value, ["x", "y", "z"]).into()
}

fn rotation(value: &Value) -> DQuat {
    DQuat::from_array(numbers(value, ["x", "y", "z", "w"]))
}

fn assert_pose(found: (DVec3, DQuat), expected: Pose, what: &str) {
    let expected_position = DVec3::from_array(expected.position.map(f64::from));
    let expected_rotation = DQuat::from_array(expected.rotation.map(f64::from));
    assert!(found.0.abs_diff_eq(expected_position, 1e-6), "{what}: {} is not {expected_position}", found.0);
    let same = found.1.abs_diff_eq(expected_rotation, 1e-6) || found.1.abs_diff_eq(-expected_rotation, 1e-6);
    assert!(same, "{what}: {} is not {expected_rotation}", found.1);
}

fn pose_of(value: &Value) -> (DVec3, DQuat) {
    (position(&value["position"]), rotation(&value["orientation"]))
}

/// The pose of a frame relative to an ancestor, by the transforms of one message.
fn look_up(transforms: &Value, frame_id: &str, root: &str) -> Option<(DVec3, DQuat)> {
    let (mut frame_id, mut found) = (frame_id, (DVec3::ZERO, DQuat::IDENTITY));
    while frame_id != root {
        let all = transforms["transforms"].as_array().expect("a list");
        let transform = all.iter().find(|transform| transform["child_frame_id"] == frame_id)?;
        let (offset, turn) = (position(&transform["translation"]), rotation(&transform["rotation"]));
        found = (offset + turn * found.0, turn * found.1);
        frame_id = transform["parent_frame_id"].as_str().expect("a name");
    }
    Some(found)
}

fn joints_of(recording: &Recording, hand: Hand) -> Vec<Joint> {
    let has_pose = |joint: &Joint| recording.hand(hand).joint(*joint).pose_at(0.0).is_some();
    Joint::ALL.into_iter().filter(|joint| *joint != Joint::None).filter(has_pose).collect()
}

/// Asserts that the messages at a time match the sampled frame.
fn assert_frame(log: &Log, recording: &Recording, frame: &Frame, time_ns: u64) {
    assert_eq!(log.at("/camera", time_ns).is_some(), frame.camera.is_some());
    let transforms = log.at("/tf", time_ns);
    if let Some(camera) = frame.camera {
        assert_pose(pose_of(&log.at("/camera", time_ns).expect("a camera")["pose"]), camera, "camera");
        assert_pose(look_up(transforms.expect("transforms"), "camera", "world").expect("a frame"), camera, "camera");
    }
    if let Some(gaze) = frame.gaze {
        let (origin, turn) = pose_of(&log.at("/gaze", time_ns).expect("a gaze")["pose"]);
        assert!(origin.abs_diff_eq(DVec3::from_array(gaze.origin.map(f64::from)), 1e-6));
        assert!((turn * DVec3::X).abs_diff_eq(DVec3::from_array(gaze.direction.map(f64::from)), 1e-6));
    }
    for hand in Hand::ALL {
        assert_hand(log, recording, frame, hand, time_ns);
    }
}

fn assert_hand(log: &Log, recording: &Recording, frame: &Frame, hand: Hand, time_ns: u64) {
    let topic = format!("/{hand}/joints");
    let joints = joints_of(recording, hand);
    let Some(found) = frame.hand(hand) else { return };
    let state = json!({"time": frame.time, "tracked": found.tracked, "pinching": found.pinching});
    assert_eq!(log.at(&format!("/{hand}/state"), time_ns), Some(&state));
    if !found.tracked || joints.is_empty() {
        assert_eq!(log.at(&topic, time_ns), None);
        return;
    }
    let poses = &log.at(&topic, time_ns).expect("joints")["poses"];
    assert_eq!(poses.as_array().expect("a list").len(), joints.len());
    let entities = log.at("/hands", time_ns).expect("bones")["entities"].as_array().expect("a list");
    let lines = &entities.iter().find(|entity| entity["id"] == hand.name()).expect("this hand")["lines"][0];
    for (n, joint) in joints.iter().enumerate() {
        let expected = found.joint(*joint).expect("a pose");
        let what = format!("{hand} {joint} at {}", frame.time);
        assert_pose(pose_of(&poses[n]), expected, &what);
        let transforms = log.at("/tf", time_ns).expect("transforms");
        assert_pose(look_up(transforms, &format!("{hand}/{joint}"), "world").expect("a frame"), expected, &what);
        assert!(position(&lines["points"][n]).abs_diff_eq(position(&poses[n]["position"]), 0.0));
    }
}

fn assert_frames(recording: &Recording, options: McapOptions, times: impl IntoIterator<Item = f64>) -> Log {
    let log = Log::write(recording, options);
    let mut sampler = recording.sampler();
    let mut count = 0;
    for time in times {
        let mut frame = sampler.frame_at(time);
        Space::RightHanded.convert_frame(&mut frame);
        assert_frame(&log, recording, &frame, (time * 1e9).round() as u64);
        count += 1;
    }
    if recording.camera.as_ref().is_some_and(|camera| camera.pose_at(0.0).is_some()) {
        assert_eq!(log.topic("/camera").len(), count, "one message per frame");
    }
    log
}

fn testdata(name: &str) -> Recording {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/valid").join(name).with_extension("bin");
    Recording::open(path).expect("test data")
}

fn demo(seconds: f64) -> Recording {
    DemoOptions::new().with_seconds(seconds).generate().expect("a recording")
}

fn still(pose: Pose) -> PoseCurves {
    let curve = |value| Curve::from_iter([LinearKey::new(0.0, value), LinearKey::new(1.0, value)]);
    PoseCurves { position: pose.position.map(curve), rotation: pose.rotation.map(curve) }
}

fn flag(keys: &[(f32, f32)]) -> BoolCurve {
    keys.iter().map(|(time, value)| LinearKey::new(*time, *value)).collect()
}

#[test]
fn poses_of_a_demo_match_the_sampler() {
    let recording = demo(12.0);
    let log = assert_frames(&recording, McapOptions::new(), Timing::Keys.times(&recording).unwrap());
    assert!(log.losses.is_empty(), "{:?}", log.losses);
    assert!(
        log.topic("/left/joints").len() + log.topic("/right/joints").len() < 2 * 721,
        "one hand is not always tracked"
    );
    let topics = ["/camera", "/gaze", "/hands", "/left/joints", "/left/state", "/markers", "/right/joints"];
    assert_eq!(log.topic_names(), topics.into_iter().chain(["/right/state", "/tf", "/tf_static"]).collect::<Vec<_>>());
}

#[test]
fn poses_of_recordings_match_the_sampler() {
    for name in ["mrtk28_all", "mrtk25_simulated", "mrtk28_right_hand_markers", "documented11_full_keys"] {
        let recording = testdata(name);
        let times = Timing::Keys.times(&recording).unwrap();
        assert_frames(&recording, McapOptions::new(), times);
    }
}

#[test]
fn rate_determines_the_frames() {
    let recording = demo(2.0);
    let options = McapOptions::new().with_timing(Timing::Rate(7.0));
    let log = assert_frames(&recording, options, holotape::times_at_rate(0.0..=2.0, 7.0));
    assert_eq!(log.loss_kinds(), [LossKind::Resampled]);
}

#[test]
fn empty_recording_gives_a_log_without_messages() {
    let nothing = Recording::default();
    let at_rate = McapOptions::new().with_timing(Timing::Rate(60.0));
    for (recording, options) in
        [(&nothing, McapOptions::new()), (&nothing, at_rate), (&testdata("empty10"), McapOptions::new())]
    {
        let log = Log::write(recording, options);
        assert!(log.topics.is_empty() && log.losses.is_empty());
        assert_eq!(log.summary.metadata_indexes.len(), 1);
    }
}

#[test]
fn single_channel_gives_only_its_topics() {
    let camera = Log::write(&testdata("mrtk28_camera_only"), McapOptions::new());
    assert_eq!(camera.topic_names(), ["/camera", "/tf", "/tf_static"]);
    let gaze = Log::write(&testdata("mrtk28_gaze_only"), McapOptions::new());
    assert_eq!(gaze.topic_names(), ["/gaze", "/tf_static"]);
    let right = Log::write(&testdata("mrtk28_right_hand_markers"), McapOptions::new());
    assert!(right.topics.contains_key("/right/joints") && !right.topics.contains_key("/left/joints"));
}

#[test]
fn lost_hand_is_deleted_once_and_reappears() {
    let mut recording = Recording::default();
    let hand = recording.hand_mut(Hand::Left);
    hand.tracked = flag(&[(0.0, 1.0), (0.5, 0.0), (0.75, 1.0)]);
    *hand.joint_mut(Joint::Wrist) = still(Pose::IDENTITY);
    *hand.joint_mut(Joint::IndexTip) = still(Pose { position: [0.0, 0.0, 0.2], ..Pose::IDENTITY });
    let options = McapOptions::new().with_timing(Timing::Rate(8.0));
    let log = assert_frames(&recording, options, holotape::times_at_rate(0.0..=1.0, 8.0));
    let shown: Vec<_> = log.topic("/hands").iter().map(|(at, update)| (at / 125_000_000, update)).collect();
    let times: Vec<_> = shown.iter().map(|(at, _)| *at).collect();
    assert_eq!(times, [0, 1, 2, 3, 4, 6, 7, 8]);
    let (_, deletion) = shown[4];
    assert_eq!(deletion["entities"], json!([]));
    assert_timestamp(&deletion["deletions"][0]["timestamp"], 500_000_000);
    assert_eq!((&deletion["deletions"][0]["id"], &deletion["deletions"][0]["type"]), (&json!("left"), &json!(0)));
    assert!(shown.iter().filter(|(at, _)| *at != 4).all(|(_, update)| update["deletions"] == json!([])));
    assert!(log.at("/tf", 625_000_000).is_none(), "no messages without tracking");
}

#[test]
fn missing_joints_are_skipped() {
    let mut recording = Recording::default();
    let hand = recording.hand_mut(Hand::Right);
    hand.tracked = flag(&[(0.0, 1.0), (1.0, 1.0)]);
    *hand.joint_mut(Joint::Wrist) = still(Pose { position: [0.0, 1.0, 0.0], ..Pose::IDENTITY });
    *hand.joint_mut(Joint::IndexKnuckle) = still(Pose { position: [0.0, 1.0, 0.1], ..Pose::IDENTITY });
    let log = assert_frames(&recording, McapOptions::new(), [0.0, 1.0]);
    assert_eq!(log.channel_metadata["/right/joints"]["joints"], "Wrist,IndexKnuckle");
    let knuckle = &log.at("/tf", 0).unwrap()["transforms"][1];
    assert_eq!(knuckle["parent_frame_id"], "right/Wrist");
    let lines = &log.at("/hands", 0).unwrap()["entities"][0]["lines"][0];
    assert_eq!((&lines["indices"], &lines["type"]), (&json!([0, 1]), &json!(2)));
}

#[test]
fn map_frame_is_upright_and_faces_along_x() {
    let log = Log::write(&testdata("mrtk28_camera_only"), McapOptions::new());
    let [(_, transforms)] = log.topic("/tf_static") else { panic!("once") };
    let (_, turn) = look_up(transforms, "world", "map").unwrap();
    assert!((turn * DVec3::Y).abs_diff_eq(DVec3::Z, 1e-12), "up");
    assert!((turn * DVec3::NEG_Z).abs_diff_eq(DVec3::X, 1e-12), "forward");
}

#[test]
fn markers_are_sorted() {
    let mut recording = demo(1.0);
    let marker = |time, name: &str| Marker { time, name: name.to_owned() };
    recording.markers =
        vec![marker(0.5, "later"), marker(0.25, "sooner – ü"), marker(7.0, "after"), marker(-1.0, "before")]
            .into_iter()
            .collect();
    let log = Log::write(&recording, McapOptions::new());
    let markers: Vec<_> =
        log.topic("/markers").iter().map(|(at, log)| (*at, log["message"].as_str().unwrap())).collect();
    assert_eq!(markers, [(250_000_000, "sooner – ü"), (500_000_000, "later"), (7_000_000_000, "after")]);
    assert_eq!(log.at("/markers", 500_000_000).unwrap()["level"], 2);
    assert_eq!(log.loss_kinds(), [LossKind::Markers]);
    assert_eq!(Log::write(&testdata("mrtk28_no_channels"), McapOptions::new()).topic_names(), ["/markers"]);
}

#[test]
fn log_starts_at_the_given_time() {
    let recording = testdata("mrtk28_camera_only");
    let start_ns = 1_700_000_000_123_456_789;
    let log = Log::write(&recording, McapOptions::new().with_start_time_ns(start_ns));
    assert_eq!(log.topic("/camera")[0].0, start_ns);
    assert!(log.at("/camera", start_ns).is_some());
    let log = Log::write(&recording, McapOptions::new().with_start_time_ns(u64::MAX - 5));
    assert_eq!(log.topic("/camera").len(), 1, "the rest exceeds the range of log times");
    assert_eq!(log.loss_kinds(), [LossKind::Resampled]);
}

#[test]
fn frames_before_time_0_are_replaced_by_one_at_0() {
    let recording = testdata("mrtk25_rolling_cutoff");
    let times = Timing::Keys.times(&recording).unwrap();
    assert!(times[0] < 0.0);
    let after: Vec<_> = times.iter().copied().filter(|time| *time > 0.0).collect();
    let log = assert_frames(&recording, McapOptions::new(), std::iter::once(0.0).chain(after));
    assert!(log.loss_kinds().contains(&LossKind::Resampled), "{:?}", log.losses);
}

#[test]
fn losses_are_reported() {
    assert!(
        Log::write(&testdata("mrtk28_hands_only_simulated"), McapOptions::new())
            .loss_kinds()
            .contains(&LossKind::Joints)
    );
    let mut recording = demo(1.0);
    recording.hand_mut(Hand::Left).tracked = flag(&[(0.0, 0.0)]);
    recording.hand_mut(Hand::Left).joint_mut(Joint::Palm).position[0] = Curve::from_iter([LinearKey::new(0.0, 0.0)]);
    recording.hand_mut(Hand::Right).tracked = flag(&[(0.0, 1.0)]);
    recording.hand_mut(Hand::Right).joint_mut(Joint::Palm).rotation[3] = Curve::new();
    recording.gaze.as_mut().unwrap().direction = [0.0; 3].map(|zero| Curve::from_iter([LinearKey::new(0.0, zero)]));
    let log = Log::write(&recording, McapOptions::new());
    assert_eq!(log.loss_kinds(), [LossKind::Unusable, LossKind::Untracked, LossKind::Gaze]);
    let messages: Vec<_> = log.losses.iter().map(ToString::to_string).collect();
    assert_eq!(messages[0], "dropped right.Palm: some of the curves have no keys");
    assert_eq!(messages[1], "dropped keys of the left hand at 61 times: not tracked");
    assert_eq!(messages[2], "dropped the gaze of 61 frames: it has no direction");
    assert!(!log.topics.contains_key("/gaze") && !log.topics.contains_key("/left/joints"));
}

#[test]
fn non_finite_poses_do_not_break_the_tree() {
    let mut recording = demo(0.0);
    for (n, hand) in Hand::ALL.into_iter().enumerate() {
        let Keys::Linear(keys) = &mut recording.hand_mut(hand).joint_mut(Joint::Palm).position[n].keys else {
            panic!()
        };
        keys[0].value = f32::NAN;
    }
    let log = Log::write(&recording, McapOptions::new());
    let transforms = log.at("/tf", 0).unwrap();
    assert!(look_up(transforms, "left/Palm", "world").is_none());
    assert!(look_up(transforms, "left/IndexTip", "world").is_some());
    assert_eq!(log.at("/left/joints", 0).unwrap()["poses"][1]["position"]["x"], "NaN");
    assert!(!log.topics.contains_key("/hands"));
}

#[test]
fn vertical_gaze_has_a_rotation() {
    for direction in [[0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]] {
        let mut recording = testdata("mrtk28_gaze_only");
        let gaze = recording.gaze.as_mut().unwrap();
        gaze.direction = direction.map(|number| Curve::from_iter([LinearKey::new(0.0, number)]));
        assert_frames(&recording.clone(), McapOptions::new(), Timing::Keys.times(&recording).unwrap());
    }
}
