//! Text widths in the font that PNGs are rendered with; SVG viewers may use a similar one.

use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

/// The font of PNGs, and the preferred one of SVGs, with fallbacks.
pub(super) const FAMILIES: &str = "'Noto Sans', 'Segoe UI', 'Helvetica Neue', Arial, sans-serif";

/// A font size and weight.
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

    /// The width of a text.
    pub(super) fn width(self, text: &str) -> f64 {
        self.advances(text).sum()
    }

    /// Truncates a text with an ellipsis if it does not fit.
    pub(super) fn ellipsize(self, text: &str, width: f64) -> String {
        let mut used = 0.0;
        let available = width - self.width("…");
        let mut fits = 0;
        for ((start, character), advance) in text.char_indices().zip(self.advances(text)) {
            used += advance;
            if used <= available {
                fits = start + character.len_utf8();
            } else if used > width {
                return format!("{}…", text[..fits].trim_end());
            }
        }
        text.to_owned()
    }

    fn advances(self, text: &str) -> impl Iterator<Item = f64> {
        let bytes = if self.is_bold { notosans::BOLD_TTF } else { notosans::REGULAR_TTF };
        let font = FontRef::new(bytes).ok();
        let glyphs =
            font.map(|font| (font.charmap(), font.glyph_metrics(Size::new(self.size as f32), LocationRef::default())));
        text.chars().map(move |character| {
            let known = glyphs.as_ref().and_then(|(charmap, metrics)| metrics.advance_width(charmap.map(character)?));
            // Missing characters are most likely as wide as they are high.
            known.map_or(self.size, f64::from)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn width_depends_on_characters_and_weight() {
        let plain = Font::plain(10.0);
        assert!(plain.width("mmm") > 2.0 * plain.width("iii"));
        assert_eq!(plain.width("111"), plain.width("888"), "digits have equal widths");
        assert!(Font::bold(10.0).width("Head") > plain.width("Head"));
        assert_eq!(plain.width("杯"), 10.0);
    }

    #[test]
    fn ellipsize_truncates_to_the_width() {
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
