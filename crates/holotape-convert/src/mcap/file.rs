//! Writes the file around the chunks: header, metadata, and a summary with the index of the chunks.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};

use ::mcap::records::op;
use holotape::Result;

use super::chunk::{COMPRESSION, CompressedChunk};
use super::record::append_record;
use super::topics::Topics;
use crate::file_format::MCAP_MAGIC;

pub(super) struct FileWriter<W: Write> {
    out: BufWriter<W>,
    position: u64,
    checksum: crc32fast::Hasher,
    /// The index records of chunks and metadata.
    chunk_indexes: Vec<u8>,
    chunk_count: u32,
    metadata_indexes: Vec<u8>,
    metadata_count: u32,
}

impl<W: Write> FileWriter<W> {
    /// Starts a file.
    pub(super) fn new(out: W) -> Result<Self> {
        let mut file = Self {
            out: BufWriter::new(out),
            position: 0,
            checksum: crc32fast::Hasher::new(),
            chunk_indexes: Vec::new(),
            chunk_count: 0,
            metadata_indexes: Vec::new(),
            metadata_count: 0,
        };
        let mut start = MCAP_MAGIC.to_vec();
        append_record(&mut start, op::HEADER, |contents| {
            contents.text("").text(concat!("holotape ", env!("CARGO_PKG_VERSION")));
        });
        file.write_data(&start)?;
        Ok(file)
    }

    pub(super) fn metadata(&mut self, name: &str, metadata: &BTreeMap<String, String>) -> Result<()> {
        let mut record = Vec::new();
        append_record(&mut record, op::METADATA, |contents| {
            contents.text(name).texts(metadata);
        });
        append_record(&mut self.metadata_indexes, op::METADATA_INDEX, |contents| {
            contents.u64(self.position).u64(record.len() as u64).text(name);
        });
        self.metadata_count += 1;
        self.write_data(&record)
    }

    pub(super) fn chunk(&mut self, chunk: &CompressedChunk) -> Result<()> {
        let start = self.position;
        let index_positions = chunk.index_positions.iter().map(|(channel, at)| (*channel, start + at)).collect();
        append_record(&mut self.chunk_indexes, op::CHUNK_INDEX, |contents| {
            contents.u64(chunk.span_ns.0).u64(chunk.span_ns.1).u64(start).u64(chunk.length);
            contents.numbers(&index_positions).u64(chunk.records.len() as u64 - chunk.length);
            contents.text(COMPRESSION).u64(chunk.compressed_size).u64(chunk.size);
        });
        self.chunk_count += 1;
        self.write_data(&chunk.records)
    }

    /// Writes to the part of the file before the summary, which has a checksum.
    fn write_data(&mut self, bytes: &[u8]) -> Result<()> {
        self.checksum.update(bytes);
        self.position += bytes.len() as u64;
        Ok(self.out.write_all(bytes)?)
    }

    /// Writes the summary and the end of the file.
    pub(super) fn finish(mut self, topics: &Topics) -> Result<()> {
        let mut end = Vec::new();
        append_record(&mut end, op::DATA_END, |contents| {
            contents.u32(self.checksum.clone().finalize());
        });
        self.out.write_all(&end)?;
        let mut statistics = Vec::new();
        append_record(&mut statistics, op::STATISTICS, |contents| {
            let counts = topics.message_counts();
            contents.u64(counts.values().sum()).u16(topics.schema_count()).u32(counts.len() as u32).u32(0);
            contents.u32(self.metadata_count).u32(self.chunk_count);
            contents.u64(topics.span_ns().0).u64(topics.span_ns().1).numbers(&counts);
        });
        let groups = [
            (op::SCHEMA, &topics.schema_records()),
            (op::CHANNEL, &topics.channel_records()),
            (op::STATISTICS, &statistics),
            (op::CHUNK_INDEX, &self.chunk_indexes),
            (op::METADATA_INDEX, &self.metadata_indexes),
        ];
        let summary = summary(groups, self.position + end.len() as u64);
        self.out.write_all(&summary)?;
        Ok(self.out.flush()?)
    }
}

/// The groups of records that are not empty, their positions, and the end of the file.
fn summary(groups: [(u8, &Vec<u8>); 5], start: u64) -> Vec<u8> {
    let (mut summary, mut offsets) = (Vec::new(), Vec::new());
    for (opcode, records) in groups.into_iter().filter(|(_, records)| !records.is_empty()) {
        append_record(&mut offsets, op::SUMMARY_OFFSET, |contents| {
            contents.u8(opcode).u64(start + summary.len() as u64).u64(records.len() as u64);
        });
        summary.extend_from_slice(records);
    }
    let offsets_start = start + summary.len() as u64;
    summary.extend(offsets);
    append_record(&mut summary, op::FOOTER, |contents| {
        contents.u64(start).u64(offsets_start).u32(0);
    });
    // The checksum covers the summary up to itself.
    let crc_at = summary.len() - size_of::<u32>();
    let crc = crc32fast::hash(&summary[..crc_at]);
    summary[crc_at..].copy_from_slice(&crc.to_le_bytes());
    summary.extend_from_slice(MCAP_MAGIC);
    summary
}
