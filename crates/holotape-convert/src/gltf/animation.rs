//! Converts a recording to animation tracks, and separates the data that tracks cannot represent.

use holotape::{Curve, Hand, HandCurves, Joint, PoseCurves, RayCurves, Recording};

use super::deviation::{Deviation, Deviations, SAMPLE_FRACTIONS};
use super::rotation::{directions, rotations};
use super::sampled::{SampleDensity, Sampled};
use super::track::{PoseTracks, Track, to_finite_f32};
use crate::Space;

/// The tracks of a recording, in right-handed coordinates.
pub(super) struct AnimationTracks {
    pub(super) camera: Option<PoseTracks>,
    /// The joints of each hand, in the order of [`Joint::ALL`].
    pub(super) hands: [Vec<Option<PoseTracks>>; 2],
    pub(super) gaze: Option<PoseTracks>,
    /// The curves that the tracks do not represent exactly; all other curves are empty.
    pub(super) rest: Recording,
    pub(super) deviations: Deviations,
}

impl AnimationTracks {
    pub(super) fn from_recording(recording: &Recording) -> Self {
        let mut extractor =
            TrackExtractor { density: SampleDensity::new(recording), deviations: Deviations::default() };
        let mut rest = without_poses(recording);
        let camera = recording.camera.as_ref().zip(rest.camera.as_mut());
        let camera = camera.and_then(|(pose, rest)| extractor.pose(pose, rest, |_| true));
        let gaze = recording.gaze.as_ref().zip(rest.gaze.as_mut());
        let gaze = gaze.and_then(|(ray, rest)| extractor.ray(ray, rest));
        let hands = Hand::ALL.map(|hand| match &mut rest.hands {
            Some(_) => extractor.hand(recording.hand(hand), rest.hand_mut(hand)),
            None => vec![None; Joint::COUNT],
        });
        Self { camera, hands, gaze, rest, deviations: extractor.deviations }
    }
}

/// Copies flags, markers and format, without the keys of poses and rays.
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

/// Builds tracks, and copies curves that these do not represent exactly into `rest`.
struct TrackExtractor<'a> {
    density: SampleDensity<'a>,
    deviations: Deviations,
}

impl TrackExtractor<'_> {
    fn hand(&mut self, hand: &HandCurves, rest: &mut HandCurves) -> Vec<Option<PoseTracks>> {
        let tracked = hand.tracked.evaluator();
        let is_visible = |time| tracked.value_at(time);
        let joints = Joint::ALL.iter().zip(&hand.joints).zip(&mut rest.joints);
        let tracks = joints.map(|((joint, pose), rest)| match joint {
            Joint::None => {
                rest.clone_from(pose);
                None
            }
            _ => self.pose(pose, rest, is_visible),
        });
        tracks.collect()
    }

    fn pose(
        &mut self,
        pose: &PoseCurves,
        rest: &mut PoseCurves,
        is_visible: impl Fn(f64) -> bool,
    ) -> Option<PoseTracks> {
        let Some((position, rotation)) = self.sample(&pose.position, &pose.rotation) else {
            rest.clone_from(pose);
            return None;
        };
        let position = self.positions(position, &pose.position, &mut rest.position, &is_visible);
        let deviation = self.deviations.for_curves(&rotation);
        let rotations = rotations(rotation, deviation, is_visible);
        if !rotations.is_exact {
            rest.rotation.clone_from(&pose.rotation);
        }
        Some(PoseTracks { position, rotation: rotations.track })
    }

    /// Represents the gaze ray as a node at its origin that faces along it.
    fn ray(&mut self, ray: &RayCurves, rest: &mut RayCurves) -> Option<PoseTracks> {
        let Some((origin, direction)) = self.sample(&ray.origin, &ray.direction) else {
            rest.clone_from(ray);
            return None;
        };
        let position = self.positions(origin, &ray.origin, &mut rest.origin, &|_| true);
        let deviation = self.deviations.for_curves(&direction);
        let rotations = directions(direction, deviation);
        if !rotations.is_exact {
            rest.direction.clone_from(&ray.direction);
        }
        Some(PoseTracks { position, rotation: rotations.track })
    }

    /// Samples both vectors; `None` if one of them has no keys with finite values.
    fn sample<'c, const M: usize, const N: usize>(
        &mut self,
        first: &'c [Curve; M],
        second: &'c [Curve; N],
    ) -> Option<(Sampled<'c, M>, Sampled<'c, N>)> {
        let (first, second) =
            Sampled::from_curves(first, &self.density).zip(Sampled::from_curves(second, &self.density))?;
        self.deviations.count(&first);
        self.deviations.count(&second);
        (!first.times.is_empty() && !second.times.is_empty()).then_some((first, second))
    }

    fn positions(
        &mut self,
        sampled: Sampled<'_, 3>,
        curves: &[Curve; 3],
        rest: &mut [Curve; 3],
        is_visible: &dyn Fn(f64) -> bool,
    ) -> Track<3> {
        if sampled.non_linear.is_some() {
            rest.clone_from(curves);
            measure(&sampled, self.deviations.for_curves(&sampled), is_visible);
        }
        let values = sampled.values.iter().map(|row| Space::RightHanded.vector(row.map(to_finite_f32))).collect();
        Track { times: sampled.times, values }
    }
}

/// Measures how far the curves are from linear interpolation between the samples.
fn measure(sampled: &Sampled<'_, 3>, deviation: &mut Deviation, is_visible: &dyn Fn(f64) -> bool) {
    for (segment, fraction) in
        sampled.segments().flat_map(|segment| SAMPLE_FRACTIONS.map(|fraction| (segment, fraction)))
    {
        if is_visible(sampled.time_between(segment, fraction)) {
            let [recorded, shown] = [sampled.between(segment, fraction), sampled.lerp_between(segment, fraction)];
            let square = recorded.iter().zip(shown).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
            deviation.include(square.sqrt(), 0.0);
        }
    }
}
