//! Typed columns of a table that is read.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int32Type};
use arrow_array::{Array, ArrayRef, Float32Array, Int32Array, RecordBatch, StringArray};
use arrow_cast::CastOptions;
use arrow_schema::DataType;
use holotape::{BezierKey, Error, ErrorKind, LinearKey, Marker, Result, WeightedMode, WrapMode};

use super::arrow_error;
use super::keys::{CURVE, MARKER};

/// The columns of a batch of keys. All but the first three are optional.
pub(super) struct KeyColumns {
    pub(super) curves: StringArray,
    pub(super) time: Float32Array,
    pub(super) value: Float32Array,
    tangents_and_weights: [Option<Float32Array>; 4],
    modes: [Option<Int32Array>; 3],
    markers: Option<StringArray>,
}

impl KeyColumns {
    pub(super) fn new(batch: &RecordBatch) -> Result<Self> {
        let optional = |name: &str, kind| batch.column_by_name(name).map(|array| cast(array, kind, name)).transpose();
        let float = |name| {
            optional(name, &DataType::Float32).map(|array| array.map(|it| it.as_primitive::<Float32Type>().clone()))
        };
        let int =
            |name| optional(name, &DataType::Int32).map(|array| array.map(|it| it.as_primitive::<Int32Type>().clone()));
        let text = |name| optional(name, &DataType::Utf8).map(|array| array.map(|it| it.as_string::<i32>().clone()));
        let required = |name: &str| invalid(format!("missing column {name:?}"));
        Ok(Self {
            curves: text(CURVE)?.ok_or_else(|| required(CURVE))?,
            time: float("time")?.ok_or_else(|| required("time"))?,
            value: float("value")?.ok_or_else(|| required("value"))?,
            tangents_and_weights: [
                float("in_tangent")?,
                float("out_tangent")?,
                float("in_weight")?,
                float("out_weight")?,
            ],
            modes: [int("weighted_mode")?, int("pre_wrap")?, int("post_wrap")?],
            markers: text(MARKER)?,
        })
    }

    /// Time and value; `None` if the row has no key.
    pub(super) fn key(&self, row: usize) -> Option<LinearKey> {
        let has_key = self.time.is_valid(row) && self.value.is_valid(row);
        has_key.then(|| LinearKey::new(self.time.value(row), self.value.value(row)))
    }

    /// Tangents and weights: `Some(None)` if the row has none, `None` if it has only some.
    pub(super) fn bezier(&self, row: usize) -> Option<Option<BezierKey>> {
        let float =
            |n: usize| self.tangents_and_weights[n].as_ref().filter(|it| it.is_valid(row)).map(|it| it.value(row));
        match ([float(0), float(1), float(2), float(3)], self.mode(0, row)) {
            ([None, None, None, None], None) => Some(None),
            ([Some(in_tangent), Some(out_tangent), Some(in_weight), Some(out_weight)], Some(mode)) => {
                let weighted_mode = WeightedMode(mode);
                let (time, value) = (0.0, 0.0);
                Some(Some(BezierKey { time, value, in_tangent, out_tangent, in_weight, out_weight, weighted_mode }))
            }
            _ => None,
        }
    }

    fn mode(&self, n: usize, row: usize) -> Option<i32> {
        self.modes[n].as_ref().filter(|modes| modes.is_valid(row)).map(|modes| modes.value(row))
    }

    pub(super) fn wraps(&self, row: usize) -> Option<(WrapMode, WrapMode)> {
        Some((WrapMode(self.mode(1, row)?), WrapMode(self.mode(2, row)?)))
    }

    pub(super) fn marker(&self, row: usize) -> Option<Marker> {
        let name = self.markers.as_ref().filter(|names| names.is_valid(row))?.value(row);
        self.time.is_valid(row).then(|| Marker { time: self.time.value(row), name: name.to_owned() })
    }
}

pub(super) fn column(batch: &RecordBatch, name: &str) -> Result<ArrayRef> {
    batch.column_by_name(name).cloned().ok_or_else(|| invalid(format!("missing column {name:?}")))
}

pub(super) fn cast(array: &ArrayRef, to: &DataType, name: &str) -> Result<ArrayRef> {
    if array.data_type() == to {
        return Ok(array.clone());
    }
    // A safe cast would replace invalid values by null.
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let cast = arrow_cast::cast_with_options(array, to, &options);
    cast.map_err(|error| invalid(format!("column {name:?}: {}", arrow_error(error))))
}

pub(super) fn invalid(message: String) -> Error {
    Error::new(ErrorKind::Invalid, message)
}
