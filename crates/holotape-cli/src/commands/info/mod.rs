//! `holotape info FILE…`

mod json;
mod timeline;

use std::io::{self, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use clap::Args;
use holotape::format::LayoutEvidence;
use holotape::{BodyPart, FlagSummary, Hand, HandSummary, Marker, Summary};
use holotape_convert::FileFormat;
use holotape_convert::compression::Compression;

use crate::batch::InputArgs;
use crate::failure::{Failure, Outcome};
use crate::input::{self, SummarizedFile, is_stdio};
use crate::output;
use crate::table::{TextTable, bytes, escape_for_terminal, group_digits, plural};
use json::InfoJson;
use timeline::{marker_line, timeline_bar};

/// Show the contents of recordings, without reading their keys
///
/// Prints version, key layout and producer, channels, duration, key counts and rates, tracked and pinching spans, and
/// markers. Takes milliseconds for a .bin file of any length: only curve headers, the ends of curves and the flags are
/// read. A compressed file is decompressed, but never held in memory as a whole if it is large.
#[derive(Debug, Args)]
pub struct InfoArgs {
    #[command(flatten)]
    input: InputArgs,
}

pub fn run(args: &InfoArgs) -> Result<Outcome, Failure> {
    let mut is_first = true;
    args.input.each_file(
        |path| Ok((input::summary(path)?, file_bytes(path))),
        |mut out, name, (SummarizedFile { summary, file_format, compression }, file_bytes)| {
            let target = InfoTarget { name, file_bytes, format: file_format, compression };
            if args.input.json {
                return Ok(output::write_json(out, &InfoJson::new(&target, &summary))?);
            }
            if !std::mem::take(&mut is_first) {
                writeln!(out)?;
            }
            Ok(show(&mut out, &target, &summary)?)
        },
    )
}

fn file_bytes(path: &Path) -> Option<u64> {
    if is_stdio(path) { None } else { path.metadata().ok().map(|metadata| metadata.len()) }
}

/// The file that a summary was read from.
pub struct InfoTarget<'a> {
    pub name: &'a str,
    /// `None` for standard input.
    pub file_bytes: Option<u64>,
    pub format: FileFormat,
    pub compression: Compression,
}

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Prints a summary as text.
pub fn show(out: &mut impl Write, target: &InfoTarget<'_>, summary: &Summary) -> io::Result<()> {
    let format = summary.format;
    writeln!(out, "{BOLD}{}{BOLD:#}", escape_for_terminal(target.name, usize::MAX))?;
    let size = target.file_bytes.map_or(String::new(), |len| format!("{}, ", bytes(len)));
    let compressed = match target.compression {
        Compression::None => String::new(),
        compression => format!("compressed with {}, ", compression.name()),
    };
    let document = if target.format == FileFormat::Json { "JSON document of " } else { "" };
    let markers = if format.marker_list { "marker list" } else { "no marker list" };
    let (version, keys) = (format.layout.version(), format.layout.keys());
    let key_bytes = keys.key_bytes();
    writeln!(out, "  {size}{compressed}{document}version {version}, {keys} keys ({key_bytes} bytes), {markers}")?;
    writeln!(out, "  layout of {}", producers(summary))?;
    if let Some(message) = summary.evidence.and_then(evidence_text) {
        writeln!(out, "  {DIM}{message}{DIM:#}")?;
    }
    writeln!(out, "\n  {BOLD}{:.3} s{BOLD:#}, {} keys\n", summary.duration_secs, group_digits(summary.key_count()))?;
    show_body_parts(out, summary)?;
    show_lost_rotations(out, summary)?;
    if summary.channels.hands && summary.duration_secs > 0.0 {
        writeln!(out)?;
        show_hands(out, summary)?;
    }
    show_markers(out, &summary.markers)
}

fn show_lost_rotations(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    let lost = summary.lost_w_count();
    if lost == 0 {
        return Ok(());
    }
    let poses = plural(lost, "pose has", "poses have");
    let yellow = Style::new().bold().fg_color(Some(AnsiColor::Yellow.into()));
    writeln!(out, "\n  {yellow}wrong rotations:{yellow:#} {poses} lost rotation w, a bug of MRTK 2.6.0 to 2.7.2")
}

fn producers(summary: &Summary) -> String {
    let producers = summary.format.layout.producers();
    if producers.starts_with("MRTK") && !summary.format.marker_list {
        format!("{producers}, but without the marker list that MRTK writes")
    } else {
        producers.to_owned()
    }
}

fn evidence_text(evidence: LayoutEvidence) -> Option<&'static str> {
    match evidence {
        LayoutEvidence::Version | LayoutEvidence::Structure => None,
        LayoutEvidence::NoKeys => {
            Some("key layout assumed: without float keys, both layouts of 1.1 are equal, and compact is common")
        }
        LayoutEvidence::Likelihood => {
            Some("key layout guessed: both layouts of 1.1 fit, and this one is more plausible")
        }
    }
}

fn show_body_parts(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    if summary.curves.is_empty() {
        return writeln!(out, "  no channels");
    }
    let mut table = TextTable::default();
    table.push(["channel", "curves", "keys", "keys/curve", "rate", "from", "to"].map(str::to_owned));
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
        let [min, max] = [part.min_key_count, part.max_key_count].map(|keys| group_digits(keys.into()));
        table.push([
            name.to_owned(),
            part.curve_count.to_string(),
            group_digits(part.key_count),
            if min == max { max } else { format!("{min} to {max}") },
            part.rate_hz.map_or("-".to_owned(), |rate| format!("{rate:.1} Hz")),
            format!("{start:.3} s"),
            format!("{end:.3} s"),
        ]);
    }
    table.write(out, 2)
}

fn show_hands(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    let green = Style::new().fg_color(Some(AnsiColor::Green.into()));
    let cyan = Style::new().fg_color(Some(AnsiColor::Cyan.into()));
    let duration_secs = f64::from(summary.duration_secs);
    let row = |name: &str, label: &str, style: Style, flag: &FlagSummary, message: String| {
        let percent = format!("{:.0} %", 100.0 * summary.fraction(flag.total_secs));
        let bar = timeline_bar(&flag.spans_secs, duration_secs);
        format!("  {name:<5}  {label:<8}  {style}{bar}{style:#}  {percent:>5}  {message}")
    };
    for hand in Hand::ALL {
        let HandSummary { tracked, pinching } = summary.hand(hand);
        let spans = plural(tracked.count, "tracked span", "tracked spans");
        let pinches = plural(pinching.count, "pinch", "pinches");
        let pinches = format!("{pinches}, {:.2} s", pinching.total_secs);
        writeln!(out, "{}", row(hand.name(), "tracked", green, tracked, spans))?;
        writeln!(out, "{}", row("", "pinching", cyan, pinching, pinches))?;
    }
    if !summary.markers.is_empty() {
        let line = marker_line(&summary.markers, summary.duration_secs);
        writeln!(out, "  {:<5}  {:<8}  {line}", "", "markers")?;
    }
    Ok(())
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
        let others = group_digits((markers.len() - MAX_SHOWN) as u64);
        writeln!(out, "  {:>12}  and {others} more; --json prints all", "")?;
    }
    Ok(())
}
