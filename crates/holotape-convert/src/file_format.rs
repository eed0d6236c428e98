//! Which formats there are, and how to tell them apart.

use std::path::Path;

use holotape::format::MAGIC;

use crate::csv;

/// A sort of file that holds a recording.
///
/// ```
/// use holotape_convert::Kind;
///
/// assert_eq!(Kind::of_path("take.iwer.json"), Some(Kind::Iwer));
/// assert_eq!(Kind::of_start(b"HL2SSV23"), Some(Kind::Hl2ss));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileFormat {
    /// MRTK input animation
    Bin,
    /// Lossless JSON document
    Json,
    /// A table as text
    Csv,
    /// A table in columns, compressed
    Parquet,
    /// A table in columns, as it is in memory
    Arrow,
    /// glTF 2.0 in one binary file
    Glb,
    /// glTF 2.0 as JSON
    Gltf,
    /// Skeleton and motion as text
    Bvh,
    /// Log of messages, for Foxglove and Rerun
    Mcap,
    /// Action recording of the Immersive Web Emulation Runtime
    Iwer,
    /// hl2ss spatial input
    Hl2ss,
    /// HoloLens2ForCV StreamRecorder, head, hands and eyes
    StreamRecorder,
    /// psi and HoloAssist: head, eyes and hands as text, one file each
    Psi,
}

impl FileFormat {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Bin,
        Self::Json,
        Self::Csv,
        Self::Parquet,
        Self::Arrow,
        Self::Glb,
        Self::Gltf,
        Self::Bvh,
        Self::Mcap,
        Self::Iwer,
        Self::Hl2ss,
        Self::StreamRecorder,
        Self::Psi,
    ];

    /// What such a file is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bin => "MRTK input animation",
            Self::Json => "JSON document",
            Self::Csv => "CSV table",
            Self::Parquet => "Parquet table",
            Self::Arrow => "Arrow table",
            Self::Glb => "binary glTF",
            Self::Gltf => "glTF",
            Self::Bvh => "BVH motion",
            Self::Mcap => "MCAP log",
            Self::Iwer => "IWER action recording",
            Self::Hl2ss => "hl2ss spatial input",
            Self::StreamRecorder => "StreamRecorder table",
            Self::Psi => "psi stream",
        }
    }

    /// The same in a sentence: `an MCAP log`.
    ///
    /// ```
    /// assert_eq!(holotape_convert::Kind::Csv.with_article(), "a CSV table");
    /// ```
    #[must_use]
    pub fn name_with_article(self) -> String {
        let article = match self {
            Self::Bin | Self::Arrow | Self::Mcap | Self::Iwer | Self::Hl2ss => "an",
            _ => "a",
        };
        format!("{article} {}", self.name())
    }

    /// The end of the names of such files, without the dot.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Bin | Self::Hl2ss => "bin",
            Self::Json => "json",
            Self::Csv | Self::StreamRecorder => "csv",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Glb => "glb",
            Self::Gltf => "gltf",
            Self::Bvh => "bvh",
            Self::Mcap => "mcap",
            Self::Iwer => "iwer.json",
            Self::Psi => "txt",
        }
    }

    /// Whether recordings can be written as this.
    #[must_use]
    pub const fn can_write(self) -> bool {
        !matches!(self, Self::Hl2ss | Self::StreamRecorder | Self::Psi)
    }

    /// Whether recordings can be read from this.
    #[must_use]
    pub const fn can_read(self) -> bool {
        !matches!(self, Self::Arrow | Self::Bvh | Self::Mcap)
    }

    /// The kind to write that a name stands for, by its extension. What to read is told by content.
    #[must_use]
    pub fn from_path(path: impl AsRef<Path>) -> Option<Self> {
        let name = path.as_ref().file_name()?.to_string_lossy().to_ascii_lowercase();
        // The longest extension that fits: .iwer.json is not .json.
        let fits =
            |file_format: &Self| name.strip_suffix(file_format.extension()).is_some_and(|stem| stem.ends_with('.'));
        let written = Self::ALL.into_iter().filter(|file_format| file_format.can_write());
        let others = [(".feather", Self::Arrow), (".pq", Self::Parquet)].into_iter();
        let other = || others.clone().find(|(end, _)| name.ends_with(end)).map(|(_, file_format)| file_format);
        written.filter(fits).max_by_key(|file_format| file_format.extension().len()).or_else(other)
    }

    /// What a file holds, by its first [`START_BYTES`](Self::START_BYTES) bytes, or all of it if it is shorter.
    #[must_use]
    pub fn detect(start: &[u8]) -> Option<Self> {
        let magics: [(&[u8], Self); 8] = [
            (&MAGIC, Self::Bin),
            (b"HL2SSV", Self::Hl2ss),
            (b"X38HL2SS", Self::Hl2ss),
            (b"PAR1", Self::Parquet),
            (b"ARROW1", Self::Arrow),
            (b"glTF", Self::Glb),
            (b"\x89MCAP0\r\n", Self::Mcap),
            (b"HIERARCHY", Self::Bvh),
        ];
        if let Some((_, file_format)) = magics.into_iter().find(|(magic, _)| start.starts_with(magic)) {
            return Some(file_format);
        }
        let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
        match text.first()? {
            b'{' => Some(detect_json(text)),
            _ => detect_table(text),
        }
    }

    /// As much of a file as it takes to tell what it holds.
    pub const DETECT_BYTES: usize = 4096;
}

/// What a JSON object holds, by its first key.
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
    let key = text[1..].trim_ascii_start().strip_prefix(b"\"").and_then(|rest| rest.split(|byte| *byte == b'"').next());
    match key {
        Some(b"schema" | b"frames") => FileFormat::Iwer,
        Some(key) if GLTF_KEYS.contains(&key) => FileFormat::Gltf,
        _ => FileFormat::Json,
    }
}

/// What a table as text is: one of numbers by its first cell and what parts it from the next, ours by its header.
fn detect_table(text: &[u8]) -> Option<FileFormat> {
    let end = text.iter().position(|byte| b",\t\r\n".contains(byte)).unwrap_or(text.len());
    let first = str::from_utf8(text[..end].trim_ascii()).ok()?;
    match (first.parse::<f64>().is_ok(), text.get(end)) {
        (true, Some(b'\t')) => Some(FileFormat::Psi),
        (true, Some(b',')) => Some(FileFormat::StreamRecorder),
        (true, _) => None,
        (false, _) => csv::delimiter(text).map(|_| FileFormat::Csv),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_told_by_its_start() {
        let kinds: [(&[u8], Option<FileFormat>); 18] = [
            (b"", None),
            (b"GIF89a", None),
            (b"  {\"schema\": []}", Some(FileFormat::Iwer)),
            (b"{\"frames\":[", Some(FileFormat::Iwer)),
            (b"{\"asset\":{", Some(FileFormat::Gltf)),
            (b"\xef\xbb\xbf{\"version\":", Some(FileFormat::Json)),
            (b"{", Some(FileFormat::Json)),
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
        ];
        for (start, file_format) in kinds {
            assert_eq!(FileFormat::detect(start), file_format, "{}", start.escape_ascii());
        }
    }

    #[test]
    fn names_stand_for_what_can_be_written() {
        let kinds = [
            ("a.bin", FileFormat::Bin),
            ("b.IWER.JSON", FileFormat::Iwer),
            ("iwer.json", FileFormat::Json),
            ("c.d.glb", FileFormat::Glb),
            ("e.feather", FileFormat::Arrow),
            ("f.pq", FileFormat::Parquet),
        ];
        for (name, file_format) in kinds {
            assert_eq!(FileFormat::from_path(name), Some(file_format), "{name}");
        }
        assert_eq!(["bin", "a.txt", "a.", "glb"].map(FileFormat::from_path), [None; 4]);
    }
}
