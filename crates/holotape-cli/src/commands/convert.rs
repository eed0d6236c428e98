//! `holotape convert IN OUT`

use holotape::format::{Format, KeyLayout, Layout, Version};

use crate::args::{ConvertArgs, FileKind, KeysArg, VersionArg};
use crate::failure::{Failure, Outcome};
use crate::input::{self, is_dash};
use crate::output;

pub fn run(args: &ConvertArgs) -> Result<Outcome, Failure> {
    let kind = target_kind(args)?;
    let mut take = input::recording(&args.input)?;
    take.format = target_format(args, take.format)?;
    match kind {
        // The document keeps everything, also what a file of the chosen format could not hold.
        FileKind::Json => {
            output::write(&args.output, args.force, |out| take.write_json_to(out))?;
            Ok(Outcome::Done)
        }
        FileKind::Bin => {
            let losses = take.losses();
            for loss in losses.as_slice() {
                output::report(if args.strict { "error" } else { "lost" }, loss);
            }
            if args.strict && !losses.is_empty() {
                return Err(Failure::Said);
            }
            let losses = output::write(&args.output, args.force, |out| take.write_to(out))?;
            Ok(if losses.is_empty() { Outcome::Done } else { Outcome::Lossy })
        }
    }
}

fn target_kind(args: &ConvertArgs) -> Result<FileKind, Failure> {
    let by_name = || match args.output.extension().and_then(|extension| extension.to_str()) {
        Some(extension) if extension.eq_ignore_ascii_case("bin") => Some(FileKind::Bin),
        Some(extension) if extension.eq_ignore_ascii_case("json") => Some(FileKind::Json),
        _ => None,
    };
    args.to.or_else(by_name).ok_or_else(|| {
        let output = args.output.display();
        Failure::Usage(if is_dash(&args.output) {
            "standard output has no name to tell the format by; add --to bin or --to json".to_owned()
        } else {
            format!("{output}: neither .bin nor .json; add --to bin or --to json")
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
    Ok(Format { layout, marker_list: read.marker_list && !args.no_markers })
}
