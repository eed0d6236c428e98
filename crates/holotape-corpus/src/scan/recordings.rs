//! Rows of recordings with no more work than their columns need.

use std::fs;
use std::io::{Read, Seek};

use holotape::{Error, Result, Summary};
use holotape_convert::Kind;

use crate::rows::{About, sha256};
use crate::{RowOptions, TakeFile, file};

/// What the columns that are asked for need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Need {
    pub(super) size: bool,
    /// What the headers of a file say.
    pub(super) summary: bool,
    pub(super) hash: bool,
    /// What only all of its keys say.
    pub(super) keys: bool,
}

impl Need {
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
pub(super) fn look(take: &TakeFile, need: Need, options: &RowOptions) -> Option<About> {
    let about = About::new(take);
    let looked = match need {
        Need { summary: true, .. } => look_into(take, about.clone(), options),
        Need { size: true, .. } => {
            let bytes = fs::metadata(&take.path).map(|metadata| metadata.len()).map_err(Error::from);
            bytes.map(|bytes| Some(About { bytes: Some(bytes), ..about.clone() }))
        }
        _ => return Some(about),
    };
    looked.unwrap_or_else(|error| Some(About { error: Some(error.to_string()), ..About::seen(take) }))
}

fn look_into(take: &TakeFile, about: About, options: &RowOptions) -> Result<Option<About>> {
    let (mut file, metadata) = file::open(&take.path)?;
    let mut start = Vec::new();
    (&mut file).take(Kind::START_BYTES as u64).read_to_end(&mut start)?;
    if Kind::of_start(&start) != Some(Kind::Bin) {
        return Ok(None);
    }
    file.rewind()?;
    let about = About { bytes: Some(metadata.len()), kind: Some(Kind::Bin), ..about };
    Ok(Some(match Summary::from_reader(file) {
        Ok(summary) => {
            let error = options.check_length(summary.duration_secs.into()).err().map(|error| error.to_string());
            About { summary: Some(summary), error, ..about }
        }
        Err(error) => About { error: Some(error.to_string()), ..about },
    }))
}

/// What the bytes of a take say.
pub(super) fn read(take: &TakeFile, bytes: &[u8], need: Need, options: &RowOptions) -> About {
    let about = if need.keys || need.summary {
        About::of(take, bytes, options).0
    } else {
        About { bytes: Some(bytes.len() as u64), ..About::new(take) }
    };
    About { sha256: need.hash.then(|| sha256(bytes)), ..about }
}
