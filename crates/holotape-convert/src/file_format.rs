//! The supported file formats and their detection.

use std::path::Path;

use holotape::format::MAGIC;
use holotape::{Error, ErrorKind};

use crate::compression::Compression;
use crate::{aria_mps, handsbin};

/// The first bytes of an HDF5 file.
pub(crate) const HDF5_MAGIC: &[u8] = b"\x89HDF\r\n\x1a\n";

/// The first bytes of an MCAP file.
pub(crate) const MCAP_MAGIC: &[u8] = b"\x89MCAP0\r\n";

/// A file format of recordings.
///
/// ```
/// use holotape_convert::FileFormat;
///
/// assert_eq!(FileFormat::from_path("reach.iwer.json"), Some(FileFormat::Iwer));
/// assert_eq!(FileFormat::detect(b"HL2SSV23"), Some(FileFormat::Hl2ss));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileFormat {
    /// MRTK input animation
    Bin,
    /// Lossless JSON document
    Json,
    /// Table as text
    Csv,
    /// Columnar table, compressed
    Parquet,
    /// Columnar table in memory layout
    Arrow,
    /// glTF 2.0, binary
    Glb,
    /// glTF 2.0, JSON
    Gltf,
    /// Skeleton and motion as text
    Bvh,
    /// Message log for Foxglove and Rerun
    Mcap,
    /// Message log of NVIDIA Isaac Teleop
    Isaac,
    /// WebXR recording of NVIDIA Isaac Teleop
    IsaacWebxr,
    /// Action recording of the Immersive Web Emulation Runtime
    Iwer,
    /// Hand capture of Unity's package XR Hands
    Handsbin,
    /// hl2ss spatial input
    Hl2ss,
    /// HoloLens2ForCV StreamRecorder: head, hands and gaze
    StreamRecorder,
    /// psi and HoloAssist: head, gaze and hands as text, one file each
    Psi,
    /// EgoDex: head and hands of an Apple Vision Pro, HDF5
    Egodex,
    /// Apple Vision Pro: head and hands as JSON lines, recorded by VisionProTeleop
    VisionPro,
    /// Project Aria: hands, trajectory and gaze as tables of the Machine Perception Services
    AriaMps,
}

impl FileFormat {
    /// All formats.
    pub const ALL: [Self; 19] = [
        Self::Bin,
        Self::Json,
        Self::Csv,
        Self::Parquet,
        Self::Arrow,
        Self::Glb,
        Self::Gltf,
        Self::Bvh,
        Self::Mcap,
        Self::Isaac,
        Self::IsaacWebxr,
        Self::Iwer,
        Self::Handsbin,
        Self::Hl2ss,
        Self::StreamRecorder,
        Self::Psi,
        Self::Egodex,
        Self::VisionPro,
        Self::AriaMps,
    ];

    /// The article, the name for people, and the file name extension.
    const fn labels(self) -> [&'static str; 3] {
        match self {
            Self::Bin => ["an", "MRTK input animation", "bin"],
            Self::Json => ["a", "JSON document", "json"],
            Self::Csv => ["a", "CSV table", "csv"],
            Self::Parquet => ["a", "Parquet table", "parquet"],
            Self::Arrow => ["an", "Arrow table", "arrow"],
            Self::Glb => ["a", "binary glTF", "glb"],
            Self::Gltf => ["a", "glTF", "gltf"],
            Self::Bvh => ["a", "BVH motion", "bvh"],
            Self::Mcap => ["an", "MCAP log", "mcap"],
            Self::Isaac => ["an", "Isaac Teleop log", "isaac.mcap"],
            Self::IsaacWebxr => ["an", "Isaac Teleop WebXR recording", "json"],
            Self::Iwer => ["an", "IWER action recording", "iwer.json"],
            Self::Handsbin => ["a", "Unity hand capture", "handsbin"],
            Self::Hl2ss => ["an", "hl2ss spatial input", "bin"],
            Self::StreamRecorder => ["a", "StreamRecorder table", "csv"],
            Self::Psi => ["a", "psi stream", "txt"],
            Self::Egodex => ["an", "EgoDex file", "hdf5"],
            Self::VisionPro => ["a", "Vision Pro tracking file", "jsonl"],
            Self::AriaMps => ["an", "Aria MPS table", "csv"],
        }
    }

    /// The name for people: `MCAP log`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.labels()[1]
    }

    /// The name for programs, as in SQL and Python: the extension, or a name of its own where others have the same extension.
    ///
    /// ```
    /// use holotape_convert::FileFormat;
    ///
    /// assert_eq!([FileFormat::Bin.id(), FileFormat::Hl2ss.id()], ["bin", "hl2ss"]);
    /// ```
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Isaac => "isaac",
            Self::IsaacWebxr => "isaac-webxr",
            Self::Iwer => "iwer",
            Self::Hl2ss => "hl2ss",
            Self::StreamRecorder => "stream-recorder",
            Self::Psi => "psi",
            Self::Egodex => "egodex",
            Self::VisionPro => "vision-pro",
            Self::AriaMps => "aria-mps",
            _ => self.extension(),
        }
    }

    /// The name with its indefinite article: `an MCAP log`.
    ///
    /// ```
    /// assert_eq!(holotape_convert::FileFormat::Csv.name_with_article(), "a CSV table");
    /// ```
    #[must_use]
    pub fn name_with_article(self) -> String {
        let [article, name, _] = self.labels();
        format!("{article} {name}")
    }

    /// The file name extension, without the dot.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        self.labels()[2]
    }

    /// Whether recordings can be written in this format.
    #[must_use]
    pub const fn can_write(self) -> bool {
        !matches!(
            self,
            Self::IsaacWebxr
                | Self::Hl2ss
                | Self::StreamRecorder
                | Self::Psi
                | Self::Egodex
                | Self::VisionPro
                | Self::AriaMps
        )
    }

    /// Whether recordings can be read from this format.
    #[must_use]
    pub const fn can_read(self) -> bool {
        !matches!(self, Self::Arrow | Self::Bvh | Self::Mcap)
    }

    /// The feature of this crate that reads and writes the format, and whether this build has it; `None` if every build does.
    const fn feature(self) -> Option<(&'static str, bool)> {
        match self {
            Self::Csv | Self::Parquet | Self::Arrow => Some(("tables", cfg!(feature = "tables"))),
            Self::Mcap | Self::Isaac | Self::IsaacWebxr => Some(("mcap", cfg!(feature = "mcap"))),
            Self::Egodex => Some(("hdf5", cfg!(feature = "hdf5"))),
            _ => None,
        }
    }

    /// Whether this build reads or writes the format: some need a feature of this crate.
    ///
    /// ```
    /// assert!(holotape_convert::FileFormat::Bin.is_enabled());
    /// ```
    #[must_use]
    pub fn is_enabled(self) -> bool {
        self.feature().is_none_or(|(_, is_enabled)| is_enabled)
    }

    /// The error of a program that is built without this format.
    ///
    /// ```
    /// let error = holotape_convert::FileFormat::Parquet.missing_feature();
    /// assert!(error.to_string().starts_with("cannot read or write a Parquet table: this program was built without it"));
    /// ```
    #[must_use]
    pub fn missing_feature(self) -> Error {
        let name = self.name_with_article();
        let feature = self.feature().map(|(feature, _)| format!(" (feature `{feature}` of holotape-convert)"));
        let feature = feature.unwrap_or_default();
        let message = format!(
            "cannot read or write {name}: this program was built without it{feature}; build it with default features"
        );
        Error::new(ErrorKind::Invalid, message)
    }

    /// The format to write for a file name, by its extension before that of a [`Compression`]. Input files are detected by
    /// [content](Self::detect).
    #[must_use]
    pub fn from_path(path: impl AsRef<Path>) -> Option<Self> {
        let name = path.as_ref().file_name()?.to_string_lossy().to_ascii_lowercase();
        let (name, _) = Compression::split_name(&name);
        // The longest matching extension wins: .iwer.json is not .json.
        let matches =
            |file_format: &Self| name.strip_suffix(file_format.extension()).is_some_and(|stem| stem.ends_with('.'));
        let writable = Self::ALL.into_iter().filter(|file_format| file_format.can_write());
        let others = [(".feather", Self::Arrow), (".pq", Self::Parquet)].into_iter();
        let other =
            || others.clone().find(|(extension, _)| name.ends_with(extension)).map(|(_, file_format)| file_format);
        writable.filter(matches).max_by_key(|file_format| file_format.extension().len()).or_else(other)
    }

    /// Detects a format by the first [`DETECT_BYTES`](Self::DETECT_BYTES) bytes of a file, or by all bytes if it is
    /// shorter. They must be decompressed: see [`compression`](crate::compression).
    #[must_use]
    pub fn detect(start: &[u8]) -> Option<Self> {
        let magics: [(&[u8], Self); 9] = [
            (&MAGIC, Self::Bin),
            (HDF5_MAGIC, Self::Egodex),
            (b"HL2SSV", Self::Hl2ss),
            (b"X38HL2SS", Self::Hl2ss),
            (b"PAR1", Self::Parquet),
            (b"ARROW1", Self::Arrow),
            (b"glTF", Self::Glb),
            (MCAP_MAGIC, Self::Mcap),
            (b"HIERARCHY", Self::Bvh),
        ];
        match magics.into_iter().find(|(magic, _)| start.starts_with(magic)) {
            Some((_, Self::Mcap)) if is_isaac_log(start) => return Some(Self::Isaac),
            Some((_, file_format)) => return Some(file_format),
            None => {}
        }
        if handsbin::detect(start) {
            return Some(Self::Handsbin);
        }
        let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
        match text.first()? {
            b'{' => Some(detect_json(text)),
            _ => detect_table(text),
        }
    }

    /// The number of bytes that [`detect`](Self::detect) needs.
    pub const DETECT_BYTES: usize = 4096;
}

/// Detects the format of a JSON object by its first key, or by the second one after a version.
fn detect_json(text: &[u8]) -> FileFormat {
    const GLTF_KEYS: [&[u8]; 12] = [
        b"accessors",
        b"animations",
        b"asset",
        b"buffers",
        b"bufferViews",
        b"extensionsUsed",
        b"extras",
        b"materials",
        b"meshes",
        b"nodes",
        b"scene",
        b"scenes",
    ];
    // The keys of a frame are in any order.
    const VISION_PRO_KEYS: [&[u8]; 8] = [
        b"timestamp",
        b"systemTime",
        b"headMatrix",
        b"leftHand",
        b"rightHand",
        b"videoFrameIndex",
        b"videoWidth",
        b"videoHeight",
    ];
    let key = first_key(&text[1..]);
    let second_key = || first_key(text.splitn(2, |byte| *byte == b',').nth(1)?);
    match key {
        Some(b"schema" | b"frames") => FileFormat::Iwer,
        Some(b"version") if matches!(second_key(), Some(b"recordedAt" | b"frames")) => FileFormat::IsaacWebxr,
        Some(key) if GLTF_KEYS.contains(&key) => FileFormat::Gltf,
        Some(key) if VISION_PRO_KEYS.contains(&key) => FileFormat::VisionPro,
        _ => FileFormat::Json,
    }
}

/// The text up to the next quotation mark, if there is one at the start.
fn first_key(text: &[u8]) -> Option<&[u8]> {
    text.trim_ascii_start().strip_prefix(b"\"")?.split(|byte| *byte == b'"').next()
}

/// Detects the format of a text table: numeric ones by the delimiter after the first cell, ours by the header.
fn detect_table(text: &[u8]) -> Option<FileFormat> {
    let end = text.iter().position(|byte| b",\t\r\n".contains(byte)).unwrap_or(text.len());
    let first = str::from_utf8(text[..end].trim_ascii()).ok()?;
    match (first.parse::<f64>().is_ok(), text.get(end)) {
        (true, Some(b'\t')) => Some(FileFormat::Psi),
        (true, Some(b',')) => Some(FileFormat::StreamRecorder),
        (true, _) => None,
        (false, _) if aria_mps::has_header(text) => Some(FileFormat::AriaMps),
        (false, _) => table_delimiter(text).map(|_| FileFormat::Csv),
    }
}

/// The delimiter of a table, found by a cell `time` or `curve` of its header; `None` if this is not such a table.
pub(crate) fn table_delimiter(text: &[u8]) -> Option<u8> {
    let header = text.split(|byte| b"\r\n".contains(byte)).next()?;
    let is_ours = |cell: &[u8]| [&b"time"[..], b"\"time\"", b"curve", b"\"curve\""].contains(&cell.trim_ascii());
    b",;\t".iter().copied().find(|delimiter| header.split(|byte| byte == delimiter).any(is_ours))
}

/// Whether the start of an MCAP file has a header with the profile of Isaac Teleop.
fn is_isaac_log(start: &[u8]) -> bool {
    const OP_HEADER: u8 = 0x01;
    const PROFILE: &[u8] = b"\x06\0\0\0teleop";
    let header = || {
        let record = start.strip_prefix(MCAP_MAGIC)?.strip_prefix(&[OP_HEADER])?;
        let (length, rest) = record.split_first_chunk()?;
        rest.get(..usize::try_from(u64::from_le_bytes(*length)).ok()?)
    };
    header().is_some_and(|fields| fields.starts_with(PROFILE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(not(any(feature = "hdf5", feature = "mcap", feature = "tables")))]
    #[test]
    fn formats_of_disabled_features_are_refused() {
        let assert_refused = |error: Error, file_format: FileFormat, feature: &str| {
            assert_eq!(error.to_string(), file_format.missing_feature().to_string());
            assert!(error.to_string().contains(feature), "{error}");
            assert!(!file_format.is_enabled());
        };
        let files: [(&[u8], FileFormat, &str); 6] = [
            (b"time,left.tracked\n0,true\n", FileFormat::Csv, "`tables`"),
            (b"PAR1", FileFormat::Parquet, "`tables`"),
            (MCAP_MAGIC, FileFormat::Mcap, "`mcap`"),
            (b"\x89MCAP0\r\n\x01\x0e\0\0\0\0\0\0\0\x06\0\0\0teleop\0\0\0\0", FileFormat::Isaac, "`mcap`"),
            (b"{\"version\": 1, \"frames\": []}", FileFormat::IsaacWebxr, "`mcap`"),
            (HDF5_MAGIC, FileFormat::Egodex, "`hdf5`"),
        ];
        for (bytes, file_format, feature) in files {
            assert_refused(crate::from_slice(bytes).unwrap_err(), file_format, feature);
        }
        for (file_format, feature) in [
            (FileFormat::Csv, "`tables`"),
            (FileFormat::Parquet, "`tables`"),
            (FileFormat::Arrow, "`tables`"),
            (FileFormat::Mcap, "`mcap`"),
            (FileFormat::Isaac, "`mcap`"),
        ] {
            let mut file = Vec::new();
            let written = crate::WriteOptions::new().write(&holotape::Recording::default(), file_format, &mut file);
            assert_refused(written.unwrap_err(), file_format, feature);
            assert_eq!(file, b"");
        }
    }

    #[test]
    fn detect_recognizes_every_format() {
        let cases: [(&[u8], Option<FileFormat>); 34] = [
            (b"", None),
            (b"GIF89a", None),
            (b"  {\"schema\": []}", Some(FileFormat::Iwer)),
            (b"{\"frames\":[", Some(FileFormat::Iwer)),
            (b"{\"asset\":{", Some(FileFormat::Gltf)),
            (b"\xef\xbb\xbf{\"version\":", Some(FileFormat::Json)),
            (b"{", Some(FileFormat::Json)),
            (b"{\"version\": 1, \"frames\": [", Some(FileFormat::IsaacWebxr)),
            (b"{\"version\":1,\"recordedAt\":1763000000000,\"frames\":[", Some(FileFormat::IsaacWebxr)),
            (b"{\"version\":[1,1],\"markers\":[", Some(FileFormat::Json)),
            (b"\x89MCAP0\r\n\x01\x0e\0\0\0\0\0\0\0\x06\0\0\0teleop\0\0\0\0", Some(FileFormat::Isaac)),
            (b"\x89MCAP0\r\n\x01\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", Some(FileFormat::Mcap)),
            (b"time,camera.position.x\n", Some(FileFormat::Csv)),
            (b"\"curve\",\"time\"\n", Some(FileFormat::Csv)),
            (b"time", Some(FileFormat::Csv)),
            (b"times,x", None),
            (b",time,x\n0,1,2", Some(FileFormat::Csv)),
            (b"participant;time;camera.position.x\n", Some(FileFormat::Csv)),
            (b"a\ttime\n", Some(FileFormat::Csv)),
            (b"what a time, it was\n", None),
            (b"132537342342342342,1,0,0", Some(FileFormat::StreamRecorder)),
            (b"637 is no table", None),
            (b"637537342342342342\t1\t0", Some(FileFormat::Psi)),
            (b"\x01\0\0\0\x01a\0\0\0\0\0\0\0\0", Some(FileFormat::Handsbin)),
            (b"\x01\0\0\0\x01a\0\0\0\0\0\0\0\0\0", None),
            (b"\x01\0\0\0\x01a\0\0\0\0\x01\0\0\0\0\0\0\0\x01\x01\x01\0", Some(FileFormat::Handsbin)),
            (b"\x01\0\0\0\x01a\0\0\0\0\x01\0\0\0\0\0\0\0\x01\x02\x01\0", None),
            (b"\x02\0\0\0\x08\0\0\0\x08\0\0\0\x03\0\0\0", None),
            (b"\x89HDF\r\n\x1a\n\0", Some(FileFormat::Egodex)),
            (b"{\"timestamp\":0.5,", Some(FileFormat::VisionPro)),
            (b"{ \"rightHand\" : {\"wrist\":[", Some(FileFormat::VisionPro)),
            (b"tracking_timestamp_us,left_tracking_confidence", Some(FileFormat::AriaMps)),
            (b"graph_uid, tracking_timestamp_us, x\n", Some(FileFormat::AriaMps)),
            (b"x,y\ntracking_timestamp_us\n", None),
        ];
        for (start, file_format) in cases {
            assert_eq!(FileFormat::detect(start), file_format, "{}", start.escape_ascii());
        }
    }

    #[test]
    fn from_path_returns_writable_formats() {
        let cases = [
            ("a.bin", FileFormat::Bin),
            ("b.IWER.JSON", FileFormat::Iwer),
            ("iwer.json", FileFormat::Json),
            ("c.d.glb", FileFormat::Glb),
            ("e.feather", FileFormat::Arrow),
            ("f.pq", FileFormat::Parquet),
            ("g.bin.zst", FileFormat::Bin),
            ("h.iwer.json.GZ", FileFormat::Iwer),
            ("i.feather.gz", FileFormat::Arrow),
            ("j.handsbin", FileFormat::Handsbin),
            ("g.mcap", FileFormat::Mcap),
            ("g.isaac.mcap", FileFormat::Isaac),
        ];
        for (name, file_format) in cases {
            assert_eq!(FileFormat::from_path(name), Some(file_format), "{name}");
        }
        let others = ["bin", "a.txt", "a.", "glb", "a.zst", "bin.zst", "a.bin.gz.zst", ".zst"];
        assert_eq!(others.map(FileFormat::from_path), [None; 8]);
    }
}
