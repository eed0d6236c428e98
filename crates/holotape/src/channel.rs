//! The channels of a recording: the curves of poses, rays and hands.

use crate::sample::{PoseSampler, RaySampler};
use crate::{BoolCurve, Curve, Joint, Pose, PoseComponent, Ray, RayComponent};

/// The curves of both hands.
///
/// ```
/// assert!(holotape::HandsCurves::default().left.tracked.keys.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HandsCurves {
    /// The left hand.
    pub left: HandCurves,
    /// The right hand.
    pub right: HandCurves,
}

/// The curves of one hand.
///
/// ```
/// use holotape::{HandCurves, Joint};
///
/// let hand = HandCurves::new();
/// assert!(hand.joint(Joint::Wrist).pose_at(0.0).is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandCurves {
    /// Whether the device tracks the hand. Where it does not, poses are interpolated.
    pub tracked: BoolCurve,
    /// Whether thumb and index finger are pinched together.
    pub pinching: BoolCurve,
    /// The joints, in the order of [`Joint::ALL`].
    pub joints: [PoseCurves; Joint::COUNT],
}

impl HandCurves {
    /// A hand without keys.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            tracked: BoolCurve::new(),
            pinching: BoolCurve::new(),
            joints: [const { PoseCurves::new() }; Joint::COUNT],
        }
    }

    /// The curves of a joint.
    #[must_use]
    pub fn joint(&self, joint: Joint) -> &PoseCurves {
        &self.joints[joint.index()]
    }

    /// Mutable access to the curves of a joint.
    pub fn joint_mut(&mut self, joint: Joint) -> &mut PoseCurves {
        &mut self.joints[joint.index()]
    }
}

impl Default for HandCurves {
    fn default() -> Self {
        Self::new()
    }
}

/// The seven curves of a pose.
///
/// ```
/// use holotape::{Curve, LinearKey, PoseCurves};
///
/// let constant = |value| Curve::from_iter([LinearKey::new(0.0, value)]);
/// let pose = PoseCurves {
///     position: [1.0, 2.0, 3.0].map(constant),
///     rotation: [0.0, 2.0, 0.0, 0.0].map(constant),
/// };
/// assert_eq!(pose.pose_at(0.0).unwrap().rotation, [0.0, 1.0, 0.0, 0.0]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PoseCurves {
    /// x, y, z.
    pub position: [Curve; 3],
    /// x, y, z, w.
    pub rotation: [Curve; 4],
}

impl PoseCurves {
    /// A pose without keys.
    #[must_use]
    pub const fn new() -> Self {
        Self { position: [const { Curve::new() }; 3], rotation: [const { Curve::new() }; 4] }
    }

    /// The pose at a time, with a normalized rotation; `None` if a curve has no keys.
    ///
    /// This reads all keys. For many times, use [`Recording::sampler`](crate::Recording::sampler).
    #[must_use]
    pub fn pose_at(&self, time_secs: f64) -> Option<Pose> {
        PoseSampler::new(self).at(time_secs)
    }

    /// The curve of one component.
    #[must_use]
    pub fn curve(&self, component: PoseComponent) -> &Curve {
        match component as usize {
            position @ 0..3 => &self.position[position],
            rotation => &self.rotation[rotation - 3],
        }
    }

    /// Mutable access to the curve of one component.
    pub fn curve_mut(&mut self, component: PoseComponent) -> &mut Curve {
        match component as usize {
            position @ 0..3 => &mut self.position[position],
            rotation => &mut self.rotation[rotation - 3],
        }
    }

    /// All curves, in the order of the file.
    pub(crate) fn curves_mut(&mut self) -> impl Iterator<Item = &mut Curve> {
        self.position.iter_mut().chain(&mut self.rotation)
    }
}

/// The six curves of a ray.
///
/// ```
/// assert!(holotape::RayCurves::new().ray_at(0.0).is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RayCurves {
    /// x, y, z.
    pub origin: [Curve; 3],
    /// x, y, z.
    pub direction: [Curve; 3],
}

impl RayCurves {
    /// A ray without keys.
    #[must_use]
    pub const fn new() -> Self {
        Self { origin: [const { Curve::new() }; 3], direction: [const { Curve::new() }; 3] }
    }

    /// The ray at a time, with a normalized direction; `None` if a curve has no keys.
    #[must_use]
    pub fn ray_at(&self, time_secs: f64) -> Option<Ray> {
        RaySampler::new(self).at(time_secs)
    }

    /// The curve of one component.
    #[must_use]
    pub fn curve(&self, component: RayComponent) -> &Curve {
        match component as usize {
            origin @ 0..3 => &self.origin[origin],
            direction => &self.direction[direction - 3],
        }
    }

    /// Mutable access to the curve of one component.
    pub fn curve_mut(&mut self, component: RayComponent) -> &mut Curve {
        match component as usize {
            origin @ 0..3 => &mut self.origin[origin],
            direction => &mut self.direction[direction - 3],
        }
    }

    /// All curves, in the order of the file.
    pub(crate) fn curves_mut(&mut self) -> impl Iterator<Item = &mut Curve> {
        self.origin.iter_mut().chain(&mut self.direction)
    }
}
