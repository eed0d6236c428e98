// Generated from the Rust types by `cargo xtask generate`. Do not edit.

/** Joints of a hand, in the order of the file. */
export const JOINTS = ["None","Wrist","Palm","ThumbMetacarpalJoint","ThumbProximalJoint","ThumbDistalJoint","ThumbTip","IndexMetacarpal","IndexKnuckle","IndexMiddleJoint","IndexDistalJoint","IndexTip","MiddleMetacarpal","MiddleKnuckle","MiddleMiddleJoint","MiddleDistalJoint","MiddleTip","RingMetacarpal","RingKnuckle","RingMiddleJoint","RingDistalJoint","RingTip","PinkyMetacarpal","PinkyKnuckle","PinkyMiddleJoint","PinkyDistalJoint","PinkyTip"] as const;

/** Index of each joint's parent. */
export const JOINT_PARENTS = [null,null,1,1,3,4,5,1,7,8,9,10,1,12,13,14,15,1,17,18,19,20,1,22,23,24,25] as const;

/** WebXR joints, in the order of the specification. */
export const WEBXR_JOINTS = ["wrist","thumb-metacarpal","thumb-phalanx-proximal","thumb-phalanx-distal","thumb-tip","index-finger-metacarpal","index-finger-phalanx-proximal","index-finger-phalanx-intermediate","index-finger-phalanx-distal","index-finger-tip","middle-finger-metacarpal","middle-finger-phalanx-proximal","middle-finger-phalanx-intermediate","middle-finger-phalanx-distal","middle-finger-tip","ring-finger-metacarpal","ring-finger-phalanx-proximal","ring-finger-phalanx-intermediate","ring-finger-phalanx-distal","ring-finger-tip","pinky-finger-metacarpal","pinky-finger-phalanx-proximal","pinky-finger-phalanx-intermediate","pinky-finger-phalanx-distal","pinky-finger-tip"] as const;

/** Index in `JOINTS` of each WebXR joint. */
export const WEBXR_JOINT_INDICES = [1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26] as const;

/** A typical radius of each WebXR joint in metres. Recordings have none. */
export const WEBXR_JOINT_RADII = [0.025,0.02,0.014,0.011,0.009,0.017,0.011,0.009,0.008,0.007,0.017,0.011,0.009,0.008,0.007,0.016,0.01,0.009,0.008,0.007,0.015,0.009,0.008,0.007,0.006] as const;
