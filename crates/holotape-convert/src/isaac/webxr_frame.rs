//! A frame of a WebXR recording, as JSON.

use std::fmt;

use holotape::{Hand, Joint, Pose, Skeleton};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// A frame. Fields that a version of the client does not write are absent.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct WebxrFrame {
    /// In milliseconds; a version of the client calls it `t`.
    #[serde(alias = "t")]
    pub(super) time_ms: Option<f64>,
    pub(super) head: Option<WebxrPose>,
    pub(super) poses: Option<ControllerPoses>,
    pub(super) gamepads: Option<Sides<Gamepad>>,
    pub(super) hand_joints: Option<Sides<HandJoints>>,
}

/// A value of each hand.
#[derive(Debug, Deserialize)]
pub(super) struct Sides<T> {
    #[serde(default = "Option::default")]
    left: Option<T>,
    #[serde(default = "Option::default")]
    right: Option<T>,
}

impl<T> Sides<T> {
    pub(super) fn of(&self, hand: Hand) -> Option<&T> {
        match hand {
            Hand::Left => self.left.as_ref(),
            Hand::Right => self.right.as_ref(),
        }
    }
}

/// A pose, and the radius if it is one of a joint. JavaScript writes null for non-finite numbers.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct WebxrPose {
    px: Option<f64>,
    py: Option<f64>,
    pz: Option<f64>,
    ox: Option<f64>,
    oy: Option<f64>,
    oz: Option<f64>,
    ow: Option<f64>,
    pub(super) radius: Option<f64>,
}

impl WebxrPose {
    pub(super) fn pose(&self) -> Pose {
        let float = |number: Option<f64>| number.map_or(f32::NAN, |number| number as f32);
        Pose {
            position: [self.px, self.py, self.pz].map(float),
            rotation: [self.ox, self.oy, self.oz, self.ow].map(float),
        }
    }
}

/// The grips and target rays of both controllers.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ControllerPoses {
    left_grip: Option<WebxrPose>,
    left_aim: Option<WebxrPose>,
    right_grip: Option<WebxrPose>,
    right_aim: Option<WebxrPose>,
}

impl ControllerPoses {
    pub(super) fn is_empty(&self) -> bool {
        [&self.left_grip, &self.left_aim, &self.right_grip, &self.right_aim].into_iter().all(Option::is_none)
    }
}

/// The buttons and axes of a hand or controller.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Gamepad {
    pub(super) buttons: Vec<Option<Button>>,
    pub(super) axes: Vec<Option<f64>>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct Button {
    pub(super) value: Option<f64>,
    pub(super) pressed: bool,
}

/// The joints of a hand: an object by name, or a list in WebXR's order.
#[derive(Debug)]
pub(super) struct HandJoints([Option<WebxrPose>; Joint::COUNT]);

impl HandJoints {
    const EMPTY: Self = Self([None; Joint::COUNT]);

    pub(super) fn joint(&self, joint: Joint) -> Option<WebxrPose> {
        self.0[joint.index()]
    }

    /// Whether there are no joints, as for a controller or a hand that is not tracked.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }
}

impl<'de> Deserialize<'de> for HandJoints {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(HandJointsVisitor)
    }
}

struct HandJointsVisitor;

impl<'de> Visitor<'de> for HandJointsVisitor {
    type Value = HandJoints;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("joints by name, or a list of joints")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<HandJoints, A::Error> {
        let mut joints = HandJoints::EMPTY;
        while let Some(name) = map.next_key::<String>()? {
            let joint = Skeleton::WebXr.joint_named(&name);
            let joint = joint.ok_or_else(|| A::Error::custom(format!("unknown WebXR joint {name:?}")))?;
            joints.0[joint.index()] = map.next_value()?;
        }
        Ok(joints)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<HandJoints, A::Error> {
        let mut joints = HandJoints::EMPTY;
        let mut order = Skeleton::WebXr.joints();
        while let Some(pose) = items.next_element()? {
            let joint = order.next().ok_or_else(|| A::Error::custom("more than 25 joints"))?;
            joints.0[joint.index()] = pose;
        }
        Ok(joints)
    }
}
