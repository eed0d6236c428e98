//! What is looked for, one file a concern. Every rule looks at the whole recording and adds what it finds to the tally.

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
    pub(super) recorded: &'a TrackedSpans,
    pub(super) options: &'a CheckOptions,
}

/// Adds all that is wrong with a recording.
pub(super) fn check(scene: CheckContext<'_>, tally: &mut FindingAggregator) {
    times::check(scene, tally);
    values::check(scene, tally);
    rotations::check(scene, tally);
    completeness::check(scene, tally);
    ends::check(scene, tally);
    jumps::check(scene, tally);
    bones::check(scene, tally);
    markers::check(scene, tally);
}
