//! `holotape report DATASET OUT.html`, `holotape report DATASET --serve`

use std::path::PathBuf;

use clap::Args;
use holotape_corpus::{Dataset, Report};

use crate::failure::{Failure, Outcome};
use crate::output;

/// Write a report about a dataset
///
/// A self-contained HTML page: counts and hours, durations, tracking quality, pinches, speeds, gaze, findings, broken
/// recordings, outliers, and a table of all recordings. It is generated from the table recordings of the dataset.
#[cfg_attr(
    feature = "viewer",
    doc = "\n\nA page on disk cannot start the viewer, so recordings have commands to copy. With --serve they are links."
)]
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The folder of a dataset
    #[arg(value_name = "DATASET")]
    dataset: PathBuf,

    /// The page to write; - for standard output
    #[cfg_attr(
        feature = "viewer",
        arg(value_name = "OUT.html", required_unless_present = "serve", conflicts_with = "serve")
    )]
    #[cfg_attr(not(feature = "viewer"), arg(value_name = "OUT.html", required = true))]
    output: Option<PathBuf>,

    /// Overwrite an existing page
    #[arg(long)]
    force: bool,

    /// Show the report in the browser until Ctrl-C, with recordings that open in the viewer
    #[cfg(feature = "viewer")]
    #[arg(long, conflicts_with = "force")]
    serve: bool,

    /// With --serve: use this port; default: any free port
    #[cfg(feature = "viewer")]
    #[arg(long, value_name = "PORT", requires = "serve", conflicts_with = "output")]
    port: Option<u16>,

    /// With --serve: print the address, but do not open a browser
    #[cfg(feature = "viewer")]
    #[arg(long, requires = "serve", conflicts_with = "output")]
    no_open: bool,
}

pub fn run(args: &ReportArgs) -> Result<Outcome, Failure> {
    let dataset = Dataset::open(&args.dataset)?;
    let Some(page) = &args.output else {
        #[cfg(feature = "viewer")]
        return serve(args, &dataset);
        #[cfg(not(feature = "viewer"))]
        return Err(Failure::Usage("missing output: name an .html file".to_owned()));
    };
    output::check_html(page)?;
    output::check_not_existing(page, args.force)?;
    let text = Report::new(&dataset)?.page();
    output::write(page, args.force, |out| Ok(out.write_all(text.as_bytes())?))?;
    Ok(Outcome::Done)
}

#[cfg(feature = "viewer")]
fn serve(args: &ReportArgs, dataset: &Dataset) -> Result<Outcome, Failure> {
    use std::io::Write;

    use holotape_viewer::{ServedDataset, Viewer, ViewerOptions};

    use super::view::{has_display, shutdown_signal};

    let served = Report::new(dataset)?.served();
    let recordings = dataset.recordings().map(|entry| (entry.recording.clone(), PathBuf::from(&entry.path))).collect();
    let viewer = Viewer::new(ViewerOptions::new());
    viewer.set_dataset(ServedDataset { recordings, page: served.html, script: served.script, style: served.style });
    let bound = viewer.bind(args.port.unwrap_or(0))?;
    let url = bound.url_of("/report");
    let end = shutdown_signal()?;
    let mut out = output::stdout();
    writeln!(out, "{url}  (Ctrl-C stops it)")?;
    out.flush()?;
    if !args.no_open && has_display() {
        // If no browser is found, the user can open the printed address.
        open::that_detached(&url).ok();
    }
    bound.serve_until(end)?;
    Ok(Outcome::Done)
}
