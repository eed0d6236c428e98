//! Manifests: the JSON files by which the loader finds layers.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::REPLAY_LAYER;

/// The environment variable that disables the installed layers.
pub const DISABLE_VARIABLE: &str = "HOLOTAPE_OPENXR_DISABLE";

/// The extensions that the replay layer implements where the runtime has none, with the versions of their
/// specifications.
pub(crate) const REPLAYED_EXTENSIONS: [(&str, &str); 3] =
    [("XR_EXT_hand_tracking", "4"), ("XR_EXT_eye_gaze_interaction", "2"), ("XR_EXT_hand_interaction", "1")];

/// The file name of a layer's manifest.
///
/// ```
/// use holotape_openxr::{RECORD_LAYER, manifest};
/// assert_eq!(manifest::file_name(RECORD_LAYER), "XR_APILAYER_HOLOTAPE_record.json");
/// ```
#[must_use]
pub fn file_name(layer: &str) -> String {
    format!("{layer}.json")
}

/// The manifest of a layer whose library is at this path.
///
/// ```
/// use holotape_openxr::{REPLAY_LAYER, manifest};
/// assert!(manifest::json(REPLAY_LAYER, "./lib.so".as_ref()).contains("XR_EXT_hand_tracking"));
/// ```
#[must_use]
pub fn json(layer: &str, library: &Path) -> String {
    let replays = layer == REPLAY_LAYER;
    // The recorder must not offer an extension that it does not implement.
    let extensions: &[_] = if replays { &REPLAYED_EXTENSIONS } else { &[] };
    let extensions: Vec<_> =
        extensions.iter().map(|(name, version)| json!({"name": name, "extension_version": version})).collect();
    let what = if replays { "replays a recording" } else { "records" };
    // The loader ignores a manifest whose versions are not strings.
    let manifest = json!({
        "file_format_version": "1.0.0",
        "api_layer": {
            "name": layer,
            "library_path": library.to_string_lossy(),
            "api_version": "1.0",
            "implementation_version": "1",
            "description": format!("holotape: {what} head, hands and gaze"),
            "disable_environment": DISABLE_VARIABLE,
            "instance_extensions": extensions,
        },
    });
    format!("{manifest:#}\n")
}

/// The file name of the library.
///
/// ```
/// assert!(holotape_openxr::manifest::library_name().contains("holotape_openxr"));
/// ```
#[must_use]
pub fn library_name() -> String {
    format!("{}holotape_openxr{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)
}

/// The folder of `record.json` and `replay.json`, which installed layers read if their environment variable is not set.
///
/// ```
/// let folder = holotape_openxr::manifest::config_dir();
/// assert!(folder.is_none_or(|folder| folder.ends_with("holotape/openxr")));
/// ```
#[must_use]
pub fn config_dir() -> Option<PathBuf> {
    crate::config::config_dir()
}
