//! `holotape report DATASET OUT.html`, `holotape report DATASET --serve`

use std::path::PathBuf;

use clap::Args;
use holotape_corpus::{Dataset, Report};

use crate::failure::{Failure, Outcome};
use crate::input::is_stdio;
use crate::output;

/// Write a page about a dataset: what is in it, how good it is, what is worth a look
///
/// One HTML file with everything inside: counts and hours, how long takes are, how well hands were tracked, pinches, speeds, gaze,
/// findings, broken recordings, takes that are unlike the others, and all takes in a table. Made of the table recordings that
/// `dataset build` has written.
#[cfg_attr(
    feature = "viewer",
    doc = "\n\nA page from disk cannot start the viewer: its takes have commands to copy. With --serve they are links."
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

    /// Replace a page that is there
    #[arg(long)]
    force: bool,

    /// Show the report in the browser, with takes that open in the viewer, until Ctrl-C
    #[cfg(feature = "viewer")]
    #[arg(long, conflicts_with = "force")]
    serve: bool,

    /// With --serve: on this port; on any that is free unless given
    #[cfg(feature = "viewer")]
    #[arg(long, value_name = "PORT", requires = "serve")]
    port: Option<u16>,

    /// With --serve: only print the address, and open no browser
    #[cfg(feature = "viewer")]
    #[arg(long, requires = "serve")]
    no_open: bool,
}

pub fn run(args: &ReportArgs) -> Result<Outcome, Failure> {
    let dataset = Dataset::open(&args.dataset)?;
    let Some(page) = &args.output else {
        #[cfg(feature = "viewer")]
        return serve(args, &dataset);
        #[cfg(not(feature = "viewer"))]
        return Err(Failure::Usage("no page to write".to_owned()));
    };
    let is_page =
        |extension: &std::ffi::OsStr| ["html", "htm"].iter().any(|known| extension.eq_ignore_ascii_case(known));
    if !is_stdio(page) && !page.extension().is_some_and(is_page) {
        return Err(Failure::Usage(format!("{}: a page is called .html", page.display())));
    }
    output::check_not_existing(page, args.force)?;
    let text = Report::of(&dataset)?.page();
    output::write(page, args.force, |out| Ok(out.write_all(text.as_bytes())?))?;
    Ok(Outcome::Done)
}

#[cfg(feature = "viewer")]
fn serve(args: &ReportArgs, dataset: &Dataset) -> Result<Outcome, Failure> {
    use std::io::Write;

    use holotape_viewer::{ServedDataset, Viewer, ViewerOptions};

    use super::view::{has_display, shutdown_signal};

    let served = Report::of(dataset)?.served();
    let takes = dataset.takes().map(|take| (take.take.clone(), PathBuf::from(&take.path))).collect();
    let viewer = Viewer::new(ViewerOptions::new());
    viewer.set_corpus(ServedDataset { takes, page: served.html, script: served.script, style: served.style });
    let bound = viewer.bind(args.port.unwrap_or(0))?;
    let url = format!("{}report", bound.url());
    let end = shutdown_signal()?;
    let mut out = output::stdout();
    writeln!(out, "{url}  (Ctrl-C stops it)")?;
    out.flush()?;
    if !args.no_open && has_display() {
        // The address is there for whoever has no browser that could be found.
        open::that_detached(&url).ok();
    }
    bound.serve_until(end)?;
    Ok(Outcome::Done)
}
