//! A page about a dataset: what is in it, how good it is, and what is worth a look.

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

/// What a page tells of a dataset.
///
/// ```
/// use holotape_corpus::{BuildOptions, Dataset, Report, build};
///
/// let folder = tempfile::tempdir()?;
/// let (take, out) = (folder.path().join("take.bin"), folder.path().join("out"));
/// let _losses = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?.save(&take)?;
/// build([&take], &out, &BuildOptions::new(), |_| std::ops::ControlFlow::Continue(()))?;
///
/// let page = Report::of(&Dataset::open(&out)?)?.page();
/// assert!(page.starts_with("<!doctype html>") && page.contains("take.bin"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Report {
    /// The folder of the dataset, as it was named.
    dataset: String,
    rate_hz: f64,
    frames: u64,
    takes: Vec<ReportRow>,
    outliers: Vec<Outlier>,
}

/// A [`Report`] as a server sends it: the page, and what its policy does not let stand inside of it.
///
/// ```
/// # fn page(report: &holotape_corpus::Report) {
/// let served = report.served();
/// assert!(served.html.contains("/report.js") && !served.html.contains("<style>"));
/// # }
/// ```
pub struct ServedReport {
    /// The page. A take in it is a link to `/?take=NAME`.
    pub html: String,
    /// What the page asks for as `/report.js`.
    pub script: &'static str,
    /// What the page asks for as `/report.css`.
    pub style: &'static str,
}

impl Report {
    /// Reads what there is to tell: the table of recordings, and no other.
    ///
    /// # Errors
    /// If its files cannot be read.
    pub fn of(dataset: &Dataset) -> Result<Self> {
        let takes = table_rows::read(dataset)?;
        Ok(Self {
            dataset: shown(dataset.folder()),
            rate_hz: dataset.rate_hz(),
            frames: dataset.rows(Table::Frames),
            outliers: outliers(&takes),
            takes,
        })
    }

    /// One file that shows it all: it opens from disk and asks nobody for anything. A take in it has the command that shows it.
    #[must_use]
    pub fn page(&self) -> String {
        page::standalone_page(self)
    }

    /// The same for a server that opens takes: there they are links.
    #[must_use]
    pub fn served(&self) -> ServedReport {
        ServedReport { html: page::served(self), script: page::SCRIPT, style: page::STYLE }
    }

    /// Whether takes are worth a look.
    fn is_outlier(&self) -> Vec<bool> {
        let mut is_outlier = vec![false; self.takes.len()];
        self.outliers.iter().for_each(|outlier| is_outlier[outlier.take] = true);
        is_outlier
    }

    /// Takes that are not broken. What others say of themselves, such as to last for years, is no number to count with.
    fn whole(&self) -> impl Iterator<Item = &ReportRow> {
        self.takes.iter().filter(|take| take.error.is_none())
    }

    /// The name of the dataset: that of its folder.
    fn name(&self) -> &str {
        Path::new(&self.dataset).file_name().and_then(|name| name.to_str()).unwrap_or(&self.dataset)
    }
}

fn shown(folder: &Path) -> String {
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::table_rows::Metric;
    use super::*;

    /// Takes that are all alike but for one that is broken and one that is long.
    fn report(count: usize) -> Report {
        let take = |index: usize| {
            let name = format!("p{:02}/take-{index:05}.bin", index % 20);
            let seconds = if index == 5 { 600.0 } else { 9.0 + (index % 7) as f64 / 3.0 };
            let take = ReportRow {
                path: format!("/study/{name}"),
                folder: format!("p{:02}", index % 20),
                name,
                ..ReportRow::default()
            };
            take.with_number(Metric::Duration, seconds).with_number(Metric::LeftTracked, 90.0 + (index % 10) as f64)
        };
        let mut takes: Vec<_> = (0..count).map(take).collect();
        if let Some(last) = takes.last_mut() {
            last.error = Some("the file is empty".to_owned());
        }
        let outliers = outliers(&takes);
        Report { dataset: "/data/tables".to_owned(), rate_hz: 60.0, frames: 1, takes, outliers }
    }

    #[test]
    fn a_page_stays_small_and_says_what_is_left_out() {
        let report = report(50_000);
        for page in [report.page(), report.served().html] {
            assert!(page.len() < 3_000_000, "{} bytes", page.len());
            assert!(page.contains("<b>50,000</b> takes"));
            assert!(page.contains("40,000 takes are left out here"));
            // The last by name, which is broken, is in; others that far behind are not.
            assert!(page.contains("take-49999.bin") && !page.contains("take-49939.bin"));
        }
    }

    #[test]
    fn what_is_unusual_is_told_in_words() {
        let page = report(100).page();
        assert!(page.contains("It is 600.0 s long; half of all takes are within 9.3 and 10.7"), "{page}");
        assert_eq!(report(100).outliers.len(), 1);
        assert!(report(7).outliers.is_empty(), "of seven takes nobody can say what is usual");
    }

    #[test]
    fn names_cannot_leave_their_place() {
        let mut report = report(20);
        let evil = "</script><script>alert(1)</script>\"'<b>";
        for take in &mut report.takes {
            (take.name, take.folder, take.path) = (evil.to_owned(), format!("{evil}{}", take.folder), evil.to_owned());
            take.findings = vec![evil.to_owned()];
        }
        report.takes[3].error = Some(evil.to_owned());
        report.dataset = evil.to_owned();
        for page in [report.page(), report.served().html] {
            assert!(!page.contains("<script>alert") && !page.contains("<b>\""), "{page}");
        }
        assert!(report.served().html.contains("/?take=%3C/script%3E"));
    }

    #[test]
    fn script_and_style_are_fit_to_stand_in_a_page() {
        for text in [page::SCRIPT, page::STYLE] {
            let text = text.to_ascii_lowercase();
            for unfit in ["</script", "<script", "</style", "<!--", "\r", "\0", "http:", "https:"] {
                assert!(!text.contains(unfit), "{unfit:?}");
            }
        }
    }
}
