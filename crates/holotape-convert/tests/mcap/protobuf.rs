//! A protobuf decoder that knows only the schema in the file: names, numbers and types.

use std::collections::BTreeMap;

use prost::Message as _;
use prost::encoding::{WireType, decode_key, decode_varint};
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{DescriptorProto, FieldDescriptorProto, FileDescriptorSet};
use serde_json::{Map, Value, json};

pub struct Schema {
    messages: BTreeMap<String, DescriptorProto>,
}

impl Schema {
    /// Panics if a file precedes its imports, or a type is undefined.
    pub fn new(descriptor_set: &[u8]) -> Self {
        let set = FileDescriptorSet::decode(descriptor_set).expect("a descriptor set");
        let mut messages = BTreeMap::new();
        let mut files = Vec::new();
        for file in &set.file {
            assert!(file.dependency.iter().all(|name| files.contains(&name)), "imports of {}", file.name());
            assert_eq!(file.syntax(), "proto3");
            files.push(file.name.as_ref().expect("a name"));
            for message in &file.message_type {
                messages.insert(format!(".{}.{}", file.package(), message.name()), message.clone());
            }
        }
        let schema = Self { messages };
        schema.messages.values().flat_map(|message| &message.field).for_each(|field| schema.assert_known(field));
        schema
    }

    fn assert_known(&self, field: &FieldDescriptorProto) {
        let (message, nested) = field.type_name().rsplit_once('.').unwrap_or_default();
        let is_enum = || self.messages[message].enum_type.iter().any(|choices| choices.name() == nested);
        match field.r#type() {
            Type::Message => assert!(self.messages.contains_key(field.type_name()), "{}", field.type_name()),
            Type::Enum => assert!(is_enum(), "{}", field.type_name()),
            _ => assert!(field.type_name.is_none()),
        }
    }

    /// Decodes a message with all of its fields by name, including defaults, which are not encoded.
    pub fn decode(&self, name: &str, mut bytes: &[u8]) -> Value {
        let message = &self.messages[&format!(".{name}")];
        let defaults = message.field.iter().filter_map(|field| Some((field.name().to_owned(), default(field)?)));
        let mut object: Map<String, Value> = defaults.collect();
        while !bytes.is_empty() {
            let (number, wire_type) = decode_key(&mut bytes).expect("a key");
            let field = message.field.iter().find(|field| field.number() == number as i32);
            let field = field.unwrap_or_else(|| panic!("{name} has no field {number}"));
            let value = self.value(field, wire_type, &mut bytes);
            match object.get_mut(field.name()) {
                Some(Value::Array(values)) => match value {
                    Value::Array(more) => values.extend(more),
                    one => values.push(one),
                },
                _ => drop(object.insert(field.name().to_owned(), value)),
            }
        }
        Value::Object(object)
    }

    fn value(&self, field: &FieldDescriptorProto, wire_type: WireType, bytes: &mut &[u8]) -> Value {
        let mut varint = |expected| {
            assert_eq!(wire_type, expected, "{}", field.name());
            decode_varint(bytes).expect("a number")
        };
        match field.r#type() {
            Type::Double => {
                assert_eq!(wire_type, WireType::SixtyFourBit);
                let number = f64::from_le_bytes(split_off(bytes, 8).try_into().expect("eight bytes"));
                if number.is_finite() { json!(number) } else { json!(number.to_string()) }
            }
            Type::Int32 | Type::Int64 | Type::Enum => json!(varint(WireType::Varint) as i64),
            kind => {
                let length = varint(WireType::LengthDelimited) as usize;
                let content = split_off(bytes, length);
                match kind {
                    Type::String => json!(str::from_utf8(content).expect("text")),
                    Type::Message => self.decode(&field.type_name()[1..], content),
                    Type::Fixed32 => {
                        content.chunks(4).map(|n| u32::from_le_bytes(n.try_into().expect("four bytes"))).collect()
                    }
                    other => panic!("{other:?} is not used"),
                }
            }
        }
    }
}

fn default(field: &FieldDescriptorProto) -> Option<Value> {
    match (field.label(), field.r#type()) {
        (Label::Repeated, _) => Some(json!([])),
        (_, Type::Message) => None,
        (_, Type::String) => Some(json!("")),
        (_, Type::Double) => Some(json!(0.0)),
        _ => Some(json!(0)),
    }
}

fn split_off<'a>(bytes: &mut &'a [u8], length: usize) -> &'a [u8] {
    let (content, rest) = bytes.split_at(length);
    *bytes = rest;
    content
}
