//! A row for each thing that happened.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, Float32Builder, Float64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use holotape::stats::{StatsOptions, fixations};
use holotape::{Frame, Hand, HandFrame, Joint, Recording, Result};

use super::arrow_error;
use crate::{Table, schema};

/// Something that happened in a take.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EventRow {
    pub(crate) kind: &'static str,
    pub(crate) hand: Option<Hand>,
    pub(crate) start_secs: f64,
    pub(crate) end_secs: f64,
    name: Option<String>,
    place: Option<[f32; 3]>,
    direction: Option<[f32; 3]>,
}

/// All that happened in a recording, in order of time.
pub(crate) fn events(recording: &Recording) -> Result<Vec<EventRow>> {
    let duration_secs = f64::from(recording.duration_secs());
    let mut events = Vec::new();
    for hand in Hand::ALL.into_iter().filter(|_| recording.hands.is_some()) {
        let curves = recording.hand(hand);
        let tracked = within(curves.tracked.spans_secs(), duration_secs);
        let pinches = within(curves.pinching.spans_secs(), duration_secs);
        let of_hand =
            |kind, span: Range<f64>| EventRow { hand: Some(hand), ..EventRow::new(kind, span.start, span.end) };
        events.extend(between(&tracked, duration_secs).map(|span| of_hand("untracked", span)));
        events.extend(tracked.into_iter().map(|span| of_hand("tracked", span)));
        events.extend(pinches.into_iter().map(|span| of_hand("pinch", span)));
    }
    events.extend(recording.markers.iter().map(|marker| {
        let time = f64::from(marker.time);
        EventRow { name: Some(marker.name.clone()), ..EventRow::new("marker", time, time) }
    }));
    events.extend(fixations(recording, &StatsOptions::new())?.into_iter().map(|rest| EventRow {
        place: Some(rest.ray.origin),
        direction: Some(rest.ray.direction),
        ..EventRow::new("fixation", rest.start_secs, rest.end_secs)
    }));
    events.sort_by(|a, b| {
        let time = a.start_secs.total_cmp(&b.start_secs);
        time.then_with(|| (a.kind, a.hand.map(Hand::name)).cmp(&(b.kind, b.hand.map(Hand::name))))
    });
    fill_positions(recording, &mut events);
    Ok(events)
}

impl EventRow {
    fn new(kind: &'static str, start_secs: f64, end_secs: f64) -> Self {
        Self { kind, hand: None, start_secs, end_secs, name: None, place: None, direction: None }
    }
}

/// What of spans is within the recording.
fn within(spans: Vec<Range<f64>>, duration_secs: f64) -> Vec<Range<f64>> {
    let within = spans.into_iter().map(|span| span.start.max(0.0)..span.end.min(duration_secs));
    within.filter(|span| !span.is_empty()).collect()
}

/// What of the recording is between spans, which are in order.
fn between(spans: &[Range<f64>], duration_secs: f64) -> impl Iterator<Item = Range<f64>> {
    let starts = std::iter::once(0.0).chain(spans.iter().map(|span| span.end));
    let ends = spans.iter().map(|span| span.start).chain([duration_secs]);
    starts.zip(ends).map(|(start, end)| start..end).filter(|span| !span.is_empty())
}

/// Where each event was: in order of time, which is how a sampler is fastest.
fn fill_positions(recording: &Recording, events: &mut [EventRow]) {
    // A hand that is lost is where it was seen last.
    let mut sampler = recording.sampler().with_untracked_poses(true);
    let mut frame = Frame::default();
    for event in events.iter_mut().filter(|event| event.place.is_none() && event.start_secs.is_finite()) {
        sampler.frame_into(event.start_secs, &mut frame);
        let hand = event.hand.and_then(|hand| frame.hand(hand));
        event.place = match event.kind {
            "marker" => frame.camera.map(|head| head.position),
            "pinch" => hand.filter(|hand| hand.tracked).and_then(pinch_position),
            "untracked" if event.start_secs == 0.0 => None,
            _ => hand.and_then(|hand| hand.joint(Joint::Palm).or(hand.joint(Joint::Wrist))).map(|palm| palm.position),
        };
    }
}

/// Between thumb and index finger.
fn pinch_position(hand: &HandFrame) -> Option<[f32; 3]> {
    let index = hand.joint(Joint::IndexTip)?.position;
    let Some(thumb) = hand.joint(Joint::ThumbTip) else { return Some(index) };
    Some(std::array::from_fn(|axis| 0.5 * (index[axis] + thumb.position[axis])))
}

/// The columns of the table, as they grow.
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

    pub(crate) fn push<'a>(&mut self, take: &str, events: impl IntoIterator<Item = &'a EventRow>) {
        for event in events {
            let [takes, kinds, hands, names] = &mut self.texts;
            takes.append_value(take);
            kinds.append_value(event.kind);
            hands.append_option(event.hand.map(Hand::name));
            names.append_option(event.name.as_deref());
            self.times[0].append_value(event.start_secs);
            self.times[1].append_value(event.end_secs);
            let (place, direction) = self.numbers.split_at_mut(3);
            for axis in 0..3 {
                place[axis].append_option(event.place.map(|place| place[axis]));
                direction[axis].append_option(event.direction.map(|direction| direction[axis]));
            }
        }
    }

    pub(crate) fn finish(&mut self) -> Result<RecordBatch> {
        let [takes, kinds, hands, names] = self.texts.each_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let [starts, ends] = self.times.each_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let numbers = self.numbers.each_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let columns = [takes, kinds, hands, starts, ends, names].into_iter().chain(numbers).collect();
        RecordBatch::try_new(schema(Table::Events), columns).map_err(arrow_error)
    }
}
