//! Finds the stream files of a folder.

use std::path::{Path, PathBuf};

use holotape::{Error, ErrorKind, Hand, Result};

/// The body part of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StreamKind {
    Head,
    Eyes,
    Hand(Hand),
}

impl StreamKind {
    const ALL: [Self; 4] = [Self::Head, Self::Eyes, Self::Hand(Hand::Left), Self::Hand(Hand::Right)];

    /// The folder, the file name, and the name in messages. HoloAssist appends `_sync` to the file name.
    const fn names(self) -> [&'static str; 3] {
        match self {
            Self::Head => ["Head", "Head", "the head"],
            Self::Eyes => ["Eyes", "Eyes", "the gaze"],
            Self::Hand(Hand::Left) => ["Hands", "Left", "the left hand"],
            Self::Hand(Hand::Right) => ["Hands", "Right", "the right hand"],
        }
    }

    pub(super) const fn name(self) -> &'static str {
        self.names()[2]
    }

    fn from_file_name(path: &Path) -> Option<Self> {
        let stem = path.file_stem()?.to_str()?;
        let name = stem.strip_suffix("_sync").unwrap_or(stem);
        Self::ALL.into_iter().find(|kind| kind.names()[1].eq_ignore_ascii_case(name))
    }
}

pub(super) struct StreamFile {
    pub(super) path: PathBuf,
    /// The kind by file name.
    pub(super) kind: Option<StreamKind>,
}

/// Returns the stream files of a folder; or the path itself if it is a file.
pub(super) fn find(path: &Path) -> Result<Vec<StreamFile>> {
    if !path.is_dir() {
        return Ok(vec![StreamFile { path: path.to_owned(), kind: StreamKind::from_file_name(path) }]);
    }
    let folders = [path.to_owned(), path.join("Export_py")];
    let found = folders.iter().map(|folder| find_in(folder)).find(|files| !files.is_empty());
    found.ok_or_else(|| {
        let message = "not the folder of a recording: expected Head/Head.txt, Eyes/Eyes.txt, Hands/Left.txt or \
                       Hands/Right.txt of psi, also with _sync, here or in Export_py; tables of Aria MPS; or \
                       tracking.jsonl of a Vision Pro";
        Error::new(ErrorKind::NotARecording, message).with_path(path)
    })
}

fn find_in(folder: &Path) -> Vec<StreamFile> {
    let file = |kind: StreamKind| {
        let [folder_name, name, _] = kind.names();
        let paths = ["", "_sync"].map(|suffix| folder.join(folder_name).join(format!("{name}{suffix}.txt")));
        let path = paths.into_iter().find(|path| path.is_file())?;
        Some(StreamFile { path, kind: Some(kind) })
    };
    StreamKind::ALL.into_iter().filter_map(file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_determine_the_stream() {
        let kind = |path: &str| StreamKind::from_file_name(Path::new(path));
        assert_eq!(kind("z013/Export_py/Hands/Left_sync.txt"), Some(StreamKind::Hand(Hand::Left)));
        assert_eq!(kind("right.txt"), Some(StreamKind::Hand(Hand::Right)));
        assert_eq!(kind("Eyes/Eyes.txt"), Some(StreamKind::Eyes));
        assert_eq!(kind("Head.txt"), Some(StreamKind::Head));
        assert_eq!(["Video/Pose_sync.txt", "", "Lefty.txt"].map(kind), [None; 3]);
    }
}
