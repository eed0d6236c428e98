//! Finds the tables of a recording in a folder.

use std::path::{Path, PathBuf};

use holotape::{Error, ErrorKind, Result};

/// A table of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableKind {
    Hands,
    Trajectory,
    Gaze,
}

impl TableKind {
    /// The first table that a recording has stands for it in a list of files.
    const ALL: [Self; 3] = [Self::Hands, Self::Trajectory, Self::Gaze];

    /// The names of its file, the preferred one first: poses without drift, and a gaze that was calibrated.
    const fn file_names(self) -> &'static [&'static str] {
        match self {
            Self::Hands => &["hand_tracking_results.csv"],
            Self::Trajectory => &["closed_loop_trajectory.csv", "open_loop_trajectory.csv"],
            Self::Gaze => &[
                "personalized_eye_gaze.csv",
                "calibrated_eye_gaze.csv",
                "general_eye_gaze.csv",
                "generalized_eye_gaze.csv",
            ],
        }
    }

    /// The names of its folder.
    const fn folder_names(self) -> &'static [&'static str] {
        match self {
            Self::Hands => &["hand_tracking"],
            Self::Trajectory => &["slam", "trajectory"],
            Self::Gaze => &["eye_gaze"],
        }
    }

    fn from_file_name(path: &Path) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.file_names().iter().any(|name| path.ends_with(name)))
    }

    /// The file of this table in the folder of a recording.
    fn find_in(self, root: &Path) -> Option<PathBuf> {
        let folders = || self.folder_names().iter().map(|folder| root.join(folder)).chain([root.to_owned()]);
        let mut paths = self.file_names().iter().flat_map(|name| folders().map(move |folder| folder.join(name)));
        paths.find(|path| path.is_file())
    }
}

/// The files of a folder, the one that stands for the recording first.
pub(super) fn find(folder: &Path) -> Result<Vec<PathBuf>> {
    // The folder of one table stands for the recording, as a table does.
    let roots = [root(&folder.join("x")), folder.join("mps")];
    let found = roots.iter().map(|root| find_in(root)).find(|paths| !paths.is_empty());
    found.ok_or_else(|| {
        let message = "not an MPS folder: expected hand_tracking/hand_tracking_results.csv, \
                       slam/closed_loop_trajectory.csv or eye_gaze/general_eye_gaze.csv, here or in mps";
        Error::new(ErrorKind::NotARecording, message).with_path(folder)
    })
}

/// Whether a folder has a table.
pub(crate) fn is_folder(folder: &Path) -> bool {
    find(folder).is_ok()
}

/// The other tables of the recording to which a file belongs; none if its name is not that of a table.
pub(crate) fn other_tables(path: &Path) -> Vec<PathBuf> {
    let Some(kind) = TableKind::from_file_name(path) else { return Vec::new() };
    let root = root(path);
    TableKind::ALL.into_iter().filter(|other| *other != kind).filter_map(|other| other.find_in(&root)).collect()
}

/// Whether a file belongs to a recording for which another file stands.
pub(crate) fn is_part(path: &Path) -> bool {
    let root = root(path);
    let is_table = TableKind::from_file_name(path).is_some();
    let is_other = ["wrist_and_palm_poses.csv", "summary.json"].iter().any(|name| path.ends_with(name))
        || path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("vrs_health_check"));
    (is_table || is_other) && find_in(&root).first().is_some_and(|first| first != path)
}

fn find_in(root: &Path) -> Vec<PathBuf> {
    TableKind::ALL.into_iter().filter_map(|kind| kind.find_in(root)).collect()
}

/// The folder of the recording to which a file belongs.
fn root(path: &Path) -> PathBuf {
    let folder = path.parent().unwrap_or(Path::new(""));
    let is_table_folder = TableKind::ALL.iter().flat_map(|kind| kind.folder_names()).any(|name| folder.ends_with(name));
    match folder.parent() {
        // The folder of a file in the current folder is empty, and its parent has no name.
        Some(parent) if is_table_folder => parent.to_owned(),
        _ => folder.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        folder
    }

    #[test]
    fn tables_are_found_in_all_layouts() {
        let layouts: [&[&str]; 4] = [
            &["hand_tracking/hand_tracking_results.csv", "slam/closed_loop_trajectory.csv"],
            &["hand_tracking_results.csv", "closed_loop_trajectory.csv"],
            &["mps/hand_tracking/hand_tracking_results.csv", "mps/slam/closed_loop_trajectory.csv"],
            &["hand_tracking/hand_tracking_results.csv", "trajectory/closed_loop_trajectory.csv"],
        ];
        for files in layouts {
            let folder = folder(files);
            let expected: Vec<_> = files.iter().map(|file| folder.path().join(file)).collect();
            assert_eq!(find(folder.path()).unwrap(), expected);
            assert_eq!(find(expected[0].parent().unwrap()).unwrap(), expected);
            assert_eq!(other_tables(&expected[0]), expected[1..]);
            assert!(!is_part(&expected[0]) && is_part(&expected[1]));
        }
        assert!(find(folder(&["closed.csv"]).path()).is_err());
    }

    #[test]
    fn preferred_tables_come_first() {
        let folder = folder(&[
            "eye_gaze/general_eye_gaze.csv",
            "eye_gaze/personalized_eye_gaze.csv",
            "eye_gaze/summary.json",
            "slam/open_loop_trajectory.csv",
        ]);
        let at = |name: &str| folder.path().join(name);
        let expected = [at("slam/open_loop_trajectory.csv"), at("eye_gaze/personalized_eye_gaze.csv")];
        assert_eq!(find(folder.path()).unwrap(), expected);
        assert!(is_part(&at("eye_gaze/general_eye_gaze.csv")) && is_part(&at("eye_gaze/summary.json")));
        assert!(!is_part(&at("eye_gaze/other.json")) && !is_part(&at("slam/open_loop_trajectory.csv")));
    }
}
