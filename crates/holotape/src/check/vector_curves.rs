//! The curves of a recording in bundles: positions, rotations, directions, each with its components together.

use crate::{Curve, CurveId, Joint, Keys, LinearKey, PoseComponent, PoseId, RayComponent, Recording};

/// What the components of a bundle are together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VectorKind {
    Position,
    Rotation,
    Origin,
    Direction,
}

/// What a bundle belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VectorOwner {
    Pose(PoseId),
    Gaze,
}

impl VectorOwner {
    /// Whether this is the slot of no joint.
    pub(super) fn is_none_slot(self) -> bool {
        matches!(self, Self::Pose(PoseId::Joint(_, Joint::None)))
    }
}

/// Curves that make up one thing. `C` is a slice of curves, to look at or to change.
#[derive(Debug)]
pub(super) struct VectorCurves<C> {
    pub(super) owner: VectorOwner,
    pub(super) meaning: VectorKind,
    pub(super) curves: C,
}

/// Every pose and ray as its two bundles, in the order of the file.
pub(super) fn vector_pairs(recording: &Recording) -> impl Iterator<Item = [VectorCurves<&[Curve]>; 2]> {
    let poses = recording.poses().map(|(id, pose)| {
        let owner = VectorOwner::Pose(id);
        [
            VectorCurves { owner, meaning: VectorKind::Position, curves: &pose.position[..] },
            VectorCurves { owner, meaning: VectorKind::Rotation, curves: &pose.rotation[..] },
        ]
    });
    let gaze = recording.gaze.iter().map(|ray| {
        let owner = VectorOwner::Gaze;
        [
            VectorCurves { owner, meaning: VectorKind::Origin, curves: &ray.origin[..] },
            VectorCurves { owner, meaning: VectorKind::Direction, curves: &ray.direction[..] },
        ]
    });
    poses.chain(gaze)
}

/// Every bundle, in the order of the file.
pub(super) fn vectors(recording: &Recording) -> impl Iterator<Item = VectorCurves<&[Curve]>> {
    vector_pairs(recording).flatten()
}

/// Goes through every bundle, in the order of the file, to change it.
pub(super) fn for_each_vector_mut(recording: &mut Recording, mut each: impl FnMut(VectorCurves<&mut [Curve]>)) {
    for (id, pose) in recording.poses_mut() {
        let owner = VectorOwner::Pose(id);
        each(VectorCurves { owner, meaning: VectorKind::Position, curves: &mut pose.position[..] });
        each(VectorCurves { owner, meaning: VectorKind::Rotation, curves: &mut pose.rotation[..] });
    }
    if let Some(ray) = &mut recording.gaze {
        let owner = VectorOwner::Gaze;
        each(VectorCurves { owner, meaning: VectorKind::Origin, curves: &mut ray.origin[..] });
        each(VectorCurves { owner, meaning: VectorKind::Direction, curves: &mut ray.direction[..] });
    }
}

impl<C: AsRef<[Curve]>> VectorCurves<C> {
    /// The name of one of its curves.
    pub(super) fn id(&self, component: usize) -> CurveId {
        match (self.owner, self.meaning) {
            (VectorOwner::Pose(id), VectorKind::Rotation) => id.curve(PoseComponent::ALL[3 + component]),
            (VectorOwner::Pose(id), _) => id.curve(PoseComponent::ALL[component]),
            (VectorOwner::Gaze, VectorKind::Direction) => CurveId::Gaze(RayComponent::ALL[3 + component]),
            (VectorOwner::Gaze, _) => CurveId::Gaze(RayComponent::ALL[component]),
        }
    }

    /// Its curves without a rotation w that is lost: those that are what they should be.
    pub(super) fn valid_curves(&self) -> &[Curve] {
        let curves = self.curves.as_ref();
        if has_lost_w(curves) { &curves[..3] } else { curves }
    }

    /// The names of all of its curves.
    pub(super) fn ids(&self) -> Vec<CurveId> {
        (0..self.curves.as_ref().len()).map(|component| self.id(component)).collect()
    }
}

/// One time, and the value of each component there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct VectorKey<const N: usize> {
    pub(super) time: f64,
    pub(super) values: [f64; N],
}

/// The keys of curves that share their times, row by row; nothing if they do not.
pub(super) fn vector_keys<const N: usize>(curves: &[Curve]) -> Option<Vec<VectorKey<N>>> {
    let curves: &[Curve; N] = curves.try_into().ok()?;
    if !times_agree(curves) {
        return None;
    }
    let mut rows: Vec<_> =
        curves[0].keys.iter().map(|key| VectorKey { time: f64::from(key.time), values: [0.0; N] }).collect();
    for (component, curve) in curves.iter().enumerate() {
        for (row, key) in rows.iter_mut().zip(curve.keys.iter()) {
            row.values[component] = f64::from(key.value);
        }
    }
    Some(rows)
}

/// Whether curves have keys at the same times, bit for bit.
pub(super) fn times_agree(curves: &[Curve]) -> bool {
    curves.windows(2).all(|pair| bits(&pair[0].keys).eq(bits(&pair[1].keys)))
}

/// Whether the rotation w of these curves is lost: none of its keys is left, or one as MRTK 2.6.0 to 2.7.2 left it, or
/// those before a cut, where x, y and z have more.
pub(super) fn has_lost_w(rotation: &[Curve]) -> bool {
    let [xyz @ .., w] = rotation else { return false };
    if xyz.len() != 3 || xyz.iter().any(|curve| curve.keys.len() < 2) {
        return false;
    }
    let begins_like_x = || bits(&w.keys).eq(bits(&xyz[0].keys).take(w.keys.len()));
    let is_cut = || w.keys.len() < xyz[0].keys.len() && times_agree(xyz) && begins_like_x();
    w.keys.len() <= 1 || is_cut()
}

fn bits(keys: &Keys) -> impl Iterator<Item = u32> {
    keys.iter().map(|key: LinearKey| key.time.to_bits())
}
