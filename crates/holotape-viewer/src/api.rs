//! What the page is told about a recording besides its curves. `web/src/api.ts` has the same names.

use std::cmp::Reverse;
use std::sync::Arc;

use holotape::check::{CheckOptions, Finding, Severity, Subject, check};
use holotape::stats::{StatsOptions, fixations};
use holotape::{BoolCurve, CurveRef, Hand, Keys, LinearKey, Marker, PoseCurves, Recording};
use serde::{Serialize, Serializer};

use crate::counter::ByteCounter;
use crate::curve_pack::{HeaderChannels, duration_secs};

/// From and to, in seconds.
type Span = [f64; 2];

/// What follows from a recording alone.
///
/// ```
/// let take = holotape::demo::DemoOptions::new().generate()?;
/// let contents = holotape_viewer::describe::Contents::of(&take)?;
/// let json = serde_json::to_value(&contents)?;
/// assert_eq!(json["durationSecs"], 12.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordingDetails {
    format: String,
    pub(crate) bytes: u64,
    markers: Vec<MarkerInfo>,
    findings: Vec<FindingInfo>,
    #[serde(flatten, serialize_with = "serialize_shared")]
    curves: Arc<CurveDetails>,
}

/// What follows from the curves alone: it takes a look at every key, and markers change nothing in it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CurveDetails {
    key_count: usize,
    duration_secs: f32,
    channels: HeaderChannels,
    left: HandInfo,
    right: HandInfo,
    fixations: Vec<Span>,
    #[serde(skip)]
    bytes: u64,
    #[serde(skip)]
    last_key_secs: f32,
    #[serde(skip)]
    findings: Vec<Finding>,
}

fn serialize_shared<S: Serializer>(curves: &Arc<CurveDetails>, serializer: S) -> Result<S::Ok, S::Error> {
    curves.serialize(serializer)
}

impl RecordingDetails {
    /// Looks through all of a recording.
    ///
    /// # Errors
    /// If it has more keys in a curve than its format can count.
    pub fn of(recording: &Recording) -> holotape::Result<Self> {
        Self::new(Arc::new(CurveDetails::of(recording)?), &without_curves(recording))
    }

    /// The same curves with the markers of another recording, and its format, which has the same keys.
    pub(crate) fn with_markers_of(&self, marked: &Recording) -> holotape::Result<Self> {
        Self::new(self.curves.clone(), marked)
    }

    fn new(curves: Arc<CurveDetails>, marked: &Recording) -> holotape::Result<Self> {
        let mut findings = curves.findings.clone();
        findings.extend(check_markers(marked, curves.last_key_secs));
        // As `check` has them; stable, so that markers come last among those of a kind.
        findings.sort_by_key(|finding| (Reverse(finding.severity), finding.kind));
        Ok(Self {
            format: format_label(marked),
            bytes: curves.bytes.saturating_add(written_bytes(marked)?),
            markers: markers(marked),
            findings: findings.iter().map(FindingInfo::from).collect(),
            curves,
        })
    }
}

impl CurveDetails {
    fn of(recording: &Recording) -> holotape::Result<Self> {
        let duration_secs = duration_secs(recording);
        let hand = |hand| HandInfo::of(recording, hand, duration_secs.into());
        let findings = check(recording, &CheckOptions::new()).into_iter();
        Ok(Self {
            key_count: recording.curves().map(|(_, curve)| curve.key_count()).sum(),
            duration_secs,
            channels: recording.channels().into(),
            left: hand(Hand::Left),
            right: hand(Hand::Right),
            fixations: fixations_of(recording, duration_secs),
            bytes: written_bytes(recording)?.saturating_sub(written_bytes(&without_curves(recording))?),
            last_key_secs: last_key_secs(recording),
            findings: findings.filter(|finding| finding.subject != Subject::Markers).collect(),
        })
    }
}

/// The markers of a recording, and how they are written.
pub(crate) fn without_curves(recording: &Recording) -> Recording {
    Recording { format: recording.format, markers: recording.markers.clone(), ..Recording::default() }
}

/// What is wrong with markers in a recording that ends at a time.
fn check_markers(marked: &Recording, end_secs: f32) -> impl Iterator<Item = Finding> {
    let mut camera = PoseCurves::default();
    camera.position[0].keys = Keys::Linear(vec![LinearKey::new(end_secs, 0.0)]);
    let as_long = Recording { camera: Some(camera), ..without_curves(marked) };
    let findings = check(&as_long, &CheckOptions::new()).into_iter();
    findings.filter(|finding| finding.subject == Subject::Markers)
}

/// The latest time of any key, also of those out of order.
fn last_key_secs(recording: &Recording) -> f32 {
    let latest = |times: &mut dyn Iterator<Item = f32>| times.filter(|time| time.is_finite()).fold(0.0, f32::max);
    let ends = recording.curves().map(|(_, curve)| match curve {
        CurveRef::Float(curve) => latest(&mut curve.keys.iter().map(|key| key.time)),
        CurveRef::Bool(curve) => latest(&mut curve.keys.iter().map(|key| key.time)),
    });
    ends.fold(0.0, f32::max)
}

/// Longer than anybody wears a headset.
const MAX_GAZE_ANALYSIS_SECS: f32 = 6.0 * 3600.0;

/// More of a kind than a page can show, or anybody tell apart.
const MAX_SPANS: usize = 20_000;

/// Where the eyes rested; nowhere if the recording is too long to go through, or if there are too many to show.
fn fixations_of(recording: &Recording, duration_secs: f32) -> Vec<Span> {
    if duration_secs > MAX_GAZE_ANALYSIS_SECS {
        return Vec::new();
    }
    let fixations = fixations(recording, &StatsOptions::new()).unwrap_or_default();
    limit_spans(fixations.iter().map(|rest| [rest.start_secs, rest.end_secs]).collect())
}

/// The spans if they can be shown, and none if they are too many.
fn limit_spans(spans: Vec<Span>) -> Vec<Span> {
    if spans.len() > MAX_SPANS { Vec::new() } else { spans }
}

#[derive(Serialize)]
struct MarkerInfo {
    time: f32,
    name: String,
}

fn markers(recording: &Recording) -> Vec<MarkerInfo> {
    // JSON has no number for those that are at no time, and the page no place.
    let at_a_time = recording.markers.iter().filter(|marker| marker.time.is_finite());
    at_a_time.map(|Marker { time, name }| MarkerInfo { time: *time, name: name.clone() }).collect()
}

#[derive(Serialize)]
struct HandInfo {
    tracked: Vec<Span>,
    pinching: Vec<Span>,
}

impl HandInfo {
    fn of(recording: &Recording, hand: Hand, duration_secs: f64) -> Self {
        let curves = recording.hand(hand);
        Self { tracked: spans(&curves.tracked, duration_secs), pinching: spans(&curves.pinching, duration_secs) }
    }
}

/// The spans in which a flag is on, within the recording; none if they are too many to show.
fn spans(flag: &BoolCurve, duration_secs: f64) -> Vec<Span> {
    let spans = flag.spans_within_secs(duration_secs);
    limit_spans(spans.into_iter().map(|span| [span.start, span.end]).collect())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FindingInfo {
    code: &'static str,
    severity: Severity,
    message: String,
    place: Option<String>,
    span_secs: Option<Span>,
    help: &'static str,
    mendable: bool,
}

impl From<&Finding> for FindingInfo {
    fn from(finding: &Finding) -> Self {
        Self {
            code: finding.kind.code(),
            severity: finding.severity,
            message: finding.message.clone(),
            place: place(finding.subject),
            span_secs: finding.span_secs.filter(|span| span.iter().all(|secs| secs.is_finite())),
            help: finding.advice(),
            mendable: finding.kind.is_repairable(),
        }
    }
}

/// What a finding is about, as the start of names of curves.
fn place(subject: Subject) -> Option<String> {
    match subject {
        Subject::Joints { hand, .. } | Subject::Flags(hand) => Some(hand.to_string()),
        Subject::Curve(_) | Subject::Pose(_) | Subject::Gaze => Some(subject.to_string()),
        _ => None,
    }
}

fn format_label(recording: &Recording) -> String {
    let (version, keys) = (recording.format.layout.version(), recording.format.layout.keys());
    format!("MRTK input animation, version {version}, {keys} keys")
}

/// How large the recording is as a file, without making one.
fn written_bytes(recording: &Recording) -> holotape::Result<u64> {
    let mut counter = ByteCounter::default();
    // What the format cannot hold is told when it is saved.
    let _ = recording.write_to(&mut counter)?;
    Ok(counter.bytes())
}

/// What the page is told about a take: what is in it, and what became of it.
///
/// ```
/// use holotape_viewer::describe::{Contents, Origin, TakeInfo};
///
/// let contents = Contents::of(&holotape::Recording::default())?;
/// let take = TakeInfo::new(1, "empty.bin", Origin::File, &contents);
/// assert_eq!(serde_json::to_value(&take)?["name"], "empty.bin");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordingInfo<'a> {
    /// Its number.
    pub id: u64,
    /// Counts changes of anything.
    pub revision: u64,
    /// Counts changes of curves.
    pub tape_revision: u64,
    /// The name of its file, without the folder.
    pub name: &'a str,
    /// Where it came from.
    pub origin: Origin,
    /// The take that a preview would replace.
    pub preview_of: Option<u64>,
    /// What a foreign file had that a recording has no place for.
    pub losses: Vec<String>,
    /// Whether there are changes that are not saved.
    pub modified: bool,
    /// Whether there is something to undo.
    pub can_undo: bool,
    /// Whether there is something to redo.
    pub can_redo: bool,
    #[serde(flatten)]
    pub(crate) contents: &'a RecordingDetails,
}

/// Where a take came from.
///
/// ```
/// assert_eq!(serde_json::to_string(&holotape_viewer::describe::Origin::Demo)?, "\"demo\"");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A file that the viewer was given.
    File,
    /// A file that was recorded while the viewer ran.
    Recorded,
    /// A file that was dropped on the page.
    Upload,
    /// What a take would become.
    Preview,
    /// The built-in demo.
    Demo,
}

impl<'a> RecordingInfo<'a> {
    /// A take that nobody changed.
    #[must_use]
    pub fn new(id: u64, name: &'a str, origin: Origin, contents: &'a RecordingDetails) -> Self {
        Self {
            id,
            revision: 0,
            tape_revision: 0,
            name,
            origin,
            preview_of: None,
            losses: Vec::new(),
            modified: false,
            can_undo: false,
            can_redo: false,
            contents,
        }
    }
}

/// What the page is told first.
///
/// ```
/// let session = holotape_viewer::describe::ViewerState { takes: Vec::new(), ..Default::default() };
/// assert_eq!(serde_json::to_value(&session)?["edit"], false);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ViewerState<'a> {
    /// Of the program.
    pub version: &'static str,
    /// Whether recordings may be changed and saved.
    pub edit: bool,
    /// Whether takes can be recorded.
    pub live: bool,
    /// Where they are saved.
    pub takes_folder: Option<String>,
    /// The largest file that can be dropped on the page.
    pub upload_limit_bytes: u64,
    /// All takes.
    pub takes: Vec<RecordingInfo<'a>>,
    /// Files that could not be opened.
    pub failures: &'a [FailureInfo],
}

impl Default for ViewerState<'_> {
    fn default() -> Self {
        let version = env!("CARGO_PKG_VERSION");
        Self {
            version,
            edit: false,
            live: false,
            takes_folder: None,
            upload_limit_bytes: 0,
            takes: Vec::new(),
            failures: &[],
        }
    }
}

/// A file that could not be opened.
///
/// ```
/// use holotape_viewer::describe::FailureInfo;
///
/// let failure = FailureInfo { name: "take.bin".to_owned(), error: "the file is empty".to_owned() };
/// assert!(serde_json::to_string(&failure)?.contains("empty"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct FailureInfo {
    /// Its name, without the folder.
    pub name: String,
    /// Why.
    pub error: String,
}
