//! Foreign streams to a recording: one key for each value that somebody measured, none for what is absent.

use holotape::format::Channels;
use holotape::{BoolCurve, Curve, Hand, Joint, LinearKey, Markers, Pose, PoseId, Ray, Recording};

use crate::{Loss, LossKind, Losses};

/// Takes poses, rays and flags as they come, each stream in order of time, and makes curves of them.
///
/// Streams need not share their times. What is not after the value before it in its own stream, and what has numbers that
/// are none, is left out and counted. Of the two quaternions of a rotation the one is taken that is nearer to the one
/// before.
#[derive(Debug)]
pub(crate) struct Assembler {
    start_secs: f64,
    camera: PoseTrack,
    joints: [Vec<PoseTrack>; 2],
    flags: [[FlagTrack; 2]; 2],
    gaze: RayTrack,
    markers: Markers,
    out_of_order: usize,
    not_finite: usize,
}

#[derive(Debug, Default)]
struct Track<const N: usize> {
    keys: Vec<(f32, [f32; N])>,
}

type PoseTrack = (Track<3>, Track<4>);
type RayTrack = (Track<3>, Track<3>);

/// Keys only where the flag changes, and the last time that it was heard of.
#[derive(Debug, Default)]
struct FlagTrack {
    keys: Vec<LinearKey>,
    last: Option<(f32, bool)>,
}

impl<const N: usize> Track<N> {
    fn last_time(&self) -> f32 {
        self.keys.last().map_or(f32::NEG_INFINITY, |(time, _)| *time)
    }

    fn curves(&self) -> [Curve; N] {
        std::array::from_fn(|n| self.keys.iter().map(|(time, values)| LinearKey::new(*time, values[n])).collect())
    }
}

impl FlagTrack {
    fn push(&mut self, time: f32, value: bool) {
        if self.last.is_none_or(|(_, last)| last != value) {
            self.keys.push(LinearKey::new(time, f32::from(u8::from(value))));
        }
        self.last = Some((time, value));
    }

    fn curve(self) -> BoolCurve {
        self.keys.into_iter().collect()
    }
}

impl Assembler {
    /// Begins a recording whose time 0 is this time of the streams.
    pub(crate) fn new(start_secs: f64) -> Self {
        Self {
            start_secs,
            camera: Default::default(),
            joints: std::array::from_fn(|_| (0..Joint::COUNT).map(|_| Default::default()).collect()),
            flags: Default::default(),
            gaze: Default::default(),
            markers: Markers::default(),
            out_of_order: 0,
            not_finite: 0,
        }
    }

    /// Adds a pose, in Unity's space.
    pub(crate) fn pose(&mut self, id: PoseId, time_secs: f64, pose: Pose) {
        let time = self.key_time(time_secs);
        let (positions, rotations) = match id {
            PoseId::Camera => &mut self.camera,
            PoseId::Joint(hand, joint) => &mut self.joints[hand as usize][joint.index()],
        };
        if !pose.position.iter().chain(&pose.rotation).all(|number| number.is_finite()) {
            self.not_finite += 1;
        } else if time <= positions.last_time() {
            self.out_of_order += 1;
        } else {
            let before = rotations.keys.last().map_or([0.0, 0.0, 0.0, 1.0], |(_, rotation)| *rotation);
            let dot: f32 = before.iter().zip(pose.rotation).map(|(a, b)| a * b).sum();
            positions.keys.push((time, pose.position));
            rotations.keys.push((time, if dot < 0.0 { pose.rotation.map(|number| -number) } else { pose.rotation }));
        }
    }

    /// Adds an eye ray, in Unity's space.
    pub(crate) fn gaze(&mut self, time_secs: f64, ray: Ray) {
        let time = self.key_time(time_secs);
        if !ray.origin.iter().chain(&ray.direction).all(|number| number.is_finite()) {
            self.not_finite += 1;
        } else if time <= self.gaze.0.last_time() {
            self.out_of_order += 1;
        } else {
            self.gaze.0.keys.push((time, ray.origin));
            self.gaze.1.keys.push((time, ray.direction));
        }
    }

    /// Says whether a hand is tracked and pinching from a time on. A stream of hands says so with every row.
    pub(crate) fn flags(&mut self, hand: Hand, time_secs: f64, tracked: bool, pinching: bool) {
        let time = self.key_time(time_secs);
        let [tracked_track, pinching_track] = &mut self.flags[hand as usize];
        if !time.is_finite() || tracked_track.last.is_some_and(|(last, _)| time <= last) {
            self.out_of_order += 1;
            return;
        }
        tracked_track.push(time, tracked);
        pinching_track.push(time, pinching);
    }

    /// Adds a marker.
    pub(crate) fn marker(&mut self, time_secs: f64, name: impl Into<String>) {
        self.markers.add(self.key_time(time_secs), name);
    }

    /// The recording, with the channels that anything was added to, and what had to be left out.
    pub(crate) fn finish(mut self) -> (Recording, Losses) {
        self.close_flags();
        let has_hands = self.flags.iter().flatten().any(|flag| flag.last.is_some())
            || self.joints.iter().flatten().any(|(positions, _)| !positions.keys.is_empty());
        let channels =
            Channels { camera: !self.camera.0.keys.is_empty(), hands: has_hands, gaze: !self.gaze.0.keys.is_empty() };
        let mut recording = Recording { markers: self.markers, ..Recording::with_channels(channels) };
        for (id, curves) in recording.poses_mut() {
            let (positions, rotations) = match id {
                PoseId::Camera => &self.camera,
                PoseId::Joint(hand, joint) => &self.joints[hand as usize][joint.index()],
            };
            (curves.position, curves.rotation) = (positions.curves(), rotations.curves());
        }
        if let Some(gaze) = &mut recording.gaze {
            (gaze.origin, gaze.direction) = (self.gaze.0.curves(), self.gaze.1.curves());
        }
        if has_hands {
            for (hand, [tracked, pinching]) in Hand::ALL.into_iter().zip(self.flags) {
                let curves = recording.hand_mut(hand);
                (curves.tracked, curves.pinching) = (tracked.curve(), pinching.curve());
            }
        }
        let left_out = |count: usize, words: &str| {
            (count > 0).then(|| Loss::new(LossKind::Unusable, format!("{words} ({count}): left out")))
        };
        let mut losses = Losses::default();
        losses.extend(left_out(self.not_finite, "poses and rays with numbers that are none"));
        losses.extend(left_out(self.out_of_order, "rows that are not after the one before"));
        (recording, losses)
    }

    /// A hand that is not there at the end has no keys there: its flags get one, or the recording would end too early.
    fn close_flags(&mut self) {
        for (hand, [tracked, _]) in self.flags.iter_mut().enumerate() {
            let Some((time, value)) = tracked.last else { continue };
            let has_key = |keys: &[LinearKey]| keys.last().is_some_and(|key| key.time >= time);
            let has_pose = self.joints[hand].iter().any(|(positions, _)| positions.last_time() >= time);
            if !has_key(&tracked.keys) && !has_pose {
                tracked.keys.push(LinearKey::new(time, f32::from(u8::from(value))));
            }
        }
    }

    /// What is stored is 32 bits, so the start is taken off before anything is rounded.
    fn key_time(&self, time_secs: f64) -> f32 {
        (time_secs - self.start_secs) as f32
    }
}
