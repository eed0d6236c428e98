//! The joint hierarchy and its rest pose.

use std::io::Write;

use glam::DVec3;
use holotape::{Frame, Hand, Joint, PoseId, Recording};

use super::{BoneMode, BvhOptions, Unit};
use crate::Space;
use crate::joint::{self, towards_wrist};
use crate::rigid::{RigidPose, median, median_vector};

/// Frames used to estimate the length of a bone.
const FRAMES_TO_MEASURE: usize = 1000;

/// Drawn lengths of bones without children: the head and the fingertips.
const HEAD_M: f64 = 0.1;
const TIP_M: f64 = 0.01;

/// The finite pose of a joint or the camera in a frame.
pub(super) fn pose_of(frame: &Frame, id: PoseId) -> Option<RigidPose> {
    RigidPose::from_pose(&frame.pose(id)?)
}

/// A joint of the file.
pub(super) struct Node {
    pub(super) id: PoseId,
    /// The index of the parent node; `None` below the root.
    pub(super) parent: Option<usize>,
    pub(super) children: Vec<usize>,
    /// In metres.
    pub(super) offset: DVec3,
    pub(super) has_position: bool,
    /// The first finite pose, used until then.
    pub(super) first: RigidPose,
}

impl Node {
    /// The child, if it is the only one.
    pub(super) fn only_child(&self) -> Option<usize> {
        if let [child] = self.children[..] { Some(child) } else { None }
    }

    pub(super) fn name(&self) -> String {
        match self.id {
            PoseId::Camera => "head".to_owned(),
            PoseId::Joint(hand, joint) => format!("{hand}-{}", joint::name(joint)),
        }
    }
}

/// All joints in depth-first order: parents come before their children.
pub(super) struct Skeleton {
    pub(super) nodes: Vec<Node>,
    pub(super) unit: Unit,
}

impl Skeleton {
    pub(super) fn new(recording: &Recording, times: &[f64], options: &BvhOptions) -> Self {
        let (first_poses, frames) = scan(recording, times);
        let mut nodes: Vec<Node> = Vec::new();
        for (id, first) in first_poses {
            let Some(first) = first else { continue };
            let parent = parent_of(id, &nodes);
            let has_position = parent.is_none() || options.bones == BoneMode::Free;
            if let Some(parent) = parent {
                let index = nodes.len();
                nodes[parent].children.push(index);
            }
            nodes.push(Node { id, parent, children: Vec::new(), offset: DVec3::ZERO, has_position, first });
        }
        let offsets: Vec<_> = nodes.iter().map(|node| rest_offset(node, &nodes, &frames)).collect();
        for (node, offset) in nodes.iter_mut().zip(offsets) {
            let is_ambiguous = node.has_position && options.bones == BoneMode::Fixed;
            node.offset = if is_ambiguous { DVec3::ZERO } else { offset };
        }
        Self { nodes, unit: options.unit }
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = PoseId> {
        self.nodes.iter().map(|node| node.id)
    }

    pub(super) fn has_hand(&self, hand: Hand) -> bool {
        self.ids().any(|id| matches!(id, PoseId::Joint(side, _) if side == hand))
    }

    /// The `HIERARCHY` section.
    pub(super) fn hierarchy(&self) -> Vec<u8> {
        let mut text = b"HIERARCHY\nROOT holotape\n".to_vec();
        let tops: Vec<_> = (0..self.nodes.len()).filter(|index| self.nodes[*index].parent.is_none()).collect();
        self.push_joint(&mut text, 0, DVec3::ZERO, true, &tops, DVec3::Y * HEAD_M);
        text
    }

    fn push_node(&self, text: &mut Vec<u8>, depth: usize, index: usize) {
        let node = &self.nodes[index];
        let length = if node.id == PoseId::Camera { HEAD_M } else { TIP_M };
        push_indented(text, depth, format_args!("JOINT {}", node.name()));
        self.push_joint(text, depth, node.offset, node.has_position, &node.children, DVec3::NEG_Z * length);
    }

    fn push_joint(
        &self,
        text: &mut Vec<u8>,
        depth: usize,
        offset: DVec3,
        has_position: bool,
        children: &[usize],
        end: DVec3,
    ) {
        push_indented(text, depth, format_args!("{{"));
        self.push_offset(text, depth + 1, offset);
        let channels = if has_position { "6 Xposition Yposition Zposition" } else { "3" };
        push_indented(text, depth + 1, format_args!("CHANNELS {channels} Zrotation Xrotation Yrotation"));
        for child in children {
            self.push_node(text, depth + 1, *child);
        }
        if children.is_empty() {
            push_indented(text, depth + 1, format_args!("End Site"));
            push_indented(text, depth + 1, format_args!("{{"));
            self.push_offset(text, depth + 2, end);
            push_indented(text, depth + 1, format_args!("}}"));
        }
        push_indented(text, depth, format_args!("}}"));
    }

    fn push_offset(&self, text: &mut Vec<u8>, depth: usize, offset: DVec3) {
        text.resize(text.len() + depth, b'\t');
        text.extend_from_slice(b"OFFSET");
        self.unit.push_vector(text, offset);
        text.push(b'\n');
    }
}

fn push_indented(text: &mut Vec<u8>, depth: usize, line: std::fmt::Arguments<'_>) {
    text.resize(text.len() + depth, b'\t');
    // Writing to a vector cannot fail.
    let _ = writeln!(text, "{line}");
}

/// The nearest existing joint towards the wrist.
fn parent_of(id: PoseId, nodes: &[Node]) -> Option<usize> {
    let PoseId::Joint(hand, joint) = id else { return None };
    towards_wrist(joint).find_map(|joint| nodes.iter().position(|node| node.id == PoseId::Joint(hand, joint)))
}

/// The median position of a joint relative to its parent. If it is the only child, the parent is rotated to point at
/// it, and only the length must be right.
fn rest_offset(node: &Node, nodes: &[Node], frames: &[Frame]) -> DVec3 {
    let parent = node.parent.map(|parent| &nodes[parent]);
    let offset = |frame: &Frame| {
        let from = parent.map_or(Some(RigidPose::ORIGIN), |parent| pose_of(frame, parent.id))?;
        Some(pose_of(frame, node.id)?.relative_to(&from).position)
    };
    let offsets: Vec<_> = frames.iter().filter_map(offset).collect();
    let typical = median_vector(&offsets).unwrap_or_default();
    match parent {
        Some(parent) if parent.only_child().is_some() => {
            let length = median(offsets.iter().map(|offset| offset.length()).collect());
            typical.normalize_or_zero() * length.unwrap_or(0.0)
        }
        _ => typical,
    }
}

/// A first pass over the recording: the first finite pose of each joint, and a sample of the frames, evenly spaced.
fn scan(recording: &Recording, times: &[f64]) -> (Vec<(PoseId, Option<RigidPose>)>, Vec<Frame>) {
    let joints = Joint::ALL.into_iter().filter(|joint| *joint != Joint::None);
    let joint_ids = Hand::ALL.into_iter().flat_map(|hand| joints.clone().map(move |joint| PoseId::Joint(hand, joint)));
    let mut first_poses: Vec<_> = std::iter::once(PoseId::Camera).chain(joint_ids).map(|id| (id, None)).collect();
    let every = times.len().div_ceil(FRAMES_TO_MEASURE);
    let mut frames = Vec::new();
    let mut sampler = recording.sampler();
    let mut frame = Frame::default();
    for (n, &time) in times.iter().enumerate() {
        sampler.frame_into(time, &mut frame);
        Space::RightHanded.convert_frame(&mut frame);
        for (id, first) in first_poses.iter_mut().filter(|(_, first)| first.is_none()) {
            *first = pose_of(&frame, *id);
        }
        if n % every == 0 {
            frames.push(frame.clone());
        }
    }
    (first_poses, frames)
}
