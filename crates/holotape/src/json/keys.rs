//! The keys of a curve in the document.

use std::fmt;

use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use super::number::ExactFloat;
use crate::{BezierKey, CurveRef, Keys, LinearKey, WeightedMode};

/// The keys of a curve, serialized without a copy.
pub(super) struct KeysRef<'a>(pub(super) CurveRef<'a>);

impl Serialize for KeysRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let linear = |key: &LinearKey| [key.time, key.value].map(ExactFloat);
        match self.0 {
            CurveRef::Bool(curve) => serializer.collect_seq(curve.keys.iter().map(linear)),
            CurveRef::Float(curve) => match &curve.keys {
                Keys::Linear(keys) => serializer.collect_seq(keys.iter().map(linear)),
                Keys::Bezier(keys) => serializer.collect_seq(keys.iter().map(bezier_tuple)),
            },
        }
    }
}

fn bezier_tuple(key: &BezierKey) -> impl Serialize {
    let [a, b, c, d, e, f] =
        [key.time, key.value, key.in_tangent, key.out_tangent, key.in_weight, key.out_weight].map(ExactFloat);
    (a, b, c, d, e, f, key.weighted_mode.0)
}

/// The keys of a curve as parsed: all with or all without tangents, determined by the first.
pub(super) struct AnyKeys(pub(super) Keys);

impl<'de> Deserialize<'de> for AnyKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeysVisitor;

        impl<'de> Visitor<'de> for KeysVisitor {
            type Value = AnyKeys;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of keys")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<AnyKeys, A::Error> {
                let mut keys = match seq.next_element()? {
                    None => return Ok(AnyKeys(Keys::Linear(Vec::new()))),
                    Some(AnyKey::Linear(key)) => Keys::Linear(vec![key]),
                    Some(AnyKey::Bezier(key)) => Keys::Bezier(vec![key]),
                };
                while let Some(key) = seq.next_element()? {
                    match (&mut keys, key) {
                        (Keys::Linear(keys), AnyKey::Linear(key)) => keys.push(key),
                        (Keys::Bezier(keys), AnyKey::Bezier(key)) => keys.push(key),
                        _ => return Err(de::Error::custom("a curve mixes keys with and without tangents")),
                    }
                }
                Ok(AnyKeys(keys))
            }
        }

        deserializer.deserialize_seq(KeysVisitor)
    }
}

enum AnyKey {
    Linear(LinearKey),
    Bezier(BezierKey),
}

impl<'de> Deserialize<'de> for AnyKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;

        impl KeyVisitor {
            fn float<'de, A: SeqAccess<'de>>(&self, seq: &mut A, index: usize) -> Result<f32, A::Error> {
                let float = seq.next_element()?.ok_or_else(|| de::Error::invalid_length(index, self))?;
                let ExactFloat(value) = float;
                Ok(value)
            }
        }

        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = AnyKey;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key: [time, value], or seven numbers of which the last is the weighted mode")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<AnyKey, A::Error> {
                let (time, value) = (self.float(&mut seq, 0)?, self.float(&mut seq, 1)?);
                let Some(ExactFloat(in_tangent)) = seq.next_element()? else {
                    return Ok(AnyKey::Linear(LinearKey { time, value }));
                };
                let out_tangent = self.float(&mut seq, 3)?;
                let (in_weight, out_weight) = (self.float(&mut seq, 4)?, self.float(&mut seq, 5)?);
                let mode = seq.next_element()?.ok_or_else(|| de::Error::invalid_length(6, &self))?;
                let weighted_mode = WeightedMode(mode);
                if seq.next_element::<de::IgnoredAny>()?.is_some() {
                    return Err(de::Error::invalid_length(8, &self));
                }
                Ok(AnyKey::Bezier(BezierKey {
                    time,
                    value,
                    in_tangent,
                    out_tangent,
                    in_weight,
                    out_weight,
                    weighted_mode,
                }))
            }
        }

        deserializer.deserialize_seq(KeyVisitor)
    }
}
