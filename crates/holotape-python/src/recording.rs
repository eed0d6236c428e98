//! Immutable recordings.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use holotape::demo::DemoOptions;
use holotape::{CurveId, CurveMut, CurveRef, FrameLimit, Joint, Marker, Sampler};
use holotape_convert::plot::{self, PlotOptions};
use holotape_convert::{ImportedRecording, OpenOptions, Timing};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::IntoPyResult;
use crate::frame;
use crate::keys::Keys;
use crate::sample::{self, Samples};
use crate::write::{LossTuple, WriteOptions, loss_tuples};
use crate::{parse, player::Player};

/// A recording.
#[pyclass(frozen, module = "holotape._holotape")]
pub(crate) struct Recording {
    pub(crate) inner: Arc<holotape::Recording>,
    /// Created at the first use.
    sampler: OnceLock<Sampler>,
}

impl From<holotape::Recording> for Recording {
    fn from(recording: holotape::Recording) -> Self {
        Self { inner: Arc::new(recording), sampler: OnceLock::new() }
    }
}

impl Recording {
    pub(crate) fn sampler(&self) -> Sampler {
        self.sampler.get_or_init(|| self.inner.sampler()).clone()
    }

    fn curve(&self, name: &str) -> PyResult<(CurveId, CurveRef<'_>)> {
        let id = name.parse::<CurveId>().map_err(|error| PyKeyError::new_err(error.to_string()))?;
        let absent = || PyKeyError::new_err(format!("{name}: the recording does not have this channel"));
        Ok((id, self.inner.curve(id).ok_or_else(absent)?))
    }
}

/// One key: time, value, and if it is not linear, tangents, weights and mode.
type KeyRow = (f32, f32, Option<(f32, f32, f32, f32, i32)>);

#[pymethods]
impl Recording {
    fn __eq__(&self, other: &Self) -> bool {
        self.inner == other.inner
    }

    /// A hash of format, markers, key counts, and the last key of each curve: quick, and equal for equal recordings.
    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let holotape::Recording { format, markers, .. } = &*self.inner;
        format.hash(&mut hasher);
        for marker in markers.iter() {
            (marker.time.to_bits(), &marker.name).hash(&mut hasher);
        }
        for (id, curve) in self.inner.curves() {
            let last = match curve {
                CurveRef::Float(curve) => curve.keys.iter().next_back(),
                CurveRef::Bool(curve) => curve.keys.last().copied(),
            };
            let last = last.map(|key| [key.time, key.value].map(f32::to_bits));
            (id, curve.key_count(), last).hash(&mut hasher);
        }
        hasher.finish()
    }

    #[getter]
    fn version(&self) -> String {
        self.inner.format.layout.version().to_string()
    }

    #[getter]
    fn key_layout(&self) -> &'static str {
        self.inner.format.layout.keys().name()
    }

    #[getter]
    fn marker_list(&self) -> bool {
        self.inner.format.marker_list
    }

    #[getter]
    fn duration_secs(&self) -> f32 {
        self.inner.duration_secs()
    }

    #[getter]
    fn markers(&self) -> Vec<(f32, String)> {
        self.inner.markers.iter().map(|marker| (marker.time, marker.name.clone())).collect()
    }

    /// Returns the names of all curves, in file order.
    #[getter]
    fn curve_names(&self) -> Vec<String> {
        self.inner.curves().map(|(id, _)| id.to_string()).collect()
    }

    /// Returns the times at which any curve has a key.
    fn key_times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(py.detach(|| Timing::Keys.times(&self.inner)).into_py()?.into_pyarray(py))
    }

    fn keys(&self, name: &str) -> PyResult<Keys> {
        Ok(Keys::new(Arc::clone(&self.inner), self.curve(name)?.0))
    }

    fn wrap_modes(&self, name: &str) -> PyResult<(i32, i32)> {
        let (pre, post) = self.curve(name)?.1.wrap_modes();
        Ok((pre.0, post.0))
    }

    /// Evaluates a curve: floats, NaN if it has no keys, or booleans.
    fn values<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        times: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (_, curve) = self.curve(name)?;
        let times: Vec<_> = times.as_array().to_vec();
        Ok(match curve {
            CurveRef::Float(curve) => {
                let curve = curve.evaluator();
                let value = |time: &f64| curve.value_at(*time).unwrap_or(f64::NAN);
                py.detach(|| times.iter().map(value).collect::<Vec<_>>()).into_pyarray(py).into_any()
            }
            CurveRef::Bool(curve) => {
                let curve = curve.evaluator();
                let flags = py.detach(|| times.iter().map(|time| curve.value_at(*time)).collect::<Vec<_>>());
                flags.into_pyarray(py).into_any()
            }
        })
    }

    /// Returns the spans in which a flag is true; `None` for float curves.
    fn spans(&self, name: &str) -> PyResult<Option<Vec<(f64, f64)>>> {
        let spans = |spans: Vec<std::ops::Range<f64>>| spans.into_iter().map(|span| (span.start, span.end)).collect();
        Ok(match self.curve(name)?.1 {
            CurveRef::Float(_) => None,
            CurveRef::Bool(curve) => Some(spans(curve.spans_secs())),
        })
    }

    /// Returns times at a rate, by default within the recording.
    #[pyo3(signature = (rate, start=None, end=None))]
    fn times<'py>(
        &self,
        py: Python<'py>,
        rate: f64,
        start: Option<f64>,
        end: Option<f64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let end = end.unwrap_or_else(|| self.inner.duration_secs().into());
        Ok(sample::times(FrameLimit::for_recording(&self.inner), start.unwrap_or(0.0), end, rate)
            .into_py()?
            .into_pyarray(py))
    }

    fn sample<'py>(&self, py: Python<'py>, times: PyReadonlyArray1<'py, f64>, include_untracked: bool) -> Samples<'py> {
        let times = times.as_array().to_vec();
        sample::sample(py, times, || self.sampler().with_untracked_poses(include_untracked))
    }

    fn frame<'py>(&self, py: Python<'py>, time: f64, include_untracked: bool) -> PyResult<Bound<'py, PyAny>> {
        let frame = self.sampler().with_untracked_poses(include_untracked).frame_at(time);
        Ok(frame::to_python(py, &frame)?.into_any())
    }

    fn player(&self) -> Player {
        Player::new(self.inner.player())
    }

    /// Returns the recording with other curves, markers or format.
    #[pyo3(signature = (curves, markers, options))]
    fn replace(
        &self,
        curves: Vec<(String, Vec<KeyRow>)>,
        markers: Option<Vec<(f32, String)>>,
        options: &WriteOptions,
    ) -> PyResult<Self> {
        let mut recording = holotape::Recording::clone(&self.inner);
        for (name, keys) in curves {
            let (id, _) = self.curve(&name)?;
            recording.curve_mut(id).into_iter().for_each(|curve| set_keys(curve, &keys));
        }
        if let Some(markers) = markers {
            recording.markers = markers.into_iter().map(|(time, name)| Marker { time, name }).collect();
        }
        recording.format = options.inner.format(recording.format).into_py()?;
        Ok(recording.into())
    }

    fn save(&self, py: Python<'_>, path: PathBuf, options: &WriteOptions) -> PyResult<Vec<LossTuple>> {
        py.detach(|| options.save(&self.inner, &path)).into_py().map(loss_tuples)
    }

    fn to_bytes<'py>(
        &self,
        py: Python<'py>,
        options: &WriteOptions,
    ) -> PyResult<(Bound<'py, PyBytes>, Vec<LossTuple>)> {
        let (bytes, losses) = py.detach(|| options.to_vec(&self.inner)).into_py()?;
        Ok((PyBytes::new(py, &bytes), loss_tuples(losses)))
    }

    /// Serializes the recording losslessly, for pickle.
    fn dump<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| dump(&self.inner)).into_py()?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Draws a plot as SVG or PNG.
    #[pyo3(signature = (*, png, curves, span, size, scale, theme, title))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn plot_image<'py>(
        &self,
        py: Python<'py>,
        png: bool,
        curves: Vec<String>,
        span: Option<(f64, f64)>,
        size: Option<[u32; 2]>,
        scale: f32,
        theme: &str,
        title: Option<String>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut options = PlotOptions::new().with_curves(curves).with_scale(scale).with_theme(parse::theme(theme)?);
        options = span.into_iter().fold(options, |options, (from, to)| options.with_span_secs(from..=to));
        options = size.into_iter().fold(options, PlotOptions::with_size);
        options = title.into_iter().fold(options, |options, title| options.with_title(title));
        let draw = || match png {
            true => plot::png(&self.inner, &options),
            false => plot::svg(&self.inner, &options).map(String::into_bytes),
        };
        Ok(PyBytes::new(py, &py.detach(draw).into_py()?))
    }
}

fn set_keys(curve: CurveMut<'_>, rows: &[KeyRow]) {
    let linear = || rows.iter().map(|(time, value, _)| holotape::LinearKey::new(*time, *value)).collect();
    match curve {
        CurveMut::Bool(curve) => curve.keys = linear(),
        CurveMut::Float(curve) if rows.iter().all(|(.., shape)| shape.is_none()) => {
            curve.keys = holotape::Keys::Linear(linear());
        }
        CurveMut::Float(curve) => curve.keys = holotape::Keys::Bezier(rows.iter().map(bezier_key).collect()),
    }
}

fn bezier_key(&(time, value, shape): &KeyRow) -> holotape::BezierKey {
    let linear = holotape::BezierKey::from(holotape::LinearKey::new(time, value));
    let Some((in_tangent, out_tangent, in_weight, out_weight, mode)) = shape else { return linear };
    let weighted_mode = holotape::WeightedMode(mode);
    holotape::BezierKey { in_tangent, out_tangent, in_weight, out_weight, weighted_mode, ..linear }
}

/// Writes a file if that is lossless, and otherwise a JSON document, which is slower.
fn dump(recording: &holotape::Recording) -> holotape::Result<Vec<u8>> {
    let (bytes, losses) = recording.to_vec()?;
    if losses.is_empty() && holotape::Recording::from_slice(&bytes)? == *recording {
        return Ok(bytes);
    }
    let mut document = Vec::new();
    recording.write_json_to(&mut document)?;
    Ok(document)
}

type ImportedTuple = (Recording, &'static str, Vec<LossTuple>);

fn imported_tuple(opened: ImportedRecording) -> ImportedTuple {
    (opened.recording.into(), opened.file_format.id(), loss_tuples(opened.losses))
}

/// Opens a file of any format, or the folder of a recording.
#[pyfunction]
pub(crate) fn open_path(py: Python<'_>, path: PathBuf, space: &str) -> PyResult<ImportedTuple> {
    let options = OpenOptions::new().with_table_space(parse::space(space)?);
    py.detach(|| options.open(path)).into_py().map(imported_tuple)
}

/// Opens a file in memory, of any format.
#[pyfunction]
pub(crate) fn from_bytes(py: Python<'_>, bytes: &[u8], space: &str) -> PyResult<ImportedTuple> {
    let options = OpenOptions::new().with_table_space(parse::space(space)?);
    py.detach(|| options.from_slice(bytes)).into_py().map(imported_tuple)
}

/// Generates synthetic motion.
#[pyfunction]
pub(crate) fn demo(py: Python<'_>, seconds: f64, seed: u64, rate: f64) -> PyResult<Recording> {
    let options = DemoOptions::new().with_seconds(seconds).with_seed(seed).with_rate_hz(rate);
    py.detach(|| options.generate()).into_py().map(Recording::from)
}

/// Returns name and parent index of each joint.
#[pyfunction]
pub(crate) fn joints() -> Vec<(&'static str, Option<usize>)> {
    Joint::ALL.iter().map(|joint| (joint.name(), joint.parent().map(Joint::index))).collect()
}
