//! Simple meshes, so that every viewer shows hands: spheres for joints, tapering tubes for bones, a visor.

use holotape::Joint;

/// Ratio of a finger's radius at a joint to the radius at the previous joint.
const TAPER: f32 = 0.86;

/// The radius of the wrist, where the first bone of each finger starts.
const WRIST_M: f32 = 0.0148;

const SEGMENTS: usize = 16;
const RINGS: usize = 8;

/// A mesh that a node can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MeshShape {
    /// A sphere around the origin, for joints of a level.
    Ball(usize),
    /// A tube along -z, of length 1, with radius 1 at its start. The ends are open: joint spheres cover them.
    Tube,
    /// A rounded box behind the camera, so that it does not block the camera's view.
    Visor,
}

impl MeshShape {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Ball(_) => "joint",
            Self::Tube => "bone",
            Self::Visor => "visor",
        }
    }

    pub(super) fn mesh_data(self) -> MeshData {
        match self {
            Self::Ball(level) => ellipsoid([level_radius_m(level); 3], 1.0),
            Self::Tube => tube(),
            Self::Visor => visor(),
        }
    }
}

/// A smooth-shaded triangle mesh.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MeshData {
    pub(super) positions: Vec<[f32; 3]>,
    pub(super) normals: Vec<[f32; 3]>,
    pub(super) indices: Vec<u16>,
}

/// A point of a profile that is rotated around the z axis, with its surface normal.
#[derive(Clone, Copy, Debug)]
struct Ring {
    radius: f32,
    z: f32,
    normal: [f32; 2],
}

/// The number of taper steps from the wrist to a joint; `None` for the palm, which has a separate mesh.
pub(super) fn joint_level(joint: Joint) -> Option<usize> {
    match joint {
        Joint::None | Joint::Palm => None,
        Joint::Wrist => Some(0),
        _ if joint < Joint::IndexMetacarpal => Some(1 + joint.index() - Joint::ThumbMetacarpalJoint.index()),
        _ if joint < Joint::PinkyMetacarpal => Some(2 + (joint.index() - Joint::IndexMetacarpal.index()) % 5),
        _ => Some(3 + joint.index() - Joint::PinkyMetacarpal.index()),
    }
}

/// The radius of joints of a level.
pub(super) fn level_radius_m(level: usize) -> f32 {
    (0..level).fold(WRIST_M, |radius, _| radius * TAPER)
}

/// The radius at the start of a bone that ends in a joint of a level: slightly thinner than both joints.
pub(super) fn bone_radius_m(level: usize) -> f32 {
    0.88 * level_radius_m(level) / TAPER
}

fn tube() -> MeshData {
    let normal = [1.0, TAPER - 1.0];
    lathe(&[Ring { radius: 1.0, z: 0.0, normal }, Ring { radius: TAPER, z: -1.0, normal }])
}

fn visor() -> MeshData {
    const HALF_SIZE_M: [f32; 3] = [0.09, 0.045, 0.035];
    let mut visor = ellipsoid(HALF_SIZE_M, 0.35);
    visor.positions.iter_mut().for_each(|position| position[2] += HALF_SIZE_M[2] + 0.005);
    visor
}

/// A superellipsoid: a sphere at exponent 1, closer to a box towards 0.
fn ellipsoid(half_size_m: [f32; 3], exponent: f32) -> MeshData {
    let ring = |n: usize| {
        let (sin, cos) = (std::f32::consts::PI * n as f32 / RINGS as f32).sin_cos();
        // Exactly 0 at a pole, so that triangles there are degenerate and can be skipped.
        let radius = if n.is_multiple_of(RINGS) { 0.0 } else { sin };
        Ring { radius, z: cos, normal: [radius, cos] }
    };
    let mut mesh = lathe(&(0..=RINGS).map(ring).collect::<Vec<_>>());
    let power = |value: f32, exponent: f32| value.abs().powf(exponent).copysign(value);
    for (position, normal) in mesh.positions.iter_mut().zip(&mut mesh.normals) {
        let direction = *position;
        *position = std::array::from_fn(|n| power(direction[n], exponent) * half_size_m[n]);
        // Relative to one half size, so that all spheres have bit-identical normals.
        *normal =
            unit(std::array::from_fn(|n| power(direction[n], 2.0 - exponent) * (half_size_m[0] / half_size_m[n])));
    }
    mesh
}

/// Rotates a profile, ordered from high to low z, around the z axis.
fn lathe(profile: &[Ring]) -> MeshData {
    let point = |radius: f32, z: f32, n: usize| {
        let (sin, cos) = (std::f32::consts::TAU * n as f32 / SEGMENTS as f32).sin_cos();
        [radius * cos, radius * sin, z]
    };
    let vertices = || profile.iter().flat_map(|ring| (0..SEGMENTS).map(move |n| (ring, n)));
    let positions = vertices().map(|(ring, n)| point(ring.radius, ring.z, n)).collect();
    let normals = vertices().map(|(ring, n)| unit(point(ring.normal[0], ring.normal[1], n))).collect();
    let quads = profile.windows(2).enumerate().flat_map(|(ring, pair)| (0..SEGMENTS).map(move |n| (ring, pair, n)));
    let triangles = quads.flat_map(|(ring, pair, n)| {
        let [a, b] = [n, (n + 1) % SEGMENTS].map(|n| (ring * SEGMENTS + n) as u16);
        let [c, d] = [a, b].map(|above| above + SEGMENTS as u16);
        // At a pole one of the two triangles has no area.
        let upper = (pair[0].radius > 0.0).then_some([a, c, b]);
        let lower = (pair[1].radius > 0.0).then_some([b, c, d]);
        [upper, lower].into_iter().flatten()
    });
    MeshData { positions, normals, indices: triangles.flatten().collect() }
}

fn unit(vector: [f32; 3]) -> [f32; 3] {
    glam::Vec3::from_array(vector).normalize_or(glam::Vec3::Z).to_array()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    #[test]
    fn triangles_and_normals_face_outwards() {
        for mesh in [MeshShape::Ball(3), MeshShape::Tube, MeshShape::Visor].map(MeshShape::mesh_data) {
            let vectors = |rows: &[[f32; 3]]| rows.iter().map(|row| Vec3::from_array(*row)).collect::<Vec<_>>();
            let (positions, normals) = (vectors(&mesh.positions), vectors(&mesh.normals));
            for triangle in mesh.indices.chunks(3) {
                let [a, b, c] = [0, 1, 2].map(|n| usize::from(triangle[n]));
                let normal = (positions[b] - positions[a]).cross(positions[c] - positions[a]);
                assert!(normal.length() > 0.0);
                assert!([a, b, c].iter().all(|n| normals[*n].dot(normal.normalize()) > 0.1), "{triangle:?}");
            }
        }
    }

    #[test]
    fn joint_radius_decreases_towards_the_tips() {
        for joint in Joint::ALL.into_iter().filter(|joint| *joint > Joint::ThumbMetacarpalJoint) {
            let parent = joint.parent().filter(|parent| *parent != Joint::Wrist);
            let thicker = parent.and_then(joint_level).map(level_radius_m);
            let radius = joint_level(joint).map(level_radius_m);
            assert!(parent.is_none() || radius < thicker, "{joint}");
        }
        assert_eq!(joint_level(Joint::PinkyTip), Some(7));
    }
}
