//! The options `--from` and `--to`.

use crate::failure::Failure;

/// The times that a command accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanLimit {
    /// `--from` must be in the recording.
    Recording,
    /// With `--to`, the span may be outside of the recording, where curves follow their wrap modes.
    Unlimited,
}

/// Fails if `--from` is after `--to`. Call it before expensive work.
pub fn check_order(from: Option<f64>, to: Option<f64>) -> Result<(), Failure> {
    match (from, to) {
        (Some(from), Some(to)) if from > to => Err(Failure::Usage(format!("--from {from} is after --to {to}"))),
        (None, Some(to)) if to < 0.0 => Err(Failure::Usage(format!("--to {to} is before the start at 0 s"))),
        _ => Ok(()),
    }
}

/// Returns start and end of the span: by default, those of the recording.
pub fn resolve(
    from: Option<f64>,
    to: Option<f64>,
    duration_secs: f32,
    limit: SpanLimit,
) -> Result<(f64, f64), Failure> {
    check_order(from, to)?;
    let (start, end) = (from.unwrap_or(0.0), f64::from(duration_secs));
    let is_limited = limit == SpanLimit::Recording || to.is_none();
    // Times are rounded to 32 bits, as in the file.
    if is_limited && start as f32 > duration_secs {
        let message = format!("--from {start} is after the end of the recording, which lasts {duration_secs} s");
        return Err(Failure::Usage(message));
    }
    Ok((if is_limited { start.min(end) } else { start }, to.unwrap_or(end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolve_accepts_the_rounded_end() {
        let resolve = |from, to, limit| resolve(from, to, 3.1_f32, limit).ok();
        let end = f64::from(3.1_f32);
        assert_eq!(resolve(None, None, SpanLimit::Recording), Some((0.0, end)));
        assert_eq!(resolve(Some(3.1), None, SpanLimit::Unlimited), Some((end, end)));
        assert_eq!(resolve(Some(3.2), Some(4.0), SpanLimit::Unlimited), Some((3.2, 4.0)));
        assert_eq!(resolve(Some(3.2), Some(4.0), SpanLimit::Recording), None);
        assert_eq!(resolve(Some(-1.0), Some(-0.5), SpanLimit::Recording), Some((-1.0, -0.5)));
    }
}
