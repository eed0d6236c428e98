//! A recording elsewhere in the world.

use super::budget::KeyBudget;
use super::editable_curve::EditableCurve;
use super::plane_rotation::PlaneRotation;
use super::times::{checked_end_secs, start_secs};
use super::vector::{editable_curves, store_curves};
use crate::error::{Error, ErrorKind, Result};
use crate::pose::to_f32;
use crate::{Curve, Recording, VectorKind};

/// The furthest that anything is moved: there, 32 bits cannot tell a decimetre any more.
const MAX_TRANSLATION_M: f64 = 1e6;

/// Where everything goes: turned about the vertical axis through the origin, and then moved.
///
/// ```
/// use holotape::edit::Transform;
///
/// let transform = Transform::new().with_yaw_deg(90.0).with_translation_m([0.0, 0.0, 2.0]);
/// assert_ne!(transform, Transform::new());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Transform {
    yaw_deg: f64,
    translation_m: [f64; 3],
}

impl Transform {
    /// Everything stays where it is.
    #[must_use]
    pub const fn new() -> Self {
        Self { yaw_deg: 0.0, translation_m: [0.0; 3] }
    }

    /// How far everything is turned about the y axis: clockwise as seen from above, so that 90 turns z, which is
    /// forward, to x, which is right.
    #[must_use]
    pub const fn with_yaw_deg(self, yaw_deg: f64) -> Self {
        Self { yaw_deg, ..self }
    }

    /// How far everything is moved, after it has been turned.
    #[must_use]
    pub const fn with_translation_m(self, translation_m: [f64; 3]) -> Self {
        Self { translation_m, ..self }
    }

    /// What puts the head at the origin, facing along z, at time 0. It looks up or down as it did.
    ///
    /// ```
    /// use holotape::edit::{self, Transform};
    ///
    /// # let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
    /// let take = edit::transform(&take, &Transform::head_to_origin(&take)?)?;
    /// let head = take.camera.unwrap().pose_at(0.0).unwrap();
    /// assert!(head.position.iter().all(|x| x.abs() < 1e-6));
    /// assert!(head.forward()[0].abs() < 1e-6 && head.forward()[2] > 0.0);
    /// # Ok::<(), holotape::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] if the recording has no head, or one that is nowhere.
    pub fn head_to_origin(recording: &Recording) -> Result<Self> {
        let head = recording.sampler().frame_at(0.0).camera;
        let is_somewhere = |x: &f32| x.is_finite();
        let head = head.filter(|head| head.position.iter().chain(&head.rotation).all(is_somewhere));
        let head =
            head.ok_or_else(|| Error::new(ErrorKind::Invalid, "the recording has no head to put at the origin"))?;
        let [right, _, ahead] = head.forward().map(f64::from);
        // Straight up or down is no way to face.
        let heading_deg = if right.hypot(ahead) > 1e-6 { right.atan2(ahead).to_degrees() } else { 0.0 };
        let [x, y, z] = head.position.map(f64::from);
        let [x, z] = PlaneRotation::new(-heading_deg).apply([x, z]);
        Ok(Self { yaw_deg: -heading_deg, translation_m: [-x, -y, -z] })
    }

    /// The same, but heights stay, so that the floor is still the floor: the head is above the origin.
    ///
    /// ```
    /// use holotape::edit::{self, Transform};
    ///
    /// # let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
    /// let height = |take: &holotape::Recording| take.camera.as_ref().unwrap().pose_at(0.0).unwrap().position[1];
    /// let moved = edit::transform(&take, &Transform::head_above_origin(&take)?)?;
    /// assert_eq!(height(&moved), height(&take));
    /// # Ok::<(), holotape::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] if the recording has no head, or one that is nowhere.
    pub fn head_above_origin(recording: &Recording) -> Result<Self> {
        let Self { yaw_deg, translation_m: [x, _, z] } = Self::head_to_origin(recording)?;
        Ok(Self { yaw_deg, translation_m: [x, 0.0, z] })
    }

    fn check(self) -> Result<()> {
        let Self { yaw_deg, translation_m } = self;
        if !yaw_deg.is_finite() || !translation_m.iter().all(|x| x.abs() <= MAX_TRANSLATION_M) {
            let message = format!("nothing can be turned by {yaw_deg} degrees and moved by {translation_m:?} metres");
            return Err(Error::new(ErrorKind::Invalid, message));
        }
        Ok(())
    }
}

/// The recording with everything in it, head, hands and eyes, turned and moved.
///
/// Curves are turned exactly, with their tangents, and get keys more where only some components of a position or a
/// rotation have one. Where components run between their keys in ways that cannot be mixed, by different weights, they
/// come out in many straight pieces. Moving without turning changes values only.
///
/// ```
/// use holotape::edit::{self, Transform};
///
/// # let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let moved = edit::transform(&take, &Transform::new().with_translation_m([0.0, 1.0, 0.0]))?;
/// let height = |take: &holotape::Recording| take.camera.as_ref().unwrap().position[1].value_at(0.5).unwrap();
/// assert!((height(&moved) - height(&take) - 1.0).abs() < 1e-6);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Invalid`] if the transform is not of finite numbers or goes further than a thousand kilometres, or if a key is at no time and something is to be
/// turned; [`ErrorKind::LimitExceeded`] if that would take millions of keys.
pub fn transform(recording: &Recording, transform: &Transform) -> Result<Recording> {
    transform.check()?;
    let mut moved = recording.clone();
    if transform.yaw_deg % 360.0 != 0.0 {
        let span = (start_secs(recording), checked_end_secs(recording)?);
        let mut budget = KeyBudget::new();
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

/// A turn about y mixes x with z; in a rotation y with w too, and each by half the angle.
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
