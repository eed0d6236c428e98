//! Journals as they are written, and how they go.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;

use super::header::Header;
use super::{ROTATED_SUFFIX, is_journal, with_suffix};
use crate::error::{Error, Result};

/// Where a journal is.
#[derive(Debug)]
pub(in crate::record) struct JournalFiles {
    newer: PathBuf,
    older: PathBuf,
    /// What nobody wants any more, until it is removed.
    gone: PathBuf,
}

impl JournalFiles {
    pub(super) fn at(path: &Path) -> Self {
        Self { newer: path.to_owned(), older: with_suffix(path, ROTATED_SUFFIX), gone: with_suffix(path, ".gone") }
    }

    /// Removes what is there and is a journal: a recording that was saved under the same name is not.
    pub(in crate::record) fn remove(&self) -> Result<()> {
        if is_journal(&self.gone) {
            // Another thread may be at it, and nobody minds if it stays.
            fs::remove_file(&self.gone).ok();
        }
        for path in [&self.older, &self.newer].into_iter().filter(|path| is_journal(path)) {
            fs::remove_file(path).map_err(|error| Error::from(error).with_path(path))?;
        }
        Ok(())
    }

    fn check_no_unsaved(&self) -> Result<()> {
        let is_there = |path: &PathBuf| fs::symlink_metadata(path).is_ok();
        if [&self.newer, &self.older].into_iter().any(is_there) { Err(self.unsaved_error()) } else { Ok(()) }
    }

    fn unsaved_error(&self) -> Error {
        let Self { newer, .. } = self;
        let target = newer.with_extension("bin");
        let message = format!(
            "there is the journal of a recording that is not saved; `holotape repair {} {}` gets it back",
            newer.display(),
            target.display()
        );
        Error::from(io::Error::new(io::ErrorKind::AlreadyExists, message)).with_path(newer)
    }
}

/// A journal that is being written. Each record is one call of the system: what was written stays when the process is
/// killed. To wait for the disk too, so that it stays when the power fails, would take longer than a frame has.
#[derive(Debug)]
pub(super) struct JournalWriter {
    files: JournalFiles,
    header: Header,
    /// None once writing has failed: what comes behind half a record could not be read.
    file: Option<File>,
    /// The time of the first frame in the file.
    first_secs: Option<f64>,
    has_older: bool,
}

impl JournalWriter {
    /// Begins a journal, but not over another: that is a take which nobody has saved.
    pub(super) fn create(path: &Path, header: Header) -> Result<Self> {
        let files = JournalFiles::at(path);
        files.check_no_unsaved()?;
        let file = create_file(&files.newer, &header).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => files.unsaved_error(),
            _ => Error::from(error).with_path(path),
        })?;
        Ok(Self { files, header, file: Some(file), first_secs: None, has_older: false })
    }

    /// Adds a record; that of a frame with its time. After a failure it does nothing.
    pub(super) fn append(&mut self, record: &[u8], frame_secs: Option<f64>) -> Result<()> {
        if self.file.is_none() {
            return Ok(());
        }
        self.try_append(record, frame_secs).map_err(|error| {
            self.file = None;
            let message = format!("the journal cannot be written any more, recording goes on without it: {error}");
            Error::from(io::Error::new(error.kind(), message)).with_path(&self.files.newer)
        })
    }

    fn try_append(&mut self, record: &[u8], frame_secs: Option<f64>) -> io::Result<()> {
        if self.should_rotate(frame_secs) {
            self.rotate()?;
        }
        self.first_secs = self.first_secs.or(frame_secs);
        self.file.as_mut().map_or(Ok(()), |file| file.write_all(record))
    }

    /// Whether the file begins with a frame that is forgotten now, so that nothing before it is wanted any more.
    fn should_rotate(&self, frame_secs: Option<f64>) -> bool {
        let oldest = frame_secs.zip(self.header.rolling_secs).map(|(now, limit)| now - limit);
        self.first_secs.zip(oldest).is_some_and(|(first, oldest)| first < oldest)
    }

    fn rotate(&mut self) -> io::Result<()> {
        let JournalFiles { newer, older, gone } = &self.files;
        self.file = None;
        let has_gone = std::mem::replace(&mut self.has_older, true);
        if has_gone {
            fs::rename(older, gone)?;
        }
        fs::rename(newer, older)?;
        self.file = Some(create_file(newer, &self.header)?);
        self.first_secs = None;
        if has_gone {
            remove_in_background(gone.clone());
        }
        Ok(())
    }

    /// Whether every record could be written.
    pub(super) fn is_complete(&self) -> bool {
        self.file.is_some()
    }
}

/// Removes a file in a thread of its own: that takes milliseconds, in which frames come. If it fails, the next one takes
/// its place.
fn remove_in_background(path: PathBuf) {
    thread::Builder::new().spawn(move || fs::remove_file(path)).ok();
}

fn create_file(path: &Path, header: &Header) -> io::Result<File> {
    let mut file = File::options().write(true).create_new(true).open(path)?;
    file.write_all(&header.to_bytes()).inspect_err(|_| {
        fs::remove_file(path).ok();
    })?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Channels;

    #[test]
    fn behind_a_record_that_could_not_be_written_there_is_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("take.journal");
        let mut writer = JournalWriter::create(&path, Header::new(Channels::ALL, None)).expect("begins");
        // One that cannot be written to.
        let writable = writer.file.replace(File::open(&path).expect("opens"));
        assert!(writer.append(b"lost", None).is_err());
        assert!(writer.append(b"not even tried", None).is_ok());
        assert!(writer.file.is_none() && writable.is_some());
    }
}
