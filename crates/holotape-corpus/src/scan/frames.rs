//! Frames of which only some columns are wanted: only their curves are read, and only their poses evaluated. Tested against
//! the plain way by [`Rows`](crate::Rows).

use std::fs::File;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, BooleanArray, Float32Array, Float64Array, RecordBatch, RecordBatchOptions};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer};
use holotape::format::{CurveSubset, Index};
use holotape::{
    CurveId, CurveMut, Frame, Keys, LinearKey, Recording, Result, Sampler, VectorId, VectorOwner, times_at_rate,
};

use super::counts::{Counters, add};
use super::curve_set::CurveSet;
use super::index_cache::FileIndex;
use super::options::TimeFilter;
use super::plan::ScanPlan;
use super::read::FileContents;
use super::worker::{BatchSink, ScanAbort, emit, is_bin};
use crate::RowOptions;
use crate::rows::{BATCH_ROWS, arrow_error};

/// The columns that are wanted, as they grow.
pub(super) struct FrameTableBuilder {
    schema: arrow_schema::SchemaRef,
    rows: RowOptions,
    times: TimeFilter,
    outputs: Vec<ColumnSource>,
    groups: Vec<VectorColumns>,
    flags: Vec<(CurveId, Vec<Option<bool>>)>,
    time_column: Vec<f64>,
    takes: StringBuilder,
    /// The curves that have to be read.
    wanted: CurveSet,
    frame: Frame,
}

/// What a column is made of.
enum ColumnSource {
    Take,
    Time,
    Flag(usize),
    /// Which group, and which of its columns.
    Number(usize, usize),
}

/// Columns of one pose or ray: there or absent together.
struct VectorColumns {
    of: VectorOwner,
    parts: Vec<usize>,
    columns: Vec<Vec<f32>>,
    is_there: BooleanBufferBuilder,
}

/// A take that is ready to be evaluated.
pub(super) struct PreparedRecording {
    sampler: Option<Sampler>,
    duration_secs: f64,
}

impl FrameTableBuilder {
    /// For a choice of another table there are no columns, and nobody asks for any.
    pub(super) fn new(choice: &ScanPlan) -> Self {
        let mut frames = Self {
            schema: Arc::clone(&choice.schema),
            rows: choice.options.rows,
            times: choice.options.times,
            outputs: Vec::new(),
            groups: Vec::new(),
            flags: Vec::new(),
            time_column: Vec::new(),
            takes: StringBuilder::new(),
            wanted: CurveSet::default(),
            frame: Frame::default(),
        };
        frames.outputs = choice.column_names().map(|name| frames.output(name)).collect();
        frames
    }

    fn output(&mut self, name: &str) -> ColumnSource {
        let Ok(id) = name.parse::<CurveId>() else {
            return if name == crate::schema::TAKE { ColumnSource::Take } else { ColumnSource::Time };
        };
        match VectorId::from_curve(id) {
            Some(vector) => self.number(vector, id),
            None => {
                self.wanted.insert(id);
                self.flags.push((id, Vec::new()));
                ColumnSource::Flag(self.flags.len() - 1)
            }
        }
    }

    fn number(&mut self, vector: VectorId, id: CurveId) -> ColumnSource {
        let component = match id {
            CurveId::Joint(hand, _, component) => {
                self.wanted.insert(CurveId::Tracked(hand));
                component as usize
            }
            CurveId::Camera(component) => component as usize,
            CurveId::Gaze(component) => component as usize,
            CurveId::Tracked(_) | CurveId::Pinching(_) => 0,
        };
        vector.curve_ids().into_iter().for_each(|id| self.wanted.insert(id));
        let of = vector.owner();
        let group = self.groups.iter().position(|group| group.of == of).unwrap_or_else(|| {
            let is_there = BooleanBufferBuilder::new(BATCH_ROWS);
            self.groups.push(VectorColumns { of, parts: Vec::new(), columns: Vec::new(), is_there });
            self.groups.len() - 1
        });
        let VectorColumns { parts, columns, .. } = &mut self.groups[group];
        parts.push(component);
        columns.push(Vec::new());
        ColumnSource::Number(group, columns.len() - 1)
    }

    /// Reads what is wanted of a take, and tells what is where in it if that is worth knowing.
    pub(super) fn prepare(
        &self,
        contents: &FileContents<'_>,
        counters: &Counters,
    ) -> Result<(PreparedRecording, Option<FileIndex>)> {
        let wanted = |id: CurveId| self.wanted.contains(id);
        let (index, recording, duration_secs) = match contents {
            FileContents::Whole(bytes) => {
                add(&counters.bytes, bytes.len() as u64);
                if !is_bin(bytes) {
                    let recording = holotape_convert::from_slice(bytes)?.recording;
                    return Ok((self.prepare_converted(&recording, counters)?, None));
                }
                let index = Index::from_slice(bytes)?;
                let CurveSubset { recording, duration_secs, .. } = index.read_subset(bytes, wanted)?;
                (index, recording, duration_secs)
            }
            FileContents::Large(file) => {
                let (index, duration_secs) = Index::from_reader_with_duration(file)?;
                let recording = index.read_curves_from(file, wanted)?;
                add(&counters.bytes, self.wanted_bytes(&index));
                (index, recording, duration_secs)
            }
        };
        let prepared = self.prepare_curves(&index, recording, duration_secs, counters)?;
        Ok((prepared, Some(FileIndex { index, duration_secs })))
    }

    /// The same of a file of which it is known what is where.
    pub(super) fn prepare_cached(
        &self,
        outline: &FileIndex,
        file: File,
        counters: &Counters,
    ) -> Result<PreparedRecording> {
        let FileIndex { index, duration_secs } = outline;
        let recording = index.read_curves_from(file, |id| self.wanted.contains(id))?;
        add(&counters.bytes, self.wanted_bytes(index));
        self.prepare_curves(index, recording, *duration_secs, counters)
    }

    fn wanted_bytes(&self, index: &Index) -> u64 {
        let wanted = index.curves().iter().filter(|span| self.wanted.contains(span.id));
        wanted.map(|span| span.key_range.end - span.key_range.start).sum()
    }

    fn prepare_curves(
        &self,
        index: &Index,
        mut recording: Recording,
        duration_secs: f32,
        counters: &Counters,
    ) -> Result<PreparedRecording> {
        self.rows.check_length(duration_secs.into())?;
        add(&counters.curves, index.curves().iter().filter(|span| self.wanted.contains(span.id)).count() as u64);
        if self.groups.is_empty() && self.flags.is_empty() {
            return Ok(PreparedRecording { sampler: None, duration_secs: duration_secs.into() });
        }
        // A pose is there where all of its curves have keys, also those that nobody wants.
        let keys = index.curves().iter().filter(|span| span.key_count > 0).map(|span| span.id);
        self.add_placeholder_keys(&mut recording, keys);
        Ok(PreparedRecording { sampler: Some(recording.sampler()), duration_secs: duration_secs.into() })
    }

    /// Of a file of another kind all is read.
    fn prepare_converted(&self, recording: &Recording, counters: &Counters) -> Result<PreparedRecording> {
        let duration_secs = recording.duration_secs().into();
        self.rows.check_length(duration_secs)?;
        add(&counters.curves, recording.curves().count() as u64);
        Ok(PreparedRecording { sampler: Some(recording.sampler()), duration_secs })
    }

    /// Gives one key to curves of wanted poses that have keys in the file but were not read.
    fn add_placeholder_keys(&self, recording: &mut Recording, with_keys: impl Iterator<Item = CurveId>) {
        let is_of_group = |id: CurveId| {
            self.groups.iter().any(|group| VectorId::from_curve(id).map(VectorId::owner) == Some(group.of))
        };
        for id in with_keys.filter(|id| !self.wanted.contains(*id) && is_of_group(*id)) {
            if let Some(CurveMut::Float(curve)) = recording.curve_mut(id) {
                curve.keys = Keys::Linear(vec![LinearKey::new(0.0, 0.0)]);
            }
        }
    }

    /// Adds the rows of a take.
    pub(super) fn push(&mut self, take: &str, prepared: PreparedRecording, to: BatchSink<'_>) -> Result<(), ScanAbort> {
        let PreparedRecording { mut sampler, duration_secs } = prepared;
        let times = self.times;
        let has_take = self.outputs.iter().any(|output| matches!(output, ColumnSource::Take));
        for time in times_at_rate(0.0..=duration_secs, self.rows.rate_hz()).filter(|time| times.contains(*time)) {
            self.time_column.push(time);
            if has_take {
                self.takes.append_value(take);
            }
            if let Some(sampler) = &mut sampler {
                sampler.frame_into(time, &mut self.frame);
                self.push_frame();
            }
            if self.time_column.len() == BATCH_ROWS {
                self.flush(to)?;
            }
        }
        Ok(())
    }

    fn push_frame(&mut self) {
        for group in &mut self.groups {
            group.push(&self.frame);
        }
        for (id, column) in &mut self.flags {
            column.push(self.frame.value(*id).map(|value| value > 0.5));
        }
    }

    /// Gives away the rows that are there.
    pub(super) fn flush(&mut self, to: BatchSink<'_>) -> Result<(), ScanAbort> {
        if self.time_column.is_empty() { Ok(()) } else { emit(self.finish(), to) }
    }

    fn finish(&mut self) -> Result<RecordBatch> {
        let rows = RecordBatchOptions::new().with_row_count(Some(self.time_column.len()));
        let times: ArrayRef = Arc::new(Float64Array::from(std::mem::take(&mut self.time_column)));
        let takes: ArrayRef = Arc::new(self.takes.finish());
        let flags = self.flags.iter_mut().map(|(_, column)| std::mem::take(column));
        let flags: Vec<ArrayRef> = flags.map(|column| Arc::new(BooleanArray::from(column)) as ArrayRef).collect();
        let groups: Vec<_> = self.groups.iter_mut().map(VectorColumns::finish).collect();
        let columns = self.outputs.iter().map(|output| match output {
            ColumnSource::Take => Arc::clone(&takes),
            ColumnSource::Time => Arc::clone(&times),
            ColumnSource::Flag(flag) => Arc::clone(&flags[*flag]),
            ColumnSource::Number(group, column) => Arc::clone(&groups[*group][*column]),
        });
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns.collect(), &rows).map_err(arrow_error)
    }
}

impl VectorColumns {
    fn push(&mut self, frame: &Frame) {
        let values = match self.of {
            VectorOwner::Pose(id) => frame.pose(id).map(|pose| {
                let ([px, py, pz], [x, y, z, w]) = (pose.position, pose.rotation);
                [px, py, pz, x, y, z, w]
            }),
            VectorOwner::Gaze => frame.gaze.map(|ray| {
                let ([ox, oy, oz], [x, y, z]) = (ray.origin, ray.direction);
                [ox, oy, oz, x, y, z, 0.0]
            }),
        };
        self.is_there.append(values.is_some());
        let values = values.unwrap_or_default();
        for (column, part) in self.columns.iter_mut().zip(&self.parts) {
            column.push(values[*part]);
        }
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        let nulls = NullBuffer::new(self.is_there.finish());
        let nulls = (nulls.null_count() > 0).then_some(nulls);
        let array = |column: &mut Vec<f32>| {
            Arc::new(Float32Array::new(std::mem::take(column).into(), nulls.clone())) as ArrayRef
        };
        self.columns.iter_mut().map(array).collect()
    }
}
