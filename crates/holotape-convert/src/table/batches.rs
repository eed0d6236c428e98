//! The record batches of a table, and a recording from them.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use holotape::format::Channels;
use holotape::{Error, ErrorKind, Recording, Result, WindowedRecording, parallel};

use super::{Metadata, TableDecoder, TableKind, TableOptions, frames, keys};
use crate::frame_losses::{self, FrameCapabilities};
use crate::{LossKind, Losses, Space, Timing};

/// Maximum number of rows of a batch: large enough for columnar processing, small enough for the processor's cache.
pub(super) const BATCH_ROWS: usize = 8192;

/// Returns the table of a recording, in batches of at most 8192 rows. All curves have a column, whether or not they were
/// recorded.
///
/// ```
/// use holotape_convert::table::{TableOptions, batches};
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let rows: usize = batches(&recording, &TableOptions::new())?.map(|batch| batch.unwrap().num_rows()).sum();
/// assert_eq!(rows, 61);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// As [`Timing::times`].
pub fn batches(
    recording: &Recording,
    options: &TableOptions,
) -> Result<Box<dyn Iterator<Item = Result<RecordBatch>> + Send>> {
    if options.table == TableKind::Keys {
        return Ok(Box::new(keys::batches(recording, options.space).into_iter()));
    }
    let times = options.timing.times(recording)?;
    let mut sampler = recording.sampler().with_untracked_poses(options.untracked_poses);
    let (space, schema) = (options.space, schema(options));
    let ranges = batch_ranges(times.len(), BATCH_ROWS);
    Ok(Box::new(ranges.map(move |rows| {
        frames::batch(&times[rows], space, Channels::ALL, &schema, |time, frame| {
            sampler.frame_into(time, frame);
            Ok(())
        })
    })))
}

/// The rows of each batch. A table without rows still has columns, so it has an empty batch.
fn batch_ranges(row_count: usize, batch_rows: usize) -> impl Iterator<Item = Range<usize>> {
    (0..row_count.max(1)).step_by(batch_rows).map(move |start| start..(start + batch_rows).min(row_count))
}

/// Returns the columns of a table.
///
/// ```
/// use holotape_convert::table::{TableOptions, schema};
///
/// let schema = schema(&TableOptions::new());
/// assert_eq!(schema.field(0).name(), "time");
/// assert_eq!(schema.field_with_name("left.IndexTip.position.x").unwrap().metadata()["unit"], "m");
/// ```
#[must_use]
pub fn schema(options: &TableOptions) -> SchemaRef {
    schema_for(options, Channels::ALL)
}

pub(crate) fn schema_for(options: &TableOptions, channels: Channels) -> SchemaRef {
    match options.table {
        TableKind::Frames => frames::schema(channels),
        TableKind::Keys => keys::schema(),
    }
}

/// Returns the table of a recording as an Arrow reader, with the metadata of its [Parquet file](crate::parquet).
///
/// ```
/// use arrow_array::RecordBatchReader;
/// use holotape_convert::table::{TableOptions, reader};
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let reader = reader(&recording, &TableOptions::new())?;
/// assert_eq!(reader.schema().metadata()["holotape.space"], "unity");
/// let rows: usize = reader.map(|batch| batch.unwrap().num_rows()).sum();
/// assert_eq!(rows, 61);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// As [`Timing::times`].
pub fn reader(recording: &Recording, options: &TableOptions) -> Result<impl RecordBatchReader + Send + use<>> {
    let metadata = Metadata::new(options).with_recording(recording, options).into_arrow();
    let schema = Arc::new(Schema::clone(&schema(options)).with_metadata(metadata));
    let with_metadata = Arc::clone(&schema);
    let batches = batches(recording, options)?.map(move |batch| {
        let batch = batch.map_err(|error| ArrowError::ExternalError(Box::new(error)))?;
        batch.with_schema(Arc::clone(&with_metadata))
    });
    Ok(RecordBatchIterator::new(batches, schema))
}

/// Reads a recording from the batches of a table of frames or keys, detected by its columns. Columns that are not curves
/// are dropped and reported. The metadata of the first batch's schema, if any, takes precedence over `space`.
///
/// ```
/// use holotape_convert::Space;
/// use holotape_convert::table::{TableOptions, batches, recording};
///
/// let demo = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let (again, _) = recording(batches(&demo, &TableOptions::new())?, Space::Unity)?;
/// assert_eq!(again.camera.unwrap().position, demo.camera.unwrap().position);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Invalid`] if these columns are missing or not numeric.
pub fn recording(batches: impl IntoIterator<Item = Result<RecordBatch>>, space: Space) -> Result<(Recording, Losses)> {
    let mut batches = batches.into_iter().peekable();
    let metadata = match batches.peek() {
        Some(Ok(batch)) => batch.schema_ref().metadata().into(),
        _ => HashMap::new(),
    };
    decode(batches, TableDecoder::new(space).with_metadata(metadata))
}

pub(crate) fn decode(
    batches: impl IntoIterator<Item = Result<RecordBatch>>,
    mut decoder: TableDecoder,
) -> Result<(Recording, Losses)> {
    for batch in batches {
        decoder.push(&batch?)?;
    }
    decoder.finish()
}

/// Writes the batches of a table to a file.
pub(crate) trait BatchWriter {
    fn push(&mut self, batch: RecordBatch) -> Result<()>;

    fn finish(self: Box<Self>) -> Result<()>;
}

/// The number of rows per task: few enough that a minute at 60 Hz occupies two threads.
const ROWS_PER_TASK: usize = 2048;

/// The number of tasks whose batches are in memory before they are written: about 30 MB of frames.
const TASKS_PER_ROUND: usize = 8;

/// Writes the table of a recording with the columns of these channels, and returns what it cannot represent. Frames are sampled
/// in windows, so the keys are not all in memory if they are in a file, and on several threads.
pub(crate) fn write_table(
    recording: &WindowedRecording<'_>,
    options: &TableOptions,
    channels: Channels,
    has_metadata: bool,
    mut writer: impl BatchWriter,
) -> Result<Losses> {
    if options.table == TableKind::Keys {
        let complete = recording.to_recording()?;
        write_batches(keys::batches(&complete, options.space), writer)?;
        return Ok(Losses::default());
    }
    let times = options.timing.windowed_times(recording)?;
    let sampler = recording.sampler().with_untracked_poses(options.untracked_poses);
    let schema = schema_for(options, channels);
    let batch = |rows: Range<usize>| {
        let times = &times[rows];
        let mut sampler = sampler.clone().with_last_secs(times.last().copied().unwrap_or(f64::INFINITY));
        frames::batch(times, options.space, channels, &schema, |time, frame| sampler.frame_into(time, frame))
    };
    let ranges: Vec<_> = batch_ranges(times.len(), ROWS_PER_TASK).collect();
    for ranges in ranges.chunks(TASKS_PER_ROUND) {
        let batches = parallel::map(ranges.to_vec(), parallel::max_threads(), batch);
        batches.into_iter().try_for_each(|batch| writer.push(batch?))?;
    }
    Box::new(writer).finish()?;
    frame_table_losses(recording, options, &times, has_metadata)
}

fn write_batches(batches: impl IntoIterator<Item = Result<RecordBatch>>, mut writer: impl BatchWriter) -> Result<()> {
    for batch in batches {
        writer.push(batch?)?;
    }
    Box::new(writer).finish()
}

/// What a table cannot represent. Markers are part of the metadata, if the file format has any.
pub(crate) fn losses(recording: &Recording, options: &TableOptions, has_metadata: bool) -> Result<Losses> {
    if options.table == TableKind::Keys {
        return Ok(Losses::default());
    }
    let recording = WindowedRecording::new(recording);
    let times = options.timing.windowed_times(&recording)?;
    frame_table_losses(&recording, options, &times, has_metadata)
}

fn frame_table_losses(
    recording: &WindowedRecording<'_>,
    options: &TableOptions,
    times: &[f64],
    has_metadata: bool,
) -> Result<Losses> {
    let mut losses = Losses::default();
    losses.extend(options.timing.loss(recording, times)?);
    let before_start = options.timing == Timing::Keys;
    losses.extend(frame_losses::frame_losses(
        recording,
        FrameCapabilities { none_joint: true, untracked: options.untracked_poses, before_start },
    ));
    let markers = recording.outline().markers.len();
    losses.push_if(markers > 0 && !has_metadata, LossKind::Markers, || {
        format!("dropped markers ({markers}): a table of frames cannot represent them; use `keys`")
    });
    Ok(losses)
}

/// Converts an error of Arrow; I/O errors stay I/O errors.
pub(crate) fn arrow_error(error: ArrowError) -> Error {
    match error {
        ArrowError::IoError(_, error) => error.into(),
        other => Error::new(ErrorKind::Invalid, other.to_string()),
    }
}
