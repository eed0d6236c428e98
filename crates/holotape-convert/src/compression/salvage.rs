//! Decompression of damaged files, as far as possible.

use std::borrow::Cow;
use std::io::{self, Read};

use holotape::check::{FindingKind, RepairEntry, Subject};
use holotape::{Error, ErrorKind, Result};

use super::decoder::CANNOT_DECOMPRESS;
use super::{Compression, Decompressor};

/// How much is decompressed at once. A failed read loses what it has decompressed.
const STEP_BYTES: u64 = 1 << 16;

/// What could be decompressed, and why not more.
#[derive(Debug)]
#[non_exhaustive]
pub struct SalvagedBytes<'a> {
    /// The compression of the file.
    pub compression: Compression,
    /// The decompressed bytes, up to the damage.
    pub bytes: Cow<'a, [u8]>,
    /// The damage; `None` if the file is complete and its checksums match.
    pub error: Option<Error>,
}

impl SalvagedBytes<'_> {
    /// The damage as a loss of a repair; `None` if there is none.
    ///
    /// ```
    /// let salvaged = holotape_convert::compression::salvage(b"\x1f\x8b\x08", 1000)?;
    /// assert_eq!(
    ///     salvaged.loss().unwrap().to_string(),
    ///     "file: dropped what may follow the first 0 decompressed bytes: the gzip data is truncated [truncated]"
    /// );
    /// # Ok::<(), holotape::Error>(())
    /// ```
    #[must_use]
    pub fn loss(&self) -> Option<RepairEntry> {
        let error = self.error.as_ref()?;
        let kind = if error.kind() == ErrorKind::Truncated { FindingKind::Truncated } else { FindingKind::Damaged };
        let cause = error.to_string();
        let cause = cause.strip_prefix(CANNOT_DECOMPRESS).unwrap_or(&cause);
        let message = format!("dropped what may follow the first {} decompressed bytes: {cause}", self.bytes.len());
        Some(RepairEntry::new(kind, Subject::File, 1, message))
    }
}

/// Decompresses a file that may be truncated or damaged. A file without compression stays as it is.
///
/// ```
/// use holotape::ErrorKind;
/// use holotape_convert::compression::{Compression, salvage};
///
/// let mut file = Vec::new();
/// Compression::Gzip.write(&mut file, |out| Ok(out.write_all(b"reach, pinch, release")?))?;
/// file.truncate(file.len() - 6);
/// let salvaged = salvage(&file, 1000)?;
/// assert_eq!(*salvaged.bytes, *b"reach, pinch, release");
/// assert_eq!(salvaged.error.unwrap().kind(), ErrorKind::Truncated);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If there is not enough memory, or the contents exceed `max_bytes` or the limits of [`Decompressor`].
pub fn salvage(file: &[u8], max_bytes: u64) -> Result<SalvagedBytes<'_>> {
    let compression = Compression::detect(file);
    if !compression.is_compressed() {
        return Ok(SalvagedBytes { compression, bytes: file.into(), error: None });
    }
    let mut bytes = Vec::new();
    let first = compression.reader(file, max_bytes)?;
    let Some(error) = read_steps(first, &mut bytes) else {
        return Ok(SalvagedBytes { compression, bytes: bytes.into(), error: None });
    };
    if error.kind() == ErrorKind::LimitExceeded {
        return Err(error);
    }
    // Once more, and the last step byte by byte: the failed read may have decompressed some.
    let mut second = compression.reader(file, max_bytes)?;
    io::copy(&mut second.by_ref().take(bytes.len() as u64), &mut io::sink())?;
    let mut byte = [0];
    while let Ok(1) = second.read(&mut byte) {
        bytes.push(byte[0]);
    }
    Ok(SalvagedBytes { compression, bytes: bytes.into(), error: Some(error) })
}

fn read_steps(mut decoder: Decompressor<&[u8]>, bytes: &mut Vec<u8>) -> Option<Error> {
    loop {
        let complete = bytes.len();
        match decoder.by_ref().take(STEP_BYTES).read_to_end(bytes) {
            Ok(0) => return None,
            Ok(_) => {}
            Err(error) => {
                bytes.truncate(complete);
                return Some(error.into());
            }
        }
    }
}
