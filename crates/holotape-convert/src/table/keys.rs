//! Tables with one row per key.

use std::sync::Arc;

use arrow_array::types::Int16Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, Float32Array, Int16Array, Int32Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use holotape::format::Channels;
use holotape::{
    BezierKey, BodyPart, Curve, CurveId, CurveRef, Hand, Keys, LinearKey, Marker, Recording, Result, WrapMode,
};

use super::arrow_error;
use super::batches::BATCH_ROWS;
use crate::Space;

/// The column with the name of the curve.
pub(super) const CURVE: &str = "curve";

/// The value of [`CURVE`] in rows that are markers, and the column with the name of the marker.
pub(super) const MARKER: &str = "marker";

pub(super) fn schema() -> SchemaRef {
    let names = DataType::Dictionary(Box::new(DataType::Int16), Box::new(DataType::Utf8));
    let float = |name| Field::new(name, DataType::Float32, true);
    let int = |name| Field::new(name, DataType::Int32, true);
    Arc::new(Schema::new(vec![
        Field::new(CURVE, names, false),
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

#[derive(Clone, Copy, Default)]
struct Row<'a> {
    /// Index among the [`names`].
    curve: i16,
    time: Option<f32>,
    value: Option<f32>,
    bezier: Option<BezierKey>,
    wraps: Option<(WrapMode, WrapMode)>,
    marker: Option<&'a str>,
}

/// Batches of the keys of a recording, curve by curve in file order, then of its markers. `has_curve` selects curves,
/// and for `None` the markers; `has_time` selects rows.
pub(super) fn selected_batches<'a>(
    recording: &'a Recording,
    space: Space,
    has_curve: impl Fn(Option<CurveId>) -> bool,
    has_time: impl Fn(Option<f32>) -> bool + Send + 'a,
) -> Box<dyn Iterator<Item = Result<RecordBatch>> + Send + 'a> {
    let curves: Vec<_> = CurveId::all(Channels::ALL)
        .zip(0..)
        .filter_map(|(id, number)| Some((id, number, recording.curve(id)?)))
        .filter(|(id, ..)| has_curve(Some(*id)))
        .collect();
    let curves = curves.into_iter().flat_map(move |(id, number, curve)| curve_rows(number, curve, sign(space, id)));
    let has_markers = has_curve(None);
    let markers = recording.markers.iter().filter(move |_| has_markers).map(marker_row);
    let mut rows = curves.chain(markers).filter(move |row| has_time(row.time));
    let (schema, names) = (schema(), names());
    Box::new(std::iter::from_fn(move || {
        let rows: Vec<_> = rows.by_ref().take(BATCH_ROWS).collect();
        (!rows.is_empty()).then(|| batch(&schema, &names, &rows))
    }))
}

/// All keys of a recording. A table without rows still has columns: at least one batch.
pub(super) fn batches(recording: &Recording, space: Space) -> Vec<Result<RecordBatch>> {
    let mut batches: Vec<_> = selected_batches(recording, space, |_| true, |_| true).collect();
    if batches.is_empty() {
        batches.push(Ok(RecordBatch::new_empty(schema())));
    }
    batches
}

/// The values of the column `curve`: the names of all curves, in file order, and `marker`.
fn names() -> ArrayRef {
    let curves = CurveId::all(Channels::ALL).map(|id| id.to_string());
    Arc::new(StringArray::from(curves.chain([MARKER.to_owned()]).collect::<Vec<_>>()))
}

/// The hands of the [`names`].
pub(super) fn hands() -> Vec<Option<&'static str>> {
    let hand = |id| match BodyPart::from_curve(id) {
        BodyPart::Hand(hand) => Some(Hand::name(hand)),
        BodyPart::Camera | BodyPart::Gaze => None,
    };
    CurveId::all(Channels::ALL).map(hand).chain([None]).collect()
}

fn curve_rows(number: i16, curve: CurveRef<'_>, sign: f32) -> Box<dyn Iterator<Item = Row<'_>> + Send + '_> {
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

/// The factor that converts a component from Unity's coordinates, or back: 1 or -1.
pub(super) fn sign(space: Space, id: CurveId) -> f32 {
    let ([x, y, z], [qx, qy, qz, qw]) = (space.vector([1.0; 3]), space.rotation([1.0; 4]));
    match id {
        CurveId::Camera(component) | CurveId::Joint(_, _, component) => [x, y, z, qx, qy, qz, qw][component as usize],
        CurveId::Gaze(component) => [x, y, z, x, y, z][component as usize],
        CurveId::Tracked(_) | CurveId::Pinching(_) => 1.0,
    }
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
