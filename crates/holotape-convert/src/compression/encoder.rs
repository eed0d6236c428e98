//! Streaming compression.

use std::io::{self, BufWriter, Write};

use flate2::write::GzEncoder;
use holotape::{Result, parallel};

use super::Compression;

/// The default level of zstd. A minute of motion takes a tenth of a second; the best level takes 80 times as long for
/// files that are 7 % smaller.
const ZSTD_LEVEL: i32 = 3;

/// The default level of gzip.
const GZIP_LEVEL: u32 = 6;

/// The bytes of a zstd frame before compression. Frames are independent, so all cores compress and decompress them. Frames of 2 MiB
/// make a file 1 % larger than one frame does, frames of 1 MiB 10 %.
const ZSTD_FRAME_BYTES: usize = 2 << 20;

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
    Zstd(FrameEncoder<W>),
}

impl<W: Write> Compressor<W> {
    pub(super) fn new(compression: Compression, out: W) -> io::Result<Self> {
        Ok(Self(match compression {
            Compression::None => Encoder::None(out),
            Compression::Gzip => {
                let encoder = GzEncoder::new(out, flate2::Compression::new(GZIP_LEVEL));
                Encoder::Gzip(BufWriter::with_capacity(BUFFER_BYTES, encoder))
            }
            Compression::Zstd => Encoder::Zstd(FrameEncoder::new(out)),
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
            Encoder::Zstd(encoder) => encoder.finish()?,
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

/// Compresses to zstd frames on all cores. The bytes do not depend on the number of cores.
struct FrameEncoder<W> {
    out: W,
    /// What is not compressed yet: less than [`Self::capacity`].
    pending: Vec<u8>,
    threads: usize,
    has_frames: bool,
}

impl<W: Write> FrameEncoder<W> {
    fn new(out: W) -> Self {
        Self::with_threads(out, parallel::max_threads())
    }

    fn with_threads(out: W, threads: usize) -> Self {
        Self { out, pending: Vec::new(), threads, has_frames: false }
    }

    fn capacity(&self) -> usize {
        self.threads * ZSTD_FRAME_BYTES
    }

    fn compress_pending(&mut self) -> io::Result<()> {
        let frames = parallel::map(self.pending.chunks(ZSTD_FRAME_BYTES).collect(), self.threads, compress_frame);
        self.pending.clear();
        for frame in frames {
            self.out.write_all(&frame?)?;
            self.has_frames = true;
        }
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        self.compress_pending()?;
        // A file without any frame is not detected as compressed.
        if !self.has_frames {
            self.out.write_all(&compress_frame(&[])?)?;
        }
        self.out.flush()
    }
}

impl<W: Write> Write for FrameEncoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(self.capacity() - self.pending.len());
        self.pending.extend_from_slice(&bytes[..count]);
        if self.pending.len() == self.capacity() {
            self.compress_pending()?;
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.compress_pending()?;
        self.out.flush()
    }
}

/// Returns a frame with the size of its contents and a checksum.
fn compress_frame(contents: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressor = zstd::bulk::Compressor::new(ZSTD_LEVEL)?;
    compressor.include_checksum(true)?;
    compressor.compress(contents)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn compress(write: impl FnOnce(&mut FrameEncoder<&mut Vec<u8>>)) -> Vec<u8> {
        compress_with(parallel::max_threads(), write)
    }

    fn compress_with(threads: usize, write: impl FnOnce(&mut FrameEncoder<&mut Vec<u8>>)) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = FrameEncoder::with_threads(&mut file, threads);
        write(&mut encoder);
        encoder.finish().unwrap();
        file
    }

    /// The sizes of the contents of all frames.
    fn frame_sizes(mut file: &[u8]) -> Vec<u64> {
        let mut sizes = Vec::new();
        while !file.is_empty() {
            sizes.push(zstd::zstd_safe::get_frame_content_size(file).unwrap().unwrap());
            file = &file[zstd::zstd_safe::find_frame_compressed_size(file).unwrap()..];
        }
        sizes
    }

    #[test]
    fn frames_have_2_mib_however_the_bytes_are_written() {
        let contents: Vec<u8> = (0..5_000_000_u32).map(|number| (number / 1000) as u8).collect();
        let at_once = compress(|encoder| encoder.write_all(&contents).unwrap());
        assert_eq!(frame_sizes(&at_once), [2 << 20, 2 << 20, 5_000_000 - (4 << 20)]);
        let in_pieces =
            compress(|encoder| contents.chunks(777_777).for_each(|piece| encoder.write_all(piece).unwrap()));
        assert!(at_once == in_pieces);
        for threads in [1, 2, 5] {
            assert!(at_once == compress_with(threads, |encoder| encoder.write_all(&contents).unwrap()), "{threads}");
        }
        let mut decompressed = Vec::new();
        zstd::Decoder::new(&at_once[..]).unwrap().read_to_end(&mut decompressed).unwrap();
        assert!(decompressed == contents);
    }

    #[test]
    fn flush_writes_everything() {
        let mut file = Vec::new();
        let mut encoder = FrameEncoder::new(&mut file);
        encoder.write_all(b"reach").unwrap();
        encoder.flush().unwrap();
        assert_eq!(frame_sizes(encoder.out), [5]);
        encoder.write_all(b"pinch").unwrap();
        encoder.finish().unwrap();
        assert_eq!(frame_sizes(&file), [5, 5]);
    }

    #[test]
    fn empty_contents_are_one_frame() {
        assert_eq!(frame_sizes(&compress(|_| {})), [0]);
        assert_eq!(frame_sizes(&compress(|encoder| encoder.flush().unwrap())), [0]);
    }
}
