//! The messages of findings and repair reports. They follow the name of the subject.

use super::FindingKind;
use super::aggregate::{AggregatedFinding, Occurrences};
use crate::text::pluralize;

/// Describes a finding.
pub(super) fn finding_message(aggregate: &AggregatedFinding) -> String {
    let AggregatedFinding { kind, occurrences: Occurrences { count, worst, .. }, .. } = *aggregate;
    let keys = pluralize(count, "key");
    let rotations = pluralize(count, "rotation");
    let directions = pluralize(count, "direction");
    let (are, have, do_not) = if count == 1 { ("is", "has", "does not") } else { ("are", "have", "do not") };
    match kind {
        // Findings of files get their message from the error that opening the file returned.
        FindingKind::Truncated
        | FindingKind::Damaged
        | FindingKind::Headerless
        | FindingKind::TrailingBytes
        | FindingKind::Unreadable => "the file is not complete".to_owned(),
        FindingKind::RotationWLost => format!("rotation w is lost at {keys}"),
        FindingKind::RotationUncertain => format!("the sign of w is uncertain at {keys}"),
        FindingKind::IncompletePose => {
            "some components have keys and others have none, so the pose is undefined".to_owned()
        }
        FindingKind::UnsortedTimes => format!("{keys} {are} earlier than the key before"),
        FindingKind::RepeatedTimes => format!("{keys} {have} the time of another key"),
        FindingKind::NonFiniteTimes => format!("{} {are} NaN or infinite", pluralize(count, "time")),
        FindingKind::NonFiniteValues => format!("{keys} {have} non-finite values"),
        FindingKind::ZeroRotations => format!("{rotations} {are} all zero"),
        FindingKind::NonUnitRotations => format!("{rotations} {do_not} have length 1; max. deviation {worst:.2}"),
        FindingKind::ZeroDirections => format!("{directions} {are} all zero"),
        FindingKind::NonUnitDirections => format!("{directions} {do_not} have length 1; max. deviation {worst:.2}"),
        FindingKind::SignFlips => format!("the quaternion changes its sign {}", pluralize(count, "time")),
        FindingKind::InvalidFlagValues => format!("{keys} {have} values other than 0 and 1"),
        FindingKind::MissingEnd => format!("the last {worst:.2} s are missing"),
        FindingKind::EarlyEnd => format!("ends {worst:.2} s before the rest"),
        FindingKind::IsolatedKeys => {
            format!("{} of positions or rotations with a single key, while others have many", pluralize(count, "set"))
        }
        FindingKind::MissingKeys => format!("no keys in {}", pluralize(count, "tracked span")),
        FindingKind::TrackedWithoutJoints => {
            format!("no joint has keys in {}", pluralize(count, "tracked span"))
        }
        FindingKind::PositionJumps => format!("{} of up to {worst:.2} m in a single step", pluralize(count, "jump")),
        FindingKind::LongBones => format!("bone of up to {worst:.2} m, at {keys}"),
        FindingKind::UnsteadyBones => {
            format!("bone up to {:.0} % longer or shorter than its median, at {keys}", 100.0 * worst)
        }
        FindingKind::EmptyJoints => "no keys at all, while other joints have some".to_owned(),
        FindingKind::ComponentTimesDiffer => {
            format!("components with different key times, in {}", pluralize(count, "set"))
        }
        FindingKind::NonClampWrapModes => {
            format!("{} with wrap modes other than clamp forever", pluralize(count, "curve"))
        }
        FindingKind::UnsortedMarkers => format!("{} {are} earlier than the one before", pluralize(count, "marker")),
        FindingKind::MarkersOutOfRange => format!("{} {are} outside the recording", pluralize(count, "marker")),
    }
}

/// Describes what a repair did.
pub(super) fn repair_message(aggregate: &AggregatedFinding) -> String {
    let AggregatedFinding { kind, occurrences: Occurrences { count, worst, .. }, .. } = *aggregate;
    let keys = pluralize(count, "key");
    match kind {
        FindingKind::UnsortedTimes => format!("sorted; {keys} out of order"),
        FindingKind::RepeatedTimes => format!("dropped or moved {keys} with the time of a later one"),
        FindingKind::NonFiniteTimes => format!("dropped {keys} with a non-finite time"),
        FindingKind::NonFiniteValues => format!("dropped or made linear {keys} with non-finite values"),
        FindingKind::NonUnitRotations => format!("normalized {}", pluralize(count, "rotation")),
        FindingKind::NonUnitDirections => format!("normalized {}", pluralize(count, "direction")),
        FindingKind::SignFlips => format!("negated {}", pluralize(count, "quaternion")),
        FindingKind::InvalidFlagValues => format!("set {keys} to 0 or 1"),
        FindingKind::UnsortedMarkers => format!("sorted; {} out of order", pluralize(count, "marker")),
        FindingKind::RotationWLost if worst < 0.01 => format!("rebuilt w at {keys}"),
        FindingKind::RotationWLost => format!("rebuilt w at {keys}; rounding near 0 allows up to {worst:.2}° of error"),
        _ => finding_message(aggregate),
    }
}

/// Describes what could not be repaired.
pub(super) fn loss_message(aggregate: &AggregatedFinding) -> String {
    let AggregatedFinding { kind, occurrences: Occurrences { count, worst, .. }, .. } = *aggregate;
    match kind {
        FindingKind::RotationWLost => format!("w cannot be rebuilt at {}", pluralize(count, "key")),
        FindingKind::MissingEnd => format!("the last {worst:.2} s cannot be restored"),
        _ => finding_message(aggregate),
    }
}
