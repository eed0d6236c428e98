//! Creates recordings from arrays of frames.

use holotape::{Frame, HandFrame, Joint, Pose, Ray};
use numpy::PyReadonlyArray1;
use numpy::{PyReadonlyArray2, PyReadonlyArray3};
use pyo3::prelude::*;

use crate::recording::Recording;
use crate::write::{LossTuple, loss_tuples};

/// Tracked, pinching, joints.
type Hand<'py> = (PyReadonlyArray1<'py, bool>, PyReadonlyArray1<'py, bool>, PyReadonlyArray3<'py, f32>);

/// Arrays whose shapes were checked in Python. NaN values are absent.
struct Rows<'py> {
    camera: Option<PyReadonlyArray2<'py, f32>>,
    gaze: Option<PyReadonlyArray2<'py, f32>>,
    left: Option<Hand<'py>>,
    right: Option<Hand<'py>>,
}

impl Rows<'_> {
    fn frame(&self, row: usize, time: f64) -> Frame {
        let pose = |[px, py, pz, x, y, z, w]: [f32; 7]| Pose { position: [px, py, pz], rotation: [x, y, z, w] };
        let camera = self.camera.as_ref().and_then(|camera| number_row(|n| camera.get([row, n]).copied()));
        let gaze = self.gaze.as_ref().and_then(|gaze| number_row(|n| gaze.get([row, n]).copied()));
        let hand = |(tracked, pinching, joints): &Hand<'_>| {
            let flag = |flags: &PyReadonlyArray1<'_, bool>| flags.get(row).copied().unwrap_or(false);
            let joint = |joint: usize| number_row(|n| joints.get([row, joint, n]).copied()).map(pose);
            HandFrame {
                tracked: flag(tracked),
                pinching: flag(pinching),
                joints: std::array::from_fn::<_, { Joint::COUNT }, _>(joint),
            }
        };
        Frame {
            time,
            camera: camera.map(pose),
            gaze: gaze.map(|[ox, oy, oz, x, y, z]| Ray { origin: [ox, oy, oz], direction: [x, y, z] }),
            left: self.left.as_ref().map(hand),
            right: self.right.as_ref().map(hand),
        }
    }
}

/// Returns `N` numbers; `None` if all are NaN.
fn number_row<const N: usize>(number: impl Fn(usize) -> Option<f32>) -> Option<[f32; N]> {
    let row: [f32; N] = std::array::from_fn(|n| number(n).unwrap_or(f32::NAN));
    row.iter().any(|number| !number.is_nan()).then_some(row)
}

/// Creates a recording from arrays.
#[pyfunction]
pub(crate) fn from_frames<'py>(
    time: PyReadonlyArray1<'py, f64>,
    camera: Option<PyReadonlyArray2<'py, f32>>,
    gaze: Option<PyReadonlyArray2<'py, f32>>,
    left: Option<Hand<'py>>,
    right: Option<Hand<'py>>,
) -> (Recording, Vec<LossTuple>) {
    let rows = Rows { camera, gaze, left, right };
    let frames = time.as_array().iter().enumerate().map(|(row, time)| rows.frame(row, *time)).collect::<Vec<_>>();
    let (recording, losses) = holotape_convert::from_frames(frames);
    (recording.into(), loss_tuples(losses))
}
