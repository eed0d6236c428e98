//! Writes and removes journals.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;

use super::header::Header;
use super::{ROTATED_SUFFIX, is_journal_file, with_suffix};
use crate::atomic;
use crate::error::{Error, Result};
use crate::paths::shell_quote;

/// The paths of a journal.
#[derive(Debug)]
pub(in crate::record) struct JournalFiles {
    newer: PathBuf,
    older: PathBuf,
    /// A journal that is being removed.
    removed: PathBuf,
}

impl JournalFiles {
    pub(super) fn at(path: &Path) -> Self {
        Self { newer: path.to_owned(), older: with_suffix(path, ROTATED_SUFFIX), removed: with_suffix(path, ".gone") }
    }

    /// Removes the files if they are journals: a recording saved under the same name is kept.
    pub(in crate::record) fn remove(&self) -> Result<()> {
        if is_journal_file(&self.removed) {
            // Another thread may be removing it; leaving it is harmless.
            fs::remove_file(&self.removed).ok();
        }
        for path in [&self.older, &self.newer].into_iter().filter(|path| is_journal_file(path)) {
            fs::remove_file(path).map_err(|error| Error::from(error).with_path(path))?;
        }
        Ok(())
    }

    fn check_no_unsaved(&self) -> Result<()> {
        let exists = |path: &PathBuf| fs::symlink_metadata(path).is_ok();
        if [&self.newer, &self.older].into_iter().any(exists) { Err(self.unsaved_error()) } else { Ok(()) }
    }

    fn unsaved_error(&self) -> Error {
        let Self { newer, .. } = self;
        let target = newer.with_extension("bin");
        let message = format!(
            "the journal of an unsaved take exists; recover it with `holotape repair {} {}`",
            shell_quote(&newer.to_string_lossy()),
            shell_quote(&target.to_string_lossy())
        );
        Error::from(io::Error::new(io::ErrorKind::AlreadyExists, message)).with_path(newer)
    }
}

/// An open journal. Each record is one system call, so it survives the end of the process. Waiting for the disk as
/// well, to survive a power failure, would take longer than a frame.
#[derive(Debug)]
pub(super) struct JournalWriter {
    files: JournalFiles,
    header: Header,
    /// `None` after a write failed: records after a partial one could not be read.
    file: Option<File>,
    /// The time of the first frame in the file.
    first_secs: Option<f64>,
    has_older: bool,
}

impl JournalWriter {
    /// Creates a journal. Fails if one exists: that is an unsaved take.
    pub(super) fn create(path: &Path, header: Header) -> Result<Self> {
        let files = JournalFiles::at(path);
        files.check_no_unsaved()?;
        let file = create_file(&files.newer, &header).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => files.unsaved_error(),
            _ => Error::from(error).with_path(path),
        })?;
        Ok(Self { files, header, file: Some(file), first_secs: None, has_older: false })
    }

    /// Appends a record, with the time if it is a frame. Does nothing after a failure.
    pub(super) fn append(&mut self, record: &[u8], frame_secs: Option<f64>) -> Result<()> {
        if self.file.is_none() {
            return Ok(());
        }
        self.try_append(record, frame_secs).map_err(|error| {
            self.file = None;
            let kind = error.kind();
            let message = format!("writing the journal failed, recording continues without it: {}", Error::from(error));
            Error::from(io::Error::new(kind, message)).with_path(&self.files.newer)
        })
    }

    fn try_append(&mut self, record: &[u8], frame_secs: Option<f64>) -> io::Result<()> {
        self.first_secs = self.first_secs.or(frame_secs);
        self.file.as_mut().map_or(Ok(()), |file| file.write_all(record))?;
        // Not before: until this record is in the newer file, the span may begin in the older one.
        if self.should_rotate(frame_secs) {
            self.rotate()?;
        }
        Ok(())
    }

    /// Whether the first frame of the file is older than `keep_last_secs`, so that the older file is not needed any
    /// more.
    fn should_rotate(&self, frame_secs: Option<f64>) -> bool {
        let oldest = frame_secs.zip(self.header.keep_last_secs).map(|(now, limit)| now - limit);
        self.first_secs.zip(oldest).is_some_and(|(first, oldest)| first < oldest)
    }

    fn rotate(&mut self) -> io::Result<()> {
        let JournalFiles { newer, older, removed } = &self.files;
        self.file = None;
        let has_removed = std::mem::replace(&mut self.has_older, true);
        if has_removed {
            atomic::rename(older, removed)?;
        }
        atomic::rename(newer, older)?;
        self.file = Some(create_file(newer, &self.header)?);
        self.first_secs = None;
        if has_removed {
            remove_in_background(removed.clone());
        }
        Ok(())
    }

    /// Closes the file and returns all files, and whether every record was written.
    pub(super) fn finish(self) -> (JournalFiles, bool) {
        let is_complete = self.is_complete();
        (self.files, is_complete)
    }

    /// Whether every record was written.
    pub(super) fn is_complete(&self) -> bool {
        self.file.is_some()
    }
}

/// Removes a file on another thread, since that takes milliseconds. If it fails, the next rotation replaces it.
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
    fn nothing_is_written_after_a_failed_write() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("take.journal");
        let mut writer = JournalWriter::create(&path, Header::new(Channels::ALL, None)).expect("begins");
        // A file that is not writable.
        let writable = writer.file.replace(File::open(&path).expect("opens"));
        assert!(writer.append(b"lost", None).is_err());
        assert!(writer.append(b"not even tried", None).is_ok());
        assert!(writer.file.is_none() && writable.is_some());
    }
}
