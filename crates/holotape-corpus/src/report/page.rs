//! The page around its sections: alone, with everything inside, or from a server.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::html::{escaped, group_digits};
use super::table_rows::Metric;
use super::{Report, sections};

pub(super) const SCRIPT: &str = include_str!("report.js");
pub(super) const STYLE: &str = include_str!("report.css");

/// So many takes are in the table, so that the page stays one that a browser opens at once: some two megabytes.
const MAX_ROWS: usize = 10_000;

/// How a take leads to the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Links {
    /// The command that shows it, to copy: a page from disk cannot start anything.
    Commands,
    /// A link: the server that the page came from shows it.
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
    // Or browsers ask for one.
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
    page += &takes(report, links);
    page + "</main>\n" + script + "</body>\n</html>\n"
}

fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// The table of takes: its data, of which the script makes rows.
fn takes(report: &Report, links: Links) -> String {
    let is_outlier = report.is_outlier();
    let chosen = select_rows(report, &is_outlier);
    let left_out = report.takes.len() - chosen.len();
    let mut section = String::from("<section>\n<h2>All takes</h2>\n");
    if left_out > 0 {
        section += &format!(
            "<p class=\"note\">{} takes are left out here to keep the page small: those that are broken, worth a look or have findings are in, and \
             of the others the first by name. Charts and numbers above are of all takes; the table recordings of the dataset has every one.</p>\n",
            group_digits(left_out as u64)
        );
    }
    section += "<noscript><p class=\"note\">The table of all takes needs JavaScript.</p></noscript>\n<div id=\"takes\"></div>\n";
    section
        + &format!(
            "<script id=\"data\" type=\"application/json\">{}</script>\n</section>\n",
            data(report, &chosen, &is_outlier, links)
        )
}

/// The takes that are in the table, by name.
fn select_rows(report: &Report, is_outlier: &[bool]) -> Vec<usize> {
    let is_special = |index: &usize| {
        let take = &report.takes[*index];
        take.error.is_some() || is_outlier[*index] || take.errors.saturating_add(take.warnings) > 0
    };
    let mut order: Vec<_> = (0..report.takes.len()).collect();
    order.sort_by_key(|index| (!is_special(index), *index));
    order.truncate(MAX_ROWS);
    order.sort_unstable();
    order
}

#[derive(Serialize)]
struct Data<'a> {
    links: bool,
    /// What paths begin with that are no more than this and the name.
    root: &'a str,
    takes: Vec<Row<'a>>,
}

/// Name, path unless it is as usual, length, left and right tracked, pinches, left and right speed, findings, error, whether it is worth
/// a look. Short, since there are thousands.
type Row<'a> = (
    &'a str,
    Option<&'a str>,
    Option<f64>,
    Option<f64>,
    Option<f64>,
    i64,
    Option<f64>,
    Option<f64>,
    i64,
    Option<String>,
    u8,
);

/// The longest error that the table shows.
const MAX_ERROR_CHARS: usize = 160;

fn data(report: &Report, chosen: &[usize], is_outlier: &[bool], links: Links) -> String {
    let root = report.takes.iter().find_map(|take| take.path.strip_suffix(&take.name)).unwrap_or_default();
    let round = |value: Option<f64>, digits: i32| {
        value.map(|value| (value * 10_f64.powi(digits)).round() / 10_f64.powi(digits))
    };
    let row = |index: &usize| {
        let take = &report.takes[*index];
        let is_usual = take.path.strip_prefix(root) == Some(&take.name);
        let error = take.error.as_ref().map(|error| error.chars().take(MAX_ERROR_CHARS).collect());
        (
            take.name.as_str(),
            (!is_usual).then_some(take.path.as_str()),
            round(take.number(Metric::Duration), 2),
            round(take.number(Metric::LeftTracked), 1),
            round(take.number(Metric::RightTracked), 1),
            take.pinches,
            round(take.number(Metric::LeftSpeed), 3),
            round(take.number(Metric::RightSpeed), 3),
            take.errors.saturating_add(take.warnings),
            error,
            u8::from(is_outlier[*index]),
        )
    };
    let data = Data { links: links == Links::Viewer, root, takes: chosen.iter().map(row).collect() };
    // What is made of strings and numbers becomes JSON.
    serde_json::to_string(&data).unwrap_or_default().replace('<', "\\u003c")
}
