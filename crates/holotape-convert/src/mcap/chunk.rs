//! Chunks: messages that are compressed together, with an index of their positions.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use ::mcap::records::{MessageHeader, op};
use zstd::stream::raw::{Encoder, Operation};
use zstd::stream::zio;

use super::record::{Contents, RECORD_HEADER_BYTES, append_record};

/// The name of the compression in chunks and their index.
pub(super) const COMPRESSION: &str = "zstd";

/// The records of a chunk before compression.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    records: Vec<u8>,
    /// The times of the earliest and the latest message.
    span_ns: Option<(u64, u64)>,
    /// Time and position of each message by channel.
    positions: BTreeMap<u16, Vec<(u64, u64)>>,
}

impl Chunk {
    /// The size before compression.
    pub(super) fn size(&self) -> usize {
        self.records.len()
    }

    /// Adds a record that is not a message.
    pub(super) fn push_record(&mut self, opcode: u8, write: impl FnOnce(&mut Contents<'_>)) {
        append_record(&mut self.records, opcode, write);
    }

    pub(super) fn push_message(&mut self, header: &MessageHeader, data: &[u8]) {
        let time_ns = header.log_time;
        let (start, end) = self.span_ns.unwrap_or((time_ns, time_ns));
        self.span_ns = Some((start.min(time_ns), end.max(time_ns)));
        self.positions.entry(header.channel_id).or_default().push((time_ns, self.records.len() as u64));
        append_record(&mut self.records, op::MESSAGE, |contents| {
            let ids = contents.u16(header.channel_id).u32(header.sequence);
            ids.u64(header.log_time).u64(header.publish_time).bytes(data);
        });
    }
}

/// A chunk as it is in the file, with the indexes of messages that follow it.
#[derive(Debug)]
pub(super) struct CompressedChunk {
    pub(super) records: Vec<u8>,
    /// The length of the chunk without the indexes.
    pub(super) length: u64,
    /// The position of the index of each channel, relative to the chunk.
    pub(super) index_positions: BTreeMap<u16, u64>,
    pub(super) span_ns: (u64, u64),
    pub(super) compressed_size: u64,
    pub(super) size: u64,
}

/// Compresses chunks on any number of threads. Encoders are reused: each allocates more memory than a chunk has.
#[derive(Default)]
pub(super) struct ChunkCompressor {
    idle: Mutex<Vec<Encoder<'static>>>,
}

impl ChunkCompressor {
    pub(super) fn compress(&self, chunk: &Chunk) -> io::Result<CompressedChunk> {
        let compressed = self.compress_bytes(&chunk.records)?;
        let span_ns = chunk.span_ns.unwrap_or_default();
        let mut records = Vec::with_capacity(compressed.len() + chunk.records.len() / 16);
        append_record(&mut records, op::CHUNK, |contents| {
            contents.u64(span_ns.0).u64(span_ns.1).u64(chunk.records.len() as u64);
            contents.u32(crc32fast::hash(&chunk.records)).text(COMPRESSION);
            contents.u64(compressed.len() as u64).bytes(&compressed);
        });
        let length = records.len() as u64;
        let index_positions = append_indexes(&mut records, &chunk.positions);
        let (compressed_size, size) = (compressed.len() as u64, chunk.records.len() as u64);
        Ok(CompressedChunk { records, length, index_positions, span_ns, compressed_size, size })
    }

    fn compress_bytes(&self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let encoder = match idle {
            Some(mut encoder) => {
                encoder.reinit()?;
                encoder
            }
            None => Encoder::new(zstd::DEFAULT_COMPRESSION_LEVEL)?,
        };
        let mut writer = zio::Writer::new(Vec::with_capacity(bytes.len() / 2), encoder);
        writer.write_all(bytes)?;
        writer.finish()?;
        let (compressed, encoder) = writer.into_inner();
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(encoder);
        Ok(compressed)
    }
}

/// Appends the index of each channel, and returns their positions.
fn append_indexes(out: &mut Vec<u8>, positions: &BTreeMap<u16, Vec<(u64, u64)>>) -> BTreeMap<u16, u64> {
    let mut index_positions = BTreeMap::new();
    for (channel, messages) in positions {
        index_positions.insert(*channel, out.len() as u64);
        out.reserve(RECORD_HEADER_BYTES + 6 + 16 * messages.len());
        append_record(out, op::MESSAGE_INDEX, |contents| {
            contents.u16(*channel).sized(|contents| {
                for (time_ns, position) in messages {
                    contents.u64(*time_ns).u64(*position);
                }
            });
        });
    }
    index_positions
}
