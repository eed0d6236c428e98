//! [`Frame`]: all values of a recording at one time.

use crate::{CurveId, Hand, Joint, Pose, PoseComponent, PoseId, Ray, RayComponent};

/// All values of a recording at one time. Missing ones are `None`.
///
/// With the feature `json` it serializes as one object without the missing values:
/// `{"time":1.25,"camera":{"position":[x,y,z],"rotation":[x,y,z,w]},"gaze":{"origin":[…],"direction":[…]},
/// "left":{"tracked":true,"pinching":false,"joints":{"Wrist":{"position":[…],"rotation":[…]},…}},"right":{…}}`. Unknown
/// names are errors when it is read.
///
/// ```
/// let recording = holotape::Recording::default();
/// let frame = recording.sampler().frame_at(0.5);
/// assert_eq!(frame.time, 0.5);
/// assert!(frame.camera.is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Frame {
    /// Seconds from the start of the recording.
    #[cfg_attr(feature = "json", serde(serialize_with = "crate::json::frame::serialize_float"))]
    pub time: f64,
    /// The pose of the head.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub camera: Option<Pose>,
    /// The gaze ray.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub gaze: Option<Ray>,
    /// The left hand.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub left: Option<HandFrame>,
    /// The right hand.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub right: Option<HandFrame>,
}

impl Frame {
    /// A hand.
    #[must_use]
    pub fn hand(&self, hand: Hand) -> Option<&HandFrame> {
        match hand {
            Hand::Left => self.left.as_ref(),
            Hand::Right => self.right.as_ref(),
        }
    }

    /// Mutable access to a hand, which may be missing.
    ///
    /// ```
    /// use holotape::{Frame, Hand, HandFrame};
    ///
    /// let mut frame = Frame::default();
    /// *frame.hand_mut(Hand::Left) = Some(HandFrame { tracked: true, ..HandFrame::default() });
    /// assert!(frame.left.unwrap().tracked);
    /// ```
    pub fn hand_mut(&mut self, hand: Hand) -> &mut Option<HandFrame> {
        match hand {
            Hand::Left => &mut self.left,
            Hand::Right => &mut self.right,
        }
    }

    /// The pose of the camera or of a joint.
    ///
    /// ```
    /// use holotape::{Frame, Pose, PoseId};
    ///
    /// let frame = Frame { camera: Some(Pose::IDENTITY), ..Frame::default() };
    /// assert_eq!(frame.pose(PoseId::Camera), Some(Pose::IDENTITY));
    /// ```
    #[must_use]
    pub fn pose(&self, id: PoseId) -> Option<Pose> {
        match id {
            PoseId::Camera => self.camera,
            PoseId::Joint(hand, joint) => self.hand(hand)?.joint(joint),
        }
    }

    /// The value of one curve; 1 or 0 for flags. `None` if it is missing.
    ///
    /// ```
    /// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
    /// let frame = recording.sampler().frame_at(0.5);
    /// assert_eq!(frame.value("camera.position.y".parse()?), frame.camera.map(|head| head.position[1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn value(&self, id: CurveId) -> Option<f32> {
        let number = |flag: bool| f32::from(u8::from(flag));
        match id {
            CurveId::Camera(component) => Some(pose_value(&self.camera?, component)),
            CurveId::Tracked(hand) => Some(number(self.hand(hand)?.tracked)),
            CurveId::Pinching(hand) => Some(number(self.hand(hand)?.pinching)),
            CurveId::Joint(hand, joint, component) => Some(pose_value(&self.hand(hand)?.joint(joint)?, component)),
            CurveId::Gaze(component) => Some(ray_value(&self.gaze?, component)),
        }
    }
}

fn pose_value(pose: &Pose, component: PoseComponent) -> f32 {
    match component as usize {
        position @ 0..3 => pose.position[position],
        rotation => pose.rotation[rotation - 3],
    }
}

fn ray_value(ray: &Ray, component: RayComponent) -> f32 {
    match component as usize {
        origin @ 0..3 => ray.origin[origin],
        direction => ray.direction[direction - 3],
    }
}

/// The values of a hand at one time.
///
/// ```
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// use holotape::{Hand, Joint};
///
/// let frame = recording.sampler().frame_at(0.5);
/// if let Some(hand) = frame.hand(Hand::Right).filter(|hand| hand.tracked) {
///     println!("the right palm is at {:?}", hand.joint(Joint::Palm).map(|palm| palm.position));
/// }
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct HandFrame {
    /// Whether the device tracks the hand.
    pub tracked: bool,
    /// Whether thumb and index finger are pinched together.
    #[cfg_attr(feature = "json", serde(default))]
    pub pinching: bool,
    /// The joints, in the order of [`Joint::ALL`].
    #[cfg_attr(
        feature = "json",
        serde(
            default,
            with = "crate::json::frame::joints",
            skip_serializing_if = "crate::json::frame::joints::are_absent"
        )
    )]
    pub joints: [Option<Pose>; Joint::COUNT],
}

impl Default for HandFrame {
    /// An untracked hand.
    fn default() -> Self {
        Self::EMPTY
    }
}

impl HandFrame {
    pub(super) const EMPTY: Self = Self { tracked: false, pinching: false, joints: [None; Joint::COUNT] };

    /// The pose of a joint.
    #[must_use]
    pub fn joint(&self, joint: Joint) -> Option<Pose> {
        self.joints[joint.index()]
    }
}
