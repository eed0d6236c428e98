//! A page about a dataset: what is in it, how good it is, and what is worth a look.

mod chart;
mod html;
mod outliers;
mod page;
mod sections;
mod spread;
mod takes;

use std::path::Path;

use holotape::Result;

use self::outliers::{Outlier, outliers};
use self::takes::Take;
use crate::{Dataset, Table};

/// What a page tells of a dataset.
///
/// ```
/// use holotape_corpus::{BuildOptions, Dataset, Report, build};
///
/// let folder = tempfile::tempdir()?;
/// let (take, out) = (folder.path().join("take.bin"), folder.path().join("out"));
/// let _losses = holotape::demo::DemoOptions::new().with_seconds(1.0).record()?.save(&take)?;
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
    takes: Vec<Take>,
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
        let takes = takes::read(dataset)?;
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
        page::alone(self)
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

    /// The name of the dataset: that of its folder.
    fn name(&self) -> &str {
        Path::new(&self.dataset).file_name().and_then(|name| name.to_str()).unwrap_or(&self.dataset)
    }
}

fn shown(folder: &Path) -> String {
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()).to_string_lossy().into_owned()
}
