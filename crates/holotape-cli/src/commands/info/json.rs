//! The object that `info --json` prints.

use holotape::format::{Channels, LayoutEvidence};
use holotape::json::JsonFloat;
use holotape::{BodyPart, CurveSummary, HandSummary, Marker, Summary};
use serde::{Serialize, Serializer};

use super::InfoTarget;

#[derive(Serialize)]
pub(super) struct InfoJson<'a> {
    file: &'a str,
    file_bytes: Option<u64>,
    file_format: &'static str,
    compression: &'static str,
    version: [i32; 2],
    key_layout: &'static str,
    marker_list: bool,
    layout_evidence: Option<&'static str>,
    producers: &'static str,
    channels: Channels,
    duration_secs: JsonFloat<f32>,
    key_count: u64,
    lost_w_count: usize,
    body_parts: BodyParts<'a>,
    markers: &'a [Marker],
    key_counts: KeyCounts<'a>,
}

impl<'a> InfoJson<'a> {
    pub(super) fn new(target: &InfoTarget<'a>, summary: &'a Summary) -> Self {
        let layout = summary.format.layout;
        Self {
            file: target.name,
            file_bytes: target.file_bytes,
            file_format: target.format.extension(),
            compression: target.compression.name(),
            version: layout.version().numbers(),
            key_layout: layout.keys().name(),
            marker_list: summary.format.marker_list,
            layout_evidence: summary.evidence.map(LayoutEvidence::name),
            producers: layout.producers(),
            channels: summary.channels,
            duration_secs: JsonFloat(summary.duration_secs),
            key_count: summary.key_count(),
            lost_w_count: summary.lost_w_count(),
            body_parts: BodyParts(summary),
            markers: &summary.markers,
            key_counts: KeyCounts(&summary.curves),
        }
    }
}

/// The curves that have keys, in file order.
struct KeyCounts<'a>(&'a [CurveSummary]);

impl Serialize for KeyCounts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let with_keys = self.0.iter().filter(|curve| curve.key_count > 0);
        serializer.collect_map(with_keys.map(|curve| (curve.id.to_string(), curve.key_count)))
    }
}

/// The body parts that have curves, by name.
struct BodyParts<'a>(&'a Summary);

impl Serialize for BodyParts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let present = |part: BodyPart| Some((part.name(), BodyPartJson::new(self.0, part)?));
        serializer.collect_map(BodyPart::ALL.into_iter().filter_map(present))
    }
}

#[derive(Serialize)]
struct BodyPartJson {
    curve_count: usize,
    key_count: u64,
    rate_hz: Option<f64>,
    start_secs: Option<JsonFloat<f32>>,
    end_secs: Option<JsonFloat<f32>>,
    #[serde(flatten)]
    hand: Option<HandJson>,
}

#[derive(Serialize)]
struct HandJson {
    tracked_fraction: f64,
    tracked_secs: f64,
    tracked_span_count: usize,
    pinch_count: usize,
    pinch_secs: f64,
}

impl BodyPartJson {
    fn new(summary: &Summary, part: BodyPart) -> Option<Self> {
        let curves = summary.body_part(part)?;
        let hand = if let BodyPart::Hand(hand) = part { Some(summary.hand(hand)) } else { None };
        Some(Self {
            curve_count: curves.curve_count,
            key_count: curves.key_count,
            rate_hz: curves.rate_hz,
            start_secs: curves.start_secs.map(JsonFloat),
            end_secs: curves.end_secs.map(JsonFloat),
            hand: hand.map(|HandSummary { tracked, pinching }| HandJson {
                tracked_fraction: summary.fraction(tracked.total_secs),
                tracked_secs: tracked.total_secs,
                tracked_span_count: tracked.count,
                pinch_count: pinching.count,
                pinch_secs: pinching.total_secs,
            }),
        })
    }
}
