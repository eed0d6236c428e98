//! The command line: commands and parsers for option values.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};
use holotape::Tolerance;
use holotape_convert::Space;

#[cfg(feature = "plot")]
use crate::commands::plot;
use crate::commands::{
    check, completions, concat, convert, demo, diff, info, man, markers, merge, mirror, openxr, optimize, play, record,
    repair, resample, retime, sample, select, stats, transform, trim,
};
#[cfg(feature = "dataset")]
use crate::commands::{dataset, report};
#[cfg(feature = "viewer")]
use crate::commands::{devices, view};

/// View, check, repair, record, play, edit, compare and convert XR input recordings
///
/// Works on MRTK input animations of every version and layout (.bin) and on holotape's lossless JSON documents (.json),
/// detected by content; `convert` reads and writes many other formats. Files compressed with gzip or zstd (.bin.gz,
/// .bin.zst) are read like others, and written if the name says so. `-` is standard input or output.
///
/// Exit codes: 0 success, 1 failure, 2 wrong usage, 3 success, but something was lost.
#[derive(Debug, Parser)]
#[command(name = "holotape", version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Info(info::InfoArgs),
    Check(check::CheckArgs),
    Repair(repair::RepairArgs),
    Sample(sample::SampleArgs),
    Play(play::PlayArgs),
    Record(record::RecordArgs),
    Convert(convert::ConvertArgs),
    Optimize(optimize::OptimizeArgs),
    Trim(trim::TrimArgs),
    Concat(concat::ConcatArgs),
    Merge(merge::MergeArgs),
    Retime(retime::RetimeArgs),
    Resample(resample::ResampleArgs),
    Mirror(mirror::MirrorArgs),
    Transform(transform::TransformArgs),
    Select(select::SelectArgs),
    Markers(markers::MarkersArgs),
    Diff(diff::DiffArgs),
    Stats(stats::StatsArgs),
    #[cfg(feature = "plot")]
    Plot(plot::PlotArgs),
    #[cfg(feature = "viewer")]
    View(view::ViewArgs),
    #[cfg(feature = "viewer")]
    Devices(devices::DevicesArgs),
    Openxr(openxr::OpenxrArgs),
    #[cfg(feature = "dataset")]
    Dataset(dataset::DatasetArgs),
    #[cfg(feature = "dataset")]
    Report(report::ReportArgs),
    Demo(demo::DemoArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// A name on the command line, its value and its help text.
pub type Choice<T> = (&'static str, T, &'static str);

/// The coordinates of tables.
pub const SPACES: &[Choice<Space>] = &[
    ("unity", Space::Unity, "Left-handed, z forward"),
    ("right-handed", Space::RightHanded, "Right-handed, z backward, as in glTF, OpenXR and WebXR"),
];

/// Parses one of several names.
pub fn choice<T: Copy + Send + Sync>(choices: &'static [Choice<T>]) -> impl TypedValueParser<Value = T> {
    let names = choices.iter().map(|(name, _, help)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(names).try_map(move |text| {
        let found = choices.iter().find(|(name, ..)| *name == text);
        found.map(|(_, value, _)| *value).ok_or("unknown value")
    })
}

/// Parses a finite number.
pub fn parse_finite(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err("must be a finite number".to_owned()),
    }
}

/// Parses a time that a file can represent.
pub fn parse_file_time(text: &str) -> Result<f32, String> {
    match parse_finite(text)? as f32 {
        time if time.is_finite() => Ok(time),
        _ => Err("too large for a time in a file (32-bit float)".to_owned()),
    }
}

/// Parses the time of a marker.
pub fn parse_marker_time(text: &str) -> Result<f32, String> {
    match parse_file_time(text)? {
        time if time >= 0.0 => Ok(time),
        _ => Err("must be at least 0".to_owned()),
    }
}

/// Parses a finite number that is at least 0.
pub fn parse_non_negative(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => Err("must be a number of at least 0".to_owned()),
    }
}

/// Parses the origin of web pages: a scheme, a host and perhaps a port. Browsers send `null` for pages from disk.
pub fn parse_origin(text: &str) -> Result<String, String> {
    let is_origin = || {
        let (scheme, authority) = text.strip_suffix('/').unwrap_or(text).split_once("://")?;
        let is_scheme_char = |char: char| char.is_ascii_alphanumeric() || "+-.".contains(char);
        let is_host_char = |char: char| char.is_ascii_alphanumeric() || "-._[]:".contains(char);
        let host = match authority.rsplit_once(':') {
            Some((host, port)) if port.parse::<u16>().is_ok() => host,
            // The colons of an IPv6 address.
            Some(_) if !authority.ends_with(']') => return None,
            _ => authority,
        };
        let is_valid = !scheme.is_empty() && scheme.chars().all(is_scheme_char) && host.chars().all(is_host_char);
        (is_valid && !host.is_empty()).then_some(())
    };
    if text == "null" || is_origin().is_some() {
        return Ok(text.to_owned());
    }
    Err("must be an origin such as https://example.org or http://192.168.0.7:8080".to_owned())
}

/// Parses a finite number greater than 0.
pub fn parse_positive(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(number),
        _ => Err("must be a number greater than 0".to_owned()),
    }
}

/// The ratio of MRTK's own thresholds for joints: 0.2° and 1 mm.
const DEG_PER_M: f64 = 200.0;

/// Parses a tolerance: `0.001,0.2`, `1mm,0.2deg`, or only a length.
pub fn parse_tolerance(text: &str) -> Result<Tolerance, String> {
    let number = |text: &str, unit: &str, quantity: &str| match text.trim_end_matches(unit).trim().parse::<f64>() {
        Ok(number) if number >= 0.0 => Ok(number),
        _ => Err(format!("invalid {quantity}: {text:?}; use for example 0.001,0.2 or 1mm,0.2deg")),
    };
    let (length, angle) = text.split_once(',').map_or((text, None), |(length, angle)| (length, Some(angle)));
    let length = length.trim();
    let position_m = match length.strip_suffix("mm") {
        Some(length) => number(length, "", "length")? / 1000.0,
        None => number(length, "m", "length")?,
    };
    let rotation_deg = angle.map_or(Ok(position_m * DEG_PER_M), |angle| number(angle.trim(), "deg", "angle"))?;
    Ok(Tolerance { position_m, rotation_deg })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_origin_rejects_other_urls() {
        for origin in ["https://example.org", "http://localhost:3000/", "http://[::1]:80", "http://[::1]", "null"] {
            assert_eq!(parse_origin(origin).as_deref(), Ok(origin));
        }
        for wrong in [
            "",
            "x",
            "*",
            "example.org",
            "https://",
            "https://:80",
            "://example.org",
            "https://example.org/page",
            "https://example.org:port",
            "https://me@example.org",
            "https://*.example.org",
            "https://a b",
        ] {
            assert!(parse_origin(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn parse_tolerance_accepts_units() {
        let both =
            |text| parse_tolerance(text).map(|Tolerance { position_m, rotation_deg }| (position_m, rotation_deg));
        assert_eq!(both("0.001"), Ok((0.001, 0.2)));
        assert_eq!(both("2mm"), Ok((0.002, 0.4)));
        assert_eq!(both("0.5 m, 3deg"), Ok((0.5, 3.0)));
        assert_eq!(both("0,0"), Ok((0.0, 0.0)));
        for wrong in ["", "-1", "1cm", "1mm,", "1,2,3", "nan"] {
            assert!(both(wrong).is_err(), "{wrong}");
        }
    }
}
