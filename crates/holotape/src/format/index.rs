//! The structure of a file without its keys, found in microseconds however long the recording is.

use std::fs::File;
use std::io::{Read, Seek};
use std::ops::Range;
use std::path::Path;

use super::source::{ByteSource, SeekSource};
use super::walk::{MarkerList, WalkResult, Walker};
use super::{Channels, Format, KeyLayout, Layout, Version};
use crate::error::{Error, ErrorKind, Result};
use crate::{CurveId, Marker, WrapMode};

/// One curve's header, and where its keys are.
///
/// ```
/// use holotape::{Recording, format::Index};
///
/// let (bytes, _) = Recording::default().to_vec()?;
/// assert!(Index::from_slice(&bytes)?.curves().is_empty());
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CurveLocation {
    /// Which curve; shown as its name.
    pub id: CurveId,
    /// What the curve does before its first key.
    pub pre_wrap: WrapMode,
    /// What the curve does after its last key.
    pub post_wrap: WrapMode,
    /// How many keys it has.
    pub key_count: u32,
    /// The byte at which the curve's header begins.
    pub header_at: u64,
    /// The bytes of its keys.
    pub key_range: Range<u64>,
}

/// How an [`Index`] knows the layout of its file: version 1.1 has two, and the header does not say which.
///
/// ```
/// use holotape::{Recording, format::{Index, LayoutEvidence}};
///
/// let (bytes, _) = Recording::default().to_vec()?;
/// assert_eq!(Index::from_slice(&bytes)?.layout_evidence(), LayoutEvidence::NoKeys);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutEvidence {
    /// The version has only one layout.
    Version,
    /// Of the two layouts of version 1.1, only this one fits the file.
    Structure,
    /// There are no float keys, so that both layouts read the same; compact is what MRTK would have written.
    NoKeys,
    /// Both layouts fit. More of the curve headers look familiar in this one; or as many, and it is compact.
    Likelihood,
}

/// What is where in a file: version, layout, channels, curves and markers, without reading any key.
///
/// ```
/// use holotape::format::{Index, Layout};
///
/// # let (bytes, _) = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?.to_vec()?;
/// let index = Index::from_slice(&bytes)?;
/// assert_eq!(index.format().layout, Layout::Compact11);
/// for curve in index.curves() {
///     println!("{}: {} keys in bytes {:?}", curve.id, curve.key_count, curve.key_span);
/// }
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    pub(super) format: Format,
    pub(super) evidence: LayoutEvidence,
    pub(super) channels: Channels,
    pub(super) curves: Vec<CurveLocation>,
    pub(super) markers: Option<MarkerList>,
    pub(super) byte_len: u64,
}

impl Index {
    /// The index of a file in memory.
    ///
    /// # Errors
    /// If the bytes are not a whole, well-formed input animation.
    pub fn from_slice(mut bytes: &[u8]) -> Result<Self> {
        Self::from_source(&mut bytes)
    }

    /// The index of something seekable, reading little more than the curve headers.
    ///
    /// # Errors
    /// If reading fails, or the bytes are not a whole, well-formed input animation.
    pub fn from_reader(reader: impl Read + Seek) -> Result<Self> {
        Self::from_source(&mut SeekSource::new(reader)?)
    }

    /// The index of a file on disk, reading little more than the curve headers.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a whole, well-formed input animation.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let open = || Self::from_reader(File::open(path)?);
        open().map_err(|error: Error| error.with_path(path))
    }

    pub(crate) fn from_source(source: &mut impl ByteSource) -> Result<Self> {
        let byte_len = source.byte_len();
        let mut walker = Walker::new(source, 0);
        let version = walker.header()?;
        let channels = match version {
            Version::V1_0 => Channels::V1_0,
            Version::V1_1 => walker.channels()?,
        };
        let body_at = walker.at;
        let mut walk = |keys| Walker::new(source, body_at).walk_body(channels, keys);
        let (layout, evidence, walked) = match version {
            Version::V1_0 => (Layout::Full10, LayoutEvidence::Version, walk(KeyLayout::Full)),
            Version::V1_1 => choose_layout(walk(KeyLayout::Compact), walk(KeyLayout::Full)),
        };
        let markers = walked.rest?;
        Ok(Self {
            format: Format { layout, marker_list: markers.is_some() },
            evidence,
            channels,
            curves: walked.curves,
            markers,
            byte_len,
        })
    }

    /// Version, key layout, and whether there is a marker list.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// How the layout was decided.
    #[must_use]
    pub fn layout_evidence(&self) -> LayoutEvidence {
        self.evidence
    }

    /// Which channels there are.
    #[must_use]
    pub fn channels(&self) -> Channels {
        self.channels
    }

    /// Every curve, in the order of the file.
    #[must_use]
    pub fn curves(&self) -> &[CurveLocation] {
        &self.curves
    }

    /// How many markers there are.
    #[must_use]
    pub fn marker_count(&self) -> usize {
        self.markers.map_or(0, |list| list.count)
    }

    /// The markers, in the order of the file, from the bytes that this is the index of.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use holotape::format::Index;
    ///
    /// # let mut take = holotape::Recording::default();
    /// # take.markers.add(1.5, "start");
    /// # let (bytes, _) = take.to_vec()?;
    /// let index = Index::from_slice(&bytes)?;
    /// assert_eq!(index.read_markers(Cursor::new(&bytes))?[0].name, "start");
    /// # Ok::<(), holotape::Error>(())
    /// ```
    ///
    /// # Errors
    /// If reading fails, or the bytes are others.
    pub fn read_markers(&self, reader: impl Read + Seek) -> Result<Vec<Marker>> {
        self.markers_from(&mut SeekSource::new(reader)?)
    }

    pub(crate) fn markers_from(&self, source: &mut impl ByteSource) -> Result<Vec<Marker>> {
        let Some(list) = self.markers else { return Ok(Vec::new()) };
        let mut markers = Vec::with_capacity(list.count);
        Walker::new(source, list.at)
            .for_each_marker(|time, name| markers.push(Marker { time, name: name.to_owned() }))?;
        Ok(markers)
    }

    /// The length of the file.
    #[must_use]
    pub fn byte_len(&self) -> u64 {
        self.byte_len
    }
}

/// Which of the two readings of a 1.1 file to believe, or to quote the error of.
fn choose_layout(compact: WalkResult, full: WalkResult) -> (Layout, LayoutEvidence, WalkResult) {
    let could_not_read = |walked: &WalkResult| matches!(&walked.rest, Err(error) if error.kind() == ErrorKind::Io);
    let compact_is_likelier = compact.plausible_headers() >= full.plausible_headers();
    let (take_compact, evidence) = match (&compact.rest, &full.rest) {
        // What could not be read says nothing about the layout: the error is told, whatever the other walk found.
        _ if could_not_read(&compact) => (true, LayoutEvidence::Likelihood),
        _ if could_not_read(&full) => (false, LayoutEvidence::Likelihood),
        (Ok(_), Err(_)) => (true, LayoutEvidence::Structure),
        (Err(_), Ok(_)) => (false, LayoutEvidence::Structure),
        (Ok(_), Ok(_)) if compact.curves == full.curves => (true, LayoutEvidence::NoKeys),
        (Ok(_), Ok(_)) | (Err(_), Err(_)) => (compact_is_likelier, LayoutEvidence::Likelihood),
    };
    if take_compact { (Layout::Compact11, evidence, compact) } else { (Layout::Full11, evidence, full) }
}
