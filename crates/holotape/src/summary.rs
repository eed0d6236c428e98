//! What is in a recording, found without reading its keys.

use std::fs::File;
use std::io::{Read, Seek};
use std::ops::Range;
use std::path::Path;

use crate::error::{Error, Result};
use crate::format::{ByteSource, Channels, CurveSpan, Format, Index, LayoutEvidence, SeekSource, linear_key};
use crate::{CurveId, CurveRef, Hand, LinearKey, Marker, Recording};

/// What is in a recording. From a file it takes milliseconds and kilobytes, whatever the length: only the curve
/// headers, the first and last key of each curve and the four boolean curves are read.
///
/// ```
/// # let take = holotape::demo::DemoOptions::new().with_seconds(3.0).record()?;
/// use holotape::{Hand, Summary};
///
/// let summary = Summary::of(&take);
/// println!("{} s, {} keys", summary.duration_secs, summary.key_count());
/// println!("right hand pinched {} times", summary.hand(Hand::Right).pinching.count);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// Version, layout, and whether there is a marker list.
    pub format: Format,
    /// How the layout was decided, for what was read from a file.
    pub evidence: Option<LayoutEvidence>,
    /// Which channels there are.
    pub channels: Channels,
    /// The largest time of any curve's last key, and at least 0.
    pub duration_secs: f32,
    /// Every curve of the recording, in the order of the file.
    pub curves: Vec<CurveSummary>,
    /// What the flags of the left and the right hand say.
    pub hands: [HandSummary; 2],
    /// The markers, in the order of the file.
    pub markers: Vec<Marker>,
}

/// How many keys a curve has, and from when to when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveSummary {
    /// Which curve.
    pub id: CurveId,
    /// How many keys it has.
    pub key_count: u32,
    /// The time of its first key; 0 if it has none.
    pub start_secs: f32,
    /// The time of its last key; 0 if it has none.
    pub end_secs: f32,
}

/// When a hand was tracked and when it pinched.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HandSummary {
    /// When the device saw the hand.
    pub tracked: FlagSummary,
    /// When thumb and index finger were pinched together.
    pub pinching: FlagSummary,
}

/// When a boolean curve was true, between 0 and the end of the recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlagSummary {
    /// How often it became true, or began so.
    pub count: usize,
    /// For how long in all.
    pub secs: f64,
    /// The share of time for which it was true, in equal parts of the recording.
    pub timeline: [f32; Self::TIMELINE_PARTS],
}

impl FlagSummary {
    /// How many parts a timeline has.
    pub const TIMELINE_PARTS: usize = 60;
}

impl Default for FlagSummary {
    fn default() -> Self {
        Self { count: 0, secs: 0.0, timeline: [0.0; Self::TIMELINE_PARTS] }
    }
}

impl Summary {
    /// The summary of a file on disk.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a whole, well-formed input animation.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let open = || Self::from_reader(File::open(path)?);
        open().map_err(|error: Error| error.with_path(path))
    }

    /// The summary of something seekable.
    ///
    /// # Errors
    /// If reading fails, or the bytes are not a whole, well-formed input animation.
    pub fn from_reader(reader: impl Read + Seek) -> Result<Self> {
        let mut source = SeekSource::new(reader)?;
        let index = Index::from_source(&mut source)?;
        let curves = index.curves().iter().map(|span| read_curve(&mut source, span)).collect::<Result<_>>()?;
        let mut summary = Self {
            format: index.format(),
            evidence: Some(index.layout_evidence()),
            channels: index.channels(),
            duration_secs: 0.0,
            curves,
            hands: Default::default(),
            markers: index.markers_from(&mut source)?,
        };
        summary.measure_duration();
        for span in index.curves() {
            if let Some(mut flag) = summary.flag(span.id) {
                read_bool_keys(&mut source, span, |key| flag.push(key))?;
                flag.finish();
            }
        }
        Ok(summary)
    }

    /// The summary of a recording in memory.
    #[must_use]
    pub fn of(recording: &Recording) -> Self {
        let curves = recording.curves().map(|(id, curve)| CurveSummary {
            id,
            key_count: u32::try_from(curve.key_count()).unwrap_or(u32::MAX),
            start_secs: curve.start_secs().unwrap_or(0.0),
            end_secs: curve.end_secs().unwrap_or(0.0),
        });
        let mut summary = Self {
            format: recording.format,
            evidence: None,
            channels: recording.channels(),
            duration_secs: 0.0,
            curves: curves.collect(),
            hands: Default::default(),
            markers: recording.markers.to_vec(),
        };
        summary.measure_duration();
        for (id, curve) in recording.curves() {
            if let (Some(mut flag), CurveRef::Bool(curve)) = (summary.flag(id), curve) {
                curve.keys.iter().for_each(|key| flag.push(*key));
                flag.finish();
            }
        }
        summary
    }

    /// When one of the hands was tracked and when it pinched.
    #[must_use]
    pub fn hand(&self, hand: Hand) -> &HandSummary {
        &self.hands[hand as usize]
    }

    /// How many keys all curves have together.
    #[must_use]
    pub fn key_count(&self) -> u64 {
        self.curves.iter().map(|curve| u64::from(curve.key_count)).sum()
    }

    /// How much of the recording `secs` are, between 0 and 1.
    #[must_use]
    pub fn share(&self, secs: f64) -> f64 {
        let duration = f64::from(self.duration_secs);
        if duration > 0.0 { secs / duration } else { 0.0 }
    }

    fn measure_duration(&mut self) {
        self.duration_secs = self.curves.iter().map(|curve| curve.end_secs).fold(0.0, f32::max);
    }

    /// What to tell the keys of a boolean curve to.
    fn flag(&mut self, id: CurveId) -> Option<FlagBuilder<'_>> {
        let end = f64::from(self.duration_secs);
        let summary = match id {
            CurveId::Tracked(hand) => &mut self.hands[hand as usize].tracked,
            CurveId::Pinching(hand) => &mut self.hands[hand as usize].pinching,
            _ => return None,
        };
        Some(FlagBuilder { summary, end, last: None })
    }
}

impl CurveSummary {
    /// Keys a second on average, for several curves together; nothing if none has two keys.
    ///
    /// ```
    /// # let take = holotape::demo::DemoOptions::new().with_seconds(3.0).record()?;
    /// use holotape::{CurveSummary, Summary};
    ///
    /// let rate = CurveSummary::rate_hz(&Summary::of(&take).curves[..7]).unwrap();
    /// assert!((59.0..61.0).contains(&rate));
    /// # Ok::<(), holotape::Error>(())
    /// ```
    pub fn rate_hz<'a>(curves: impl IntoIterator<Item = &'a Self>) -> Option<f64> {
        let several = curves.into_iter().filter(|curve| curve.key_count > 1);
        let (steps, secs) = several.fold((0.0, 0.0), |(steps, secs), curve| {
            (steps + f64::from(curve.key_count - 1), secs + f64::from(curve.end_secs) - f64::from(curve.start_secs))
        });
        (secs > 0.0).then_some(steps / secs)
    }
}

/// Adds up the spans in which a boolean curve is true, key by key.
struct FlagBuilder<'a> {
    summary: &'a mut FlagSummary,
    end: f64,
    last: Option<LinearKey>,
}

impl FlagBuilder<'_> {
    fn push(&mut self, key: LinearKey) {
        let was_on = self.last.is_some_and(is_on);
        if let Some(last) = self.last.filter(|_| was_on) {
            self.add(f64::from(last.time)..f64::from(key.time));
        } else if self.last.is_none() && is_on(key) {
            // Before its first key, a curve is what it is there.
            self.add(0.0..f64::from(key.time));
        }
        self.summary.count += usize::from(is_on(key) && !was_on);
        self.last = Some(key);
    }

    fn finish(mut self) {
        if let Some(last) = self.last.filter(|last| is_on(*last)) {
            self.add(f64::from(last.time)..self.end);
        }
    }

    fn add(&mut self, span: Range<f64>) {
        let span = span.start.max(0.0)..span.end.min(self.end);
        if span.is_empty() {
            return; // Also where the keys are out of order, or a time is not a number.
        }
        self.summary.secs += span.end - span.start;
        let part_secs = self.end / FlagSummary::TIMELINE_PARTS as f64;
        let first = (span.start / part_secs) as usize;
        for (index, share) in self.summary.timeline.iter_mut().enumerate().skip(first) {
            let part = index as f64 * part_secs;
            if part >= span.end {
                break;
            }
            let overlap = span.end.min(part + part_secs) - span.start.max(part);
            *share = (*share + (overlap / part_secs).max(0.0) as f32).min(1.0);
        }
    }
}

fn is_on(key: LinearKey) -> bool {
    key.value > 0.5
}

fn read_curve(source: &mut impl ByteSource, span: &CurveSpan) -> Result<CurveSummary> {
    let mut time_at = |offset| source.array(offset).map(f32::from_le_bytes);
    let (start_secs, end_secs) = match (span.key_span.end - span.key_span.start).checked_div(u64::from(span.key_count))
    {
        Some(key_bytes) => (time_at(span.key_span.start)?, time_at(span.key_span.end - key_bytes)?),
        None => (0.0, 0.0),
    };
    Ok(CurveSummary { id: span.id, key_count: span.key_count, start_secs, end_secs })
}

fn read_bool_keys(source: &mut impl ByteSource, span: &CurveSpan, mut each: impl FnMut(LinearKey)) -> Result<()> {
    const BYTES_AT_ONCE: u64 = 4096;
    let mut at = span.key_span.start;
    while at < span.key_span.end {
        let end = span.key_span.end.min(at + BYTES_AT_ONCE);
        source.bytes(at..end)?.as_chunks().0.iter().map(linear_key).for_each(&mut each);
        at = end;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BoolCurve;

    fn summary_of_left(duration: f32, pinching: &[(f32, f32)]) -> Summary {
        let mut take = Recording::default();
        take.hand_mut(Hand::Left).tracked = [LinearKey::new(duration, 0.0)].into_iter().collect();
        let keys = pinching.iter().map(|&(time, value)| LinearKey::new(time, value));
        take.hand_mut(Hand::Left).pinching = keys.collect::<BoolCurve>();
        Summary::of(&take)
    }

    #[test]
    fn pinches_are_counted_and_timed() {
        let summary = summary_of_left(10.0, &[(0.0, 0.0), (1.0, 1.0), (2.0, 1.0), (4.0, 0.0), (9.0, 1.0)]);
        let pinching = summary.hand(Hand::Left).pinching;
        assert_eq!(pinching.count, 2);
        assert!((pinching.secs - 4.0).abs() < 1e-9, "{}", pinching.secs);
        assert!((summary.share(pinching.secs) - 0.4).abs() < 1e-9);
        let sum: f32 = pinching.timeline.iter().sum();
        assert!((sum / 60.0 - 0.4).abs() < 1e-4, "{sum}");
        assert_eq!(pinching.timeline[0], 0.0);
        assert_eq!(pinching.timeline[59], 1.0);
    }

    #[test]
    fn a_state_before_the_first_key_and_before_zero_counts_from_zero() {
        let before = summary_of_left(10.0, &[(-3.0, 1.0), (1.0, 0.0)]).hand(Hand::Left).pinching;
        assert_eq!((before.count, before.secs), (1, 1.0));
        let late = summary_of_left(10.0, &[(2.0, 1.0), (3.0, 0.0)]).hand(Hand::Left).pinching;
        assert_eq!((late.count, late.secs), (1, 3.0));
    }

    #[test]
    fn strange_times_add_nothing_and_break_nothing() {
        for time in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1e30, 1e30] {
            let summary = summary_of_left(10.0, &[(0.0, 1.0), (time, 1.0), (5.0, 0.0), (time, 1.0), (1.0, 1.0)]);
            let pinching = summary.hand(Hand::Left).pinching;
            assert!(pinching.timeline.iter().all(|share| (0.0..=1.0).contains(share)), "{time}: {pinching:?}");
        }
    }
}
