//! What can be asked for.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::output::FileKind;

/// XR input recordings: look into them, sample them, convert them.
///
/// Works on MRTK input animations of every version and layout (.bin) and on holotape's lossless JSON documents
/// (.json), told apart by content. `-` is standard input or output.
///
/// Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but something was lost.
#[derive(Debug, Parser)]
#[command(name = "holotape", version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Info(InfoArgs),
    Sample(SampleArgs),
    Convert(ConvertArgs),
    Demo(DemoArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Show what is in recordings, without reading their keys
///
/// Version, layout and who writes it, channels, duration, key counts and rates, when the hands were tracked and pinched,
/// markers. Takes milliseconds however long a recording is: only curve headers, the ends of curves and the flags are
/// read.
#[derive(Debug, Args)]
pub struct InfoArgs {
    /// Recordings; - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// One JSON object a file and line
    #[arg(long)]
    pub json: bool,
}

/// Evaluate a recording at given times
///
/// A frame is one instant of everything: camera, gaze, both hands with their joints. Rotations and directions are
/// normalised, and what is absent is left out, the joints of an untracked hand too. With --raw, the curves' own values
/// come out instead, by name.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("times").required(true).args(["at", "rate"])))]
pub struct SampleArgs {
    /// A recording; - for standard input
    pub file: PathBuf,

    /// Times in seconds, separated by commas
    #[arg(
        long,
        value_name = "SECONDS",
        value_delimiter = ',',
        allow_hyphen_values = true,
        value_parser = finite
    )]
    pub at: Vec<f64>,

    /// So many times a second, from start to end
    #[arg(long, value_name = "HZ", value_parser = positive)]
    pub rate: Option<f64>,

    /// With --rate: begin here instead of at 0
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = finite, conflicts_with = "at")]
    pub from: Option<f64>,

    /// With --rate: end here instead of at the end of the recording
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = finite, conflicts_with = "at")]
    pub to: Option<f64>,

    /// The values of the curves, by name, before any normalisation
    #[arg(long)]
    pub raw: bool,

    /// Poses of hands where they were not tracked, too: nobody recorded them, they are interpolated
    #[arg(long, conflicts_with = "raw")]
    pub untracked: bool,

    /// How to print: ndjson unless given, or json with --raw
    #[arg(long, value_enum)]
    pub format: Option<SampleFormat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SampleFormat {
    /// One document
    Json,
    /// One object a line
    Ndjson,
    /// One row a time, with a header of curve names
    Csv,
}

/// Convert between the layouts of .bin files and lossless JSON
///
/// What the target cannot hold (gaze in version 1.0, tangents in compact keys, markers without a marker list) is told
/// on stderr, and the exit code is 3.
#[derive(Debug, Args)]
#[command(disable_version_flag = true)]
pub struct ConvertArgs {
    /// The recording to read; - for standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,

    /// The file to write, .bin or .json; - for standard output
    #[arg(value_name = "OUT")]
    pub output: PathBuf,

    /// What to write, whatever the name of OUT
    #[arg(long, value_enum)]
    pub to: Option<FileKind>,

    /// The version to write; as read unless given
    #[arg(long, value_enum)]
    pub version: Option<VersionArg>,

    /// The keys to write; as read unless given, where the version has them. MRTK 2.6 to 2.8 read compact 1.1 only
    #[arg(long, value_enum)]
    pub keys: Option<KeysArg>,

    /// Write a marker list, if only an empty one. Done anyway where version or keys change, because MRTK expects one
    #[arg(long)]
    pub markers: bool,

    /// Write no marker list, as the published specification has it
    #[arg(long, conflicts_with = "markers")]
    pub no_markers: bool,

    /// Fail, and write nothing, if anything would be lost
    #[arg(long)]
    pub strict: bool,

    /// Replace OUT if it is there
    #[arg(long)]
    pub force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VersionArg {
    /// As MRTK 2.0 to 2.5
    #[value(name = "1.0")]
    V1_0,
    /// As MRTK 2.6 to 2.8
    #[value(name = "1.1")]
    V1_1,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum KeysArg {
    /// Tangents and weights, 28 bytes a key
    Full,
    /// Straight lines, 8 bytes a key
    Compact,
}

/// Make a recording of synthetic motion and show what is in it
///
/// A head, two hands and a pair of eyes: the hands reach, pinch, point and wave, the head follows, the eyes jump. The
/// same seed gives the same motion.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// The file to write, .json for a JSON document; - for standard output
    #[arg(value_name = "OUT", default_value = "demo.bin")]
    pub output: PathBuf,

    /// Which motion
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// How long
    #[arg(long, default_value_t = 12.0, allow_hyphen_values = true)]
    pub seconds: f64,

    /// Frames a second
    #[arg(long, value_name = "HZ", default_value_t = 60.0)]
    pub rate: f64,

    /// Replace OUT if it is there and something else
    #[arg(long)]
    pub force: bool,
}

/// Print a completion script for a shell
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// For which shell
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Print the manual page, or write the pages of all commands
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "DIR")]
    pub out_dir: Option<PathBuf>,
}

fn finite(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err("not a number of seconds".to_owned()),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(number),
        _ => Err("not a number above 0".to_owned()),
    }
}
