//! Rotates and translates a recording.

use super::budget::KeyBudget;
use super::editable_curve::EditableCurve;
use super::plane_rotation::PlaneRotation;
use super::times::{checked_end_secs, start_secs};
use super::vector::{editable_curves, store_curves};
use crate::error::{Error, ErrorKind, Result};
use crate::pose::to_f32;
use crate::{Curve, Recording, VectorKind};

/// The largest translation: beyond it, the resolution of 32-bit floats is worse than 0.1 m.
const MAX_TRANSLATION_M: f64 = 1e6;

options! {
    /// A rotation about the vertical axis through the origin, followed by a translation.
    ///
    /// ```
    /// use holotape::edit::Transform;
    ///
    /// let transform = Transform::new().with_yaw_deg(90.0).with_translation_m([0.0, 0.0, 2.0]);
    /// assert_ne!(transform, Transform::new());
    /// ```
    pub struct Transform {
        /// The rotation about the y axis, clockwise as seen from above: 90 rotates z (forward) to x (right). By default 0.
        with_yaw_deg(yaw_deg: f64) = 0.0,
        /// The translation after the rotation. By default none.
        with_translation_m(translation_m: [f64; 3]) = [0.0; 3],
    }
}

impl Transform {
    /// Moves the head to the origin, facing along z, at time 0. Its pitch stays the same.
    ///
    /// ```
    /// use holotape::edit::{self, Transform};
    ///
    /// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
    /// let moved = edit::transform(&recording, &Transform::head_to_origin(&recording)?)?;
    /// let head = moved.camera.unwrap().pose_at(0.0).unwrap();
    /// assert!(head.position.iter().all(|x| x.abs() < 1e-6));
    /// assert!(head.forward()[0].abs() < 1e-6 && head.forward()[2] > 0.0);
    /// # Ok::<(), holotape::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] if the recording has no head, or one with a non-finite pose.
    pub fn head_to_origin(recording: &Recording) -> Result<Self> {
        let head = recording.sampler().frame_at(0.0).camera;
        let is_finite = |x: &f32| x.is_finite();
        let head = head.filter(|head| head.position.iter().chain(&head.rotation).all(is_finite));
        let head =
            head.ok_or_else(|| Error::new(ErrorKind::Invalid, "the recording has no head to move to the origin"))?;
        let [right, _, forward] = head.forward().map(f64::from);
        // Facing straight up or down has no heading.
        let heading_deg = if right.hypot(forward) > 1e-6 { right.atan2(forward).to_degrees() } else { 0.0 };
        let [x, y, z] = head.position.map(f64::from);
        let [x, z] = PlaneRotation::new(-heading_deg).apply([x, z]);
        Ok(Self { yaw_deg: -heading_deg, translation_m: [-x, -y, -z] })
    }

    /// Like [`head_to_origin`](Self::head_to_origin), but heights stay the same: the head is above the origin.
    ///
    /// ```
    /// use holotape::edit::{self, Transform};
    ///
    /// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
    /// let height = |recording: &holotape::Recording| recording.camera.as_ref().unwrap().pose_at(0.0).unwrap().position[1];
    /// let moved = edit::transform(&recording, &Transform::head_above_origin(&recording)?)?;
    /// assert_eq!(height(&moved), height(&recording));
    /// # Ok::<(), holotape::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] if the recording has no head, or one with a non-finite pose.
    pub fn head_above_origin(recording: &Recording) -> Result<Self> {
        let Self { yaw_deg, translation_m: [x, _, z] } = Self::head_to_origin(recording)?;
        Ok(Self { yaw_deg, translation_m: [x, 0.0, z] })
    }

    fn check(self) -> Result<()> {
        let Self { yaw_deg, translation_m } = self;
        if !yaw_deg.is_finite() || !translation_m.iter().all(|x| x.abs() <= MAX_TRANSLATION_M) {
            let message = format!("invalid transform: yaw {yaw_deg}°, translation {translation_m:?} m");
            return Err(Error::invalid_argument(message));
        }
        Ok(())
    }
}

/// Rotates and translates head, hands and gaze.
///
/// Curves are rotated exactly, including tangents. Keys are added where only some components of a vector have one. Where
/// the weights of components differ and cannot be mixed, segments become many lines. A translation alone changes only
/// values.
///
/// ```
/// use holotape::edit::{self, Transform};
///
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let moved = edit::transform(&recording, &Transform::new().with_translation_m([0.0, 1.0, 0.0]))?;
/// let height = |recording: &holotape::Recording| recording.camera.as_ref().unwrap().position[1].value_at(0.5).unwrap();
/// assert!((height(&moved) - height(&recording) - 1.0).abs() < 1e-6);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::InvalidArgument`] if the transform is not finite or translates by more than 1000 km;
/// [`ErrorKind::Invalid`] if it rotates and a key has a non-finite time; [`ErrorKind::LimitExceeded`] if rotating needs
/// too many keys.
pub fn transform(recording: &Recording, transform: &Transform) -> Result<Recording> {
    transform.check()?;
    let mut moved = recording.clone();
    if transform.yaw_deg % 360.0 != 0.0 {
        let span = (start_secs(recording), checked_end_secs(recording)?);
        let mut budget = KeyBudget::for_recordings(&[recording]);
        for (vector, target) in moved.vectors_mut() {
            let mut curves = editable_curves(recording, vector);
            rotate_vector(&mut curves, vector.kind(), transform.yaw_deg, span, &mut budget)?;
            store_curves(curves, vector.kind(), target);
        }
    }
    for (_, position) in moved.vectors_mut().filter(|(vector, _)| vector.kind() == VectorKind::Position) {
        translate(position, transform.translation_m);
    }
    Ok(moved)
}

fn translate(position: &mut [Curve], by_m: [f64; 3]) {
    for (curve, by) in position.iter_mut().zip(by_m).filter(|(_, by)| *by != 0.0) {
        for (_, value) in curve.keys.iter_mut() {
            [*value] = to_f32([f64::from(*value) + by]);
        }
    }
}

/// A rotation about y mixes x with z, by the angle. For quaternions it also mixes y with w, and by half the angle.
fn rotate_vector(
    curves: &mut [EditableCurve],
    kind: VectorKind,
    yaw_deg: f64,
    span: (f32, f32),
    budget: &mut KeyBudget,
) -> Result<()> {
    let rotation = PlaneRotation::new(if kind == VectorKind::Rotation { 0.5 * yaw_deg } else { yaw_deg });
    match curves {
        [x, _, z] => rotation.rotate_curves([x, z], span, budget),
        [x, y, z, w] => {
            rotation.rotate_curves([x, z], span, budget)?;
            rotation.rotate_curves([y, w], span, budget)
        }
        _ => Ok(()),
    }
}
