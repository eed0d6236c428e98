//! What the page says, section by section.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::Report;
use super::chart::{Histogram, Series, bars};
use super::html::{escaped, group_digits, percent_encode, table};
use super::page::Links;
use super::table_rows::{Metric, ReportRow};

/// More than these nobody reads; how many there are is always told.
const MAX_OUTLIERS: usize = 100;
const MAX_BROKEN: usize = 200;
const MAX_FOLDERS: usize = 200;

pub(super) fn all(report: &Report, links: Links) -> String {
    [
        numbers(report),
        open_instructions(report, links),
        charts(report),
        outliers(report, links),
        broken(report, links),
        folders(report),
    ]
    .concat()
}

/// The numbers that everybody asks for first.
fn numbers(report: &Report) -> String {
    let takes = &report.takes;
    // A sum of no numbers would be -0.
    let seconds = report.whole().filter_map(|take| take.number(Metric::Duration)).fold(0.0, |sum, secs| sum + secs);
    let bytes: i64 = takes.iter().filter_map(|take| take.bytes).fold(0, i64::saturating_add);
    let count = |is: fn(&ReportRow) -> bool| group_digits(takes.iter().filter(|take| is(take)).count() as u64);
    let cards = [
        (group_digits(takes.len() as u64), "takes"),
        (hours(seconds), "recorded"),
        (count(|take| take.error.is_some()), "broken or unreadable"),
        (count(|take| take.errors > 0 && take.error.is_none()), "with errors that <code>check</code> finds"),
        (group_digits(takes.iter().map(|take| take.pinches).fold(0, i64::saturating_add).unsigned_abs()), "pinches"),
        (group_digits(report.frames), "frames"),
        (size(bytes as f64), "of recordings"),
    ];
    let card = |(number, message): (String, &str)| format!("<div><b>{number}</b> {message}</div>\n");
    let cards: String = cards.into_iter().map(card).collect();
    format!(
        "<section class=\"cards\">\n{cards}</section>\n<p class=\"sub\">Frames at {} a second.</p>\n",
        report.rate_hz
    )
}

fn hours(seconds: f64) -> String {
    match seconds {
        ..600.0 => format!("{seconds:.0} s"),
        600.0..36_000.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}

fn size(bytes: f64) -> String {
    match bytes {
        ..1e9 => format!("{:.0} MB", bytes / 1e6),
        ..1e12 => format!("{:.1} GB", bytes / 1e9),
        _ => format!("{:.1} TB", bytes / 1e12),
    }
}

fn open_instructions(report: &Report, links: Links) -> String {
    match links {
        Links::Viewer => "<p class=\"note\">A click on a take shows it in the viewer.</p>\n".to_owned(),
        Links::Commands => format!(
            "<p class=\"note\">A take’s button copies the command that shows it in the viewer. To have links instead, let holotape serve this \
             report: <code>holotape report {} --serve</code></p>\n",
            escaped(&shell_quote(&report.dataset))
        ),
    }
}

/// A path as a shell takes it, by the rules of the script: in single quotes nothing means anything. The older shell of Windows
/// knows only double ones, which are given to its paths unless something in them would mean something there.
fn shell_quote(path: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+".contains(letter);
    if !path.is_empty() && path.chars().all(is_plain) {
        return path.to_owned();
    }
    let is_windows =
        path.starts_with("\\\\") || matches!(path.as_bytes(), [b'A'..=b'Z' | b'a'..=b'z', b':', b'\\', ..]);
    if is_windows && !path.contains(['"', '$', '`', '%']) {
        return format!("\"{path}\"");
    }
    format!("'{}'", path.replace('\'', "'\\''"))
}

fn charts(report: &Report) -> String {
    let values = |number: Metric| report.whole().filter_map(|take| take.number(number)).collect::<Vec<_>>();
    let hands = |left, right| {
        vec![
            Series { name: "left hand", class: "left", values: values(left) },
            Series { name: "right hand", class: "right", values: values(right) },
        ]
    };
    let one = |number, class| vec![Series { name: "", class, values: values(number) }];
    let eyes = |number: Metric| {
        // Where the ray is that of the head, nobody tracked eyes.
        let takes = report.whole().filter(|take| take.gaze_follows_head != Some(true));
        vec![Series { name: "", class: "gaze", values: takes.filter_map(|take| take.number(number)).collect() }]
    };
    let charts = [
        Histogram { title: "Length of takes", unit: "s", limit: None, series: one(Metric::Duration, "accent") },
        Histogram {
            title: "Hands tracked",
            unit: "% of the take",
            limit: Some(100.0),
            series: hands(Metric::LeftTracked, Metric::RightTracked),
        },
        Histogram {
            title: "Mean speed of hands",
            unit: "m/s",
            limit: None,
            series: hands(Metric::LeftSpeed, Metric::RightSpeed),
        },
        Histogram {
            title: "Pinches",
            unit: "a minute",
            limit: None,
            series: hands(Metric::LeftPinches, Metric::RightPinches),
        },
        Histogram {
            title: "Mean length of pinches",
            unit: "s",
            limit: None,
            series: hands(Metric::LeftPinchSecs, Metric::RightPinchSecs),
        },
        Histogram { title: "Mean speed of the head", unit: "m/s", limit: None, series: one(Metric::HeadSpeed, "head") },
        Histogram { title: "Mean length of fixations", unit: "s", limit: None, series: eyes(Metric::Fixation) },
        Histogram { title: "Mean size of saccades", unit: "°", limit: None, series: eyes(Metric::Saccade) },
        Histogram { title: "Keys", unit: "a second", limit: None, series: one(Metric::KeyRate, "head") },
    ];
    let charts: String = charts.iter().filter_map(Histogram::figure).collect();
    format!("<section class=\"charts\">\n{charts}{}</section>\n{}", findings(report), no_eye_tracker_note(report))
}

/// How many takes have which finding.
fn findings(report: &Report) -> String {
    let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
    for code in report.takes.iter().flat_map(|take| &take.findings) {
        *codes.entry(code).or_default() += 1;
    }
    let mut rows: Vec<_> = codes.into_iter().map(|(code, count)| (code.to_owned(), count)).collect();
    if rows.is_empty() {
        return "<figure><figcaption><b>Findings</b></figcaption><p class=\"facts\">None in any take.</p></figure>\n"
            .to_owned();
    }
    rows.sort_by_key(|(_, count)| Reverse(*count));
    bars("Findings, by code", &rows, report.takes.len(), "finding")
}

fn no_eye_tracker_note(report: &Report) -> String {
    let count = report.takes.iter().filter(|take| take.gaze_follows_head == Some(true)).count();
    if count == 0 {
        return String::new();
    }
    format!(
        "<p class=\"sub\">In {} takes the gaze is the ray of the head: there was no eye tracker, and they are not among fixations and saccades.</p>\n",
        group_digits(count as u64)
    )
}

fn outliers(report: &Report, links: Links) -> String {
    let heads = [("Take", "take"), ("What is unusual", "words")];
    let rows = report.outliers.iter().take(MAX_OUTLIERS).map(|outlier| {
        let reasons: Vec<_> = outlier.reasons.iter().map(|reason| escaped(&capitalize(reason))).collect();
        vec![take_cell(&report.takes[outlier.take], links), reasons.join("<br>")]
    });
    let message = "Takes that are far from the median of all in some number: by more than 3.5 times what a standard deviation would be, judged by the \
                 median distance from the median, or by the quarter of takes on that side, neither of which an outlier moves. The furthest first.";
    section(
        "Worth a look",
        message,
        "No take is far from the others.",
        report.outliers.len(),
        MAX_OUTLIERS,
        table(&heads, rows),
    )
}

fn capitalize(message: &str) -> String {
    let mut chars = message.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn broken(report: &Report, links: Links) -> String {
    let heads = [("Take", "take"), ("What is wrong", "words")];
    let broken: Vec<_> = report.takes.iter().filter(|take| take.error.is_some()).collect();
    let rows = broken.iter().take(MAX_BROKEN).map(|take| {
        let error = take.error.as_deref().unwrap_or_default();
        // The viewer could not show it; repair may save something.
        vec![escaped(&take.name), escaped(error) + &repair_button(take, links)]
    });
    let message = "There are no frames and no events of these. <code>holotape repair</code> saves what there is of a file that is cut or damaged.";
    section("Broken takes", message, "Every take can be read.", broken.len(), MAX_BROKEN, table(&heads, rows))
}

/// What is wrong with files of which `repair` saves something.
const REPAIRABLE_CODES: [&str; 3] = ["truncated", "damaged", "trailing-bytes"];

fn repair_button(take: &ReportRow, links: Links) -> String {
    match links {
        // An empty file is cut, too.
        Links::Commands
            if take.bytes != Some(0) && take.findings.iter().any(|code| REPAIRABLE_CODES.contains(&code.as_str())) =>
        {
            format!(" <button type=\"button\" data-repair=\"{}\">Copy repair command</button>", escaped(&take.path))
        }
        _ => String::new(),
    }
}

#[derive(Default)]
struct Folder {
    takes: usize,
    broken: usize,
    seconds: f64,
    left: Vec<f64>,
    right: Vec<f64>,
    pinches: i64,
}

/// People, often: a folder each.
fn folders(report: &Report) -> String {
    let mut folders: BTreeMap<&str, Folder> = BTreeMap::new();
    for take in &report.takes {
        let folder = folders.entry(&take.folder).or_default();
        folder.takes += 1;
        folder.broken += usize::from(take.error.is_some());
        folder.seconds += take.number(Metric::Duration).filter(|_| take.error.is_none()).unwrap_or(0.0);
        folder.left.extend(take.number(Metric::LeftTracked));
        folder.right.extend(take.number(Metric::RightTracked));
        folder.pinches = folder.pinches.saturating_add(take.pinches);
    }
    if folders.len() < 2 {
        return String::new();
    }
    let heads = [
        ("Folder", "take"),
        ("Takes", "number"),
        ("Broken", "number"),
        ("Minutes", "number"),
        ("Left tracked", "number"),
        ("Right tracked", "number"),
        ("Pinches a minute", "number"),
    ];
    let mean = |values: &[f64]| match values.len() {
        0 => "–".to_owned(),
        count => format!("{:.0} %", values.iter().sum::<f64>() / count as f64),
    };
    let rows = folders.iter().take(MAX_FOLDERS).map(|(name, folder)| {
        let minutes = folder.seconds / 60.0;
        let name = if name.is_empty() { "(no folder)" } else { name };
        vec![
            format!("<button type=\"button\" class=\"plain\" data-folder=\"{0}\">{0}</button>", escaped(name)),
            group_digits(folder.takes as u64),
            group_digits(folder.broken as u64),
            format!("{minutes:.1}"),
            mean(&folder.left),
            mean(&folder.right),
            if minutes > 0.0 { format!("{:.1}", folder.pinches as f64 / minutes) } else { "–".to_owned() },
        ]
    });
    let table = table(&heads, rows);
    section(
        "Folders",
        "Means of their takes. A click shows the takes of a folder.",
        "",
        folders.len(),
        MAX_FOLDERS,
        table,
    )
}

fn section(title: &str, message: &str, none: &str, count: usize, most: usize, table: String) -> String {
    if count == 0 {
        return format!("<section>\n<h2>{title}</h2>\n<p class=\"sub\">{none}</p>\n</section>\n");
    }
    let rest = match count.checked_sub(most) {
        Some(rest @ 1..) => format!("<p class=\"note\">{} more are left out here.</p>\n", group_digits(rest as u64)),
        _ => String::new(),
    };
    let count = group_digits(count as u64);
    format!(
        "<section>\n<h2>{title} <span class=\"count\">{count}</span></h2>\n<p class=\"sub\">{message}</p>\n{table}{rest}</section>\n"
    )
}

/// A take that leads to the viewer.
fn take_cell(take: &ReportRow, links: Links) -> String {
    let name = escaped(&take.name);
    match links {
        Links::Viewer => format!("<a href=\"/?take={}\" target=\"_blank\">{name}</a>", percent_encode(&take.name)),
        Links::Commands => {
            let path = escaped(&take.path);
            format!("{name} <button type=\"button\" data-view=\"{path}\">Copy command</button>")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::shell_quote;

    #[test]
    fn nothing_in_a_path_means_anything_to_a_shell() {
        for (path, expected) in [
            ("/data/p01-a_b+c.bin", "/data/p01-a_b+c.bin"),
            ("/data/$(id).bin", "'/data/$(id).bin'"),
            ("a\\b", "'a\\b'"),
            ("it's", "'it'\\''s'"),
            ("C:\\my study", "\"C:\\my study\""),
            ("\\\\host\\share", "\"\\\\host\\share\""),
            ("C:\\$(calc)", "'C:\\$(calc)'"),
            ("C:\\%PATH%", "'C:\\%PATH%'"),
        ] {
            assert_eq!(shell_quote(path), expected);
        }
    }
}
