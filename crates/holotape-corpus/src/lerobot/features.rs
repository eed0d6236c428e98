//! The features of a LeRobot dataset: their names, and their values in a frame.
//!
//! Rotations are quaternions (x, y, z, w) in the full set, and the first two columns of the rotation matrix in the compact set.
//! `observation.state` and `action` have the same layout: wrist and pinch of both hands.

use std::sync::Arc;

use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use holotape::{Hand, Joint, Pose, Ray, Skeleton};

use super::hold::HeldFrame;
use super::options::{ActionSource, FeatureSet, LerobotOptions};

/// Columns that follow the features and do not depend on other episodes: they are copied with an episode.
pub(super) const FRAME_INDEX: &str = "frame_index";

/// The column of times; its statistics are those of a feature.
pub(super) const TIMESTAMP: &str = "timestamp";

/// Columns that depend on the episodes before: they are written when an episode gets its number.
pub(super) const NUMBER_COLUMNS: [&str; 3] = ["episode_index", "index", "task_index"];

const FINGERTIPS: [Joint; 5] = [Joint::ThumbTip, Joint::IndexTip, Joint::MiddleTip, Joint::RingTip, Joint::PinkyTip];

/// A feature: a vector of 32-bit floats per frame.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Feature {
    pub(super) name: String,
    /// The name of each component.
    pub(super) components: Vec<String>,
    value: Value,
}

/// Where the values of a feature come from.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    State,
    Action,
    Hand(Hand),
    Tracked(Hand),
    Pinch(Hand),
    Head,
    HeadTracked,
    Gaze,
    GazeTracked,
    Time,
}

impl Feature {
    fn new(name: &str, components: Vec<String>, value: Value) -> Self {
        Self { name: name.to_owned(), components, value }
    }

    /// A feature with one component.
    fn scalar(name: &str, component: &str, value: Value) -> Self {
        Self::new(name, vec![component.to_owned()], value)
    }

    pub(super) fn width(&self) -> usize {
        self.components.len()
    }

    /// Whether another program adds this feature to every dataset.
    pub(super) fn is_default(&self) -> bool {
        self.value == Value::Time
    }

    pub(super) fn is_action(&self) -> bool {
        self.value == Value::Action
    }

    /// A scalar if there is one component, otherwise a fixed-size list.
    pub(super) fn field(&self) -> Field {
        let data_type = match self.width() {
            1 => DataType::Float32,
            width => DataType::FixedSizeList(element(), i32::try_from(width).unwrap_or(i32::MAX)),
        };
        Field::new(&self.name, data_type, true)
    }
}

/// The items of a list, as pyarrow names them.
pub(super) fn element() -> FieldRef {
    Arc::new(Field::new("element", DataType::Float32, true))
}

/// The features of a dataset, in the order of its columns.
#[derive(Clone, Debug)]
pub(super) struct Features {
    pub(super) list: Vec<Feature>,
    set: FeatureSet,
    joints: Vec<Joint>,
}

impl Features {
    pub(super) fn new(options: &LerobotOptions) -> Self {
        let set = options.features;
        let joints: Vec<_> = Skeleton::OpenXr.joints().collect();
        let state: Vec<_> = Hand::ALL.into_iter().flat_map(|hand| state_components(set, hand)).collect();
        let mut list = vec![Feature::new("observation.state", state.clone(), Value::State)];
        for hand in Hand::ALL {
            list.push(Feature::new(&named(hand, "hand"), hand_components(set, &joints), Value::Hand(hand)));
        }
        for hand in Hand::ALL {
            list.push(Feature::scalar(&named(hand, "tracked"), "tracked", Value::Tracked(hand)));
            list.push(Feature::scalar(&named(hand, "pinch"), "pinch", Value::Pinch(hand)));
        }
        if set == FeatureSet::Full {
            list.push(Feature::new("observation.head", pose_components(""), Value::Head));
            list.push(Feature::scalar("observation.head_tracked", "tracked", Value::HeadTracked));
            let gaze = axes("origin.").chain(axes("direction.")).collect();
            list.push(Feature::new("observation.gaze", gaze, Value::Gaze));
            list.push(Feature::scalar("observation.gaze_tracked", "tracked", Value::GazeTracked));
        }
        if options.action != ActionSource::None {
            list.push(Feature::new("action", state, Value::Action));
        }
        list.push(Feature::scalar(TIMESTAMP, TIMESTAMP, Value::Time));
        Self { list, set, joints }
    }

    /// The number of components of all features.
    pub(super) fn width(&self) -> usize {
        self.list.iter().map(Feature::width).sum()
    }

    /// The columns of an episode without its number.
    pub(super) fn episode_schema(&self) -> SchemaRef {
        Arc::new(Schema::new(self.episode_fields().collect::<Vec<_>>()))
    }

    /// The columns of a data file.
    pub(super) fn schema(&self) -> SchemaRef {
        let numbers = NUMBER_COLUMNS.map(|name| Field::new(name, DataType::Int64, true));
        Arc::new(Schema::new(self.episode_fields().chain(numbers).collect::<Vec<_>>()))
    }

    fn episode_fields(&self) -> impl Iterator<Item = Field> {
        let frame_index = Field::new(FRAME_INDEX, DataType::Int64, true);
        self.list.iter().map(Feature::field).chain([frame_index])
    }

    /// Appends the values of a frame. Actions are appended as the state of the same frame.
    pub(super) fn append(&self, frame: &HeldFrame, time_secs: f64, columns: &mut [Vec<f32>]) {
        let flag = |flag: bool| f32::from(u8::from(flag));
        for (feature, column) in self.list.iter().zip(columns) {
            match feature.value {
                Value::State | Value::Action => {
                    for hand in Hand::ALL {
                        let held = frame.hand(hand);
                        self.append_wrist(&held.joints[Joint::Wrist.index()], column);
                        column.push(flag(held.pinching));
                    }
                }
                Value::Hand(hand) => self.append_hand(&frame.hand(hand).joints, column),
                Value::Tracked(hand) => column.push(flag(frame.hand(hand).tracked)),
                Value::Pinch(hand) => column.push(flag(frame.hand(hand).pinching)),
                Value::Head => append_pose(&frame.head, column),
                Value::HeadTracked => column.push(flag(frame.has_head)),
                Value::Gaze => {
                    let Ray { origin, direction } = frame.gaze;
                    column.extend(origin);
                    column.extend(direction);
                }
                Value::GazeTracked => column.push(flag(frame.has_gaze)),
                Value::Time => column.push(time_secs as f32),
            }
        }
    }

    fn append_hand(&self, joints: &[Pose; Joint::COUNT], column: &mut Vec<f32>) {
        match self.set {
            FeatureSet::Full => self.joints.iter().for_each(|joint| append_pose(&joints[joint.index()], column)),
            FeatureSet::Compact => {
                self.append_wrist(&joints[Joint::Wrist.index()], column);
                FINGERTIPS.iter().for_each(|tip| column.extend(joints[tip.index()].position));
            }
        }
    }

    fn append_wrist(&self, wrist: &Pose, column: &mut Vec<f32>) {
        match self.set {
            FeatureSet::Full => append_pose(wrist, column),
            FeatureSet::Compact => {
                column.extend(wrist.position);
                column.extend(six_numbers(wrist.rotation));
            }
        }
    }
}

fn append_pose(pose: &Pose, column: &mut Vec<f32>) {
    column.extend(pose.position);
    column.extend(pose.rotation);
}

fn named(hand: Hand, what: &str) -> String {
    format!("observation.{hand}_{what}")
}

fn axes(prefix: &str) -> impl Iterator<Item = String> {
    ["x", "y", "z"].into_iter().map(move |axis| format!("{prefix}{axis}"))
}

fn pose_components(prefix: &str) -> Vec<String> {
    let rotation = ["x", "y", "z", "w"].map(|axis| format!("{prefix}rotation.{axis}"));
    axes(&format!("{prefix}position.")).chain(rotation).collect()
}

fn wrist_components(set: FeatureSet, prefix: &str) -> Vec<String> {
    let prefix = format!("{prefix}{}.", Joint::Wrist);
    match set {
        FeatureSet::Full => pose_components(&prefix),
        FeatureSet::Compact => ["position.", "x_axis.", "y_axis."]
            .into_iter()
            .flat_map(|part| axes(&format!("{prefix}{part}")).collect::<Vec<_>>())
            .collect(),
    }
}

fn state_components(set: FeatureSet, hand: Hand) -> Vec<String> {
    let mut components = wrist_components(set, &format!("{hand}."));
    components.push(format!("{hand}.pinch"));
    components
}

fn hand_components(set: FeatureSet, joints: &[Joint]) -> Vec<String> {
    match set {
        FeatureSet::Full => joints.iter().flat_map(|joint| pose_components(&format!("{joint}."))).collect(),
        FeatureSet::Compact => {
            let tips = FINGERTIPS.iter().flat_map(|tip| axes(&format!("{tip}.position.")).collect::<Vec<_>>());
            wrist_components(set, "").into_iter().chain(tips).collect()
        }
    }
}

/// The first two columns of the rotation matrix: the x and y axes after the rotation. Unlike quaternions, these numbers have no
/// discontinuity. A quaternion without length is the identity.
fn six_numbers(rotation: [f32; 4]) -> [f32; 6] {
    let [x, y, z, w] = rotation.map(f64::from);
    let length_squared = x * x + y * y + z * z + w * w;
    let s = if length_squared > 0.0 { 2.0 / length_squared } else { 0.0 };
    [
        1.0 - s * (y * y + z * z),
        s * (x * y + z * w),
        s * (x * z - y * w),
        s * (x * y - z * w),
        1.0 - s * (x * x + z * z),
        s * (y * z + x * w),
    ]
    .map(|number| number as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_have_documented_widths() {
        let widths = |set, action| {
            let features = Features::new(&LerobotOptions::new().with_features(set).with_action(action));
            features.list.iter().map(|it| (it.name.clone(), it.width())).collect::<Vec<_>>()
        };
        let full = widths(FeatureSet::Full, ActionSource::Next);
        let expected = [16, 182, 182, 1, 1, 1, 1, 7, 1, 6, 1, 16, 1];
        assert_eq!(full.iter().map(|(_, width)| *width).collect::<Vec<_>>(), expected, "{full:?}");
        let compact = widths(FeatureSet::Compact, ActionSource::None);
        assert_eq!(
            compact.iter().map(|(_, width)| *width).collect::<Vec<_>>(),
            [20, 24, 24, 1, 1, 1, 1, 1],
            "{compact:?}"
        );
    }

    #[test]
    fn joints_are_in_openxr_order() {
        let features = Features::new(&LerobotOptions::new());
        let hand = features.list.iter().find(|feature| feature.name == "observation.left_hand").unwrap();
        assert_eq!(hand.components[..2], ["Palm.position.x", "Palm.position.y"]);
        assert_eq!(hand.components[7..14].last().unwrap(), "Wrist.rotation.w");
        assert_eq!(hand.components.last().unwrap(), "PinkyTip.rotation.w");
    }

    #[test]
    fn six_numbers_are_columns_of_the_matrix() {
        // A quarter turn about z: x becomes y, y becomes -x.
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let expected = [0.0, 1.0, 0.0, -1.0, 0.0, 0.0];
        for rotation in [[0.0, 0.0, half, half], [0.0, 0.0, -3.0, -3.0]] {
            let actual = six_numbers(rotation);
            assert!(actual.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{actual:?}");
        }
        assert_eq!(six_numbers([0.0; 4]), [1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    }
}
