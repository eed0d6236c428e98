//! Reports: an HTML page about a dataset.

mod chart;
mod html;
mod outliers;
mod page;
mod robust_stats;
mod sections;
mod table_rows;

use std::path::Path;

use holotape::Result;

use self::outliers::{Outlier, outliers};
use self::table_rows::ReportRow;
use crate::{Dataset, Table};

/// A report about a dataset, made from the table of recordings.
///
/// ```
/// use holotape_corpus::{BuildOptions, Dataset, Report, build};
///
/// let folder = tempfile::tempdir()?;
/// let (recording, out) = (folder.path().join("reach.bin"), folder.path().join("out"));
/// let _losses = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?.save(&recording)?;
/// build([&recording], &out, &BuildOptions::new(), |_| std::ops::ControlFlow::Continue(()))?;
///
/// let page = Report::new(&Dataset::open(&out)?)?.page();
/// assert!(page.starts_with("<!doctype html>") && page.contains("reach.bin"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Report {
    /// The folder of the dataset.
    dataset: String,
    rate_hz: f64,
    frames: u64,
    rows: Vec<ReportRow>,
    outliers: Vec<Outlier>,
}

/// A [`Report`] for a web server: a page without inline script and style.
///
/// ```
/// # fn page(report: &holotape_corpus::Report) {
/// let served = report.served();
/// assert!(served.html.contains("/report.js") && !served.html.contains("<style>"));
/// # }
/// ```
pub struct ServedReport {
    /// The page. Recordings are links to `/?recording=NAME`.
    pub html: String,
    /// The script that the page loads as `/report.js`.
    pub script: &'static str,
    /// The style sheet that the page loads as `/report.css`.
    pub style: &'static str,
}

impl Report {
    /// Reads the table of recordings of a dataset.
    ///
    /// # Errors
    /// If its files cannot be read.
    pub fn new(dataset: &Dataset) -> Result<Self> {
        let rows = table_rows::read(dataset)?;
        Ok(Self {
            dataset: absolute_path(dataset.folder()),
            rate_hz: dataset.rate_hz(),
            frames: dataset.rows(Table::Frames),
            outliers: outliers(&rows),
            rows,
        })
    }

    /// Returns the report as one self-contained page, which makes no network requests. Each recording has a button that
    /// copies the command to view it.
    #[must_use]
    pub fn page(&self) -> String {
        page::standalone_page(self)
    }

    /// Returns the report for a server that opens recordings: they are links.
    #[must_use]
    pub fn served(&self) -> ServedReport {
        ServedReport { html: page::served(self), script: page::SCRIPT, style: page::STYLE }
    }

    fn is_outlier(&self) -> Vec<bool> {
        let mut is_outlier = vec![false; self.rows.len()];
        self.outliers.iter().for_each(|outlier| is_outlier[outlier.row] = true);
        is_outlier
    }

    /// Recordings that are not broken. Broken ones may claim any duration.
    fn readable_rows(&self) -> impl Iterator<Item = &ReportRow> {
        self.rows.iter().filter(|row| row.error.is_none())
    }

    /// The name of the folder.
    fn name(&self) -> &str {
        Path::new(&self.dataset).file_name().and_then(|name| name.to_str()).unwrap_or(&self.dataset)
    }
}

fn absolute_path(folder: &Path) -> String {
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::table_rows::Metric;
    use super::*;

    /// Similar recordings, except a broken and a long one.
    fn report(count: usize) -> Report {
        let row = |index: usize| {
            let name = format!("p{:02}/r-{index:05}.bin", index % 20);
            let seconds = if index == 5 { 600.0 } else { 9.0 + (index % 7) as f64 / 3.0 };
            let row = ReportRow {
                path: format!("/study/{name}"),
                folder: format!("p{:02}", index % 20),
                name,
                ..ReportRow::default()
            };
            row.with_metric(Metric::Duration, seconds).with_metric(Metric::LeftTracked, 90.0 + (index % 10) as f64)
        };
        let mut rows: Vec<_> = (0..count).map(row).collect();
        if let Some(last) = rows.last_mut() {
            last.error = Some("the file is empty".to_owned());
        }
        let outliers = outliers(&rows);
        Report { dataset: "/data/tables".to_owned(), rate_hz: 60.0, frames: 1, rows, outliers }
    }

    #[test]
    fn large_page_is_limited_and_states_what_it_omits() {
        let report = report(50_000);
        for page in [report.page(), report.served().html] {
            assert!(page.len() < 3_000_000, "{} bytes", page.len());
            assert!(page.contains("<b>50,000</b> recordings"));
            assert!(page.contains("40,000 recordings are omitted"));
            // The last by name is broken, so it is included; others near it are not.
            assert!(page.contains("r-49999.bin") && !page.contains("r-49939.bin"));
        }
    }

    #[test]
    fn outliers_have_reasons() {
        let page = report(100).page();
        assert!(page.contains("Duration: 600.0 s; the middle 50 % are 9.3 to 10.7 s"), "{page}");
        assert_eq!(report(100).outliers.len(), 1);
        assert!(report(7).outliers.is_empty(), "too few for outliers");
    }

    #[test]
    fn names_are_escaped() {
        let mut report = report(20);
        let evil = "</script><script>alert(1)</script>\"'<b>";
        for row in &mut report.rows {
            (row.name, row.folder, row.path) = (evil.to_owned(), format!("{evil}{}", row.folder), evil.to_owned());
            row.finding_codes = vec![evil.to_owned()];
        }
        report.rows[3].error = Some(evil.to_owned());
        report.dataset = evil.to_owned();
        for page in [report.page(), report.served().html] {
            assert!(!page.contains("<script>alert") && !page.contains("<b>\""), "{page}");
        }
        assert!(report.served().html.contains("/?recording=%3C/script%3E"));
    }

    #[test]
    fn script_and_style_can_be_inlined() {
        for text in [page::SCRIPT, page::STYLE] {
            let text = text.to_ascii_lowercase();
            for unfit in ["</script", "<script", "</style", "<!--", "\r", "\0", "http:", "https:"] {
                assert!(!text.contains(unfit), "{unfit:?}");
            }
        }
    }
}
