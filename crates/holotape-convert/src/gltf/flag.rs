//! Flags as node scales that change in steps.

use holotape::{BoolCurve, CurveRef};

use super::sampled::{SampleDensity, is_usable};
use super::track::Track;
use crate::curve::{has_repeating_wrap, sort_dedup};

/// Returns scale 1 where a flag is true and 0 where it is false, from time 0 on, with keys only at changes.
pub(super) fn scales(flag: &BoolCurve, density: &SampleDensity<'_>) -> Track<3> {
    let is_true = flag.evaluator();
    let mut scales = Track::default();
    for time in times(flag, density) {
        let scale = [f32::from(u8::from(is_true.value_at(time.into()))); 3];
        if scales.values.last() != Some(&scale) {
            scales.times.push(time);
            scales.values.push(scale);
        }
    }
    scales
}

fn times(flag: &BoolCurve, density: &SampleDensity<'_>) -> Vec<f32> {
    let repeats = has_repeating_wrap(CurveRef::Bool(flag));
    let keys = flag.keys.iter().map(|key| key.time);
    let times = sort_dedup(keys.chain([0.0]).chain(repeats.then(|| density.end_secs())).filter(is_usable).collect());
    if repeats { density.fill(&times) } else { times }
}

#[cfg(test)]
mod tests {
    use holotape::{LinearKey, Recording, WrapMode};

    use super::*;

    fn keys(keys: &[(f32, f32)]) -> BoolCurve {
        keys.iter().map(|(time, value)| LinearKey::new(*time, *value)).collect()
    }

    #[test]
    fn scales_has_keys_only_at_changes() {
        let recording = Recording::default();
        let flag = keys(&[(-1.0, 1.0), (1.0, 1.0), (2.0, 0.0), (f32::NAN, 1.0), (3.0, 0.2), (4.0, 1.0)]);
        let scales = scales(&flag, &SampleDensity::new(&recording));
        assert_eq!(scales.times, [0.0, 2.0, 4.0]);
        assert_eq!(scales.values, [[1.0; 3], [0.0; 3], [1.0; 3]]);
    }

    #[test]
    fn repeating_flag_repeats_until_the_end() {
        let mut recording = Recording::default();
        let flag = BoolCurve { post_wrap: WrapMode::LOOP, ..keys(&[(0.0, 1.0), (1.0, 0.0), (2.0, 0.0)]) };
        recording.hand_mut(holotape::Hand::Left).pinching = keys(&[(7.5, 0.0)]);
        assert_eq!(scales(&flag, &SampleDensity::new(&recording)).values.len(), 8);
    }
}
