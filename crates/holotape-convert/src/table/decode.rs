//! Decoding tables into recordings.

use std::collections::{BTreeSet, HashMap, HashSet};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{Array, ArrayRef, BooleanArray, Float32Array, RecordBatch};
use arrow_schema::DataType;
use holotape::format::{Channels, Format, Layout};
use holotape::{
    BodyPart, Curve, CurveId, CurveRef, Hand, Keys, Marker, Recording, RecordingBuilder, Result, align_sign,
    vector_keys,
};

use super::combined::{HAND, RECORDING};
use super::decoded_curve::DecodedCurve;
use super::frames::TIME;
use super::key_columns::{KeyColumns, cast, column, invalid};
use super::keys::{self, CURVE, MARKER, sign};
use super::metadata;
use crate::assemble::gap_loss;
use crate::{Loss, LossKind, Losses, Space, frame_losses};

/// Decodes the batches of a table, one after the other.
#[derive(Default)]
pub(crate) struct TableDecoder {
    space: Space,
    metadata: HashMap<String, String>,
    curves: HashMap<CurveId, DecodedCurve>,
    markers: Vec<Marker>,
    names: HashSet<String>,
    unknown_columns: BTreeSet<String>,
    /// The number of the first row of the next batch, from 1.
    next_row: usize,
    is_frames: bool,
    last_time: f32,
    unordered_rows: usize,
    /// Hands without a column `tracked`.
    unflagged: HashSet<Hand>,
}

impl TableDecoder {
    pub(crate) fn new(space: Space) -> Self {
        Self { space, next_row: 1, last_time: f32::NEG_INFINITY, ..Self::default() }
    }

    pub(crate) fn with_metadata(self, metadata: HashMap<String, String>) -> Self {
        let space = metadata::space(&metadata).unwrap_or(self.space);
        // A table without rows has no batches that show it.
        let is_frames = metadata::is_frames_table(&metadata);
        Self { metadata, space, is_frames, ..self }
    }

    /// Counts the header as a row, for the row numbers in messages.
    pub(crate) fn with_header_row(self) -> Self {
        Self { next_row: 2, ..self }
    }

    pub(crate) fn push(&mut self, batch: &RecordBatch) -> Result<()> {
        self.check_recording(batch)?;
        self.is_frames = batch.column_by_name(CURVE).is_none();
        if self.is_frames { self.push_frames(batch) } else { self.push_keys(batch) }?;
        self.next_row += batch.num_rows();
        Ok(())
    }

    /// Rejects tables of several recordings.
    fn check_recording(&mut self, batch: &RecordBatch) -> Result<()> {
        let Some(names) = batch.column_by_name(RECORDING) else { return Ok(()) };
        let names = cast(names, &DataType::Utf8, RECORDING)?;
        self.names.extend(names.as_string::<i32>().iter().flatten().map(str::to_owned));
        if self.names.len() > 1 {
            return Err(invalid("the table has more than one recording; select the rows of one".to_owned()));
        }
        Ok(())
    }

    fn push_frames(&mut self, batch: &RecordBatch) -> Result<()> {
        let rows = self.rows(batch)?;
        let tracked = tracked_columns(batch)?;
        let mut names = HashSet::new();
        for (field, array) in batch.schema_ref().fields().iter().zip(batch.columns()) {
            if !names.insert(field.name()) {
                return Err(invalid(format!("duplicate column {:?}", field.name())));
            }
            match field.name().parse::<CurveId>() {
                Ok(id) => self.push_column(id, array, &rows, &tracked)?,
                Err(_) if [TIME, RECORDING].contains(&field.name().as_str()) => {}
                Err(_) => _ = self.unknown_columns.insert(field.name().clone()),
            }
        }
        self.push_missing_flags(batch, &rows);
        Ok(())
    }

    /// The rows whose time is greater than that of the row before, and their times. Others would break every curve.
    fn rows(&mut self, batch: &RecordBatch) -> Result<Vec<(usize, f32)>> {
        let times = column(batch, TIME)?;
        if !times.data_type().is_numeric() {
            return Err(invalid(format!(
                "column {TIME:?} is not numeric: {}; must be a time in seconds",
                times.data_type()
            )));
        }
        let times = cast(&times, &DataType::Float64, TIME)?;
        let mut rows = Vec::with_capacity(batch.num_rows());
        for (row, time) in times.as_primitive::<Float64Type>().iter().enumerate() {
            match time.map(|time| time as f32) {
                Some(time) if time.is_finite() && time > self.last_time => {
                    self.last_time = time;
                    rows.push((row, time));
                }
                _ => self.unordered_rows += 1,
            }
        }
        Ok(rows)
    }

    fn push_column(
        &mut self,
        id: CurveId,
        array: &ArrayRef,
        rows: &[(usize, f32)],
        tracked: &[Option<BooleanArray>; 2],
    ) -> Result<()> {
        // While a hand is not tracked, missing values are expected.
        let is_unexpected = |row: usize| match id {
            CurveId::Joint(hand, ..) => tracked[hand as usize].as_ref().is_some_and(|tracked| tracked.value(row)),
            _ => true,
        };
        let sign = sign(self.space, id);
        let curve = self.curves.entry(id).or_default();
        if id.is_bool() {
            let values = cast(array, &DataType::Boolean, &id.to_string())?;
            let values: &BooleanArray = values.as_boolean();
            let values =
                rows.iter().filter(|(row, _)| values.is_valid(*row)).map(|(row, time)| (*time, values.value(*row)));
            values.for_each(|(time, value)| curve.push_flag(time, value));
            return Ok(());
        }
        let values = cast(array, &DataType::Float32, &id.to_string())?;
        let values: &Float32Array = values.as_primitive::<Float32Type>();
        for (row, time) in rows {
            match Some(values.value(*row)).filter(|value| values.is_valid(*row) && !value.is_nan()) {
                Some(value) => curve.push_value(*time, value * sign),
                None => curve.missing_rows += usize::from(!curve.keys.is_empty() && is_unexpected(*row)),
            }
        }
        Ok(())
    }

    /// Without a column `tracked`, a hand is tracked while it has joints.
    fn push_missing_flags(&mut self, batch: &RecordBatch, rows: &[(usize, f32)]) {
        for hand in Hand::ALL {
            let flag = CurveId::Tracked(hand);
            if batch.column_by_name(&flag.to_string()).is_some() {
                continue;
            }
            let fields = batch.schema_ref().fields().iter().zip(batch.columns());
            let is_joint = |name: &str| matches!(name.parse(), Ok(CurveId::Joint(side, ..)) if side == hand);
            let joints: Vec<_> = fields.filter(|(field, _)| is_joint(field.name())).map(|(_, array)| array).collect();
            if joints.is_empty() {
                continue;
            }
            self.unflagged.insert(hand);
            let curve = self.curves.entry(flag).or_default();
            for (row, time) in rows {
                curve.push_flag(*time, joints.iter().any(|joint| joint.is_valid(*row)));
            }
        }
    }

    fn push_keys(&mut self, batch: &RecordBatch) -> Result<()> {
        let table = KeyColumns::new(batch)?;
        let known = keys::schema();
        let names = batch.schema_ref().fields().iter().map(|field| field.name());
        let is_unknown = |name: &&String| known.index_of(name).is_err() && ![RECORDING, HAND].contains(&name.as_str());
        self.unknown_columns.extend(names.filter(is_unknown).cloned());
        // Rows of one curve are adjacent: its name is parsed once.
        let mut last: Option<(&str, CurveId)> = None;
        for row in 0..batch.num_rows() {
            let name = table.curves.value(row);
            if name == MARKER {
                let marker = table.marker(row).ok_or_else(|| {
                    invalid(format!("row {}: incomplete marker; it needs a name and a time", self.next_row + row))
                })?;
                self.markers.push(marker);
                continue;
            }
            let id = match last {
                Some((last_name, id)) if last_name == name => id,
                _ => name.parse().map_err(|error| invalid(format!("row {}: {error}", self.next_row + row)))?,
            };
            last = Some((name, id));
            let sign = sign(self.space, id);
            let key = self.curves.entry(id).or_default().push(&table, row, sign);
            key.ok_or_else(|| {
                let row = self.next_row + row;
                invalid(format!(
                    "row {row}: incomplete key; it needs a time, a value, and all tangents and weights or none"
                ))
            })?;
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<(Recording, Losses)> {
        self.check_frames()?;
        let mut losses = self.losses();
        let channels = metadata::channels(&self.metadata).unwrap_or_else(|| self.channels());
        let Self { metadata, mut curves, markers, is_frames, last_time, .. } = self;
        let has_tangents = curves.values().any(|curve| curve.has_tangents);
        let mut recording = Recording::with_channels(channels);
        for id in CurveId::all(channels) {
            if let (Some(decoded), Some(curve)) = (curves.remove(&id), recording.curve_mut(id)) {
                decoded.write_into(curve);
            }
        }
        recording.markers = markers.into_iter().collect();
        if let Some(markers) = metadata::markers(&metadata).filter(|_| is_frames) {
            recording.markers = markers;
        }
        recording.format = metadata::format(&metadata).unwrap_or_else(|| format_for(has_tangents, channels));
        if is_frames {
            recording = apply_builder_rules(recording, last_time);
            losses.extend(frame_losses::incomplete(&recording, true));
        }
        Ok((recording, losses))
    }

    /// The channels of the columns. Some tables of frames have columns of all channels: those without values were not
    /// recorded.
    fn channels(&self) -> Channels {
        let has = |is_part: fn(BodyPart) -> bool| {
            let is_recorded = |curve: &DecodedCurve| !self.is_frames || !curve.keys.is_empty();
            self.curves.iter().any(|(id, curve)| is_part(BodyPart::from_curve(*id)) && is_recorded(curve))
        };
        Channels {
            camera: has(|part| part == BodyPart::Camera),
            hands: has(|part| matches!(part, BodyPart::Hand(_))),
            gaze: has(|part| part == BodyPart::Gaze),
        }
    }

    /// Rejects tables of frames without curves, and those that are mostly not sorted by time.
    fn check_frames(&self) -> Result<()> {
        if !self.is_frames {
            return Ok(());
        }
        let has_rows = self.last_time.is_finite() || self.unordered_rows > 0;
        if self.curves.is_empty() && has_rows {
            return Err(invalid("no column is a curve".to_owned()));
        }
        if 2 * self.unordered_rows >= self.next_row {
            let rows = self.unordered_rows;
            return Err(invalid(format!("{rows} rows are not later than the row before; sort the table by time")));
        }
        Ok(())
    }

    fn losses(&self) -> Losses {
        let mut losses = Losses::default();
        if !self.unknown_columns.is_empty() {
            const SHOWN: usize = 5;
            let count = self.unknown_columns.len();
            let name = |name: &'_ String| if name.is_empty() { "(unnamed)".to_owned() } else { name.clone() };
            let mut names: Vec<_> = self.unknown_columns.iter().take(SHOWN).map(name).collect();
            names.extend((count > SHOWN).then(|| "…".to_owned()));
            let message = format!("dropped columns that are not curves ({count}): {}", names.join(", "));
            losses.push(Loss::new(LossKind::Unsupported, message));
        }
        if self.unordered_rows > 0 {
            let message = format!("dropped rows that are not later than the row before: {}", self.unordered_rows);
            losses.push(Loss::new(LossKind::Unusable, message));
        }
        let unflagged = Hand::ALL.into_iter().filter(|hand| self.unflagged.contains(hand));
        losses.extend(unflagged.map(|hand| {
            Loss::new(
                LossKind::Invented,
                format!("derived {hand}.tracked, which has no column: true while the hand has joints"),
            )
        }));
        losses.extend(gap_loss(|part| self.gap_rows(part)).filter(|_| self.is_frames));
        losses
    }

    /// Rows in which a body part has missing values between others; of a hand, only while it is tracked.
    fn gap_rows(&self, part: BodyPart) -> usize {
        let curves = self.curves.iter().filter(|(id, _)| BodyPart::from_curve(**id) == part);
        curves.map(|(_, curve)| curve.gap_rows).max().unwrap_or(0)
    }
}

/// The format that a recording gets when its table of keys is read without metadata.
pub(crate) fn format_for_keys(recording: &Recording) -> Format {
    let has_tangents = recording.curves().any(|(_, curve)| match curve {
        CurveRef::Float(Curve { keys: Keys::Bezier(keys), .. }) => !keys.is_empty(),
        _ => false,
    });
    format_for(has_tangents, recording.channels())
}

/// A lossless layout, preferably one that MRTK reads.
fn format_for(has_tangents: bool, channels: Channels) -> Format {
    let layout = match (has_tangents, channels.gaze) {
        (false, _) => Layout::Compact11,
        (true, false) => Layout::Full10,
        (true, true) => Layout::Full11,
    };
    Format { layout, ..Format::default() }
}

/// Applies the builder's rules for signs and for the end to a recording from frames.
///
/// Frames are not added to a builder one by one, because it takes only complete poses and rays. A table may have columns
/// of single components, such as `camera.position.x`, and rows with a value for some of them; all values are kept.
fn apply_builder_rules(mut recording: Recording, last_time: f32) -> Recording {
    recording.poses_mut().for_each(|(_, pose)| align_signs(&mut pose.rotation));
    let mut builder = RecordingBuilder::extending(recording);
    builder.extend_to(f64::from(last_time));
    builder.finish()
}

fn align_signs(rotation: &mut [Curve; 4]) {
    let mut keys = vector_keys::<4>(rotation).unwrap_or_default();
    for next in 1..keys.len() {
        keys[next].values = align_sign(keys[next - 1].values, keys[next].values);
    }
    for (n, curve) in rotation.iter_mut().enumerate() {
        curve.keys.iter_mut().zip(&keys).for_each(|((_, value), key)| *value = key.values[n]);
    }
}

/// The columns `tracked` of both hands, if present.
fn tracked_columns(batch: &RecordBatch) -> Result<[Option<BooleanArray>; 2]> {
    let column = |hand| {
        let name = CurveId::Tracked(hand).to_string();
        let array = batch.column_by_name(&name).map(|array| cast(array, &DataType::Boolean, &name)).transpose();
        array.map(|array| array.map(|array| array.as_boolean().clone()))
    };
    Ok([column(Hand::Left)?, column(Hand::Right)?])
}
