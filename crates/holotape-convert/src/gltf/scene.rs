//! Builds the nodes, meshes and animation of a scene.

use gltf_json::animation::{Channel, Interpolation, Property, Sampler, Target};
use gltf_json::camera::{Perspective, Type};
use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::scene::UnitQuaternion;
use gltf_json::validation::Checked;
use gltf_json::{Animation, Asset, Camera, Index, Material, Mesh, Node, Root, Scene};

use super::buffer::BufferBuilder;
use super::geometry::MeshShape;
use super::materials::{MaterialKind, material};
use super::track::{PoseTracks, Track};

/// Unity's default, close to what headsets show.
const FIELD_OF_VIEW_DEG: f32 = 60.0;
const NEAR_PLANE_M: f32 = 0.01;

/// A scene under construction.
#[derive(Default)]
pub(super) struct SceneBuilder {
    root: Root,
    buffer: BufferBuilder,
    channels: Vec<Channel>,
    samplers: Vec<Sampler>,
    top: Vec<Index<Node>>,
    materials: Vec<(MaterialKind, Index<Material>)>,
    meshes: Vec<((MeshShape, MaterialKind), Index<Mesh>)>,
}

impl SceneBuilder {
    /// Adds a node below `parent`, or at the top level.
    pub(super) fn node(&mut self, parent: Option<Index<Node>>, node: Node) -> Index<Node> {
        let index = self.root.push(node);
        match parent {
            Some(parent) => self.root.nodes[parent.value()].children.get_or_insert_default().push(index),
            None => self.top.push(index),
        }
        index
    }

    /// Adds an animated node. Its static pose is the first one.
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

    /// Shows a node where a flag is 1 and hides it where it is 0, by scaling it.
    pub(super) fn animate_visibility(&mut self, node: Index<Node>, flag: &Track<3>) {
        match flag.values.as_slice() {
            [value] => self.root.nodes[node.value()].scale = Some(*value).filter(|value| *value != [1.0; 3]),
            _ => self.channel(node, Property::Scale, Interpolation::Step, flag),
        }
    }

    fn channel<const N: usize>(&mut self, node: Index<Node>, path: Property, how: Interpolation, track: &Track<N>) {
        let sampler = Sampler {
            input: self.buffer.times(&track.times),
            interpolation: Checked::Valid(how),
            output: self.buffer.values(&track.values),
            extensions: None,
            extras: None,
        };
        let target = Target { node, path: Checked::Valid(path), extensions: None, extras: None };
        let sampler = Index::push(&mut self.samplers, sampler);
        self.channels.push(Channel { sampler, target, extensions: None, extras: None });
    }

    /// Returns the mesh of a shape with a material; adds it if it is new.
    pub(super) fn mesh(&mut self, shape: MeshShape, kind: MaterialKind) -> Index<Mesh> {
        if let Some((_, index)) = self.meshes.iter().find(|(known, _)| *known == (shape, kind)) {
            return *index;
        }
        let data = shape.mesh_data();
        let attributes = [
            (Checked::Valid(Semantic::Positions), self.buffer.positions(&data.positions)),
            (Checked::Valid(Semantic::Normals), self.buffer.normals(&data.normals)),
        ];
        let primitive = Primitive {
            attributes: attributes.into(),
            extensions: None,
            extras: None,
            indices: Some(self.buffer.triangles(&data.indices)),
            material: Some(self.material(kind)),
            mode: Checked::Valid(Mode::Triangles),
            targets: None,
        };
        let name = Some(shape.name().to_owned());
        let mesh = Mesh { extensions: None, extras: None, name, primitives: vec![primitive], weights: None };
        let index = self.root.push(mesh);
        self.meshes.push(((shape, kind), index));
        index
    }

    fn material(&mut self, kind: MaterialKind) -> Index<Material> {
        if let Some((_, index)) = self.materials.iter().find(|(known, _)| *known == kind) {
            return *index;
        }
        let index = self.root.push(material(kind));
        self.materials.push((kind, index));
        index
    }

    /// Attaches a camera to a node.
    pub(super) fn put_camera(&mut self, node: Index<Node>) {
        let perspective = Perspective {
            aspect_ratio: None,
            yfov: FIELD_OF_VIEW_DEG.to_radians(),
            zfar: None,
            znear: NEAR_PLANE_M,
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

    /// Returns the document and the buffer's bytes.
    pub(super) fn finish(self, asset: Asset) -> (Root, Vec<u8>) {
        let Self { mut root, buffer, channels, samplers, top, .. } = self;
        root.asset = asset;
        let bytes = buffer.finish(&mut root);
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
