//! Sampling at many times into flat arrays, for numeric code.

use super::key_time_index::TimeCursor;
use super::{Frame, HandTracks, Sampler};
use crate::{Joint, Pose, Ray, parallel};

/// Position x, y, z, then rotation x, y, z, w.
pub type PoseRow = [f32; 7];

/// Origin x, y, z, then direction x, y, z.
pub type RayRow = [f32; 6];

/// All values at many times, with one array element per time. Missing values are NaN.
///
/// The arrays are contiguous: `samples.camera.as_flattened()` is one slice of floats.
///
/// ```
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// use holotape::Joint;
///
/// let samples = recording.sampler().sample_many(&[0.0, 0.25, 0.5]);
/// let heights = samples.camera.iter().map(|row| row[1]);
/// println!("head heights: {:?}", heights.collect::<Vec<_>>());
/// assert_eq!(samples.right.joints[2][Joint::Palm.index()].len(), 7);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Samples {
    /// The times, in seconds.
    pub times: Vec<f64>,
    /// The pose of the head.
    pub camera: Vec<PoseRow>,
    /// The gaze ray.
    pub gaze: Vec<RayRow>,
    /// The left hand.
    pub left: HandSamples,
    /// The right hand.
    pub right: HandSamples,
}

/// The values of a hand at many times.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct HandSamples {
    /// Whether the device tracks the hand.
    pub tracked: Vec<bool>,
    /// Whether thumb and index finger are pinched together.
    pub pinching: Vec<bool>,
    /// The joints, in the order of [`Joint::ALL`].
    pub joints: Vec<[PoseRow; Joint::COUNT]>,
}

/// Borrowed arrays to be filled: those of [`Samples`] without the times.
///
/// ```
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// use holotape::{HandSamplesMut, SamplesMut};
///
/// let times = [0.0, 0.5];
/// let (mut camera, mut gaze) = ([[0.0; 7]; 2], [[0.0; 6]; 2]);
/// let (mut left, mut right) = ([[[0.0; 7]; 27]; 2], [[[0.0; 7]; 27]; 2]);
/// let mut flags = [[false; 2]; 4];
/// let [left_tracked, left_pinching, right_tracked, right_pinching] = &mut flags;
/// recording.sampler().sample_into(&times, SamplesMut {
///     camera: &mut camera,
///     gaze: &mut gaze,
///     left: HandSamplesMut { tracked: left_tracked, pinching: left_pinching, joints: &mut left },
///     right: HandSamplesMut { tracked: right_tracked, pinching: right_pinching, joints: &mut right },
/// });
/// assert_eq!(camera[1][..3], recording.camera.unwrap().pose_at(0.5).unwrap().position);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Debug)]
pub struct SamplesMut<'a> {
    /// The pose of the head.
    pub camera: &'a mut [PoseRow],
    /// The gaze ray.
    pub gaze: &'a mut [RayRow],
    /// The left hand.
    pub left: HandSamplesMut<'a>,
    /// The right hand.
    pub right: HandSamplesMut<'a>,
}

/// Borrowed arrays of a hand to be filled: see [`SamplesMut`].
#[derive(Debug)]
pub struct HandSamplesMut<'a> {
    /// Whether the device tracks the hand.
    pub tracked: &'a mut [bool],
    /// Whether thumb and index finger are pinched together.
    pub pinching: &'a mut [bool],
    /// The joints, in the order of [`Joint::ALL`].
    pub joints: &'a mut [[PoseRow; Joint::COUNT]],
}

/// The minimum number of times per thread; for fewer, starting a thread costs more than it saves.
const MIN_TIMES_PER_THREAD: usize = 256;

impl Sampler {
    /// Evaluates all curves at many times, in any order.
    #[must_use]
    pub fn sample_many(&mut self, times_secs: &[f64]) -> Samples {
        let mut samples = Samples::zeroed(times_secs.to_vec());
        self.sample_into(times_secs, samples.as_mut());
        samples
    }

    /// Evaluates all curves at many times into existing arrays, up to the length of the shortest.
    pub fn sample_into(&mut self, times_secs: &[f64], rows: SamplesMut<'_>) {
        let mut head = Frame::default();
        let hands = rows.left.rows().zip(rows.right.rows());
        for (((time, camera), gaze), (left, right)) in times_secs.iter().zip(rows.camera).zip(rows.gaze).zip(hands) {
            let mut cursor = self.key_times.at(*time);
            self.head.evaluate(*time, &mut cursor, &mut head);
            *camera = head.camera.map_or([f32::NAN; 7], pose_row);
            *gaze = head.gaze.map_or([f32::NAN; 6], ray_row);
            match &mut self.hands {
                Some(hands) => {
                    let [left_tracks, right_tracks] = &mut **hands;
                    left_tracks.fill(*time, &mut cursor, self.untracked_poses, left);
                    right_tracks.fill(*time, &mut cursor, self.untracked_poses, right);
                }
                None => [left, right].into_iter().for_each(HandRow::clear),
            }
        }
    }

    /// Like [`sample_into`](Self::sample_into), on several cores if there are enough times.
    ///
    /// ```
    /// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
    /// use holotape::Samples;
    ///
    /// let sampler = recording.sampler();
    /// let times: Vec<_> = sampler.times_at_rate(1000.0).collect();
    /// let mut samples = Samples::zeroed(times.clone());
    /// sampler.sample_parallel(&times, samples.as_mut());
    /// assert_eq!(samples.camera, recording.sampler().sample_many(&times).camera);
    /// # Ok::<(), holotape::Error>(())
    /// ```
    pub fn sample_parallel(&self, times_secs: &[f64], rows: SamplesMut<'_>) {
        let threads = parallel::max_threads();
        let each = times_secs.len().div_ceil(threads).max(MIN_TIMES_PER_THREAD);
        let mut parts = Vec::with_capacity(threads);
        let mut rest = rows;
        for times in times_secs.chunks(each) {
            let (rows, later) = rest.split_at(times.len());
            parts.push((times, rows));
            rest = later;
        }
        parallel::map(parts, threads, |(times, rows)| self.clone().sample_into(times, rows));
    }
}

impl Samples {
    /// Zeroed arrays for these times.
    ///
    /// ```
    /// let mut samples = holotape::Samples::zeroed(vec![0.0, 0.5]);
    /// assert_eq!(samples.as_mut().camera.len(), 2);
    /// ```
    #[must_use]
    pub fn zeroed(times: Vec<f64>) -> Self {
        let count = times.len();
        let hand = || HandSamples {
            tracked: vec![false; count],
            pinching: vec![false; count],
            joints: vec![[[0.0; 7]; Joint::COUNT]; count],
        };
        Self { camera: vec![[0.0; 7]; count], gaze: vec![[0.0; 6]; count], left: hand(), right: hand(), times }
    }

    /// Mutable access to all arrays.
    pub fn as_mut(&mut self) -> SamplesMut<'_> {
        SamplesMut {
            camera: &mut self.camera,
            gaze: &mut self.gaze,
            left: self.left.as_mut(),
            right: self.right.as_mut(),
        }
    }
}

impl HandSamples {
    fn as_mut(&mut self) -> HandSamplesMut<'_> {
        HandSamplesMut { tracked: &mut self.tracked, pinching: &mut self.pinching, joints: &mut self.joints }
    }
}

impl<'a> SamplesMut<'a> {
    /// Splits all arrays after `count` rows. The second part of shorter arrays is empty.
    fn split_at(self, count: usize) -> (Self, Self) {
        let (camera, later_camera) = split_at(self.camera, count);
        let (gaze, later_gaze) = split_at(self.gaze, count);
        let (left, later_left) = self.left.split_at(count);
        let (right, later_right) = self.right.split_at(count);
        let later = Self { camera: later_camera, gaze: later_gaze, left: later_left, right: later_right };
        (Self { camera, gaze, left, right }, later)
    }
}

impl<'a> HandSamplesMut<'a> {
    fn split_at(self, count: usize) -> (Self, Self) {
        let (tracked, later_tracked) = split_at(self.tracked, count);
        let (pinching, later_pinching) = split_at(self.pinching, count);
        let (joints, later_joints) = split_at(self.joints, count);
        let later = Self { tracked: later_tracked, pinching: later_pinching, joints: later_joints };
        (Self { tracked, pinching, joints }, later)
    }

    fn rows(self) -> impl Iterator<Item = HandRow<'a>> {
        let flags = self.tracked.iter_mut().zip(self.pinching);
        flags.zip(self.joints).map(|((tracked, pinching), joints)| HandRow { tracked, pinching, joints })
    }
}

fn split_at<T>(rows: &mut [T], count: usize) -> (&mut [T], &mut [T]) {
    rows.split_at_mut(count.min(rows.len()))
}

/// Borrowed values of a hand at one time.
struct HandRow<'a> {
    tracked: &'a mut bool,
    pinching: &'a mut bool,
    joints: &'a mut [PoseRow; Joint::COUNT],
}

impl HandRow<'_> {
    fn clear(self) {
        (*self.tracked, *self.pinching) = (false, false);
        *self.joints = [[f32::NAN; 7]; Joint::COUNT];
    }
}

impl HandTracks {
    /// Writes directly into the row: an intermediate [`Frame`] would cost as much as the arithmetic.
    fn fill(&mut self, time: f64, cursor: &mut TimeCursor<'_>, untracked_poses: bool, row: HandRow<'_>) {
        (*row.tracked, *row.pinching) = (self.tracked.at(time), self.pinching.at(time));
        if !*row.tracked && !untracked_poses {
            *row.joints = [[f32::NAN; 7]; Joint::COUNT];
            return;
        }
        let Self { positions, rotations, joints, .. } = self;
        positions.evaluate_at(time, cursor);
        rotations.evaluate_at(time, cursor);
        for (joint, row) in joints.iter().zip(row.joints) {
            *row = joint.as_ref().map_or([f32::NAN; 7], |(position, rotation)| {
                pose_row(Pose { position: positions.values(position), rotation: rotations.values(rotation) })
            });
        }
    }
}

fn pose_row(Pose { position: [px, py, pz], rotation: [x, y, z, w] }: Pose) -> PoseRow {
    [px, py, pz, x, y, z, w]
}

fn ray_row(Ray { origin: [ox, oy, oz], direction: [x, y, z] }: Ray) -> RayRow {
    [ox, oy, oz, x, y, z]
}
