//! The structure of a file without its keys. Reading it takes microseconds, whatever the length of the recording.

use std::io::{Read, Seek};
use std::ops::Range;
use std::path::Path;

use super::source::{ByteSource, SeekSource};
use super::walk::{MarkerList, WalkResult, Walker};
use super::{Channels, Format, KeyLayout, Layout, Version};
use crate::error::{Error, ErrorKind, Result};
use crate::paths;
use crate::{CurveId, Marker, WrapMode};

/// The header of one curve and the location of its keys.
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
    /// Which curve; displayed as its name.
    pub id: CurveId,
    /// What the curve does before its first key.
    pub pre_wrap: WrapMode,
    /// What the curve does after its last key.
    pub post_wrap: WrapMode,
    /// The number of keys.
    pub key_count: u32,
    /// The offset of the curve's header.
    pub header_at: u64,
    /// The byte range of its keys.
    pub key_range: Range<u64>,
}

named_enum! {
    /// How an [`Index`] determined the layout of its file: version 1.1 has two, and the header does not name one.
    ///
    /// ```
    /// use holotape::{Recording, format::{Index, LayoutEvidence}};
    ///
    /// let (bytes, _) = Recording::default().to_vec()?;
    /// assert_eq!(Index::from_slice(&bytes)?.layout_evidence(), LayoutEvidence::NoKeys);
    /// # Ok::<(), holotape::Error>(())
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum LayoutEvidence: name {
        /// The version has only one layout.
        Version = "version",
        /// Of the two layouts of version 1.1, only this one fits the file.
        Structure = "structure",
        /// There are no float keys, so both layouts read the same. MRTK would have written compact keys.
        NoKeys = "no-keys",
        /// Both layouts fit. More curve headers are plausible in this one; or equally many, and it is compact.
        Likelihood = "likelihood",
    }
}

/// The index of a file: version, layout, channels, curves and markers, without reading any key.
///
/// ```
/// use holotape::format::{Index, Layout};
///
/// # let (bytes, _) = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?.to_vec()?;
/// let index = Index::from_slice(&bytes)?;
/// assert_eq!(index.format().layout, Layout::Compact11);
/// for curve in index.curves() {
///     println!("{}: {} keys in bytes {:?}", curve.id, curve.key_count, curve.key_range);
/// }
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    pub(super) header: IndexHeader,
    pub(super) curves: Vec<CurveLocation>,
}

/// The fields of an index besides its curves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IndexHeader {
    pub(super) format: Format,
    pub(super) evidence: LayoutEvidence,
    pub(super) channels: Channels,
    pub(super) markers: Option<MarkerList>,
    pub(super) byte_len: u64,
}

impl Index {
    /// Indexes a file in memory.
    ///
    /// # Errors
    /// If the bytes are not a complete, well-formed input animation.
    pub fn from_slice(mut bytes: &[u8]) -> Result<Self> {
        Self::from_source(&mut bytes)
    }

    /// Indexes a seekable reader. Reads little more than the curve headers.
    ///
    /// # Errors
    /// If reading fails, or the bytes are not a complete, well-formed input animation.
    pub fn from_reader(reader: impl Read + Seek) -> Result<Self> {
        Self::from_source(&mut SeekSource::new(reader)?)
    }

    /// Indexes a file on disk. Reads little more than the curve headers.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a complete, well-formed input animation.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let open = || Self::from_reader(paths::open(path)?);
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
        let format = Format { layout, marker_list: markers.is_some() };
        Ok(Self { header: IndexHeader { format, evidence, channels, markers, byte_len }, curves: walked.curves })
    }

    /// Version, key layout, and whether the file has a marker list.
    #[must_use]
    pub fn format(&self) -> Format {
        self.header.format
    }

    /// How the layout was determined.
    #[must_use]
    pub fn layout_evidence(&self) -> LayoutEvidence {
        self.header.evidence
    }

    /// The channels of the file.
    #[must_use]
    pub fn channels(&self) -> Channels {
        self.header.channels
    }

    /// All curves, in file order.
    #[must_use]
    pub fn curves(&self) -> &[CurveLocation] {
        &self.curves
    }

    /// The number of markers.
    #[must_use]
    pub fn marker_count(&self) -> usize {
        self.header.markers.map_or(0, |list| list.count)
    }

    /// Reads the markers, in file order. `reader` must have the bytes of the indexed file.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use holotape::format::Index;
    ///
    /// # let mut recording = holotape::Recording::default();
    /// # recording.markers.add(1.5, "start");
    /// # let (bytes, _) = recording.to_vec()?;
    /// let index = Index::from_slice(&bytes)?;
    /// assert_eq!(index.read_markers(Cursor::new(&bytes))?[0].name, "start");
    /// # Ok::<(), holotape::Error>(())
    /// ```
    ///
    /// # Errors
    /// If reading fails, or the bytes are not those of the indexed file.
    pub fn read_markers(&self, reader: impl Read + Seek) -> Result<Vec<Marker>> {
        self.markers_from(&mut SeekSource::new(reader)?)
    }

    pub(crate) fn markers_from(&self, source: &mut impl ByteSource) -> Result<Vec<Marker>> {
        let Some(list) = self.header.markers else { return Ok(Vec::new()) };
        let mut markers = Vec::with_capacity(list.count);
        Walker::new(source, list.at)
            .for_each_marker(|time, name| markers.push(Marker { time, name: name.to_owned() }))?;
        Ok(markers)
    }

    /// The length of the file in bytes.
    #[must_use]
    pub fn byte_len(&self) -> u64 {
        self.header.byte_len
    }
}

/// Chooses between the two readings of a 1.1 file, or whose error to return.
fn choose_layout(compact: WalkResult, full: WalkResult) -> (Layout, LayoutEvidence, WalkResult) {
    let could_not_read = |walked: &WalkResult| matches!(&walked.rest, Err(error) if error.kind() == ErrorKind::Io);
    let compact_is_likelier = compact.plausible_headers() >= full.plausible_headers();
    let (take_compact, evidence) = match (&compact.rest, &full.rest) {
        // An I/O error says nothing about the layout: return it, whatever the other walk found.
        _ if could_not_read(&compact) => (true, LayoutEvidence::Likelihood),
        _ if could_not_read(&full) => (false, LayoutEvidence::Likelihood),
        (Ok(_), Err(_)) => (true, LayoutEvidence::Structure),
        (Err(_), Ok(_)) => (false, LayoutEvidence::Structure),
        (Ok(_), Ok(_)) if compact.curves == full.curves => (true, LayoutEvidence::NoKeys),
        (Ok(_), Ok(_)) | (Err(_), Err(_)) => (compact_is_likelier, LayoutEvidence::Likelihood),
    };
    if take_compact { (Layout::Compact11, evidence, compact) } else { (Layout::Full11, evidence, full) }
}
