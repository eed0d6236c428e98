//! Recordings as tables: a row for each frame, or a row for each key.
//!
//! Both are made of Arrow record batches, whatever they are written as. The columns of frames are `time` and all curves, by
//! the names that they have everywhere; null where there is nothing, as for the joints of a hand that was not tracked. Keys
//! have a row each, with the name of their curve, and lose nothing: a curve without keys has one row without a time, and
//! markers are rows of the curve `marker`.
//!
//! ```
//! use holotape_convert::table::{Table, TableOptions, batches};
//!
//! let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
//! let frames = batches(&take, &TableOptions::new())?.next().unwrap()?;
//! assert_eq!((frames.num_rows(), frames.num_columns()), (61, 396));
//!
//! let keys = batches(&take, &TableOptions::new().with_table(Table::Keys))?.next().unwrap()?;
//! assert!(keys.column_by_name("curve").is_some());
//! # Ok::<(), holotape::Error>(())
//! ```

mod columns;
mod decode;
mod frames;
mod key_columns;
mod keys;
mod metadata;
mod reader;

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use holotape::format::Channels;
use holotape::{Error, ErrorKind, Recording, Result};

pub(crate) use decode::{TableDecoder, format_for_keys};
pub(crate) use metadata::Metadata;
pub use reader::TableReader;

use crate::frame_losses::{self, FrameCapabilities};
use crate::{Loss, LossKind, Losses, Space, Timing};

/// Which of the two tables.
///
/// ```
/// assert_eq!(holotape_convert::table::Table::default().name(), "frames");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TableKind {
    /// A row for each instant: what somebody did.
    #[default]
    Frames,
    /// A row for each key: what is in the file.
    Keys,
}

impl TableKind {
    /// Its name: `frames` or `keys`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Frames => "frames",
            Self::Keys => "keys",
        }
    }
}

/// What a table is to hold.
///
/// ```
/// use holotape_convert::{Space, Timing};
/// use holotape_convert::table::TableOptions;
///
/// let options = TableOptions::new().with_timing(Timing::Rate(30.0)).with_space(Space::RightHanded);
/// assert_ne!(options, TableOptions::default());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableOptions {
    table: TableKind,
    timing: Timing,
    space: Space,
    untracked_poses: bool,
    source: Option<String>,
}

impl TableOptions {
    /// Frames at the times of all keys, in Unity's space.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            table: TableKind::Frames,
            timing: Timing::Keys,
            space: Space::Unity,
            untracked_poses: false,
            source: None,
        }
    }

    /// Which table to make.
    #[must_use]
    pub fn with_table(self, table: TableKind) -> Self {
        Self { table, ..self }
    }

    /// At which times there are frames. Keys have their own.
    #[must_use]
    pub fn with_timing(self, timing: Timing) -> Self {
        Self { timing, ..self }
    }

    /// The space of everything in the table.
    #[must_use]
    pub fn with_space(self, space: Space) -> Self {
        Self { space, ..self }
    }

    /// Whether frames have poses of hands where these were not tracked. Nobody recorded them.
    #[must_use]
    pub fn with_untracked_poses(self, untracked_poses: bool) -> Self {
        Self { untracked_poses, ..self }
    }

    /// Where the recording is from, for those who read the table: the name of a file.
    #[must_use]
    pub fn with_source(self, source: Option<String>) -> Self {
        Self { source, ..self }
    }

    /// Which table this makes.
    #[must_use]
    pub fn table(&self) -> TableKind {
        self.table
    }
}

/// How many rows a batch has at most: enough for arrays to be worth it, few enough to stay in the cache.
const BATCH_ROWS: usize = 8192;

/// The table of a recording, in batches of some thousand rows. All curves have a column, whichever the recording has.
///
/// # Errors
/// If the times make no sense, as [`Timing::times`] says.
pub fn batches(
    recording: &Recording,
    options: &TableOptions,
) -> Result<Box<dyn Iterator<Item = Result<RecordBatch>> + Send>> {
    batches_for(recording, options, Channels::ALL)
}

/// The same with the columns of some channels only.
pub(crate) fn batches_for(
    recording: &Recording,
    options: &TableOptions,
    channels: Channels,
) -> Result<Box<dyn Iterator<Item = Result<RecordBatch>> + Send>> {
    Ok(match options.table {
        TableKind::Frames => Box::new(frames::Batches::new(recording, options, channels)?),
        TableKind::Keys => Box::new(keys::batches(recording, options.space).into_iter()),
    })
}

/// The columns of a table.
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

/// The recording of a table in batches: frames or keys, told by their columns. Columns that are no curves are left out, and
/// told of. The metadata of the first batch's schema say more, where there are any: they go before `space`.
///
/// ```
/// use holotape_convert::Space;
/// use holotape_convert::table::{TableOptions, batches, recording};
///
/// let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let (again, _) = recording(batches(&take, &TableOptions::new())?, Space::Unity)?;
/// assert_eq!(again.camera.unwrap().position, take.camera.unwrap().position);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Invalid`] if there are no such columns, or if they hold something else than numbers.
pub fn recording(batches: impl IntoIterator<Item = Result<RecordBatch>>, space: Space) -> Result<(Recording, Losses)> {
    let mut batches = batches.into_iter().peekable();
    let metadata = match batches.peek() {
        Some(Ok(batch)) => batch.schema_ref().metadata().clone(),
        _ => HashMap::new(),
    };
    collect(batches, TableDecoder::new(space).with_metadata(metadata))
}

pub(crate) fn collect(
    batches: impl IntoIterator<Item = Result<RecordBatch>>,
    mut collector: TableDecoder,
) -> Result<(Recording, Losses)> {
    for batch in batches {
        collector.push(&batch?)?;
    }
    collector.finish()
}

/// What a table cannot hold of a recording. Markers are kept by those that have metadata.
///
/// # Errors
/// As with [`batches`].
pub(crate) fn losses(recording: &Recording, options: &TableOptions, has_metadata: bool) -> Result<Losses> {
    let mut losses = Losses::default();
    if options.table == TableKind::Keys {
        return Ok(losses);
    }
    let times = options.timing.times(recording)?;
    losses.extend(options.timing.loss(recording, &times));
    let before_start = options.timing == Timing::Keys;
    losses.extend(frame_losses::frame_losses(
        recording,
        FrameCapabilities { none_joint: true, untracked: options.untracked_poses, before_start },
    ));
    let markers = recording.markers.len();
    if markers > 0 && !has_metadata {
        let message = format!("markers ({markers}): a table of frames has no place for them, a table of keys has");
        losses.push(Loss::new(LossKind::Markers, message));
    }
    Ok(losses)
}

/// The column that says which recording a row is of.
pub(crate) const RECORDING: &str = "recording";

/// A schema with a column for the name of the recording before all others.
pub(crate) fn schema_with_recording(schema: &Schema) -> SchemaRef {
    let first = Arc::new(Field::new(RECORDING, DataType::Utf8, false));
    let fields: Vec<_> = std::iter::once(first).chain(schema.fields().iter().cloned()).collect();
    Arc::new(Schema::new(fields))
}

/// A batch with a column for the name of the recording before all others.
pub(crate) fn with_recording(batch: &RecordBatch, schema: &SchemaRef, name: &str) -> Result<RecordBatch> {
    let names: ArrayRef = Arc::new(StringArray::from_iter_values(std::iter::repeat_n(name, batch.num_rows())));
    let columns = std::iter::once(names).chain(batch.columns().iter().cloned()).collect();
    RecordBatch::try_new(Arc::clone(schema), columns).map_err(arrow_error)
}

/// Arrow's errors in our words; those of the operating system stay what they are.
pub(crate) fn arrow_error(error: ArrowError) -> Error {
    match error {
        ArrowError::IoError(_, error) => error.into(),
        other => Error::new(ErrorKind::Invalid, other.to_string()),
    }
}
