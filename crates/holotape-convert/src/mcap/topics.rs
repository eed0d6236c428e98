//! Topics, and the chunks that their messages become. A topic is added with its first message.

use std::collections::BTreeMap;
use std::mem;

use ::mcap::records::{MessageHeader, op};
use holotape::Hand;

use super::chunk::Chunk;
use super::message;
use super::record::{Contents, append_record};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Topic {
    StaticTransforms,
    Transforms,
    Camera,
    Joints(Hand),
    State(Hand),
    Bones,
    Gaze,
    Markers,
}

impl Topic {
    /// The name of the topic and of its schema.
    fn names(self) -> (String, &'static str) {
        match self {
            Self::StaticTransforms => ("/tf_static".to_owned(), "foxglove.FrameTransforms"),
            Self::Transforms => ("/tf".to_owned(), "foxglove.FrameTransforms"),
            Self::Camera => ("/camera".to_owned(), "foxglove.PoseInFrame"),
            Self::Joints(hand) => (format!("/{hand}/joints"), "foxglove.PosesInFrame"),
            Self::State(hand) => (format!("/{hand}/state"), HAND_STATE),
            Self::Bones => ("/hands".to_owned(), "foxglove.SceneUpdate"),
            Self::Gaze => ("/gaze".to_owned(), "foxglove.PoseInFrame"),
            Self::Markers => ("/markers".to_owned(), "foxglove.Log"),
        }
    }
}

/// The only schema that is not protobuf.
const HAND_STATE: &str = "holotape.HandState";

/// A chunk ends before the first message after this many bytes.
const CHUNK_BYTES: usize = 1 << 20;

pub(super) struct Topics {
    /// The comma-separated names of each hand's poses.
    joint_names: [String; 2],
    /// Their positions plus 1 are the identifiers in the file.
    schemas: Vec<&'static str>,
    channels: Vec<Channel>,
    span_ns: Option<(u64, u64)>,
    current: Chunk,
    full: Vec<Chunk>,
}

struct Channel {
    topic: Topic,
    schema_id: u16,
    message_count: u64,
}

impl Topics {
    pub(super) fn new(joint_names: [String; 2]) -> Self {
        let (schemas, channels) = (Vec::new(), Vec::new());
        Self { joint_names, schemas, channels, span_ns: None, current: Chunk::default(), full: Vec::new() }
    }

    /// Adds a message to the current chunk.
    pub(super) fn push(&mut self, topic: Topic, time_ns: u64, data: &[u8]) {
        let number = self.channels.iter().position(|channel| channel.topic == topic);
        let number = number.unwrap_or_else(|| self.open(topic));
        let channel = &mut self.channels[number];
        let header = MessageHeader {
            channel_id: number as u16 + 1,
            // The number of the message, modulo 2^32.
            sequence: channel.message_count as u32,
            log_time: time_ns,
            publish_time: time_ns,
        };
        channel.message_count += 1;
        let (start, end) = self.span_ns.unwrap_or((time_ns, time_ns));
        self.span_ns = Some((start.min(time_ns), end.max(time_ns)));
        if self.current.size() > CHUNK_BYTES {
            self.full.push(mem::take(&mut self.current));
        }
        self.current.push_message(&header, data);
    }

    /// Adds a topic to the current chunk.
    fn open(&mut self, topic: Topic) -> usize {
        let (_, schema_name) = topic.names();
        let schema = self.schemas.iter().position(|name| *name == schema_name).unwrap_or_else(|| {
            self.schemas.push(schema_name);
            let number = self.schemas.len() - 1;
            self.current.push_record(op::SCHEMA, |contents| write_schema(contents, number, schema_name));
            number
        });
        let channel = Channel { topic, schema_id: schema as u16 + 1, message_count: 0 };
        let number = self.channels.len();
        self.current.push_record(op::CHANNEL, |contents| write_channel(contents, number, &channel, &self.joint_names));
        self.channels.push(channel);
        number
    }

    /// Returns the chunks that are complete.
    pub(super) fn take_full(&mut self) -> Vec<Chunk> {
        mem::take(&mut self.full)
    }

    /// Returns all chunks that are left.
    pub(super) fn take_all(&mut self) -> Vec<Chunk> {
        let last = mem::take(&mut self.current);
        self.full.extend((last.size() > 0).then_some(last));
        self.take_full()
    }

    /// The times of the earliest and the latest message.
    pub(super) fn span_ns(&self) -> (u64, u64) {
        self.span_ns.unwrap_or_default()
    }

    pub(super) fn schema_count(&self) -> u16 {
        self.schemas.len() as u16
    }

    pub(super) fn message_counts(&self) -> BTreeMap<u16, u64> {
        (1..).zip(self.channels.iter().map(|channel| channel.message_count)).collect()
    }

    pub(super) fn schema_records(&self) -> Vec<u8> {
        let mut records = Vec::new();
        for (number, name) in self.schemas.iter().enumerate() {
            append_record(&mut records, op::SCHEMA, |contents| write_schema(contents, number, name));
        }
        records
    }

    pub(super) fn channel_records(&self) -> Vec<u8> {
        let mut records = Vec::new();
        for (number, channel) in self.channels.iter().enumerate() {
            append_record(&mut records, op::CHANNEL, |contents| {
                write_channel(contents, number, channel, &self.joint_names);
            });
        }
        records
    }
}

fn write_schema(contents: &mut Contents<'_>, number: usize, name: &str) {
    let (encoding, schema) = match name {
        HAND_STATE => ("jsonschema", message::HAND_STATE_SCHEMA.as_bytes()),
        _ => ("protobuf", message::DESCRIPTOR_SET),
    };
    contents.u16(number as u16 + 1).text(name).text(encoding).sized(|contents| {
        contents.bytes(schema);
    });
}

fn write_channel(contents: &mut Contents<'_>, number: usize, channel: &Channel, joint_names: &[String; 2]) {
    let (name, _) = channel.topic.names();
    let encoding = if let Topic::State(_) = channel.topic { "json" } else { "protobuf" };
    let metadata = match channel.topic {
        Topic::Joints(hand) => BTreeMap::from([("joints".to_owned(), joint_names[hand as usize].clone())]),
        _ => BTreeMap::new(),
    };
    contents.u16(number as u16 + 1).u16(channel.schema_id).text(&name).text(encoding).texts(&metadata);
}
