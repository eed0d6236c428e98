//! What is in a recording, found without reading its keys.

mod body_part;
mod flag;

pub use body_part::{BodyPart, BodyPartSummary};
pub use flag::FlagSummary;

use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use self::flag::FlagBuilder;
use crate::error::{Error, Result};
use crate::format::{ByteSource, Channels, CurveLocation, Format, Index, LayoutEvidence, SeekSource, linear_key};
use crate::{CurveId, CurveRef, Hand, LinearKey, Marker, Recording};

/// What is in a recording. From a file it takes milliseconds and kilobytes, whatever the length: only the curve
/// headers, the first and last key of each curve and the four boolean curves are read.
///
/// ```
/// # let take = holotape::demo::DemoOptions::new().with_seconds(3.0).generate()?;
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
///
/// ```
/// assert_eq!(holotape::HandSummary::default().pinching.count, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HandSummary {
    /// When the device saw the hand.
    pub tracked: FlagSummary,
    /// When thumb and index finger were pinched together.
    pub pinching: FlagSummary,
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
            let Some(mut flag) = summary.flag(span.id) else { continue };
            read_bool_keys(&mut source, span, |key| flag.push(key))?;
            if !flag.finish() {
                let mut keys = Vec::new();
                read_bool_keys(&mut source, span, |key| keys.push(key))?;
                summary.flag_of_unsorted(span.id, keys);
            }
        }
        Ok(summary)
    }

    /// The summary of a recording in memory.
    #[must_use]
    pub fn from_recording(recording: &Recording) -> Self {
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
            let (Some(mut flag), CurveRef::Bool(curve)) = (summary.flag(id), curve) else { continue };
            curve.keys.iter().for_each(|key| flag.push(*key));
            if !flag.finish() {
                summary.flag_of_unsorted(id, curve.keys.clone());
            }
        }
        summary
    }

    /// When one of the hands was tracked and when it pinched.
    #[must_use]
    pub fn hand(&self, hand: Hand) -> &HandSummary {
        &self.hands[hand as usize]
    }

    /// One part of the recording, if that was recorded.
    #[must_use]
    pub fn body_part(&self, part: BodyPart) -> Option<BodyPartSummary> {
        let of_part = |curve: &&CurveSummary| BodyPart::from_curve(curve.id) == part && !curve.id.is_bool();
        let curves: Vec<_> = self.curves.iter().filter(of_part).collect();
        (!curves.is_empty()).then(|| BodyPartSummary::new(&curves))
    }

    /// How many keys all curves have together.
    #[must_use]
    pub fn key_count(&self) -> u64 {
        self.curves.iter().map(|curve| u64::from(curve.key_count)).sum()
    }

    /// How much of the recording `secs` are, between 0 and 1.
    #[must_use]
    pub fn fraction(&self, secs: f64) -> f64 {
        let duration = f64::from(self.duration_secs);
        if duration > 0.0 { secs / duration } else { 0.0 }
    }

    fn measure_duration(&mut self) {
        self.duration_secs = self.curves.iter().map(|curve| curve.end_secs).fold(0.0, f32::max);
    }

    fn flag_of_unsorted(&mut self, id: CurveId, mut keys: Vec<LinearKey>) {
        crate::curve::sort_by_time(&mut keys);
        if let Some(mut flag) = self.flag(id) {
            keys.into_iter().for_each(|key| flag.push(key));
            flag.finish();
        }
    }

    /// What to tell the keys of a boolean curve to.
    fn flag(&mut self, id: CurveId) -> Option<FlagBuilder<'_>> {
        let end = f64::from(self.duration_secs);
        let summary = match id {
            CurveId::Tracked(hand) => &mut self.hands[hand as usize].tracked,
            CurveId::Pinching(hand) => &mut self.hands[hand as usize].pinching,
            _ => return None,
        };
        Some(FlagBuilder::new(summary, end))
    }
}

fn read_curve(source: &mut impl ByteSource, span: &CurveLocation) -> Result<CurveSummary> {
    let mut time_at = |offset| source.array(offset).map(f32::from_le_bytes);
    let (start_secs, end_secs) =
        match (span.key_range.end - span.key_range.start).checked_div(u64::from(span.key_count)) {
            Some(key_bytes) => (time_at(span.key_range.start)?, time_at(span.key_range.end - key_bytes)?),
            None => (0.0, 0.0),
        };
    Ok(CurveSummary { id: span.id, key_count: span.key_count, start_secs, end_secs })
}

fn read_bool_keys(source: &mut impl ByteSource, span: &CurveLocation, mut each: impl FnMut(LinearKey)) -> Result<()> {
    const BYTES_AT_ONCE: u64 = 4096;
    let mut at = span.key_range.start;
    while at < span.key_range.end {
        let end = span.key_range.end.min(at + BYTES_AT_ONCE);
        source.bytes(at..end)?.as_chunks().0.iter().map(linear_key).for_each(&mut each);
        at = end;
    }
    Ok(())
}
