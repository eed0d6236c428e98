//! Records in memory, as many as there is a wish for, without a moment at which all of them are copied.

use std::collections::VecDeque;

use super::decode::PackedRecord;

/// A doubling vector of ten minutes of frames stands still for tens of milliseconds. A chunk is some 170 frames.
const CHUNK_BYTES: usize = 256 << 10;

/// The records of a take, in the order in which they came, from the front of which whole chunks are forgotten.
#[derive(Debug)]
pub(super) struct RecordBuffer {
    chunks: VecDeque<Chunk>,
    rolling_secs: Option<f64>,
    last_secs: f64,
    /// Whether there were frames before those that are left.
    has_forgotten: bool,
}

#[derive(Debug)]
pub(super) struct Chunk {
    bytes: Vec<u8>,
    last_secs: f64,
}

impl Chunk {
    pub(super) fn records(&self) -> impl Iterator<Item = PackedRecord<'_>> {
        PackedRecord::all(&self.bytes)
    }
}

impl RecordBuffer {
    pub(super) fn new(rolling_secs: Option<f64>) -> Self {
        Self { chunks: VecDeque::new(), rolling_secs, last_secs: f64::NEG_INFINITY, has_forgotten: false }
    }

    /// Adds a record. That of a frame has a time, which is after that of the frame before.
    pub(super) fn push(&mut self, record: &[u8], frame_secs: Option<f64>) {
        self.last_secs = frame_secs.unwrap_or(self.last_secs);
        let last_secs = self.last_secs;
        match self.chunks.back_mut() {
            Some(chunk) if chunk.bytes.len() + record.len() <= CHUNK_BYTES => {
                chunk.bytes.extend_from_slice(record);
                chunk.last_secs = last_secs;
            }
            _ => {
                let mut bytes = Vec::with_capacity(CHUNK_BYTES);
                bytes.extend_from_slice(record);
                self.chunks.push_back(Chunk { bytes, last_secs });
            }
        }
        self.drop_expired();
    }

    fn drop_expired(&mut self) {
        let oldest_secs = self.oldest_secs();
        while self.chunks.front().is_some_and(|chunk| chunk.last_secs < oldest_secs) {
            self.chunks.pop_front();
            self.has_forgotten = true;
        }
    }

    /// Frames before this are not kept.
    pub(super) fn oldest_secs(&self) -> f64 {
        self.rolling_secs.map_or(f64::NEG_INFINITY, |limit| self.last_secs - limit)
    }

    pub(super) fn has_dropped(&self) -> bool {
        self.has_forgotten
    }

    /// How much memory the records take.
    pub(super) fn byte_len(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.bytes.len()).sum()
    }

    pub(super) fn chunks(&self) -> impl Iterator<Item = &Chunk> {
        self.chunks.iter()
    }

    /// The chunks one after the other, so that each can go when it is used up.
    pub(super) fn into_chunks(self) -> impl Iterator<Item = Chunk> {
        self.chunks.into_iter()
    }
}
