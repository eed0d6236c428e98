//! Tables with one row per frame.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float32Array, Float64Array, RecordBatch};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use holotape::format::Channels;
use holotape::{CurveId, Frame, Hand, HandFrame, Joint, Pose, Ray, Result, VectorId, VectorKind};

use super::arrow_error;
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
    VectorId::from_curve(id).map(|vector| if vector.kind() == VectorKind::Position { "m" } else { "1" })
}

/// The rows of the frames at these times, which `sample` evaluates.
pub(super) fn batch(
    times: &[f64],
    space: Space,
    channels: Channels,
    schema: &SchemaRef,
    mut sample: impl FnMut(f64, &mut Frame) -> Result<()>,
) -> Result<RecordBatch> {
    let mut columns = FrameColumns::with_capacity(channels, times.len());
    let mut frames = vec![Frame::default(); BLOCK_ROWS];
    for times in times.chunks(BLOCK_ROWS) {
        for (time, frame) in times.iter().zip(&mut frames) {
            sample(*time, frame)?;
            space.convert_frame(frame);
        }
        columns.push_all(&frames[..times.len()]);
    }
    columns.into_batch(schema)
}

/// The number of frames that are added to the columns at a time. Frames of one block stay in the processor's cache while each
/// column gets a whole cache line.
const BLOCK_ROWS: usize = 16;

/// The columns of a table of frames, in file order.
pub(crate) struct FrameColumns {
    times: Vec<f64>,
    camera: Option<FloatColumns<7>>,
    hands: Option<[HandColumns; 2]>,
    gaze: Option<FloatColumns<6>>,
}

struct HandColumns {
    tracked: Vec<Option<bool>>,
    pinching: Vec<Option<bool>>,
    joints: Vec<FloatColumns<7>>,
}

impl FrameColumns {
    pub(crate) fn with_capacity(channels: Channels, rows: usize) -> Self {
        let hand = |_| HandColumns {
            tracked: Vec::with_capacity(rows),
            pinching: Vec::with_capacity(rows),
            joints: Joint::ALL.iter().map(|_| FloatColumns::with_capacity(rows)).collect(),
        };
        Self {
            times: Vec::with_capacity(rows),
            camera: channels.camera.then(|| FloatColumns::with_capacity(rows)),
            hands: channels.hands.then(|| Hand::ALL.map(hand)),
            gaze: channels.gaze.then(|| FloatColumns::with_capacity(rows)),
        }
    }

    pub(crate) fn push_all(&mut self, frames: &[Frame]) {
        for frames in frames.chunks(BLOCK_ROWS) {
            self.times.extend(frames.iter().map(|frame| frame.time));
            if let Some(camera) = &mut self.camera {
                camera.push_block(frames.iter().map(|frame| frame.camera.map(pose_row)));
            }
            for (columns, hand) in self.hands.iter_mut().flatten().zip(Hand::ALL) {
                columns.push_block(frames.iter().map(|frame| frame.hand(hand)));
            }
            if let Some(gaze) = &mut self.gaze {
                gaze.push_block(frames.iter().map(|frame| frame.gaze.map(ray_row)));
            }
        }
    }

    pub(crate) fn into_batch(self, schema: &SchemaRef) -> Result<RecordBatch> {
        let time: ArrayRef = Arc::new(Float64Array::from(self.times));
        let mut arrays = vec![time];
        arrays.extend(self.camera.into_iter().flat_map(FloatColumns::into_arrays));
        if let Some([left, right]) = self.hands {
            let flags = [left.tracked, right.tracked, left.pinching, right.pinching];
            arrays.extend(flags.map(|flag| Arc::new(BooleanArray::from(flag)) as ArrayRef));
            arrays.extend(left.joints.into_iter().chain(right.joints).flat_map(FloatColumns::into_arrays));
        }
        arrays.extend(self.gaze.into_iter().flat_map(FloatColumns::into_arrays));
        RecordBatch::try_new(Arc::clone(schema), arrays).map_err(arrow_error)
    }
}

impl HandColumns {
    fn push_block<'a>(&mut self, hands: impl Iterator<Item = Option<&'a HandFrame>> + Clone) {
        self.tracked.extend(hands.clone().map(|hand| hand.map(|hand| hand.tracked)));
        self.pinching.extend(hands.clone().map(|hand| hand.map(|hand| hand.pinching)));
        for (index, column) in self.joints.iter_mut().enumerate() {
            column.push_block(hands.clone().map(|hand| hand.and_then(|hand| hand.joints[index]).map(pose_row)));
        }
    }
}

/// The columns of a pose or a ray, which are null together.
struct FloatColumns<const N: usize> {
    values: [Vec<f32>; N],
    validity: BooleanBufferBuilder,
}

impl<const N: usize> FloatColumns<N> {
    fn with_capacity(rows: usize) -> Self {
        Self { values: std::array::from_fn(|_| Vec::with_capacity(rows)), validity: BooleanBufferBuilder::new(rows) }
    }

    /// Adds at most [`BLOCK_ROWS`] rows.
    #[inline]
    fn push_block(&mut self, rows: impl Iterator<Item = Option<[f32; N]>>) {
        let mut block = [[0.0; BLOCK_ROWS]; N];
        let mut count = 0;
        for (row, values) in rows.take(BLOCK_ROWS).enumerate() {
            self.validity.append(values.is_some());
            for (column, value) in block.iter_mut().zip(values.unwrap_or([0.0; N])) {
                column[row] = value;
            }
            count = row + 1;
        }
        for (column, block) in self.values.iter_mut().zip(&block) {
            column.extend_from_slice(&block[..count]);
        }
    }

    fn into_arrays(mut self) -> impl Iterator<Item = ArrayRef> {
        let nulls = NullBuffer::new(self.validity.finish());
        let nulls = (nulls.null_count() > 0).then_some(nulls);
        let array = move |values: Vec<f32>| Arc::new(Float32Array::new(values.into(), nulls.clone())) as ArrayRef;
        self.values.into_iter().map(array)
    }
}

fn pose_row(Pose { position: [px, py, pz], rotation: [x, y, z, w] }: Pose) -> [f32; 7] {
    [px, py, pz, x, y, z, w]
}

fn ray_row(Ray { origin: [ox, oy, oz], direction: [x, y, z] }: Ray) -> [f32; 6] {
    [ox, oy, oz, x, y, z]
}
