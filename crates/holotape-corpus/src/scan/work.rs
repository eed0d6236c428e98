//! What one thread does: takes in, batches out.

use std::sync::Arc;

use arrow_array::RecordBatch;
use holotape::format::{Excerpt, Index};
use holotape::{Error, Recording, Result};
use holotape_convert::Kind;

use super::choice::Choice;
use super::counts::{Counters, add};
use super::file::{self, Contents};
use super::frames::{Frames, Prepared};
use super::outline::Stamp;
use super::recordings::{self, Need};
use super::{Hands, OnError};
use crate::rows::{About, BATCH_ROWS, EventBuilder, KeyFilter, Keys, batch_of, events, guarded};
use crate::{Table, TakeFile};

/// Why work ends before its time.
pub(super) enum Stop {
    NobodyListens,
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Who takes batches, and says whether any more are wanted.
pub(super) type Emit<'a> = &'a mut dyn FnMut(RecordBatch) -> bool;

pub(super) fn emit(batch: Result<RecordBatch>, to: Emit<'_>) -> Result<(), Stop> {
    if to(batch?) { Ok(()) } else { Err(Stop::NobodyListens) }
}

pub(super) struct Worker {
    choice: Arc<Choice>,
    counters: Arc<Counters>,
    frames: Frames,
    buffer: Vec<u8>,
}

impl Worker {
    pub(super) fn new(choice: Arc<Choice>, counters: Arc<Counters>) -> Self {
        let frames = Frames::new(&choice);
        Self { choice, counters, frames, buffer: Vec::new() }
    }

    /// The rows of takes, in order.
    pub(super) fn run(&mut self, takes: &[TakeFile], to: Emit<'_>) -> Result<(), Stop> {
        add(&self.counters.takes, takes.len() as u64);
        match self.choice.table {
            Table::Recordings => self.recordings(takes, to),
            Table::Frames => self.frames(takes, to),
            Table::Events => self.events(takes, to),
            Table::Keys => self.keys(takes, to),
        }
    }

    fn recordings(&mut self, takes: &[TakeFile], to: Emit<'_>) -> Result<(), Stop> {
        let need = Need::of(self.choice.names());
        let abouts: Vec<_> = takes
            .iter()
            .map(|take| {
                let failed = |error: Error| About { error: Some(error.to_string()), ..About::seen(take) };
                guarded(|| self.about(take, need)).unwrap_or_else(failed)
            })
            .collect();
        emit(batch_of(&abouts).and_then(|batch| self.choice.project(&batch)), to)
    }

    fn about(&mut self, take: &TakeFile, need: Need) -> About {
        let options = &self.choice.options.rows;
        if !need.whole_file()
            && let Some(about) = recordings::look(take, need, options)
        {
            return about;
        }
        match file::read_whole(&take.path, &mut self.buffer) {
            Ok(bytes) => {
                add(&self.counters.bytes, bytes.len() as u64);
                recordings::read(take, bytes, need, options)
            }
            Err(error) => About { error: Some(Error::from(error).to_string()), ..About::seen(take) },
        }
    }

    fn frames(&mut self, takes: &[TakeFile], to: Emit<'_>) -> Result<(), Stop> {
        for take in takes {
            match guarded(|| self.prepare(take)).flatten() {
                Ok(prepared) => self.frames.push(&take.take, prepared, to)?,
                Err(error) => skip(&self.choice, &self.counters, take, error)?,
            }
        }
        self.frames.flush(to)
    }

    fn prepare(&mut self, take: &TakeFile) -> Result<Prepared> {
        let (file, metadata) = crate::file::open(&take.path)?;
        let known = self.choice.outlines.as_ref().zip(Stamp::of(&metadata));
        if let Some(outline) = known.and_then(|(outlines, stamp)| outlines.get(&take.path, stamp)) {
            return self.frames.prepare_known(&outline, file, &self.counters);
        }
        let contents = file::read_open((file, metadata), &mut self.buffer)?;
        let (prepared, outline) = self.frames.prepare(&contents, &self.counters)?;
        if let (Some((outlines, stamp)), Some(outline)) = (known, outline) {
            outlines.insert(&take.path, stamp, &outline);
        }
        Ok(prepared)
    }

    fn events(&mut self, takes: &[TakeFile], to: Emit<'_>) -> Result<(), Stop> {
        let mut rows = EventBuilder::default();
        for take in takes {
            let made = guarded(|| self.recording(take, Hands::ALL).and_then(|recording| events(&recording))).flatten();
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

    fn keys(&mut self, takes: &[TakeFile], to: Emit<'_>) -> Result<(), Stop> {
        for take in takes {
            let filter = KeyFilter { hands: self.choice.options.hands, times: self.choice.options.times };
            match guarded(|| self.recording(take, filter.hands)).flatten() {
                Ok(recording) => {
                    for batch in Keys::new(&take.take, &recording, filter) {
                        emit(batch.and_then(|batch| self.choice.project(&batch)), to)?;
                    }
                }
                Err(error) => skip(&self.choice, &self.counters, take, error)?,
            }
        }
        Ok(())
    }

    /// The recording of a take; only the curves of some hands where no others are wanted.
    fn recording(&mut self, take: &TakeFile, hands: Hands) -> Result<Recording> {
        let wanted = |id| KeyFilter { hands, ..KeyFilter::default() }.has_curve(id);
        let whole = |recording: Recording| (f64::from(recording.duration_secs()), recording);
        let part = |excerpt: Excerpt| (f64::from(excerpt.duration_secs), excerpt.recording);
        let (duration_secs, recording) = match file::read(&take.path, &mut self.buffer)? {
            Contents::Large(_) if hands.none => whole(Recording::open(&take.path)?),
            Contents::Large(file) => part(Index::from_reader(&file)?.excerpt_from(&file, wanted)?),
            Contents::Whole(bytes) => {
                add(&self.counters.bytes, bytes.len() as u64);
                if !hands.none && is_bin(bytes) {
                    part(Index::from_slice(bytes)?.excerpt(bytes, wanted)?)
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
    Kind::of_start(&bytes[..bytes.len().min(Kind::START_BYTES)]).is_none_or(|kind| kind == Kind::Bin)
}

fn skip(choice: &Choice, counters: &Counters, take: &TakeFile, error: Error) -> Result<(), Stop> {
    match choice.options.on_error {
        OnError::Skip => {
            add(&counters.skipped, 1);
            Ok(())
        }
        OnError::Fail => Err(Stop::Failed(error.with_path(&take.path))),
    }
}
