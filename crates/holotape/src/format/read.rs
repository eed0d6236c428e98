//! Reads complete recordings, with a size limit.

use std::io::{Read, Seek};
use std::path::Path;

use super::decode::decode;
use super::index::Index;
use super::sniff;
use super::source::{ByteSource, SeekSource};
use super::walk::Walker;
use crate::Recording;
use crate::error::{Error, ErrorKind, Result};
use crate::paths;

options! {
    /// Options for reading a recording. [`Recording::open`] and the other readers use the defaults.
    ///
    /// ```
    /// use holotape::{ErrorKind, Recording, format::ReadOptions};
    ///
    /// let (bytes, _) = Recording::default().to_vec()?;
    /// let error = ReadOptions::new().with_max_bytes(20).from_reader(&bytes[..]).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    /// # Ok::<(), holotape::Error>(())
    /// ```
    #[derive(Eq)]
    pub struct ReadOptions {
        /// Rejects recordings larger than this. By default [`DEFAULT_MAX_BYTES`](Self::DEFAULT_MAX_BYTES).
        with_max_bytes(max_bytes: u64) = Self::DEFAULT_MAX_BYTES,
    }
}

impl ReadOptions {
    /// The default limit, 4 GiB: about a day of a device's motion.
    pub const DEFAULT_MAX_BYTES: u64 = 4 << 30;

    /// Like [`Recording::open`].
    ///
    /// # Errors
    /// If the file cannot be read, is not a well-formed input animation, or is over the limit.
    pub fn open(self, path: impl AsRef<Path>) -> Result<Recording> {
        let path = path.as_ref();
        let open = || {
            let file = paths::open(path)?;
            // A file is indexed first and read curve by curve. Pipes and devices cannot seek.
            if file.metadata()?.is_file() { self.read(&mut SeekSource::new(file)?) } else { self.from_reader(file) }
        };
        open().map_err(|error: Error| error.with_path(path))
    }

    /// Reads from a seekable reader as from a file: indexes it first, then reads curve by curve.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use holotape::{Recording, format::ReadOptions};
    ///
    /// let (bytes, _) = Recording::default().to_vec()?;
    /// assert_eq!(ReadOptions::new().from_seekable_reader(Cursor::new(bytes))?, Recording::default());
    /// # Ok::<(), holotape::Error>(())
    /// ```
    ///
    /// # Errors
    /// If reading fails, or the bytes are not a well-formed input animation, or are over the limit.
    pub fn from_seekable_reader(self, reader: impl Read + Seek) -> Result<Recording> {
        self.read(&mut SeekSource::new(reader)?)
    }

    /// Like [`Recording::from_slice`].
    ///
    /// # Errors
    /// If the bytes are not a well-formed input animation, or are over the limit.
    pub fn from_slice(self, mut bytes: &[u8]) -> Result<Recording> {
        self.read(&mut bytes)
    }

    fn read(self, source: &mut impl ByteSource) -> Result<Recording> {
        let index = Index::from_source(source)?;
        self.check_len(source.byte_len())?;
        decode(source, &index)
    }

    /// Like [`Recording::from_reader`].
    ///
    /// # Errors
    /// If reading fails, or the bytes are not a well-formed input animation, or are over the limit.
    pub fn from_reader(self, mut reader: impl Read) -> Result<Recording> {
        let mut bytes = Vec::new();
        reader.by_ref().take(sniff::SNIFF_BYTES).read_to_end(&mut bytes)?;
        // Checks the header first, so that a 10 GB video is rejected before it is read.
        Walker::new(&mut &bytes[..], 0).header()?;
        let one_too_many = self.max_bytes.saturating_add(1);
        reader.take(one_too_many.saturating_sub(bytes.len() as u64)).read_to_end(&mut bytes)?;
        self.check_len(bytes.len() as u64)?;
        self.from_slice(&bytes)
    }

    pub(crate) fn check_len(self, len: u64) -> Result<()> {
        if len <= self.max_bytes {
            return Ok(());
        }
        let message = format!("the recording exceeds the limit of {} bytes", self.max_bytes);
        Err(Error::new(ErrorKind::LimitExceeded, message))
    }
}
