//! The work of one thread: recordings in, batches out.

use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use holotape::format::{CurveSubset, Index, ReadOptions};
use holotape::stats::{StatsOptions, fixations};
use holotape::{Error, FrameLimit, Recording, Result};
use holotape_convert::compression::Compression;
use holotape_convert::{FileFormat, OpenOptions};

use super::counts::{Counters, add};
use super::frames::{FrameTableBuilder, PreparedRecording};
use super::index_cache::FileStamp;
use super::plan::ScanPlan;
use super::read::{self, FileContents};
use super::recordings::{self, RequiredReads};
use super::{HandFilter, OnError};
use crate::rows::{
    BATCH_ROWS, EventBuilder, EventRow, KeyFilter, RecordingRow, catch_panic, events, key_rows, recording_batch,
};
use crate::{RecordingFile, Table};

/// Why a worker stops early.
pub(super) enum ScanAbort {
    ReceiverDropped,
    Failed(Error),
}

impl From<Error> for ScanAbort {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Receives batches, and returns whether to continue.
pub(super) type BatchSink<'a> = &'a mut dyn FnMut(RecordBatch) -> bool;

pub(super) fn emit(batch: Result<RecordBatch>, to: BatchSink<'_>) -> Result<(), ScanAbort> {
    if to(batch?) { Ok(()) } else { Err(ScanAbort::ReceiverDropped) }
}

pub(super) struct Worker {
    plan: Arc<ScanPlan>,
    counters: Arc<Counters>,
    frames: FrameTableBuilder,
    buffer: Vec<u8>,
}

impl Worker {
    pub(super) fn new(plan: Arc<ScanPlan>, counters: Arc<Counters>) -> Self {
        let frames = FrameTableBuilder::new(&plan);
        Self { plan, counters, frames, buffer: Vec::new() }
    }

    /// Emits the rows of recordings, in order.
    pub(super) fn run(&mut self, files: &[RecordingFile], to: BatchSink<'_>) -> Result<(), ScanAbort> {
        add(&self.counters.recordings, files.len() as u64);
        match self.plan.table {
            Table::Recordings => self.recordings(files, to),
            Table::Frames => self.frames(files, to),
            Table::Events => self.events(files, to),
            Table::Keys => self.keys(files, to),
        }
    }

    fn recordings(&mut self, files: &[RecordingFile], to: BatchSink<'_>) -> Result<(), ScanAbort> {
        let need = RequiredReads::for_columns(self.plan.column_names());
        let row = |file: &RecordingFile| {
            catch_panic(|| self.recording_row(file, need))
                .unwrap_or_else(|error| RecordingRow::unreadable(file, &error))
        };
        let rows: Vec<_> = files.iter().map(row).collect();
        emit(recording_batch(&rows).and_then(|batch| self.plan.project(&batch)), to)
    }

    fn recording_row(&mut self, file: &RecordingFile, need: RequiredReads) -> RecordingRow {
        let options = &self.plan.options.rows;
        if !need.complete_file()
            && let Some(row) = recordings::row_from_headers(file, need, options)
        {
            return row;
        }
        match read::read_complete(&file.path, &mut self.buffer) {
            Ok(bytes) => {
                add(&self.counters.bytes, bytes.len() as u64);
                recordings::read(file, bytes, need, options)
            }
            Err(error) => RecordingRow::unreadable(file, &error.into()),
        }
    }

    fn frames(&mut self, files: &[RecordingFile], to: BatchSink<'_>) -> Result<(), ScanAbort> {
        for file in files {
            match catch_panic(|| self.prepare(&file.path)).flatten() {
                Ok(prepared) => self.frames.push(&file.name, prepared, to)?,
                Err(error) => skip(&self.plan, &self.counters, file, error)?,
            }
        }
        self.frames.flush(to)
    }

    fn prepare(&mut self, path: &Path) -> Result<PreparedRecording> {
        let (file, metadata) = crate::file::open(path)?;
        let cache = self.plan.index_cache.as_ref().zip(FileStamp::new(&file, &metadata));
        if let Some(file_index) = cache.and_then(|(cache, stamp)| cache.get(path, stamp)) {
            return self.frames.prepare_cached(&file_index, file, &self.counters);
        }
        let (contents, compression) = read::read_opened((file, metadata), &mut self.buffer)?;
        let (prepared, file_index) = self.frames.prepare(path, contents, &self.counters)?;
        // An index does not help to read parts of a compressed file.
        if let (Some((cache, stamp)), Some(file_index), Compression::None) = (cache, file_index, compression) {
            cache.insert(path, stamp, &file_index);
        }
        Ok(prepared)
    }

    fn events(&mut self, files: &[RecordingFile], to: BatchSink<'_>) -> Result<(), ScanAbort> {
        let mut rows = EventBuilder::default();
        for file in files {
            match catch_panic(|| self.file_events(file)).flatten() {
                Ok(mut events) => {
                    let options = &self.plan.options;
                    events
                        .retain(|event| options.hands.contains(event.hand) && options.times.contains(event.start_secs));
                    rows.push(&file.name, &events);
                }
                Err(error) => skip(&self.plan, &self.counters, file, error)?,
            }
            if rows.len() >= BATCH_ROWS {
                emit(rows.finish().and_then(|batch| self.plan.project(&batch)), to)?;
            }
        }
        if rows.len() == 0 {
            return Ok(());
        }
        emit(rows.finish().and_then(|batch| self.plan.project(&batch)), to)
    }

    fn file_events(&mut self, file: &RecordingFile) -> Result<Vec<EventRow>> {
        let recording = self.recording(file, HandFilter::ALL)?;
        let fixations = fixations(&recording, &StatsOptions::new())?;
        Ok(events(&recording, &fixations))
    }

    fn keys(&mut self, files: &[RecordingFile], to: BatchSink<'_>) -> Result<(), ScanAbort> {
        for file in files {
            let filter = KeyFilter { hands: self.plan.options.hands, times: self.plan.options.times };
            match catch_panic(|| self.recording(file, filter.hands)).flatten() {
                Ok(recording) => {
                    for batch in key_rows(&file.name, &recording, filter) {
                        emit(batch.and_then(|batch| self.plan.project(&batch)), to)?;
                    }
                }
                Err(error) => skip(&self.plan, &self.counters, file, error)?,
            }
        }
        Ok(())
    }

    /// Reads a recording; only the curves of the selected hands, if `hands` excludes the rest.
    fn recording(&mut self, file: &RecordingFile, hands: HandFilter) -> Result<Recording> {
        let is_selected = |id| KeyFilter { hands, ..KeyFilter::default() }.has_curve(id);
        let complete =
            |recording: Recording| (recording.duration_secs(), FrameLimit::for_recording(&recording), recording);
        let partial = |index: &Index, subset: CurveSubset| {
            (subset.duration_secs, FrameLimit::for_bytes(index.byte_len()), subset.recording)
        };
        let (contents, _) = read::read(&file.path, &mut self.buffer)?;
        let (duration_secs, limit, recording) = match contents {
            FileContents::Large(file) if hands.none => complete(ReadOptions::new().from_seekable_reader(file)?),
            FileContents::Large(mut file) => {
                let index = Index::from_reader(&mut file)?;
                partial(&index, index.read_subset_from(&mut file, is_selected)?)
            }
            FileContents::Complete(bytes) => {
                add(&self.counters.bytes, bytes.len() as u64);
                match is_bin(bytes) {
                    true if hands.none => complete(Recording::from_slice(bytes)?),
                    true => {
                        let index = Index::from_slice(bytes)?;
                        partial(&index, index.read_subset(bytes, is_selected)?)
                    }
                    false => complete(OpenOptions::new().from_slice_at(bytes, &file.path)?.recording),
                }
            }
        };
        let with_keys = recording.curves().filter(|(_, curve)| curve.key_count() > 0).count();
        add(&self.counters.curves, with_keys as u64);
        self.plan.options.rows.check_length(duration_secs.into(), limit)?;
        Ok(recording)
    }
}

/// Whether to read bytes as an input animation.
pub(super) fn is_bin(bytes: &[u8]) -> bool {
    FileFormat::detect(&bytes[..bytes.len().min(FileFormat::DETECT_BYTES)])
        .is_none_or(|file_format| file_format == FileFormat::Bin)
}

fn skip(plan: &ScanPlan, counters: &Counters, file: &RecordingFile, error: Error) -> Result<(), ScanAbort> {
    match plan.options.on_error {
        OnError::Skip => {
            add(&counters.skipped, 1);
            Ok(())
        }
        OnError::Raise => Err(ScanAbort::Failed(error.with_path(&file.path))),
    }
}
