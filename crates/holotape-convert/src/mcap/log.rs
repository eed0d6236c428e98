//! Writes a log in batches of frames: while the next batch is encoded, the chunks of the previous one are compressed. Both use
//! several threads. The result does not depend on their number: frames become messages one by one, and a chunk ends after a
//! number of bytes.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::iter::Peekable;
use std::vec;

use holotape::{Frame, Marker, Result, WindowSampler, WindowedRecording, parallel};

use super::chunk::{Chunk, ChunkCompressor, CompressedChunk};
use super::encoder::{EncodedMessages, MessageEncoder};
use super::file::FileWriter;
use super::markers_in_log;
use super::topics::Topics;
use crate::Space;

/// The number of frames that are encoded at a time: about 12 MB with two tracked hands, a chunk for each of twelve cores.
pub(super) const BATCH_FRAMES: usize = 1024;

/// The number of frames that are encoded per task.
const FRAMES_PER_TASK: usize = 64;

pub(super) struct LogWriter<'a, W: Write> {
    file: FileWriter<W>,
    compressor: ChunkCompressor,
    messages: MessageLog<'a>,
}

/// The messages of a log, in order.
struct MessageLog<'a> {
    sampler: WindowSampler<'a>,
    has_curves: bool,
    markers: Peekable<vec::IntoIter<(u64, &'a Marker)>>,
    encoder: MessageEncoder,
    topics: Topics,
    last_frame: Option<Frame>,
    undirected_gaze_frames: usize,
}

impl<'a, W: Write> LogWriter<'a, W> {
    pub(super) fn new(recording: &'a WindowedRecording<'_>, start_ns: u64, out: W) -> Result<Self> {
        let outline = recording.outline();
        let encoder = MessageEncoder::new(outline);
        let messages = MessageLog {
            sampler: recording.sampler(),
            has_curves: outline.curves().next().is_some(),
            markers: markers_in_log(outline, start_ns).into_iter().peekable(),
            topics: Topics::new(encoder.joint_names()),
            encoder,
            last_frame: None,
            undirected_gaze_frames: 0,
        };
        Ok(Self { file: FileWriter::new(out)?, compressor: ChunkCompressor::default(), messages })
    }

    pub(super) fn metadata(&mut self, name: &str, metadata: &BTreeMap<String, String>) -> Result<()> {
        self.file.metadata(name, metadata)
    }

    /// Writes a batch of frames, and the markers before each of them. Frames are given by their times in the log and in the
    /// recording.
    pub(super) fn frames(&mut self, frames: &[(u64, f64)]) -> Result<()> {
        let Self { file, compressor, messages } = self;
        let chunks = messages.topics.take_full();
        let (mut compressed, mut encoded) = (Vec::new(), Ok(()));
        parallel::run_both(
            || encoded = messages.push_frames(frames),
            || compressed = compress_all(compressor, &chunks),
        );
        encoded?;
        compressed.into_iter().try_for_each(|chunk| file.chunk(&chunk?))
    }

    /// Writes what is left, the indexes and statistics. Returns the number of frames whose gaze has no direction.
    pub(super) fn finish(self) -> Result<usize> {
        let Self { mut file, compressor, mut messages } = self;
        messages.push_markers_before(None);
        let chunks = compress_all(&compressor, &messages.topics.take_all());
        chunks.into_iter().try_for_each(|chunk| file.chunk(&chunk?))?;
        file.finish(&messages.topics)?;
        Ok(messages.undirected_gaze_frames)
    }
}

fn compress_all(compressor: &ChunkCompressor, chunks: &[Chunk]) -> Vec<io::Result<CompressedChunk>> {
    parallel::map(chunks.iter().collect(), parallel::max_threads(), |chunk| compressor.compress(chunk))
}

impl MessageLog<'_> {
    fn push_frames(&mut self, times: &[(u64, f64)]) -> Result<()> {
        let frame = |(time_ns, time_secs): &(u64, f64)| Ok((*time_ns, self.frame_at(*time_secs)?));
        let frames = times.iter().map(frame).collect::<Result<Vec<_>>>()?;
        let previous = |start: usize| match start.checked_sub(1) {
            Some(before) => Some(&frames[before].1),
            None => self.last_frame.as_ref(),
        };
        let starts: Vec<_> = (0..frames.len()).step_by(FRAMES_PER_TASK).collect();
        let encoded = parallel::map(starts, parallel::max_threads(), |start| {
            let end = frames.len().min(start + FRAMES_PER_TASK);
            self.encoder.frames(&frames[start..end], previous(start))
        });
        let encoded = encoded.into_iter().collect::<Result<Vec<_>>>()?;
        if let (None, Some((time_ns, _))) = (&self.last_frame, frames.first()) {
            self.push_markers_before(Some(*time_ns));
            if self.has_curves {
                self.push_all(&MessageEncoder::static_transforms(*time_ns));
            }
        }
        encoded.iter().for_each(|messages| self.push_all(messages));
        self.last_frame = frames.into_iter().next_back().map(|(_, frame)| frame).or(self.last_frame.take());
        Ok(())
    }

    fn frame_at(&mut self, time_secs: f64) -> Result<Frame> {
        let mut frame = self.sampler.frame_at(time_secs)?;
        Space::RightHanded.convert_frame(&mut frame);
        Ok(frame)
    }

    /// Adds messages, and the markers before each of them.
    fn push_all(&mut self, encoded: &EncodedMessages) {
        self.undirected_gaze_frames += encoded.undirected_gaze_frames;
        for (topic, time_ns, data) in encoded.iter() {
            self.push_markers_before(Some(time_ns));
            self.topics.push(topic, time_ns, data);
        }
    }

    /// Adds the markers before a time, or all that are left.
    fn push_markers_before(&mut self, time_ns: Option<u64>) {
        let is_before = |marker_ns: u64| time_ns.is_none_or(|time_ns| marker_ns < time_ns);
        while let Some((marker_ns, marker)) = self.markers.next_if(|(marker_ns, _)| is_before(*marker_ns)) {
            for (topic, time_ns, data) in MessageEncoder::marker(marker, marker_ns).iter() {
                self.topics.push(topic, time_ns, data);
            }
        }
    }
}
