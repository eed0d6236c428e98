//! What a layer is to do. The command passes it in an environment variable; a file is used if there is none.

use std::path::PathBuf;
use std::str::FromStr;

use openxr_sys as xr;
use serde::{Deserialize, Serialize};

/// The reference space of a recording.
///
/// ```
/// use holotape_openxr::SpaceChoice;
///
/// assert_eq!("stage".parse(), Ok(SpaceChoice::Stage));
/// assert!("floor".parse::<SpaceChoice>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SpaceChoice {
    /// The layer chooses.
    #[default]
    Auto,
    /// Its origin is on the floor.
    Stage,
    /// Its origin is where the head was first.
    Local,
}

impl SpaceChoice {
    /// The space, STAGE or LOCAL; `prefers_stage` decides for [`Auto`](Self::Auto).
    pub(crate) fn reference_space(self, prefers_stage: impl FnOnce() -> bool) -> xr::ReferenceSpaceType {
        match self {
            Self::Stage => xr::ReferenceSpaceType::STAGE,
            Self::Auto if prefers_stage() => xr::ReferenceSpaceType::STAGE,
            Self::Auto | Self::Local => xr::ReferenceSpaceType::LOCAL,
        }
    }
}

impl FromStr for SpaceChoice {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "auto" => Ok(Self::Auto),
            "stage" => Ok(Self::Stage),
            "local" => Ok(Self::Local),
            _ => Err(format!("unknown space {name:?}; use auto, stage or local")),
        }
    }
}

/// The methods of options: the environment variable and the file that they come from, and their JSON.
macro_rules! json_options {
    ($Config:ident, $variable:literal, $file_name:literal) => {
        impl $Config {
            /// The environment variable with the options as JSON.
            pub const VARIABLE: &str = $variable;

            /// The name of the file with the options of an installed layer, in
            /// [`config_dir`](crate::manifest::config_dir).
            pub const FILE_NAME: &str = $file_name;

            /// The options as JSON.
            #[must_use]
            pub fn to_json(&self) -> String {
                // Strings, numbers and paths: only a path that is not UTF-8 fails, and the loader's variables cannot
                // have one.
                serde_json::to_string(self).unwrap_or_default()
            }

            /// Parses options.
            ///
            /// # Errors
            /// A message if the text is not JSON, or an option is unknown or missing.
            pub fn from_json(text: &str) -> Result<Self, String> {
                serde_json::from_str(text).map_err(|error| error.to_string())
            }

            pub(crate) fn load() -> Result<Self, String> {
                let (source, text) = load_text(Self::VARIABLE, Self::FILE_NAME)?;
                Self::from_json(&text).map_err(|error| format!("{source}: {error}"))
            }
        }
    };
}

json_options!(RecordConfig, "HOLOTAPE_OPENXR_RECORD", "record.json");
json_options!(ReplayConfig, "HOLOTAPE_OPENXR_REPLAY", "replay.json");

/// Options of the record layer.
///
/// ```
/// use holotape_openxr::{RecordConfig, SpaceChoice};
///
/// let config = RecordConfig { space: SpaceChoice::Local, ..RecordConfig::new("take.bin") };
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
    /// The space of the recording; the layer chooses STAGE if the runtime has it, otherwise LOCAL.
    #[serde(default)]
    pub space: SpaceChoice,
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
    /// The defaults for a recording at this path.
    #[must_use]
    pub fn new(out: impl Into<PathBuf>) -> Self {
        let space = SpaceChoice::default();
        Self { out: out.into(), overwrite: false, space, max_rate_hz: None, markers: None, report: None }
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
    /// The space in which the recording is placed; the layer chooses STAGE if the runtime has it and the recorded head
    /// starts more than 0.7 m above the origin, otherwise LOCAL.
    #[serde(default)]
    pub space: SpaceChoice,
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
    /// The defaults for this recording.
    #[must_use]
    pub fn new(recording: impl Into<PathBuf>) -> Self {
        Self {
            recording: recording.into(),
            space: SpaceChoice::default(),
            start_secs: 0.0,
            speed: normal_speed(),
            looping: false,
            exit_at_end: false,
            step_secs: None,
            report: None,
        }
    }
}

/// The folder of the files that installed layers read.
pub(crate) fn config_dir() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = if cfg!(windows) { variable("APPDATA") } else { variable("XDG_CONFIG_HOME") };
    let base = base.or_else(|| Some(variable("HOME")?.join(".config")))?;
    Some(base.join("holotape").join("openxr"))
}

/// The JSON of options, and the name of its source.
fn load_text(variable: &str, file_name: &str) -> Result<(String, String), String> {
    if let Ok(text) = std::env::var(variable) {
        return Ok((variable.to_owned(), text));
    }
    let path = config_dir().ok_or_else(|| format!("{variable} is not set"))?.join(file_name);
    let source = format!("{variable} is not set, and {}", path.display());
    std::fs::read_to_string(&path).map(|text| (source.clone(), text)).map_err(|error| format!("{source}: {error}"))
}
