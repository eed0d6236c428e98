//! Pictures of a recording, to look at and to put into a paper.
//!
//! Without further wishes a picture shows what somebody did, in panels over one time axis: where the head was and which
//! way it faced, where the palms were and how fast, when hands were seen and pinching, where the eyes looked, and markers
//! as lines across it all. With [patterns](PlotOptions::with_curves) it shows the curves themselves, as Unity evaluates
//! them. Where a hand was not tracked there is nothing: a gap, never a line that nobody recorded.
//!
//! Angles are in degrees about the axes of the world: yaw grows to the right, pitch upwards, roll when the right ear
//! goes down. They are continued beyond 180° rather than broken. Speeds are those of the palm over a fifteenth of a
//! second, so that the tremor of a device does not count.
//!
//! The SVG is text, with classes to style it and full names under the pointer. The PNG is the same picture, drawn with a
//! font of our own, so that it is the same on every machine.
//!
//! ```
//! use holotape_convert::plot::{self, PlotOptions, Theme};
//!
//! let take = holotape::demo::DemoOptions::new().with_seconds(2.0).generate()?;
//! let overview = plot::svg(&take, &PlotOptions::new().with_title("take"))?;
//! assert!(overview.contains("Head position"));
//! let tip = PlotOptions::new().with_curves(["right.IndexTip.position.*"]).with_theme(Theme::Dark);
//! let picture = plot::png(&take, &tip.with_size([640, 240]))?;
//! assert!(picture.starts_with(b"\x89PNG"));
//! # Ok::<(), holotape::Error>(())
//! ```

mod curve_panels;
mod draw;
mod figure;
mod motion;
mod options;
mod overview;
mod pattern;
mod polyline;
mod raster;
mod span;

pub use options::{PlotOptions, Theme};

use holotape::{Recording, Result};

use self::figure::Figure;

/// A picture of a recording as SVG.
///
/// ```
/// use holotape_convert::plot::{self, PlotOptions};
///
/// let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// assert!(plot::svg(&take, &PlotOptions::new())?.starts_with("<svg"));
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Invalid`](holotape::ErrorKind::Invalid) if a pattern fits no curve, the span is none, or the size is too
/// small for what there is to show.
pub fn svg(recording: &Recording, options: &PlotOptions) -> Result<String> {
    options.check_size()?;
    draw::svg(&Figure::new(recording, options)?, options)
}

/// A picture of a recording as PNG.
///
/// ```
/// use holotape_convert::plot::{self, PlotOptions};
///
/// let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let picture = plot::png(&take, &PlotOptions::new().with_size([600, 500]).with_scale(2.0))?;
/// // Width and height of a PNG are at its beginning.
/// assert_eq!(picture[16..24], [0, 0, 4, 176, 0, 0, 3, 232]);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// As with [`svg`], and [`ErrorKind::LimitExceeded`](holotape::ErrorKind::LimitExceeded) if the picture has more pixels
/// than a program should make at once.
pub fn png(recording: &Recording, options: &PlotOptions) -> Result<Vec<u8>> {
    raster::png(&svg(recording, options)?, options.scale())
}
