//! Properties of the importers that hold for arbitrary bytes. The fuzz targets and the tests check the same functions.

use std::cell::OnceCell;
use std::fs;
use std::io::Cursor;

use holotape::{ErrorKind, Recording, Result};
use holotape_convert::compression::{Compression, DecompressedReader, salvage};
use holotape_convert::handsbin::{HandsbinOptions, HandsbinVersion};
use holotape_convert::{
    Losses, OpenOptions, Space, aria_mps, csv, egodex, gltf, handsbin, hl2ss, isaac, iwer, parquet, psi,
    stream_recorder, vision_pro,
};
use tempfile::TempDir;

/// Arbitrary bytes are a recording that can be saved and opened again, or an error with a message.
fn is_valid(imported: Result<(Recording, Losses)>) {
    match imported {
        Ok((recording, losses)) => {
            let (bytes, format_losses) = recording.to_vec().expect("fits into its format");
            assert!(format_losses.is_empty(), "{format_losses:?}");
            let (again, _) = Recording::from_slice(&bytes).expect("opens").to_vec().expect("fits into its format");
            assert!(again == bytes, "{} bytes became {}", bytes.len(), again.len());
            assert!(losses.iter().all(|loss| !loss.to_string().is_empty()));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Tables of Aria MPS. Inputs with zero bytes are the tables of a folder: hands, trajectory and gaze, with zeros between.
pub fn aria_mps_imports_are_valid(bytes: &[u8]) {
    thread_local! {
        static FOLDER: OnceCell<TempDir> = const { OnceCell::new() };
    }
    let names = ["hand_tracking_results.csv", "closed_loop_trajectory.csv", "general_eye_gaze.csv"];
    let tables: Vec<_> = bytes.splitn(names.len(), |byte| *byte == 0).collect();
    let [_, _, ..] = tables[..] else { return is_valid(aria_mps::read(bytes)) };
    FOLDER.with(|folder| {
        let folder = folder.get_or_init(|| tempfile::tempdir().expect("a folder")).path();
        for (index, name) in names.into_iter().enumerate() {
            match tables.get(index) {
                Some(table) => fs::write(folder.join(name), table).expect("written"),
                None => drop(fs::remove_file(folder.join(name))),
            }
        }
        is_valid(aria_mps::open(folder));
    });
}

/// Tables as text.
pub fn csv_imports_are_valid(bytes: &[u8]) {
    is_valid(csv::read(bytes, Space::RightHanded));
}

/// HDF5 files of EgoDex.
pub fn egodex_imports_are_valid(bytes: &[u8]) {
    is_valid(egodex::read(bytes));
}

/// Text and binary glTF.
pub fn gltf_imports_are_valid(bytes: &[u8]) {
    is_valid(gltf::read(bytes));
}

/// Unity hand captures. What is read can be written again, in both versions, and read.
pub fn handsbin_imports_are_valid(bytes: &[u8]) {
    let imported = handsbin::read(bytes);
    if let Ok((recording, _)) = &imported {
        for version in HandsbinVersion::ALL {
            let mut written = Vec::new();
            let options = HandsbinOptions::new().with_version(version);
            let _ = handsbin::write(recording, &options, &mut written).expect("written");
            let _ = handsbin::read(&written).expect("reads what was written");
        }
    }
    is_valid(imported);
}

/// Spatial input of hl2ss.
pub fn hl2ss_imports_are_valid(bytes: &[u8]) {
    is_valid(hl2ss::read(bytes));
}

/// Logs of Isaac Teleop.
pub fn isaac_imports_are_valid(bytes: &[u8]) {
    is_valid(isaac::read(bytes));
}

/// WebXR recordings of Isaac Teleop.
pub fn isaac_webxr_imports_are_valid(bytes: &[u8]) {
    is_valid(isaac::read_webxr(bytes));
}

/// Action recordings of IWER.
pub fn iwer_imports_are_valid(bytes: &[u8]) {
    is_valid(iwer::read(bytes));
}

/// Compressed tables.
pub fn parquet_imports_are_valid(bytes: &[u8]) {
    is_valid(parquet::read(bytes, Space::Unity));
}

/// Streams of psi. The file name tells that a stream is of a hand, so these are read from a file.
pub fn psi_imports_are_valid(bytes: &[u8]) {
    thread_local! {
        static FOLDER: OnceCell<TempDir> = const { OnceCell::new() };
    }
    let imported = psi::read(bytes);
    let is_hand = imported.as_ref().is_err_and(|error| error.to_string().contains("Left.txt"));
    is_valid(imported);
    if is_hand {
        FOLDER.with(|folder| {
            let path = folder.get_or_init(|| tempfile::tempdir().expect("a folder")).path().join("Left.txt");
            fs::write(&path, bytes).expect("written");
            is_valid(psi::open(&path));
        });
    }
}

/// Tables of StreamRecorder.
pub fn stream_recorder_imports_are_valid(bytes: &[u8]) {
    is_valid(stream_recorder::read(bytes));
}

/// Tracking files of a Vision Pro.
pub fn vision_pro_imports_are_valid(bytes: &[u8]) {
    is_valid(vision_pro::read(bytes));
}

/// Files of any format, detected by content.
pub fn detected_imports_are_valid(bytes: &[u8]) {
    // The memory for the contents of a compressed file depends on this limit, not on the size of the file.
    let is_compressed = Compression::detect(bytes).is_compressed();
    let options = if is_compressed { limited() } else { OpenOptions::new() };
    is_valid(options.from_slice(bytes).map(|imported| (imported.recording, imported.losses)));
}

/// The limit for the contents of compressed files.
const MAX_BYTES: u64 = 1 << 20;

fn limited() -> OpenOptions {
    OpenOptions::new().with_max_recording_bytes(MAX_BYTES)
}

/// Compressed files: all ways to decompress agree, and any contents survive compression.
pub fn compressed_imports_are_valid(bytes: &[u8]) {
    is_valid(limited().from_slice(bytes).map(|imported| (imported.recording, imported.losses)));
    let read = DecompressedReader::new(Cursor::new(bytes), MAX_BYTES);
    match salvage(bytes, MAX_BYTES) {
        Ok(salvaged) => match salvaged.error {
            None => assert!(read.expect("complete").into_bytes().expect("readable") == *salvaged.bytes),
            Some(error) => {
                let other = read.err().expect("an error");
                // Close to the limit, the size of reads decides which error comes first.
                assert!(other.kind() == ErrorKind::LimitExceeded || other.to_string() == error.to_string());
            }
        },
        Err(error) => assert_eq!(error.kind(), ErrorKind::LimitExceeded),
    }
    for compression in [Compression::Gzip, Compression::Zstd] {
        let mut file = Vec::new();
        compression.write(&mut file, |out| Ok(out.write_all(bytes)?)).expect("written");
        let salvaged = salvage(&file, MAX_BYTES.max(bytes.len() as u64)).expect("within the limit");
        assert!(salvaged.error.is_none() && *salvaged.bytes == *bytes);
        file.truncate(file.len() / 2);
        let part = salvage(&file, MAX_BYTES.max(bytes.len() as u64)).expect("within the limit");
        assert!(bytes.starts_with(&part.bytes) || !part.compression.is_compressed());
    }
}
