//! Builders of columns.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float32Array};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer};

/// The columns of a pose or a ray, which are null together.
pub(super) struct FloatColumns<const N: usize> {
    values: [Vec<f32>; N],
    validity: BooleanBufferBuilder,
}

impl<const N: usize> FloatColumns<N> {
    pub(super) fn with_capacity(rows: usize) -> Self {
        Self { values: std::array::from_fn(|_| Vec::with_capacity(rows)), validity: BooleanBufferBuilder::new(rows) }
    }

    #[inline]
    pub(super) fn push(&mut self, values: Option<[f32; N]>) {
        self.validity.append(values.is_some());
        for (column, value) in self.values.iter_mut().zip(values.unwrap_or([0.0; N])) {
            column.push(value);
        }
    }

    pub(super) fn into_arrays(mut self) -> impl Iterator<Item = ArrayRef> {
        let nulls = NullBuffer::new(self.validity.finish());
        let nulls = (nulls.null_count() > 0).then_some(nulls);
        let array = move |values: Vec<f32>| Arc::new(Float32Array::new(values.into(), nulls.clone())) as ArrayRef;
        self.values.into_iter().map(array)
    }
}

/// A column of flags.
pub(super) struct BoolColumn(Vec<Option<bool>>);

impl BoolColumn {
    pub(super) fn with_capacity(rows: usize) -> Self {
        Self(Vec::with_capacity(rows))
    }

    pub(super) fn push(&mut self, value: Option<bool>) {
        self.0.push(value);
    }

    pub(super) fn into_array(self) -> ArrayRef {
        Arc::new(BooleanArray::from(self.0))
    }
}
