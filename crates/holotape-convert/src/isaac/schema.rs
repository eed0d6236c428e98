//! The FlatBuffers schemas of the messages, as binary schemas (`.bfbs`), which an Isaac Teleop log embeds.
//!
//! Isaac Teleop compares the embedded schema with its own byte by byte, and prints a warning if they differ. So these
//! have all declarations of its source files, and [`binary_schema`](super::binary_schema) builds the same bytes.

use super::{HAND_SCHEMA, HEAD_SCHEMA};

/// The type of a field. Names are those of objects.
#[derive(Clone, Copy)]
pub(super) enum FieldType {
    Bool,
    Int64,
    Float32,
    Object(&'static str),
    Array(&'static str, u16),
}

/// A struct or a table.
pub(super) struct Object {
    pub(super) name: &'static str,
    pub(super) file: &'static str,
    pub(super) is_struct: bool,
    pub(super) fields: &'static [(&'static str, FieldType)],
}

/// An enumeration of bytes.
pub(super) struct Enumeration {
    pub(super) name: &'static str,
    pub(super) file: &'static str,
    pub(super) values: &'static [&'static str],
}

/// A source file, and the files that it includes.
pub(super) type SourceFile = (&'static str, &'static [&'static str]);

pub(super) struct Schema {
    /// In the order of their declaration.
    pub(super) objects: &'static [Object],
    pub(super) enumerations: &'static [Enumeration],
    pub(super) files: &'static [SourceFile],
    pub(super) root: &'static str,
    /// The features that readers must support: 1 for arrays.
    pub(super) advanced_features: u64,
}

const POINT: Object = Object {
    name: "core.Point",
    file: "//point.fbs",
    is_struct: true,
    fields: &[("x", FieldType::Float32), ("y", FieldType::Float32), ("z", FieldType::Float32)],
};

const QUATERNION: Object = Object {
    name: "core.Quaternion",
    file: "//quaternion.fbs",
    is_struct: true,
    fields: &[
        ("x", FieldType::Float32),
        ("y", FieldType::Float32),
        ("z", FieldType::Float32),
        ("w", FieldType::Float32),
    ],
};

const POSE: Object = Object {
    name: "core.Pose",
    file: "//pose.fbs",
    is_struct: true,
    fields: &[("position", FieldType::Object("core.Point")), ("orientation", FieldType::Object("core.Quaternion"))],
};

const TIMESTAMP: Object = Object {
    name: "core.DeviceDataTimestamp",
    file: "//timestamp.fbs",
    is_struct: true,
    fields: &[
        ("available_time_local_common_clock", FieldType::Int64),
        ("sample_time_local_common_clock", FieldType::Int64),
        ("sample_time_raw_device_clock", FieldType::Int64),
    ],
};

const HAND: Schema = Schema {
    objects: &[
        POINT,
        QUATERNION,
        POSE,
        TIMESTAMP,
        Object {
            name: "core.HandJointPose",
            file: "//hand.fbs",
            is_struct: true,
            fields: &[
                ("pose", FieldType::Object("core.Pose")),
                ("is_valid", FieldType::Bool),
                ("radius", FieldType::Float32),
            ],
        },
        Object {
            name: "core.HandJoints",
            file: "//hand.fbs",
            is_struct: true,
            fields: &[("poses", FieldType::Array("core.HandJointPose", 26))],
        },
        Object {
            name: "core.HandPose",
            file: "//hand.fbs",
            is_struct: false,
            fields: &[("joints", FieldType::Object("core.HandJoints"))],
        },
        Object {
            name: HAND_SCHEMA,
            file: "//hand.fbs",
            is_struct: false,
            fields: &[
                ("data", FieldType::Object("core.HandPose")),
                ("timestamp", FieldType::Object("core.DeviceDataTimestamp")),
            ],
        },
    ],
    enumerations: &[Enumeration {
        name: "core.HandJoint",
        file: "//hand.fbs",
        values: &[
            "PALM",
            "WRIST",
            "THUMB_METACARPAL",
            "THUMB_PROXIMAL",
            "THUMB_DISTAL",
            "THUMB_TIP",
            "INDEX_METACARPAL",
            "INDEX_PROXIMAL",
            "INDEX_INTERMEDIATE",
            "INDEX_DISTAL",
            "INDEX_TIP",
            "MIDDLE_METACARPAL",
            "MIDDLE_PROXIMAL",
            "MIDDLE_INTERMEDIATE",
            "MIDDLE_DISTAL",
            "MIDDLE_TIP",
            "RING_METACARPAL",
            "RING_PROXIMAL",
            "RING_INTERMEDIATE",
            "RING_DISTAL",
            "RING_TIP",
            "LITTLE_METACARPAL",
            "LITTLE_PROXIMAL",
            "LITTLE_INTERMEDIATE",
            "LITTLE_DISTAL",
            "LITTLE_TIP",
            "NUM_JOINTS",
        ],
    }],
    files: &[
        ("//hand.fbs", &["//pose.fbs", "//timestamp.fbs"]),
        ("//point.fbs", &[]),
        ("//pose.fbs", &["//point.fbs", "//quaternion.fbs"]),
        ("//quaternion.fbs", &[]),
        ("//timestamp.fbs", &[]),
    ],
    root: HAND_SCHEMA,
    advanced_features: 1,
};

const HEAD: Schema = Schema {
    objects: &[
        POINT,
        QUATERNION,
        POSE,
        TIMESTAMP,
        Object {
            name: "core.HeadPose",
            file: "//head.fbs",
            is_struct: false,
            fields: &[
                ("pose", FieldType::Object("core.Pose")),
                ("is_valid", FieldType::Bool),
                ("is_tracked", FieldType::Bool),
            ],
        },
        Object {
            name: HEAD_SCHEMA,
            file: "//head.fbs",
            is_struct: false,
            fields: &[
                ("data", FieldType::Object("core.HeadPose")),
                ("timestamp", FieldType::Object("core.DeviceDataTimestamp")),
            ],
        },
    ],
    enumerations: &[],
    files: &[
        ("//head.fbs", &["//pose.fbs", "//timestamp.fbs"]),
        ("//point.fbs", &[]),
        ("//pose.fbs", &["//point.fbs", "//quaternion.fbs"]),
        ("//quaternion.fbs", &[]),
        ("//timestamp.fbs", &[]),
    ],
    root: HEAD_SCHEMA,
    advanced_features: 0,
};

/// The binary schema of `core.HandPoseRecord`.
pub(super) fn hand() -> Vec<u8> {
    HAND.to_bytes()
}

/// The binary schema of `core.HeadPoseRecord`.
pub(super) fn head() -> Vec<u8> {
    HEAD.to_bytes()
}
