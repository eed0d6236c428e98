//! `holotape markers list | add | remove | move`

use std::io::Write;

use clap::{ArgGroup, Args, Subcommand};
use holotape::{Marker, Markers};
use serde::Serialize;

use crate::args::parse_file_time;
use crate::batch::InputArgs;
use crate::failure::{Failure, Outcome};
use crate::input;
use crate::output;
use crate::rewrite::RewriteArgs;
use crate::table::escape_for_terminal;

/// List, add, remove or move markers: named moments of a recording
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

/// Show the markers of recordings, with the numbers that remove and move know them by
#[derive(Debug, Args)]
struct ListArgs {
    #[command(flatten)]
    look: InputArgs,
}

/// Add a marker
#[derive(Debug, Args)]
#[command(override_usage = usage("add"))]
struct AddArgs {
    /// When
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = parse_file_time)]
    at: f32,

    /// What happened
    #[arg(long)]
    name: String,

    #[command(flatten)]
    rewrite: RewriteArgs,
}

/// Remove markers
#[derive(Debug, Args)]
#[command(override_usage = usage("remove"), group(ArgGroup::new("which").required(true).args(["index", "name", "all"])))]
struct RemoveArgs {
    /// The marker of this number, from 0
    #[arg(long)]
    index: Option<usize>,

    /// Every marker of this name
    #[arg(long)]
    name: Option<String>,

    /// Every marker
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    rewrite: RewriteArgs,
}

/// Move a marker to another time
#[derive(Debug, Args)]
#[command(override_usage = usage("move"), group(ArgGroup::new("which").required(true).args(["index", "name"])))]
struct MoveArgs {
    /// The marker of this number, from 0
    #[arg(long)]
    index: Option<usize>,

    /// The marker of this name, if there is one of that name only
    #[arg(long)]
    name: Option<String>,

    /// When it is to be
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = parse_file_time)]
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
        Action::Add(args) => args.rewrite.edit(|recording, _| {
            recording.markers.add(args.at, args.name.as_str());
            // A marker that nobody can read again is none.
            recording.format.marker_list = true;
            Ok(())
        }),
        Action::Remove(args) => args.rewrite.edit(|recording, _| remove(args, &mut recording.markers)),
        Action::Move(args) => args.rewrite.edit(|recording, _| {
            let index = single_marker(args.index, args.name.as_deref(), &recording.markers)?;
            recording.markers.move_to(index, args.at);
            Ok(())
        }),
    }
}

#[derive(Serialize)]
struct ListJson<'a> {
    file: &'a str,
    markers: &'a [Marker],
}

fn list(args: &ListArgs) -> Result<Outcome, Failure> {
    args.look.each_file(
        // No keys are needed for this.
        |path| Ok(input::summary(path)?.0.markers),
        |path, markers| {
            let file = input::display_path(path).display().to_string();
            let mut out = output::stdout();
            if args.look.json {
                serde_json::to_writer(&mut out, &ListJson { file: &file, markers: &markers })?;
                writeln!(out)?;
                return Ok(out.flush()?);
            }
            if args.look.files.len() > 1 {
                writeln!(out, "{}", escape_for_terminal(&file, usize::MAX))?;
            }
            for (index, marker) in markers.iter().enumerate() {
                writeln!(
                    out,
                    "{index:>5}  {:>10.3} s  {}",
                    marker.time,
                    escape_for_terminal(&marker.name, usize::MAX)
                )?;
            }
            Ok(out.flush()?)
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
        return Err(marker_not_found(&format!("of the name {name:?}")));
    }
    *markers = kept;
    Ok(())
}

/// The one marker that is meant.
fn single_marker(index: Option<usize>, name: Option<&str>, markers: &[Marker]) -> Result<usize, Failure> {
    let is_meant = |(at, marker): &(usize, &Marker)| match name {
        Some(name) => marker.name == name,
        None => Some(*at) == index,
    };
    let mut meant = markers.iter().enumerate().filter(is_meant).map(|(at, _)| at);
    match (meant.next(), meant.count()) {
        (Some(at), 0) => Ok(at),
        (Some(_), others) => Err(Failure::Usage(format!(
            "{} markers have that name: --index says which; `holotape markers list` has the numbers",
            others + 1
        ))),
        (None, _) => Err(marker_not_found(&match (name, index) {
            (Some(name), _) => format!("of the name {name:?}"),
            (None, index) => format!("number {}, there are {}", index.unwrap_or_default(), markers.len()),
        })),
    }
}

fn marker_not_found(which: &str) -> Failure {
    Failure::Failed(std::io::Error::new(std::io::ErrorKind::NotFound, format!("there is no marker {which}")).into())
}
