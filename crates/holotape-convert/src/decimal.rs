//! Fast formatting of numbers with a fixed number of decimals.

use std::io::Write;

const POWERS: [u64; 10] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];

/// Below this, a number in units of the last digit is an integer that `f64` represents exactly.
const MAX_SCALED: f64 = 1e15;

/// Appends a finite number with at most `decimals` decimals (up to nine), without trailing zeros.
pub(crate) fn push(out: &mut Vec<u8>, value: f64, decimals: usize) {
    let power = POWERS[decimals];
    let scaled = (value * power as f64).round();
    if scaled.abs() >= MAX_SCALED {
        // Writing to a vector cannot fail.
        let _ = write!(out, "{value:.decimals$}");
        return;
    }
    if scaled < 0.0 {
        out.push(b'-');
    }
    let digits = scaled.abs() as u64;
    let mut buffer = itoa::Buffer::new();
    // Below 1, another integer digit keeps the leading zeros of the decimals.
    let text = buffer.format(if digits < power { digits + power } else { digits });
    let (integer, decimals) = text.split_at(text.len() - decimals);
    out.extend_from_slice(if digits < power { b"0" } else { integer.as_bytes() });
    let decimals = decimals.trim_end_matches('0');
    if !decimals.is_empty() {
        out.push(b'.');
        out.extend_from_slice(decimals.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    fn text(value: f64, decimals: usize) -> String {
        let mut out = Vec::new();
        super::push(&mut out, value, decimals);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn trailing_zeros_are_omitted() {
        let pairs = [(0.0, "0"), (-0.0, "0"), (1.5, "1.5"), (-0.00001, "-0.00001"), (0.000004, "0"), (10.0, "10")];
        for (value, expected) in pairs {
            assert_eq!(text(value, 5), expected);
        }
        assert_eq!(text(-0.000004, 5), "0", "no negative zero");
        assert_eq!(text(1e30, 2).parse(), Ok(1e30));
        assert_eq!(text(2.0 / 3.0, 0), "1");
    }

    proptest! {
        #[test]
        fn numbers_are_rounded_to_the_nearest(value in -1e9..1e9_f64, decimals in 0..=9_usize) {
            let read: f64 = text(value, decimals).parse().unwrap();
            let half = 0.5 / 10_f64.powi(i32::try_from(decimals).unwrap());
            prop_assert!((read - value).abs() <= half + value.abs() * 1e-15);
        }
    }
}
