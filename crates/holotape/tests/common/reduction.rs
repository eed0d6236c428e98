//! Key reduction done plainly: what `optimize` is compared with.

use holotape::Tolerance;
use holotape::optimize::OptimizeOptions;
use holotape::{Curve, PoseId, Recording};

#[derive(Clone, Copy, Debug)]
pub struct Tolerances {
    pub joint: Tolerance,
    pub camera: Tolerance,
    pub gaze: Tolerance,
}

impl Tolerances {
    pub const DEFAULT: Self = Self { joint: Tolerance::JOINT, camera: Tolerance::CAMERA, gaze: Tolerance::GAZE };

    /// The same for everything.
    pub fn all(metres: f64, degrees: f64) -> Self {
        let pose = Tolerance { position_m: metres, rotation_deg: degrees };
        Self { joint: pose, camera: pose, gaze: Tolerance { position_m: metres, rotation_deg: degrees } }
    }

    pub fn options(self) -> OptimizeOptions {
        OptimizeOptions::new().with_joint(self.joint).with_camera(self.camera).with_gaze(self.gaze)
    }
}

/// Curves that are reduced together, all of which have the same key times.
pub struct Bundle {
    pub kind: Kind,
    pub tolerance: f64,
    pub times: Vec<f64>,
    /// The fourth is 0 for three curves.
    pub values: Vec<[f64; 4]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Position,
    Rotation,
    Direction,
}

/// All bundles of a recording.
pub fn bundles(recording: &Recording, tolerances: Tolerances) -> Vec<Bundle> {
    let poses = recording.poses().flat_map(|(id, pose)| {
        let tolerance = if id == PoseId::Camera { tolerances.camera } else { tolerances.joint };
        let position = Bundle::new(Kind::Position, tolerance.position_m, &pose.position);
        [position, Bundle::new(Kind::Rotation, tolerance.rotation_deg, &pose.rotation)]
    });
    let rays = recording.gaze.iter().flat_map(|gaze| {
        let origin = Bundle::new(Kind::Position, tolerances.gaze.position_m, &gaze.origin);
        [origin, Bundle::new(Kind::Direction, tolerances.gaze.rotation_deg, &gaze.direction)]
    });
    poses.chain(rays).collect()
}

impl Bundle {
    pub fn new(kind: Kind, tolerance: f64, curves: &[Curve]) -> Self {
        let times: Vec<_> = curves[0].keys.iter().map(|key| key.time.into()).collect();
        let mut values = vec![[0.0; 4]; times.len()];
        for (axis, curve) in curves.iter().enumerate() {
            assert_eq!(curve.keys.len(), times.len());
            values.iter_mut().zip(curve.keys.iter()).for_each(|(value, key)| value[axis] = key.value.into());
        }
        Self { kind, tolerance, times, values }
    }

    /// How far a key is from the span between two others that leaves it out: metres or degrees.
    pub fn error(&self, start: usize, end: usize, key: usize) -> f64 {
        let fraction = (self.times[key] - self.times[start]) / (self.times[end] - self.times[start]);
        let (from, mut to) = (self.values[start], self.values[end]);
        if self.kind == Kind::Rotation && dot(from, to) < 0.0 {
            to = to.map(|x| -x);
        }
        let value = std::array::from_fn(|axis| from[axis] + fraction * (to[axis] - from[axis]));
        self.distance(value, self.values[key])
    }

    /// From one value to another: metres or degrees.
    pub fn distance(&self, a: [f64; 4], b: [f64; 4]) -> f64 {
        match self.kind {
            Kind::Position => length(std::array::from_fn(|axis| a[axis] - b[axis])),
            Kind::Direction => angle_deg(unit(a), unit(b)),
            Kind::Rotation => {
                let angle = angle_deg(unit(a), unit(b));
                2.0 * angle.min(180.0 - angle)
            }
        }
    }

    /// Whether the keys between two may be left out.
    fn is_span(&self, start: usize, end: usize) -> bool {
        let (from, to) = (self.values[start], self.values[end]);
        let cosine = dot(from, to) / (length(from) * length(to));
        let has_short_way = match self.kind {
            Kind::Position => true,
            Kind::Rotation => cosine.abs() > 1e-6,
            Kind::Direction => cosine > 1e-6,
        };
        let is_near = |key| self.error(start, end, key) <= self.tolerance;
        end == start + 1 || has_short_way && (start + 1..end).all(is_near)
    }

    /// How many keys have to be kept at least. Tries every span.
    pub fn fewest(&self) -> usize {
        let count = self.times.len();
        let mut fewest = vec![usize::MAX; count];
        for end in 0..count {
            let starts = (0..end).filter(|&start| self.is_span(start, end));
            fewest[end] = starts.map(|start| fewest[start] + 1).min().unwrap_or(1);
        }
        fewest.last().copied().unwrap_or(0)
    }

    /// The keys that Ramer, Douglas and Peucker keep: of each span the worst, until none is too far.
    pub fn ramer_douglas_peucker(&self) -> Vec<usize> {
        let count = self.times.len();
        if count == 0 {
            return Vec::new();
        }
        let mut kept = vec![0, count - 1];
        let mut spans = vec![(0, count - 1)];
        while let Some((start, end)) = spans.pop() {
            let errors = (start + 1..end).map(|key| (key, self.error(start, end, key)));
            let worst = errors.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|worst| worst.1 > self.tolerance);
            if let Some((key, _)) = worst {
                kept.push(key);
                spans.extend([(start, key), (key, end)]);
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
