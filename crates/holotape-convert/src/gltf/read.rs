//! Scenes that were written here, as recordings again.

use std::collections::BTreeMap;

use gltf_json::animation::{Channel, Property, Sampler};
use gltf_json::extras::RawValue;
use gltf_json::validation::Checked;
use gltf_json::{Index, Node, Root};
use holotape::format::KeyLayout;
use holotape::{BezierKey, Curve, Error, ErrorKind, LinearKey, PoseId, Recording, Result};
use serde::Deserialize;

use super::accessors::AccessorReader;
use super::rotation::direction_of;
use super::track::{PoseTracks, Track, align_signs, rigid_pose};
use super::{container, names};
use crate::rigid::RigidPose;
use crate::{Loss, LossKind, Losses, Space};

pub(super) fn read(bytes: &[u8]) -> Result<(Recording, Losses)> {
    let (root, buffer) = container::read(bytes)?;
    let mut recording = read_extras(&root)?;
    let mut cast = AnimatedNodes::default();
    let mut numbers = AccessorReader::new(&root, &buffer);
    for animation in &root.animations {
        for channel in &animation.channels {
            cast.add(&root, channel, animation.samplers.get(channel.sampler.value()), &mut numbers)?;
        }
    }
    cast.resolve_world_poses(&root)?;
    let losses = cast.losses();
    cast.fill(&mut recording)?;
    Ok((recording, losses))
}

/// What the scene has no place for: the recording without what moves.
fn read_extras(root: &Root) -> Result<Recording> {
    #[derive(Deserialize)]
    struct Extras {
        holotape: Box<RawValue>,
    }
    let extras = root.asset.extras.as_deref().and_then(|extras| serde_json::from_str(extras.get()).ok());
    let Some(Extras { holotape }) = extras else {
        let message = "a glTF file, but none that holotape wrote: asset.extras.holotape is missing";
        return Err(Error::new(ErrorKind::NotARecording, message));
    };
    Recording::from_json_slice(holotape.get().as_bytes())
}

/// What moves in a scene.
#[derive(Default)]
struct AnimatedNodes {
    actors: BTreeMap<NodeTarget, AnimatedNode>,
    unknown_channels: usize,
}

/// In this order parents come before their children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum NodeTarget {
    Pose(PoseId),
    Gaze,
}

#[derive(Default)]
struct AnimatedNode {
    node: usize,
    name: String,
    tracks: PoseTracks,
}

impl AnimatedNodes {
    fn add(
        &mut self,
        root: &Root,
        channel: &Channel,
        sampler: Option<&Sampler>,
        numbers: &mut AccessorReader<'_>,
    ) -> Result<()> {
        let (node, path) = (channel.target.node, channel.target.path);
        let name = root.get(node).and_then(|node| node.name.as_deref()).unwrap_or_default();
        let role = if name == names::GAZE {
            Some(NodeTarget::Gaze)
        } else {
            names::parse_pose_node(name).map(NodeTarget::Pose)
        };
        let wrong = |message: String| invalid(format!("the animation of the node {name:?}: {message}"));
        let sampler = sampler.ok_or_else(|| wrong("it has no sampler".to_owned()))?;
        match (role, path) {
            (Some(role), Checked::Valid(Property::Translation)) => {
                let track = numbers.track(sampler).map_err(wrong)?;
                put(&mut self.actor(role, node, name).tracks.position, track).map_err(wrong)
            }
            (Some(role), Checked::Valid(Property::Rotation)) => {
                let track = numbers.track(sampler).map_err(wrong)?;
                put(&mut self.actor(role, node, name).tracks.rotation, track).map_err(wrong)
            }
            (None, Checked::Valid(Property::Scale)) if names::is_flag(name) => Ok(()),
            _ => {
                self.unknown_channels += 1;
                Ok(())
            }
        }
    }

    fn actor(&mut self, role: NodeTarget, node: Index<Node>, name: &str) -> &mut AnimatedNode {
        let new = || AnimatedNode { node: node.value(), name: name.to_owned(), tracks: PoseTracks::default() };
        self.actors.entry(role).or_insert_with(new)
    }

    /// Takes joints that hang on other joints to where they are in the world.
    fn resolve_world_poses(&mut self, root: &Root) -> Result<()> {
        let parents = parents(root);
        let roles: Vec<_> = self.actors.keys().copied().collect();
        for role in roles {
            let Some(AnimatedNode { node, name, tracks }) = self.actors.get(&role) else { continue };
            let parent =
                parents.get(node).and_then(|parent| names::parse_pose_node(root.nodes.get(*parent)?.name.as_deref()?));
            let Some(parent) = parent.map(NodeTarget::Pose) else { continue };
            let world = self.actors.get(&parent).filter(|_| parent < role);
            let carried = world.and_then(|world| to_world(&world.tracks, tracks));
            let wrong = || invalid(format!("the node {name:?} hangs on one that does not move with it"));
            let carried = carried.ok_or_else(wrong)?;
            self.actors.entry(role).and_modify(|actor| actor.tracks = carried);
        }
        Ok(())
    }

    /// Puts what moves into a recording, but for what that has already.
    fn fill(mut self, recording: &mut Recording) -> Result<()> {
        let keys = recording.format.layout.keys();
        for (id, pose) in recording.poses_mut() {
            let Some(AnimatedNode { tracks, .. }) = self.actors.remove(&NodeTarget::Pose(id)) else { continue };
            fill_curves(&mut pose.position, &tracks.position, keys, |value| Space::RightHanded.vector(value));
            fill_curves(&mut pose.rotation, &tracks.rotation, keys, |value| Space::RightHanded.rotation(value));
        }
        if let Some(gaze) = &mut recording.gaze
            && let Some(AnimatedNode { tracks, .. }) = self.actors.remove(&NodeTarget::Gaze)
        {
            fill_curves(&mut gaze.origin, &tracks.position, keys, |value| Space::RightHanded.vector(value));
            fill_curves(&mut gaze.direction, &tracks.rotation, keys, direction_of);
        }
        match self.actors.into_values().next() {
            Some(actor) => {
                Err(invalid(format!("the node {:?} moves, but the recording has no such channel", actor.name)))
            }
            None => Ok(()),
        }
    }

    fn losses(&self) -> Losses {
        let mut losses = Losses::default();
        let message = || format!("movements that are no part of a recording ({})", self.unknown_channels);
        losses.extend((self.unknown_channels > 0).then(|| Loss::new(LossKind::Unsupported, message())));
        losses
    }
}

fn put<const N: usize>(slot: &mut Track<N>, track: Track<N>) -> Result<(), String> {
    if !slot.times.is_empty() {
        return Err("it is there twice".to_owned());
    }
    *slot = track;
    Ok(())
}

/// Which node each node hangs on.
fn parents(root: &Root) -> BTreeMap<usize, usize> {
    let children = root
        .nodes
        .iter()
        .enumerate()
        .flat_map(|(parent, node)| node.children.iter().flatten().map(move |child| (child.value(), parent)));
    children.collect()
}

/// What hangs on something that moves, in the world, if both have keys at the same times.
fn to_world(world: &PoseTracks, local: &PoseTracks) -> Option<PoseTracks> {
    let times = &local.position.times;
    let all = [&local.rotation.times, &world.position.times, &world.rotation.times];
    if !all.into_iter().all(|other| other == times) {
        return None;
    }
    let places = |tracks: &PoseTracks| -> Vec<RigidPose> {
        let each = tracks.position.values.iter().zip(&tracks.rotation.values);
        each.map(|(position, rotation)| rigid_pose(*position, *rotation)).collect()
    };
    let mut carried: Vec<_> =
        places(world).iter().zip(places(local)).map(|(world, local)| world.compose(&local)).collect();
    align_signs(&mut carried);
    Some(PoseTracks::from_poses(&carried, times))
}

fn fill_curves<const M: usize, const N: usize>(
    curves: &mut [Curve; N],
    track: &Track<M>,
    keys: KeyLayout,
    unity: impl Fn([f32; M]) -> [f32; N],
) {
    if curves.iter().any(|curve| !curve.keys.is_empty()) {
        return;
    }
    let values: Vec<_> = track.values.iter().map(|value| unity(*value)).collect();
    for (n, curve) in curves.iter_mut().enumerate() {
        let straight = track.times.iter().zip(&values).map(|(time, row)| LinearKey::new(*time, row[n]));
        *curve = match keys {
            KeyLayout::Compact => straight.collect(),
            KeyLayout::Full => straight.map(BezierKey::from).collect(),
        };
    }
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::Invalid, message)
}
