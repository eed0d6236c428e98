//! `holotape sample FILE --at … | --rate …`

use std::io::{self, Write};

use holotape::{BoolEvaluator, CurveEvaluator, CurveId, CurveRef, Frame, Recording};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::args::{SampleArgs, SampleFormat};
use crate::failure::{Failure, Outcome};
use crate::input;
use crate::output;

pub fn run(args: &SampleArgs) -> Result<Outcome, Failure> {
    let take = input::recording(&args.file)?;
    let times = times(args, &take);
    let mut out = output::data_stdout();
    match (args.raw, args.format) {
        (false, None | Some(SampleFormat::Ndjson)) => frames_ndjson(&mut out, frames(args, &take, times))?,
        (false, Some(SampleFormat::Json)) => frames_json(&mut out, frames(args, &take, times))?,
        (false, Some(SampleFormat::Csv)) => frames_csv(&mut out, &take, frames(args, &take, times))?,
        (true, None | Some(SampleFormat::Json)) => raw_json(&mut out, &curves(&take), &times.collect::<Vec<_>>())?,
        (true, Some(SampleFormat::Ndjson)) => raw_ndjson(&mut out, &curves(&take), times)?,
        (true, Some(SampleFormat::Csv)) => raw_csv(&mut out, &curves(&take), times)?,
    }
    out.flush()?;
    Ok(Outcome::Done)
}

fn times(args: &SampleArgs, take: &Recording) -> Box<dyn Iterator<Item = f64>> {
    let Some(rate) = args.rate else { return Box::new(args.at.clone().into_iter()) };
    let from = args.from.unwrap_or(0.0);
    let to = args.to.unwrap_or_else(|| f64::from(take.duration_secs()));
    Box::new((0_u64..).map(move |n| from + n as f64 / rate).take_while(move |time| *time <= to))
}

fn frames(args: &SampleArgs, take: &Recording, times: impl Iterator<Item = f64>) -> impl Iterator<Item = Frame> {
    let sampler = take.sampler().with_untracked_poses(args.untracked);
    times.map(move |time| sampler.frame_at(time))
}

fn frames_ndjson(out: &mut impl Write, frames: impl Iterator<Item = Frame>) -> Result<(), Failure> {
    for frame in frames {
        serde_json::to_writer(&mut *out, &frame)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn frames_json(out: &mut impl Write, frames: impl Iterator<Item = Frame>) -> Result<(), Failure> {
    let mut before = "[";
    for frame in frames {
        out.write_all(before.as_bytes())?;
        serde_json::to_writer(&mut *out, &frame)?;
        before = ",\n";
    }
    out.write_all(if before == "[" { b"[]\n" } else { b"]\n" })?;
    Ok(())
}

/// All columns of the channels that the recording has, so that takes of one sort have one header.
fn frames_csv(out: &mut impl Write, take: &Recording, frames: impl Iterator<Item = Frame>) -> io::Result<()> {
    let columns: Vec<_> = CurveId::all(take.channels()).collect();
    write_header(out, columns.iter())?;
    for frame in frames {
        write!(out, "{}", frame.time)?;
        for id in &columns {
            match frame.value(*id) {
                None => write!(out, ",")?,
                Some(value) if id.is_bool() => write!(out, ",{}", value != 0.0)?,
                Some(value) => write!(out, ",{value}")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_header<'a>(out: &mut impl Write, columns: impl Iterator<Item = &'a CurveId>) -> io::Result<()> {
    write!(out, "time")?;
    columns.into_iter().try_for_each(|id| write!(out, ",{id}"))?;
    writeln!(out)
}

/// A curve with keys, of either sort, to be asked for raw values.
struct RawCurve<'a> {
    id: CurveId,
    values: RawValues<'a>,
}

enum RawValues<'a> {
    Float(CurveEvaluator<'a>),
    Bool(BoolEvaluator<'a>),
}

impl RawCurve<'_> {
    fn value_at(&self, time: f64) -> RawValue {
        RawValue(match &self.values {
            RawValues::Float(curve) => curve.value_at(time).unwrap_or(f64::NAN),
            RawValues::Bool(curve) => f64::from(u8::from(curve.value_at(time))),
        })
    }
}

/// A number, or in JSON the name of what is none.
struct RawValue(f64);

impl Serialize for RawValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            value if value.is_finite() => serializer.serialize_f64(value),
            value if value.is_nan() => serializer.serialize_str("NaN"),
            value => serializer.serialize_str(if value > 0.0 { "Infinity" } else { "-Infinity" }),
        }
    }
}

fn curves(take: &Recording) -> Vec<RawCurve<'_>> {
    let with_keys = take.curves().filter(|(_, curve)| curve.key_count() > 0);
    let evaluator = |curve| match curve {
        CurveRef::Float(curve) => RawValues::Float(curve.evaluator()),
        CurveRef::Bool(curve) => RawValues::Bool(curve.evaluator()),
    };
    with_keys.map(|(id, curve)| RawCurve { id, values: evaluator(curve) }).collect()
}

/// Every curve's values at all times; one curve after the other, so that only the times are kept.
struct ValuesByCurve<'a>(&'a [RawCurve<'a>], &'a [f64]);

impl Serialize for ValuesByCurve<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(curves, times) = self;
        let mut map = serializer.serialize_map(Some(curves.len()))?;
        for curve in *curves {
            map.serialize_entry(&curve.id.to_string(), &CurveValues(curve, times))?;
        }
        map.end()
    }
}

struct CurveValues<'a>(&'a RawCurve<'a>, &'a [f64]);

impl Serialize for CurveValues<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.1.iter().map(|time| self.0.value_at(*time)))
    }
}

fn raw_json(out: &mut impl Write, curves: &[RawCurve<'_>], times: &[f64]) -> Result<(), Failure> {
    write!(out, "{{\"times\":")?;
    serde_json::to_writer(&mut *out, times)?;
    write!(out, ",\"values\":")?;
    serde_json::to_writer(&mut *out, &ValuesByCurve(curves, times))?;
    Ok(writeln!(out, "}}")?)
}

struct ValuesAt<'a>(&'a [RawCurve<'a>], f64);

impl Serialize for ValuesAt<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|curve| (curve.id.to_string(), curve.value_at(self.1))))
    }
}

fn raw_ndjson(out: &mut impl Write, curves: &[RawCurve<'_>], times: impl Iterator<Item = f64>) -> Result<(), Failure> {
    for time in times {
        write!(out, "{{\"time\":")?;
        serde_json::to_writer(&mut *out, &time)?;
        write!(out, ",\"values\":")?;
        serde_json::to_writer(&mut *out, &ValuesAt(curves, time))?;
        writeln!(out, "}}")?;
    }
    Ok(())
}

fn raw_csv(out: &mut impl Write, curves: &[RawCurve<'_>], times: impl Iterator<Item = f64>) -> io::Result<()> {
    write_header(out, curves.iter().map(|curve| &curve.id))?;
    for time in times {
        write!(out, "{time}")?;
        for curve in curves {
            write!(out, ",{}", curve.value_at(time).0)?;
        }
        writeln!(out)?;
    }
    Ok(())
}
