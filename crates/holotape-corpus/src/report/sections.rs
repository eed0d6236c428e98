//! The sections of the page.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use holotape::paths::shell_quote;
use holotape::text::group_digits;

use super::Report;
use super::chart::{Histogram, Series, bars};
use super::html::{escaped, percent_encode, table};
use super::page::Links;
use super::table_rows::{Metric, ReportRow};

/// Maximum lengths of lists. The total number is always shown.
const MAX_OUTLIERS: usize = 100;
const MAX_BROKEN: usize = 200;
const MAX_FOLDERS: usize = 200;

pub(super) fn all(report: &Report, links: Links) -> String {
    [
        summary(report),
        open_instructions(report, links),
        charts(report),
        outliers(report, links),
        broken(report, links),
        folders(report),
    ]
    .concat()
}

fn summary(report: &Report) -> String {
    let rows = &report.rows;
    // Not `sum`, which is -0 for no values.
    let seconds =
        report.readable_rows().filter_map(|row| row.metric(Metric::Duration)).fold(0.0, |sum, secs| sum + secs);
    let bytes: i64 = rows.iter().filter_map(|row| row.file_bytes).fold(0, i64::saturating_add);
    let count = |is: fn(&ReportRow) -> bool| group_digits(rows.iter().filter(|row| is(row)).count() as u64);
    let cards = [
        (group_digits(rows.len() as u64), "recordings"),
        (hours(seconds), "recorded"),
        (count(|row| row.error.is_some()), "broken or unreadable"),
        (count(|row| row.error_count > 0 && row.error.is_none()), "with errors found by <code>check</code>"),
        (group_digits(rows.iter().map(|row| row.pinch_count).fold(0, i64::saturating_add).unsigned_abs()), "pinches"),
        (group_digits(report.frames), "frames"),
        (size(bytes as f64), "of recordings"),
    ];
    let card = |(number, message): (String, &str)| format!("<div><b>{number}</b> {message}</div>\n");
    let cards: String = cards.into_iter().map(card).collect();
    format!(
        "<section class=\"cards\">\n{cards}</section>\n<p class=\"sub\">{} frames per second.</p>\n",
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
        Links::Viewer => "<p class=\"note\">Click a recording to open it in the viewer.</p>\n".to_owned(),
        Links::Commands => format!(
            "<p class=\"note\">The button of a recording copies the command that opens it in the viewer. For links, serve this report: \
             <code>holotape report {} --serve</code></p>\n",
            escaped(&shell_quote(&report.dataset))
        ),
    }
}

fn charts(report: &Report) -> String {
    let values = |metric: Metric| report.readable_rows().filter_map(|row| row.metric(metric)).collect::<Vec<_>>();
    let hands = |left, right| {
        vec![
            Series { name: "left hand", class: "left", values: values(left) },
            Series { name: "right hand", class: "right", values: values(right) },
        ]
    };
    let one = |metric, class| vec![Series { name: "", class, values: values(metric) }];
    let gaze = |metric: Metric| {
        // Without an eye tracker, the gaze is the forward ray of the head.
        let rows = report.readable_rows().filter(|row| row.gaze_follows_head != Some(true));
        vec![Series { name: "", class: "gaze", values: rows.filter_map(|row| row.metric(metric)).collect() }]
    };
    let chart = |title, unit, series| Histogram { title, unit, limit: None, series };
    let tracked = hands(Metric::LeftTracked, Metric::RightTracked);
    let charts = [
        chart("Duration", "s", one(Metric::Duration, "accent")),
        Histogram { limit: Some(100.0), ..chart("Hands tracked", "% of the recording", tracked) },
        chart("Mean speed of hands", "m/s", hands(Metric::LeftSpeed, Metric::RightSpeed)),
        chart("Pinches", "per minute", hands(Metric::LeftPinches, Metric::RightPinches)),
        chart("Mean duration of pinches", "s", hands(Metric::LeftPinchSecs, Metric::RightPinchSecs)),
        chart("Mean speed of the head", "m/s", one(Metric::HeadSpeed, "head")),
        chart("Mean duration of fixations", "s", gaze(Metric::Fixation)),
        chart("Mean amplitude of saccades", "°", gaze(Metric::Saccade)),
        chart("Keys", "per second", one(Metric::KeyRate, "head")),
    ];
    let charts: String = charts.iter().filter_map(Histogram::figure).collect();
    format!("<section class=\"charts\">\n{charts}{}</section>\n{}", findings(report), no_eye_tracker_note(report))
}

/// Number of recordings by finding.
fn findings(report: &Report) -> String {
    let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
    for code in report.rows.iter().flat_map(|row| &row.finding_codes) {
        *codes.entry(code).or_default() += 1;
    }
    let mut rows: Vec<_> = codes.into_iter().map(|(code, count)| (code.to_owned(), count)).collect();
    if rows.is_empty() {
        return "<figure><figcaption><b>Findings</b></figcaption><p class=\"facts\">No findings.</p></figure>\n"
            .to_owned();
    }
    rows.sort_by_key(|(_, count)| Reverse(*count));
    bars("Findings, by code", &rows, report.rows.len(), "finding")
}

fn no_eye_tracker_note(report: &Report) -> String {
    let count = report.rows.iter().filter(|row| row.gaze_follows_head == Some(true)).count();
    if count == 0 {
        return String::new();
    }
    format!(
        "<p class=\"sub\">{} recordings have no eye tracker data: their gaze is the forward ray of the head. Charts of fixations and saccades exclude them.</p>\n",
        group_digits(count as u64)
    )
}

fn outliers(report: &Report, links: Links) -> String {
    let header = [("Recording", "recording"), ("Reason", "message")];
    let rows = report.outliers.iter().take(MAX_OUTLIERS).map(|outlier| {
        let reasons: Vec<_> = outlier.reasons.iter().map(|reason| escaped(reason)).collect();
        vec![recording_cell(&report.rows[outlier.row], links), reasons.join("<br>")]
    });
    let message = "Recordings that are far from the median in a metric: by more than 3.5 deviations. The deviation is the scaled median distance \
                   from the median, or that of the quarter of recordings on the same side, which outliers do not affect. The farthest first.";
    section(
        "Outliers",
        message,
        "No row is far from the others.",
        report.outliers.len(),
        MAX_OUTLIERS,
        table(&header, rows),
    )
}

fn broken(report: &Report, links: Links) -> String {
    let header = [("Recording", "recording"), ("Error", "message")];
    let broken: Vec<_> = report.rows.iter().filter(|row| row.error.is_some()).collect();
    let rows = broken.iter().take(MAX_BROKEN).map(|row| {
        let error = row.error.as_deref().unwrap_or_default();
        // No link: the viewer cannot open it.
        vec![escaped(&row.name), escaped(error) + &repair_button(row, links)]
    });
    let message = "These have no frames and no events. <code>holotape repair</code> recovers the readable part of truncated and damaged files.";
    section(
        "Broken recordings",
        message,
        "All recordings are readable.",
        broken.len(),
        MAX_BROKEN,
        table(&header, rows),
    )
}

/// Findings of files that `repair` can recover in part.
const REPAIRABLE_CODES: [&str; 3] = ["truncated", "damaged", "trailing-bytes"];

fn repair_button(row: &ReportRow, links: Links) -> String {
    match links {
        // Empty files are truncated as well, but have nothing to recover.
        Links::Commands
            if row.file_bytes != Some(0)
                && row.finding_codes.iter().any(|code| REPAIRABLE_CODES.contains(&code.as_str())) =>
        {
            format!(" <button type=\"button\" data-repair=\"{}\">Copy repair command</button>", escaped(&row.path))
        }
        _ => String::new(),
    }
}

#[derive(Default)]
struct Folder {
    recording_count: usize,
    broken_count: usize,
    seconds: f64,
    left: Vec<f64>,
    right: Vec<f64>,
    pinch_count: i64,
}

/// One row per folder, often a participant.
fn folders(report: &Report) -> String {
    let mut folders: BTreeMap<&str, Folder> = BTreeMap::new();
    for row in &report.rows {
        let folder = folders.entry(&row.folder).or_default();
        folder.recording_count += 1;
        folder.broken_count += usize::from(row.error.is_some());
        folder.seconds += row.metric(Metric::Duration).filter(|_| row.error.is_none()).unwrap_or(0.0);
        folder.left.extend(row.metric(Metric::LeftTracked));
        folder.right.extend(row.metric(Metric::RightTracked));
        folder.pinch_count = folder.pinch_count.saturating_add(row.pinch_count);
    }
    if folders.len() < 2 {
        return String::new();
    }
    let header = [
        ("Folder", "recording"),
        ("Recordings", "number"),
        ("Broken", "number"),
        ("Minutes", "number"),
        ("Left tracked", "number"),
        ("Right tracked", "number"),
        ("Pinches per minute", "number"),
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
            group_digits(folder.recording_count as u64),
            group_digits(folder.broken_count as u64),
            format!("{minutes:.1}"),
            mean(&folder.left),
            mean(&folder.right),
            if minutes > 0.0 { format!("{:.1}", folder.pinch_count as f64 / minutes) } else { "–".to_owned() },
        ]
    });
    let table = table(&header, rows);
    section(
        "Folders",
        "Means over recordings. Click a folder to filter the table of recordings.",
        "",
        folders.len(),
        MAX_FOLDERS,
        table,
    )
}

fn section(title: &str, message: &str, empty: &str, count: usize, max: usize, table: String) -> String {
    if count == 0 {
        return format!("<section>\n<h2>{title}</h2>\n<p class=\"sub\">{empty}</p>\n</section>\n");
    }
    let rest = match count.checked_sub(max) {
        Some(rest @ 1..) => format!("<p class=\"note\">{} more are omitted.</p>\n", group_digits(rest as u64)),
        _ => String::new(),
    };
    let count = group_digits(count as u64);
    format!(
        "<section>\n<h2>{title} <span class=\"count\">{count}</span></h2>\n<p class=\"sub\">{message}</p>\n{table}{rest}</section>\n"
    )
}

/// A recording with its link or command.
fn recording_cell(row: &ReportRow, links: Links) -> String {
    let name = escaped(&row.name);
    match links {
        Links::Viewer => format!("<a href=\"/?recording={}\" target=\"_blank\">{name}</a>", percent_encode(&row.name)),
        Links::Commands => {
            let path = escaped(&row.path);
            format!("{name} <button type=\"button\" data-view=\"{path}\">Copy command</button>")
        }
    }
}
