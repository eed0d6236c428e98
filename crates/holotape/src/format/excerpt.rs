//! Some curves of a file: who wants three of 395 should not read the others.

use std::io::{Read, Seek};

use super::decode::decode_wanted;
use super::index::Index;
use super::source::{ByteSource, SeekSource};
use crate::error::Result;
use crate::{CurveId, Recording};

/// Some curves of a file.
///
/// ```
/// use holotape::{CurveId, format::Index};
///
/// # let (bytes, _) = holotape::demo::DemoOptions::new().with_seconds(2.0).record()?.to_vec()?;
/// let index = Index::from_slice(&bytes)?;
/// let excerpt = index.excerpt(&bytes, |id| matches!(id, CurveId::Camera(_)))?;
/// assert!(excerpt.recording.camera.unwrap().pose_at(1.0).is_some());
/// assert!(excerpt.recording.gaze.unwrap().ray_at(1.0).is_none());
/// assert_eq!(excerpt.duration_secs, 2.0);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Excerpt {
    /// A recording with the channels of the file, in which curves that nobody wanted have no keys. It has no markers.
    pub recording: Recording,
    /// How long the whole recording is.
    pub duration_secs: f32,
}

impl Index {
    /// Some curves of the file that this is the index of.
    ///
    /// # Errors
    /// If these are not the bytes of that file.
    pub fn excerpt(&self, mut bytes: &[u8], wanted: impl FnMut(CurveId) -> bool) -> Result<Excerpt> {
        self.excerpt_of(&mut bytes, wanted)
    }

    /// The same from something seekable: reads the keys of the curves that are wanted, and the last one of each other.
    ///
    /// # Errors
    /// If reading fails.
    pub fn excerpt_from(&self, reader: impl Read + Seek, wanted: impl FnMut(CurveId) -> bool) -> Result<Excerpt> {
        self.excerpt_of(&mut SeekSource::new(reader)?, wanted)
    }

    /// Some curves of the file that this is the index of, and nothing else: for those who know how long it is. A recording as
    /// in an [`Excerpt`].
    ///
    /// ```
    /// use std::io::Cursor;
    /// use holotape::{CurveId, format::Index};
    ///
    /// # let (bytes, _) = holotape::demo::DemoOptions::new().with_seconds(2.0).record()?.to_vec()?;
    /// let index = Index::from_slice(&bytes)?;
    /// let gaze = index.curves_from(Cursor::new(&bytes), |id| matches!(id, CurveId::Gaze(_)))?.gaze.unwrap();
    /// assert!(gaze.ray_at(1.0).is_some());
    /// # Ok::<(), holotape::Error>(())
    /// ```
    ///
    /// # Errors
    /// If reading fails.
    pub fn curves_from(&self, reader: impl Read + Seek, wanted: impl FnMut(CurveId) -> bool) -> Result<Recording> {
        self.curves_of(&mut SeekSource::new(reader)?, wanted)
    }

    fn curves_of(&self, source: &mut impl ByteSource, wanted: impl FnMut(CurveId) -> bool) -> Result<Recording> {
        let mut recording = Recording::with_channels(self.channels());
        recording.format = self.format();
        decode_wanted(source, self.curves(), &mut recording, wanted)?;
        Ok(recording)
    }

    fn excerpt_of(&self, source: &mut impl ByteSource, wanted: impl FnMut(CurveId) -> bool) -> Result<Excerpt> {
        let mut duration_secs = 0.0_f32;
        for span in self.curves() {
            let bytes = span.key_span.end - span.key_span.start;
            if let Some(key_bytes) = bytes.checked_div(span.key_count.into()) {
                let end_secs = f32::from_le_bytes(source.array(span.key_span.end - key_bytes)?);
                duration_secs = duration_secs.max(end_secs);
            }
        }
        Ok(Excerpt { recording: self.curves_of(source, wanted)?, duration_secs })
    }
}
