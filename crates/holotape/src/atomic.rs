//! Files that are replaced in one step: whoever looks, at any moment, sees the old file or the new one.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

use crate::error::{Error, Result};

/// What to do about a file that is there already; see [`write()`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfExists {
    /// Put the new one in its place.
    Replace,
    /// Leave it and fail.
    Refuse,
}

/// Writes a file beside its place, sees it onto the disk, and then moves it there in one step. If anything fails
/// before that, the process being killed included, what was there stays as it was.
///
/// Links are followed, and the permissions of a file that is replaced are kept. What is not a file, a pipe or a
/// device, is written directly.
///
/// ```
/// use std::io::Write;
/// use holotape::atomic::{self, Existing};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("notes.txt");
/// atomic::write(&path, Existing::Refuse, |file| Ok(file.write_all(b"seen")?))?;
/// assert_eq!(std::fs::read(&path)?, b"seen");
/// assert!(atomic::write(&path, Existing::Refuse, |_| Ok(())).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the file cannot be written, is there and must not be, or `fill` fails. The error carries the path.
pub fn write<T>(
    path: impl AsRef<Path>,
    existing: IfExists,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<T>,
) -> Result<T> {
    let path = path.as_ref();
    write_inner(path, existing, fill).map_err(|error| match error.path() {
        Some(_) => error,
        None => error.with_path(path),
    })
}

/// Fails as [`write()`] would because of what is there already or is not, before there is anything to write.
///
/// ```
/// use holotape::atomic::{self, Existing};
///
/// let folder = tempfile::tempdir()?;
/// assert!(atomic::check(folder.path().join("new.bin"), Existing::Refuse).is_ok());
/// assert!(atomic::check(folder.path().join("no/folder/new.bin"), Existing::Refuse).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the file is there and must not be, if it is a folder, or if there is no folder for it.
pub fn check(path: impl AsRef<Path>, existing: IfExists) -> Result<()> {
    let path = path.as_ref();
    check_inner(path, existing).map_err(|error| error.with_path(path))
}

fn check_inner(path: &Path, existing: IfExists) -> Result<()> {
    match fs::metadata(path) {
        Ok(present) if present.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory).into()),
        Ok(present) if present.is_file() && existing == IfExists::Refuse => Err(already_exists()),
        Ok(_) => Ok(()),
        Err(_) => check_folder(&folder_of(&resolve_symlinks(path))),
    }
}

fn check_folder(folder: &Path) -> Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let message = format!("there is no folder {}", folder.display());
    Err(io::Error::new(io::ErrorKind::NotFound, message).into())
}

fn write_inner<T>(
    path: &Path,
    existing: IfExists,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<T>,
) -> Result<T> {
    // Asked of the path itself: what /dev/stdout links to is no name that could be opened.
    let present = fs::metadata(path).ok();
    let target = resolve_symlinks(path);
    match &present {
        Some(present) if present.is_dir() => return Err(io::Error::from(io::ErrorKind::IsADirectory).into()),
        Some(present) if !present.is_file() => return write_directly(path, fill),
        Some(_) if existing == IfExists::Refuse => return Err(already_exists()),
        _ => {}
    }
    let folder = folder_of(&target);
    let mut file = temporary_file(&folder, present.map(|present| present.permissions()))?;
    let _unfinished = TempFileGuard::register(file.path());
    let result = fill_and_sync(file.as_file_mut(), fill)?;
    match existing {
        IfExists::Replace => file.persist(&target),
        IfExists::Refuse => file.persist_noclobber(&target),
    }
    .map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => already_exists(),
        _ => Error::from(error.error),
    })?;
    sync_folder(&folder);
    Ok(result)
}

/// Temporary files that are being filled.
static TEMP_FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A temporary file that is being filled, as long as this lives.
struct TempFileGuard(PathBuf);

impl TempFileGuard {
    fn register(path: &Path) -> Self {
        lock_temp_files().push(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for TempFileGuard {
    fn drop(&mut self) {
        lock_temp_files().retain(|path| *path != self.0);
    }
}

fn lock_temp_files() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMP_FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes what [`write()`] has not finished, in whatever thread: for a program that is told to end, and will.
///
/// ```
/// use holotape::atomic::{self, Existing};
///
/// let folder = tempfile::tempdir()?;
/// let _ = atomic::write(folder.path().join("take.bin"), Existing::Refuse, |_| {
///     atomic::remove_unfinished();
///     assert_eq!(std::fs::read_dir(&folder)?.count(), 0);
///     Ok(())
/// });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn remove_temp_files() {
    // What cannot be removed cannot be helped.
    lock_temp_files().drain(..).for_each(|path| drop(fs::remove_file(path)));
}

fn fill_and_sync<T>(file: &mut File, fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<T>) -> Result<T> {
    let mut writer = BufWriter::new(file);
    let result = fill(&mut writer)?;
    let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
    // Without this a power cut after the move can leave the new name with none of its bytes. No test can see it.
    file.sync_all()?;
    Ok(result)
}

fn write_directly<T>(target: &Path, fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<T>) -> Result<T> {
    let mut writer = BufWriter::new(File::options().write(true).open(target)?);
    let result = fill(&mut writer)?;
    writer.flush()?;
    Ok(result)
}

fn already_exists() -> Error {
    io::Error::new(io::ErrorKind::AlreadyExists, "there is a file of that name already").into()
}

/// The file that a link stands for, there or not: that is to be replaced, not the link.
fn resolve_symlinks(path: &Path) -> PathBuf {
    const MAX_SYMLINKS: usize = 40;
    let mut target = path.to_owned();
    for _ in 0..MAX_SYMLINKS {
        let Ok(next) = fs::read_link(&target) else { break };
        target = folder_of(&target).join(next);
    }
    target
}

fn folder_of(target: &Path) -> PathBuf {
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// A file with the permissions of the one it will replace, or else those of any new file.
fn temporary_file(folder: &Path, permissions: Option<fs::Permissions>) -> Result<NamedTempFile> {
    check_folder(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".holotape-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Less the process's mask, as for every new file; by itself a temporary file is its owner's alone.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // The error of the crate names its temporary file, which says nothing to the user.
    let file = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
    #[cfg(unix)]
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    #[cfg(not(unix))]
    let _ = permissions;
    Ok(file)
}

/// Makes the new name last through a power cut, where the system lets a folder be synced. The file is whole either way.
fn sync_folder(folder: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = File::open(folder) {
        folder.sync_all().ok();
    }
    #[cfg(not(unix))]
    let _ = folder;
}
