//! Reads recordings from files of any readable format, detected by content.

use std::fs;
use std::io::{Cursor, Read, Seek};
use std::path::Path;

use holotape::format::ReadOptions;
use holotape::paths;
use holotape::{Error, ErrorKind, Recording, Result, WindowedRecording};

use crate::compression::{Compression, DecompressedReader};
#[cfg(feature = "hdf5")]
use crate::egodex;
#[cfg(feature = "mcap")]
use crate::isaac;
use crate::{FileFormat, Losses, Space, aria_mps, gltf, handsbin, hl2ss, iwer, psi, stream_recorder, vision_pro};
#[cfg(feature = "tables")]
use crate::{csv, parquet};

/// Files up to this size are read at once, which takes half the time and at most twice the memory.
const MAX_SINGLE_READ_BYTES: u64 = 16 << 20;

/// A recording, the format it was read from, and the losses.
#[derive(Debug)]
#[non_exhaustive]
pub struct ImportedRecording {
    /// The recording.
    pub recording: Recording,
    /// The format of the file.
    pub file_format: FileFormat,
    /// The compression of the file as a whole.
    pub compression: Compression,
    /// Source data that a recording cannot represent, and invalid data.
    pub losses: Losses,
}

/// Reads a recording in any readable format, detected by content, compressed or not. A folder must have the layout of psi,
/// HoloAssist, Project Aria or a Vision Pro. If a recording consists of several files, one of them stands for all.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("reach.bin");
/// # let _ = holotape::Recording::default().save(&path)?;
/// let imported = holotape_convert::open(&path)?;
/// assert_eq!(imported.file_format, holotape_convert::FileFormat::Bin);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the file cannot be read, has an unknown format or one whose feature is disabled, or is damaged. The error has the path, and
/// for tables the row and the column.
pub fn open(path: impl AsRef<Path>) -> Result<ImportedRecording> {
    OpenOptions::new().open(path)
}

/// Options for data that files do not describe themselves.
///
/// ```
/// use holotape_convert::{OpenOptions, Space};
///
/// # #[cfg(feature = "tables")] {
/// let text = b"time,camera.position.z\n0,-2\n";
/// let imported = OpenOptions::new().with_table_space(Space::RightHanded).from_slice(text)?;
/// assert_eq!(imported.recording.camera.unwrap().position[2].value_at(0.0), Some(2.0));
/// # }
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenOptions {
    table_space: Space,
    max_recording_bytes: u64,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl OpenOptions {
    /// Tables use Unity's coordinates, and a recording has at most [`ReadOptions::DEFAULT_MAX_BYTES`].
    #[must_use]
    pub const fn new() -> Self {
        Self { table_space: Space::Unity, max_recording_bytes: ReadOptions::DEFAULT_MAX_BYTES }
    }

    /// Sets the coordinates of tables without metadata: CSV files, and Parquet files of other programs.
    #[must_use]
    pub const fn with_table_space(self, table_space: Space) -> Self {
        Self { table_space, ..self }
    }

    /// Limits the size of a recording from a compressed file: gzip, zstd, Parquet, HDF5 or Isaac Teleop. A few bytes there
    /// can encode any number of rows, so these are counted before or during decompression.
    ///
    /// ```
    /// # #[cfg(feature = "tables")] {
    /// use holotape_convert::{OpenOptions, parquet, table::TableOptions};
    ///
    /// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
    /// let mut file = Vec::new();
    /// let _ = parquet::write(&recording, &TableOptions::new(), &mut file)?;
    /// let error = OpenOptions::new().with_max_recording_bytes(1000).from_slice(&file).unwrap_err();
    /// assert_eq!(error.kind(), holotape::ErrorKind::LimitExceeded);
    /// # }
    /// # Ok::<(), holotape::Error>(())
    /// ```
    #[must_use]
    pub const fn with_max_recording_bytes(self, max_recording_bytes: u64) -> Self {
        Self { max_recording_bytes, ..self }
    }

    /// Reads a file or a folder like [`open()`].
    ///
    /// # Errors
    /// As with [`open()`].
    pub fn open(&self, path: impl AsRef<Path>) -> Result<ImportedRecording> {
        let path = path.as_ref();
        self.open_inner(path).map_err(|error| if error.path().is_some() { error } else { error.with_path(path) })
    }

    /// Opens a large `.bin` file without reading its keys into memory; `None` for all other files, which [`open`](Self::open)
    /// reads.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("reach.bin");
    /// # let _ = holotape::Recording::default().save(&path)?;
    /// assert!(holotape_convert::OpenOptions::new().open_windowed(&path)?.is_none(), "the file is small");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As with [`open()`].
    pub fn open_windowed(&self, path: impl AsRef<Path>) -> Result<Option<WindowedRecording<'static>>> {
        let path = path.as_ref();
        let is_large_bin = || {
            // Opening and closing a named pipe would break it for its writer.
            let metadata = fs::metadata(path)?;
            if !metadata.is_file() || metadata.len() <= MAX_SINGLE_READ_BYTES {
                return Ok(false);
            }
            let mut start = Vec::new();
            paths::open(path)?.take(FileFormat::DETECT_BYTES as u64).read_to_end(&mut start)?;
            Ok(FileFormat::detect(&start) == Some(FileFormat::Bin) && !Compression::detect(&start).is_compressed())
        };
        let is_large_bin = is_large_bin().map_err(|error: Error| error.with_path(path))?;
        if is_large_bin { WindowedRecording::open(path).map(Some) } else { Ok(None) }
    }

    fn open_inner(&self, path: &Path) -> Result<ImportedRecording> {
        let metadata = fs::metadata(path)?;
        if metadata.is_dir() {
            return open_folder(path);
        }
        let mut file = paths::open(path)?;
        let mut bytes = Vec::new();
        (&mut file).take(FileFormat::DETECT_BYTES as u64).read_to_end(&mut bytes)?;
        if metadata.is_file() && Compression::detect(&bytes).is_compressed() {
            return self.read_compressed(file, Some(path));
        }
        match FileFormat::detect(&bytes) {
            // Large files are streamed: memory matters more than time there.
            Some(FileFormat::Bin) if metadata.is_file() && metadata.len() > MAX_SINGLE_READ_BYTES => {
                Ok(ImportedRecording {
                    recording: Recording::open(path)?,
                    file_format: FileFormat::Bin,
                    compression: Compression::None,
                    losses: Losses::default(),
                })
            }
            // The file name says which hand it is.
            Some(FileFormat::Psi) if metadata.is_file() => imported(FileFormat::Psi, psi::open(path)),
            // Other files belong to the same recording.
            Some(FileFormat::VisionPro) if metadata.is_file() => {
                imported(FileFormat::VisionPro, vision_pro::open(path))
            }
            Some(FileFormat::AriaMps) if metadata.is_file() => imported(FileFormat::AriaMps, aria_mps::open(path)),
            _ if metadata.is_file() && metadata.len() <= MAX_SINGLE_READ_BYTES => {
                bytes.reserve_exact(usize::try_from(metadata.len()).unwrap_or(0).saturating_sub(bytes.len()) + 1);
                file.take(MAX_SINGLE_READ_BYTES).read_to_end(&mut bytes)?;
                self.from_named_slice(&bytes, path)
            }
            _ => self.read_named(bytes.chain(file), Some(path)),
        }
    }

    /// Reads until the end, at most [`ReadOptions::DEFAULT_MAX_BYTES`], like [`from_slice()`].
    ///
    /// # Errors
    /// As with [`open()`], and [`ErrorKind::LimitExceeded`] if there are more bytes.
    pub fn from_reader(&self, reader: impl Read) -> Result<ImportedRecording> {
        self.read_named(reader, None)
    }

    fn read_named(&self, mut reader: impl Read, path: Option<&Path>) -> Result<ImportedRecording> {
        const MAX_BYTES: u64 = ReadOptions::DEFAULT_MAX_BYTES;
        let mut bytes = Vec::new();
        reader.by_ref().take(MAX_BYTES).read_to_end(&mut bytes)?;
        if reader.read(&mut [0])? > 0 {
            return Err(Error::new(
                ErrorKind::LimitExceeded,
                format!("input is larger than the limit of {MAX_BYTES} bytes"),
            ));
        }
        self.import(&bytes, path)
    }

    /// Reads the bytes of the file at a path, and the [other files](crate::other_files) of the same recording.
    ///
    /// ```
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/import/aria_mps");
    /// let path = std::path::Path::new(folder).join("hand_tracking/hand_tracking_results.csv");
    /// let imported = holotape_convert::OpenOptions::new().from_slice_at(&std::fs::read(&path)?, &path)?;
    /// assert!(imported.recording.camera.is_some(), "from the trajectory");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As with [`open()`].
    pub fn from_slice_at(&self, bytes: &[u8], path: impl AsRef<Path>) -> Result<ImportedRecording> {
        let path = path.as_ref();
        match FileFormat::detect(&bytes[..bytes.len().min(FileFormat::DETECT_BYTES)]) {
            Some(FileFormat::AriaMps) => imported(FileFormat::AriaMps, aria_mps::read_at(bytes, path)),
            Some(FileFormat::VisionPro) => imported(FileFormat::VisionPro, vision_pro::read_at(bytes, path)),
            _ => self.from_named_slice(bytes, path),
        }
    }

    /// Reads the bytes of a file like [`from_slice()`].
    ///
    /// # Errors
    /// As with [`open()`].
    pub fn from_slice(&self, bytes: &[u8]) -> Result<ImportedRecording> {
        self.import(bytes, None)
    }

    /// Reads the bytes of a file with this name or path. If the bytes have no known format, the name can help to report
    /// the error.
    ///
    /// ```
    /// use holotape_convert::OpenOptions;
    ///
    /// let error = OpenOptions::new().from_named_slice(&[3, 0, 0, 0], "reach.handsbin").unwrap_err();
    /// assert_eq!(error.kind(), holotape::ErrorKind::UnsupportedVersion);
    /// ```
    ///
    /// # Errors
    /// As with [`open()`].
    pub fn from_named_slice(&self, bytes: &[u8], name: impl AsRef<Path>) -> Result<ImportedRecording> {
        self.import(bytes, Some(name.as_ref()))
    }

    fn import(&self, bytes: &[u8], path: Option<&Path>) -> Result<ImportedRecording> {
        match Compression::detect(bytes) {
            Compression::None => self.import_decompressed(bytes, Compression::None, path),
            Compression::Gzip | Compression::Zstd => self.read_compressed(Cursor::new(bytes), path),
        }
    }

    fn read_compressed(&self, reader: impl Read + Seek, path: Option<&Path>) -> Result<ImportedRecording> {
        let mut reader = DecompressedReader::new(reader, self.max_recording_bytes)?;
        let (compression, start) = (reader.compression(), reader.start()?);
        match FileFormat::detect(&start) {
            // Large ones are read curve by curve.
            Some(FileFormat::Bin) if reader.kept_bytes().is_none() => Ok(ImportedRecording {
                recording: ReadOptions::new().from_seekable_reader(reader)?,
                file_format: FileFormat::Bin,
                compression,
                losses: Losses::default(),
            }),
            None if damaged_format(path) == FileFormat::Bin => self.import_decompressed(&start, compression, path),
            _ => self.import_decompressed(&reader.into_bytes()?, compression, path),
        }
    }

    fn import_decompressed(
        &self,
        bytes: &[u8],
        compression: Compression,
        path: Option<&Path>,
    ) -> Result<ImportedRecording> {
        let file_format = match FileFormat::detect(&bytes[..bytes.len().min(FileFormat::DETECT_BYTES)]) {
            // Other tools rewrite logs without the profile.
            #[cfg(feature = "mcap")]
            Some(FileFormat::Mcap) if isaac::has_schemas(bytes) => FileFormat::Isaac,
            detected => detected.unwrap_or_else(|| damaged_format(path)),
        };
        let (recording, losses) = match file_format {
            FileFormat::Bin => (Recording::from_slice(bytes)?, Losses::default()),
            FileFormat::Json => (Recording::from_json_slice(bytes)?, Losses::default()),
            #[cfg(feature = "tables")]
            FileFormat::Csv => csv::read(bytes, self.table_space)?,
            #[cfg(feature = "tables")]
            FileFormat::Parquet => parquet::read_up_to(bytes, self.table_space, self.max_recording_bytes)?,
            FileFormat::Hl2ss => hl2ss::read(bytes)?,
            FileFormat::StreamRecorder => stream_recorder::read(bytes)?,
            FileFormat::Psi => psi::read(bytes)?,
            #[cfg(feature = "hdf5")]
            FileFormat::Egodex => egodex::read_up_to(bytes, self.max_recording_bytes)?,
            FileFormat::VisionPro => vision_pro::read(bytes)?,
            FileFormat::AriaMps => aria_mps::read(bytes)?,
            FileFormat::Glb | FileFormat::Gltf => gltf::read(bytes)?,
            FileFormat::Iwer => iwer::read(bytes)?,
            FileFormat::Handsbin => handsbin::read_named(bytes, path.and_then(handsbin::recording_name))?,
            #[cfg(feature = "mcap")]
            FileFormat::Isaac => isaac::read_up_to(bytes, self.max_recording_bytes)?,
            #[cfg(feature = "mcap")]
            FileFormat::IsaacWebxr => isaac::read_webxr(bytes)?,
            // Without the feature, the log may be one of Isaac Teleop.
            #[cfg(feature = "mcap")]
            FileFormat::Mcap => return Err(write_only(file_format)),
            FileFormat::Arrow | FileFormat::Bvh => return Err(write_only(file_format)),
            #[cfg(not(all(feature = "hdf5", feature = "mcap", feature = "tables")))]
            _ => return Err(file_format.missing_feature()),
        };
        Ok(ImportedRecording { recording, file_format, compression, losses })
    }
}

/// The format whose reader has the best error message for unknown bytes: that of the file name if it has no magic bytes,
/// or else an input animation.
fn damaged_format(path: Option<&Path>) -> FileFormat {
    match path.and_then(FileFormat::from_path) {
        Some(FileFormat::Handsbin) => FileFormat::Handsbin,
        _ => FileFormat::Bin,
    }
}

fn write_only(file_format: FileFormat) -> Error {
    let hint = match file_format {
        FileFormat::Mcap => "; of MCAP logs, only those of Isaac Teleop are read",
        _ => "",
    };
    let name = file_format.name_with_article();
    Error::new(ErrorKind::NotARecording, format!("cannot read {name}: the format is write-only{hint}"))
}

fn open_folder(path: &Path) -> Result<ImportedRecording> {
    if aria_mps::is_folder(path) {
        return imported(FileFormat::AriaMps, aria_mps::open(path));
    }
    if path.join(vision_pro::FILE_NAME).is_file() {
        return imported(FileFormat::VisionPro, vision_pro::open(path));
    }
    imported(FileFormat::Psi, psi::open(path))
}

fn imported(file_format: FileFormat, read: Result<(Recording, Losses)>) -> Result<ImportedRecording> {
    let compression = Compression::None;
    read.map(|(recording, losses)| ImportedRecording { recording, file_format, compression, losses })
}

/// Reads a recording in any readable format, detected by content.
///
/// ```
/// let (bytes, _) = holotape::Recording::default().to_vec()?;
/// assert_eq!(holotape_convert::from_slice(&bytes)?.file_format, holotape_convert::FileFormat::Bin);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// As with [`open()`].
pub fn from_slice(bytes: &[u8]) -> Result<ImportedRecording> {
    OpenOptions::new().from_slice(bytes)
}
