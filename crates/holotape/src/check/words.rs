//! What findings and reports say.

use super::Fault;
use super::tally::{Seen, Total};

/// A fault in words that follow the name of what has it.
pub(super) fn of_finding(total: &Total) -> String {
    let Total { fault, seen: Seen { count, worst, .. }, .. } = *total;
    let keys = counted(count, "key");
    let rotations = counted(count, "rotation");
    let directions = counted(count, "direction");
    let (are, have) = if count == 1 { ("is", "has") } else { ("are", "have") };
    match fault {
        // These have no place among the curves; their words come with the error that opening the file gave.
        Fault::Truncated | Fault::Damaged | Fault::Headerless | Fault::TrailingBytes | Fault::Unreadable => {
            "the file is not whole".to_owned()
        }
        Fault::RotationWLost => format!("rotation w is lost at {keys}"),
        Fault::RotationUncertain => format!("the sign of w is uncertain at {keys}"),
        Fault::IncompletePose => "some components have keys and others have none, so there is no pose".to_owned(),
        Fault::UnsortedTimes => format!("{keys} {are} earlier than the key before"),
        Fault::RepeatedTimes => format!("{keys} {have} the time of another"),
        Fault::NonFiniteTimes => format!("{count} of the times {are} not a finite number"),
        Fault::NonFiniteValues => format!("{keys} {have} values that are not finite numbers"),
        Fault::ZeroRotations => format!("{rotations} {are} all zero"),
        Fault::NonUnitRotations => format!("{rotations} {are} not of length 1; the worst is off by {worst:.2}"),
        Fault::ZeroDirections => format!("{directions} {are} all zero"),
        Fault::NonUnitDirections => format!("{directions} {are} not of length 1; the worst is off by {worst:.2}"),
        Fault::SignFlips => format!("the quaternion changes its sign {}", counted(count, "time")),
        Fault::FlagValues => format!("{keys} {have} values other than 0 and 1"),
        Fault::EndsLost => format!("the last {worst:.2} s are missing"),
        Fault::EndsEarly => format!("ends {worst:.2} s before the rest"),
        Fault::SingleKeys => format!("{} of positions or rotations with one key, beside many", counted(count, "set")),
        Fault::KeysMissing => format!("no keys in {} in which the hand was tracked", counted(count, "span")),
        Fault::TrackedWithoutJoints => format!("tracked in {} without keys of any joint", counted(count, "span")),
        Fault::Jumps => format!("{} of up to {worst:.2} m in a single step", counted(count, "jump")),
        Fault::LongBones => format!("bone of up to {worst:.2} m, at {keys}"),
        Fault::UnsteadyBones => {
            format!("bone up to {:.0} % longer or shorter than usual, at {keys}", 100.0 * worst)
        }
        Fault::EmptyJoints => "no keys at all, beside joints that have some".to_owned(),
        Fault::ComponentTimesDiffer => format!("components with different key times, in {}", counted(count, "set")),
        Fault::WrapModes => format!("{} with wrap modes other than clamp forever", counted(count, "curve")),
        Fault::UnsortedMarkers => format!("{} {are} earlier than the one before", counted(count, "marker")),
        Fault::MarkersOutside => format!("{} {are} outside the recording", counted(count, "marker")),
    }
}

/// What was done about a fault.
pub(super) fn of_repair(total: &Total) -> String {
    let Total { fault, seen: Seen { count, worst, .. }, .. } = *total;
    let keys = counted(count, "key");
    match fault {
        Fault::UnsortedTimes => format!("sorted; {keys} came too late"),
        Fault::RepeatedTimes => format!("dropped {keys} with the time of a later one"),
        Fault::NonFiniteTimes => format!("dropped {keys} without a time"),
        Fault::NonFiniteValues => format!("dropped or straightened {keys} with values that were not finite"),
        Fault::NonUnitRotations => format!("brought {} to length 1", counted(count, "rotation")),
        Fault::NonUnitDirections => format!("brought {} to length 1", counted(count, "direction")),
        Fault::SignFlips => format!("negated {}", counted(count, "quaternion")),
        Fault::FlagValues => format!("set {keys} to 0 or 1"),
        Fault::UnsortedMarkers => format!("sorted; {} came too late", counted(count, "marker")),
        Fault::RotationWLost if worst < 0.01 => format!("rebuilt w at {keys}"),
        Fault::RotationWLost => format!("rebuilt w at {keys}; near 0 it is only known to {worst:.2} degrees"),
        _ => of_finding(total),
    }
}

/// What could not be saved.
pub(super) fn of_loss(total: &Total) -> String {
    let Total { fault, seen: Seen { count, worst, .. }, .. } = *total;
    match fault {
        Fault::RotationWLost => format!("w cannot be rebuilt at {}", counted(count, "key")),
        Fault::EndsLost => format!("the last {worst:.2} s cannot be brought back"),
        _ => of_finding(total),
    }
}

/// A number with its noun.
pub(super) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
