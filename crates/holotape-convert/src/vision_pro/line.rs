//! Parses one line of a file: a frame as JSON.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use holotape::{Error, ErrorKind, Joint, Skeleton};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

/// A matrix, column by column.
pub(super) type Matrix = [f64; 16];

/// A frame. Other fields are ignored.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "a frame: an object with timestamp")]
pub(super) struct FrameLine {
    pub(super) timestamp: f64,
    #[serde(default)]
    pub(super) head_matrix: Option<Matrix>,
    #[serde(default)]
    pub(super) left_hand: Option<HandMatrices>,
    #[serde(default)]
    pub(super) right_hand: Option<HandMatrices>,
    #[serde(default)]
    pub(super) video_width: f64,
}

/// The matrices of a hand. All but the wrist are relative to the wrist.
pub(super) struct HandMatrices {
    pub(super) wrist: Option<Matrix>,
    pub(super) joints: [Option<Matrix>; Joint::COUNT],
    pub(super) has_forearm: bool,
}

impl<'de> Deserialize<'de> for HandMatrices {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(HandVisitor)
    }
}

struct HandVisitor;

impl<'de> Visitor<'de> for HandVisitor {
    type Value = HandMatrices;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a hand: an object with matrices of joints")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<HandMatrices, A::Error> {
        let mut hand = HandMatrices { wrist: None, joints: [None; Joint::COUNT], has_forearm: false };
        while let Some(name) = map.next_key::<String>()? {
            match (joint_named(&name), name.as_str()) {
                (Some(Joint::Wrist), _) => hand.wrist = map.next_value()?,
                (Some(joint), _) => hand.joints[joint.index()] = map.next_value()?,
                (None, "forearmWrist" | "forearmArm") => {
                    hand.has_forearm |= map.next_value::<Option<Matrix>>()?.is_some()
                }
                (None, _) => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(hand)
    }
}

/// The joints by their names in the file: those of ARKit without the word finger, `indexTip` for example.
static JOINTS: LazyLock<HashMap<String, Joint>> = LazyLock::new(|| {
    let name = |joint| Some((Skeleton::ArKit.joint_name(joint)?.replace("Finger", ""), joint));
    Skeleton::ArKit.joints().filter_map(name).collect()
});

fn joint_named(name: &str) -> Option<Joint> {
    JOINTS.get(name).copied()
}

/// An error in a line.
pub(super) struct LineError {
    column: usize,
    message: String,
    pub(super) is_truncated: bool,
}

impl LineError {
    pub(super) fn at_line(&self, number: usize) -> Error {
        let kind = if self.is_truncated { ErrorKind::Truncated } else { ErrorKind::Invalid };
        Error::new(kind, format!("line {number}, column {}: {}", self.column, self.message))
    }
}

pub(super) fn parse(text: &[u8]) -> Result<FrameLine, LineError> {
    serde_json::from_slice(text).map_err(|error| {
        let message = error.to_string();
        LineError {
            column: error.column(),
            // The line of the message is that within the line of the file.
            message: message.split(" at line ").next().unwrap_or_default().to_owned(),
            // serde_json does not report truncated numbers as EOF.
            is_truncated: error.is_eof() || text.last().is_some_and(|last| b"-+.eE".contains(last)),
        }
    })
}

/// The lines that are not blank, with their numbers.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let numbered = (1..).zip(bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii));
    numbered.filter(|(_, text)| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joint_names_are_those_of_arkit_without_finger() {
        let names = ["wrist", "thumbKnuckle", "indexMetacarpal", "middleIntermediateBase", "littleTip"];
        let joints = [
            Joint::Wrist,
            Joint::ThumbMetacarpalJoint,
            Joint::IndexMetacarpal,
            Joint::MiddleMiddleJoint,
            Joint::PinkyTip,
        ];
        assert_eq!(names.map(joint_named), joints.map(Some));
        assert_eq!(["indexFingerTip", "forearmArm", "", "index"].map(joint_named), [None; 4]);
    }

    #[test]
    fn blank_lines_are_counted_but_not_returned() {
        let numbered: Vec<_> = lines(b"\xef\xbb\xbf{}\r\n\n {}\n\n").collect();
        assert_eq!(numbered, [(1, &b"{}"[..]), (3, &b"{}"[..])]);
    }
}
