//! What `view --lan` says: where to go, what to type there, and who has come.

use std::io::{self, IsTerminal, Write};
use std::iter;

use anstream::ColorChoice;
use anstyle::{AnsiColor, Style};
use holotape_viewer::{LanEvent, LanServer, NewCodeReason};

use super::qr;
use crate::output;

/// What people have to read from afar.
const LARGE: Style = Style::new().bold();
const CODE: Style = AnsiColor::Green.on_default().bold();
const SMALL: Style = Style::new().dimmed();

/// More addresses than these help nobody.
const MAX_OTHERS: usize = 2;

/// Bytes of the fingerprint in a line: as much as can be compared at a glance.
const BYTES_PER_LINE: usize = 8;

/// Says how to get in; with a QR code where somebody can see it as it is meant.
pub fn print_instructions(bound: &LanServer) -> io::Result<()> {
    let is_seen = io::stdout().is_terminal() && anstream::AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    let urls = bound.urls();
    let code = urls.first().filter(|_| is_seen).and_then(|url| qr::lines(url)).unwrap_or_default();
    let said = lines(&urls, &bound.code(), &bound.fingerprint());
    let mut out = output::stdout();
    write_two_columns(&mut out, &code, &said)?;
    out.flush()
}

fn lines(urls: &[String], code: &str, fingerprint: &str) -> Vec<String> {
    let (url, others) = urls.split_first().map_or(("", urls), |(url, others)| (url, others));
    let mut lines = vec![
        "Open this on the headset:".to_owned(),
        format!("{LARGE}{url}{LARGE:#}"),
        String::new(),
        "and type this code:".to_owned(),
        format!("{CODE}{code}{CODE:#}"),
        format!("{SMALL}for one device, within ten minutes{SMALL:#}"),
        String::new(),
        "The browser will warn: the certificate is".to_owned(),
        "made for this run. Its fingerprint is".to_owned(),
    ];
    let bytes: Vec<_> = fingerprint.split(':').collect();
    lines.extend(bytes.chunks(BYTES_PER_LINE).map(|bytes| format!("{SMALL}{}{SMALL:#}", bytes.join(":"))));
    lines.push(String::new());
    lines.extend(others.iter().take(MAX_OTHERS).map(|url| format!("{SMALL}also {url}{SMALL:#}")));
    lines.push(format!("{SMALL}Ctrl-C stops it{SMALL:#}"));
    lines
}

/// Two columns, or one if there is nothing for the left.
fn write_two_columns(out: &mut impl Write, code: &[String], said: &[String]) -> io::Result<()> {
    if code.is_empty() {
        return said.iter().try_for_each(|line| writeln!(out, "{line}"));
    }
    let width = code.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let height = code.len().max(said.len());
    let style = qr::STYLE;
    let left = code.iter().map(|line| format!("  {style}{line}{style:#}"));
    let left = left.chain(iter::repeat(" ".repeat(2 + width)));
    let right = said.iter().map(String::as_str).chain(iter::repeat(""));
    writeln!(out)?;
    for (left, right) in left.zip(right).take(height) {
        writeln!(out, "{left}   {right}")?;
    }
    writeln!(out)
}

/// Says what happens, as it happens. Nobody may be left to read it.
pub fn print_event(news: LanEvent) {
    let mut out = anstream::stdout();
    match news {
        LanEvent::Paired { address } => writeln!(out, "{address} is paired").ok(),
        LanEvent::NewCode { code, reason } => {
            let why = reason_text(reason, &code);
            writeln!(out, "the next code: {CODE}{code}{CODE:#}  {SMALL}{why}{SMALL:#}").ok()
        }
        _ => None,
    };
    out.flush().ok();
}

fn reason_text(reason: NewCodeReason, code: &str) -> &'static str {
    let is_long = code.len() > "000 000".len();
    match reason {
        NewCodeReason::Used => "for another device",
        NewCodeReason::Expired => "the one before was ten minutes old",
        NewCodeReason::Guessed if is_long => "somebody guesses codes: they are long until a device is paired",
        NewCodeReason::Guessed => "there were too many wrong ones",
        _ => "the one before is void",
    }
}
