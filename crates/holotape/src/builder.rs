//! [`RecordingBuilder`]: poses, rays and flags in, curves out.

use crate::error::{Error, ErrorKind};
use crate::{Curve, Frame, Hand, Joint, Keys, LinearKey, Pose, PoseCurves, PoseId, Ray, Recording, align_sign};

/// Builds a recording from values in order of time: one key per pose and ray, flag keys only where a flag changes.
///
/// The recorder, the importers, tables, [`edit::resample`](crate::edit::resample) and the demo all use it, so the same
/// rules hold everywhere:
///
/// - The values of one pose, ray or hand must come in order of time. Different ones need not share their times.
/// - Of the two quaternions of a rotation, the key stores the one nearer to the key before, so that interpolation
///   between the keys takes the short way. The first one is stored as given.
/// - The recording lasts until the last time that was pushed. [`finish`](Self::finish) repeats the last key of the
///   `tracked` flags there if no curve has a key at that time, or of head and gaze if there are no hands.
///
/// ```
/// use holotape::{Hand, Pose, PoseId, RecordingBuilder};
///
/// let mut builder = RecordingBuilder::new();
/// builder.push_pose(PoseId::Camera, 0.0, Pose::IDENTITY)?;
/// builder.push_flags(Hand::Left, 0.5, false, None)?;
/// assert!(builder.push_pose(PoseId::Camera, 0.0, Pose::IDENTITY).is_err());
/// assert_eq!(builder.finish().duration_secs(), 0.5);
/// # Ok::<(), holotape::NotAfterLast>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordingBuilder {
    start_secs: f64,
    recording: Recording,
    last_time: Option<f32>,
    last_camera: Option<LastKey>,
    last_joints: [[Option<LastKey>; Joint::COUNT]; 2],
    /// The time of the last flags of each hand, whether they changed or not.
    last_flags: [Option<f32>; 2],
}

/// The last key of a pose, kept here because its values are in seven curves.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LastKey {
    time: f32,
    rotation: [f32; 4],
}

impl LastKey {
    /// `None` for a pose without keys. Components without keys are zero.
    fn of(curves: &PoseCurves) -> Option<Self> {
        let rotation = curves.rotation.each_ref().map(|curve| last_value(curve).unwrap_or(0.0));
        Some(Self { time: curves.position[0].end_secs()?, rotation })
    }
}

/// The error for a value whose time is not finite or not after the last one of its pose, ray or hand.
///
/// ```
/// use holotape::{Hand, RecordingBuilder};
///
/// let error = RecordingBuilder::new().push_flags(Hand::Left, f64::NAN, true, None).unwrap_err();
/// assert_eq!(error.to_string(), "the time is not after the one before");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotAfterLast;

impl std::fmt::Display for NotAfterLast {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the time is not after the one before")
    }
}

impl std::error::Error for NotAfterLast {}

impl From<NotAfterLast> for Error {
    fn from(error: NotAfterLast) -> Self {
        Self::new(ErrorKind::Invalid, error.to_string())
    }
}

impl RecordingBuilder {
    /// Creates an empty builder whose times start at 0.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty builder. `start_secs`, in the time of the values, becomes time 0 of the recording.
    ///
    /// It is subtracted in 64 bits before a time is rounded to the 32 bits of a key.
    #[must_use]
    pub fn starting_at(start_secs: f64) -> Self {
        Self { start_secs, ..Self::default() }
    }

    /// Creates a builder that adds keys to a recording.
    ///
    /// ```
    /// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
    /// let mut builder = holotape::RecordingBuilder::extending(recording);
    /// builder.extend_to(1.5);
    /// assert_eq!(builder.finish().duration_secs(), 1.5);
    /// # Ok::<(), holotape::Error>(())
    /// ```
    #[must_use]
    pub fn extending(recording: Recording) -> Self {
        let last_key = |id| recording.pose(id).and_then(LastKey::of);
        let last_camera = last_key(PoseId::Camera);
        let last_joints = Hand::ALL.map(|hand| Joint::ALL.map(|joint| last_key(PoseId::Joint(hand, joint))));
        Self { last_camera, last_joints, recording, ..Self::default() }
    }

    /// Adds a key to the camera or to a joint, in Unity's space.
    ///
    /// # Errors
    /// [`NotAfterLast`] if the time is not finite or not after the last key of this pose.
    pub fn push_pose(&mut self, id: PoseId, time_secs: f64, pose: Pose) -> Result<(), NotAfterLast> {
        let last = *self.last_key_mut(id);
        let time = self.next_time(time_secs, last.map(|last| last.time))?;
        let rotation = last.map_or(pose.rotation, |last| align_sign(last.rotation, pose.rotation));
        *self.last_key_mut(id) = Some(LastKey { time, rotation });
        let curves = self.pose_curves_mut(id);
        push_keys(&mut curves.position, time, pose.position);
        push_keys(&mut curves.rotation, time, rotation);
        Ok(())
    }

    /// Adds a key to the gaze, in Unity's space.
    ///
    /// # Errors
    /// [`NotAfterLast`] if the time is not finite or not after the last key of the gaze.
    pub fn push_gaze(&mut self, time_secs: f64, ray: Ray) -> Result<(), NotAfterLast> {
        let last = self.recording.gaze.as_ref().and_then(|gaze| gaze.origin[0].end_secs());
        let time = self.next_time(time_secs, last)?;
        let curves = self.recording.gaze.get_or_insert_default();
        push_keys(&mut curves.origin, time, ray.origin);
        push_keys(&mut curves.direction, time, ray.direction);
        Ok(())
    }

    /// Sets the flags of a hand from this time on. `None` leaves `pinching` as it is.
    ///
    /// # Errors
    /// [`NotAfterLast`] if the time is not finite or not after the last flags of this hand.
    pub fn push_flags(
        &mut self,
        hand: Hand,
        time_secs: f64,
        tracked: bool,
        pinching: Option<bool>,
    ) -> Result<(), NotAfterLast> {
        let time = self.next_time(time_secs, self.last_flags[hand as usize])?;
        self.last_flags[hand as usize] = Some(time);
        let curves = self.recording.hand_mut(hand);
        push_flag(&mut curves.tracked.keys, time, tracked);
        if let Some(pinching) = pinching {
            push_flag(&mut curves.pinching.keys, time, pinching);
        }
        Ok(())
    }

    /// Adds everything that a frame has: poses, gaze, and the flags of both hands.
    ///
    /// ```
    /// use holotape::{Frame, Pose, RecordingBuilder};
    ///
    /// let mut builder = RecordingBuilder::starting_at(10.0);
    /// builder.push_frame(&Frame { time: 10.5, camera: Some(Pose::IDENTITY), ..Frame::default() })?;
    /// let camera = builder.finish().camera.unwrap();
    /// assert_eq!(camera.position[0].end_secs(), Some(0.5));
    /// # Ok::<(), holotape::NotAfterLast>(())
    /// ```
    ///
    /// # Errors
    /// [`NotAfterLast`] if the time is not finite or not after the last one of any value of the frame.
    pub fn push_frame(&mut self, frame: &Frame) -> Result<(), NotAfterLast> {
        if let Some(pose) = frame.camera {
            self.push_pose(PoseId::Camera, frame.time, pose)?;
        }
        if let Some(ray) = frame.gaze {
            self.push_gaze(frame.time, ray)?;
        }
        for hand in Hand::ALL {
            let Some(values) = frame.hand(hand) else { continue };
            self.push_flags(hand, frame.time, values.tracked, Some(values.pinching))?;
            for (joint, pose) in Joint::ALL.into_iter().zip(values.joints) {
                if let Some(pose) = pose {
                    self.push_pose(PoseId::Joint(hand, joint), frame.time, pose)?;
                }
            }
        }
        Ok(())
    }

    /// Makes the recording last at least until this time, without adding a value.
    pub fn extend_to(&mut self, time_secs: f64) {
        let time = self.key_time(time_secs);
        if time.is_finite() && self.last_time.is_none_or(|last| time > last) {
            self.last_time = Some(time);
        }
    }

    /// Returns the recording. It has the channels of the values that were pushed.
    #[must_use]
    pub fn finish(mut self) -> Recording {
        if let Some(end) = self.last_time.filter(|end| self.recording.duration_secs() < *end) {
            self.hold_until(end);
        }
        self.recording
    }

    /// The time of a key, relative to the start.
    pub fn key_time(&self, time_secs: f64) -> f32 {
        (time_secs - self.start_secs) as f32
    }

    /// Reserves memory for keys of a pose: vectors that grow are copied, and end up too large.
    pub(crate) fn reserve_pose(&mut self, id: PoseId, keys: usize) {
        let curves = self.pose_curves_mut(id);
        curves.position.iter_mut().chain(&mut curves.rotation).for_each(|curve| reserve(curve, keys));
    }

    /// Reserves memory for keys of the gaze.
    pub(crate) fn reserve_gaze(&mut self, keys: usize) {
        let curves = self.recording.gaze.get_or_insert_default();
        curves.origin.iter_mut().chain(&mut curves.direction).for_each(|curve| reserve(curve, keys));
    }

    /// The key time of the next value, if it is after the last one.
    fn next_time(&mut self, time_secs: f64, last: Option<f32>) -> Result<f32, NotAfterLast> {
        let time = self.key_time(time_secs);
        if !time.is_finite() || last.is_some_and(|last| time <= last) {
            return Err(NotAfterLast);
        }
        self.last_time = Some(self.last_time.map_or(time, |last| last.max(time)));
        Ok(time)
    }

    fn pose_curves_mut(&mut self, id: PoseId) -> &mut PoseCurves {
        match id {
            PoseId::Camera => self.recording.camera.get_or_insert_default(),
            PoseId::Joint(hand, joint) => self.recording.hand_mut(hand).joint_mut(joint),
        }
    }

    fn last_key_mut(&mut self, id: PoseId) -> &mut Option<LastKey> {
        match id {
            PoseId::Camera => &mut self.last_camera,
            PoseId::Joint(hand, joint) => &mut self.last_joints[hand as usize][joint as usize],
        }
    }

    fn hold_until(&mut self, end: f32) {
        if let Some(hands) = &mut self.recording.hands {
            for hand in [&mut hands.left, &mut hands.right] {
                let keys = &mut hand.tracked.keys;
                keys.extend(keys.last().map(|last| LinearKey::new(end, last.value)));
            }
            return;
        }
        let camera =
            self.recording.camera.iter_mut().flat_map(|pose| pose.position.iter_mut().chain(&mut pose.rotation));
        let gaze = self.recording.gaze.iter_mut().flat_map(|ray| ray.origin.iter_mut().chain(&mut ray.direction));
        for curve in camera.chain(gaze) {
            if let Some(value) = last_value(curve) {
                push_key(curve, LinearKey::new(end, value));
            }
        }
    }
}

fn last_value(curve: &Curve) -> Option<f32> {
    curve.keys.iter().next_back().map(|key| key.value)
}

fn push_keys<const N: usize>(curves: &mut [Curve; N], time: f32, values: [f32; N]) {
    for (curve, value) in curves.iter_mut().zip(values) {
        push_key(curve, LinearKey::new(time, value));
    }
}

fn push_key(curve: &mut Curve, key: LinearKey) {
    match &mut curve.keys {
        Keys::Linear(keys) => keys.push(key),
        Keys::Bezier(keys) => keys.push(key.into()),
    }
}

/// Adds a key if the flag changes.
fn push_flag(keys: &mut Vec<LinearKey>, time: f32, state: bool) {
    let value = f32::from(u8::from(state));
    if keys.last().is_none_or(|last| last.value != value) {
        keys.push(LinearKey::new(time, value));
    }
}

fn reserve(curve: &mut Curve, keys: usize) {
    if let Keys::Linear(linear) = &mut curve.keys {
        linear.reserve_exact(keys);
    }
}
