//! A row for each key, as `convert` has them, with the take and the hand.

use std::sync::Arc;

use arrow_array::builder::{Float32Builder, Int32Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use holotape::{BezierKey, Curve, CurveId, CurveRef, Hand, Keys as FloatKeys, LinearKey, Recording, Result, WrapMode};

use super::{BATCH_ROWS, arrow_error};
use crate::scan::{HandFilter, TimeFilter};
use crate::{Table, schema};

/// The curve of rows that are markers.
const MARKER: &str = "marker";

/// Which keys are wanted. Rows without a time, of curves without keys, are left out where a span of time is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct KeyFilter {
    pub(crate) hands: HandFilter,
    pub(crate) times: TimeFilter,
}

impl KeyFilter {
    fn has_time(&self, time: Option<f32>) -> bool {
        time.map_or(self.times.is_all(), |time| self.times.contains(time.into()))
    }

    pub(crate) fn has_curve(&self, id: CurveId) -> bool {
        self.hands.contains(hand_of(id))
    }
}

fn hand_of(id: CurveId) -> Option<Hand> {
    match id {
        CurveId::Tracked(hand) | CurveId::Pinching(hand) | CurveId::Joint(hand, ..) => Some(hand),
        CurveId::Camera(_) | CurveId::Gaze(_) => None,
    }
}

/// One row.
#[derive(Clone, Copy)]
struct Row<'a> {
    curve: usize,
    time: Option<f32>,
    value: Option<f32>,
    bezier: Option<BezierKey>,
    wraps: Option<(WrapMode, WrapMode)>,
    marker: Option<&'a str>,
}

/// The rows of a recording's keys, curve by curve in the order of the file, then its markers.
pub(crate) struct KeyRows<'a> {
    take: &'a str,
    names: Vec<(String, Option<Hand>)>,
    rows: Box<dyn Iterator<Item = Row<'a>> + Send + 'a>,
}

impl<'a> KeyRows<'a> {
    pub(crate) fn new(take: &'a str, recording: &'a Recording, filter: KeyFilter) -> Self {
        let mut names: Vec<_> = recording.curves().map(|(id, _)| (id.to_string(), hand_of(id))).collect();
        let marker = names.len();
        names.push((MARKER.to_owned(), None));
        let with_markers = filter.hands.none;
        let curves: Vec<_> = recording.curves().enumerate().filter(|(_, (id, _))| filter.has_curve(*id)).collect();
        let curves = curves.into_iter().flat_map(|(number, (_, curve))| curve_rows(number, curve));
        let markers = recording.markers.iter().filter(move |_| with_markers).map(move |it| Row {
            time: Some(it.time),
            marker: Some(&it.name),
            ..Row::of(marker, None)
        });
        let rows = curves.chain(markers).filter(move |row| filter.has_time(row.time));
        Self { take, names, rows: Box::new(rows) }
    }
}

impl Iterator for KeyRows<'_> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut columns = Columns::default();
        let mut count = 0;
        for row in self.rows.by_ref().take(BATCH_ROWS) {
            let (name, hand) = self.names.get(row.curve)?;
            columns.push(self.take, name, *hand, &row);
            count += 1;
        }
        (count > 0).then(|| columns.finish())
    }
}

impl Row<'_> {
    fn of(curve: usize, wraps: Option<(WrapMode, WrapMode)>) -> Self {
        Self { curve, time: None, value: None, bezier: None, wraps, marker: None }
    }
}

fn curve_rows<'a>(number: usize, curve: CurveRef<'a>) -> Box<dyn Iterator<Item = Row<'a>> + Send + 'a> {
    let row = Row::of(number, Some(curve.wrap_modes()));
    let linear = move |key: &LinearKey| Row { time: Some(key.time), value: Some(key.value), ..row };
    let bezier = move |key: &BezierKey| Row { time: Some(key.time), value: Some(key.value), bezier: Some(*key), ..row };
    match curve {
        _ if curve.key_count() == 0 => Box::new(std::iter::once(row)),
        CurveRef::Bool(curve) => Box::new(curve.keys.iter().map(linear)),
        CurveRef::Float(Curve { keys: FloatKeys::Linear(keys), .. }) => Box::new(keys.iter().map(linear)),
        CurveRef::Float(Curve { keys: FloatKeys::Bezier(keys), .. }) => Box::new(keys.iter().map(bezier)),
    }
}

/// The columns of a batch, as they grow.
#[derive(Default)]
struct Columns {
    take: StringBuilder,
    hand: StringBuilder,
    curve: StringBuilder,
    floats: [Float32Builder; 6],
    ints: [Int32Builder; 3],
    marker: StringBuilder,
}

impl Columns {
    fn push(&mut self, take: &str, curve: &str, hand: Option<Hand>, row: &Row<'_>) {
        self.take.append_value(take);
        self.hand.append_option(hand.map(Hand::name));
        self.curve.append_value(curve);
        let bezier = row.bezier.as_ref();
        let floats = [
            row.time,
            row.value,
            bezier.map(|key| key.in_tangent),
            bezier.map(|key| key.out_tangent),
            bezier.map(|key| key.in_weight),
            bezier.map(|key| key.out_weight),
        ];
        self.floats.iter_mut().zip(floats).for_each(|(column, value)| column.append_option(value));
        let ints = [
            bezier.map(|key| key.weighted_mode.0),
            row.wraps.map(|(before, _)| before.0),
            row.wraps.map(|(_, after)| after.0),
        ];
        self.ints.iter_mut().zip(ints).for_each(|(column, value)| column.append_option(value));
        self.marker.append_option(row.marker);
    }

    fn finish(mut self) -> Result<RecordBatch> {
        let first = [self.take.finish(), self.hand.finish(), self.curve.finish()];
        let columns = first.into_iter().map(|column| Arc::new(column) as ArrayRef);
        let floats = self.floats.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let ints = self.ints.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let columns = columns.chain(floats).chain(ints).chain([Arc::new(self.marker.finish()) as ArrayRef]).collect();
        RecordBatch::try_new(schema(Table::Keys), columns).map_err(arrow_error)
    }
}
