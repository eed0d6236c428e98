//! The joints of all skeletons: one row per joint.

use super::Skeleton;
use crate::Joint;

/// A joint of a recording in the other skeletons, one entry per column of [`ROWS`].
pub(super) struct Row {
    /// A typical radius in metres.
    pub(super) radius_m: f32,
    entries: [Option<Entry>; 6],
}

/// The index and the name of a joint in a skeleton.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) index: usize,
    pub(super) name: &'static str,
}

/// The entry of a joint in a skeleton; `None` if the skeleton lacks it.
pub(super) const fn entry(skeleton: Skeleton, joint: Joint) -> Option<Entry> {
    let entries = ROWS[joint.index()].entries;
    match skeleton {
        Skeleton::Mrtk => at(joint.index(), joint.name()),
        Skeleton::OpenXr => entries[0],
        Skeleton::UnityXrHands => entries[1],
        Skeleton::WebXr => entries[2],
        Skeleton::ArKit => entries[3],
        Skeleton::Aria => entries[4],
        Skeleton::Mano => entries[5],
    }
}

const NONE: Option<Entry> = None;

const fn at(index: usize, name: &'static str) -> Option<Entry> {
    Some(Entry { index, name })
}

/// One row per joint, in the order of [`Joint::ALL`]; entries of OpenXR, Unity XR Hands, WebXR, ARKit, Project Aria and
/// MANO.
#[rustfmt::skip]
pub(super) const ROWS: [Row; Joint::COUNT] = [
    // None
    Row { radius_m: 0.0, entries: [NONE; 6] },
    // Wrist
    Row { radius_m: 0.025, entries: [
        at(1, "wrist"), at(0, "Wrist"),
        at(0, "wrist"), at(0, "wrist"),
        at(5, "wrist"), at(0, "wrist"),
    ] },
    // Palm
    Row { radius_m: 0.02, entries: [
        at(0, "palm"), at(1, "Palm"),
        NONE, NONE,
        at(20, "palm_center"), NONE,
    ] },
    // ThumbMetacarpalJoint
    Row { radius_m: 0.02, entries: [
        at(2, "thumb_metacarpal"), at(2, "ThumbMetacarpal"),
        at(1, "thumb-metacarpal"), at(1, "thumbKnuckle"),
        NONE, at(13, "thumb1"),
    ] },
    // ThumbProximalJoint
    Row { radius_m: 0.014, entries: [
        at(3, "thumb_proximal"), at(3, "ThumbProximal"),
        at(2, "thumb-phalanx-proximal"), at(2, "thumbIntermediateBase"),
        at(6, "thumb_intermediate"), at(14, "thumb2"),
    ] },
    // ThumbDistalJoint
    Row { radius_m: 0.011, entries: [
        at(4, "thumb_distal"), at(4, "ThumbDistal"),
        at(3, "thumb-phalanx-distal"), at(3, "thumbIntermediateTip"),
        at(7, "thumb_distal"), at(15, "thumb3"),
    ] },
    // ThumbTip
    Row { radius_m: 0.009, entries: [
        at(5, "thumb_tip"), at(5, "ThumbTip"),
        at(4, "thumb-tip"), at(4, "thumbTip"),
        at(0, "thumb_fingertip"), at(16, "thumb_tip"),
    ] },
    // IndexMetacarpal
    Row { radius_m: 0.017, entries: [
        at(6, "index_metacarpal"), at(6, "IndexMetacarpal"),
        at(5, "index-finger-metacarpal"), at(5, "indexFingerMetacarpal"),
        NONE, NONE,
    ] },
    // IndexKnuckle
    Row { radius_m: 0.011, entries: [
        at(7, "index_proximal"), at(7, "IndexProximal"),
        at(6, "index-finger-phalanx-proximal"), at(6, "indexFingerKnuckle"),
        at(8, "index_proximal"), at(1, "index1"),
    ] },
    // IndexMiddleJoint
    Row { radius_m: 0.009, entries: [
        at(8, "index_intermediate"), at(8, "IndexIntermediate"),
        at(7, "index-finger-phalanx-intermediate"), at(7, "indexFingerIntermediateBase"),
        at(9, "index_intermediate"), at(2, "index2"),
    ] },
    // IndexDistalJoint
    Row { radius_m: 0.008, entries: [
        at(9, "index_distal"), at(9, "IndexDistal"),
        at(8, "index-finger-phalanx-distal"), at(8, "indexFingerIntermediateTip"),
        at(10, "index_distal"), at(3, "index3"),
    ] },
    // IndexTip
    Row { radius_m: 0.007, entries: [
        at(10, "index_tip"), at(10, "IndexTip"),
        at(9, "index-finger-tip"), at(9, "indexFingerTip"),
        at(1, "index_fingertip"), at(17, "index_tip"),
    ] },
    // MiddleMetacarpal
    Row { radius_m: 0.017, entries: [
        at(11, "middle_metacarpal"), at(11, "MiddleMetacarpal"),
        at(10, "middle-finger-metacarpal"), at(10, "middleFingerMetacarpal"),
        NONE, NONE,
    ] },
    // MiddleKnuckle
    Row { radius_m: 0.011, entries: [
        at(12, "middle_proximal"), at(12, "MiddleProximal"),
        at(11, "middle-finger-phalanx-proximal"), at(11, "middleFingerKnuckle"),
        at(11, "middle_proximal"), at(4, "middle1"),
    ] },
    // MiddleMiddleJoint
    Row { radius_m: 0.009, entries: [
        at(13, "middle_intermediate"), at(13, "MiddleIntermediate"),
        at(12, "middle-finger-phalanx-intermediate"), at(12, "middleFingerIntermediateBase"),
        at(12, "middle_intermediate"), at(5, "middle2"),
    ] },
    // MiddleDistalJoint
    Row { radius_m: 0.008, entries: [
        at(14, "middle_distal"), at(14, "MiddleDistal"),
        at(13, "middle-finger-phalanx-distal"), at(13, "middleFingerIntermediateTip"),
        at(13, "middle_distal"), at(6, "middle3"),
    ] },
    // MiddleTip
    Row { radius_m: 0.007, entries: [
        at(15, "middle_tip"), at(15, "MiddleTip"),
        at(14, "middle-finger-tip"), at(14, "middleFingerTip"),
        at(2, "middle_fingertip"), at(18, "middle_tip"),
    ] },
    // RingMetacarpal
    Row { radius_m: 0.016, entries: [
        at(16, "ring_metacarpal"), at(16, "RingMetacarpal"),
        at(15, "ring-finger-metacarpal"), at(15, "ringFingerMetacarpal"),
        NONE, NONE,
    ] },
    // RingKnuckle
    Row { radius_m: 0.01, entries: [
        at(17, "ring_proximal"), at(17, "RingProximal"),
        at(16, "ring-finger-phalanx-proximal"), at(16, "ringFingerKnuckle"),
        at(14, "ring_proximal"), at(10, "ring1"),
    ] },
    // RingMiddleJoint
    Row { radius_m: 0.009, entries: [
        at(18, "ring_intermediate"), at(18, "RingIntermediate"),
        at(17, "ring-finger-phalanx-intermediate"), at(17, "ringFingerIntermediateBase"),
        at(15, "ring_intermediate"), at(11, "ring2"),
    ] },
    // RingDistalJoint
    Row { radius_m: 0.008, entries: [
        at(19, "ring_distal"), at(19, "RingDistal"),
        at(18, "ring-finger-phalanx-distal"), at(18, "ringFingerIntermediateTip"),
        at(16, "ring_distal"), at(12, "ring3"),
    ] },
    // RingTip
    Row { radius_m: 0.007, entries: [
        at(20, "ring_tip"), at(20, "RingTip"),
        at(19, "ring-finger-tip"), at(19, "ringFingerTip"),
        at(3, "ring_fingertip"), at(19, "ring_tip"),
    ] },
    // PinkyMetacarpal
    Row { radius_m: 0.015, entries: [
        at(21, "little_metacarpal"), at(21, "LittleMetacarpal"),
        at(20, "pinky-finger-metacarpal"), at(20, "littleFingerMetacarpal"),
        NONE, NONE,
    ] },
    // PinkyKnuckle
    Row { radius_m: 0.009, entries: [
        at(22, "little_proximal"), at(22, "LittleProximal"),
        at(21, "pinky-finger-phalanx-proximal"), at(21, "littleFingerKnuckle"),
        at(17, "little_proximal"), at(7, "pinky1"),
    ] },
    // PinkyMiddleJoint
    Row { radius_m: 0.008, entries: [
        at(23, "little_intermediate"), at(23, "LittleIntermediate"),
        at(22, "pinky-finger-phalanx-intermediate"), at(22, "littleFingerIntermediateBase"),
        at(18, "little_intermediate"), at(8, "pinky2"),
    ] },
    // PinkyDistalJoint
    Row { radius_m: 0.007, entries: [
        at(24, "little_distal"), at(24, "LittleDistal"),
        at(23, "pinky-finger-phalanx-distal"), at(23, "littleFingerIntermediateTip"),
        at(19, "little_distal"), at(9, "pinky3"),
    ] },
    // PinkyTip
    Row { radius_m: 0.006, entries: [
        at(25, "little_tip"), at(25, "LittleTip"),
        at(24, "pinky-finger-tip"), at(24, "littleFingerTip"),
        at(4, "little_fingertip"), at(20, "pinky_tip"),
    ] },
];
