//! Rebuilds rotation w where a recorder lost it, as MRTK 2.6.0 to 2.7.2 did: one key in w, all keys in x, y and z.
//!
//! A rotation has length 1, so x, y and z give w but for its sign: at each key there are two rotations to choose from,
//! one the inverse of the other. Three things tell which it was, and none of them always:
//!
//! - the bones (`skeleton.rs`): the positions of the joints are all there, and say how each joint is turned; and the eyes,
//!   which look about where the head does (`evidence.rs`);
//! - continuity (`path.rs`): things turn little from key to key, and go on turning as they did;
//! - the keys of w that are left: there the rotation is known, and with it how the joint sits on its bone.
//!
//! What is taken is the likeliest course of signs through all keys of a pose. Keys at which the other sign is nearly as
//! likely are reported.

mod candidates;
mod evidence;
mod sign_path;
mod skeleton;

use self::candidates::Candidates;
use self::evidence::RotationEvidence;
use self::sign_path::SignChoice;
use crate::check::FindingKind;
use crate::check::aggregate::{FindingAggregator, Occurrences};
use crate::vector::{has_lost_w, have_shared_times};
use crate::{BezierKey, Curve, Keys, LinearKey, PoseCurves, PoseId, Recording, VectorId};

/// A rebuilt curve, and how good it is.
struct Rebuilt {
    id: PoseId,
    keys: Keys,
    rebuilt: Occurrences,
    uncertain: Occurrences,
}

/// Rebuilds every lost rotation w that can be.
pub(super) fn rebuild(recording: &mut Recording, done: &mut FindingAggregator, lost: &mut FindingAggregator) {
    let mut all: Vec<Rebuilt> = {
        let witnesses = RotationEvidence::new(recording);
        recording.poses().filter_map(|(id, pose)| rebuild_pose(id, pose, &witnesses)).collect()
    };
    all.reverse();
    for (id, pose) in recording.poses_mut() {
        let Some(Rebuilt { keys, rebuilt, uncertain, .. }) = all.pop_if(|next| next.id == id) else { continue };
        pose.rotation[3].keys = keys;
        let ids = VectorId::Rotation(id).curve_ids();
        done.add(FindingKind::RotationWLost, &ids, rebuilt);
        if !id.is_none_slot() {
            lost.add(FindingKind::RotationUncertain, &ids, uncertain);
        }
    }
}

fn rebuild_pose(id: PoseId, pose: &PoseCurves, witnesses: &RotationEvidence<'_>) -> Option<Rebuilt> {
    if !has_lost_w(&pose.rotation) || !have_shared_times(&pose.rotation[..3]) {
        return None;
    }
    let candidates = Candidates::new(&pose.rotation);
    if candidates.contradict_known_keys() {
        return None;
    }
    let evidence = witnesses.candidate_costs(id, &candidates);
    let choices = sign_path::most_likely_signs(&candidates, &evidence);
    let (mut rebuilt, mut uncertain) = (Occurrences::default(), Occurrences::default());
    for (candidate, choice) in candidates.iter().zip(&choices).filter(|(candidate, _)| candidate.known_sign().is_none())
    {
        rebuilt.add(candidate.time, candidate.rounding_deg());
        if !choice.is_sure {
            uncertain.add(candidate.time, 0.0);
        }
    }
    Some(Rebuilt { id, keys: w_keys(&pose.rotation[0], &candidates, &choices), rebuilt, uncertain })
}

/// The keys of w, straight, of the sort that x has.
fn w_keys(x: &Curve, candidates: &Candidates, choices: &[SignChoice]) -> Keys {
    let w = candidates.iter().zip(choices).map(|(candidate, choice)| candidate.w(choice.which) as f32);
    let keys = x.keys.iter().zip(w).map(|(x, w)| LinearKey::new(x.time, w));
    match x.keys {
        Keys::Linear(_) => Keys::Linear(keys.collect()),
        Keys::Bezier(_) => Keys::Bezier(keys.map(BezierKey::from).collect()),
    }
}
