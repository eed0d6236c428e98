//! The native half of the Python package `holotape`. The public half, with types and documentation, is `python/holotape`.

#![warn(unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod corpus;
mod edit;
mod error;
mod frame;
mod frames;
mod keys;
mod openxr;
mod parse;
mod player;
mod recorder;
mod recording;
mod report;
mod sample;
mod table;
mod write;

use mimalloc::MiMalloc;
use pyo3::prelude::*;

/// The system's allocator returns large blocks to the kernel at once. Requesting the pages again takes longer than reading
/// and sampling a recording.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The native half of holotape.
#[pymodule]
mod _holotape {
    #[pymodule_export]
    use crate::corpus::{
        FileIndexCache, Scan, TableSchema, build_dataset, build_lerobot, dataset_files, find_recordings,
    };
    #[pymodule_export]
    use crate::edit::{concat, merge};
    #[pymodule_export]
    use crate::frames::from_frames;
    #[pymodule_export]
    use crate::keys::Keys;
    #[pymodule_export]
    use crate::openxr::{openxr_library, openxr_record_env, openxr_replay_env, openxr_reports};
    #[pymodule_export]
    use crate::player::Player;
    #[pymodule_export]
    use crate::recorder::{Recorder, journal_path, recover};
    #[pymodule_export]
    use crate::recording::{Recording, demo, from_bytes, joints, open_path};
    #[pymodule_export]
    use crate::report::{check_bytes, diff, salvage};
    #[pymodule_export]
    use crate::table::TableStream;
    #[pymodule_export]
    use crate::write::{WriteOptions, file_formats};
}
