//! Any kind of file, by one function.

use std::borrow::Cow;
use std::io::Write;

use holotape::format::{Format, KeyLayout, Layout, Version};
use holotape::{Error, ErrorKind, Recording, Result};

use crate::bvh::{self, BoneMode, BvhOptions, Unit};
use crate::gltf::{self, GltfOptions};
use crate::iwer::{self, IwerOptions};
use crate::mcap::{self, McapOptions};
use crate::table::{TableKind, TableOptions};
use crate::{FileFormat, Losses, Space, Timing, arrow, csv, parquet};

/// How to write a recording as any kind of file. Most options are for some kinds only: [`stray`](Self::stray) finds one
/// that is out of place.
///
/// ```
/// use holotape_convert::{Kind, WriteOptions};
///
/// let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let mut file = Vec::new();
/// let losses = WriteOptions::new().with_rate_hz(30.0).write(&take, Kind::Bvh, &mut file)?;
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
    keys: Option<KeyLayout>,
    marker_list: Option<bool>,
}

impl WriteOptions {
    /// Frames wherever there is a key, and everything else as the kind has it by default.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Frames so many times a second.
    #[must_use]
    pub fn with_rate_hz(self, rate_hz: impl Into<Option<f64>>) -> Self {
        Self { rate_hz: rate_hz.into(), ..self }
    }

    /// Tables: a row for each frame or for each key.
    #[must_use]
    pub fn with_table(self, table: impl Into<Option<TableKind>>) -> Self {
        Self { table: table.into(), ..self }
    }

    /// Tables: the space of everything in them.
    #[must_use]
    pub fn with_space(self, space: impl Into<Option<Space>>) -> Self {
        Self { space: space.into(), ..self }
    }

    /// Tables: poses of hands where these were not tracked, too.
    #[must_use]
    pub fn with_untracked_poses(self, untracked_poses: bool) -> Self {
        Self { untracked_poses, ..self }
    }

    /// Tables: where the recording is from, as the name of a file.
    #[must_use]
    pub fn with_source(self, source: Option<String>) -> Self {
        Self { source, ..self }
    }

    /// glTF: bones inside each other.
    #[must_use]
    pub fn with_hierarchy(self, hierarchy: bool) -> Self {
        Self { hierarchy, ..self }
    }

    /// BVH: what becomes of bones.
    #[must_use]
    pub fn with_bones(self, bones: impl Into<Option<BoneMode>>) -> Self {
        Self { bones: bones.into(), ..self }
    }

    /// BVH: the unit of lengths.
    #[must_use]
    pub fn with_unit(self, unit: impl Into<Option<Unit>>) -> Self {
        Self { unit: unit.into(), ..self }
    }

    /// Input animations: the version to write, instead of the one that the recording came in.
    #[must_use]
    pub fn with_version(self, version: impl Into<Option<Version>>) -> Self {
        Self { version: version.into(), ..self }
    }

    /// Input animations: the keys to write.
    #[must_use]
    pub fn with_keys(self, keys: impl Into<Option<KeyLayout>>) -> Self {
        Self { keys: keys.into(), ..self }
    }

    /// Input animations: whether to write a marker list.
    #[must_use]
    pub fn with_marker_list(self, marker_list: impl Into<Option<bool>>) -> Self {
        Self { marker_list: marker_list.into(), ..self }
    }

    /// An option that does nothing for this kind, by name: a mistake of somebody's.
    ///
    /// ```
    /// use holotape_convert::{Kind, WriteOptions};
    ///
    /// let options = WriteOptions::new().with_hierarchy(true);
    /// assert_eq!(options.stray(Kind::Glb), None);
    /// assert_eq!(options.stray(Kind::Csv), Some("hierarchy"));
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
            ("key_layout", self.keys.is_some(), is_native),
            ("marker_list", self.marker_list.is_some(), is_native),
        ];
        options.into_iter().find(|(_, is_given, fits)| *is_given && !fits).map(|(name, ..)| name)
    }

    /// Writes a recording, and says what the file could not hold.
    ///
    /// # Errors
    /// If there is no such format, the times make no sense, nothing can be written as this kind, or `out` cannot be
    /// written to.
    pub fn write(
        &self,
        recording: &Recording,
        file_format: FileFormat,
        out: &mut (dyn Write + Send),
    ) -> Result<Losses> {
        let timing = self.rate_hz.map_or(Timing::Keys, Timing::Rate);
        match file_format {
            FileFormat::Csv => csv::write(recording, &self.table_options(), out),
            FileFormat::Parquet => parquet::write(recording, &self.table_options(), out),
            FileFormat::Arrow => arrow::write(recording, &self.table_options(), out),
            FileFormat::Glb => gltf::write_glb(recording, &self.gltf_options(timing), out),
            FileFormat::Gltf => gltf::write_gltf(recording, &self.gltf_options(timing), out),
            FileFormat::Bvh => bvh::write(recording, &self.bvh_options(timing), out),
            FileFormat::Mcap => mcap::write(recording, &McapOptions::new().with_timing(timing), out),
            FileFormat::Iwer => iwer::write(recording, &IwerOptions::new().with_timing(timing), out),
            // The document keeps everything, also what a file of that format could not hold.
            FileFormat::Json => self.with_format(recording)?.write_json_to(out).map(|()| Losses::default()),
            FileFormat::Bin => self.with_format(recording)?.write_to(out).map(Losses::from),
            FileFormat::Hl2ss | FileFormat::StreamRecorder | FileFormat::Psi => {
                let message = format!("{} can be read but not written", file_format.name_with_article());
                Err(Error::new(ErrorKind::Invalid, message))
            }
        }
    }

    /// What a table is to hold.
    ///
    /// ```
    /// use holotape_convert::WriteOptions;
    /// use holotape_convert::table::Table;
    ///
    /// assert_eq!(WriteOptions::new().with_table(Table::Keys).table_options().table(), Table::Keys);
    /// ```
    #[must_use]
    pub fn table_options(&self) -> TableOptions {
        TableOptions::new()
            .with_table(self.table.unwrap_or_default())
            .with_timing(self.rate_hz.map_or(Timing::Keys, Timing::Rate))
            .with_space(self.space.unwrap_or_default())
            .with_untracked_poses(self.untracked_poses)
            .with_source(self.source.clone())
    }

    /// The format of an input animation that came in this one, changed where asked for. A change to 1.1 takes compact
    /// keys, the only ones that MRTK reads there.
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
    /// [`ErrorKind::Invalid`] if version 1.0 is to have compact keys.
    pub fn format(&self, read: Format) -> Result<Format> {
        let version = self.version.unwrap_or(read.layout.version());
        let keys = self.keys.unwrap_or(match version {
            _ if version == read.layout.version() => read.layout.keys(),
            Version::V1_0 => KeyLayout::Full,
            Version::V1_1 => KeyLayout::Compact,
        });
        let layout = Layout::new(version, keys).ok_or_else(|| {
            Error::new(ErrorKind::Invalid, "version 1.0 has full keys only: ask for 1.1 or full keys")
        })?;
        // A change is for the sake of another reader, and the others expect a marker list.
        let marker_list = self.marker_list.unwrap_or(read.marker_list || layout != read.layout);
        Ok(Format { layout, marker_list })
    }

    fn with_format<'a>(&self, recording: &'a Recording) -> Result<Cow<'a, Recording>> {
        let format = self.format(recording.format)?;
        let is_same = format == recording.format;
        Ok(if is_same { Cow::Borrowed(recording) } else { Cow::Owned(Recording { format, ..recording.clone() }) })
    }

    fn gltf_options(&self, timing: Timing) -> GltfOptions {
        GltfOptions::new().with_hierarchy(self.hierarchy).with_timing(timing)
    }

    fn bvh_options(&self, timing: Timing) -> BvhOptions {
        let options = BvhOptions::new().with_timing(timing);
        options.with_bones(self.bones.unwrap_or_default()).with_unit(self.unit.unwrap_or_default())
    }
}
