//! Tasks: the text of each frame, and the table `meta/tasks.parquet`.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use holotape::{Recording, Result};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::options::{LerobotOptions, TaskSource};
use super::parquet_error;
use crate::rows::arrow_error;

/// Consecutive frames with one task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TaskSpan {
    pub(super) start_frame: u64,
    pub(super) task: String,
}

/// The tasks of a recording, in order of time; the first one starts at frame 0.
pub(super) fn task_spans(
    recording: &Recording,
    path: &Path,
    frame_count: u64,
    options: &LerobotOptions,
) -> Vec<TaskSpan> {
    let mut spans = vec![TaskSpan { start_frame: 0, task: options.task.clone() }];
    match options.tasks {
        TaskSource::Text => {}
        TaskSource::Folders => {
            let folder = path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
            spans[0].task = folder.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| options.task.clone());
        }
        TaskSource::Markers => {
            let mut markers: Vec<_> =
                recording.markers.iter().filter(|marker| !marker.name.trim().is_empty()).collect();
            markers.sort_by(|a, b| a.time.total_cmp(&b.time));
            for marker in markers {
                // The first frame at or after the marker. The tolerance is for times such as 0.1, which are not exact.
                let start = (f64::from(marker.time) * f64::from(options.fps) - 1e-4).ceil().max(0.0) as u64;
                add_span(&mut spans, TaskSpan { start_frame: start, task: marker.name.clone() }, frame_count);
            }
        }
    }
    spans
}

/// Adds a span after the others. It replaces one that starts at the same frame.
fn add_span(spans: &mut Vec<TaskSpan>, span: TaskSpan, frame_count: u64) {
    if span.start_frame >= frame_count {
        return;
    }
    while spans.last().is_some_and(|last| last.start_frame >= span.start_frame) {
        spans.pop();
    }
    if spans.last().is_none_or(|last| last.task != span.task) {
        spans.push(span);
    }
}

/// All tasks of a dataset, numbered in the order of their first frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TaskTable(Vec<String>);

impl TaskTable {
    /// The number of a task, which is added if it is new.
    pub(super) fn number(&mut self, task: &str) -> i64 {
        let number = self.0.iter().position(|known| known == task).unwrap_or_else(|| {
            self.0.push(task.to_owned());
            self.0.len() - 1
        });
        number as i64
    }

    pub(super) fn texts(&self) -> &[String] {
        &self.0
    }

    /// The table as pandas writes it: the text is the index.
    pub(super) fn to_parquet(&self) -> Result<Vec<u8>> {
        let fields = vec![Field::new("task_index", DataType::Int64, true), Field::new("task", DataType::Utf8, true)];
        let schema = Schema::new(fields).with_metadata([("pandas", pandas_metadata())]);
        let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(0..self.0.len() as i64));
        let texts: ArrayRef = Arc::new(StringArray::from_iter_values(&self.0));
        let batch = RecordBatch::try_new(Arc::new(schema), vec![numbers, texts]).map_err(arrow_error)?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).map_err(parquet_error)?;
        writer.write(&batch).map_err(parquet_error)?;
        writer.into_inner().map_err(parquet_error)
    }
}

/// With this, pandas restores the index.
fn pandas_metadata() -> String {
    let column = |name: &str, pandas_type: &str, numpy_type: &str| json!({"name": name, "field_name": name, "pandas_type": pandas_type, "numpy_type": numpy_type, "metadata": null});
    let metadata = json!({
        "index_columns": ["task"],
        "column_indexes": [{
            "name": null, "field_name": null, "pandas_type": "unicode", "numpy_type": "object",
            "metadata": {"encoding": "UTF-8"},
        }],
        "columns": [column("task_index", "int64", "int64"), column("task", "unicode", "object")],
        "attributes": {},
        "creator": {"library": "holotape", "version": env!("CARGO_PKG_VERSION")},
        "pandas_version": "2.3.0",
    });
    metadata.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(markers: &[(f32, &str)], frame_count: u64, tasks: TaskSource) -> Vec<(u64, String)> {
        let mut recording = Recording::default();
        markers.iter().for_each(|(time, name)| recording.markers.add(*time, *name));
        let options = LerobotOptions::new().with_task("wait").with_tasks(tasks).with_fps(10);
        let spans = task_spans(&recording, Path::new("/study/pour water/a.bin"), frame_count, &options);
        spans.into_iter().map(|span| (span.start_frame, span.task)).collect()
    }

    fn owned<const N: usize>(spans: [(u64, &str); N]) -> Vec<(u64, String)> {
        spans.map(|(frame, task)| (frame, task.to_owned())).to_vec()
    }

    #[test]
    fn marker_starts_a_task_at_its_frame() {
        let of = |markers: &[(f32, &str)]| spans(markers, 20, TaskSource::Markers);
        assert_eq!(of(&[]), owned([(0, "wait")]));
        assert_eq!(of(&[(0.3, "reach"), (0.95, "grasp")]), owned([(0, "wait"), (3, "reach"), (10, "grasp")]));
        assert_eq!(of(&[(0.0, "reach"), (1.91, "too late")]), owned([(0, "reach")]));
        assert_eq!(of(&[(0.31, "a"), (0.39, "b"), (0.5, "b"), (0.6, " ")]), owned([(0, "wait"), (4, "b")]));
    }

    #[test]
    fn folder_or_text_is_the_task_of_all_frames() {
        let markers = [(0.3, "reach")];
        assert_eq!(spans(&markers, 20, TaskSource::Folders), owned([(0, "pour water")]));
        assert_eq!(spans(&markers, 20, TaskSource::Text), owned([(0, "wait")]));
    }
}
