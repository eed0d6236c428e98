//! Renders SVG to PNG with embedded fonts, so that images are identical on every machine.

use std::sync::Arc;

use holotape::{Error, ErrorKind, Result};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{Options, Tree};

/// 256 MB of memory.
const MAX_PIXELS: f64 = 67_108_864.0;

pub(super) fn png(svg: &str, scale: f32) -> Result<Vec<u8>> {
    let tree = Tree::from_str(svg, &Options { fontdb: Arc::new(fonts()), ..Options::default() });
    let invalid_argument = |message| Error::new(ErrorKind::InvalidArgument, message);
    let failed = |message| Error::new(ErrorKind::Invalid, message);
    let tree = tree.map_err(|error| failed(format!("rendering the plot failed: {error}")))?;
    let [width, height] = [tree.size().width(), tree.size().height()].map(|length| (length * scale).round());
    if !(width >= 1.0 && height >= 1.0) {
        return Err(invalid_argument(format!("invalid plot scale: {scale}")));
    }
    if f64::from(width) * f64::from(height) > MAX_PIXELS {
        let message = format!("the plot of {width} x {height} pixels is too large: the limit is {MAX_PIXELS} pixels");
        return Err(Error::new(ErrorKind::LimitExceeded, message));
    }
    let image = Pixmap::new(width as u32, height as u32);
    let mut image = image.ok_or_else(|| invalid_argument(format!("invalid plot size: {width} x {height} pixels")))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut image.as_mut());
    image.encode_png().map_err(|error| failed(format!("encoding the plot failed: {error}")))
}

fn fonts() -> Database {
    let mut fonts = Database::new();
    for font in [notosans::REGULAR_TTF, notosans::BOLD_TTF] {
        fonts.load_font_source(Source::Binary(Arc::new(font)));
    }
    fonts.set_sans_serif_family("Noto Sans");
    fonts
}
