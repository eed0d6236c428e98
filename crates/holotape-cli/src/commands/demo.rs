//! `holotape demo [OUT]`

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use holotape::demo::DemoOptions;
use holotape::{ErrorKind, Recording, Summary};

use super::info::{self, InfoTarget};
use crate::failure::{Failure, Outcome};
use crate::input::is_stdio;
use crate::output::{self, NativeFormat};

/// Make a recording of synthetic motion and show what is in it
///
/// A head, two hands and a pair of eyes: the hands reach, pinch, point and wave, the head follows, the eyes jump. The
/// same seed gives the same motion.
#[cfg_attr(
    feature = "viewer",
    doc = "\n\nBeside the recording goes a page that plays it in any browser, with the recording inside."
)]
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// The file to write, .json for a JSON document; - for standard output
    #[arg(value_name = "OUT", default_value = "demo.bin")]
    output: PathBuf,

    /// Which motion
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How long
    #[arg(long, default_value_t = 12.0, allow_hyphen_values = true)]
    seconds: f64,

    /// Frames a second
    #[arg(long, value_name = "HZ", default_value_t = 60.0)]
    rate: f64,

    /// Write no page
    #[cfg(feature = "viewer")]
    #[arg(long)]
    no_page: bool,

    /// Replace files if they are there and something else
    #[arg(long)]
    force: bool,
}

pub fn run(args: &DemoArgs) -> Result<Outcome, Failure> {
    let options = DemoOptions::new().with_seed(args.seed).with_seconds(args.seconds).with_rate_hz(args.rate);
    let recording = options.generate().map_err(|error| match error.kind() {
        ErrorKind::Invalid | ErrorKind::LimitExceeded => Failure::Usage(error.to_string()),
        _ => error.into(),
    })?;
    let page = DemoPage::of(args)?;
    let kind = NativeFormat::of(&args.output).unwrap_or(NativeFormat::Bin);
    let mut bytes = Vec::new();
    match kind {
        NativeFormat::Bin => {
            let losses = recording.write_to(&mut bytes)?;
            debug_assert!(losses.is_empty(), "made in the format it is written in");
        }
        NativeFormat::Json => recording.write_json_to(&mut bytes)?,
    }
    // The same demo again is no reason to complain about the file.
    if args.force || !already_written(&args.output, &bytes) {
        output::write(&args.output, args.force, |out| Ok(out.write_all(&bytes)?))?;
    }
    page.write(args, &recording)?;
    let name = if is_stdio(&args.output) { "demo".to_owned() } else { args.output.display().to_string() };
    let subject = InfoTarget { name: &name, bytes: Some(bytes.len() as u64), kind };
    if is_stdio(&args.output) {
        info::show(&mut anstream::stderr(), &subject, &Summary::from_recording(&recording))?;
        return Ok(Outcome::Done);
    }
    let mut out = output::stdout();
    info::show(&mut out, &subject, &Summary::from_recording(&recording))?;
    print_next_steps(&mut out, args, &page)?;
    out.flush()?;
    Ok(Outcome::Done)
}

fn print_next_steps(out: &mut impl Write, args: &DemoArgs, page: &DemoPage) -> io::Result<()> {
    let program = std::env::args().next().unwrap_or_else(|| "holotape".to_owned());
    let quoted = |path: &Path| {
        let name = path.display().to_string();
        if name.contains(' ') { format!("\"{name}\"") } else { name }
    };
    writeln!(out, "\nNext:")?;
    if let Some(page) = &page.0 {
        writeln!(out, "  open {} in a browser, which plays it", quoted(page))?;
    }
    if cfg!(feature = "viewer") {
        writeln!(out, "  {program} view {}", quoted(&args.output))?;
    }
    writeln!(out, "  {program} sample {} --at {}", quoted(&args.output), args.seconds.min(3.0) / 2.0)?;
    writeln!(out, "  {program} demo other.bin --seed {}", args.seed.wrapping_add(1))
}

/// Where the page goes, if there is to be one.
struct DemoPage(Option<PathBuf>);

#[cfg(feature = "viewer")]
impl DemoPage {
    /// Beside a recording that is a file. Fails before anything is written if something else is there already.
    fn of(args: &DemoArgs) -> Result<Self, Failure> {
        let output = &args.output;
        let is_no_file = output.metadata().is_ok_and(|there| !there.is_file());
        if args.no_page || is_stdio(output) || is_no_file {
            return Ok(Self(None));
        }
        let page = page_path_for(output);
        if page == *output {
            let message =
                format!("{}: a recording is called .bin or .json; the page beside it is the .html", page.display());
            return Err(Failure::Usage(message));
        }
        if !is_demo_page(&page) {
            output::check_not_existing(&page, args.force)?;
        }
        Ok(Self(Some(page)))
    }

    fn write(&self, args: &DemoArgs, recording: &Recording) -> Result<(), Failure> {
        let Some(page) = &self.0 else { return Ok(()) };
        let name = args.output.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = holotape_viewer::page::export_demo(&name, recording)?;
        output::write(page, true, |out| Ok(out.write_all(text.as_bytes())?))
    }
}

/// `take.html` for `take.bin`, but `take.v2.html` for `take.v2`.
#[cfg(feature = "viewer")]
fn page_path_for(output: &Path) -> PathBuf {
    if NativeFormat::of(output).is_some() || output.extension().is_some_and(|extension| extension == "html") {
        return output.with_extension("html");
    }
    let mut name = output.as_os_str().to_owned();
    name.push(".html");
    name.into()
}

/// Whether a file is a page that an earlier demo left: that one may go.
#[cfg(feature = "viewer")]
fn is_demo_page(path: &Path) -> bool {
    use std::io::Read;

    let mut start = Vec::new();
    let mark = holotape_viewer::page::DEMO_GENERATOR_TAG.as_bytes();
    let read = |file: std::fs::File| file.take(1 << 10).read_to_end(&mut start);
    std::fs::File::open(path).and_then(read).is_ok() && start.windows(mark.len()).any(|part| part == mark)
}

#[cfg(not(feature = "viewer"))]
impl DemoPage {
    fn of(_: &DemoArgs) -> Result<Self, Failure> {
        Ok(Self(None))
    }

    fn write(&self, _: &DemoArgs, _: &Recording) -> Result<(), Failure> {
        Ok(())
    }
}

fn already_written(path: &Path, bytes: &[u8]) -> bool {
    path.metadata().is_ok_and(|file| file.is_file() && file.len() == bytes.len() as u64)
        && std::fs::read(path).is_ok_and(|found| found == bytes)
}
