//! Channels, times and validity of logs by other programs.

use ::mcap::Compression;
use holotape_convert::{FileFormat, OpenOptions, from_slice};

use super::*;

use crate::isaac::log::{LogBuilder, rewritten, schemas};

/// The offset of the joints in a message of a hand.
const JOINTS: usize = 56;
const JOINT_BYTES: usize = 36;
const IS_VALID: usize = 28;

/// A message of a hand whose joints are all valid.
fn hand_message() -> Vec<u8> {
    let (recording, _) = holotape_convert::from_frames([frame(0.0, [0.25, 0.5, -1.0])]);
    Log::open(&written(&recording).0).topics["hands/left_hand"][0].data.clone()
}

fn head_message() -> Vec<u8> {
    let (recording, _) = holotape_convert::from_frames([frame(0.0, [0.25, 0.5, -1.0])]);
    Log::open(&written(&recording).0).topics["head/head"][0].data.clone()
}

/// A builder with the three channels of Isaac Teleop.
fn builder() -> LogBuilder {
    let schemas = schemas();
    let mut builder = LogBuilder::new(None);
    for (topic, name) in [
        ("hands/left_hand", "core.HandPoseRecord"),
        ("hands/right_hand", "core.HandPoseRecord"),
        ("head/head", "core.HeadPoseRecord"),
    ] {
        builder.channel(topic, name, &schemas[name]);
    }
    builder
}

#[test]
fn channels_are_found_by_schema() {
    let sample = testdata("isaac/teleop_monado.mcap");
    let renamed = rewritten(&sample, None, |topic| {
        Some(match topic {
            "head/head" => "visor".to_owned(),
            hand => hand.replace("hands/", "operator/1/"),
        })
    });
    assert_eq!(isaac::read(&renamed).unwrap(), isaac::read(&sample).unwrap());
}

#[test]
fn log_without_profile_is_detected_by_its_schemas() {
    let sample = testdata("isaac/teleop_monado.mcap");
    let plain = rewritten(&sample, None, |topic| Some(topic.to_owned()));
    assert_eq!(FileFormat::detect(&plain[..FileFormat::DETECT_BYTES]), Some(FileFormat::Mcap));
    for bytes in [sample, plain] {
        let imported = from_slice(&bytes).unwrap();
        assert_eq!(imported.file_format, FileFormat::Isaac);
        assert_eq!(imported.recording.duration_secs(), 2.048_746_6);
    }
}

#[test]
fn log_for_foxglove_is_not_read() {
    let mut foxglove = Vec::new();
    let _ = holotape_convert::mcap::write(&demo(), &Default::default(), &mut foxglove).unwrap();
    let error = from_slice(&foxglove).unwrap_err().to_string();
    let expected =
        "cannot read an MCAP log: the format is write-only; of MCAP logs, only those of Isaac Teleop are read";
    assert_eq!(error, expected);
    let error = isaac::read(&foxglove).unwrap_err().to_string();
    assert!(error.contains("it has foxglove."), "{error}");
}

#[test]
fn compressed_log_is_read() {
    let sample = testdata("isaac/teleop_monado.mcap");
    let compressed = rewritten(&sample, Some(Compression::Zstd), |topic| Some(topic.to_owned()));
    assert!(compressed.len() < sample.len() / 5);
    assert_eq!(isaac::read(&compressed).unwrap(), isaac::read(&sample).unwrap());
}

#[test]
fn decompressed_size_is_limited() {
    let mut builder = LogBuilder::new(Some(Compression::Zstd));
    builder.channel("other", "core.ControllerSnapshotRecord", &[]);
    builder.channel("head", "core.HeadPoseRecord", &schemas()["core.HeadPoseRecord"]);
    builder.message("head", 0, &head_message());
    for n in 0..100 {
        builder.message("other", n, &vec![0; 1 << 20]);
    }
    let bytes = builder.finish();
    assert!(bytes.len() < 200_000, "{}", bytes.len());
    assert!(isaac::read(&bytes).is_ok());
    let error = OpenOptions::new().with_max_recording_bytes(10_000_000).from_slice(&bytes).unwrap_err();
    assert_eq!(error.kind(), holotape::ErrorKind::LimitExceeded);
    assert!(error.to_string().ends_with("decompressed, the log has more than 10000000 bytes"), "{error}");
}

#[test]
fn large_record_in_a_compressed_chunk_is_an_error() {
    let mut builder = LogBuilder::new(Some(Compression::Zstd));
    builder.channel("video", "core.Video", &[]);
    builder.message("video", 0, &vec![0; 17 << 20]);
    let error = isaac::read(&builder.finish()).unwrap_err();
    assert_eq!(error.kind(), holotape::ErrorKind::LimitExceeded, "{error}");
    assert!(error.to_string().starts_with("chunk at byte "), "{error}");
}

#[test]
fn size_of_the_recording_is_limited() {
    let sample = testdata("isaac/teleop_monado.mcap");
    let with_limit = |max_bytes| OpenOptions::new().with_max_recording_bytes(max_bytes).from_slice(&sample);
    // 120 messages with 26 joints of two hands and a head, each with seven keys of eight bytes.
    let bytes = 120 * (2 * 26 + 1) * 7 * 8;
    assert!(with_limit(bytes).is_ok());
    let error = with_limit(bytes - 1).unwrap_err();
    assert_eq!(error.kind(), holotape::ErrorKind::LimitExceeded);
}

#[test]
fn other_devices_are_dropped_and_reported() {
    let mut builder = builder();
    let hand = schemas()["core.HandPoseRecord"].clone();
    builder.channel("controllers/left_controller", "core.ControllerSnapshotRecord", &[]);
    builder.channel("gloves/left_hand", "core.HandPoseRecord", &hand);
    builder.channel("gloves/third", "core.HandPoseRecord", &hand);
    builder.channel("silent", "core.PedalRecord", &[]);
    builder.message("hands/left_hand", 5, &hand_message());
    builder.message("gloves/left_hand", 6, &hand_message());
    builder.message("gloves/third", 7, &hand_message());
    builder.message("controllers/left_controller", 3, b"any bytes");
    builder.message("controllers/left_controller", 9, b"any bytes");
    builder.attachment(b"a note");
    let (recording, losses) = isaac::read(&builder.finish()).unwrap();
    let expected = [
        "left the pinches empty: Isaac Teleop does not record them",
        "dropped 2 messages of channel \"controllers/left_controller\" (core.ControllerSnapshotRecord): not part of a \
         recording",
        "dropped 1 message of channel \"gloves/left_hand\" (core.HandPoseRecord): another channel has the same body part",
        "dropped 1 message of channel \"gloves/third\" (core.HandPoseRecord): its name ends neither in left_hand nor in \
         right_hand",
        "dropped 1 attachment: not part of a recording",
    ];
    assert_eq!(messages(&losses), expected);
    assert_eq!(recording.duration_secs(), 0.0, "the first message of a used channel is at time 0");
}

#[test]
fn invalid_joints_have_no_keys() {
    let mut builder = builder();
    for n in 0..4_u64 {
        let mut message = hand_message();
        // The palm is invalid once, the wrist always.
        message[JOINTS + IS_VALID] = u8::from(n != 1);
        message[JOINTS + JOINT_BYTES + IS_VALID] = 0;
        builder.message("hands/left_hand", n * 1_000_000_000, &message);
    }
    let (recording, losses) = isaac::read(&builder.finish()).unwrap();
    let left = recording.hand(Hand::Left);
    let times = |joint| left.joint(joint).position[0].keys.iter().map(|key| key.time).collect::<Vec<_>>();
    assert_eq!(times(Joint::Palm), [0.0, 2.0, 3.0]);
    assert!(times(Joint::Wrist).is_empty());
    assert_eq!(times(Joint::IndexTip), [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(left.tracked.spans_secs(), [f64::NEG_INFINITY..f64::INFINITY]);
    assert_eq!(messages(&losses)[0], "interpolated over rows with missing values: left 1");
    assert!(!recording.hand(Hand::Right).tracked.value_at(1.0));
}

#[test]
fn invalid_heads_have_no_keys() {
    let mut builder = builder();
    let message = head_message();
    let [is_valid, is_tracked] = [message.len() - 4, message.len() - 3];
    for (time, valid, tracked) in [(0, 1, 1), (1, 0, 0), (2, 1, 0), (3, 1, 1)] {
        let mut message = message.clone();
        (message[is_valid], message[is_tracked]) = (valid, tracked);
        builder.message("head/head", time * 1_000_000_000, &message);
    }
    // Without data.
    builder.message("head/head", 4_000_000_000, &untracked_message());
    let (recording, losses) = isaac::read(&builder.finish()).unwrap();
    let times: Vec<_> = recording.camera.unwrap().position[0].keys.iter().map(|key| key.time).collect();
    assert_eq!(times, [0.0, 2.0, 3.0]);
    let expected = [
        "interpolated over rows with missing values: camera 1",
        "dropped the state of the head in 1 message: not tracked",
    ];
    assert_eq!(messages(&losses), expected);
}

/// A message without data.
fn untracked_message() -> Vec<u8> {
    let untracked = HandFrame { tracked: false, ..HandFrame::default() };
    let (recording, _) = holotape_convert::from_frames([Frame { left: Some(untracked), ..frame(0.0, [0.0; 3]) }]);
    Log::open(&written(&recording).0).topics["hands/left_hand"][0].data.clone()
}

#[test]
fn messages_out_of_order_are_dropped_and_reported() {
    let mut builder = builder();
    for time in [10, 20, 15, 20, 30] {
        builder.message("hands/right_hand", time * 1_000_000_000, &hand_message());
    }
    builder.message("head/head", 5_000_000_000, &head_message());
    let (recording, losses) = isaac::read(&builder.finish()).unwrap();
    assert_eq!(messages(&losses)[0], "dropped rows that are not after the one before: right 2");
    let times: Vec<_> =
        recording.hand(Hand::Right).joint(Joint::Palm).position[0].keys.iter().map(|key| key.time).collect();
    assert_eq!(times, [5.0, 15.0, 25.0], "the earliest message is at time 0, wherever it is in the file");
}
