//! Properties that hold for arbitrary bytes. The fuzz targets and the tests check the same functions.

use holotape::check::{CheckOptions, RepairOptions, SalvageOptions, check, repair, salvage};
use holotape::diff::Diff;
use holotape::edit::{self, ConcatOptions, RetimeOptions, Transform};
use holotape::format::Index;
use holotape::optimize::{OptimizeOptions, optimize};
use holotape::record::Journal;
use holotape::stats::{Stats, StatsOptions};
#[cfg(feature = "stream")]
use holotape::stream::Record;
use holotape::{CurveId, CurveRef, Frame, Keys, Recording, Summary, WindowedRecording};

/// Opening returns a recording or an error with a message; it does not panic.
pub fn opening_never_panics(bytes: &[u8]) {
    if let Err(error) = Recording::from_slice(bytes) {
        assert!(!error.to_string().is_empty());
        assert!(error.offset().is_none_or(|offset| offset <= bytes.len() as u64), "{error}");
    }
}

/// Recordings that open are written back byte for byte.
pub fn opened_recording_round_trips(bytes: &[u8]) {
    let Ok(recording) = Recording::from_slice(bytes) else { return };
    let (written, losses) = recording.to_vec().unwrap();
    assert!(losses.is_empty(), "{losses:?}");
    assert!(written == bytes, "{} bytes came back as {}", bytes.len(), written.len());
    assert_eq!(recording.byte_len(), bytes.len() as u64);
    let mut streamed = Vec::new();
    assert!(recording.write_to(&mut streamed).unwrap().is_empty());
    assert!(streamed == bytes, "streamed differently");
}

/// The index, from memory or by seeking, agrees with the decoder.
pub fn index_matches_decoder(bytes: &[u8]) {
    let index = Index::from_slice(bytes);
    let seeking = Index::from_reader(std::io::Cursor::new(bytes));
    let recording = Recording::from_slice(bytes);
    let (index, seeking, recording) = match (index, seeking, recording) {
        (Ok(index), Ok(seeking), Ok(recording)) => (index, seeking, recording),
        (Err(index), Err(seeking), Err(recording)) => {
            assert_eq!(index.to_string(), seeking.to_string());
            assert_eq!(index.kind(), recording.kind());
            return;
        }
        (index, seeking, recording) => panic!("{index:?}\n{seeking:?}\n{recording:?}"),
    };
    assert_eq!(index, seeking);
    assert_eq!(index.pack().unpack(), index);
    assert_eq!(index.format(), recording.format);
    assert_eq!(index.channels(), recording.channels());
    assert_eq!(index.byte_len(), bytes.len() as u64);
    assert_eq!(index.marker_count(), recording.markers.len());
    let mut spans = index.curves().iter();
    for (id, curve) in recording.curves() {
        let span = spans.next().unwrap();
        assert_eq!(span.id, id);
        assert_eq!(span.key_count as usize, curve.key_count(), "{id}");
        assert_eq!((span.pre_wrap, span.post_wrap), curve.wrap_modes(), "{id}");
        assert_eq!(last_key_time(bytes, span), curve.end_secs().map(f32::to_bits), "{id}");
    }
    assert!(spans.next().is_none());
}

fn last_key_time(bytes: &[u8], span: &holotape::format::CurveLocation) -> Option<u32> {
    let length = (span.key_range.end - span.key_range.start).checked_div(u64::from(span.key_count))?;
    let at = (span.key_range.end - length) as usize;
    Some(u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()))
}

/// A curve with finite keys has finite values at all times; so has a pose of such curves.
pub fn evaluation_is_finite_for_finite_curves(bytes: &[u8]) {
    let Ok(recording) = Recording::from_slice(bytes) else { return };
    for (id, curve) in recording.curves() {
        let CurveRef::Float(curve) = curve else { continue };
        if !is_finite(&curve.keys) {
            continue;
        }
        let evaluator = curve.evaluator();
        for time in interesting_times(&curve.keys) {
            let value = evaluator.value_at(time);
            assert!(value.is_none_or(f64::is_finite), "{id} at {time}: {value:?}");
        }
    }
    let all_finite = recording.curves().all(|(_, curve)| match curve {
        CurveRef::Float(curve) => is_finite(&curve.keys),
        CurveRef::Bool(_) => true,
    });
    let mut sampler = recording.sampler().with_untracked_poses(true);
    for time in [-1.0, 0.0, 0.5, 1e9] {
        let frame = sampler.frame_at(time);
        for id in CurveId::all(recording.channels()) {
            let value = frame.value(id);
            assert!(!all_finite || value.is_none_or(f32::is_finite), "{id} at {time}: {value:?}");
        }
    }
}

fn is_finite(keys: &Keys) -> bool {
    match keys {
        Keys::Linear(keys) => keys.iter().all(|key| key.time.is_finite() && key.value.is_finite()),
        Keys::Bezier(keys) => keys.iter().all(|key| {
            [key.time, key.value, key.in_tangent, key.out_tangent, key.in_weight, key.out_weight]
                .iter()
                .all(|x| x.is_finite())
        }),
    }
}

/// At the keys, between them, and before and after, near and far.
fn interesting_times(keys: &Keys) -> Vec<f64> {
    let at: Vec<_> = keys.iter().take(64).map(|key| f64::from(key.time)).collect();
    let between = at.windows(2).flat_map(|pair| [0.001, 0.3, 0.999].map(|s| pair[0] + s * (pair[1] - pair[0])));
    let outside = [-1e30, -1.0, 0.0, 1.0, 1e30];
    at.iter().copied().chain(between).chain(outside).collect()
}

/// The summary from headers and flags equals the summary of the decoded recording.
pub fn summary_matches_recording(bytes: &[u8]) {
    let summary = Summary::from_reader(std::io::Cursor::new(bytes));
    let recording = Recording::from_slice(bytes);
    let (mut summary, recording) = match (summary, recording) {
        (Ok(summary), Ok(recording)) => (summary, recording),
        (Err(summary), Err(recording)) => return assert_eq!(summary.to_string(), recording.to_string()),
        (summary, recording) => panic!("{summary:?}\n{recording:?}"),
    };
    assert!(summary.evidence.take().is_some());
    // Not `==`: the time of a last key may be NaN.
    assert_eq!(format!("{summary:?}"), format!("{:?}", Summary::from_recording(&recording)));
    let end = f64::from(summary.duration_secs);
    for flag in summary.hands.iter().flat_map(|hand| [&hand.tracked, &hand.pinching]) {
        assert!(
            flag.spans_secs.iter().all(|span| 0.0 <= span.start && !span.is_empty() && span.end <= end),
            "{flag:?}"
        );
    }
}

/// A recording that is sampled in windows of its file has the values of the complete recording.
pub fn windows_match_recording(bytes: &[u8]) {
    let windowed = WindowedRecording::from_reader(std::io::Cursor::new(bytes.to_vec()));
    let (windowed, recording) = match (windowed, Recording::from_slice(bytes)) {
        (Ok(windowed), Ok(recording)) => (windowed, recording),
        (Err(windowed), Err(recording)) => return assert_eq!(windowed.kind(), recording.kind()),
        (windowed, recording) => panic!("{:?}\n{recording:?}", windowed.err()),
    };
    assert_eq!(windowed.outline().duration_secs().to_bits(), recording.duration_secs().to_bits());
    let mut times: Vec<_> =
        recording.curves().flat_map(|(_, curve)| curve.key_times().take(8)).map(f64::from).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    times.truncate(64);
    let between: Vec<_> = times.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
    let forwards_and_back = times.iter().chain(&between).chain(times.iter().rev()).copied();
    let times: Vec<_> =
        [f64::NEG_INFINITY].into_iter().chain(forwards_and_back).chain([-0.0, 1e300, f64::NAN]).collect();
    for max_window_keys in [1, 3] {
        let windowed = WindowedRecording::new(&recording).with_max_window_keys(max_window_keys);
        assert_same_frames(&recording, &windowed, &times);
    }
    assert_same_frames(&recording, &windowed.with_max_window_keys(2), &times);
}

fn assert_same_frames(recording: &Recording, windowed: &WindowedRecording<'_>, times: &[f64]) {
    let mut whole = recording.sampler().with_untracked_poses(true);
    let mut windows = windowed.sampler().with_untracked_poses(true);
    let (mut expected, mut actual) = (Frame::default(), Frame::default());
    for time in times {
        whole.frame_into(*time, &mut expected);
        windows.frame_into(*time, &mut actual).unwrap();
        for id in CurveId::all(recording.channels()) {
            let [expected, actual] = [&expected, &actual].map(|frame| frame.value(id));
            let is_same = expected.map(f32::to_bits) == actual.map(f32::to_bits)
                || expected.is_some_and(f32::is_nan) && actual.is_some_and(f32::is_nan);
            assert!(is_same, "{id} at {time}: {expected:?} became {actual:?}");
        }
    }
}

/// Arbitrary text is a document or an error; a document that is written again is equal.
#[cfg(feature = "json")]
pub fn json_round_trips(text: &[u8]) {
    let Ok(recording) = Recording::from_json_slice(text) else { return };
    let mut written = Vec::new();
    recording.write_json_to(&mut written).unwrap();
    let again = Recording::from_json_slice(&written).unwrap();
    assert_eq!(again.to_vec().unwrap(), recording.to_vec().unwrap());
}

/// A salvaged recording can be repaired, has no repairable findings afterwards, and round-trips.
pub fn salvage_is_valid(bytes: &[u8]) {
    for headerless in [false, true] {
        let Ok(salvaged) = salvage(bytes, &SalvageOptions::new().with_headerless(headerless)) else { continue };
        let mut recording = salvaged.recording;
        let _ = repair(&mut recording, &RepairOptions::new());
        let once = recording.clone();
        let again = repair(&mut recording, &RepairOptions::new());
        assert!(again.repaired.is_empty(), "{again}");
        assert_eq!(recording, once);
        let (written, losses) = recording.to_vec().unwrap();
        assert!(losses.is_empty(), "{losses:?}");
        let mut read = Recording::from_slice(&written).unwrap();
        // Nothing shows the size of keys in a file of version 1.1 without any.
        if recording.curves().all(|(_, curve)| curve.key_count() == 0) {
            read.format.layout = recording.format.layout;
        }
        assert_eq!(read, recording);
        for finding in check(&recording, &CheckOptions::new()) {
            assert!(!finding.to_string().is_empty() && !finding.advice().is_empty());
        }
    }
}

/// A recording that opens can be edited, reduced, compared, analysed and played, or gives an error; nothing panics.
pub fn opened_recording_operations(bytes: &[u8]) {
    let Ok(recording) = Recording::from_slice(bytes) else { return };
    let duration = f64::from(recording.duration_secs());
    let cut = duration * 0.4;
    if let (Ok(first), Ok(second)) = (edit::trim(&recording, ..=cut), edit::trim(&recording, cut..))
        && let Ok(whole) = edit::concat(&[&first, &second], &ConcatOptions::new())
    {
        assert!(Diff::between(&recording, &whole).compared_secs >= 0.0);
    }
    assert_eq!(edit::mirror(&edit::mirror(&recording)), recording);
    let _ = edit::retime(&recording, &RetimeOptions::new().with_speed(2.0).with_shift_secs(-1.0));
    let _ = edit::transform(&recording, &Transform::new().with_yaw_deg(30.0).with_translation_m([1.0, 0.0, -1.0]));
    // A rate that gives about 100 frames, whatever the duration.
    let rate_hz = 100.0 / duration.max(1e-3);
    let _ = edit::resample(&recording, rate_hz);
    let _ =
        Stats::from_recording(&recording, &StatsOptions::new().with_path_rate_hz(rate_hz).with_gaze_rate_hz(rate_hz));
    let mut reduced = recording.clone();
    let report = optimize(&mut reduced, &OptimizeOptions::new());
    assert!(report.keys_after <= report.keys_before);
    let mut player = recording.player().with_looping(true);
    player.play();
    let mut last = f64::NEG_INFINITY;
    for event in player.advance(duration * 0.7) {
        assert!(event.time_secs >= last, "{event:?} after {last}");
        last = event.time_secs;
    }
}

/// Arbitrary bytes are a journal or an error; a recovered recording can be written.
pub fn journals_never_panic(bytes: &[u8]) {
    if let Ok(journal) = Journal::from_reader(bytes) {
        assert!(journal.dropped_bytes <= bytes.len() as u64);
        let (written, losses) = journal.recording.to_vec().unwrap();
        assert!(losses.is_empty() && Recording::from_slice(&written).is_ok());
    }
}

/// Arbitrary bytes are a record or are rejected. A decoded record that is encoded again is equal, apart from poses
/// with non-finite values, which are not encoded.
#[cfg(feature = "stream")]
pub fn records_round_trip(bytes: &[u8]) {
    if let Ok(record) = Record::decode(bytes) {
        let encoded = record.encode();
        assert!(encoded.len() <= bytes.len());
        assert_eq!(Record::decode(&encoded).expect("a record").encode(), encoded);
    }
}

/// All properties of the bytes of a file.
pub fn all(bytes: &[u8]) {
    opening_never_panics(bytes);
    opened_recording_round_trips(bytes);
    index_matches_decoder(bytes);
    summary_matches_recording(bytes);
    evaluation_is_finite_for_finite_curves(bytes);
}
