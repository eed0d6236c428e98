//! Builds the scene of a recording.

use glam::DQuat;
use gltf_json::scene::UnitQuaternion;
use gltf_json::{Asset, Index, Node, Root};
use holotape::{Hand, HandCurves, Joint, PoseId, Recording, Result, WindowedRecording, edit};

use super::animation::AnimationTracks;
use super::geometry::{MeshShape, bone_radius_m, joint_level, level_radius_m};
use super::local::{nearest_parent, to_local_space};
use super::materials::MaterialKind;
use super::rotation::FORWARD;
use super::sampled::{SampleDensity, scales};
use super::scene::SceneBuilder;
use super::track::{PoseTracks, to_finite_f32};
use super::{EXTRAS_KEY, GltfOptions, names};
use crate::rigid::median_vector;
use crate::{Losses, Timing};

/// Half the size of the palm's mesh: across, through and along.
const PALM_HALF_SIZE_M: [f32; 3] = [0.03, 0.009, 0.034];

/// The level of the sphere on the tip of the index finger that shows a pinch.
const PINCH_MARKER_LEVEL: usize = 3;

/// The mesh of the gaze ray starts in front of the eyes, so that it does not block the camera's view.
const GAZE_START_M: f32 = 0.3;
const GAZE_LENGTH_M: f32 = 2.0;
const GAZE_RADIUS_M: f32 = 0.0012;

/// Samples used to estimate the length of a bone.
const MAX_BONE_SAMPLES: usize = 64;

/// Shorter bones are hidden inside the spheres of the joints.
const MIN_BONE_M: f64 = 0.001;

/// Returns the document, its buffer, and what viewers do not show.
pub(super) fn build(recording: &Recording, options: &GltfOptions) -> Result<(Root, Vec<u8>, Losses)> {
    let Timing::Rate(rate_hz) = options.timing else {
        return build_on_keys(recording, options.hierarchy);
    };
    let (root, bytes, mut losses) = build_on_keys(&edit::resample(recording, rate_hz)?, options.hierarchy)?;
    let recording = WindowedRecording::new(recording);
    losses.extend(options.timing.loss(&recording, &options.timing.windowed_times(&recording)?)?);
    Ok((root, bytes, losses))
}

fn build_on_keys(recording: &Recording, hierarchy: bool) -> Result<(Root, Vec<u8>, Losses)> {
    let mut animation = AnimationTracks::from_recording(recording);
    let mut scene = SceneBuilder::default();
    let density = SampleDensity::new(recording);
    if let Some(camera) = &animation.camera {
        add_camera(&mut scene, camera);
    }
    if let Some(gaze) = &animation.gaze {
        add_gaze(&mut scene, gaze);
    }
    for (hand, joints) in Hand::ALL.into_iter().zip(&animation.hands) {
        let curves = recording.hand(hand);
        if joints.iter().any(Option::is_some) {
            let locals = hierarchy
                .then(|| to_local_space(joints, &curves.tracked, &density, &mut animation.deviations.hierarchy));
            add_hand(&mut scene, hand, joints, locals.as_deref()).animate_flags(&mut scene, curves, &density);
        }
    }
    let (root, bytes) = scene.finish(asset(&animation.rest)?);
    Ok((root, bytes, animation.deviations.losses()))
}

fn add_camera(scene: &mut SceneBuilder, tracks: &PoseTracks) {
    let camera = scene.moving_node(None, names::pose_node_name(PoseId::Camera), None, tracks);
    scene.put_camera(camera);
    let mesh = scene.mesh(MeshShape::Visor, MaterialKind::Visor);
    scene.node(Some(camera), Node { name: named("headset"), mesh: Some(mesh), ..Node::default() });
}

fn add_gaze(scene: &mut SceneBuilder, tracks: &PoseTracks) {
    let gaze = scene.moving_node(None, named(names::GAZE), None, tracks);
    let mesh = scene.mesh(MeshShape::Tube, MaterialKind::Gaze);
    let ray = Node {
        name: named("gaze-ray"),
        mesh: Some(mesh),
        translation: Some([0.0, 0.0, -GAZE_START_M]),
        scale: Some([GAZE_RADIUS_M, GAZE_RADIUS_M, GAZE_LENGTH_M]),
        ..Node::default()
    };
    scene.node(Some(gaze), ray);
}

/// The nodes of a hand.
struct HandNodes {
    hand: Hand,
    group: Index<Node>,
    joints: [Option<Index<Node>>; Joint::COUNT],
}

/// Adds a hand with joints in world coordinates, or, if there are `locals`, relative to their parents.
fn add_hand(
    scene: &mut SceneBuilder,
    hand: Hand,
    joints: &[Option<PoseTracks>],
    locals: Option<&[Option<PoseTracks>]>,
) -> HandNodes {
    let group = scene.node(None, Node { name: Some(names::hand_node_name(hand)), ..Node::default() });
    let mut nodes = HandNodes { hand, group, joints: [None; Joint::COUNT] };
    for joint in Joint::ALL {
        let Some(tracks) = &locals.unwrap_or(joints)[joint.index()] else { continue };
        let parent = locals.and_then(|_| nodes.parent(joint)).unwrap_or(group);
        let mesh = joint_level(joint).map(|level| scene.mesh(MeshShape::Ball(level), MaterialKind::Joint(hand)));
        let name = names::pose_node_name(PoseId::Joint(hand, joint));
        nodes.joints[joint.index()] = Some(scene.moving_node(Some(parent), name, mesh, tracks));
    }
    nodes.add_bones(scene, joints);
    nodes.add_palm(scene);
    nodes
}

impl HandNodes {
    fn node(&self, joint: Joint) -> Option<Index<Node>> {
        self.joints[joint.index()]
    }

    fn parent(&self, joint: Joint) -> Option<Index<Node>> {
        self.node(nearest_parent(&self.joints, joint)?)
    }

    /// Adds a bone mesh to the parent of each joint.
    fn add_bones(&self, scene: &mut SceneBuilder, joints: &[Option<PoseTracks>]) {
        let tracks = |joint: Joint| joints[joint.index()].as_ref();
        for joint in Joint::ALL {
            let Some(parent) = nearest_parent(&self.joints, joint) else { continue };
            let Some((from, to)) = tracks(parent).zip(tracks(joint)) else { continue };
            let Some(node) = joint_level(joint).and_then(|level| bone(from, to, bone_radius_m(level))) else {
                continue;
            };
            let name = names::pose_node_name(PoseId::Joint(self.hand, joint)).map(|name| name + "-bone");
            let mesh = Some(scene.mesh(MeshShape::Tube, MaterialKind::Bone(self.hand)));
            scene.node(self.node(parent), Node { name, mesh, ..node });
        }
    }

    fn add_palm(&self, scene: &mut SceneBuilder) {
        let Some(palm) = self.node(Joint::Palm) else { return };
        let mesh = Some(scene.mesh(MeshShape::Ball(0), MaterialKind::Bone(self.hand)));
        let scale = Some(PALM_HALF_SIZE_M.map(|half| half / level_radius_m(0)));
        let name = Some(format!("{}-palm-body", self.hand));
        scene.node(Some(palm), Node { name, mesh, scale, ..Node::default() });
    }

    /// Hides the hand while it is not tracked, and shows a sphere while it is pinching.
    fn animate_flags(&self, scene: &mut SceneBuilder, curves: &HandCurves, density: &SampleDensity<'_>) {
        scene.animate_visibility(self.group, &scales(&curves.tracked, density));
        let pinching = scales(&curves.pinching, density);
        let Some(tip) = self.node(Joint::IndexTip).filter(|_| pinching.values.contains(&[1.0; 3])) else { return };
        let mesh = Some(scene.mesh(MeshShape::Ball(PINCH_MARKER_LEVEL), MaterialKind::Pinch));
        let pinch =
            scene.node(Some(tip), Node { name: Some(names::pinch_node_name(self.hand)), mesh, ..Node::default() });
        scene.animate_visibility(pinch, &pinching);
    }
}

/// A child node of the joint `from` that reaches to `to`, at the median offset between the two.
fn bone(from: &PoseTracks, to: &PoseTracks, radius_m: f32) -> Option<Node> {
    let all = &to.position.times;
    let times: Vec<_> = all.iter().copied().step_by(all.len().div_ceil(MAX_BONE_SAMPLES).max(1)).collect();
    let poses = from.poses_at(&times).into_iter().zip(to.poses_at(&times));
    let offset = median_vector(&poses.map(|(from, to)| to.relative_to(&from).position).collect::<Vec<_>>())?;
    let length_m = offset.length();
    if !(length_m > MIN_BONE_M && length_m.is_finite()) {
        return None;
    }
    let rotation = DQuat::from_rotation_arc(FORWARD, offset / length_m);
    Some(Node {
        rotation: Some(UnitQuaternion(rotation.to_array().map(to_finite_f32))),
        scale: Some([radius_m, radius_m, to_finite_f32(length_m)]),
        ..Node::default()
    })
}

fn named(name: &str) -> Option<String> {
    Some(name.to_owned())
}

/// The generator, and the data that the scene does not represent.
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
