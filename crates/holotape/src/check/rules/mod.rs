//! What is looked for, one file a concern. Every rule looks at the whole recording and adds what it finds to the findings.

mod bones;
mod completeness;
mod ends;
mod jumps;
mod markers;
mod rotations;
mod times;
mod values;

pub(super) use times::has_increasing_times;
pub(super) use values::has_valid_tangents;

use super::CheckOptions;
use super::aggregate::FindingAggregator;
use super::spans::TrackedSpans;
use crate::Recording;

/// What every rule gets to see.
#[derive(Clone, Copy, Debug)]
pub(super) struct CheckContext<'a> {
    pub(super) recording: &'a Recording,
    pub(super) tracked: &'a TrackedSpans,
    pub(super) options: &'a CheckOptions,
}

/// Adds all that is wrong with a recording.
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
