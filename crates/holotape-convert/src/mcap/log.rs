//! Writes messages to an MCAP file. A topic is added with its first message.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{BufWriter, Seek, Write};

use ::mcap::records::{MessageHeader, Metadata};
use ::mcap::write::NoSeek;
use ::mcap::{Compression, McapError, WriteOptions, Writer};
use holotape::{Error, ErrorKind, Hand, Result};

use super::message;

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
            Self::State(hand) => (format!("/{hand}/state"), "holotape.HandState"),
            Self::Bones => ("/hands".to_owned(), "foxglove.SceneUpdate"),
            Self::Gaze => ("/gaze".to_owned(), "foxglove.PoseInFrame"),
            Self::Markers => ("/markers".to_owned(), "foxglove.Log"),
        }
    }
}

pub(super) struct LogWriter<W: Write> {
    writer: Writer<NoSeek<BufWriter<W>>>,
    channels: BTreeMap<Topic, Channel>,
    joint_names: [String; 2],
}

struct Channel {
    id: u16,
    sequence: u32,
}

impl<W: Write> LogWriter<W> {
    /// `joint_names` has the comma-separated names of each hand's poses.
    pub(super) fn new(out: W, joint_names: [String; 2]) -> Result<Self> {
        let options = WriteOptions::new()
            .compression(Some(Compression::Zstd))
            // Chunks are too small for several threads, and output must not depend on the machine.
            .compression_threads(0)
            .library(concat!("holotape ", env!("CARGO_PKG_VERSION")))
            .disable_seeking(true);
        let writer = options.create(NoSeek::new(BufWriter::new(out))).map_err(mcap_error)?;
        Ok(Self { writer, channels: BTreeMap::new(), joint_names })
    }

    pub(super) fn metadata(&mut self, name: &str, metadata: BTreeMap<String, String>) -> Result<()> {
        self.writer.write_metadata(&Metadata { name: name.to_owned(), metadata }).map_err(mcap_error)
    }

    pub(super) fn write_message(&mut self, topic: Topic, time_ns: u64, data: &[u8]) -> Result<()> {
        let channel = match self.channels.entry(topic) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let id = open(&mut self.writer, topic, &self.joint_names).map_err(mcap_error)?;
                entry.insert(Channel { id, sequence: 0 })
            }
        };
        let header = MessageHeader {
            channel_id: channel.id,
            sequence: channel.sequence,
            log_time: time_ns,
            publish_time: time_ns,
        };
        channel.sequence = channel.sequence.wrapping_add(1);
        self.writer.write_to_known_channel(&header, data).map_err(mcap_error)
    }

    /// Writes the last chunk, indexes and statistics.
    pub(super) fn finish(mut self) -> Result<()> {
        self.writer.finish().map_err(mcap_error)?;
        Ok(self.writer.into_inner().into_inner().flush()?)
    }
}

fn open<W: Write + Seek>(writer: &mut Writer<W>, topic: Topic, joint_names: &[String; 2]) -> Result<u16, McapError> {
    let (schema_encoding, message_encoding, schema) = match topic {
        Topic::State(_) => ("jsonschema", "json", message::HAND_STATE_SCHEMA.as_bytes()),
        _ => ("protobuf", "protobuf", message::DESCRIPTOR_SET),
    };
    let metadata = match topic {
        Topic::Joints(hand) => BTreeMap::from([("joints".to_owned(), joint_names[hand as usize].clone())]),
        _ => BTreeMap::new(),
    };
    let (name, schema_name) = topic.names();
    let schema_id = writer.add_schema(schema_name, schema_encoding, schema)?;
    writer.add_channel(schema_id, &name, message_encoding, &metadata)
}

pub(crate) fn mcap_error(error: McapError) -> Error {
    match error {
        McapError::Io(error) => error.into(),
        other => Error::new(ErrorKind::Io, other.to_string()),
    }
}
