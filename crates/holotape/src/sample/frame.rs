//! One instant of everything. The same thing in Rust, in JSON and in tables.

use crate::{CurveId, Hand, Joint, Pose, PosePart, Ray, RayPart};

/// One instant of everything. What is not there is `None`.
///
/// With the feature `json` it is written as one object, in which what is absent is left out:
/// `{"time":1.25,"camera":{"position":[x,y,z],"rotation":[x,y,z,w]},"gaze":{"origin":[…],"direction":[…]},
/// "left":{"tracked":true,"pinching":false,"joints":{"Wrist":{"position":[…],"rotation":[…]},…}},"right":{…}}`.
///
/// ```
/// let take = holotape::Recording::default();
/// let frame = take.sampler().frame_at(0.5);
/// assert_eq!(frame.time, 0.5);
/// assert!(frame.camera.is_none());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Seconds from the start of the recording.
    pub time: f64,
    /// The pose of the head.
    pub camera: Option<Pose>,
    /// The ray of the eyes.
    pub gaze: Option<Ray>,
    /// The left hand.
    pub left: Option<HandFrame>,
    /// The right hand.
    pub right: Option<HandFrame>,
}

impl Frame {
    pub(super) const EMPTY: Self = Self { time: 0.0, camera: None, gaze: None, left: None, right: None };

    /// One of the hands.
    #[must_use]
    pub fn hand(&self, hand: Hand) -> Option<&HandFrame> {
        match hand {
            Hand::Left => self.left.as_ref(),
            Hand::Right => self.right.as_ref(),
        }
    }

    /// One number of the frame, by the name of its curve; true is 1 and false is 0.
    ///
    /// ```
    /// # let take = holotape::demo::DemoOptions::new().with_seconds(1.0).record()?;
    /// let frame = take.sampler().frame_at(0.5);
    /// assert_eq!(frame.value("camera.position.y".parse()?), frame.camera.map(|head| head.position[1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn value(&self, id: CurveId) -> Option<f32> {
        let number = |flag: bool| f32::from(u8::from(flag));
        match id {
            CurveId::Camera(part) => Some(pose_value(&self.camera?, part)),
            CurveId::Tracked(hand) => Some(number(self.hand(hand)?.tracked)),
            CurveId::Pinching(hand) => Some(number(self.hand(hand)?.pinching)),
            CurveId::Joint(hand, joint, part) => Some(pose_value(&self.hand(hand)?.joint(joint)?, part)),
            CurveId::Gaze(part) => Some(ray_value(&self.gaze?, part)),
        }
    }
}

fn pose_value(pose: &Pose, part: PosePart) -> f32 {
    match part as usize {
        position @ 0..3 => pose.position[position],
        rotation => pose.rotation[rotation - 3],
    }
}

fn ray_value(ray: &Ray, part: RayPart) -> f32 {
    match part as usize {
        origin @ 0..3 => ray.origin[origin],
        direction => ray.direction[direction - 3],
    }
}

/// A hand in one instant.
///
/// ```
/// # let take = holotape::demo::DemoOptions::new().with_seconds(1.0).record()?;
/// use holotape::{Hand, Joint};
///
/// let frame = take.sampler().frame_at(0.5);
/// if let Some(hand) = frame.hand(Hand::Right).filter(|hand| hand.tracked) {
///     println!("the right palm is at {:?}", hand.joint(Joint::Palm).map(|palm| palm.position));
/// }
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HandFrame {
    /// Whether the device saw the hand.
    pub tracked: bool,
    /// Whether thumb and index finger were pinched together.
    pub pinching: bool,
    /// The joints, in the order of [`Joint::ALL`].
    pub joints: [Option<Pose>; Joint::COUNT],
}

impl HandFrame {
    pub(super) const EMPTY: Self = Self { tracked: false, pinching: false, joints: [None; Joint::COUNT] };

    /// The pose of a joint.
    #[must_use]
    pub fn joint(&self, joint: Joint) -> Option<Pose> {
        self.joints[joint.index()]
    }
}

#[cfg(feature = "json")]
mod json {
    use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};

    use super::{Frame, HandFrame};
    use crate::json::Number;
    use crate::{Joint, Pose, Ray};

    impl Serialize for Frame {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(None)?;
            map.serialize_entry("time", &Number(self.time))?;
            if let Some(camera) = &self.camera {
                map.serialize_entry("camera", camera)?;
            }
            if let Some(gaze) = &self.gaze {
                map.serialize_entry("gaze", gaze)?;
            }
            if let Some(left) = &self.left {
                map.serialize_entry("left", left)?;
            }
            if let Some(right) = &self.right {
                map.serialize_entry("right", right)?;
            }
            map.end()
        }
    }

    impl Serialize for HandFrame {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(None)?;
            map.serialize_entry("tracked", &self.tracked)?;
            map.serialize_entry("pinching", &self.pinching)?;
            if self.joints.iter().any(Option::is_some) {
                map.serialize_entry("joints", &Joints(&self.joints))?;
            }
            map.end()
        }
    }

    struct Joints<'a>(&'a [Option<Pose>; Joint::COUNT]);

    impl Serialize for Joints<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let present =
                Joint::ALL.iter().zip(self.0).filter_map(|(joint, pose)| Some((joint.name(), pose.as_ref()?)));
            serializer.collect_map(present)
        }
    }

    impl Serialize for Pose {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut pose = serializer.serialize_struct("Pose", 2)?;
            pose.serialize_field("position", &self.position.map(Number))?;
            pose.serialize_field("rotation", &self.rotation.map(Number))?;
            pose.end()
        }
    }

    impl Serialize for Ray {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut ray = serializer.serialize_struct("Ray", 2)?;
            ray.serialize_field("origin", &self.origin.map(Number))?;
            ray.serialize_field("direction", &self.direction.map(Number))?;
            ray.end()
        }
    }
}
