//! Atomic file replacement. Readers see either the old file or the new one, never a partial write.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

use crate::error::{Error, Result};
use crate::paths::check_not_device;
use crate::rename;

#[doc(hidden)]
pub use crate::rename::{persist, rename};

/// What [`write()`] does with an existing file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfExists {
    /// Replaces the file.
    Replace,
    /// Keeps the file and fails.
    Refuse,
}

/// Writes a temporary file in the same folder, syncs it to disk, and renames it. If that fails, or if the process is
/// killed, an existing file stays unchanged.
///
/// Follows symbolic links, and keeps the permissions of a replaced file. Pipes and devices are written directly. On Windows,
/// names of devices such as `nul` and `con.bin` are an error, and a file that another program has open for longer than a second
/// is not replaced, unless that program allows it.
///
/// ```
/// use std::io::Write;
/// use holotape::atomic::{self, IfExists};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("notes.txt");
/// atomic::write(&path, IfExists::Refuse, |file| Ok(file.write_all(b"seen")?))?;
/// assert_eq!(std::fs::read(&path)?, b"seen");
/// assert!(atomic::write(&path, IfExists::Refuse, |_| Ok(())).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the file cannot be written, if it exists and `existing` is `Refuse`, or if `fill` fails. The error has the path.
pub fn write<T>(
    path: impl AsRef<Path>,
    existing: IfExists,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<T>,
) -> Result<T> {
    let path = path.as_ref();
    with_path(path, write_inner(path, resolve_symlinks(path), fs::metadata(path), existing, fill))
}

/// Like [`write()`], but does not follow a symbolic link at `path`: replaces the link itself, or fails if `existing` is `Refuse`.
/// For folders in which other users can create links.
///
/// ```
/// use std::io::Write;
/// use holotape::atomic::{self, IfExists};
///
/// let folder = tempfile::tempdir()?;
/// let (outside, link) = (folder.path().join("outside.txt"), folder.path().join("link.txt"));
/// std::fs::write(&outside, "kept")?;
/// # #[cfg(unix)]
/// std::os::unix::fs::symlink(&outside, &link)?;
/// atomic::write_no_follow(&link, IfExists::Replace, |file| Ok(file.write_all(b"new")?))?;
/// assert_eq!((std::fs::read(&outside)?, std::fs::read(&link)?), (b"kept".to_vec(), b"new".to_vec()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Same as [`write()`].
pub fn write_no_follow<T>(
    path: impl AsRef<Path>,
    existing: IfExists,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<T>,
) -> Result<T> {
    let path = path.as_ref();
    let present = fs::symlink_metadata(path);
    match &present {
        Ok(present) if present.is_symlink() && existing == IfExists::Refuse => with_path(path, Err(already_exists())),
        // The permissions of a link are not those of a file.
        Ok(present) if present.is_symlink() => {
            with_path(path, write_inner(path, path.to_owned(), Err(io::ErrorKind::NotFound.into()), existing, fill))
        }
        _ => with_path(path, write_inner(path, path.to_owned(), present, existing, fill)),
    }
}

fn with_path<T>(path: &Path, result: Result<T>) -> Result<T> {
    result.map_err(|error| match error.path() {
        Some(_) => error,
        None => error.with_path(path),
    })
}

/// Checks whether [`write()`] would fail because of an existing file or a missing folder.
///
/// ```
/// use holotape::atomic::{self, IfExists};
///
/// let folder = tempfile::tempdir()?;
/// assert!(atomic::check(folder.path().join("new.bin"), IfExists::Refuse).is_ok());
/// assert!(atomic::check(folder.path().join("no/folder/new.bin"), IfExists::Refuse).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the file exists and `existing` is `Refuse`, if it is a folder, if its folder is missing or is a file, or if Windows reserves
/// its name for a device.
pub fn check(path: impl AsRef<Path>, existing: IfExists) -> Result<()> {
    let path = path.as_ref();
    check_inner(path, existing).map_err(|error| error.with_path(path))
}

fn check_inner(path: &Path, existing: IfExists) -> Result<()> {
    check_not_device(path)?;
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
    let (kind, message) = match file_in_path(folder) {
        Some(file) => (io::ErrorKind::NotADirectory, format!("{} is a file, not a folder", file.display())),
        None => (io::ErrorKind::NotFound, format!("missing folder {}", folder.display())),
    };
    Err(io::Error::new(kind, message).into())
}

/// The part of a path that is a file, so that no folder can be there; `None` if a folder is there or can be created.
#[doc(hidden)]
#[must_use]
pub fn file_in_path(folder: &Path) -> Option<&Path> {
    let existing = folder.ancestors().find(|path| path.as_os_str().is_empty() || path.exists());
    existing.filter(|path| !path.as_os_str().is_empty() && !path.is_dir())
}

/// `path` is opened if it is a device: the target of the link /dev/stdout cannot be opened by name.
fn write_inner<T>(
    path: &Path,
    target: PathBuf,
    present: io::Result<fs::Metadata>,
    existing: IfExists,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<T>,
) -> Result<T> {
    check_not_device(&target)?;
    let present = present.ok();
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
        IfExists::Replace => rename::persist(file, &target),
        IfExists::Refuse => rename::persist_new(file, &target),
    }
    .map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => already_exists(),
        _ => Error::from(error),
    })?;
    sync_folder(&folder);
    Ok(result)
}

/// Temporary files that are being written.
static TEMP_FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Lists a temporary file in [`TEMP_FILES`] until it is dropped.
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

/// Removes the temporary files of all unfinished [`write()`] calls, in all threads. Call it before the process exits.
///
/// ```
/// use holotape::atomic::{self, IfExists};
///
/// let folder = tempfile::tempdir()?;
/// let _ = atomic::write(folder.path().join("new.bin"), IfExists::Refuse, |_| {
///     atomic::remove_temp_files();
///     assert_eq!(std::fs::read_dir(&folder)?.count(), 0);
///     Ok(())
/// });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn remove_temp_files() {
    // The process is about to exit, so errors are ignored.
    lock_temp_files().drain(..).for_each(|path| drop(fs::remove_file(path)));
}

fn fill_and_sync<T>(file: &mut File, fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<T>) -> Result<T> {
    let mut writer = BufWriter::new(file);
    let result = fill(&mut writer)?;
    let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
    // Otherwise, a power failure after the rename can leave an empty file.
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
    io::Error::new(io::ErrorKind::AlreadyExists, "file already exists").into()
}

/// Returns the target of a symbolic link, which may not exist. The target is replaced, not the link.
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

/// The start of the names of temporary files.
#[doc(hidden)]
pub const TEMP_PREFIX: &str = ".holotape-";

/// Creates a temporary file with the given permissions, or with those of a new file.
#[doc(hidden)]
pub fn temporary_file(folder: &Path, permissions: Option<fs::Permissions>) -> Result<NamedTempFile> {
    check_folder(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMP_PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The umask applies, as for every new file. By default, only the owner can read a temporary file.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // The error of the crate names the temporary file, which the user does not know.
    let file = builder.tempfile_in(rename::long_folder(folder)).map_err(|error| io::Error::from(error.kind()))?;
    #[cfg(unix)]
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    // Windows has no permissions of a file that a new one would not get from its folder.
    #[cfg(not(unix))]
    let _ = permissions;
    Ok(file)
}

/// Creates a folder and its missing parents, and makes them durable: a sync of a folder does not cover its own entry in the
/// folder above.
#[doc(hidden)]
pub fn create_folder(folder: &Path) -> io::Result<()> {
    check_not_device(folder)?;
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let missing: Vec<_> = folder.ancestors().take_while(is_missing).collect();
    fs::create_dir_all(folder)?;
    missing.into_iter().for_each(|created| sync_folder(&folder_of(created)));
    Ok(())
}

/// Makes renames durable, on systems that can sync a folder. The files are complete in any case.
#[doc(hidden)]
pub fn sync_folder(folder: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = File::open(folder) {
        folder.sync_all().ok();
    }
    // Windows cannot sync a folder; its file systems keep the order of renames in a log.
    #[cfg(not(unix))]
    let _ = folder;
}
