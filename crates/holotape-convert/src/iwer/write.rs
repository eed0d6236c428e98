//! Writes action recordings.

use std::io::Write;

use glam::DQuat;
use holotape::text::pluralize;
use holotape::{Frame, Hand, HandFrame, Joint, Pose, Ray, Recording, Result, Skeleton, WindowedRecording};
use serde_json::json;

use crate::frame_losses::{self, FrameCapabilities};
use crate::joint::CompleteHand;
use crate::timing::from_start;
use crate::{LossKind, Losses, Space, Timing, decimal};

/// Values are rounded to 0.01 mm, and rotations accordingly.
const DECIMALS: usize = 5;
const ROUNDING: f64 = 1e5;

/// The input index of the gaze; those of the hands are 0 and 1.
const GAZE_INPUT: usize = 2;

/// Writes an action recording for IWER in right-handed coordinates, and returns what it cannot represent.
///
/// Frames contain a hand only while it is tracked. The player needs at least one frame, and a head in every frame: if
/// the recording has none, these are invented and reported.
///
/// ```
/// use holotape_convert::{LossKind, Timing, iwer};
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let mut json = Vec::new();
/// let losses = iwer::write(&recording, Timing::Keys, &mut json)?;
/// assert!(json.starts_with(br#"{"schema":[[0,{"#));
/// assert!(losses.iter().any(|loss| loss.kind() == LossKind::Markers));
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If writing fails, or the [rate](Timing::Rate) is invalid.
pub fn write(recording: &Recording, timing: Timing, mut out: impl Write) -> Result<Losses> {
    let times = from_start(timing.times(recording)?);
    let mut frames = FrameWriter::new(recording);
    write!(out, r#"{{"schema":{},"frames":["#, frames.schema())?;
    let mut sampler = recording.sampler();
    let mut frame = Frame::default();
    for (n, &time) in times.iter().enumerate() {
        sampler.frame_into(time, &mut frame);
        out.write_all(if n == 0 { b"\n" } else { b",\n" })?;
        out.write_all(frames.row(&frame))?;
    }
    out.write_all(b"\n]}\n")?;
    let mut losses = frames.losses(recording);
    let recording = WindowedRecording::new(recording);
    losses.extend(frame_losses::frame_losses(&recording, FrameCapabilities::default()));
    losses.extend(timing.loss(&recording, &times)?);
    Ok(losses)
}

/// Writes the rows of frames, and counts what these cannot represent.
struct FrameWriter {
    row: Vec<u8>,
    viewer: Pose,
    hands: [Option<CompleteHand>; 2],
    has_gaze: bool,
    is_viewer_invented: bool,
    is_rounded: bool,
    unusable: usize,
    untracked_pinches: usize,
}

impl FrameWriter {
    fn new(recording: &Recording) -> Self {
        Self {
            row: Vec::new(),
            viewer: Pose::IDENTITY,
            hands: Hand::ALL.map(|hand| CompleteHand::new(recording, hand)),
            has_gaze: recording.gaze.as_ref().is_some_and(|gaze| gaze.ray_at(0.0).is_some()),
            is_viewer_invented: false,
            is_rounded: false,
            unusable: 0,
            untracked_pinches: 0,
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
        // With all digits, so that times are restored exactly.
        self.row.extend_from_slice((frame.time * 1e3).to_string().as_bytes());
        self.push_viewer(frame.camera.map(|pose| Space::RightHanded.pose(pose)));
        for hand in Hand::ALL {
            self.push_hand(hand, frame.hand(hand));
        }
        self.push_gaze(frame.gaze.map(|ray| Space::RightHanded.ray(ray)));
        self.close();
        &self.row
    }

    fn push_viewer(&mut self, camera: Option<Pose>) {
        match camera {
            Some(pose) if pose.is_finite() => self.viewer = pose,
            Some(_) => self.unusable += 1,
            None => self.is_viewer_invented = true,
        }
        self.push_pose(self.viewer);
    }

    fn push_hand(&mut self, hand: Hand, frame: Option<&HandFrame>) {
        let (Some(complete), Some(frame)) = (&self.hands[hand as usize], frame) else { return };
        let joints = complete.joints(frame);
        self.unusable += usize::from(frame.tracked && joints.is_none());
        self.untracked_pinches += usize::from(frame.pinching && joints.is_none());
        let Some(joints) = joints else { return };
        self.open_input(hand as usize, Pose::IDENTITY);
        self.open();
        for joint in Skeleton::WebXr.joints() {
            let pose = joints[joint.index()].unwrap_or(Pose::IDENTITY);
            self.push_pose(Skeleton::WebXr.export_pose(hand, pose));
            self.push_number(joint.typical_radius_m());
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

    /// Adds a comma, unless this is the first item of its list.
    fn separate(&mut self) {
        if self.row.last().is_some_and(|last| *last != b'[') {
            self.row.push(b',');
        }
    }

    fn losses(&self, recording: &Recording) -> Losses {
        let mut losses = Losses::default();
        Hand::ALL.into_iter().for_each(|hand| self.add_hand_losses(&mut losses, recording, hand));
        let count = recording.markers.len();
        losses.push_if(count > 0, LossKind::Markers, || {
            format!("dropped {}: not supported by IWER", pluralize(count, "marker"))
        });
        losses.push_if(self.untracked_pinches > 0, LossKind::Flags, || {
            format!("dropped pinches in {}: the hand is not tracked", pluralize(self.untracked_pinches, "frame"))
        });
        losses.push_if(self.unusable > 0, LossKind::Unusable, || {
            format!("dropped poses and rays with non-finite values: {}", self.unusable)
        });
        losses.push_if(self.is_rounded, LossKind::Rounded, || {
            "rounded positions to 0.01 mm and rotations to 0.001°".to_owned()
        });
        losses.push_if(self.is_viewer_invented, LossKind::Invented, || {
            "invented a head at the origin: the player needs one".to_owned()
        });
        losses.push_if(self.hands.iter().any(Option::is_some), LossKind::Invented, || {
            "invented joint radii and hand rays: not recorded".to_owned()
        });
        losses
    }

    fn add_hand_losses(&self, losses: &mut Losses, recording: &Recording, hand: Hand) {
        let curves = recording.hand(hand);
        let has_keys = |joint: Joint| curves.joint(joint).pose_at(0.0).is_some();
        let Some(complete) = &self.hands[hand as usize] else {
            let is_recorded = Joint::ALL.into_iter().any(has_keys) || !curves.tracked.spans_secs().is_empty();
            losses.push_if(is_recorded, LossKind::Joints, || {
                format!("dropped the {hand} hand: it has no wrist, which WebXR requires")
            });
            return;
        };
        losses.push_if(has_keys(Joint::Palm), LossKind::Joints, || {
            format!("dropped the palm of the {hand} hand: not supported by WebXR")
        });
        losses.extend(complete.loss(Skeleton::WebXr));
    }
}

/// The pose without roll that looks along a ray: WebXR looks along -z.
fn ray_pose(ray: &Ray) -> Option<Pose> {
    let [x, y, z] = ray.direction.map(f64::from);
    let rotation = DQuat::from_rotation_y((-x).atan2(-z)) * DQuat::from_rotation_x(y.atan2(x.hypot(z)));
    let pose = Pose { position: ray.origin, rotation: rotation.as_quat().to_array() };
    (ray.direction != [0.0; 3] && pose.is_finite()).then_some(pose)
}

fn hand_schema(hand: Hand) -> serde_json::Value {
    json!({
        "handedness": hand.name(),
        "targetRayMode": "tracked-pointer",
        "profiles": ["generic-hand", "generic-hand-select", "generic-trigger"],
        "hasGrip": false,
        "hasHand": true,
        "jointSequence": Skeleton::WebXr.joints().filter_map(|joint| Skeleton::WebXr.joint_name(joint)).collect::<Vec<_>>(),
        "hasGamepad": true,
        // The only mapping whose first button the player reports as `select`.
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
