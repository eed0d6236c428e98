//! Aggregates occurrences of a problem into one finding per body part, so that a long recording with a problem in every
//! key of every joint gives one finding instead of 100,000.

use std::collections::BTreeMap;

use super::{FindingKind, Subject};
use crate::{CurveId, Hand, Joint};

/// How often a problem occurs, when, and its largest measure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Occurrences {
    pub(super) count: usize,
    /// The first and the last time, if known.
    pub(super) span_secs: Option<[f64; 2]>,
    /// The largest measure, in the unit of the finding kind.
    pub(super) worst: f64,
}

impl Occurrences {
    /// Occurrences at these times, without a measure.
    pub(super) fn at_times(times: impl IntoIterator<Item = f32>) -> Self {
        times.into_iter().map(|time| (time.into(), 0.0)).collect()
    }

    /// Occurrences without times.
    pub(super) fn counted(count: usize) -> Self {
        Self { count, ..Self::default() }
    }

    pub(super) fn single(time_secs: f64, measure: f64) -> Self {
        let span_secs = time_secs.is_finite().then_some([time_secs; 2]);
        Self { count: 1, span_secs, worst: measure }
    }

    pub(super) fn add(&mut self, time_secs: f64, measure: f64) {
        *self = self.plus(Self::single(time_secs, measure));
    }

    /// Adds the counts.
    pub(super) fn plus(self, other: Self) -> Self {
        Self { count: self.count + other.count, ..self.merged(other) }
    }

    /// Takes the larger count: a problem that components of a pose share counts once.
    pub(super) fn merged(self, other: Self) -> Self {
        let span_secs = match (self.span_secs, other.span_secs) {
            (Some([a, b]), Some([c, d])) => Some([a.min(c), b.max(d)]),
            (span, None) | (None, span) => span,
        };
        Self { count: self.count.max(other.count), span_secs, worst: self.worst.max(other.worst) }
    }
}

/// Collects times and measures.
impl FromIterator<(f64, f64)> for Occurrences {
    fn from_iter<I: IntoIterator<Item = (f64, f64)>>(occurrences: I) -> Self {
        let each = occurrences.into_iter().map(|(time_secs, measure)| Self::single(time_secs, measure));
        each.fold(Self::default(), Self::plus)
    }
}

/// What one finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum AggregationKey {
    Camera,
    Flags(Hand),
    Joints(Hand),
    /// The slot `None` is separate: its problems do not matter.
    NoneSlot(Hand),
    Gaze,
    Markers,
}

impl AggregationKey {
    fn from_curve(id: CurveId) -> Self {
        match id {
            CurveId::Camera(_) => Self::Camera,
            CurveId::Tracked(hand) | CurveId::Pinching(hand) => Self::Flags(hand),
            CurveId::Joint(hand, Joint::None, _) => Self::NoneSlot(hand),
            CurveId::Joint(hand, ..) => Self::Joints(hand),
            CurveId::Gaze(_) => Self::Gaze,
        }
    }
}

/// Collects occurrences by kind and body part.
#[derive(Debug, Default)]
pub(super) struct FindingAggregator(BTreeMap<(FindingKind, AggregationKey), (Vec<CurveId>, Occurrences)>);

/// All occurrences of one kind in one body part.
#[derive(Clone, Copy, Debug)]
pub(super) struct AggregatedFinding {
    pub(super) kind: FindingKind,
    pub(super) subject: Subject,
    pub(super) occurrences: Occurrences,
}

impl FindingAggregator {
    /// Adds occurrences in curves of one pose, ray or flag.
    pub(super) fn add(&mut self, kind: FindingKind, ids: &[CurveId], occurrences: Occurrences) {
        if let Some(first) = ids.first() {
            self.insert(kind, AggregationKey::from_curve(*first), ids, occurrences);
        }
    }

    /// Adds occurrences in each curve of one pose, ray or flag. Those that several curves share count once.
    pub(super) fn add_each(&mut self, kind: FindingKind, each: impl IntoIterator<Item = (CurveId, Occurrences)>) {
        let found: Vec<_> = each.into_iter().filter(|(_, occurrences)| occurrences.count > 0).collect();
        let ids: Vec<_> = found.iter().map(|(id, _)| *id).collect();
        let merged = found.iter().fold(Occurrences::default(), |all, (_, occurrences)| all.merged(*occurrences));
        self.add(kind, &ids, merged);
    }

    pub(super) fn add_to_markers(&mut self, kind: FindingKind, occurrences: Occurrences) {
        self.insert(kind, AggregationKey::Markers, &[], occurrences);
    }

    fn insert(&mut self, kind: FindingKind, key: AggregationKey, ids: &[CurveId], occurrences: Occurrences) {
        if occurrences.count > 0 {
            let (all_ids, all_occurrences) = self.0.entry((kind, key)).or_default();
            all_ids.extend(ids);
            *all_occurrences = all_occurrences.plus(occurrences);
        }
    }

    /// Keeps some kinds, and drops all findings about the joint slot `None`.
    pub(super) fn retain(&mut self, keep: impl Fn(FindingKind) -> bool) {
        self.0.retain(|(kind, key), _| keep(*kind) && !matches!(key, AggregationKey::NoneSlot(_)));
    }

    /// Adds the findings of another aggregator, which has other kinds or is about other body parts.
    pub(super) fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    /// Returns one finding per kind and body part, sorted by kind and then in the order of the file.
    pub(super) fn finish(self) -> impl Iterator<Item = AggregatedFinding> {
        self.0.into_iter().map(|((kind, key), (ids, occurrences))| {
            let subject = if key == AggregationKey::Markers { Subject::Markers } else { Subject::from_curves(&ids) };
            AggregatedFinding { kind, subject, occurrences }
        })
    }
}
