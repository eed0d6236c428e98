//! Options of LeRobot datasets.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use holotape::{Error, Result};
use holotape_convert::Space;

use crate::build::job_count;
use crate::dataset::HOLOTAPE_VERSION;

/// Defines an enum whose values have names.
macro_rules! choices {
    (
        $(#[$attribute:meta])*
        pub enum $Enum:ident($what:literal) {
            $($(#[$variant_attribute:meta])* $Variant:ident = $name:literal,)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $Enum {
            $($(#[$variant_attribute])* $Variant,)*
        }

        impl $Enum {
            /// All values, in order.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$Variant),*];

            /// Returns the name, as on the command line.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Variant => $name,)*
                }
            }
        }

        impl FromStr for $Enum {
            type Err = Error;

            fn from_str(name: &str) -> Result<Self> {
                let unknown = || {
                    let names = Self::ALL.map(Self::name).join(", ");
                    Error::invalid_argument(format!("unknown {} {name:?}; use one of: {names}", $what))
                };
                Self::ALL.into_iter().find(|value| value.name() == name).ok_or_else(unknown)
            }
        }
    };
}

choices! {
    /// Which features a LeRobot dataset has.
    ///
    /// ```
    /// use holotape_corpus::FeatureSet;
    ///
    /// assert_eq!("compact".parse::<FeatureSet>()?, FeatureSet::Compact);
    /// # Ok::<(), holotape::Error>(())
    /// ```
    pub enum FeatureSet("features") {
        /// Position and quaternion of 26 joints per hand, head and gaze.
        Full = "full",
        /// Per hand: position of the wrist, its rotation as six numbers, and positions of the fingertips.
        Compact = "compact",
    }
}

choices! {
    /// What the feature `action` of a LeRobot dataset contains.
    ///
    /// ```
    /// use holotape_corpus::ActionSource;
    ///
    /// assert_eq!(ActionSource::Next.name(), "next");
    /// ```
    pub enum ActionSource("action") {
        /// The state of the next frame. The last frame has its own state.
        Next = "next",
        /// The state of the same frame.
        Same = "same",
        /// There is no feature `action`.
        None = "none",
    }
}

choices! {
    /// Where the tasks of a LeRobot dataset come from.
    ///
    /// ```
    /// use holotape_corpus::TaskSource;
    ///
    /// assert!("filename".parse::<TaskSource>().is_err());
    /// ```
    pub enum TaskSource("task source") {
        /// One text for all frames.
        Text = "text",
        /// Each marker starts a task. Frames before the first marker have the text.
        Markers = "markers",
        /// The name of the folder that contains the recording.
        Folders = "folders",
    }
}

/// Options of a LeRobot dataset.
///
/// ```
/// use holotape_corpus::{FeatureSet, LerobotOptions, TaskSource};
///
/// let options = LerobotOptions::new().with_fps(50).with_features(FeatureSet::Compact).with_tasks(TaskSource::Folders);
/// assert_ne!(options, LerobotOptions::default());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LerobotOptions {
    pub(super) fps: u32,
    pub(super) features: FeatureSet,
    pub(super) action: ActionSource,
    pub(super) tasks: TaskSource,
    pub(super) task: String,
    pub(super) space: Space,
    pub(super) robot_type: String,
    pub(super) file_mb: f64,
    pub(super) verify: bool,
    jobs: Option<NonZeroUsize>,
}

impl LerobotOptions {
    /// The text of tasks by default.
    pub const DEFAULT_TASK: &str = "move both hands";

    /// The robot type by default.
    pub const DEFAULT_ROBOT_TYPE: &str = "human";

    /// 30 frames per second, all joints, actions from the next frame, one task, right-handed coordinates, data files of 100 MB.
    #[must_use]
    pub fn new() -> Self {
        Self {
            fps: 30,
            features: FeatureSet::Full,
            action: ActionSource::Next,
            tasks: TaskSource::Text,
            task: Self::DEFAULT_TASK.to_owned(),
            space: Space::RightHanded,
            robot_type: Self::DEFAULT_ROBOT_TYPE.to_owned(),
            file_mb: 100.0,
            verify: false,
            jobs: None,
        }
    }

    /// Sets the number of frames per second: 1 to 1000.
    #[must_use]
    pub fn with_fps(self, fps: u32) -> Self {
        Self { fps, ..self }
    }

    /// Sets the features.
    #[must_use]
    pub fn with_features(self, features: FeatureSet) -> Self {
        Self { features, ..self }
    }

    /// Sets what `action` contains.
    #[must_use]
    pub fn with_action(self, action: ActionSource) -> Self {
        Self { action, ..self }
    }

    /// Sets where tasks come from.
    #[must_use]
    pub fn with_tasks(self, tasks: TaskSource) -> Self {
        Self { tasks, ..self }
    }

    /// Sets the text of the task, for all frames that have no other.
    #[must_use]
    pub fn with_task(self, task: impl Into<String>) -> Self {
        Self { task: task.into(), ..self }
    }

    /// Sets the coordinates of positions and rotations.
    #[must_use]
    pub fn with_space(self, space: Space) -> Self {
        Self { space, ..self }
    }

    /// Sets `robot_type` of `meta/info.json`.
    #[must_use]
    pub fn with_robot_type(self, robot_type: impl Into<String>) -> Self {
        Self { robot_type: robot_type.into(), ..self }
    }

    /// Sets the size of data files, in units of 2²⁰ bytes. A file ends with the episode that reaches it.
    #[must_use]
    pub fn with_file_mb(self, file_mb: f64) -> Self {
        Self { file_mb, ..self }
    }

    /// Detects changes by content instead of by file size and time.
    #[must_use]
    pub fn with_verify(self, verify: bool) -> Self {
        Self { verify, ..self }
    }

    /// Sets the number of recordings to read in parallel; by default the number of cores.
    #[must_use]
    pub fn with_jobs(self, jobs: Option<NonZeroUsize>) -> Self {
        Self { jobs, ..self }
    }

    pub(super) fn jobs(&self) -> usize {
        job_count(self.jobs)
    }

    /// The size at which a data file ends.
    pub(super) fn file_bytes(&self) -> u64 {
        (self.file_mb * f64::from(1 << 20)) as u64
    }

    /// The size for `meta/info.json`, which has integers.
    pub(super) fn whole_file_mb(&self) -> u64 {
        self.file_mb.ceil() as u64
    }

    pub(super) fn check(&self) -> Result<()> {
        if !(1..=1000).contains(&self.fps) {
            let message = format!("invalid rate: {} frames per second; must be between 1 and 1000", self.fps);
            return Err(Error::invalid_argument(message));
        }
        if self.task.trim().is_empty() {
            return Err(Error::invalid_argument("invalid task: the text is empty"));
        }
        if !(self.file_mb > 0.0 && self.file_mb <= 1e6) {
            let message = format!("invalid file size: {} MB; must be greater than 0 and at most 1000000", self.file_mb);
            return Err(Error::invalid_argument(message));
        }
        Ok(())
    }
}

impl Default for LerobotOptions {
    fn default() -> Self {
        Self::new()
    }
}

/// The options that determine the files, as part of their hashes.
impl fmt::Display for LerobotOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fps, task, robot_type, file_mb, .. } = self;
        let (features, action, tasks) = (self.features.name(), self.action.name(), self.tasks.name());
        let (format, space) = (super::manifest::FORMAT_VERSION, self.space.name());
        write!(
            f,
            "holotape {HOLOTAPE_VERSION}, LeRobot format {format}, {fps} fps, features {features}, action {action}, "
        )?;
        write!(f, "tasks {tasks}, task {task:?}, {space}, robot type {robot_type:?}, files of {file_mb} MB")
    }
}
