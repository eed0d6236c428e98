//! One recording as an episode: sampled at a fixed rate, encoded as Parquet, with statistics.
//!
//! The columns do not depend on other episodes, so that an unchanged episode can be copied when its number changes.

use std::sync::Arc;

use arrow_array::{ArrayRef, FixedSizeListArray, Float32Array, Int64Array, RecordBatch};
use bytes::Bytes;
use holotape::{Error, ErrorKind, Frame, FrameLimit, Hand, Recording, Result, Skeleton};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};

use super::features::{Feature, Features, NUMBER_COLUMNS, element};
use super::hold::HeldFrame;
use super::manifest::EpisodeInfo;
use super::options::{ActionSource, LerobotOptions};
use super::parquet_error;
use super::stats::{ComponentStats, Moments, sample_stride};
use super::tasks::task_spans;
use crate::build::changes::SourceFile;
use crate::rows::{RowOptions, arrow_error};

/// Maximum number of frames of a row group. Shorter episodes have one.
const MAX_GROUP_FRAMES: usize = 1 << 15;

/// An episode without its number.
pub(super) struct Episode {
    /// A Parquet file with the columns of [`Features::episode_schema`].
    pub(super) parquet: Bytes,
    pub(super) info: EpisodeInfo,
    /// Of all components of all features.
    pub(super) stats: Vec<ComponentStats>,
}

impl Episode {
    /// Reads a recording with these bytes.
    pub(super) fn read(
        source: &SourceFile,
        bytes: &[u8],
        features: &Features,
        options: &LerobotOptions,
    ) -> Result<Self> {
        let recording = holotape_convert::OpenOptions::new().from_slice_at(bytes, &source.file.path)?.recording;
        let rows = RowOptions::new().with_rate_hz(options.fps.into())?;
        rows.check_length(f64::from(recording.duration_secs()), FrameLimit::for_recording(&recording))?;
        let times: Vec<f64> = recording.sampler().times_at_rate(options.fps.into()).collect();
        if times.is_empty() {
            return Err(Error::new(ErrorKind::Invalid, "the recording has no frames"));
        }
        let mut builder = EpisodeBuilder::new(features, options.action, times.len())?;
        builder.sample(&recording, &times, options)?;
        let tasks = task_spans(&recording, &source.file.path, times.len() as u64, options);
        let (parquet, stats, row_group_count) = builder.finish()?;
        let info = EpisodeInfo {
            length: times.len() as u64,
            row_group_count,
            tasks,
            marker_count: recording.markers.len(),
            missing_joint_count: missing_joint_count(&recording),
        };
        Ok(Self { parquet, info, stats })
    }
}

/// The number of joints that never have a pose, of hands that are tracked.
fn missing_joint_count(recording: &Recording) -> usize {
    let is_tracked = |hand: &Hand| recording.hand(*hand).tracked.keys.iter().any(|key| key.value > 0.5);
    let missing = |hand: Hand| {
        let has_no_keys = |pose: &holotape::PoseCurves| pose.position.iter().any(|curve| curve.keys.is_empty());
        Skeleton::OpenXr.joints().filter(|joint| has_no_keys(recording.hand(hand).joint(*joint))).count()
    };
    Hand::ALL.into_iter().filter(is_tracked).map(missing).sum()
}

struct EpisodeBuilder<'a> {
    features: &'a Features,
    action: ActionSource,
    writer: ArrowWriter<Vec<u8>>,
    /// The values of the current row group, by feature.
    columns: Vec<Vec<f32>>,
    frame_count: usize,
    group_start: usize,
    stride: usize,
    moments: Vec<Moments>,
    samples: Vec<Vec<f32>>,
}

impl<'a> EpisodeBuilder<'a> {
    fn new(features: &'a Features, action: ActionSource, frame_count: usize) -> Result<Self> {
        let properties = writer_properties().build();
        let writer = ArrowWriter::try_new(Vec::new(), features.episode_schema(), Some(properties));
        let width = features.width();
        Ok(Self {
            features,
            action,
            writer: writer.map_err(parquet_error)?,
            columns: vec![Vec::new(); features.list.len()],
            frame_count,
            group_start: 0,
            stride: sample_stride(frame_count as u64),
            moments: vec![Moments::EMPTY; width],
            samples: vec![Vec::new(); width],
        })
    }

    fn sample(&mut self, recording: &Recording, times: &[f64], options: &LerobotOptions) -> Result<()> {
        let mut sampler = recording.sampler();
        let mut held = HeldFrame::first(recording, &mut sampler, times, options.space);
        let mut frame = Frame::default();
        for (number, time) in times.iter().enumerate() {
            sampler.frame_into(*time, &mut frame);
            held.update(&mut frame, options.space);
            // One frame more than a row group has, because of the action of its last frame.
            if number == self.group_start + MAX_GROUP_FRAMES + 1 {
                self.end_group(MAX_GROUP_FRAMES)?;
            }
            self.features.append(&held, *time, &mut self.columns);
        }
        while self.group_start < self.frame_count {
            self.end_group((self.frame_count - self.group_start).min(MAX_GROUP_FRAMES))?;
        }
        Ok(())
    }

    /// Writes the first frames of the current columns as a row group.
    fn end_group(&mut self, frames: usize) -> Result<()> {
        let is_last = self.group_start + frames == self.frame_count;
        let mut arrays: Vec<ArrayRef> = Vec::with_capacity(self.columns.len() + 1);
        let mut component = 0;
        let features = self.features;
        for (number, feature) in features.list.iter().enumerate() {
            let width = feature.width();
            let column = &self.columns[number];
            let values = match feature.is_action() && self.action == ActionSource::Next {
                true => next_values(column, width, frames, is_last),
                false => column[..frames * width].to_vec(),
            };
            for offset in 0..width {
                let values: Vec<f32> = values.iter().skip(offset).step_by(width).copied().collect();
                self.add_stats(component, &values);
                component += 1;
            }
            arrays.push(array(feature, values)?);
            self.columns[number].drain(..frames * width);
        }
        let numbers = self.group_start as i64..(self.group_start + frames) as i64;
        arrays.push(Arc::new(Int64Array::from_iter_values(numbers)));
        let batch = RecordBatch::try_new(features.episode_schema(), arrays).map_err(arrow_error)?;
        self.writer.write(&batch).map_err(parquet_error)?;
        self.writer.flush().map_err(parquet_error)?;
        self.group_start += frames;
        Ok(())
    }

    fn add_stats(&mut self, component: usize, values: &[f32]) {
        self.moments[component].merge(&Moments::of(values));
        let first = self.group_start.next_multiple_of(self.stride) - self.group_start;
        self.samples[component].extend(values.iter().skip(first).step_by(self.stride));
    }

    fn finish(mut self) -> Result<(Bytes, Vec<ComponentStats>, usize)> {
        let row_group_count = self.writer.flushed_row_groups().len();
        let bytes = self.writer.into_inner().map_err(parquet_error)?;
        let stats = self.moments.iter().zip(&mut self.samples).map(|(moments, sample)| moments.into_stats(sample));
        Ok((bytes.into(), stats.collect(), row_group_count))
    }
}

/// The values of the next frame for each frame. The last frame of an episode repeats its own.
fn next_values(column: &[f32], width: usize, frames: usize, is_last: bool) -> Vec<f32> {
    let mut values = column[width.min(column.len())..].to_vec();
    if is_last {
        values.extend_from_slice(&column[(frames - 1) * width..frames * width]);
    }
    values.truncate(frames * width);
    values
}

fn array(feature: &Feature, values: Vec<f32>) -> Result<ArrayRef> {
    let width = feature.width();
    let values = Float32Array::from(values);
    if width == 1 {
        return Ok(Arc::new(values));
    }
    let width = i32::try_from(width).unwrap_or(i32::MAX);
    Ok(Arc::new(FixedSizeListArray::try_new(element(), width, Arc::new(values), None).map_err(arrow_error)?))
}

/// Of data files, and of the episodes that are copied into them. Features have no statistics, because those of lists are useless.
pub(super) fn writer_properties() -> WriterPropertiesBuilder {
    let mut builder = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true)
        .set_max_row_group_row_count(None)
        .set_created_by(concat!("holotape ", env!("CARGO_PKG_VERSION")).to_owned());
    for name in NUMBER_COLUMNS {
        builder = builder
            .set_column_dictionary_enabled(name.into(), true)
            .set_column_statistics_enabled(name.into(), EnabledStatistics::Chunk);
    }
    builder
}

#[cfg(test)]
mod tests {
    use super::next_values;

    #[test]
    fn last_frame_repeats_its_own_values() {
        let column = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5];
        assert_eq!(next_values(&column, 2, 3, true), [1.0, 1.5, 2.0, 2.5, 2.0, 2.5]);
        assert_eq!(next_values(&column, 2, 2, false), [1.0, 1.5, 2.0, 2.5]);
        assert_eq!(next_values(&column[..2], 2, 1, true), [0.0, 0.5]);
    }
}
