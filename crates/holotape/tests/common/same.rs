//! Compares the motion of two recordings.

use holotape::{Frame, Hand, Pose, Ray, Recording};

/// The maximum deviation of edits that preserve motion.
pub const MAX_M: f64 = 1e-4;
pub const MAX_DEG: f64 = 0.01;

/// The distance between two poses or rays.
#[derive(Clone, Copy, Debug)]
struct Difference {
    position_m: f64,
    angle_deg: f64,
}

impl Difference {
    fn is_within_bounds(self) -> bool {
        self.position_m <= MAX_M && self.angle_deg <= MAX_DEG
    }
}

/// Asserts that two recordings show the same motion; `at` maps times of one to the other. Includes poses of untracked
/// hands.
///
/// Times in files have 32 bits, so a jump may come slightly earlier or later: any time within that precision matches.
/// During one step of that precision, a value between both sides matches.
pub fn assert_same_motion(
    name: &str,
    [old, new]: [&Recording; 2],
    times: impl IntoIterator<Item = f64>,
    at: impl Fn(f64) -> f64,
) {
    let [mut old, mut new] = [old, new].map(|recording| recording.sampler().with_untracked_poses(true));
    for time in times {
        let found = new.frame_at(at(time));
        let rounding = rounding(time.abs().max(at(time).abs()));
        let expected = [0.0, -rounding, rounding].map(|off| old.frame_at(time + off));
        let expected_parts = expected.each_ref().map(parts);
        for (n, part) in parts(&found).into_iter().enumerate() {
            let each = expected_parts.each_ref().map(|parts| difference(part, parts[n]));
            let [_, before, after] = expected_parts.each_ref().map(|parts| parts[n]);
            let is_one = each.iter().any(|difference| difference.is_within_bounds()) || is_between(part, before, after);
            assert!(is_one, "{name}, part {n} at {time}: {:?}", each[0]);
        }
        for hand in Hand::ALL {
            let flags = |frame: &Frame| frame.hand(hand).map(|hand| (hand.tracked, hand.pinching));
            let is_one = expected.iter().any(|frame| flags(frame) == flags(&found));
            assert!(is_one, "{name}, {hand} hand at {time}: {:?}", flags(&found));
        }
    }
}

/// A few steps of the 32-bit precision at this time.
fn rounding(time: f64) -> f64 {
    4.0 * (f64::from((time as f32).next_up()) - f64::from(time as f32))
}

/// Whether the first lies between the second and the third.
fn is_between(part: Part, before: Part, after: Part) -> bool {
    let (there, back, way) = (difference(before, part), difference(part, after), difference(before, after));
    let detour = Difference {
        position_m: there.position_m + back.position_m - way.position_m,
        angle_deg: there.angle_deg + back.angle_deg - way.angle_deg,
    };
    detour.is_within_bounds()
}

#[derive(Clone, Copy)]
enum Part {
    Pose(Option<Pose>),
    Ray(Option<Ray>),
}

fn parts(frame: &Frame) -> Vec<Part> {
    let joints = [&frame.left, &frame.right].into_iter().flatten().flat_map(|hand| hand.joints);
    let poses = [frame.camera].into_iter().chain(joints);
    poses.map(Part::Pose).chain([Part::Ray(frame.gaze)]).collect()
}

fn difference(a: Part, b: Part) -> Difference {
    match (a, b) {
        (Part::Pose(None), Part::Pose(None)) | (Part::Ray(None), Part::Ray(None)) => {
            Difference { position_m: 0.0, angle_deg: 0.0 }
        }
        (Part::Pose(Some(a)), Part::Pose(Some(b))) => {
            Difference { position_m: a.distance_m(&b), angle_deg: a.angle_deg(&b) }
        }
        (Part::Ray(Some(a)), Part::Ray(Some(b))) => {
            Difference { position_m: a.distance_m(&b), angle_deg: a.angle_deg(&b) }
        }
        _ => Difference { position_m: f64::INFINITY, angle_deg: f64::INFINITY },
    }
}
