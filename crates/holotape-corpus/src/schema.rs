//! The columns of the four tables: `docs/corpus.md` documents them, and a test compares the two.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use holotape_convert::table::{self, TableOptions};

use crate::Table;

/// Which columns there are. Another number where any has another name, type, unit or meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// The columns of a table.
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
        Table::Frames => frames(),
        Table::Events => events(),
        Table::Keys => keys(),
    };
    let version = HashMap::from([("holotape.corpus".to_owned(), SCHEMA_VERSION.to_string())]);
    Arc::new(Schema::new(columns).with_metadata(version))
}

/// The take that a row is of, in every table: its path below the folder of the corpus, with `/` between folders.
pub(crate) const TAKE: &str = "take";

fn recordings() -> Vec<Field> {
    let hand = |hand: &str| {
        [
            share(&format!("{hand}_tracked_share")),
            secs(&format!("{hand}_tracked_secs")),
            count(&format!("{hand}_spells")),
        ]
        .into_iter()
        .chain(travel(hand))
        .chain([
            count(&format!("{hand}_pinches")),
            secs(&format!("{hand}_pinch_secs")),
            secs(&format!("{hand}_pinch_mean_secs")),
            secs(&format!("{hand}_pinch_shortest_secs")),
            secs(&format!("{hand}_pinch_longest_secs")),
        ])
    };
    let about_the_file = [
        text(TAKE).with_nullable(false),
        text("folder").with_nullable(false),
        text("path").with_nullable(false),
        text("sha256"),
        count("bytes"),
        text("error"),
        text("kind"),
        text("version"),
        text("layout"),
    ];
    let about_the_recording = [
        secs("duration_secs"),
        flag("has_camera"),
        flag("has_hands"),
        flag("has_gaze"),
        count("key_count"),
        count("camera_keys"),
        count("left_keys"),
        count("right_keys"),
        count("gaze_keys"),
        count("markers"),
        count("errors"),
        count("warnings"),
        count("notes"),
        Field::new("findings", DataType::List(Arc::new(Field::new("item", DataType::Utf8, false))), true),
    ];
    let gaze = [
        flag("gaze_follows_head"),
        count("fixations"),
        secs("fixation_secs"),
        secs("fixation_mean_secs"),
        count("saccades"),
        number("saccade_mean_deg", "deg"),
        number("gaze_max_speed_deg_per_sec", "deg/s"),
    ];
    about_the_file
        .into_iter()
        .chain(about_the_recording)
        .chain(travel("head"))
        .chain(hand("left"))
        .chain(hand("right"))
        .chain(gaze)
        .collect()
}

/// How a head or a hand went.
fn travel(of: &str) -> [Field; 4] {
    [
        number(&format!("{of}_path_m"), "m"),
        number(&format!("{of}_turned_deg"), "deg"),
        number(&format!("{of}_mean_speed_m_per_sec"), "m/s"),
        number(&format!("{of}_max_speed_m_per_sec"), "m/s"),
    ]
}

fn frames() -> Vec<Field> {
    let columns = table::schema(&TableOptions::new());
    std::iter::once(text(TAKE).with_nullable(false))
        .chain(columns.fields().iter().map(|field| (**field).clone()))
        .collect()
}

fn events() -> Vec<Field> {
    let place = |name: &str| with_unit(Field::new(name, DataType::Float32, true), "m");
    let direction = |name: &str| with_unit(Field::new(name, DataType::Float32, true), "1");
    vec![
        text(TAKE).with_nullable(false),
        text("kind").with_nullable(false),
        text("hand"),
        secs("start_secs").with_nullable(false),
        secs("end_secs").with_nullable(false),
        text("name"),
        place("x"),
        place("y"),
        place("z"),
        direction("direction_x"),
        direction("direction_y"),
        direction("direction_z"),
    ]
}

fn keys() -> Vec<Field> {
    let columns = table::schema(&TableOptions::new().with_table(table::TableKind::Keys));
    let curve = |field: &Field| match field.data_type() {
        // Spark has no dictionaries.
        DataType::Dictionary(_, values) => Field::new(field.name(), values.as_ref().clone(), field.is_nullable()),
        _ => field.clone(),
    };
    [text(TAKE).with_nullable(false), text("hand")]
        .into_iter()
        .chain(columns.fields().iter().map(|field| curve(field)))
        .collect()
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

fn secs(name: &str) -> Field {
    number(name, "s")
}

fn share(name: &str) -> Field {
    number(name, "1")
}

fn number(name: &str, unit: &str) -> Field {
    with_unit(Field::new(name, DataType::Float64, true), unit)
}

fn with_unit(field: Field, unit: &str) -> Field {
    field.with_metadata(HashMap::from([("unit".to_owned(), unit.to_owned())]))
}
