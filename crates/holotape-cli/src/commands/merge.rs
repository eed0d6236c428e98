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
        let [left, right] = [&args.left, &args.right].map(|hand| hand.as_ref().or(args.hands.as_ref()));
        let sources = [args.camera.as_ref(), left, right, args.gaze.as_ref()];
        // Read each file once: otherwise its markers would be duplicated, and standard input is not readable twice.
        let mut recordings = HashMap::new();
        for path in sources.into_iter().flatten().chain(&args.markers) {
            if let Entry::Vacant(vacant) = recordings.entry(canonical_path(path)) {
                vacant.insert(input::recording(path)?);
            }
        }
        let recording = |path: &PathBuf| recordings.get(&canonical_path(path));
        note_missing_channels(sources, recording, diagnostics);
        let [camera, left, right, gaze] = sources.map(|path| path.and_then(recording));
        let mut options = MergeOptions::new();
        options = camera.into_iter().fold(options, MergeOptions::with_camera);
        options = left.into_iter().fold(options, |options, left| options.with_hand(Hand::Left, left));
        options = right.into_iter().fold(options, |options, right| options.with_hand(Hand::Right, right));
        options = gaze.into_iter().fold(options, MergeOptions::with_gaze);
        if !args.markers.is_empty() {
            options = options.with_markers(&args.markers.iter().filter_map(recording).collect::<Vec<_>>());
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
    sources: [Option<&PathBuf>; 4],
    recording: impl Fn(&PathBuf) -> Option<&'a Recording>,
    diagnostics: &mut Diagnostics,
) {
    for (path, name) in sources.into_iter().zip(["head", "left hand", "right hand", "gaze"]) {
        let is_missing = |recording: &Recording| match name {
            "head" => recording.camera.is_none(),
            "gaze" => recording.gaze.is_none(),
            _ => recording.hands.is_none(),
        };
        let Some(path) = path.filter(|path| recording(path).is_some_and(is_missing)) else { continue };
        diagnostics.note("warning", format!("{} has no {name}", input::display_path(path).display()));
    }
}
