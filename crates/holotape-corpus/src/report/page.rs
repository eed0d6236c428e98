//! The page around the sections: self-contained, or for a server.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use holotape::text::group_digits;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::html::escaped;
use super::table_rows::Metric;
use super::{Report, sections};

pub(super) const SCRIPT: &str = include_str!("report.js");
pub(super) const STYLE: &str = include_str!("report.css");

/// Maximum number of recordings in the table: about 2 MB, which browsers open quickly.
const MAX_ROWS: usize = 10_000;

/// How to open a recording in the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Links {
    /// A button that copies the command: a page on disk cannot start a program.
    Commands,
    /// A link to the viewer of the same server.
    Viewer,
}

pub(super) fn standalone_page(report: &Report) -> String {
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'",
        hash(SCRIPT),
        hash(STYLE)
    );
    let head = format!("<meta http-equiv=\"content-security-policy\" content=\"{policy}\">\n<style>{STYLE}</style>\n");
    assemble(report, Links::Commands, &head, &format!("<script>{SCRIPT}</script>\n"))
}

pub(super) fn served(report: &Report) -> String {
    // Otherwise browsers request one.
    let head = "<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"/report.css\">\n";
    assemble(report, Links::Viewer, head, "<script src=\"/report.js\"></script>\n")
}

fn assemble(report: &Report, links: Links, head: &str, script: &str) -> String {
    let name = escaped(report.name());
    let mut page = String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    page +=
        "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"holotape report\">\n";
    page += &format!("{head}<title>{name}: report</title>\n</head>\n<body>\n<main>\n");
    page += &format!("<h1>{name}</h1>\n<p class=\"sub\">{}</p>\n", escaped(&report.dataset));
    page += &sections::all(report, links);
    page += &recordings(report, links);
    page + "</main>\n" + script + "</body>\n</html>\n"
}

fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// The table of recordings as JSON, from which the script makes rows.
fn recordings(report: &Report, links: Links) -> String {
    let is_outlier = report.is_outlier();
    let selected = select_rows(report, &is_outlier);
    let omitted = report.rows.len() - selected.len();
    let mut section = String::from("<section>\n<h2>All recordings</h2>\n");
    if omitted > 0 {
        section += &format!(
            "<p class=\"note\">{} recordings are omitted to keep the page small. Broken recordings, outliers and those with findings come \
             first, then the others by name. Charts and counts cover all recordings, and so does the table recordings of the dataset.</p>\n",
            group_digits(omitted as u64)
        );
    }
    section += "<noscript><p class=\"note\">The table of all recordings needs JavaScript.</p></noscript>\n<div id=\"recordings\"></div>\n";
    section
        + &format!(
            "<script id=\"data\" type=\"application/json\">{}</script>\n</section>\n",
            data(report, &selected, &is_outlier, links)
        )
}

/// The recordings in the table, by name.
fn select_rows(report: &Report, is_outlier: &[bool]) -> Vec<usize> {
    let is_special = |index: &usize| {
        let row = &report.rows[*index];
        row.error.is_some() || is_outlier[*index] || row.error_count.saturating_add(row.warning_count) > 0
    };
    let mut order: Vec<_> = (0..report.rows.len()).collect();
    order.sort_by_key(|index| (!is_special(index), *index));
    order.truncate(MAX_ROWS);
    order.sort_unstable();
    order
}

#[derive(Serialize)]
struct Data<'a, R> {
    links: bool,
    /// Prefix of paths that consist of it and the name.
    root: &'a str,
    recordings: Vec<R>,
}

/// Maximum length of an error in the table.
const MAX_ERROR_CHARS: usize = 160;

fn data(report: &Report, selected: &[usize], is_outlier: &[bool], links: Links) -> String {
    let root = report.rows.iter().find_map(|row| row.path.strip_suffix(&row.name)).unwrap_or_default();
    let round = |value: Option<f64>, digits: i32| {
        value.map(|value| (value * 10_f64.powi(digits)).round() / 10_f64.powi(digits))
    };
    let row = |index: &usize| {
        let row = &report.rows[*index];
        let is_below_root = row.path.strip_prefix(root) == Some(&row.name);
        let error = row.error.as_ref().map(|error| error.chars().take(MAX_ERROR_CHARS).collect::<String>());
        // A tuple in the order that the script expects, because there are thousands.
        (
            row.name.as_str(),
            (!is_below_root).then_some(row.path.as_str()),
            round(row.metric(Metric::Duration), 2),
            round(row.metric(Metric::LeftTracked), 1),
            round(row.metric(Metric::RightTracked), 1),
            row.pinch_count,
            round(row.metric(Metric::LeftSpeed), 3),
            round(row.metric(Metric::RightSpeed), 3),
            row.error_count.saturating_add(row.warning_count),
            error,
            u8::from(is_outlier[*index]),
        )
    };
    let data = Data { links: links == Links::Viewer, root, recordings: selected.iter().map(row).collect() };
    // Serializing strings and numbers cannot fail.
    serde_json::to_string(&data).unwrap_or_default().replace('<', "\\u003c")
}
