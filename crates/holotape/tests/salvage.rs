//! Of a file that ends early, or is damaged, everything before the damage is kept.

#[path = "common/alloc.rs"]
mod alloc;
mod common;

use std::fs;

use alloc::peak_during;
use common::{bin_files, small_file, testdata};
use holotape::check::{FindingKind, SalvageOptions, Salvaged, Subject, salvage};
use holotape::demo::DemoOptions;
use holotape::format::{Index, Layout};
use holotape::{CurveRef, ErrorKind, LinearKey, PoseId, Recording};
use proptest::prelude::*;

fn rescue(bytes: &[u8]) -> holotape::Result<Salvaged> {
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

/// Whether what was saved of a file is the beginning of what was in it, and all that was promised.
fn assert_beginning(whole: &Recording, saved: &Salvaged) {
    let count = whole.curves().count();
    assert_eq!(saved.complete.len() + usize::from(saved.truncated.is_some()) + saved.lost.len(), count);
    assert_eq!(saved.recording.channels(), whole.channels());
    for ((id, original), (_, kept)) in whole.curves().zip(saved.recording.curves()) {
        if saved.complete.contains(&id) {
            assert_eq!(kept, original, "{id}");
        } else if saved.truncated.is_some_and(|cut| cut.id == id) {
            let (original, kept) = (keys(original), keys(kept));
            assert!(original.starts_with(&kept), "{id}");
            assert_eq!(kept.len(), saved.truncated.expect("cut").kept_keys);
        } else {
            assert_eq!(kept.key_count(), 0, "{id}");
            assert!(saved.lost.contains(&id));
        }
    }
    assert!(whole.markers.starts_with(&saved.recording.markers));
}

/// How many keys, of the whole curves and of the one that is cut, lie before a byte.
fn keys_before(index: &Index, end: usize) -> usize {
    let span_keys = |span: &holotape::format::CurveLocation| {
        let length = (span.key_range.end - span.key_range.start).checked_div(span.key_count.into()).unwrap_or(1);
        let there = (end as u64).clamp(span.key_range.start, span.key_range.end) - span.key_range.start;
        (there / length) as usize
    };
    index.curves().iter().map(span_keys).sum()
}

#[test]
fn every_cut_keeps_everything_before_it() {
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
        let whole = Recording::from_slice(&bytes).expect(name);
        let index = Index::from_slice(&bytes).expect(name);
        // Up to the end of its first curve, a file of full keys looks like one of compact keys.
        let is_documented = index.format().layout == Layout::Full11;
        let first = index.curves().first().map_or(19, |curve| curve.header_at as usize);
        let from = if is_documented { index.curves()[0].key_range.end as usize } else { first };
        for end in (from..bytes.len()).step_by(step).chain(bytes.len() - 20.min(bytes.len() - from)..bytes.len()) {
            let there = keys_before(&index, end);
            match rescue(&bytes[..end]) {
                Ok(saved) => {
                    assert_beginning(&whole, &saved);
                    let kept: usize = saved.recording.curves().map(|(_, curve)| curve.key_count()).sum();
                    assert_eq!(kept, there, "{name} cut at {end}");
                    assert_eq!(saved.recording.format.layout, whole.format.layout, "{name} cut at {end}");
                    // A cut just before the marker list leaves a file without one, in which nothing is missing.
                    let is_sound = Recording::from_slice(&bytes[..end]).is_ok();
                    assert_eq!(saved.report.lost.is_empty(), is_sound, "{name} cut at {end}: {}", saved.report);
                }
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Truncated, "{name} cut at {end}");
                    assert_eq!(there, 0, "{name} cut at {end}: {error}");
                }
            }
        }
    }
}

#[test]
fn the_layout_is_known_from_a_cut_in_the_first_curve() {
    let mut recording = DemoOptions::new().with_seconds(2.0).generate().expect("a demo");
    for layout in [Layout::Compact11, Layout::Full11] {
        recording.format.layout = layout;
        let (bytes, _) = recording.to_vec().expect("writes");
        let first = Index::from_slice(&bytes).expect("whole").curves()[0].clone();
        let length = (first.key_range.end - first.key_range.start) / u64::from(first.key_count);
        for kept in 50..120 {
            let saved = rescue(&bytes[..(first.key_range.start + kept * length) as usize + 3]).expect("some keys");
            assert_eq!(saved.recording.format.layout, layout, "{kept} keys");
            assert_eq!(saved.truncated.expect("the first").kept_keys, kept as usize);
        }
    }
}

#[test]
fn a_sound_file_is_read_as_it_is() {
    for (name, bytes) in bin_files("valid") {
        let saved = rescue(&bytes).expect(&name);
        assert!(saved.report.is_empty(), "{name}: {}", saved.report);
        assert_eq!(saved.recording, Recording::from_slice(&bytes).expect(&name), "{name}");
        assert_eq!((saved.truncated, saved.lost), (None, vec![]), "{name}");
    }
}

#[test]
fn broken_test_data_is_saved_as_far_as_it_goes() {
    let whole = Recording::from_slice(&small_file()).expect("whole");
    let curves = whole.curves().count();
    for (name, fault, whole_curves, subject) in [
        ("truncated_in_curve", FindingKind::Truncated, 1, Subject::Pose(PoseId::Camera)),
        ("truncated_in_markers", FindingKind::Truncated, curves, Subject::Markers),
        ("trailing_bytes", FindingKind::TrailingBytes, curves, Subject::File),
        ("marker_not_utf8", FindingKind::Damaged, curves, Subject::Markers),
        ("marker_length_overlong", FindingKind::Damaged, curves, Subject::Markers),
        ("huge_marker_count", FindingKind::Truncated, curves, Subject::Markers),
    ] {
        let saved = rescue(&read(&format!("invalid/{name}.bin"))).expect(name);
        println!("{name}\n{}", saved.report);
        assert_eq!(saved.complete.len(), whole_curves, "{name}");
        assert_eq!(saved.report.repaired[0].kind, fault, "{name}");
        assert_eq!((saved.report.lost[0].kind, saved.report.lost[0].subject), (fault, subject), "{name}");
        let again = saved.recording.to_vec().expect("writes").0;
        assert_eq!(Recording::from_slice(&again).expect("opens"), saved.recording, "{name}");
    }
    for name in ["empty", "random", "wrong_magic", "version_2_0", "magic_only", "big_endian_magic"] {
        let error = rescue(&read(&format!("invalid/{name}.bin"))).expect_err(name);
        println!("{name}: {error}");
    }
}

#[test]
fn a_damaged_count_keeps_what_is_before_it_and_the_keys_that_are_there() {
    let recording = DemoOptions::new().with_seconds(2.0).generate().expect("a demo");
    let (bytes, _) = recording.to_vec().expect("writes");
    let index = Index::from_slice(&bytes).expect("whole");
    let damaged = &index.curves()[100];
    for count in [-1_i32, i32::MIN, i32::MAX, 1 << 20] {
        let mut bytes = bytes.clone();
        let at = damaged.header_at as usize + 8;
        bytes[at..at + 4].copy_from_slice(&count.to_le_bytes());
        let saved = rescue(&bytes).expect("most of it");
        assert_beginning(&recording, &saved);
        assert_eq!(saved.complete.len(), 100);
        let cut = saved.truncated.expect("the curve with the count");
        assert_eq!((cut.id, cut.kept_keys), (damaged.id, damaged.key_count as usize));
        assert_eq!(cut.promised_keys, usize::try_from(count).ok());
    }
}

#[test]
fn damaged_channel_flags_are_found_out_from_the_rest() {
    let whole = Recording::from_slice(&small_file()).expect("whole");
    for at in 16..19 {
        let mut bytes = small_file();
        bytes[at] = 0x2a;
        let saved = rescue(&bytes).expect("all of it");
        assert_eq!(saved.recording, whole);
        assert_eq!(saved.report.repaired[0].kind, FindingKind::Damaged);
        assert!(saved.report.lost.is_empty(), "{}", saved.report);
    }
    let mut bytes = read("valid/mrtk28_gaze_only.bin");
    bytes[16..19].fill(9);
    let whole = Recording::open(testdata("valid/mrtk28_gaze_only.bin")).expect("opens");
    assert_eq!(rescue(&bytes).expect("all of it").recording, whole);
}

#[test]
fn a_file_without_a_header_is_read_when_told_to() {
    for name in ["mrtk25_three_frames", "documented10_no_marker_list"] {
        let bytes = read(&format!("valid/{name}.bin"));
        let whole = Recording::from_slice(&bytes).expect(name);
        let bare = &bytes[16..];
        assert_eq!(rescue(bare).expect_err("not told").kind(), ErrorKind::NotARecording);
        let told = SalvageOptions::new().with_headerless(true);
        let saved = salvage(bare, &told).expect(name);
        assert_eq!(saved.recording, whole, "{name}");
        assert_eq!(saved.recording.format.layout, Layout::Full10);
        assert_eq!(saved.report.repaired.len(), 1, "{}", saved.report);
        assert_eq!(saved.report.repaired[0].kind, FindingKind::Headerless);
        assert!(saved.report.lost.is_empty());
        // One that is cut as well, and one that has a header after all.
        assert_beginning(&whole, &salvage(&bare[..bare.len() / 2], &told).expect("half"));
        assert!(salvage(&bytes, &told).expect("sound").report.is_empty());
    }
}

#[test]
fn a_pose_that_is_cut_is_told() {
    let bytes = read("valid/mrtk28_camera_only.bin");
    let index = Index::from_slice(&bytes).expect("whole");
    let in_rotation = &index.curves()[4];
    let saved = rescue(&bytes[..in_rotation.key_range.start as usize + 20]).expect("the position");
    let faults: Vec<_> = saved.report.lost.iter().map(|entry| (entry.kind, entry.subject)).collect();
    let camera = Subject::Pose(PoseId::Camera);
    let cut = (FindingKind::Truncated, Subject::Curve(in_rotation.id));
    let markers = (FindingKind::Truncated, Subject::Markers);
    let expected = [cut, (FindingKind::Truncated, camera), (FindingKind::IncompletePose, camera), markers];
    assert_eq!(faults, expected, "{}", saved.report);
    assert_eq!(saved.truncated.expect("rotation y").kept_keys, 2);
}

#[test]
fn markers_before_the_cut_are_kept() {
    let mut recording = Recording::default();
    for n in 0..10 {
        recording.markers.add(n as f32, format!("marker {n}"));
    }
    let (bytes, _) = recording.to_vec().expect("writes");
    for end in 23..bytes.len() {
        let saved = rescue(&bytes[..end]);
        let expected = (end - 23) / 13;
        let kept = saved.as_ref().map_or(0, |saved| saved.recording.markers.len());
        assert_eq!(kept, expected, "cut at {end}");
        assert_eq!(saved.is_ok(), expected > 0, "cut at {end}: none is nothing to save");
        let Ok(saved) = saved else { continue };
        assert_eq!(saved.report.lost[0].message, format!("kept {expected} of 10"));
        assert_eq!(saved.report.lost[0].count, 10 - expected);
    }
}

/// Salvaging any bytes gives something or an error, whose recording can be written, in memory that the bytes bound.
fn salvaging_is_safe(bytes: &[u8]) {
    const EMPTY_RECORDING_BYTES: usize = 512 << 10;
    for headerless in [false, true] {
        let options = SalvageOptions::new().with_headerless(headerless);
        let mut saved = None;
        let peak = peak_during(|| saved = salvage(bytes, &options).ok());
        let allowed = EMPTY_RECORDING_BYTES + 8 * bytes.len();
        assert!(peak <= allowed, "{} bytes of input took {peak} bytes of memory", bytes.len());
        if let Some(saved) = saved {
            let (written, losses) = saved.recording.to_vec().expect("writes");
            assert!(losses.is_empty(), "{losses:?}");
            assert!(Recording::from_slice(&written).is_ok());
            let is_told = !saved.report.is_empty();
            assert!(is_told || Recording::from_slice(bytes).is_ok(), "what was broken is told");
        }
    }
}

#[test]
fn every_single_byte_flip_is_survived() {
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
fn broken_files_are_survived() {
    for folder in ["invalid", "regressions"] {
        bin_files(folder).iter().for_each(|(_, bytes)| salvaging_is_safe(bytes));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_damage_is_survived(
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
