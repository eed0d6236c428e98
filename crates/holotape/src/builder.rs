//! [`RecordingBuilder`]: poses, rays and flags in, curves out.

use crate::error::{Error, ErrorKind};
use crate::{
    BezierKey, Curve, Frame, Hand, Joint, Keys, LinearKey, Pose, PoseCurves, PoseId, Ray, Recording, align_sign,
};

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
    /// Everything but the rows below.
    recording: Recording,
    last_time: Option<f32>,
    camera: PoseRows,
    joints: [[PoseRows; Joint::COUNT]; 2],
    gaze: Vec<RayRow>,
    /// The time of the last flags of each hand, whether they changed or not.
    last_flags: [Option<f32>; 2],
}

/// The keys of a pose that were pushed. They become seven curves at the end: adding a row to one vector is faster than
/// adding a key to each of seven.
#[derive(Clone, Debug, Default, PartialEq)]
struct PoseRows {
    /// The last key of the recording that is extended.
    before: Option<PoseRow>,
    rows: Vec<PoseRow>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct PoseRow {
    time: f32,
    pose: Pose,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct RayRow {
    time: f32,
    ray: Ray,
}

impl PoseRows {
    /// The rows of a pose that has these curves. Components without keys are zero.
    fn after(curves: &PoseCurves) -> Self {
        let value = |curve: &Curve| last_value(curve).unwrap_or(0.0);
        let pose = || Pose {
            position: curves.position.each_ref().map(value),
            rotation: curves.rotation.each_ref().map(value),
        };
        let before = curves.position[0].end_secs().map(|time| PoseRow { time, pose: pose() });
        Self { before, rows: Vec::new() }
    }

    fn last(&self) -> Option<&PoseRow> {
        self.rows.last().or(self.before.as_ref())
    }

    fn append_to(&self, curves: &mut PoseCurves) {
        append_keys(&mut curves.position, &self.rows, |row| (row.time, row.pose.position));
        append_keys(&mut curves.rotation, &self.rows, |row| (row.time, row.pose.rotation));
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
        let rows = |id| recording.pose(id).map(PoseRows::after).unwrap_or_default();
        let camera = rows(PoseId::Camera);
        let joints = Hand::ALL.map(|hand| Joint::ALL.map(|joint| rows(PoseId::Joint(hand, joint))));
        Self { camera, joints, recording, ..Self::default() }
    }

    /// Adds a key to the camera or to a joint, in Unity's space.
    ///
    /// # Errors
    /// [`NotAfterLast`] if the time is not finite or not after the last key of this pose.
    pub fn push_pose(&mut self, id: PoseId, time_secs: f64, pose: Pose) -> Result<(), NotAfterLast> {
        let time = self.next_time(time_secs, self.pose_rows(id).last().map(|last| last.time))?;
        let rows = self.pose_rows_mut(id);
        let rotation = rows.last().map_or(pose.rotation, |last| align_sign(last.pose.rotation, pose.rotation));
        rows.rows.push(PoseRow { time, pose: Pose { rotation, ..pose } });
        Ok(())
    }

    /// Adds a key to the gaze, in Unity's space.
    ///
    /// # Errors
    /// [`NotAfterLast`] if the time is not finite or not after the last key of the gaze.
    pub fn push_gaze(&mut self, time_secs: f64, ray: Ray) -> Result<(), NotAfterLast> {
        let extended = || self.recording.gaze.as_ref().and_then(|gaze| gaze.origin[0].end_secs());
        let last = self.gaze.last().map(|row| row.time).or_else(extended);
        let time = self.next_time(time_secs, last)?;
        self.gaze.push(RayRow { time, ray });
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
        self.append_rows();
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
        self.pose_rows_mut(id).rows.reserve_exact(keys);
    }

    /// Reserves memory for keys of the gaze.
    pub(crate) fn reserve_gaze(&mut self, keys: usize) {
        self.gaze.reserve_exact(keys);
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

    fn pose_rows(&self, id: PoseId) -> &PoseRows {
        match id {
            PoseId::Camera => &self.camera,
            PoseId::Joint(hand, joint) => &self.joints[hand as usize][joint as usize],
        }
    }

    fn pose_rows_mut(&mut self, id: PoseId) -> &mut PoseRows {
        match id {
            PoseId::Camera => &mut self.camera,
            PoseId::Joint(hand, joint) => &mut self.joints[hand as usize][joint as usize],
        }
    }

    /// Moves the rows into curves, pose by pose, so that both are never in memory completely.
    fn append_rows(&mut self) {
        let Self { recording, camera, joints, gaze, .. } = self;
        let camera = std::mem::take(camera);
        if !camera.rows.is_empty() {
            camera.append_to(recording.camera.get_or_insert_default());
        }
        for (hand, joints) in Hand::ALL.into_iter().zip(joints) {
            for (joint, rows) in Joint::ALL.into_iter().zip(joints) {
                let rows = std::mem::take(rows);
                if !rows.rows.is_empty() {
                    rows.append_to(recording.hand_mut(hand).joint_mut(joint));
                }
            }
        }
        let gaze = std::mem::take(gaze);
        if !gaze.is_empty() {
            let curves = recording.gaze.get_or_insert_default();
            append_keys(&mut curves.origin, &gaze, |row| (row.time, row.ray.origin));
            append_keys(&mut curves.direction, &gaze, |row| (row.time, row.ray.direction));
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

/// Adds a key to each curve of a vector for every row.
fn append_keys<R, const N: usize>(curves: &mut [Curve; N], rows: &[R], key: impl Fn(&R) -> (f32, [f32; N])) {
    for (component, curve) in curves.iter_mut().enumerate() {
        let keys = rows.iter().map(|row| {
            let (time, values) = key(row);
            LinearKey::new(time, values[component])
        });
        match &mut curve.keys {
            Keys::Linear(linear) => {
                linear.reserve_exact(rows.len());
                linear.extend(keys);
            }
            Keys::Bezier(bezier) => bezier.extend(keys.map(BezierKey::from)),
        }
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
