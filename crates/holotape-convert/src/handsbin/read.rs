//! Reads captures.

use holotape::text::pluralize;
use holotape::{Hand, PoseId, Recording, Result};

use super::cursor::{Cursor, pose};
use super::frame::{FrameRecord, Frames, HandRecord};
use super::header::Header;
use super::{HandsbinVersion, JOINTS};
use crate::assemble::RecordingAssembler;
use crate::{LossKind, Losses};

/// Reads a capture of version 1 or 2.
///
/// A hand is tracked while the file says so and has all of its joints. It is pinching while the pinch is touched, or if
/// that is not stored while the pinch value is above 0.5, or else while the index finger is pressed in the aim block;
/// where none of these is stored it is not pinching, which is reported. The head has a key where position and rotation
/// are valid. See the [module](super) for times.
///
/// ```
/// # let bytes = include_bytes!("../../../../testdata/handsbin/v2_plain_gaps.handsbin");
/// use holotape::{Hand, Joint};
///
/// let (recording, losses) = holotape_convert::handsbin::read(bytes)?;
/// assert!(recording.hand(Hand::Left).joint(Joint::IndexTip).pose_at(0.0).is_some());
/// assert!(losses.iter().any(|loss| loss.to_string().starts_with("dropped the name")));
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// [`UnsupportedVersion`](holotape::ErrorKind::UnsupportedVersion) if the file has another version,
/// [`Truncated`](holotape::ErrorKind::Truncated) if it ends early, [`Invalid`](holotape::ErrorKind::Invalid) if a count, a
/// name or a flag is invalid or bytes follow the last frame. The error has the frame and the byte.
pub fn read(bytes: &[u8]) -> Result<(Recording, Losses)> {
    read_named(bytes, None)
}

/// Reads a capture from a file with this name, without extension. The same name in the file is not a loss.
pub(crate) fn read_named(bytes: &[u8], file_stem: Option<&str>) -> Result<(Recording, Losses)> {
    let mut cursor = Cursor::new(bytes);
    let header = Header::read(&mut cursor)?;
    header.check_frame_count(&cursor)?;
    let overview = Overview::read(&header, cursor.clone())?;
    let mut importer = Importer::new(overview.has_pinches);
    let mut frames = Frames::new(&header, cursor);
    for time_secs in overview.times {
        if let Some(frame) = frames.next()? {
            importer.push_frame(time_secs.into(), &frame);
        }
    }
    let (recording, mut losses) = importer.finish(&header);
    losses.push_if(file_stem != Some(header.name), LossKind::Unsupported, || {
        format!("dropped the name {:?}: not part of a recording", header.name)
    });
    Ok((recording, losses))
}

/// What must be known before the first frame is imported.
struct Overview {
    /// The true times of the frames.
    times: Vec<f32>,
    /// Whether any frame has pinch data, by hand.
    has_pinches: [bool; 2],
}

impl Overview {
    fn read(header: &Header<'_>, cursor: Cursor<'_>) -> Result<Self> {
        let mut frames = Frames::new(header, cursor);
        let mut times = Vec::with_capacity(header.frame_count);
        let mut has_pinches = [false; 2];
        while let Some(frame) = frames.next()? {
            times.push(frame.time_secs);
            for (has_pinches, hand) in has_pinches.iter_mut().zip(&frame.hands) {
                *has_pinches |= hand.pinching().is_some();
            }
        }
        if header.version == HandsbinVersion::V2 {
            correct_times(&mut times, header.duration_secs);
        }
        Ok(Self { times, has_pinches })
    }
}

/// Moves times up by one frame if each is that of the frame before.
fn correct_times(times: &mut [f32], duration_secs: f32) {
    if let [first, second, ..] = *times
        && let Some(last) = times.last().copied()
        && first == 0.0
        && second == 0.0
        && duration_secs > last
    {
        times.rotate_left(1);
        if let Some(last) = times.last_mut() {
            *last = duration_secs;
        }
    }
}

struct Importer {
    assembler: RecordingAssembler,
    has_pinches: [bool; 2],
    hands: [HandCounts; 2],
    partial_heads: usize,
    has_roots: bool,
    has_before_render: bool,
    has_gestures: bool,
    has_aim: bool,
    has_pinch_strengths: bool,
}

/// Numbers of frames.
#[derive(Clone, Copy, Default)]
struct HandCounts {
    untracked: usize,
    partial: usize,
    unknown_pinches: usize,
}

impl Importer {
    fn new(has_pinches: [bool; 2]) -> Self {
        Self {
            assembler: RecordingAssembler::new(0.0),
            has_pinches,
            hands: [HandCounts::default(); 2],
            partial_heads: 0,
            has_roots: false,
            has_before_render: false,
            has_gestures: false,
            has_aim: false,
            has_pinch_strengths: false,
        }
    }

    fn push_frame(&mut self, time_secs: f64, frame: &FrameRecord<'_>) {
        self.assembler.pose(PoseId::Camera, time_secs, frame.head.map(Some));
        self.partial_heads += usize::from(frame.has_partial_head);
        for (hand, record) in Hand::ALL.into_iter().zip(&frame.hands) {
            self.push_hand(hand, time_secs, record);
        }
    }

    fn push_hand(&mut self, hand: Hand, time_secs: f64, record: &HandRecord<'_>) {
        let is_tracked = record.is_complete();
        let pinching = record.pinching();
        let known = self.has_pinches[hand as usize].then_some(pinching == Some(true));
        self.assembler.flags(hand, time_secs, is_tracked, known);
        if let Some(poses) = record.joints.filter(|_| is_tracked) {
            for (joint, bytes) in JOINTS.into_iter().zip(poses) {
                self.assembler.pose(PoseId::Joint(hand, joint), time_secs, Some(Some(pose(bytes))));
            }
            self.has_roots |= record.root.is_some_and(|root| poses.first() != Some(root));
        }
        let counts = &mut self.hands[hand as usize];
        counts.untracked += usize::from(record.joints.is_some() && !is_tracked);
        counts.partial += usize::from(record.is_partial);
        counts.unknown_pinches += usize::from(is_tracked && pinching.is_none());
        self.has_before_render |= record.has_before_render;
        self.has_gestures |= record.gestures.has_others;
        self.has_aim |= record.aim_pressed.is_some();
        self.has_pinch_strengths |= record.gestures.pinch_value.is_some_and(|value| value != 0.0 && value != 1.0);
    }

    fn finish(self, header: &Header<'_>) -> (Recording, Losses) {
        let (recording, mut losses) = self.assembler.finish();
        for (hand, counts) in Hand::ALL.into_iter().zip(self.hands) {
            counts.add_to(&mut losses, hand);
        }
        losses.push_if(self.partial_heads > 0, LossKind::Unsupported, || {
            let frames = pluralize(self.partial_heads, "frame");
            format!("dropped the head in {frames}: only its position or its rotation is valid")
        });
        losses.push_if(self.has_pinch_strengths, LossKind::Unsupported, || {
            "rounded pinch strengths: a recording has only a flag".to_owned()
        });
        let frames = [
            (self.has_gestures, "the gestures other than pinches"),
            (self.has_aim, "the aim poses and buttons"),
            (self.has_roots, "the root poses"),
            (self.has_before_render, "the poses before rendering"),
        ];
        let frames = frames.into_iter().filter_map(|(is_lost, name)| is_lost.then_some(name));
        let names: Vec<_> = frames.chain(header.provider.iter().copied()).collect();
        losses.push_if(!names.is_empty(), LossKind::Unsupported, || {
            format!("dropped {}: not part of a recording", names.join(", "))
        });
        (recording, losses)
    }
}

impl HandCounts {
    fn add_to(self, losses: &mut Losses, hand: Hand) {
        let Self { untracked, partial, unknown_pinches } = self;
        losses.push_if(untracked > 0, LossKind::Untracked, || {
            format!("dropped poses of the {hand} hand in {}: not tracked", pluralize(untracked, "frame"))
        });
        losses.push_if(partial > 0, LossKind::Flags, || {
            let frames = pluralize(partial, "frame");
            format!("dropped the tracked flag of the {hand} hand in {frames}: joints are missing")
        });
        losses.push_if(unknown_pinches > 0, LossKind::Invented, || {
            let frames = pluralize(unknown_pinches, "frame");
            format!("assumed that the {hand} hand does not pinch in {frames}: the file does not say")
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corrected(times: &[f32], duration_secs: f32) -> Vec<f32> {
        let mut times = times.to_vec();
        correct_times(&mut times, duration_secs);
        times
    }

    #[test]
    fn late_times_are_corrected() {
        assert_eq!(corrected(&[0.0, 0.0, 0.1, 0.2], 0.5), [0.0, 0.1, 0.2, 0.5]);
        assert_eq!(corrected(&[0.0, 0.0], 0.5), [0.0, 0.5]);
    }

    #[test]
    fn true_times_stay_unchanged() {
        for (times, duration_secs) in [
            (&[][..], 1.0),
            (&[0.0], 1.0),
            (&[0.0, 0.1, 0.2], 0.5),
            (&[0.0, 0.0, 0.2], 0.2),
            (&[0.0, 0.0, 0.2], f32::NAN),
            (&[0.5, 0.0, 0.2], 1.0),
        ] {
            assert_eq!(corrected(times, duration_secs), times);
        }
    }
}
