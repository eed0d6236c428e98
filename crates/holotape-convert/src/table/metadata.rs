//! Metadata of Parquet and Arrow tables.

use std::collections::HashMap;

use holotape::format::{Channels, Format, Layout};
use holotape::json::ExactFloat;
use holotape::{Marker, Markers, Recording};
use serde::{Deserialize, Serialize};

use super::{TableKind, TableOptions};
use crate::{Space, Timing};

/// The version of the tables' columns and of this metadata.
const SCHEMA_VERSION: &str = "1";

/// Pairs of key and value, such as `holotape.space` and `unity`.
pub(crate) struct Metadata(Vec<(&'static str, String)>);

#[derive(Serialize, Deserialize)]
struct MarkerEntry {
    time: ExactFloat,
    name: String,
}

const LAYOUTS: [Layout; 3] = [Layout::Full10, Layout::Full11, Layout::Compact11];

impl Metadata {
    /// The metadata of every table.
    pub(crate) fn new(options: &TableOptions) -> Self {
        let times = match options.timing {
            Timing::Keys => "keys".to_owned(),
            Timing::Rate(rate_hz) => format!("{rate_hz} Hz"),
        };
        Self(vec![
            ("holotape.table_schema_version", SCHEMA_VERSION.to_owned()),
            ("holotape.table", options.table.name().to_owned()),
            ("holotape.times", times),
            ("holotape.space", options.space.name().to_owned()),
            ("holotape.units", "seconds, metres, unit quaternions".to_owned()),
        ])
    }

    /// Adds the metadata of a table of one recording.
    pub(crate) fn with_recording(mut self, recording: &Recording, options: &TableOptions) -> Self {
        self.0.extend(options.source.clone().map(|source| ("holotape.source", source)));
        self.0.push(("holotape.duration_secs", recording.duration_secs().to_string()));
        let Channels { camera, hands, gaze } = recording.channels();
        let channels = [("camera", camera), ("hands", hands), ("gaze", gaze)].into_iter();
        let channels: Vec<_> = channels.filter(|(_, is_recorded)| *is_recorded).map(|(name, _)| name).collect();
        self.0.push(("holotape.channels", channels.join(" ")));
        let layout = recording.format.layout;
        self.0.push(("holotape.version", layout.version().to_string()));
        self.0.push(("holotape.key_layout", layout.keys().name().to_owned()));
        self.0.push(("holotape.marker_list", recording.format.marker_list.to_string()));
        let marker = |marker: &Marker| MarkerEntry { time: ExactFloat(marker.time), name: marker.name.clone() };
        let markers: Vec<_> = recording.markers.iter().map(marker).collect();
        self.0.extend(serde_json::to_string(&markers).ok().map(|markers| ("holotape.markers", markers)));
        self
    }

    pub(crate) fn into_pairs(self) -> impl Iterator<Item = (String, String)> {
        self.0.into_iter().map(|(key, value)| (key.to_owned(), value))
    }

    /// The metadata of an Arrow schema.
    pub(crate) fn into_arrow(self) -> arrow_schema::Metadata {
        self.into_pairs().collect()
    }
}

pub(super) fn space(metadata: &HashMap<String, String>) -> Option<Space> {
    let name = metadata.get("holotape.space")?;
    [Space::Unity, Space::RightHanded].into_iter().find(|space| space.name() == name)
}

pub(super) fn is_frames_table(metadata: &HashMap<String, String>) -> bool {
    metadata.get("holotape.table").is_some_and(|name| name == TableKind::Frames.name())
}

pub(super) fn format(metadata: &HashMap<String, String>) -> Option<Format> {
    let (version, keys) = (metadata.get("holotape.version")?, metadata.get("holotape.key_layout")?);
    let is_it = |layout: &Layout| layout.version().to_string() == *version && layout.keys().name() == keys;
    let layout = LAYOUTS.into_iter().find(is_it)?;
    Some(Format { layout, marker_list: metadata.get("holotape.marker_list")?.parse().ok()? })
}

pub(super) fn channels(metadata: &HashMap<String, String>) -> Option<Channels> {
    let names: Vec<_> = metadata.get("holotape.channels")?.split(' ').collect();
    let has = |name| names.contains(&name);
    Some(Channels { camera: has("camera"), hands: has("hands"), gaze: has("gaze") })
}

pub(super) fn markers(metadata: &HashMap<String, String>) -> Option<Markers> {
    let entries: Vec<MarkerEntry> = serde_json::from_str(metadata.get("holotape.markers")?).ok()?;
    Some(entries.into_iter().map(|entry| Marker { time: entry.time.0, name: entry.name }).collect())
}
