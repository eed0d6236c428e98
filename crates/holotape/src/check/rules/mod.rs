//! What is looked for, one file a concern. Every rule looks at the whole recording and adds what it finds to the tally.

mod bones;
mod ends;
mod jumps;
mod markers;
mod rotations;
mod shape;
mod times;
mod values;

pub(super) use times::has_rising_times;
pub(super) use values::has_sound_shape;

use super::CheckOptions;
use super::spans::Recorded;
use super::tally::Tally;
use crate::Recording;

/// What every rule gets to see.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene<'a> {
    pub(super) recording: &'a Recording,
    pub(super) recorded: &'a Recorded,
    pub(super) options: &'a CheckOptions,
}

/// Adds all that is wrong with a recording.
pub(super) fn check(scene: Scene<'_>, tally: &mut Tally) {
    times::check(scene, tally);
    values::check(scene, tally);
    rotations::check(scene, tally);
    shape::check(scene, tally);
    ends::check(scene, tally);
    jumps::check(scene, tally);
    bones::check(scene, tally);
    markers::check(scene, tally);
}
