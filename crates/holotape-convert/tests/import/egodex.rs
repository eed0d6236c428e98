//! HDF5 files of EgoDex.

use hdf5_pure::{AttrValue, DatasetBuilder, FileBuilder};
use holotape::{ErrorKind, Hand, Joint, Skeleton};
use holotape_convert::{FileFormat, LossKind, OpenOptions, egodex, from_slice, open};

use crate::import::layouts::egodex::file;
use crate::import::layouts::{demo, frames};
use crate::import::{PALMS, assert_frames, kinds, messages, testdata};

const PINCHES: &str = "left the pinches empty: EgoDex does not record them";

#[test]
fn demo_returns_from_an_egodex_file() {
    let frames = frames(&demo(), 150);
    let imported = from_slice(&file(&frames)).expect("valid");
    assert_eq!(imported.file_format, FileFormat::Egodex);
    let expected = [
        "dropped 1 joint of arms and body: not part of a recording",
        "dropped the confidences of 2 joints: not part of a recording",
        PALMS,
        PINCHES,
    ];
    assert_eq!(messages(&imported.losses), expected);
    assert_eq!(imported.recording.markers[0].name, "Reach for the cup.");
    let angle_deg = assert_frames(&imported.recording, &frames, Skeleton::ArKit);
    assert!(angle_deg < 0.05, "{angle_deg}°");
}

/// The file was written with h5py, from the same frames as the tracking file of a Vision Pro.
#[test]
fn file_of_h5py_has_the_frames_of_the_tracking_file() {
    let expected = open(testdata("vision_pro")).expect("valid").recording;
    let imported = open(testdata("egodex/reach/0.hdf5")).expect("valid");
    let recording = &imported.recording;
    assert_eq!(imported.file_format, FileFormat::Egodex);
    let expected_kinds =
        [LossKind::Unsupported, LossKind::Unsupported, LossKind::Invented, LossKind::Flags, LossKind::Unsupported];
    assert_eq!(kinds(&imported.losses), expected_kinds);
    assert_eq!(recording.markers[0].name, "Reach for the cup.");
    assert!((recording.duration_secs() - expected.duration_secs()).abs() < 1e-5);
    let mut sampler = expected.sampler();
    let frames: Vec<_> = (0..5).map(|n| sampler.frame_at(f64::from(n) / 30.0 + 2e-6)).collect();
    let mut recorded = recording.sampler();
    for frame in frames {
        let other = recorded.frame_at(frame.time);
        assert!(other.camera.expect("a head").distance_m(&frame.camera.expect("a head")) < 1e-5);
        for hand in Hand::ALL {
            let [values, expected] = [&other, &frame].map(|frame| frame.hand(hand).expect("hands"));
            assert_eq!(values.tracked, expected.tracked, "{hand} at {} s", frame.time);
            for joint in Joint::ALL.into_iter().skip(1).filter(|_| expected.tracked) {
                let [pose, expected] = [values, expected].map(|hand| hand.joints[joint.index()].expect("a joint"));
                assert!(pose.distance_m(&expected) < 1e-5 && pose.angle_deg(&expected) < 0.1, "{hand} {joint}");
            }
        }
    }
}

/// A file with one dataset in `/transforms`.
fn with_dataset(name: &str, add: impl FnOnce(&mut DatasetBuilder) -> &mut DatasetBuilder) -> Vec<u8> {
    let mut builder = FileBuilder::new();
    let mut transforms = builder.create_group("transforms");
    add(transforms.create_dataset(name));
    builder.add_group(transforms.finish());
    builder.finish().expect("a file")
}

const IDENTITY: [f32; 16] = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

#[test]
fn wrong_datasets_are_errors_with_their_path() {
    let message = |bytes: &[u8]| egodex::read(bytes).expect_err("invalid").to_string();
    let flat = with_dataset("camera", |dataset| dataset.with_f32_data(&IDENTITY).with_shape(&[4, 4]));
    assert_eq!(message(&flat), "/transforms/camera: shape [4, 4], expected [frames, 4, 4]");
    let integers = with_dataset("leftHand", |dataset| dataset.with_i32_data(&[0; 16]).with_shape(&[1, 4, 4]));
    assert_eq!(message(&integers), "/transforms/leftHand: numbers of type i32, expected f32 or f64");
    let other = with_dataset("hip", |dataset| dataset.with_f32_data(&IDENTITY).with_shape(&[1, 4, 4]));
    assert_eq!(message(&other), "not an EgoDex file: /transforms has neither a camera nor joints of hands");

    let mut builder = FileBuilder::new();
    builder.create_dataset("actions").with_f32_data(&[0.0]);
    assert_eq!(message(&builder.finish().expect("a file")), "not an EgoDex file: no group /transforms");
    assert_eq!(message(b"HDF"), "not an EgoDex file: not HDF5");

    let mut builder = FileBuilder::new();
    let mut transforms = builder.create_group("transforms");
    transforms.create_dataset("camera").with_f32_data(&IDENTITY).with_shape(&[1, 4, 4]);
    transforms.create_dataset("leftHand").with_f32_data(&[IDENTITY; 2].concat()).with_shape(&[2, 4, 4]);
    builder.add_group(transforms.finish());
    let bytes = builder.finish().expect("a file");
    assert_eq!(message(&bytes), "/transforms/leftHand: 2 frames, but /transforms/camera has 1");
}

#[test]
fn numbers_of_64_bits_and_compressed_chunks_are_read() {
    let matrices = [IDENTITY; 100].concat();
    let doubles: Vec<f64> = matrices.iter().map(|number| f64::from(*number)).collect();
    let files = [
        with_dataset("camera", |dataset| dataset.with_f64_data(&doubles).with_shape(&[100, 4, 4])),
        with_dataset("camera", |dataset| {
            dataset.with_f32_data(&matrices).with_shape(&[100, 4, 4]).with_chunks(&[32, 4, 4]).with_deflate(9)
        }),
    ];
    for bytes in files {
        let (recording, losses) = egodex::read(&bytes).expect("valid");
        assert_eq!(recording.camera.expect("a head").position[0].keys.len(), 100);
        assert!(losses.is_empty());
    }
}

#[test]
fn datasets_above_the_limit_are_rejected() {
    let bytes = with_dataset("camera", |dataset| {
        dataset
            .with_f32_data(&[IDENTITY; 1000].concat())
            .with_shape(&[1000, 4, 4])
            .with_chunks(&[1000, 4, 4])
            .with_deflate(9)
    });
    assert!(from_slice(&bytes).is_ok());
    let error = OpenOptions::new().with_max_recording_bytes(63_999).from_slice(&bytes).expect_err("too large");
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    assert_eq!(error.to_string(), "/transforms/camera: 1000 frames are larger than the limit");
}

#[test]
fn invalid_matrices_are_dropped_and_counted() {
    let mut matrices = [IDENTITY; 3].concat();
    matrices[16] = f32::NAN;
    matrices[32 + 3] = f32::INFINITY;
    let bytes = with_dataset("camera", |dataset| dataset.with_f32_data(&matrices).with_shape(&[3, 4, 4]));
    let (recording, losses) = egodex::read(&bytes).expect("valid");
    assert_eq!(messages(&losses), ["dropped poses and rays with non-finite values: camera 2"]);
    assert_eq!(recording.camera.expect("a head").position[0].keys.len(), 1);
}

#[test]
fn truncated_files_are_errors() {
    let bytes = file(&frames(&demo(), 4));
    for end in [8, 48, 96, bytes.len() / 2] {
        let error = egodex::read(&bytes[..end]).expect_err("truncated");
        assert!(!error.to_string().is_empty());
    }
}

#[test]
fn other_attributes_are_losses() {
    let mut builder = FileBuilder::new();
    builder.set_attr("environment", AttrValue::String("kitchen".into()));
    builder.set_attr("annotated", AttrValue::I64(1));
    let mut transforms = builder.create_group("transforms");
    transforms.create_dataset("camera").with_f32_data(&IDENTITY).with_shape(&[1, 4, 4]);
    builder.add_group(transforms.finish());
    let (recording, losses) = egodex::read(&builder.finish().expect("a file")).expect("valid");
    assert_eq!(messages(&losses), ["dropped the attributes annotated, environment: not part of a recording"]);
    assert!(recording.markers.is_empty());
}
