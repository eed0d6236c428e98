//! What findings and reports say.

use super::FindingKind;
use super::aggregate::{AggregatedFinding, Occurrences};

/// A fault in words that follow the name of what has it.
pub(super) fn finding_message(total: &AggregatedFinding) -> String {
    let AggregatedFinding { fault, seen: Occurrences { count, worst, .. }, .. } = *total;
    let keys = pluralize(count, "key");
    let rotations = pluralize(count, "rotation");
    let directions = pluralize(count, "direction");
    let (are, have) = if count == 1 { ("is", "has") } else { ("are", "have") };
    match fault {
        // These have no place among the curves; their words come with the error that opening the file gave.
        FindingKind::Truncated
        | FindingKind::Damaged
        | FindingKind::Headerless
        | FindingKind::TrailingBytes
        | FindingKind::Unreadable => "the file is not whole".to_owned(),
        FindingKind::RotationWLost => format!("rotation w is lost at {keys}"),
        FindingKind::RotationUncertain => format!("the sign of w is uncertain at {keys}"),
        FindingKind::IncompletePose => "some components have keys and others have none, so there is no pose".to_owned(),
        FindingKind::UnsortedTimes => format!("{keys} {are} earlier than the key before"),
        FindingKind::RepeatedTimes => format!("{keys} {have} the time of another"),
        FindingKind::NonFiniteTimes => format!("{count} of the times {are} not a finite number"),
        FindingKind::NonFiniteValues => format!("{keys} {have} values that are not finite numbers"),
        FindingKind::ZeroRotations => format!("{rotations} {are} all zero"),
        FindingKind::NonUnitRotations => format!("{rotations} {are} not of length 1; the worst is off by {worst:.2}"),
        FindingKind::ZeroDirections => format!("{directions} {are} all zero"),
        FindingKind::NonUnitDirections => format!("{directions} {are} not of length 1; the worst is off by {worst:.2}"),
        FindingKind::SignFlips => format!("the quaternion changes its sign {}", pluralize(count, "time")),
        FindingKind::FlagValues => format!("{keys} {have} values other than 0 and 1"),
        FindingKind::EndsLost => format!("the last {worst:.2} s are missing"),
        FindingKind::EndsEarly => format!("ends {worst:.2} s before the rest"),
        FindingKind::SingleKeys => {
            format!("{} of positions or rotations with one key, beside many", pluralize(count, "set"))
        }
        FindingKind::KeysMissing => format!("no keys in {} in which the hand was tracked", pluralize(count, "span")),
        FindingKind::TrackedWithoutJoints => {
            format!("tracked in {} without keys of any joint", pluralize(count, "span"))
        }
        FindingKind::Jumps => format!("{} of up to {worst:.2} m in a single step", pluralize(count, "jump")),
        FindingKind::LongBones => format!("bone of up to {worst:.2} m, at {keys}"),
        FindingKind::UnsteadyBones => {
            format!("bone up to {:.0} % longer or shorter than usual, at {keys}", 100.0 * worst)
        }
        FindingKind::EmptyJoints => "no keys at all, beside joints that have some".to_owned(),
        FindingKind::ComponentTimesDiffer => {
            format!("components with different key times, in {}", pluralize(count, "set"))
        }
        FindingKind::WrapModes => format!("{} with wrap modes other than clamp forever", pluralize(count, "curve")),
        FindingKind::UnsortedMarkers => format!("{} {are} earlier than the one before", pluralize(count, "marker")),
        FindingKind::MarkersOutside => format!("{} {are} outside the recording", pluralize(count, "marker")),
    }
}

/// What was done about a fault.
pub(super) fn repair_message(total: &AggregatedFinding) -> String {
    let AggregatedFinding { fault, seen: Occurrences { count, worst, .. }, .. } = *total;
    let keys = pluralize(count, "key");
    match fault {
        FindingKind::UnsortedTimes => format!("sorted; {keys} came too late"),
        FindingKind::RepeatedTimes => format!("dropped {keys} with the time of a later one"),
        FindingKind::NonFiniteTimes => format!("dropped {keys} without a time"),
        FindingKind::NonFiniteValues => format!("dropped or straightened {keys} with values that were not finite"),
        FindingKind::NonUnitRotations => format!("brought {} to length 1", pluralize(count, "rotation")),
        FindingKind::NonUnitDirections => format!("brought {} to length 1", pluralize(count, "direction")),
        FindingKind::SignFlips => format!("negated {}", pluralize(count, "quaternion")),
        FindingKind::FlagValues => format!("set {keys} to 0 or 1"),
        FindingKind::UnsortedMarkers => format!("sorted; {} came too late", pluralize(count, "marker")),
        FindingKind::RotationWLost if worst < 0.01 => format!("rebuilt w at {keys}"),
        FindingKind::RotationWLost => format!("rebuilt w at {keys}; near 0 it is only known to {worst:.2} degrees"),
        _ => finding_message(total),
    }
}

/// What could not be saved.
pub(super) fn loss_message(total: &AggregatedFinding) -> String {
    let AggregatedFinding { fault, seen: Occurrences { count, worst, .. }, .. } = *total;
    match fault {
        FindingKind::RotationWLost => format!("w cannot be rebuilt at {}", pluralize(count, "key")),
        FindingKind::EndsLost => format!("the last {worst:.2} s cannot be brought back"),
        _ => finding_message(total),
    }
}

/// A number with its noun.
pub(super) fn pluralize(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
