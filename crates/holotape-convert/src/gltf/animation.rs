//! Converts a recording to animation tracks, and separates the data that tracks cannot represent.

use holotape::{Curve, Hand, HandCurves, Joint, PoseCurves, RayCurves, Recording};

use super::deviation::{Deviations, SAMPLE_FRACTIONS};
use super::rotation::{directions, rotations};
use super::sampled::{SampleDensity, Sampled};
use super::track::{PoseTracks, Track, to_finite_f32};
use crate::Space;
use crate::deviation::Deviation;

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
        let camera = camera.and_then(|(pose, rest)| extractor.pose(pose, rest, &|_| true));
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
            _ => self.pose(pose, rest, &is_visible),
        });
        tracks.collect()
    }

    fn pose(
        &mut self,
        pose: &PoseCurves,
        rest: &mut PoseCurves,
        is_visible: &dyn Fn(f64) -> bool,
    ) -> Option<PoseTracks> {
        let curves = (&pose.position, &pose.rotation);
        let rest = (&mut rest.position, &mut rest.rotation);
        self.tracks(curves, rest, is_visible, |sampled, deviation| rotations(sampled, deviation, is_visible))
    }

    /// Represents the gaze ray as a node at its origin that faces along it.
    fn ray(&mut self, ray: &RayCurves, rest: &mut RayCurves) -> Option<PoseTracks> {
        let rest = (&mut rest.origin, &mut rest.direction);
        self.tracks((&ray.origin, &ray.direction), rest, &|_| true, directions)
    }

    /// `None` if one of the vectors has no keys with finite values. `rotate` converts samples of the second vector.
    fn tracks<'c, const N: usize>(
        &mut self,
        curves: (&'c [Curve; 3], &'c [Curve; N]),
        rest: (&mut [Curve; 3], &mut [Curve; N]),
        is_visible: &dyn Fn(f64) -> bool,
        rotate: impl FnOnce(Sampled<'c, N>, &mut Deviation) -> (Track<4>, bool),
    ) -> Option<PoseTracks> {
        let positions = Sampled::from_curves(curves.0, &self.density);
        let sampled = positions.zip(Sampled::from_curves(curves.1, &self.density));
        if let Some((positions, rotations)) = &sampled {
            self.deviations.count(positions);
            self.deviations.count(rotations);
        }
        let has_samples = |(a, b): &(Sampled<'c, 3>, Sampled<'c, N>)| !a.times.is_empty() && !b.times.is_empty();
        let Some((positions, rotations)) = sampled.filter(has_samples) else {
            rest.0.clone_from(curves.0);
            rest.1.clone_from(curves.1);
            return None;
        };
        if positions.non_linear.is_some() {
            rest.0.clone_from(curves.0);
            measure(&positions, self.deviations.for_curves(&positions), is_visible);
        }
        let values = positions.values.iter().map(|row| Space::RightHanded.vector(row.map(to_finite_f32))).collect();
        let deviation = self.deviations.for_curves(&rotations);
        let (rotation, is_exact) = rotate(rotations, deviation);
        if !is_exact {
            rest.1.clone_from(curves.1);
        }
        Some(PoseTracks { position: Track { times: positions.times, values }, rotation })
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
