//! What readers are told of the messages: a descriptor set for each, made of one table, and a JSON schema.
//!
//! The table has what [`message`](super::message) has. Fields of Foxglove's messages that are never sent are in neither.

use prost::Message as _;
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{
    DescriptorProto, EnumDescriptorProto, EnumValueDescriptorProto, FieldDescriptorProto, FileDescriptorProto,
    FileDescriptorSet,
};

/// The schema of `/left/state` and `/right/state`.
pub(super) const HAND_STATE: &str = r#"{
  "title": "holotape.HandState",
  "type": "object",
  "properties": {
    "time": {"type": "number", "description": "seconds from the start of the recording"},
    "tracked": {"type": "boolean", "description": "whether the device saw the hand"},
    "pinching": {"type": "boolean", "description": "whether thumb and index finger were pinched together"}
  },
  "required": ["time", "tracked", "pinching"]
}"#;

/// One message: each is in a file of its own, as its authors have it.
struct MessageRow {
    name: &'static str,
    file: &'static str,
    fields: &'static [FieldRow],
    choices: Option<Choices>,
}

/// The enumeration that a message has inside.
struct Choices {
    name: &'static str,
    values: &'static [(&'static str, i32)],
}

struct FieldRow(&'static str, i32, Kind);

enum Kind {
    Double,
    Int32,
    Int64,
    Text,
    Fixed32s,
    /// The enumeration of the same message.
    Choice,
    One(&'static str),
    Many(&'static str),
}

use Kind::{Choice, Double, Fixed32s, Int32, Int64, Many, One, Text};

const TIMESTAMP: FieldRow = FieldRow("timestamp", 1, One("google.protobuf.Timestamp"));

/// Every message, those before it that it is made of.
const MESSAGES: [MessageRow; 15] = [
    MessageRow {
        name: "google.protobuf.Timestamp",
        file: "google/protobuf/timestamp.proto",
        fields: &[FieldRow("seconds", 1, Int64), FieldRow("nanos", 2, Int32)],
        choices: None,
    },
    MessageRow {
        name: "foxglove.Vector3",
        file: "foxglove/Vector3.proto",
        fields: &[FieldRow("x", 1, Double), FieldRow("y", 2, Double), FieldRow("z", 3, Double)],
        choices: None,
    },
    MessageRow {
        name: "foxglove.Point3",
        file: "foxglove/Point3.proto",
        fields: &[FieldRow("x", 1, Double), FieldRow("y", 2, Double), FieldRow("z", 3, Double)],
        choices: None,
    },
    MessageRow {
        name: "foxglove.Quaternion",
        file: "foxglove/Quaternion.proto",
        fields: &[
            FieldRow("x", 1, Double),
            FieldRow("y", 2, Double),
            FieldRow("z", 3, Double),
            FieldRow("w", 4, Double),
        ],
        choices: None,
    },
    MessageRow {
        name: "foxglove.Color",
        file: "foxglove/Color.proto",
        fields: &[
            FieldRow("r", 1, Double),
            FieldRow("g", 2, Double),
            FieldRow("b", 3, Double),
            FieldRow("a", 4, Double),
        ],
        choices: None,
    },
    MessageRow {
        name: "foxglove.Pose",
        file: "foxglove/Pose.proto",
        fields: &[
            FieldRow("position", 1, One("foxglove.Vector3")),
            FieldRow("orientation", 2, One("foxglove.Quaternion")),
        ],
        choices: None,
    },
    MessageRow {
        name: "foxglove.PoseInFrame",
        file: "foxglove/PoseInFrame.proto",
        fields: &[TIMESTAMP, FieldRow("frame_id", 2, Text), FieldRow("pose", 3, One("foxglove.Pose"))],
        choices: None,
    },
    MessageRow {
        name: "foxglove.PosesInFrame",
        file: "foxglove/PosesInFrame.proto",
        fields: &[TIMESTAMP, FieldRow("frame_id", 2, Text), FieldRow("poses", 3, Many("foxglove.Pose"))],
        choices: None,
    },
    MessageRow {
        name: "foxglove.FrameTransform",
        file: "foxglove/FrameTransform.proto",
        fields: &[
            TIMESTAMP,
            FieldRow("parent_frame_id", 2, Text),
            FieldRow("child_frame_id", 3, Text),
            FieldRow("translation", 4, One("foxglove.Vector3")),
            FieldRow("rotation", 5, One("foxglove.Quaternion")),
        ],
        choices: None,
    },
    MessageRow {
        name: "foxglove.FrameTransforms",
        file: "foxglove/FrameTransforms.proto",
        fields: &[FieldRow("transforms", 1, Many("foxglove.FrameTransform"))],
        choices: None,
    },
    MessageRow {
        name: "foxglove.Log",
        file: "foxglove/Log.proto",
        fields: &[TIMESTAMP, FieldRow("level", 2, Choice), FieldRow("message", 3, Text), FieldRow("name", 4, Text)],
        choices: Some(Choices {
            name: "Level",
            values: &[("UNKNOWN", 0), ("DEBUG", 1), ("INFO", 2), ("WARNING", 3), ("ERROR", 4), ("FATAL", 5)],
        }),
    },
    MessageRow {
        name: "foxglove.LinePrimitive",
        file: "foxglove/LinePrimitive.proto",
        fields: &[
            FieldRow("type", 1, Choice),
            FieldRow("pose", 2, One("foxglove.Pose")),
            FieldRow("thickness", 3, Double),
            FieldRow("points", 5, Many("foxglove.Point3")),
            FieldRow("color", 6, One("foxglove.Color")),
            FieldRow("indices", 8, Fixed32s),
        ],
        choices: Some(Choices { name: "Type", values: &[("LINE_STRIP", 0), ("LINE_LOOP", 1), ("LINE_LIST", 2)] }),
    },
    MessageRow {
        name: "foxglove.SceneEntity",
        file: "foxglove/SceneEntity.proto",
        fields: &[
            TIMESTAMP,
            FieldRow("frame_id", 2, Text),
            FieldRow("id", 3, Text),
            FieldRow("lines", 11, Many("foxglove.LinePrimitive")),
        ],
        choices: None,
    },
    MessageRow {
        name: "foxglove.SceneEntityDeletion",
        file: "foxglove/SceneEntityDeletion.proto",
        fields: &[TIMESTAMP, FieldRow("type", 2, Choice), FieldRow("id", 3, Text)],
        choices: Some(Choices { name: "Type", values: &[("MATCHING_ID", 0), ("ALL", 1)] }),
    },
    MessageRow {
        name: "foxglove.SceneUpdate",
        file: "foxglove/SceneUpdate.proto",
        fields: &[
            FieldRow("deletions", 1, Many("foxglove.SceneEntityDeletion")),
            FieldRow("entities", 2, Many("foxglove.SceneEntity")),
        ],
        choices: None,
    },
];

/// The descriptor set of a message and of all that it is made of, as MCAP wants it.
pub(super) fn descriptor_set(name: &str) -> Vec<u8> {
    let mut needed = vec![name];
    // Parts are before what is made of them, so one way back finds all.
    for row in MESSAGES.iter().rev() {
        if needed.contains(&row.name) {
            needed.extend(row.parts());
        }
    }
    let file = MESSAGES.iter().filter(|row| needed.contains(&row.name)).map(MessageRow::file).collect();
    FileDescriptorSet { file }.encode_to_vec()
}

impl MessageRow {
    fn parts(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().filter_map(|FieldRow(_, _, kind)| match kind {
            One(name) | Many(name) => Some(*name),
            _ => None,
        })
    }

    fn file(&self) -> FileDescriptorProto {
        let (package, _) = self.name.rsplit_once('.').unwrap_or_default();
        let is_part = |row: &&Self| self.parts().any(|part| part == row.name);
        FileDescriptorProto {
            name: Some(self.file.to_owned()),
            package: Some(package.to_owned()),
            dependency: MESSAGES.iter().filter(is_part).map(|row| row.file.to_owned()).collect(),
            message_type: vec![self.descriptor()],
            syntax: Some("proto3".to_owned()),
            ..FileDescriptorProto::default()
        }
    }

    fn descriptor(&self) -> DescriptorProto {
        let (_, name) = self.name.rsplit_once('.').unwrap_or_default();
        DescriptorProto {
            name: Some(name.to_owned()),
            field: self.fields.iter().map(|field| self.field(field)).collect(),
            enum_type: self.choices.iter().map(Choices::descriptor).collect(),
            ..DescriptorProto::default()
        }
    }

    fn field(&self, FieldRow(name, number, kind): &FieldRow) -> FieldDescriptorProto {
        let choices = self.choices.as_ref().map(|choices| format!(".{}.{}", self.name, choices.name));
        let (label, r#type, type_name) = match kind {
            Double => (Label::Optional, Type::Double, None),
            Int32 => (Label::Optional, Type::Int32, None),
            Int64 => (Label::Optional, Type::Int64, None),
            Text => (Label::Optional, Type::String, None),
            Fixed32s => (Label::Repeated, Type::Fixed32, None),
            Choice => (Label::Optional, Type::Enum, choices),
            One(name) => (Label::Optional, Type::Message, Some(format!(".{name}"))),
            Many(name) => (Label::Repeated, Type::Message, Some(format!(".{name}"))),
        };
        FieldDescriptorProto {
            name: Some((*name).to_owned()),
            number: Some(*number),
            label: Some(label as i32),
            r#type: Some(r#type as i32),
            type_name,
            ..FieldDescriptorProto::default()
        }
    }
}

impl Choices {
    fn descriptor(&self) -> EnumDescriptorProto {
        let value = |(name, number): &(&str, i32)| EnumValueDescriptorProto {
            name: Some((*name).to_owned()),
            number: Some(*number),
            ..EnumValueDescriptorProto::default()
        };
        EnumDescriptorProto {
            name: Some(self.name.to_owned()),
            value: self.values.iter().map(value).collect(),
            ..EnumDescriptorProto::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use prost::encoding::{DecodeContext, WireType, decode_key, skip_field};
    use prost_types::Timestamp;

    use super::super::message::*;
    use super::*;

    /// One of each message, with something in every field.
    fn full_messages() -> [(&'static str, Vec<u8>); 15] {
        let time = Timestamp { seconds: 1, nanos: 2 };
        let timestamp = Some(time);
        let id = || "id".to_owned();
        let vector = Vector3 { x: 1.0, y: 2.0, z: 3.0 };
        let point = Point3 { x: 1.0, y: 2.0, z: 3.0 };
        let quaternion = Quaternion { x: 1.0, y: 2.0, z: 3.0, w: 4.0 };
        let color = Color { r: 1.0, g: 2.0, b: 3.0, a: 4.0 };
        let pose = Pose { position: Some(vector), orientation: Some(quaternion) };
        let transform = FrameTransform {
            timestamp,
            parent_frame_id: id(),
            child_frame_id: id(),
            translation: Some(vector),
            rotation: Some(quaternion),
        };
        let line = LinePrimitive {
            r#type: LineType::LineList as i32,
            pose: Some(pose),
            thickness: 1.0,
            points: vec![point],
            color: Some(color),
            indices: vec![1],
        };
        let entity = SceneEntity { timestamp, frame_id: id(), id: id(), lines: vec![line.clone()] };
        let deletion = SceneEntityDeletion { timestamp, r#type: 1, id: id() };
        let log = Log { timestamp, level: LogLevel::Info as i32, message: id(), name: id() };
        let update = SceneUpdate { deletions: vec![deletion.clone()], entities: vec![entity.clone()] };
        [
            ("google.protobuf.Timestamp", time.encode_to_vec()),
            ("foxglove.Vector3", vector.encode_to_vec()),
            ("foxglove.Point3", point.encode_to_vec()),
            ("foxglove.Quaternion", quaternion.encode_to_vec()),
            ("foxglove.Color", color.encode_to_vec()),
            ("foxglove.Pose", pose.encode_to_vec()),
            ("foxglove.PoseInFrame", PoseInFrame { timestamp, frame_id: id(), pose: Some(pose) }.encode_to_vec()),
            ("foxglove.PosesInFrame", PosesInFrame { timestamp, frame_id: id(), poses: vec![pose] }.encode_to_vec()),
            ("foxglove.FrameTransform", transform.encode_to_vec()),
            ("foxglove.FrameTransforms", FrameTransforms { transforms: vec![transform] }.encode_to_vec()),
            ("foxglove.Log", log.encode_to_vec()),
            ("foxglove.LinePrimitive", line.encode_to_vec()),
            ("foxglove.SceneEntity", entity.encode_to_vec()),
            ("foxglove.SceneEntityDeletion", deletion.encode_to_vec()),
            ("foxglove.SceneUpdate", update.encode_to_vec()),
        ]
    }

    fn keys_on_the_wire(mut bytes: &[u8]) -> Vec<(i32, WireType)> {
        let mut keys = Vec::new();
        while !bytes.is_empty() {
            let (number, wire_type) = decode_key(&mut bytes).unwrap();
            skip_field(wire_type, number, &mut bytes, DecodeContext::default()).unwrap();
            keys.push((number as i32, wire_type));
        }
        keys
    }

    fn keys_in_the_table(row: &MessageRow) -> Vec<(i32, WireType)> {
        let wire_type = |kind: &Kind| match kind {
            Double => WireType::SixtyFourBit,
            Int32 | Int64 | Choice => WireType::Varint,
            Text | Fixed32s | One(_) | Many(_) => WireType::LengthDelimited,
        };
        row.fields.iter().map(|FieldRow(_, number, kind)| (*number, wire_type(kind))).collect()
    }

    #[test]
    fn the_table_has_what_the_messages_have() {
        for (row, (name, bytes)) in MESSAGES.iter().zip(full_messages()) {
            assert_eq!(row.name, name);
            assert_eq!(keys_in_the_table(row), keys_on_the_wire(&bytes), "{name}");
        }
    }

    #[test]
    fn parts_come_before_what_is_made_of_them() {
        for (n, row) in MESSAGES.iter().enumerate() {
            for part in row.parts() {
                assert!(MESSAGES[..n].iter().any(|before| before.name == part), "{part} of {}", row.name);
            }
        }
    }

    #[test]
    fn a_set_has_all_parts_and_nothing_else() {
        let set = FileDescriptorSet::decode(&*descriptor_set("foxglove.PoseInFrame")).unwrap();
        let files: Vec<_> = set.file.iter().map(FileDescriptorProto::name).collect();
        let expected = ["google/protobuf/timestamp", "foxglove/Vector3", "foxglove/Quaternion", "foxglove/Pose"];
        let expected = expected.into_iter().chain(["foxglove/PoseInFrame"]).map(|name| format!("{name}.proto"));
        assert_eq!(files, expected.collect::<Vec<_>>());
    }

    #[test]
    fn the_hand_state_schema_is_json() {
        let schema: serde_json::Value = serde_json::from_str(HAND_STATE).unwrap();
        assert_eq!(schema["type"], "object");
    }
}
