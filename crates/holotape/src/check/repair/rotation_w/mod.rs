//! Rebuilds rotation w where a recorder lost it: MRTK 2.6.0 to 2.7.2 wrote one key for w and all keys for x, y and z.
//!
//! A rotation has length 1, so x, y and z determine w except for its sign. At each key there are two candidates, one the
//! inverse of the other. Three kinds of evidence decide between them, and none is always available:
//!
//! - Bones (`hand_positions.rs`): the joint positions are intact and determine the rotation of each joint. For the head, the
//!   gaze direction is close to the head's forward direction (`evidence.rs`).
//! - Continuity (`sign_path.rs`): rotations change little from key to key, at similar speeds.
//! - The remaining keys of w: there the rotation is known, and with it the offset between a joint and its bone.
//!
//! The result is the most likely sequence of signs over all keys of a pose. Keys at which the other sign is almost as
//! likely are reported.

mod candidates;
mod evidence;
mod hand_positions;
mod sign_path;

use self::candidates::{Candidate, candidates, contradict_known_keys};
use self::evidence::RotationEvidence;
use self::sign_path::SignChoice;
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::vector::{has_lost_w, have_shared_times};
use crate::{BezierKey, Curve, Keys, LinearKey, PoseCurves, PoseId, Recording, VectorId};

/// A rebuilt w, with the keys that are uncertain.
struct Rebuilt {
    id: PoseId,
    keys: Keys,
    rebuilt: Occurrences,
    uncertain: Occurrences,
}

/// Rebuilds lost w of all poses where possible.
pub(super) fn rebuild(recording: &mut Recording, repaired: &mut FindingAggregator, lost: &mut FindingAggregator) {
    let mut all: Vec<Rebuilt> = {
        let evidence = RotationEvidence::new(recording);
        recording.poses().filter_map(|(id, pose)| rebuild_pose(id, pose, &evidence)).collect()
    };
    all.reverse();
    for (id, pose) in recording.poses_mut() {
        let Some(Rebuilt { keys, rebuilt, uncertain, .. }) = all.pop_if(|next| next.id == id) else { continue };
        pose.rotation[3].keys = keys;
        let ids = VectorId::Rotation(id).curve_ids();
        repaired.add(FindingKind::RotationWLost, &ids, rebuilt);
        if !id.is_none_slot() {
            lost.add(FindingKind::RotationUncertain, &ids, uncertain);
        }
    }
}

fn rebuild_pose(id: PoseId, pose: &PoseCurves, evidence: &RotationEvidence<'_>) -> Option<Rebuilt> {
    if !has_lost_w(&pose.rotation) || !have_shared_times(&pose.rotation[..3]) {
        return None;
    }
    let candidates = candidates(&pose.rotation);
    if contradict_known_keys(&candidates) {
        return None;
    }
    let costs = evidence.candidate_costs(id, &candidates);
    let choices = sign_path::most_likely_signs(&candidates, &costs);
    let (mut rebuilt, mut uncertain) = (Occurrences::default(), Occurrences::default());
    for (candidate, choice) in candidates.iter().zip(&choices).filter(|(candidate, _)| candidate.known_sign().is_none())
    {
        rebuilt.add(candidate.time, candidate.rounding_deg());
        if !choice.is_certain {
            uncertain.add(candidate.time, 0.0);
        }
    }
    Some(Rebuilt { id, keys: w_keys(&pose.rotation[0], &candidates, &choices), rebuilt, uncertain })
}

/// Linear keys of w, in the key layout of x.
fn w_keys(x: &Curve, candidates: &[Candidate], choices: &[SignChoice]) -> Keys {
    let w = candidates.iter().zip(choices).map(|(candidate, choice)| candidate.w(choice.which) as f32);
    let keys = x.keys.iter().zip(w).map(|(x, w)| LinearKey::new(x.time, w));
    match x.keys {
        Keys::Linear(_) => Keys::Linear(keys.collect()),
        Keys::Bezier(_) => Keys::Bezier(keys.map(BezierKey::from).collect()),
    }
}
