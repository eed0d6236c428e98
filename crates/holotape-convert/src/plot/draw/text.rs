//! How wide words are, in the font that PNGs are drawn with; others are about as wide.

use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

/// The font of PNGs, and the first choice of an SVG, with others that are common where it is not installed.
pub(super) const FAMILIES: &str = "'Noto Sans', 'Segoe UI', 'Helvetica Neue', Arial, sans-serif";

/// Letters of one size and weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Font {
    pub(super) size: f64,
    pub(super) is_bold: bool,
}

impl Font {
    pub(super) const fn plain(size: f64) -> Self {
        Self { size, is_bold: false }
    }

    pub(super) const fn bold(size: f64) -> Self {
        Self { size, is_bold: true }
    }

    /// How wide a text is.
    pub(super) fn width(self, text: &str) -> f64 {
        self.advances(text).sum()
    }

    /// The text, or as much of it as fits, with a sign that there is more.
    pub(super) fn ellipsize(self, text: &str, width: f64) -> String {
        let mut used = 0.0;
        let room = width - self.width("…");
        let mut fits = 0;
        for ((start, letter), advance) in text.char_indices().zip(self.advances(text)) {
            used += advance;
            if used <= room {
                fits = start + letter.len_utf8();
            } else if used > width {
                return format!("{}…", text[..fits].trim_end());
            }
        }
        text.to_owned()
    }

    fn advances(self, text: &str) -> impl Iterator<Item = f64> {
        let bytes = if self.is_bold { notosans::BOLD_TTF } else { notosans::REGULAR_TTF };
        let font = FontRef::new(bytes).ok();
        let chars =
            font.map(|font| (font.charmap(), font.glyph_metrics(Size::new(self.size as f32), LocationRef::default())));
        text.chars().map(move |letter| {
            let known = chars.as_ref().and_then(|(glyphs, metrics)| metrics.advance_width(glyphs.map(letter)?));
            // What the font lacks is most likely a letter as wide as it is high.
            known.map_or(self.size, f64::from)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_letters_are_wide() {
        let plain = Font::plain(10.0);
        assert!(plain.width("mmm") > 2.0 * plain.width("iii"));
        assert_eq!(plain.width("111"), plain.width("888"), "figures of one width make columns");
        assert!(Font::bold(10.0).width("Head") > plain.width("Head"));
        assert_eq!(plain.width("杯"), 10.0);
    }

    #[test]
    fn what_does_not_fit_is_clipped() {
        let plain = Font::plain(10.0);
        let name = "grabbed the cup 🫖 and more";
        assert_eq!(plain.ellipsize(name, plain.width(name)), name);
        for width in 0..120 {
            let clipped = plain.ellipsize(name, f64::from(width));
            assert!(clipped.ends_with('…') && name.starts_with(clipped.trim_end_matches('…')), "{clipped}");
            assert!(plain.width(&clipped) <= f64::from(width).max(plain.width("…")), "{clipped}");
        }
    }
}
