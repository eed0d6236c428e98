/** The joints of a hand, in the order of `holotape::Joint::ALL` and of the file. */

export const HANDS = ["left", "right"] as const;
export type Hand = (typeof HANDS)[number];

export const FINGERS = ["Thumb", "Index", "Middle", "Ring", "Pinky"] as const;

const LONG_FINGER = ["Metacarpal", "Knuckle", "MiddleJoint", "DistalJoint", "Tip"] as const;
const THUMB = ["MetacarpalJoint", "ProximalJoint", "DistalJoint", "Tip"] as const;

export const JOINTS: readonly string[] = [
  "None",
  "Wrist",
  "Palm",
  ...FINGERS.flatMap((finger) => (finger === "Thumb" ? THUMB : LONG_FINGER).map((part) => finger + part)),
];

export const JOINT_COUNT = JOINTS.length;

export function jointIndex(name: string): number {
  return JOINTS.indexOf(name);
}

/** The index of a joint's parent; `null` for the wrist and for the slot `None`. */
export function parentOf(joint: number): number | null {
  const name = JOINTS[joint];
  if (name === undefined || name === "None" || name === "Wrist") {
    return null;
  }
  return name === "Palm" || name.includes("Metacarpal") ? jointIndex("Wrist") : joint - 1;
}
