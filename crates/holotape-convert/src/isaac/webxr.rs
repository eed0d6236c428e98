//! Reads recordings of Isaac Teleop's WebXR client.

use std::fmt;

use holotape::text::pluralize;
use holotape::{Error, ErrorKind, Hand, Joint, Pose, PoseId, Recording, Result, Skeleton, palm_pose};
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::webxr_frame::{Gamepad, HandJoints, WebxrFrame, WebxrPose};
use crate::assemble::RecordingAssembler;
use crate::joint::is_typical_radius;
use crate::{LossKind, Losses, Space};

/// The version of the recordings.
const VERSION: u64 = 1;

/// The rate of recordings without times, in which there is one frame per frame of the display.
const ASSUMED_RATE_HZ: f64 = 72.0;

/// Reads a JSON recording of Isaac Teleop's WebXR client. The first frame is at time 0.
///
/// A hand is tracked in the frames that have joints of it, and pinching while its first button is pressed. WebXR has no
/// palm: it is placed in the middle of the middle finger's metacarpal bone, as in OpenXR. Recordings of the first
/// version of the client have no times; they get 72 frames per second. Controllers are dropped and reported.
///
/// ```
/// use holotape::{Hand, Joint};
///
/// let json = br#"{"version": 1, "frames": [{"timeMs": 5, "handJoints": {"left": {
///     "wrist": {"px": 0.1, "py": 1.2, "pz": -0.3, "ox": 0, "oy": 0, "oz": 0, "ow": 1, "radius": 0.025}
/// }, "right": {}}}]}"#;
/// let (recording, _) = holotape_convert::isaac::read_webxr(json)?;
/// let wrist = recording.hand(Hand::Left).joint(Joint::Wrist).pose_at(0.0);
/// assert_eq!(wrist.unwrap().position, [0.1, 1.2, 0.3]);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// [`Truncated`](ErrorKind::Truncated) if the text ends early, [`UnsupportedVersion`](ErrorKind::UnsupportedVersion) for
/// another version, [`Invalid`](ErrorKind::Invalid) if it is not a recording. The message has the index of the frame.
pub fn read_webxr(bytes: &[u8]) -> Result<(Recording, Losses)> {
    let mut reader = Reader::default();
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let outcome = Document(&mut reader).deserialize(&mut deserializer).and_then(|()| deserializer.end());
    if let Some(version) = reader.version.filter(|version| *version != VERSION) {
        let message = format!("unsupported version {version} of an Isaac Teleop WebXR recording; expected {VERSION}");
        return Err(Error::new(ErrorKind::UnsupportedVersion, message));
    }
    outcome.map_err(|error| {
        let kind = if error.is_eof() { ErrorKind::Truncated } else { ErrorKind::Invalid };
        let frame = reader.current_frame.map(|frame| format!("frame {frame}: ")).unwrap_or_default();
        // The message of the JSON error has the line and the column.
        Error::new(kind, format!("{frame}{error}"))
    })?;
    if !reader.has_frames {
        return Err(Error::new(ErrorKind::Invalid, "not an Isaac Teleop WebXR recording: missing frames"));
    }
    Ok(reader.finish())
}

struct Document<'r>(&'r mut Reader);

impl<'de> DeserializeSeed<'de> for Document<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Document<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a recording: an object with version and frames")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "version" => {
                    let version = map.next_value()?;
                    self.0.version = Some(version);
                    if version != VERSION {
                        return Err(A::Error::custom("unsupported version"));
                    }
                }
                "frames" if self.0.has_frames => return Err(A::Error::custom("a second list of frames")),
                "frames" => {
                    self.0.has_frames = true;
                    map.next_value_seed(Frames(&mut *self.0))?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

/// The frames, of which one at a time is in memory.
struct Frames<'r>(&'r mut Reader);

impl<'de> DeserializeSeed<'de> for Frames<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Frames<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of frames")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        for index in 0.. {
            self.0.current_frame = Some(index);
            let Some(frame) = items.next_element()? else { break };
            self.0.frame(index, &frame).map_err(A::Error::custom)?;
        }
        self.0.current_frame = None;
        Ok(())
    }
}

/// Receives the frames, and counts what a recording cannot represent.
#[derive(Default)]
struct Reader {
    version: Option<u64>,
    has_frames: bool,
    /// The frame that is being read, for error messages.
    current_frame: Option<usize>,
    assembler: Option<RecordingAssembler>,
    has_times: bool,
    has_head: bool,
    /// Whether a hand has a button, so that it can pinch.
    has_button: [bool; 2],
    controller_frames: usize,
    has_radii: bool,
    has_controls: bool,
    has_partial_pinches: bool,
    has_hands: bool,
}

impl Reader {
    fn frame(&mut self, index: usize, frame: &WebxrFrame) -> Result<(), &'static str> {
        if index == 0 {
            self.has_times = frame.time_ms.is_some();
        }
        let time_secs = match (self.has_times, frame.time_ms) {
            (true, Some(time_ms)) => time_ms / 1e3,
            (true, None) => return Err("missing timeMs"),
            (false, _) => index as f64 / ASSUMED_RATE_HZ,
        };
        let start = || RecordingAssembler::new(time_secs);
        let mut assembler = self.assembler.take().unwrap_or_else(start);
        self.has_head |= frame.head.is_some();
        assembler.pose(PoseId::Camera, time_secs, frame.head.map(|head| Some(unity_pose(&head))));
        for hand in Hand::ALL {
            let gamepad = frame.gamepads.as_ref().and_then(|gamepads| gamepads.of(hand));
            let joints = frame.hand_joints.as_ref().and_then(|hands| hands.of(hand));
            self.hand(&mut assembler, hand, time_secs, joints.filter(|joints| !joints.is_empty()), gamepad);
        }
        self.controller_frames += usize::from(frame.poses.as_ref().is_some_and(|poses| !poses.is_empty()));
        self.assembler = Some(assembler);
        Ok(())
    }

    fn hand(
        &mut self,
        assembler: &mut RecordingAssembler,
        hand: Hand,
        time_secs: f64,
        joints: Option<&HandJoints>,
        gamepad: Option<&Gamepad>,
    ) {
        let button = gamepad.and_then(|gamepad| gamepad.buttons.first().copied().flatten());
        if let Some(Gamepad { buttons, axes }) = gamepad {
            // The button of a controller is not a pinch.
            self.has_controls |= buttons.len() > 1 || !axes.is_empty() || joints.is_none() && button.is_some();
        }
        let Some(joints) = joints else {
            let pinching = self.has_button[hand as usize].then_some(false);
            assembler.flags(hand, time_secs, false, pinching);
            return;
        };
        self.has_hands = true;
        self.has_button[hand as usize] |= button.is_some();
        self.has_partial_pinches |=
            button.is_some_and(|button| button.value.is_some_and(|value| value > 0.0 && value < 1.0));
        let pinching = self.has_button[hand as usize].then(|| button.is_some_and(|button| button.pressed));
        assembler.flags(hand, time_secs, true, pinching);
        for joint in Skeleton::WebXr.joints() {
            let pose = joints.joint(joint);
            let radius = pose.and_then(|pose| pose.radius);
            self.has_radii |= radius.is_some_and(|radius| !is_typical_radius(joint, radius));
            assembler.pose(PoseId::Joint(hand, joint), time_secs, pose.map(|pose| Some(unity_pose(&pose))));
        }
        assembler.pose(PoseId::Joint(hand, Joint::Palm), time_secs, palm(joints).map(Some));
    }

    fn finish(self) -> (Recording, Losses) {
        let (recording, mut losses) = self.assembler.unwrap_or_else(|| RecordingAssembler::new(0.0)).finish();
        let frames = self.controller_frames;
        losses.push_if(frames > 0, LossKind::Unsupported, || {
            format!("dropped the grips and target rays of {}: not part of a recording", pluralize(frames, "frame"))
        });
        let flags = [
            (self.has_radii, LossKind::Unsupported, "dropped the joint radii: not part of a recording"),
            (
                self.has_controls,
                LossKind::Unsupported,
                "dropped the buttons and axes of controllers, and all but the first button of hands: not part of a \
                 recording",
            ),
            (self.has_partial_pinches, LossKind::Unsupported, "rounded pinch strengths: a recording has only a flag"),
            (
                self.has_hands,
                LossKind::Invented,
                "invented the palms: WebXR has none; placed in the middle of the metacarpal bones",
            ),
            (
                self.has_hands && self.has_button == [false; 2],
                LossKind::Flags,
                "left the pinches empty: the recording has no buttons of hands",
            ),
            (!self.has_head, LossKind::Unsupported, "left the head empty: the recording has none"),
        ];
        for (is_lost, kind, message) in flags {
            losses.push_if(is_lost, kind, || message.to_owned());
        }
        losses.push_if(!self.has_times && recording.duration_secs() > 0.0, LossKind::Invented, || {
            format!("invented the times: the recording has none; {ASSUMED_RATE_HZ} frames per second")
        });
        (recording, losses)
    }
}

fn unity_pose(pose: &WebxrPose) -> Pose {
    Space::RightHanded.pose(pose.pose())
}

/// The pose of a palm in Unity's coordinates.
fn palm(joints: &HandJoints) -> Option<Pose> {
    let pose = |joint| joints.joint(joint).map(|pose| unity_pose(&pose));
    Some(palm_pose(pose(Joint::MiddleMetacarpal)?, pose(Joint::MiddleKnuckle)?))
}
