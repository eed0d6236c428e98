//! The rules of [`check`](super::check()), one file per topic. Each rule adds its findings for the whole recording.

mod bones;
mod completeness;
mod ends;
mod jumps;
mod markers;
mod rotations;
mod times;
mod values;

pub(super) use times::{find_unsorted, has_increasing_times};
pub(super) use values::has_valid_tangents;

use super::CheckOptions;
use super::aggregate::FindingAggregator;
use super::spans::TrackedSpans;
use crate::Recording;

/// The input of every rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct CheckContext<'a> {
    pub(super) recording: &'a Recording,
    pub(super) tracked: &'a TrackedSpans,
    pub(super) options: &'a CheckOptions,
}

/// Adds all findings of a recording.
pub(super) fn check(context: CheckContext<'_>, findings: &mut FindingAggregator) {
    times::check(context, findings);
    values::check(context, findings);
    rotations::check(context, findings);
    completeness::check(context, findings);
    ends::check(context, findings);
    jumps::check(context, findings);
    bones::check(context, findings);
    markers::check(context, findings);
}
