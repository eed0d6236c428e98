//! `holotape convert IN OUT`

mod tally;

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use holotape::format::{Format, KeyLayout, Layout, Version};
use holotape::{Recording, Result, Summary};
use holotape_convert::bvh::{self, Bones, BvhOptions, Unit};
use holotape_convert::dataset::{Dataset, Rows};
use holotape_convert::gltf::{self, GltfOptions};
use holotape_convert::iwer::{self, IwerOptions};
use holotape_convert::mcap::{self, McapOptions};
use holotape_convert::table::{Table, TableOptions};
use holotape_convert::{Kind, Losses, OpenOptions, Space, Timing, arrow, csv, parquet};

use crate::args::positive;
use crate::commands::info::rotations_without_w;
use crate::failure::{Failure, Outcome};
use crate::input::{self, is_dash};
use crate::output;
use crate::rewrite::{Job, Kinds, RewriteArgs, Said, usage};
use tally::Tally;

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
    #[arg(long, value_name = "KIND", value_parser = written_kind())]
    to: Option<Kind>,

    /// Write all recordings into this one table (.parquet, .arrow, .csv), with a column that says which one a row is of
    #[arg(long, value_name = "TABLE", conflicts_with = "out_dir")]
    into: Option<PathBuf>,

    /// Fail, and write nothing, if anything would be lost
    #[arg(long)]
    strict: bool,

    /// Frames so many times a second, instead of wherever there is a key
    #[arg(long, value_name = "HZ", value_parser = positive, help_heading = "Frames")]
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
fn written_kind() -> impl TypedValueParser<Value = Kind> {
    fn word(kind: Kind) -> &'static str {
        kind.extension().split('.').next().unwrap_or_default()
    }
    let written = || Kind::ALL.into_iter().filter(|kind| kind.is_written());
    let values = written().map(|kind| PossibleValue::new(word(kind)).help(kind.name()));
    PossibleValuesParser::new(values)
        .try_map(move |name| written().find(|kind| word(*kind) == name).ok_or("there is no such kind"))
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

pub fn run(args: &ConvertArgs) -> Result<Outcome, Failure> {
    if let Some(table) = &args.into {
        return into_one(args, table);
    }
    let kinds = Kinds {
        of_output: |output: &Path| args.kind_of(output),
        of_input: |input: &Path| args.to.or_else(|| own_kind(input)).unwrap_or(Kind::Bin),
        extension: Kind::extension,
    };
    args.rewrite.each(&kinds, |job, said| convert(args, job, said))
}

/// The kind of a file that is to be written under the name of one that is read: .bin stays .bin, .json stays .json.
fn own_kind(input: &Path) -> Option<Kind> {
    Kind::of_path(input).filter(|kind| matches!(kind, Kind::Bin | Kind::Json))
}

fn convert(args: &ConvertArgs, job: &Job<Kind>, said: &mut Said) -> Result<(), Failure> {
    args.check_options_for(job.kind)?;
    let (take, mut losses) = args.read(&job.input)?;
    if !matches!(job.kind, Kind::Bin | Kind::Json) {
        warn_of_lost_rotations(&take, said);
    }
    let source = job.input.file_name().filter(|_| !is_dash(&job.input)).map(|name| name.to_string_lossy().into_owned());
    if args.strict {
        // Nothing may be written before it is known that nothing is lost.
        let mut bytes = Vec::new();
        losses.extend(args.write(&take, job.kind, source, &mut bytes)?);
        if !losses.is_empty() {
            return Err(Failure::Refused(losses));
        }
        output::write(&job.output, args.rewrite.write.force, |out| Ok(out.write_all(&bytes)?))?;
    } else {
        let force = args.rewrite.write.force;
        losses.extend(output::write(&job.output, force, |out| args.write(&take, job.kind, source, out))?);
    }
    losses.iter().for_each(|loss| said.loss(loss));
    Ok(())
}

/// Whoever gets the numbers of a recording that MRTK has spoilt cannot know.
fn warn_of_lost_rotations(take: &Recording, said: &mut Said) {
    let count = rotations_without_w(&Summary::of(take));
    if count > 0 {
        let words =
            format!("{count} rotations have lost their w, a fault of MRTK 2.6.0 to 2.7.2; `holotape repair` first");
        said.note("warning", words);
    }
}

impl ConvertArgs {
    /// What is to be written under a name.
    fn kind_of(&self, output: &Path) -> Result<Kind, Failure> {
        let kind = self.to.or_else(|| Kind::of_path(output).filter(|_| !is_dash(output)));
        kind.ok_or_else(|| {
            Failure::Usage(if is_dash(output) {
                "standard output has no name to tell the format by; add --to".to_owned()
            } else {
                let known =
                    Kind::ALL.into_iter().filter(|kind| kind.is_written()).map(|kind| format!(".{}", kind.extension()));
                let known = known.collect::<Vec<_>>().join(" ");
                format!("{}: none of {known}; add --to", output.display())
            })
        })
    }

    /// An option that does nothing for what is written is a mistake of somebody's.
    fn check_options_for(&self, kind: Kind) -> Result<(), Failure> {
        let is_table = matches!(kind, Kind::Csv | Kind::Parquet | Kind::Arrow);
        let is_native = matches!(kind, Kind::Bin | Kind::Json);
        let is_gltf = matches!(kind, Kind::Glb | Kind::Gltf);
        let options = [
            ("--rate", self.rate.is_some(), !is_native),
            ("--table", self.table.is_some(), is_table),
            ("--space", self.space.is_some(), is_table),
            ("--untracked", self.untracked, is_table),
            ("--hierarchy", self.hierarchy, is_gltf),
            ("--bones", self.bones.is_some(), kind == Kind::Bvh),
            ("--unit", self.unit.is_some(), kind == Kind::Bvh),
            ("--version", self.version.is_some(), is_native),
            ("--keys", self.keys.is_some(), is_native),
            ("--markers", self.markers, is_native),
            ("--no-markers", self.no_markers, is_native),
        ];
        if let Some((name, ..)) = options.into_iter().find(|(_, is_given, fits)| *is_given && !fits) {
            return Err(Failure::Usage(format!("{name} means nothing for {}", kind.with_article())));
        }
        if self.rate.is_some() && self.table == Some(TableArg::Keys) {
            return Err(Failure::Usage("--rate means nothing for --table keys: keys have their own times".to_owned()));
        }
        Ok(())
    }

    fn read(&self, input: &Path) -> Result<(Recording, Losses), Failure> {
        let opened = input::any(input, &OpenOptions::new().with_table_space(space(self.from_space)))?;
        if self.from_space.is_some() && !matches!(opened.kind, Kind::Csv | Kind::Parquet) {
            let kind = opened.kind.with_article();
            return Err(Failure::Usage(format!("--from-space means nothing for {kind}, whose space is known")));
        }
        let mut take = opened.recording;
        take.format = target_format(self, take.format)?;
        Ok((take, opened.losses))
    }

    fn write(
        &self,
        take: &Recording,
        kind: Kind,
        source: Option<String>,
        out: &mut (dyn Write + Send),
    ) -> Result<Losses> {
        let timing = self.timing();
        let table = self.table_options().with_source(source);
        match kind {
            Kind::Csv => csv::write(take, &table, out),
            Kind::Parquet => parquet::write(take, &table, out),
            Kind::Arrow => arrow::write(take, &table, out),
            Kind::Glb => gltf::write_glb(take, &self.gltf_options(), out),
            Kind::Gltf => gltf::write_gltf(take, &self.gltf_options(), out),
            Kind::Bvh => bvh::write(take, &self.bvh_options(), out),
            Kind::Mcap => mcap::write(take, &McapOptions::new().with_timing(timing), out),
            Kind::Iwer => iwer::write(take, &IwerOptions::new().with_timing(timing), out),
            // The document keeps everything, also what a file of that format could not hold.
            Kind::Json => take.write_json_to(out).map(|()| Losses::default()),
            _ => take.write_to(out).map(Losses::from),
        }
    }

    fn timing(&self) -> Timing {
        self.rate.map_or(Timing::Keys, Timing::Rate)
    }

    fn table_options(&self) -> TableOptions {
        let table = match self.table {
            Some(TableArg::Keys) => Table::Keys,
            Some(TableArg::Frames) | None => Table::Frames,
        };
        let options = TableOptions::new().with_table(table).with_timing(self.timing()).with_space(space(self.space));
        options.with_untracked_poses(self.untracked)
    }

    fn gltf_options(&self) -> GltfOptions {
        GltfOptions::new().with_hierarchy(self.hierarchy).with_timing(self.timing())
    }

    fn bvh_options(&self) -> BvhOptions {
        let bones = match self.bones {
            Some(BonesArg::Fixed) => Bones::Fixed,
            Some(BonesArg::Free) | None => Bones::Free,
        };
        let unit = match self.unit {
            Some(UnitArg::Cm) => Unit::Centimetres,
            Some(UnitArg::M) | None => Unit::Metres,
        };
        BvhOptions::new().with_timing(self.timing()).with_bones(bones).with_unit(unit)
    }
}

fn space(space: Option<SpaceArg>) -> Space {
    match space {
        Some(SpaceArg::RightHanded) => Space::RightHanded,
        Some(SpaceArg::Unity) | None => Space::Unity,
    }
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

/// All recordings into one table.
fn into_one(args: &ConvertArgs, table: &Path) -> Result<Outcome, Failure> {
    let kind = args.kind_of(table)?;
    args.check_options_for(kind)?;
    if !matches!(kind, Kind::Csv | Kind::Parquet | Kind::Arrow) {
        return Err(Failure::Usage(format!("--into wants a .parquet, .arrow or .csv, not {}", kind.with_article())));
    }
    let force = args.rewrite.write.force;
    refuse_twice(&args.rewrite.files)?;
    output::refuse_existing(table, force)?;
    let options = args.table_options();
    let mut tally = Tally::default();
    let mut has_rows = false;
    let pool = args.rewrite.at_once.pool()?;
    let outcome = output::try_write(table, force, |out| {
        let mut dataset = Dataset::create(kind, &options, out)?;
        let outcome = args.rewrite.at_once.for_each_file(
            &args.rewrite.files,
            |file| rows_of(args, file, &options).map_err(|failure| failure.in_file(file)),
            |file, rows| {
                tally.add(file, &rows.losses);
                if args.strict && !rows.losses.is_empty() {
                    return Err(Failure::Refused(rows.losses).in_file(file));
                }
                has_rows = true;
                // On no more cores than asked for.
                Ok(pool.install(|| dataset.push(rows))?)
            },
        );
        match outcome {
            // One of many that could not be read has been told of, and the others are here.
            Err(Failure::Said) if has_rows && !args.strict => dataset.finish()?,
            Ok(_) => dataset.finish()?,
            Err(failure) => return Err(failure),
        }
        Ok(outcome)
    })?;
    let is_lossy = tally.tell(args.rewrite.files.len());
    outcome.map(|outcome| if is_lossy { Outcome::Lossy } else { outcome })
}

/// A recording that is there twice would count twice in every sum.
fn refuse_twice(files: &[PathBuf]) -> Result<(), Failure> {
    let mut seen = HashSet::new();
    for file in files {
        // What is not there is told of later, by its name.
        if !seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())) {
            return Err(Failure::Usage(format!("{} is there twice", file.display())));
        }
    }
    Ok(())
}

fn rows_of(args: &ConvertArgs, file: &Path, options: &TableOptions) -> Result<Rows, Failure> {
    let (take, mut losses) = args.read(file)?;
    // The same name on every system.
    let name = input::shown(file).display().to_string().replace('\\', "/");
    let mut rows = Rows::new(&name, &take, options)?;
    losses.extend(std::mem::take(&mut rows.losses));
    rows.losses = losses;
    Ok(rows)
}
