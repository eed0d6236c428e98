//! The frames of both versions.

use holotape::text::pluralize;
use holotape::{ErrorKind, Hand, Location, Pose, Result};

use super::cursor::{Cursor, pose};
use super::header::{Header, check_joint_count};
use super::{HandsbinVersion, JOINT_COUNT, POSE_BYTES, bits};

/// Everything of a frame that a recording can represent, and what else it has.
pub(super) struct FrameRecord<'a> {
    /// As stored: in version 2, the time of the frame before.
    pub(super) time_secs: f32,
    pub(super) head: Option<Pose>,
    /// Whether only the position or only the rotation of the head is valid.
    pub(super) has_partial_head: bool,
    pub(super) hands: [HandRecord<'a>; 2],
}

#[derive(Default)]
pub(super) struct HandRecord<'a> {
    pub(super) tracked: bool,
    /// The joints of the dynamic step; `None` if not all of them have a pose.
    pub(super) joints: Option<&'a [[u8; POSE_BYTES]]>,
    pub(super) root: Option<&'a [u8; POSE_BYTES]>,
    /// Whether the device found the hand, but not all of its joints.
    pub(super) is_partial: bool,
    pub(super) has_before_render: bool,
    pub(super) gestures: Gestures,
    /// Whether the index finger is pressed, if there is an aim block.
    pub(super) aim_pressed: Option<bool>,
}

#[derive(Default)]
pub(super) struct Gestures {
    pub(super) pinch_touched: Option<bool>,
    pub(super) pinch_value: Option<f32>,
    /// Whether there are gestures other than the pinch.
    pub(super) has_others: bool,
}

impl HandRecord<'_> {
    /// Whether the hand is tracked and has joints.
    pub(super) fn is_complete(&self) -> bool {
        self.tracked && self.joints.is_some()
    }

    /// Whether the hand is pinching; `None` if unknown.
    pub(super) fn pinching(&self) -> Option<bool> {
        let Gestures { pinch_touched, pinch_value, .. } = self.gestures;
        pinch_touched.or(pinch_value.map(|value| value > 0.5)).or(self.aim_pressed)
    }
}

/// Reads frame after frame.
pub(super) struct Frames<'a> {
    cursor: Cursor<'a>,
    version: HandsbinVersion,
    has_before_render: bool,
    count: usize,
    index: usize,
}

impl<'a> Frames<'a> {
    /// The frames after a header, at which the cursor is.
    pub(super) fn new(header: &Header<'_>, cursor: Cursor<'a>) -> Self {
        let Header { version, has_before_render, frame_count, .. } = *header;
        Self { cursor, version, has_before_render, count: frame_count, index: 0 }
    }

    /// The next frame; `None` after the last one. Fails if bytes follow the last one.
    pub(super) fn next(&mut self) -> Result<Option<FrameRecord<'a>>> {
        if self.index == self.count {
            return self.check_end().map(|()| None);
        }
        self.cursor.location = Location::Frame { index: self.index };
        self.index += 1;
        match self.version {
            HandsbinVersion::V1 => read_v1(&mut self.cursor),
            HandsbinVersion::V2 => read_v2(&mut self.cursor, self.has_before_render),
        }
        .map(Some)
    }

    fn check_end(&mut self) -> Result<()> {
        self.cursor.location = Location::End;
        match self.cursor.remaining() {
            0 => Ok(()),
            extra => {
                let message = format!("{} after the last frame, where the file should end", pluralize(extra, "byte"));
                Err(self.cursor.error_at(self.cursor.offset(), ErrorKind::Invalid, message))
            }
        }
    }
}

/// Time and flags of a frame of version 1: left and right tracked, left and right valid.
fn read_v1_start(cursor: &mut Cursor<'_>) -> Result<(f32, [bool; 4])> {
    let time_secs = cursor.float("the time")?;
    let mut flags = [false; 4];
    for (flag, what) in flags.iter_mut().zip(["left tracked", "right tracked", "left valid", "right valid"]) {
        *flag = cursor.bool(what)?;
    }
    Ok((time_secs, flags))
}

/// Whether the bytes look like the start of the first frame of version 1.
pub(super) fn starts_v1(cursor: &mut Cursor<'_>) -> bool {
    let is_first = |(time_secs, [left, right, left_valid, right_valid]): (f32, [bool; 4])| {
        time_secs.is_finite() && left >= left_valid && right >= right_valid
    };
    read_v1_start(cursor).is_ok_and(is_first)
}

fn read_v1<'a>(cursor: &mut Cursor<'a>) -> Result<FrameRecord<'a>> {
    let (time_secs, [left, right, left_valid, right_valid]) = read_v1_start(cursor)?;
    let mut hand = |tracked: bool, is_valid: bool| -> Result<_> {
        let joints = is_valid.then(|| read_joints(cursor)).transpose()?;
        Ok(HandRecord { tracked, joints, is_partial: tracked && !is_valid, ..HandRecord::default() })
    };
    let hands = [hand(left, left_valid)?, hand(right, right_valid)?];
    Ok(FrameRecord { time_secs, head: None, has_partial_head: false, hands })
}

fn read_joints<'a>(cursor: &mut Cursor<'a>) -> Result<&'a [[u8; POSE_BYTES]]> {
    cursor.poses(JOINT_COUNT, "the pose of a joint")
}

fn read_v2<'a>(cursor: &mut Cursor<'a>, has_before_render: bool) -> Result<FrameRecord<'a>> {
    let flags = cursor.int("the frame flags")?;
    let time_secs = cursor.float("the time")?;
    let head_state = cursor.int("the head state")?;
    let head = (head_state != 0).then(|| cursor.pose("the head pose")).transpose()?;
    let is_complete = head_state & bits::HEAD_POSE == bits::HEAD_POSE;
    let success = cursor.int("the success flags")?;
    if has_before_render {
        cursor.int("the success flags before rendering")?;
    }
    let mut hands = <[HandRecord<'_>; 2]>::default();
    for (hand, record) in Hand::ALL.into_iter().zip(&mut hands) {
        let has = |flag: i32| flags & (flag << hand as i32) != 0;
        if has(bits::FRAME_SNAPSHOT) {
            read_snapshot(cursor, has_before_render, record)?;
        }
        if has(bits::FRAME_GESTURES) {
            record.gestures = read_gestures(cursor)?;
        }
        if has(bits::FRAME_AIM) {
            record.aim_pressed = Some(read_aim(cursor)?);
        }
        let is_found = success & (bits::SUCCESS_ROOT << (2 * hand as i32)) != 0 || record.tracked;
        record.is_partial = is_found && record.joints.is_none();
    }
    let (head, has_partial_head) = (head.filter(|_| is_complete).map(pose), head.is_some() && !is_complete);
    Ok(FrameRecord { time_secs, head, has_partial_head, hands })
}

fn read_snapshot<'a>(cursor: &mut Cursor<'a>, has_before_render: bool, record: &mut HandRecord<'a>) -> Result<()> {
    let steps = cursor.int("the steps of a hand")?;
    if steps & bits::STEP_DYNAMIC != 0 {
        let step = read_step(cursor)?;
        (record.tracked, record.root, record.joints) = (step.tracked, Some(step.root), step.joints);
    }
    if has_before_render && steps & bits::STEP_BEFORE_RENDER != 0 {
        read_step(cursor)?;
        record.has_before_render = true;
    }
    Ok(())
}

struct Step<'a> {
    tracked: bool,
    root: &'a [u8; POSE_BYTES],
    joints: Option<&'a [[u8; POSE_BYTES]]>,
}

fn read_step<'a>(cursor: &mut Cursor<'a>) -> Result<Step<'a>> {
    let flags = cursor.int("the hand flags")?;
    let root = cursor.pose("the root pose")?;
    let mut joints = None;
    if flags & bits::HAND_JOINTS != 0 {
        let offset = cursor.offset();
        let count = cursor.int("the joint count")?;
        check_joint_count(cursor, offset, count)?;
        joints = Some(read_joints(cursor)?);
    }
    Ok(Step { tracked: flags & bits::HAND_TRACKED != 0, root, joints })
}

/// The values of a gestures block in the order of the file: the flag that announces it, its size and its name.
const GESTURES: [(i32, usize, &str); 10] = [
    (1, POSE_BYTES, "the aim pose"),
    (2, 4, "the aim activate value"),
    (4, 4, "the grasp value"),
    (8, POSE_BYTES, "the grip pose"),
    (16, POSE_BYTES, "the pinch pose"),
    (bits::GESTURE_PINCH_VALUE, 4, "the pinch value"),
    (64, POSE_BYTES, "the poke pose"),
    (bits::GESTURE_AIM_ACTIVATED, 1, "aim activated"),
    (bits::GESTURE_GRASP_FIRM, 1, "grasp firm"),
    (bits::GESTURE_PINCH_TOUCHED, 1, "pinch touched"),
];

fn read_gestures(cursor: &mut Cursor<'_>) -> Result<Gestures> {
    cursor.int("the handedness of the gestures")?;
    let flags = cursor.int("the gesture flags")?;
    let mut gestures = Gestures::default();
    for (flag, size, what) in GESTURES.into_iter().filter(|(flag, ..)| flags & flag != 0) {
        match flag {
            bits::GESTURE_PINCH_VALUE => gestures.pinch_value = Some(cursor.float(what)?),
            bits::GESTURE_PINCH_TOUCHED => gestures.pinch_touched = Some(cursor.bool(what)?),
            bits::GESTURE_AIM_ACTIVATED | bits::GESTURE_GRASP_FIRM => {
                cursor.bool(what)?;
                gestures.has_others = true;
            }
            _ => {
                cursor.bytes(size, what)?;
                gestures.has_others = true;
            }
        }
    }
    Ok(gestures)
}

/// Reads an aim block, and returns whether the index finger is pressed.
fn read_aim(cursor: &mut Cursor<'_>) -> Result<bool> {
    cursor.int("the handedness of the aim")?;
    let flags = cursor.int("the aim flags")?;
    cursor.int("the tracking state of the aim")?;
    cursor.bytes(8, "the list of Meta aim flags")?;
    cursor.bytes(16, "the list of pinch strengths")?;
    if flags & bits::AIM_POSE != 0 {
        cursor.pose("the aim pose")?;
    }
    Ok(flags & bits::AIM_INDEX_PRESSED != 0)
}
