//! Which files of a folder hold which streams.

use std::path::{Path, PathBuf};

use holotape::{Error, ErrorKind, Hand, Result};

/// What a stream is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StreamKind {
    Head,
    Eyes,
    Hand(Hand),
}

impl StreamKind {
    const ALL: [Self; 4] = [Self::Head, Self::Eyes, Self::Hand(Hand::Left), Self::Hand(Hand::Right)];

    /// The folder and the name of its file, which HoloAssist writes with `_sync` behind it.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Head => ("Head", "Head"),
            Self::Eyes => ("Eyes", "Eyes"),
            Self::Hand(Hand::Left) => ("Hands", "Left"),
            Self::Hand(Hand::Right) => ("Hands", "Right"),
        }
    }

    /// What it is in words.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Head => "the head",
            Self::Eyes => "the eyes",
            Self::Hand(Hand::Left) => "the left hand",
            Self::Hand(Hand::Right) => "the right hand",
        }
    }

    fn of_file(path: &Path) -> Option<Self> {
        let stem = path.file_stem()?.to_str()?;
        let name = stem.strip_suffix("_sync").unwrap_or(stem);
        Self::ALL.into_iter().find(|content| content.names().1.eq_ignore_ascii_case(name))
    }
}

pub(super) struct StreamFile {
    pub(super) path: PathBuf,
    /// What the name says.
    pub(super) content: Option<StreamKind>,
}

/// The files of a folder that hold streams, or the one file that is meant.
pub(super) fn find(path: &Path) -> Result<Vec<StreamFile>> {
    if !path.is_dir() {
        return Ok(vec![StreamFile { path: path.to_owned(), content: StreamKind::of_file(path) }]);
    }
    let folders = [path.to_owned(), path.join("Export_py")];
    let found = folders.iter().map(|folder| find_in(folder)).find(|files| !files.is_empty());
    found.ok_or_else(|| {
        let message = "no streams of psi or HoloAssist are in this folder: neither Head/Head.txt, Eyes/Eyes.txt, \
                       Hands/Left.txt nor Hands/Right.txt, nor these with _sync, nor any in Export_py";
        Error::new(ErrorKind::NotARecording, message).with_path(path)
    })
}

fn find_in(folder: &Path) -> Vec<StreamFile> {
    let file = |content: StreamKind| {
        let (folder_name, name) = content.names();
        let paths = ["", "_sync"].map(|end| folder.join(folder_name).join(format!("{name}{end}.txt")));
        let path = paths.into_iter().find(|path| path.is_file())?;
        Some(StreamFile { path, content: Some(content) })
    };
    StreamKind::ALL.into_iter().filter_map(file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_stream() {
        let content = |path: &str| StreamKind::of_file(Path::new(path));
        assert_eq!(content("z013/Export_py/Hands/Left_sync.txt"), Some(StreamKind::Hand(Hand::Left)));
        assert_eq!(content("right.txt"), Some(StreamKind::Hand(Hand::Right)));
        assert_eq!(content("Eyes/Eyes.txt"), Some(StreamKind::Eyes));
        assert_eq!(content("Head.txt"), Some(StreamKind::Head));
        assert_eq!(["Video/Pose_sync.txt", "", "Lefty.txt"].map(content), [None; 3]);
    }
}
