//! What an application needs to be started with a layer: the library, and the variables by which the loader finds it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use holotape::paths::canonicalize;

use crate::{RECORD_LAYER, manifest};

/// The environment variable with the path of the library.
pub const LIBRARY_VARIABLE: &str = "HOLOTAPE_OPENXR_LIBRARY";

/// Finds the library: where [`LIBRARY_VARIABLE`] says, otherwise in one of these folders, or in the `lib` folder of an
/// installation whose programs are in one of them.
///
/// ```
/// use holotape_openxr::launch;
///
/// let error = launch::find_library(&["/missing".into()]).unwrap_err();
/// assert!(error.contains(launch::LIBRARY_VARIABLE));
/// ```
///
/// # Errors
/// A message that names the file that is missing, and says how to build it.
pub fn find_library(folders: &[PathBuf]) -> Result<PathBuf, String> {
    let name = manifest::library_name();
    let in_folder = |folder: &PathBuf| ["", "../lib", "../lib/holotape"].map(|lib| folder.join(lib).join(&name));
    let paths: Vec<PathBuf> = match variable(LIBRARY_VARIABLE) {
        Some(path) => vec![path.into()],
        None => folders.iter().flat_map(in_folder).collect(),
    };
    if let Some(found) = paths.iter().find(|path| path.is_file()) {
        return canonicalize(found).map_err(|error| format!("{}: {error}", found.display()));
    }
    let missing = paths.first().map_or_else(|| PathBuf::from(&name), Clone::clone);
    Err(format!(
        "{}: no such file; build it with `cargo build --release --package holotape-openxr`, or name it in {LIBRARY_VARIABLE}",
        missing.display()
    ))
}

/// Writes the manifest of a layer to a folder, and returns the loader's variables that enable the layer. `current`
/// returns the value that a variable has so far; layers that it enables stay enabled.
///
/// A recorder is nearest to the application and a replayer nearest to the runtime, so that a recorder records what is
/// replayed. Each layer needs its own folder: the loader would find a layer twice that is in both.
///
/// ```
/// use holotape_openxr::{RECORD_LAYER, launch};
///
/// let folder = tempfile::tempdir()?;
/// let variables = launch::enable(RECORD_LAYER, "/lib/libholotape_openxr.so".as_ref(), folder.path(), |_| None)?;
/// assert_eq!(variables[1], ("XR_ENABLE_API_LAYERS", RECORD_LAYER.into()));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If the manifest cannot be written.
pub fn enable(
    layer: &str,
    library: &Path,
    folder: &Path,
    current: impl Fn(&str) -> Option<OsString>,
) -> io::Result<[(&'static str, OsString); 2]> {
    const PATH: &str = "XR_API_LAYER_PATH";
    const LAYERS: &str = "XR_ENABLE_API_LAYERS";
    let current = |name: &str| current(name).filter(|value| !value.is_empty());
    fs::create_dir_all(folder)?;
    fs::write(folder.join(manifest::file_name(layer)), manifest::json(layer, library))?;
    let mut paths = vec![folder.to_owned()];
    // This variable replaces the standard folders, where other layers are.
    match current(PATH) {
        Some(value) => paths.extend(env::split_paths(&value)),
        None => paths.extend(standard_folders(current)),
    }
    let mut layers: Vec<PathBuf> = current(LAYERS).iter().flat_map(env::split_paths).collect();
    layers.insert(if layer == RECORD_LAYER { 0 } else { layers.len() }, layer.into());
    Ok([(PATH, join(paths)), (LAYERS, join(layers))])
}

fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

fn join(paths: Vec<PathBuf>) -> OsString {
    // Fails only if a path contains the separator; such a folder cannot be named in these variables at all.
    env::join_paths(paths.into_iter().filter(|path| env::join_paths([path]).is_ok())).unwrap_or_default()
}

/// Where the loader looks for explicit layers without its variable. On Windows it uses the registry, which it reads
/// only without the variable, so layers that are registered there are not found.
fn standard_folders(current: impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    if cfg!(windows) {
        return Vec::new();
    }
    let list = |variable: &str, default: &str| -> Vec<PathBuf> {
        env::split_paths(&current(variable).unwrap_or_else(|| default.into())).collect()
    };
    let home = current("HOME").map(PathBuf::from).unwrap_or_default();
    let mut folders = list("XDG_CONFIG_DIRS", "/etc/xdg");
    folders.push("/etc".into());
    folders.extend(list("XDG_DATA_DIRS", "/usr/local/share:/usr/share"));
    folders.extend(list("XDG_DATA_HOME", &home.join(".local/share").to_string_lossy()));
    folders.iter().map(|folder| folder.join("openxr/1/api_layers/explicit.d")).collect()
}
