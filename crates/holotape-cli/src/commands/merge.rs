//! `holotape merge OUT`

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use holotape::edit::{self, MergeOptions};
use holotape::{Hand, Recording};

use crate::failure::{Failure, Outcome};
use crate::input;
use crate::rewrite::{Diagnostics, WriteArgs};

/// Combine channels of several recordings
///
/// Channels that are not named are absent from the output. Markers come from all recordings, unless --markers is given.
#[derive(Debug, Args)]
#[command(group(
    ArgGroup::new("sources").required(true).multiple(true).args(["camera", "hands", "left", "right", "gaze"])
))]
pub struct MergeArgs {
    /// File to write, .bin or .json; - for standard output
    #[arg(value_name = "OUT")]
    output: PathBuf,

    /// Recording to take the head from
    #[arg(long, value_name = "FILE")]
    camera: Option<PathBuf>,

    /// Recording to take both hands from
    #[arg(long, value_name = "FILE")]
    hands: Option<PathBuf>,

    /// Recording to take the left hand from
    #[arg(long, value_name = "FILE", conflicts_with = "hands")]
    left: Option<PathBuf>,

    /// Recording to take the right hand from
    #[arg(long, value_name = "FILE", conflicts_with = "hands")]
    right: Option<PathBuf>,

    /// Recording to take the gaze from
    #[arg(long, value_name = "FILE")]
    gaze: Option<PathBuf>,

    /// Recording to take the markers from; repeatable
    #[arg(long, value_name = "FILE")]
    markers: Vec<PathBuf>,

    #[command(flatten)]
    write: WriteArgs,
}

pub fn run(args: &MergeArgs) -> Result<Outcome, Failure> {
    args.write.write_new(&args.output, |diagnostics| {
        let sources = [&args.camera, &args.hands, &args.left, &args.right, &args.gaze].into_iter().flatten();
        // Read each file once: otherwise its markers would be duplicated, and standard input is not readable twice.
        let mut recordings = HashMap::new();
        for path in sources.chain(&args.markers) {
            if let Entry::Vacant(vacant) = recordings.entry(canonical_path(path)) {
                vacant.insert(input::recording(path)?);
            }
        }
        let recording = |path: &Option<PathBuf>| path.as_ref().and_then(|path| recordings.get(&canonical_path(path)));
        note_missing_channels(args, recording, diagnostics);
        let mut options = MergeOptions::new();
        if let Some(recording) = recording(&args.camera) {
            options = options.with_camera(recording);
        }
        if let Some(recording) = recording(&args.hands) {
            options = options.with_hands(recording);
        }
        for (hand, path) in [(Hand::Left, &args.left), (Hand::Right, &args.right)] {
            if let Some(recording) = recording(path) {
                options = options.with_hand(hand, recording);
            }
        }
        if let Some(recording) = recording(&args.gaze) {
            options = options.with_gaze(recording);
        }
        if !args.markers.is_empty() {
            options = options.with_markers(
                &args.markers.iter().filter_map(|path| recordings.get(&canonical_path(path))).collect::<Vec<_>>(),
            );
        }
        Ok(edit::merge(&options))
    })
}

/// Returns one path for all paths to the same file.
fn canonical_path(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Warns about channels that their recording does not have.
fn note_missing_channels<'a>(
    args: &MergeArgs,
    recording: impl Fn(&Option<PathBuf>) -> Option<&'a Recording>,
    diagnostics: &mut Diagnostics,
) {
    let has_hands = |path| recording(path).is_none_or(|recording| recording.hands.is_some());
    let parts = [
        ("head", &args.camera, recording(&args.camera).is_none_or(|recording| recording.camera.is_some())),
        ("hands", &args.hands, has_hands(&args.hands)),
        ("left hand", &args.left, has_hands(&args.left)),
        ("right hand", &args.right, has_hands(&args.right)),
        ("gaze", &args.gaze, recording(&args.gaze).is_none_or(|recording| recording.gaze.is_some())),
    ];
    for (part, path, _) in parts.into_iter().filter(|(_, _, is_present)| !is_present) {
        let path = path.as_deref().map(input::display_path).unwrap_or_default();
        diagnostics.note("warning", format!("{} has no {part}", path.display()));
    }
}
