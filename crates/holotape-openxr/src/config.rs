//! What a layer is to do. The command passes it in an environment variable; a file is used if there is none.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// The space in which the record layer records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordSpace {
    /// STAGE if the runtime has it, otherwise LOCAL.
    #[default]
    Auto,
    /// Its origin is on the floor.
    Stage,
    /// Its origin is where the head was first.
    Local,
}

/// The space in which the replay layer places a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReplaySpace {
    /// STAGE if the runtime has it and the recorded head starts more than 0.7 m above the origin, otherwise LOCAL.
    #[default]
    Auto,
    /// Its origin is on the floor.
    Stage,
    /// Its origin is where the head was first.
    Local,
}

/// Options of the record layer.
///
/// ```
/// use holotape_openxr::{RecordConfig, RecordSpace};
///
/// let config = RecordConfig { space: RecordSpace::Local, ..RecordConfig::new("take.bin") };
/// assert_eq!(RecordConfig::from_json(&config.to_json())?, config);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordConfig {
    /// The recording. A second session of the application is saved as `take-2.bin`.
    pub out: PathBuf,
    /// Replaces an existing recording. Otherwise the layer chooses the next free name.
    #[serde(default)]
    pub overwrite: bool,
    /// The space of the recording.
    #[serde(default)]
    pub space: RecordSpace,
    /// Drops frames above this rate.
    #[serde(default)]
    pub max_rate_hz: Option<f64>,
    /// A file or named pipe: each line that is appended becomes a marker.
    #[serde(default)]
    pub markers: Option<PathBuf>,
    /// The file to which [`Report`](crate::Report)s are appended.
    #[serde(default)]
    pub report: Option<PathBuf>,
}

impl RecordConfig {
    /// The environment variable with the options as JSON.
    pub const VARIABLE: &str = "HOLOTAPE_OPENXR_RECORD";

    /// The defaults for a recording at this path.
    #[must_use]
    pub fn new(out: impl Into<PathBuf>) -> Self {
        let space = RecordSpace::default();
        Self { out: out.into(), overwrite: false, space, max_rate_hz: None, markers: None, report: None }
    }

    /// The options as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        to_json(self)
    }

    /// Parses options.
    ///
    /// # Errors
    /// A message if the text is not JSON, or an option is unknown or missing.
    pub fn from_json(text: &str) -> Result<Self, String> {
        from_json(text)
    }

    pub(crate) fn load() -> Result<Self, String> {
        load(Self::VARIABLE, "record.json")
    }
}

/// Options of the replay layer.
///
/// ```
/// use holotape_openxr::ReplayConfig;
///
/// let config = ReplayConfig { step_secs: Some(1.0 / 60.0), ..ReplayConfig::new("take.bin") };
/// assert_eq!(ReplayConfig::from_json(&config.to_json())?, config);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayConfig {
    /// The recording, a `.bin` file.
    pub recording: PathBuf,
    /// The space of the recording.
    #[serde(default)]
    pub space: ReplaySpace,
    /// Where the replay starts, in seconds of the recording.
    #[serde(default)]
    pub start_secs: f64,
    /// The speed; 1 is that of the recording.
    #[serde(default = "normal_speed")]
    pub speed: f64,
    /// Starts again at the end.
    #[serde(default)]
    pub looping: bool,
    /// Asks the application to end when the recording ends.
    #[serde(default)]
    pub exit_at_end: bool,
    /// Advances the recording by this time per frame, whatever the clock says.
    #[serde(default)]
    pub step_secs: Option<f64>,
    /// The file to which [`Report`](crate::Report)s are appended.
    #[serde(default)]
    pub report: Option<PathBuf>,
}

const fn normal_speed() -> f64 {
    1.0
}

impl ReplayConfig {
    /// The environment variable with the options as JSON.
    pub const VARIABLE: &str = "HOLOTAPE_OPENXR_REPLAY";

    /// The defaults for this recording.
    #[must_use]
    pub fn new(recording: impl Into<PathBuf>) -> Self {
        Self {
            recording: recording.into(),
            space: ReplaySpace::default(),
            start_secs: 0.0,
            speed: normal_speed(),
            looping: false,
            exit_at_end: false,
            step_secs: None,
            report: None,
        }
    }

    /// The options as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        to_json(self)
    }

    /// Parses options.
    ///
    /// # Errors
    /// A message if the text is not JSON, or an option is unknown or missing.
    pub fn from_json(text: &str) -> Result<Self, String> {
        from_json(text)
    }

    pub(crate) fn load() -> Result<Self, String> {
        load(Self::VARIABLE, "replay.json")
    }
}

/// The folder of the files that installed layers read.
pub(crate) fn config_dir() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = if cfg!(windows) { variable("APPDATA") } else { variable("XDG_CONFIG_HOME") };
    let base = base.or_else(|| Some(variable("HOME")?.join(".config")))?;
    Some(base.join("holotape").join("openxr"))
}

fn load<T: DeserializeOwned>(variable: &str, file_name: &str) -> Result<T, String> {
    if let Ok(text) = std::env::var(variable) {
        return from_json(&text).map_err(|error| format!("{variable}: {error}"));
    }
    let path = config_dir().ok_or_else(|| format!("{variable} is not set"))?.join(file_name);
    load_file(&path).map_err(|error| format!("{variable} is not set, and {}: {error}", path.display()))
}

fn load_file<T: DeserializeOwned>(path: &Path) -> Result<T, String> {
    from_json(&std::fs::read_to_string(path).map_err(|error| error.to_string())?)
}

fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn to_json(config: &impl Serialize) -> String {
    // Strings, numbers and paths: only a path that is not UTF-8 fails, and the loader's variables cannot have one.
    serde_json::to_string(config).unwrap_or_default()
}
