//! Plots of a recording as SVG or PNG, for inspection and publication.
//!
//! By default a plot is an overview in panels over one time axis: head position and rotation, palm positions and hand
//! speed, tracked and pinching flags, gaze direction, and markers as vertical lines. With
//! [patterns](PlotOptions::with_curves) it shows the curves themselves, as Unity evaluates them. While a hand is not
//! tracked its lines have gaps.
//!
//! Angles are in degrees: positive yaw is to the right, positive pitch is up, positive roll is towards the right
//! shoulder. They continue beyond 180° instead of wrapping. Hand speed is the palm's speed over 1/15 s, which filters
//! out sensor noise.
//!
//! The SVG has text elements, classes for styling, and full names as tooltips. The PNG is rendered from it with an
//! embedded font, so it is identical on every machine.
//!
//! ```
//! use holotape_convert::plot::{self, PlotOptions, Theme};
//!
//! let recording = holotape::demo::DemoOptions::new().with_seconds(2.0).generate()?;
//! let overview = plot::svg(&recording, &PlotOptions::new().with_title("Reach"))?;
//! assert!(overview.contains("Head position"));
//! let tip = PlotOptions::new().with_curves(["right.IndexTip.position.*"]).with_theme(Theme::Dark);
//! let image = plot::png(&recording, &tip.with_size([640, 240]))?;
//! assert!(image.starts_with(b"\x89PNG"));
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
mod round_step;
mod span;

pub use options::{PlotOptions, Theme};
pub use round_step::round_step;

use holotape::{Recording, Result};

use self::figure::Figure;

/// Plots a recording as SVG.
///
/// ```
/// use holotape_convert::plot::{self, PlotOptions};
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// assert!(plot::svg(&recording, &PlotOptions::new())?.starts_with("<svg"));
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::InvalidArgument`](holotape::ErrorKind::InvalidArgument) if a pattern matches no curve, the span is
/// invalid, or the size is too small for the panels.
pub fn svg(recording: &Recording, options: &PlotOptions) -> Result<String> {
    options.check_size()?;
    draw::svg(&Figure::new(recording, options)?, options)
}

/// Plots a recording as PNG.
///
/// ```
/// use holotape_convert::plot::{self, PlotOptions};
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let image = plot::png(&recording, &PlotOptions::new().with_size([600, 500]).with_scale(2.0))?;
/// // The PNG header starts with width and height.
/// assert_eq!(image[16..24], [0, 0, 4, 176, 0, 0, 3, 232]);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// As with [`svg`], and [`ErrorKind::LimitExceeded`](holotape::ErrorKind::LimitExceeded) if the image has too many
/// pixels.
pub fn png(recording: &Recording, options: &PlotOptions) -> Result<Vec<u8>> {
    raster::png(&svg(recording, options)?, options.scale)
}
