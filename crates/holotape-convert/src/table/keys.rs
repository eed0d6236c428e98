//! A row for each key.

use std::sync::Arc;

use arrow_array::types::Int16Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, Float32Array, Int16Array, Int32Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use holotape::format::Channels;
use holotape::{
    BezierKey, Curve, CurveId, CurveRef, Keys, LinearKey, Marker, PoseComponent, RayComponent, Recording, Result,
    WrapMode,
};

use super::{BATCH_ROWS, arrow_error};
use crate::Space;

/// The curve of rows that are markers.
pub(super) const MARKER: &str = "marker";

pub(super) fn schema() -> SchemaRef {
    let names = DataType::Dictionary(Box::new(DataType::Int16), Box::new(DataType::Utf8));
    let float = |name| Field::new(name, DataType::Float32, true);
    let int = |name| Field::new(name, DataType::Int32, true);
    Arc::new(Schema::new(vec![
        Field::new("curve", names, false),
        float("time"),
        float("value"),
        float("in_tangent"),
        float("out_tangent"),
        float("in_weight"),
        float("out_weight"),
        int("weighted_mode"),
        int("pre_wrap"),
        int("post_wrap"),
        Field::new(MARKER, DataType::Utf8, true),
    ]))
}

/// One row.
#[derive(Clone, Copy, Default)]
struct Row<'a> {
    curve: i16,
    time: Option<f32>,
    value: Option<f32>,
    bezier: Option<BezierKey>,
    wraps: Option<(WrapMode, WrapMode)>,
    marker: Option<&'a str>,
}

/// All keys of a recording, curve by curve in the order of the file, then its markers.
pub(super) fn batches(recording: &Recording, space: Space) -> Vec<Result<RecordBatch>> {
    let (schema, names) = (schema(), names());
    let mut batches = Vec::new();
    let mut rows = Vec::with_capacity(BATCH_ROWS);
    let mut flush = |rows: &mut Vec<Row<'_>>| {
        batches.push(batch(&schema, &names, rows));
        rows.clear();
    };
    let curves =
        CurveId::all(Channels::ALL).zip(0..).filter_map(|(id, number)| Some((id, number, recording.curve(id)?)));
    let curves = curves.flat_map(|(id, number, curve)| curve_rows(number, curve, sign(space, id)));
    let markers = recording.markers.iter().map(marker_row);
    for row in curves.chain(markers) {
        rows.push(row);
        if rows.len() == BATCH_ROWS {
            flush(&mut rows);
        }
    }
    flush(&mut rows);
    batches
}

/// What a table may say in the column `curve`: every name, in the order of the file, and `marker` behind them.
fn names() -> ArrayRef {
    let curves = CurveId::all(Channels::ALL).map(|id| id.to_string());
    Arc::new(StringArray::from(curves.chain([MARKER.to_owned()]).collect::<Vec<_>>()))
}

fn curve_rows(number: i16, curve: CurveRef<'_>, sign: f32) -> Box<dyn Iterator<Item = Row<'_>> + '_> {
    let row = Row { curve: number, wraps: Some(curve.wrap_modes()), ..Row::default() };
    let linear = move |key: &LinearKey| Row { time: Some(key.time), value: Some(key.value * sign), ..row };
    let bezier = move |key: &BezierKey| {
        let key = BezierKey {
            value: key.value * sign,
            in_tangent: key.in_tangent * sign,
            out_tangent: key.out_tangent * sign,
            ..*key
        };
        Row { time: Some(key.time), value: Some(key.value), bezier: Some(key), ..row }
    };
    match curve {
        _ if curve.key_count() == 0 => Box::new(std::iter::once(row)),
        CurveRef::Bool(curve) => Box::new(curve.keys.iter().map(linear)),
        CurveRef::Float(Curve { keys: Keys::Linear(keys), .. }) => Box::new(keys.iter().map(linear)),
        CurveRef::Float(Curve { keys: Keys::Bezier(keys), .. }) => Box::new(keys.iter().map(bezier)),
    }
}

fn marker_row(marker: &Marker) -> Row<'_> {
    let curve = CurveId::all(Channels::ALL).count() as i16;
    Row { curve, time: Some(marker.time), marker: Some(&marker.name), ..Row::default() }
}

/// What a component is multiplied with to be in a space: the z of vectors, the x and y of rotations turn over.
pub(super) fn sign(space: Space, id: CurveId) -> f32 {
    let turns = match id {
        CurveId::Camera(part) | CurveId::Joint(_, _, part) => {
            [PoseComponent::PositionZ, PoseComponent::RotationX, PoseComponent::RotationY].contains(&part)
        }
        CurveId::Gaze(part) => [RayComponent::OriginZ, RayComponent::DirectionZ].contains(&part),
        CurveId::Tracked(_) | CurveId::Pinching(_) => false,
    };
    if space == Space::RightHanded && turns { -1.0 } else { 1.0 }
}

fn batch(schema: &SchemaRef, names: &ArrayRef, rows: &[Row<'_>]) -> Result<RecordBatch> {
    fn floats<'a>(rows: &[Row<'a>], value: impl Fn(&Row<'a>) -> Option<f32>) -> ArrayRef {
        Arc::new(rows.iter().map(value).collect::<Float32Array>())
    }
    fn ints<'a>(rows: &[Row<'a>], value: impl Fn(&Row<'a>) -> Option<i32>) -> ArrayRef {
        Arc::new(rows.iter().map(value).collect::<Int32Array>())
    }
    let numbers: Int16Array = rows.iter().map(|row| Some(row.curve)).collect();
    let curves = DictionaryArray::<Int16Type>::try_new(numbers, Arc::clone(names)).map_err(arrow_error)?;
    let columns: Vec<ArrayRef> = vec![
        Arc::new(curves),
        floats(rows, |row| row.time),
        floats(rows, |row| row.value),
        floats(rows, |row| Some(row.bezier?.in_tangent)),
        floats(rows, |row| Some(row.bezier?.out_tangent)),
        floats(rows, |row| Some(row.bezier?.in_weight)),
        floats(rows, |row| Some(row.bezier?.out_weight)),
        ints(rows, |row| Some(row.bezier?.weighted_mode.0)),
        ints(rows, |row| Some(row.wraps?.0.0)),
        ints(rows, |row| Some(row.wraps?.1.0)),
        Arc::new(rows.iter().map(|row| row.marker).collect::<StringArray>()),
    ];
    debug_assert!(columns.iter().all(|column| column.len() == rows.len()));
    RecordBatch::try_new(Arc::clone(schema), columns).map_err(arrow_error)
}
