//! Writes a recording in any writable format.

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

use holotape::format::{Format, KeyLayout, Layout, Version};
use holotape::{Error, ErrorKind, Recording, Result, WindowedRecording};

use crate::bvh::{self, BoneMode, BvhOptions, Unit};
use crate::gltf::{self, GltfOptions};
use crate::handsbin::{self, HandsbinOptions, HandsbinVersion};
#[cfg(feature = "mcap")]
use crate::isaac;
#[cfg(feature = "mcap")]
use crate::mcap::{self, McapOptions};
use crate::table::{TableKind, TableOptions};
use crate::{FileFormat, Losses, Space, Timing, iwer};
#[cfg(feature = "tables")]
use crate::{arrow, csv, parquet};

/// Options for writing a recording in any format. Most options apply to some formats only:
/// [`unused_option`](Self::unused_option) finds one that does not apply.
///
/// ```
/// use holotape_convert::{FileFormat, WriteOptions};
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let mut file = Vec::new();
/// let losses = WriteOptions::new().with_rate_hz(30.0).write(&recording, FileFormat::Bvh, &mut file)?;
/// assert!(file.starts_with(b"HIERARCHY") && !losses.is_empty());
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WriteOptions {
    rate_hz: Option<f64>,
    table: Option<TableKind>,
    space: Option<Space>,
    untracked_poses: bool,
    source: Option<String>,
    hierarchy: bool,
    bones: Option<BoneMode>,
    unit: Option<Unit>,
    version: Option<Version>,
    key_layout: Option<KeyLayout>,
    marker_list: Option<bool>,
    handsbin_version: Option<HandsbinVersion>,
}

impl WriteOptions {
    /// One frame per key time, and the defaults of each format.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the frame rate; `None` for one frame per key time.
    #[must_use]
    pub fn with_rate_hz(self, rate_hz: impl Into<Option<f64>>) -> Self {
        Self { rate_hz: rate_hz.into(), ..self }
    }

    /// Tables: one row per frame or per key.
    #[must_use]
    pub fn with_table(self, table: impl Into<Option<TableKind>>) -> Self {
        Self { table: table.into(), ..self }
    }

    /// Tables: the coordinates of positions and rotations.
    #[must_use]
    pub fn with_space(self, space: impl Into<Option<Space>>) -> Self {
        Self { space: space.into(), ..self }
    }

    /// Tables: include poses of untracked hands.
    #[must_use]
    pub fn with_untracked_poses(self, untracked_poses: bool) -> Self {
        Self { untracked_poses, ..self }
    }

    /// Tables and Unity hand captures: the name of the file that the recording is from.
    #[must_use]
    pub fn with_source(self, source: Option<String>) -> Self {
        Self { source, ..self }
    }

    /// glTF: make joints children of their parent joints.
    #[must_use]
    pub fn with_hierarchy(self, hierarchy: bool) -> Self {
        Self { hierarchy, ..self }
    }

    /// BVH: the handling of bones.
    #[must_use]
    pub fn with_bones(self, bones: impl Into<Option<BoneMode>>) -> Self {
        Self { bones: bones.into(), ..self }
    }

    /// BVH: the unit of lengths.
    #[must_use]
    pub fn with_unit(self, unit: impl Into<Option<Unit>>) -> Self {
        Self { unit: unit.into(), ..self }
    }

    /// Input animations: the version to write instead of the recording's own.
    #[must_use]
    pub fn with_version(self, version: impl Into<Option<Version>>) -> Self {
        Self { version: version.into(), ..self }
    }

    /// Input animations: the key layout to write.
    #[must_use]
    pub fn with_key_layout(self, key_layout: impl Into<Option<KeyLayout>>) -> Self {
        Self { key_layout: key_layout.into(), ..self }
    }

    /// Input animations: whether to write a marker list.
    #[must_use]
    pub fn with_marker_list(self, marker_list: impl Into<Option<bool>>) -> Self {
        Self { marker_list: marker_list.into(), ..self }
    }

    /// Unity hand captures: the version to write.
    #[must_use]
    pub fn with_handsbin_version(self, handsbin_version: impl Into<Option<HandsbinVersion>>) -> Self {
        Self { handsbin_version: handsbin_version.into(), ..self }
    }

    /// Returns the name of an option that has no effect on this format.
    ///
    /// ```
    /// use holotape_convert::{FileFormat, WriteOptions};
    ///
    /// let options = WriteOptions::new().with_hierarchy(true);
    /// assert_eq!(options.unused_option(FileFormat::Glb), None);
    /// assert_eq!(options.unused_option(FileFormat::Csv), Some("hierarchy"));
    /// ```
    #[must_use]
    pub fn unused_option(&self, file_format: FileFormat) -> Option<&'static str> {
        let is_table = matches!(file_format, FileFormat::Csv | FileFormat::Parquet | FileFormat::Arrow);
        let is_native = matches!(file_format, FileFormat::Bin | FileFormat::Json);
        let is_gltf = matches!(file_format, FileFormat::Glb | FileFormat::Gltf);
        let has_keys = is_native || is_table && self.table == Some(TableKind::Keys);
        let options = [
            ("rate", self.rate_hz.is_some(), !has_keys),
            ("table", self.table.is_some(), is_table),
            ("space", self.space.is_some(), is_table),
            ("include_untracked", self.untracked_poses, is_table),
            ("hierarchy", self.hierarchy, is_gltf),
            ("bones", self.bones.is_some(), file_format == FileFormat::Bvh),
            ("unit", self.unit.is_some(), file_format == FileFormat::Bvh),
            ("version", self.version.is_some(), is_native),
            ("key_layout", self.key_layout.is_some(), is_native),
            ("marker_list", self.marker_list.is_some(), is_native),
            ("handsbin_version", self.handsbin_version.is_some(), file_format == FileFormat::Handsbin),
        ];
        options.into_iter().find(|(_, is_given, applies)| *is_given && !applies).map(|(name, ..)| name)
    }

    /// Writes a recording, and returns what the format cannot represent.
    ///
    /// # Errors
    /// If the combination of version and key layout is invalid, a key has a non-finite time or the rate is invalid, the
    /// format is read-only or its feature is disabled, or writing to `out` fails.
    pub fn write(
        &self,
        recording: &Recording,
        file_format: FileFormat,
        out: &mut (dyn Write + Send),
    ) -> Result<Losses> {
        self.write_windowed(&WindowedRecording::new(recording), file_format, out)
    }

    /// Writes a recording whose keys may be in a file. For tables of frames and MCAP they are read in windows, for other formats
    /// completely.
    ///
    /// ```
    /// use holotape::WindowedRecording;
    /// use holotape_convert::{FileFormat, WriteOptions};
    ///
    /// let (bytes, _) = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?.to_vec()?;
    /// let recording = WindowedRecording::from_reader(std::io::Cursor::new(bytes))?;
    /// let mut file = Vec::new();
    /// let losses = WriteOptions::new().write_windowed(&recording, FileFormat::Bvh, &mut file)?;
    /// assert!(file.starts_with(b"HIERARCHY") && !losses.is_empty());
    /// # Ok::<(), holotape::Error>(())
    /// ```
    ///
    /// # Errors
    /// As with [`write`](Self::write), or if reading keys fails.
    pub fn write_windowed(
        &self,
        recording: &WindowedRecording<'_>,
        file_format: FileFormat,
        out: &mut (dyn Write + Send),
    ) -> Result<Losses> {
        match file_format {
            #[cfg(feature = "tables")]
            FileFormat::Csv => csv::write_windowed(recording, &self.table_options(), out),
            #[cfg(feature = "tables")]
            FileFormat::Parquet => parquet::write_windowed(recording, &self.table_options(), out),
            #[cfg(feature = "tables")]
            FileFormat::Arrow => arrow::write_windowed(recording, &self.table_options(), out),
            #[cfg(feature = "mcap")]
            FileFormat::Mcap => mcap::write_windowed(recording, &McapOptions::new().with_timing(self.timing()), out),
            _ => {
                let complete = recording.to_recording()?;
                self.write_complete(&complete, file_format, out)
            }
        }
    }

    /// Whether [`write_windowed`](Self::write_windowed) reads keys in windows for this format.
    ///
    /// ```
    /// use holotape_convert::{FileFormat, WriteOptions};
    ///
    /// assert!(WriteOptions::new().samples_in_windows(FileFormat::Parquet));
    /// assert!(!WriteOptions::new().samples_in_windows(FileFormat::Glb));
    /// ```
    #[must_use]
    pub fn samples_in_windows(&self, file_format: FileFormat) -> bool {
        match file_format {
            FileFormat::Csv | FileFormat::Parquet | FileFormat::Arrow => self.table != Some(TableKind::Keys),
            FileFormat::Mcap => true,
            _ => false,
        }
    }

    fn timing(&self) -> Timing {
        self.rate_hz.map_or(Timing::Keys, Timing::Rate)
    }

    /// Writes a recording whose keys are in memory.
    fn write_complete(
        &self,
        recording: &Recording,
        file_format: FileFormat,
        out: &mut (dyn Write + Send),
    ) -> Result<Losses> {
        let timing = self.timing();
        let gltf = GltfOptions::new().with_hierarchy(self.hierarchy).with_timing(timing);
        match file_format {
            FileFormat::Glb => gltf::write_glb(recording, &gltf, out),
            FileFormat::Gltf => gltf::write_gltf(recording, &gltf, out),
            FileFormat::Bvh => {
                let (bones, unit) = (self.bones.unwrap_or_default(), self.unit.unwrap_or_default());
                bvh::write(recording, &BvhOptions::new().with_timing(timing).with_bones(bones).with_unit(unit), out)
            }
            #[cfg(feature = "mcap")]
            FileFormat::Isaac => isaac::write(recording, timing, out),
            FileFormat::Iwer => iwer::write(recording, timing, out),
            FileFormat::Handsbin => handsbin::write(recording, &self.handsbin_options(timing), out),
            // The document keeps everything, even if a file of that version cannot.
            FileFormat::Json => self.with_format(recording)?.write_json_to(out).map(|()| Losses::default()),
            FileFormat::Bin => self.with_format(recording)?.write_to(out).map(Losses::from),
            FileFormat::IsaacWebxr
            | FileFormat::Hl2ss
            | FileFormat::StreamRecorder
            | FileFormat::Psi
            | FileFormat::Egodex
            | FileFormat::VisionPro
            | FileFormat::AriaMps => {
                let message = format!("cannot write {}: the format is read-only", file_format.name_with_article());
                Err(Error::new(ErrorKind::InvalidArgument, message))
            }
            // `write_windowed` writes the others, if they are enabled.
            FileFormat::Csv | FileFormat::Parquet | FileFormat::Arrow | FileFormat::Mcap => {
                Err(file_format.missing_feature())
            }
            #[cfg(not(feature = "mcap"))]
            FileFormat::Isaac => Err(file_format.missing_feature()),
        }
    }

    fn handsbin_options(&self, timing: Timing) -> HandsbinOptions {
        let name = self.source.as_deref().and_then(|source| handsbin::recording_name(Path::new(source)));
        HandsbinOptions::new()
            .with_version(self.handsbin_version.unwrap_or_default())
            .with_timing(timing)
            .with_name(name.unwrap_or_default())
    }

    /// The options for tables.
    ///
    /// ```
    /// use holotape_convert::WriteOptions;
    /// use holotape_convert::table::TableKind;
    ///
    /// assert_eq!(WriteOptions::new().with_table(TableKind::Keys).table_options().table(), TableKind::Keys);
    /// ```
    #[must_use]
    pub fn table_options(&self) -> TableOptions {
        TableOptions::new()
            .with_table(self.table.unwrap_or_default())
            .with_timing(self.timing())
            .with_space(self.space.unwrap_or_default())
            .with_untracked_poses(self.untracked_poses)
            .with_source(self.source.clone())
    }

    /// The format of an input animation that was read in the given one, with the changes of these options. A change to
    /// version 1.1 implies compact keys, the only ones that MRTK reads there.
    ///
    /// ```
    /// use holotape::format::{Format, Layout, Version};
    /// use holotape_convert::WriteOptions;
    ///
    /// let format = WriteOptions::new().with_version(Version::V1_0).format(Format::default())?;
    /// assert_eq!(format.layout, Layout::Full10);
    /// # Ok::<(), holotape::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] for version 1.0 with compact keys.
    pub fn format(&self, read: Format) -> Result<Format> {
        let version = self.version.unwrap_or(read.layout.version());
        let key_layout = self.key_layout.unwrap_or(match version {
            _ if version == read.layout.version() => read.layout.keys(),
            Version::V1_0 => KeyLayout::Full,
            Version::V1_1 => KeyLayout::Compact,
        });
        let layout = Layout::new(version, key_layout).ok_or_else(|| {
            let message = "version 1.0 supports only full keys; use version 1.1 or full keys";
            Error::new(ErrorKind::InvalidArgument, message)
        })?;
        // The format is changed for the sake of another reader, and other readers expect a marker list.
        let marker_list = self.marker_list.unwrap_or(read.marker_list || layout != read.layout);
        Ok(Format { layout, marker_list })
    }

    fn with_format<'a>(&self, recording: &'a Recording) -> Result<Cow<'a, Recording>> {
        let format = self.format(recording.format)?;
        let is_same = format == recording.format;
        Ok(if is_same { Cow::Borrowed(recording) } else { Cow::Owned(Recording { format, ..recording.clone() }) })
    }
}
