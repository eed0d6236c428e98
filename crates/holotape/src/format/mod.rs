//! Decodes bytes to a [`Recording`](crate::Recording) and encodes it again. docs/format.md specifies the format.

mod decode;
mod encode;
mod index;
mod markers;
mod packed_index;
mod partial;
mod read;
mod sniff;
mod source;
mod subset;
mod walk;

pub use encode::{FormatLoss, FormatLosses};
pub use index::{CurveLocation, Index, LayoutEvidence};
#[doc(hidden)]
pub use packed_index::PackedIndex;
pub use partial::TruncatedCurve;
pub use read::ReadOptions;
#[doc(hidden)]
pub use subset::CurveSubset;

pub(crate) use decode::linear_key;
pub(crate) use encode::{encode, encode_to, encoded_bytes};
pub(crate) use partial::{Partial, is_headerless, read_partial};
pub(crate) use source::{ByteSource, SeekSource};

use crate::CurveId;

/// The first eight bytes of every input animation.
pub const MAGIC: [u8; 8] = 0x6a8f_af6e_0f9e_42c6_u64.to_le_bytes();

named_enum! {
    /// A version of the input animation format.
    ///
    /// ```
    /// use holotape::format::Version;
    ///
    /// assert_eq!(Version::V1_1.to_string(), "1.1");
    /// assert_eq!(Version::V1_1.numbers(), [1, 1]);
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Version: name {
        /// MRTK 2.0 to 2.5.
        V1_0 = "1.0",
        /// MRTK 2.6 to 2.8.
        V1_1 = "1.1",
    }
}

impl Version {
    /// Major and minor, as in the file.
    #[must_use]
    pub const fn numbers(self) -> [i32; 2] {
        match self {
            Self::V1_0 => [1, 0],
            Self::V1_1 => [1, 1],
        }
    }
}

named_enum! {
    /// Which fields of a float key a file stores.
    ///
    /// ```
    /// use holotape::format::KeyLayout;
    ///
    /// assert_eq!(KeyLayout::Compact.key_bytes(), 8);
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum KeyLayout: name {
        /// Time, value, tangents and weights: 28 bytes.
        Full = "full",
        /// Time and value: 8 bytes.
        Compact = "compact",
    }
}

impl KeyLayout {
    /// The size of one float key in the file.
    #[must_use]
    pub const fn key_bytes(self) -> u64 {
        match self {
            Self::Full => 28,
            Self::Compact => 8,
        }
    }

    /// The size of one key of a curve: flags are compact in every file.
    pub(crate) const fn key_bytes_of(self, id: CurveId) -> u64 {
        if id.is_bool() { Self::Compact.key_bytes() } else { self.key_bytes() }
    }
}

/// The three layouts that exist. Version and key layout are one type, so that the fourth combination cannot be
/// expressed.
///
/// ```
/// use holotape::format::{KeyLayout, Layout, Version};
///
/// assert_eq!(Layout::new(Version::V1_1, KeyLayout::Compact), Some(Layout::Compact11));
/// assert_eq!(Layout::new(Version::V1_0, KeyLayout::Compact), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Version 1.0: full keys, always camera and hands, no gaze.
    Full10,
    /// Version 1.1 as the published specification describes it: full keys. No release of MRTK reads or writes it.
    Full11,
    /// Version 1.1 as MRTK 2.6 and later write and read it: compact keys.
    Compact11,
}

impl Layout {
    /// The layout with this version and these keys, or `None` if it does not exist.
    #[must_use]
    pub const fn new(version: Version, keys: KeyLayout) -> Option<Self> {
        match (version, keys) {
            (Version::V1_0, KeyLayout::Full) => Some(Self::Full10),
            (Version::V1_0, KeyLayout::Compact) => None,
            (Version::V1_1, KeyLayout::Full) => Some(Self::Full11),
            (Version::V1_1, KeyLayout::Compact) => Some(Self::Compact11),
        }
    }

    /// The version in the file's header.
    #[must_use]
    pub const fn version(self) -> Version {
        match self {
            Self::Full10 => Version::V1_0,
            Self::Full11 | Self::Compact11 => Version::V1_1,
        }
    }

    /// The key layout.
    #[must_use]
    pub const fn keys(self) -> KeyLayout {
        match self {
            Self::Full10 | Self::Full11 => KeyLayout::Full,
            Self::Compact11 => KeyLayout::Compact,
        }
    }

    /// Which programs write files of this layout.
    #[must_use]
    pub const fn producers(self) -> &'static str {
        match self {
            Self::Full10 => "MRTK 2.0 to 2.5",
            Self::Full11 => "writers that follow the published specification; no MRTK release",
            Self::Compact11 => "MRTK 2.6 to 2.8",
        }
    }
}

/// The format of a file: the one a recording was read from, and the one it is written in.
///
/// ```
/// use holotape::{Recording, format::{Format, Layout}};
///
/// let mut recording = Recording::default();
/// recording.format = Format { layout: Layout::Full10, marker_list: true };
/// let (bytes, losses) = recording.to_vec()?;
/// assert_eq!(bytes[8..16], [1, 0, 0, 0, 0, 0, 0, 0]);
/// assert!(losses.is_empty());
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    /// Version and key layout.
    pub layout: Layout,
    /// Whether a marker list, possibly empty, ends the file. Every MRTK release writes one.
    pub marker_list: bool,
}

impl Default for Format {
    /// The format that the newest MRTK writes: version 1.1, compact keys, marker list.
    fn default() -> Self {
        Self { layout: Layout::Compact11, marker_list: true }
    }
}

/// Which channels a recording has.
///
/// ```
/// use holotape::format::Channels;
///
/// let hands_only = Channels { camera: false, gaze: false, ..Channels::ALL };
/// assert!(hands_only.hands);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Channels {
    /// The pose of the head.
    pub camera: bool,
    /// Both hands.
    pub hands: bool,
    /// The gaze ray.
    pub gaze: bool,
}

impl Channels {
    /// All channels.
    pub const ALL: Self = Self { camera: true, hands: true, gaze: true };

    /// The channels of every version 1.0 file.
    pub const V1_0: Self = Self { gaze: false, ..Self::ALL };
}
