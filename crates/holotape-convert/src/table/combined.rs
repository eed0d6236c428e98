//! The columns that tables of many recordings have in addition: `recording`, and for keys `hand`.
//!
//! [`CombinedTableWriter`](crate::combined_table::CombinedTableWriter) and the datasets of `holotape-corpus` use these.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int16Type;
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use holotape::{CurveId, Recording, Result};

use super::keys::{self, CURVE};
use super::{TableKind, TableOptions, arrow_error};
use crate::Space;

/// The column with the name of the recording.
pub const RECORDING: &str = "recording";

/// The column of a table of keys with the hand of the curve: `left`, `right` or null.
pub(crate) const HAND: &str = "hand";

/// Returns the schema of a table of many recordings: `recording`, for keys `hand`, and the columns of one recording. Names
/// of curves are plain text, because Spark does not support dictionaries.
///
/// ```
/// use holotape_convert::table::{TableKind, combined_schema};
///
/// assert_eq!(combined_schema(TableKind::Frames).field(1).name(), "time");
/// assert_eq!(combined_schema(TableKind::Keys).field(1).name(), "hand");
/// ```
#[must_use]
pub fn combined_schema(table: TableKind) -> SchemaRef {
    let of_one = super::schema(&TableOptions::new().with_table(table));
    let recording = Field::new(RECORDING, DataType::Utf8, false);
    let hand = (table == TableKind::Keys).then(|| Field::new(HAND, DataType::Utf8, true));
    let columns = of_one.fields().iter().map(|field| match field.name() == CURVE {
        true => Field::new(CURVE, DataType::Utf8, false),
        false => (**field).clone(),
    });
    Arc::new(Schema::new([recording].into_iter().chain(hand).chain(columns).collect::<Vec<_>>()))
}

/// Adds the columns of a combined table to a batch of one recording. `schema` must have the fields of [`combined_schema`].
///
/// ```
/// use holotape_convert::table::{TableKind, TableOptions, batches, combined_batch, combined_schema};
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let schema = combined_schema(TableKind::Frames);
/// for batch in batches(&recording, &TableOptions::new())? {
///     assert_eq!(combined_batch("p01/reach.bin", &batch?, &schema)?.num_columns(), 397);
/// }
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If the columns do not match the schema.
pub fn combined_batch(recording: &str, batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
    let names = StringArray::from_iter_values(std::iter::repeat_n(recording, batch.num_rows()));
    let mut columns: Vec<ArrayRef> = vec![Arc::new(names)];
    let curves = batch.columns().first().and_then(|column| column.as_dictionary_opt::<Int16Type>());
    if let Some(curves) = curves {
        let (names, hands) = (curves.values().as_string::<i32>(), keys::hands());
        let codes = || curves.keys().values().iter().map(|code| usize::try_from(*code).unwrap_or(0));
        columns.push(Arc::new(codes().map(|code| hands.get(code).copied().flatten()).collect::<StringArray>()));
        columns.push(Arc::new(StringArray::from_iter_values(codes().map(|code| names.value(code)))));
    }
    columns.extend(batch.columns().iter().skip(usize::from(curves.is_some())).cloned());
    RecordBatch::try_new(Arc::clone(schema), columns).map_err(arrow_error)
}

/// Returns batches of the table of keys of one recording, with a selection of rows. `has_curve` selects curves, and for
/// `None` the markers. `has_time` selects rows; the time is `None` in the single row of a curve without keys.
///
/// ```
/// use holotape_convert::{Space, table::key_batches};
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let mut markers = key_batches(&recording, Space::Unity, |curve| curve.is_none(), |_| true);
/// assert_eq!(markers.next().transpose()?.map_or(0, |batch| batch.num_rows()), recording.markers.len());
/// # Ok::<(), holotape::Error>(())
/// ```
pub fn key_batches<'a>(
    recording: &'a Recording,
    space: Space,
    has_curve: impl Fn(Option<CurveId>) -> bool,
    has_time: impl Fn(Option<f32>) -> bool + Send + 'a,
) -> Box<dyn Iterator<Item = Result<RecordBatch>> + Send + 'a> {
    keys::selected_batches(recording, space, has_curve, has_time)
}
