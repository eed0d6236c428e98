//! The tables of a recording, and the options for their contents.

use crate::{Space, Timing};

/// One of the two tables of a recording.
///
/// ```
/// assert_eq!(holotape_convert::table::TableKind::default().name(), "frames");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TableKind {
    /// One row per frame: the motion.
    #[default]
    Frames,
    /// One row per key: the complete contents of the file.
    Keys,
}

impl TableKind {
    /// Returns the name: `frames` or `keys`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Frames => "frames",
            Self::Keys => "keys",
        }
    }
}

/// Contents of a table.
///
/// ```
/// use holotape_convert::{Space, Timing};
/// use holotape_convert::table::TableOptions;
///
/// let options = TableOptions::new().with_timing(Timing::Rate(30.0)).with_space(Space::RightHanded);
/// assert_ne!(options, TableOptions::default());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableOptions {
    pub(super) table: TableKind,
    pub(super) timing: Timing,
    pub(super) space: Space,
    pub(super) untracked_poses: bool,
    pub(super) source: Option<String>,
}

impl TableOptions {
    /// Frames at the times of all keys, in Unity's coordinates.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Selects the table.
    #[must_use]
    pub fn with_table(self, table: TableKind) -> Self {
        Self { table, ..self }
    }

    /// Sets the times of frames. A table of keys ignores it.
    #[must_use]
    pub fn with_timing(self, timing: Timing) -> Self {
        Self { timing, ..self }
    }

    /// Sets the coordinate system of the table.
    #[must_use]
    pub fn with_space(self, space: Space) -> Self {
        Self { space, ..self }
    }

    /// Includes poses of hands while they are not tracked. These are interpolated.
    #[must_use]
    pub fn with_untracked_poses(self, untracked_poses: bool) -> Self {
        Self { untracked_poses, ..self }
    }

    /// Sets the name of the source file, for the metadata.
    #[must_use]
    pub fn with_source(self, source: Option<String>) -> Self {
        Self { source, ..self }
    }

    /// Returns the selected table.
    #[must_use]
    pub fn table(&self) -> TableKind {
        self.table
    }
}
