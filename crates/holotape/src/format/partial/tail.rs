//! The data after the curves: the readable markers and the rest.

use crate::Marker;
use crate::error::Location;
use crate::format::source::ByteSource;
use crate::format::walk::Walker;

/// The end of a file, as far as it is valid.
#[derive(Debug, Default)]
pub(super) struct TrailingData {
    pub(super) markers: Vec<Marker>,
    /// `None` if the count is invalid.
    pub(super) declared_markers: Option<usize>,
    /// The number of bytes after a complete marker list.
    pub(super) trailing_bytes: u64,
}

impl TrailingData {
    pub(super) fn read(source: &mut impl ByteSource, at: u64) -> Self {
        let mut walker = Walker::new(source, at);
        let count = walker.int(Location::MarkerList).ok().and_then(|count| u32::try_from(count).ok());
        let Some(count) = count else { return Self::default() };
        let mut markers = Vec::new();
        for index in 0..count as usize {
            let mut push = |time, name: &str| markers.push(Marker { time, name: name.to_owned() });
            if walker.marker(Location::Marker { index }, &mut push).is_err() {
                break;
            }
        }
        let is_complete = markers.len() == count as usize;
        let trailing_bytes = if is_complete { walker.remaining() } else { 0 };
        Self { markers, declared_markers: Some(count as usize), trailing_bytes }
    }
}
