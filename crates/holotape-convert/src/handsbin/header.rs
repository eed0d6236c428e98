//! The headers of both versions.

use holotape::{ErrorKind, Result};

use super::cursor::Cursor;
use super::{
    ALL_JOINTS, DEFAULT_FINGERS, DEFAULT_MESH, FINGER_COUNT, FINGER_VALUES, HandsbinVersion, JOINT_COUNT, bits, frame,
};

pub(super) struct Header<'a> {
    pub(super) version: HandsbinVersion,
    pub(super) name: &'a str,
    pub(super) duration_secs: f32,
    pub(super) frame_count: usize,
    /// Whether frames have the before-render step.
    pub(super) has_before_render: bool,
    /// Values that a recording cannot represent, unless they are those of every provider.
    pub(super) provider: Vec<&'static str>,
    frame_count_offset: usize,
}

impl<'a> Header<'a> {
    pub(super) fn read(cursor: &mut Cursor<'a>) -> Result<Self> {
        match cursor.int("the version")? {
            1 => Self::read_v1(cursor),
            2 => Self::read_v2(cursor),
            other => {
                let message =
                    format!("unsupported version {other} of the Unity hand capture format; 1 and 2 are supported");
                Err(cursor.error_at(0, ErrorKind::UnsupportedVersion, message))
            }
        }
    }

    fn read_v1(cursor: &mut Cursor<'a>) -> Result<Self> {
        let name = read_name(cursor)?;
        let duration_secs = cursor.float("the duration")?;
        let frame_count_offset = cursor.offset();
        let frame_count = read_frame_count(cursor)?;
        let (has_before_render, provider) = Default::default();
        let version = HandsbinVersion::V1;
        Ok(Self { version, name, duration_secs, frame_count, has_before_render, provider, frame_count_offset })
    }

    fn read_v2(cursor: &mut Cursor<'a>) -> Result<Self> {
        // The sequence flags only announce data of the frames.
        cursor.int("the sequence flags")?;
        let has_before_render = cursor.int("the options")? & bits::OPTION_BEFORE_RENDER != 0;
        let name = read_name(cursor)?;
        let duration_secs = cursor.float("the duration")?;
        let layout = read_layout(cursor)?;
        let mesh = cursor.int("the mesh layout")?;
        let fingers = cursor.bytes(FINGER_COUNT * FINGER_VALUES * 4, "the list of finger shapes")?;
        let has_default_fingers =
            DEFAULT_FINGERS.iter().flatten().flat_map(|value| value.to_le_bytes()).eq(fingers.iter().copied());
        let provider = [
            (layout != ALL_JOINTS, "the joint layout"),
            (mesh != DEFAULT_MESH, "the mesh layout"),
            (!has_default_fingers, "the finger shapes"),
        ];
        let provider = provider.into_iter().filter_map(|(is_special, name)| is_special.then_some(name)).collect();
        let frame_count_offset = cursor.offset();
        let frame_count = read_frame_count(cursor)?;
        let version = HandsbinVersion::V2;
        Ok(Self { version, name, duration_secs, frame_count, has_before_render, provider, frame_count_offset })
    }

    /// The size of a frame without any data.
    fn min_frame_bytes(&self) -> usize {
        match self.version {
            HandsbinVersion::V1 => 8,
            HandsbinVersion::V2 => 16 + 4 * usize::from(self.has_before_render),
        }
    }

    /// Fails if the rest of the file is too small for the frames.
    pub(super) fn check_frame_count(&self, cursor: &Cursor<'_>) -> Result<()> {
        let needed = self.frame_count.saturating_mul(self.min_frame_bytes());
        let remaining = cursor.remaining();
        if needed <= remaining {
            return Ok(());
        }
        let count = self.frame_count;
        let message =
            format!("truncated or damaged file: {count} frames need at least {needed} bytes, {remaining} follow");
        Err(cursor.error_at(self.frame_count_offset, ErrorKind::Truncated, message))
    }
}

fn read_name<'a>(cursor: &mut Cursor<'a>) -> Result<&'a str> {
    let offset = cursor.offset();
    let name = cursor.string("the name")?;
    if name.is_empty() {
        return Err(cursor.error_at(offset, ErrorKind::Invalid, "the name is empty"));
    }
    Ok(name)
}

fn read_layout(cursor: &mut Cursor<'_>) -> Result<[u8; ALL_JOINTS.len()]> {
    let offset = cursor.offset();
    let count = cursor.int("the joint count of the layout")?;
    check_joint_count(cursor, offset, count)?;
    let offset = cursor.offset();
    let mut layout = ALL_JOINTS;
    layout.copy_from_slice(cursor.bytes(ALL_JOINTS.len(), "the joint layout")?);
    if let Some(n) = (0..layout.len()).find(|n| layout[*n] & !ALL_JOINTS[*n] != 0) {
        let message = format!("invalid joint layout: bits above the last of {JOINT_COUNT} joints are set");
        return Err(cursor.error_at(offset + n, ErrorKind::Invalid, message));
    }
    Ok(layout)
}

/// Fails if a joint count, read at an offset, is not that of a hand.
pub(super) fn check_joint_count(cursor: &Cursor<'_>, offset: usize, count: i32) -> Result<()> {
    if usize::try_from(count) == Ok(JOINT_COUNT) {
        return Ok(());
    }
    let message = format!("invalid joint count {count}; a hand has {JOINT_COUNT} joints");
    Err(cursor.error_at(offset, ErrorKind::Invalid, message))
}

fn read_frame_count(cursor: &mut Cursor<'_>) -> Result<usize> {
    let offset = cursor.offset();
    let count = cursor.int("the frame count")?;
    usize::try_from(count)
        .map_err(|_| cursor.error_at(offset, ErrorKind::Invalid, format!("invalid frame count {count}")))
}

/// Whether a file starts like a capture. There are no magic bytes, so the header must be valid, and in version 1 also the
/// first frame or the end of the file.
pub(crate) fn detect(start: &[u8]) -> bool {
    let mut cursor = Cursor::new(start);
    let Ok(header) = Header::read(&mut cursor) else { return false };
    let has_duration = header.duration_secs.is_finite() && header.duration_secs >= 0.0;
    let is_followed = match (header.version, header.frame_count) {
        (HandsbinVersion::V2, _) => true,
        (HandsbinVersion::V1, 0) => cursor.remaining() == 0,
        (HandsbinVersion::V1, _) => frame::starts_v1(&mut cursor),
    };
    has_duration && is_followed
}
