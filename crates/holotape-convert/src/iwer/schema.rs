//! The inputs in the schema of an action recording.

use holotape::{Hand, Joint, Skeleton};
use serde::Deserialize;

use super::JOINT_COUNT;

/// An input.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Input {
    pub(super) handedness: String,
    pub(super) target_ray_mode: String,
    pub(super) has_grip: bool,
    pub(super) has_hand: bool,
    #[serde(default)]
    joint_sequence: Vec<String>,
    pub(super) has_gamepad: bool,
    #[serde(default)]
    pub(super) num_buttons: usize,
    #[serde(default)]
    pub(super) num_axes: usize,
}

/// The body part that an input represents.
#[derive(Clone, Copy, Debug)]
pub(super) enum InputKind {
    /// A hand, with the joints in the order of the frames.
    Hand(Hand, [Joint; JOINT_COUNT]),
    Gaze,
    Other,
}

impl Input {
    pub(super) fn kind(&self) -> Result<InputKind, String> {
        let hand = if self.has_hand { self.handedness.parse().ok() } else { None };
        Ok(match hand {
            Some(hand) => InputKind::Hand(hand, joints_named(&self.joint_sequence)?),
            None if self.target_ray_mode == "gaze" => InputKind::Gaze,
            None => InputKind::Other,
        })
    }
}

fn joints_named(names: &[String]) -> Result<[Joint; JOINT_COUNT], String> {
    if names.len() != JOINT_COUNT {
        return Err(format!("expected {JOINT_COUNT} names in jointSequence, found {}", names.len()));
    }
    let mut joints = [Joint::None; JOINT_COUNT];
    for (n, name) in names.iter().enumerate() {
        let joint = Skeleton::WebXr.joint_named(name).ok_or_else(|| format!("unknown WebXR joint {name:?}"))?;
        if joints.contains(&joint) {
            return Err(format!("duplicate joint {name:?} in jointSequence"));
        }
        joints[n] = joint;
    }
    Ok(joints)
}
