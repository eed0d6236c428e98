//! Paths on all systems: what people see, what they copy, folders that are opened as files, names that Windows reserves, and the
//! folders of a user.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Names that Windows reserves for devices, with any extension.
const RESERVED_NAMES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Names that Windows reserves if one digit follows.
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// The longest path that all programs for Windows can open without the prefix `\\?\`.
const MAX_PLAIN_UNITS: usize = 259;

/// Whether Windows reserves a file name for a device: `nul`, `con.bin`, `COM1`.
#[must_use]
pub fn is_reserved_name(name: &str) -> bool {
    let first = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let is_digit = |rest: &str| rest.chars().count() == 1 && rest.contains(|digit| "0123456789¹²³".contains(digit));
    let mut numbered = NUMBERED_DEVICES.iter().filter_map(|device| first.strip_prefix(device));
    RESERVED_NAMES.contains(&&*first) || numbered.any(is_digit)
}

/// Fails on Windows if the path leads to a device, such as `nul` or `takes\con.bin`.
pub(crate) fn check_not_device(path: &Path) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if !cfg!(windows) || !is_reserved_name(&name) {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "Windows reserves this name for a device; choose another name"))
}

/// [`File::open`], but on Windows a folder is reported as such: Windows denies access to it.
///
/// # Errors
/// If the file cannot be opened.
pub fn open(path: impl AsRef<Path>) -> io::Result<File> {
    let path = path.as_ref();
    File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied if cfg!(windows) && path.is_dir() => io::ErrorKind::IsADirectory.into(),
        _ => error,
    })
}

/// The folder in which programs keep what the user would miss: `$XDG_STATE_HOME` or `~/.local/state`, `~/Library/Application
/// Support` on macOS, `%LOCALAPPDATA%` on Windows. `None` if the system names none.
#[must_use]
pub fn user_state_dir() -> Option<PathBuf> {
    user_dir("XDG_STATE_HOME", ".local/state", "Library/Application Support")
}

/// The folder in which programs keep what they can compute again: `$XDG_CACHE_HOME` or `~/.cache`, `~/Library/Caches` on macOS,
/// `%LOCALAPPDATA%` on Windows. `None` if the system names none.
#[must_use]
pub fn user_cache_dir() -> Option<PathBuf> {
    user_dir("XDG_CACHE_HOME", ".cache", "Library/Caches")
}

fn user_dir(variable: &str, in_home: &str, in_macos_home: &str) -> Option<PathBuf> {
    let from_env = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let below_home = |path: &str| env::home_dir().map(|home| home.join(path));
    if cfg!(windows) {
        from_env("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        below_home(in_macos_home)
    } else {
        from_env(variable).or_else(|| below_home(in_home))
    }
}

/// The permissions of a file that only its owner can read. Windows: a new file has the access rights of its folder.
#[must_use]
pub fn private_permissions() -> Option<fs::Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o600));
    #[cfg(not(unix))]
    None
}

/// Creates a folder that only its owner can read, with missing parents. Windows: the folders of a user are private.
///
/// # Errors
/// If the folder cannot be created.
pub fn create_private_dir(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, PermissionsExt};

        fs::DirBuilder::new().recursive(true).mode(0o700).create(path)?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o700))
    }
    #[cfg(not(unix))]
    fs::create_dir_all(path)
}

/// [`fs::canonicalize`], but on Windows without the prefix `\\?\` where other programs do not need it: most of them, and most
/// people, do not understand it.
///
/// # Errors
/// If the file does not exist.
pub fn canonicalize(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    let path = path.as_ref();
    let path = fs::canonicalize(path).or_else(|error| match fs::metadata(path) {
        // Some network drives and RAM disks of Windows cannot do it.
        Ok(_) if cfg!(windows) => std::path::absolute(path),
        _ => Err(error),
    })?;
    Ok(path.to_str().filter(|_| cfg!(windows)).and_then(without_verbatim_prefix).map_or(path.clone(), PathBuf::from))
}

/// The same path without the prefix `\\?\`; `None` if it has none, or means another file without.
fn without_verbatim_prefix(path: &str) -> Option<String> {
    let rest = path.strip_prefix(r"\\?\")?;
    let (plain, names) = match (rest.strip_prefix(r"UNC\"), rest.as_bytes()) {
        (Some(share), _) => (format!(r"\\{share}"), share),
        (None, [b'A'..=b'Z' | b'a'..=b'z', b':', b'\\', ..]) => (rest.to_owned(), &rest[3..]),
        _ => return None,
    };
    // Otherwise, Windows would remove the end of a name, or open a device.
    let is_literal = |name: &str| !name.ends_with(['.', ' ']) && !name.contains('/') && !is_reserved_name(name);
    let is_short = plain.encode_utf16().count() <= MAX_PLAIN_UNITS;
    (is_short && names.split('\\').all(is_literal)).then_some(plain)
}

/// Quotes a path for a shell, by the same rules as the script of the report: with single quotes, except for Windows paths,
/// because its older shell supports only double quotes. These are used unless the path has characters that are special in
/// them; then, only PowerShell understands the path. PowerShell treats typographic quotes like the plain ones.
#[must_use]
pub fn shell_quote(path: &str) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "/._-+".contains(char);
    if !path.is_empty() && path.chars().all(is_plain) {
        return path.to_owned();
    }
    let is_drive = matches!(path.as_bytes(), [b'A'..=b'Z' | b'a'..=b'z', b':', b'\\', ..]);
    let is_windows = cfg!(windows) || is_drive || path.starts_with(r"\\");
    match is_windows {
        true if path.chars().all(|char| is_plain(char) || char == '\\' || char == ':') => path.to_owned(),
        true if !path.contains(['"', '“', '”', '„', '$', '`', '%']) => format!("\"{path}\""),
        true => powershell_quote(path),
        false => format!("'{}'", path.replace('\'', r"'\''")),
    }
}

/// Quotes a path with single quotes for PowerShell, in which each of these characters ends the text unless it is repeated.
fn powershell_quote(path: &str) -> String {
    let mut quoted = String::from("'");
    for char in path.chars() {
        quoted.push(char);
        if "'‘’‚‛".contains(char) {
            quoted.push(char);
        }
    }
    quoted.push('\'');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_names_are_reserved_with_any_extension() {
        for name in ["NUL", "nul", "con.bin", "Con .bin.zst", "COM1", "lpt9.json", "com¹", "CONOUT$"] {
            assert!(is_reserved_name(name), "{name}");
        }
        for name in ["null", "con1", "com", "com10", "a.con", "", "lpt", "context.bin"] {
            assert!(!is_reserved_name(name), "{name}");
        }
    }

    #[test]
    fn verbatim_prefix_is_removed_only_where_the_path_stays_the_same() {
        let long = format!(r"\\?\C:\{}\take.bin", "x".repeat(250));
        for (path, expected) in [
            (r"\\?\C:\takes\hände 手.bin", Some(r"C:\takes\hände 手.bin")),
            (r"\\?\UNC\host\share\a.bin", Some(r"\\host\share\a.bin")),
            (r"\\?\C:\", Some(r"C:\")),
            (r"C:\takes\a.bin", None),
            (r"\\?\C:\takes\con.bin", None),
            (r"\\?\C:\takes.\a.bin", None),
            (r"\\?\C:\takes \a.bin", None),
            (r"\\?\Volume{5f2e}\a.bin", None),
            (&long, None),
        ] {
            assert_eq!(without_verbatim_prefix(path).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn paths_are_quoted_for_shells() {
        let posix = [
            ("/data/$(id).bin", "'/data/$(id).bin'"),
            (r"a\b", r"'a\b'"),
            ("it's", r"'it'\''s'"),
            ("it’s “a”", "'it’s “a”'"),
            ("", "''"),
        ];
        let windows = [
            (r"C:\takes\a.bin", r"C:\takes\a.bin"),
            (r"C:\my study", r#""C:\my study""#),
            (r"C:\it's", r#""C:\it's""#),
            (r"\\host\share\x y", r#""\\host\share\x y""#),
            (r"C:\$(calc)", r"'C:\$(calc)'"),
            (r"C:\%PATH%", r"'C:\%PATH%'"),
            (r"C:\it's 5 $", r"'C:\it''s 5 $'"),
            (r"C:\it’s", r#""C:\it’s""#),
            (r"C:\“a”", r"'C:\“a”'"),
            (r"C:\„a", r"'C:\„a'"),
            (r"C:\„it’s ‘$‚‛", r"'C:\„it’’s ‘‘$‚‚‛‛'"),
        ];
        assert_eq!(shell_quote("/data/p01-a_b+c.bin"), "/data/p01-a_b+c.bin");
        for (path, expected) in posix.into_iter().filter(|_| cfg!(unix)).chain(windows) {
            assert_eq!(shell_quote(path), expected);
        }
        if cfg!(windows) {
            assert_eq!(shell_quote(r"takes\my take.bin"), r#""takes\my take.bin""#);
        }
    }

    #[test]
    fn canonical_path_opens_the_same_file_without_a_prefix() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("Hände 手.bin");
        fs::write(&path, "contents")?;
        let canonical = canonicalize(folder.path().join(".").join("Hände 手.bin"))?;
        assert!(!canonical.to_string_lossy().starts_with(r"\\?\"), "{}", canonical.display());
        assert_eq!(fs::read(canonical)?, b"contents");
        assert!(canonicalize(folder.path().join("missing")).is_err());
        Ok(())
    }
}
