//! What one thread does: takes in, batches out.

use std::sync::Arc;

use arrow_array::RecordBatch;
use holotape::format::{CurveSubset, Index};
use holotape::{Error, Recording, Result};
use holotape_convert::FileFormat;

use super::counts::{Counters, add};
use super::frames::{FrameTableBuilder, PreparedRecording};
use super::index_cache::FileStamp;
use super::plan::ScanPlan;
use super::read::{self, FileContents};
use super::recordings::{self, RequiredReads};
use super::{HandFilter, OnError};
use crate::rows::{BATCH_ROWS, EventBuilder, KeyFilter, KeyRows, RecordingRow, batch_of, catch_panic, events};
use crate::{RecordingFile, Table};

/// Why work ends before its time.
pub(super) enum ScanAbort {
    ReceiverDropped,
    Failed(Error),
}

impl From<Error> for ScanAbort {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Who takes batches, and says whether any more are wanted.
pub(super) type BatchSink<'a> = &'a mut dyn FnMut(RecordBatch) -> bool;

pub(super) fn emit(batch: Result<RecordBatch>, to: BatchSink<'_>) -> Result<(), ScanAbort> {
    if to(batch?) { Ok(()) } else { Err(ScanAbort::ReceiverDropped) }
}

pub(super) struct Worker {
    choice: Arc<ScanPlan>,
    counters: Arc<Counters>,
    frames: FrameTableBuilder,
    buffer: Vec<u8>,
}

impl Worker {
    pub(super) fn new(choice: Arc<ScanPlan>, counters: Arc<Counters>) -> Self {
        let frames = FrameTableBuilder::new(&choice);
        Self { choice, counters, frames, buffer: Vec::new() }
    }

    /// The rows of takes, in order.
    pub(super) fn run(&mut self, takes: &[RecordingFile], to: BatchSink<'_>) -> Result<(), ScanAbort> {
        add(&self.counters.takes, takes.len() as u64);
        match self.choice.table {
            Table::Recordings => self.recordings(takes, to),
            Table::Frames => self.frames(takes, to),
            Table::Events => self.events(takes, to),
            Table::Keys => self.keys(takes, to),
        }
    }

    fn recordings(&mut self, takes: &[RecordingFile], to: BatchSink<'_>) -> Result<(), ScanAbort> {
        let need = RequiredReads::of(self.choice.column_names());
        let abouts: Vec<_> = takes
            .iter()
            .map(|take| {
                let failed = |error: Error| RecordingRow {
                    error: Some(error.to_string()),
                    ..RecordingRow::with_file_size(take)
                };
                catch_panic(|| self.recording_row(take, need)).unwrap_or_else(failed)
            })
            .collect();
        emit(batch_of(&abouts).and_then(|batch| self.choice.project(&batch)), to)
    }

    fn recording_row(&mut self, take: &RecordingFile, need: RequiredReads) -> RecordingRow {
        let options = &self.choice.options.rows;
        if !need.whole_file()
            && let Some(about) = recordings::row_from_headers(take, need, options)
        {
            return about;
        }
        match read::read_whole(&take.path, &mut self.buffer) {
            Ok(bytes) => {
                add(&self.counters.bytes, bytes.len() as u64);
                recordings::read(take, bytes, need, options)
            }
            Err(error) => {
                RecordingRow { error: Some(Error::from(error).to_string()), ..RecordingRow::with_file_size(take) }
            }
        }
    }

    fn frames(&mut self, takes: &[RecordingFile], to: BatchSink<'_>) -> Result<(), ScanAbort> {
        for take in takes {
            match catch_panic(|| self.prepare(take)).flatten() {
                Ok(prepared) => self.frames.push(&take.take, prepared, to)?,
                Err(error) => skip(&self.choice, &self.counters, take, error)?,
            }
        }
        self.frames.flush(to)
    }

    fn prepare(&mut self, take: &RecordingFile) -> Result<PreparedRecording> {
        let (file, metadata) = crate::file::open(&take.path)?;
        let known = self.choice.outlines.as_ref().zip(FileStamp::of(&metadata));
        if let Some(outline) = known.and_then(|(outlines, stamp)| outlines.get(&take.path, stamp)) {
            return self.frames.prepare_cached(&outline, file, &self.counters);
        }
        let contents = read::read_opened((file, metadata), &mut self.buffer)?;
        let (prepared, outline) = self.frames.prepare(&contents, &self.counters)?;
        if let (Some((outlines, stamp)), Some(outline)) = (known, outline) {
            outlines.insert(&take.path, stamp, &outline);
        }
        Ok(prepared)
    }

    fn events(&mut self, takes: &[RecordingFile], to: BatchSink<'_>) -> Result<(), ScanAbort> {
        let mut rows = EventBuilder::default();
        for take in takes {
            let made = catch_panic(|| self.recording(take, HandFilter::ALL).and_then(|recording| events(&recording)))
                .flatten();
            match made {
                Ok(mut events) => {
                    let options = &self.choice.options;
                    events
                        .retain(|event| options.hands.contains(event.hand) && options.times.contains(event.start_secs));
                    rows.push(&take.take, &events);
                }
                Err(error) => skip(&self.choice, &self.counters, take, error)?,
            }
            if rows.len() >= BATCH_ROWS {
                emit(rows.finish().and_then(|batch| self.choice.project(&batch)), to)?;
            }
        }
        if rows.len() == 0 {
            return Ok(());
        }
        emit(rows.finish().and_then(|batch| self.choice.project(&batch)), to)
    }

    fn keys(&mut self, takes: &[RecordingFile], to: BatchSink<'_>) -> Result<(), ScanAbort> {
        for take in takes {
            let filter = KeyFilter { hands: self.choice.options.hands, times: self.choice.options.times };
            match catch_panic(|| self.recording(take, filter.hands)).flatten() {
                Ok(recording) => {
                    for batch in KeyRows::new(&take.take, &recording, filter) {
                        emit(batch.and_then(|batch| self.choice.project(&batch)), to)?;
                    }
                }
                Err(error) => skip(&self.choice, &self.counters, take, error)?,
            }
        }
        Ok(())
    }

    /// The recording of a take; only the curves of some hands where no others are wanted.
    fn recording(&mut self, take: &RecordingFile, hands: HandFilter) -> Result<Recording> {
        let wanted = |id| KeyFilter { hands, ..KeyFilter::default() }.has_curve(id);
        let whole = |recording: Recording| (f64::from(recording.duration_secs()), recording);
        let part = |excerpt: CurveSubset| (f64::from(excerpt.duration_secs), excerpt.recording);
        let (duration_secs, recording) = match read::read(&take.path, &mut self.buffer)? {
            FileContents::Large(_) if hands.none => whole(Recording::open(&take.path)?),
            FileContents::Large(file) => part(Index::from_reader(&file)?.read_subset_from(&file, wanted)?),
            FileContents::Whole(bytes) => {
                add(&self.counters.bytes, bytes.len() as u64);
                if !hands.none && is_bin(bytes) {
                    part(Index::from_slice(bytes)?.read_subset(bytes, wanted)?)
                } else {
                    whole(holotape_convert::from_slice(bytes)?.recording)
                }
            }
        };
        let with_keys = recording.curves().filter(|(_, curve)| curve.key_count() > 0).count();
        add(&self.counters.curves, with_keys as u64);
        self.choice.options.rows.check_length(duration_secs)?;
        Ok(recording)
    }
}

/// Whether bytes are to be read as an input animation.
pub(super) fn is_bin(bytes: &[u8]) -> bool {
    FileFormat::detect(&bytes[..bytes.len().min(FileFormat::DETECT_BYTES)])
        .is_none_or(|file_format| file_format == FileFormat::Bin)
}

fn skip(choice: &ScanPlan, counters: &Counters, take: &RecordingFile, error: Error) -> Result<(), ScanAbort> {
    match choice.options.on_error {
        OnError::Skip => {
            add(&counters.skipped, 1);
            Ok(())
        }
        OnError::Fail => Err(ScanAbort::Failed(error.with_path(&take.path))),
    }
}
