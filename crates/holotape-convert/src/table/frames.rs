//! Tables with one row per frame.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use holotape::format::Channels;
use holotape::{
    CurveId, Frame, Hand, HandFrame, Joint, Pose, PoseComponent, Ray, RayComponent, Recording, Result, Sampler,
};

use super::columns::{BoolColumn, FloatColumns};
use super::{BATCH_ROWS, TableOptions, arrow_error};
use crate::Space;

/// The column of times, in seconds.
pub(super) const TIME: &str = "time";

pub(super) fn schema(channels: Channels) -> SchemaRef {
    let time = with_unit(Field::new(TIME, DataType::Float64, false), "s");
    let curve = |id: CurveId| match unit(id) {
        Some(unit) => with_unit(Field::new(id.to_string(), DataType::Float32, true), unit),
        None => Field::new(id.to_string(), DataType::Boolean, true),
    };
    Arc::new(Schema::new(std::iter::once(time).chain(CurveId::all(channels).map(curve)).collect::<Vec<_>>()))
}

fn with_unit(field: Field, unit: &str) -> Field {
    field.with_metadata(HashMap::from([("unit".to_owned(), unit.to_owned())]))
}

/// Metres, or `1` for unit vectors; `None` for flags.
fn unit(id: CurveId) -> Option<&'static str> {
    match id {
        CurveId::Tracked(_) | CurveId::Pinching(_) => None,
        CurveId::Camera(component) | CurveId::Joint(_, _, component) => {
            Some(if component < PoseComponent::RotationX { "m" } else { "1" })
        }
        CurveId::Gaze(component) => Some(if component < RayComponent::DirectionX { "m" } else { "1" }),
    }
}

/// Batches of the frames of a recording.
pub(super) struct Batches {
    sampler: Sampler,
    times: std::vec::IntoIter<f64>,
    channels: Channels,
    schema: SchemaRef,
    space: Space,
    frame: Frame,
    is_first: bool,
}

impl Batches {
    pub(super) fn new(recording: &Recording, options: &TableOptions, channels: Channels) -> Result<Self> {
        Ok(Self {
            sampler: recording.sampler().with_untracked_poses(options.untracked_poses),
            times: options.timing.times(recording)?.into_iter(),
            channels,
            schema: schema(channels),
            space: options.space,
            frame: Frame::default(),
            is_first: true,
        })
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let times: Vec<_> = self.times.by_ref().take(BATCH_ROWS).collect();
        // A table without rows still has columns.
        if times.is_empty() && !std::mem::take(&mut self.is_first) {
            return None;
        }
        self.is_first = false;
        let mut columns = FrameColumns::with_capacity(self.channels, times.len());
        for time in times {
            self.sampler.frame_into(time, &mut self.frame);
            self.space.convert_frame(&mut self.frame);
            columns.push(&self.frame);
        }
        Some(columns.into_batch(&self.schema))
    }
}

/// The columns of a table of frames, in file order.
pub(crate) struct FrameColumns {
    times: Vec<f64>,
    camera: Option<FloatColumns<7>>,
    hands: Option<[HandColumns; 2]>,
    gaze: Option<FloatColumns<6>>,
}

struct HandColumns {
    tracked: BoolColumn,
    pinching: BoolColumn,
    joints: Vec<FloatColumns<7>>,
}

impl FrameColumns {
    pub(crate) fn with_capacity(channels: Channels, rows: usize) -> Self {
        let hand = |_| HandColumns {
            tracked: BoolColumn::with_capacity(rows),
            pinching: BoolColumn::with_capacity(rows),
            joints: Joint::ALL.iter().map(|_| FloatColumns::with_capacity(rows)).collect(),
        };
        Self {
            times: Vec::with_capacity(rows),
            camera: channels.camera.then(|| FloatColumns::with_capacity(rows)),
            hands: channels.hands.then(|| Hand::ALL.map(hand)),
            gaze: channels.gaze.then(|| FloatColumns::with_capacity(rows)),
        }
    }

    pub(crate) fn push(&mut self, frame: &Frame) {
        self.times.push(frame.time);
        if let Some(camera) = &mut self.camera {
            camera.push(frame.camera.map(pose_row));
        }
        for (columns, hand) in self.hands.iter_mut().flatten().zip(Hand::ALL) {
            columns.push(frame.hand(hand));
        }
        if let Some(gaze) = &mut self.gaze {
            gaze.push(frame.gaze.map(ray_row));
        }
    }

    pub(crate) fn into_batch(self, schema: &SchemaRef) -> Result<RecordBatch> {
        let time: ArrayRef = Arc::new(Float64Array::from(self.times));
        let mut arrays = vec![time];
        arrays.extend(self.camera.into_iter().flat_map(FloatColumns::into_arrays));
        if let Some([left, right]) = self.hands {
            arrays.extend([left.tracked, right.tracked, left.pinching, right.pinching].map(BoolColumn::into_array));
            arrays.extend(left.joints.into_iter().chain(right.joints).flat_map(FloatColumns::into_arrays));
        }
        arrays.extend(self.gaze.into_iter().flat_map(FloatColumns::into_arrays));
        RecordBatch::try_new(Arc::clone(schema), arrays).map_err(arrow_error)
    }
}

impl HandColumns {
    fn push(&mut self, hand: Option<&HandFrame>) {
        self.tracked.push(hand.map(|hand| hand.tracked));
        self.pinching.push(hand.map(|hand| hand.pinching));
        for (index, column) in self.joints.iter_mut().enumerate() {
            column.push(hand.and_then(|hand| hand.joints[index]).map(pose_row));
        }
    }
}

fn pose_row(Pose { position: [px, py, pz], rotation: [x, y, z, w] }: Pose) -> [f32; 7] {
    [px, py, pz, x, y, z, w]
}

fn ray_row(Ray { origin: [ox, oy, oz], direction: [x, y, z] }: Ray) -> [f32; 6] {
    [ox, oy, oz, x, y, z]
}
