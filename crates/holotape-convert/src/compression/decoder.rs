//! Streaming decompression with limits, and with errors that say what is wrong.

use std::io::{self, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use holotape::{Error, ErrorKind, Result, parallel};

use super::Compression;

/// A small file may expand to this size, whatever its ratio.
const MAX_BYTES_WITHOUT_RATIO: u64 = 16 << 20;

/// Above that, the output may have at most this many times the bytes of the input. Motion compresses to a third, and gzip
/// reaches 1,032 at most.
const MAX_RATIO: u64 = 1000;

/// The start of all messages about damage.
pub(super) const CANNOT_DECOMPRESS: &str = "cannot decompress: ";

/// The buffer before a decompressor.
const READ_BUFFER_BYTES: usize = 1 << 16;

/// A file that is decompressed at once has few frames, so each may have a decompressor of its own.
const MAX_PARALLEL_FRAMES: usize = 1000;

/// The limit for compressed data of this size.
fn max_decompressed_bytes(compressed_bytes: u64) -> u64 {
    compressed_bytes.saturating_mul(MAX_RATIO).saturating_add(MAX_BYTES_WITHOUT_RATIO)
}

/// Decompresses complete zstd data into one buffer, which takes half the time of a stream, and on all cores if there are several
/// frames. `None` if it is damaged, or could exceed a limit: a [`Decompressor`] then says what is wrong, or decompresses it after
/// all.
pub(super) fn decompress_zstd_at_once(compressed: &[u8], max_bytes: u64) -> Option<Vec<u8>> {
    let bound = zstd::zstd_safe::decompress_bound(compressed).ok()?;
    if bound > max_bytes.min(max_decompressed_bytes(compressed.len() as u64)) {
        return None;
    }
    if let Some(frames) = split_zstd_frames(compressed).filter(|frames| frames.len() > 1) {
        return decompress_zstd_frames(&frames);
    }
    let mut contents = Vec::new();
    contents.try_reserve_exact(usize::try_from(bound).ok()?).ok()?;
    zstd::bulk::Decompressor::new().ok()?.decompress_to_buffer(compressed, &mut contents).ok()?;
    Some(contents)
}

/// A frame of zstd and the size of its contents.
struct ZstdFrame<'a> {
    bytes: &'a [u8],
    content_size: usize,
}

/// `None` if a frame does not have the size of its contents, or there are unusually many.
fn split_zstd_frames(mut compressed: &[u8]) -> Option<Vec<ZstdFrame<'_>>> {
    let mut frames = Vec::new();
    while !compressed.is_empty() {
        let content_size = usize::try_from(zstd::zstd_safe::get_frame_content_size(compressed).ok()??).ok()?;
        let byte_len = zstd::zstd_safe::find_frame_compressed_size(compressed).ok()?;
        let (bytes, rest) = compressed.split_at_checked(byte_len)?;
        if frames.len() == MAX_PARALLEL_FRAMES {
            return None;
        }
        frames.push(ZstdFrame { bytes, content_size });
        compressed = rest;
    }
    Some(frames)
}

fn decompress_zstd_frames(frames: &[ZstdFrame<'_>]) -> Option<Vec<u8>> {
    let mut contents = vec![0; frames.iter().map(|frame| frame.content_size).sum()];
    let mut rest = &mut contents[..];
    let mut parts = Vec::with_capacity(frames.len());
    for frame in frames {
        let (part, after) = rest.split_at_mut(frame.content_size);
        parts.push((frame, part));
        rest = after;
    }
    let decompress = |(frame, part): (&ZstdFrame<'_>, &mut [u8])| {
        let count = zstd::bulk::Decompressor::new().ok()?.decompress_to_buffer(frame.bytes, part).ok()?;
        (count == frame.content_size).then_some(())
    };
    parallel::map(parts, parallel::max_threads(), decompress).into_iter().collect::<Option<()>>()?;
    Some(contents)
}

/// Decompresses a stream: all members of gzip, all frames of zstd. See [`Compression::reader`].
///
/// Fails if the output exceeds the limit that was given, or 1,000 times the input plus 16 MiB. The errors contain a
/// [`holotape::Error`]; converting them gives it back.
///
/// ```
/// use std::io::Read;
/// use holotape::{Error, ErrorKind};
/// use holotape_convert::compression::Compression;
///
/// let mut file = Vec::new();
/// Compression::Zstd.write(&mut file, |out| Ok(out.write_all(&[0; 5000])?))?;
/// let error = Compression::Zstd.reader(&file[..], 4000)?.read_to_end(&mut Vec::new()).unwrap_err();
/// assert_eq!(Error::from(error).kind(), ErrorKind::LimitExceeded);
/// # Ok::<(), holotape::Error>(())
/// ```
pub struct Decompressor<R> {
    compression: Compression,
    decoder: Decoder<R>,
    max_bytes: u64,
    byte_count: u64,
}

type Input<R> = BufReader<InputReader<R>>;

enum Decoder<R> {
    None(Input<R>),
    Gzip(Box<MultiGzDecoder<Input<R>>>),
    Zstd(Box<zstd::Decoder<'static, Input<R>>>),
}

impl<R: Read> Decompressor<R> {
    pub(super) fn new(compression: Compression, reader: R, max_bytes: u64) -> Result<Self> {
        let input = InputReader { reader, byte_count: 0, has_failed: false };
        let input = BufReader::with_capacity(READ_BUFFER_BYTES, input);
        let decoder = match compression {
            Compression::None => Decoder::None(input),
            Compression::Gzip => Decoder::Gzip(Box::new(MultiGzDecoder::new(input))),
            Compression::Zstd => Decoder::Zstd(Box::new(zstd::Decoder::with_buffer(input)?)),
        };
        Ok(Self { compression, decoder, max_bytes, byte_count: 0 })
    }

    pub(super) fn into_inner(self) -> R {
        let input = match self.decoder {
            Decoder::None(input) => input,
            Decoder::Gzip(decoder) => decoder.into_inner(),
            Decoder::Zstd(decoder) => decoder.finish(),
        };
        input.into_inner().reader
    }

    fn input(&self) -> &InputReader<R> {
        match &self.decoder {
            Decoder::None(input) => input.get_ref(),
            Decoder::Gzip(decoder) => decoder.get_ref().get_ref(),
            Decoder::Zstd(decoder) => decoder.get_ref().get_ref(),
        }
    }

    fn check_limits(&self) -> io::Result<()> {
        let exceeded = |message: String| {
            Err(io::Error::new(io::ErrorKind::FileTooLarge, Error::new(ErrorKind::LimitExceeded, message)))
        };
        if self.byte_count > self.max_bytes {
            return exceeded(format!("the decompressed file exceeds the limit of {} bytes", self.max_bytes));
        }
        if self.compression.is_compressed() && self.byte_count > max_decompressed_bytes(self.input().byte_count) {
            let free = MAX_BYTES_WITHOUT_RATIO >> 20;
            return exceeded(format!(
                "the decompressed file exceeds the limit of {MAX_RATIO} times its compressed size plus {free} MiB; decompress it \
                 with another program if you trust it"
            ));
        }
        Ok(())
    }

    /// Replaces the message of a decompressor. Errors of the input stay as they are.
    fn explain(&self, error: io::Error) -> io::Error {
        if self.input().has_failed {
            return error;
        }
        let name = self.compression.name();
        let cause = error.to_string();
        let has = |text: &str| cause.contains(text);
        let (kind, message) = match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                (ErrorKind::Truncated, format!("{CANNOT_DECOMPRESS}the {name} data is truncated"))
            }
            _ if has("checksum") => {
                (ErrorKind::Invalid, format!("{CANNOT_DECOMPRESS}the {name} data does not match its checksum"))
            }
            _ if self.byte_count > 0 && (has("gzip header") || has("frame descriptor")) => {
                (ErrorKind::Invalid, format!("{CANNOT_DECOMPRESS}other bytes follow the {name} data"))
            }
            _ => (ErrorKind::Invalid, format!("{CANNOT_DECOMPRESS}invalid {name} data ({})", cause.to_lowercase())),
        };
        let io_kind =
            if kind == ErrorKind::Truncated { io::ErrorKind::UnexpectedEof } else { io::ErrorKind::InvalidData };
        io::Error::new(io_kind, Error::new(kind, message))
    }
}

impl<R: Read> Read for Decompressor<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match &mut self.decoder {
            Decoder::None(input) => input.read(buffer),
            Decoder::Gzip(decoder) => decoder.read(buffer),
            Decoder::Zstd(decoder) => decoder.read(buffer),
        };
        let count = read.map_err(|error| self.explain(error))?;
        self.byte_count += count as u64;
        self.check_limits()?;
        Ok(count)
    }
}

/// Counts the bytes of the input, and knows whether an error is one of the input.
struct InputReader<R> {
    reader: R,
    byte_count: u64,
    has_failed: bool,
}

impl<R: Read> Read for InputReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer);
        self.has_failed = read.is_err();
        self.byte_count += *read.as_ref().unwrap_or(&0) as u64;
        read
    }
}
