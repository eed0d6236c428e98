//! Converts frames to and from dictionaries, with the names of their JSON form.

use holotape::{Frame, Hand, HandFrame, Joint, Pose, Ray};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};

pub(crate) fn to_python<'py>(py: Python<'py>, frame: &Frame) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("time", frame.time)?;
    if let Some(pose) = &frame.camera {
        dict.set_item("camera", pose_dict(py, pose)?)?;
    }
    if let Some(Ray { origin, direction }) = &frame.gaze {
        let gaze = PyDict::new(py);
        gaze.set_item("origin", origin)?;
        gaze.set_item("direction", direction)?;
        dict.set_item("gaze", gaze)?;
    }
    for hand in Hand::ALL {
        if let Some(frame) = frame.hand(hand) {
            dict.set_item(hand.name(), hand_dict(py, frame)?)?;
        }
    }
    Ok(dict)
}

fn hand_dict<'py>(py: Python<'py>, hand: &HandFrame) -> PyResult<Bound<'py, PyDict>> {
    let (dict, joints) = (PyDict::new(py), PyDict::new(py));
    dict.set_item("tracked", hand.tracked)?;
    dict.set_item("pinching", hand.pinching)?;
    for (joint, pose) in Joint::ALL.iter().zip(&hand.joints) {
        if let Some(pose) = pose {
            joints.set_item(joint.name(), pose_dict(py, pose)?)?;
        }
    }
    if !joints.is_empty() {
        dict.set_item("joints", joints)?;
    }
    Ok(dict)
}

fn pose_dict<'py>(py: Python<'py>, pose: &Pose) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("position", pose.position)?;
    dict.set_item("rotation", pose.rotation)?;
    Ok(dict)
}

/// Converts a dictionary to a frame. Unknown names are errors, so that typing errors do not lose data.
pub(crate) fn from_python(frame: &Bound<'_, PyAny>) -> PyResult<Frame> {
    let fields = Fields::new("a frame", frame, &["time", "camera", "gaze", "left", "right"])?;
    let time = fields.get("time")?.ok_or_else(|| PyKeyError::new_err("missing field time in a frame"))?.extract()?;
    Ok(Frame {
        time,
        camera: fields.get("camera")?.map(|camera| pose("camera", &camera)).transpose()?,
        gaze: fields.get("gaze")?.map(|gaze| ray(&gaze)).transpose()?,
        left: fields.get("left")?.map(|left| hand("left", &left)).transpose()?,
        right: fields.get("right")?.map(|right| hand("right", &right)).transpose()?,
    })
}

fn pose(name: &str, pose: &Bound<'_, PyAny>) -> PyResult<Pose> {
    let fields = Fields::new(name, pose, &["position", "rotation"])?;
    Ok(Pose { position: fields.numbers("position")?, rotation: fields.numbers("rotation")? })
}

fn ray(ray: &Bound<'_, PyAny>) -> PyResult<Ray> {
    let fields = Fields::new("gaze", ray, &["origin", "direction"])?;
    Ok(Ray { origin: fields.numbers("origin")?, direction: fields.numbers("direction")? })
}

fn hand(name: &str, hand: &Bound<'_, PyAny>) -> PyResult<HandFrame> {
    let fields = Fields::new(name, hand, &["tracked", "pinching", "joints"])?;
    let flag = |name| fields.get(name)?.map_or(Ok(false), |flag| flag.is_truthy());
    let mut frame = HandFrame { tracked: flag("tracked")?, pinching: flag("pinching")?, ..HandFrame::default() };
    if let Some(joints) = fields.get("joints")? {
        for item in mapping(name, &joints)?.items()?.iter() {
            let (joint, value): (String, Bound<'_, PyAny>) = item.extract()?;
            let known: Joint = joint.parse().map_err(|error| PyKeyError::new_err(format!("{name}: {error}")))?;
            frame.joints[known.index()] = Some(pose(&format!("{name}.{joint}"), &value)?);
        }
    }
    Ok(frame)
}

fn mapping<'a, 'py>(name: &str, object: &'a Bound<'py, PyAny>) -> PyResult<&'a Bound<'py, PyMapping>> {
    object.cast::<PyMapping>().map_err(|_| PyTypeError::new_err(format!("{name} must be a dictionary")))
}

/// A dictionary with known field names only.
struct Fields<'a, 'py> {
    name: &'a str,
    fields: &'a Bound<'py, PyMapping>,
}

impl<'a, 'py> Fields<'a, 'py> {
    fn new(name: &'a str, object: &'a Bound<'py, PyAny>, known: &[&str]) -> PyResult<Self> {
        let fields = mapping(name, object)?;
        for key in fields.keys()?.iter() {
            let key: String = key.extract()?;
            if !known.contains(&key.as_str()) {
                return Err(PyKeyError::new_err(format!("unknown field {key:?} in {name}; use {}", known.join(", "))));
            }
        }
        Ok(Self { name, fields })
    }

    /// Returns a value; `None` if it is missing or Python's None.
    fn get(&self, key: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let is_present = self.fields.contains(key)?;
        let value = is_present.then(|| self.fields.get_item(key)).transpose()?;
        Ok(value.filter(|value| !value.is_none()))
    }

    /// Returns `N` numbers of a list, tuple or array.
    fn numbers<const N: usize>(&self, key: &str) -> PyResult<[f32; N]> {
        let invalid = || PyValueError::new_err(format!("{}: {key} must be {N} numbers", self.name));
        let value = self.get(key)?.ok_or_else(invalid)?;
        let numbers = value.try_iter()?.map(|number| number?.extract()).collect::<PyResult<Vec<f32>>>();
        numbers.ok().and_then(|numbers| numbers.try_into().ok()).ok_or_else(invalid)
    }
}
