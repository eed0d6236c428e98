//! `holotape view [FILE…]`

mod lan;
mod qr;

use std::env;
use std::future::Future;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

use clap::Args;
use holotape::demo::DemoOptions;
use holotape::{Error, Recording, atomic};
use holotape_convert::{Losses, OpenOptions};
use holotape_viewer::page::{self, ExportedRecording};
use holotape_viewer::{LanOptions, SavedRecording, Viewer, ViewerOptions};
use tokio::sync::oneshot;

use crate::failure::{Failure, Outcome};
use crate::input::{self, is_stdio};
use crate::output;
use crate::table::plural;

/// Show recordings in the browser
///
/// Hands, head and gaze move in 3D over a timeline, with curves, markers and the findings of `check`. Several recordings are
/// shown over each other or side by side. The page is served on this machine only, and only to itself; with --lan also to headsets
/// and other machines, encrypted, if they are told the code that is printed.
#[derive(Debug, Args)]
pub struct ViewArgs {
    /// Recordings of any kind that `convert` reads, - for standard input; a demo unless given
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Let the page change recordings, and save them where they came from
    #[arg(long)]
    edit: bool,

    /// Serve the page to headsets and other machines in the network, to those who type the code that is printed
    #[arg(long)]
    lan: bool,

    /// Serve the page on this port; unless given, on any that is free, with --lan on 8443
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,

    /// Where recordings made in the browser are saved; the current folder unless given
    #[arg(long, value_name = "FOLDER")]
    takes: Option<PathBuf>,

    /// Only print the address, and open no browser
    #[arg(long)]
    no_open: bool,

    /// Write one page with the recordings in it, which plays from disk and from any web site, and serve nothing
    #[arg(long, value_name = "PAGE.html", conflicts_with_all = ["edit", "lan", "port", "takes", "no_open"])]
    export: Option<PathBuf>,

    /// With --export: replace a page that is there
    #[arg(long, requires = "export")]
    force: bool,
}

pub fn run(args: &ViewArgs) -> Result<Outcome, Failure> {
    match &args.export {
        Some(page) => export(args, page),
        None => serve(args),
    }
}

const DEMO_NAME: &str = "demo.bin";

type Served = Result<Vec<String>, Failure>;

fn serve(args: &ViewArgs) -> Result<Outcome, Failure> {
    let mut options = ViewerOptions::new().with_edit(args.edit);
    if let Some(takes) = &args.takes {
        options = options.with_record_dir(takes);
    }
    let viewer = Viewer::new(options);
    viewer.on_saved(print_saved);
    if args.files.is_empty() {
        viewer.add(DEMO_NAME, DemoOptions::new().generate()?)?;
    }
    ReadOutcome::of(&args.files, |file| show(&viewer, file))?;
    let end = shutdown_signal()?;
    let unsaved = if args.lan { serve_lan(viewer, args, end) } else { serve_local(viewer, args, end) };
    for name in unsaved? {
        output::print_labelled("lost", &format_args!("{name}: changes that were not saved"));
    }
    atomic::remove_temp_files();
    Ok(Outcome::Done)
}

/// Serves this machine; gives the names of what was not saved.
fn serve_local(viewer: Viewer, args: &ViewArgs, end: impl Future<Output = ()> + Send + 'static) -> Served {
    let bound = viewer.bind(args.port.unwrap_or(0))?;
    let mut out = output::stdout();
    writeln!(out, "{}  (Ctrl-C stops it)", bound.url())?;
    out.flush()?;
    if opens_browser(args) {
        // The address is there for whoever has no browser that could be found.
        open::that_detached(bound.url()).ok();
    }
    Ok(bound.serve_until(end)?)
}

/// Serves the network; gives the names of what was not saved.
fn serve_lan(viewer: Viewer, args: &ViewArgs, end: impl Future<Output = ()> + Send + 'static) -> Served {
    let options = args.port.map_or_else(LanOptions::new, |port| LanOptions::new().with_port(port));
    let bound = viewer.bind_lan(options)?;
    lan::print_instructions(&bound)?;
    if opens_browser(args) {
        open::that_detached(bound.one_time_url()?).ok();
    }
    Ok(bound.serve_until(end, lan::print_event)?)
}

fn opens_browser(args: &ViewArgs) -> bool {
    !args.no_open && has_display()
}

/// Tells of a take that was recorded in the browser.
fn print_saved(recording: &SavedRecording) {
    let SavedRecording { path, frames, duration_secs, losses, error, .. } = recording;
    if let Some(error) = error {
        return output::print_labelled("error", error);
    }
    let frames = plural(usize::try_from(*frames).unwrap_or(usize::MAX), "frame", "frames");
    output::print_labelled("saved", &format_args!("{}: {duration_secs:.3} s, {frames}", path.display()));
    losses.iter().for_each(|loss| output::print_labelled("lost", &format_args!("{}: {loss}", path.display())));
}

fn show(viewer: &Viewer, file: &Path) -> holotape::Result<Losses> {
    if !is_stdio(file) {
        return viewer.open(file);
    }
    let opened =
        input::open_any(file, &OpenOptions::new()).inspect_err(|error| viewer.add_failure(name_of(file), error))?;
    viewer.add_imported(name_of(file), opened)
}

fn export(args: &ViewArgs, page: &Path) -> Result<Outcome, Failure> {
    let is_page =
        |extension: &std::ffi::OsStr| ["html", "htm"].iter().any(|known| extension.eq_ignore_ascii_case(known));
    if !is_stdio(page) && !page.extension().is_some_and(is_page) {
        return Err(Failure::Usage(format!("{}: a page is called .html", page.display())));
    }
    output::check_not_existing(page, args.force)?;
    let mut recordings: Vec<(String, Recording, Losses)> = Vec::new();
    if args.files.is_empty() {
        recordings.push((DEMO_NAME.to_owned(), DemoOptions::new().generate()?, Losses::default()));
    }
    let reading = ReadOutcome::of(&args.files, |file| {
        let opened = input::open_any(file, &OpenOptions::new())?;
        recordings.push((name_of(file), opened.recording, opened.losses.clone()));
        Ok(opened.losses)
    })?;
    let exported = recordings.iter().map(|(name, recording, losses)| ExportedRecording {
        name,
        recording,
        losses: losses.iter().map(ToString::to_string).collect(),
    });
    let text = page::export(&exported.collect::<Vec<_>>())?;
    output::write(page, args.force, |out| Ok(out.write_all(text.as_bytes())?))?;
    reading.outcome()
}

/// A file as the page calls it.
fn name_of(file: &Path) -> String {
    let shown = input::display_path(file);
    shown.file_name().unwrap_or(shown.as_os_str()).to_string_lossy().into_owned()
}

/// How it went to read files.
#[derive(Default)]
struct ReadOutcome {
    is_lossy: bool,
    failed: usize,
}

impl ReadOutcome {
    /// Reads one after the other. Of many files, one that fails is told of and does not stop the others.
    fn of(files: &[PathBuf], mut read: impl FnMut(&Path) -> holotape::Result<Losses>) -> Result<Self, Failure> {
        let mut reading = Self::default();
        for file in files {
            match read(file) {
                Ok(losses) => reading.print_event(file, &losses),
                Err(error) if files.len() == 1 => return Err(error.into()),
                Err(error) => {
                    Failure::from(error).report();
                    reading.failed += 1;
                }
            }
        }
        if reading.failed == files.len() && reading.failed > 0 { Err(Failure::AlreadyReported) } else { Ok(reading) }
    }

    fn print_event(&mut self, file: &Path, losses: &Losses) {
        let file = input::display_path(file);
        losses.iter().for_each(|loss| output::print_labelled("lost", &format_args!("{}: {loss}", file.display())));
        self.is_lossy |= !losses.is_empty();
    }

    fn outcome(self) -> Result<Outcome, Failure> {
        match self {
            Self { failed: 1.., .. } => Err(Failure::AlreadyReported),
            Self { is_lossy: true, .. } => Ok(Outcome::Lossy),
            _ => Ok(Outcome::Done),
        }
    }
}

/// Comes when Ctrl-C is pressed, or the system wants the program to end. Whoever asks twice does not want to wait.
pub(super) fn shutdown_signal() -> Result<impl Future<Output = ()>, Failure> {
    const EXIT_SIGINT: i32 = 130;
    let (end, ended) = oneshot::channel();
    let mut end = Some(end);
    let on_signal = move || match end.take() {
        Some(end) => drop(end.send(())),
        None => {
            atomic::remove_temp_files();
            process::exit(EXIT_SIGINT);
        }
    };
    ctrlc::set_handler(on_signal)
        .map_err(|error| Failure::from(Error::from(io::Error::other(error)).with_path("Ctrl-C")))?;
    Ok(async { drop(ended.await) })
}

/// Whether a browser could show itself. Without a screen, some systems would open one in the terminal.
pub(super) fn has_display() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"].into_iter().any(is_set)
}
