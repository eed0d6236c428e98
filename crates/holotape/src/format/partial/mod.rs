//! Reads the intact part of a damaged file: every complete curve before the damage, the complete keys of the curve it
//! is in, and every complete marker.

mod tail;
mod truncated;

pub use truncated::TruncatedCurve;

use self::tail::TrailingData;
use self::truncated::CurveHeader;
use super::decode::decode_curves;
use super::source::ByteSource;
use super::walk::{WalkResult, Walker};
use super::{Channels, Format, Index, Layout, Version};
use crate::error::{Error, Location, Result};
use crate::{CurveId, Markers, Recording};

/// The readable part of a file.
#[derive(Debug)]
pub(crate) struct Partial {
    pub(crate) recording: Recording,
    /// The number of complete curves; they are the first of the file.
    pub(crate) complete_curves: usize,
    /// The curve after them, if some of its keys could be read.
    pub(crate) truncated: Option<TruncatedCurve>,
    /// The number of markers the file declares, if it reaches that far.
    pub(crate) declared_markers: Option<usize>,
    /// The number of bytes after everything that the format defines.
    pub(crate) trailing_bytes: u64,
    /// Whether the channel flags were damaged and had to be inferred.
    pub(crate) guessed_channels: bool,
    /// The error that stopped the reader, if any.
    pub(crate) error: Option<Error>,
}

/// Whether a file starts with its first curve, as files from before the first MRTK release do.
pub(crate) fn is_headerless(bytes: &[u8]) -> bool {
    bytes.starts_with(&[8, 0, 0, 0, 8, 0, 0, 0])
}

/// Reads the intact part. Files without a header are read only if `headerless` is set.
pub(crate) fn read_partial(bytes: &[u8], headerless: bool) -> Result<Partial> {
    if headerless && is_headerless(bytes) {
        return ReadAttempt::best(bytes, 0, &[Channels::V1_0], &[Layout::Full10]).finish();
    }
    let mut source = bytes;
    let mut walker = Walker::new(&mut source, 0);
    match walker.header()? {
        Version::V1_0 => ReadAttempt::best(bytes, walker.at, &[Channels::V1_0], &[Layout::Full10]).finish(),
        Version::V1_1 => {
            let flags: [u8; 3] = walker.bytes(Location::ChannelFlags)?;
            let channels = possible_channels(flags);
            let read = |layouts: &[Layout]| ReadAttempt::best(bytes, walker.at, &channels, layouts).finish();
            let mut partial = read(&[Layout::Compact11, Layout::Full11])?;
            if partial.error.is_some() && !reads_back(&partial.recording) {
                partial = read(&[other_layout(partial.recording.format.layout)])?;
            }
            Ok(Partial { guessed_channels: channels.len() > 1, ..partial })
        }
    }
}

/// Whether a recording, once written, is read in its own layout. The keys of a file that was read in the wrong layout have
/// the bytes of curve headers.
fn reads_back(recording: &Recording) -> bool {
    let written = recording.to_vec().and_then(|(bytes, _)| Index::from_slice(&bytes));
    written.is_ok_and(|index| index.format().layout == recording.format.layout)
}

/// The other layout of version 1.1.
fn other_layout(layout: Layout) -> Layout {
    if layout == Layout::Full11 { Layout::Compact11 } else { Layout::Full11 }
}

/// The channels that damaged flags can stand for: a flag other than 0 and 1 may have been either.
fn possible_channels(flags: [u8; 3]) -> Vec<Channels> {
    let [camera, hands, gaze] = flags.map(|flag| match flag {
        0 => &[false][..],
        1 => &[true],
        _ => &[true, false],
    });
    let mut all = Vec::new();
    for &camera in camera {
        for &hands in hands {
            all.extend(gaze.iter().map(|&gaze| Channels { camera, hands, gaze }));
        }
    }
    all
}

/// A file, read under one assumption.
struct ReadAttempt<'a> {
    bytes: &'a [u8],
    body_at: u64,
    channels: Channels,
    layout: Layout,
    walked: WalkResult,
}

impl<'a> ReadAttempt<'a> {
    fn new(bytes: &'a [u8], body_at: u64, channels: Channels, layout: Layout) -> Self {
        let mut source = bytes;
        let walked = Walker::new(&mut source, body_at).walk_body(channels, layout.keys());
        Self { bytes, body_at, channels, layout, walked }
    }

    /// The most plausible reading; the first of equals.
    fn best(bytes: &'a [u8], body_at: u64, channels: &[Channels], layouts: &[Layout]) -> Self {
        let mut best = Self::new(bytes, body_at, channels[0], layouts[0]);
        for &channels in channels {
            for &layout in layouts {
                let other = Self::new(bytes, body_at, channels, layout);
                if other.plausibility() > best.plausibility() {
                    best = other;
                }
            }
        }
        best
    }

    /// How plausible a reading is: whether the file is valid, whether it stops at a plausible curve header, and how
    /// many more plausible than implausible headers it has.
    fn plausibility(&self) -> (bool, bool, isize) {
        let stops_at_curve = self.header().is_none_or(|header| header.is_plausible());
        let plausible = self.walked.plausible_headers();
        let implausible = self.walked.curves.len() - plausible;
        (self.walked.rest.is_ok(), stops_at_curve, plausible as isize - implausible as isize)
    }

    /// The offset at which the walk stopped.
    fn stop_offset(&self) -> u64 {
        self.walked.curves.last().map_or(self.body_at, |curve| curve.key_range.end)
    }

    /// The header of the curve at which the walk stopped, if it is complete.
    fn header(&self) -> Option<CurveHeader> {
        let id = CurveId::all(self.channels).nth(self.walked.curves.len())?;
        let (mut source, at) = (self.bytes, self.stop_offset());
        Some(CurveHeader::new(id, at, &source.array(at).ok()?))
    }

    fn finish(self) -> Result<Partial> {
        let mut source = self.bytes;
        let complete_curves = self.walked.curves.len();
        let truncated = self.header().filter(CurveHeader::is_plausible);
        let truncated = truncated.map(|header| header.with_keys(&mut source, self.layout.keys())).transpose()?;
        let has_all_curves = complete_curves == CurveId::all(self.channels).count();
        let tail =
            if has_all_curves { TrailingData::read(&mut source, self.stop_offset()) } else { TrailingData::default() };
        let error = self.walked.rest.err();
        let mut recording = Recording::with_channels(self.channels);
        // Every release of MRTK writes a marker list, so a truncated file had one.
        let marker_list = error.is_some() || tail.declared_markers.is_some();
        recording.format = Format { layout: self.layout, marker_list };
        let mut spans = self.walked.curves;
        spans.extend(truncated.iter().map(|(span, _)| span.clone()));
        decode_curves(&mut source, &spans, &mut recording, |_| true)?;
        recording.markers = Markers::from(tail.markers);
        Ok(Partial {
            recording,
            complete_curves,
            truncated: truncated.map(|(_, curve)| curve),
            declared_markers: tail.declared_markers,
            trailing_bytes: tail.trailing_bytes,
            guessed_channels: false,
            error,
        })
    }
}
