//! The part of a recording's description that is computed from its contents.

use std::cmp::Reverse;
use std::sync::Arc;

use holotape::check::{CheckOptions, Finding, Subject, check};
use holotape::stats::{StatsOptions, fixations};
use holotape::{BoolCurve, CurveRef, Hand, Keys, LinearKey, Marker, PoseCurves, Recording};
use serde::Serialize;

use crate::api::{ChannelFlags, FindingInfo, HandInfo, MarkerInfo, Span};
use crate::counter::ByteCounter;
use crate::curve_pack::{duration_secs, has_overview};

/// Recordings longer than this get no gaze analysis.
const MAX_GAZE_ANALYSIS_SECS: f32 = 6.0 * 3600.0;

/// Tracking that ends this close to the end of the recording was not lost.
const END_TOLERANCE_SECS: f64 = 1e-3;

/// Longer lists of spans are not sent: the page could not draw them.
const MAX_SPANS: usize = 20_000;

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RecordingDetails {
    /// Human-readable format: "MRTK input animation, version 1.1, compact keys".
    format: String,
    pub(crate) file_bytes: u64,
    markers: Vec<MarkerInfo>,
    findings: Vec<FindingInfo>,
    #[serde(flatten)]
    curves: Arc<CurveDetails>,
}

/// The details that depend on the curves only. Marker edits reuse them, because they visit every key.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CurveDetails {
    key_count: usize,
    /// Whether there are so many keys that the page first loads an overview.
    has_overview: bool,
    duration_secs: f32,
    channels: ChannelFlags,
    left: HandInfo,
    right: HandInfo,
    /// Spans of gaze fixations; empty if there are too many to draw.
    fixations: Vec<Span>,
    /// Missing if the recording is too long for gaze analysis.
    fixation_count: Option<usize>,
    #[serde(skip)]
    bytes: u64,
    #[serde(skip)]
    last_key_secs: f32,
    #[serde(skip)]
    findings: Vec<Finding>,
}

impl RecordingDetails {
    /// Fails if a curve has more keys than its format can count.
    pub(crate) fn new(recording: &Recording) -> holotape::Result<Self> {
        Self::from_parts(Arc::new(CurveDetails::new(recording)?), &without_curves(recording))
    }

    /// The same curves with the markers and the format of `marked`.
    pub(crate) fn with_markers_of(&self, marked: &Recording) -> holotape::Result<Self> {
        Self::from_parts(self.curves.clone(), marked)
    }

    pub(crate) fn has_overview(&self) -> bool {
        self.curves.has_overview
    }

    fn from_parts(curves: Arc<CurveDetails>, marked: &Recording) -> holotape::Result<Self> {
        let mut findings = curves.findings.clone();
        findings.extend(check_markers(marked, curves.last_key_secs));
        // The order of `check`. Stable, so marker findings come last among equals.
        findings.sort_by_key(|finding| (Reverse(finding.severity), finding.kind));
        Ok(Self {
            format: format_label(marked),
            file_bytes: curves.bytes.saturating_add(written_bytes(marked)?),
            markers: markers(marked),
            findings: findings.iter().map(FindingInfo::from).collect(),
            curves,
        })
    }
}

impl CurveDetails {
    fn new(recording: &Recording) -> holotape::Result<Self> {
        let duration_secs = duration_secs(recording);
        let findings = check(recording, &CheckOptions::new()).into_iter();
        let fixations = fixation_spans(recording, duration_secs);
        let key_count = recording.curves().map(|(_, curve)| curve.key_count()).sum();
        Ok(Self {
            key_count,
            has_overview: has_overview(key_count),
            duration_secs,
            channels: recording.channels().into(),
            left: hand_info(recording, Hand::Left, duration_secs.into()),
            right: hand_info(recording, Hand::Right, duration_secs.into()),
            fixation_count: fixations.as_ref().map(Vec::len),
            fixations: limit_spans(fixations.unwrap_or_default()),
            bytes: written_bytes(recording)?.saturating_sub(written_bytes(&without_curves(recording))?),
            last_key_secs: last_key_secs(recording),
            findings: findings.filter(|finding| finding.subject != Subject::Markers).collect(),
        })
    }
}

/// The markers and the format of a recording.
pub(crate) fn without_curves(recording: &Recording) -> Recording {
    Recording { format: recording.format, markers: recording.markers.clone(), ..Recording::default() }
}

/// Marker findings of a recording that ends at `end_secs`.
fn check_markers(marked: &Recording, end_secs: f32) -> impl Iterator<Item = Finding> {
    let mut camera = PoseCurves::default();
    camera.position[0].keys = Keys::Linear(vec![LinearKey::new(end_secs, 0.0)]);
    let as_long = Recording { camera: Some(camera), ..without_curves(marked) };
    let findings = check(&as_long, &CheckOptions::new()).into_iter();
    findings.filter(|finding| finding.subject == Subject::Markers)
}

/// The latest time of any key, in order or not.
fn last_key_secs(recording: &Recording) -> f32 {
    let latest = |times: &mut dyn Iterator<Item = f32>| times.filter(|time| time.is_finite()).fold(0.0, f32::max);
    let ends = recording.curves().map(|(_, curve)| match curve {
        CurveRef::Float(curve) => latest(&mut curve.keys.iter().map(|key| key.time)),
        CurveRef::Bool(curve) => latest(&mut curve.keys.iter().map(|key| key.time)),
    });
    ends.fold(0.0, f32::max)
}

/// `None` if the recording is too long.
fn fixation_spans(recording: &Recording, duration_secs: f32) -> Option<Vec<Span>> {
    let fixations = (duration_secs <= MAX_GAZE_ANALYSIS_SECS).then(|| fixations(recording, &StatsOptions::new()))?;
    let spans = fixations.unwrap_or_default().iter().map(|fixation| [fixation.start_secs, fixation.end_secs]).collect();
    Some(spans)
}

/// The spans, or none if there are more than [`MAX_SPANS`].
fn limit_spans(spans: Vec<Span>) -> Vec<Span> {
    if spans.len() > MAX_SPANS { Vec::new() } else { spans }
}

/// Markers at finite times: JSON cannot represent others.
fn markers(recording: &Recording) -> Vec<MarkerInfo> {
    let finite = recording.markers.iter().filter(|marker| marker.time.is_finite());
    finite.map(|Marker { time, name }| MarkerInfo { time: *time, name: name.clone() }).collect()
}

fn hand_info(recording: &Recording, hand: Hand, duration_secs: f64) -> HandInfo {
    let curves = recording.hand(hand);
    let tracked = flag_spans(&curves.tracked, duration_secs);
    let pinching = flag_spans(&curves.pinching, duration_secs);
    let is_loss = |[_, end]: &&Span| *end < duration_secs - END_TOLERANCE_SECS;
    HandInfo {
        tracked_secs: tracked.iter().map(|[start, end]| end - start).sum(),
        tracking_loss_count: tracked.iter().filter(is_loss).count(),
        pinch_count: pinching.len(),
        tracked: limit_spans(tracked),
        pinching: limit_spans(pinching),
    }
}

/// Spans in which a flag is set, clipped to the recording.
fn flag_spans(flag: &BoolCurve, duration_secs: f64) -> Vec<Span> {
    flag.spans_within_secs(duration_secs).into_iter().map(|span| [span.start, span.end]).collect()
}

fn format_label(recording: &Recording) -> String {
    let (version, keys) = (recording.format.layout.version(), recording.format.layout.keys());
    format!("MRTK input animation, version {version}, {keys} keys")
}

/// Size of the recording as a file, without storing it.
fn written_bytes(recording: &Recording) -> holotape::Result<u64> {
    let mut counter = ByteCounter::default();
    // Losses are reported when the recording is saved.
    let _ = recording.write_to(&mut counter)?;
    Ok(counter.bytes())
}
