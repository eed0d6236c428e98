//! Coordinate handedness: Unity's left-handed coordinates, and the right-handed ones of glTF, OpenXR and WebXR.

use crate::{Frame, Pose, Ray};

/// The coordinates of positions and rotations. Both kinds use metres, with x to the right and y up.
///
/// ```
/// use holotape::{Pose, Space};
///
/// let ahead = Pose { position: [0.0, 1.6, 2.0], rotation: [0.0, 0.0, 0.0, 1.0] };
/// assert_eq!(Space::RightHanded.pose(ahead).position, [0.0, 1.6, -2.0]);
/// // The conversion is its own inverse.
/// assert_eq!(Space::RightHanded.pose(Space::RightHanded.pose(ahead)), ahead);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Space {
    /// Left-handed, z forward. Bones point along +z.
    #[default]
    Unity,
    /// Right-handed, z backward. Bones point along -z.
    RightHanded,
}

impl Space {
    /// The name: `unity` or `right-handed`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unity => "unity",
            Self::RightHanded => "right-handed",
        }
    }

    /// Converts a point or direction from Unity's coordinates, or back.
    #[must_use]
    pub fn vector(self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        match self {
            Self::Unity => [x, y, z],
            Self::RightHanded => [x, y, -z],
        }
    }

    /// Converts a rotation from Unity's coordinates, or back.
    #[must_use]
    pub fn rotation(self, [x, y, z, w]: [f32; 4]) -> [f32; 4] {
        match self {
            Self::Unity => [x, y, z, w],
            Self::RightHanded => [-x, -y, z, w],
        }
    }

    /// Converts a pose from Unity's coordinates, or back.
    #[must_use]
    pub fn pose(self, pose: Pose) -> Pose {
        Pose { position: self.vector(pose.position), rotation: self.rotation(pose.rotation) }
    }

    /// Converts a ray from Unity's coordinates, or back.
    #[must_use]
    pub fn ray(self, ray: Ray) -> Ray {
        Ray { origin: self.vector(ray.origin), direction: self.vector(ray.direction) }
    }

    /// Converts all poses and rays of a frame from Unity's coordinates, or back.
    pub fn convert_frame(self, frame: &mut Frame) {
        if self == Self::Unity {
            return;
        }
        frame.camera = frame.camera.map(|pose| self.pose(pose));
        frame.gaze = frame.gaze.map(|ray| self.ray(ray));
        for hand in [&mut frame.left, &mut frame.right].into_iter().flatten() {
            hand.joints.iter_mut().flatten().for_each(|pose| *pose = self.pose(*pose));
        }
    }
}
