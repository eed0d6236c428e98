//! Compression of whole files: `.bin.gz` and `.bin.zst`, and the same for every other format.
//!
//! A compressed file is detected by content and written by name. Compression is independent of the
//! [`FileFormat`](crate::FileFormat): both are detected one after the other.
//!
//! ```
//! use std::io::{Cursor, Write};
//! use holotape::Summary;
//! use holotape_convert::compression::{Compression, DecompressedReader};
//!
//! let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
//! let mut file = Vec::new();
//! let _ = Compression::from_path("take.bin.zst").write(&mut file, |out| recording.write_to(out))?;
//! assert_eq!(holotape_convert::from_slice(&file)?.recording, recording);
//!
//! let reader = DecompressedReader::new(Cursor::new(&file), 1 << 20)?;
//! assert_eq!(Summary::from_reader(reader)?.duration_secs, 1.0);
//! # Ok::<(), holotape::Error>(())
//! ```

mod decoder;
mod encoder;
mod reader;
mod salvage;

pub use decoder::Decompressor;
pub use encoder::Compressor;
pub use reader::DecompressedReader;
pub use salvage::{SalvagedBytes, salvage};

use std::io::{Read, Write};
use std::path::Path;

use holotape::Result;

/// How a file as a whole is compressed.
///
/// ```
/// use holotape_convert::FileFormat;
/// use holotape_convert::compression::Compression;
///
/// assert_eq!(Compression::from_path("take.bin.zst"), Compression::Zstd);
/// assert_eq!(FileFormat::from_path("take.bin.zst"), Some(FileFormat::Bin));
/// assert_eq!(Compression::detect(b"\x1f\x8b\x08"), Compression::Gzip);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Compression {
    /// Not compressed.
    #[default]
    None,
    /// gzip, RFC 1952: any number of members.
    Gzip,
    /// Zstandard, RFC 8878: any number of frames.
    Zstd,
}

impl Compression {
    /// All kinds of compression, and none.
    pub const ALL: [Self; 3] = [Self::None, Self::Gzip, Self::Zstd];

    /// The name: `none`, `gzip` or `zstd`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }

    /// The file name extension, without the dot; empty without compression.
    ///
    /// ```
    /// use holotape_convert::compression::Compression;
    ///
    /// assert_eq!(Compression::Zstd.extension(), "zst");
    /// ```
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Gzip => "gz",
            Self::Zstd => "zst",
        }
    }

    /// Whether files are compressed.
    #[must_use]
    pub fn is_compressed(self) -> bool {
        self != Self::None
    }

    /// The compression to write for a file name, by its last extension. Input files are detected by
    /// [content](Self::detect).
    #[must_use]
    pub fn from_path(path: impl AsRef<Path>) -> Self {
        path.as_ref().file_name().map_or(Self::None, |name| Self::split_name(&name.to_string_lossy()).1)
    }

    /// Splits a file name into the name without the extension of a compression, and that compression.
    ///
    /// ```
    /// use holotape_convert::compression::Compression;
    ///
    /// assert_eq!(Compression::split_name("take.bin.GZ"), ("take.bin", Compression::Gzip));
    /// assert_eq!(Compression::split_name("take.bin"), ("take.bin", Compression::None));
    /// ```
    #[must_use]
    pub fn split_name(name: &str) -> (&str, Self) {
        let split = name.rsplit_once('.').and_then(|(stem, extension)| {
            let is_extension = |compression: &Self| extension.eq_ignore_ascii_case(compression.extension());
            let compression = [Self::Gzip, Self::Zstd].into_iter().find(is_extension)?;
            Some((stem, compression)).filter(|(stem, _)| !stem.is_empty())
        });
        split.unwrap_or((name, Self::None))
    }

    /// Detects the compression by the first bytes of a file: the magic number of gzip, or that of a frame or a skippable
    /// frame of zstd.
    #[must_use]
    pub fn detect(start: &[u8]) -> Self {
        match start {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            _ => Self::None,
        }
    }

    /// Writes what `fill` writes, compressed, and with a checksum. The level is the default one of each program: 6 for
    /// gzip, 3 for zstd.
    ///
    /// # Errors
    /// If `fill` fails, or writing to `out`.
    pub fn write<T>(
        self,
        out: &mut (dyn Write + Send),
        fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<T>,
    ) -> Result<T> {
        let mut compressor = self.writer(out)?;
        let result = fill(&mut compressor)?;
        compressor.finish()?;
        Ok(result)
    }

    /// Returns a writer that compresses, as [`write`](Self::write) does. The file is complete after
    /// [`Compressor::finish`].
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn writer<W: Write>(self, out: W) -> Result<Compressor<W>> {
        Ok(Compressor::new(self, out)?)
    }

    /// Decompresses a stream with bounded memory, and fails after `max_bytes` of output.
    ///
    /// ```
    /// use std::io::Read;
    /// use holotape_convert::compression::Compression;
    ///
    /// let mut text = String::new();
    /// Compression::None.reader(&b"take"[..], 4)?.read_to_string(&mut text)?;
    /// assert_eq!(text, "take");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn reader<R: Read>(self, reader: R, max_bytes: u64) -> Result<Decompressor<R>> {
        Decompressor::new(self, reader, max_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_path_reads_the_last_extension() {
        let cases = [
            ("a.bin.gz", Compression::Gzip),
            ("study.v2/a.bin.ZST", Compression::Zstd),
            ("a.zst", Compression::Zstd),
            ("a.zst.bin", Compression::None),
            (".gz", Compression::None),
            ("gz", Compression::None),
            ("a.", Compression::None),
        ];
        for (path, compression) in cases {
            assert_eq!(Compression::from_path(path), compression, "{path}");
        }
    }

    #[test]
    fn detect_recognizes_skippable_frames() {
        assert_eq!(Compression::detect(b"\x5a\x2a\x4d\x18\x00"), Compression::Zstd);
        assert_eq!(Compression::detect(b"\x28\xb5\x2f\xfd"), Compression::Zstd);
        assert_eq!(Compression::detect(b"\x28\xb5\x2f"), Compression::None);
        assert_eq!(Compression::detect(&holotape::format::MAGIC), Compression::None);
    }
}
