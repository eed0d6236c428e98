//! The output of `view --lan`: address, pairing code and pairing events.

use std::io::{self, IsTerminal, Write};
use std::iter;

use anstream::ColorChoice;
use anstyle::{AnsiColor, Style};
use holotape_viewer::{DamagedFile, LanEvent, LanServer, NewCodeReason};

use super::qr;
use crate::output;

/// For text that is read from a distance.
const LARGE: Style = Style::new().bold();
const CODE: Style = AnsiColor::Green.on_default().bold();
const SMALL: Style = Style::new().dimmed();

/// Number of further addresses to print.
const MAX_OTHERS: usize = 2;

/// Bytes of the fingerprint per line, few enough to compare at a glance.
const BYTES_PER_LINE: usize = 8;

/// Prints how to connect, with a QR code if stdout is a terminal with colours.
pub fn print_instructions(bound: &LanServer) -> io::Result<()> {
    let has_colours = io::stdout().is_terminal() && anstream::AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    let urls = bound.urls();
    let code = urls.first().filter(|_| has_colours).and_then(|url| qr::lines(url)).unwrap_or_default();
    let instructions = lines(&urls, &bound.code(), &bound.fingerprint(), &bound.local_url());
    let mut out = output::stdout();
    write_two_columns(&mut out, &code, &instructions)?;
    out.flush()
}

fn lines(urls: &[String], code: &str, fingerprint: &str, local_url: &str) -> Vec<String> {
    let (url, others) = urls.split_first().map_or(("", urls), |(url, others)| (url, others));
    let mut lines = vec![
        "Open this on the headset:".to_owned(),
        format!("{LARGE}{url}{LARGE:#}"),
        String::new(),
        "and type this code:".to_owned(),
        format!("{CODE}{code}{CODE:#}"),
        format!("{SMALL}for one new device, valid for 10 minutes{SMALL:#}"),
        String::new(),
        "The browser will warn once about the".to_owned(),
        "certificate. Its fingerprint:".to_owned(),
    ];
    let bytes: Vec<_> = fingerprint.split(':').collect();
    lines.extend(bytes.chunks(BYTES_PER_LINE).map(|bytes| format!("{SMALL}{}{SMALL:#}", bytes.join(":"))));
    lines.push(String::new());
    lines.extend(others.iter().take(MAX_OTHERS).map(|url| format!("{SMALL}or {url}{SMALL:#}")));
    lines.push(format!("{SMALL}on this machine: {local_url}{SMALL:#}"));
    lines.push(format!("{SMALL}paired devices: holotape devices{SMALL:#}"));
    lines.push(format!("{SMALL}Ctrl-C stops it{SMALL:#}"));
    lines
}

/// Writes the QR code and the text side by side; only the text if there is no code.
fn write_two_columns(out: &mut impl Write, code: &[String], text: &[String]) -> io::Result<()> {
    if code.is_empty() {
        return text.iter().try_for_each(|line| writeln!(out, "{line}"));
    }
    let width = code.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let height = code.len().max(text.len());
    let style = qr::STYLE;
    let left = code.iter().map(|line| format!("  {style}{line}{style:#}"));
    let left = left.chain(iter::repeat(" ".repeat(2 + width)));
    let right = text.iter().map(String::as_str).chain(iter::repeat(""));
    writeln!(out)?;
    for (left, right) in left.zip(right).take(height) {
        writeln!(out, "{left}   {right}")?;
    }
    writeln!(out)
}

/// Prints an event. Ignores errors: stdout may be closed.
pub fn print_event(event: LanEvent) {
    let mut out = anstream::stdout();
    match event {
        LanEvent::Paired { address } => writeln!(out, "paired: {address}").ok(),
        LanEvent::NewCode { code, reason } => {
            let reason = reason_text(reason, &code);
            writeln!(out, "new code: {CODE}{code}{CODE:#}  {SMALL}{reason}{SMALL:#}").ok()
        }
        LanEvent::DevicesDamaged(damaged) => return warn_damaged(&damaged),
        _ => None,
    };
    out.flush().ok();
}

/// Warns that all devices must pair again.
pub fn warn_damaged(DamagedFile { path, kept }: &DamagedFile) {
    let (path, kept) = (path.display(), kept.display());
    let message =
        format_args!("{path} is damaged: all devices must pair again; the file is kept as {kept}").to_string();
    output::print_labelled("warning", &message);
}

fn reason_text(reason: NewCodeReason, code: &str) -> &'static str {
    let is_long = code.len() > "000 000".len();
    match reason {
        NewCodeReason::Used => "for another device",
        NewCodeReason::Expired => "the previous code expired after 10 minutes",
        NewCodeReason::Guessed if is_long => "too many wrong codes: codes are long until a device is paired",
        NewCodeReason::Guessed => "too many wrong codes",
        _ => "the previous code is invalid",
    }
}
