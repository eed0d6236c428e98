//! Materials and meshes.

use std::collections::BTreeMap;

use gltf_json::material::{PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor};
use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::validation::Checked;
use gltf_json::{Index, Material, Mesh};
use holotape::Hand;

use super::scene::MeshAccessors;

/// The object a material is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MaterialKind {
    Joint(Hand),
    Bone(Hand),
    Pinch,
    Visor,
    Gaze,
}

impl MaterialKind {
    fn name(self) -> String {
        match self {
            Self::Joint(hand) => format!("{hand}-joint"),
            Self::Bone(hand) => format!("{hand}-bone"),
            Self::Pinch => "pinch".to_owned(),
            Self::Visor => "visor".to_owned(),
            Self::Gaze => "gaze".to_owned(),
        }
    }

    /// Linear RGB.
    const fn colour(self) -> [f32; 3] {
        match self {
            Self::Joint(Hand::Left) => [0.02, 0.11, 0.38],
            Self::Joint(Hand::Right) => [0.45, 0.08, 0.01],
            Self::Bone(Hand::Left) => [0.10, 0.35, 0.74],
            Self::Bone(Hand::Right) => [0.82, 0.29, 0.07],
            Self::Pinch => [0.9, 0.85, 0.1],
            Self::Visor => [0.03, 0.035, 0.045],
            Self::Gaze => [0.05, 0.7, 0.25],
        }
    }
}

pub(super) fn material(kind: MaterialKind) -> Material {
    let [red, green, blue] = kind.colour();
    Material {
        name: Some(kind.name()),
        pbr_metallic_roughness: PbrMetallicRoughness {
            base_color_factor: PbrBaseColorFactor([red, green, blue, 1.0]),
            metallic_factor: StrengthFactor(0.0),
            roughness_factor: StrengthFactor(0.55),
            ..PbrMetallicRoughness::default()
        },
        ..Material::default()
    }
}

pub(super) fn mesh(name: &str, accessors: MeshAccessors, material: Index<Material>) -> Mesh {
    let attributes = [(Semantic::Positions, accessors.positions), (Semantic::Normals, accessors.normals)];
    let primitive = Primitive {
        attributes: BTreeMap::from(attributes.map(|(semantic, accessor)| (Checked::Valid(semantic), accessor))),
        extensions: None,
        extras: None,
        indices: Some(accessors.triangles),
        material: Some(material),
        mode: Checked::Valid(Mode::Triangles),
        targets: None,
    };
    Mesh { extensions: None, extras: None, name: Some(name.to_owned()), primitives: vec![primitive], weights: None }
}
