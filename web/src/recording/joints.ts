/** The joints of a hand. The tables are generated from `holotape::Joint`. */

import { JOINTS as JOINT_NAMES, JOINT_PARENTS } from "../generated/joints";

export const HANDS = ["left", "right"] as const;
export type Hand = (typeof HANDS)[number];

export const FINGERS = ["Thumb", "Index", "Middle", "Ring", "Pinky"] as const;

/** In the order of the file. */
export const JOINTS: readonly string[] = JOINT_NAMES;

export const JOINT_COUNT = JOINTS.length;

export function jointIndex(name: string): number {
  return JOINTS.indexOf(name);
}

/** The index of a joint's parent; `null` for the wrist and for the slot `None`. */
export function parentOf(joint: number): number | null {
  return JOINT_PARENTS[joint] ?? null;
}
