//! A buffer of records that never copies all of them at once.

use std::collections::VecDeque;

use super::decode::PackedRecord;

/// Growing one vector that holds ten minutes of frames takes tens of milliseconds. A chunk holds about 170 frames.
const CHUNK_BYTES: usize = 256 << 10;

/// The records of a take in order of arrival. Expired chunks are dropped from the front.
#[derive(Debug)]
pub(super) struct RecordBuffer {
    chunks: VecDeque<Chunk>,
    keep_last_secs: Option<f64>,
    last_secs: f64,
    /// Whether frames before the first one were dropped.
    has_dropped: bool,
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
    pub(super) fn new(keep_last_secs: Option<f64>) -> Self {
        Self { chunks: VecDeque::new(), keep_last_secs, last_secs: f64::NEG_INFINITY, has_dropped: false }
    }

    /// Appends a record, with the time if it is a frame. Times must increase.
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
            self.has_dropped = true;
        }
    }

    /// The time of the oldest frame to keep.
    pub(super) fn oldest_secs(&self) -> f64 {
        self.keep_last_secs.map_or(f64::NEG_INFINITY, |limit| self.last_secs - limit)
    }

    pub(super) fn has_dropped(&self) -> bool {
        self.has_dropped
    }

    /// The memory that the records use.
    pub(super) fn byte_len(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.bytes.len()).sum()
    }

    pub(super) fn chunks(&self) -> impl Iterator<Item = &Chunk> {
        self.chunks.iter()
    }

    /// Returns the chunks one by one, so that each can be freed after use.
    pub(super) fn into_chunks(self) -> impl Iterator<Item = Chunk> {
        self.chunks.into_iter()
    }
}
