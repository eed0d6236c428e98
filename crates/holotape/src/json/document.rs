//! The document as read: the header and the curves by name.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use super::keys::AnyKeys;
use crate::error::{Error, ErrorKind, Result};
use crate::format::{Channels, Format, KeyLayout, Layout, Version};
use crate::{BoolCurve, Curve, CurveId, CurveMut, Keys, Marker, Markers, Recording, WrapMode};

/// The version of the document itself.
pub(super) const DOCUMENT_VERSION: u32 = 1;

/// The document, as read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document {
    holotape: u32,
    version: [i32; 2],
    key_layout: String,
    marker_list: bool,
    channels: Channels,
    #[serde(default)]
    markers: Vec<Marker>,
    curves: NamedCurves,
}

/// One curve of the document, float or boolean.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CurveEntry<K> {
    pub(super) pre_wrap: i32,
    pub(super) post_wrap: i32,
    pub(super) keys: K,
}

/// The curves of a document by name, without duplicates.
struct NamedCurves(HashMap<CurveId, CurveEntry<AnyKeys>>);

impl<'de> Deserialize<'de> for NamedCurves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NamedCurvesVisitor;

        impl<'de> Visitor<'de> for NamedCurvesVisitor {
            type Value = NamedCurves;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("curves by name")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<NamedCurves, A::Error> {
                let mut curves = HashMap::new();
                while let Some(name) = map.next_key::<Cow<'_, str>>()? {
                    let id: CurveId = name.parse().map_err(de::Error::custom)?;
                    if curves.insert(id, map.next_value()?).is_some() {
                        return Err(de::Error::custom(format_args!("duplicate curve {name}")));
                    }
                }
                Ok(NamedCurves(curves))
            }
        }

        deserializer.deserialize_map(NamedCurvesVisitor)
    }
}

impl Document {
    pub(super) fn into_recording(self) -> Result<Recording> {
        if self.holotape != DOCUMENT_VERSION {
            return Err(unknown_version(&self.holotape));
        }
        let layout = self.layout()?;
        let NamedCurves(mut curves) = self.curves;
        let mut recording = Recording::with_channels(self.channels);
        for (id, slot) in CurveId::all(self.channels).zip(recording.curves_mut()) {
            if let Some(entry) = curves.remove(&id) {
                fill(slot, id, entry)?;
            }
        }
        if let Some(id) = curves.keys().min() {
            return Err(invalid(format!("the curve {id} belongs to a missing channel")));
        }
        recording.format = Format { layout, marker_list: self.marker_list };
        recording.markers = Markers::from(self.markers);
        Ok(recording)
    }

    fn layout(&self) -> Result<Layout> {
        let version = Version::ALL.into_iter().find(|version| version.numbers() == self.version);
        let keys = KeyLayout::ALL.into_iter().find(|keys| keys.name() == self.key_layout);
        version.zip(keys).and_then(|(version, keys)| Layout::new(version, keys)).ok_or_else(|| {
            let [major, minor] = self.version;
            invalid(format!("unsupported version {major}.{minor} with {:?} keys", self.key_layout))
        })
    }
}

fn fill(slot: CurveMut<'_>, id: CurveId, entry: CurveEntry<AnyKeys>) -> Result<()> {
    let CurveEntry { pre_wrap, post_wrap, keys: AnyKeys(keys) } = entry;
    let (pre_wrap, post_wrap) = (WrapMode(pre_wrap), WrapMode(post_wrap));
    match (slot, keys) {
        (CurveMut::Float(curve), keys) => *curve = Curve { pre_wrap, post_wrap, keys },
        (CurveMut::Bool(curve), Keys::Linear(keys)) => *curve = BoolCurve { pre_wrap, post_wrap, keys },
        (CurveMut::Bool(_), Keys::Bezier(_)) => {
            return Err(invalid(format!("a key of {id} is not [time, value]: flags have no tangents")));
        }
    }
    Ok(())
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::Invalid, message)
}

pub(super) fn unknown_version(version: &impl fmt::Display) -> Error {
    let message =
        format!("unsupported version {version} of the holotape JSON document; {DOCUMENT_VERSION} is supported");
    Error::new(ErrorKind::UnsupportedVersion, message)
}
