//! Timelines of 60 characters: one cell per 1/60 of the recording.

use std::ops::Range;

use holotape::Marker;

const CELLS: usize = 60;

/// Draws the spans of a flag. The fuller a cell, the larger the fraction of its time that the spans cover.
pub(super) fn timeline_bar(spans: &[Range<f64>], duration_secs: f64) -> String {
    let cell_secs = duration_secs / CELLS as f64;
    let mut fractions = [0.0; CELLS];
    for span in spans {
        let first = (span.start / cell_secs) as usize;
        for (index, fraction) in fractions.iter_mut().enumerate().skip(first) {
            let start = index as f64 * cell_secs;
            if start >= span.end {
                break;
            }
            let overlap_secs = span.end.min(start + cell_secs) - span.start.max(start);
            *fraction += (overlap_secs / cell_secs).max(0.0);
        }
    }
    let block = |fraction| match fraction {
        ..=0.0 => '·',
        ..0.34 => '░',
        ..0.67 => '▒',
        ..0.995 => '▓',
        _ => '█',
    };
    fractions.into_iter().map(block).collect()
}

/// Draws markers. Those outside of the recording are omitted.
pub(super) fn marker_line(markers: &[Marker], duration_secs: f32) -> String {
    let mut cells = [' '; CELLS];
    for marker in markers {
        let fraction = marker.time / duration_secs;
        if (0.0..=1.0).contains(&fraction) {
            cells[((fraction * CELLS as f32) as usize).min(CELLS - 1)] = '▲';
        }
    }
    cells.iter().collect::<String>().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_show_the_covered_fraction() {
        let bar = timeline_bar(&[0.0..1.0, 1.5..2.0, 59.0..60.0], 60.0);
        assert_eq!(bar, format!("█▒{}█", "·".repeat(57)));
        assert_eq!(timeline_bar(&[30.0..30.0], 60.0), "·".repeat(60));
    }

    #[test]
    fn markers_outside_of_the_recording_are_omitted() {
        let markers = [-1.0, 0.0, 2.5, 60.0, 61.0, f32::NAN].map(|time| Marker { time, name: String::new() });
        assert_eq!(marker_line(&markers, 60.0), format!("▲ ▲{}▲", " ".repeat(56)));
    }
}
