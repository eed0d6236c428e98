//! `holotape info FILE…`

use std::io::{self, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use holotape::format::{Channels, Format, LayoutEvidence};
use holotape::{CurveId, CurveSummary, FlagSummary, Hand, HandSummary, Marker, Summary};
use serde::{Serialize, Serializer};

use crate::args::InfoArgs;
use crate::failure::{Failure, Outcome};
use crate::input::{self, is_dash};
use crate::output;
use crate::table::{Table, bytes, grouped, printable};

pub fn run(args: &InfoArgs) -> Result<Outcome, Failure> {
    let mut out = output::stdout();
    let mut result = Ok(Outcome::Done);
    for (index, path) in args.files.iter().enumerate() {
        let summary = match input::summary(path) {
            Ok(summary) => summary,
            // One bad file of many does not hide the others.
            Err(error) if args.files.len() > 1 => {
                out.flush()?;
                output::report("error", &error);
                result = Err(Failure::Said);
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        let name = path.display().to_string();
        if args.json {
            serde_json::to_writer(&mut out, &Info::new(&name, byte_len(path), &summary))?;
            writeln!(out)?;
        } else {
            if index > 0 {
                writeln!(out)?;
            }
            show(&mut out, &name, byte_len(path), &summary)?;
        }
    }
    out.flush()?;
    result
}

fn byte_len(path: &Path) -> Option<u64> {
    if is_dash(path) { None } else { path.metadata().ok().map(|metadata| metadata.len()) }
}

/// The parts of a recording that people think of, with the names that curve names begin with.
const PARTS: [&str; 4] = ["camera", "left", "right", "gaze"];

fn part_of(id: CurveId) -> &'static str {
    match id {
        CurveId::Camera(_) => "camera",
        CurveId::Tracked(hand) | CurveId::Pinching(hand) | CurveId::Joint(hand, ..) => hand.name(),
        CurveId::Gaze(_) => "gaze",
    }
}

/// The curves of a part that have keys, without the two flags of a hand.
fn motion<'a>(summary: &'a Summary, part: &'a str) -> impl Iterator<Item = &'a CurveSummary> + Clone {
    let of_part = move |curve: &&CurveSummary| part_of(curve.id) == part && !curve.id.is_bool();
    summary.curves.iter().filter(of_part).filter(|curve| curve.key_count > 0)
}

fn has_part(summary: &Summary, part: &str) -> bool {
    summary.curves.iter().any(|curve| part_of(curve.id) == part)
}

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The summary for people.
pub fn show(out: &mut impl Write, name: &str, byte_len: Option<u64>, summary: &Summary) -> io::Result<()> {
    let format = summary.format;
    writeln!(out, "{BOLD}{name}{BOLD:#}")?;
    let size = byte_len.map_or(String::new(), |len| format!("{}, ", bytes(len)));
    let markers = if format.marker_list { "marker list" } else { "no marker list" };
    let (version, keys) = (format.layout.version(), format.layout.keys());
    writeln!(out, "  {size}version {version}, {keys} keys ({} bytes), {markers}", keys.key_bytes())?;
    writeln!(out, "  layout of {}", producers(summary))?;
    if let Some(words) = summary.evidence.and_then(evidence_words) {
        writeln!(out, "  {DIM}{words}{DIM:#}")?;
    }
    writeln!(out, "\n  {BOLD}{:.3} s{BOLD:#}, {} keys\n", summary.duration_secs, grouped(summary.key_count()))?;
    show_parts(out, summary)?;
    if summary.channels.hands && summary.duration_secs > 0.0 {
        writeln!(out)?;
        show_hands(out, summary)?;
    }
    show_markers(out, &summary.markers)
}

fn producers(summary: &Summary) -> String {
    let producers = summary.format.layout.producers();
    if producers.starts_with("MRTK") && !summary.format.marker_list {
        format!("{producers}, but without the marker list that they all write")
    } else {
        producers.to_owned()
    }
}

fn evidence_words(evidence: LayoutEvidence) -> Option<&'static str> {
    match evidence {
        LayoutEvidence::Version | LayoutEvidence::Structure => None,
        LayoutEvidence::NoKeys => {
            Some("without float keys, both layouts of 1.1 read the same; compact is the usual one")
        }
        LayoutEvidence::Likelihood => Some("both layouts of 1.1 fit; this one looks more like what programs write"),
    }
}

fn evidence_name(evidence: LayoutEvidence) -> &'static str {
    match evidence {
        LayoutEvidence::Version => "version",
        LayoutEvidence::Structure => "structure",
        LayoutEvidence::NoKeys => "no_keys",
        LayoutEvidence::Likelihood => "likelihood",
    }
}

fn show_parts(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    if summary.curves.is_empty() {
        return writeln!(out, "  no channels");
    }
    let mut table = Table::default();
    table.push(["channel", "curves", "keys", "keys a curve", "rate", "from", "to"].map(str::to_owned));
    for part in PARTS {
        if !has_part(summary, part) {
            table.push_note(part, "not recorded");
            continue;
        }
        let curves = motion(summary, part);
        let keys = || curves.clone().map(|curve| u64::from(curve.key_count));
        let (Some(fewest), Some(most)) = (keys().min(), keys().max()) else {
            table.push_note(part, "no keys");
            continue;
        };
        let spread = if fewest == most { grouped(most) } else { format!("{} to {}", grouped(fewest), grouped(most)) };
        let from = curves.clone().map(|curve| curve.start_secs).fold(f32::INFINITY, f32::min);
        let to = curves.clone().map(|curve| curve.end_secs).fold(f32::NEG_INFINITY, f32::max);
        table.push([
            part.to_owned(),
            curves.clone().count().to_string(),
            grouped(keys().sum()),
            spread,
            CurveSummary::rate_hz(curves.clone()).map_or("-".to_owned(), |rate| format!("{rate:.1} Hz")),
            format!("{from:.3} s"),
            format!("{to:.3} s"),
        ]);
    }
    table.write(out, 2)
}

fn show_hands(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    for hand in Hand::ALL {
        let HandSummary { tracked, pinching } = summary.hand(hand);
        let percent = |flag: &FlagSummary| format!("{:.0} %", 100.0 * summary.share(flag.secs));
        let spells = plural(tracked.count, "spell", "spells");
        let pinches = plural(pinching.count, "pinch", "pinches");
        let green = Style::new().fg_color(Some(AnsiColor::Green.into()));
        let cyan = Style::new().fg_color(Some(AnsiColor::Cyan.into()));
        let row = |name: &str, label: &str, style: Style, flag: &FlagSummary, words: String| {
            format!("  {name:<5}  {label:<8}  {style}{}{style:#}  {:>5}  {words}", band(flag), percent(flag))
        };
        writeln!(out, "{}", row(hand.name(), "tracked", green, tracked, spells))?;
        writeln!(out, "{}", row("", "pinching", cyan, pinching, format!("{pinches}, {:.2} s", pinching.secs)))?;
    }
    if let Some(flags) = marker_flags(summary) {
        writeln!(out, "  {:<5}  {:<8}  {flags}", "", "markers")?;
    }
    Ok(())
}

/// A timeline in blocks: the fuller, the more of that time.
fn band(flag: &FlagSummary) -> String {
    let block = |share: &f32| match share {
        share if *share <= 0.0 => '·',
        share if *share < 0.34 => '░',
        share if *share < 0.67 => '▒',
        share if *share < 0.995 => '▓',
        _ => '█',
    };
    flag.timeline.iter().map(block).collect()
}

fn marker_flags(summary: &Summary) -> Option<String> {
    if summary.duration_secs <= 0.0 || summary.markers.is_empty() {
        return None;
    }
    let mut flags = [' '; FlagSummary::TIMELINE_PARTS];
    for marker in &summary.markers {
        let share = marker.time / summary.duration_secs;
        if (0.0..=1.0).contains(&share) {
            flags[((share * flags.len() as f32) as usize).min(flags.len() - 1)] = '▲';
        }
    }
    Some(flags.iter().collect::<String>().trim_end().to_owned())
}

fn show_markers(out: &mut impl Write, markers: &[Marker]) -> io::Result<()> {
    const MOST_SHOWN: usize = 40;
    if markers.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n  {}", plural(markers.len(), "marker", "markers"))?;
    for marker in markers.iter().take(MOST_SHOWN) {
        writeln!(out, "  {:>10.3} s  {}", marker.time, printable(&marker.name, 80))?;
    }
    if markers.len() > MOST_SHOWN {
        writeln!(out, "  {:>12}  and {} more; --json has them all", "", markers.len() - MOST_SHOWN)?;
    }
    Ok(())
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count as u64), if count == 1 { one } else { many })
}

/// The summary for programs. Fields with the names of the test data mean the same.
#[derive(Serialize)]
struct Info<'a> {
    file: &'a str,
    bytes: Option<u64>,
    version: [i32; 2],
    keys: &'static str,
    marker_list: bool,
    layout_known_by: Option<&'static str>,
    producers: &'static str,
    channels: Channels,
    duration: f32,
    key_count: u64,
    parts: Parts<'a>,
    markers: &'a [Marker],
    key_counts: KeyCounts<'a>,
}

impl<'a> Info<'a> {
    fn new(file: &'a str, bytes: Option<u64>, summary: &'a Summary) -> Self {
        let Format { layout, marker_list } = summary.format;
        Self {
            file,
            bytes,
            version: layout.version().numbers(),
            keys: layout.keys().name(),
            marker_list,
            layout_known_by: summary.evidence.map(evidence_name),
            producers: layout.producers(),
            channels: summary.channels,
            duration: summary.duration_secs,
            key_count: summary.key_count(),
            parts: Parts(summary),
            markers: &summary.markers,
            key_counts: KeyCounts(&summary.curves),
        }
    }
}

/// Curves with keys, in the order of the file.
struct KeyCounts<'a>(&'a [CurveSummary]);

impl Serialize for KeyCounts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let with_keys = self.0.iter().filter(|curve| curve.key_count > 0);
        serializer.collect_map(with_keys.map(|curve| (curve.id.to_string(), curve.key_count)))
    }
}

struct Parts<'a>(&'a Summary);

impl Serialize for Parts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let present = PARTS.into_iter().filter(|part| has_part(self.0, part));
        serializer.collect_map(present.map(|part| (part, Part::new(self.0, part))))
    }
}

#[derive(Serialize)]
struct Part {
    curves: usize,
    keys: u64,
    rate_hz: Option<f64>,
    start: Option<f32>,
    end: Option<f32>,
    #[serde(flatten)]
    hand: Option<HandPart>,
}

#[derive(Serialize)]
struct HandPart {
    tracked_share: f64,
    tracked_seconds: f64,
    tracked_spells: usize,
    pinches: usize,
    pinching_seconds: f64,
}

impl Part {
    fn new(summary: &Summary, part: &str) -> Self {
        let curves = motion(summary, part);
        Self {
            curves: curves.clone().count(),
            keys: curves.clone().map(|curve| u64::from(curve.key_count)).sum(),
            rate_hz: CurveSummary::rate_hz(curves.clone()),
            start: curves.clone().map(|curve| curve.start_secs).reduce(f32::min),
            end: curves.map(|curve| curve.end_secs).reduce(f32::max),
            hand: part.parse().ok().map(|hand| HandPart::new(summary, hand)),
        }
    }
}

impl HandPart {
    fn new(summary: &Summary, hand: Hand) -> Self {
        let HandSummary { tracked, pinching } = summary.hand(hand);
        Self {
            tracked_share: summary.share(tracked.secs),
            tracked_seconds: tracked.secs,
            tracked_spells: tracked.count,
            pinches: pinching.count,
            pinching_seconds: pinching.secs,
        }
    }
}
