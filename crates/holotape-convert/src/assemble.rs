//! Imported streams to a recording: one key per value, and counts of what is missing or rejected.

use std::borrow::Borrow;

use holotape::{BodyPart, Frame, Hand, Joint, NotAfterLast, Pose, PoseId, Ray, Recording, RecordingBuilder};

use crate::{Loss, LossKind, Losses};

/// Builds a recording from poses, rays and flags, each stream in order of time, and reports what it drops.
///
/// Streams need not share their times. Values whose time is not after the value before in the same stream, and poses
/// and rays with non-finite values, are dropped and counted.
#[derive(Debug)]
pub(crate) struct RecordingAssembler {
    builder: RecordingBuilder,
    camera: ValueCounts,
    joints: [[ValueCounts; Joint::COUNT]; 2],
    gaze: ValueCounts,
    late_flags: [usize; 2],
}

/// Counts of the values of one pose or ray, or of those of a hand.
#[derive(Clone, Copy, Debug, Default)]
struct ValueCounts {
    stored: usize,
    late: usize,
    unusable: usize,
    /// Rows without a value since the last key.
    absent: usize,
    /// Rows without a value between keys.
    gap_rows: usize,
}

impl ValueCounts {
    /// Counts a row: without a value, with an invalid one, or whether its value was stored.
    fn count(&mut self, stored: Option<Option<Result<(), NotAfterLast>>>) {
        match stored {
            None => self.absent += usize::from(self.stored > 0),
            Some(None) => self.unusable += 1,
            Some(Some(Err(_))) => self.late += 1,
            Some(Some(Ok(()))) => {
                self.stored += 1;
                self.gap_rows += std::mem::take(&mut self.absent);
            }
        }
    }
}

impl RecordingAssembler {
    /// Creates an assembler. `start_secs`, in the time of the streams, becomes time 0.
    pub(crate) fn new(start_secs: f64) -> Self {
        Self {
            builder: RecordingBuilder::starting_at(start_secs),
            camera: ValueCounts::default(),
            joints: [[ValueCounts::default(); Joint::COUNT]; 2],
            gaze: ValueCounts::default(),
            late_flags: [0; 2],
        }
    }

    /// Adds a row of a pose, in Unity's space: `None` if it has no pose, `Some(None)` if it has an invalid one.
    pub(crate) fn pose(&mut self, id: PoseId, time_secs: f64, pose: Option<Option<Pose>>) {
        let stored = pose.map(|pose| {
            let pose = pose.filter(|pose| is_usable(&pose.position, &pose.rotation))?;
            Some(self.builder.push_pose(id, time_secs, pose))
        });
        let counts = match id {
            PoseId::Camera => &mut self.camera,
            PoseId::Joint(hand, joint) => &mut self.joints[hand as usize][joint.index()],
        };
        counts.count(stored);
    }

    /// Adds a row of the gaze, in Unity's space: `None` if it has no ray, `Some(None)` if it has an invalid one.
    pub(crate) fn gaze(&mut self, time_secs: f64, ray: Option<Option<Ray>>) {
        let stored = ray.map(|ray| {
            let ray = ray.filter(|ray| is_usable(&ray.origin, &ray.direction))?;
            Some(self.builder.push_gaze(time_secs, ray))
        });
        self.gaze.count(stored);
    }

    /// Sets the flags of a hand from a time on; `pinching` is `None` if the stream does not have it.
    pub(crate) fn flags(&mut self, hand: Hand, time_secs: f64, tracked: bool, pinching: impl Into<Option<bool>>) {
        let stored = self.builder.push_flags(hand, time_secs, tracked, pinching.into());
        self.late_flags[hand as usize] += usize::from(stored.is_err());
    }

    fn push_frame(&mut self, frame: &Frame) {
        self.pose(PoseId::Camera, frame.time, frame.camera.map(Some));
        self.gaze(frame.time, frame.gaze.map(Some));
        for hand in Hand::ALL {
            let Some(values) = frame.hand(hand) else { continue };
            self.flags(hand, frame.time, values.tracked, values.pinching);
            for (joint, pose) in Joint::ALL.into_iter().zip(values.joints) {
                // The joints of an untracked hand are expected to be missing.
                if values.tracked || pose.is_some() {
                    self.pose(PoseId::Joint(hand, joint), frame.time, pose.map(Some));
                }
            }
        }
    }

    /// Returns the recording, with the channels that have values, and what was dropped.
    pub(crate) fn finish(self) -> (Recording, Losses) {
        let late = format_counts(|part| self.counts(part).late);
        let unusable = format_counts(|part| self.counts(part).unusable);
        let late = late.map(|counts| format!("dropped rows that are not after the one before: {counts}"));
        let unusable = unusable.map(|counts| format!("dropped poses and rays with non-finite values: {counts}"));
        let mut losses = Losses::default();
        losses.extend([late, unusable].into_iter().flatten().map(|message| Loss::new(LossKind::Unusable, message)));
        losses.extend(gap_loss(|part| self.counts(part).gap_rows));
        (self.builder.finish(), losses)
    }

    fn counts(&self, part: BodyPart) -> ValueCounts {
        match part {
            BodyPart::Camera => self.camera,
            BodyPart::Gaze => self.gaze,
            BodyPart::Hand(hand) => {
                let flags = ValueCounts { late: self.late_flags[hand as usize], ..ValueCounts::default() };
                // A row is late or absent for all joints at once, so the maximum over the joints counts rows.
                self.joints[hand as usize].iter().fold(flags, |all, joint| ValueCounts {
                    late: all.late.max(joint.late),
                    unusable: all.unusable + joint.unusable,
                    gap_rows: all.gap_rows.max(joint.gap_rows),
                    ..all
                })
            }
        }
    }
}

/// Builds a recording from frames: one key per pose and ray, at the times of the frames. To record frames from a device
/// as they arrive, starting at time 0, use a [`Recorder`](holotape::record::Recorder).
///
/// Drops and reports frames that are not after the one before, and poses and rays with non-finite values.
///
/// ```
/// use holotape::{Frame, Pose};
///
/// let at = |time| Frame { time, camera: Some(Pose::IDENTITY), ..Frame::default() };
/// let (recording, losses) = holotape_convert::from_frames([at(0.5), at(1.0), at(0.75)]);
/// assert_eq!(recording.camera.unwrap().position[0].keys.len(), 2);
/// assert!(losses.iter().any(|loss| loss.to_string().contains("not after the one before")));
/// ```
pub fn from_frames(frames: impl IntoIterator<Item = impl Borrow<Frame>>) -> (Recording, Losses) {
    let mut assembler = RecordingAssembler::new(0.0);
    frames.into_iter().for_each(|frame| assembler.push_frame(frame.borrow()));
    assembler.finish()
}

/// Whether all values are finite, and the rotation or direction is not zero.
fn is_usable<const N: usize>(position: &[f32; 3], rotation: &[f32; N]) -> bool {
    position.iter().chain(rotation).all(|value| value.is_finite()) && *rotation != [0.0; N]
}

/// The loss for rows in which a value is missing: only flags of hands can express that, so curves interpolate.
pub(crate) fn gap_loss(rows: impl Fn(BodyPart) -> usize) -> Option<Loss> {
    let message = |counts| format!("interpolated over rows with missing values: {counts}");
    format_counts(rows).map(|counts| Loss::new(LossKind::Invented, message(counts)))
}

/// `camera 3, left 1`: the body parts with a count above 0.
fn format_counts(count: impl Fn(BodyPart) -> usize) -> Option<String> {
    let counts = BodyPart::ALL.map(|part| (part.name(), count(part)));
    let message: Vec<_> =
        counts.into_iter().filter(|(_, count)| *count > 0).map(|(name, count)| format!("{name} {count}")).collect();
    (!message.is_empty()).then(|| message.join(", "))
}

#[cfg(test)]
mod tests {
    use holotape::format::Channels;
    use holotape::{Curve, LinearKey};

    use super::*;

    const TIP: PoseId = PoseId::Joint(Hand::Left, Joint::IndexTip);
    const PALM: PoseId = PoseId::Joint(Hand::Left, Joint::Palm);

    fn at(x: f32) -> Option<Option<Pose>> {
        Some(Some(Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY }))
    }

    fn times(curve: &Curve) -> Vec<f32> {
        curve.keys.iter().map(|key| key.time).collect()
    }

    fn messages(losses: &Losses) -> Vec<String> {
        losses.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn empty_assembler_gives_an_empty_recording() {
        let (recording, losses) = RecordingAssembler::new(0.0).finish();
        assert_eq!(recording, Recording::default());
        assert!(losses.is_empty());
    }

    #[test]
    fn channels_without_values_are_absent() {
        let mut assembler = RecordingAssembler::new(100.0);
        assembler.pose(PoseId::Camera, 100.5, at(1.0));
        let (recording, losses) = assembler.finish();
        assert_eq!(recording.channels(), Channels { camera: true, hands: false, gaze: false });
        let camera = recording.camera.expect("added");
        assert_eq!(times(&camera.position[0]), [0.5]);
        assert_eq!(Some(camera.pose_at(0.5)), at(1.0));
        assert!(losses.is_empty());
    }

    #[test]
    fn start_is_subtracted_before_rounding() {
        let start_secs = 63_783_589_712.0;
        let mut assembler = RecordingAssembler::new(start_secs);
        for frame in 0..100 {
            assembler.pose(PoseId::Camera, start_secs + f64::from(frame) / 64.0, at(0.0));
        }
        let (recording, losses) = assembler.finish();
        let expected: Vec<_> = (0..100_u8).map(|frame| f32::from(frame) / 64.0).collect();
        assert_eq!(times(&recording.camera.expect("added").position[0]), expected);
        assert!(losses.is_empty());
    }

    #[test]
    fn late_row_counts_once_per_body_part() {
        let mut assembler = RecordingAssembler::new(0.0);
        for time in [0.0, 1.0, 0.5, 1.0, f64::NAN, f64::INFINITY, 2.0] {
            assembler.pose(PoseId::Camera, time, at(0.0));
            assembler.pose(TIP, time, at(0.0));
            assembler.pose(PALM, time, at(0.0));
            assembler.flags(Hand::Left, time, true, false);
        }
        let (recording, losses) = assembler.finish();
        assert_eq!(messages(&losses), ["dropped rows that are not after the one before: camera 4, left 4"]);
        assert_eq!(times(&recording.hand(Hand::Left).joint(Joint::Palm).rotation[3]), [0.0, 1.0, 2.0]);
    }

    #[test]
    fn streams_keep_separate_times() {
        let mut assembler = RecordingAssembler::new(0.0);
        assembler.pose(PoseId::Camera, 5.0, at(0.0));
        assembler.gaze(1.0, Some(Some(Ray { origin: [0.0; 3], direction: [0.0, 0.0, 1.0] })));
        assembler.flags(Hand::Right, 0.5, false, None);
        let (recording, losses) = assembler.finish();
        assert!(losses.is_empty());
        assert_eq!(times(&recording.gaze.expect("added").origin[0]), [1.0]);
        assert_eq!(recording.hands.expect("flags were added").right.tracked.keys, [LinearKey::new(0.5, 0.0)]);
    }

    #[test]
    fn invalid_poses_are_dropped_and_counted() {
        let mut assembler = RecordingAssembler::new(0.0);
        let none = [
            at(f32::NAN),
            Some(Some(Pose { rotation: [0.0; 4], ..Pose::IDENTITY })),
            Some(Some(Pose { rotation: [0.0, 0.0, f32::INFINITY, 1.0], ..Pose::IDENTITY })),
            Some(None),
        ];
        for (time, pose) in (0_u8..).zip(none) {
            assembler.pose(TIP, time.into(), pose);
            assembler.pose(PALM, time.into(), at(0.0));
        }
        assembler.gaze(0.0, Some(Some(Ray { origin: [0.0; 3], direction: [0.0, -0.0, 0.0] })));
        let (recording, losses) = assembler.finish();
        let expected = ["dropped poses and rays with non-finite values: left 4, gaze 1"];
        assert_eq!(messages(&losses), expected);
        assert!(losses.iter().all(|loss| loss.kind() == LossKind::Unusable));
        assert!(recording.gaze.is_none());
        assert!(recording.hand(Hand::Left).joint(Joint::IndexTip).pose_at(0.0).is_none());
        assert_eq!(times(&recording.hand(Hand::Left).joint(Joint::Palm).position[0]), [0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn quaternion_signs_follow_the_first_key() {
        let mut assembler = RecordingAssembler::new(0.0);
        for (time, w) in [(0.0, -1.0), (1.0, 1.0), (2.0, -1.0)] {
            let pose = Pose { rotation: [0.0, 0.0, 0.0, w], ..Pose::IDENTITY };
            assembler.pose(PoseId::Camera, time, Some(Some(pose)));
        }
        let (recording, _) = assembler.finish();
        let w = &recording.camera.expect("added").rotation[3];
        assert!(w.keys.iter().all(|key| key.value == -1.0));
    }

    #[test]
    fn flags_have_keys_at_changes_and_at_the_end() {
        let mut assembler = RecordingAssembler::new(0.0);
        for (time, tracked, pinching) in
            [(0.0, true, false), (1.0, true, true), (2.0, false, false), (3.0, false, false)]
        {
            assembler.flags(Hand::Left, time, tracked, pinching);
            if tracked {
                assembler.pose(PALM, time, at(0.0));
            }
        }
        let (recording, _) = assembler.finish();
        let left = recording.hand(Hand::Left);
        let keys =
            |keys: &[(f32, f32)]| keys.iter().map(|(time, value)| LinearKey::new(*time, *value)).collect::<Vec<_>>();
        assert_eq!(left.tracked.keys, keys(&[(0.0, 1.0), (2.0, 0.0), (3.0, 0.0)]));
        assert_eq!(left.pinching.keys, keys(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)]));
        assert_eq!(recording.duration_secs(), 3.0);
    }

    #[test]
    fn hand_tracked_at_the_end_needs_no_flag_key_there() {
        let mut assembler = RecordingAssembler::new(0.0);
        for time in [0.0, 1.0] {
            assembler.flags(Hand::Left, time, true, None);
            assembler.pose(PALM, time, at(0.0));
        }
        let (recording, _) = assembler.finish();
        assert_eq!(recording.hand(Hand::Left).tracked.keys, [LinearKey::new(0.0, 1.0)]);
        assert!(recording.hand(Hand::Left).pinching.keys.is_empty(), "no pinch flags were added");
    }

    #[test]
    fn hand_tracked_without_joints_lasts_until_its_last_row() {
        let mut assembler = RecordingAssembler::new(0.0);
        assembler.flags(Hand::Left, 0.0, true, None);
        assembler.flags(Hand::Left, 1.0, true, None);
        let (recording, _) = assembler.finish();
        assert_eq!(recording.hand(Hand::Left).tracked.keys, [LinearKey::new(0.0, 1.0), LinearKey::new(1.0, 1.0)]);
    }
}
