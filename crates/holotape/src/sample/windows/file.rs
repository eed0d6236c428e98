//! Recordings whose keys stay in their file.

use std::borrow::Cow;
use std::io::{Read, Seek};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::{
    KeyTimes, MAX_WINDOW_KEYS, WindowedRecording, are_linear, is_flag_windowable, is_vector_windowable, push_key_times,
};
use crate::error::Result;
use crate::format::{Index, ReadOptions, SeekSource};
use crate::recording::CurveMut;
use crate::{CurveRef, Keys, Markers, Recording, VectorId};

/// A file, a buffer, or anything else that can be read at any offset.
pub(super) trait SeekRead: Read + Seek + Send {}

impl<R: Read + Seek + Send> SeekRead for R {}

type Source = SeekSource<Box<dyn SeekRead>>;

/// The file of the keys of a recording.
pub(super) struct KeyFile {
    index: Index,
    source: Mutex<Source>,
    path: Option<PathBuf>,
}

impl KeyFile {
    pub(super) fn with_path(self, path: &Path) -> Self {
        Self { path: Some(path.to_owned()), ..self }
    }

    pub(super) fn byte_len(&self) -> u64 {
        self.index.byte_len()
    }

    /// Reads a range of the keys of each curve, by its position in the file.
    pub(super) fn read_keys(&self, range_of: impl Fn(usize) -> Range<usize>) -> Result<Recording> {
        self.read(|source| self.index.read_key_ranges(source, range_of))
    }

    /// Reads all keys, and takes the rest from the outline.
    pub(super) fn read_all(&self, outline: &Recording) -> Result<Recording> {
        let recording = self.read(|source| self.index.read_curves(source, |_| true))?;
        Ok(Recording { markers: outline.markers.clone(), ..recording })
    }

    fn read(&self, read: impl FnOnce(&mut Source) -> Result<Recording>) -> Result<Recording> {
        // A thread that panicked while it read leaves a source that can still seek.
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        read(&mut source).map_err(|error| match &self.path {
            Some(path) => error.with_path(path),
            None => error,
        })
    }
}

/// Reads everything once, vector by vector, and keeps the key times.
pub(super) fn open(reader: Box<dyn SeekRead>) -> Result<WindowedRecording<'static>> {
    let mut source = SeekSource::new(reader)?;
    let index = Index::from_source(&mut source)?;
    ReadOptions::new().check_len(index.byte_len())?;
    let mut outline = index.read_curves(&mut source, |id| id.is_bool())?;
    outline.markers = Markers::from(index.markers_from(&mut source)?);
    let (mut key_times, mut is_linear) = (KeyTimes::new(), true);
    for curves in index.curves().chunk_by(|a, b| VectorId::from_curve(a.id) == VectorId::from_curve(b.id)) {
        let Some(vector) = curves.first().and_then(|curve| VectorId::from_curve(curve.id)) else {
            let flags: Vec<_> = curves.iter().filter_map(|curve| outline.curve(curve.id)).collect();
            if !flags.iter().all(|flag| matches!(flag, CurveRef::Bool(flag) if is_flag_windowable(flag))) {
                return complete(&index, &mut source, outline.markers);
            }
            flags.into_iter().for_each(|flag| push_key_times(&mut key_times, flag));
            continue;
        };
        let part = index.read_curves(&mut source, |id| VectorId::from_curve(id) == Some(vector))?;
        if !is_vector_windowable(part.vector(vector)) {
            return complete(&index, &mut source, outline.markers);
        }
        is_linear &= are_linear(part.vector(vector));
        part.vector(vector).iter().for_each(|curve| push_key_times(&mut key_times, CurveRef::Float(curve)));
        keep_ends(part, vector, &mut outline);
    }
    let file = KeyFile { index, source: Mutex::new(source), path: None };
    Ok(WindowedRecording {
        outline: Cow::Owned(outline),
        file: Some(file),
        key_times: OnceLock::from(key_times),
        is_windowable: OnceLock::from(true),
        are_linear: OnceLock::from(is_linear),
        max_window_keys: MAX_WINDOW_KEYS,
    })
}

/// Reads all keys of a recording that cannot be sampled in windows.
fn complete(index: &Index, source: &mut Source, markers: Markers) -> Result<WindowedRecording<'static>> {
    let recording = index.read_curves(source, |_| true)?;
    let recording = WindowedRecording::from_complete(Cow::Owned(Recording { markers, ..recording }));
    Ok(WindowedRecording { is_windowable: OnceLock::from(false), ..recording })
}

/// Moves the curves of a vector into the outline, with their first and last key only.
fn keep_ends(mut part: Recording, vector: VectorId, outline: &mut Recording) {
    for id in vector.curve_ids() {
        if let (Some(CurveMut::Float(from)), Some(CurveMut::Float(to))) = (part.curve_mut(id), outline.curve_mut(id)) {
            *to = std::mem::take(from);
            match &mut to.keys {
                Keys::Linear(keys) => *keys = ends(keys),
                Keys::Bezier(keys) => *keys = ends(keys),
            }
        }
    }
}

fn ends<K: Clone>(keys: &[K]) -> Vec<K> {
    let last = keys.last().filter(|_| keys.len() > 1);
    keys.first().into_iter().chain(last).cloned().collect()
}
