//! Logs have the bytes that the `mcap` crate writes for the same messages.

use ::mcap::read::{LinearReader, MessageStream};
use ::mcap::records::{MessageHeader, Record};
use ::mcap::write::NoSeek;
use ::mcap::{Compression, WriteOptions};

use super::*;

/// The metadata and the messages of a log, written one by one on one thread.
fn rewritten(log: &[u8]) -> Vec<u8> {
    let options = WriteOptions::new()
        .compression(Some(Compression::Zstd))
        .compression_threads(0)
        .library(concat!("holotape ", env!("CARGO_PKG_VERSION")))
        .disable_seeking(true);
    let mut writer = options.create(NoSeek::new(Vec::new())).unwrap();
    for record in LinearReader::new(log).unwrap() {
        if let Record::Metadata(metadata) = record.unwrap() {
            writer.write_metadata(&metadata).unwrap();
        }
    }
    for message in MessageStream::new(log).unwrap() {
        let message = message.unwrap();
        let schema = message.channel.schema.as_ref().unwrap();
        let schema_id = writer.add_schema(&schema.name, &schema.encoding, &schema.data).unwrap();
        let channel = &message.channel;
        let encoding = &channel.message_encoding;
        let channel_id = writer.add_channel(schema_id, &channel.topic, encoding, &channel.metadata).unwrap();
        let (sequence, log_time, publish_time) = (message.sequence, message.log_time, message.publish_time);
        let header = MessageHeader { channel_id, sequence, log_time, publish_time };
        writer.write_to_known_channel(&header, &message.data).unwrap();
    }
    writer.finish().unwrap();
    writer.into_inner().into_inner()
}

#[track_caller]
fn assert_same_bytes(recording: &Recording, options: McapOptions) -> Log {
    let log = Log::write(recording, options);
    let reference = rewritten(&log.bytes);
    let first = log.bytes.iter().zip(&reference).position(|(a, b)| a != b);
    let lengths = (log.bytes.len(), reference.len());
    assert!(log.bytes == reference, "lengths {lengths:?}, first difference at {first:?}");
    log
}

#[test]
fn long_log_has_the_bytes_of_the_reference_writer() {
    let mut recording = demo(20.0);
    for (index, time) in [19.0, 0.0, 4.5, 30.0].into_iter().enumerate() {
        recording.markers.add(time, format!("marker {index}"));
    }
    let log = assert_same_bytes(&recording, McapOptions::new().with_start_time_ns(1_700_000_000_000_000_000));
    assert!(log.summary.chunk_indexes.len() > 10);
}

#[test]
fn small_logs_have_the_bytes_of_the_reference_writer() {
    assert_same_bytes(&Recording::default(), McapOptions::new());
    let mut markers = Recording::default();
    markers.markers.add(1.0, "only");
    assert_same_bytes(&markers, McapOptions::new());
    for rate in [1.0, 7.0] {
        assert_same_bytes(&demo(3.0), McapOptions::new().with_timing(Timing::Rate(rate)));
    }
    let head = Recording { hands: None, gaze: None, ..demo(2.0) };
    assert_same_bytes(&head, McapOptions::new());
}
