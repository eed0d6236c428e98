//! A recording to frames of JSON.

use std::io::Write;

use glam::DQuat;
use holotape::{Frame, Hand, HandFrame, Joint, Pose, Ray, Recording, Result};
use serde_json::json;

use super::{IwerOptions, JOINTS, RADII, webxr_joints};
use crate::frame_losses::{self, FrameCapabilities};
use crate::joint::towards_wrist;
use crate::{Loss, LossKind, Losses, Space, decimal};

/// A hundredth of a millimetre, and as much of a quaternion.
const DECIMALS: usize = 5;
const ROUNDING: f64 = 1e5;

/// The number by which frames name the input of the gaze; those of the hands are 0 and 1.
const GAZE_INPUT: usize = 2;

/// Writes an action recording for IWER, in WebXR's right-handed space.
///
/// A hand is in the frames in which it was tracked. The player needs a head in every frame and at least one frame: where
/// the recording has none, these are made up and reported.
///
/// ```
/// use holotape_convert::LossKind;
/// use holotape_convert::iwer::{self, IwerOptions};
///
/// let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let mut json = Vec::new();
/// let losses = iwer::write(&take, &IwerOptions::new(), &mut json)?;
/// assert!(json.starts_with(br#"{"schema":[[0,{"#));
/// assert!(losses.iter().any(|loss| loss.kind() == LossKind::Markers));
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If writing fails, or the [rate](crate::Timing::Rate) is none.
pub fn write(recording: &Recording, options: &IwerOptions, mut out: impl Write) -> Result<Losses> {
    let times = frame_times(options.timing.times(recording)?);
    let mut frames = FrameWriter::new(recording);
    write!(out, r#"{{"schema":{},"frames":["#, frames.schema())?;
    let mut sampler = recording.sampler();
    let mut frame = Frame::default();
    for (n, &time) in times.iter().enumerate() {
        sampler.frame_into(time, &mut frame);
        Space::RightHanded.convert_frame(&mut frame);
        out.write_all(if n == 0 { b"\n" } else { b",\n" })?;
        out.write_all(frames.row(&frame))?;
    }
    out.write_all(b"\n]}\n")?;
    let mut losses = frames.losses(recording);
    losses.extend(frame_losses::frame_losses(recording, FrameCapabilities::default()));
    losses.extend(options.timing.loss(recording, &times));
    Ok(losses)
}

/// The player begins with the first frame and wants one: time 0 is that of the recording. Nothing before it is played.
fn frame_times(mut times: Vec<f64>) -> Vec<f64> {
    times.retain(|time| *time >= 0.0);
    if times.first() != Some(&0.0) {
        times.insert(0, 0.0);
    }
    times
}

/// Makes rows of frames, and keeps in mind what did not get into them.
struct FrameWriter {
    row: Vec<u8>,
    viewer: Pose,
    hands: [Option<JointMapping>; 2],
    has_gaze: bool,
    is_viewer_made_up: bool,
    is_rounded: bool,
    unusable: usize,
    unseen_pinches: usize,
}

/// For each joint of WebXR's hand the one whose pose it gets: WebXR has all joints of a hand or none.
struct JointMapping {
    sources: [Joint; JOINTS],
}

impl JointMapping {
    /// A joint that was not recorded stands where the nearest one towards the wrist does; without a wrist there is no
    /// hand.
    fn new(recording: &Recording, hand: Hand) -> Option<Self> {
        let is_recorded = |joint: &Joint| recording.hand(hand).joint(*joint).pose_at(0.0).is_some();
        let mut sources = [Joint::Wrist; JOINTS];
        for (source, joint) in sources.iter_mut().zip(webxr_joints()) {
            *source = std::iter::once(joint).chain(towards_wrist(joint)).find(is_recorded)?;
        }
        Some(Self { sources })
    }

    fn poses(&self, hand: &HandFrame) -> Option<[Pose; JOINTS]> {
        let mut poses = [Pose::IDENTITY; JOINTS];
        for (pose, source) in poses.iter_mut().zip(self.sources) {
            *pose = hand.joint(source).filter(is_finite)?;
        }
        Some(poses)
    }

    fn invented_joints(&self) -> Vec<Joint> {
        webxr_joints().zip(self.sources).filter(|(joint, source)| joint != source).map(|(joint, _)| joint).collect()
    }
}

fn is_finite(pose: &Pose) -> bool {
    pose.position.iter().chain(&pose.rotation).all(|number| number.is_finite())
}

impl FrameWriter {
    fn new(recording: &Recording) -> Self {
        Self {
            row: Vec::new(),
            viewer: Pose::IDENTITY,
            hands: Hand::ALL.map(|hand| JointMapping::new(recording, hand)),
            has_gaze: recording.gaze.as_ref().is_some_and(|gaze| gaze.ray_at(0.0).is_some()),
            is_viewer_made_up: false,
            is_rounded: false,
            unusable: 0,
            unseen_pinches: 0,
        }
    }

    fn schema(&self) -> serde_json::Value {
        let has_hand = |hand: &Hand| self.hands[*hand as usize].is_some();
        let hands = Hand::ALL.into_iter().filter(has_hand).map(|hand| (hand as usize, hand_schema(hand)));
        hands
            .chain(self.has_gaze.then(|| (GAZE_INPUT, gaze_schema())))
            .map(|(index, entry)| json!([index, entry]))
            .collect()
    }

    fn row(&mut self, frame: &Frame) -> &[u8] {
        self.row.clear();
        self.open();
        // All digits: there is one time for hundreds of numbers, and so it is the very same when it is read.
        self.row.extend_from_slice((frame.time * 1e3).to_string().as_bytes());
        self.push_viewer(frame.camera);
        for hand in Hand::ALL {
            self.push_hand(hand, frame.hand(hand));
        }
        self.push_gaze(frame.gaze);
        self.close();
        &self.row
    }

    fn push_viewer(&mut self, camera: Option<Pose>) {
        match camera {
            Some(pose) if is_finite(&pose) => self.viewer = pose,
            Some(_) => self.unusable += 1,
            None => self.is_viewer_made_up = true,
        }
        self.push_pose(self.viewer);
    }

    fn push_hand(&mut self, hand: Hand, frame: Option<&HandFrame>) {
        let (Some(plan), Some(frame)) = (&self.hands[hand as usize], frame) else { return };
        let poses = plan.poses(frame);
        self.unusable += usize::from(frame.tracked && poses.is_none());
        self.unseen_pinches += usize::from(frame.pinching && poses.is_none());
        let Some(poses) = poses else { return };
        self.open_input(hand as usize, Pose::IDENTITY);
        self.open();
        for (pose, radius) in poses.into_iter().zip(RADII) {
            self.push_pose(pose);
            self.push_number(radius);
        }
        self.close();
        // Pressed, touched, value of the only button.
        self.row.extend_from_slice(if frame.pinching { b",[[1,1,1]]" } else { b",[[0,0,0]]" });
        self.close();
    }

    fn push_gaze(&mut self, gaze: Option<Ray>) {
        let Some(ray) = gaze else { return };
        let Some(pose) = ray_pose(&ray) else {
            self.unusable += 1;
            return;
        };
        self.open_input(GAZE_INPUT, pose);
        self.close();
    }

    fn open_input(&mut self, index: usize, ray: Pose) {
        self.open();
        decimal::push(&mut self.row, index as f64, 0);
        self.push_pose(ray);
    }

    fn push_pose(&mut self, pose: Pose) {
        pose.position.into_iter().chain(pose.rotation).for_each(|number| self.push_number(number));
    }

    fn push_number(&mut self, number: f32) {
        self.separate();
        let wide = f64::from(number);
        let written = (wide * ROUNDING).round() / ROUNDING;
        self.is_rounded |= written as f32 != number;
        decimal::push(&mut self.row, wide, DECIMALS);
    }

    fn open(&mut self) {
        self.separate();
        self.row.push(b'[');
    }

    fn close(&mut self) {
        self.row.push(b']');
    }

    /// A comma, unless this is the first in its list.
    fn separate(&mut self) {
        if self.row.last().is_some_and(|last| *last != b'[') {
            self.row.push(b',');
        }
    }

    fn losses(&self, recording: &Recording) -> Losses {
        let mut losses = Losses::default();
        losses.extend(Hand::ALL.into_iter().flat_map(|hand| self.hand_losses(recording, hand)));
        let count = recording.markers.len();
        losses.extend(loss_if(count > 0, LossKind::Markers, || format!("markers ({count}): IWER has none")));
        losses.extend(loss_if(self.unseen_pinches > 0, LossKind::Flags, || {
            format!("pinches of hands that nobody saw ({} frames): these hands are left out", self.unseen_pinches)
        }));
        losses.extend(loss_if(self.unusable > 0, LossKind::Unusable, || {
            format!("poses and rays with numbers that are none ({}): left out", self.unusable)
        }));
        losses.extend(loss_if(self.is_rounded, LossKind::Rounded, || {
            "digits: positions are to 0.01 mm, rotations to 0.001°".to_owned()
        }));
        losses.extend(loss_if(self.is_viewer_made_up, LossKind::Invented, || {
            "the head, which the player needs: it stays at the origin".to_owned()
        }));
        let has_hands = self.hands.iter().any(Option::is_some);
        losses.extend(loss_if(has_hands, LossKind::Invented, || {
            "the radii of the joints and the rays of the hands, which nobody recorded".to_owned()
        }));
        losses
    }

    fn hand_losses(&self, recording: &Recording, hand: Hand) -> Vec<Loss> {
        let curves = recording.hand(hand);
        let has_keys = |joint: Joint| curves.joint(joint).pose_at(0.0).is_some();
        let Some(plan) = &self.hands[hand as usize] else {
            let is_there = Joint::ALL.into_iter().any(has_keys) || !curves.tracked.spans_secs().is_empty();
            let message = || format!("{hand} hand: it has no wrist, and WebXR has no hand without");
            return loss_if(is_there, LossKind::Joints, message).into_iter().collect();
        };
        let made_up = plan.invented_joints();
        let palm = loss_if(has_keys(Joint::Palm), LossKind::Joints, || {
            format!("Palm of the {hand} hand: WebXR has no such joint")
        });
        let filled = loss_if(!made_up.is_empty(), LossKind::Invented, || {
            let names: Vec<_> = made_up.iter().map(|joint| joint.name()).collect();
            format!(
                "{} of the {hand} hand, without which WebXR has no hand: where the joint before is",
                names.join(", ")
            )
        });
        palm.into_iter().chain(filled).collect()
    }
}

fn loss_if(is_lost: bool, kind: LossKind, message: impl FnOnce() -> String) -> Option<Loss> {
    is_lost.then(|| Loss::new(kind, message()))
}

/// A pose that looks along a ray, level as a head is: WebXR looks along -z.
fn ray_pose(ray: &Ray) -> Option<Pose> {
    let [x, y, z] = ray.direction.map(f64::from);
    let turn = DQuat::from_rotation_y((-x).atan2(-z)) * DQuat::from_rotation_x(y.atan2(x.hypot(z)));
    let pose = Pose { position: ray.origin, rotation: turn.as_quat().to_array() };
    (ray.direction != [0.0; 3] && is_finite(&pose)).then_some(pose)
}

fn hand_schema(hand: Hand) -> serde_json::Value {
    json!({
        "handedness": hand.name(),
        "targetRayMode": "tracked-pointer",
        "profiles": ["generic-hand", "generic-hand-select", "generic-trigger"],
        "hasGrip": false,
        "hasHand": true,
        "jointSequence": webxr_joints().filter_map(Joint::webxr_name).collect::<Vec<_>>(),
        "hasGamepad": true,
        // The one mapping whose first button the player reports as select.
        "mapping": "xr-standard",
        "numButtons": 1,
        "numAxes": 0,
    })
}

fn gaze_schema() -> serde_json::Value {
    json!({
        "handedness": "none",
        "targetRayMode": "gaze",
        "profiles": ["eye-gaze"],
        "hasGrip": false,
        "hasHand": false,
        "hasGamepad": false,
    })
}
