//! Reads recordings from scenes that this crate wrote.

use std::collections::BTreeMap;

use gltf_json::animation::{Channel, Property, Sampler};
use gltf_json::extras::RawValue;
use gltf_json::validation::Checked;
use gltf_json::{Index, Node, Root};
use holotape::format::KeyLayout;
use holotape::text::pluralize;
use holotape::{BezierKey, Curve, Error, ErrorKind, LinearKey, Recording, Result, VectorOwner};
use serde::Deserialize;

use super::accessors::AccessorReader;
use super::rotation::direction_of;
use super::track::{PoseTracks, Track, align_signs};
use super::{container, names};
use crate::{LossKind, Losses, Space};

pub(super) fn read(bytes: &[u8]) -> Result<(Recording, Losses)> {
    let (root, buffer) = container::read(bytes)?;
    let mut recording = read_extras(&root)?;
    let mut nodes = AnimatedNodes::default();
    let mut accessors = AccessorReader::new(&root, &buffer);
    for animation in &root.animations {
        for channel in &animation.channels {
            nodes.add(&root, channel, animation.samplers.get(channel.sampler.value()), &mut accessors)?;
        }
    }
    nodes.resolve_world_poses(&root)?;
    let mut losses = Losses::default();
    losses.push_if(nodes.unknown_channels > 0, LossKind::Unsupported, || {
        format!("dropped {}: not part of a recording", pluralize(nodes.unknown_channels, "animation channel"))
    });
    nodes.fill(&mut recording)?;
    Ok((recording, losses))
}

/// Reads the part of the recording that the animation does not represent.
fn read_extras(root: &Root) -> Result<Recording> {
    #[derive(Deserialize)]
    struct Extras {
        holotape: Box<RawValue>,
    }
    let extras = root.asset.extras.as_deref().and_then(|extras| serde_json::from_str(extras.get()).ok());
    let Some(Extras { holotape }) = extras else {
        let message = "not a glTF file written by holotape: asset.extras.holotape is missing";
        return Err(Error::new(ErrorKind::NotARecording, message));
    };
    Recording::from_json_slice(holotape.get().as_bytes())
}

/// The animated nodes that represent poses and the gaze.
#[derive(Default)]
struct AnimatedNodes {
    /// Parents come before their children.
    by_target: BTreeMap<VectorOwner, AnimatedNode>,
    unknown_channels: usize,
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
        accessors: &mut AccessorReader<'_>,
    ) -> Result<()> {
        let (node, path) = (channel.target.node, channel.target.path);
        let name = root.get(node).and_then(|node| node.name.as_deref()).unwrap_or_default();
        let invalid_animation = |message: String| invalid(format!("invalid animation of node {name:?}: {message}"));
        let sampler = sampler.ok_or_else(|| invalid_animation("its sampler does not exist".to_owned()))?;
        let added = match (names::parse_node(name), path) {
            (Some(target), Checked::Valid(Property::Translation)) => {
                set_once(&mut self.entry(target, node, name).tracks.position, accessors.track(sampler))
            }
            (Some(target), Checked::Valid(Property::Rotation)) => {
                set_once(&mut self.entry(target, node, name).tracks.rotation, accessors.track(sampler))
            }
            (None, Checked::Valid(Property::Scale)) if names::is_flag(name) => Ok(()),
            _ => {
                self.unknown_channels += 1;
                Ok(())
            }
        };
        added.map_err(invalid_animation)
    }

    fn entry(&mut self, target: VectorOwner, node: Index<Node>, name: &str) -> &mut AnimatedNode {
        let new = || AnimatedNode { node: node.value(), name: name.to_owned(), tracks: PoseTracks::default() };
        self.by_target.entry(target).or_insert_with(new)
    }

    /// Converts joints that are children of other joints to world coordinates.
    fn resolve_world_poses(&mut self, root: &Root) -> Result<()> {
        let parents = parents(root);
        let targets: Vec<_> = self.by_target.keys().copied().collect();
        for target in targets {
            let Some(AnimatedNode { node, name, tracks }) = self.by_target.get(&target) else { continue };
            let parent =
                parents.get(node).and_then(|parent| names::parse_node(root.nodes.get(*parent)?.name.as_deref()?));
            let Some(parent) = parent.filter(|parent| *parent != VectorOwner::Gaze) else { continue };
            let world = self.by_target.get(&parent).filter(|_| parent < target);
            let resolved = world.and_then(|world| to_world(&world.tracks, tracks));
            let invalid_animation =
                || invalid(format!("invalid node {name:?}: its parent has no animation with the same key times"));
            let resolved = resolved.ok_or_else(invalid_animation)?;
            self.by_target.entry(target).and_modify(|animated| animated.tracks = resolved);
        }
        Ok(())
    }

    /// Fills all curves of the recording that have no keys yet.
    fn fill(mut self, recording: &mut Recording) -> Result<()> {
        let keys = recording.format.layout.keys();
        for (id, pose) in recording.poses_mut() {
            let Some(AnimatedNode { tracks, .. }) = self.by_target.remove(&VectorOwner::Pose(id)) else { continue };
            fill_curves(&mut pose.position, &tracks.position, keys, |value| Space::RightHanded.vector(value));
            fill_curves(&mut pose.rotation, &tracks.rotation, keys, |value| Space::RightHanded.rotation(value));
        }
        if let Some(gaze) = &mut recording.gaze
            && let Some(AnimatedNode { tracks, .. }) = self.by_target.remove(&VectorOwner::Gaze)
        {
            fill_curves(&mut gaze.origin, &tracks.position, keys, |value| Space::RightHanded.vector(value));
            fill_curves(&mut gaze.direction, &tracks.rotation, keys, direction_of);
        }
        match self.by_target.into_values().next() {
            Some(animated) => {
                Err(invalid(format!("node {:?} is animated, but the recording has no such channel", animated.name)))
            }
            None => Ok(()),
        }
    }
}

fn set_once<const N: usize>(slot: &mut Track<N>, track: Result<Track<N>, String>) -> Result<(), String> {
    let track = track?;
    if !slot.times.is_empty() {
        return Err("the property is animated twice".to_owned());
    }
    *slot = track;
    Ok(())
}

/// The parent of each node.
fn parents(root: &Root) -> BTreeMap<usize, usize> {
    let children = |(parent, node): (usize, &Node)| {
        node.children.iter().flatten().map(move |child| (child.value(), parent)).collect::<Vec<_>>()
    };
    root.nodes.iter().enumerate().flat_map(children).collect()
}

/// Converts tracks to world coordinates; `None` if the key times differ from those of the parent.
fn to_world(world: &PoseTracks, local: &PoseTracks) -> Option<PoseTracks> {
    let times = &local.position.times;
    let all = [&local.rotation.times, &world.position.times, &world.rotation.times];
    if !all.into_iter().all(|other| other == times) {
        return None;
    }
    let poses = world.poses_at(times).into_iter().zip(local.poses_at(times));
    let mut resolved: Vec<_> = poses.map(|(world, local)| world.compose(&local)).collect();
    align_signs(&mut resolved);
    Some(PoseTracks::from_poses(&resolved, times))
}

fn fill_curves<const M: usize, const N: usize>(
    curves: &mut [Curve; N],
    track: &Track<M>,
    keys: KeyLayout,
    to_unity: impl Fn([f32; M]) -> [f32; N],
) {
    if curves.iter().any(|curve| !curve.keys.is_empty()) {
        return;
    }
    let values: Vec<_> = track.values.iter().map(|value| to_unity(*value)).collect();
    for (n, curve) in curves.iter_mut().enumerate() {
        let linear = track.times.iter().zip(&values).map(|(time, row)| LinearKey::new(*time, row[n]));
        *curve = match keys {
            KeyLayout::Compact => linear.collect(),
            KeyLayout::Full => linear.map(BezierKey::from).collect(),
        };
    }
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::Invalid, message)
}
