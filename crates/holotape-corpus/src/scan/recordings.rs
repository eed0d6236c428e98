//! Rows of recordings with no more work than their columns need.

use std::fs;
use std::io::{Read, Seek};

use holotape::{Error, Result, Summary};
use holotape_convert::FileFormat;

use crate::rows::{RecordingRow, sha256};
use crate::{RecordingFile, RowOptions, file};

/// What the columns that are asked for need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RequiredReads {
    pub(super) size: bool,
    /// What the headers of a file say.
    pub(super) summary: bool,
    pub(super) hash: bool,
    /// What only all of its keys say.
    pub(super) keys: bool,
}

impl RequiredReads {
    pub(super) fn of<'a>(columns: impl Iterator<Item = &'a str>) -> Self {
        let mut need = Self::default();
        for column in columns {
            match column {
                "take" | "folder" | "path" => {}
                "bytes" => need.size = true,
                "sha256" => need.hash = true,
                "error" | "kind" | "version" | "layout" | "duration_secs" | "has_camera" | "has_hands" | "has_gaze"
                | "key_count" | "camera_keys" | "left_keys" | "right_keys" | "gaze_keys" | "markers" => {
                    need.summary = true;
                }
                _ => need.keys = true,
            }
        }
        need
    }

    pub(super) fn whole_file(self) -> bool {
        self.hash || self.keys
    }
}

/// What a take is, without reading all of it; nothing if only all of it can tell.
pub(super) fn row_from_headers(
    take: &RecordingFile,
    need: RequiredReads,
    options: &RowOptions,
) -> Option<RecordingRow> {
    let about = RecordingRow::new(take);
    let looked = match need {
        RequiredReads { summary: true, .. } => read_headers(take, about.clone(), options),
        RequiredReads { size: true, .. } => {
            let bytes = fs::metadata(&take.path).map(|metadata| metadata.len()).map_err(Error::from);
            bytes.map(|bytes| Some(RecordingRow { bytes: Some(bytes), ..about.clone() }))
        }
        _ => return Some(about),
    };
    looked.unwrap_or_else(|error| {
        Some(RecordingRow { error: Some(error.to_string()), ..RecordingRow::with_file_size(take) })
    })
}

fn read_headers(take: &RecordingFile, about: RecordingRow, options: &RowOptions) -> Result<Option<RecordingRow>> {
    let (mut file, metadata) = file::open(&take.path)?;
    let mut start = Vec::new();
    (&mut file).take(FileFormat::DETECT_BYTES as u64).read_to_end(&mut start)?;
    if FileFormat::detect(&start) != Some(FileFormat::Bin) {
        return Ok(None);
    }
    file.rewind()?;
    let about = RecordingRow { bytes: Some(metadata.len()), file_format: Some(FileFormat::Bin), ..about };
    Ok(Some(match Summary::from_reader(file) {
        Ok(summary) => {
            let error = options.check_length(summary.duration_secs.into()).err().map(|error| error.to_string());
            RecordingRow { summary: Some(summary), error, ..about }
        }
        Err(error) => RecordingRow { error: Some(error.to_string()), ..about },
    }))
}

/// What the bytes of a take say.
pub(super) fn read(take: &RecordingFile, bytes: &[u8], need: RequiredReads, options: &RowOptions) -> RecordingRow {
    let about = if need.keys || need.summary {
        RecordingRow::of(take, bytes, options).0
    } else {
        RecordingRow { bytes: Some(bytes.len() as u64), ..RecordingRow::new(take) }
    };
    RecordingRow { sha256: need.hash.then(|| sha256(bytes)), ..about }
}
