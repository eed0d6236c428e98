//! What the OpenXR runtime of this machine has.

use std::ffi::OsStr;

/// What loader, runtime and device have.
///
/// ```
/// use holotape_openxr::Probe;
///
/// let error = Probe::of_loader("missing-loader.so").unwrap_err();
/// assert!(!error.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Probe {
    /// The name of the runtime.
    pub runtime: String,
    /// Its version.
    pub runtime_version: String,
    /// The extensions that it offers.
    pub extensions: Vec<String>,
    /// The name of the headset, or `None` if none is connected.
    pub system: Option<String>,
    /// Whether the headset tracks hands; `None` if the runtime cannot, or there is no headset.
    pub hand_tracking: Option<bool>,
    /// Whether the headset tracks eyes; `None` if the runtime cannot, or there is no headset.
    pub eye_gaze: Option<bool>,
}

impl Probe {
    /// The name of the loader, which the system looks up.
    pub const LOADER: &str = if cfg!(windows) { "openxr_loader.dll" } else { "libopenxr_loader.so.1" };

    /// Loads an OpenXR loader and asks its runtime.
    ///
    /// # Errors
    /// A message if the loader cannot be loaded, it finds no runtime, or the runtime does not start.
    pub fn of_loader(loader: impl AsRef<OsStr>) -> Result<Self, String> {
        crate::ffi::probe(loader.as_ref())
    }
}
