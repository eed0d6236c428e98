//! A recording as a scene.

use gltf_json::{Asset, Index, Node, Root};
use holotape::{Hand, HandCurves, Joint, PoseId, Recording, Result, edit};

use super::animation::AnimationTracks;
use super::bone::bone;
use super::flag::sizes;
use super::geometry::{MeshShape, bone_radius_m, joint_level, level_radius_m};
use super::local::{nearest_parent, to_local_space};
use super::materials::MaterialKind;
use super::sampled::SampleDensity;
use super::scene::SceneBuilder;
use super::track::PoseTracks;
use super::{EXTRAS_KEY, GltfOptions, names};
use crate::{Losses, Timing};

/// The body of a palm: half of its size across, through and along.
const PALM_HALF_SIZE_M: [f32; 3] = [0.03, 0.009, 0.034];

/// What stands for a pinch, on the tip of the index finger.
const PINCH_MARKER_LEVEL: usize = 3;

/// The body of the eye ray begins in front of the eyes: who looks through the camera does not look into it.
const GAZE_START_M: f32 = 0.3;
const GAZE_LENGTH_M: f32 = 2.0;
const GAZE_RADIUS_M: f32 = 0.0012;

/// The document, what its buffer holds, and what neither does.
pub(super) fn build(recording: &Recording, options: &GltfOptions) -> Result<(Root, Vec<u8>, Losses)> {
    let Timing::Rate(rate_hz) = options.timing else {
        return build_on_keys(recording, options.hierarchy);
    };
    let (root, bytes, mut losses) = build_on_keys(&edit::resample(recording, rate_hz)?, options.hierarchy)?;
    losses.extend(options.timing.loss(recording, &options.timing.times(recording)?));
    Ok((root, bytes, losses))
}

fn build_on_keys(recording: &Recording, hierarchy: bool) -> Result<(Root, Vec<u8>, Losses)> {
    let mut motion = AnimationTracks::of(recording);
    let mut stage = SceneBuilder::default();
    let pace = SampleDensity::of(recording);
    if let Some(camera) = &motion.camera {
        add_camera(&mut stage, camera);
    }
    if let Some(gaze) = &motion.gaze {
        add_gaze(&mut stage, gaze);
    }
    for (hand, joints) in Hand::ALL.into_iter().zip(&motion.hands) {
        let curves = recording.hand(hand);
        if joints.iter().any(Option::is_some) {
            let locals = hierarchy.then(|| to_local_space(joints, &curves.tracked, &pace, &mut motion.gaps.hierarchy));
            add_hand(&mut stage, hand, joints, locals.as_deref()).animate_flags(&mut stage, curves, &pace);
        }
    }
    let (root, bytes) = stage.finish(asset(&motion.rest)?);
    Ok((root, bytes, motion.gaps.losses()))
}

fn add_camera(stage: &mut SceneBuilder, tracks: &PoseTracks) {
    let camera = stage.moving_node(None, names::pose_node_name(PoseId::Camera), None, tracks);
    stage.put_camera(camera);
    let mesh = stage.mesh(MeshShape::Visor, MaterialKind::Visor);
    stage.node(Some(camera), Node { name: named("headset"), mesh: Some(mesh), ..Node::default() });
}

fn add_gaze(stage: &mut SceneBuilder, tracks: &PoseTracks) {
    let gaze = stage.moving_node(None, named(names::GAZE), None, tracks);
    let mesh = stage.mesh(MeshShape::Tube, MaterialKind::Gaze);
    let ray = Node {
        name: named("gaze-ray"),
        mesh: Some(mesh),
        translation: Some([0.0, 0.0, -GAZE_START_M]),
        scale: Some([GAZE_RADIUS_M, GAZE_RADIUS_M, GAZE_LENGTH_M]),
        ..Node::default()
    };
    stage.node(Some(gaze), ray);
}

/// The nodes of a hand.
struct HandNodes {
    hand: Hand,
    group: Index<Node>,
    joints: [Option<Index<Node>>; Joint::COUNT],
}

/// Adds a hand whose joints are where they are in the world, or as seen from their parents.
fn add_hand(
    stage: &mut SceneBuilder,
    hand: Hand,
    joints: &[Option<PoseTracks>],
    locals: Option<&[Option<PoseTracks>]>,
) -> HandNodes {
    let group = stage.node(None, Node { name: Some(names::hand_node_name(hand)), ..Node::default() });
    let mut nodes = HandNodes { hand, group, joints: [None; Joint::COUNT] };
    for joint in Joint::ALL {
        let Some(tracks) = &locals.unwrap_or(joints)[joint.index()] else { continue };
        let parent = locals.and_then(|_| nodes.parent(joint)).unwrap_or(group);
        let mesh = joint_level(joint).map(|level| stage.mesh(MeshShape::Ball(level), MaterialKind::Joint(hand)));
        let name = names::pose_node_name(PoseId::Joint(hand, joint));
        nodes.joints[joint.index()] = Some(stage.moving_node(Some(parent), name, mesh, tracks));
    }
    nodes.add_bones(stage, joints);
    nodes.add_palm(stage);
    nodes
}

impl HandNodes {
    fn node(&self, joint: Joint) -> Option<Index<Node>> {
        self.joints[joint.index()]
    }

    fn parent(&self, joint: Joint) -> Option<Index<Node>> {
        self.node(nearest_parent(&self.joints, joint)?)
    }

    /// Hangs a bone on each joint for each joint that hangs on it.
    fn add_bones(&self, stage: &mut SceneBuilder, joints: &[Option<PoseTracks>]) {
        let tracks = |joint: Joint| joints[joint.index()].as_ref();
        for joint in Joint::ALL {
            let Some(parent) = nearest_parent(&self.joints, joint) else { continue };
            let Some((from, to)) = tracks(parent).zip(tracks(joint)) else { continue };
            let Some(node) = joint_level(joint).and_then(|level| bone(from, to, bone_radius_m(level))) else {
                continue;
            };
            let name = names::pose_node_name(PoseId::Joint(self.hand, joint)).map(|name| name + "-bone");
            let mesh = Some(stage.mesh(MeshShape::Tube, MaterialKind::Bone(self.hand)));
            stage.node(self.node(parent), Node { name, mesh, ..node });
        }
    }

    fn add_palm(&self, stage: &mut SceneBuilder) {
        let Some(palm) = self.node(Joint::Palm) else { return };
        let mesh = Some(stage.mesh(MeshShape::Ball(0), MaterialKind::Bone(self.hand)));
        let scale = Some(PALM_HALF_SIZE_M.map(|half| half / level_radius_m(0)));
        let name = Some(format!("{}-palm-body", self.hand));
        stage.node(Some(palm), Node { name, mesh, scale, ..Node::default() });
    }

    /// Hides the hand where it is not tracked, and shows where it pinches.
    fn animate_flags(&self, stage: &mut SceneBuilder, curves: &HandCurves, pace: &SampleDensity<'_>) {
        stage.animate_visibility(self.group, &sizes(&curves.tracked, pace));
        let pinching = sizes(&curves.pinching, pace);
        let Some(tip) = self.node(Joint::IndexTip).filter(|_| pinching.values.contains(&[1.0; 3])) else { return };
        let mesh = Some(stage.mesh(MeshShape::Ball(PINCH_MARKER_LEVEL), MaterialKind::Pinch));
        let pinch =
            stage.node(Some(tip), Node { name: Some(names::pinch_node_name(self.hand)), mesh, ..Node::default() });
        stage.animate_visibility(pinch, &pinching);
    }
}

fn named(name: &str) -> Option<String> {
    Some(name.to_owned())
}

/// Who wrote this, and what a scene has no place for.
fn asset(rest: &Recording) -> Result<Asset> {
    let mut extras = format!("{{\"{EXTRAS_KEY}\":").into_bytes();
    rest.write_json_to(&mut extras)?;
    extras.push(b'}');
    Ok(Asset {
        generator: named(concat!("holotape ", env!("CARGO_PKG_VERSION"))),
        extras: Some(gltf_json::deserialize::from_slice(&extras).map_err(std::io::Error::from)?),
        ..Asset::default()
    })
}
