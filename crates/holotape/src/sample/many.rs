//! Many instants as flat arrays: what numeric code wants.

use super::{Frame, HandFrame, Sampler};
use crate::{Joint, Pose, Ray};

/// Position x, y, z, then rotation x, y, z, w.
pub type PoseRow = [f32; 7];

/// Origin x, y, z, then direction x, y, z.
pub type RayRow = [f32; 6];

/// Many instants, one element of each array for each. What is absent is NaN.
///
/// The arrays are flat in memory: `samples.camera.as_flattened()` is one run of floats.
///
/// ```
/// # let take = holotape::demo::DemoOptions::new().with_seconds(1.0).record()?;
/// use holotape::Joint;
///
/// let samples = take.sampler().sample_many(&[0.0, 0.25, 0.5]);
/// let heights = samples.camera.iter().map(|row| row[1]);
/// println!("head heights: {:?}", heights.collect::<Vec<_>>());
/// assert_eq!(samples.right.joints[2][Joint::Palm.index()].len(), 7);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Samples {
    /// Seconds, as asked for.
    pub times: Vec<f64>,
    /// The pose of the head.
    pub camera: Vec<PoseRow>,
    /// The ray of the eyes.
    pub gaze: Vec<RayRow>,
    /// The left hand.
    pub left: HandSamples,
    /// The right hand.
    pub right: HandSamples,
}

/// A hand at many instants.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct HandSamples {
    /// Whether the device saw the hand.
    pub tracked: Vec<bool>,
    /// Whether thumb and index finger were pinched together.
    pub pinching: Vec<bool>,
    /// The joints, in the order of [`Joint::ALL`].
    pub joints: Vec<[PoseRow; Joint::COUNT]>,
}

impl Sampler {
    /// Everything at many times, in any order, as flat arrays.
    #[must_use]
    pub fn sample_many(&mut self, times_secs: &[f64]) -> Samples {
        let mut samples = Samples::with_capacity(times_secs.len());
        let mut frame = Frame::default();
        for time in times_secs {
            self.frame_into(*time, &mut frame);
            samples.push(&frame);
        }
        samples
    }
}

impl Samples {
    fn with_capacity(capacity: usize) -> Self {
        let hand = || HandSamples {
            tracked: Vec::with_capacity(capacity),
            pinching: Vec::with_capacity(capacity),
            joints: Vec::with_capacity(capacity),
        };
        Self {
            times: Vec::with_capacity(capacity),
            camera: Vec::with_capacity(capacity),
            gaze: Vec::with_capacity(capacity),
            left: hand(),
            right: hand(),
        }
    }

    fn push(&mut self, frame: &Frame) {
        self.times.push(frame.time);
        self.camera.push(pose_row(&frame.camera));
        self.gaze.push(ray_row(&frame.gaze));
        self.left.push(frame.left.as_ref());
        self.right.push(frame.right.as_ref());
    }
}

impl HandSamples {
    fn push(&mut self, hand: Option<&HandFrame>) {
        let hand = hand.unwrap_or(&HandFrame::EMPTY);
        self.tracked.push(hand.tracked);
        self.pinching.push(hand.pinching);
        self.joints.push(hand.joints.each_ref().map(pose_row));
    }
}

fn pose_row(pose: &Option<Pose>) -> PoseRow {
    let Some(Pose { position: [px, py, pz], rotation: [x, y, z, w] }) = *pose else { return [f32::NAN; 7] };
    [px, py, pz, x, y, z, w]
}

fn ray_row(ray: &Option<Ray>) -> RayRow {
    let Some(Ray { origin: [ox, oy, oz], direction: [x, y, z] }) = *ray else { return [f32::NAN; 6] };
    [ox, oy, oz, x, y, z]
}
