//! What a table says about itself, where its format has a place for that.

use std::collections::HashMap;

use holotape::format::{Channels, Format, Layout};
use holotape::json::ExactFloat;
use holotape::{Marker, Markers, Recording};
use serde::{Deserialize, Serialize};

use super::{TableKind, TableOptions};
use crate::{Space, Timing};

/// The version of the tables' columns and of this metadata.
const SCHEMA_VERSION: &str = "1";

/// Pairs of key and value: `holotape.space` is `unity`.
pub(crate) struct Metadata(Vec<(&'static str, String)>);

#[derive(Serialize, Deserialize)]
struct MarkerEntry {
    time: ExactFloat,
    name: String,
}

const LAYOUTS: [(Layout, &str); 3] =
    [(Layout::Full10, "1.0 full"), (Layout::Full11, "1.1 full"), (Layout::Compact11, "1.1 compact")];

impl Metadata {
    /// What any table has.
    pub(crate) fn new(options: &TableOptions) -> Self {
        let times = match options.timing {
            Timing::Keys => "keys".to_owned(),
            Timing::Rate(rate_hz) => format!("{rate_hz} Hz"),
        };
        Self(vec![
            ("holotape.schema", SCHEMA_VERSION.to_owned()),
            ("holotape.table", options.table.name().to_owned()),
            ("holotape.times", times),
            ("holotape.space", options.space.name().to_owned()),
            ("holotape.units", "seconds, metres, unit quaternions".to_owned()),
        ])
    }

    /// What a table of one recording has besides.
    pub(crate) fn with_recording(mut self, recording: &Recording, options: &TableOptions) -> Self {
        let layout = LAYOUTS.iter().find(|(layout, _)| *layout == recording.format.layout).map(|(_, name)| *name);
        self.0.extend(options.source.clone().map(|source| ("holotape.source", source)));
        self.0.push(("holotape.duration", recording.duration_secs().to_string()));
        let Channels { camera, hands, gaze } = recording.channels();
        let channels = [("camera", camera), ("hands", hands), ("gaze", gaze)].into_iter();
        let channels: Vec<_> = channels.filter(|(_, is_there)| *is_there).map(|(name, _)| name).collect();
        self.0.push(("holotape.channels", channels.join(" ")));
        self.0.extend(layout.map(|layout| ("holotape.layout", layout.to_owned())));
        self.0.push(("holotape.marker_list", recording.format.marker_list.to_string()));
        let marker = |marker: &Marker| MarkerEntry { time: ExactFloat(marker.time), name: marker.name.clone() };
        let markers: Vec<_> = recording.markers.iter().map(marker).collect();
        self.0.extend(serde_json::to_string(&markers).ok().map(|markers| ("holotape.markers", markers)));
        self
    }

    pub(crate) fn into_pairs(self) -> impl Iterator<Item = (String, String)> {
        self.0.into_iter().map(|(key, value)| (key.to_owned(), value))
    }
}

/// The space that metadata names, if they do.
pub(super) fn space(metadata: &HashMap<String, String>) -> Option<Space> {
    let name = metadata.get("holotape.space")?;
    [Space::Unity, Space::RightHanded].into_iter().find(|space| space.name() == name)
}

/// Whether metadata are those of a table of frames.
pub(super) fn is_frames_table(metadata: &HashMap<String, String>) -> bool {
    metadata.get("holotape.table").is_some_and(|name| name == TableKind::Frames.name())
}

/// The format that metadata name, if they do.
pub(super) fn format(metadata: &HashMap<String, String>) -> Option<Format> {
    let name = metadata.get("holotape.layout")?;
    let (layout, _) = LAYOUTS.into_iter().find(|(_, layout)| layout == name)?;
    Some(Format { layout, marker_list: metadata.get("holotape.marker_list")?.parse().ok()? })
}

/// The channels that metadata name, if they do.
pub(super) fn channels(metadata: &HashMap<String, String>) -> Option<Channels> {
    let names: Vec<_> = metadata.get("holotape.channels")?.split(' ').collect();
    let has = |name| names.contains(&name);
    Some(Channels { camera: has("camera"), hands: has("hands"), gaze: has("gaze") })
}

/// The markers that metadata hold.
pub(super) fn markers(metadata: &HashMap<String, String>) -> Option<Markers> {
    let entries: Vec<MarkerEntry> = serde_json::from_str(metadata.get("holotape.markers")?).ok()?;
    Some(entries.into_iter().map(|entry| Marker { time: entry.time.0, name: entry.name }).collect())
}
