//! Writes recordings to files of any format.

use std::io::Write;
use std::path::Path;

use holotape::Result;
use holotape::atomic::{self, IfExists};
use holotape_convert::compression::Compression;
use holotape_convert::{FileFormat, Loss, LossKind, Losses};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::parse;

/// Kind and message of a loss.
pub(crate) type LossTuple = (&'static str, String);

pub(crate) fn loss_tuples(losses: Losses) -> Vec<LossTuple> {
    losses.into_iter().map(|loss: Loss| (loss_kind(loss.kind()), loss.to_string())).collect()
}

fn loss_kind(kind: LossKind) -> &'static str {
    match kind {
        LossKind::Joints => "joints",
        LossKind::Flags => "flags",
        LossKind::Head => "head",
        LossKind::Gaze => "gaze",
        LossKind::Markers => "markers",
        LossKind::Tangents => "tangents",
        LossKind::Untracked => "untracked",
        LossKind::Resampled => "resampled",
        LossKind::Rounded => "rounded",
        LossKind::Bones => "bones",
        LossKind::Invented => "invented",
        LossKind::Unusable => "unusable",
        _ => "unsupported",
    }
}

/// Options and output format.
#[pyclass(frozen, module = "holotape._holotape")]
pub(crate) struct WriteOptions {
    pub(crate) inner: holotape_convert::WriteOptions,
    to: Option<FileFormat>,
    strict: bool,
}

#[pymethods]
impl WriteOptions {
    #[new]
    #[pyo3(signature = (
        *, to=None, strict=false, rate=None, table=None, space=None, include_untracked=false, source=None, hierarchy=false,
        bones=None, unit=None, version=None, key_layout=None, marker_list=None, handsbin_version=None,
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn new(
        to: Option<&str>,
        strict: bool,
        rate: Option<f64>,
        table: Option<&str>,
        space: Option<&str>,
        include_untracked: bool,
        source: Option<String>,
        hierarchy: bool,
        bones: Option<&str>,
        unit: Option<&str>,
        version: Option<&str>,
        key_layout: Option<&str>,
        marker_list: Option<bool>,
        handsbin_version: Option<i32>,
    ) -> PyResult<Self> {
        let inner = holotape_convert::WriteOptions::new()
            .with_rate_hz(rate)
            .with_table(table.map(parse::table).transpose()?)
            .with_space(space.map(parse::space).transpose()?)
            .with_untracked_poses(include_untracked)
            .with_source(source)
            .with_hierarchy(hierarchy)
            .with_bones(bones.map(parse::bones).transpose()?)
            .with_unit(unit.map(parse::unit).transpose()?)
            .with_version(version.map(parse::version).transpose()?)
            .with_key_layout(key_layout.map(parse::key_layout).transpose()?)
            .with_marker_list(marker_list)
            .with_handsbin_version(handsbin_version.map(parse::handsbin_version).transpose()?);
        Ok(Self { inner, to: to.map(parse_format).transpose()?, strict })
    }

    /// Fails if an option has no effect on the output format.
    fn check(&self, path: Option<std::path::PathBuf>) -> PyResult<()> {
        let file_format = self.file_format(path.as_deref())?;
        let Some(name) = self.inner.unused_option(file_format) else { return Ok(()) };
        Err(PyTypeError::new_err(format!("{name} has no effect on {}; remove it", file_format.name_with_article())))
    }
}

impl WriteOptions {
    /// Returns the output format: `to`, or that of the extension, or `.bin` without a path.
    fn file_format(&self, path: Option<&Path>) -> PyResult<FileFormat> {
        let unknown = |path: &Path| {
            let names = writable_formats();
            PyValueError::new_err(format!("{}: unknown extension; pass to=, one of {names}", path.display()))
        };
        match (self.to, path) {
            (Some(file_format), _) => Ok(file_format),
            (None, Some(path)) => FileFormat::from_path(path).ok_or_else(|| unknown(path)),
            (None, None) => Ok(FileFormat::Bin),
        }
    }

    /// Replaces the file atomically. With `strict`, writes nothing if there are losses.
    pub(crate) fn save(&self, recording: &holotape::Recording, path: &Path) -> Result<Losses> {
        let file_format = self.to.or_else(|| FileFormat::from_path(path)).unwrap_or(FileFormat::Bin);
        let write = |file: &mut (dyn Write + Send)| {
            Compression::from_path(path).write(file, |out| self.inner.write(recording, file_format, out))
        };
        if !self.strict {
            return atomic::write(path, IfExists::Replace, write);
        }
        let mut bytes = Vec::new();
        let losses = write(&mut bytes)?;
        if losses.is_empty() {
            atomic::write(path, IfExists::Replace, |file| Ok(file.write_all(&bytes)?))?;
        }
        Ok(losses)
    }

    pub(crate) fn to_vec(&self, recording: &holotape::Recording) -> Result<(Vec<u8>, Losses)> {
        // Many formats take about as many bytes as compact keys; growing from nothing would copy them several times. Without
        // that much memory, a format that takes less may still succeed.
        let key_count: usize = recording.curves().map(|(_, curve)| curve.key_count()).sum();
        let mut bytes = Vec::new();
        let _ = bytes.try_reserve(key_count * size_of::<holotape::LinearKey>());
        let losses = self.inner.write(recording, self.to.unwrap_or(FileFormat::Bin), &mut bytes)?;
        Ok((bytes, losses))
    }
}

/// Returns the names of writable formats, for messages.
fn writable_formats() -> String {
    let names = FileFormat::ALL
        .into_iter()
        .filter(|file_format| file_format.can_write())
        .map(|file_format| format!("{:?}", file_format.id()));
    names.collect::<Vec<_>>().join(", ")
}

fn parse_format(name: &str) -> PyResult<FileFormat> {
    let found = FileFormat::ALL.into_iter().find(|file_format| file_format.can_write() && file_format.id() == name);
    found.ok_or_else(|| PyValueError::new_err(format!("to must be one of {}, not {name:?}", writable_formats())))
}

/// Returns all file formats: name, description, and whether they can be read and written.
#[pyfunction]
pub(crate) fn file_formats() -> Vec<(&'static str, &'static str, bool, bool)> {
    FileFormat::ALL
        .iter()
        .map(|file_format| (file_format.id(), file_format.name(), file_format.can_read(), file_format.can_write()))
        .collect()
}
