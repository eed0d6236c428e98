//! Floats in JSON, which has no NaN and no infinities.

use std::fmt;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// A float for people and programs to read, not to restore: non-finite values are written as names.
///
/// ```
/// use holotape::json::JsonFloat;
///
/// let numbers = [JsonFloat(0.1_f32), JsonFloat(-f32::NAN), JsonFloat(f32::INFINITY)];
/// assert_eq!(serde_json::to_string(&numbers).unwrap(), r#"[0.1,"NaN","Infinity"]"#);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JsonFloat<T>(pub T);

impl Serialize for JsonFloat<f32> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match non_finite_name(self.0.into()) {
            Some(name) => serializer.serialize_str(name),
            None => serializer.serialize_f32(self.0),
        }
    }
}

impl Serialize for JsonFloat<f64> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match non_finite_name(self.0) {
            Some(name) => serializer.serialize_str(name),
            None => serializer.serialize_f64(self.0),
        }
    }
}

fn non_finite_name(value: f64) -> Option<&'static str> {
    match value {
        value if value.is_finite() => None,
        value if value.is_nan() => Some("NaN"),
        value if value > 0.0 => Some("Infinity"),
        _ => Some("-Infinity"),
    }
}

/// The only float, apart from its sign, whose shortest decimal rounds to its neighbour when it is rounded to 64 bits
/// first. Found by testing all of them.
const DOUBLE_ROUNDED: f32 = f32::from_bits(0x15ae_43fd);

/// A float that is restored exactly, including NaN payloads and infinities.
///
/// ```
/// use holotape::json::ExactFloat;
///
/// let text = serde_json::to_string(&[ExactFloat(0.1), ExactFloat(f32::NAN)]).unwrap();
/// assert_eq!(text, r#"[0.1,"NaN"]"#);
/// let [tenth, nan]: [ExactFloat; 2] = serde_json::from_str(&text).unwrap();
/// assert_eq!(tenth.0.to_bits(), 0.1_f32.to_bits());
/// assert!(nan.0.is_nan());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ExactFloat(pub f32);

impl Serialize for ExactFloat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(value) = *self;
        if value.abs() == DOUBLE_ROUNDED {
            serializer.serialize_f64(value.into())
        } else if value.is_nan() && value.to_bits() != f32::NAN.to_bits() {
            serializer.collect_str(&format_args!("0x{:08x}", value.to_bits()))
        } else {
            JsonFloat(value).serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for ExactFloat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ExactVisitor;

        impl Visitor<'_> for ExactVisitor {
            type Value = ExactFloat;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, \"NaN\", \"Infinity\", \"-Infinity\" or the bits of a float like \"0x7fc00001\"")
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<ExactFloat, E> {
                let nearest = value as f32;
                if nearest.is_infinite() {
                    return Err(E::custom(format_args!("{value:e} is too large for a 32-bit float")));
                }
                Ok(ExactFloat(nearest))
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<ExactFloat, E> {
                Ok(ExactFloat(value as f32))
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<ExactFloat, E> {
                Ok(ExactFloat(value as f32))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<ExactFloat, E> {
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
                value.map(ExactFloat).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_any(ExactVisitor)
    }
}

/// For `serde(with)` on fields that are plain floats.
pub(crate) mod exact {
    use super::{Deserialize, Deserializer, ExactFloat, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(value: &f32, serializer: S) -> Result<S::Ok, S::Error> {
        ExactFloat(*value).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f32, D::Error> {
        ExactFloat::deserialize(deserializer).map(|ExactFloat(value)| value)
    }
}
