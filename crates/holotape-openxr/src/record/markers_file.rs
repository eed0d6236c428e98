//! Markers from a file or named pipe that the user writes to.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::log;

/// The longest line; what is longer is cut.
const MAX_LINE_BYTES: usize = 4096;

/// A file whose new lines become markers.
pub(super) struct MarkersFile {
    file: Option<File>,
    /// The beginning of a line whose end is not written yet.
    partial: Vec<u8>,
}

impl MarkersFile {
    /// Opens the file at its end; creates it if it does not exist.
    pub(super) fn open(path: &Path) -> Self {
        let mut options = OpenOptions::new();
        // Reading and writing: a pipe that is opened only for reading ends when its first writer does.
        options.read(true).append(true).create(true);
        // On Windows, pipes have no place in folders, so the path is a file.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
        let opened = options.open(path).map(|mut file| {
            // Fails for a pipe, which has nothing to skip.
            let _ = file.seek(SeekFrom::End(0));
            file
        });
        let failed = |error| log::warn(format_args!("no markers from {}: {error}", path.display()));
        Self { file: opened.map_err(failed).ok(), partial: Vec::new() }
    }

    /// The lines that were completed since the last call, without empty ones.
    pub(super) fn new_lines(&mut self) -> Vec<String> {
        let mut buffer = [0; 1024];
        // An error is mostly an empty pipe. What is read is kept either way.
        while let Some(count) = self.file.as_mut().and_then(|file| file.read(&mut buffer).ok()).filter(|&n| n > 0) {
            self.partial.extend_from_slice(&buffer[..count]);
            if self.partial.len() > (1 << 20) {
                break;
            }
        }
        let Some(end) = self.partial.iter().rposition(|&byte| byte == b'\n') else { return Vec::new() };
        let complete: Vec<u8> = self.partial.drain(..=end).collect();
        let lines = complete.split(|&byte| byte == b'\n').map(|line| &line[..line.len().min(MAX_LINE_BYTES)]);
        let lines = lines.map(|line| String::from_utf8_lossy(line).trim().to_owned());
        lines.filter(|line| !line.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn only_new_and_complete_lines_are_markers() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("markers.txt");
        std::fs::write(&path, "before\n")?;
        let mut markers = MarkersFile::open(&path);
        assert!(markers.new_lines().is_empty());
        let mut file = OpenOptions::new().append(true).open(&path)?;
        file.write_all(b"one\n\ntwo\nthr")?;
        assert_eq!(markers.new_lines(), ["one", "two"]);
        file.write_all(b"ee\n")?;
        assert_eq!(markers.new_lines(), ["three"]);
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn pipe_gives_markers_and_never_blocks() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&path).status()?.success());
        let mut markers = MarkersFile::open(&path);
        assert!(markers.new_lines().is_empty());
        std::fs::write(&path, "first\n")?;
        assert_eq!(markers.new_lines(), ["first"]);
        std::fs::write(&path, "second\n")?;
        assert_eq!(markers.new_lines(), ["second"]);
        Ok(())
    }
}
