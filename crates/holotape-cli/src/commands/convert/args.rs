//! The arguments of `holotape convert`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use holotape::format::{KeyLayout, Version};
use holotape_convert::bvh::{BoneMode, Unit};
use holotape_convert::compression::Compression;
use holotape_convert::handsbin::HandsbinVersion;
use holotape_convert::table::TableKind;
use holotape_convert::{FileFormat, Space, WriteOptions};

use crate::args::{Choice, SPACES, choice, parse_positive};
use crate::output::OutputFormat;
use crate::rewrite::{RewriteArgs, usage};

/// Convert recordings between file formats
///
/// Detects the input format by content: .bin, lossless JSON, tables (CSV, Parquet), IWER action recordings, Unity hand
/// captures, logs and WebXR recordings of Isaac Teleop, glTF written by this command, hl2ss spatial input, StreamRecorder
/// tables, folders of psi and HoloAssist, EgoDex (HDF5), Vision Pro tracking.jsonl, folders of Project Aria MPS. The output
/// format follows from the name of the output: .bin .json .csv .parquet .arrow .glb .gltf .bvh .mcap .isaac.mcap .iwer.json
/// .handsbin
///
/// Files compressed with gzip or zstd are read like others. A name that ends in .gz or .zst, such as .bin.zst, writes a
/// compressed file.
///
/// Data that the output format cannot represent is reported on stderr, and so is data that had to be derived. The exit
/// code is then 3.
#[derive(Debug, Args)]
#[command(disable_version_flag = true, override_usage = usages())]
pub struct ConvertArgs {
    /// Output format, if the name of the output does not imply it
    #[arg(long, value_name = "FORMAT", value_parser = output_format_parser())]
    pub(super) to: Option<OutputFormat>,

    /// Write all recordings into one table (.parquet, .arrow, .csv), with a column that names the recording of each row
    #[arg(long, value_name = "TABLE", conflicts_with = "out_dir")]
    pub(super) into: Option<PathBuf>,

    /// Fail and write nothing if anything would be lost
    #[arg(long)]
    pub(super) strict: bool,

    /// Write frames at this rate, instead of at every key time
    #[arg(long, value_name = "HZ", value_parser = parse_positive, help_heading = "Frames")]
    pub(super) rate: Option<f64>,

    /// Tables: write one row per frame or per key (default: frames)
    #[arg(long, value_parser = choice(TABLES), help_heading = "Tables")]
    pub(super) table: Option<TableKind>,

    /// Tables: coordinate system of the output (default: unity)
    #[arg(long, value_parser = choice(SPACES), help_heading = "Tables")]
    space: Option<Space>,

    /// Tables: coordinate system of an input table without metadata, such as CSV (default: unity)
    #[arg(long, value_parser = choice(SPACES), value_name = "SPACE", help_heading = "Tables")]
    pub(super) from_space: Option<Space>,

    /// Tables: include interpolated poses of untracked hands
    #[arg(long, help_heading = "Tables")]
    include_untracked: bool,

    /// glTF: nest joints as a skeleton, instead of placing all in world space
    #[arg(long, help_heading = "Animation")]
    hierarchy: bool,

    /// BVH: write bones of recorded or of constant length (default: free)
    #[arg(long, value_parser = choice(BONES), help_heading = "Animation")]
    bones: Option<BoneMode>,

    /// BVH: unit of lengths (default: m)
    #[arg(long, value_parser = choice(UNITS), help_heading = "Animation")]
    unit: Option<Unit>,

    /// .bin: version to write (default: that of the input)
    #[arg(long, value_parser = choice(VERSIONS), help_heading = "Input animations")]
    version: Option<Version>,

    /// .bin: key layout to write (default: that of the input, if the version supports it). MRTK 2.6 to 2.8 read only
    /// compact keys in version 1.1
    #[arg(long, value_name = "LAYOUT", value_parser = choice(KEY_LAYOUTS), help_heading = "Input animations")]
    key_layout: Option<KeyLayout>,

    /// .bin: write a marker list, even an empty one. Always done if version or key layout change, as MRTK expects one
    #[arg(long, help_heading = "Input animations")]
    marker_list: bool,

    /// .bin: write no marker list, as in the published specification
    #[arg(long, conflicts_with = "marker_list", help_heading = "Input animations")]
    pub(super) no_marker_list: bool,

    /// .handsbin: version to write (default: 2). Unity reads only the version of its package XR Hands
    #[arg(long, value_name = "VERSION", value_parser = choice(HANDSBIN_VERSIONS), help_heading = "Unity hand captures")]
    handsbin_version: Option<HandsbinVersion>,

    #[command(flatten)]
    pub(super) rewrite: RewriteArgs,
}

fn usages() -> String {
    usage("convert") + "\n       holotape convert [OPTIONS] --into TABLE IN..."
}

const TABLES: &[Choice<TableKind>] =
    &[("frames", TableKind::Frames, "One row per frame"), ("keys", TableKind::Keys, "One row per key (lossless)")];

const BONES: &[Choice<BoneMode>] = &[
    ("free", BoneMode::Free, "Six channels per joint (lossless)"),
    ("fixed", BoneMode::Fixed, "Rotations only; the resulting error is reported"),
];

const UNITS: &[Choice<Unit>] =
    &[("m", Unit::Metres, "Metres"), ("cm", Unit::Centimetres, "Centimetres, as most animation programs expect")];

const VERSIONS: &[Choice<Version>] =
    &[("1.0", Version::V1_0, "As in MRTK 2.0 to 2.5"), ("1.1", Version::V1_1, "As in MRTK 2.6 to 2.8")];

const KEY_LAYOUTS: &[Choice<KeyLayout>] = &[
    ("full", KeyLayout::Full, "With tangents and weights, 28 bytes per key"),
    ("compact", KeyLayout::Compact, "Linear, 8 bytes per key"),
];

const HANDSBIN_VERSIONS: &[Choice<HandsbinVersion>] = &[
    ("1", HandsbinVersion::V1, "As in XR Hands 1.7: joints only"),
    ("2", HandsbinVersion::V2, "As in XR Hands 1.8 to 1.10: joints, head and pinches"),
];

/// Compressed formats by name. Others are compressed if the name of the output says so.
const COMPRESSED: &[Choice<OutputFormat>] = &[
    (
        "bin.gz",
        OutputFormat { file_format: FileFormat::Bin, compression: Compression::Gzip },
        "MRTK input animation, compressed with gzip",
    ),
    (
        "bin.zst",
        OutputFormat { file_format: FileFormat::Bin, compression: Compression::Zstd },
        "MRTK input animation, compressed with zstd",
    ),
];

/// Parses a writable format by the first part of its extension, or a compressed one.
fn output_format_parser() -> impl TypedValueParser<Value = OutputFormat> {
    fn choices() -> impl Iterator<Item = Choice<OutputFormat>> {
        let choice = |file_format: FileFormat| {
            let name = file_format.extension().split('.').next().unwrap_or_default();
            (name, OutputFormat { file_format, compression: Compression::None }, file_format.name())
        };
        writable_formats().map(choice).chain(COMPRESSED.iter().copied())
    }
    let names = choices().map(|(name, _, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(names)
        .try_map(|text| choices().find(|(name, ..)| *name == text).map(|(_, format, _)| format).ok_or("unknown format"))
}

pub(super) fn writable_formats() -> impl Iterator<Item = FileFormat> {
    FileFormat::ALL.into_iter().filter(|file_format| file_format.can_write())
}

impl ConvertArgs {
    pub(super) fn options(&self) -> WriteOptions {
        WriteOptions::new()
            .with_rate_hz(self.rate)
            .with_table(self.table)
            .with_space(self.space)
            .with_untracked_poses(self.include_untracked)
            .with_hierarchy(self.hierarchy)
            .with_bones(self.bones)
            .with_unit(self.unit)
            .with_version(self.version)
            .with_key_layout(self.key_layout)
            .with_marker_list(match (self.marker_list, self.no_marker_list) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                (false, false) => None,
            })
            .with_handsbin_version(self.handsbin_version)
    }
}
