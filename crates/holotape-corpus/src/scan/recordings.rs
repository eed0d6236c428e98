//! Rows of the table of recordings, with no more reads than the selected columns need.

use std::fs;
use std::path::Path;

use holotape::{Error, FrameLimit, Result, Summary};
use holotape_convert::FileFormat;
use holotape_convert::compression::DecompressedReader;

use crate::rows::{RecordingRow, content_hash};
use crate::{RecordingFile, RowOptions, file};

/// What must be read for the selected columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RequiredReads {
    pub(super) size: bool,
    /// The headers of the file.
    pub(super) summary: bool,
    pub(super) hash: bool,
    /// All keys.
    pub(super) keys: bool,
}

impl RequiredReads {
    pub(super) fn for_columns<'a>(columns: impl Iterator<Item = &'a str>) -> Self {
        let mut need = Self::default();
        for column in columns {
            match column {
                "recording" | "folder" | "path" => {}
                "file_bytes" => need.size = true,
                "sha256" => need.hash = true,
                "error" | "file_format" | "version" | "key_layout" | "duration_secs" | "has_camera" | "has_hands"
                | "has_gaze" | "key_count" | "camera_key_count" | "left_key_count" | "right_key_count"
                | "gaze_key_count" | "marker_count" => need.summary = true,
                _ => need.keys = true,
            }
        }
        need
    }

    pub(super) fn complete_file(self) -> bool {
        self.hash || self.keys
    }
}

/// The row of a file without reading it completely; `None` if that is not sufficient.
pub(super) fn row_from_headers(
    file: &RecordingFile,
    need: RequiredReads,
    options: &RowOptions,
) -> Option<RecordingRow> {
    let row = RecordingRow::new(file);
    let read = match need {
        RequiredReads { summary: true, .. } => read_headers(&file.path, row.clone(), options),
        RequiredReads { size: true, .. } => {
            let bytes = fs::metadata(&file.path).map(|metadata| metadata.len()).map_err(Error::from);
            bytes.map(|bytes| Some(RecordingRow { file_bytes: Some(bytes), ..row.clone() }))
        }
        _ => return Some(row),
    };
    read.unwrap_or_else(|error| Some(RecordingRow::unreadable(file, &error)))
}

fn read_headers(path: &Path, row: RecordingRow, options: &RowOptions) -> Result<Option<RecordingRow>> {
    let (file, metadata) = file::open(path)?;
    // What can be salvaged of a damaged compressed file determines its row.
    let Ok(mut reader) = DecompressedReader::new(file, file::MAX_BYTES) else { return Ok(None) };
    if FileFormat::detect(&reader.start()?) != Some(FileFormat::Bin) {
        return Ok(None);
    }
    let limit = FrameLimit::for_bytes(reader.byte_len()?);
    let row = RecordingRow { file_bytes: Some(metadata.len()), file_format: Some(FileFormat::Bin), ..row };
    Ok(Some(match Summary::from_reader(reader) {
        Ok(summary) => {
            let error = options.check_length(summary.duration_secs.into(), limit).err();
            let error = error.map(|error| error.to_string());
            RecordingRow { summary: Some(summary), error, ..row }
        }
        Err(error) => RecordingRow { error: Some(error.to_string()), ..row },
    }))
}

/// The row of a file with these bytes.
pub(super) fn read(file: &RecordingFile, bytes: &[u8], need: RequiredReads, options: &RowOptions) -> RecordingRow {
    let row = if need.keys || need.summary {
        RecordingRow::from_bytes(file, bytes, options).0
    } else {
        RecordingRow { file_bytes: Some(bytes.len() as u64), ..RecordingRow::new(file) }
    };
    RecordingRow { sha256: need.hash.then(|| content_hash(&file.path, bytes)), ..row }
}
