//! `holotape sample FILE --at … | --rate …`

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args, ValueEnum};
use holotape::json::JsonFloat;
use holotape::{CurveId, CurveRef, Frame, FrameLimit, Recording, Result, times_at_rate};
#[cfg(not(feature = "formats"))]
use holotape_convert::FileFormat;
#[cfg(feature = "formats")]
use holotape_convert::csv;
use serde::{Serialize, Serializer};

use crate::args::{parse_finite, parse_positive};
use crate::batch::JobsArgs;
use crate::failure::{Failure, Outcome};
use crate::input;
use crate::output;
use crate::span::{self, SpanLimit};

/// Evaluate a recording at given times
///
/// A frame has the camera, the gaze and both hands with their joints at one time. Rotations and directions are normalized.
/// Missing poses are omitted, and so are the joints of an untracked hand. With --raw, prints the values of curves by name.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("times").required(true).args(["at", "rate"])))]
pub struct SampleArgs {
    /// A recording, or - for standard input; with --out-dir any number of recordings
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Times in seconds, separated by commas
    #[arg(
        long,
        value_name = "SECONDS",
        value_delimiter = ',',
        allow_hyphen_values = true,
        value_parser = parse_finite
    )]
    at: Vec<f64>,

    /// Samples per second, from start to end
    #[arg(long, value_name = "HZ", value_parser = parse_positive)]
    rate: Option<f64>,

    /// With --rate: start here instead of at 0
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = parse_finite, conflicts_with = "at")]
    from: Option<f64>,

    /// With --rate: end here instead of at the end of the recording
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = parse_finite, conflicts_with = "at")]
    to: Option<f64>,

    /// Print the values of curves by name, without normalization
    #[arg(long)]
    raw: bool,

    /// Include poses of untracked hands, which are interpolated
    #[arg(long, conflicts_with = "raw")]
    include_untracked: bool,

    /// Output format; default: ndjson, or json with --raw
    #[arg(long, value_enum)]
    format: Option<SampleFormat>,

    /// Write one file per recording into this folder
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,

    /// With --out-dir: overwrite existing files
    #[arg(long, requires = "out_dir")]
    force: bool,

    #[command(flatten)]
    jobs: JobsArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SampleFormat {
    /// One document
    Json,
    /// One object per line
    Ndjson,
    /// One row per time, with a header of curve names
    Csv,
}

pub fn run(args: &SampleArgs) -> Result<Outcome, Failure> {
    let Some(folder) = &args.out_dir else {
        let [file] = &args.files[..] else {
            return Err(Failure::Usage("several recordings need --out-dir DIR".to_owned()));
        };
        return args.jobs.limit_threads(|| write(args, file, Path::new("-"))).map(|()| Outcome::Done);
    };
    let paths = output::output_paths(folder, &args.files, |_| args.extension().to_owned())?;
    let jobs: Vec<_> = args.files.iter().zip(paths).collect();
    args.jobs.for_each_file(
        &jobs,
        |(file, path)| write(args, file, path).map_err(|failure| failure.with_input(file)),
        |_, ()| Ok(()),
    )
}

fn write(args: &SampleArgs, file: &Path, path: &Path) -> Result<(), Failure> {
    output::check_not_existing(path, args.force)?;
    let recording = input::recording(file)?;
    let times = times(args, &recording)?;
    output::write(path, args.force, |mut out| match (args.raw, args.format) {
        (false, None | Some(SampleFormat::Ndjson)) => frames_ndjson(&mut out, frames(args, &recording, &times)),
        (false, Some(SampleFormat::Json)) => frames_json(&mut out, frames(args, &recording, &times)),
        #[cfg(feature = "formats")]
        (false, Some(SampleFormat::Csv)) => {
            csv::write_frames(frames(args, &recording, &times), recording.channels(), &mut out)
        }
        #[cfg(not(feature = "formats"))]
        (false, Some(SampleFormat::Csv)) => Err(FileFormat::Csv.missing_feature()),
        (true, None | Some(SampleFormat::Json)) => raw_json(&mut out, &curves(&recording), &times),
        (true, Some(SampleFormat::Ndjson)) => raw_ndjson(&mut out, &curves(&recording), &times),
        (true, Some(SampleFormat::Csv)) => raw_csv(&mut out, &curves(&recording), &times),
    })
}

impl SampleArgs {
    fn extension(&self) -> &'static str {
        match (self.format, self.raw) {
            (Some(SampleFormat::Csv), _) => "csv",
            (Some(SampleFormat::Json), _) | (None, true) => "json",
            (Some(SampleFormat::Ndjson), _) | (None, false) => "ndjson",
        }
    }
}

/// The requested times. There may be many, so they are generated repeatedly instead of stored.
enum SampleTimes {
    At(Vec<f64>),
    Rate { span_secs: RangeInclusive<f64>, rate_hz: f64 },
}

impl SampleTimes {
    fn iter(&self) -> Box<dyn Iterator<Item = f64> + '_> {
        match self {
            Self::At(times) => Box::new(times.iter().copied()),
            Self::Rate { span_secs, rate_hz } => Box::new(times_at_rate(span_secs.clone(), *rate_hz)),
        }
    }
}

fn times(args: &SampleArgs, recording: &Recording) -> Result<SampleTimes, Failure> {
    let Some(rate_hz) = args.rate else { return Ok(SampleTimes::At(args.at.clone())) };
    let (from, to) = span::resolve(args.from, args.to, recording.duration_secs(), SpanLimit::Unlimited)?;
    if FrameLimit::for_recording(recording).check(to - from, rate_hz).is_err() {
        let message = format!("too many samples: {rate_hz} Hz from {from} to {to} s; set --to or a lower --rate");
        return Err(Failure::Usage(message));
    }
    Ok(SampleTimes::Rate { span_secs: from..=to, rate_hz })
}

fn frames(args: &SampleArgs, recording: &Recording, times: &SampleTimes) -> impl Iterator<Item = Frame> {
    let mut sampler = recording.sampler().with_untracked_poses(args.include_untracked);
    times.iter().map(move |time| sampler.frame_at(time))
}

fn frames_ndjson(out: &mut impl Write, mut frames: impl Iterator<Item = Frame>) -> Result<()> {
    Ok(frames.try_for_each(|frame| output::write_json(&mut *out, &frame))?)
}

fn frames_json(out: &mut impl Write, frames: impl Iterator<Item = Frame>) -> Result<()> {
    let mut before = "[";
    for frame in frames {
        out.write_all(before.as_bytes())?;
        serde_json::to_writer(&mut *out, &frame).map_err(io::Error::from)?;
        before = ",\n";
    }
    out.write_all(if before == "[" { b"[]\n" } else { b"]\n" })?;
    Ok(())
}

/// A curve with keys, and its value at a time.
type RawCurve<'a> = (CurveId, Box<dyn Fn(f64) -> f64 + 'a>);

fn curves(recording: &Recording) -> Vec<RawCurve<'_>> {
    let with_keys = recording.curves().filter(|(_, curve)| curve.key_count() > 0);
    let raw = |(id, curve)| -> RawCurve<'_> {
        match curve {
            CurveRef::Float(curve) => {
                let curve = curve.evaluator();
                (id, Box::new(move |time| curve.value_at(time).unwrap_or(f64::NAN)))
            }
            CurveRef::Bool(curve) => {
                let curve = curve.evaluator();
                (id, Box::new(move |time| f64::from(u8::from(curve.value_at(time)))))
            }
        }
    };
    with_keys.map(raw).collect()
}

/// Serializes the items of an iterator as an array, without storing them.
struct Sequence<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Sequence<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// Serializes something about each curve as an object, by name.
struct ByCurve<'a, F>(&'a [RawCurve<'a>], F);

fn by_curve<'a, V: Serialize, F: Fn(&'a RawCurve<'a>) -> V>(curves: &'a [RawCurve<'a>], of: F) -> ByCurve<'a, F> {
    ByCurve(curves, of)
}

impl<'a, F: Fn(&'a RawCurve<'a>) -> V, V: Serialize> Serialize for ByCurve<'a, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|curve| (curve.0.to_string(), (self.1)(curve))))
    }
}

#[derive(Serialize)]
struct RawDocument<T, V> {
    times: T,
    values: V,
}

fn raw_json(out: &mut impl Write, curves: &[RawCurve<'_>], times: &SampleTimes) -> Result<()> {
    let values = by_curve(curves, |(_, value)| Sequence(move || times.iter().map(move |time| JsonFloat(value(time)))));
    let document = RawDocument { times: Sequence(|| times.iter()), values };
    Ok(output::write_json(out, &document)?)
}

#[derive(Serialize)]
struct RawLine<V> {
    time: f64,
    values: V,
}

fn raw_ndjson(out: &mut impl Write, curves: &[RawCurve<'_>], times: &SampleTimes) -> Result<()> {
    for time in times.iter() {
        let values = by_curve(curves, |(_, value)| JsonFloat(value(time)));
        output::write_json(&mut *out, &RawLine { time, values })?;
    }
    Ok(())
}

fn raw_csv(out: &mut impl Write, curves: &[RawCurve<'_>], times: &SampleTimes) -> Result<()> {
    write!(out, "time")?;
    curves.iter().try_for_each(|(id, _)| write!(out, ",{id}"))?;
    writeln!(out)?;
    for time in times.iter() {
        write!(out, "{time}")?;
        curves.iter().try_for_each(|(_, value)| write!(out, ",{}", value(time)))?;
        writeln!(out)?;
    }
    Ok(())
}
