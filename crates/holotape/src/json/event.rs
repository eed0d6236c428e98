//! Serializes events: one object each.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::JsonFloat;
use crate::{Event, EventKind};

impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("time", &JsonFloat(self.time_secs))?;
        let (name, hand) = match &self.kind {
            // A marker record, as a recorder reads it, not an event.
            EventKind::MarkerPassed { name, .. } => {
                map.serialize_entry("marker", &**name)?;
                return map.end();
            }
            EventKind::Started => ("started", None),
            EventKind::Paused => ("paused", None),
            EventKind::Stopped => ("stopped", None),
            EventKind::Ended => ("ended", None),
            EventKind::Looped { .. } => ("looped", None),
            EventKind::Seeked { .. } => ("seeked", None),
            EventKind::HandFound(hand) => ("hand_found", Some(hand)),
            EventKind::HandLost(hand) => ("hand_lost", Some(hand)),
            EventKind::PinchStarted(hand) => ("pinch_start", Some(hand)),
            EventKind::PinchEnded(hand) => ("pinch_end", Some(hand)),
        };
        map.serialize_entry("event", name)?;
        if let Some(hand) = hand {
            map.serialize_entry("hand", hand.name())?;
        }
        match &self.kind {
            EventKind::Looped { lap_count } => map.serialize_entry("lap_count", lap_count)?,
            EventKind::Seeked { from_secs } => map.serialize_entry("from_time", &JsonFloat(*from_secs))?,
            _ => {}
        }
        map.end()
    }
}
