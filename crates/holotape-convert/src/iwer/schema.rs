//! The inputs in the schema of an action recording.

use holotape::{Hand, Joint};
use serde::Deserialize;

use super::{JOINTS, webxr_joints};

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
pub(super) enum Role {
    /// A hand, with the joints in the order of the frames.
    Hand(Hand, [Joint; JOINTS]),
    Gaze,
    Other,
}

impl Input {
    pub(super) fn role(&self) -> Result<Role, String> {
        let hand = if self.has_hand { self.handedness.parse().ok() } else { None };
        Ok(match hand {
            Some(hand) => Role::Hand(hand, joints_named(&self.joint_sequence)?),
            None if self.target_ray_mode == "gaze" => Role::Gaze,
            None => Role::Other,
        })
    }
}

fn joints_named(names: &[String]) -> Result<[Joint; JOINTS], String> {
    if names.len() != JOINTS {
        return Err(format!("expected {JOINTS} names in jointSequence, found {}", names.len()));
    }
    let mut joints = [Joint::None; JOINTS];
    for (n, name) in names.iter().enumerate() {
        let joint = webxr_joints().find(|joint| joint.webxr_name() == Some(name));
        let joint = joint.ok_or_else(|| format!("unknown WebXR joint {name:?}"))?;
        if joints.contains(&joint) {
            return Err(format!("duplicate joint {name:?} in jointSequence"));
        }
        joints[n] = joint;
    }
    Ok(joints)
}
