//! `holotape convert IN OUT`

use clap::{Args, ValueEnum};
use holotape::format::{Format, KeyLayout, Layout, Version};

use crate::failure::{Failure, Outcome};
use crate::input::{self, is_dash};
use crate::output::FileKind;
use crate::rewrite::{RewriteArgs, usage};

/// Convert between the layouts of .bin files and lossless JSON
///
/// What the target cannot hold (gaze in version 1.0, tangents in compact keys, markers without a marker list) is told
/// on stderr, and the exit code is 3.
#[derive(Debug, Args)]
#[command(disable_version_flag = true, override_usage = usage("convert"))]
pub struct ConvertArgs {
    /// What to write, whatever the name
    #[arg(long, value_enum)]
    to: Option<FileKind>,

    /// The version to write; as read unless given
    #[arg(long, value_enum)]
    version: Option<VersionArg>,

    /// The keys to write; as read unless given, where the version has them. MRTK 2.6 to 2.8 read compact 1.1 only
    #[arg(long, value_enum)]
    keys: Option<KeysArg>,

    /// Write a marker list, if only an empty one. Done anyway where version or keys change, because MRTK expects one
    #[arg(long)]
    markers: bool,

    /// Write no marker list, as the published specification has it
    #[arg(long, conflicts_with = "markers")]
    no_markers: bool,

    /// Fail, and write nothing, if anything would be lost
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    rewrite: RewriteArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum VersionArg {
    /// As MRTK 2.0 to 2.5
    #[value(name = "1.0")]
    V1_0,
    /// As MRTK 2.6 to 2.8
    #[value(name = "1.1")]
    V1_1,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum KeysArg {
    /// Tangents and weights, 28 bytes a key
    Full,
    /// Straight lines, 8 bytes a key
    Compact,
}

pub fn run(args: &ConvertArgs) -> Result<Outcome, Failure> {
    if let ([_, output], None) = (&args.rewrite.files[..], args.to)
        && FileKind::of(output).is_none()
    {
        let add = "add --to bin or --to json";
        return Err(Failure::Usage(if is_dash(output) {
            format!("standard output has no name to tell the format by; {add}")
        } else {
            format!("{}: neither .bin nor .json; {add}", output.display())
        }));
    }
    args.rewrite.rewrite_as(args.to, |job, _| {
        let mut take = input::recording(&job.input)?;
        take.format = target_format(args, take.format)?;
        if args.strict && job.kind == FileKind::Bin && !take.losses().is_empty() {
            return Err(Failure::Refused(take.losses()));
        }
        Ok(take)
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
