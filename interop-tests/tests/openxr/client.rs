//! What `client.py` prints.

use std::process::{ExitStatus, Output};

use holotape::{Hand, Pose, Ray};
use serde_json::Value;

/// A run of `client.py`.
pub(crate) struct ClientRun {
    pub(crate) status: ExitStatus,
    pub(crate) stderr: String,
    /// What the system supports.
    pub(crate) system: Value,
    pub(crate) frames: Vec<ClientFrame>,
}

/// A frame as the application saw it.
pub(crate) struct ClientFrame {
    /// XrTime in nanoseconds.
    pub(crate) time_nanos: i64,
    /// CLOCK_MONOTONIC in nanoseconds.
    pub(crate) clock_nanos: i64,
    pub(crate) head: Option<Pose>,
    /// The eyes for which the application renders.
    pub(crate) views: Vec<Option<Pose>>,
    pub(crate) gaze: Option<Ray>,
    /// Left, then right.
    pub(crate) hands: [ClientHand; 2],
    /// The line without its times.
    pub(crate) poses: Value,
}

/// A hand as the application saw it.
pub(crate) struct ClientHand {
    pub(crate) is_active: bool,
    /// In the order of OpenXR.
    pub(crate) joints: Vec<Option<Pose>>,
    pub(crate) pinch: Option<f64>,
    pub(crate) select: Option<bool>,
}

impl ClientRun {
    pub(crate) fn new(output: Output) -> Self {
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let stdout = String::from_utf8_lossy(&output.stdout);
        let mut lines = stdout.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let system = lines.next().unwrap_or_else(|| panic!("the client printed nothing\n{stderr}"));
        let frames = lines.filter(|line| line.get("frame").is_some()).map(ClientFrame::new).collect();
        Self { status: output.status, stderr, system, frames }
    }

    /// Fails the test if the client failed.
    pub(crate) fn expect_success(self) -> Self {
        assert!(self.status.success(), "{}\n{}", self.status, self.stderr);
        self
    }
}

impl ClientFrame {
    fn new(line: Value) -> Self {
        let mut poses = line.clone();
        poses.as_object_mut().expect("an object").retain(|key, _| !["time", "clock"].contains(&key.as_str()));
        let gaze = line["gaze"].as_array().and_then(|numbers| pose(numbers));
        let views = line["views"].as_array().into_iter().flatten();
        Self {
            views: views.map(|view| pose(view.as_array().expect("numbers"))).collect(),
            time_nanos: line["time"].as_i64().expect("a time"),
            clock_nanos: line["clock"].as_i64().expect("a time"),
            head: line["head"].as_array().and_then(|numbers| pose(numbers)),
            gaze: gaze.map(|pose| Ray { origin: pose.position, direction: pose.forward() }),
            hands: Hand::ALL.map(|hand| ClientHand::new(&line[hand.to_string()])),
            poses,
        }
    }

    /// Seconds since another frame.
    pub(crate) fn secs_since(&self, first: &Self) -> f64 {
        (self.time_nanos - first.time_nanos) as f64 * 1e-9
    }
}

impl ClientHand {
    fn new(hand: &Value) -> Self {
        let joints = hand["joints"].as_array().into_iter().flatten();
        Self {
            is_active: hand["active"].as_bool().expect("a flag"),
            joints: joints.map(|joint| pose(joint.as_array().expect("numbers"))).collect(),
            pinch: hand["pinch"].as_f64(),
            select: hand["select"].as_bool(),
        }
    }
}

/// The pose of `[flags, px, py, pz, qx, qy, qz, qw, …]`, if it is valid.
fn pose(numbers: &[Value]) -> Option<Pose> {
    const IS_VALID: i64 = 3;
    let has_pose = numbers[0].as_i64().expect("flags") & IS_VALID == IS_VALID;
    has_pose.then(|| from_openxr(&numbers[1..8]))
}

/// The pose of `[px, py, pz, qx, qy, qz, qw]`, converted to left-handed coordinates.
pub(crate) fn from_openxr(numbers: &[Value]) -> Pose {
    let number = |n: usize| numbers[n].as_f64().expect("a number") as f32;
    Pose { position: [number(0), number(1), -number(2)], rotation: [-number(3), -number(4), number(5), number(6)] }
}
