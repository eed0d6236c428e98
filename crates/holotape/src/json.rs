//! A recording as a JSON document that loses nothing: every float comes back to the bit.
//!
//! ```json
//! {
//!   "holotape": 1, "version": [1, 1], "keys": "compact", "marker_list": true,
//!   "channels": {"camera": true, "hands": true, "gaze": false},
//!   "markers": [{"time": 0.5, "name": "start"}],
//!   "curves": {"camera.position.x": {"pre_wrap": 8, "post_wrap": 8, "keys": [[0, 1.5], [0.25, 1.625]]}}
//! }
//! ```
//!
//! A key is `[time, value]`, or with tangents `[time, value, in tangent, out tangent, in weight, out weight, weighted
//! mode]`. Curves that are left out have no keys and clamp on both sides. Numbers are the shortest decimals that mean
//! that 32-bit float and no other; `"NaN"`, `"Infinity"` and `"-Infinity"` are strings, and so are the bits of a NaN
//! with a payload: `"0x7fc00001"`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::io::{Read, Write};

use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind, Result};
use crate::format::{Channels, Format, KeyLayout, Layout, ReadOptions, Version};
use crate::recording::{CurveMut, CurveRef};
use crate::{
    BezierKey, BoolCurve, Curve, CurveId, Keys, LinearKey, Marker, Markers, Recording, WeightedMode, WrapMode,
};

/// The version of the document itself.
const DOCUMENT_VERSION: u32 = 1;

impl Recording {
    /// Writes the recording as a JSON document that [`from_json_slice`](Self::from_json_slice) restores to the bit.
    ///
    /// ```
    /// use holotape::Recording;
    ///
    /// let take = holotape::demo::DemoOptions::new().with_seconds(0.5).record()?;
    /// let mut json = Vec::new();
    /// take.write_json_to(&mut json)?;
    /// assert_eq!(Recording::from_json_slice(&json)?, take);
    /// # Ok::<(), holotape::Error>(())
    /// ```
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_json_to(&self, mut writer: impl Write) -> Result<()> {
        serde_json::to_writer(&mut writer, &Document::of(self)).map_err(std::io::Error::from)?;
        writer.write_all(b"\n")?;
        Ok(writer.flush()?)
    }

    /// Reads a JSON document to the end of a reader, within the limit of [`ReadOptions`].
    ///
    /// # Errors
    /// If reading fails, or the text is not such a document.
    pub fn from_json_reader(reader: impl Read) -> Result<Self> {
        let mut json = Vec::new();
        reader.take(ReadOptions::DEFAULT_MAX_BYTES + 1).read_to_end(&mut json)?;
        if json.len() as u64 > ReadOptions::DEFAULT_MAX_BYTES {
            return Err(Error::new(ErrorKind::LimitExceeded, "the JSON document is larger than 4 GiB"));
        }
        Self::from_json_slice(&json)
    }

    /// Reads a JSON document that [`write_json_to`](Self::write_json_to) wrote, or a person.
    ///
    /// # Errors
    /// If the text is not JSON, or not such a document; the error says in which line and column.
    pub fn from_json_slice(json: &[u8]) -> Result<Self> {
        let document: Document<NamedCurves> = serde_json::from_slice(json).map_err(|error| {
            let kind = if error.is_eof() { ErrorKind::Truncated } else { ErrorKind::Invalid };
            Error::new(kind, format!("not a holotape JSON document: {error}"))
        })?;
        document.into_recording()
    }
}

/// The one float, but for its sign, whose shortest decimal is nearer to its neighbour once it has been rounded to 64
/// bits. All others were tried.
const ROUNDED_TWICE: f32 = f32::from_bits(0x15ae_43fd);

/// A float, exact to the bit.
#[derive(Clone, Copy)]
pub(crate) struct Exact(pub(crate) f32);

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(value) = *self;
        if value.abs() == ROUNDED_TWICE {
            serializer.serialize_f64(value.into())
        } else if value.is_finite() {
            serializer.serialize_f32(value)
        } else if value.to_bits() == f32::NAN.to_bits() {
            serializer.serialize_str("NaN")
        } else if value.is_nan() {
            serializer.collect_str(&format_args!("0x{:08x}", value.to_bits()))
        } else {
            serializer.serialize_str(if value > 0.0 { "Infinity" } else { "-Infinity" })
        }
    }
}

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ExactVisitor;

        impl Visitor<'_> for ExactVisitor {
            type Value = Exact;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, \"NaN\", \"Infinity\", \"-Infinity\" or the bits of a float like \"0x7fc00001\"")
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Exact, E> {
                let nearest = value as f32;
                if nearest.is_infinite() {
                    return Err(E::custom(format_args!("{value:e} is too large for a 32-bit float")));
                }
                Ok(Exact(nearest))
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Exact, E> {
                Ok(Exact(value as f32))
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Exact, E> {
                Ok(Exact(value as f32))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Exact, E> {
                let value = match text {
                    "NaN" => Some(f32::NAN),
                    "Infinity" => Some(f32::INFINITY),
                    "-Infinity" => Some(f32::NEG_INFINITY),
                    bits => bits
                        .strip_prefix("0x")
                        .filter(|digits| digits.len() == 8)
                        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
                        .map(f32::from_bits),
                };
                value.map(Exact).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_any(ExactVisitor)
    }
}

/// For `serde(with)` on fields that are plain floats.
pub(crate) mod exact {
    use super::{Deserialize, Deserializer, Exact, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(value: &f32, serializer: S) -> Result<S::Ok, S::Error> {
        Exact(*value).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
        Exact::deserialize(deserializer).map(|Exact(value)| value)
    }
}

/// The document around the curves, which are given and taken as `C`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<C> {
    holotape: u32,
    version: [i32; 2],
    keys: Cow<'static, str>,
    marker_list: bool,
    channels: Channels,
    #[serde(default)]
    markers: Vec<Marker>,
    curves: C,
}

/// One curve of the document, of either sort.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CurveEntry<K> {
    pre_wrap: i32,
    post_wrap: i32,
    keys: K,
}

impl<'a> Document<Curves<'a>> {
    fn of(recording: &'a Recording) -> Self {
        let Format { layout, marker_list } = recording.format;
        Self {
            holotape: DOCUMENT_VERSION,
            version: layout.version().numbers(),
            keys: Cow::Borrowed(layout.keys().name()),
            marker_list,
            channels: recording.channels(),
            markers: recording.markers.to_vec(),
            curves: Curves(recording),
        }
    }
}

/// All curves of a recording, written by name without a copy.
struct Curves<'a>(&'a Recording);

impl Serialize for Curves<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (id, curve) in self.0.curves() {
            let (pre_wrap, post_wrap) = curve.wrap_modes();
            if curve.key_count() == 0 && [pre_wrap, post_wrap] == [WrapMode::CLAMP_FOREVER; 2] {
                continue;
            }
            let (pre_wrap, post_wrap) = (pre_wrap.0, post_wrap.0);
            let keys = KeysOf(curve);
            map.serialize_entry(&id.to_string(), &CurveEntry { pre_wrap, post_wrap, keys })?;
        }
        map.end()
    }
}

struct KeysOf<'a>(CurveRef<'a>);

impl Serialize for KeysOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let linear = |key: &LinearKey| [key.time, key.value].map(Exact);
        match self.0 {
            CurveRef::Bool(curve) => serializer.collect_seq(curve.keys.iter().map(linear)),
            CurveRef::Float(curve) => match &curve.keys {
                Keys::Linear(keys) => serializer.collect_seq(keys.iter().map(linear)),
                Keys::Bezier(keys) => serializer.collect_seq(keys.iter().map(bezier_tuple)),
            },
        }
    }
}

type BezierTuple = (Exact, Exact, Exact, Exact, Exact, Exact, i32);

fn bezier_tuple(key: &BezierKey) -> BezierTuple {
    (
        Exact(key.time),
        Exact(key.value),
        Exact(key.in_tangent),
        Exact(key.out_tangent),
        Exact(key.in_weight),
        Exact(key.out_weight),
        key.weighted_mode.0,
    )
}

/// A key as it stands in the text.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a key is [time, value] or has seven numbers, the last a whole one")]
enum AnyKey {
    Linear([Exact; 2]),
    Bezier(BezierTuple),
}

impl AnyKey {
    fn linear(&self) -> Option<LinearKey> {
        match self {
            &Self::Linear([Exact(time), Exact(value)]) => Some(LinearKey { time, value }),
            Self::Bezier(_) => None,
        }
    }

    fn bezier(&self) -> Option<BezierKey> {
        match self {
            Self::Linear(_) => None,
            &Self::Bezier((time, value, in_tangent, out_tangent, in_weight, out_weight, mode)) => Some(BezierKey {
                time: time.0,
                value: value.0,
                in_tangent: in_tangent.0,
                out_tangent: out_tangent.0,
                in_weight: in_weight.0,
                out_weight: out_weight.0,
                weighted_mode: WeightedMode(mode),
            }),
        }
    }
}

/// The curves of a document by name, each name once.
struct NamedCurves(HashMap<CurveId, CurveEntry<Vec<AnyKey>>>);

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
                        return Err(de::Error::custom(format_args!("the curve {name} is there twice")));
                    }
                }
                Ok(NamedCurves(curves))
            }
        }

        deserializer.deserialize_map(NamedCurvesVisitor)
    }
}

impl Document<NamedCurves> {
    fn into_recording(self) -> Result<Recording> {
        if self.holotape != DOCUMENT_VERSION {
            let message =
                format!("a holotape JSON document of version {}; only {DOCUMENT_VERSION} is known", self.holotape);
            return Err(Error::new(ErrorKind::UnsupportedVersion, message));
        }
        let layout = self.layout()?;
        let NamedCurves(mut curves) = self.curves;
        let mut recording = Recording::with_channels(self.channels);
        for (id, slot) in CurveId::all(self.channels).zip(recording.curves_mut()) {
            let keys = Vec::new();
            let clamp = WrapMode::CLAMP_FOREVER.0;
            let absent = || CurveEntry { pre_wrap: clamp, post_wrap: clamp, keys };
            fill(slot, id, curves.remove(&id).unwrap_or_else(absent), layout.keys())?;
        }
        if let Some(id) = curves.keys().min() {
            return Err(invalid(format!("the curve {id} belongs to a channel that is not there")));
        }
        recording.format = Format { layout, marker_list: self.marker_list };
        recording.markers = Markers::from(self.markers);
        Ok(recording)
    }

    fn layout(&self) -> Result<Layout> {
        let version = Version::ALL.into_iter().find(|version| version.numbers() == self.version);
        let keys = [KeyLayout::Full, KeyLayout::Compact].into_iter().find(|keys| keys.name() == self.keys);
        version.zip(keys).and_then(|(version, keys)| Layout::new(version, keys)).ok_or_else(|| {
            let [major, minor] = self.version;
            invalid(format!("there is no version {major}.{minor} with {:?} keys", self.keys))
        })
    }
}

fn fill(slot: CurveMut<'_>, id: CurveId, entry: CurveEntry<Vec<AnyKey>>, layout: KeyLayout) -> Result<()> {
    let (pre_wrap, post_wrap) = (WrapMode(entry.pre_wrap), WrapMode(entry.post_wrap));
    let linear = || entry.keys.iter().map(AnyKey::linear).collect::<Option<_>>();
    let bezier = || entry.keys.iter().map(AnyKey::bezier).collect::<Option<_>>();
    match slot {
        CurveMut::Bool(curve) => {
            let keys = linear().ok_or_else(|| invalid(format!("a key of {id} is not [time, value]")))?;
            *curve = BoolCurve { pre_wrap, post_wrap, keys };
        }
        CurveMut::Float(curve) => {
            let keys = match layout {
                // An empty curve is of either sort: it takes that of its file.
                KeyLayout::Full => bezier().map(Keys::Bezier).or_else(|| linear().map(Keys::Linear)),
                KeyLayout::Compact => linear().map(Keys::Linear).or_else(|| bezier().map(Keys::Bezier)),
            };
            let keys = keys.ok_or_else(|| invalid(format!("{id} mixes keys with and without tangents")))?;
            *curve = Curve { pre_wrap, post_wrap, keys };
        }
    }
    Ok(())
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::Invalid, message)
}
