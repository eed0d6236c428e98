//! QR codes for terminals, of half blocks: two rows of modules per line.

use anstyle::{Ansi256Color, Color, Style};
use qrcode::{Color as Module, EcLevel, QrCode};

/// The width of the margin that scanners need, in modules.
const QUIET_ZONE: usize = 4;

/// Black on white. These two colours are the same in every terminal theme.
pub const STYLE: Style =
    Style::new().fg_color(Some(Color::Ansi256(Ansi256Color(16)))).bg_color(Some(Color::Ansi256(Ansi256Color(231))));

/// Draws text as lines of equal width; `None` if it is too long for a QR code.
///
/// Uses the lowest error correction level, as screens are clean: an IPv4 address takes 33 columns and 17 lines.
pub fn lines(text: &str) -> Option<Vec<String>> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    let (width, modules) = (code.width(), code.to_colors());
    let is_dark = |row: usize, column: usize| {
        let (row, column) = (row.wrapping_sub(QUIET_ZONE), column.wrapping_sub(QUIET_ZONE));
        row < width && column < width && modules[row * width + column] == Module::Dark
    };
    let size = width + 2 * QUIET_ZONE;
    let half_blocks = |row| {
        let glyph = |column| match (is_dark(row, column), is_dark(row + 1, column)) {
            (false, false) => ' ',
            (true, false) => '▀',
            (false, true) => '▄',
            (true, true) => '█',
        };
        (0..size).map(glyph).collect()
    };
    Some((0..size).step_by(2).map(half_blocks).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes the drawn code as a camera would.
    fn scan(lines: &[String]) -> String {
        const PIXELS: usize = 6;
        let is_dark = |x: usize, y: usize| {
            let glyph = lines[y / 2].chars().nth(x).expect("as wide as the others");
            glyph == '█' || glyph == if y.is_multiple_of(2) { '▀' } else { '▄' }
        };
        let (width, height) = (lines[0].chars().count() * PIXELS, lines.len() * 2 * PIXELS);
        let shade = |x: usize, y: usize| if is_dark(x / PIXELS, y / PIXELS) { 0 } else { 255 };
        let mut image = rqrr::PreparedImage::prepare_from_greyscale(width, height, shade);
        let found = image.detect_grids();
        assert_eq!(found.len(), 1);
        found[0].decode().expect("a code").1
    }

    #[test]
    fn lines_are_decodable() {
        for address in [
            "https://10.0.0.4:8443/",
            "https://192.168.178.123:65535/",
            "https://[2001:db8:1234:5678:9abc:def0:1234:5678]:8443/",
            "https://the-machine-with-the-long-name.local:8443/",
        ] {
            assert_eq!(scan(&lines(address).expect("a code")), address);
        }
    }

    #[test]
    fn lines_have_a_quiet_zone() {
        let lines = lines("https://192.168.178.123:65535/").expect("a code");
        assert_eq!((lines.len(), lines[0].chars().count()), (17, 33));
        assert!(lines[..2].iter().all(|line| line.trim().is_empty()));
        assert!(lines.iter().all(|line| line.starts_with("    ") && line.ends_with("    ")));
    }

    #[test]
    fn lines_returns_none_for_long_text() {
        assert_eq!(lines(&"x".repeat(3000)), None);
    }
}
