//! Compares the sizes of structs in an embedded schema with those that messages are decoded with.

use super::flatbuffer::{Result, Table};
use super::message::{HAND_JOINTS_BYTES, JOINT_BYTES, POSE_BYTES, TIMESTAMP_BYTES};

const KNOWN: [(&str, usize); 4] = [
    ("core.Pose", POSE_BYTES),
    ("core.DeviceDataTimestamp", TIMESTAMP_BYTES),
    ("core.HandJointPose", JOINT_BYTES),
    ("core.HandJoints", HAND_JOINTS_BYTES),
];

/// Checks a binary schema. Structs have no vtable, so a message of another version of the schema cannot be recognized
/// by its bytes. An empty schema is accepted.
pub(super) fn check(schema: &[u8]) -> Result<()> {
    if schema.is_empty() {
        return Ok(());
    }
    for object in Table::root(schema)?.tables(0)? {
        let object = object?;
        let name = object.string(0)?;
        let Some((name, expected)) = KNOWN.into_iter().find(|(known, _)| known.as_bytes() == name) else { continue };
        let bytes = object.int32(4)?;
        if usize::try_from(bytes) != Ok(expected) {
            return Err(format!("struct {name} has {bytes} bytes; only logs with {expected} bytes can be read"));
        }
    }
    Ok(())
}
