//! Selects the keys of an overview.

use std::ops::Range;

/// An overview has all keys up to this time, unless there are more than [`MAX_KEYS`].
const START_SECS: f32 = 10.0;

/// Maximum number of keys of one curve up to [`START_SECS`], and of those after it: one every 2 s in an hour.
const MAX_KEYS: usize = 1800;

/// Indices of the keys in the overview of a curve, given its sorted key times; `None` for all. Depends on the times only, so that
/// curves with equal times keep equal times. Contains the first and the last key.
pub(super) fn kept_keys(times: &[f32]) -> Option<Vec<usize>> {
    let start_count = times.partition_point(|&time| time <= START_SECS);
    let later_count = times.len() - start_count;
    if start_count.max(later_count) <= MAX_KEYS {
        return None;
    }
    Some(evenly_spaced(0..start_count).chain(evenly_spaced(start_count..times.len())).collect())
}

/// At most [`MAX_KEYS`] indices of a range, with its first and its last.
fn evenly_spaced(range: Range<usize>) -> impl Iterator<Item = usize> {
    let count = range.len().min(MAX_KEYS);
    let (last, steps) = (range.len().saturating_sub(1) as u64, count.saturating_sub(1).max(1) as u64);
    (0..count).map(move |n| range.start + (n as u64 * last / steps) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(count: usize, per_second: f32) -> Vec<f32> {
        (0..count).map(|n| n as f32 / per_second).collect()
    }

    #[test]
    fn few_keys_are_all_kept() {
        assert_eq!(kept_keys(&[]), None);
        assert_eq!(kept_keys(&[5.0]), None);
        // 1,801 keys, the last 1,800 of which are after the start.
        assert_eq!(kept_keys(&times(1801, 0.099)), None);
    }

    #[test]
    fn start_is_complete_and_later_keys_are_spread_evenly() {
        let times = times(60 * 600, 60.0);
        let kept = kept_keys(&times).expect("a selection");
        assert_eq!(kept[..601], (0..601).collect::<Vec<_>>());
        assert_eq!((kept[601], kept.len()), (601, 601 + MAX_KEYS));
        assert_eq!(kept.last(), Some(&(times.len() - 1)));
        let steps = kept[601..].windows(2).map(|pair| pair[1] - pair[0]);
        assert!(steps.clone().min() >= Some(19) && steps.max() <= Some(20));
    }

    #[test]
    fn dense_start_is_limited() {
        let kept = kept_keys(&times(100_000, 10_000.0)).expect("a selection");
        assert_eq!(kept.len(), MAX_KEYS);
        assert_eq!((kept[0], kept[MAX_KEYS - 1]), (0, 99_999));
        assert!(kept.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn equal_and_infinite_times_are_selected_by_index() {
        let mut times = vec![f32::NEG_INFINITY; 2000];
        times.extend([20.0; 5000]);
        times.push(f32::INFINITY);
        let kept = kept_keys(&times).expect("a selection");
        assert_eq!((kept.len(), kept[0], kept[2 * MAX_KEYS - 1]), (2 * MAX_KEYS, 0, 7000));
        assert!(kept.is_sorted_by(|a, b| a < b));
    }
}
