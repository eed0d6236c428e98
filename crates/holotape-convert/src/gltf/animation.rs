//! A recording as tracks of nodes, and what of it these do not hold.

use holotape::{Curve, Hand, HandCurves, Joint, PoseCurves, RayCurves, Recording};

use super::deviation::{Deviation, Deviations, SAMPLE_FRACTIONS};
use super::rotation::{directions, rotations};
use super::sampled::{SampleDensity, Sampled};
use super::track::{PoseTracks, Track, to_finite_f32};
use crate::Space;

/// A recording as tracks, in right-handed space.
pub(super) struct AnimationTracks {
    pub(super) camera: Option<PoseTracks>,
    /// The joints of each hand, in the order of [`Joint::ALL`].
    pub(super) hands: [Vec<Option<PoseTracks>>; 2],
    pub(super) gaze: Option<PoseTracks>,
    /// What the tracks do not hold, as a recording in which the rest has no keys.
    pub(super) rest: Recording,
    pub(super) gaps: Deviations,
}

impl AnimationTracks {
    pub(super) fn of(recording: &Recording) -> Self {
        let mut sorter = TrackExtractor { pace: SampleDensity::of(recording), gaps: Deviations::default() };
        let mut rest = without_poses(recording);
        let camera = recording.camera.as_ref().zip(rest.camera.as_mut());
        let camera = camera.and_then(|(pose, rest)| sorter.pose(pose, rest, |_| true));
        let gaze = recording.gaze.as_ref().zip(rest.gaze.as_mut());
        let gaze = gaze.and_then(|(ray, rest)| sorter.ray(ray, rest));
        let hands = Hand::ALL.map(|hand| match &mut rest.hands {
            Some(_) => sorter.hand(recording.hand(hand), rest.hand_mut(hand)),
            None => vec![None; Joint::COUNT],
        });
        Self { camera, hands, gaze, rest, gaps: sorter.gaps }
    }
}

/// The recording with flags, markers and format, and no keys of poses and rays.
fn without_poses(recording: &Recording) -> Recording {
    let mut rest = Recording {
        format: recording.format,
        markers: recording.markers.clone(),
        ..Recording::with_channels(recording.channels())
    };
    if recording.hands.is_some() {
        for hand in Hand::ALL {
            let HandCurves { tracked, pinching, .. } = recording.hand(hand);
            let kept = rest.hand_mut(hand);
            (kept.tracked, kept.pinching) = (tracked.clone(), pinching.clone());
        }
    }
    rest
}

/// Puts what a scene can hold into tracks, and the rest aside.
struct TrackExtractor<'a> {
    pace: SampleDensity<'a>,
    gaps: Deviations,
}

impl TrackExtractor<'_> {
    fn hand(&mut self, hand: &HandCurves, rest: &mut HandCurves) -> Vec<Option<PoseTracks>> {
        let tracked = hand.tracked.evaluator();
        let is_seen = |time| tracked.value_at(time);
        let joints = Joint::ALL.iter().zip(&hand.joints).zip(&mut rest.joints);
        let tracks = joints.map(|((joint, pose), rest)| match joint {
            Joint::None => {
                rest.clone_from(pose);
                None
            }
            _ => self.pose(pose, rest, is_seen),
        });
        tracks.collect()
    }

    fn pose(&mut self, pose: &PoseCurves, rest: &mut PoseCurves, is_seen: impl Fn(f64) -> bool) -> Option<PoseTracks> {
        let Some((position, rotation)) = self.sample(&pose.position, &pose.rotation) else {
            rest.clone_from(pose);
            return None;
        };
        let position = self.positions(position, &pose.position, &mut rest.position, &is_seen);
        let gap = self.gaps.of(&rotation);
        let turns = rotations(rotation, gap, is_seen);
        if !turns.is_exact {
            rest.rotation.clone_from(&pose.rotation);
        }
        Some(PoseTracks { position, rotation: turns.track })
    }

    /// The eye ray as a node at its origin that faces along it.
    fn ray(&mut self, ray: &RayCurves, rest: &mut RayCurves) -> Option<PoseTracks> {
        let Some((origin, direction)) = self.sample(&ray.origin, &ray.direction) else {
            rest.clone_from(ray);
            return None;
        };
        let position = self.positions(origin, &ray.origin, &mut rest.origin, &|_| true);
        let gap = self.gaps.of(&direction);
        let turns = directions(direction, gap);
        if !turns.is_exact {
            rest.direction.clone_from(&ray.direction);
        }
        Some(PoseTracks { position, rotation: turns.track })
    }

    /// Both, if both have keys and values that are numbers.
    fn sample<'c, const M: usize, const N: usize>(
        &mut self,
        one: &'c [Curve; M],
        other: &'c [Curve; N],
    ) -> Option<(Sampled<'c, M>, Sampled<'c, N>)> {
        let (one, other) = Sampled::of(one, &self.pace).zip(Sampled::of(other, &self.pace))?;
        self.gaps.count(&one);
        self.gaps.count(&other);
        (!one.times.is_empty() && !other.times.is_empty()).then_some((one, other))
    }

    fn positions(
        &mut self,
        sampled: Sampled<'_, 3>,
        curves: &[Curve; 3],
        rest: &mut [Curve; 3],
        is_visible: &dyn Fn(f64) -> bool,
    ) -> Track<3> {
        if sampled.odd.is_some() {
            rest.clone_from(curves);
            measure(&sampled, self.gaps.of(&sampled), is_visible);
        }
        let values = sampled.values.iter().map(|row| Space::RightHanded.vector(row.map(to_finite_f32))).collect();
        Track { times: sampled.times, values }
    }
}

/// How far positions are from straight lines between their values.
fn measure(sampled: &Sampled<'_, 3>, gap: &mut Deviation, is_seen: &dyn Fn(f64) -> bool) {
    for (span, fraction) in sampled.spans().flat_map(|span| SAMPLE_FRACTIONS.map(|fraction| (span, fraction))) {
        if is_seen(sampled.time_between(span, fraction)) {
            let [truth, shown] = [sampled.between(span, fraction), sampled.lerp_between(span, fraction)];
            let square = truth.iter().zip(shown).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
            gap.include(square.sqrt(), 0.0);
        }
    }
}
