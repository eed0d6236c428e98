//! The columns of the four tables. `docs/corpus.md` documents them, and a test compares the two.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use holotape::stats::{Metric, MetricValue};
use holotape_convert::table::{self, RECORDING, TableKind};

use crate::Table;

/// The version of the columns. It changes if a column changes its name, type, unit or meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// Metadata key of [`SCHEMA_VERSION`].
pub(crate) const VERSION_KEY: &str = "holotape.corpus_schema_version";

/// Returns the columns of a table.
///
/// ```
/// use holotape_corpus::{Table, schema};
///
/// assert_eq!(schema(Table::Frames).field(1).name(), "time");
/// assert_eq!(schema(Table::Events).field_with_name("start_secs").unwrap().metadata()["unit"], "s");
/// ```
#[must_use]
pub fn schema(table: Table) -> SchemaRef {
    let columns = match table {
        Table::Recordings => recordings(),
        Table::Frames => combined(TableKind::Frames),
        Table::Events => events(),
        Table::Keys => combined(TableKind::Keys),
    };
    let version = HashMap::from([(VERSION_KEY.to_owned(), SCHEMA_VERSION.to_string())]);
    Arc::new(Schema::new(columns).with_metadata(version))
}

/// The columns of `convert --into`.
fn combined(table: TableKind) -> Vec<Field> {
    table::combined_schema(table).fields().iter().map(|field| (**field).clone()).collect()
}

fn recordings() -> Vec<Field> {
    let file_and_recording = [
        text(RECORDING).with_nullable(false),
        text("folder").with_nullable(false),
        text("path").with_nullable(false),
        text("sha256"),
        count("file_bytes"),
        text("error"),
        text("file_format"),
        text("version"),
        text("key_layout"),
        number("duration_secs", "s"),
        flag("has_camera"),
        flag("has_hands"),
        flag("has_gaze"),
        count("key_count"),
        count("camera_key_count"),
        count("left_key_count"),
        count("right_key_count"),
        count("gaze_key_count"),
        count("marker_count"),
        count("error_count"),
        count("warning_count"),
        count("note_count"),
        Field::new("finding_codes", DataType::List(Arc::new(Field::new("item", DataType::Utf8, false))), true),
    ];
    file_and_recording.into_iter().chain(Metric::all(None).iter().map(metric)).collect()
}

fn metric(metric: &Metric) -> Field {
    match metric.value {
        MetricValue::Flag(_) => flag(&metric.name()),
        MetricValue::Count(_) => count(&metric.name()),
        MetricValue::Number(_) => number(&metric.name(), metric.unit.unwrap_or("1")),
    }
}

fn events() -> Vec<Field> {
    let position = |name: &str| with_unit(Field::new(name, DataType::Float32, true), "m");
    let direction = |name: &str| with_unit(Field::new(name, DataType::Float32, true), "1");
    vec![
        text(RECORDING).with_nullable(false),
        text("kind").with_nullable(false),
        text("hand"),
        number("start_secs", "s").with_nullable(false),
        number("end_secs", "s").with_nullable(false),
        text("name"),
        position("x"),
        position("y"),
        position("z"),
        direction("direction_x"),
        direction("direction_y"),
        direction("direction_z"),
    ]
}

fn text(name: &str) -> Field {
    Field::new(name, DataType::Utf8, true)
}

fn flag(name: &str) -> Field {
    Field::new(name, DataType::Boolean, true)
}

fn count(name: &str) -> Field {
    Field::new(name, DataType::Int64, true)
}

fn number(name: &str, unit: &str) -> Field {
    with_unit(Field::new(name, DataType::Float64, true), unit)
}

fn with_unit(field: Field, unit: &str) -> Field {
    field.with_metadata(HashMap::from([("unit".to_owned(), unit.to_owned())]))
}
