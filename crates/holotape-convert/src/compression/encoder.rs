//! Streaming compression.

use std::io::{self, BufWriter, Write};

use flate2::write::GzEncoder;
use holotape::Result;

use super::Compression;

/// The default level of zstd. A minute of motion takes a tenth of a second; the best level takes 80 times as long for
/// files that are 7 % smaller.
const ZSTD_LEVEL: i32 = 3;

/// The default level of gzip.
const GZIP_LEVEL: u32 = 6;

/// The buffer before a compressor: every call of it has a cost.
const BUFFER_BYTES: usize = 1 << 16;

/// Compresses what is written to it. See [`Compression::writer`].
///
/// ```
/// use std::io::Write;
/// use holotape_convert::compression::Compression;
///
/// let mut file = Vec::new();
/// let mut compressor = Compression::Gzip.writer(&mut file)?;
/// compressor.write_all(b"take")?;
/// compressor.finish()?;
/// assert_eq!(Compression::detect(&file), Compression::Gzip);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Compressor<W: Write>(Encoder<W>);

enum Encoder<W: Write> {
    None(W),
    Gzip(BufWriter<GzEncoder<W>>),
    Zstd(BufWriter<zstd::Encoder<'static, W>>),
}

impl<W: Write> Compressor<W> {
    pub(super) fn new(compression: Compression, out: W) -> io::Result<Self> {
        Ok(Self(match compression {
            Compression::None => Encoder::None(out),
            Compression::Gzip => {
                let encoder = GzEncoder::new(out, flate2::Compression::new(GZIP_LEVEL));
                Encoder::Gzip(BufWriter::with_capacity(BUFFER_BYTES, encoder))
            }
            Compression::Zstd => {
                let mut encoder = zstd::Encoder::new(out, ZSTD_LEVEL)?;
                encoder.include_checksum(true)?;
                Encoder::Zstd(BufWriter::with_capacity(BUFFER_BYTES, encoder))
            }
        }))
    }

    /// Writes the end of the compressed data, with its checksum.
    ///
    /// # Errors
    /// If writing fails.
    pub fn finish(self) -> Result<()> {
        match self.0 {
            Encoder::None(mut out) => out.flush()?,
            Encoder::Gzip(encoder) => {
                encoder.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?;
            }
            Encoder::Zstd(encoder) => {
                encoder.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?;
            }
        }
        Ok(())
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Encoder::None(out) => out.write(bytes),
            Encoder::Gzip(encoder) => encoder.write(bytes),
            Encoder::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Encoder::None(out) => out.flush(),
            Encoder::Gzip(encoder) => encoder.flush(),
            Encoder::Zstd(encoder) => encoder.flush(),
        }
    }
}
