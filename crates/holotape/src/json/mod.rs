//! A lossless JSON document: every float is restored exactly.
//!
//! ```
//! # let document = br#"
//! {
//!   "holotape": 1, "version": [1, 1], "key_layout": "compact", "marker_list": true,
//!   "channels": {"camera": true, "hands": false, "gaze": false},
//!   "markers": [{"time": 0.5, "name": "start"}],
//!   "curves": {
//!     "camera.position.x": {"pre_wrap": 8, "post_wrap": 8, "keys": [[0, 1.5], [0.25, 1.625]]}
//!   }
//! }
//! # "#;
//! # let recording = holotape::Recording::from_json_slice(document)?;
//! # assert_eq!(recording.camera.unwrap().position[0].value_at(0.25), Some(1.625));
//! # Ok::<(), holotape::Error>(())
//! ```
//!
//! A key is `[time, value]`, or with tangents `[time, value, in tangent, out tangent, in weight, out weight, weighted
//! mode]`. Omitted curves have no keys and clamp on both sides. Numbers are the shortest decimals that identify a
//! 32-bit float; `"NaN"`, `"Infinity"` and `"-Infinity"` are strings, and so are the bits of a NaN with a payload:
//! `"0x7fc00001"`. `version`, `key_layout` and `marker_list` are the format that a file is written in; the document
//! keeps everything, including what that format cannot represent. Each marker and each curve is one line.

mod document;
mod event;
pub(crate) mod frame;
mod keys;
mod number;
mod write;

pub(crate) use number::exact;
pub use number::{ExactFloat, JsonFloat};

use std::io::{Read, Write};

use serde::Deserialize;

use self::document::{DOCUMENT_VERSION, Document, unknown_version};
use crate::Recording;
use crate::error::{Error, ErrorKind, Result};
use crate::format::ReadOptions;

impl Recording {
    /// Writes the recording as a JSON document that [`from_json_slice`](Self::from_json_slice) restores exactly.
    ///
    /// ```
    /// use holotape::Recording;
    ///
    /// let recording = holotape::demo::DemoOptions::new().with_seconds(0.5).generate()?;
    /// let mut json = Vec::new();
    /// recording.write_json_to(&mut json)?;
    /// assert_eq!(Recording::from_json_slice(&json)?, recording);
    /// # Ok::<(), holotape::Error>(())
    /// ```
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_json_to(&self, mut writer: impl Write) -> Result<()> {
        write::write(self, &mut writer)?;
        Ok(writer.flush()?)
    }

    /// Reads a JSON document to the end of a reader, within the limit of [`ReadOptions`].
    ///
    /// # Errors
    /// If reading fails, or the text is not a valid document.
    pub fn from_json_reader(reader: impl Read) -> Result<Self> {
        let mut json = Vec::new();
        reader.take(ReadOptions::DEFAULT_MAX_BYTES + 1).read_to_end(&mut json)?;
        if json.len() as u64 > ReadOptions::DEFAULT_MAX_BYTES {
            return Err(Error::new(ErrorKind::LimitExceeded, "the JSON document is larger than 4 GiB"));
        }
        Self::from_json_slice(&json)
    }

    /// Parses a JSON document, written by [`write_json_to`](Self::write_json_to) or by hand.
    ///
    /// # Errors
    /// If the text is not JSON, or not a valid document; the message has line and column.
    pub fn from_json_slice(json: &[u8]) -> Result<Self> {
        const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
        let json = json.strip_prefix(BYTE_ORDER_MARK).unwrap_or(json);
        let document: Document = serde_json::from_slice(json).map_err(|error| explain(json, &error))?;
        document.into_recording()
    }
}

/// Explains why text is not a document: first whether it is a holotape document at all.
fn explain(json: &[u8], error: &serde_json::Error) -> Error {
    #[derive(Deserialize)]
    struct Mark {
        holotape: serde_json::Value,
    }
    let kind = if error.is_eof() { ErrorKind::Truncated } else { ErrorKind::Invalid };
    if error.is_syntax() || error.is_eof() {
        return Error::new(kind, format!("invalid JSON: {error}"));
    }
    match serde_json::from_slice::<Mark>(json) {
        Ok(Mark { holotape }) if holotape != DOCUMENT_VERSION => unknown_version(&holotape),
        Ok(_) => Error::new(kind, format!("invalid JSON document: {error}")),
        Err(_) => Error::new(kind, "JSON, but not a holotape document: it has no field \"holotape\""),
    }
}
