//! `salvage` keeps everything before the damage of a truncated or damaged file.

use std::fs;

use holotape::check::{FindingKind, SalvageOptions, Salvaged, Subject, salvage};
use holotape::demo::DemoOptions;
use holotape::format::{Index, Layout};
use holotape::{CurveRef, ErrorKind, LinearKey, PoseId, Recording};
use proptest::prelude::*;

use crate::alloc::peak_during;
use crate::common::{bin_files, small_file, testdata};

fn salvage_default(bytes: &[u8]) -> holotape::Result<Salvaged> {
    salvage(bytes, &SalvageOptions::new())
}

fn read(name: &str) -> Vec<u8> {
    fs::read(testdata(name)).expect("readable")
}

fn keys(curve: CurveRef<'_>) -> Vec<LinearKey> {
    match curve {
        CurveRef::Float(curve) => curve.keys.iter().collect(),
        CurveRef::Bool(curve) => curve.keys.clone(),
    }
}

/// Asserts that the salvaged contents are the start of the original ones, and as complete as reported.
fn assert_beginning(intact: &Recording, salvaged: &Salvaged) {
    let count = intact.curves().count();
    assert_eq!(salvaged.complete.len() + usize::from(salvaged.truncated.is_some()) + salvaged.lost.len(), count);
    assert_eq!(salvaged.recording.channels(), intact.channels());
    for ((id, original), (_, kept)) in intact.curves().zip(salvaged.recording.curves()) {
        if salvaged.complete.contains(&id) {
            assert_eq!(kept, original, "{id}");
        } else if salvaged.truncated.is_some_and(|cut| cut.id == id) {
            let (original, kept) = (keys(original), keys(kept));
            assert!(original.starts_with(&kept), "{id}");
            assert_eq!(kept.len(), salvaged.truncated.expect("cut").kept_keys);
        } else {
            assert_eq!(kept.key_count(), 0, "{id}");
            assert!(salvaged.lost.contains(&id));
        }
    }
    assert!(intact.markers.starts_with(&salvaged.recording.markers));
}

/// The number of keys before a byte, in complete curves and in the truncated one.
fn keys_before(index: &Index, end: usize) -> usize {
    let span_keys = |span: &holotape::format::CurveLocation| {
        let length = (span.key_range.end - span.key_range.start).checked_div(span.key_count.into()).unwrap_or(1);
        let there = (end as u64).clamp(span.key_range.start, span.key_range.end) - span.key_range.start;
        (there / length) as usize
    };
    index.curves().iter().map(span_keys).sum()
}

#[test]
fn truncated_files_keep_everything_before_the_end() {
    for (name, step) in [
        ("valid/mrtk28_three_frames.bin", 1),
        ("valid/mrtk28_no_channels.bin", 1),
        ("valid/mrtk28_camera_only.bin", 1),
        ("valid/documented11_full_keys_with_markers.bin", 7),
        ("valid/mrtk25_three_frames.bin", 11),
        ("valid/mrtk25_right_hand_markers.bin", 4999),
        ("valid/mrtk28_right_hand_markers.bin", 997),
    ] {
        let bytes = read(name);
        let intact = Recording::from_slice(&bytes).expect(name);
        let index = Index::from_slice(&bytes).expect(name);
        // Within its first curve, a file with full keys looks like one with compact keys.
        let is_documented = index.format().layout == Layout::Full11;
        let first = index.curves().first().map_or(19, |curve| curve.header_at as usize);
        let from = if is_documented { index.curves()[0].key_range.end as usize } else { first };
        for end in (from..bytes.len()).step_by(step).chain(bytes.len() - 20.min(bytes.len() - from)..bytes.len()) {
            let there = keys_before(&index, end);
            match salvage_default(&bytes[..end]) {
                Ok(salvaged) => {
                    assert_beginning(&intact, &salvaged);
                    let kept: usize = salvaged.recording.curves().map(|(_, curve)| curve.key_count()).sum();
                    assert_eq!(kept, there, "{name} truncated at {end}");
                    assert_eq!(salvaged.recording.format.layout, intact.format.layout, "{name} truncated at {end}");
                    // Truncated just before the marker list, the file is a complete one without a marker list.
                    let is_intact = Recording::from_slice(&bytes[..end]).is_ok();
                    assert_eq!(
                        salvaged.report.lost.is_empty(),
                        is_intact,
                        "{name} truncated at {end}: {}",
                        salvaged.report
                    );
                }
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Truncated, "{name} truncated at {end}");
                    assert_eq!(there, 0, "{name} truncated at {end}: {error}");
                }
            }
        }
    }
}

#[test]
fn layout_is_detected_in_a_truncated_first_curve() {
    let mut recording = DemoOptions::new().with_seconds(2.0).generate().expect("a demo");
    for layout in [Layout::Compact11, Layout::Full11] {
        recording.format.layout = layout;
        let (bytes, _) = recording.to_vec().expect("writes");
        let first = Index::from_slice(&bytes).expect("an intact file").curves()[0].clone();
        let length = (first.key_range.end - first.key_range.start) / u64::from(first.key_count);
        for kept in 50..120 {
            let salvaged =
                salvage_default(&bytes[..(first.key_range.start + kept * length) as usize + 3]).expect("some keys");
            assert_eq!(salvaged.recording.format.layout, layout, "{kept} keys");
            assert_eq!(salvaged.truncated.expect("the first").kept_keys, kept as usize);
        }
    }
}

#[test]
fn intact_files_are_read_unchanged() {
    for (name, bytes) in bin_files("valid") {
        let salvaged = salvage_default(&bytes).expect(&name);
        assert!(salvaged.report.is_empty(), "{name}: {}", salvaged.report);
        assert_eq!(salvaged.recording, Recording::from_slice(&bytes).expect(&name), "{name}");
        assert_eq!((salvaged.truncated, salvaged.lost), (None, vec![]), "{name}");
    }
}

#[test]
fn damaged_test_data_keeps_the_known_curves() {
    let intact = Recording::from_slice(&small_file()).expect("an intact file");
    let curves = intact.curves().count();
    for (name, kind, complete_curves, subject) in [
        ("truncated_in_curve", FindingKind::Truncated, 1, Subject::Pose(PoseId::Camera)),
        ("truncated_in_markers", FindingKind::Truncated, curves, Subject::Markers),
        ("trailing_bytes", FindingKind::TrailingBytes, curves, Subject::File),
        ("marker_not_utf8", FindingKind::Damaged, curves, Subject::Markers),
        ("marker_length_overlong", FindingKind::Damaged, curves, Subject::Markers),
        ("huge_marker_count", FindingKind::Truncated, curves, Subject::Markers),
    ] {
        let salvaged = salvage_default(&read(&format!("invalid/{name}.bin"))).expect(name);
        println!("{name}\n{}", salvaged.report);
        assert_eq!(salvaged.complete.len(), complete_curves, "{name}");
        assert_eq!(salvaged.report.repaired[0].kind, kind, "{name}");
        assert_eq!((salvaged.report.lost[0].kind, salvaged.report.lost[0].subject), (kind, subject), "{name}");
        let again = salvaged.recording.to_vec().expect("writes").0;
        assert_eq!(Recording::from_slice(&again).expect("opens"), salvaged.recording, "{name}");
    }
    for name in ["empty", "random", "wrong_magic", "version_2_0", "magic_only", "big_endian_magic"] {
        let error = salvage_default(&read(&format!("invalid/{name}.bin"))).expect_err(name);
        println!("{name}: {error}");
    }
}

#[test]
fn damaged_key_count_keeps_earlier_curves_and_complete_keys() {
    let recording = DemoOptions::new().with_seconds(2.0).generate().expect("a demo");
    let (bytes, _) = recording.to_vec().expect("writes");
    let index = Index::from_slice(&bytes).expect("an intact file");
    let damaged = &index.curves()[100];
    for count in [-1_i32, i32::MIN, i32::MAX, 1 << 20] {
        let mut bytes = bytes.clone();
        let at = damaged.header_at as usize + 8;
        bytes[at..at + 4].copy_from_slice(&count.to_le_bytes());
        let salvaged = salvage_default(&bytes).expect("most of it");
        assert_beginning(&recording, &salvaged);
        assert_eq!(salvaged.complete.len(), 100);
        let cut = salvaged.truncated.expect("the curve with the count");
        assert_eq!((cut.id, cut.kept_keys), (damaged.id, damaged.key_count as usize));
        assert_eq!(cut.promised_keys, usize::try_from(count).ok());
    }
}

#[test]
fn damaged_channel_flags_are_inferred_from_the_contents() {
    let intact = Recording::from_slice(&small_file()).expect("an intact file");
    for at in 16..19 {
        let mut bytes = small_file();
        bytes[at] = 0x2a;
        let salvaged = salvage_default(&bytes).expect("all of it");
        assert_eq!(salvaged.recording, intact);
        assert_eq!(salvaged.report.repaired[0].kind, FindingKind::Damaged);
        assert!(salvaged.report.lost.is_empty(), "{}", salvaged.report);
    }
    let mut bytes = read("valid/mrtk28_gaze_only.bin");
    bytes[16..19].fill(9);
    let intact = Recording::open(testdata("valid/mrtk28_gaze_only.bin")).expect("opens");
    assert_eq!(salvage_default(&bytes).expect("all of it").recording, intact);
}

#[test]
fn headerless_files_are_read_only_with_the_option() {
    for name in ["mrtk25_three_frames", "documented10_no_marker_list"] {
        let bytes = read(&format!("valid/{name}.bin"));
        let intact = Recording::from_slice(&bytes).expect(name);
        let bare = &bytes[16..];
        assert_eq!(salvage_default(bare).expect_err("without the option").kind(), ErrorKind::NotARecording);
        let headerless = SalvageOptions::new().with_headerless(true);
        let salvaged = salvage(bare, &headerless).expect(name);
        assert_eq!(salvaged.recording, intact, "{name}");
        assert_eq!(salvaged.recording.format.layout, Layout::Full10);
        assert_eq!(salvaged.report.repaired.len(), 1, "{}", salvaged.report);
        assert_eq!(salvaged.report.repaired[0].kind, FindingKind::Headerless);
        assert!(salvaged.report.lost.is_empty());
        // Also if it is truncated, and if it has a header after all.
        assert_beginning(&intact, &salvage(&bare[..bare.len() / 2], &headerless).expect("half"));
        assert!(salvage(&bytes, &headerless).expect("intact").report.is_empty());
    }
}

#[test]
fn incomplete_pose_is_reported() {
    let bytes = read("valid/mrtk28_camera_only.bin");
    let index = Index::from_slice(&bytes).expect("an intact file");
    let in_rotation = &index.curves()[4];
    let salvaged = salvage_default(&bytes[..in_rotation.key_range.start as usize + 20]).expect("the position");
    let kinds: Vec<_> = salvaged.report.lost.iter().map(|entry| (entry.kind, entry.subject)).collect();
    let camera = Subject::Pose(PoseId::Camera);
    let cut = (FindingKind::Truncated, Subject::Curve(in_rotation.id));
    let markers = (FindingKind::Truncated, Subject::Markers);
    let expected = [cut, (FindingKind::Truncated, camera), (FindingKind::IncompletePose, camera), markers];
    assert_eq!(kinds, expected, "{}", salvaged.report);
    assert_eq!(salvaged.truncated.expect("rotation y").kept_keys, 2);
}

#[test]
fn markers_before_the_end_are_kept() {
    let mut recording = Recording::default();
    for n in 0..10 {
        recording.markers.add(n as f32, format!("marker {n}"));
    }
    let (bytes, _) = recording.to_vec().expect("writes");
    for end in 23..bytes.len() {
        let salvaged = salvage_default(&bytes[..end]);
        let expected = (end - 23) / 13;
        let kept = salvaged.as_ref().map_or(0, |salvaged| salvaged.recording.markers.len());
        assert_eq!(kept, expected, "cut at {end}");
        assert_eq!(salvaged.is_ok(), expected > 0, "truncated at {end}");
        let Ok(salvaged) = salvaged else { continue };
        assert_eq!(salvaged.report.lost[0].message, format!("kept {expected} of 10"));
        assert_eq!(salvaged.report.lost[0].count, 10 - expected);
    }
}

/// Salvaging any bytes returns an error or a recording that can be written, with memory proportional to the bytes.
fn salvaging_is_safe(bytes: &[u8]) {
    const EMPTY_RECORDING_BYTES: usize = 512 << 10;
    for headerless in [false, true] {
        let options = SalvageOptions::new().with_headerless(headerless);
        let mut salvaged = None;
        let peak = peak_during(|| salvaged = salvage(bytes, &options).ok());
        let allowed = EMPTY_RECORDING_BYTES + 8 * bytes.len();
        assert!(peak <= allowed, "{} bytes of input took {peak} bytes of memory", bytes.len());
        if let Some(salvaged) = salvaged {
            let (written, losses) = salvaged.recording.to_vec().expect("writes");
            assert!(losses.is_empty(), "{losses:?}");
            assert!(Recording::from_slice(&written).is_ok());
            let is_reported = !salvaged.report.is_empty();
            assert!(is_reported || Recording::from_slice(bytes).is_ok(), "damage is reported");
        }
    }
}

#[test]
fn every_flipped_byte_is_handled() {
    for name in ["valid/mrtk28_three_frames.bin", "valid/mrtk28_no_channels.bin"] {
        let mut bytes = read(name);
        for at in 0..bytes.len() {
            for mask in [0x01, 0x80, 0xff] {
                bytes[at] ^= mask;
                salvaging_is_safe(&bytes);
                bytes[at] ^= mask;
            }
        }
    }
}

#[test]
fn invalid_files_are_handled() {
    for folder in ["invalid", "regressions"] {
        bin_files(folder).iter().for_each(|(_, bytes)| salvaging_is_safe(bytes));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_damage_is_handled(
        start in 0..8000_usize,
        noise in prop::collection::vec(any::<u8>(), 0..200),
        end in 0..8000_usize,
    ) {
        let mut bytes = small_file();
        for (byte, noise) in bytes.iter_mut().skip(start).zip(&noise) {
            *byte = *noise;
        }
        bytes.truncate(end.max(start));
        salvaging_is_safe(&bytes);
    }
}
