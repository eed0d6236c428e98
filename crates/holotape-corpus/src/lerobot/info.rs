//! `meta/info.json` and `meta/stats.json`.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::Float32Type;
use arrow_array::{Array, ArrayRef};
use holotape::{Error, ErrorKind, Result};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use rayon::ThreadPool;
use rayon::prelude::*;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

use super::features::{FRAME_INDEX, Features, NUMBER_COLUMNS};
use super::manifest::{CHUNK_FILES, Position};
use super::options::LerobotOptions;
use super::stats::{COUNT, ComponentStats, Moments, STAT_NAMES, sample_stride};
use super::{episode_file, parquet_error};
use crate::rows::arrow_error;

/// A JSON object with its keys in this order.
struct OrderedMap<V>(Vec<(String, V)>);

impl<V: Serialize> Serialize for OrderedMap<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        self.0.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
        map.end()
    }
}

/// Readers expect features in the order of the columns.
#[derive(serde::Serialize)]
struct Info {
    codebase_version: &'static str,
    robot_type: String,
    total_episodes: u64,
    total_frames: u64,
    total_tasks: usize,
    chunks_size: usize,
    data_files_size_in_mb: u64,
    video_files_size_in_mb: u64,
    fps: u32,
    splits: Value,
    data_path: &'static str,
    video_path: Option<&'static str>,
    features: OrderedMap<Value>,
}

/// The text of `meta/info.json` at the end of a dataset.
pub(super) fn info_json(features: &Features, end: &Position, options: &LerobotOptions) -> Result<String> {
    let mut list: Vec<_> = features.list.iter().map(|feature| (feature.name.clone(), feature_json(feature))).collect();
    let integers = std::iter::once(FRAME_INDEX).chain(NUMBER_COLUMNS);
    list.extend(integers.map(|name| (name.to_owned(), json!({"dtype": "int64", "shape": [1], "names": null}))));
    let info = Info {
        codebase_version: "v3.0",
        robot_type: options.robot_type.clone(),
        total_episodes: end.episode,
        total_frames: end.frame,
        total_tasks: end.tasks.texts().len(),
        chunks_size: CHUNK_FILES,
        data_files_size_in_mb: options.whole_file_mb(),
        video_files_size_in_mb: 200,
        fps: options.fps,
        splits: json!({"train": format!("0:{}", end.episode)}),
        data_path: "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet",
        video_path: None,
        features: OrderedMap(list),
    };
    pretty(&info)
}

fn feature_json(feature: &super::features::Feature) -> Value {
    let names = if feature.is_default() { Value::Null } else { json!(feature.components) };
    json!({"dtype": "float32", "shape": [feature.width()], "names": names})
}

fn pretty(value: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Error::from(io::Error::from(error)))?;
    Ok(text + "\n")
}

/// The files whose frames the statistics cover.
pub(super) struct DatasetFiles {
    /// Files of episodes, and their lengths.
    pub(super) episodes: Vec<(PathBuf, Vec<u64>)>,
    /// Data files, and the numbers of their first frames.
    pub(super) data: Vec<(PathBuf, u64)>,
    pub(super) frame_count: u64,
}

/// The text of `meta/stats.json`. Quantiles are read from the data files, other statistics from those of the episodes.
pub(super) fn stats_json(files: &DatasetFiles, features: &Features, pool: &ThreadPool) -> Result<String> {
    let mut moments = vec![Moments::EMPTY; features.width()];
    for (path, lengths) in &files.episodes {
        for (stats, length) in episode_file::read_stats(path, features)?.iter().zip(lengths) {
            for (moments, stats) in moments.iter_mut().zip(stats) {
                moments.merge(&Moments::from_stats(*length, *stats));
            }
        }
    }
    let stride = sample_stride(files.frame_count);
    let stats: Vec<ComponentStats> = pool.install(|| -> Result<Vec<ComponentStats>> {
        let parts = files.data.par_iter().map(|(path, first)| sampled_values(path, *first, stride, features));
        let mut samples = vec![Vec::new(); features.width()];
        for part in parts.collect::<Result<Vec<_>>>()? {
            samples.iter_mut().zip(part).for_each(|(all, part)| all.extend(part));
        }
        Ok(moments.into_par_iter().zip(samples).map(|(moments, mut sample)| moments.into_stats(&mut sample)).collect())
    })?;
    let mut stats = stats.into_iter();
    let list = features.list.iter().map(|feature| {
        let components: Vec<_> = stats.by_ref().take(feature.width()).collect();
        (feature.name.clone(), feature_stats(&components, files.frame_count))
    });
    pretty(&OrderedMap(list.collect()))
}

fn feature_stats(components: &[ComponentStats], frame_count: u64) -> OrderedMap<Value> {
    let stat = |(index, name): (usize, &&str)| {
        let values: Vec<f32> = components.iter().map(|stats| stats[index]).collect();
        ((*name).to_owned(), json!(values))
    };
    let mut list: Vec<_> = STAT_NAMES.iter().enumerate().map(stat).collect();
    list.push((COUNT.to_owned(), json!([frame_count])));
    OrderedMap(list)
}

/// The values of every n-th frame of a data file, by component.
fn sampled_values(path: &Path, first_frame: u64, stride: usize, features: &Features) -> Result<Vec<Vec<f32>>> {
    sampled_values_inner(path, first_frame, stride, features).map_err(|error| error.with_path(path))
}

fn sampled_values_inner(path: &Path, first_frame: u64, stride: usize, features: &Features) -> Result<Vec<Vec<f32>>> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path)?).map_err(parquet_error)?;
    let columns = ProjectionMask::roots(builder.parquet_schema(), 0..features.list.len());
    let mut samples = vec![Vec::new(); features.width()];
    let mut frame = first_frame;
    for batch in builder.with_projection(columns).build().map_err(parquet_error)? {
        let batch = batch.map_err(arrow_error)?;
        let skipped = usize::try_from(frame.next_multiple_of(stride as u64) - frame).unwrap_or(usize::MAX);
        let mut component = 0;
        for (feature, column) in features.list.iter().zip(batch.columns()) {
            let values = float_values(column).ok_or_else(|| {
                Error::new(
                    ErrorKind::Invalid,
                    "the data file is damaged; remove the folder and build the dataset again",
                )
            })?;
            for row in values.chunks_exact(feature.width()).skip(skipped).step_by(stride) {
                samples[component..].iter_mut().zip(row).for_each(|(sample, value)| sample.push(*value));
            }
            component += feature.width();
        }
        frame += batch.num_rows() as u64;
    }
    Ok(samples)
}

/// The values of a scalar column or of one with fixed-size lists.
fn float_values(column: &ArrayRef) -> Option<Vec<f32>> {
    let values = |array: &dyn Array| Some(array.as_primitive_opt::<Float32Type>()?.values().to_vec());
    match column.as_fixed_size_list_opt() {
        Some(lists) => {
            let width = usize::try_from(lists.value_length()).ok()?;
            let values = values(lists.values())?;
            Some(values.get(lists.offset() * width..(lists.offset() + lists.len()) * width)?.to_vec())
        }
        None => values(column),
    }
}
