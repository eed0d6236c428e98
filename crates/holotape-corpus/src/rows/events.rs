//! Rows of the table of events.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, Float32Builder, Float64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use holotape::stats::Fixation;
use holotape::{Frame, Hand, HandFrame, Joint, Recording, Result};

use super::arrow_error;
use crate::{Table, schema};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EventRow {
    pub(crate) kind: &'static str,
    pub(crate) hand: Option<Hand>,
    pub(crate) start_secs: f64,
    pub(crate) end_secs: f64,
    name: Option<String>,
    position: Option<[f32; 3]>,
    direction: Option<[f32; 3]>,
}

/// The events of a recording, sorted by start, kind and hand.
pub(crate) fn events(recording: &Recording, fixations: &[Fixation]) -> Vec<EventRow> {
    let duration_secs = f64::from(recording.duration_secs());
    let mut events = Vec::new();
    for hand in Hand::ALL.into_iter().filter(|_| recording.hands.is_some()) {
        let curves = recording.hand(hand);
        let tracked = curves.tracked.spans_within_secs(duration_secs);
        let pinches = curves.pinching.spans_within_secs(duration_secs);
        let of_hand =
            |kind, span: Range<f64>| EventRow { hand: Some(hand), ..EventRow::new(kind, span.start, span.end) };
        events.extend(gaps(&tracked, duration_secs).map(|span| of_hand("untracked", span)));
        events.extend(tracked.into_iter().map(|span| of_hand("tracked", span)));
        events.extend(pinches.into_iter().map(|span| of_hand("pinch", span)));
    }
    events.extend(recording.markers.iter().map(|marker| {
        let time = f64::from(marker.time);
        EventRow { name: Some(marker.name.clone()), ..EventRow::new("marker", time, time) }
    }));
    events.extend(fixations.iter().map(|fixation| EventRow {
        position: Some(fixation.ray.origin),
        direction: Some(fixation.ray.direction),
        ..EventRow::new("fixation", fixation.start_secs, fixation.end_secs)
    }));
    events.sort_by(|a, b| {
        let time = a.start_secs.total_cmp(&b.start_secs);
        time.then_with(|| (a.kind, a.hand.map(Hand::name)).cmp(&(b.kind, b.hand.map(Hand::name))))
    });
    fill_positions(recording, &mut events);
    events
}

impl EventRow {
    fn new(kind: &'static str, start_secs: f64, end_secs: f64) -> Self {
        Self { kind, hand: None, start_secs, end_secs, name: None, position: None, direction: None }
    }
}

/// The gaps before, between and after sorted spans.
fn gaps(spans: &[Range<f64>], duration_secs: f64) -> impl Iterator<Item = Range<f64>> {
    let starts = std::iter::once(0.0).chain(spans.iter().map(|span| span.end));
    let ends = spans.iter().map(|span| span.start).chain([duration_secs]);
    starts.zip(ends).map(|(start, end)| start..end).filter(|span| !span.is_empty())
}

/// Sets the positions of events, in order of time, which is fastest for a sampler.
fn fill_positions(recording: &Recording, events: &mut [EventRow]) {
    // The position of a lost hand is its last tracked one.
    let mut sampler = recording.sampler().with_untracked_poses(true);
    let mut frame = Frame::default();
    for event in events.iter_mut().filter(|event| event.position.is_none() && event.start_secs.is_finite()) {
        sampler.frame_into(event.start_secs, &mut frame);
        let hand = event.hand.and_then(|hand| frame.hand(hand));
        event.position = match event.kind {
            "marker" => frame.camera.map(|head| head.position),
            "pinch" => hand.filter(|hand| hand.tracked).and_then(pinch_position),
            "untracked" if event.start_secs == 0.0 => None,
            _ => hand.and_then(|hand| hand.joint(Joint::Palm).or(hand.joint(Joint::Wrist))).map(|palm| palm.position),
        };
    }
}

/// The midpoint of thumb and index finger, or the index finger if there is no thumb.
fn pinch_position(hand: &HandFrame) -> Option<[f32; 3]> {
    let index = hand.joint(Joint::IndexTip)?.position;
    let Some(thumb) = hand.joint(Joint::ThumbTip) else { return Some(index) };
    Some(std::array::from_fn(|axis| 0.5 * (index[axis] + thumb.position[axis])))
}

/// Builds the columns of the table.
#[derive(Default)]
pub(crate) struct EventBuilder {
    texts: [StringBuilder; 4],
    times: [Float64Builder; 2],
    numbers: [Float32Builder; 6],
}

impl EventBuilder {
    pub(crate) fn len(&self) -> usize {
        self.times[0].len()
    }

    pub(crate) fn push<'a>(&mut self, recording: &str, events: impl IntoIterator<Item = &'a EventRow>) {
        for event in events {
            let [recordings, kinds, hands, names] = &mut self.texts;
            recordings.append_value(recording);
            kinds.append_value(event.kind);
            hands.append_option(event.hand.map(Hand::name));
            names.append_option(event.name.as_deref());
            self.times[0].append_value(event.start_secs);
            self.times[1].append_value(event.end_secs);
            let (position, direction) = self.numbers.split_at_mut(3);
            for axis in 0..3 {
                position[axis].append_option(event.position.map(|position| position[axis]));
                direction[axis].append_option(event.direction.map(|direction| direction[axis]));
            }
        }
    }

    pub(crate) fn finish(&mut self) -> Result<RecordBatch> {
        let [recordings, kinds, hands, names] =
            self.texts.each_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let [starts, ends] = self.times.each_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let numbers = self.numbers.each_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let columns = [recordings, kinds, hands, starts, ends, names].into_iter().chain(numbers).collect();
        RecordBatch::try_new(schema(Table::Events), columns).map_err(arrow_error)
    }
}
