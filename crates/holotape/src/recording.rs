//! [`Recording`]: plain data that mirrors the file.

use std::io::{Read, Write};
use std::path::Path;

use crate::atomic::{self, IfExists};
use crate::error::Result;
use crate::format::{self, Channels, Format, FormatLosses, ReadOptions};
use crate::{
    BezierKey, BoolCurve, Curve, CurveId, Hand, HandCurves, HandsCurves, Joint, Keys, LinearKey, Markers, Player,
    PoseCurves, PoseId, RayCurves, Sampler, WrapMode,
};

/// A recording of head, hands and gaze.
///
/// It is plain data with public fields. A recording that is read and written unchanged gives the same bytes.
///
/// ```no_run
/// use holotape::{Hand, Joint, Recording};
///
/// let mut recording = Recording::open("take.bin")?;
/// let tip = recording.hand(Hand::Right).joint(Joint::IndexTip).pose_at(1.25);
/// recording.markers.add(2.5, "grabbed the cup");
/// let losses = recording.save("out.bin")?;
/// assert!(losses.is_empty());
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// The format that the recording was read from and is written in.
    pub format: Format,
    /// The pose of the head.
    pub camera: Option<PoseCurves>,
    /// Both hands.
    pub hands: Option<Box<HandsCurves>>,
    /// The gaze ray.
    pub gaze: Option<RayCurves>,
    /// The markers.
    pub markers: Markers,
}

/// A float or boolean curve.
///
/// ```
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// use holotape::CurveRef;
///
/// for (id, curve) in recording.curves() {
///     match curve {
///         CurveRef::Float(curve) => println!("{id} is {:?} at 0.5 s", curve.value_at(0.5)),
///         CurveRef::Bool(curve) => println!("{id} is {} at 0.5 s", curve.value_at(0.5)),
///     }
/// }
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CurveRef<'a> {
    /// A float curve.
    Float(&'a Curve),
    /// A boolean curve.
    Bool(&'a BoolCurve),
}

impl<'a> CurveRef<'a> {
    /// The number of keys.
    #[must_use]
    pub fn key_count(self) -> usize {
        match self {
            Self::Float(curve) => curve.keys.len(),
            Self::Bool(curve) => curve.keys.len(),
        }
    }

    /// The times of the keys, in stored order.
    pub fn key_times(self) -> impl Iterator<Item = f32> + use<'a> {
        let (linear, bezier): (&[LinearKey], &[BezierKey]) = match self {
            Self::Float(Curve { keys: Keys::Linear(keys), .. }) | Self::Bool(BoolCurve { keys, .. }) => (keys, &[]),
            Self::Float(Curve { keys: Keys::Bezier(keys), .. }) => (&[], keys),
        };
        linear.iter().map(|key| key.time).chain(bezier.iter().map(|key| key.time))
    }

    /// The wrap modes before the first key and after the last.
    #[must_use]
    pub fn wrap_modes(self) -> (WrapMode, WrapMode) {
        match self {
            Self::Float(curve) => (curve.pre_wrap, curve.post_wrap),
            Self::Bool(curve) => (curve.pre_wrap, curve.post_wrap),
        }
    }

    /// Whether the curve repeats before its first key or after its last.
    #[must_use]
    pub fn repeats(self) -> bool {
        let (pre_wrap, post_wrap) = self.wrap_modes();
        pre_wrap.repeats() || post_wrap.repeats()
    }

    /// The time of the first key in stored order.
    #[must_use]
    pub fn start_secs(self) -> Option<f32> {
        match self {
            Self::Float(curve) => curve.keys.iter().next().map(|key| key.time),
            Self::Bool(curve) => curve.keys.first().map(|key| key.time),
        }
    }

    /// The time of the last key in stored order.
    #[must_use]
    pub fn end_secs(self) -> Option<f32> {
        match self {
            Self::Float(curve) => curve.end_secs(),
            Self::Bool(curve) => curve.end_secs(),
        }
    }
}

/// Mutable access to a float or boolean curve.
///
/// ```
/// # let mut recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// use holotape::CurveMut;
///
/// // Raise the camera by 10 cm.
/// if let Some(CurveMut::Float(height)) = recording.curve_mut("camera.position.y".parse()?) {
///     height.keys.iter_mut().for_each(|(_, value)| *value += 0.1);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, PartialEq, Eq)]
pub enum CurveMut<'a> {
    /// A float curve.
    Float(&'a mut Curve),
    /// A boolean curve.
    Bool(&'a mut BoolCurve),
}

impl Recording {
    /// Reads a file of any version and layout.
    ///
    /// # Errors
    /// If the file cannot be read or is not a well-formed input animation; the error has the location and the reason.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        ReadOptions::new().open(path)
    }

    /// Reads a file in memory.
    ///
    /// # Errors
    /// If the bytes are not a well-formed input animation.
    pub fn from_slice(bytes: &[u8]) -> Result<Self> {
        ReadOptions::new().from_slice(bytes)
    }

    /// Reads to the end of a reader.
    ///
    /// # Errors
    /// If reading fails or the bytes are not a well-formed input animation.
    pub fn from_reader(reader: impl Read) -> Result<Self> {
        ReadOptions::new().from_reader(reader)
    }

    /// Writes the recording to a file, in [`format`](Self::format), and returns what that format cannot represent.
    ///
    /// An existing file is replaced atomically once the new one is on disk: a crash leaves the old or the new one. Use
    /// [`atomic::write`] to keep existing files.
    ///
    /// # Errors
    /// If the file cannot be written; an existing file is then unchanged.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<FormatLosses> {
        atomic::write(path, IfExists::Replace, |file| self.write_to(file))
    }

    /// Writes the recording, in [`format`](Self::format), and returns what that format cannot represent.
    ///
    /// # Errors
    /// If writing fails, or if a curve has more keys than the format supports.
    pub fn write_to(&self, writer: impl Write) -> Result<FormatLosses> {
        format::encode_to(self, writer)?;
        Ok(self.losses())
    }

    /// Encodes the recording, in [`format`](Self::format), and returns what that format cannot represent.
    ///
    /// # Errors
    /// If a curve has more keys than the format supports.
    pub fn to_vec(&self) -> Result<(Vec<u8>, FormatLosses)> {
        let mut bytes = Vec::with_capacity(self.byte_len() as usize);
        format::encode(self, &mut bytes, |_| Ok(()))?;
        Ok((bytes, self.losses()))
    }

    /// The size in bytes of the file that [`save`](Self::save) writes.
    ///
    /// ```
    /// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
    /// assert_eq!(recording.byte_len(), recording.to_vec()?.0.len() as u64);
    /// # Ok::<(), holotape::Error>(())
    /// ```
    #[must_use]
    pub fn byte_len(&self) -> u64 {
        format::encoded_bytes(self)
    }

    /// What [`format`](Self::format) cannot represent.
    ///
    /// ```
    /// assert!(holotape::Recording::default().losses().is_empty());
    /// ```
    pub fn losses(&self) -> FormatLosses {
        FormatLosses::of(self)
    }

    /// A recording with these channels, without keys.
    #[must_use]
    pub fn with_channels(channels: Channels) -> Self {
        Self {
            camera: channels.camera.then(PoseCurves::new),
            hands: channels.hands.then(Box::default),
            gaze: channels.gaze.then(RayCurves::new),
            ..Self::default()
        }
    }

    /// The channels that the recording has.
    #[must_use]
    pub fn channels(&self) -> Channels {
        Channels { camera: self.camera.is_some(), hands: self.hands.is_some(), gaze: self.gaze.is_some() }
    }

    /// The curves of a hand. Without hands, an empty hand.
    #[must_use]
    pub fn hand(&self, hand: Hand) -> &HandCurves {
        static ABSENT: HandCurves = HandCurves::new();
        match (&self.hands, hand) {
            (Some(hands), Hand::Left) => &hands.left,
            (Some(hands), Hand::Right) => &hands.right,
            (None, _) => &ABSENT,
        }
    }

    /// Mutable access to the curves of a hand. Adds the channel if it is missing.
    pub fn hand_mut(&mut self, hand: Hand) -> &mut HandCurves {
        let hands = self.hands.get_or_insert_default();
        match hand {
            Hand::Left => &mut hands.left,
            Hand::Right => &mut hands.right,
        }
    }

    /// The curves of a pose; `None` if the recording does not have its channel.
    ///
    /// ```
    /// use holotape::{PoseId, Recording};
    ///
    /// assert!(Recording::default().pose(PoseId::Camera).is_none());
    /// ```
    #[must_use]
    pub fn pose(&self, id: PoseId) -> Option<&PoseCurves> {
        match id {
            PoseId::Camera => self.camera.as_ref(),
            PoseId::Joint(hand, joint) => self.hands.as_ref().map(|_| self.hand(hand).joint(joint)),
        }
    }

    /// A curve; `None` if the recording does not have its channel.
    ///
    /// ```
    /// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
    /// let id = "right.IndexTip.position.y".parse()?;
    /// assert!(recording.curve(id).unwrap().key_count() > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn curve(&self, id: CurveId) -> Option<CurveRef<'_>> {
        let hand = |hand| self.hands.is_some().then(|| self.hand(hand));
        Some(match id {
            CurveId::Camera(component) => CurveRef::Float(self.camera.as_ref()?.curve(component)),
            CurveId::Tracked(side) => CurveRef::Bool(&hand(side)?.tracked),
            CurveId::Pinching(side) => CurveRef::Bool(&hand(side)?.pinching),
            CurveId::Joint(side, joint, component) => CurveRef::Float(hand(side)?.joint(joint).curve(component)),
            CurveId::Gaze(component) => CurveRef::Float(self.gaze.as_ref()?.curve(component)),
        })
    }

    /// Mutable access to a curve; `None` if the recording does not have its channel.
    pub fn curve_mut(&mut self, id: CurveId) -> Option<CurveMut<'_>> {
        let hands = self.hands.is_some();
        match id {
            CurveId::Camera(component) => Some(CurveMut::Float(self.camera.as_mut()?.curve_mut(component))),
            CurveId::Tracked(hand) => hands.then(|| CurveMut::Bool(&mut self.hand_mut(hand).tracked)),
            CurveId::Pinching(hand) => hands.then(|| CurveMut::Bool(&mut self.hand_mut(hand).pinching)),
            CurveId::Joint(hand, joint, component) => {
                hands.then(|| CurveMut::Float(self.hand_mut(hand).joint_mut(joint).curve_mut(component)))
            }
            CurveId::Gaze(component) => Some(CurveMut::Float(self.gaze.as_mut()?.curve_mut(component))),
        }
    }

    /// All curves, in the order of the file.
    pub fn curves(&self) -> impl Iterator<Item = (CurveId, CurveRef<'_>)> {
        CurveId::all(self.channels()).filter_map(|id| Some((id, self.curve(id)?)))
    }

    /// Mutable access to all curves, in the order of the file.
    pub fn curves_mut(&mut self) -> impl Iterator<Item = CurveMut<'_>> {
        let camera = self.camera.iter_mut().flat_map(PoseCurves::curves_mut);
        let hands = self.hands.iter_mut().flat_map(|hands| {
            let HandsCurves { left, right } = &mut **hands;
            let flags = [&mut left.tracked, &mut right.tracked, &mut left.pinching, &mut right.pinching];
            let joints = left.joints.iter_mut().chain(&mut right.joints).flat_map(PoseCurves::curves_mut);
            flags.into_iter().map(CurveMut::Bool).chain(joints.map(CurveMut::Float))
        });
        let gaze = self.gaze.iter_mut().flat_map(RayCurves::curves_mut);
        let (camera, gaze) = (camera.map(CurveMut::Float), gaze.map(CurveMut::Float));
        camera.chain(hands).chain(gaze)
    }

    /// All poses, in the order of the file: the camera, then the joints of both hands.
    ///
    /// ```
    /// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
    /// for (id, pose) in recording.poses().filter(|(_, pose)| pose.pose_at(0.5).is_some()) {
    ///     println!("{id} has {} keys", pose.position[0].keys.len());
    /// }
    /// # Ok::<(), holotape::Error>(())
    /// ```
    pub fn poses(&self) -> impl Iterator<Item = (PoseId, &PoseCurves)> {
        let camera = self.camera.iter().map(|camera| (PoseId::Camera, camera));
        let hands = self.hands.iter().flat_map(|hands| [(Hand::Left, &hands.left), (Hand::Right, &hands.right)]);
        let joints = hands.flat_map(|(hand, curves)| {
            Joint::ALL.iter().zip(&curves.joints).map(move |(joint, pose)| (PoseId::Joint(hand, *joint), pose))
        });
        camera.chain(joints)
    }

    /// Mutable access to all poses, in the order of the file.
    pub fn poses_mut(&mut self) -> impl Iterator<Item = (PoseId, &mut PoseCurves)> {
        poses_mut(&mut self.camera, &mut self.hands)
    }

    /// The duration: the latest last key of all curves, at least 0.
    #[must_use]
    pub fn duration_secs(&self) -> f32 {
        self.curves().filter_map(|(_, curve)| curve.end_secs()).fold(0.0, f32::max)
    }

    /// A sampler, which evaluates the recording at many times.
    #[must_use]
    pub fn sampler(&self) -> Sampler {
        Sampler::new(self)
    }

    /// A player for the recording.
    #[must_use]
    pub fn player(&self) -> Player {
        Player::new(self)
    }
}

/// Apart from [`Recording::poses_mut`], so that the gaze can be borrowed as well.
pub(crate) fn poses_mut<'a>(
    camera: &'a mut Option<PoseCurves>,
    hands: &'a mut Option<Box<HandsCurves>>,
) -> impl Iterator<Item = (PoseId, &'a mut PoseCurves)> {
    let camera = camera.iter_mut().map(|camera| (PoseId::Camera, camera));
    let hands = hands.iter_mut().flat_map(|hands| {
        let HandsCurves { left, right } = &mut **hands;
        [(Hand::Left, left), (Hand::Right, right)]
    });
    let joints = hands.flat_map(|(hand, curves)| {
        Joint::ALL.iter().zip(&mut curves.joints).map(move |(joint, pose)| (PoseId::Joint(hand, *joint), pose))
    });
    camera.chain(joints)
}
