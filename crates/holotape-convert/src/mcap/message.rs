//! The messages of Foxglove that a recording becomes. Names and numbers are theirs; [`schema`](super::schema) tells readers.

use prost::{Enumeration, Message};
use prost_types::Timestamp;

#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct Vector3 {
    #[prost(double, tag = "1")]
    pub(super) x: f64,
    #[prost(double, tag = "2")]
    pub(super) y: f64,
    #[prost(double, tag = "3")]
    pub(super) z: f64,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct Point3 {
    #[prost(double, tag = "1")]
    pub(super) x: f64,
    #[prost(double, tag = "2")]
    pub(super) y: f64,
    #[prost(double, tag = "3")]
    pub(super) z: f64,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct Quaternion {
    #[prost(double, tag = "1")]
    pub(super) x: f64,
    #[prost(double, tag = "2")]
    pub(super) y: f64,
    #[prost(double, tag = "3")]
    pub(super) z: f64,
    #[prost(double, tag = "4")]
    pub(super) w: f64,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct Color {
    #[prost(double, tag = "1")]
    pub(super) r: f64,
    #[prost(double, tag = "2")]
    pub(super) g: f64,
    #[prost(double, tag = "3")]
    pub(super) b: f64,
    #[prost(double, tag = "4")]
    pub(super) a: f64,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct Pose {
    #[prost(message, optional, tag = "1")]
    pub(super) position: Option<Vector3>,
    #[prost(message, optional, tag = "2")]
    pub(super) orientation: Option<Quaternion>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct PoseInFrame {
    #[prost(message, optional, tag = "1")]
    pub(super) timestamp: Option<Timestamp>,
    #[prost(string, tag = "2")]
    pub(super) frame_id: String,
    #[prost(message, optional, tag = "3")]
    pub(super) pose: Option<Pose>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct PosesInFrame {
    #[prost(message, optional, tag = "1")]
    pub(super) timestamp: Option<Timestamp>,
    #[prost(string, tag = "2")]
    pub(super) frame_id: String,
    #[prost(message, repeated, tag = "3")]
    pub(super) poses: Vec<Pose>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct FrameTransform {
    #[prost(message, optional, tag = "1")]
    pub(super) timestamp: Option<Timestamp>,
    #[prost(string, tag = "2")]
    pub(super) parent_frame_id: String,
    #[prost(string, tag = "3")]
    pub(super) child_frame_id: String,
    #[prost(message, optional, tag = "4")]
    pub(super) translation: Option<Vector3>,
    #[prost(message, optional, tag = "5")]
    pub(super) rotation: Option<Quaternion>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct FrameTransforms {
    #[prost(message, repeated, tag = "1")]
    pub(super) transforms: Vec<FrameTransform>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Log {
    #[prost(message, optional, tag = "1")]
    pub(super) timestamp: Option<Timestamp>,
    #[prost(enumeration = "LogLevel", tag = "2")]
    pub(super) level: i32,
    #[prost(string, tag = "3")]
    pub(super) message: String,
    #[prost(string, tag = "4")]
    pub(super) name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Enumeration)]
pub(super) enum LogLevel {
    Unknown = 0,
    Info = 2,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SceneUpdate {
    #[prost(message, repeated, tag = "1")]
    pub(super) deletions: Vec<SceneEntityDeletion>,
    #[prost(message, repeated, tag = "2")]
    pub(super) entities: Vec<SceneEntity>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SceneEntityDeletion {
    #[prost(message, optional, tag = "1")]
    pub(super) timestamp: Option<Timestamp>,
    #[prost(enumeration = "DeletionType", tag = "2")]
    pub(super) r#type: i32,
    #[prost(string, tag = "3")]
    pub(super) id: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Enumeration)]
pub(super) enum DeletionType {
    MatchingId = 0,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct SceneEntity {
    #[prost(message, optional, tag = "1")]
    pub(super) timestamp: Option<Timestamp>,
    #[prost(string, tag = "2")]
    pub(super) frame_id: String,
    #[prost(string, tag = "3")]
    pub(super) id: String,
    #[prost(message, repeated, tag = "11")]
    pub(super) lines: Vec<LinePrimitive>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct LinePrimitive {
    #[prost(enumeration = "LineType", tag = "1")]
    pub(super) r#type: i32,
    #[prost(message, optional, tag = "2")]
    pub(super) pose: Option<Pose>,
    #[prost(double, tag = "3")]
    pub(super) thickness: f64,
    #[prost(message, repeated, tag = "5")]
    pub(super) points: Vec<Point3>,
    #[prost(message, optional, tag = "6")]
    pub(super) color: Option<Color>,
    #[prost(fixed32, repeated, tag = "8")]
    pub(super) indices: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Enumeration)]
pub(super) enum LineType {
    LineStrip = 0,
    LineList = 2,
}

impl From<[f32; 3]> for Vector3 {
    fn from(vector: [f32; 3]) -> Self {
        let [x, y, z] = vector.map(f64::from);
        Self { x, y, z }
    }
}

impl From<[f32; 3]> for Point3 {
    fn from(point: [f32; 3]) -> Self {
        let [x, y, z] = point.map(f64::from);
        Self { x, y, z }
    }
}

impl From<[f32; 4]> for Quaternion {
    fn from(quaternion: [f32; 4]) -> Self {
        let [x, y, z, w] = quaternion.map(f64::from);
        Self { x, y, z, w }
    }
}

impl From<holotape::Pose> for Pose {
    fn from(pose: holotape::Pose) -> Self {
        Self { position: Some(pose.position.into()), orientation: Some(pose.rotation.into()) }
    }
}
