//! The messages of a log and their schemas.

pub(super) use generated::*;

/// The generated types, as public items of a private module. Tests use all of them.
#[allow(unreachable_pub, missing_docs, dead_code, clippy::all)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/foxglove.rs"));
}

/// The schema of all protobuf messages: a `FileDescriptorSet`, as MCAP requires.
pub(super) const DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/foxglove.desc"));

/// The JSON schema of `/left/state` and `/right/state`.
pub(super) const HAND_STATE_SCHEMA: &str = r#"{
  "title": "holotape.HandState",
  "type": "object",
  "properties": {
    "time": {"type": "number", "description": "seconds from the start of the recording"},
    "tracked": {"type": "boolean", "description": "whether the hand was tracked"},
    "pinching": {"type": "boolean", "description": "whether thumb and index finger were pinched together"}
  },
  "required": ["time", "tracked", "pinching"]
}"#;

impl From<[f32; 3]> for Vector3 {
    fn from(vector: [f32; 3]) -> Self {
        let [x, y, z] = vector.map(f64::from);
        Self { x, y, z }
    }
}

impl From<[f32; 3]> for Point3 {
    fn from(point: [f32; 3]) -> Self {
        let [x, y, z] = point.map(f64::from);
        Self { x, y, z }
    }
}

impl From<[f32; 4]> for Quaternion {
    fn from(quaternion: [f32; 4]) -> Self {
        let [x, y, z, w] = quaternion.map(f64::from);
        Self { x, y, z, w }
    }
}

impl From<holotape::Pose> for Pose {
    fn from(pose: holotape::Pose) -> Self {
        Self { position: Some(pose.position.into()), orientation: Some(pose.rotation.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_state_schema_is_json() {
        let schema: serde_json::Value = serde_json::from_str(HAND_STATE_SCHEMA).unwrap();
        assert_eq!(schema["type"], "object");
    }
}
