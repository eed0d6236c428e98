//! As much of a broken file as makes sense: every whole curve before the damage, the whole keys of the curve that it is in,
//! every whole marker.

mod tail;
mod truncated;

pub use truncated::TruncatedCurve;

use self::tail::TrailingData;
use self::truncated::CurveHeader;
use super::decode::decode_curves;
use super::source::ByteSource;
use super::walk::{WalkResult, Walker};
use super::{Channels, Format, Layout, Version};
use crate::error::{Error, Location, Result};
use crate::{CurveId, Markers, Recording};

/// What could be read of a file.
#[derive(Debug)]
pub(crate) struct Partial {
    pub(crate) recording: Recording,
    /// How many curves are whole; they are the first of the file.
    pub(crate) complete_curves: usize,
    /// The curve behind them, if some of its keys could be read.
    pub(crate) cut: Option<TruncatedCurve>,
    /// How many markers the file promises, if it comes to that.
    pub(crate) declared_markers: Option<usize>,
    /// How many bytes follow behind all that the format knows.
    pub(crate) trailing_bytes: u64,
    /// Whether the flags for the channels were damaged and had to be found out from the rest.
    pub(crate) guessed_channels: bool,
    /// What is wrong with the file, if anything is.
    pub(crate) error: Option<Error>,
}

/// Whether a file begins with the first curve, as files from before the first release do.
pub(crate) fn is_headerless(bytes: &[u8]) -> bool {
    bytes.starts_with(&[8, 0, 0, 0, 8, 0, 0, 0])
}

/// Reads what there is. Without a header it does that only if `headerless` says that there is none.
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
            let reading = ReadAttempt::best(bytes, walker.at, &channels, &[Layout::Compact11, Layout::Full11]);
            Ok(Partial { guessed_channels: channels.len() > 1, ..reading.finish()? })
        }
    }
}

/// The channels that the flags of a file can mean: a flag that is neither 0 nor 1 may have been either.
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

    /// The reading that makes most sense; of equals the first.
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

    /// How much sense a reading makes: whether the file is sound by it, whether it stops at something that looks like a
    /// curve, and how many more curves looked like one than not.
    fn plausibility(&self) -> (bool, bool, isize) {
        let stops_at_curve = self.header().is_none_or(|header| header.is_plausible());
        let familiar = self.walked.plausible_headers();
        let strange = self.walked.curves.len() - familiar;
        (self.walked.rest.is_ok(), stops_at_curve, familiar as isize - strange as isize)
    }

    /// The byte at which the walk stopped making sense of curves.
    fn stop_offset(&self) -> u64 {
        self.walked.curves.last().map_or(self.body_at, |curve| curve.key_range.end)
    }

    /// The header of the curve that the walk stopped at, if all of it is there.
    fn header(&self) -> Option<CurveHeader> {
        let id = CurveId::all(self.channels).nth(self.walked.curves.len())?;
        let (mut source, at) = (self.bytes, self.stop_offset());
        Some(CurveHeader::new(id, at, &source.array(at).ok()?))
    }

    fn finish(self) -> Result<Partial> {
        let mut source = self.bytes;
        let whole_curves = self.walked.curves.len();
        let cut = self.header().filter(CurveHeader::is_plausible);
        let cut = cut.map(|header| header.with_keys(&mut source, self.layout.keys())).transpose()?;
        let is_all_there = whole_curves == CurveId::all(self.channels).count();
        let tail =
            if is_all_there { TrailingData::read(&mut source, self.stop_offset()) } else { TrailingData::default() };
        let error = self.walked.rest.err();
        let mut recording = Recording::with_channels(self.channels);
        // Every release of MRTK writes a marker list, so that a file that is cut had one.
        let marker_list = error.is_some() || tail.promised_markers.is_some();
        recording.format = Format { layout: self.layout, marker_list };
        let mut spans = self.walked.curves;
        spans.extend(cut.iter().map(|(span, _)| span.clone()));
        decode_curves(&mut source, &spans, &mut recording)?;
        recording.markers = Markers::from(tail.markers);
        Ok(Partial {
            recording,
            complete_curves: whole_curves,
            cut: cut.map(|(_, cut)| cut),
            declared_markers: tail.promised_markers,
            trailing_bytes: tail.trailing_bytes,
            guessed_channels: false,
            error,
        })
    }
}
