//! The table of frames with a selection of columns: only their curves are read and only their poses evaluated. Tested
//! against [`RecordingRows`](crate::RecordingRows), which evaluates everything.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, BooleanArray, Float32Array, Float64Array, RecordBatch, RecordBatchOptions};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer};
use holotape::format::{CurveSubset, Index};
use holotape::{
    CurveId, CurveMut, Frame, FrameLimit, Keys, LinearKey, Recording, Result, Sampler, VectorId, VectorOwner,
    times_at_rate,
};
use holotape_convert::OpenOptions;
use holotape_convert::table::RECORDING;

use super::counts::{Counters, add};
use super::curve_set::CurveSet;
use super::index_cache::FileIndex;
use super::options::TimeFilter;
use super::plan::ScanPlan;
use super::read::FileContents;
use super::worker::{BatchSink, ScanAbort, emit, is_bin};
use crate::RowOptions;
use crate::rows::{BATCH_ROWS, arrow_error};

/// Builds the selected columns.
pub(super) struct FrameTableBuilder {
    schema: arrow_schema::SchemaRef,
    rows: RowOptions,
    times: TimeFilter,
    sources: Vec<ColumnSource>,
    vectors: Vec<VectorColumns>,
    flags: Vec<(CurveId, Vec<Option<bool>>)>,
    time_column: Vec<f64>,
    names: StringBuilder,
    /// The curves to read.
    selected: CurveSet,
    frame: Frame,
}

/// Where the values of a column come from.
enum ColumnSource {
    Recording,
    Time,
    Flag(usize),
    /// Index of the vector, and of the column in it.
    Number(usize, usize),
}

/// The selected columns of one pose or ray, which are null together.
struct VectorColumns {
    owner: VectorOwner,
    components: Vec<usize>,
    columns: Vec<Vec<f32>>,
    validity: BooleanBufferBuilder,
}

/// A recording that is ready to be sampled.
pub(super) struct PreparedRecording {
    sampler: Option<Sampler>,
    duration_secs: f64,
}

impl FrameTableBuilder {
    pub(super) fn new(plan: &ScanPlan) -> Self {
        let mut frames = Self {
            schema: Arc::clone(&plan.schema),
            rows: plan.options.rows,
            times: plan.options.times,
            sources: Vec::new(),
            vectors: Vec::new(),
            flags: Vec::new(),
            time_column: Vec::new(),
            names: StringBuilder::new(),
            selected: CurveSet::default(),
            frame: Frame::default(),
        };
        frames.sources = plan.column_names().map(|name| frames.add_column(name)).collect();
        frames
    }

    fn add_column(&mut self, name: &str) -> ColumnSource {
        let Ok(id) = name.parse::<CurveId>() else {
            return if name == RECORDING { ColumnSource::Recording } else { ColumnSource::Time };
        };
        match VectorId::from_curve(id) {
            Some(vector) => self.add_number(vector, id),
            None => {
                self.selected.insert(id);
                self.flags.push((id, Vec::new()));
                ColumnSource::Flag(self.flags.len() - 1)
            }
        }
    }

    fn add_number(&mut self, vector: VectorId, id: CurveId) -> ColumnSource {
        let component = match id {
            CurveId::Joint(hand, _, component) => {
                self.selected.insert(CurveId::Tracked(hand));
                component as usize
            }
            CurveId::Camera(component) => component as usize,
            CurveId::Gaze(component) => component as usize,
            CurveId::Tracked(_) | CurveId::Pinching(_) => 0,
        };
        vector.curve_ids().into_iter().for_each(|id| self.selected.insert(id));
        let owner = vector.owner();
        let vector = self.vectors.iter().position(|vector| vector.owner == owner).unwrap_or_else(|| {
            let validity = BooleanBufferBuilder::new(BATCH_ROWS);
            self.vectors.push(VectorColumns { owner, components: Vec::new(), columns: Vec::new(), validity });
            self.vectors.len() - 1
        });
        let VectorColumns { components, columns, .. } = &mut self.vectors[vector];
        components.push(component);
        columns.push(Vec::new());
        ColumnSource::Number(vector, columns.len() - 1)
    }

    /// Reads the selected curves of a file, and returns its index for the cache.
    pub(super) fn prepare(
        &self,
        path: &Path,
        contents: FileContents<'_>,
        counters: &Counters,
    ) -> Result<(PreparedRecording, Option<FileIndex>)> {
        let is_selected = |id: CurveId| self.selected.contains(id);
        let (index, recording, duration_secs) = match contents {
            FileContents::Complete(bytes) => {
                add(&counters.bytes, bytes.len() as u64);
                if !is_bin(bytes) {
                    let recording = OpenOptions::new().from_slice_at(bytes, path)?.recording;
                    return Ok((self.prepare_converted(&recording, counters)?, None));
                }
                let index = Index::from_slice(bytes)?;
                let CurveSubset { recording, duration_secs, .. } = index.read_subset(bytes, is_selected)?;
                (index, recording, duration_secs)
            }
            FileContents::Large(mut file) => {
                let (index, duration_secs) = Index::from_reader_with_duration(&mut file)?;
                let recording = index.read_curves_from(&mut file, is_selected)?;
                add(&counters.bytes, self.selected_bytes(&index));
                (index, recording, duration_secs)
            }
        };
        let prepared = self.prepare_curves(&index, recording, duration_secs, counters)?;
        Ok((prepared, Some(FileIndex { index, duration_secs })))
    }

    /// Reads the selected curves of a file with a cached index.
    pub(super) fn prepare_cached(
        &self,
        file_index: &FileIndex,
        file: File,
        counters: &Counters,
    ) -> Result<PreparedRecording> {
        let FileIndex { index, duration_secs } = file_index;
        let recording = index.read_curves_from(file, |id| self.selected.contains(id))?;
        add(&counters.bytes, self.selected_bytes(index));
        self.prepare_curves(index, recording, *duration_secs, counters)
    }

    fn selected_bytes(&self, index: &Index) -> u64 {
        let selected = index.curves().iter().filter(|curve| self.selected.contains(curve.id));
        selected.map(|curve| curve.key_range.end - curve.key_range.start).sum()
    }

    fn prepare_curves(
        &self,
        index: &Index,
        mut recording: Recording,
        duration_secs: f32,
        counters: &Counters,
    ) -> Result<PreparedRecording> {
        self.rows.check_length(duration_secs.into(), FrameLimit::for_bytes(index.byte_len()))?;
        add(&counters.curves, index.curves().iter().filter(|curve| self.selected.contains(curve.id)).count() as u64);
        if self.vectors.is_empty() && self.flags.is_empty() {
            return Ok(PreparedRecording { sampler: None, duration_secs: duration_secs.into() });
        }
        // A pose exists if all of its curves have keys, including those that were not selected.
        let keys = index.curves().iter().filter(|curve| curve.key_count > 0).map(|curve| curve.id);
        self.add_placeholder_keys(&mut recording, keys);
        Ok(PreparedRecording { sampler: Some(recording.sampler()), duration_secs: duration_secs.into() })
    }

    /// Other file formats are read completely.
    fn prepare_converted(&self, recording: &Recording, counters: &Counters) -> Result<PreparedRecording> {
        let duration_secs = recording.duration_secs().into();
        self.rows.check_length(duration_secs, FrameLimit::for_recording(recording))?;
        add(&counters.curves, recording.curves().count() as u64);
        Ok(PreparedRecording { sampler: Some(recording.sampler()), duration_secs })
    }

    /// Adds one key to each curve of a selected pose that has keys in the file but was not read.
    fn add_placeholder_keys(&self, recording: &mut Recording, with_keys: impl Iterator<Item = CurveId>) {
        let is_of_vector = |id: CurveId| {
            let owner = VectorId::from_curve(id).map(VectorId::owner);
            self.vectors.iter().any(|vector| owner == Some(vector.owner))
        };
        for id in with_keys.filter(|id| !self.selected.contains(*id) && is_of_vector(*id)) {
            if let Some(CurveMut::Float(curve)) = recording.curve_mut(id) {
                curve.keys = Keys::Linear(vec![LinearKey::new(0.0, 0.0)]);
            }
        }
    }

    /// Adds the rows of a recording.
    pub(super) fn push(&mut self, name: &str, prepared: PreparedRecording, to: BatchSink<'_>) -> Result<(), ScanAbort> {
        let PreparedRecording { mut sampler, duration_secs } = prepared;
        let times = self.times;
        let has_names = self.sources.iter().any(|source| matches!(source, ColumnSource::Recording));
        for time in times_at_rate(0.0..=duration_secs, self.rows.rate_hz()).filter(|time| times.contains(*time)) {
            self.time_column.push(time);
            if has_names {
                self.names.append_value(name);
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
        for vector in &mut self.vectors {
            vector.push(&self.frame);
        }
        for (id, column) in &mut self.flags {
            column.push(self.frame.value(*id).map(|value| value > 0.5));
        }
    }

    /// Emits the buffered rows.
    pub(super) fn flush(&mut self, to: BatchSink<'_>) -> Result<(), ScanAbort> {
        if self.time_column.is_empty() { Ok(()) } else { emit(self.finish(), to) }
    }

    fn finish(&mut self) -> Result<RecordBatch> {
        let rows = RecordBatchOptions::new().with_row_count(Some(self.time_column.len()));
        let times: ArrayRef = Arc::new(Float64Array::from(std::mem::take(&mut self.time_column)));
        let names: ArrayRef = Arc::new(self.names.finish());
        let flags = self.flags.iter_mut().map(|(_, column)| std::mem::take(column));
        let flags: Vec<ArrayRef> = flags.map(|column| Arc::new(BooleanArray::from(column)) as ArrayRef).collect();
        let vectors: Vec<_> = self.vectors.iter_mut().map(VectorColumns::finish).collect();
        let columns = self.sources.iter().map(|source| match source {
            ColumnSource::Recording => Arc::clone(&names),
            ColumnSource::Time => Arc::clone(&times),
            ColumnSource::Flag(flag) => Arc::clone(&flags[*flag]),
            ColumnSource::Number(vector, column) => Arc::clone(&vectors[*vector][*column]),
        });
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns.collect(), &rows).map_err(arrow_error)
    }
}

impl VectorColumns {
    fn push(&mut self, frame: &Frame) {
        let values = match self.owner {
            VectorOwner::Pose(id) => frame.pose(id).map(|pose| {
                let ([px, py, pz], [x, y, z, w]) = (pose.position, pose.rotation);
                [px, py, pz, x, y, z, w]
            }),
            VectorOwner::Gaze => frame.gaze.map(|ray| {
                let ([ox, oy, oz], [x, y, z]) = (ray.origin, ray.direction);
                [ox, oy, oz, x, y, z, 0.0]
            }),
        };
        self.validity.append(values.is_some());
        let values = values.unwrap_or_default();
        for (column, component) in self.columns.iter_mut().zip(&self.components) {
            column.push(values[*component]);
        }
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        let nulls = NullBuffer::new(self.validity.finish());
        let nulls = (nulls.null_count() > 0).then_some(nulls);
        let array = |column: &mut Vec<f32>| {
            Arc::new(Float32Array::new(std::mem::take(column).into(), nulls.clone())) as ArrayRef
        };
        self.columns.iter_mut().map(array).collect()
    }
}
