//! Samples recordings into arrays.

use holotape::{FrameLimit, HandSamplesMut, Joint, Sampler, SamplesMut, check_rate_hz, times_at_rate};
use numpy::ndarray::{Array1, Array2, Array3};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3};
use pyo3::prelude::*;

type Hand<'py> = (Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray3<f32>>);

/// Time, camera, left, right, gaze.
pub(crate) type Samples<'py> =
    (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f32>>, Hand<'py>, Hand<'py>, Bound<'py, PyArray2<f32>>);

/// Arrays for a number of times, initially zero.
struct Arrays {
    times: Vec<f64>,
    camera: Array2<f32>,
    gaze: Array2<f32>,
    hands: [HandArrays; 2],
}

struct HandArrays {
    tracked: Array1<bool>,
    pinching: Array1<bool>,
    joints: Array3<f32>,
}

impl Arrays {
    fn zeroed(times: Vec<f64>) -> Self {
        let count = times.len();
        let hand = || HandArrays {
            tracked: Array1::from_elem(count, false),
            pinching: Array1::from_elem(count, false),
            joints: Array3::zeros((count, Joint::COUNT, 7)),
        };
        Self { camera: Array2::zeros((count, 7)), gaze: Array2::zeros((count, 6)), hands: [hand(), hand()], times }
    }

    fn fill(&mut self, sampler: &Sampler) {
        let [left, right] = &mut self.hands;
        let rows = SamplesMut {
            camera: flat(self.camera.as_slice_mut()).as_chunks_mut().0,
            gaze: flat(self.gaze.as_slice_mut()).as_chunks_mut().0,
            left: left.as_mut(),
            right: right.as_mut(),
        };
        sampler.sample_parallel(&self.times, rows);
    }

    fn into_python(self, py: Python<'_>) -> Samples<'_> {
        let [left, right] = self
            .hands
            .map(|hand| (hand.tracked.into_pyarray(py), hand.pinching.into_pyarray(py), hand.joints.into_pyarray(py)));
        (self.times.into_pyarray(py), self.camera.into_pyarray(py), left, right, self.gaze.into_pyarray(py))
    }
}

impl HandArrays {
    fn as_mut(&mut self) -> HandSamplesMut<'_> {
        HandSamplesMut {
            tracked: flat(self.tracked.as_slice_mut()),
            pinching: flat(self.pinching.as_slice_mut()),
            joints: flat(self.joints.as_slice_mut()).as_chunks_mut().0.as_chunks_mut().0,
        }
    }
}

/// New arrays are contiguous, so they have a slice.
fn flat<T>(numbers: Option<&mut [T]>) -> &mut [T] {
    numbers.unwrap_or_default()
}

/// Samples a recording without the interpreter lock, which is also released while `sampler` runs.
pub(crate) fn sample<'py>(py: Python<'py>, times: Vec<f64>, sampler: impl FnOnce() -> Sampler + Send) -> Samples<'py> {
    let filled = py.detach(|| {
        let mut arrays = Arrays::zeroed(times);
        arrays.fill(&sampler());
        arrays
    });
    filled.into_python(py)
}

/// Returns the times of a span at a rate. Samples at given times are not limited.
pub(crate) fn times(limit: FrameLimit, start: f64, end: f64, rate_hz: f64) -> holotape::Result<Vec<f64>> {
    check_rate_hz(rate_hz)?;
    limit.check(end - start, rate_hz)?;
    Ok(times_at_rate(start..=end, rate_hz).collect())
}
