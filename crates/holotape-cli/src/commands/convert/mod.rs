//! `holotape convert IN OUT`

mod loss_summary;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use holotape::format::{KeyLayout, Version};
use holotape::{Recording, Result, Summary};
use holotape_convert::bvh::{BoneMode, Unit};
use holotape_convert::combined_table::{CombinedTableRows, CombinedTableWriter};
use holotape_convert::table::{TableKind, TableOptions};
use holotape_convert::{FileFormat, Losses, OpenOptions, Space, WriteOptions};

use crate::args::parse_positive;
use crate::commands::info::rotations_without_w;
use crate::failure::{Failure, Outcome};
use crate::input::{self, is_stdio};
use crate::output;
use crate::rewrite::{Diagnostics, OutputFormats, RewriteArgs, RewriteJob, usage};
use loss_summary::LossSummary;

/// Convert recordings into and out of other formats
///
/// Reads any of these, told by content: .bin, lossless JSON, tables (CSV, Parquet), IWER action recordings, glTF that this
/// command wrote, hl2ss spatial input, StreamRecorder tables, folders of psi and HoloAssist. Writes what the name of the
/// output says: .bin .json .csv .parquet .arrow .glb .gltf .bvh .mcap .iwer.json
///
/// What the target cannot hold is told on stderr, and what had to be made up for it; the exit code is then 3.
#[derive(Debug, Args)]
#[command(disable_version_flag = true, override_usage = usages())]
pub struct ConvertArgs {
    /// What to write, whatever the name
    #[arg(long, value_name = "KIND", value_parser = output_format_parser())]
    to: Option<FileFormat>,

    /// Write all recordings into this one table (.parquet, .arrow, .csv), with a column that says which one a row is of
    #[arg(long, value_name = "TABLE", conflicts_with = "out_dir")]
    into: Option<PathBuf>,

    /// Fail, and write nothing, if anything would be lost
    #[arg(long)]
    strict: bool,

    /// Frames so many times a second, instead of wherever there is a key
    #[arg(long, value_name = "HZ", value_parser = parse_positive, help_heading = "Frames")]
    rate: Option<f64>,

    /// Tables: a row for each frame, or for each key, which loses nothing; frames unless given
    #[arg(long, value_enum, help_heading = "Tables")]
    table: Option<TableArg>,

    /// Tables: the space of positions and rotations that are written, unity unless given
    #[arg(long, value_enum, help_heading = "Tables")]
    space: Option<SpaceArg>,

    /// The space of a table that is read and does not say, as a CSV; unity unless given
    #[arg(long, value_enum, value_name = "SPACE", help_heading = "Tables")]
    from_space: Option<SpaceArg>,

    /// Tables: poses of hands where they were not tracked, too: nobody recorded them, they are interpolated
    #[arg(long, help_heading = "Tables")]
    untracked: bool,

    /// glTF: bones inside each other, as skeletons have them, instead of all in world space
    #[arg(long, help_heading = "Animation")]
    hierarchy: bool,

    /// BVH: bones as they were, or of the same length throughout; free unless given
    #[arg(long, value_enum, help_heading = "Animation")]
    bones: Option<BonesArg>,

    /// BVH: the unit of lengths, m unless given
    #[arg(long, value_enum, help_heading = "Animation")]
    unit: Option<UnitArg>,

    /// .bin: the version to write; as read unless given
    #[arg(long, value_enum, help_heading = "Input animations")]
    version: Option<VersionArg>,

    /// .bin: the keys to write; as read unless given, where the version has them. MRTK 2.6 to 2.8 read compact 1.1 only
    #[arg(long, value_enum, help_heading = "Input animations")]
    keys: Option<KeysArg>,

    /// .bin: write a marker list, if only an empty one. Done anyway where version or keys change, as MRTK expects one
    #[arg(long, help_heading = "Input animations")]
    markers: bool,

    /// .bin: write no marker list, as the published specification has it
    #[arg(long, conflicts_with = "markers", help_heading = "Input animations")]
    no_markers: bool,

    #[command(flatten)]
    rewrite: RewriteArgs,
}

fn usages() -> String {
    usage("convert") + "\n       holotape convert [OPTIONS] --into TABLE IN..."
}

/// A value parser: what can be written, by the first word of its extension.
fn output_format_parser() -> impl TypedValueParser<Value = FileFormat> {
    fn word(file_format: FileFormat) -> &'static str {
        file_format.extension().split('.').next().unwrap_or_default()
    }
    let written = || FileFormat::ALL.into_iter().filter(|file_format| file_format.can_write());
    let values = written().map(|file_format| PossibleValue::new(word(file_format)).help(file_format.name()));
    PossibleValuesParser::new(values)
        .try_map(move |name| written().find(|file_format| word(*file_format) == name).ok_or("there is no such kind"))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TableArg {
    Frames,
    Keys,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SpaceArg {
    /// Left-handed, z forward
    Unity,
    /// As glTF, OpenXR and WebXR: z backward
    RightHanded,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BonesArg {
    /// Six channels a joint: nothing is lost
    Free,
    /// Rotations only; how far off that is is told
    Fixed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum UnitArg {
    /// Metres
    M,
    /// Centimetres, as most animation programs expect
    Cm,
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

impl From<TableArg> for TableKind {
    fn from(arg: TableArg) -> Self {
        match arg {
            TableArg::Frames => Self::Frames,
            TableArg::Keys => Self::Keys,
        }
    }
}

impl From<BonesArg> for BoneMode {
    fn from(arg: BonesArg) -> Self {
        match arg {
            BonesArg::Free => Self::Free,
            BonesArg::Fixed => Self::Fixed,
        }
    }
}

impl From<UnitArg> for Unit {
    fn from(arg: UnitArg) -> Self {
        match arg {
            UnitArg::M => Self::Metres,
            UnitArg::Cm => Self::Centimetres,
        }
    }
}

impl From<VersionArg> for Version {
    fn from(arg: VersionArg) -> Self {
        match arg {
            VersionArg::V1_0 => Self::V1_0,
            VersionArg::V1_1 => Self::V1_1,
        }
    }
}

impl From<KeysArg> for KeyLayout {
    fn from(arg: KeysArg) -> Self {
        match arg {
            KeysArg::Full => Self::Full,
            KeysArg::Compact => Self::Compact,
        }
    }
}

impl From<SpaceArg> for Space {
    fn from(arg: SpaceArg) -> Self {
        match arg {
            SpaceArg::Unity => Self::Unity,
            SpaceArg::RightHanded => Self::RightHanded,
        }
    }
}

pub fn run(args: &ConvertArgs) -> Result<Outcome, Failure> {
    if let Some(table) = &args.into {
        return convert_into_table(args, table);
    }
    let kinds = OutputFormats {
        of_output: |output: &Path| args.kind_of(output),
        of_input: |input: &Path| args.to.or_else(|| default_format(input)).unwrap_or(FileFormat::Bin),
        extension: FileFormat::extension,
    };
    args.rewrite.each(&kinds, |job, diagnostics| convert(args, job, diagnostics))
}

/// The kind of a file that is to be written under the name of one that is read: .bin stays .bin, .json stays .json.
fn default_format(input: &Path) -> Option<FileFormat> {
    FileFormat::from_path(input).filter(|file_format| matches!(file_format, FileFormat::Bin | FileFormat::Json))
}

fn convert(args: &ConvertArgs, job: &RewriteJob<FileFormat>, diagnostics: &mut Diagnostics) -> Result<(), Failure> {
    args.check_options_for(job.kind)?;
    let (recording, mut losses) = args.read(&job.input)?;
    if !matches!(job.kind, FileFormat::Bin | FileFormat::Json) {
        warn_lost_rotations(&recording, diagnostics);
    }
    let source =
        job.input.file_name().filter(|_| !is_stdio(&job.input)).map(|name| name.to_string_lossy().into_owned());
    let options = args.options().with_source(source);
    if args.strict {
        // Nothing may be written before it is known that nothing is lost.
        let mut bytes = Vec::new();
        losses.extend(options.write(&recording, job.kind, &mut bytes)?);
        if !losses.is_empty() {
            return Err(Failure::LossesForbidden(losses));
        }
        output::write(&job.output, args.rewrite.write.force, |out| Ok(out.write_all(&bytes)?))?;
    } else {
        let force = args.rewrite.write.force;
        losses.extend(output::write(&job.output, force, |out| options.write(&recording, job.kind, out))?);
    }
    losses.iter().for_each(|loss| diagnostics.loss(loss));
    Ok(())
}

/// Whoever gets the numbers of a recording that MRTK has spoilt cannot know.
fn warn_lost_rotations(recording: &Recording, diagnostics: &mut Diagnostics) {
    let count = rotations_without_w(&Summary::from_recording(recording));
    if count > 0 {
        let message =
            format!("{count} rotations have lost their w, a fault of MRTK 2.6.0 to 2.7.2; `holotape repair` first");
        diagnostics.note("warning", message);
    }
}

impl ConvertArgs {
    /// What is to be written under a name.
    fn kind_of(&self, output: &Path) -> Result<FileFormat, Failure> {
        let file_format = self.to.or_else(|| FileFormat::from_path(output).filter(|_| !is_stdio(output)));
        file_format.ok_or_else(|| {
            Failure::Usage(if is_stdio(output) {
                "standard output has no name to tell the format by; add --to".to_owned()
            } else {
                let known = FileFormat::ALL
                    .into_iter()
                    .filter(|file_format| file_format.can_write())
                    .map(|file_format| format!(".{}", file_format.extension()));
                let known = known.collect::<Vec<_>>().join(" ");
                format!("{}: none of {known}; add --to", output.display())
            })
        })
    }

    /// An option that does nothing for what is written is a mistake of somebody's.
    fn check_options_for(&self, file_format: FileFormat) -> Result<(), Failure> {
        let message = match self.options().unused_option(file_format) {
            Some("rate") if self.table == Some(TableArg::Keys) => {
                "--rate means nothing for --table keys: keys have their own times".to_owned()
            }
            Some("markers") if self.no_markers => {
                format!("--no-markers means nothing for {}", file_format.name_with_article())
            }
            Some(name) => format!("--{name} means nothing for {}", file_format.name_with_article()),
            None => return Ok(()),
        };
        Err(Failure::Usage(message))
    }

    fn read(&self, input: &Path) -> Result<(Recording, Losses), Failure> {
        let opened = input::open_any(
            input,
            &OpenOptions::new().with_table_space(self.from_space.map_or(Space::Unity, Space::from)),
        )?;
        if self.from_space.is_some() && !matches!(opened.file_format, FileFormat::Csv | FileFormat::Parquet) {
            let kind = opened.file_format.name_with_article();
            return Err(Failure::Usage(format!("--from-space means nothing for {kind}, whose space is known")));
        }
        let mut recording = opened.recording;
        recording.format = self.options().format(recording.format).map_err(|_| {
            Failure::Usage("version 1.0 has full keys only; add --version 1.1 or --keys full".to_owned())
        })?;
        Ok((recording, opened.losses))
    }

    /// The same for the library.
    fn options(&self) -> WriteOptions {
        WriteOptions::new()
            .with_rate_hz(self.rate)
            .with_table(self.table.map(TableKind::from))
            .with_space(self.space.map(Space::from))
            .with_untracked_poses(self.untracked)
            .with_hierarchy(self.hierarchy)
            .with_bones(self.bones.map(BoneMode::from))
            .with_unit(self.unit.map(Unit::from))
            .with_version(self.version.map(Version::from))
            .with_keys(self.keys.map(KeyLayout::from))
            .with_marker_list(match (self.markers, self.no_markers) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                (false, false) => None,
            })
    }
}

/// All recordings into one table.
fn convert_into_table(args: &ConvertArgs, table: &Path) -> Result<Outcome, Failure> {
    let file_format = args.kind_of(table)?;
    args.check_options_for(file_format)?;
    if !matches!(file_format, FileFormat::Csv | FileFormat::Parquet | FileFormat::Arrow) {
        return Err(Failure::Usage(format!(
            "--into wants a .parquet, .arrow or .csv, not {}",
            file_format.name_with_article()
        )));
    }
    let force = args.rewrite.write.force;
    reject_duplicates(&args.rewrite.files)?;
    output::check_not_existing(table, force)?;
    let options = args.options().table_options();
    let mut tally = LossSummary::default();
    let mut has_rows = false;
    let pool = args.rewrite.jobs_args.pool()?;
    let outcome = output::try_write(table, force, |out| {
        let mut dataset = CombinedTableWriter::create(file_format, &options, out)?;
        let outcome = args.rewrite.jobs_args.for_each_file(
            &args.rewrite.files,
            |file| rows_of(args, file, &options).map_err(|failure| failure.with_input(file)),
            |file, rows| {
                tally.add(file, &rows.losses);
                if args.strict && !rows.losses.is_empty() {
                    return Err(Failure::LossesForbidden(rows.losses).with_input(file));
                }
                has_rows = true;
                // On no more cores than asked for.
                Ok(pool.install(|| dataset.push(rows))?)
            },
        );
        match outcome {
            // One of many that could not be read has been told of, and the others are here.
            Err(Failure::AlreadyReported) if has_rows && !args.strict => dataset.finish()?,
            Ok(_) => dataset.finish()?,
            Err(failure) => return Err(failure),
        }
        Ok(outcome)
    })?;
    let is_lossy = tally.tell(args.rewrite.files.len());
    outcome.map(|outcome| if is_lossy { Outcome::Lossy } else { outcome })
}

/// A recording that is there twice would count twice in every sum.
fn reject_duplicates(files: &[PathBuf]) -> Result<(), Failure> {
    let mut seen = HashSet::new();
    for file in files {
        // What is not there is told of later, by its name.
        if !seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())) {
            return Err(Failure::Usage(format!("{} is there twice", file.display())));
        }
    }
    Ok(())
}

fn rows_of(args: &ConvertArgs, file: &Path, options: &TableOptions) -> Result<CombinedTableRows, Failure> {
    let (recording, mut losses) = args.read(file)?;
    // The same name on every system.
    let name = input::display_path(file).display().to_string().replace('\\', "/");
    let mut rows = CombinedTableRows::new(&name, &recording, options)?;
    losses.extend(std::mem::take(&mut rows.losses));
    rows.losses = losses;
    Ok(rows)
}
