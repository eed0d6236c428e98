//! The keys of a curve as a NumPy array, without a copy.

use std::sync::Arc;

use holotape::{BezierKey, Curve, CurveId, CurveRef, LinearKey};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The keys of one curve. NumPy's array interface passes their address and fields to NumPy, which keeps this object, and
/// with it the recording, alive. Recordings in Python are immutable, so the keys stay valid; the array is read-only.
#[pyclass(frozen, module = "holotape._holotape")]
pub(crate) struct Keys {
    recording: Arc<holotape::Recording>,
    id: CurveId,
}

const LINEAR: [(&str, &str); 2] = [("time", "f4"), ("value", "f4")];

const BEZIER: [(&str, &str); 7] = [
    ("time", "f4"),
    ("value", "f4"),
    ("in_tangent", "f4"),
    ("out_tangent", "f4"),
    ("in_weight", "f4"),
    ("out_weight", "f4"),
    ("weighted_mode", "i4"),
];

impl Keys {
    pub(crate) fn new(recording: Arc<holotape::Recording>, id: CurveId) -> Self {
        Self { recording, id }
    }

    /// Returns address, number, size and fields of the keys. Both key types are `repr(C)`.
    fn layout(&self) -> (usize, usize, usize, &'static [(&'static str, &'static str)]) {
        let linear =
            |keys: &[LinearKey]| (keys.as_ptr().expose_provenance(), keys.len(), size_of::<LinearKey>(), &LINEAR[..]);
        let bezier =
            |keys: &[BezierKey]| (keys.as_ptr().expose_provenance(), keys.len(), size_of::<BezierKey>(), &BEZIER[..]);
        match self.recording.curve(self.id) {
            Some(CurveRef::Bool(curve)) => linear(&curve.keys),
            Some(CurveRef::Float(Curve { keys: holotape::Keys::Linear(keys), .. })) => linear(keys),
            Some(CurveRef::Float(Curve { keys: holotape::Keys::Bezier(keys), .. })) => bezier(keys),
            None => linear(&[]),
        }
    }
}

#[pymethods]
impl Keys {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (address, count, key_bytes, fields) = self.layout();
        let order = if cfg!(target_endian = "little") { '<' } else { '>' };
        let fields: Vec<_> = fields.iter().map(|(name, type_code)| (*name, format!("{order}{type_code}"))).collect();
        let is_read_only = true;
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", (count,))?;
        interface.set_item("typestr", format!("|V{key_bytes}"))?;
        interface.set_item("descr", fields)?;
        interface.set_item("data", (address, is_read_only))?;
        Ok(interface)
    }
}
