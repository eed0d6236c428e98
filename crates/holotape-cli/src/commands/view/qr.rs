//! Addresses for cameras: a QR code of half blocks, two rows of modules in one line.

use anstyle::{Ansi256Color, Color, Style};
use qrcode::{Color as Module, EcLevel, QrCode};

/// What scanners want to see around it.
const QUIET_ZONE: usize = 4;

/// Black on white, whatever the terminal's own colours are: these two are the same under every theme.
pub const STYLE: Style =
    Style::new().fg_color(Some(Color::Ansi256(Ansi256Color(16)))).bg_color(Some(Color::Ansi256(Ansi256Color(231))));

/// Lines of equal width, drawn in ink on paper; nothing for what is too long.
///
/// A screen has no stains, so the least of redundancy will do: an address of IPv4 then takes 33 columns and 17 lines.
pub fn lines(text: &str) -> Option<Vec<String>> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    let (width, modules) = (code.width(), code.to_colors());
    let is_ink = |row: usize, column: usize| {
        let (row, column) = (row.wrapping_sub(QUIET_ZONE), column.wrapping_sub(QUIET_ZONE));
        row < width && column < width && modules[row * width + column] == Module::Dark
    };
    let size = width + 2 * QUIET_ZONE;
    let half_blocks = |row| {
        let glyph = |column| match (is_ink(row, column), is_ink(row + 1, column)) {
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

    /// As a camera sees it.
    fn scan(lines: &[String]) -> String {
        const PIXELS: usize = 6;
        let is_ink = |x: usize, y: usize| {
            let glyph = lines[y / 2].chars().nth(x).expect("as wide as the others");
            glyph == '█' || glyph == if y.is_multiple_of(2) { '▀' } else { '▄' }
        };
        let (width, height) = (lines[0].chars().count() * PIXELS, lines.len() * 2 * PIXELS);
        let shade = |x: usize, y: usize| if is_ink(x / PIXELS, y / PIXELS) { 0 } else { 255 };
        let mut image = rqrr::PreparedImage::prepare_from_greyscale(width, height, shade);
        let found = image.detect_grids();
        assert_eq!(found.len(), 1);
        found[0].decode().expect("a code").1
    }

    #[test]
    fn cameras_read_the_address() {
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
    fn it_has_a_margin_and_fits_beside_what_is_said() {
        let lines = lines("https://192.168.178.123:65535/").expect("a code");
        assert_eq!((lines.len(), lines[0].chars().count()), (17, 33));
        assert!(lines[..2].iter().all(|line| line.trim().is_empty()));
        assert!(lines.iter().all(|line| line.starts_with("    ") && line.ends_with("    ")));
    }

    #[test]
    fn too_much_is_no_code() {
        assert_eq!(lines(&"x".repeat(3000)), None);
    }
}
