//! `holotape convert IN OUT`

use holotape::format::{Format, KeyLayout, Layout, Version};

use crate::args::{ConvertArgs, KeysArg, VersionArg};
use crate::failure::{Failure, Outcome};
use crate::input::{self, is_dash};
use crate::output::{self, FileKind};

pub fn run(args: &ConvertArgs) -> Result<Outcome, Failure> {
    let kind = target_kind(args)?;
    output::refuse_existing(&args.output, args.force)?;
    let mut take = input::recording(&args.input)?;
    take.format = target_format(args, take.format)?;
    match kind {
        // The document keeps everything, also what a file of the chosen format could not hold.
        FileKind::Json => {
            output::write(&args.output, args.force, |out| take.write_json_to(out))?;
            Ok(Outcome::Done)
        }
        FileKind::Bin if args.strict && !take.losses().is_empty() => {
            take.losses().iter().for_each(|loss| output::report("error", loss));
            Err(Failure::Said)
        }
        FileKind::Bin => {
            let losses = output::write(&args.output, args.force, |out| take.write_to(out))?;
            losses.iter().for_each(|loss| output::report("lost", loss));
            Ok(if losses.is_empty() { Outcome::Done } else { Outcome::Lossy })
        }
    }
}

fn target_kind(args: &ConvertArgs) -> Result<FileKind, Failure> {
    args.to.or_else(|| FileKind::of(&args.output)).ok_or_else(|| {
        Failure::Usage(if is_dash(&args.output) {
            "standard output has no name to tell the format by; add --to bin or --to json".to_owned()
        } else {
            format!("{}: neither .bin nor .json; add --to bin or --to json", args.output.display())
        })
    })
}

/// What was read, changed where asked for. A change to 1.1 takes compact keys, the only ones that MRTK reads there.
fn target_format(args: &ConvertArgs, read: Format) -> Result<Format, Failure> {
    let version = match args.version {
        Some(VersionArg::V1_0) => Version::V1_0,
        Some(VersionArg::V1_1) => Version::V1_1,
        None => read.layout.version(),
    };
    let keys = match args.keys {
        Some(KeysArg::Full) => KeyLayout::Full,
        Some(KeysArg::Compact) => KeyLayout::Compact,
        None if version == read.layout.version() => read.layout.keys(),
        None if version == Version::V1_0 => KeyLayout::Full,
        None => KeyLayout::Compact,
    };
    let layout = Layout::new(version, keys)
        .ok_or_else(|| Failure::Usage("version 1.0 has full keys only; add --version 1.1 or --keys full".to_owned()))?;
    // A change is for the sake of another reader, and the others expect a marker list.
    let wanted = args.markers || layout != read.layout;
    Ok(Format { layout, marker_list: !args.no_markers && (wanted || read.marker_list) })
}
