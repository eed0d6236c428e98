//! Summaries of recordings, without reading their keys.

mod body_part;
mod flag;

pub use body_part::{BodyPart, BodyPartSummary};
pub use flag::FlagSummary;

use std::io::{Read, Seek};
use std::ops::Range;
use std::path::Path;

use crate::curve::SpanBuilder;
use crate::error::{Error, Result};
use crate::format::{ByteSource, Channels, CurveLocation, Format, Index, LayoutEvidence, SeekSource, linear_key};
use crate::paths;
use crate::vector::is_w_lost;
use crate::{BoolCurve, CurveId, CurveRef, Hand, LinearKey, Marker, Recording, VectorId};

/// Format, duration, curves, flags and markers of a recording. From a file it takes milliseconds and kilobytes, whatever
/// the length: only the curve headers, the first and last key of each curve and the four boolean curves are read.
///
/// ```
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(3.0).generate()?;
/// use holotape::{Hand, Summary};
///
/// let summary = Summary::from_recording(&recording);
/// println!("{} s, {} keys", summary.duration_secs, summary.key_count());
/// println!("{} pinches of the right hand", summary.hand(Hand::Right).pinching.count);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// Version, key layout, and whether the file has a marker list.
    pub format: Format,
    /// How the layout was determined; `None` for a recording in memory.
    pub evidence: Option<LayoutEvidence>,
    /// The recorded channels.
    pub channels: Channels,
    /// The largest time of any curve's last key, and at least 0.
    pub duration_secs: f32,
    /// All curves, in file order.
    pub curves: Vec<CurveSummary>,
    /// Flags of the left and the right hand.
    pub hands: [HandSummary; 2],
    /// The markers, in file order.
    pub markers: Vec<Marker>,
}

/// Number of keys and time span of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveSummary {
    /// The curve.
    pub id: CurveId,
    /// Number of keys.
    pub key_count: u32,
    /// Time of the first key; 0 without keys.
    pub start_secs: f32,
    /// Time of the last key; 0 without keys.
    pub end_secs: f32,
}

/// Tracked spans and pinches of a hand.
///
/// ```
/// assert_eq!(holotape::HandSummary::default().pinching.count, 0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HandSummary {
    /// The tracked spans.
    pub tracked: FlagSummary,
    /// The pinches.
    pub pinching: FlagSummary,
}

impl Summary {
    /// Reads the summary of a file.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a complete, well-formed input animation.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let open = || Self::from_reader(paths::open(path)?);
        open().map_err(|error: Error| error.with_path(path))
    }

    /// Reads the summary from a seekable reader.
    ///
    /// # Errors
    /// If reading fails, or the bytes are not a complete, well-formed input animation.
    pub fn from_reader(reader: impl Read + Seek) -> Result<Self> {
        let mut source = SeekSource::new(reader)?;
        let index = Index::from_source(&mut source)?;
        let curves = index.curves().iter().map(|location| read_curve(&mut source, location)).collect::<Result<_>>()?;
        let markers = index.markers_from(&mut source)?;
        let mut summary = Self::without_flags(index.format(), index.channels(), curves, markers);
        summary.evidence = Some(index.layout_evidence());
        for location in index.curves().iter().filter(|location| location.id.is_bool()) {
            let mut spans = SpanBuilder::default();
            read_bool_keys(&mut source, location, |key| spans.push(key))?;
            let spans = match spans.finish() {
                Some(spans) => spans,
                None => {
                    let mut keys = Vec::new();
                    read_bool_keys(&mut source, location, |key| keys.push(key))?;
                    BoolCurve::from_iter(keys).spans_secs()
                }
            };
            summary.set_flag(location.id, spans);
        }
        Ok(summary)
    }

    /// Summarizes a recording in memory.
    #[must_use]
    pub fn from_recording(recording: &Recording) -> Self {
        let curves = recording.curves().map(|(id, curve)| CurveSummary {
            id,
            key_count: u32::try_from(curve.key_count()).unwrap_or(u32::MAX),
            start_secs: curve.start_secs().unwrap_or(0.0),
            end_secs: curve.end_secs().unwrap_or(0.0),
        });
        let (channels, markers) = (recording.channels(), recording.markers.to_vec());
        let mut summary = Self::without_flags(recording.format, channels, curves.collect(), markers);
        for (id, curve) in recording.curves() {
            if let CurveRef::Bool(curve) = curve {
                summary.set_flag(id, curve.spans_secs());
            }
        }
        summary
    }

    /// Returns the number of rotations that have lost their w: at most one key there, and several in x, y and z. MRTK 2.6.0 to
    /// 2.7.2 wrote such recordings; [`repair`](crate::check::repair()) restores w.
    ///
    /// ```
    /// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
    /// assert_eq!(holotape::Summary::from_recording(&recording).lost_w_count(), 0);
    /// # Ok::<(), holotape::Error>(())
    /// ```
    #[must_use]
    pub fn lost_w_count(&self) -> usize {
        let is_rotation = |curve: &&CurveSummary| matches!(VectorId::from_curve(curve.id), Some(VectorId::Rotation(_)));
        let key_counts: Vec<_> = self.curves.iter().filter(is_rotation).map(|curve| curve.key_count as usize).collect();
        key_counts.as_chunks().0.iter().filter(|counts| is_w_lost(**counts)).count()
    }

    /// Returns the flags of a hand.
    #[must_use]
    pub fn hand(&self, hand: Hand) -> &HandSummary {
        &self.hands[hand as usize]
    }

    /// Returns the summary of a body part; `None` if it was not recorded.
    #[must_use]
    pub fn body_part(&self, part: BodyPart) -> Option<BodyPartSummary> {
        let is_of_part = |curve: &&CurveSummary| BodyPart::from_curve(curve.id) == part && !curve.id.is_bool();
        let curves: Vec<_> = self.curves.iter().filter(is_of_part).collect();
        (!curves.is_empty()).then(|| BodyPartSummary::new(&curves))
    }

    /// Number of keys of all curves.
    #[must_use]
    pub fn key_count(&self) -> u64 {
        self.curves.iter().map(|curve| u64::from(curve.key_count)).sum()
    }

    /// Returns `secs` as a fraction of the duration; 0 for a recording without duration.
    #[must_use]
    pub fn fraction(&self, secs: f64) -> f64 {
        let duration = f64::from(self.duration_secs);
        if duration > 0.0 { secs / duration } else { 0.0 }
    }

    fn without_flags(format: Format, channels: Channels, curves: Vec<CurveSummary>, markers: Vec<Marker>) -> Self {
        let duration_secs = curves.iter().map(|curve| curve.end_secs).fold(0.0, f32::max);
        Self { format, evidence: None, channels, duration_secs, curves, hands: Default::default(), markers }
    }

    fn set_flag(&mut self, id: CurveId, spans_secs: Vec<Range<f64>>) {
        let flag = FlagSummary::new(spans_secs, self.duration_secs.into());
        match id {
            CurveId::Tracked(hand) => self.hands[hand as usize].tracked = flag,
            CurveId::Pinching(hand) => self.hands[hand as usize].pinching = flag,
            CurveId::Camera(_) | CurveId::Joint(..) | CurveId::Gaze(_) => {}
        }
    }
}

fn read_curve(source: &mut impl ByteSource, location: &CurveLocation) -> Result<CurveSummary> {
    let mut time_at = |offset| source.array(offset).map(f32::from_le_bytes);
    let (start_secs, end_secs) =
        match (location.key_range.end - location.key_range.start).checked_div(u64::from(location.key_count)) {
            Some(key_bytes) => (time_at(location.key_range.start)?, time_at(location.key_range.end - key_bytes)?),
            None => (0.0, 0.0),
        };
    Ok(CurveSummary { id: location.id, key_count: location.key_count, start_secs, end_secs })
}

fn read_bool_keys(
    source: &mut impl ByteSource,
    location: &CurveLocation,
    mut each: impl FnMut(LinearKey),
) -> Result<()> {
    const BYTES_AT_ONCE: u64 = 4096;
    let mut at = location.key_range.start;
    while at < location.key_range.end {
        let end = location.key_range.end.min(at + BYTES_AT_ONCE);
        source.bytes(at..end)?.as_chunks().0.iter().map(linear_key).for_each(&mut each);
        at = end;
    }
    Ok(())
}
