//! Node names.

use holotape::{Hand, Joint, PoseId, VectorOwner};

use crate::joint;

/// The node of the gaze ray.
pub(super) const GAZE: &str = "gaze";

/// The node of a pose; `None` for the joint None, which has no node.
pub(super) fn pose_node_name(id: PoseId) -> Option<String> {
    match id {
        PoseId::Camera => Some("camera".to_owned()),
        PoseId::Joint(_, Joint::None) => None,
        PoseId::Joint(hand, joint) => Some(format!("{hand}-{}", joint::name(joint))),
    }
}

/// The parent node of all joints of a hand.
pub(super) fn hand_node_name(hand: Hand) -> String {
    format!("{hand}-hand")
}

/// The node that is visible while a hand is pinching.
pub(super) fn pinch_node_name(hand: Hand) -> String {
    format!("{hand}-pinch")
}

/// The pose or ray that a node represents.
pub(super) fn parse_node(name: &str) -> Option<VectorOwner> {
    match name {
        "camera" => return Some(VectorOwner::Pose(PoseId::Camera)),
        GAZE => return Some(VectorOwner::Gaze),
        _ => {}
    }
    let (hand, name) = name.split_once('-')?;
    let is_named = |known: &Joint| *known != Joint::None && joint::name(*known) == name;
    Some(VectorOwner::Pose(PoseId::Joint(hand.parse().ok()?, Joint::ALL.into_iter().find(is_named)?)))
}

/// Whether the scale of a node represents a flag.
pub(super) fn is_flag(name: &str) -> bool {
    Hand::ALL.into_iter().any(|hand| name == hand_node_name(hand) || name == pinch_node_name(hand))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn node_names_are_unique_and_parse_back() {
        let joints = Hand::ALL.into_iter().flat_map(|hand| Joint::ALL.map(|joint| PoseId::Joint(hand, joint)));
        let named: Vec<_> = joints.chain([PoseId::Camera]).filter_map(|id| Some((pose_node_name(id)?, id))).collect();
        assert!(named.iter().all(|(name, id)| parse_node(name) == Some(VectorOwner::Pose(*id))));
        assert_eq!(named.iter().map(|(name, _)| name).collect::<HashSet<_>>().len(), 53);
        assert_eq!(parse_node(GAZE), Some(VectorOwner::Gaze));
        assert_eq!(["left-hand", "left-", "wrist", "left-none"].map(parse_node), [None; 4]);
    }
}
