//! Gathers single occurrences of a fault to one entry for each part of a recording: a long take with a fault in every key
//! of every joint gives one line, not a hundred thousand.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::{FindingKind, Subject};
use crate::{CurveId, Hand, Joint};

/// How often something was seen, when, and how bad it was at worst.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Occurrences {
    pub(super) count: usize,
    /// First and last time, where one is known.
    pub(super) span_secs: Option<[f64; 2]>,
    /// The largest measure, in the unit of the fault.
    pub(super) worst: f64,
}

impl Occurrences {
    /// So many, at no time in particular.
    pub(super) fn counted(count: usize) -> Self {
        Self { count, ..Self::default() }
    }

    /// Once, at a time, so bad.
    pub(super) fn single(time_secs: f64, measure: f64) -> Self {
        let span_secs = time_secs.is_finite().then_some([time_secs; 2]);
        Self { count: 1, span_secs, worst: measure }
    }

    pub(super) fn add(&mut self, time_secs: f64, measure: f64) {
        *self = self.plus(Self::single(time_secs, measure));
    }

    /// Both, one after the other.
    pub(super) fn plus(self, other: Self) -> Self {
        Self { count: self.count + other.count, ..self.merged(other) }
    }

    /// Both in one: components of a pose that share a fault have it once.
    pub(super) fn merged(self, other: Self) -> Self {
        let span_secs = match (self.span_secs, other.span_secs) {
            (Some([a, b]), Some([c, d])) => Some([a.min(c), b.max(d)]),
            (span, None) | (None, span) => span,
        };
        Self { count: self.count.max(other.count), span_secs, worst: self.worst.max(other.worst) }
    }
}

/// What goes into one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum AggregationKey {
    Camera,
    Flags(Hand),
    Joints(Hand),
    /// Apart from the joints: the slot is no joint, and what is wrong in it does not matter.
    NoJoint(Hand),
    Gaze,
    Markers,
}

impl AggregationKey {
    fn of(id: CurveId) -> Self {
        match id {
            CurveId::Camera(_) => Self::Camera,
            CurveId::Tracked(hand) | CurveId::Pinching(hand) => Self::Flags(hand),
            CurveId::Joint(hand, Joint::None, _) => Self::NoJoint(hand),
            CurveId::Joint(hand, ..) => Self::Joints(hand),
            CurveId::Gaze(_) => Self::Gaze,
        }
    }
}

/// Faults of all parts, gathered.
#[derive(Debug, Default)]
pub(super) struct FindingAggregator(BTreeMap<(FindingKind, AggregationKey), (Vec<CurveId>, Occurrences)>);

/// All that was seen of one fault in one part.
#[derive(Clone, Copy, Debug)]
pub(super) struct AggregatedFinding {
    pub(super) fault: FindingKind,
    pub(super) subject: Subject,
    pub(super) seen: Occurrences,
}

impl FindingAggregator {
    /// Adds what was seen in some curves of one pose, ray or flag.
    pub(super) fn add(&mut self, fault: FindingKind, ids: &[CurveId], seen: Occurrences) {
        if let Some(first) = ids.first() {
            self.insert(fault, AggregationKey::of(*first), ids, seen);
        }
    }

    /// Adds what was seen in each of the curves of one pose, ray or flag. What several of them have at once counts once.
    pub(super) fn add_each(&mut self, fault: FindingKind, each: impl IntoIterator<Item = (CurveId, Occurrences)>) {
        let found: Vec<_> = each.into_iter().filter(|(_, seen)| seen.count > 0).collect();
        let ids: Vec<_> = found.iter().map(|(id, _)| *id).collect();
        self.add(fault, &ids, found.iter().fold(Occurrences::default(), |all, (_, seen)| all.merged(*seen)));
    }

    pub(super) fn add_to_markers(&mut self, fault: FindingKind, seen: Occurrences) {
        self.insert(fault, AggregationKey::Markers, &[], seen);
    }

    fn insert(&mut self, fault: FindingKind, group: AggregationKey, ids: &[CurveId], seen: Occurrences) {
        if seen.count == 0 {
            return;
        }
        match self.0.entry((fault, group)) {
            Entry::Vacant(entry) => {
                entry.insert((ids.to_vec(), seen));
            }
            Entry::Occupied(mut entry) => {
                let (all_ids, all_seen) = entry.get_mut();
                all_ids.extend(ids);
                *all_seen = all_seen.plus(seen);
            }
        }
    }

    /// Keeps some of the faults; those of the slot of no joint, which matter to nobody, go.
    pub(super) fn retain(&mut self, keep: impl Fn(FindingKind) -> bool) {
        self.0.retain(|(fault, group), _| keep(*fault) && !matches!(group, AggregationKey::NoJoint(_)));
    }

    /// Adds the entries of another tally. They have faults of their own.
    pub(super) fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    /// One entry for each fault in each part, in the order of the faults and of the file.
    pub(super) fn totals(self) -> impl Iterator<Item = AggregatedFinding> {
        self.0.into_iter().map(|((fault, group), (ids, seen))| {
            let subject = if group == AggregationKey::Markers { Subject::Markers } else { Subject::from_curves(&ids) };
            AggregatedFinding { fault, subject, seen }
        })
    }
}
