//! Renames files, also while other programs have them open for a moment.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use tempfile::NamedTempFile;

/// Error codes of Windows: access denied, sharing violation, lock violation.
const IN_USE_CODES: [i32; 3] = [5, 32, 33];

/// Together about one second. Virus scanners and search indexes open each new file for some milliseconds.
const PAUSES_MS: [u64; 8] = [1, 4, 16, 50, 100, 200, 300, 400];

/// Renames a file, and replaces an existing one. On Windows, waits for a moment if another program has one of them open.
///
/// # Errors
/// If the file cannot be renamed; the error says if another program has the existing file open.
#[doc(hidden)]
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    retry(&PAUSES_MS, is_in_use, || fs::rename(from, to)).map_err(|error| explain(error, to))
}

/// Gives a temporary file its name, and replaces an existing file. The file is closed, and removed after a failure.
///
/// # Errors
/// As [`rename`].
#[doc(hidden)]
pub fn persist(file: NamedTempFile, to: &Path) -> io::Result<()> {
    // Not `NamedTempFile::persist`: on Windows, it cannot replace a file that is being read.
    let from = file.into_temp_path().keep().map_err(|failed| failed.error)?;
    rename(&from, to).inspect_err(|_| drop(fs::remove_file(&from)))
}

/// As [`persist`], but fails if the file exists.
pub(crate) fn persist_new(file: NamedTempFile, to: &Path) -> io::Result<()> {
    let to = &long_path(to);
    let mut file = Some(file);
    let attempt = || match file.take() {
        Some(current) => current.persist_noclobber(to).map(drop).map_err(|failed| {
            file = Some(failed.file);
            failed.error
        }),
        None => Ok(()),
    };
    retry(&PAUSES_MS, is_in_use, attempt).map_err(|error| explain(error, to))
}

fn long_path(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match path.file_name() {
        Some(name) if cfg!(windows) => long_folder(folder).join(name),
        _ => path.to_owned(),
    }
}

/// The folder as a path that can be longer than 260 characters on Windows, for crates that do not convert paths as the standard
/// library does.
pub(crate) fn long_folder(folder: &Path) -> PathBuf {
    if !cfg!(windows) {
        return folder.to_owned();
    }
    fs::canonicalize(folder).or_else(|_| std::path::absolute(folder)).unwrap_or_else(|_| folder.to_owned())
}

fn is_in_use(error: &io::Error) -> bool {
    cfg!(windows) && error.raw_os_error().is_some_and(|code| IN_USE_CODES.contains(&code))
}

/// Says why Windows does not allow to replace a file.
fn explain(error: io::Error, to: &Path) -> io::Error {
    let Ok(existing) = fs::metadata(to) else { return error };
    if !is_in_use(&error) {
        return error;
    }
    if existing.permissions().readonly() {
        return io::Error::new(io::ErrorKind::PermissionDenied, "the existing file is read-only");
    }
    io::Error::new(error.kind(), "another program has the existing file open; close it there and try again")
}

fn retry(
    pauses_ms: &[u64],
    is_temporary: impl Fn(&io::Error) -> bool,
    mut attempt: impl FnMut() -> io::Result<()>,
) -> io::Result<()> {
    for pause in pauses_ms {
        match attempt() {
            Err(error) if is_temporary(&error) => thread::sleep(Duration::from_millis(*pause)),
            result => return result,
        }
    }
    attempt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Attempts until an operation succeeds that first fails `failures` times.
    fn attempts(failures: usize, is_temporary: bool) -> (bool, usize) {
        let mut count = 0;
        let result = retry(
            &[0, 0, 0],
            |_| is_temporary,
            || {
                count += 1;
                if count > failures { Ok(()) } else { Err(io::ErrorKind::PermissionDenied.into()) }
            },
        );
        (result.is_ok(), count)
    }

    #[test]
    fn temporary_failures_are_retried_and_others_are_not() {
        assert_eq!(attempts(0, true), (true, 1));
        assert_eq!(attempts(3, true), (true, 4));
        assert_eq!(attempts(4, true), (false, 4));
        assert_eq!(attempts(1, false), (false, 1));
    }

    #[test]
    fn persisted_file_replaces_another_or_is_removed() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("take.bin");
        fs::write(&path, "old")?;
        let new = |contents: &str| {
            let file = NamedTempFile::new_in(&folder)?;
            fs::write(file.path(), contents).map(|()| file)
        };
        persist(new("new")?, &path)?;
        assert_eq!(fs::read(&path)?, b"new");
        assert!(persist_new(new("newer")?, &path).is_err());
        assert!(persist(new("newest")?, &folder.path().join("missing/take.bin")).is_err());
        assert_eq!(fs::read(&path)?, b"new");
        assert_eq!(fs::read_dir(&folder)?.count(), 1);
        Ok(())
    }
}
