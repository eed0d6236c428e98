//! Nodes, what they look like and how they move.

use gltf_json::animation::{Channel, Interpolation, Property, Sampler, Target};
use gltf_json::camera::{Perspective, Type};
use gltf_json::scene::UnitQuaternion;
use gltf_json::validation::Checked;
use gltf_json::{Accessor, Animation, Asset, Camera, Index, Material, Mesh, Node, Root, Scene};

use super::buffer::BufferBuilder;
use super::geometry::MeshShape;
use super::materials::{MaterialKind, material, mesh};
use super::track::{PoseTracks, Track};

/// Unity's, and near enough to what headsets show.
const FIELD_OF_VIEW_DEG: f32 = 60.0;
const NEAREST_M: f32 = 0.01;

/// A scene in the making: nodes and channels are added, in the end it is a glTF file.
#[derive(Default)]
pub(super) struct SceneBuilder {
    root: Root,
    blob: BufferBuilder,
    channels: Vec<Channel>,
    samplers: Vec<Sampler>,
    top: Vec<Index<Node>>,
    finishes: Vec<(MaterialKind, Index<Material>)>,
    meshes: Vec<((MeshShape, MaterialKind), Index<Mesh>)>,
}

/// The numbers of a body.
pub(super) struct MeshAccessors {
    pub(super) positions: Index<Accessor>,
    pub(super) normals: Index<Accessor>,
    pub(super) triangles: Index<Accessor>,
}

impl SceneBuilder {
    /// Adds a node that hangs on another, or on nothing.
    pub(super) fn node(&mut self, parent: Option<Index<Node>>, node: Node) -> Index<Node> {
        let index = self.root.push(node);
        match parent {
            Some(parent) => self.root.nodes[parent.value()].children.get_or_insert_default().push(index),
            None => self.top.push(index),
        }
        index
    }

    /// Adds a node that moves. While nothing plays it is where it is first.
    pub(super) fn moving_node(
        &mut self,
        parent: Option<Index<Node>>,
        name: Option<String>,
        mesh: Option<Index<Mesh>>,
        tracks: &PoseTracks,
    ) -> Index<Node> {
        let node = Node {
            name,
            mesh,
            translation: tracks.position.values.first().copied(),
            rotation: tracks.rotation.values.first().copied().map(UnitQuaternion),
            ..Node::default()
        };
        let index = self.node(parent, node);
        self.channel(index, Property::Translation, Interpolation::Linear, &tracks.position);
        self.channel(index, Property::Rotation, Interpolation::Linear, &tracks.rotation);
        index
    }

    /// Shows a node where a flag is 1, and hides it where it is 0, by its size.
    pub(super) fn animate_visibility(&mut self, node: Index<Node>, flag: &Track<3>) {
        match flag.values.as_slice() {
            [value] => self.root.nodes[node.value()].scale = Some(*value).filter(|value| *value != [1.0; 3]),
            _ => self.channel(node, Property::Scale, Interpolation::Step, flag),
        }
    }

    fn channel<const N: usize>(&mut self, node: Index<Node>, path: Property, how: Interpolation, track: &Track<N>) {
        let sampler = Sampler {
            input: self.blob.times(&track.times),
            interpolation: Checked::Valid(how),
            output: self.blob.values(&track.values),
            extensions: None,
            extras: None,
        };
        let target = Target { node, path: Checked::Valid(path), extensions: None, extras: None };
        let sampler = Index::push(&mut self.samplers, sampler);
        self.channels.push(Channel { sampler, target, extensions: None, extras: None });
    }

    /// A shape with a finish.
    pub(super) fn mesh(&mut self, shape: MeshShape, finish: MaterialKind) -> Index<Mesh> {
        if let Some((_, index)) = self.meshes.iter().find(|(known, _)| *known == (shape, finish)) {
            return *index;
        }
        let solid = shape.solid();
        let body = MeshAccessors {
            positions: self.blob.positions(&solid.positions),
            normals: self.blob.normals(&solid.normals),
            triangles: self.blob.triangles(&solid.indices),
        };
        let material = self.material(finish);
        let index = self.root.push(mesh(shape.name(), body, material));
        self.meshes.push(((shape, finish), index));
        index
    }

    fn material(&mut self, finish: MaterialKind) -> Index<Material> {
        if let Some((_, index)) = self.finishes.iter().find(|(known, _)| *known == finish) {
            return *index;
        }
        let index = self.root.push(material(finish));
        self.finishes.push((finish, index));
        index
    }

    /// Lets a node carry a camera.
    pub(super) fn put_camera(&mut self, node: Index<Node>) {
        let perspective = Perspective {
            aspect_ratio: None,
            yfov: FIELD_OF_VIEW_DEG.to_radians(),
            zfar: None,
            znear: NEAREST_M,
            extensions: None,
            extras: None,
        };
        let camera = self.root.push(Camera {
            name: Some("camera".to_owned()),
            orthographic: None,
            perspective: Some(perspective),
            type_: Checked::Valid(Type::Perspective),
            extensions: None,
            extras: None,
        });
        self.root.nodes[node.value()].camera = Some(camera);
    }

    /// The document and what its buffer holds.
    pub(super) fn finish(self, asset: Asset) -> (Root, Vec<u8>) {
        let Self { mut root, blob, channels, samplers, top, .. } = self;
        root.asset = asset;
        let bytes = blob.finish(&mut root);
        let name = || Some("recording".to_owned());
        if !channels.is_empty() {
            root.push(Animation { extensions: None, extras: None, channels, name: name(), samplers });
        }
        if !top.is_empty() {
            root.scene = Some(root.push(Scene { extensions: None, extras: None, name: name(), nodes: top }));
        }
        (root, bytes)
    }
}
