//! Foreign streams to a recording: one key for each value that somebody measured, none for what is absent.

use holotape::format::Channels;
use holotape::{BodyPart, BoolCurve, Curve, Hand, Joint, LinearKey, Pose, PoseId, Ray, Recording};

use crate::{Loss, LossKind, Losses};

/// Takes poses, rays and flags as they come, each stream in order of time, and makes curves of them.
///
/// Streams need not share their times. What is not after the value before it in its own stream, and what is no pose or
/// ray, is left out and counted. Of the two quaternions of a rotation the one is taken that is nearer to the one before.
#[derive(Debug)]
pub(crate) struct RecordingAssembler {
    start_secs: f64,
    camera: KeyTrack<3, 4>,
    joints: [Vec<KeyTrack<3, 4>>; 2],
    flags: [HandFlags; 2],
    gaze: KeyTrack<3, 3>,
}

/// A position and what goes with it: the rotation of a pose, the direction of a ray.
#[derive(Debug)]
struct KeyTrack<const N: usize, const M: usize> {
    keys: Vec<(f32, [f32; N], [f32; M])>,
    refused: RejectedCounts,
    /// Rows since the last key in which there was nothing, and those between keys.
    absent: usize,
    bridged: usize,
}

/// How many values had to be left out.
#[derive(Clone, Copy, Debug, Default)]
struct RejectedCounts {
    late: usize,
    unusable: usize,
}

/// Flags have keys where they change.
#[derive(Debug, Default)]
struct HandFlags {
    tracked: Vec<LinearKey>,
    pinching: Vec<LinearKey>,
    /// When the hand was last heard of, tracked or not.
    last_time: Option<f32>,
    late: usize,
}

impl<const N: usize, const M: usize> KeyTrack<N, M> {
    fn new() -> Self {
        Self { keys: Vec::new(), refused: RejectedCounts::default(), absent: 0, bridged: 0 }
    }

    fn last_time(&self) -> Option<f32> {
        self.keys.last().map(|(time, ..)| *time)
    }

    fn push(&mut self, time: f32, value: Option<([f32; N], [f32; M])>) {
        let usable = value.filter(|(a, b)| a.iter().chain(b).all(|number| number.is_finite()) && *b != [0.0; M]);
        match usable {
            _ if !is_after(time, self.last_time()) => self.refused.late += 1,
            Some((a, b)) => {
                self.keys.push((time, a, b));
                self.bridged += std::mem::take(&mut self.absent);
            }
            None => self.refused.unusable += 1,
        }
    }

    fn push_absent(&mut self) {
        self.absent += usize::from(!self.keys.is_empty());
    }

    /// The curves, one for each number. The track is empty then: a long recording is not held twice.
    fn take_curves(&mut self) -> ([Curve; N], [Curve; M]) {
        let keys = std::mem::take(&mut self.keys);
        let first = std::array::from_fn(|n| keys.iter().map(|(time, a, _)| LinearKey::new(*time, a[n])).collect());
        let second = std::array::from_fn(|n| keys.iter().map(|(time, _, b)| LinearKey::new(*time, b[n])).collect());
        (first, second)
    }
}

impl KeyTrack<3, 4> {
    fn push_pose(&mut self, time: f32, pose: Option<Pose>) {
        let before = self.keys.last().map_or(Pose::IDENTITY.rotation, |(.., rotation)| *rotation);
        self.push(time, pose.map(|pose| (pose.position, align_sign(before, pose.rotation))));
    }
}

impl HandFlags {
    fn push(&mut self, time: f32, tracked: bool, pinching: Option<bool>) {
        if !is_after(time, self.last_time) {
            self.late += 1;
            return;
        }
        self.last_time = Some(time);
        push_change(&mut self.tracked, time, tracked);
        if let Some(pinching) = pinching {
            push_change(&mut self.pinching, time, pinching);
        }
    }
}

impl RecordingAssembler {
    /// Begins a recording whose time 0 is this time of the streams.
    pub(crate) fn new(start_secs: f64) -> Self {
        Self {
            start_secs,
            camera: KeyTrack::new(),
            joints: std::array::from_fn(|_| (0..Joint::COUNT).map(|_| KeyTrack::new()).collect()),
            flags: Default::default(),
            gaze: KeyTrack::new(),
        }
    }

    /// Adds a pose, in Unity's space; or none where the stream has something that is no pose.
    pub(crate) fn pose(&mut self, id: PoseId, time_secs: f64, pose: impl Into<Option<Pose>>) {
        let time = self.key_time(time_secs);
        self.track_mut(id).push_pose(time, pose.into());
    }

    /// Adds an eye ray, in Unity's space; or none where the stream has something that is no ray.
    pub(crate) fn gaze(&mut self, time_secs: f64, ray: impl Into<Option<Ray>>) {
        let time = self.key_time(time_secs);
        self.gaze.push(time, ray.into().map(|ray| (ray.origin, ray.direction)));
    }

    /// Says that a row has no pose here, where the one before may have had one.
    pub(crate) fn absent_pose(&mut self, id: PoseId) {
        self.track_mut(id).push_absent();
    }

    /// Says that a row has no eye ray.
    pub(crate) fn absent_gaze(&mut self) {
        self.gaze.push_absent();
    }

    /// Says whether a hand is tracked from a time on, and pinching if the stream knows. A stream of hands says so with
    /// every row.
    pub(crate) fn flags(&mut self, hand: Hand, time_secs: f64, tracked: bool, pinching: impl Into<Option<bool>>) {
        let time = self.key_time(time_secs);
        self.flags[hand as usize].push(time, tracked, pinching.into());
    }

    /// The recording, with the channels that anything was added to, and what had to be left out.
    pub(crate) fn finish(mut self) -> (Recording, Losses) {
        self.close_flags();
        let losses = self.losses();
        let mut recording = Recording::with_channels(self.channels());
        for (id, curves) in recording.poses_mut() {
            (curves.position, curves.rotation) = self.track_mut(id).take_curves();
        }
        if let Some(gaze) = &mut recording.gaze {
            (gaze.origin, gaze.direction) = self.gaze.take_curves();
        }
        if let Some(hands) = &mut recording.hands {
            for (curves, flags) in [&mut hands.left, &mut hands.right].into_iter().zip(self.flags) {
                curves.tracked = BoolCurve::from_iter(flags.tracked);
                curves.pinching = BoolCurve::from_iter(flags.pinching);
            }
        }
        (recording, losses)
    }

    fn channels(&self) -> Channels {
        let has_flags = self.flags.iter().any(|flags| flags.last_time.is_some());
        Channels {
            camera: !self.camera.keys.is_empty(),
            hands: has_flags || self.joints.iter().flatten().any(|track| !track.keys.is_empty()),
            gaze: !self.gaze.keys.is_empty(),
        }
    }

    fn losses(&self) -> Losses {
        let late = format_counts(|part| self.rejected(part).late);
        let unusable = format_counts(|part| self.rejected(part).unusable);
        let late = late.map(|counts| format!("rows that are not after the one before ({counts}): left out"));
        let unusable = unusable.map(|counts| format!("poses and rays that are none ({counts}): left out"));
        let mut losses = Losses::default();
        losses.extend([late, unusable].into_iter().flatten().map(|message| Loss::new(LossKind::Unusable, message)));
        losses.extend(gap_loss(|part| self.gap_rows(part)));
        losses
    }

    /// Rows of a part in which something is absent that is there before and after.
    fn gap_rows(&self, part: BodyPart) -> usize {
        match part {
            BodyPart::Camera => self.camera.bridged,
            BodyPart::Gaze => self.gaze.bridged,
            BodyPart::Hand(hand) => self.joints[hand as usize].iter().map(|track| track.bridged).max().unwrap_or(0),
        }
    }

    /// What was left out of a part: of a row that is late every joint is, so the most of one joint is how many rows.
    fn rejected(&self, part: BodyPart) -> RejectedCounts {
        match part {
            BodyPart::Camera => self.camera.refused,
            BodyPart::Gaze => self.gaze.refused,
            BodyPart::Hand(hand) => {
                let joints = self.joints[hand as usize].iter().map(|track| track.refused);
                let flags = RejectedCounts { late: self.flags[hand as usize].late, unusable: 0 };
                joints.fold(flags, |all, one| RejectedCounts {
                    late: all.late.max(one.late),
                    unusable: all.unusable + one.unusable,
                })
            }
        }
    }

    /// A hand that is not there at the end has no keys there: its flags get one, or the recording would end too early.
    fn close_flags(&mut self) {
        for (flags, joints) in self.flags.iter_mut().zip(&self.joints) {
            let Some((last, time)) = flags.tracked.last().copied().zip(flags.last_time) else { continue };
            let has_pose = joints.iter().any(|track| track.last_time() >= Some(time));
            if last.time < time && !has_pose {
                flags.tracked.push(LinearKey::new(time, last.value));
            }
        }
    }

    fn track_mut(&mut self, id: PoseId) -> &mut KeyTrack<3, 4> {
        match id {
            PoseId::Camera => &mut self.camera,
            PoseId::Joint(hand, joint) => &mut self.joints[hand as usize][joint.index()],
        }
    }

    /// What is stored is 32 bits, so the start is taken off before anything is rounded.
    fn key_time(&self, time_secs: f64) -> f32 {
        (time_secs - self.start_secs) as f32
    }
}

/// Whether a time is one, and after the last.
fn is_after(time: f32, last: Option<f32>) -> bool {
    time.is_finite() && last.is_none_or(|last| time > last)
}

fn align_sign(before: [f32; 4], rotation: [f32; 4]) -> [f32; 4] {
    let dot: f32 = before.iter().zip(rotation).map(|(a, b)| a * b).sum();
    if dot < 0.0 { rotation.map(|number| -number) } else { rotation }
}

fn push_change(keys: &mut Vec<LinearKey>, time: f32, state: bool) {
    let value = f32::from(u8::from(state));
    if keys.last().is_none_or(|last| last.value != value) {
        keys.push(LinearKey::new(time, value));
    }
}

/// What was absent for a while, though nothing in a recording can say so but the flags of hands: curves go on from the key
/// before to the key behind.
pub(crate) fn gap_loss(rows: impl Fn(BodyPart) -> usize) -> Option<Loss> {
    let message = |counts| {
        format!("rows in which something is absent ({counts}): curves run through, because a recording cannot say so")
    };
    format_counts(rows).map(|counts| Loss::new(LossKind::Invented, message(counts)))
}

/// `camera 3, left 1`: the parts of which there are any.
fn format_counts(count: impl Fn(BodyPart) -> usize) -> Option<String> {
    let counts = BodyPart::ALL.map(|part| (part.name(), count(part)));
    let message: Vec<_> =
        counts.into_iter().filter(|(_, count)| *count > 0).map(|(name, count)| format!("{name} {count}")).collect();
    (!message.is_empty()).then(|| message.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIP: PoseId = PoseId::Joint(Hand::Left, Joint::IndexTip);
    const PALM: PoseId = PoseId::Joint(Hand::Left, Joint::Palm);

    fn at(x: f32) -> Pose {
        Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY }
    }

    fn times(curve: &Curve) -> Vec<f32> {
        curve.keys.iter().map(|key| key.time).collect()
    }

    fn words(losses: &Losses) -> Vec<String> {
        losses.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn nothing_gives_nothing() {
        let (recording, losses) = RecordingAssembler::new(0.0).finish();
        assert_eq!(recording, Recording::default());
        assert!(losses.is_empty());
    }

    #[test]
    fn only_what_was_added_is_there() {
        let mut assembler = RecordingAssembler::new(100.0);
        assembler.pose(PoseId::Camera, 100.5, at(1.0));
        let (recording, losses) = assembler.finish();
        assert_eq!(recording.channels(), Channels { camera: true, hands: false, gaze: false });
        let camera = recording.camera.expect("added");
        assert_eq!(times(&camera.position[0]), [0.5]);
        assert_eq!(camera.pose_at(0.5), Some(at(1.0)));
        assert!(losses.is_empty());
    }

    #[test]
    fn the_start_is_taken_off_before_rounding() {
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
    fn a_row_that_is_late_counts_once_for_each_part() {
        let mut assembler = RecordingAssembler::new(0.0);
        for time in [0.0, 1.0, 0.5, 1.0, f64::NAN, f64::INFINITY, 2.0] {
            assembler.pose(PoseId::Camera, time, at(0.0));
            assembler.pose(TIP, time, at(0.0));
            assembler.pose(PALM, time, at(0.0));
            assembler.flags(Hand::Left, time, true, false);
        }
        let (recording, losses) = assembler.finish();
        assert_eq!(words(&losses), ["rows that are not after the one before (camera 4, left 4): left out"]);
        assert_eq!(times(&recording.hand(Hand::Left).joint(Joint::Palm).rotation[3]), [0.0, 1.0, 2.0]);
    }

    #[test]
    fn streams_keep_times_of_their_own() {
        let mut assembler = RecordingAssembler::new(0.0);
        assembler.pose(PoseId::Camera, 5.0, at(0.0));
        assembler.gaze(1.0, Ray { origin: [0.0; 3], direction: [0.0, 0.0, 1.0] });
        assembler.flags(Hand::Right, 0.5, false, None);
        let (recording, losses) = assembler.finish();
        assert!(losses.is_empty());
        assert_eq!(times(&recording.gaze.expect("added").origin[0]), [1.0]);
        assert_eq!(recording.hands.expect("heard of").right.tracked.keys, [LinearKey::new(0.5, 0.0)]);
    }

    #[test]
    fn what_is_no_pose_is_left_out_and_counted() {
        let mut assembler = RecordingAssembler::new(0.0);
        let none = [
            Some(at(f32::NAN)),
            Some(Pose { rotation: [0.0; 4], ..Pose::IDENTITY }),
            Some(Pose { rotation: [0.0, 0.0, f32::INFINITY, 1.0], ..Pose::IDENTITY }),
            None,
        ];
        for (time, pose) in (0_u8..).zip(none) {
            assembler.pose(TIP, time.into(), pose);
            assembler.pose(PALM, time.into(), at(0.0));
        }
        assembler.gaze(0.0, Ray { origin: [0.0; 3], direction: [0.0, -0.0, 0.0] });
        let (recording, losses) = assembler.finish();
        let expected = ["poses and rays that are none (left 4, gaze 1): left out"];
        assert_eq!(words(&losses), expected);
        assert!(losses.iter().all(|loss| loss.kind() == LossKind::Unusable));
        assert!(recording.gaze.is_none());
        assert!(recording.hand(Hand::Left).joint(Joint::IndexTip).pose_at(0.0).is_none());
        assert_eq!(times(&recording.hand(Hand::Left).joint(Joint::Palm).position[0]), [0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn of_two_quaternions_the_nearer_is_taken() {
        let mut assembler = RecordingAssembler::new(0.0);
        for (time, w) in [(0.0, -1.0), (1.0, 1.0), (2.0, -1.0)] {
            assembler.pose(PoseId::Camera, time, Pose { rotation: [0.0, 0.0, 0.0, w], ..Pose::IDENTITY });
        }
        let (recording, _) = assembler.finish();
        let w = &recording.camera.expect("added").rotation[3];
        assert!(w.keys.iter().all(|key| key.value == 1.0));
    }

    #[test]
    fn flags_have_keys_where_they_change_and_at_the_end() {
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
    fn a_hand_that_is_there_at_the_end_needs_no_key_there() {
        let mut assembler = RecordingAssembler::new(0.0);
        for time in [0.0, 1.0] {
            assembler.flags(Hand::Left, time, true, None);
            assembler.pose(PALM, time, at(0.0));
        }
        let (recording, _) = assembler.finish();
        assert_eq!(recording.hand(Hand::Left).tracked.keys, [LinearKey::new(0.0, 1.0)]);
        assert!(recording.hand(Hand::Left).pinching.keys.is_empty(), "nobody said anything about pinching");
    }

    #[test]
    fn a_hand_that_is_tracked_without_joints_lasts_to_its_last_row() {
        let mut assembler = RecordingAssembler::new(0.0);
        assembler.flags(Hand::Left, 0.0, true, None);
        assembler.flags(Hand::Left, 1.0, true, None);
        let (recording, _) = assembler.finish();
        assert_eq!(recording.hand(Hand::Left).tracked.keys, [LinearKey::new(0.0, 1.0), LinearKey::new(1.0, 1.0)]);
    }
}
