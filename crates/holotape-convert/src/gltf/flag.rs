//! True and false as sizes that change in steps.

use holotape::{BoolCurve, CurveRef};

use super::sampled::{SampleDensity, is_usable};
use super::track::Track;
use crate::curve::{has_repeating_wrap, sort_dedup};

/// 1 where a flag is true and 0 where it is false, from time 0 on, with a key only where that changes.
pub(super) fn sizes(flag: &BoolCurve, pace: &SampleDensity<'_>) -> Track<3> {
    let is_true = flag.evaluator();
    let mut sizes = Track::default();
    for time in times(flag, pace) {
        let size = [f32::from(u8::from(is_true.value_at(time.into()))); 3];
        if sizes.values.last() != Some(&size) {
            sizes.times.push(time);
            sizes.values.push(size);
        }
    }
    sizes
}

fn times(flag: &BoolCurve, pace: &SampleDensity<'_>) -> Vec<f32> {
    let repeats = has_repeating_wrap(CurveRef::Bool(flag));
    let keys = flag.keys.iter().map(|key| key.time);
    let times = sort_dedup(keys.chain([0.0]).chain(repeats.then(|| pace.end_secs())).filter(is_usable).collect());
    if repeats { pace.fill(&times) } else { times }
}

#[cfg(test)]
mod tests {
    use holotape::{LinearKey, Recording, WrapMode};

    use super::*;

    fn keys(keys: &[(f32, f32)]) -> BoolCurve {
        keys.iter().map(|(time, value)| LinearKey::new(*time, *value)).collect()
    }

    #[test]
    fn only_changes_have_keys() {
        let recording = Recording::default();
        let flag = keys(&[(-1.0, 1.0), (1.0, 1.0), (2.0, 0.0), (f32::NAN, 1.0), (3.0, 0.2), (4.0, 1.0)]);
        let sizes = sizes(&flag, &SampleDensity::of(&recording));
        assert_eq!(sizes.times, [0.0, 2.0, 4.0]);
        assert_eq!(sizes.values, [[1.0; 3], [0.0; 3], [1.0; 3]]);
    }

    #[test]
    fn a_flag_that_repeats_does_so_to_the_end() {
        let mut recording = Recording::default();
        let flag = BoolCurve { post_wrap: WrapMode::LOOP, ..keys(&[(0.0, 1.0), (1.0, 0.0), (2.0, 0.0)]) };
        recording.hand_mut(holotape::Hand::Left).pinching = keys(&[(7.5, 0.0)]);
        assert_eq!(sizes(&flag, &SampleDensity::of(&recording)).values.len(), 8);
    }
}
