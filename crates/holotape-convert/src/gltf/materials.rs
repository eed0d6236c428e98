//! Materials.

use gltf_json::Material;
use gltf_json::material::{PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor};
use holotape::Hand;

/// The object a material is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MaterialKind {
    Joint(Hand),
    Bone(Hand),
    Pinch,
    Visor,
    Gaze,
}

pub(super) fn material(kind: MaterialKind) -> Material {
    // Linear RGB.
    let (name, [red, green, blue]) = match kind {
        MaterialKind::Joint(Hand::Left) => ("left-joint", [0.02, 0.11, 0.38]),
        MaterialKind::Joint(Hand::Right) => ("right-joint", [0.45, 0.08, 0.01]),
        MaterialKind::Bone(Hand::Left) => ("left-bone", [0.10, 0.35, 0.74]),
        MaterialKind::Bone(Hand::Right) => ("right-bone", [0.82, 0.29, 0.07]),
        MaterialKind::Pinch => ("pinch", [0.9, 0.85, 0.1]),
        MaterialKind::Visor => ("visor", [0.03, 0.035, 0.045]),
        MaterialKind::Gaze => ("gaze", [0.05, 0.7, 0.25]),
    };
    Material {
        name: Some(name.to_owned()),
        pbr_metallic_roughness: PbrMetallicRoughness {
            base_color_factor: PbrBaseColorFactor([red, green, blue, 1.0]),
            metallic_factor: StrengthFactor(0.0),
            roughness_factor: StrengthFactor(0.55),
            ..PbrMetallicRoughness::default()
        },
        ..Material::default()
    }
}
