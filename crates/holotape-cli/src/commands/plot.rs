//! `holotape plot FILE OUT.svg|OUT.png`

use std::path::{Path, PathBuf};

use clap::Args;
use holotape_convert::plot::{self, PlotOptions, Theme};

use crate::args::{parse_finite, parse_positive};
use crate::failure::{Failure, Outcome};
use crate::input::{self, is_stdio};
use crate::output;
use crate::rewrite::WriteArgs;
use crate::span::{self, SpanLimit};

/// Draw a recording over time
///
/// Draws position, rotation and speed of head and hands, tracked and pinching spans, gaze and markers. With --curves:
/// draws the named curves, and their keys if there are few of them. Untracked spans are gaps.
#[derive(Debug, Args)]
pub struct PlotArgs {
    /// Recording to read; - for standard input
    #[arg(value_name = "FILE")]
    input: PathBuf,

    /// Image to write, .svg or .png; - for SVG on standard output
    #[arg(value_name = "OUT")]
    output: PathBuf,

    /// Draw curves by name, separated by commas; * matches any part of a name: right.IndexTip.position.*
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    curves: Vec<String>,

    /// Start time (default: 0)
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = parse_finite)]
    from: Option<f64>,

    /// End time (default: end of the recording)
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = parse_finite)]
    to: Option<f64>,

    /// Width and height in pixels (default: 1200 wide, as high as needed)
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<[u32; 2]>,

    /// PNG pixels per pixel of --size
    #[arg(long, value_name = "FACTOR", value_parser = parse_positive)]
    scale: Option<f64>,

    /// Title above the panels (default: the file name)
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// Draw bright lines on a dark background
    #[arg(long)]
    dark: bool,

    #[command(flatten)]
    write: WriteArgs,
}

/// Parses `1200x800`.
fn size(text: &str) -> Result<[u32; 2], String> {
    let both = || {
        let (width, height) = text.split_once(['x', 'X'])?;
        Some([width.trim().parse().ok()?, height.trim().parse().ok()?])
    };
    both().ok_or_else(|| "must be WIDTHxHEIGHT, such as 1200x800".to_owned())
}

enum ImageFormat {
    Svg,
    Png,
}

pub fn run(args: &PlotArgs) -> Result<Outcome, Failure> {
    let format = image_format(&args.output)?;
    if args.scale.is_some() && matches!(format, ImageFormat::Svg) {
        return Err(Failure::Usage("--scale has no effect on an SVG; remove it".to_owned()));
    }
    output::check_not_existing(&args.output, args.write.force)?;
    let recording = input::recording(&args.input)?;
    let end = f64::from(recording.duration_secs());
    let limit = if args.curves.is_empty() { SpanLimit::Recording } else { SpanLimit::Unlimited };
    let (from, to) = span::resolve(args.from, args.to, recording.duration_secs(), limit)?;
    // Curves are defined outside of the recording, by their wrap modes; motion is not.
    let to = if args.curves.is_empty() { to.min(end) } else { to };
    if from >= to && (args.from.is_some() || args.to.is_some()) {
        return Err(Failure::Usage(format!("empty span: {from} to {to} s; the recording lasts {end} s")));
    }
    let options = args.options(from, to);
    let bytes = match format {
        ImageFormat::Svg => plot::svg(&recording, &options)?.into_bytes(),
        ImageFormat::Png => plot::png(&recording, &options).map_err(Failure::from_options)?,
    };
    output::write(&args.output, args.write.force, |out| Ok(out.write_all(&bytes)?))?;
    Ok(Outcome::Done)
}

fn image_format(output: &Path) -> Result<ImageFormat, Failure> {
    if is_stdio(output) {
        return Ok(ImageFormat::Svg);
    }
    let extension = output.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    match extension.as_deref() {
        Some("svg") => Ok(ImageFormat::Svg),
        Some("png") => Ok(ImageFormat::Png),
        _ => Err(Failure::Usage(format!("{}: unknown extension; use .svg or .png", output.display()))),
    }
}

impl PlotArgs {
    fn options(&self, from: f64, to: f64) -> PlotOptions {
        let name = input::display_path(&self.input);
        let name = || name.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut options = PlotOptions::new()
            .with_curves(self.curves.iter().cloned())
            .with_title(self.title.clone().unwrap_or_else(name))
            .with_theme(if self.dark { Theme::Dark } else { Theme::Light });
        if self.from.is_some() || self.to.is_some() {
            options = options.with_span_secs(from..=to);
        }
        if let Some(size) = self.size {
            options = options.with_size(size);
        }
        if let Some(scale) = self.scale {
            options = options.with_scale(scale as f32);
        }
        options
    }
}
