//! The datasets of an EgoDex file.

use std::collections::BTreeMap;

use hdf5_pure::{DType, Dataset, File, FormatError};
use holotape::{Error, ErrorKind, Result};

use super::source::LimitedSource;

/// The maximum ratio of DEFLATE: a dataset cannot be larger than this multiple of the file.
const MAX_EXPANSION: u64 = 1032;

/// The numbers of a 4×4 matrix.
pub(super) const MATRIX: usize = 16;

/// A file, and the number of bytes that its datasets may have.
pub(super) struct EgodexFile {
    file: File,
    rest_bytes: u64,
    /// The number of frames, and the dataset that has it.
    frames: Option<(usize, String)>,
}

impl EgodexFile {
    pub(super) fn new(bytes: &[u8], max_recording_bytes: u64) -> Result<Self> {
        let rest_bytes = (bytes.len() as u64).saturating_mul(MAX_EXPANSION).min(max_recording_bytes);
        let file = File::from_source(LimitedSource::new(bytes.to_vec())).map_err(|error| invalid("file", &error))?;
        Ok(Self { file, rest_bytes, frames: None })
    }

    /// The number of frames; 0 if no dataset was read.
    pub(super) fn frames(&self) -> usize {
        self.frames.as_ref().map_or(0, |(frames, _)| *frames)
    }

    /// The datasets of a group by name; `None` if the group does not exist.
    pub(super) fn datasets(&self, group: &str) -> Result<Option<BTreeMap<String, Dataset>>> {
        match self.file.group(group).and_then(|group| group.iter_datasets()) {
            Ok(datasets) => Ok(Some(datasets.collect())),
            Err(hdf5_pure::Error::Format(FormatError::PathNotFound(_))) => Ok(None),
            Err(error) => Err(invalid(&format!("/{group}"), &error)),
        }
    }

    /// The text attributes of the file.
    pub(super) fn attributes(&self) -> Result<BTreeMap<String, Option<String>>> {
        let attributes = self.file.root().attrs().map_err(|error| invalid("attributes", &error))?;
        Ok(attributes.into_iter().map(|(name, value)| (name, value.as_str().map(str::to_owned))).collect())
    }

    /// Reads a dataset with a matrix per frame.
    pub(super) fn matrices(&mut self, path: &str, dataset: &Dataset) -> Result<Vec<f32>> {
        self.numbers(path, dataset, &[4, 4])
    }

    /// Reads a dataset with a number per frame.
    pub(super) fn scalars(&mut self, path: &str, dataset: &Dataset) -> Result<Vec<f32>> {
        self.numbers(path, dataset, &[])
    }

    /// Reads a dataset with `frame_shape` numbers per frame. Its size is checked before anything is allocated.
    fn numbers(&mut self, path: &str, dataset: &Dataset, frame_shape: &[u64]) -> Result<Vec<f32>> {
        let failed = |error: &hdf5_pure::Error| invalid(path, error);
        let shape = dataset.shape().map_err(|error| failed(&error))?;
        let frames = match shape.split_first() {
            Some((frames, rest)) if rest == frame_shape => *frames,
            _ => return Err(shape_error(path, &shape, frame_shape)),
        };
        let dtype = dataset.dtype().map_err(|error| failed(&error))?;
        let number_bytes = match dtype {
            DType::F32 => 4,
            DType::F64 => 8,
            other => return Err(message(path, &format!("numbers of type {other}, expected f32 or f64"))),
        };
        let chunk = dataset.chunk_shape().map_err(|error| failed(&error))?.unwrap_or_default();
        let frame_numbers: u64 = frame_shape.iter().product();
        let sizes =
            [frames.checked_mul(frame_numbers), chunk.iter().try_fold(1, |size: u64, edge| size.checked_mul(*edge))];
        let bytes = sizes.map(|numbers| numbers.and_then(|numbers| numbers.checked_mul(number_bytes)));
        let too_large = || {
            let message = format!("{path}: {frames} frames are larger than the limit");
            Error::new(ErrorKind::LimitExceeded, message)
        };
        let [Some(data_bytes), Some(chunk_bytes)] = bytes else { return Err(too_large()) };
        if chunk_bytes > self.rest_bytes {
            return Err(too_large());
        }
        self.rest_bytes = self.rest_bytes.checked_sub(data_bytes).ok_or_else(too_large)?;
        self.check_frames(path, usize::try_from(frames).unwrap_or(usize::MAX))?;
        let numbers = dataset.read_f32().map_err(|error| failed(&error))?;
        let is_complete = numbers.len() as u64 == frames * frame_numbers;
        if is_complete { Ok(numbers) } else { Err(message(path, "the data is incomplete")) }
    }

    /// All datasets must have the same number of frames.
    fn check_frames(&mut self, path: &str, frames: usize) -> Result<()> {
        let (expected, first) = self.frames.get_or_insert_with(|| (frames, path.to_owned()));
        if *expected == frames {
            return Ok(());
        }
        Err(message(path, &format!("{frames} frames, but {first} has {expected}")))
    }
}

fn shape_error(path: &str, shape: &[u64], frame_shape: &[u64]) -> Error {
    let expected: String = frame_shape.iter().map(|edge| format!(", {edge}")).collect();
    message(path, &format!("shape {shape:?}, expected [frames{expected}]"))
}

fn invalid(path: &str, error: &hdf5_pure::Error) -> Error {
    message(path, &error.to_string())
}

fn message(path: &str, message: &str) -> Error {
    Error::new(ErrorKind::Invalid, format!("{path}: {message}"))
}
