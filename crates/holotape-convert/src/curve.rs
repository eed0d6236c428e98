//! Curve functions that several formats need.

/// Minimum sampling rate of curves with tangents.
const MIN_RATE_HZ: f64 = 60.0;

/// Maximum number of samples: more than an hour at 60 Hz.
const MAX_STEPS: f64 = 262_144.0;

/// Merges the key times of curves into one list, like [`merge_times`]. Curves that share their times share a list.
pub(crate) fn merge_key_times<'a>(lists: impl Iterator<Item = &'a [f32]>) -> Vec<f32> {
    let mut last: Option<&[f32]> = None;
    let distinct = lists.filter(|list| !last.replace(list).is_some_and(|last| std::ptr::eq(last, *list)));
    merge_times(distinct.map(|list| list.iter().copied()))
}

/// Merges lists of times into one: increasing, without duplicates and non-finite times.
pub(crate) fn merge_times<L: IntoIterator<Item = f32>>(lists: impl IntoIterator<Item = L>) -> Vec<f32> {
    let mut times: Vec<f32> = Vec::new();
    let mut last: Vec<f32> = Vec::new();
    for list in lists {
        let list: Vec<f32> = list.into_iter().collect();
        // Most curves share their times with the previous one.
        if last != list {
            times.extend(list.iter().filter(|time| time.is_finite()));
            last = list;
        }
    }
    sort_dedup(times)
}

pub(crate) fn sort_dedup(mut times: Vec<f32>) -> Vec<f32> {
    // A stable sort merges lists that are sorted already.
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

/// Adds times where increasing ones are far apart, at multiples of a step, so that densified lists share times.
pub(crate) fn densify(times: &[f64], rate_hz: f64) -> Vec<f64> {
    let range = times.first().zip(times.last()).map_or(0.0, |(first, last)| last - first);
    let step = (range / MAX_STEPS).max(1.0 / rate_hz.max(MIN_RATE_HZ));
    let between = times.windows(2).flat_map(|pair| {
        let [from, to] = [pair[0], pair[1]];
        let is_far = to - from > 1.5 * step;
        let [first, end] = if is_far { [(from / step).floor() + 1.0, (to / step).ceil()] } else { [0.0; 2] };
        (0..(end - first) as u32).map(move |n| (first + f64::from(n)) * step)
    });
    let mut filled: Vec<_> = times.iter().copied().chain(between).collect();
    filled.sort_unstable_by(f64::total_cmp);
    filled.dedup();
    filled
}

/// Linear interpolation.
pub(crate) fn lerp<const N: usize>(from: [f64; N], to: [f64; N], fraction: f64) -> [f64; N] {
    std::array::from_fn(|n| from[n] + (to[n] - from[n]) * fraction)
}
