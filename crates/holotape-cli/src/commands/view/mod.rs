//! `holotape view [FILE…]`

pub(super) mod lan;
mod qr;

use std::env;
use std::future::Future;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process;

use clap::Args;
use holotape::demo::DemoOptions;
use holotape::{Error, Recording, atomic};
use holotape_convert::{Losses, OpenOptions};
use holotape_viewer::page::{self, ExportedRecording};
use holotape_viewer::{AccessToken, LanOptions, SavedRecording, Viewer, ViewerOptions};
use tokio::sync::oneshot;

use crate::failure::{Failure, Outcome};
use crate::input::{self, is_stdio};
use crate::output;
use crate::signals;
use crate::table::plural;

/// Options that have no effect on an exported page.
const SERVER_OPTIONS: [&str; 7] = ["edit", "lan", "port", "record_dir", "no_open", "token", "no_token"];

/// Show recordings in the browser
///
/// Shows hands, head and gaze in 3D over a timeline, with curves, markers and the findings of `check`. Several recordings
/// are overlaid or shown side by side. The server accepts only this machine and requires the token in the printed address;
/// with --lan also headsets and other machines, over TLS, after pairing with the printed code.
#[derive(Debug, Args)]
pub struct ViewArgs {
    /// Recordings in any format that `convert` reads; - for standard input (default: a demo)
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Allow the page to change recordings and save them next to the originals
    #[arg(long)]
    edit: bool,

    /// Also serve headsets and other machines in the network, after pairing with the printed code
    #[arg(long)]
    lan: bool,

    /// With --lan: PEM file with the certificate to use instead of a self-signed one
    #[arg(long, value_name = "FILE", requires_all = ["lan", "key"], conflicts_with_all = ["export", "no_token"])]
    cert: Option<PathBuf>,

    /// With --cert: PEM file with its private key
    #[arg(long, value_name = "FILE", requires = "cert")]
    key: Option<PathBuf>,

    /// Token that clients must send, at least 16 characters (default: a random one)
    #[arg(long, value_name = "TEXT")]
    token: Option<String>,

    /// Accept clients without a token: every user of this machine can read the recordings and record
    #[arg(long, conflicts_with_all = ["token", "lan"])]
    no_token: bool,

    /// Port to serve on (default: any free port; 8443 with --lan)
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,

    /// Folder for recordings made in the browser (default: the current folder)
    #[arg(long, value_name = "DIR")]
    record_dir: Option<PathBuf>,

    /// Print the address, but do not open a browser
    #[arg(long)]
    no_open: bool,

    /// Write one page that contains the recordings and plays from disk or any web site, instead of serving
    #[arg(long, value_name = "PAGE.html", conflicts_with_all = SERVER_OPTIONS)]
    export: Option<PathBuf>,

    /// With --export: overwrite an existing page
    #[arg(long, requires = "export", conflicts_with_all = SERVER_OPTIONS)]
    force: bool,
}

pub fn run(args: &ViewArgs) -> Result<Outcome, Failure> {
    match &args.export {
        Some(page) => export(args, page),
        None => serve(args),
    }
}

const DEMO_NAME: &str = "demo.bin";

/// The names of recordings with unsaved changes, once the server has stopped.
type Served = Result<Vec<String>, Failure>;

fn serve(args: &ViewArgs) -> Result<Outcome, Failure> {
    let mut options = ViewerOptions::new().with_edit(args.edit);
    if let Some(folder) = &args.record_dir {
        output::check_dir("--record-dir", folder)?;
        options = options.with_record_dir(folder);
    }
    if let Some(token) = &args.token {
        options = options.with_token(AccessToken::new(token)?);
    }
    if args.no_token {
        options = options.without_token();
    }
    let viewer = Viewer::new(options);
    viewer.on_saved(print_saved);
    if args.files.is_empty() {
        viewer.add(DEMO_NAME, DemoOptions::new().generate()?)?;
    }
    ReadOutcome::collect(&args.files, |file| show(&viewer, file))?;
    let end = shutdown_signal()?;
    let unsaved = if args.lan { serve_lan(viewer, args, end) } else { serve_local(viewer, args, end) };
    for name in unsaved? {
        output::print_labelled("lost", &format_args!("{name}: unsaved changes"));
    }
    atomic::remove_temp_files();
    Ok(Outcome::Done)
}

/// Serves this machine only.
fn serve_local(viewer: Viewer, args: &ViewArgs, end: impl Future<Output = ()> + Send + 'static) -> Served {
    let bound = viewer.bind(args.port.unwrap_or(0))?;
    let mut out = output::stdout();
    writeln!(out, "{}  (Ctrl-C stops it)", bound.url())?;
    out.flush()?;
    if opens_browser(args) {
        // Without a browser, the user can still open the printed address.
        open::that_detached(bound.url()).ok();
    }
    Ok(bound.serve_until(end)?)
}

/// Serves the network.
fn serve_lan(viewer: Viewer, args: &ViewArgs, end: impl Future<Output = ()> + Send + 'static) -> Served {
    let mut options = LanOptions::new();
    if let Some(port) = args.port {
        options = options.with_port(port);
    }
    if let (Some(cert), Some(key)) = (&args.cert, &args.key) {
        options = options.with_certificate(cert, key);
    }
    let bound = viewer.bind_lan(options)?;
    lan::print_instructions(&bound)?;
    if opens_browser(args) {
        open::that_detached(bound.local_url()).ok();
    }
    Ok(bound.serve_until(end, lan::print_event)?)
}

fn opens_browser(args: &ViewArgs) -> bool {
    !args.no_open && has_display()
}

/// Prints that a take from the browser was saved, or why not.
fn print_saved(recording: &SavedRecording) {
    let SavedRecording { path, frame_count, duration_secs, losses, error, .. } = recording;
    if let Some(error) = error {
        return output::print_labelled("error", error);
    }
    let frames = plural(usize::try_from(*frame_count).unwrap_or(usize::MAX), "frame", "frames");
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
    output::check_html(page)?;
    output::check_not_existing(page, args.force)?;
    let mut recordings: Vec<(String, Recording, Losses)> = Vec::new();
    if args.files.is_empty() {
        recordings.push((DEMO_NAME.to_owned(), DemoOptions::new().generate()?, Losses::default()));
    }
    let outcome = ReadOutcome::collect(&args.files, |file| {
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
    outcome.finish()
}

/// Returns the name of a file for the page.
fn name_of(file: &Path) -> String {
    let path = input::display_path(file);
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Failures and losses of reading several files.
#[derive(Default)]
struct ReadOutcome {
    is_lossy: bool,
    failure_count: usize,
}

impl ReadOutcome {
    /// Reads files one after the other. If there are several, an error in one is reported, and the others are still read.
    fn collect(files: &[PathBuf], mut read: impl FnMut(&Path) -> holotape::Result<Losses>) -> Result<Self, Failure> {
        let mut outcome = Self::default();
        for file in files {
            match read(file) {
                Ok(losses) => outcome.print_losses(file, &losses),
                Err(error) if files.len() == 1 => return Err(error.into()),
                Err(error) => {
                    Failure::from(error).report();
                    outcome.failure_count += 1;
                }
            }
        }
        let all_failed = !files.is_empty() && outcome.failure_count == files.len();
        if all_failed { Err(Failure::AlreadyReported) } else { Ok(outcome) }
    }

    fn print_losses(&mut self, file: &Path, losses: &Losses) {
        let file = input::display_path(file);
        losses.iter().for_each(|loss| output::print_labelled("lost", &format_args!("{}: {loss}", file.display())));
        self.is_lossy |= !losses.is_empty();
    }

    fn finish(self) -> Result<Outcome, Failure> {
        match self {
            Self { failure_count: 1.., .. } => Err(Failure::AlreadyReported),
            Self { is_lossy: true, .. } => Ok(Outcome::Lossy),
            _ => Ok(Outcome::Done),
        }
    }
}

/// Returns a future that completes on Ctrl-C or a termination signal. A second signal ends the process at once.
pub(super) fn shutdown_signal() -> Result<impl Future<Output = ()>, Failure> {
    let (sender, receiver) = oneshot::channel();
    let mut sender = Some(sender);
    let on_signal = move || match sender.take() {
        Some(sender) => drop(sender.send(())),
        None => {
            atomic::remove_temp_files();
            process::exit(output::EXIT_SIGINT);
        }
    };
    signals::set_handler(on_signal).map_err(|error| Error::from(error).with_path("Ctrl-C"))?;
    Ok(async { drop(receiver.await) })
}

/// Returns whether a browser can open a window. Without a display, some systems open one in the terminal.
pub(super) fn has_display() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"].into_iter().any(is_set)
}
