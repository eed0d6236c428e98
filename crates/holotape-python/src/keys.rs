//! The keys of a curve, for NumPy to look at where they are.

use std::sync::Arc;

use holotape::{BezierKey, Curve, CurveId, CurveRef, LinearKey};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The keys of one curve. NumPy makes an array of them without a copy: by its array interface it learns where they are in
/// memory and what they look like, and it keeps this object, which keeps the recording. Nobody can change a recording that
/// Python has, so they stay there as they are, and the array is read-only.
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

    /// Address, number and fields of the keys. Both sorts of keys are declared to lie in memory as their fields do.
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
    /// What NumPy asks for.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (address, count, key_bytes, fields) = self.layout();
        let order = if cfg!(target_endian = "little") { '<' } else { '>' };
        let fields: Vec<_> = fields.iter().map(|(name, form)| (*name, format!("{order}{form}"))).collect();
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
