//! Logs as the `mcap` crate reads and writes them.

use std::collections::BTreeMap;
use std::io::Cursor;

use ::mcap::records::{Header, MessageHeader, Record};
use ::mcap::{Compression, WriteOptions, Writer};

pub(crate) struct Message {
    pub(crate) log_time: u64,
    pub(crate) sequence: u32,
    pub(crate) data: Vec<u8>,
}

pub(crate) struct Log {
    pub(crate) header: Header,
    /// Names and data.
    pub(crate) schemas: BTreeMap<String, Vec<u8>>,
    pub(crate) topics: BTreeMap<String, Vec<Message>>,
}

impl Log {
    pub(crate) fn open(bytes: &[u8]) -> Self {
        let mut records = ::mcap::read::LinearReader::new(bytes).expect("a log");
        let Some(Ok(Record::Header(header))) = records.next() else { panic!("no header") };
        let mut log = Self { header, schemas: BTreeMap::new(), topics: BTreeMap::new() };
        let options = ::mcap::read::Options::ValidateChunkCrcs;
        for message in ::mcap::MessageStream::new_with_options(bytes, options.into()).expect("a log") {
            let message = message.expect("a message");
            let schema = message.channel.schema.as_ref().expect("a schema");
            assert_eq!(
                (schema.encoding.as_str(), message.channel.message_encoding.as_str()),
                ("flatbuffer", "flatbuffer")
            );
            assert_eq!(message.log_time, message.publish_time);
            log.schemas.insert(schema.name.clone(), schema.data.to_vec());
            let topic = log.topics.entry(message.channel.topic.clone()).or_default();
            let ::mcap::Message { log_time, sequence, .. } = message;
            topic.push(Message { log_time, sequence, data: message.data.into_owned() });
        }
        log
    }

    pub(crate) fn topic_names(&self) -> Vec<&str> {
        self.topics.keys().map(String::as_str).collect()
    }
}

/// The schemas of a log that Isaac Teleop wrote, by name.
pub(crate) fn schemas() -> BTreeMap<String, Vec<u8>> {
    Log::open(&super::testdata("isaac/teleop_monado.mcap")).schemas
}

/// Builds logs that neither Isaac Teleop nor this crate writes.
pub(crate) struct LogBuilder {
    writer: Writer<Cursor<Vec<u8>>>,
    channels: BTreeMap<String, u16>,
}

impl LogBuilder {
    /// A log without CRCs, so that a changed byte is noticed only by what it changes.
    pub(crate) fn new(compression: Option<Compression>) -> Self {
        let options = WriteOptions::new().compression(compression).calculate_chunk_crcs(false);
        let writer = options.create(Cursor::new(Vec::new())).expect("created");
        Self { writer, channels: BTreeMap::new() }
    }

    pub(crate) fn channel(&mut self, topic: &str, schema_name: &str, schema: &[u8]) {
        let schema_id = self.writer.add_schema(schema_name, "flatbuffer", schema).expect("added");
        let id = self.writer.add_channel(schema_id, topic, "flatbuffer", &BTreeMap::new()).expect("added");
        self.channels.insert(topic.to_owned(), id);
    }

    pub(crate) fn message(&mut self, topic: &str, log_time: u64, data: &[u8]) {
        let header = MessageHeader { channel_id: self.channels[topic], sequence: 0, log_time, publish_time: log_time };
        self.writer.write_to_known_channel(&header, data).expect("written");
    }

    pub(crate) fn attachment(&mut self, data: &[u8]) {
        let attachment = ::mcap::Attachment {
            log_time: 0,
            create_time: 0,
            name: "notes".to_owned(),
            media_type: "text/plain".to_owned(),
            data: data.into(),
        };
        self.writer.attach(&attachment).expect("written");
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.writer.finish().expect("written");
        self.writer.into_inner().into_inner()
    }
}

/// A log with the messages of another one: the last argument changes or drops them.
pub(crate) fn rewritten(
    bytes: &[u8],
    compression: Option<Compression>,
    mut rename: impl FnMut(&str) -> Option<String>,
) -> Vec<u8> {
    let mut builder = LogBuilder::new(compression);
    for message in ::mcap::MessageStream::new(bytes).expect("a log") {
        let message = message.expect("a message");
        let Some(topic) = rename(&message.channel.topic) else { continue };
        if !builder.channels.contains_key(&topic) {
            let schema = message.channel.schema.as_ref().expect("a schema");
            builder.channel(&topic, &schema.name, &schema.data);
        }
        builder.message(&topic, message.log_time, &message.data);
    }
    builder.finish()
}
