//! `holotape markers list | add | remove | move`

use clap::{ArgGroup, Args, Subcommand};
use holotape::{Error, Marker, Markers, Recording};
use serde::Serialize;

use crate::args::parse_marker_time;
use crate::batch::InputArgs;
use crate::failure::{Failure, Outcome};
use crate::input;
use crate::output;
use crate::rewrite::{Diagnostics, RewriteArgs};
use crate::table::escape_for_terminal;

/// List, add, remove or move markers, the named points in time of a recording
#[derive(Debug, Args)]
pub struct MarkersArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List(ListArgs),
    Add(AddArgs),
    Remove(RemoveArgs),
    Move(MoveArgs),
}

/// Show the markers of recordings, with the indices for `remove` and `move`
#[derive(Debug, Args)]
struct ListArgs {
    #[command(flatten)]
    input: InputArgs,
}

/// Add a marker
#[derive(Debug, Args)]
#[command(override_usage = usage("add"))]
struct AddArgs {
    /// Time of the marker
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = parse_marker_time)]
    at: f32,

    /// Name of the marker
    #[arg(long, value_parser = parse_marker_name)]
    name: String,

    #[command(flatten)]
    rewrite: RewriteArgs,
}

/// Remove markers by index or name
#[derive(Debug, Args)]
#[command(override_usage = usage("remove"), group(ArgGroup::new("which").required(true).args(["index", "name", "all"])))]
struct RemoveArgs {
    /// Remove the marker with this index, counted from 0
    #[arg(long)]
    index: Option<usize>,

    /// Remove all markers with this name
    #[arg(long)]
    name: Option<String>,

    /// Remove all markers
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    rewrite: RewriteArgs,
}

/// Move a marker to another time
#[derive(Debug, Args)]
#[command(override_usage = usage("move"), group(ArgGroup::new("which").required(true).args(["index", "name"])))]
struct MoveArgs {
    /// Index of the marker, counted from 0
    #[arg(long)]
    index: Option<usize>,

    /// Name of the marker, if it is unique
    #[arg(long)]
    name: Option<String>,

    /// New time of the marker
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = parse_marker_time)]
    at: f32,

    #[command(flatten)]
    rewrite: RewriteArgs,
}

fn usage(action: &str) -> String {
    crate::rewrite::usage(&format!("markers {action}"))
}

pub fn run(args: &MarkersArgs) -> Result<Outcome, Failure> {
    match &args.action {
        Action::List(args) => list(args),
        Action::Add(args) => args.rewrite.edit(|mut recording, diagnostics| {
            note_unplayed(args.at, &recording, diagnostics);
            recording.markers.add(args.at, args.name.as_str());
            // Without a marker list, the file could not represent the marker.
            recording.format.marker_list = true;
            Ok(recording)
        }),
        Action::Remove(args) => args.rewrite.edit(|mut recording, _| {
            remove(args, &mut recording.markers)?;
            Ok(recording)
        }),
        Action::Move(args) => args.rewrite.edit(|mut recording, diagnostics| {
            note_unplayed(args.at, &recording, diagnostics);
            let index = single_marker(args.index, args.name.as_deref(), &recording.markers)?;
            recording.markers.move_to(index, args.at);
            Ok(recording)
        }),
    }
}

fn parse_marker_name(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("must not be empty".to_owned()) } else { Ok(text.to_owned()) }
}

/// Warns about a time after the end: the file can have such a marker, but playback never passes it.
fn note_unplayed(time: f32, recording: &Recording, diagnostics: &mut Diagnostics) {
    let duration_secs = recording.duration_secs();
    if time > duration_secs {
        let message =
            format!("the marker at {time} s is after the end of the recording, which lasts {duration_secs} s");
        diagnostics.note("warning", message);
    }
}

#[derive(Serialize)]
struct ListJson<'a> {
    file: &'a str,
    markers: &'a [Marker],
}

fn list(args: &ListArgs) -> Result<Outcome, Failure> {
    args.input.each_file(
        |path| Ok(input::summary(path)?.summary.markers),
        |out, file, markers| {
            if args.input.json {
                return Ok(output::write_json(out, &ListJson { file, markers: &markers })?);
            }
            if args.input.files.len() > 1 {
                writeln!(out, "{}", escape_for_terminal(file, usize::MAX))?;
            }
            for (index, marker) in markers.iter().enumerate() {
                let name = escape_for_terminal(&marker.name, usize::MAX);
                writeln!(out, "{index:>5}  {:>10.3} s  {name}", marker.time)?;
            }
            Ok(())
        },
    )
}

fn remove(args: &RemoveArgs, markers: &mut Markers) -> Result<(), Failure> {
    if args.all {
        *markers = Markers::new();
        return Ok(());
    }
    let Some(name) = &args.name else {
        markers.remove(single_marker(args.index, None, markers)?);
        return Ok(());
    };
    let kept: Markers = markers.iter().filter(|marker| marker.name != *name).cloned().collect();
    if kept.len() == markers.len() {
        return Err(marker_not_found(&format!("with the name {name:?}")));
    }
    *markers = kept;
    Ok(())
}

/// Returns the index of the marker with this index or name.
fn single_marker(index: Option<usize>, name: Option<&str>, markers: &[Marker]) -> Result<usize, Failure> {
    let is_selected = |(at, marker): &(usize, &Marker)| match name {
        Some(name) => marker.name == name,
        None => Some(*at) == index,
    };
    let mut selected = markers.iter().enumerate().filter(is_selected).map(|(at, _)| at);
    match (selected.next(), selected.count()) {
        (Some(at), 0) => Ok(at),
        (Some(_), others) => Err(Failure::Usage(format!(
            "{} markers have this name; select one with --index, see `holotape markers list`",
            others + 1
        ))),
        (None, _) => Err(marker_not_found(&match (name, index) {
            (Some(name), _) => format!("with the name {name:?}"),
            (None, index) => format!("with index {}; the recording has {}", index.unwrap_or_default(), markers.len()),
        })),
    }
}

fn marker_not_found(which: &str) -> Failure {
    Failure::Failed(Error::invalid_argument(format!("no marker {which}")))
}
