//! The keys of one curve, as rows of a table are read.

use arrow_array::Array;
use holotape::{BezierKey, BoolCurve, Curve, CurveMut, Keys, LinearKey, WrapMode};

use super::key_columns::KeyColumns;

/// The keys of one curve.
#[derive(Default)]
pub(super) struct DecodedCurve {
    pub(super) keys: Vec<BezierKey>,
    pub(super) has_tangents: bool,
    wraps: Option<(WrapMode, WrapMode)>,
    /// Rows without a value since the last key.
    pub(super) missing_rows: usize,
    /// Rows without a value between keys.
    pub(super) gap_rows: usize,
}

impl DecodedCurve {
    pub(super) fn push_value(&mut self, time: f32, value: f32) {
        self.keys.push(BezierKey::from(LinearKey::new(time, value)));
        self.gap_rows += std::mem::take(&mut self.missing_rows);
    }

    /// Adds a key if the flag changes.
    pub(super) fn push_flag(&mut self, time: f32, value: bool) {
        let value = f32::from(u8::from(value));
        if self.keys.last().is_none_or(|last| last.value != value) {
            self.push_value(time, value);
        }
    }

    /// Adds a row of a table of keys; `None` if it is incomplete.
    pub(super) fn push(&mut self, table: &KeyColumns, row: usize, sign: f32) -> Option<()> {
        self.wraps = self.wraps.or_else(|| table.wraps(row));
        if !table.time.is_valid(row) && !table.value.is_valid(row) {
            return Some(()); // The single row of a curve without keys.
        }
        let LinearKey { time, value } = table.key(row)?;
        let bezier = table.bezier(row)?;
        self.has_tangents |= bezier.is_some();
        let key = bezier.unwrap_or(BezierKey::from(LinearKey::new(0.0, 0.0)));
        self.keys.push(BezierKey {
            time,
            value: value * sign,
            in_tangent: key.in_tangent * sign,
            out_tangent: key.out_tangent * sign,
            ..key
        });
        Some(())
    }

    pub(super) fn write_into(self, curve: CurveMut<'_>) {
        let linear =
            |keys: &[BezierKey]| keys.iter().map(|key| LinearKey::new(key.time, key.value)).collect::<Vec<_>>();
        match curve {
            CurveMut::Float(curve) => {
                *curve = Curve {
                    keys: if self.has_tangents { Keys::Bezier(self.keys) } else { Keys::Linear(linear(&self.keys)) },
                    ..Curve::new()
                };
                (curve.pre_wrap, curve.post_wrap) = self.wraps.unwrap_or((curve.pre_wrap, curve.post_wrap));
            }
            CurveMut::Bool(curve) => {
                *curve = BoolCurve { keys: linear(&self.keys), ..BoolCurve::new() };
                (curve.pre_wrap, curve.post_wrap) = self.wraps.unwrap_or((curve.pre_wrap, curve.post_wrap));
            }
        }
    }
}
