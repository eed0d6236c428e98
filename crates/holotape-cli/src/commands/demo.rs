//! `holotape demo [OUT]`

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use holotape::demo::DemoOptions;
use holotape::{Recording, Summary};
use holotape_convert::WriteOptions;

use super::info::{self, InfoTarget};
use crate::failure::{Failure, Outcome};
use crate::input::is_stdio;
use crate::output::{self, OutputFormat};
use crate::rewrite::output_format;

/// Write a recording of synthetic motion, and show its contents
///
/// Two hands reach, pinch, point and wave, the head follows them, and the gaze has fixations and saccades. The same
/// seed gives the same motion.
#[cfg_attr(
    feature = "viewer",
    doc = "\n\nAlso writes a page next to the recording, which contains it and plays it in any browser."
)]
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// File to write, .bin or .json, also .bin.gz or .bin.zst; - for standard output
    #[arg(value_name = "OUT", default_value = "demo.bin")]
    output: PathBuf,

    /// Seed of the motion
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Duration
    #[arg(long, value_name = "SECONDS", default_value_t = 12.0, allow_hyphen_values = true)]
    seconds: f64,

    /// Frames per second
    #[arg(long, value_name = "HZ", default_value_t = 60.0)]
    rate: f64,

    /// Do not write the page
    #[cfg(feature = "viewer")]
    #[arg(long)]
    no_page: bool,

    /// Overwrite existing files
    #[arg(long)]
    force: bool,
}

pub fn run(args: &DemoArgs) -> Result<Outcome, Failure> {
    let options = DemoOptions::new().with_seed(args.seed).with_seconds(args.seconds).with_rate_hz(args.rate);
    let recording = options.generate().map_err(Failure::from_options)?;
    // Pipes and devices need no extension.
    let format = if is_special_file(&args.output) { OutputFormat::BIN } else { output_format(&args.output)? };
    let page = DemoPage::new(args)?;
    let mut bytes = Vec::new();
    let OutputFormat { file_format, compression } = format;
    let losses = compression.write(&mut bytes, |out| WriteOptions::new().write(&recording, file_format, out))?;
    debug_assert!(losses.is_empty(), "the demo fits its format");
    // Running the same demo again is not an error.
    if args.force || !already_written(&args.output, &bytes) {
        output::write(&args.output, args.force, |out| Ok(out.write_all(&bytes)?))?;
    }
    page.write(args, &recording)?;
    let name = if is_stdio(&args.output) { "demo".to_owned() } else { args.output.display().to_string() };
    let target = InfoTarget { name: &name, file_bytes: Some(bytes.len() as u64), format: file_format, compression };
    if is_stdio(&args.output) {
        info::show(&mut anstream::stderr(), &target, &Summary::from_recording(&recording))?;
        return Ok(Outcome::Done);
    }
    let mut out = output::stdout();
    info::show(&mut out, &target, &Summary::from_recording(&recording))?;
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
        writeln!(out, "  open {} in a browser to play it", quoted(page))?;
    }
    if cfg!(feature = "viewer") {
        writeln!(out, "  {program} view {}", quoted(&args.output))?;
    }
    writeln!(out, "  {program} sample {} --at {}", quoted(&args.output), args.seconds.min(3.0) / 2.0)?;
    writeln!(out, "  {program} demo other.bin --seed {}", args.seed.wrapping_add(1))
}

/// The path of the page; `None` if no page is written.
struct DemoPage(Option<PathBuf>);

#[cfg(feature = "viewer")]
impl DemoPage {
    /// Fails if the page would overwrite a file that is not the page of a demo.
    fn new(args: &DemoArgs) -> Result<Self, Failure> {
        let output = &args.output;
        if args.no_page || is_stdio(output) || is_special_file(output) {
            return Ok(Self(None));
        }
        let page = output.with_extension("html");
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

/// Returns whether a file is the page of an earlier demo, which may be overwritten.
#[cfg(feature = "viewer")]
fn is_demo_page(path: &Path) -> bool {
    use std::io::Read;

    let mut start = Vec::new();
    let tag = holotape_viewer::page::DEMO_GENERATOR_TAG.as_bytes();
    let read = |file: std::fs::File| file.take(1 << 10).read_to_end(&mut start);
    std::fs::File::open(path).and_then(read).is_ok() && start.windows(tag.len()).any(|bytes| bytes == tag)
}

#[cfg(not(feature = "viewer"))]
impl DemoPage {
    fn new(_: &DemoArgs) -> Result<Self, Failure> {
        Ok(Self(None))
    }

    fn write(&self, _: &DemoArgs, _: &Recording) -> Result<(), Failure> {
        Ok(())
    }
}

fn is_special_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

fn already_written(path: &Path, bytes: &[u8]) -> bool {
    path.metadata().is_ok_and(|file| file.is_file() && file.len() == bytes.len() as u64)
        && std::fs::read(path).is_ok_and(|contents| contents == bytes)
}
