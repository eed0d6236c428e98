//! Maps values to pixels, and chooses tick labels.

use crate::plot::figure::Unit;
use crate::plot::round_step;
use crate::plot::span::Span;

/// Maps values from `low` to `high` to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) low: f64,
    pub(super) high: f64,
    /// The pixels of `low` and `high`.
    pub(super) pixels: [f64; 2],
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: String,
}

impl Scale {
    pub(super) fn pixel(&self, value: f64) -> f64 {
        let fraction = (value - self.low) / (self.high - self.low);
        self.pixels[0] + fraction * (self.pixels[1] - self.pixels[0])
    }
}

/// The padded axis range for the given values; at least `min_range`, and never empty.
pub(super) fn range(values: impl Iterator<Item = f64>, unit: Unit, min_range: f64) -> [f64; 2] {
    const AXIS_PADDING: f64 = 0.06;
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if low > high {
        return [0.0, 1.0];
    }
    if unit == Unit::MetresPerSecond {
        return [0.0, (high * (1.0 + AXIS_PADDING)).max(min_range)];
    }
    let middle = f64::midpoint(low, high);
    // A range within rounding errors counts as empty.
    let is_flat = high - low <= 1e-9 * middle.abs();
    let half = (high - low) * (0.5 + AXIS_PADDING);
    let half = match is_flat {
        true if middle == 0.0 => 1.0,
        true => 0.1 * middle.abs(),
        false => half,
    };
    let half = half.max(min_range / 2.0);
    [middle - half, middle + half]
}

/// Round values within a range: about `about`, but at least two, so that the scale is readable.
pub(super) fn ticks(range: [f64; 2], unit: Unit, about: f64) -> Vec<Tick> {
    let [low, high] = range;
    let steps = [1.0, 2.0, 4.0].map(|finer| step_in((high - low) / (finer * about.max(1.0)), unit));
    let is_enough = |step: &f64| multiples(low, high, *step).nth(1).is_some();
    let step = steps.into_iter().find(is_enough).unwrap_or(steps[0]);
    let label = |value| number(value, step, low.abs().max(high.abs()));
    multiples(low, high, step).map(|value| Tick { value, label: label(value) }).collect()
}

fn step_in(min_step: f64, unit: Unit) -> f64 {
    /// Divisors of a circle, for degrees.
    const CIRCLE: [f64; 7] = [15.0, 30.0, 45.0, 90.0, 180.0, 360.0, 720.0];
    let is_circular = unit == Unit::Degrees && min_step > 10.0;
    CIRCLE.into_iter().find(|step| is_circular && *step >= min_step).unwrap_or_else(|| round_step(min_step))
}

/// Round times within a span, at most `max_ticks`.
pub(super) fn time_ticks(span: Span, max_ticks: f64) -> Vec<Tick> {
    let format = TimeLabelFormat::new(span);
    let step = format.step(span.length() / max_ticks.max(1.0));
    let largest = span.start.abs().max(span.end.abs());
    let label = |time| format.label(time, step, largest);
    multiples(span.start, span.end, step).map(|value| Tick { value, label: label(value) }).collect()
}

/// The format of time labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimeLabelFormat {
    Seconds,
    Minutes,
    Hours,
}

impl TimeLabelFormat {
    pub(super) fn new(span: Span) -> Self {
        const DAYS_SECS: f64 = 1e7;
        let largest = span.start.abs().max(span.end.abs());
        match span.length() {
            length if length <= 180.0 || largest > DAYS_SECS => Self::Seconds,
            _ if largest < 2.0 * 3600.0 => Self::Minutes,
            _ => Self::Hours,
        }
    }

    pub(super) fn axis(self) -> &'static str {
        match self {
            Self::Seconds => "time (s)",
            Self::Minutes => "time (min:s)",
            Self::Hours => "time (h:min:s)",
        }
    }

    fn step(self, min_step: f64) -> f64 {
        const STEPS: [f64; 17] = [
            1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1800.0, 3600.0, 7200.0, 10800.0,
            21600.0, 43200.0,
        ];
        const DAY: f64 = 86400.0;
        match self {
            Self::Seconds => round_step(min_step),
            _ => STEPS.into_iter().find(|step| *step >= min_step).unwrap_or_else(|| DAY * round_step(min_step / DAY)),
        }
    }

    fn label(self, time: f64, step: f64, largest: f64) -> String {
        let sign = if time < 0.0 { MINUS } else { "" };
        let seconds = time.abs().round() as u64;
        let (hours, minutes) = (seconds / 3600, seconds / 60);
        match self {
            Self::Seconds => number(time, step, largest),
            Self::Minutes => format!("{sign}{minutes}:{:02}", seconds % 60),
            Self::Hours => format!("{sign}{hours}:{:02}:{:02}", minutes % 60, seconds % 60),
        }
    }
}

const MINUS: &str = "\u{2212}";

/// Formats a value on an axis with the given step and the maximum absolute value `largest`.
fn number(value: f64, step: f64, largest: f64) -> String {
    let digits = (-step.log10().floor()).max(0.0);
    let plain = if largest >= 1e6 || digits > 6.0 {
        let text = format!("{value:.2e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
        if mantissa == "0" { mantissa.to_owned() } else { format!("{mantissa}e{exponent}") }
    } else {
        format!("{value:.*}", digits as usize)
    };
    plain.replace('-', MINUS)
}

/// The multiples of a step within a range.
fn multiples(low: f64, high: f64, step: f64) -> impl Iterator<Item = f64> {
    const MAX_COUNT: f64 = 1000.0;
    // With a tolerance, so that rounding does not drop the last multiple.
    let slack = 1e-9 * (high - low) / step;
    let (first, last) = ((low / step - slack).ceil(), (high / step + slack).floor());
    let count = last - first + 1.0;
    // Also false for NaN.
    let count = if count > 0.0 && count <= MAX_COUNT { count as u32 } else { 0 };
    // Adding 0 turns -0 into 0.
    (0..count).map(move |n| (first + f64::from(n)) * step + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn ticks_have_round_labels() {
        assert_eq!(labels(&ticks([-0.31, 0.42], Unit::Metres, 4.0)), ["−0.2", "0.0", "0.2", "0.4"]);
        assert_eq!(labels(&ticks([0.0, 0.3], Unit::Metres, 3.0)), ["0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(labels(&ticks([-50.0, 50.0], Unit::Degrees, 4.0)), ["−30", "0", "30"]);
        assert_eq!(labels(&ticks([1.0, 1.0004], Unit::Unitless, 2.0)), ["1.0000", "1.0002", "1.0004"]);
        assert_eq!(labels(&ticks([-1e30, 2e30], Unit::Metres, 3.0)), ["−1e30", "0", "1e30", "2e30"]);
    }

    #[test]
    fn time_ticks_use_minutes_and_hours() {
        let ticks = |start, end| time_ticks(Span { start, end }, 5.0);
        assert_eq!(labels(&ticks(0.0, 10.0)), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(&ticks(-60.0, 600.0)), ["0:00", "5:00", "10:00"]);
        assert_eq!(labels(&ticks(0.0, 36000.0)), ["0:00:00", "2:00:00", "4:00:00", "6:00:00", "8:00:00", "10:00:00"]);
        assert_eq!(labels(&ticks(0.0, 1e30)), ["0", "2e29", "4e29", "6e29", "8e29", "1e30"]);
    }

    #[test]
    fn ranges_are_not_empty_and_have_few_ticks() {
        let values = [0.0, 1e-40, -1e-3, 1.6, 1e9, -3.4e38, 3.4e38];
        for a in values {
            for b in values {
                let range = range([a, b].into_iter(), Unit::Metres, 0.0);
                assert!(range[0] < range[1] && range[0] <= a.min(b) && range[1] >= a.max(b), "{a} {b}: {range:?}");
                assert!((2..=6).contains(&ticks(range, Unit::Metres, 4.0).len()), "{range:?}");
            }
        }
        assert_eq!(range(std::iter::empty(), Unit::Metres, 0.0), [0.0, 1.0]);
    }
}
