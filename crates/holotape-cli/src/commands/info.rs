//! `holotape info FILE…`

use std::io::{self, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use clap::Args;
use holotape::format::{Channels, Format, LayoutEvidence};
use holotape::json::JsonFloat;
use holotape::{BodyPart, CurveSummary, FlagSummary, Hand, HandSummary, Marker, Summary};
use serde::{Serialize, Serializer};

use crate::batch::InputArgs;
use crate::failure::{Failure, Outcome};
use crate::input::{self, is_stdio};
use crate::output::{self, NativeFormat};
use crate::table::{TextTable, bytes, escape_for_terminal, group_digits, plural};

/// Show what is in recordings, without reading their keys
///
/// Version, layout and who writes it, channels, duration, key counts and rates, when the hands were tracked and pinched,
/// markers. Takes milliseconds however long a recording is: only curve headers, the ends of curves and the flags are
/// read.
#[derive(Debug, Args)]
pub struct InfoArgs {
    #[command(flatten)]
    look: InputArgs,
}

pub fn run(args: &InfoArgs) -> Result<Outcome, Failure> {
    let mut is_first = true;
    args.look.each_file(
        |path| Ok(input::summary(path)?),
        |path, (summary, kind)| {
            let name = input::display_path(path).display().to_string();
            let subject = InfoTarget { name: &name, bytes: byte_len(path), kind };
            let mut out = output::stdout();
            if args.look.json {
                serde_json::to_writer(&mut out, &Info::new(&subject, &summary))?;
                writeln!(out)?;
            } else {
                if !std::mem::take(&mut is_first) {
                    writeln!(out)?;
                }
                show(&mut out, &subject, &summary)?;
            }
            Ok(out.flush()?)
        },
    )
}

fn byte_len(path: &Path) -> Option<u64> {
    if is_stdio(path) { None } else { path.metadata().ok().map(|metadata| metadata.len()) }
}

/// What is shown: a name, a length if known, and what sort of file it is.
pub struct InfoTarget<'a> {
    pub name: &'a str,
    pub bytes: Option<u64>,
    pub kind: NativeFormat,
}

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The summary for people.
pub fn show(out: &mut impl Write, subject: &InfoTarget<'_>, summary: &Summary) -> io::Result<()> {
    let format = summary.format;
    writeln!(out, "{BOLD}{}{BOLD:#}", escape_for_terminal(subject.name, usize::MAX))?;
    let size = subject.bytes.map_or(String::new(), |len| format!("{}, ", bytes(len)));
    let document = if subject.kind == NativeFormat::Json { "JSON document of " } else { "" };
    let markers = if format.marker_list { "marker list" } else { "no marker list" };
    let (version, keys) = (format.layout.version(), format.layout.keys());
    writeln!(out, "  {size}{document}version {version}, {keys} keys ({} bytes), {markers}", keys.key_bytes())?;
    writeln!(out, "  layout of {}", producers(summary))?;
    if let Some(message) = summary.evidence.and_then(evidence_text) {
        writeln!(out, "  {DIM}{message}{DIM:#}")?;
    }
    writeln!(out, "\n  {BOLD}{:.3} s{BOLD:#}, {} keys\n", summary.duration_secs, group_digits(summary.key_count()))?;
    show_parts(out, summary)?;
    show_defects(out, summary)?;
    if summary.channels.hands && summary.duration_secs > 0.0 {
        writeln!(out)?;
        show_hands(out, summary)?;
    }
    show_markers(out, &summary.markers)
}

fn show_defects(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    let lost = rotations_without_w(summary);
    if lost == 0 {
        return Ok(());
    }
    let poses = plural(lost, "pose has", "poses have");
    let yellow = Style::new().bold().fg_color(Some(AnsiColor::Yellow.into()));
    writeln!(out, "\n  {yellow}wrong rotations:{yellow:#} {poses} lost rotation w, a fault of MRTK 2.6.0 to 2.7.2")
}

pub fn rotations_without_w(summary: &Summary) -> usize {
    let parts = BodyPart::ALL.into_iter().filter_map(|part| summary.body_part(part));
    parts.map(|part| part.rotations_without_w).sum()
}

fn producers(summary: &Summary) -> String {
    let producers = summary.format.layout.producers();
    if producers.starts_with("MRTK") && !summary.format.marker_list {
        format!("{producers}, but without the marker list that they all write")
    } else {
        producers.to_owned()
    }
}

fn evidence_text(evidence: LayoutEvidence) -> Option<&'static str> {
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
    let mut table = TextTable::default();
    table.push(["channel", "curves", "keys", "keys a curve", "rate", "from", "to"].map(str::to_owned));
    for part in BodyPart::ALL {
        let name = part.name();
        let Some(part) = summary.body_part(part) else {
            table.push_note(name, "not recorded");
            continue;
        };
        let (Some(start), Some(end)) = (part.start_secs, part.end_secs) else {
            table.push_note(name, "no keys");
            continue;
        };
        let [fewest, most] = [part.fewest_keys, part.most_keys].map(|keys| group_digits(keys.into()));
        table.push([
            name.to_owned(),
            part.curve_count.to_string(),
            group_digits(part.key_count),
            if fewest == most { most } else { format!("{fewest} to {most}") },
            part.rate_hz.map_or("-".to_owned(), |rate| format!("{rate:.1} Hz")),
            format!("{start:.3} s"),
            format!("{end:.3} s"),
        ]);
    }
    table.write(out, 2)
}

fn show_hands(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    let duration_secs = f64::from(summary.duration_secs);
    for hand in Hand::ALL {
        let HandSummary { tracked, pinching } = summary.hand(hand);
        let percent = |flag: &FlagSummary| format!("{:.0} %", 100.0 * summary.fraction(flag.total_secs));
        let spells = plural(tracked.count, "spell", "spells");
        let pinches = plural(pinching.count, "pinch", "pinches");
        let green = Style::new().fg_color(Some(AnsiColor::Green.into()));
        let cyan = Style::new().fg_color(Some(AnsiColor::Cyan.into()));
        let row = |name: &str, label: &str, style: Style, flag: &FlagSummary, message: String| {
            format!(
                "  {name:<5}  {label:<8}  {style}{}{style:#}  {:>5}  {message}",
                timeline_bar(flag, duration_secs),
                percent(flag)
            )
        };
        writeln!(out, "{}", row(hand.name(), "tracked", green, tracked, spells))?;
        writeln!(out, "{}", row("", "pinching", cyan, pinching, format!("{pinches}, {:.2} s", pinching.total_secs)))?;
    }
    if let Some(flags) = marker_flags(summary) {
        writeln!(out, "  {:<5}  {:<8}  {flags}", "", "markers")?;
    }
    Ok(())
}

/// Number of cells of a timeline bar.
const TIMELINE_CELLS: usize = 60;

/// The spans of a flag as a bar over the duration of the recording; a block is denser the longer the flag is set there.
fn timeline_bar(flag: &FlagSummary, duration_secs: f64) -> String {
    let cell_secs = duration_secs / TIMELINE_CELLS as f64;
    let set_secs = |cell: usize| {
        let (start, end) = (cell as f64 * cell_secs, (cell + 1) as f64 * cell_secs);
        let overlaps = flag.spans_secs.iter().map(|span| (span.end.min(end) - span.start.max(start)).max(0.0));
        overlaps.sum::<f64>()
    };
    let block = |cell: usize| match set_secs(cell) / cell_secs {
        fraction if fraction >= 0.995 => '█',
        fraction if fraction >= 0.67 => '▓',
        fraction if fraction >= 0.34 => '▒',
        fraction if fraction > 0.0 => '░',
        _ => '·',
    };
    (0..TIMELINE_CELLS).map(block).collect()
}

fn marker_flags(summary: &Summary) -> Option<String> {
    if summary.duration_secs <= 0.0 || summary.markers.is_empty() {
        return None;
    }
    let mut flags = [' '; TIMELINE_CELLS];
    for marker in &summary.markers {
        let fraction = marker.time / summary.duration_secs;
        if (0.0..=1.0).contains(&fraction) {
            flags[((fraction * flags.len() as f32) as usize).min(flags.len() - 1)] = '▲';
        }
    }
    Some(flags.iter().collect::<String>().trim_end().to_owned())
}

fn show_markers(out: &mut impl Write, markers: &[Marker]) -> io::Result<()> {
    const MAX_SHOWN: usize = 40;
    if markers.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n  {}", plural(markers.len(), "marker", "markers"))?;
    for marker in markers.iter().take(MAX_SHOWN) {
        writeln!(out, "  {:>10.3} s  {}", marker.time, escape_for_terminal(&marker.name, 80))?;
    }
    if markers.len() > MAX_SHOWN {
        writeln!(
            out,
            "  {:>12}  and {} more; --json has them all",
            "",
            group_digits((markers.len() - MAX_SHOWN) as u64)
        )?;
    }
    Ok(())
}

/// The summary for programs. Fields with the names of the test data mean the same.
#[derive(Serialize)]
struct Info<'a> {
    file: &'a str,
    bytes: Option<u64>,
    container: &'static str,
    version: [i32; 2],
    keys: &'static str,
    marker_list: bool,
    layout_known_by: Option<&'static str>,
    producers: &'static str,
    channels: Channels,
    duration: JsonFloat<f32>,
    key_count: u64,
    rotations_without_w: usize,
    parts: Parts<'a>,
    markers: &'a [Marker],
    key_counts: KeyCounts<'a>,
}

impl<'a> Info<'a> {
    fn new(subject: &InfoTarget<'a>, summary: &'a Summary) -> Self {
        let Format { layout, marker_list } = summary.format;
        Self {
            file: subject.name,
            bytes: subject.bytes,
            container: match subject.kind {
                NativeFormat::Bin => "bin",
                NativeFormat::Json => "json",
            },
            version: layout.version().numbers(),
            keys: layout.keys().name(),
            marker_list,
            layout_known_by: summary.evidence.map(evidence_name),
            producers: layout.producers(),
            channels: summary.channels,
            duration: JsonFloat(summary.duration_secs),
            key_count: summary.key_count(),
            rotations_without_w: rotations_without_w(summary),
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
        let recorded = BodyPart::ALL.into_iter().filter_map(|part| Some((part.name(), PartJson::new(self.0, part)?)));
        serializer.collect_map(recorded)
    }
}

#[derive(Serialize)]
struct PartJson {
    curves: usize,
    keys: u64,
    rate_hz: Option<f64>,
    start: Option<JsonFloat<f32>>,
    end: Option<JsonFloat<f32>>,
    #[serde(flatten)]
    hand: Option<HandJson>,
}

#[derive(Serialize)]
struct HandJson {
    tracked_share: f64,
    tracked_seconds: f64,
    tracked_spells: usize,
    pinches: usize,
    pinching_seconds: f64,
}

impl PartJson {
    fn new(summary: &Summary, part: BodyPart) -> Option<Self> {
        let motion = summary.body_part(part)?;
        Some(Self {
            curves: motion.curve_count,
            keys: motion.key_count,
            rate_hz: motion.rate_hz,
            start: motion.start_secs.map(JsonFloat),
            end: motion.end_secs.map(JsonFloat),
            hand: match part {
                BodyPart::Hand(hand) => Some(HandJson::new(summary, hand)),
                BodyPart::Camera | BodyPart::Gaze => None,
            },
        })
    }
}

impl HandJson {
    fn new(summary: &Summary, hand: Hand) -> Self {
        let HandSummary { tracked, pinching } = summary.hand(hand);
        Self {
            tracked_share: summary.fraction(tracked.total_secs),
            tracked_seconds: tracked.total_secs,
            tracked_spells: tracked.count,
            pinches: pinching.count,
            pinching_seconds: pinching.total_secs,
        }
    }
}
