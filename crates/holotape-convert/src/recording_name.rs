//! Which files of a folder are recordings, by their names.

use std::path::{Path, PathBuf};

use crate::{FileFormat, aria_mps, vision_pro};

/// Whether the name of a file is that of a recording in a folder of recordings.
///
/// It has the extension of a readable format that can be written (`.bin`, `.json`, `.csv` …), or is the file of another
/// system: `.hdf5` of EgoDex, `tracking.jsonl` of a Vision Pro, a table of Aria MPS. If a recording consists of several
/// files, only one of them counts, and files that describe a recording do not.
///
/// ```
/// use holotape_convert::is_recording_name;
///
/// assert!(is_recording_name("p01/reach.bin") && is_recording_name("fold/0.hdf5"));
/// assert!(is_recording_name("p01/tracking.jsonl") && !is_recording_name("p01/log.jsonl"));
/// ```
#[must_use]
pub fn is_recording_name(path: impl AsRef<Path>) -> bool {
    let path = path.as_ref();
    let is_named = |name: &str| path.ends_with(name);
    if is_named(vision_pro::FILE_NAME) {
        return true;
    }
    if is_named(vision_pro::METADATA_NAME) && path.with_file_name(vision_pro::FILE_NAME).is_file() {
        return false;
    }
    let has_extension = |extension: &str| path.extension().is_some_and(|other| other.eq_ignore_ascii_case(extension));
    let is_readable = FileFormat::from_path(path).is_some_and(FileFormat::can_read);
    (is_readable || has_extension(FileFormat::Egodex.extension())) && !aria_mps::is_part(path)
}

/// The other files of the recording to which a file belongs: the other tables of Aria MPS, the metadata of a Vision Pro.
/// Their contents are part of the recording.
///
/// ```
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/import/aria_mps");
/// let hands = std::path::Path::new(folder).join("hand_tracking/hand_tracking_results.csv");
/// assert_eq!(holotape_convert::other_files(hands).len(), 2);
/// assert!(holotape_convert::other_files("reach.bin").is_empty());
/// ```
#[must_use]
pub fn other_files(path: impl AsRef<Path>) -> Vec<PathBuf> {
    let path = path.as_ref();
    if path.ends_with(vision_pro::FILE_NAME) {
        return Some(vision_pro::metadata_path(path)).filter(|path| path.is_file()).into_iter().collect();
    }
    aria_mps::other_tables(path)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn one_file_stands_for_a_recording_of_several() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let recordings =
            ["a.bin", "b.json", "c.HDF5", "avp/tracking.jsonl", "mps/hand_tracking/hand_tracking_results.csv"];
        let others = [
            "avp/metadata.json",
            "avp/log.jsonl",
            "mps/slam/closed_loop_trajectory.csv",
            "mps/slam/online_calibration.jsonl",
            "mps/slam/summary.json",
            "mps/eye_gaze/general_eye_gaze.csv",
            "mps/vrs_health_check.json",
            "d.txt",
        ];
        for name in recordings.iter().chain(&others) {
            fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            fs::write(at(name), "").unwrap();
        }
        for name in recordings {
            assert!(is_recording_name(at(name)), "{name}");
        }
        for name in others {
            assert!(!is_recording_name(at(name)), "{name}");
        }
        assert!(is_recording_name(at("b/metadata.json")) && is_recording_name(at("b/summary.json")));
        assert_eq!(other_files(at("avp/tracking.jsonl")), [at("avp/metadata.json")]);
        assert_eq!(other_files(at("mps/hand_tracking/hand_tracking_results.csv")).len(), 2);
    }
}
