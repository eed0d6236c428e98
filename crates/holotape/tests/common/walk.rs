//! Made-up motion of a camera and a gaze, for property tests.

use holotape::{Curve, LinearKey, PoseCurves, RayCurves, Recording};
use proptest::prelude::*;

#[derive(Clone, Copy, Debug)]
pub struct Moment {
    pub time: f32,
    pub place: [f64; 3],
    /// Axis times the tangent of half the angle.
    pub turn: [f64; 3],
    /// What rotation and direction are multiplied by; the rotation may be negated.
    pub length: f64,
    pub is_negated: bool,
}

impl Moment {
    fn rotation(&self) -> [f64; 4] {
        let [x, y, z] = self.turn;
        let length = if self.is_negated { -self.length } else { self.length };
        [x, y, z, 1.0].map(|part| part * length / (1.0 + x * x + y * y + z * z).sqrt())
    }

    fn direction(&self) -> [f64; 3] {
        let [x, y, _] = self.turn;
        [x, y, 1.0].map(|part| part * self.length / (1.0 + x * x + y * y).sqrt())
    }
}

pub fn take_of(moments: &[Moment]) -> Recording {
    fn curves<const N: usize>(moments: &[Moment], values: impl Fn(&Moment) -> [f64; N]) -> [Curve; N] {
        let key = |moment: &Moment, axis: usize| LinearKey::new(moment.time, values(moment)[axis] as f32);
        std::array::from_fn(|axis| moments.iter().map(|moment| key(moment, axis)).collect())
    }
    let place = curves(moments, |moment| moment.place);
    let camera = PoseCurves { position: place.clone(), rotation: curves(moments, Moment::rotation) };
    let gaze = RayCurves { origin: place, direction: curves(moments, Moment::direction) };
    Recording { camera: Some(camera), gaze: Some(gaze), ..Recording::default() }
}

/// Glides and trembles, on scales from far below any tolerance to far above, and now and then stops, or is not seen for a
/// while.
pub fn any_walk(max_keys: usize) -> impl Strategy<Value = Recording> {
    let triple = || prop::array::uniform3(-1.0..1.0_f64);
    // A start that is a multiple of the last bit of the end: others make proptest panic once in fifty million draws.
    let secs = 1.0 / 1024.0..0.05_f32;
    let step = (secs, triple(), triple(), any::<bool>(), 0..20_u8);
    let scales = prop::array::uniform3(prop::sample::select(vec![0.0, 1e-5, 1e-3, 0.02, 0.5, 5.0]));
    let steps = prop::collection::vec(step, 0..max_keys);
    (steps, scales, any::<[bool; 2]>()).prop_map(
        |(steps, [glide, place_noise, turn_noise], [has_flips, has_lengths])| {
            let mut time = -1.0;
            let [mut place, mut turn, mut place_speed, mut turn_speed] = [[0.0; 3]; 4];
            let moment = |(secs, a, b, is_negated, event): (f32, [f64; 3], [f64; 3], bool, u8)| {
                time += if event == 0 { 3.0 } else { secs };
                for axis in 0..3 {
                    let drag = if event == 1 { 0.0 } else { 0.9 };
                    place_speed[axis] = place_speed[axis] * drag + a[axis] * glide;
                    turn_speed[axis] = turn_speed[axis] * drag + b[axis] * glide;
                    place[axis] += place_speed[axis] * 0.05;
                    turn[axis] += turn_speed[axis] * 0.05;
                }
                let trembling =
                    |at: [f64; 3], noise: f64, by: [f64; 3]| [0, 1, 2].map(|axis| at[axis] + noise * by[axis]);
                let (place, turn) = (trembling(place, place_noise, b), trembling(turn, turn_noise, a));
                let length = if has_lengths { 1.2 + 0.6 * a[0] } else { 1.0 };
                Moment { time, place, turn, length, is_negated: is_negated && has_flips }
            };
            take_of(&steps.into_iter().map(moment).collect::<Vec<_>>())
        },
    )
}

/// Trembles about one place and one rotation, so far along each axis.
pub fn trembling(count: u32, metres: f64, radians: f64) -> Recording {
    let mut random = 1_u64;
    let mut noise = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let mut triple = |most: f64| [0; 3].map(|_| most * noise());
    let moment = |n| Moment {
        time: n as f32 / 64.0,
        place: triple(metres),
        turn: triple(radians / 2.0),
        length: 1.0,
        is_negated: false,
    };
    take_of(&(0..count).map(moment).collect::<Vec<_>>())
}
