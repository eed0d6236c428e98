//! Serializes and parses frames where serde cannot derive it.

use serde::{Serialize, Serializer};

use super::number::{ExactFloat, JsonFloat};

pub(crate) fn serialize_float<S: Serializer>(time: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    JsonFloat(*time).serialize(serializer)
}

/// For `serde(with)` on arrays of floats that may be non-finite.
pub(crate) mod floats {
    use serde::de::{Deserialize, Deserializer};

    use super::{ExactFloat, JsonFloat, Serialize, Serializer};

    pub(crate) fn serialize<const N: usize, S: Serializer>(values: &[f32; N], serializer: S) -> Result<S::Ok, S::Error>
    where
        [JsonFloat<f32>; N]: Serialize,
    {
        values.map(JsonFloat).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, const N: usize, D: Deserializer<'de>>(deserializer: D) -> Result<[f32; N], D::Error>
    where
        [ExactFloat; N]: Deserialize<'de>,
    {
        <[ExactFloat; N]>::deserialize(deserializer).map(|values| values.map(|ExactFloat(value)| value))
    }
}

/// For `serde(with)` on the joints of a hand, by name; missing ones are omitted.
pub(crate) mod joints {
    use std::borrow::Cow;
    use std::fmt;

    use serde::de::{self, Deserializer, MapAccess, Visitor};

    use super::Serializer;
    use crate::{Joint, Pose};

    type Joints = [Option<Pose>; Joint::COUNT];

    pub(crate) fn are_absent(joints: &Joints) -> bool {
        joints.iter().all(Option::is_none)
    }

    pub(crate) fn serialize<S: Serializer>(joints: &Joints, serializer: S) -> Result<S::Ok, S::Error> {
        let present = Joint::ALL.iter().zip(joints).filter_map(|(joint, pose)| Some((joint.name(), pose.as_ref()?)));
        serializer.collect_map(present)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Joints, D::Error> {
        struct JointsVisitor;

        impl<'de> Visitor<'de> for JointsVisitor {
            type Value = Joints;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("joints by name")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Joints, A::Error> {
                let mut joints = [None; Joint::COUNT];
                while let Some(name) = map.next_key::<Cow<'_, str>>()? {
                    let joint: Joint = name.parse().map_err(de::Error::custom)?;
                    if joints[joint.index()].replace(map.next_value()?).is_some() {
                        return Err(de::Error::custom(format_args!("duplicate joint {name}")));
                    }
                }
                Ok(joints)
            }
        }

        deserializer.deserialize_map(JointsVisitor)
    }
}
