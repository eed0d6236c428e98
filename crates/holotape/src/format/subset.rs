//! Reads selected curves of a file without reading the others.

use std::io::{self, Read, Seek};
use std::ops::Range;

use super::KeyLayout;
use super::decode::decode_curves;
use super::index::{CurveLocation, Index};
use super::source::{ByteSource, SeekSource};
use crate::error::Result;
use crate::{CurveId, Recording};

/// Selected curves of a file.
///
/// ```
/// use holotape::{CurveId, format::Index};
///
/// # let (bytes, _) = holotape::demo::DemoOptions::new().with_seconds(2.0).generate()?.to_vec()?;
/// let index = Index::from_slice(&bytes)?;
/// let subset = index.read_subset(&bytes, |id| matches!(id, CurveId::Camera(_)))?;
/// assert!(subset.recording.camera.unwrap().pose_at(1.0).is_some());
/// assert!(subset.recording.gaze.unwrap().ray_at(1.0).is_none());
/// assert_eq!(subset.duration_secs, 2.0);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CurveSubset {
    /// A recording with the channels of the file, without markers. Curves that were not selected have no keys.
    pub recording: Recording,
    /// The duration of the complete recording.
    pub duration_secs: f32,
}

impl Index {
    /// Reads selected curves from the bytes of the indexed file.
    ///
    /// # Errors
    /// If the bytes are not those of the indexed file.
    pub fn read_subset(&self, mut bytes: &[u8], is_selected: impl FnMut(CurveId) -> bool) -> Result<CurveSubset> {
        self.subset_of(&mut bytes, is_selected)
    }

    /// Reads selected curves from a seekable reader: all keys of the selected curves, and the last key of each other
    /// one.
    ///
    /// # Errors
    /// If reading fails.
    pub fn read_subset_from(
        &self,
        reader: impl Read + Seek,
        is_selected: impl FnMut(CurveId) -> bool,
    ) -> Result<CurveSubset> {
        self.subset_of(&mut SeekSource::new(reader)?, is_selected)
    }

    /// Indexes a seekable reader and returns the duration as well. The last key of a curve is just before the header
    /// of the next, so one small read covers both.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use holotape::format::Index;
    ///
    /// # let (bytes, _) = holotape::demo::DemoOptions::new().with_seconds(2.0).generate()?.to_vec()?;
    /// let (index, duration_secs) = Index::from_reader_with_duration(Cursor::new(&bytes))?;
    /// assert_eq!((index, duration_secs), (Index::from_slice(&bytes)?, 2.0));
    /// # Ok::<(), holotape::Error>(())
    /// ```
    ///
    /// # Errors
    /// As with [`Index::from_reader`].
    pub fn from_reader_with_duration(reader: impl Read + Seek) -> Result<(Self, f32)> {
        let mut source =
            TailCapture { source: SeekSource::with_window_bytes(reader, HEADER_READ_BYTES)?, tails: Vec::new() };
        let index = Self::from_source(&mut source)?;
        let TailCapture { mut source, mut tails } = source;
        tails.sort_unstable_by_key(|(end, _)| *end);
        let duration_secs = index.duration_secs(|curve, key_bytes| {
            let end = curve.key_range.end;
            match tails.binary_search_by_key(&end, |(end, _)| *end) {
                Ok(found) => Ok(last_key_time(&tails[found].1, key_bytes)),
                Err(_) => source.array(end - key_bytes).map(f32::from_le_bytes),
            }
        })?;
        Ok((index, duration_secs))
    }

    fn duration_secs(&self, mut end_secs: impl FnMut(&CurveLocation, u64) -> io::Result<f32>) -> Result<f32> {
        let mut duration_secs = 0.0_f32;
        for curve in self.curves() {
            let bytes = curve.key_range.end - curve.key_range.start;
            if let Some(key_bytes) = bytes.checked_div(curve.key_count.into()) {
                duration_secs = duration_secs.max(end_secs(curve, key_bytes)?);
            }
        }
        Ok(duration_secs)
    }

    /// Reads selected curves of the indexed file, without the duration. Returns a recording as in [`CurveSubset`].
    ///
    /// ```
    /// use std::io::Cursor;
    /// use holotape::{CurveId, format::Index};
    ///
    /// # let (bytes, _) = holotape::demo::DemoOptions::new().with_seconds(2.0).generate()?.to_vec()?;
    /// let index = Index::from_slice(&bytes)?;
    /// let gaze = index.read_curves_from(Cursor::new(&bytes), |id| matches!(id, CurveId::Gaze(_)))?.gaze.unwrap();
    /// assert!(gaze.ray_at(1.0).is_some());
    /// # Ok::<(), holotape::Error>(())
    /// ```
    ///
    /// # Errors
    /// If reading fails.
    pub fn read_curves_from(
        &self,
        reader: impl Read + Seek,
        is_selected: impl FnMut(CurveId) -> bool,
    ) -> Result<Recording> {
        self.read_curves(&mut SeekSource::new(reader)?, is_selected)
    }

    pub(crate) fn read_curves(
        &self,
        source: &mut impl ByteSource,
        is_selected: impl FnMut(CurveId) -> bool,
    ) -> Result<Recording> {
        let mut recording = Recording::with_channels(self.channels());
        recording.format = self.format();
        decode_curves(source, self.curves(), &mut recording, is_selected)?;
        Ok(recording)
    }

    /// Reads a range of the keys of each curve, by its position in the file. Ranges must be within the keys.
    pub(crate) fn read_key_ranges(
        &self,
        source: &mut impl ByteSource,
        range_of: impl Fn(usize) -> Range<usize>,
    ) -> Result<Recording> {
        let layout = self.format().layout.keys();
        let location = |(position, curve): (usize, &CurveLocation)| {
            let (keys, key_bytes) = (range_of(position), layout.key_bytes_of(curve.id));
            let [start, end] = [keys.start, keys.end].map(|key| curve.key_range.start + key as u64 * key_bytes);
            CurveLocation { key_count: keys.len() as u32, key_range: start..end, ..curve.clone() }
        };
        let locations: Vec<_> = self.curves().iter().enumerate().map(location).collect();
        let mut recording = Recording::with_channels(self.channels());
        recording.format = self.format();
        decode_curves(source, &locations, &mut recording, |_| true)?;
        Ok(recording)
    }

    fn subset_of(&self, source: &mut impl ByteSource, is_selected: impl FnMut(CurveId) -> bool) -> Result<CurveSubset> {
        let duration_secs = self
            .duration_secs(|curve, key_bytes| source.array(curve.key_range.end - key_bytes).map(f32::from_le_bytes))?;
        Ok(CurveSubset { recording: self.read_curves(source, is_selected)?, duration_secs })
    }
}

/// The size of the largest key.
const TAIL_BYTES: u64 = KeyLayout::Full.key_bytes();

/// The bytes to read at each curve: the last key of the curve before, the header, and some more.
const HEADER_READ_BYTES: u64 = 128;

/// More headers than two walks through a file visit. The bytes after them, such as markers, are not captured.
const MAX_TAILS: usize = 1024;

/// A source that captures the bytes just before each requested offset.
struct TailCapture<S> {
    source: S,
    tails: Vec<(u64, [u8; TAIL_BYTES as usize])>,
}

impl<S: ByteSource> ByteSource for TailCapture<S> {
    fn byte_len(&self) -> u64 {
        self.source.byte_len()
    }

    fn bytes(&mut self, span: Range<u64>) -> io::Result<&[u8]> {
        let Some(from) = span.start.checked_sub(TAIL_BYTES).filter(|_| self.tails.len() < MAX_TAILS) else {
            return self.source.bytes(span);
        };
        let bytes = self.source.bytes(from..span.end)?;
        let (tail, rest) = bytes.split_first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
        self.tails.push((span.start, *tail));
        Ok(rest)
    }
}

/// The time of the last key in a tail.
fn last_key_time(tail: &[u8; TAIL_BYTES as usize], key_bytes: u64) -> f32 {
    let at = (TAIL_BYTES - key_bytes.min(TAIL_BYTES)) as usize;
    tail[at..].first_chunk().map_or(0.0, |time| f32::from_le_bytes(*time))
}
