//! Simple implementations of key reduction, which the tests compare `optimize` with.

use holotape::Tolerance;
use holotape::optimize::OptimizeOptions;
use holotape::{Curve, PoseId, Recording, VectorKind, align_sign};

#[derive(Clone, Copy, Debug)]
pub struct Tolerances {
    pub joint: Tolerance,
    pub camera: Tolerance,
    pub gaze: Tolerance,
}

impl Tolerances {
    pub const DEFAULT: Self = Self { joint: Tolerance::JOINT, camera: Tolerance::CAMERA, gaze: Tolerance::GAZE };

    /// The same tolerance for all body parts.
    pub fn all(metres: f64, degrees: f64) -> Self {
        let pose = Tolerance { position_m: metres, rotation_deg: degrees };
        Self { joint: pose, camera: pose, gaze: Tolerance { position_m: metres, rotation_deg: degrees } }
    }

    pub fn options(self) -> OptimizeOptions {
        OptimizeOptions::new().with_joint(self.joint).with_camera(self.camera).with_gaze(self.gaze)
    }
}

/// The keys of a vector, whose components have the same key times.
pub struct VectorKeys {
    pub kind: VectorKind,
    pub tolerance: f64,
    pub times: Vec<f64>,
    /// The fourth component is 0 for vectors with three.
    pub values: Vec<[f64; 4]>,
}

/// The keys of all vectors of a recording.
pub fn vectors(recording: &Recording, tolerances: Tolerances) -> Vec<VectorKeys> {
    let poses = recording.poses().flat_map(|(id, pose)| {
        let tolerance = if id == PoseId::Camera { tolerances.camera } else { tolerances.joint };
        let position = VectorKeys::new(VectorKind::Position, tolerance.position_m, &pose.position);
        [position, VectorKeys::new(VectorKind::Rotation, tolerance.rotation_deg, &pose.rotation)]
    });
    let rays = recording.gaze.iter().flat_map(|gaze| {
        let origin = VectorKeys::new(VectorKind::Position, tolerances.gaze.position_m, &gaze.origin);
        [origin, VectorKeys::new(VectorKind::Direction, tolerances.gaze.rotation_deg, &gaze.direction)]
    });
    poses.chain(rays).collect()
}

impl VectorKeys {
    pub fn new(kind: VectorKind, tolerance: f64, curves: &[Curve]) -> Self {
        let times: Vec<_> = curves[0].keys.iter().map(|key| key.time.into()).collect();
        let mut values = vec![[0.0; 4]; times.len()];
        for (axis, curve) in curves.iter().enumerate() {
            assert_eq!(curve.keys.len(), times.len());
            values.iter_mut().zip(curve.keys.iter()).for_each(|(value, key)| value[axis] = key.value.into());
        }
        Self { kind, tolerance, times, values }
    }

    /// The error of a key if the segment between two others drops it, in metres or degrees.
    pub fn error(&self, start: usize, end: usize, key: usize) -> f64 {
        let fraction = (self.times[key] - self.times[start]) / (self.times[end] - self.times[start]);
        let (from, to) = (self.values[start], self.values[end]);
        let to = if self.kind == VectorKind::Rotation { align_sign(from, to) } else { to };
        let value = std::array::from_fn(|axis| from[axis] + fraction * (to[axis] - from[axis]));
        self.distance(value, self.values[key])
    }

    /// The distance between two values, in metres or degrees.
    pub fn distance(&self, a: [f64; 4], b: [f64; 4]) -> f64 {
        match self.kind {
            VectorKind::Position => length(std::array::from_fn(|axis| a[axis] - b[axis])),
            VectorKind::Direction => angle_deg(unit(a), unit(b)),
            VectorKind::Rotation => {
                let angle = angle_deg(unit(a), unit(b));
                2.0 * angle.min(180.0 - angle)
            }
        }
    }

    /// Whether the keys between two may be dropped.
    fn is_valid_segment(&self, start: usize, end: usize) -> bool {
        let (from, to) = (self.values[start], self.values[end]);
        let cosine = dot(from, to) / (length(from) * length(to));
        let is_unambiguous = match self.kind {
            VectorKind::Position => true,
            VectorKind::Rotation => cosine.abs() > 1e-6,
            VectorKind::Direction => cosine > 1e-6,
        };
        let is_near = |key| self.error(start, end, key) <= self.tolerance;
        end == start + 1 || is_unambiguous && (start + 1..end).all(is_near)
    }

    /// The minimal number of keys, by trying every segment.
    pub fn min_key_count(&self) -> usize {
        let count = self.times.len();
        let mut counts = vec![usize::MAX; count];
        for end in 0..count {
            let starts = (0..end).filter(|&start| self.is_valid_segment(start, end));
            counts[end] = starts.map(|start| counts[start] + 1).min().unwrap_or(1);
        }
        counts.last().copied().unwrap_or(0)
    }

    /// The keys that the Ramer-Douglas-Peucker algorithm keeps.
    pub fn ramer_douglas_peucker(&self) -> Vec<usize> {
        let count = self.times.len();
        if count == 0 {
            return Vec::new();
        }
        let mut kept = vec![0, count - 1];
        let mut segments = vec![(0, count - 1)];
        while let Some((start, end)) = segments.pop() {
            let errors = (start + 1..end).map(|key| (key, self.error(start, end, key)));
            let worst = errors.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|worst| worst.1 > self.tolerance);
            if let Some((key, _)) = worst {
                kept.push(key);
                segments.extend([(start, key), (key, end)]);
            }
        }
        kept.sort_unstable();
        kept.dedup();
        kept
    }
}

fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn length(v: [f64; 4]) -> f64 {
    dot(v, v).sqrt()
}

fn unit(v: [f64; 4]) -> [f64; 4] {
    let length = length(v);
    v.map(|x| x / length)
}

fn angle_deg(a: [f64; 4], b: [f64; 4]) -> f64 {
    let combined = |sign: f64| length(std::array::from_fn(|axis| a[axis] + sign * b[axis]));
    2.0 * combined(-1.0).atan2(combined(1.0)).to_degrees()
}
