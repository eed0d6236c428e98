//! The arrays of a curve pack: sorting, sharing and encoding.

use std::collections::HashMap;
use std::io::{self, Write};
use std::rc::Rc;

/// The items at the indices.
pub(super) fn select<T: Copy>(items: &[T], indices: &[usize]) -> Vec<T> {
    indices.iter().map(|&index| items[index]).collect()
}

/// Indices that sort the times, without NaN; `None` if they are sorted.
pub(super) fn sort_order(times: &[f32]) -> Option<Vec<usize>> {
    if times.is_sorted() && times.iter().all(|time| !time.is_nan()) {
        return None;
    }
    let mut order: Vec<_> = (0..times.len()).filter(|&index| !times[index].is_nan()).collect();
    // Adding zero turns -0 into 0, as evaluation does.
    order.sort_by(|&a, &b| (times[a] + 0.0).total_cmp(&(times[b] + 0.0)));
    Some(order)
}

/// The distinct time arrays of the curves, as bits.
#[derive(Default)]
pub(super) struct TimeArrays {
    pub(super) times: Vec<Rc<[u32]>>,
    indices: HashMap<Rc<[u32]>, usize>,
}

impl TimeArrays {
    /// The index of an array with these times.
    pub(super) fn index_of(&mut self, times: &[f32]) -> usize {
        let times: Rc<[u32]> = times.iter().map(|time| time.to_bits()).collect();
        *self.indices.entry(Rc::clone(&times)).or_insert_with(|| {
            self.times.push(times);
            self.times.len() - 1
        })
    }
}

/// Writes 32-bit words so that they compress well: as zigzag-encoded differences, all lowest bytes first, then all second bytes,
/// and so on. Slowly changing values become long runs of one byte.
pub(super) struct DeltaWriter<W> {
    out: W,
    bytes: Vec<u8>,
}

impl<W: Write> DeltaWriter<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, bytes: Vec::new() }
    }

    pub(super) fn write(&mut self, words: impl Iterator<Item = u32>) -> io::Result<()> {
        let deltas: Vec<_> = zigzag_deltas(words).collect();
        self.bytes.clear();
        for shift in [0, 8, 16, 24] {
            self.bytes.extend(deltas.iter().map(|word| (word >> shift) as u8));
        }
        self.out.write_all(&self.bytes)
    }
}

fn zigzag_deltas(words: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
    words.scan(0_u32, |last, word| {
        let difference = word.wrapping_sub(*last).cast_signed();
        *last = word;
        Some((difference << 1 ^ difference >> 31).cast_unsigned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_differences_become_small_numbers() {
        let words = [10, 11, 9, 9, 0, u32::MAX];
        assert_eq!(zigzag_deltas(words.into_iter()).collect::<Vec<_>>(), [20, 2, 3, 0, 17, 1]);
    }

    #[test]
    fn sort_order_skips_nan() {
        assert_eq!(sort_order(&[0.0, 1.0, 1.0, 2.0]), None);
        assert_eq!(sort_order(&[2.0, f32::NAN, 1.0, 2.0, 0.0]), Some(vec![4, 2, 0, 3]));
        assert_eq!(sort_order(&[f32::NAN]), Some(vec![]));
    }

    #[test]
    fn equal_times_share_an_array() {
        let mut arrays = TimeArrays::default();
        let indices = [[0.0, 1.0], [0.0, 2.0], [0.0, 1.0]].map(|times| arrays.index_of(&times));
        assert_eq!(indices, [0, 1, 0]);
    }
}
